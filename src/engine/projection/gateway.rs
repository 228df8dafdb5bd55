//! What a feature's gateway sees: tools, caps, runaways, what is under way at once, and the most it can be.

use serde::{Deserialize, Serialize};

use super::{Series, Summary};

/// Outcomes of one feature at its gateway.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct GatewayOutcome {
    /// Tool calls; none without tools.
    pub tool_calls: Option<Series>,
    /// What caps did; none without caps.
    pub caps: Option<CapOutcome>,
    /// Requests that never end by themselves; none if there are none.
    pub runaways: Option<RunawayOutcome>,
    /// Requests under way at once, p95 in the busiest hour, by month.
    pub peak_requests: Vec<Summary>,
    /// Tool calls under way at once, p95 in the busiest hour, by month; none without tools.
    pub peak_tool_calls: Option<Vec<Summary>>,
    /// Cap × p99 of request starts in windows as long as a request, tokens per minute, by month; none: unbounded.
    pub ceiling_tokens_per_minute: Option<Vec<Summary>>,
    /// The smaller of cap and context window × requests under way at once, tokens, by month; none: unbounded.
    pub ceiling_tokens_in_memory: Option<Vec<Summary>>,
}

/// What caps did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct CapOutcome {
    /// Requests that were stopped.
    pub stopped_requests: Series,
    /// Their share of the requests, by month.
    pub stopped_share: Vec<Summary>,
    /// The same over the horizon.
    pub stopped_share_horizon: Summary,
    /// Requests that the soft limit acted on; none without one.
    pub softened_requests: Option<Series>,
    /// What was not spent because of caps, at list price (on a cluster: GPU-hours at the on-demand rate).
    pub cut_off_cost: Series,
}

/// Requests that never end by themselves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct RunawayOutcome {
    /// How many began.
    pub begun: Series,
    /// Tokens that they burned.
    pub tokens: Series,
    /// What those cost, at list price (on a cluster: GPU-hours at the on-demand rate).
    pub list_cost: Series,
}
