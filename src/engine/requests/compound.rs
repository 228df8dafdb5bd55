//! The law of what a random number of requests adds up to, exactly: the generating function of the count, applied to the
//! Fourier transform of the sizes.
//!
//! Sizes above the span are left out rather than folded in: a sum that contains one lies above the span, so every
//! probability below it is right. The grid has as many empty cells as used ones, so that nothing wraps around.

use std::f64::consts::PI;

use crate::engine::statistics::sort_not_negative;

/// Cells of the span where nothing else is said.
const CELLS: usize = 2_048;

/// Logarithm of what is too small to move a probability.
const LEAST_LOG: f64 = -60.0;

/// Equally likely sizes >= 0, ascending.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sizes {
    /// The sizes.
    pub values: Vec<f64>,
    /// Mean of the size, its square and its cube.
    pub moments: [f64; 3],
}

impl Sizes {
    /// Of any values; negative ones count as 0.
    #[must_use]
    pub fn new(mut values: Vec<f64>) -> Self {
        for v in &mut values {
            *v = v.max(0.0);
        }
        sort_not_negative(&mut values);
        let n = values.len().max(1) as f64;
        let mut moments = [0.0; 3];
        for v in &values {
            moments[0] += v / n;
            moments[1] += v * v / n;
            moments[2] += v * v * v / n;
        }
        Self { values, moments }
    }
}

/// The count: Poisson whose rate is gamma.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Count {
    /// Mean.
    pub mean: f64,
    /// Squared coefficient of variation of the rate; 0: Poisson.
    pub rate_variance: f64,
}

/// First three cumulants of the sum.
#[must_use]
pub fn cumulants(count: Count, size: &[f64; 3]) -> [f64; 3] {
    let (m, v) = (count.mean, count.rate_variance);
    let [a, b, c] = *size;
    [
        m * a,
        m * b + m * m * v * a * a,
        m * c + 3.0 * m * m * v * a * b + 2.0 * m * m * m * v * v * a * a * a,
    ]
}

/// Skewness of the sum; 0 if it cannot vary.
#[must_use]
pub fn skewness(count: Count, size: &[f64; 3]) -> f64 {
    let [_, variance, third] = cumulants(count, size);
    if variance > 0.0 {
        third / (variance * f64::sqrt(variance))
    } else {
        0.0
    }
}

/// Tables of the transform.
#[derive(Clone, Debug)]
pub struct Compound {
    cells: usize,
    /// cos and sin of π k / 2^j at 2^j + k: what each pass of the transform turns by, side by side.
    turns: [Vec<f64>; 2],
}

impl Default for Compound {
    fn default() -> Self {
        Self::with_cells(CELLS)
    }
}

/// Transform of sizes on a grid.
#[derive(Clone, Debug)]
pub struct Transformed {
    re: Vec<f64>,
    im: Vec<f64>,
    /// By how much rounding to the grid raises the mean square.
    widening: f64,
}

/// Quantiles of a sum on the grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantiles {
    /// The values.
    pub values: Vec<f64>,
    /// By how much rounding sizes to the grid widens the sum's variance.
    pub widening: f64,
}

impl Compound {
    /// Quantiles at ascending probabilities below 1, for a mean count above 0 and sizes that are not all 0. `span` is
    /// where the last of them is expected, roughly.
    #[must_use]
    pub fn quantiles(
        &self,
        sizes: &Sizes,
        count: Count,
        span: f64,
        probabilities: &[f64],
    ) -> Quantiles {
        let last = probabilities.last().copied().unwrap_or(0.5);
        let largest = sizes.values.last().copied().unwrap_or(0.0);
        let mut span = span.max(largest * 1e-4);
        let (mut cdf, mut widening) = self.cdf(sizes, count, span);
        for _ in 0..16 {
            match quantile(&cdf, span, last) {
                None => span *= 2.5,
                Some(x) if x > 0.0 && x < span / 6.0 => span = 2.0 * x,
                Some(_) => break,
            }
            (cdf, widening) = self.cdf(sizes, count, span);
        }
        Quantiles {
            values: probabilities
                .iter()
                .map(|p| quantile(&cdf, span, *p).unwrap_or(span))
                .collect(),
            widening,
        }
    }

