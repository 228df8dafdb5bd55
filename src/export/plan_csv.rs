//! The plan as one long, tidy table: a row per period, thing and metric. docs/plan-csv.md describes the columns.
//!
//! Percentiles do not add, so every total is a row of its own, from joint draws. Means of money do add: they are
//! rounded together ([`Means`]) so that months add up to their quarter, year and horizon, and the parts of a month to
//! the month.

use crate::domain::scenario::{BudgetCost, Scenario};
use crate::engine::projection::{
    BudgetOutcome, Chance, FeatureOutcome, LimitKind, LimitOutcome, Projection,
};

use super::means::Means;
use super::names::Names;
use super::period::{Period, Span};
use super::row::{Numbers, ROW_COLUMNS, RUN_COLUMNS, Sheet, Subject, Unit};
use super::table::{Profile, Table};

/// The plan as CSV. `scenario` is the one that the projection is of.
#[must_use]
pub fn plan_csv(scenario: &Scenario, projection: &Projection, profile: Profile) -> Vec<u8> {
    let names = ROW_COLUMNS.iter().chain(&RUN_COLUMNS);
    fill(scenario, projection, Table::new(profile, names)).finish()
}

/// The first rows of the plan as CSV for programs, names of the columns included, and how many rows the file has.
#[must_use]
pub fn plan_preview(scenario: &Scenario, projection: &Projection, rows: usize) -> (Vec<u8>, usize) {
    let names = ROW_COLUMNS.iter().chain(&RUN_COLUMNS);
    let table = fill(
        scenario,
        projection,
        Table::new(Profile::Data, names).only(rows),
    );
    let count = table.rows();
    (table.finish(), count)
}

fn fill(scenario: &Scenario, projection: &Projection, table: Table) -> Table {
    let mut sheet = Sheet {
        names: Names::of(scenario),
        projection,
        version: format!(
            "v{}",
            projection.scenario_digest.get(..8).unwrap_or_default()
        ),
        scenario,
        table,
    };
    let means = Means::of(projection);
    sheet.totals(&means);
    sheet.features(&means);
    sheet.lanes();
    sheet.contracts(&means);
    sheet.pools();
    sheet.limits();
    for budget in &projection.budgets {
        sheet.budget(budget);
    }
    sheet.requests();
    sheet.launches();
    sheet.hours();
    sheet.drivers();
    sheet.table
}

/// Metrics of money.
pub(super) const MONEY: [&str; 4] = [
    "effective_cost",
    "billed_cost",
    "list_cost",
    "contracted_cost",
];

/// What a limit counts.
pub(super) const fn counted(limit: LimitKind) -> &'static str {
    match limit {
        LimitKind::Gpus => "GPUs",
        LimitKind::TokensPerMinute => "Tokens/min",
        LimitKind::RequestsPerMinute => "Calls/min",
    }
}

