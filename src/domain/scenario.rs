//! Everything a person entered: the only input of a run.
//!
//! Entities carry a numeric [`Id`] that is unique within the scenario and never changes; random streams are keyed by
//! it, so reordering or deleting one entity changes no other entity's draws.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

pub use super::dependence::{Correlation, DemandShock, Dependence};
use super::field::FieldPath;
pub use super::flows::{ByHour, Lanes};
use super::gateway::{Caps, Runaways, Tools};
use super::quantity::{Quantity, Varying};

/// Version of the JSON scenario format.
pub const SCENARIO_FORMAT: u32 = 1;

/// Identity of an entity, unique within its scenario over all kinds of entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Id(pub u32);

/// A whole plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Format version, [`SCENARIO_FORMAT`].
    pub format: u32,
    /// Name of the plan; untrusted text.
    pub name: String,
    /// Timeline, currency, seed and trials.
    pub settings: Settings,
    /// Product features that send requests.
    #[serde(default)]
    pub features: Vec<Feature>,
    /// Language models that calls run on.
    #[serde(default)]
    pub models: Vec<Model>,
    /// Where calls run.
    #[serde(default)]
    pub pools: Vec<Pool>,
    /// Contracts.
    #[serde(default)]
    pub commitments: Vec<Commitment>,
    /// Dates in which demand is multiplied.
    #[serde(default)]
    pub seasons: Vec<SeasonalWindow>,
    /// Money that may be spent.
    #[serde(default)]
    pub budgets: Vec<Budget>,
    /// What moves together.
    #[serde(default, skip_serializing_if = "Dependence::is_empty")]
    pub dependence: Dependence,
    /// Where inputs come from, by field.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub notes: BTreeMap<FieldPath, Note>,
}

/// Source, owner and date of an input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Note {
    /// Free text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Where the value comes from.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// Who answers for it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub owner: String,
    /// As of when.
    #[cfg_attr(feature = "cli", schemars(with = "Option<String>"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<Date>,
}

/// Timeline, currency, seed and trials.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// First day of the first month.
    #[cfg_attr(feature = "cli", schemars(with = "String"))]
    pub start: Date,
    /// Length of the horizon, 1 to 60 months.
    pub horizon_months: u32,
    /// IANA time zone of the grid and of all dates.
    pub time_zone: String,
    /// ISO 4217 code.
    pub currency: String,
    /// Month in which a fiscal year starts, 1 to 12.
    pub fiscal_year_start_month: u32,
    /// Seed of all random streams.
    pub seed: u64,
    /// Number of trials, 100 to 100,000.
    pub trials: u32,
}

/// A product feature on the roadmap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Feature {
    /// Identity.
    pub id: Id,
    /// Name; untrusted text.
    pub name: String,
    /// Where its calls run.
    pub pool: Id,
    /// What answers its calls.
    pub model: Id,
    /// When it starts.
    pub launch: Launch,
    /// First day without requests.
    #[cfg_attr(feature = "cli", schemars(with = "Option<String>"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retire: Option<Date>,
    /// Requests per day at full adoption (uncertain, positive).
    pub requests_per_day: Quantity,
    /// Monthly growth since the scenario's start, as a fraction (uncertain, > -1).
    pub growth_per_month: Quantity,
    /// How requests spread over the week.
    #[serde(default)]
    pub weekly_profile: WeeklyProfile,
    /// Model calls per request (varies, integer >= 1).
    pub calls_per_request: Quantity,
    /// Tokens that the first call of a request reads (varies, positive).
    pub input_tokens: Varying,
    /// Tokens by which the input grows with every further call (varies by request, >= 0).
    pub context_growth_tokens: Quantity,
    /// Leading tokens of the first call that are the same in every request (uncertain, >= 0).
    pub prefix_tokens: Quantity,
    /// Share of the re-read tokens that is a cached read (varies by request, share).
    pub cached_share: Quantity,
    /// Tokens that each call writes (varies by call, positive).
    pub output_tokens: Varying,
    /// Chance that a call must be repeated because its format was wrong (uncertain, share).
    pub retry_probability: Quantity,
    /// Most repeats of one call.
    pub max_retries: u32,
    /// Change per month of input, growth and output tokens, as a fraction (uncertain, > -1).
    pub token_drift_per_month: Quantity,
    /// How restless demand is around its weekly profile.
    #[serde(default)]
    pub noise: Noise,
    /// What changes with the hour of the week and with load.
    #[serde(default, skip_serializing_if = "ByHour::is_plain")]
    pub by_hour: ByHour,
    /// Where long requests run instead; none: all run in one pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lanes: Option<Lanes>,
    /// Tool calls between the calls of a request.
    #[serde(default, skip_serializing_if = "Tools::is_default")]
    pub tools: Tools,
    /// Where a gateway stops one request.
    #[serde(default, skip_serializing_if = "Caps::is_default")]
    pub caps: Caps,
    /// Requests that never end by themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runaways: Option<Runaways>,
}

