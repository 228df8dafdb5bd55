//! The Fourier transform of real numbers: neighbours are taken for a complex number, which halves the work.

use std::f64::consts::PI;

/// Tables of a transform of some length.
#[derive(Clone, Debug)]
pub struct Fourier {
    /// cos and sin of π k / 2^j at 2^j + k: what each pass turns by, side by side.
    turns: [Vec<f64>; 2],
}

/// What a transform leaves of real numbers: half of it, since the other half mirrors it.
#[derive(Clone, Debug)]
pub struct Spectrum {
    /// Real parts, up to half the length and including it.
    pub re: Vec<f64>,
    /// Imaginary parts.
    pub im: Vec<f64>,
}

impl Spectrum {
    /// Zeros, of a length.
    #[must_use]
    pub fn zeros(length: usize) -> Self {
        Self {
            re: vec![0.0; length / 2 + 1],
            im: vec![0.0; length / 2 + 1],
        }
    }
}

impl Fourier {
    /// Of a length that is a power of two.
    #[must_use]
    pub fn new(length: usize) -> Self {
        let mut turns = [vec![0.0; length], vec![0.0; length]];
        let mut half = length / 2;
        while half > 0 {
            for k in 0..half {
                let (to, from) = (half + k, 2 * (half + k));
                if half == length / 2 {
                    let angle = PI * k as f64 / half as f64;
                    turns[0][to] = libm::cos(angle);
                    turns[1][to] = libm::sin(angle);
                } else {
                    turns[0][to] = turns[0][from];
                    turns[1][to] = turns[1][from];
                }
            }
            half /= 2;
        }
        Self { turns }
    }

    /// Length of what is transformed.
    #[must_use]
    pub const fn length(&self) -> usize {
        self.turns[0].len()
    }

    /// Σ x_j e^(-2πi jk / length) by k.
    #[must_use]
    pub fn forward(&self, values: &[f64]) -> Spectrum {
        let half = self.length() / 2;
        let (mut re, mut im) = (vec![0.0; half], vec![0.0; half]);
        for ((re, im), pair) in re.iter_mut().zip(&mut im).zip(values.as_chunks::<2>().0) {
            [*re, *im] = *pair;
        }
        self.transform(&mut re, &mut im);
        let mut of = Spectrum::zeros(2 * half);
        let (cos, sin) = (&self.turns[0][half..], &self.turns[1][half..]);
        for k in 1..half {
            let mirror = half - k;
            let (even_re, even_im) = (re[k] + re[mirror], im[k] - im[mirror]);
            let (odd_re, odd_im) = (im[k] + im[mirror], re[mirror] - re[k]);
            of.re[k] = 0.5 * (even_re + cos[k] * odd_re + sin[k] * odd_im);
            of.im[k] = 0.5 * (even_im + cos[k] * odd_im - sin[k] * odd_re);
        }
        of.re[0] = re[0] + im[0];
        of.re[half] = re[0] - im[0];
        of
    }

    /// The numbers whose transform this is, times the length.
    #[must_use]
    pub fn back(&self, of: &Spectrum) -> Vec<f64> {
        let half = self.length() / 2;
        let (cos, sin) = (&self.turns[0][half..], &self.turns[1][half..]);
        // conjugates, since the transform turns the other way
        let (mut re, mut im) = (vec![0.0; half], vec![0.0; half]);
        for k in 0..half {
            let mirror = half - k;
            let (even_re, even_im) = (of.re[k] + of.re[mirror], of.im[k] - of.im[mirror]);
            let (x, y) = (of.re[k] - of.re[mirror], of.im[k] + of.im[mirror]);
            re[k] = even_re - x * sin[k] - y * cos[k];
            im[k] = y * sin[k] - x * cos[k] - even_im;
        }
        self.transform(&mut re, &mut im);
        let mut values = vec![0.0; 2 * half];
        for ((re, im), pair) in re.iter().zip(&im).zip(values.as_chunks_mut::<2>().0) {
            *pair = [*re, -im];
        }
        values
    }

    /// Radix-2 transform of complex numbers in place, of half the length.
    fn transform(&self, re: &mut [f64], im: &mut [f64]) {
        let length = re.len();
        let bits = length.trailing_zeros();
        for i in 0..length {
            let j = i.reverse_bits() >> (usize::BITS - bits);
            if i < j {
                re.swap(i, j);
                im.swap(i, j);
            }
        }
        let mut half = 1;
        while half < length {
            let [cos, sin] = &self.turns;
            let (cos, sin) = (&cos[half..2 * half], &sin[half..2 * half]);
            let pairs = re.chunks_exact_mut(2 * half);
            for (re, im) in pairs.zip(im.chunks_exact_mut(2 * half)) {
                // slices of one length, so that the loop needs no checks and two fit into a register
                let (re, re_far) = re.split_at_mut(half);
                let (im, im_far) = im.split_at_mut(half);
                for k in 0..half {
                    let (c, s) = (cos[k], sin[k]);
                    // e^(-i angle)
                    let x = re_far[k] * c + im_far[k] * s;
                    let y = im_far[k] * c - re_far[k] * s;
                    re_far[k] = re[k] - x;
                    im_far[k] = im[k] - y;
                    re[k] += x;
                    im[k] += y;
                }
            }
            half *= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_sum_by_its_definition_and_comes_back() {
        for length in [4, 8, 64, 256] {
            let values: Vec<f64> = (0..length)
                .map(|j| f64::from((j * 37 + 11) % 101) / 7.0 - 3.0)
                .collect();
            let fourier = Fourier::new(values.len());
            let got = fourier.forward(&values);
            for k in 0..=values.len() / 2 {
                let (mut re, mut im) = (0.0, 0.0);
                for (j, x) in values.iter().enumerate() {
                    let angle = 2.0 * PI * ((j * k) % values.len()) as f64 / values.len() as f64;
                    re += x * angle.cos();
                    im -= x * angle.sin();
                }
                assert!((got.re[k] - re).abs() < 1e-10, "{length} {k}");
                assert!((got.im[k] - im).abs() < 1e-10, "{length} {k}");
            }
            for (x, y) in values.iter().zip(fourier.back(&got)) {
                assert!((x * f64::from(length) - y).abs() < 1e-9, "{length}");
            }
        }
    }
}
