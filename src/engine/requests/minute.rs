//! What arrives in one minute: requests cut into the minutes in which their calls start, and the 95 % quantile of the
//! sum of such parts.
//!
//! A part is what one request does in one minute. Requests that arrive at random and spread over minutes give
//! independent parts in each minute, so a minute's load is a compound sum of parts; a burst of one minute is spread
//! likewise. Source: docs/model.md, "One minute".

use std::sync::LazyLock;

use super::{
    Components, component,
    compound::{Compound, Count, Sizes, mean_of_skewness},
    moments::{SecondMoments, dot},
    sample::{STRATA, Sampler},
};
use crate::{
    domain::distribution::special::gamma_quantile,
    engine::{plan::RequestLaw, rng::Stream},
};

/// Most minutes over which a request is followed.
const MOST_MINUTES: usize = 240;

/// The quantile of a minute that capacity is planned for.
pub const PLANNED_QUANTILE: f64 = 0.95;

/// Requests cut into minutes.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// What each part holds.
    parts: Vec<Components>,
    /// Parts per request.
    per_request: f64,
    /// Sums of the parts that start so many minutes after their request.
    by_minute: Vec<Components>,
}

impl Parts {
    /// Of requests whose calls follow each other, each lasting `ttft + output / speed` seconds and counted when it starts.
    #[must_use]
    pub fn new(law: &RequestLaw, ttft_seconds: f64, tokens_per_second: f64) -> Self {
        let mut sampler = Sampler::of(law, 3);
        let mut phase = Stream::from_hash(0x5851_f42d_4c95_7f2d);
        let mut parts: Vec<Components> = Vec::with_capacity(STRATA);
        let mut by_minute: Vec<Components> = Vec::new();
        for i in 0..STRATA {
            let request = sampler.request();
            // the moment within its minute, stratified
            let mut time = 60.0 * (i as f64 + phase.uniform()) / STRATA as f64;
            let mut minute = 0;
            let mut part = [0.0; component::COUNT];
            let mut keep = |minute: usize, part: &mut Components| {
                if by_minute.len() <= minute {
                    by_minute.resize(minute + 1, [0.0; component::COUNT]);
                }
                for (sum, x) in by_minute[minute].iter_mut().zip(part.iter()) {
                    *sum += x;
                }
                parts.push(*part);
                *part = [0.0; component::COUNT];
            };
            for call in 0..request.calls {
                let now = ((time / 60.0) as usize).min(MOST_MINUTES - 1);
                if now != minute && call > 0 {
                    keep(minute, &mut part);
                }
                minute = now;
                let output = sampler.output(1);
                let before = f64::from(call);
                part[component::CALLS] += 1.0;
                part[component::INPUT] += request.input;
                part[component::GROWTH] += request.growth * before;
                if call == 0 {
                    part[component::CACHED_PREFIX] +=
                        request.cached_share * law.typical_prefix.min(request.input);
                } else {
                    part[component::CACHED_INPUT] += request.cached_share * request.input;
                    part[component::CACHED_GROWTH] +=
                        request.cached_share * request.growth * (before - 1.0);
                }
                part[component::OUTPUT] += output;
                time += ttft_seconds + output / tokens_per_second;
            }
            keep(minute, &mut part);
        }
        Self {
            per_request: parts.len() as f64 / STRATA as f64,
            parts,
            by_minute,
        }
    }

    /// Share of a burst in one minute that is left when requests spread over minutes: Σ Σ w_d w_e ρ^|d-e|, w_d the share
    /// of a request's load that comes d minutes after its start.
    #[must_use]
    pub fn burst_left(&self, weights: &Components, persistence: f64) -> f64 {
        let loads: Vec<f64> = self.by_minute.iter().map(|x| dot(x, weights)).collect();
        let total: f64 = loads.iter().sum();
        if total <= 0.0 {
            return 1.0;
        }
        // x_d = Σ_{e <= d} w_e ρ^(d-e) turns the double sum into one pass
        let (mut carried, mut sum) = (0.0, 0.0);
        for load in &loads {
            let w = load / total;
            sum += w * (w + 2.0 * carried);
            carried = (carried + w) * persistence;
        }
        sum
    }
}

/// Points of a shape: half octaves of skewness from 2^-4 to 2^8.
pub const POINTS: usize = 25;

/// How many standard deviations the planned quantile lies above the mean, by skewness.
pub type Shape = [f64; POINTS];

/// Smallest skewness of a shape, 2^-4.
const FIRST: f64 = 0.0625;

/// Skewness of a point: 1 and 1.5 times a power of two.
fn skewness_of(point: usize) -> f64 {
    let octave = (1u64 << (point / 2)) as f64;
    FIRST * octave * if point % 2 == 1 { 1.5 } else { 1.0 }
}

