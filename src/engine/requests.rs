//! What requests add up to: calls, tokens read and written, and what N of them make together.
//!
//! A request is a vector of components that scale differently from trial to trial ([`component`]). [`sample`] draws
//! single requests, [`sums`] presamples what 2^j of them add up to, so that any number of requests is a handful of table
//! look-ups with the exact heavy tail and the exact dependence between tokens, calls and GPU-seconds.
//!
//! Source: docs/model.md, "From request to tokens" and "Hour totals".

pub mod compound;
pub mod each;
pub mod gateway;
pub mod hour_cost;
pub mod levels;
pub mod minute;
pub mod moments;
pub mod sample;
pub mod sums;

use super::{
    demand::Moment,
    plan::{PlanFeature, PlanModel},
};
use sample::{Strata, Stratified};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Components of a request, summed over its calls.
pub mod component {
    /// Calls.
    pub const CALLS: usize = 0;
    /// Input of the first call, read by every call: M I. Scales with level and drift.
    pub const INPUT: usize = 1;
    /// Grown input: G M (M - 1) / 2. Scales with drift.
    pub const GROWTH: usize = 2;
    /// Cached reads of the first call's input: s (M - 1) I. Scales with level and drift.
    pub const CACHED_INPUT: usize = 3;
    /// Cached reads of the grown input: s G (M - 1) (M - 2) / 2. Scales with drift.
    pub const CACHED_GROWTH: usize = 4;
    /// Cached reads of the prefix: s min(P, I).
    pub const CACHED_PREFIX: usize = 5;
    /// Output of all calls. Scales with level and drift.
    pub const OUTPUT: usize = 6;
    /// Tool calls.
    pub const TOOLS: usize = 7;
    /// 1 for a request that a cap stopped.
    pub const STOPPED: usize = 8;
    /// 1 for a request that a soft limit acted on.
    pub const SOFTENED: usize = 9;
    /// Uncached input that a cap cut off.
    pub const CUT_UNCACHED: usize = 10;
    /// Cached reads that a cap cut off.
    pub const CUT_CACHED: usize = 11;
    /// Output that a cap cut off.
    pub const CUT_OUTPUT: usize = 12;
    /// How many there are.
    pub const COUNT: usize = 13;
    /// So many of the first are what a [`super::Measure`] counts.
    pub const MEASURED: usize = 7;
}

/// One value per component.
pub type Components = [f64; component::COUNT];

/// What one request reads and writes, per feature and trial, at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tokens {
    /// Calls.
    pub calls: f64,
    /// Input tokens that are not cached.
    pub uncached_input: f64,
    /// Input tokens read from the cache.
    pub cached_read: f64,
    /// Written tokens.
    pub output: f64,
}

/// How components count in a trial at a moment: levels, drift and retries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// Factor of each component, retries included.
    pub factor: Components,
}

impl Tokens {
    /// Of components as they count. What is cached never exceeds what was read.
    #[must_use]
    pub fn of(x: &Components) -> Self {
        use component::{CACHED_GROWTH, CACHED_INPUT, CACHED_PREFIX, CALLS, GROWTH, INPUT, OUTPUT};
        let read = x[INPUT] + x[GROWTH];
        let cached = x[CACHED_INPUT] + x[CACHED_GROWTH] + x[CACHED_PREFIX];
        let cached = cached.min(read);
        Self {
            calls: x[CALLS],
            uncached_input: read - cached,
            cached_read: cached,
            output: x[OUTPUT],
        }
    }

    /// What caps cut off.
    #[must_use]
    pub const fn cut_off(x: &Components) -> Self {
        Self {
            calls: 0.0,
            uncached_input: x[component::CUT_UNCACHED],
            cached_read: x[component::CUT_CACHED],
            output: x[component::CUT_OUTPUT],
        }
    }

    /// Everything so many times.
    #[must_use]
    pub fn times(&self, factor: f64) -> Self {
        Self {
            calls: self.calls * factor,
            uncached_input: self.uncached_input * factor,
            cached_read: self.cached_read * factor,
            output: self.output * factor,
        }
    }

    /// Adds others.
    pub fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.uncached_input += other.uncached_input;
        self.cached_read += other.cached_read;
        self.output += other.output;
    }

    /// Tokens of all kinds.
    #[must_use]
    pub const fn all(&self) -> f64 {
        self.uncached_input + self.cached_read + self.output
    }
}

impl Scales {
    /// A vector of components as it counts.
    #[must_use]
    pub fn apply(&self, x: &Components) -> Components {
        std::array::from_fn(|k| x[k] * self.factor[k])
    }

    /// Weights of the components for a linear measure of tokens and calls.
    #[must_use]
    pub fn weights(&self, measure: &Measure) -> Components {
        let f = &self.factor;
        let cached = measure.cached_read - measure.uncached_input;
        let mut weights = [0.0; component::COUNT];
        weights[..component::MEASURED].copy_from_slice(&[
            measure.calls * f[component::CALLS],
            measure.uncached_input * f[component::INPUT],
            measure.uncached_input * f[component::GROWTH],
            cached * f[component::CACHED_INPUT],
            cached * f[component::CACHED_GROWTH],
            cached * f[component::CACHED_PREFIX],
            measure.output * f[component::OUTPUT],
        ]);
        weights
    }
}

/// A linear measure of what a request does: its cost, its GPU-seconds, its tokens under a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// Per call.
    pub calls: f64,
    /// Per uncached input token.
    pub uncached_input: f64,
    /// Per cached-read token.
    pub cached_read: f64,
    /// Per written token.
    pub output: f64,
}

