//! Cost of single hours, where contracts look at each hour: exact quantiles of the hour's law, one uniform per hour.
//!
//! A table holds the standardised quantile function of the cost of an hour at some expected requests. Up to 8 requests
//! there are four tables per octave and an hour is drawn from one of its two neighbours, in the ratio that keeps the
//! mean: laws with many empty hours cannot be interpolated. Above there is one per octave, and quantiles are
//! interpolated. The first tables are made when an hour first asks for one: many features have more requests.
//! Source: docs/model.md, "Hours under a spend commitment".

use std::sync::{Arc, OnceLock};

use super::{
    Components,
    compound::{Compound, Count, Grids, Sizes, skewness},
    minute::{scale_place, scale_point},
    moments::{SecondMoments, dot},
};
use crate::engine::rng::Stream;

/// Entries of a quantile function.
const ENTRIES: usize = 1_024;
/// Smallest expected requests of a table, 2^-6.
const FIRST: f64 = 1.0 / 64.0;
/// Tables up to [`FEW`], four per octave.
const FEW_TABLES: usize = 37;
/// Up to this many expected requests an hour comes from one of two neighbouring tables.
const FEW: f64 = 8.0;
/// Most tables above: up to 2^24 requests in an hour.
const MORE_TABLES: usize = 21;
/// Below this skewness the shape no longer changes.
const SETTLED_SKEWNESS: f64 = 0.12;

/// The law of the cost of one hour of a feature.
#[derive(Clone, Debug)]
pub struct HourCost {
    sizes: Sizes,
    compound: Arc<Compound>,
    moments: SecondMoments,
    /// Squared coefficient of variation of an hour's rate.
    rate_variance: f64,
    /// Tables of few requests, [`ENTRIES`] values each, once they were asked for.
    few: OnceLock<Vec<f32>>,
    /// Those above.
    more: Vec<f32>,
}

impl HourCost {
    /// Of single requests whose cost is a weighted sum of components; only the ratio of the weights matters.
    #[must_use]
    pub fn new(
        sample: &[Components],
        weights: &Components,
        rate_variance: f64,
        compound: Arc<Compound>,
    ) -> Self {
        let sizes = Sizes::new(sample.iter().map(|x| dot(x, weights)).collect());
        let mut more = Vec::new();
        if sizes.moments[1] > 0.0 {
            let least = SETTLED_SKEWNESS.max(2.2 * f64::sqrt(rate_variance));
            let mut grids = Grids::default();
            for at in FEW_TABLES - 1..FEW_TABLES + MORE_TABLES {
                let count = count_at(at, rate_variance);
                more.extend(quantile_function(&sizes, count, &mut grids, &compound));
                if skewness(count, &sizes.moments) < least {
                    break;
                }
            }
        }
        Self {
            moments: SecondMoments::new(sample),
            rate_variance,
            few: OnceLock::new(),
            more,
            sizes,
            compound,
        }
    }

    /// Draws the cost of every hour of a month, so that they add up to `total`.
    ///
    /// `rates` are expected requests, `weights` give the cost of a request and `mean` its exact mean; `relative` is the
    /// mean cost of each hour as a share of that, or empty.
    pub fn fill(
        &self,
        rates: &[f64],
        (relative, weights): (&[f64], &Components),
        mean: f64,
        total: f64,
        stream: &mut Stream,
        row: &mut [f64],
    ) {
        let law = Scaled {
            mean,
            square: self.moments.square(weights),
            burst: self.rate_variance * mean * mean,
        };
        for (three, out) in rates.chunks(3).zip(row.chunks_mut(3)) {
            let mut bits = stream.bits();
            for (rate, out) in three.iter().zip(out) {
                *out = if *rate <= 0.0 || self.more.is_empty() {
                    *rate * mean
                } else if *rate < FEW {
                    self.few(*rate, bits, &law)
                } else {
                    law.cost(*rate, self.interpolated(*rate, entry(bits)))
                };
                bits <<= 20;
            }
        }
        for (out, relative) in row.iter_mut().zip(relative) {
            *out *= relative;
        }
        let sum = row.iter().sum();
        spread(rates, total, sum, row);
    }