/// When a feature starts to send requests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Launch {
    /// Already at full adoption when the horizon starts.
    Live,
    /// Starts at `date` plus the slip; adoption is at 1 % then and at 99 % `ramp_days` later.
    Planned {
        /// Planned date.
        #[cfg_attr(feature = "cli", schemars(with = "String"))]
        date: Date,
        /// Days late (uncertain, >= 0).
        slip_days: Quantity,
        /// Days from 1 % to 99 % adoption (uncertain, >= 0).
        ramp_days: Quantity,
    },
}

/// 168 weights in a time zone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct WeeklyProfile {
    /// IANA zone of the users; none: the scenario's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// The weights.
    pub shape: WeeklyShape,
}

/// The form of a week.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum WeeklyShape {
    /// The same in every hour.
    #[default]
    Flat,
    /// Weekday working hours.
    OfficeHours,
    /// Evenings and weekends.
    Consumer,
    /// 168 weights >= 0 from Monday 00:00 local time; divided by their mean.
    Custom(Vec<f64>),
}

/// Restlessness of demand beyond growth, profile and windows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Noise {
    /// Coefficient of variation of an hour around its expected rate, 0 to 3.
    pub hour_cv: f64,
    /// Correlation from one hour to the next, 0 to 0.99.
    pub hour_persistence: f64,
    /// Coefficient of variation of the rate of a minute (0: Poisson), 0 to 10.
    pub burstiness: f64,
    /// Correlation from one minute to the next, 0 to 0.99.
    pub burst_persistence: f64,
    /// How strongly the shared demand shock moves it, 0 to 1.
    pub shock_loading: f64,
}

impl Default for Noise {
    fn default() -> Self {
        Self {
            hour_cv: 0.2,
            hour_persistence: 0.5,
            burstiness: 0.25,
            burst_persistence: 0.3,
            shock_loading: 1.0,
        }
    }
}

/// A served language model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// Identity.
    pub id: Id,
    /// Name; untrusted text.
    pub name: String,
    /// Seconds from the start of a call to its first written token, >= 0.
    pub ttft_seconds: f64,
    /// Tokens per second that one call writes, > 0.
    pub sequence_tokens_per_second: f64,
    /// Most tokens that one call can read and write, > 0; none: not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_window_tokens: Option<f64>,
    /// List prices; needed where calls are paid by use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<PriceCard>,
    /// How it runs on own GPUs; needed on a GPU cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serving: Option<ServingProfile>,
}

/// List prices in the scenario's currency per million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PriceCard {
    /// Input tokens that were not cached.
    pub uncached_input: f64,
    /// Input tokens read from the cache.
    pub cached_read: f64,
    /// Written tokens.
    pub output: f64,
}

/// What one replica does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ServingProfile {
    /// GPUs that one replica takes, >= 1.
    pub gpus_per_replica: u32,
    /// Uncached input tokens per second and replica.
    pub prefill_tokens_per_second: f64,
    /// Written tokens per second and replica, all sequences together.
    pub decode_tokens_per_second: f64,
    /// Calls that one replica can serve at once, >= 1.
    pub concurrent_sequences: u32,
    /// Replicas that always run while a live feature uses the model.
    pub minimum_replicas: u32,
}

/// Where calls run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pool {
    /// Identity.
    pub id: Id,
    /// Name; untrusted text.
    pub name: String,
    /// Chance of running out in a month that is still acceptable (share).
    pub acceptable_chance: f64,
    /// What it is.
    pub kind: PoolKind,
}

