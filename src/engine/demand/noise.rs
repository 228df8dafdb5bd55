//! Hour noise H: a mean-1 lognormal AR(1), one step per hour, anew from its stationary law in every month (so that a
//! month's noise depends on nothing that happens before, and skipped months cost nothing).

use crate::{
    domain::distribution::special::normal_quantile,
    engine::rng::{Stream, StreamKey, purpose},
};

/// Entries of the table of normals.
const ENTRIES: usize = 4_096;

/// Equally likely standard normals, for hourly noise only: it ends at 3.67 standard deviations.
#[derive(Clone, Debug)]
pub struct NormalTable {
    values: Vec<f32>,
    /// Fourth cumulant: what the missing tails take from the mean of a lognormal.
    fourth: f64,
}

impl Default for NormalTable {
    fn default() -> Self {
        let raw: Vec<f64> = (0..ENTRIES)
            .map(|i| normal_quantile((i as f64 + 0.5) / ENTRIES as f64))
            .collect();
        let n = ENTRIES as f64;
        let scale = 1.0 / f64::sqrt(raw.iter().map(|x| x * x).sum::<f64>() / n);
        let values: Vec<f32> = raw.iter().map(|x| (x * scale) as f32).collect();
        let fourth = raw
            .iter()
            .map(|x| x * scale)
            .map(|x| x * x * x * x)
            .sum::<f64>()
            / n;
        Self {
            values,
            fourth: fourth - 3.0,
        }
    }
}

impl NormalTable {
    /// Fills a row with independent normals, five from each 64 random bits.
    pub fn fill(&self, stream: &mut Stream, row: &mut [f32]) {
        for five in row.chunks_mut(5) {
            let mut bits = stream.bits();
            for x in five {
                *x = self.values[(bits >> 52) as usize & (ENTRIES - 1)];
                bits <<= 12;
            }
        }
    }
}

/// Shape of a feature's hour noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HourNoise {
    persistence: f32,
    innovation: f32,
    sigma: f32,
    shift: f32,
}

impl HourNoise {
    /// From the coefficient of variation and the lag-1 correlation of the logarithm; none without noise.
    #[must_use]
    pub fn new(table: &NormalTable, cv: f64, persistence: f64) -> Option<Self> {
        if cv <= 0.0 {
            return None;
        }
        let variance = libm::log1p(cv * cv);
        let squared = persistence * persistence;
        // mean of exp(sigma x): e^(sigma²/2 + κ4 sigma⁴ / 24), κ4 of the chain from that of the table
        let fourth = table.fourth * (1.0 - squared) / (1.0 + squared);
        Some(Self {
            persistence: persistence as f32,
            innovation: f64::sqrt(1.0 - squared) as f32,
            sigma: f64::sqrt(variance) as f32,
            shift: (-variance / 2.0 - fourth * variance * variance / 24.0) as f32,
        })
    }

    /// The noise of every hour of a month.
    pub fn fill(&self, table: &NormalTable, key: StreamKey, row: &mut [f32]) {
        let mut stream = StreamKey {
            purpose: purpose::HOUR_NOISE,
            ..key
        }
        .stream();
        table.fill(&mut stream, row);
        if self.persistence != 0.0 {
            let mut state: Option<f32> = None;
            for x in row.iter_mut() {
                let next = state.map_or(*x, |s| self.persistence * s + self.innovation * *x);
                *x = next;
                state = Some(next);
            }
        }
        for x in row {
            *x = exp(self.sigma * *x + self.shift);
        }
    }
}

/// e^y for |y| < 80, relative error below 3e-7: + − × and bits only, the same on every target.
#[inline]
fn exp(y: f32) -> f32 {
    // adding 1.5 × 2^23 rounds to an integer and leaves it in the low bits
    const ROUND: f32 = 12_582_912.0;
    let t = y * std::f32::consts::LOG2_E;
    let shifted = t + ROUND;
    let whole = shifted - ROUND;
    let x = t - whole;
    // Taylor series of 2^x at 0, |x| <= 1/2
    let p = 1.0
        + x * (std::f32::consts::LN_2
            + x * (0.240_226_5
                + x * (0.055_504_11
                    + x * (0.009_618_13 + x * (0.001_333_356 + x * 0.000_154_04)))));
    let exponent = shifted.to_bits().wrapping_sub(ROUND.to_bits()) << 23;
    f32::from_bits(p.to_bits().wrapping_add(exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_one() {
        for i in -2_000..2_000 {
            let y = i as f32 * 0.01;
            let exact = libm::exp(f64::from(y));
            assert!((f64::from(exp(y)) / exact - 1.0).abs() < 2e-6, "{y}");
        }
    }

    #[test]
    fn mean_deviation_and_persistence_are_as_said() {
        let table = NormalTable::default();
        for (cv, rho) in [(0.2, 0.5), (0.4, 0.0), (1.0, 0.8), (3.0, 0.5)] {
            let noise = HourNoise::new(&table, cv, rho).expect("noise");
            let months = 4_000;
            let mut row = vec![0f32; 720];
            let (mut sum, mut squares, mut lag) = (0.0, 0.0, 0.0);
            for block in 0..months {
                let key = StreamKey {
                    seed: 5,
                    trial: 0,
                    entity: 1,
                    purpose: 0,
                    block,
                };
                noise.fill(&table, key, &mut row);
                for w in row.windows(2) {
                    let (a, b) = (f64::from(w[0]), f64::from(w[1]));
                    sum += a;
                    squares += a * a;
                    lag += (a.ln()) * (b.ln());
                }
            }
            let n = f64::from(months) * 719.0;
            let mean = sum / n;
            let sd = (squares / n - mean * mean).sqrt();
            let variance = (1.0 + cv * cv).ln();
            let log_mean = f64::from(noise.shift);
            let correlation = (lag / n - log_mean * log_mean) / variance;
            assert!(
                (mean - 1.0).abs() < 0.004 * cv.max(0.5),
                "cv {cv}: mean {mean}"
            );
            assert!(
                (sd / cv - 1.0).abs() < if cv > 1.0 { 0.12 } else { 0.02 },
                "cv {cv}: {sd}"
            );
            assert!((correlation - rho).abs() < 0.01, "{rho}: {correlation}");
        }
    }
}