    /// An hour with few requests.
    fn few(&self, rate: f64, bits: u64, law: &Scaled) -> f64 {
        let chance = (bits << 10 >> 54) as f64 / ENTRIES as f64;
        let (at, part) = if rate < FIRST {
            // a request in as many hours as there are expected ones
            if chance * FIRST >= rate {
                return 0.0;
            }
            (0, 0.0)
        } else {
            scale_place(FIRST, rate)
        };
        let at = at + usize::from(chance < part);
        law.cost(
            scale_point(FIRST, at),
            f64::from(self.few_tables()[at * ENTRIES + entry(bits)]),
        )
    }

    fn few_tables(&self) -> &[f32] {
        self.few.get_or_init(|| {
            let mut grids = Grids::default();
            let table = |at| {
                let count = count_at(at, self.rate_variance);
                quantile_function(&self.sizes, count, &mut grids, &self.compound)
            };
            (0..FEW_TABLES).flat_map(table).collect()
        })
    }

    #[inline]
    fn interpolated(&self, rate: f64, entry: usize) -> f64 {
        const PART: f64 = 1.0 / (1u64 << 52) as f64;
        let last = self.more.len() / ENTRIES - 1;
        let above = rate.to_bits() - FEW.to_bits();
        let at = (above >> 52) as usize;
        if at >= last {
            return f64::from(self.more[last * ENTRIES + entry]);
        }
        let part = (above & ((1 << 52) - 1)) as f64 * PART;
        let low = f64::from(self.more[at * ENTRIES + entry]);
        let high = f64::from(self.more[(at + 1) * ENTRIES + entry]);
        low + part * (high - low)
    }
}

/// First ten bits: which entry.
const fn entry(bits: u64) -> usize {
    (bits >> 54) as usize
}

/// Moments of a request's cost in a trial.
struct Scaled {
    mean: f64,
    square: f64,
    /// Rate variance times the squared mean.
    burst: f64,
}

impl Scaled {
    /// Cost of an hour, so many deviations from its mean.
    #[inline]
    fn cost(&self, rate: f64, deviations: f64) -> f64 {
        let sd = f64::sqrt(rate * (self.square + rate * self.burst));
        (rate * self.mean + sd * deviations).max(0.0)
    }
}

/// Requests in an hour of a table's number.
fn count_at(at: usize, rate_variance: f64) -> Count {
    let mean = if at < FEW_TABLES {
        scale_point(FIRST, at)
    } else {
        FEW * (1u64 << (at + 1 - FEW_TABLES)) as f64
    };
    Count {
        mean,
        rate_variance,
    }
}

