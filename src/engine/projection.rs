//! All trials summarised: what the screen, the exports and the command line show.
//!
//! Money is in the scenario's currency, unrounded; it is rounded once where it is written. Percentiles are inverse
//! ECDFs (sorted[ceil(n p) - 1]), so each is a trial. Everything here comes from joint draws: a total is the summary of
//! per-trial totals, never a sum of percentiles.

pub use super::heat::{HeatMap, HeatMonth};
pub use super::launches::{LaunchMove, LaunchMoves, MovedChance};
pub use super::requests::each::{DearestHours, RequestQuantity, RequestSizes};
mod gateway;
mod order;

pub use crate::domain::calendar::{MonthInfo, PeriodInfo};
pub use gateway::{CapOutcome, GatewayOutcome, RunawayOutcome};
pub use order::{EntryOrder, in_order_of_creation};
use serde::{Deserialize, Serialize};

use crate::domain::{field::FieldPath, scenario::Id};

/// Version of the numbers: part of the result digest; raised by any change of a value.
pub const ENGINE_VERSION: u32 = 1;

/// The percentiles of a [`Summary`], in permille.
pub const PERMILLE: [u32; 8] = [50, 100, 250, 500, 750, 900, 950, 990];

/// Distribution of one outcome over the trials.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Summary {
    /// Mean.
    pub mean: f64,
    /// Half width of the 95 % interval of the mean.
    pub mean_error: f64,
    /// p5 p10 p25 p50 p75 p90 p95 p99, see [`PERMILLE`].
    pub p: [f64; 8],
    /// Lower 95 % bounds of the percentiles by exact binomial ranks; none: no bound.
    pub low: [Option<f64>; 8],
    /// Upper 95 % bounds of the percentiles; none: no bound.
    pub high: [Option<f64>; 8],
}

impl Summary {
    /// 5th percentile.
    #[must_use]
    pub const fn p5(&self) -> f64 {
        self.p[0]
    }
    /// Median.
    #[must_use]
    pub const fn p50(&self) -> f64 {
        self.p[3]
    }
    /// 95th percentile.
    #[must_use]
    pub const fn p95(&self) -> f64 {
        self.p[6]
    }
}

/// Share of trials in which something happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Chance {
    /// Trials in which it happens.
    pub count: u32,
    /// Trials.
    pub of: u32,
    /// Lower end of the Wilson interval (95 %).
    pub low: f64,
    /// Upper end of the Wilson interval.
    pub high: f64,
}

impl Chance {
    /// count / of; 0 for no trials.
    #[must_use]
    pub fn share(&self) -> f64 {
        if self.of == 0 {
            0.0
        } else {
            f64::from(self.count) / f64::from(self.of)
        }
    }
}

/// One outcome by month and by longer period, all from joint draws.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Series {
    /// By month of the horizon.
    pub months: Vec<Summary>,
    /// By fiscal quarter, as [`Projection::quarters`].
    pub quarters: Vec<Summary>,
    /// By fiscal year, as [`Projection::years`].
    pub years: Vec<Summary>,
    /// Over the horizon.
    pub horizon: Summary,
}

/// The four costs of FOCUS.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Costs {
    /// Upfront fees spread over the term.
    pub effective: Series,
    /// The invoices.
    pub billed: Series,
    /// At list price.
    pub list: Series,
    /// At contracted price.
    pub contracted: Series,
}

/// Outcomes of one feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct FeatureOutcome {
    /// The feature.
    pub id: Id,
    /// Requests.
    pub requests: Series,
    /// Calls, retries included.
    pub calls: Series,
    /// Input tokens that were not cached.
    pub uncached_input_tokens: Series,
    /// Input tokens read from the cache.
    pub cached_read_tokens: Series,
    /// Written tokens.
    pub output_tokens: Series,
    /// GPU-hours of work (0 on a key).
    pub busy_gpu_hours: Series,
    /// Effective cost of what it used (unused capacity is nobody's).
    pub effective_cost: Series,
    /// Effective cost per 1,000 requests, by fiscal year; none without requests.
    pub cost_per_1000_requests: Vec<Option<UnitCost>>,
    /// What single requests are like; none until computed after the final fan.
    pub each: Option<RequestSizes>,
    /// Those of the hours of the week in which they cost most; none where all hours are alike.
    pub dearest: Option<DearestHours>,
    /// Tools, caps, runaways, and what is under way at once.
    pub gateway: GatewayOutcome,
}