/// Kinds of pools.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum PoolKind {
    /// Own GPUs; how many there are comes from reserved capacity.
    GpuCluster {
        /// Share of a replica's work time that may be planned, > 0 and <= 1.
        target_utilisation: f64,
        /// On-demand price of one GPU for an hour: what the reserved ones would cost at list.
        on_demand_rate_per_gpu_hour: f64,
        /// GPUs that can be added when the reserved ones do not suffice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        burst: Option<Burst>,
    },
    /// Calls paid by use under the limits of one key.
    PayAsYouGo {
        /// Tokens per minute; none: no limit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tokens_per_minute: Option<f64>,
        /// Calls per minute; none: no limit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        requests_per_minute: Option<f64>,
        /// Whether cached reads count towards the token limit.
        #[serde(default)]
        cached_reads_count: bool,
    },
}

/// Extra GPUs by the hour.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Burst {
    /// Most GPUs that can be added.
    pub max_gpus: u32,
    /// Price of one for an hour.
    pub rate_per_gpu_hour: f64,
}

/// A contract.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Commitment {
    /// Identity.
    pub id: Id,
    /// Name; untrusted text.
    pub name: String,
    /// First day.
    #[cfg_attr(feature = "cli", schemars(with = "String"))]
    pub start: Date,
    /// Length; terms keep their anchor day (31 January + 1 month = 28 or 29 February). 1 to 120.
    pub term_months: u32,
    /// What is committed.
    pub kind: CommitmentKind,
}

/// Kinds of contracts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum CommitmentKind {
    /// GPUs in a cluster, paid in every hour of the term, used or not.
    ReservedCapacity {
        /// The GPU cluster.
        pool: Id,
        /// GPUs.
        gpus: u32,
        /// The whole price of one GPU for an hour.
        rate_per_gpu_hour: f64,
        /// Share of the whole price that is paid in the first hour.
        upfront_share: f64,
    },
    /// Spend per hour on pay-as-you-go usage; what an hour does not use is lost.
    SpendCommitment {
        /// Committed spend per hour, on the given basis.
        amount_per_hour: f64,
        /// Discount on the covered list cost, 0 <= d < 1.
        discount: f64,
        /// Whether the amount is counted before or after the discount.
        #[serde(default)]
        basis: SpendBasis,
    },
}

/// How the amount of an hourly spend commitment is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SpendBasis {
    /// After the discount: the amount is what is paid.
    #[default]
    Discounted,
    /// At list: the fee is amount * (1 - discount).
    List,
}

/// Dates in which demand is multiplied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SeasonalWindow {
    /// Identity.
    pub id: Id,
    /// Name; untrusted text.
    pub name: String,
    /// The windows; each occurrence has its own draw of the multiplier.
    pub dates: Vec<DateRange>,
    /// Whether the windows come again every year.
    #[serde(default)]
    pub yearly: bool,
    /// Demand inside the window, as a factor (uncertain, positive).
    pub multiplier: Quantity,
    /// Days before the first day over which the factor grows from 1 (0: at once).
    #[serde(default)]
    pub ramp_in_days: u32,
    /// Days after the last day over which it goes back to 1 (0: at once).
    #[serde(default)]
    pub ramp_out_days: u32,
    /// Features that it touches.
    #[serde(default)]
    pub touches: Touches,
}

/// First and last day, both inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DateRange {
    /// First day.
    #[cfg_attr(feature = "cli", schemars(with = "String"))]
    pub first: Date,
    /// Last day.
    #[cfg_attr(feature = "cli", schemars(with = "String"))]
    pub last: Date,
}

/// A selection of features.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Touches {
    /// Every feature, those added later too.
    #[default]
    All,
    /// Only these.
    Only(Vec<Id>),
}

/// Money that may be spent in a period.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Identity.
    pub id: Id,
    /// Name; untrusted text.
    pub name: String,
    /// Length of its periods.
    pub period: BudgetPeriod,
    /// A day in the only period that it is for; none: for every period.
    #[cfg_attr(feature = "cli", schemars(with = "Option<String>"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<Date>,
    /// Amount per period, in the scenario's currency.
    pub amount: f64,
    /// Which cost it limits.
    #[serde(default)]
    pub cost: BudgetCost,
    /// What was spent before the horizon in the period in which the horizon begins.
    #[serde(default)]
    pub spent_before: f64,
    /// Chance of overspending that is still acceptable (share).
    pub acceptable_chance: f64,
}

/// Length of a budget period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum BudgetPeriod {
    /// Calendar month.
    Month,
    /// Fiscal quarter.
    Quarter,
    /// Fiscal year.
    Year,
}

/// The cost that a budget limits, as FOCUS defines them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum BudgetCost {
    /// Upfront fees spread over the term.
    #[default]
    Effective,
    /// The invoices.
    Billed,
}
