//! What is stored of every trial, and where: one row of money (f64: cents must survive), one of physical quantities
//! (f32: display precision), one of the drawn inputs.

use serde::{Deserialize, Serialize};

/// Counts that decide the layout of a row; all outcomes are by month of the horizon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// Months of the horizon.
    pub months: usize,
    /// Features, in order of creation, and behind them two for each that has lanes: what runs in the long lane, and what runs in
    /// the wrong one.
    pub features: usize,
    /// Features that have lanes.
    pub lanes: usize,
    /// Pools, in order of creation.
    pub pools: usize,
    /// Limits (a cluster has one, a key one per limit set), in pool order.
    pub limits: usize,
    /// Contracts, in entry order.
    pub commitments: usize,
    /// Uncertain inputs; every occurrence of a seasonal window counts.
    pub inputs: usize,
}

/// A money column of the whole plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TotalMoney {
    /// Effective cost.
    Effective,
    /// Billed cost.
    Billed,
    /// List cost.
    List,
    /// Contracted cost.
    Contracted,
}

/// A money column of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolMoney {
    /// List cost of usage paid by use.
    UsageList,
    /// Cost of burst GPUs.
    Burst,
}

/// A money column of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommitmentMoney {
    /// Effective cost of the used part.
    Used,
    /// Effective cost of the unused part.
    Unused,
    /// Invoices.
    Billed,
}

/// A physical column of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeaturePhysical {
    /// Requests.
    Requests,
    /// Calls with retries.
    Calls,
    /// Uncached input tokens.
    UncachedInput,
    /// Cached-read tokens.
    CachedRead,
    /// Output tokens.
    Output,
    /// GPU-hours of work.
    BusyGpuHours,
    /// Tool calls.
    ToolCalls,
    /// Requests that a cap stopped.
    StoppedRequests,
    /// Requests that a soft limit acted on.
    SoftenedRequests,
    /// What caps cut off, at list price.
    CutOffCost,
    /// Runaway requests that began.
    Runaways,
    /// Tokens that runaways burned.
    RunawayTokens,
    /// What they cost, at list price.
    RunawayCost,
    /// Requests under way at once in the busiest hour.
    PeakRequests,
    /// Tool calls under way at once in the busiest hour.
    PeakToolCalls,
    /// Provisioning ceiling.
    CeilingTokensPerMinute,
    /// Ceiling of tokens held in memory.
    CeilingTokensInMemory,
}

/// Physical columns of a feature.
const FEATURE_PHYSICAL: usize = 17;

/// A physical column of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolPhysical {
    /// GPU-hours of work.
    BusyGpuHours,
    /// Needed GPU-hours.
    NeededGpuHours,
    /// Burst GPU-hours.
    BurstGpuHours,
}

/// A physical column of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitPhysical {
    /// Lowest headroom of the month.
    Headroom,
    /// Highest need of the month.
    Needed,
    /// Hours below 0.
    BreachHours,
}

impl Layout {
    /// Features as entered.
    #[must_use]
    pub const fn entered(&self) -> usize {
        self.features - 2 * self.lanes
    }

    /// Money values per trial.
    #[must_use]
    pub const fn money_width(&self) -> usize {
        (4 + self.features + 2 * self.pools + 3 * self.commitments) * self.months
    }

    /// Physical values per trial.
    #[must_use]
    pub const fn physical_width(&self) -> usize {
        (FEATURE_PHYSICAL * self.features + 3 * self.pools + 3 * self.limits) * self.months
    }

    /// First of the `months` money values of a total.
    #[must_use]
    pub const fn total_money(&self, which: TotalMoney) -> usize {
        which as usize * self.months
    }

    /// First of the `months` values of a feature's effective cost.
    #[must_use]
    pub const fn feature_money(&self, feature: usize) -> usize {
        (4 + feature) * self.months
    }

    /// First of the `months` values of a pool's money.
    #[must_use]
    pub const fn pool_money(&self, pool: usize, which: PoolMoney) -> usize {
        (4 + self.features + 2 * pool + which as usize) * self.months
    }

    /// First of the `months` values of a contract's money.
    #[must_use]
    pub const fn commitment_money(&self, commitment: usize, which: CommitmentMoney) -> usize {
        (4 + self.features + 2 * self.pools + 3 * commitment + which as usize) * self.months
    }

    /// First of the `months` physical values of a feature.
    #[must_use]
    pub const fn feature_physical(&self, feature: usize, which: FeaturePhysical) -> usize {
        (FEATURE_PHYSICAL * feature + which as usize) * self.months
    }

    /// First of the `months` physical values of a pool.
    #[must_use]
    pub const fn pool_physical(&self, pool: usize, which: PoolPhysical) -> usize {
        (FEATURE_PHYSICAL * self.features + 3 * pool + which as usize) * self.months
    }

    /// First of the `months` physical values of a limit.
    #[must_use]
    pub const fn limit_physical(&self, limit: usize, which: LimitPhysical) -> usize {
        (FEATURE_PHYSICAL * self.features + 3 * self.pools + 3 * limit + which as usize)
            * self.months
    }
}

/// Consecutive trials, row after row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    /// Number of the first trial, from 0.
    pub first_trial: u32,
    /// Trials.
    pub trials: u32,
    /// `trials` rows of [`Layout::money_width`].
    pub money: Vec<f64>,
    /// `trials` rows of [`Layout::physical_width`].
    pub physical: Vec<f32>,
    /// `trials` rows of [`Layout::inputs`].
    pub inputs: Vec<f32>,
}
