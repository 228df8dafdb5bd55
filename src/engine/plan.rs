//! The plan: a scenario turned into plain data for the trial loop. No dates, no time zones, no names.
//!
//! Times are hours of the grid, counted from the start of the horizon; they may be negative or lie beyond its end.
//! Everything that is the same in every trial is worked out here, once, outside of the workers.

mod compile;
mod together;

use serde::{Deserialize, Serialize};

use super::{
    billing::Billing,
    columns::Layout,
    projection::{EntryOrder, LimitKind, MonthInfo, PeriodInfo},
    requests::Measure,
    rng::purpose::{FLOW, HOUR_NOISE},
};
use crate::domain::{
    dependence::DemandShock,
    distribution::Distribution,
    field::FieldPath,
    gateway::Caps,
    scenario::{BudgetCost, Id, Noise, PriceCard, ServingProfile},
};
pub use compile::compile;
pub use together::Together;

/// A quantity that is drawn once per trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// What it may be.
    pub distribution: Distribution,
    /// Its value if it is certain.
    pub fixed: Option<f64>,
    /// Its column in [`super::columns::Batch::inputs`]; none if it is certain.
    pub column: Option<u32>,
    /// Purpose of its stream.
    pub purpose: u32,
    /// Its row in [`Plan::together`]; none if it moves alone.
    pub row: Option<u32>,
}

/// A planned launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanLaunch {
    /// First hour of the planned day.
    pub hour: i64,
    /// First hour of the planned day if it is moved, by [`super::launches::WEEKS`].
    pub moved: [i64; super::launches::WEEKS.len()],
    /// Days late, of 24 hours.
    pub slip_days: Input,
    /// Days from 1 % to 99 % adoption.
    pub ramp_days: Input,
}

/// What a request is made of: only what differs from request to request. Presampled sums depend on nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RequestLaw {
    /// Calls per request, continuous; a drawn integer is ⌊value + U⌋.
    pub calls: Distribution,
    /// Tokens that the first call reads, at level 1.
    pub input: Distribution,
    /// Tokens by which the input grows with every call.
    pub context_growth: Distribution,
    /// Share of the re-read tokens that is a cached read.
    pub cached_share: Distribution,
    /// Tokens that a call writes, at level 1.
    pub output: Distribution,
    /// Tool calls per request, continuous like the calls.
    pub tools: Distribution,
    /// Seconds of a tool call.
    pub tool_seconds: Distribution,
    /// Prefix at which the shape of cached reads is presampled.
    pub typical_prefix: f64,
}

/// A feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanFeature {
    /// Identity.
    pub id: Id,
    /// Index of its pool.
    pub pool: u32,
    /// Index of its model.
    pub model: u32,
    /// None: live since before the horizon.
    pub launch: Option<PlanLaunch>,
    /// First hour without requests; `i64::MAX` if it stays.
    pub retire: i64,
    /// Requests per day at full adoption.
    pub requests_per_day: Input,
    /// Growth per month.
    pub growth: Input,
    /// 168 weights with mean 1, from Monday 00:00 local time.
    pub weights: Vec<f64>,
    /// First hour of a run and its hour of the week there; within a run the hour of the week advances by 1 modulo 168.
    pub local_hours: Vec<(u32, u8)>,
    /// What a request is made of.
    pub request: RequestLaw,
    /// Digest of [`RequestLaw`], of all that the presampled sums depend on.
    pub request_key: u64,
    /// Level of the input.
    pub input_level: Input,
    /// Level of the output.
    pub output_level: Input,
    /// Tokens of the first call that are the same in every request.
    pub prefix: Input,
    /// Chance that a call must be repeated.
    pub retry_probability: Input,
    /// Most repeats of one call.
    pub max_retries: u32,
    /// Drift of tokens per month.
    pub drift: Input,
    /// Restlessness.
    pub noise: Noise,
    /// What is left of the cached share, by local hour of week; empty: all.
    pub cached_left: Vec<f64>,
    /// Factor of the chance of a repeat, by local hour of week; empty: 1.
    pub retry_factor: Vec<f64>,
    /// The weights of the hours in which a request costs most, 0 in the others; empty: all hours are alike.
    pub dearest: Vec<f64>,
    /// Growth of tokens when the pool is full.
    pub load_sensitivity: Input,
    /// Places of the layout to whose columns it adds: its own feature's first, then those of its lane.
    pub rows: Vec<u32>,
    /// Which part of its feature's requests it is; none: all.
    pub flow: Option<PlanFlow>,
    /// What one request costs where it may run: in the feature's own lane, and in that for long requests if it has one.
    pub lanes: Vec<PlanLane>,
    /// Where a gateway stops one request.
    #[serde(with = "caps_by_parts")]
    pub caps: Caps,
    /// Digest of [`PlanFeature::caps`].
    pub caps_key: u64,
    /// Requests that never end by themselves.
    pub runaways: Option<PlanRunaways>,
    /// Occurrences of windows that touch it, as indices into [`Plan::windows`].
    pub windows: Vec<u32>,
}

