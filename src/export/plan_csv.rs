//! The plan as one long, tidy table: a row per period, thing and metric. docs/plan-csv.md describes the columns.
//!
//! Percentiles do not add, so every total is a row of its own, from joint draws. Means of money do add: they are
//! rounded together ([`Means`]) so that months add up to their quarter, year and horizon, and the parts of a month to
//! the month.

use crate::domain::money::{to_decimal_string, write_minor};
use crate::domain::scenario::{BudgetCost, Scenario};
use crate::engine::projection::{
    BudgetOutcome, LimitKind, LimitOutcome, Projection, Series, Summary,
};

use super::means::Means;
use super::names::Names;
use super::period::{Period, Span};
use super::table::{Cell, Profile, Table};

/// Columns of the row itself; the columns that say which run it is of follow.
const ROW_COLUMNS: [&str; 32] = [
    "scenario_id",
    "scenario_version",
    "period_start",
    "period_end",
    "fiscal_year",
    "fiscal_period",
    "row_type",
    "feature",
    "contract_id",
    "contract_role",
    "account_code",
    "cost_center",
    "metric",
    "unit",
    "currency",
    "p05",
    "p25",
    "p50",
    "p75",
    "p95",
    "mean",
    "budget",
    "prob_over_budget",
    "x_Period",
    "x_Pool",
    "x_Budget",
    "x_P10",
    "x_P90",
    "x_P99",
    "x_MeanError",
    "x_ExpectedExcess",
    "x_Cvar95",
];
/// Columns that are the same in every row.
const RUN_COLUMNS: [&str; 7] = [
    "x_Seed",
    "x_Trials",
    "x_ScenarioDigest",
    "x_ResultDigest",
    "x_EngineVersion",
    "x_TimeZone",
    "x_TimeZoneDatabase",
];

/// The plan as CSV. `scenario` is the one that the projection is of.
#[must_use]
pub fn plan_csv(scenario: &Scenario, projection: &Projection, profile: Profile) -> Vec<u8> {
    let mut sheet = Sheet {
        names: Names::of(scenario),
        projection,
        version: format!(
            "v{}",
            projection.scenario_digest.get(..8).unwrap_or_default()
        ),
        scenario,
        table: Table::new(profile, ROW_COLUMNS.iter().chain(&RUN_COLUMNS)),
    };
    let means = Means::of(projection);
    sheet.totals(&means);
    sheet.features(&means);
    sheet.contracts(&means);
    sheet.pools();
    sheet.limits();
    for budget in &projection.budgets {
        sheet.budget(budget);
    }
    sheet.table.finish()
}

/// What a row is about, in every period.
#[derive(Clone, Copy, Default)]
struct Subject<'a> {
    row_type: &'static str,
    feature: &'a str,
    contract: &'a str,
    role: &'static str,
    pool: &'a str,
    metric: &'static str,
    unit: Unit,
}

/// How numbers are written.
#[derive(Clone, Copy, Default)]
enum Unit {
    /// Rounded to the currency's minor units.
    #[default]
    Money,
    /// In the currency, not rounded: a unit price.
    Price(&'static str),
    /// Something that is counted or measured.
    Of(&'static str),
}

/// Numbers of a row; what is not there stays empty.
#[derive(Default)]
struct Numbers<'a> {
    summary: Option<&'a Summary>,
    /// The mean in minor units, where it was rounded together with others.
    mean_minor: Option<i128>,
    /// The only number of the row.
    value: Option<f64>,
    budget: Option<&'a BudgetOutcome>,
    budget_name: &'a str,
}

struct Sheet<'a> {
    names: Names,
    projection: &'a Projection,
    version: String,
    scenario: &'a Scenario,
    table: Table,
}

