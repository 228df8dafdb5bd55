//! Rows about what is behind an answer: the lanes of a feature, the hours of the week under a limit, the inputs that move
//! an outcome.

use super::period::Span;
use super::plan_csv::{MONEY, counted};
use super::row::{Numbers, Sheet, Subject, Unit};
use crate::engine::projection::{Driver, Outcome};

/// Metrics of how an input moves an outcome: its change in the lowest and in the highest fifth, and the rank correlation.
type Moves = [&'static str; 3];

const EFFECTIVE: Moves = [
    "effective_cost_change_lowest_fifth",
    "effective_cost_change_highest_fifth",
    "effective_cost_rank_correlation",
];
const BILLED: Moves = [
    "billed_cost_change_lowest_fifth",
    "billed_cost_change_highest_fifth",
    "billed_cost_rank_correlation",
];
const OVER: Moves = [
    "prob_over_change_lowest_fifth",
    "prob_over_change_highest_fifth",
    "prob_over_rank_correlation",
];
const HEADROOM: Moves = [
    "lowest_headroom_change_lowest_fifth",
    "lowest_headroom_change_highest_fifth",
    "lowest_headroom_rank_correlation",
];
const HOURS: Moves = [
    "breach_hours_change_lowest_fifth",
    "breach_hours_change_highest_fifth",
    "breach_hours_rank_correlation",
];

/// Inputs of an outcome that have rows, as in its chart.
const MOST_DRIVERS: usize = 7;

impl Sheet<'_> {
    /// The lane for long requests, and what runs in the wrong lane: parts of their feature's rows, told once more.
    pub(super) fn lanes(&mut self) {
        let projection = self.projection;
        let names = self.names.clone();
        for lane in &projection.lanes {
            let entered = self.scenario.features.iter();
            let entered = entered.filter(|f| f.id == lane.long.id).find_map(|f| {
                let long = f.lanes.as_ref()?.pool;
                Some((
                    names.is_cluster(long),
                    names.is_cluster(f.pool),
                    names.pool(long),
                ))
            });
            let (long, short, pool) = entered.unwrap_or_default();
            // what is sent wrong runs in either
            for (word, part, on_cluster, pool) in [
                ("long", &lane.long, long, pool),
                ("misrouted", &lane.misrouted, long || short, ""),
            ] {
                let subject = Subject {
                    row_type: "Lane",
                    feature: names.feature(part.id),
                    lane: word,
                    pool,
                    metric: MONEY[0],
                    ..Subject::default()
                };
                self.feature(&subject, part, None, on_cluster);
            }
        }
    }

    /// The hours of the week of each limit's fullest month.
    pub(super) fn hours(&mut self) {
        let projection = self.projection;
        let names = self.names.clone();
        for map in &projection.heat {
            let limit = projection.limits.get(map.limit as usize);
            let (Some(limit), Some(month)) = (limit, map.fullest_month()) else {
                continue;
            };
            let found = &map.months[month];
            for (hour, (p50, p95)) in found.p50.iter().zip(&found.p95).enumerate() {
                let subject = Subject {
                    row_type: "HourOfWeek",
                    pool: names.pool(limit.pool),
                    limit: counted(limit.limit),
                    hour: Some(hour),
                    metric: "needed_share",
                    unit: Unit::Of("Share"),
                    ..Subject::default()
                };
                let numbers = Numbers {
                    middle_and_high: Some([*p50, *p95].map(f64::from)),
                    ..Numbers::default()
                };
                self.row(&subject, Span::Month(month), &numbers);
            }
        }
    }

    /// How the inputs that move an outcome most move it.
    pub(super) fn drivers(&mut self) {
        let projection = self.projection;
        // drivers of one outcome follow each other, largest first
        for drivers in projection.drivers.chunk_by(|a, b| a.outcome == b.outcome) {
            let clear = drivers.iter().filter(|d| !d.within_noise);
            for driver in clear.take(MOST_DRIVERS) {
                self.driver(driver);
            }
        }
    }

    fn driver(&mut self, driver: &Driver) {
        let projection = self.projection;
        let names = self.names.clone();
        let mut subject = Subject {
            row_type: "Driver",
            input: driver.input.as_str(),
            ..Subject::default()
        };
        let mut budget_name = "";
        let limited = |limit: u32, subject: &mut Subject<'_>, hours: bool| {
            let found = projection.limits.get(limit as usize)?;
            subject.limit = counted(found.limit);
            subject.unit = Unit::Of(if hours { "Hours" } else { subject.limit });
            Some(found.pool)
        };
        let mut pool = None;
        let (span, metrics) = match driver.outcome {
            Outcome::YearEffectiveCost(at) => (Span::Year(at as usize), EFFECTIVE),
            Outcome::YearBilledCost(at) => (Span::Year(at as usize), BILLED),
            Outcome::HorizonEffectiveCost => (Span::Horizon, EFFECTIVE),
            Outcome::HorizonBilledCost => (Span::Horizon, BILLED),
            Outcome::OverBudget(at) => {
                let Some(budget) = projection.budgets.get(at as usize) else {
                    return;
                };
                budget_name = names.budget(budget.id);
                subject.unit = Unit::Of("Share");
                (Span::Months(budget.period.clone()), OVER)
            }
            Outcome::LowestHeadroom(limit) => {
                pool = limited(limit, &mut subject, false);
                (Span::Horizon, HEADROOM)
            }
            Outcome::BreachHours(limit) => {
                pool = limited(limit, &mut subject, true);
                (Span::Horizon, HOURS)
            }
            Outcome::MonthLowestHeadroom { limit, month } => {
                pool = limited(limit, &mut subject, false);
                (Span::Month(month as usize), HEADROOM)
            }
            Outcome::MonthBreachHours { limit, month } => {
                pool = limited(limit, &mut subject, true);
                (Span::Month(month as usize), HOURS)
            }
            Outcome::FeatureEffectiveCost(at) => {
                let Some(feature) = projection.features.get(at as usize) else {
                    return;
                };
                subject.feature = names.feature(feature.id);
                (Span::Horizon, EFFECTIVE)
            }
        };
        subject.pool = pool.map_or("", |pool| names.pool(pool));
        let values = [driver.low_fifth, driver.high_fifth, driver.rank_correlation];
        for (at, (metric, value)) in metrics.into_iter().zip(values).enumerate() {
            let unit = if at == 2 {
                Unit::Of("Rank correlation")
            } else {
                subject.unit
            };
            let subject = Subject {
                metric,
                unit,
                ..subject
            };
            let numbers = Numbers {
                value: Some(value),
                budget_name,
                ..Numbers::default()
            };
            self.row(&subject, span.clone(), &numbers);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::Profile;
    use super::super::tests::{plan, projection, rows};
    use super::MOST_DRIVERS;
    use crate::domain::scenario::Id;
    use crate::export::plan_csv;

    #[test]
    fn lanes_hours_and_drivers_have_rows_of_their_own() {
        use crate::domain::field::FieldPath;
        use crate::engine::heat::WEEK;
        use crate::engine::projection::{Driver, HeatMap, LaneOutcome, Outcome};
        let plan = plan();
        let mut projection = projection(&plan);
        let part = projection.features[0].clone();
        projection.lanes = vec![LaneOutcome {
            short_each: None,
            long: part.clone(),
            misrouted: part,
        }];
        // one trial of two months: the second is fuller
        let mut shares = vec![0.5_f32; 2 * WEEK];
        shares[WEEK + 9] = 1.25;
        projection.heat = vec![HeatMap::of(0, 2, &shares)];
        let driver = |outcome| Driver {
            input: FieldPath::of("features", Id(1), "requests_per_day"),
            outcome,
            low_fifth: -1_000.5,
            high_fifth: 2_000.25,
            rank_correlation: 0.75,
            within_noise: false,
        };
        projection.drivers = vec![
            driver(Outcome::HorizonEffectiveCost),
            driver(Outcome::OverBudget(1)),
            driver(Outcome::BreachHours(0)),
            // of nothing that is there: no rows
            driver(Outcome::OverBudget(99)),
        ];
        let rows = rows(&plan_csv(&plan, &projection, Profile::Data));
        let of = |kind: &str| -> Vec<_> { rows.iter().filter(|r| r["row_type"] == kind).collect() };

        let lanes = of("Lane");
        let own = rows.iter().filter(|r| {
            r["row_type"] == "Forecast"
                && r["feature"] == lanes[0]["feature"]
                && r["metric"] == "calls"
        });
        let own: Vec<&str> = own.map(|r| r["p50"].as_str()).collect();
        for lane in ["long", "misrouted"] {
            let calls = lanes
                .iter()
                .filter(|r| r["x_Lane"] == lane && r["metric"] == "calls");
            assert_eq!(calls.map(|r| r["p50"].as_str()).collect::<Vec<_>>(), own);
        }

        let hours = of("HourOfWeek");
        assert_eq!(hours.len(), WEEK);
        let full = hours
            .iter()
            .find(|r| r["x_HourOfWeek"] == "9")
            .expect("Monday 9 h");
        let cells = ["metric", "p50", "p95", "mean", "x_Period"].map(|c| full[c].as_str());
        assert_eq!(cells, ["needed_share", "1.25", "1.25", "", "month"]);
        assert_eq!(full["fiscal_period"], "P12");

        let drivers = of("Driver");
        assert_eq!(drivers.len(), 9);
        assert!(
            drivers
                .iter()
                .all(|r| r["x_Input"] == "features/1/requests_per_day")
        );
        let one = |metric: &str| -> Vec<&str> {
            let found = drivers.iter().filter(|r| r["metric"] == metric);
            found.map(|r| r["mean"].as_str()).collect()
        };
        assert_eq!(one("effective_cost_change_lowest_fifth"), ["-1000.50"]);
        assert_eq!(one("prob_over_change_highest_fifth"), ["2000.25"]);
        assert_eq!(one("breach_hours_rank_correlation"), ["0.75"]);
        let budget = drivers
            .iter()
            .find(|r| r["metric"].starts_with("prob_over"));
        assert!(budget.is_some_and(|r| !r["x_Budget"].is_empty() && r["currency"].is_empty()));

        projection.drivers = vec![driver(Outcome::BreachHours(0)); MOST_DRIVERS + 1];
        let table = plan_csv(&plan, &projection, Profile::Data);
        let few = super::super::tests::rows(&table);
        let few = few.iter().filter(|r| r["row_type"] == "Driver");
        assert_eq!(few.count(), 3 * MOST_DRIVERS);
    }
}
