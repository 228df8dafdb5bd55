//! Files that leave the product: the plan as a table, the scenario and the projection as JSON.

use serde::Serialize;

use crate::domain::scenario::Scenario;
use crate::engine::projection::Projection;

mod after_run;
mod detail_rows;
mod gateway_rows;
mod means;
mod names;
mod period;
mod plan_csv;
mod row;
#[cfg(feature = "cli")]
mod schema;
mod table;

pub use plan_csv::{plan_csv, plan_preview};
#[cfg(feature = "cli")]
pub use schema::{projection_schema, scenario_schema};
pub use table::Profile;

/// The scenario as a file that [`crate::import::scenario_json`] reads: the same bytes for the same scenario.
#[must_use]
pub fn scenario_json(scenario: &Scenario) -> String {
    pretty(scenario)
}

/// The whole projection, numbers unrounded, in one line: most of it are sorted outcomes of all trials.
#[must_use]
pub fn projection_json(projection: &Projection) -> String {
    let mut text = serde_json::to_string(projection).unwrap_or_default();
    text.push('\n');
    text
}

fn pretty(value: &impl Serialize) -> String {
    // Nothing that is written has what JSON cannot hold (maps are keyed by text), so there is no error to tell.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests;
