//! Answers from results: what the first line says and the five figures below it. Typed and without words: the page
//! writes the sentences.

use crate::domain::calendar::{MonthInfo, PeriodInfo};
use crate::domain::scenario::{Budget, BudgetCost, Id, Scenario};
use crate::engine::projection::{Chance, Costs, Projection, Series};

pub mod five_figures;
mod free;
pub mod verdict;

pub use five_figures::{FiveFigures, five_figures};
pub use free::free_cluster;
pub use verdict::{Part, Status, Verdict, verdict};

/// Acceptable chance where the plan names none.
const ACCEPTABLE: f64 = 0.1;

/// How bad a chance is, against what is acceptable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Fine,
    Watch,
    AtRisk,
}

impl Level {
    /// Fine below the acceptable chance; watch below 2.5 times that (10 % and 25 %), but never past the middle between
    /// it and 1; at risk from there. What never happens is fine, and so is what may always happen.
    fn of(share: f64, acceptable: f64) -> Self {
        if share <= 0.0 || share < acceptable || acceptable >= 1.0 {
            return Self::Fine;
        }
        if share < (2.5 * acceptable).min(f64::midpoint(1.0, acceptable)) {
            Self::Watch
        } else {
            Self::AtRisk
        }
    }
}

/// How many times the acceptable chance it is; chances of nothing acceptable come before all others.
fn badness(chance: &Chance, acceptable: f64) -> f64 {
    chance.share() / acceptable.max(1e-9)
}

/// A cost of the whole plan.
const fn total(costs: &Costs, which: BudgetCost) -> &Series {
    match which {
        BudgetCost::Effective => &costs.effective,
        BudgetCost::Billed => &costs.billed,
    }
}

/// The fiscal year that a plan is about: the first that the horizon contains whole, else the one with most months in it.
#[must_use]
pub fn main_year(projection: &Projection) -> Option<usize> {
    let years = &projection.years;
    years.iter().position(|y| y.complete).or_else(|| {
        let most = years.iter().map(|y| y.months).max()?;
        years.iter().position(|y| y.months == most)
    })
}

/// Whether the horizon ends before the period does.
fn ends_early(period: &PeriodInfo, months: &[MonthInfo]) -> bool {
    let last = (period.first_month + period.months) as usize;
    let length = if period.quarter.is_some() { 3 } else { 12 };
    !period.complete
        && last
            .checked_sub(1)
            .and_then(|m| months.get(m))
            .is_some_and(|m| m.fiscal_period % length != 0)
}

fn budget_of(scenario: &Scenario, id: Id) -> Option<&Budget> {
    scenario.budgets.iter().find(|b| b.id == id)
}

fn acceptable_in_budget(scenario: &Scenario, id: Id) -> f64 {
    budget_of(scenario, id).map_or(ACCEPTABLE, |b| b.acceptable_chance)
}

fn acceptable_in_pool(scenario: &Scenario, id: Id) -> f64 {
    let pool = scenario.pools.iter().find(|p| p.id == id);
    pool.map_or(ACCEPTABLE, |p| p.acceptable_chance)
}

/// The larger first; equal ones in the order in which they come. Numbers are finite.
fn first_largest<T: Copy>(items: impl Iterator<Item = T>, by: impl Fn(&T) -> f64) -> Option<T> {
    items.fold(None, |best: Option<T>, x| match best {
        Some(b) if by(&x) <= by(&b) => Some(b),
        _ => Some(x),
    })
}

#[cfg(test)]
mod testing;