const MONEY: [&str; 4] = [
    "effective_cost",
    "billed_cost",
    "list_cost",
    "contracted_cost",
];

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
            self.series(&subject, &feature.effective_cost, Some(means));
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
                self.series(
                    &Subject {
                        metric,
                        unit: Unit::Of(unit),
                        ..subject
                    },
                    series,
                    None,
                );
            }
            if names.on_cluster(feature.id) {
                let subject = Subject {
                    metric: "busy_gpu_hours",
                    unit: Unit::Of("GPU-hours"),
                    ..subject
                };
                self.series(&subject, &feature.busy_gpu_hours, None);
            }
            let subject = Subject {
                metric: "cost_per_1000_requests",
                unit: Unit::Price("per 1,000 requests"),
                ..subject
            };
            for (year, cost) in feature.cost_per_1000_requests.iter().enumerate() {
                if cost.is_some() {
                    self.row(
                        &subject,
                        Span::Year(year),
                        &Numbers {
                            value: *cost,
                            ..Numbers::default()
                        },
                    );
                }
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
        let unit = Unit::Of(match limit.limit {
            LimitKind::Gpus => "GPUs",
            LimitKind::TokensPerMinute => "Tokens/min",
            LimitKind::RequestsPerMinute => "Requests/min",
        });
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
        let share = |chance: &crate::engine::projection::Chance| chance.share();
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

    /// Months, quarters, years and horizon.
    fn series(&mut self, subject: &Subject<'_>, series: &Series, means: Option<&Period<i128>>) {
        let spans = Period::spans(self.projection);
        for (span, summary) in spans.into_iter().zip(Period::summaries(series)) {
            let numbers = Numbers {
                summary: Some(summary),
                mean_minor: means.and_then(|m| m.at(&span)).copied(),
                ..Numbers::default()
            };
            self.row(subject, span, &numbers);
        }
    }

    fn row(&mut self, subject: &Subject<'_>, span: Span, numbers: &Numbers<'_>) {
        let projection = self.projection;
        let currency = projection.currency.as_str();
        let dates = span.dates(projection);
        let (unit, code) = match subject.unit {
            Unit::Money => (currency.to_owned(), currency),
            Unit::Price(per) => (format!("{currency} {per}"), currency),
            Unit::Of(unit) => (unit.to_owned(), ""),
        };
        let number = |x: f64| match subject.unit {
            Unit::Money => Cell::Number(to_decimal_string(x, currency)),
            _ => Cell::Number(plain(x)),
        };
        let money = |x: f64| Cell::Number(to_decimal_string(x, currency));
        let at = |i: usize| {
            numbers
                .summary
                .and_then(|s| s.p.get(i))
                .map_or(Cell::Empty, |x| number(*x))
        };
        let mean = match (numbers.mean_minor, numbers.value, numbers.summary) {
            (Some(minor), ..) => Cell::Number(write_minor(minor, currency)),
            (None, Some(value), _) => number(value),
            (None, None, Some(summary)) => number(summary.mean),
            _ => Cell::Empty,
        };
        let budget = numbers.budget;
        let cells = [
            Cell::text(&self.scenario.name),
            Cell::text(&self.version),
            Cell::text(&dates.start.to_string()),
            Cell::text(&dates.end.to_string()),
            Cell::text(&dates.fiscal_year),
            Cell::text(&dates.fiscal_period),
            Cell::text(subject.row_type),
            Cell::text(subject.feature),
            Cell::text(subject.contract),
            Cell::text(subject.role),
            Cell::Empty,
            Cell::Empty,
            Cell::text(subject.metric),
            Cell::text(&unit),
            Cell::text(code),
            at(0),
            at(2),
            at(3),
            at(4),
            at(6),
            mean,
            budget.map_or(Cell::Empty, |b| money(b.amount)),
            budget.map_or(Cell::Empty, |b| Cell::Number(plain(b.over.share()))),
            Cell::text(span.word()),
            Cell::text(subject.pool),
            Cell::text(numbers.budget_name),
            at(1),
            at(5),
            at(7),
            numbers
                .summary
                .map_or(Cell::Empty, |s| number(s.mean_error)),
            budget.map_or(Cell::Empty, |b| money(b.expected_excess)),
            budget.map_or(Cell::Empty, |b| money(b.cvar95)),
        ];
        let run = [
            Cell::Number(projection.seed.to_string()),
            Cell::Number(projection.trials.to_string()),
            Cell::text(&projection.scenario_digest),
            Cell::text(projection.result_digest.as_deref().unwrap_or_default()),
            Cell::Number(projection.engine_version.to_string()),
            Cell::text(&self.scenario.settings.time_zone),
            Cell::text(&projection.time_zone_database),
        ];
        self.table.row(cells.into_iter().chain(run));
    }
}

/// Seven significant digits (what is stored of physical quantities), no exponent, nothing for what is not a number.
fn plain(x: f64) -> String {
    if !x.is_finite() {
        return String::new();
    }
    let rounded: f64 = format!("{x:.6e}").parse().unwrap_or(x);
    if rounded == 0.0 {
        "0".to_owned()
    } else {
        rounded.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn plain_numbers_have_seven_digits() {
        for (x, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (f64::from(0.1_f32), "0.1"),
            (1_525_000_000.0, "1525000000"),
            (12_345_678.9, "12345680"),
            (-3.25, "-3.25"),
            (0.1825, "0.1825"),
            (1.0 / 3.0, "0.3333333"),
            (f64::NAN, ""),
            (f64::INFINITY, ""),
        ] {
            assert_eq!(plain(x), text);
        }
    }
}
