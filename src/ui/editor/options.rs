//! What several forms show: names to choose from, figures of the first fiscal year.

use leptos::prelude::*;

use super::choices::Options;
use crate::domain::scenario::Scenario;
use crate::engine::projection::Projection;
use crate::text::{editor::Editor, format, say};
use crate::ui::state::App;

fn name_or(name: &str) -> String {
    if name.trim().is_empty() {
        say(&Editor::Unnamed)
    } else {
        name.to_owned()
    }
}

/// Models to choose from.
pub fn models(p: &Scenario) -> Options {
    p.models
        .iter()
        .map(|m| (m.id.0.to_string(), name_or(&m.name)))
        .collect()
}

/// Pools to choose from.
pub fn pools(p: &Scenario) -> Options {
    p.pools
        .iter()
        .map(|m| (m.id.0.to_string(), name_or(&m.name)))
        .collect()
}

/// Names in a line.
pub fn names(app: App, list: impl Fn(&Scenario) -> Vec<String>) -> String {
    app.plan.with(|p| {
        list(p)
            .iter()
            .map(|n| name_or(n))
            .collect::<Vec<_>>()
            .join(", ")
    })
}

/// `FY2027, p50`, once there are answers.
pub fn first_year(app: App) -> String {
    app.run.with(|r| {
        r.projection
            .as_ref()
            .and_then(|p| p.years.first())
            .map(|y| {
                say(&Editor::YearMedian {
                    year: format::fiscal_year(y.fiscal_year),
                })
            })
            .unwrap_or_default()
    })
}

/// A figure out of the newest answers, with the writer for money; empty without answers.
pub fn answer(
    app: App,
    pick: impl Fn(&Projection, &dyn Fn(f64) -> String) -> Option<String>,
) -> String {
    app.run.with(|r| {
        r.projection
            .as_ref()
            .and_then(|p| {
                let currency = p.currency.clone();
                pick(p, &move |amount| format::money(amount, &currency))
            })
            .unwrap_or_default()
    })
}
