//! One row of the plan table: what it is about, when, and its numbers as text.

use crate::domain::money::{to_decimal_string, write_minor};
use crate::domain::scenario::Scenario;
use crate::engine::projection::{BudgetOutcome, Projection, Series, Summary};

use super::names::Names;
use super::period::{Period, Span};
use super::table::{Cell, Table};

/// Columns of the row itself; the columns that say which run it is of follow.
pub const ROW_COLUMNS: [&str; 36] = [
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
    "x_Limit",
    "x_Budget",
    "x_P10",
    "x_P90",
    "x_P99",
    "x_MeanError",
    "x_ExpectedExcess",
    "x_Cvar95",
    "x_Lane",
    "x_HourOfWeek",
    "x_Input",
];
/// Columns that are the same in every row.
pub const RUN_COLUMNS: [&str; 7] = [
    "x_Seed",
    "x_Trials",
    "x_ScenarioDigest",
    "x_ResultDigest",
    "x_EngineVersion",
    "x_TimeZone",
    "x_TimeZoneDatabase",
];

/// What a row is about, in every period.
#[derive(Clone, Copy, Default)]
pub struct Subject<'a> {
    /// Which cut of the plan.
    pub row_type: &'static str,
    /// Feature, if it is about one.
    pub feature: &'a str,
    /// Contract, if it is about one.
    pub contract: &'a str,
    /// Contract role.
    pub role: &'static str,
    /// Pool, if it is about one.
    pub pool: &'a str,
    /// Limit of that pool, if it is about one.
    pub limit: &'static str,
    /// Lane of that feature, if it is about one.
    pub lane: &'static str,
    /// Hour of the week, from Monday 0 h, if it is about one.
    pub hour: Option<usize>,
    /// Address of an uncertain input, if it is about one.
    pub input: &'a str,
    /// What is counted.
    pub metric: &'static str,
    /// In what.
    pub unit: Unit,
}

/// How numbers are written.
#[derive(Clone, Copy, Default)]
pub enum Unit {
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
pub struct Numbers<'a> {
    /// Distribution over the futures.
    pub summary: Option<&'a Summary>,
    /// The mean in minor units, where it was rounded together with others.
    pub mean_minor: Option<i128>,
    /// The only number of the row, or its mean.
    pub value: Option<f64>,
    /// Half width of the 95 % interval of that only number.
    pub value_error: Option<f64>,
    /// p50, p90, p95 and p99 over something else than futures.
    pub percentiles: Option<[f64; 4]>,
    /// p50 and p95, where nothing else is known.
    pub middle_and_high: Option<[f64; 2]>,
    /// Budget in one of its periods.
    pub budget: Option<&'a BudgetOutcome>,
    /// Name of that budget.
    pub budget_name: &'a str,
}

/// A table that is being filled.
pub struct Sheet<'a> {
    /// Names of everything.
    pub names: Names,
    /// What was found out.
    pub projection: &'a Projection,
    /// Short form of the scenario digest.
    pub version: String,
    /// What was entered.
    pub scenario: &'a Scenario,
    /// The rows so far.
    pub table: Table,
}

impl Sheet<'_> {
    /// Months, quarters, years and horizon.
    pub fn series(&mut self, subject: &Subject<'_>, series: &Series, means: Option<&Period<i128>>) {
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

    /// A row.
    pub fn row(&mut self, subject: &Subject<'_>, span: Span, numbers: &Numbers<'_>) {
        // what nobody will see is only counted
        if !self.table.takes_row() {
            return;
        }
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
            let of_futures = numbers.summary.and_then(|s| s.p.get(i));
            let place = [3, 5, 6, 7].iter().position(|p| *p == i);
            let of_others = numbers.percentiles.as_ref().zip(place);
            let two = [3, 6].iter().position(|p| *p == i);
            let of_two = numbers.middle_and_high.as_ref().zip(two);
            of_futures
                .or_else(|| of_others.and_then(|(p, at)| p.get(at)))
                .or_else(|| of_two.and_then(|(p, at)| p.get(at)))
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
            Cell::text(subject.limit),
            Cell::text(numbers.budget_name),
            at(1),
            at(5),
            at(7),
            match (numbers.value, numbers.summary) {
                (Some(_), _) => numbers.value_error,
                (None, summary) => summary.map(|s| s.mean_error),
            }
            .map_or(Cell::Empty, number),
            budget.map_or(Cell::Empty, |b| money(b.expected_excess)),
            budget.map_or(Cell::Empty, |b| money(b.cvar95)),
            Cell::text(subject.lane),
            subject
                .hour
                .map_or(Cell::Empty, |hour| Cell::Number(hour.to_string())),
            Cell::text(subject.input),
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