/// Standardised quantiles with mean 0.
fn quantile_function(
    sizes: &Sizes,
    count: Count,
    grids: &mut Grids,
    compound: &Compound,
) -> Vec<f32> {
    let probabilities: Vec<f64> = (0..ENTRIES)
        .map(|i| (i as f64 + 0.5) / ENTRIES as f64)
        .collect();
    let Some(mut z) = compound.standardised((sizes, count, grids), &probabilities) else {
        return vec![0.0; ENTRIES]; // no grid: every hour costs its mean
    };
    // the largest entry carries what lies beyond it, so that the mean is exact
    let rest: f64 = z[..ENTRIES - 1].iter().sum();
    z[ENTRIES - 1] = z[ENTRIES - 1].max(-rest);
    let centre = (rest + z[ENTRIES - 1]) / ENTRIES as f64;
    z.into_iter().map(|z| (z - centre) as f32).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        domain::{
            distribution::Distribution,
            quantity::{Domain, Quantity, Shape},
        },
        engine::{
            demand::count,
            plan::RequestLaw,
            requests::{component, sample::Stratified, sums::singles},
            rng::StreamKey,
        },
    };

    fn law() -> RequestLaw {
        let fit = |shape, domain| {
            Distribution::fit(&Quantity::from(shape), domain)
                .expect("valid")
                .distribution
        };
        RequestLaw {
            calls: fit(Shape::Fixed(1.0), Domain::IntegerFromOne),
            input: fit(Shape::Fixed(1.0), Domain::Positive),
            context_growth: fit(Shape::Fixed(0.0), Domain::NonNegative),
            cached_share: fit(Shape::Fixed(0.0), Domain::Share),
            output: fit(
                Shape::Lognormal {
                    mu: 0.0,
                    sigma: 1.2,
                },
                Domain::Positive,
            ),
            tools: fit(Shape::Fixed(0.0), Domain::IntegerFromZero),
            tool_seconds: fit(Shape::Fixed(0.0), Domain::NonNegative),
            typical_prefix: 0.0,
        }
    }

    fn stream(block: u32) -> Stream {
        StreamKey {
            seed: 3,
            trial: 1,
            entity: 1,
            purpose: 1,
            block,
        }
        .stream()
    }

    /// What a commitment of some size covers in an hour is what hours drawn request by request say.
    #[test]
    fn covered_cost_is_that_of_brute_force() {
        let law = law();
        let mut weights = [0.0; component::COUNT];
        weights[component::OUTPUT] = 1.0;
        let mean = law.output.mean();
        let (hours, months) = (720, 400u32);
        for (rate, burst) in [(0.3, 0.0), (5.0, 0.02), (37.0, 0.02), (900.0, 0.05)] {
            let table = HourCost::new(
                &singles(&Stratified::new(&law), None),
                &weights,
                burst,
                Arc::default(),
            );
            let rates = vec![rate; hours];
            let mut row = vec![0.0; hours];
            let (mut s, mut brute_stream) = (stream(1), stream(2));
            for part in [0.7, 1.0, 1.5] {
                let cap = rate * mean * part;
                let (mut covered, mut brute) = (0.0, 0.0);
                for _ in 0..months {
                    // the month's total at its own law, so that the scaling is as in a run
                    let total: f64 = {
                        let m = rate * hours as f64;
                        let sd = (m
                            * (mean * mean * 1.2f64.powi(2).exp() + rate * burst * mean * mean))
                            .sqrt();
                        let z = crate::domain::distribution::special::normal_quantile(s.uniform());
                        (m * mean + sd * z).max(0.0)
                    };
                    table.fill(&rates, (&[], &weights), mean, total, &mut s, &mut row);
                    assert!((row.iter().sum::<f64>() / total - 1.0).abs() < 1e-9);
                    covered += row.iter().map(|x| x.min(cap)).sum::<f64>();
                }
                let sample = 288_000.0f64.min(6_000_000.0 / rate) as u32;
                for _ in 0..sample {
                    let n = count::draw(rate, rate * rate * burst, brute_stream.uniform());
                    let cost: f64 = (0..n)
                        .map(|_| law.output.quantile(brute_stream.uniform()))
                        .sum();
                    brute += cost.min(cap);
                }
                let got = covered / f64::from(months) / hours as f64;
                let want = brute / f64::from(sample);
                let error = got / want - 1.0;
                println!("rate {rate}, cap {part} x mean: {:+.2} %", error * 100.0);
                assert!(error.abs() < 0.015, "rate {rate} cap {part}: {got} {want}");
            }
        }
    }

    #[test]
    fn a_total_without_hours_falls_into_the_busiest() {
        let mut row = vec![0.0; 3];
        spread(&[1.0, 3.0, 2.0], 5.0, 0.0, &mut row);
        assert_eq!(row, [0.0, 5.0, 0.0]);
    }
}