    /// The same in standard deviations from the mean.
    #[must_use]
    pub fn standardised(&self, sizes: &Sizes, count: Count, probabilities: &[f64]) -> Vec<f64> {
        let [mean, variance, _] = cumulants(count, &sizes.moments);
        let span = mean + 4.0 * f64::sqrt(variance);
        let q = self.quantiles(sizes, count, span, probabilities);
        // the grid's own variance, so that its rounding does not count as spread
        let sd = f64::sqrt(variance + q.widening);
        q.values.iter().map(|x| (x - mean) / sd).collect()
    }

    /// With a power of two of cells.
    #[must_use]
    pub fn with_cells(cells: usize) -> Self {
        let length = 2 * cells;
        let mut turns = [vec![0.0; length], vec![0.0; length]];
        let mut half = cells;
        while half > 0 {
            for k in 0..half {
                let (to, from) = (half + k, 2 * (half + k));
                if half == cells {
                    let angle = 2.0 * PI * k as f64 / length as f64;
                    turns[0][to] = libm::cos(angle);
                    turns[1][to] = libm::sin(angle);
                } else {
                    turns[0][to] = turns[0][from];
                    turns[1][to] = turns[1][from];
                }
            }
            half /= 2;
        }
        Self { cells, turns }
    }

    fn cdf(&self, sizes: &Sizes, count: Count, span: f64) -> (Vec<f64>, f64) {
        let transformed = self.transformed(sizes, span);
        let cdf = self.cdf_of(&[(&transformed, count)]);
        (cdf, count.mean * transformed.widening)
    }

    /// Sizes on the grid of a span; those above it are left out.
    #[must_use]
    pub fn transformed(&self, sizes: &Sizes, span: f64) -> Transformed {
        let cell = span / self.cells as f64;
        let mut re = vec![0.0; 2 * self.cells];
        let mut im = vec![0.0; 2 * self.cells];
        let weight = 1.0 / sizes.values.len().max(1) as f64;
        let mut widening = 0.0;
        // values ascend, so only two cells at a time get something
        let (mut at, mut here, mut next) = (0, 0.0, 0.0);
        for v in &sizes.values {
            let x = v / cell;
            let i = x as usize;
            if i + 1 >= self.cells {
                break; // the rest is above the span
            }
            if i != at {
                re[at] += here;
                re[at + 1] += next;
                (at, here, next) = (i, re[i], 0.0);
                re[i] = 0.0;
            }
            // shared by both so that the mean stays
            let part = x - i as f64;
            here += weight * (1.0 - part);
            next += weight * part;
            widening += weight * part * (1.0 - part);
        }
        re[at] += here;
        re[at + 1] += next;
        self.transform(&mut re, &mut im);
        Transformed {
            re,
            im,
            widening: widening * cell * cell,
        }
    }

    /// P(S <= i × cell) of the sum of independent compound sums on the same grid.
    #[must_use]
    pub fn cdf_of(&self, summands: &[(&Transformed, Count)]) -> Vec<f64> {
        let length = 2 * self.cells;
        let mut re = vec![0.0; length];
        let mut im = vec![0.0; length];
        for k in 0..=self.cells {
            let (mut log, mut angle) = (0.0, 0.0);
            for (sizes, count) in summands {
                let (m, v) = (count.mean, count.rate_variance);
                let (a, b) = (m * (sizes.re[k] - 1.0), m * sizes.im[k]);
                // exp(m (φ - 1)), or (1 - v m (φ - 1))^(-1/v)
                if v > 1e-9 {
                    let (x, y) = (1.0 - v * a, -v * b);
                    log -= 0.5 * libm::log(x * x + y * y) / v;
                    angle -= libm::atan2(y, x) / v;
                } else {
                    log += a;
                    angle += b;
                }
            }
            if log < LEAST_LOG {
                continue;
            }
            let size = libm::exp(log);
            // the conjugate, whose transform is that of the inverse
            re[k] = size * libm::cos(angle);
            im[k] = -size * libm::sin(angle);
            if k > 0 && k < self.cells {
                re[length - k] = re[k];
                im[length - k] = -im[k];
            }
        }
        self.transform(&mut re, &mut im);
        let mut sum = 0.0;
        re[..self.cells]
            .iter()
            .map(|p| {
                sum += p.max(0.0) / length as f64;
                sum
            })
            .collect()
    }

