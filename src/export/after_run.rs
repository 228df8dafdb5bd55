//! Rows of what is found out after the last future: single requests, moved launches.

use crate::engine::projection::{FeatureOutcome, MovedChance, RequestQuantity};

use super::period::Span;
use super::row::{Numbers, Sheet, Subject, Unit};

/// Metrics of a launch that is moved by 2, 4 and 8 weeks: chance to run out, chance to exceed, change of cost.
const MOVED: [(u32, [&str; 3]); 3] = [
    (
        2,
        [
            "breach_chance_2_weeks_later",
            "prob_over_2_weeks_later",
            "cost_change_2_weeks_later",
        ],
    ),
    (
        4,
        [
            "breach_chance_4_weeks_later",
            "prob_over_4_weeks_later",
            "cost_change_4_weeks_later",
        ],
    ),
    (
        8,
        [
            "breach_chance_8_weeks_later",
            "prob_over_8_weeks_later",
            "cost_change_8_weeks_later",
        ],
    ),
];

/// Metrics of what a request costs in the week and in its dearest hours, each with that of its p99.9.
type CostNames = [(&'static str, &'static str); 2];

const LIST_COST: CostNames = [
    ("list_cost_per_request", "list_cost_per_request_p999"),
    (
        "list_cost_per_request_in_dearest_hours",
        "list_cost_per_request_in_dearest_hours_p999",
    ),
];
const GPU_SECONDS: CostNames = [
    ("gpu_seconds_per_request", "gpu_seconds_per_request_p999"),
    (
        "gpu_seconds_per_request_in_dearest_hours",
        "gpu_seconds_per_request_in_dearest_hours_p999",
    ),
];

impl Sheet<'_> {
    /// What single requests of each feature are like.
    pub fn requests(&mut self) {
        let projection = self.projection;
        let names = self.names.clone();
        for feature in &projection.features {
            let Some(each) = &feature.each else { continue };
            let subject = Subject {
                row_type: "Request",
                feature: names.feature(feature.id),
                pool: names.pool_of(feature.id),
                ..Subject::default()
            };
            for (metric, p999, quantity) in [
                (
                    "read_tokens_per_request",
                    "read_tokens_per_request_p999",
                    &each.read,
                ),
                (
                    "written_tokens_per_request",
                    "written_tokens_per_request_p999",
                    &each.written,
                ),
            ] {
                self.quantity(&subject, (metric, p999, "Tokens"), quantity);
            }
            if feature.gateway.tool_calls.is_some() {
                let names = (
                    "tool_calls_per_request",
                    "tool_calls_per_request_p999",
                    "Calls",
                );
                self.quantity(&subject, names, &each.tools);
            }
            self.cost_of_requests(&subject, feature);
            let share = Subject {
                metric: "costliest_5_percent_share",
                unit: Unit::Of("Share"),
                ..subject
            };
            self.one(&share, each.costliest_share);
        }
    }

    /// What a request costs, and what it costs in its dearest hours.
    fn cost_of_requests(&mut self, subject: &Subject<'_>, feature: &FeatureOutcome) {
        let entered = self.scenario.features.iter().find(|f| f.id == feature.id);
        let pools = &self.scenario.pools;
        let (unit, names) = if entered.is_some_and(|f| f.cost_in_gpu_seconds(pools)) {
            (Unit::Of("GPU-seconds"), GPU_SECONDS)
        } else {
            (Unit::Price("per request"), LIST_COST)
        };
        let split = self.projection.lanes.iter();
        let split = split.filter(|l| l.long.id == feature.id);
        let lanes = split.flat_map(|l| [("short", l.short_each), ("long", l.long.each)]);
        let of_hours = feature.dearest.as_ref().map(|d| d.each);
        let [week, dearest] = names;
        let all = [("", feature.each, week), ("", of_hours, dearest)].into_iter();
        let all = all.chain(lanes.map(|(lane, each)| (lane, each, week)));
        for (lane, sizes, (metric, p999)) in all {
            // nothing read: no such requests
            if let Some(sizes) = sizes.filter(|s| lane.is_empty() || s.read.mean > 0.0) {
                let subject = Subject { lane, ..*subject };
                self.measured(&subject, (metric, p999, unit), &sizes.cost);
            }
        }
    }

    fn quantity(
        &mut self,
        subject: &Subject<'_>,
        (metric, p999, unit): (&'static str, &'static str, &'static str),
        quantity: &RequestQuantity,
    ) {
        self.measured(subject, (metric, p999, Unit::Of(unit)), quantity);
    }

    fn measured(
        &mut self,
        subject: &Subject<'_>,
        (metric, p999, unit): (&'static str, &'static str, Unit),
        quantity: &RequestQuantity,
    ) {
        let subject = Subject {
            metric,
            unit,
            ..*subject
        };
        let [p50, p90, p95, p99, highest] = quantity.p;
        let numbers = Numbers {
            percentiles: Some([p50, p90, p95, p99]),
            value: Some(quantity.mean),
            ..Numbers::default()
        };
        self.row(&subject, Span::Horizon, &numbers);
        self.one(
            &Subject {
                metric: p999,
                ..subject
            },
            highest,
        );
    }

    /// Each launch moved by some weeks.
    pub fn launches(&mut self) {
        let projection = self.projection;
        let Some(launches) = &projection.launches else {
            return;
        };
        let names = self.names.clone();
        for moved in &launches.moves {
            let Some((_, [breach, over, cost])) = MOVED.iter().find(|m| m.0 == moved.weeks) else {
                continue;
            };
            let subject = Subject {
                row_type: "Launch",
                feature: names.feature(moved.feature),
                ..Subject::default()
            };
            let share = |m: &MovedChance| m.chance.share();
            for (limit, chance) in projection.limits.iter().zip(&moved.breach) {
                let subject = Subject {
                    metric: breach,
                    unit: Unit::Of("Share"),
                    pool: names.pool(limit.pool),
                    ..subject
                };
                self.one(&subject, share(chance));
            }
            for (budget, chance) in projection.budgets.iter().zip(&moved.over) {
                let subject = Subject {
                    metric: over,
                    unit: Unit::Of("Share"),
                    ..subject
                };
                let numbers = Numbers {
                    value: Some(share(chance)),
                    budget_name: names.budget(budget.id),
                    ..Numbers::default()
                };
                self.row(&subject, Span::Months(budget.period.clone()), &numbers);
            }
            let subject = Subject {
                metric: cost,
                ..subject
            };
            self.one(&subject, moved.cost_change);
        }
    }

    /// A row over the horizon with one number.
    fn one(&mut self, subject: &Subject<'_>, value: f64) {
        let numbers = Numbers {
            value: Some(value),
            ..Numbers::default()
        };
        self.row(subject, Span::Horizon, &numbers);
    }
}