/// What a unit costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct UnitCost {
    /// Mean cost over the mean number of units: what a budget divides by.
    pub of_means: f64,
    /// Half width of the 95 % interval of that ratio.
    pub of_means_error: f64,
    /// Each trial's cost over its own units, of the trials that have any.
    pub by_trial: Summary,
}

/// The lanes of one feature; its other requests run in the lane for short ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct LaneOutcome {
    /// What single requests are like that run in the lane for short ones; none until computed after the final fan.
    pub short_each: Option<RequestSizes>,
    /// What runs in the lane for long requests, without its triage.
    pub long: FeatureOutcome,
    /// What runs in the wrong lane, of either.
    pub misrouted: FeatureOutcome,
}

/// What a limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LimitKind {
    /// GPUs of a cluster.
    Gpus,
    /// Tokens per minute of a key.
    TokensPerMinute,
    /// Calls per minute of a key.
    RequestsPerMinute,
}

/// Headroom under one limit of a pool: committed minus needed, in the unit of the limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct LimitOutcome {
    /// The pool.
    pub pool: Id,
    /// What is limited.
    pub limit: LimitKind,
    /// Lowest committed capacity in the month (the same in every trial).
    pub committed: Vec<f64>,
    /// Lowest headroom of the month's hours.
    pub headroom: Vec<Summary>,
    /// Highest need of the month's hours.
    pub needed: Vec<Summary>,
    /// Trials with an hour below 0 in the month.
    pub breach: Vec<Chance>,
    /// Trials with an hour below 0 anywhere in the horizon.
    pub any_breach: Chance,
    /// Mean hours below 0 in the month.
    pub breach_hours: Vec<f64>,
}

/// Outcomes of one pool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct PoolOutcome {
    /// The pool.
    pub id: Id,
    /// List cost of usage paid by use (0 on a cluster).
    pub usage_list_cost: Series,
    /// GPU-hours of work (0 on a key).
    pub busy_gpu_hours: Series,
    /// Needed GPU-hours, minimum replicas and target utilisation included (0 on a key).
    pub needed_gpu_hours: Series,
    /// GPU-hours added beyond the reserved ones.
    pub burst_gpu_hours: Series,
    /// What they cost.
    pub burst_cost: Series,
}

/// Outcomes of one contract.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct CommitmentOutcome {
    /// The contract.
    pub id: Id,
    /// Effective cost of what was used.
    pub used: Series,
    /// Effective cost of what was paid for and not used.
    pub unused: Series,
    /// Invoices.
    pub billed: Series,
    /// Used / (used + unused) over the horizon; 0 without cost.
    pub utilisation: Summary,
}

/// A budget in one of its periods.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct BudgetOutcome {
    /// The budget.
    pub id: Id,
    /// The period.
    pub period: PeriodInfo,
    /// Amount.
    pub amount: f64,
    /// Spend in the period, `spent_before` included where the period began before the horizon.
    pub spend: Summary,
    /// Trials that spend more than the amount.
    pub over: Chance,
    /// E[(X - B)+].
    pub expected_excess: f64,
    /// E[X - B | X > B]; none if no trial does.
    pub excess_if_over: Option<f64>,
    /// Mean of the worst 5 % of trials (money.md "Statistics").
    pub cvar95: f64,
}

/// An outcome that inputs move. Indices are into the lists of [`Projection`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Effective cost of a fiscal year.
    YearEffectiveCost(u32),
    /// Billed cost of a fiscal year.
    YearBilledCost(u32),
    /// Effective cost of the horizon.
    HorizonEffectiveCost,
    /// Billed cost of the horizon.
    HorizonBilledCost,
    /// 1 in trials that spend more than a budget in its period, 0 in others: means are chances.
    OverBudget(u32),
    /// Lowest headroom over the horizon under a limit.
    LowestHeadroom(u32),
    /// Hours below 0 over the horizon under a limit.
    BreachHours(u32),
    /// Lowest headroom under a limit in a month in which breaches matter.
    MonthLowestHeadroom {
        /// Index into [`Projection::limits`].
        limit: u32,
        /// Month of the horizon.
        month: u32,
    },
    /// Hours below 0 under a limit in a month in which breaches matter.
    MonthBreachHours {
        /// Index into [`Projection::limits`].
        limit: u32,
        /// Month of the horizon.
        month: u32,
    },
    /// Effective cost of a feature over the horizon.
    FeatureEffectiveCost(u32),
}