impl Measure {
    /// Its value.
    #[must_use]
    pub fn of(&self, t: &Tokens) -> f64 {
        self.calls * t.calls
            + self.uncached_input * t.uncached_input
            + self.cached_read * t.cached_read
            + self.output * t.output
    }

    /// That many times as much.
    #[must_use]
    pub const fn times(&self, factor: f64) -> Self {
        Self {
            calls: self.calls * factor,
            uncached_input: self.uncached_input * factor,
            cached_read: self.cached_read * factor,
            output: self.output * factor,
        }
    }

    /// List cost on the model's price card; 0 without one.
    #[must_use]
    pub fn list_cost(model: &PlanModel) -> Self {
        model.price.map_or_else(Self::default, |p| Self {
            calls: 0.0,
            uncached_input: p.uncached_input * 1e-6,
            cached_read: p.cached_read * 1e-6,
            output: p.output * 1e-6,
        })
    }

    /// Work in replica-seconds; 0 without a serving profile.
    #[must_use]
    pub fn replica_seconds(model: &PlanModel) -> Self {
        model.serving.map_or_else(Self::default, |s| Self {
            calls: 0.0,
            uncached_input: 1.0 / s.prefill_tokens_per_second,
            cached_read: 0.0,
            output: 1.0 / s.decode_tokens_per_second,
        })
    }

    /// Tokens that count under a key's limit.
    #[must_use]
    pub const fn limited_tokens(cached_reads_count: bool) -> Self {
        Self {
            calls: 0.0,
            uncached_input: 1.0,
            cached_read: if cached_reads_count { 1.0 } else { 0.0 },
            output: 1.0,
        }
    }

    /// Calls.
    pub const CALLS: Self = Self {
        calls: 1.0,
        uncached_input: 0.0,
        cached_read: 0.0,
        output: 0.0,
    };
}

/// Mean number of times that a call is made: (1 - q^(n+1)) / (1 - q).
#[must_use]
pub fn attempts(retry_probability: f64, max_retries: u32) -> f64 {
    // the sum 1 + q + … + q^n: exact for q = 1 too; terms that no longer count end it
    let mut sum = 1.0;
    let mut term = 1.0;
    for _ in 0..max_retries {
        term *= retry_probability;
        if term < 1e-18 {
            break;
        }
        sum += term;
    }
    sum
}

/// The chance of a repeat that gives a mean number of attempts.
#[must_use]
pub fn chance_of_repeat(mean_attempts: f64, max_retries: u32) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if attempts(middle, max_retries) < mean_attempts {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Exact means of the components, and what the prefix needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Means {
    /// Mean of each component, at level 1 and the typical prefix.
    pub mean: Components,
    /// Mean cached share.
    cached_share: f64,
    /// Values of the input, ascending, with their running sum.
    input: Arc<Strata>,
}

impl Means {
    /// Of a law.
    #[must_use]
    pub fn new(of: &Stratified) -> Self {
        let law = of.law;
        let calls = law.calls.mean();
        // ⌊x + U⌋ adds f (1 - f) to the variance, f the fraction of x
        let square =
            calls * calls + law.calls.sd() * law.calls.sd() + sample::rounding_variance(&law.calls);
        let pairs = (square - calls) / 2.0;
        let cached_pairs = ((square - 3.0 * calls + 2.0) / 2.0).max(0.0);
        let (input, growth, share) = (
            law.input.mean(),
            law.context_growth.mean(),
            law.cached_share.mean(),
        );
        let mut means = Self {
            mean: [
                calls,
                calls * input,
                growth * pairs,
                share * (calls - 1.0) * input,
                share * growth * cached_pairs,
                0.0,
                calls * law.output.mean(),
                law.tools.mean(),
                0.0,
                0.0,
                0.0,
                0.0,
                0.0,
            ],
            cached_share: share,
            input: Arc::clone(&of.whole()[1]),
        };
        means.mean[component::CACHED_PREFIX] = means.cached_prefix(law.typical_prefix);
        means
    }

    /// Mean of s min(P, I) for a prefix P and inputs at level 1.
    #[must_use]
    pub fn cached_prefix(&self, prefix: f64) -> f64 {
        self.cached_share * self.input.mean_of_least(prefix)
    }

    /// Scales of the components in a trial at a moment. Level and drift multiply, the prefix does not move with either.
    #[must_use]
    pub fn scales(
        &self,
        prefix: f64,
        input_level: f64,
        output_level: f64,
        moment: &Moment,
    ) -> Scales {
        let Moment {
            tokens: drift,
            attempts,
            cached,
        } = *moment;
        let input = input_level * drift;
        // min(P, l I) = l min(P / l, I): the shape at the typical prefix, the mean of this one
        let typical = self.mean[component::CACHED_PREFIX];
        let prefix = if typical > 0.0 {
            input * self.cached_prefix(prefix / input) / typical
        } else {
            0.0
        };
        Scales {
            factor: [
                attempts,
                attempts * input,
                attempts * drift,
                attempts * input * cached,
                attempts * drift * cached,
                attempts * prefix * cached,
                attempts * output_level * drift,
                1.0,
                1.0,
                1.0,
                1.0,
                1.0,
                1.0,
            ],
        }
    }
}

/// Mean seconds of one call of a feature.
#[must_use]
pub fn call_seconds(feature: &PlanFeature, model: &PlanModel, output_scale: f64) -> f64 {
    model.ttft_seconds
        + feature.request.output.mean() * output_scale / model.sequence_tokens_per_second
}