impl PlanFeature {
    /// Whether requests differ from hour to hour by more than drift.
    #[must_use]
    pub fn by_hour(&self) -> bool {
        !(self.cached_left.is_empty() && self.retry_factor.is_empty()) || self.is_sensitive()
    }

    /// Whether load moves its tokens.
    #[must_use]
    pub fn is_sensitive(&self) -> bool {
        self.load_sensitivity.fixed != Some(0.0)
    }
}

/// A part of a feature's requests: short or long ones, sent to the right lane or to the wrong one. Its
/// [`PlanFeature::request`] is the law of that part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanFlow {
    /// Long or short.
    pub long: bool,
    /// Sent to the other lane.
    pub wrong: bool,
    /// First input above which a request is long, in tokens: between those of any two requests that are told apart.
    pub threshold: f64,
    /// Share of the feature's requests that is long.
    pub long_share: f64,
    /// Share of the short and of the long requests that is sent to the other lane.
    pub misrouted: [Input; 2],
    /// What the triage of one request costs.
    pub triage_cost: f64,
    /// The law of all requests of the feature.
    pub whole: RequestLaw,
}

/// What one request costs in a lane.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanLane {
    /// Index of the model.
    pub model: u32,
    /// Cost of what it does, in the same unit in all lanes of a feature: money at list price, or GPU-seconds.
    pub cost: Measure,
    /// Cost of the triage.
    pub triage: f64,
}

/// A plan travels in a format without field names: no field may be left out.
mod caps_by_parts {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::domain::gateway::{CapParts, Caps};

    pub fn serialize<S: Serializer>(caps: &Caps, to: S) -> Result<S::Ok, S::Error> {
        caps.parts().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Caps, D::Error> {
        CapParts::deserialize(from).map(Caps::of)
    }
}

/// Requests that never end by themselves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanRunaways {
    /// Per million requests.
    pub per_million: Input,
    /// Tokens that each burns in an hour.
    pub tokens_per_hour: Input,
    /// Hours until one is found.
    pub hours: Distribution,
}

/// One occurrence of a seasonal window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanWindow {
    /// The window.
    pub season: Id,
    /// Block of its stream: list index and year.
    pub block: u32,
    /// Hour in which the ramp up begins.
    pub ramp_in: i64,
    /// First hour inside.
    pub first: i64,
    /// First hour after the window.
    pub end: i64,
    /// Hour in which the ramp down has ended.
    pub ramp_out: i64,
    /// The factor.
    pub multiplier: Input,
}

/// What a model does with a call.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanModel {
    /// Identity.
    pub id: Id,
    /// Seconds to the first written token.
    pub ttft_seconds: f64,
    /// Written tokens per second of one call.
    pub sequence_tokens_per_second: f64,
    /// Most tokens that one call can read and write.
    pub context_window_tokens: Option<f64>,
    /// List prices.
    pub price: Option<PriceCard>,
    /// How it runs on own GPUs.
    pub serving: Option<ServingProfile>,
}

/// What a pool is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum PlanPoolKind {
    /// Own GPUs.
    GpuCluster {
        /// Share of a replica's work time that may be planned.
        target_utilisation: f64,
        /// What a GPU costs for an hour without a contract.
        on_demand_rate: f64,
    },
    /// Calls paid by use.
    PayAsYouGo {
        /// Whether cached reads count towards the token limit.
        cached_reads_count: bool,
    },
}

