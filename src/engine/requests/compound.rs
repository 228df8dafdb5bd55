//! The law of what a random number of requests adds up to, exactly: the generating function of the count, applied to the
//! Fourier transform of the sizes.
//!
//! Sizes above the span are left out rather than folded in: a sum that contains one lies above the span, so every
//! probability below it is right. The grid has as many empty cells as used ones, so that nothing wraps around.

mod fourier;

use crate::engine::statistics::sort_not_negative;
use fourier::{Fourier, Spectrum};

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

/// Computes laws of sums on a grid.
#[derive(Clone, Debug)]
pub struct Compound {
    cells: usize,
    fourier: Fourier,
}

impl Default for Compound {
    fn default() -> Self {
        Self::with_cells(CELLS)
    }
}

/// Sizes on the grid of one span.
#[derive(Clone, Debug)]
struct OnGrid {
    transform: Spectrum,
    /// By how much rounding to the grid raises the mean square.
    widening: f64,
}

/// Sizes on grids whose spans are powers of two, each made when first asked for: laws of many counts share them.
#[derive(Clone, Debug, Default)]
pub struct Grids {
    made: Vec<(i32, OnGrid)>,
    /// The one that served last: laws are made in an order in which the next one reaches about as far.
    last: Option<i32>,
}

/// What adds up: sizes, how many of them, and their grids.
pub type Summand<'a> = (&'a Sizes, Count, &'a mut Grids);

/// P(S <= i × cell) on a grid.
#[derive(Clone, Debug)]
pub struct Cdf {
    values: Vec<f64>,
    /// The span is two to this.
    pub power: i32,
    /// By how much rounding sizes to the grid widens the sum's variance.
    pub widening: f64,
}

/// The power of two below a positive number.
#[must_use]
pub const fn power_below(x: f64) -> i32 {
    (x.to_bits() >> 52) as i32 - 1_023
}

impl Compound {
    /// With a power of two of cells.
    #[must_use]
    pub fn with_cells(cells: usize) -> Self {
        Self {
            cells,
            fourier: Fourier::new(2 * cells),
        }
    }

    /// The law of a sum up to a probability, on a span from two to `power` on: the first that reaches so far without
    /// being four times too wide. None if there is no such span.
    pub fn up_to(&self, of: &mut [Summand], mut power: i32, probability: f64) -> Option<Cdf> {
        let mut grown = false;
        for _ in 0..64 {
            let cdf = self.cdf(of, power);
            match cdf.quantile(probability) {
                None => {
                    power += 1;
                    grown = true;
                }
                Some(x) if x > 0.0 && power_below(x) < power - 2 && !grown => {
                    power = power_below(x) + 1;
                }
                Some(_) => return Some(cdf),
            }
        }
        None
    }

    /// Quantiles at ascending probabilities below 1, in standard deviations from the mean; none if no grid can hold them.
    pub fn standardised(
        &self,
        (sizes, count, grids): Summand,
        probabilities: &[f64],
    ) -> Option<Vec<f64>> {
        let [mean, variance, _] = cumulants(count, &sizes.moments);
        let first = power_below(mean + 4.0 * f64::sqrt(variance));
        let power = grids.last.unwrap_or(first);
        let last = *probabilities.last()?;
        let cdf = self.up_to(&mut [(sizes, count, &mut *grids)], power, last)?;
        grids.last = Some(cdf.power);
        // the grid's own variance, so that its rounding does not count as spread
        let sd = f64::sqrt(variance + cdf.widening);
        let z = |p: &f64| cdf.quantile(*p).map(|x| (x - mean) / sd);
        probabilities.iter().map(z).collect()
    }

    fn cdf(&self, of: &mut [Summand], power: i32) -> Cdf {
        let span = libm::ldexp(1.0, power);
        let mut widening = 0.0;
        let mut summands = Vec::with_capacity(of.len());
        for (sizes, count, grids) in of {
            let made = grids.made.iter().position(|(of, _)| *of == power);
            let at = made.unwrap_or_else(|| {
                grids.made.push((power, self.on_grid(sizes, span)));
                grids.made.len() - 1
            });
            let on_grid = &grids.made[at].1;
            widening += count.mean * on_grid.widening;
            summands.push((&on_grid.transform, *count));
        }
        Cdf {
            values: self.sums(&summands),
            power,
            widening,
        }
    }

    /// Sizes on the grid of a span; those above it are left out.
    fn on_grid(&self, sizes: &Sizes, span: f64) -> OnGrid {
        let cell = span / self.cells as f64;
        let per_cell = self.cells as f64 / span; // exact: both are powers of two
        let mut grid = vec![0.0; 2 * self.cells];
        let weight = 1.0 / sizes.values.len().max(1) as f64;
        let mut widening = 0.0;
        // values ascend, so only two cells at a time get something
        let (mut at, mut here, mut next) = (0, 0.0, 0.0);
        for v in &sizes.values {
            let x = v * per_cell;
            let i = x as usize;
            if i + 1 >= self.cells {
                break; // the rest is above the span
            }
            if i != at {
                grid[at] += here;
                grid[at + 1] += next;
                (at, here, next) = (i, 0.0, 0.0);
            }
            // shared by both so that the mean stays
            let part = x - i as f64;
            here += weight * (1.0 - part);
            next += weight * part;
            widening += weight * part * (1.0 - part);
        }
        grid[at] += here;
        grid[at + 1] += next;
        OnGrid {
            transform: self.fourier.forward(&grid),
            widening: widening * cell * cell,
        }
    }

    /// P(S <= i × cell) of the sum of independent compound sums on one grid.
    fn sums(&self, summands: &[(&Spectrum, Count)]) -> Vec<f64> {
        let mut of = Spectrum::zeros(self.fourier.length());
        for (k, (re, im)) in of.re.iter_mut().zip(&mut of.im).enumerate() {
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
            if log >= LEAST_LOG {
                let size = libm::exp(log);
                *re = size * libm::cos(angle);
                *im = size * libm::sin(angle);
            }
        }
        let mut sum = 0.0;
        self.fourier.back(&of)[..self.cells]
            .iter()
            .map(|p| {
                sum += p.max(0.0) / self.fourier.length() as f64;
                sum
            })
            .collect()
    }
}

impl Cdf {
    /// Value at a probability, if the span reaches so far; mass of a cell is spread over the half cells around it, that
    /// of cell 0 stays at 0.
    #[must_use]
    pub fn quantile(&self, p: f64) -> Option<f64> {
        let cdf = &self.values;
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
        let cell = libm::ldexp(1.0, self.power) / cdf.len() as f64;
        Some((i as f64 - 0.5 + part) * cell)
    }
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
            let mut grids = Grids::default();
            let got = Compound::default().standardised((&one, count, &mut grids), &p);
            let got = got.expect("a grid");
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
            let mut grids = Grids::default();
            let z = Compound::default().standardised((&law, count, &mut grids), &[0.5, 0.95]);
            let z = z.expect("a grid");
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
