//! How many calls start in one minute, under a limit of calls: at what is typical, and at some chances of a repeat and
//! lengths of output, which differ from trial to trial and move calls between minutes.

use std::sync::Arc;

use super::{
    Cache, JointPart,
    build::{mean_of_week, tokens},
    key,
};
use crate::{
    domain::distribution::Distribution,
    engine::{
        demand::{FeatureDraw, Moment},
        plan::PlanFeature,
        requests::{
            attempts,
            levels::Range,
            minute::{Parts, Timing, calls::CallCounts},
            sample::Stratified,
        },
    },
};

/// Where the laws of an arm stand in the distribution of what it follows.
const PLACES: [f64; 5] = [0.02, 0.2, 0.5, 0.8, 0.98];

/// Place of the typical law among [`PLACES`].
const CENTRE: usize = 2;

/// Laws of a feature at most.
pub const MOST_LAWS: usize = 1 + 2 * PLACES.len();

/// Counts of calls, with a digest of all that they depend on.
#[derive(Clone, Debug)]
pub struct Counted {
    key: u64,
    counts: Arc<CallCounts>,
}

impl Counted {
    fn new(words: &[u64], cache: &mut Cache, build: impl FnOnce() -> CallCounts) -> Self {
        let key = key(words);
        let counts = cache.calls.get(cache.run, key, build);
        Self { key, counts }
    }

    /// What a joint law is made of.
    #[must_use]
    pub const fn part(&self) -> JointPart {
        JointPart {
            law: self.key,
            unit: 1.0,
        }
    }

    /// The counts.
    #[must_use]
    pub fn counts(&self) -> Arc<CallCounts> {
        Arc::clone(&self.counts)
    }
}

/// Laws along one quantity; none if it is certain.
#[derive(Clone, Debug, Default)]
struct Arm {
    at: Vec<f64>,
    laws: Vec<Counted>,
}

/// Counts of calls of a feature.
#[derive(Clone, Debug)]
pub struct CallLaws {
    typical: Counted,
    /// Attempts of a call in the typical law; none under caps.
    attempts: Option<f64>,
    /// By attempts of a call, and by factor of the output.
    arms: [Arm; 2],
}

/// A law with its weight, and its number within the feature: 0 is the typical one.
pub type Weighed<'a> = (usize, f64, &'a Counted);

impl CallLaws {
    /// Of requests under caps, which differ from level to level already.
    pub(super) fn cut(parts: &Parts, f: &PlanFeature, parts_key: u64, cache: &mut Cache) -> Self {
        let (burstiness, persistence) = (f.noise.burstiness, f.noise.burst_persistence);
        let words = [parts_key, burstiness.to_bits(), persistence.to_bits()];
        let build = || CallCounts::new(parts, burstiness, persistence);
        Self {
            typical: Counted::new(&words, cache, build),
            attempts: None,
            arms: Default::default(),
        }
    }

    /// Of requests without caps.
    pub(super) fn linear(
        f: &PlanFeature,
        of: &Stratified,
        timing: &Timing,
        months: usize,
        cache: &mut Cache,
    ) -> Self {
        let again = mean_of_week(&f.retry_factor, &f.weights);
        let chance = |place: usize| {
            let d = &f.retry_probability.distribution;
            (d.fixed().unwrap_or_else(|| d.quantile(PLACES[place])) * again).min(1.0)
        };
        let output = Output::new(f, months);
        let mut law = |chance: f64, output: f64| {
            let timing = Timing {
                retry_probability: chance,
                tokens_per_second: timing.tokens_per_second / output,
                ..*timing
            };
            let (burstiness, persistence) = (f.noise.burstiness, f.noise.burst_persistence);
            let words = [
                f.request_key,
                timing.ttft_seconds.to_bits(),
                timing.tokens_per_second.to_bits(),
                chance.to_bits(),
                u64::from(timing.max_retries),
                burstiness.to_bits(),
                persistence.to_bits(),
            ];
            Counted::new(&words, cache, || {
                CallCounts::played(of, &timing, burstiness, persistence)
            })
        };
        let mut arm = |certain: bool, at: &dyn Fn(usize) -> (f64, f64, f64)| {
            let mut arm = Arm::default();
            if !certain {
                for place in 0..PLACES.len() {
                    let (x, chance, output) = at(place);
                    arm.at.push(x);
                    arm.laws.push(law(chance, output));
                }
            }
            arm
        };
        let no_repeats = f.max_retries == 0 || chance(0) == chance(PLACES.len() - 1);
        let typical = (chance(CENTRE), output.at(CENTRE));
        let arms = [
            arm(no_repeats, &|place| {
                let chance = chance(place);
                (attempts(chance, f.max_retries), chance, typical.1)
            }),
            arm(output.is_certain(), &|place| {
                (output.at(place), typical.0, output.at(place))
            }),
        ];
        Self {
            typical: law(typical.0, typical.1),
            attempts: Some(attempts(typical.0, f.max_retries)),
            arms,
        }
    }

    /// What each law weighs in a trial at a moment: together 1.
    #[must_use]
    pub fn weights(&self, draw: &FeatureDraw, moment: &Moment) -> Vec<Weighed<'_>> {
        let values = [moment.attempts, draw.output_level * moment.tokens];
        let mut out: Vec<Weighed> = vec![(0, 1.0, &self.typical)];
        for (which, (arm, value)) in self.arms.iter().zip(values).enumerate() {
            if arm.at.is_empty() {
                continue;
            }
            let (low, part) = arm.place(value);
            for (at, weight) in [(low, 1.0 - part), (low + 1, part)] {
                // deviations from the typical law, which stands on every arm
                if at != CENTRE && weight > 0.0 {
                    out[0].1 -= weight;
                    out.push((1 + which * PLACES.len() + at, weight, &arm.laws[at]));
                }
            }
        }
        out
    }

    /// How many times as many calls a request makes as in these laws, at a moment with so many attempts; none under caps.
    #[must_use]
    pub fn beyond(&self, attempts: f64) -> Option<f64> {
        let typical = self.attempts?;
        let at = &self.arms[0].at;
        let first = at.first().copied().unwrap_or(typical);
        let last = at.last().copied().unwrap_or(typical);
        Some(attempts / attempts.clamp(first, last))
    }
}

impl Arm {
    /// Point at or below a value, and how far it is to the next.
    fn place(&self, value: f64) -> (usize, f64) {
        let above = self.at.partition_point(|x| *x <= value);
        let low = above.clamp(1, self.at.len() - 1) - 1;
        let (a, b) = (self.at[low], self.at[low + 1]);
        let part = if b > a {
            ((value - a) / (b - a)).clamp(0.0, 1.0)
        } else {
            0.0
        };
        (low, part)
    }
}

/// Factor of the output: its level, drift over the horizon, growth under load.
struct Output<'a> {
    level: &'a Distribution,
    tokens: Range,
}

impl<'a> Output<'a> {
    fn new(f: &'a PlanFeature, months: usize) -> Self {
        Self {
            level: &f.output_level.distribution,
            tokens: tokens(f, months),
        }
    }

    fn is_certain(&self) -> bool {
        self.level.fixed().is_some() && self.tokens.low == self.tokens.high
    }

    fn at(&self, place: usize) -> f64 {
        let level = self
            .level
            .fixed()
            .unwrap_or_else(|| self.level.quantile(PLACES[place]));
        let share = place as f64 / (PLACES.len() - 1) as f64;
        level * self.tokens.low * libm::pow(self.tokens.high / self.tokens.low, share)
    }
}
