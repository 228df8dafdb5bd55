//! The planned quantile of one minute's load, of one feature and of several that share a limit.
//!
//! Of one feature it is exact: the law of the compound sum at a grid of rates. Of several it is put together: each
//! feature's own curve, read at the rate at which that feature alone would be as variable as all together, weighted by
//! its share of the variance, and corrected for the difference of skewness as between two gamma laws.

use super::{
    PLANNED_QUANTILE, POINTS, Parts, Shape, gamma_deviations, read, scale_place, scale_point,
};
use crate::engine::requests::{
    Components,
    compound::{Compound, Count, Grids, Sizes, cumulants, power_below},
    moments::{SecondMoments, dot},
};

/// Parts so large that fewer than this many a minute are larger do not count in variance and skewness: they do not move
/// the planned quantile, but their squares would rule both.
const IGNORED_PER_MINUTE: f64 = 0.02;

/// Quarter octaves of parts per minute from 2^-6 to 2^18.
const RATES: usize = 97;
const FIRST_RATE: f64 = 1.0 / 64.0;
/// First rate (2^-4) at which the planned quantile can be above 0; below, the mean takes its place.
const FIRST_OWN: usize = 8;

/// Smallest load of a shape, relative to that of a busy hour, 2^-6; the largest is 4.
const LEAST_LOAD: f64 = 1.0 / 64.0;

/// The law of one minute's load of a feature, in one measure.
#[derive(Clone, Debug, PartialEq)]
pub struct MinuteLaw {
    /// Parts per request.
    per_request: f64,
    /// Mean number of times that a call is made in the parts.
    repeats: f64,
    /// Parts at the reference weights, with which a mean request without repeats measures 1.
    sizes: Sizes,
    moments: SecondMoments,
    /// Mean size of a part, its square and its cube, at the reference weights.
    reference: [f64; 3],
    /// Share of the mean square and cube that counts, by rate.
    kept: [[f64; RATES]; 2],
    /// Deviations of the planned quantile, by rate.
    own: [f64; RATES],
    /// The same of a gamma law with the same skewness.
    gamma: [f64; RATES],
    /// Squared coefficient of variation of a minute's rate, spread over the minutes of a request.
    rate_variance: f64,
}

/// A feature's load in a trial at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FeatureLoad {
    /// Mean per request.
    mean: f64,
    /// Mean square and cube of a part, times parts per request.
    square: f64,
    cube: f64,
    /// By how much more bursts count: they come at once to all flows of a feature.
    burst: f64,
}

impl FeatureLoad {
    /// With bursts that count by so much more.
    #[must_use]
    pub const fn with_burst(self, burst: f64) -> Self {
        Self { burst, ..self }
    }

    /// By how much more bursts count.
    #[must_use]
    pub const fn burst(&self) -> f64 {
        self.burst
    }

    /// Of requests that measure so many times as much.
    #[must_use]
    pub const fn times(self, factor: f64) -> Self {
        Self {
            mean: self.mean * factor,
            square: self.square * factor * factor,
            cube: self.cube * factor * factor * factor,
            burst: self.burst,
        }
    }

    /// Mean per request.
    #[must_use]
    pub const fn mean(&self) -> f64 {
        self.mean
    }
}

/// A feature's load of one minute as polynomials of its rate r: mean = r·mean, variance = r·(variance.0 + r·variance.1).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MinuteTerms {
    /// Of the mean.
    pub mean: f64,
    /// Of the variance.
    pub variance: (f64, f64),
}

impl MinuteLaw {
    /// Of parts measured by `weights` (typical ones: the shape does not depend on their scale).
    #[must_use]
    pub fn new(
        parts: &Parts,
        weights: &Components,
        burstiness: f64,
        persistence: f64,
        compound: &Compound,
    ) -> Self {
        let mut law = Self::without_curves(parts, weights, burstiness, persistence);
        let sizes = std::mem::take(&mut law.sizes);
        if sizes.moments[1] > 0.0 {
            law.gamma = std::array::from_fn(|i| {
                let (variance, skewness) = law.spread(i);
                if variance > 0.0 {
                    gamma_deviations(skewness)
                } else {
                    0.0
                }
            });
            law.own = law.own_curve(&sizes, compound);
        }
        law.sizes = sizes;
        law
    }

    /// The same without what only many requests need.
    #[must_use]
    pub fn without_curves(
        parts: &Parts,
        weights: &Components,
        burstiness: f64,
        persistence: f64,
    ) -> Self {
        let sizes = Sizes::new(parts.parts.iter().map(|x| dot(x, weights)).collect());
        Self {
            per_request: parts.per_request,
            repeats: parts.repeats,
            moments: SecondMoments::new(&parts.parts),
            reference: sizes.moments,
            kept: kept(&sizes),
            own: [0.0; RATES],
            gamma: [0.0; RATES],
            rate_variance: burstiness * burstiness * parts.burst_left(weights, persistence),
            sizes,
        }
    }