impl Sheet<'_> {
    fn totals(&mut self, means: &Means) {
        let total = &self.projection.total;
        for (metric, series, means) in [
            (MONEY[0], &total.effective, &means.effective),
            (MONEY[1], &total.billed, &means.billed),
            (MONEY[2], &total.list, &means.list),
            (MONEY[3], &total.contracted, &means.contracted),
        ] {
            let subject = Subject {
                row_type: "Total",
                metric,
                ..Subject::default()
            };
            self.series(&subject, series, Some(means));
        }
    }

    fn features(&mut self, means: &Means) {
        let projection = self.projection;
        let names = self.names.clone();
        for (feature, means) in projection.features.iter().zip(&means.features) {
            let subject = Subject {
                row_type: "Forecast",
                feature: names.feature(feature.id),
                pool: names.pool_of(feature.id),
                metric: MONEY[0],
                ..Subject::default()
            };
            let on_cluster = self.names.on_cluster(feature.id);
            self.feature(&subject, feature, Some(means), on_cluster);
            self.gateway(&subject, &feature.gateway);
        }
    }

    /// Cost and quantities of a feature, or of one of its lanes.
    pub(super) fn feature(
        &mut self,
        subject: &Subject<'_>,
        feature: &FeatureOutcome,
        means: Option<&Period<i128>>,
        on_cluster: bool,
    ) {
        self.series(subject, &feature.effective_cost, means);
        for (metric, unit, series) in [
            ("requests", "Requests", &feature.requests),
            ("calls", "Calls", &feature.calls),
            (
                "uncached_input_tokens",
                "Tokens",
                &feature.uncached_input_tokens,
            ),
            ("cached_read_tokens", "Tokens", &feature.cached_read_tokens),
            ("output_tokens", "Tokens", &feature.output_tokens),
        ] {
            let unit = Unit::Of(unit);
            let subject = Subject {
                metric,
                unit,
                ..*subject
            };
            self.series(&subject, series, None);
        }
        if on_cluster {
            let subject = Subject {
                metric: "busy_gpu_hours",
                unit: Unit::Of("GPU-hours"),
                ..*subject
            };
            self.series(&subject, &feature.busy_gpu_hours, None);
        }
        let subject = Subject {
            metric: "cost_per_1000_requests",
            unit: Unit::Price("per 1,000 requests"),
            ..*subject
        };
        for (year, cost) in feature.cost_per_1000_requests.iter().enumerate() {
            if let Some(cost) = cost {
                let numbers = Numbers {
                    summary: Some(&cost.by_trial),
                    value: Some(cost.of_means),
                    value_error: Some(cost.of_means_error),
                    ..Numbers::default()
                };
                self.row(&subject, Span::Year(year), &numbers);
            }
        }
    }

    /// Unused capacity completes the forecast by feature; used, unused and on demand are the same money once more, by
    /// contract.
    fn contracts(&mut self, means: &Means) {
        let projection = self.projection;
        let names = self.names.clone();
        for (row_type, roles) in [
            ("Forecast", &["Unused"][..]),
            ("Contract", &["Committed", "Unused"][..]),
        ] {
            for (i, contract) in projection.commitments.iter().enumerate() {
                for role in roles {
                    let (series, means) = match *role {
                        "Unused" => (&contract.unused, means.unused.get(i)),
                        _ => (&contract.used, means.used.get(i)),
                    };
                    let subject = Subject {
                        row_type,
                        contract: names.contract(contract.id),
                        pool: names.pool_of(contract.id),
                        role,
                        metric: MONEY[0],
                        ..Subject::default()
                    };
                    self.series(&subject, series, means);
                }
            }
        }
        let on_demand = Subject {
            row_type: "Contract",
            role: "OnDemand",
            metric: MONEY[0],
            ..Subject::default()
        };
        self.series(&on_demand, &projection.on_demand, Some(&means.on_demand));
        for contract in &projection.commitments {
            let subject = Subject {
                row_type: "Contract",
                contract: names.contract(contract.id),
                pool: names.pool_of(contract.id),
                role: "Committed",
                metric: MONEY[1],
                ..Subject::default()
            };
            self.series(&subject, &contract.billed, None);
            let subject = Subject {
                role: "",
                metric: "utilisation",
                unit: Unit::Of("Share"),
                ..subject
            };
            let numbers = Numbers {
                summary: Some(&contract.utilisation),
                ..Numbers::default()
            };
            self.row(&subject, Span::Horizon, &numbers);
        }
    }

    fn pools(&mut self) {
        let projection = self.projection;
        let names = self.names.clone();
        for pool in &projection.pools {
            let subject = Subject {
                row_type: "Capacity",
                pool: names.pool(pool.id),
                ..Subject::default()
            };
            if names.is_cluster(pool.id) {
                for (metric, series) in [
                    ("busy_gpu_hours", &pool.busy_gpu_hours),
                    ("needed_gpu_hours", &pool.needed_gpu_hours),
                    ("burst_gpu_hours", &pool.burst_gpu_hours),
                ] {
                    self.series(
                        &Subject {
                            metric,
                            unit: Unit::Of("GPU-hours"),
                            ..subject
                        },
                        series,
                        None,
                    );
                }
                let burst = Subject {
                    metric: "burst_cost",
                    role: "OnDemand",
                    ..subject
                };
                self.series(&burst, &pool.burst_cost, None);
            } else {
                self.series(
                    &Subject {
                        metric: "usage_list_cost",
                        ..subject
                    },
                    &pool.usage_list_cost,
                    None,
                );
            }
        }
    }

    fn limits(&mut self) {
        let projection = self.projection;
        let names = self.names.clone();
        for limit in &projection.limits {
            let subject = Subject {
                row_type: "Capacity",
                pool: names.pool(limit.pool),
                ..Subject::default()
            };
            self.limit(&subject, limit);
        }
    }

    fn limit(&mut self, subject: &Subject<'_>, limit: &LimitOutcome) {
        let counted = counted(limit.limit);
        let unit = Unit::Of(counted);
        let subject = &Subject {
            limit: counted,
            ..*subject
        };
        for (metric, summaries) in [
            ("lowest_headroom", &limit.headroom),
            ("highest_need", &limit.needed),
        ] {
            for (month, summary) in summaries.iter().enumerate() {
                let numbers = Numbers {
                    summary: Some(summary),
                    ..Numbers::default()
                };
                self.row(
                    &Subject {
                        metric,
                        unit,
                        ..*subject
                    },
                    Span::Month(month),
                    &numbers,
                );
            }
        }
        let share = |chance: &Chance| chance.share();
        for (metric, unit, values) in [
            ("lowest_committed", unit, limit.committed.clone()),
            (
                "breach_hours",
                Unit::Of("Hours"),
                limit.breach_hours.clone(),
            ),
            (
                "breach_chance",
                Unit::Of("Share"),
                limit.breach.iter().map(share).collect(),
            ),
        ] {
            for (month, value) in values.into_iter().enumerate() {
                let numbers = Numbers {
                    value: Some(value),
                    ..Numbers::default()
                };
                self.row(
                    &Subject {
                        metric,
                        unit,
                        ..*subject
                    },
                    Span::Month(month),
                    &numbers,
                );
            }
        }
        let any = Numbers {
            value: Some(limit.any_breach.share()),
            ..Numbers::default()
        };
        self.row(
            &Subject {
                metric: "breach_chance",
                unit: Unit::Of("Share"),
                ..*subject
            },
            Span::Horizon,
            &any,
        );
    }

    fn budget(&mut self, outcome: &BudgetOutcome) {
        let names = self.names.clone();
        let budget = self.scenario.budgets.iter().find(|b| b.id == outcome.id);
        let metric = match budget.map(|b| b.cost) {
            Some(BudgetCost::Billed) => MONEY[1],
            _ => MONEY[0],
        };
        let subject = Subject {
            row_type: "Budget",
            metric,
            ..Subject::default()
        };
        let numbers = Numbers {
            summary: Some(&outcome.spend),
            budget: Some(outcome),
            budget_name: names.budget(outcome.id),
            ..Numbers::default()
        };
        self.row(&subject, Span::Months(outcome.period.clone()), &numbers);
    }
}