    /// Radix-2 transform in place.
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

/// Value at a probability; mass of a cell is spread over the half cells around it, that of cell 0 stays at 0.
#[must_use]
pub fn quantile(cdf: &[f64], span: f64, p: f64) -> Option<f64> {
    let i = cdf.partition_point(|c| *c < p);
    if i >= cdf.len() {
        return None;
    }
    if i == 0 {
        return Some(0.0);
    }
    let (before, after) = (cdf[i - 1], cdf[i]);
    let part = if after > before {
        (p - before) / (after - before)
    } else {
        0.5
    };
    Some((i as f64 - 0.5 + part) * span / cdf.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{demand::count, rng::StreamKey};

    #[test]
    fn poisson_and_negative_binomial_themselves() {
        let one = Sizes::new(vec![1.0]);
        for (mean, rate_variance) in [
            (0.5, 0.0),
            (3.0, 0.0),
            (3.0, 1.0),
            (40.0, 0.25),
            (900.0, 0.01),
        ] {
            let count = Count {
                mean,
                rate_variance,
            };
            let p = [0.05, 0.25, 0.5, 0.75, 0.95, 0.99];
            let got = Compound::default().standardised(&one, count, &p);
            let [m, v, _] = cumulants(count, &one.moments);
            for (p, z) in p.iter().zip(got) {
                let exact = |p: f64| count::draw(mean, v - m, p) as f64;
                let x = m + z * v.sqrt();
                // a lattice law: within a step, and within the grid's error where it is about to jump
                assert!(
                    exact(p - 0.001) - 0.51 < x && x < exact(p + 0.001) + 0.51,
                    "{count:?} {p}: {x} {}",
                    exact(*p)
                );
            }
        }
    }

    #[test]
    fn heavy_sums_are_those_of_sampling() {
        let mut s = StreamKey {
            seed: 1,
            trial: 1,
            entity: 1,
            purpose: 1,
            block: 1,
        }
        .stream();
        let sizes: Vec<f64> = (0..16_384)
            .map(|i| {
                let u = (f64::from(i) + 0.5) / 16_384.0;
                (2.0 * crate::domain::distribution::special::normal_quantile(u)).exp()
            })
            .collect();
        let law = Sizes::new(sizes.clone());
        for (mean, rate_variance) in [(0.4, 0.0), (4.0, 0.0), (4.0, 1.0), (60.0, 0.25)] {
            let count = Count {
                mean,
                rate_variance,
            };
            let trials = 100_000;
            let mut values: Vec<f64> = (0..trials)
                .map(|_| {
                    let n = count::draw(mean, mean * mean * rate_variance, s.uniform());
                    (0..n).map(|_| sizes[(s.bits() >> 50) as usize]).sum()
                })
                .collect();
            values.sort_unstable_by(f64::total_cmp);
            let z = Compound::default().standardised(&law, count, &[0.5, 0.95]);
            let [m, v, _] = cumulants(count, &law.moments);
            for (p, z) in [0.5, 0.95].iter().zip(z) {
                let at = |q: f64| values[(q * f64::from(trials)) as usize];
                let x = m + z * v.sqrt();
                let slack = 4.0 * (p * (1.0 - p) / f64::from(trials)).sqrt();
                assert!(
                    at(p - slack) * 0.995 - 1e-6 <= x && x <= at(p + slack) * 1.005 + 1e-6,
                    "{count:?} {p}: {x}, sampled {}",
                    at(*p)
                );
            }
        }
    }
}