/// Reads a shape: straight lines between its points, no logarithm.
#[inline]
#[must_use]
pub fn read(shape: &Shape, skewness: f64) -> f64 {
    // two steps per octave: the exponent and the first bit of the mantissa
    const STEP: f64 = 1.0 / (1u64 << 51) as f64;
    let above = skewness.max(FIRST).to_bits() - FIRST.to_bits();
    let at = (above >> 51) as usize;
    if at >= POINTS - 1 {
        return shape[POINTS - 1];
    }
    let part = (above & ((1 << 51) - 1)) as f64 * STEP;
    shape[at] + part * (shape[at + 1] - shape[at])
}

/// The shape of gamma laws: of loads in flight, and of what is too smooth for its own shape.
pub static GAMMA: LazyLock<Shape> = LazyLock::new(|| {
    std::array::from_fn(|i| {
        let skew = skewness_of(i);
        let k = 4.0 / (skew * skew);
        (gamma_quantile(k, PLANNED_QUANTILE) - k) / libm::sqrt(k)
    })
});

/// The law of one minute's load of a feature, in one measure.
#[derive(Clone, Debug, PartialEq)]
pub struct MinuteLaw {
    /// Parts per request.
    per_request: f64,
    moments: SecondMoments,
    /// Mean size of a part, its square and its cube, at the reference weights.
    reference: [f64; 3],
    /// Squared coefficient of variation of a minute's rate, spread over the minutes of a request.
    pub rate_variance: f64,
    /// Quantile by skewness.
    pub shape: Shape,
}

/// A feature's load of one minute as polynomials of its requests per minute m:
/// mean = m·mean, variance = m·(variance.0 + m·variance.1), third cumulant = m·(third.0 + m·(third.1 + m·third.2)).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MinuteTerms {
    /// Of the mean.
    pub mean: f64,
    /// Of the variance.
    pub variance: (f64, f64),
    /// Of the third cumulant.
    pub third: (f64, f64, f64),
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
        let rate_variance = burstiness * burstiness * parts.burst_left(weights, persistence);
        let sizes = Sizes::new(parts.parts.iter().map(|x| dot(x, weights)).collect());
        let mut shape = *GAMMA;
        if sizes.moments[1] > 0.0 {
            for (i, z) in shape.iter_mut().enumerate() {
                let skew = skewness_of(i);
                // smoother than the feature can be (or than the grid of the transform tells): gamma
                if skew < 0.12 {
                    continue;
                }
                if let Some(mean) = mean_of_skewness(skew, rate_variance, &sizes.moments) {
                    let count = Count {
                        mean,
                        rate_variance,
                    };
                    *z = compound.standardised(&sizes, count, &[PLANNED_QUANTILE])[0];
                }
            }
        }
        Self {
            per_request: parts.per_request,
            moments: SecondMoments::new(&parts.parts),
            reference: sizes.moments,
            rate_variance,
            shape,
        }
    }

    /// Terms for other weights; `mean` is the exact mean of the measure per request. `scale` turns requests per hour (or
    /// whatever the rate counts) into requests per minute.
    #[must_use]
    pub fn terms(&self, weights: &Components, mean: f64, scale: f64) -> MinuteTerms {
        let square = self.moments.square(weights);
        // the cube follows the square: the shape is that of the reference
        let cube = if self.reference[1] > 0.0 {
            let ratio = square / self.reference[1];
            self.reference[2] * ratio * libm::sqrt(ratio)
        } else {
            0.0
        };
        let v = self.rate_variance;
        let (second, third) = (self.per_request * square, self.per_request * cube);
        let s = scale;
        MinuteTerms {
            mean: s * mean,
            variance: (s * second, s * s * v * mean * mean),
            third: (
                s * third,
                3.0 * s * s * v * mean * second,
                2.0 * s * s * s * v * v * mean * mean * mean,
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_back() {
        let shape: Shape = std::array::from_fn(|i| i as f64);
        for i in 0..POINTS {
            assert!(
                (read(&shape, skewness_of(i)) - i as f64).abs() < 1e-9,
                "{i}"
            );
        }
        assert!((read(&shape, 1.25) - 8.5).abs() < 1e-9);
        assert_eq!(read(&shape, 0.0), 0.0);
        assert_eq!(read(&shape, 1e9), 24.0);
    }

    #[test]
    fn gamma_shape_starts_near_the_normal() {
        assert!((GAMMA[0] - 1.6449).abs() < 0.02, "{}", GAMMA[0]);
        // exponential: skewness 2 at point 10
        assert!((GAMMA[10] - (20f64.ln() - 1.0)).abs() < 1e-6);
    }
}