/// A pool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanPool {
    /// Identity.
    pub id: Id,
    /// What it is.
    pub kind: PlanPoolKind,
    /// Indices of its limits in [`Plan::limits`].
    pub limits: Vec<u32>,
    /// Indices of its features in [`Plan::features`], ascending.
    pub features: Vec<u32>,
}

/// A limit of a pool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanLimit {
    /// Index of its pool.
    pub pool: u32,
    /// Identity of the pool.
    pub pool_id: Id,
    /// What is limited.
    pub kind: LimitKind,
    /// The limit of a key; 0 on a cluster, whose limit is the reserved capacity of the hour.
    pub amount: f64,
    /// Lowest committed capacity of each month.
    pub committed: Vec<f64>,
}

/// A budget with its periods resolved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanBudget {
    /// Identity.
    pub id: Id,
    /// Amount per period.
    pub amount: f64,
    /// Which cost it limits.
    pub cost: BudgetCost,
    /// Spent before the horizon in the period in which the horizon begins.
    pub spent_before: f64,
    /// The periods that it is for and that the horizon touches.
    pub periods: Vec<PeriodInfo>,
}

/// A scenario as plain data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Digest of the scenario.
    pub scenario_digest: String,
    /// Version of the time-zone database that the calendar was expanded with.
    pub time_zone_database: String,
    /// ISO 4217.
    pub currency: String,
    /// Seed of all streams.
    pub seed: u64,
    /// Trials that are wanted.
    pub trials: u32,
    /// What is stored of each trial.
    pub layout: Layout,
    /// First hour of each month, and the end of the horizon.
    pub month_start: Vec<u32>,
    /// Hours of the week on the scenario's clock, as [`PlanFeature::local_hours`].
    pub clock: Vec<(u32, u8)>,
    /// Months of the horizon.
    pub months: Vec<MonthInfo>,
    /// Fiscal quarters that it touches.
    pub quarters: Vec<PeriodInfo>,
    /// Fiscal years that it touches.
    pub years: Vec<PeriodInfo>,
    /// Features in order of creation; behind them the further flows of those with lanes.
    pub features: Vec<PlanFeature>,
    /// Models in order of creation.
    pub models: Vec<PlanModel>,
    /// Pools in order of creation.
    pub pools: Vec<PlanPool>,
    /// Limits in pool order.
    pub limits: Vec<PlanLimit>,
    /// Contracts in entry order.
    pub commitments: Vec<Id>,
    /// Occurrences of windows, in order of creation and then in time.
    pub windows: Vec<PlanWindow>,
    /// Budgets in entry order.
    pub budgets: Vec<PlanBudget>,
    /// Name of each column of [`super::columns::Batch::inputs`]; windows carry their occurrence after a `#`.
    pub inputs: Vec<FieldPath>,
    /// Inputs that move together.
    pub together: Together,
    /// Shared demand shock.
    pub shock: Option<DemandShock>,
    /// Contracts and prices by hour.
    pub billing: Billing,
    /// Order in which results are shown.
    pub entered: EntryOrder,
}

impl Plan {
    /// Hours of the horizon.
    #[must_use]
    pub fn hours(&self) -> u32 {
        self.month_start.last().copied().unwrap_or(0)
    }

    /// What keeps the draws of a feature's flows apart; its demand is drawn once for all.
    #[must_use]
    pub fn flow_purpose(&self, f: usize, purpose: u32) -> u32 {
        match &self.features[f].flow {
            Some(flow) if purpose != HOUR_NOISE => {
                FLOW * (2 * u32::from(flow.long) + u32::from(flow.wrong))
            }
            _ => 0,
        }
    }

    /// Flows of the feature at a place of the layout.
    pub fn flows(&self, place: usize) -> impl Iterator<Item = usize> {
        let own = move |f: &usize| {
            let row = self.features[*f].rows.first();
            row.is_some_and(|row| *row as usize == place)
        };
        (0..self.features.len()).filter(own)
    }

    /// Calendar month as a number that does not depend on the start: block of the streams of that month.
    #[must_use]
    pub fn month_block(&self, month: usize) -> u32 {
        self.months
            .get(month)
            .map_or(0, |m| block_of(m.year, m.month))
    }
}

/// Calendar month as a number.
fn block_of(year: i16, month: u8) -> u32 {
    u32::from(year.unsigned_abs()) * 12 + u32::from(month)
}
