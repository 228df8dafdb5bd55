//! Cost of single hours, where contracts look at each hour: exact quantiles of the hour's law, one uniform per hour.
//!
//! A table holds the standardised quantile function of the cost of an hour at expected requests of 2^j; between two
//! powers of two the functions are interpolated. Source: docs/model.md, "Hours under a spend commitment".

use super::{
    Components,
    compound::{Compound, Count, Sizes, skewness},
    moments::{SecondMoments, dot},
    sums::singles,
};
use crate::engine::{plan::RequestLaw, rng::Stream};

/// Entries of a quantile function.
const ENTRIES: usize = 1_024;
/// Smallest expected requests of a table, 2^-6.
const FIRST: f64 = 1.0 / 64.0;
/// Most tables: up to 2^24 requests in an hour.
const MOST: usize = 31;
/// Below this skewness the shape no longer changes.
const SETTLED_SKEWNESS: f64 = 0.12;

/// The law of the cost of one hour of a feature.
#[derive(Clone, Debug, PartialEq)]
pub struct HourCost {
    moments: SecondMoments,
    /// Squared coefficient of variation of an hour's rate.
    rate_variance: f64,
    /// [`ENTRIES`] values per power of two.
    tables: Vec<f32>,
}

impl HourCost {
    /// Of requests whose cost is a weighted sum of components; only the ratio of the weights matters.
    #[must_use]
    pub fn new(
        law: &RequestLaw,
        weights: &Components,
        rate_variance: f64,
        compound: &Compound,
    ) -> Self {
        let sample = singles(law);
        let sizes = Sizes::new(sample.iter().map(|x| dot(x, weights)).collect());
        let probabilities: Vec<f64> = (0..ENTRIES)
            .map(|i| (i as f64 + 0.5) / ENTRIES as f64)
            .collect();
        let mut tables = Vec::new();
        let mut mean = FIRST;
        while sizes.moments[1] > 0.0 && tables.len() < MOST * ENTRIES {
            let count = Count {
                mean,
                rate_variance,
            };
            let mut z = compound.standardised(&sizes, count, &probabilities);
            // the largest entry carries what lies beyond it, so that the mean is exact
            let rest: f64 = z[..ENTRIES - 1].iter().sum();
            z[ENTRIES - 1] = z[ENTRIES - 1].max(-rest);
            let centre = (rest + z[ENTRIES - 1]) / ENTRIES as f64;
            tables.extend(z.iter().map(|z| (z - centre) as f32));
            if skewness(count, &sizes.moments)
                < SETTLED_SKEWNESS.max(2.2 * libm::sqrt(rate_variance))
            {
                break;
            }
            mean *= 2.0;
        }
        Self {
            moments: SecondMoments::new(&sample),
            rate_variance,
            tables,
        }
    }

    /// Draws the cost of every hour of a month, so that they add up to `total`.
    ///
    /// `rates` are expected requests, `weights` give the cost of a request and `mean` its exact mean.
    pub fn fill(
        &self,
        rates: &[f64],
        weights: &Components,
        mean: f64,
        total: f64,
        stream: &mut Stream,
        row: &mut [f64],
    ) {
        let square = self.moments.square(weights);
        let burst = self.rate_variance * mean * mean;
        let tables = self.tables.len() / ENTRIES;
        let mut sum = 0.0;
        for (six, out) in rates.chunks(6).zip(row.chunks_mut(6)) {
            let mut bits = stream.bits();
            for (rate, out) in six.iter().zip(out) {
                let entry = (bits >> 54) as usize;
                bits <<= 10;
                *out = if *rate > 0.0 && tables > 0 {
                    let sd = libm::sqrt(*rate * (square + *rate * burst));
                    let z = self.read(*rate, entry, tables);
                    (*rate * mean + sd * z).max(0.0)
                } else {
                    *rate * mean
                };
                sum += *out;
            }
        }
        spread(rates, total, sum, row);
    }

    #[inline]
    fn read(&self, rate: f64, entry: usize, tables: usize) -> f64 {
        const PART: f64 = 1.0 / (1u64 << 52) as f64;
        let above = rate.max(FIRST).to_bits() - FIRST.to_bits();
        let at = (above >> 52) as usize;
        if at + 1 >= tables {
            return f64::from(self.tables[(tables - 1) * ENTRIES + entry]);
        }
        let part = (above & ((1 << 52) - 1)) as f64 * PART;
        let low = f64::from(self.tables[at * ENTRIES + entry]);
        let high = f64::from(self.tables[(at + 1) * ENTRIES + entry]);
        low + part * (high - low)
    }
}

/// Scales the hours to the month's total. If no hour has any cost, all falls into the busiest.
fn spread(rates: &[f64], total: f64, sum: f64, row: &mut [f64]) {
    if sum > 0.0 {
        let factor = total / sum;
        for x in row {
            *x *= factor;
        }
        return;
    }
    row.fill(0.0);
    let mut busiest = 0;
    for (i, r) in rates.iter().enumerate() {
        if *r > rates[busiest] {
            busiest = i;
        }
    }
    if let Some(x) = row.get_mut(busiest) {
        *x = total;
    }
}
