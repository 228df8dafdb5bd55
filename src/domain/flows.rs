//! What the requests of a feature depend on besides their own size: the hour of the week, and how full their pool is;
//! and the two lanes that they may be sent to by size.

use serde::{Deserialize, Serialize};

use super::quantity::Quantity;
use super::scenario::{Feature, Id, Pool, PoolKind};
use super::weekly::HOURS;

/// What changes with the hour of the week, read at the feature's own clock, and with load.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ByHour {
    /// What is left of the cached share: 168 factors from 0 to 1, from Monday 00:00 local time; empty: all of it, always.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cached_share_left: Vec<f64>,
    /// Factors of the chance of a repeat, which stays a share: 168 from 0 to 100; empty: always 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub retry_factor: Vec<f64>,
    /// By how much tokens grow when the pool is full, as a fraction (uncertain, >= 0): tokens × (1 + a × utilisation).
    #[serde(skip_serializing_if = "is_zero")]
    pub load_sensitivity: Quantity,
}

impl Default for ByHour {
    fn default() -> Self {
        Self {
            cached_share_left: Vec::new(),
            retry_factor: Vec::new(),
            load_sensitivity: Quantity::fixed(0.0),
        }
    }
}

fn is_zero(q: &Quantity) -> bool {
    *q == Quantity::fixed(0.0)
}

impl ByHour {
    /// Whether every hour is like the others.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}

/// Largest factor of a chance of repeats.
pub const MOST_RETRY_FACTOR: f64 = 100.0;

/// A week of factors; none where all are 1.
#[must_use]
pub fn factors(week: &[f64]) -> Option<&[f64]> {
    (week.len() == HOURS && week.iter().any(|x| *x != 1.0)).then_some(week)
}

impl Feature {
    /// Whether all its requests run on own GPUs, so that one costs GPU-seconds and no money of its own.
    #[must_use]
    pub fn cost_in_gpu_seconds(&self, pools: &[Pool]) -> bool {
        let long = self.lanes.as_ref().map(|l| l.pool);
        let mut all = [Some(self.pool), long].into_iter().flatten();
        all.all(|id| {
            let pool = pools.iter().find(|p| p.id == id);
            pool.is_some_and(|p| matches!(p.kind, PoolKind::GpuCluster { .. }))
        })
    }
}

/// Two lanes: requests whose input is predicted above a threshold run elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Lanes {
    /// Input tokens of the first call above which a request is long, as predicted from the prompt: at typical level 1.
    pub threshold_tokens: f64,
    /// Where long requests run.
    pub pool: Id,
    /// What answers them.
    pub model: Id,
    /// Share of the short requests that is sent to the long lane (uncertain, share).
    pub misrouted_short: Quantity,
    /// Share of the long requests that is sent to the short lane (uncertain, share).
    pub misrouted_long: Quantity,
    /// What the triage of one request costs.
    pub triage_cost_per_request: f64,
}