    /// Parts per request.
    #[must_use]
    pub const fn per_request(&self) -> f64 {
        self.per_request
    }

    /// Squared coefficient of variation of a minute's rate.
    #[must_use]
    pub const fn rate_variance(&self) -> f64 {
        self.rate_variance
    }

    /// Sizes of parts where a request without repeats measures `unit` on average.
    #[must_use]
    pub fn sizes_in(&self, unit: f64) -> Sizes {
        Sizes::new(self.sizes.values.iter().map(|v| v * unit).collect())
    }

    /// The load at the reference weights, where a request without repeats measures `unit` on average.
    #[must_use]
    pub fn reference_load(&self, unit: f64) -> FeatureLoad {
        FeatureLoad {
            mean: self.repeats * unit,
            square: self.per_request * self.reference[1] * unit * unit,
            cube: self.per_request * self.reference[2] * unit * unit * unit,
            burst: 1.0,
        }
    }

    /// Variance and skewness of what counts at a point of the rates.
    fn spread(&self, point: usize) -> (f64, f64) {
        let count = Count {
            mean: scale_point(FIRST_RATE, point),
            rate_variance: self.rate_variance,
        };
        let [a, b, c] = self.reference;
        let size = [a, b * self.kept[0][point], c * self.kept[1][point]];
        let [_, variance, third] = cumulants(count, &size);
        (variance, third / (variance * f64::sqrt(variance)))
    }

    /// The planned quantile by rate: at every octave, and between where it bends. Where the law is smoother than the
    /// grid of the transform can tell, it is a gamma law.
    fn own_curve(&self, sizes: &Sizes, compound: &Compound) -> [f64; RATES] {
        let mut curve = self.gamma;
        curve[..FIRST_OWN].fill(0.0);
        let mut last = FIRST_OWN;
        let mut grids = Grids::default();
        for at in (FIRST_OWN..RATES).step_by(4) {
            if self.spread(at).0 <= 0.0 {
                continue; // most parts measure 0
            }
            let Some(z) = self.deviations(sizes, at, compound, &mut grids) else {
                break;
            };
            curve[at] = z;
            last = at;
        }
        for step in [4, 2] {
            for low in (FIRST_OWN..last).step_by(step) {
                let (a, b) = (curve[low], curve[low + step]);
                let middle = low + step / 2;
                let straight = 0.5 * (a + b);
                let bends = (a - b) * (a - b) > 0.04 * 0.04;
                curve[middle] = if bends {
                    self.deviations(sizes, middle, compound, &mut grids)
                        .unwrap_or(straight)
                } else {
                    straight
                };
            }
        }
        curve
    }

    /// Planned quantile in deviations of what counts; none if the grid is too coarse.
    fn deviations(
        &self,
        sizes: &Sizes,
        point: usize,
        compound: &Compound,
        grids: &mut Grids,
    ) -> Option<f64> {
        let count = Count {
            mean: scale_point(FIRST_RATE, point),
            rate_variance: self.rate_variance,
        };
        let mean = count.mean * self.reference[0];
        let (variance, _) = self.spread(point);
        let power = power_below(mean + 2.0 * f64::sqrt(variance)) + 1;
        let cdf = compound.up_to(&mut [(sizes, count, grids)], power, PLANNED_QUANTILE)?;
        let x = cdf.quantile(PLANNED_QUANTILE)?;
        (cdf.widening < 0.2 * variance).then(|| (x - mean) / f64::sqrt(variance + cdf.widening))
    }

    /// Load with these weights; `mean` is the exact mean of the measure per request. Both contain the trial's repeats.
    #[must_use]
    pub fn load(&self, weights: &Components, mean: f64) -> FeatureLoad {
        let square = self.moments.square(weights) / (self.repeats * self.repeats);
        // the cube follows the square: the shape is that of the reference
        let cube = if self.reference[1] > 0.0 {
            let ratio = square / self.reference[1];
            self.reference[2] * ratio * f64::sqrt(ratio)
        } else {
            0.0
        };
        FeatureLoad {
            mean,
            square: self.per_request * square,
            cube: self.per_request * cube,
            burst: 1.0,
        }
    }

    /// Terms in a rate of which `scale` is one request per minute. `counting` requests per minute say which parts count:
    /// those of the feature in a busy hour, times the number of features that share the limit.
    #[must_use]
    pub fn terms(&self, load: &FeatureLoad, scale: f64, counting: f64) -> MinuteTerms {
        let kept = read(&self.kept[0], FIRST_RATE, counting * self.per_request);
        MinuteTerms {
            mean: scale * load.mean,
            variance: (
                scale * load.square * kept,
                scale * scale * self.rate_variance * load.mean * load.mean * load.burst,
            ),
        }
    }

