//! New plans and new entities: the values that a person starts from.

use jiff::civil::date;

use crate::domain::scenario::{SCENARIO_FORMAT, Scenario, Settings};

/// A plan without anything in it.
#[must_use]
pub fn empty_plan() -> Scenario {
    Scenario {
        format: SCENARIO_FORMAT,
        name: String::new(),
        settings: Settings {
            start: date(2027, 1, 1),
            horizon_months: 18,
            time_zone: "UTC".into(),
            currency: "USD".into(),
            fiscal_year_start_month: 1,
            seed: 42,
            trials: 10_000,
        },
        features: vec![],
        models: vec![],
        pools: vec![],
        commitments: vec![],
        seasons: vec![],
        budgets: vec![],
        notes: Default::default(),
    }
}