/// How one uncertain input moves one outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Driver {
    /// The input; windows carry their occurrence after a `#`: `seasons/9/multiplier#1`.
    pub input: FieldPath,
    /// The outcome.
    pub outcome: Outcome,
    /// Outcome's mean over the trials with the input in its lowest fifth, minus the overall mean.
    pub low_fifth: f64,
    /// The same for the highest fifth.
    pub high_fifth: f64,
    /// Rank correlation of input and outcome.
    pub rank_correlation: f64,
    /// Whether an input that moves nothing could look like this.
    pub within_noise: bool,
}

/// Who causes the breaches of a limit in a month.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Cause {
    /// Index into [`Projection::limits`].
    pub limit: u32,
    /// Month of the horizon.
    pub month: u32,
    /// Whether hours took the place of the chance because nearly every trial breaches.
    pub by_hours: bool,
    /// Share of the breach chance (or hours) that each suspect takes away when removed, largest first.
    pub suspects: Vec<Suspect>,
    /// What may be said.
    pub verdict: CauseVerdict,
}

/// A feature removed, or a window set to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Suspect {
    /// Feature or seasonal window.
    pub id: Id,
    /// Share of the breach chance (or breach hours) that goes with it, 0 to 1.
    pub share: f64,
}

/// Which suspects are named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CauseVerdict {
    /// One alone takes away more than half and no other does.
    Mostly(Id),
    /// Several do.
    Several(Vec<Id>),
    /// Two only together.
    Together(Id, Id),
    /// Nothing is blamed.
    Nobody,
}

/// Everything that a run found out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Projection {
    /// [`ENGINE_VERSION`].
    pub engine_version: u32,
    /// Time-zone database version.
    pub time_zone_database: String,
    /// Digest of the scenario.
    pub scenario_digest: String,
    /// Digest of every stored output in trial order; only when all trials are in.
    pub result_digest: Option<String>,
    /// Seed.
    pub seed: u64,
    /// Trials that are in.
    pub trials: u32,
    /// Trials that were asked for.
    pub trials_wanted: u32,
    /// ISO 4217.
    pub currency: String,
    /// Months of the horizon.
    pub months: Vec<MonthInfo>,
    /// Fiscal quarters that the horizon touches.
    pub quarters: Vec<PeriodInfo>,
    /// Fiscal years that the horizon touches.
    pub years: Vec<PeriodInfo>,
    /// Whole plan.
    pub total: Costs,
    /// Effective cost from the start of the fiscal year (or horizon) to the end of each month.
    pub effective_to_date: Vec<Summary>,
    /// Billed cost, likewise.
    pub billed_to_date: Vec<Summary>,
    /// Sorted effective cost of each fiscal year: all trials (exceedance curves).
    pub year_effective_sorted: Vec<Vec<f32>>,
    /// Sorted billed cost of each fiscal year.
    pub year_billed_sorted: Vec<Vec<f32>>,
    /// Unused cost of all contracts.
    pub unused: Series,
    /// Effective cost that no contract covers.
    pub on_demand: Series,
    /// In entry order.
    pub features: Vec<FeatureOutcome>,
    /// Of features with lanes, in entry order.
    pub lanes: Vec<LaneOutcome>,
    /// In entry order.
    pub pools: Vec<PoolOutcome>,
    /// In entry order of pools.
    pub limits: Vec<LimitOutcome>,
    /// In entry order.
    pub commitments: Vec<CommitmentOutcome>,
    /// By budget and period.
    pub budgets: Vec<BudgetOutcome>,
    /// Largest movers first, by outcome.
    pub drivers: Vec<Driver>,
    /// For the months that matter; empty until computed after the final fan.
    pub causes: Vec<Cause>,
    /// Hours of the week by limit; empty until computed after the final fan.
    pub heat: Vec<HeatMap>,
    /// What it would do to launch later; none until computed, and without launches inside the horizon.
    pub launches: Option<LaunchMoves>,
}
