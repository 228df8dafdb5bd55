//! What inputs are held against: every outcome by trial.

use super::{Building, total_of};
use crate::domain::scenario::BudgetCost;
use crate::engine::cause::months_that_matter;
use crate::engine::collector::{Collector, Outline};
use crate::engine::columns::{FeaturePhysical, LimitPhysical};
use crate::engine::projection::{Outcome, PeriodInfo, UnitCost};
use crate::engine::statistics;

/// All outcomes of a plan in the order in which they are offered. Single months are left out later where nothing
/// happens in them.
pub(super) fn outcomes(outline: &Outline) -> Vec<Outcome> {
    let count = |n: usize| 0..n as u32;
    let mut all: Vec<Outcome> = count(outline.years.len())
        .map(Outcome::YearEffectiveCost)
        .collect();
    all.push(Outcome::HorizonEffectiveCost);
    all.extend(count(outline.budgets.len()).map(Outcome::OverBudget));
    for limit in count(outline.limits.len()) {
        all.extend([Outcome::LowestHeadroom(limit), Outcome::BreachHours(limit)]);
        for month in count(outline.layout.months) {
            all.extend([
                Outcome::MonthLowestHeadroom { limit, month },
                Outcome::MonthBreachHours { limit, month },
            ]);
        }
    }
    all.extend(count(outline.layout.entered()).map(Outcome::FeatureEffectiveCost));
    all.extend(count(outline.years.len()).map(Outcome::YearBilledCost));
    all.push(Outcome::HorizonBilledCost);
    all
}

impl Building {
    /// Holds every input against an outcome.
    pub(super) fn outcome(&mut self, from: &Collector, outcome: Outcome) {
        let outline = &from.outline;
        let horizon = 0..outline.layout.months as u32;
        let total = |cost| outline.layout.total_money(total_of(cost));
        let year = |at: u32| months(outline.years.get(at as usize));
        match outcome {
            Outcome::YearEffectiveCost(at) => {
                self.add_up(from, total(BudgetCost::Effective), year(at));
            }
            Outcome::YearBilledCost(at) => self.add_up(from, total(BudgetCost::Billed), year(at)),
            Outcome::HorizonEffectiveCost => {
                self.add_up(from, total(BudgetCost::Effective), horizon);
            }
            Outcome::HorizonBilledCost => self.add_up(from, total(BudgetCost::Billed), horizon),
            Outcome::FeatureEffectiveCost(feature) => {
                self.add_up(
                    from,
                    outline.layout.feature_money(feature as usize),
                    horizon,
                );
            }
            Outcome::OverBudget(at) => {
                let budget = &outline.budgets[at as usize];
                self.spend(from, at as usize);
                for x in &mut self.values {
                    *x = if *x > budget.amount { 1.0 } else { 0.0 };
                }
            }
            Outcome::LowestHeadroom(limit) => self.under(from, limit, horizon, true),
            Outcome::BreachHours(limit) => self.under(from, limit, horizon, false),
            Outcome::MonthLowestHeadroom { limit, month }
            | Outcome::MonthBreachHours { limit, month } => {
                let found = &self.projection.limits[limit as usize];
                if !months_that_matter(found).contains(&month) {
                    return;
                }
                let headroom = matches!(outcome, Outcome::MonthLowestHeadroom { .. });
                self.under(from, limit, month..month + 1, headroom);
            }
        }
        self.sensitivity.add_outcome(outcome, &self.values);
    }

    /// What 1,000 requests of a feature cost in each fiscal year.
    pub(super) fn unit_cost(&mut self, from: &Collector, feature: usize) {
        let layout = &from.outline.layout;
        let requests = layout.feature_physical(feature, FeaturePhysical::Requests);
        for (at, year) in from.outline.years.iter().enumerate() {
            self.add_up(from, layout.feature_money(feature), months(Some(year)));
            let [units, ..] = &mut self.sums;
            units.fill(0.0);
            for month in months(Some(year)) {
                let column = requests + month as usize;
                from.physical.add_to(column, &self.ranges, units);
            }
            let per_1000 = |cost: f64, units: f64| {
                (units > 0.0)
                    .then(|| cost / units * 1000.0)
                    .filter(|x| x.is_finite())
            };
            let each = self.values.iter().zip(units.iter());
            let by_trial: Vec<f64> = each.filter_map(|(c, u)| per_1000(*c, *u)).collect();
            let of_means = statistics::ratio_and_error(&self.values, units);
            let out = &mut self.projection.features[feature];
            out.cost_per_1000_requests[at] = of_means.map(|(ratio, error)| UnitCost {
                of_means: 1000.0 * ratio,
                of_means_error: 1000.0 * error,
                by_trial: statistics::summary(&by_trial),
            });
        }
    }

    /// Sum of some months of a money column.
    fn add_up(&mut self, from: &Collector, first: usize, months: std::ops::Range<u32>) {
        self.values.fill(0.0);
        for month in months {
            let column = first + month as usize;
            from.money.add_to(column, &self.ranges, &mut self.values);
        }
    }

    /// Lowest headroom, or else hours below 0, of some months under a limit.
    fn under(
        &mut self,
        from: &Collector,
        limit: u32,
        months: std::ops::Range<u32>,
        headroom: bool,
    ) {
        let which = if headroom {
            LimitPhysical::Headroom
        } else {
            LimitPhysical::BreachHours
        };
        let first = from.outline.layout.limit_physical(limit as usize, which);
        let [of_month, ..] = &mut self.sums;
        self.values.fill(if headroom { f64::INFINITY } else { 0.0 });
        for month in months {
            of_month.fill(0.0);
            let column = first + month as usize;
            from.physical.add_to(column, &self.ranges, of_month);
            for (x, now) in self.values.iter_mut().zip(of_month.iter()) {
                *x = if headroom { x.min(*now) } else { *x + now };
            }
        }
    }
}

fn months(period: Option<&PeriodInfo>) -> std::ops::Range<u32> {
    period.map_or(0..0, |p| p.first_month..p.first_month + p.months)
}