    /// Variance and third cumulant at a rate of requests per minute.
    fn moments_at(&self, load: &FeatureLoad, rate: f64, counting: f64) -> (f64, f64) {
        let (at, part) = scale_place(FIRST_RATE, counting * self.per_request);
        let kept = |k: &[f64; RATES]| {
            if at >= RATES - 1 {
                k[RATES - 1]
            } else {
                k[at] + part * (k[at + 1] - k[at])
            }
        };
        let (square, cube) = (
            load.square * kept(&self.kept[0]),
            load.cube * kept(&self.kept[1]),
        );
        let burst = rate * self.rate_variance * load.mean * load.burst;
        (
            rate * (square + burst * load.mean),
            rate * (cube + burst * (3.0 * square + 2.0 * burst * load.mean)),
        )
    }
}

/// What counts of the squares and cubes at each rate.
fn kept(sizes: &Sizes) -> [[f64; RATES]; 2] {
    let n = sizes.values.len();
    let mut sums = Vec::with_capacity(n + 1);
    let (mut square, mut cube) = (0.0, 0.0);
    sums.push([0.0, 0.0]);
    for v in &sizes.values {
        square += v * v;
        cube += v * v * v;
        sums.push([square, cube]);
    }
    let all = [square, cube];
    std::array::from_fn(|which| {
        std::array::from_fn(|i| {
            let larger = (IGNORED_PER_MINUTE / scale_point(FIRST_RATE, i)).min(1.0) * n as f64;
            let at = n as f64 - larger;
            let (below, part) = (at as usize, at - f64::floor(at));
            let (a, b) = (sums[below][which], sums[(below + 1).min(n)][which]);
            if all[which] > 0.0 {
                (a + part * (b - a)) / all[which]
            } else {
                1.0
            }
        })
    })
}

/// A feature that shares a limit.
#[derive(Clone, Copy, Debug)]
pub struct Sharer<'a> {
    /// Its law.
    pub law: &'a MinuteLaw,
    /// Its load.
    pub load: FeatureLoad,
    /// Requests per minute in a busy hour.
    pub busy: f64,
}

impl Sharer<'_> {
    /// Mean and variance of one minute of a busy hour.
    #[must_use]
    pub fn busy_minute(&self, load: &FeatureLoad) -> (f64, f64) {
        let (variance, _) = self.law.moments_at(load, self.busy, self.busy);
        (self.busy * load.mean, variance)
    }
}

/// Deviations of the planned quantile by load, for all features under a limit together.
#[derive(Clone, Copy, Debug)]
pub struct HourShape {
    curve: Shape,
    /// 1 / mean load of a busy hour.
    per_mean: f64,
}

impl HourShape {
    /// Of the features that share a limit.
    #[must_use]
    pub fn new(sharers: &[Sharer]) -> Self {
        let number = sharers.len() as f64;
        let mean: f64 = sharers.iter().map(|s| s.busy * s.load.mean).sum();
        let curve = std::array::from_fn(|i| {
            let scale = scale_point(LEAST_LOAD, i);
            // what the polynomials of the hours make of the variance, and what it is
            let (mut by_terms, mut variance, mut third) = (0.0, 0.0, 0.0);
            for s in sharers {
                let rate = s.busy * scale;
                by_terms += s.law.moments_at(&s.load, rate, s.busy * number).0;
                let (v, t) = s.law.moments_at(&s.load, rate, rate * number);
                variance += v;
                third += t;
            }
            if variance <= 0.0 || by_terms <= 0.0 {
                return 0.0;
            }
            let together = gamma_deviations(third / (variance * f64::sqrt(variance)));
            let mut sum = 0.0;
            for s in sharers {
                let rate = s.busy * scale;
                let (own, _) = s.law.moments_at(&s.load, rate, rate * number);
                if own > 0.0 {
                    let alike = rate * s.law.per_request * (variance / own);
                    let z =
                        read(&s.law.own, FIRST_RATE, alike) - read(&s.law.gamma, FIRST_RATE, alike);
                    sum += own * (z + together);
                }
            }
            sum / variance * f64::sqrt(variance / by_terms)
        });
        Self {
            curve,
            per_mean: if mean > 0.0 { 1.0 / mean } else { 0.0 },
        }
    }

    /// The planned quantile of an hour with this mean and variance of a minute.
    #[inline]
    #[must_use]
    pub fn planned(&self, mean: f64, variance: f64) -> f64 {
        if variance <= 0.0 {
            return mean;
        }
        let z = read(&self.curve, LEAST_LOAD, mean * self.per_mean);
        (mean + f64::sqrt(variance) * z).max(0.0)
    }
}

const _: () = assert!(POINTS == 33, "eight octaves above LEAST_LOAD");
