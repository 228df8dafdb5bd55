//! What the answers say, without a browser: from a plan and its projection to written words and chart inputs.

pub mod cards;
pub mod costs;
pub mod drivers;
pub mod figures;
pub mod gateway;
pub mod heat;
pub mod later;
pub mod month;
pub mod per_request;
mod plan_rows;
pub mod sentence;
pub mod sizes;
pub mod stack;
pub mod table;
pub mod tables;
pub mod unseen;

#[cfg(test)]
pub mod fixture;
#[cfg(test)]
mod tests;

use crate::chart::scene::Ink;
use crate::domain::scenario::{BudgetCost, BudgetPeriod, Id, Pool, PoolKind, Scenario};
use crate::engine::projection::{
    BudgetOutcome, LimitKind, LimitOutcome, PeriodInfo, Projection, Series, Summary,
};
use crate::text::answers::{Card, Chart};
use crate::text::outputs::Outputs;
use crate::text::{fields, format, say};

/// A projection, the plan that it is of, and the cost that is shown.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The plan.
    pub scenario: &'a Scenario,
    /// What was found out.
    pub projection: &'a Projection,
    /// Effective or billed.
    pub cost: BudgetCost,
}

impl View<'_> {
    /// ISO 4217 of the projection.
    #[must_use]
    pub fn currency(&self) -> &str {
        &self.projection.currency
    }

    /// Money on the screen.
    #[must_use]
    pub fn money(&self, amount: f64) -> String {
        format::money(amount, self.currency())
    }

    /// Name of an entity; empty if it is gone.
    #[must_use]
    pub fn name(&self, id: Id) -> String {
        fields::entity_name(self.scenario, id)
            .unwrap_or_default()
            .to_owned()
    }

    /// The first key that nobody entered a limit for, if nothing in the plan has one: it has no headroom to show.
    #[must_use]
    pub fn without_limit(&self) -> Option<Id> {
        if !self.projection.limits.is_empty() {
            return None;
        }
        let unlimited = |p: &&Pool| {
            matches!(
                p.kind,
                PoolKind::PayAsYouGo {
                    tokens_per_minute: None,
                    requests_per_minute: None,
                    ..
                }
            )
        };
        self.scenario.pools.iter().find(unlimited).map(|p| p.id)
    }

    /// Spend of the whole plan.
    #[must_use]
    pub fn spend(&self) -> &Series {
        match self.cost {
            BudgetCost::Effective => &self.projection.total.effective,
            BudgetCost::Billed => &self.projection.total.billed,
        }
    }

    /// Spend from the start of each fiscal year.
    #[must_use]
    pub fn to_date(&self) -> &[Summary] {
        match self.cost {
            BudgetCost::Effective => &self.projection.effective_to_date,
            BudgetCost::Billed => &self.projection.billed_to_date,
        }
    }

    /// Sorted sums of a fiscal year.
    #[must_use]
    pub fn year_sorted(&self, year: usize) -> &[f32] {
        let years = match self.cost {
            BudgetCost::Effective => &self.projection.year_effective_sorted,
            BudgetCost::Billed => &self.projection.year_billed_sorted,
        };
        years.get(year).map_or(&[], Vec::as_slice)
    }

    /// The cost that is shown, as a word.
    #[must_use]
    pub fn cost_word(&self) -> String {
        say(&match self.cost {
            BudgetCost::Effective => Chart::Effective,
            BudgetCost::Billed => Chart::Billed,
        })
    }

    /// `September`, with its year where the horizon has two of them.
    #[must_use]
    pub fn month(&self, index: usize) -> String {
        let Some(info) = self.projection.months.get(index) else {
            return String::new();
        };
        let twice = self
            .projection
            .months
            .iter()
            .filter(|m| m.month == info.month)
            .count()
            > 1;
        if twice {
            format::month_year(info.year, info.month)
        } else {
            format::month_long(info.month)
        }
    }

    /// Short names of all months.
    #[must_use]
    pub fn months_short(&self) -> Vec<String> {
        self.projection
            .months
            .iter()
            .map(|m| format::month_short(m.month))
            .collect()
    }

    /// `FY2027`, `Q3 FY2027`; "part" where the horizon has not all of it.
    #[must_use]
    pub fn period(&self, period: &PeriodInfo) -> String {
        let name = match period.quarter {
            Some(quarter) => format::fiscal_quarter(period.fiscal_year, quarter),
            None => format::fiscal_year(period.fiscal_year),
        };
        if period.complete {
            name
        } else {
            say(&Card::Partial { period: name })
        }
    }

    /// Name of a budget's period; "part" where the horizon has not all of it.
    #[must_use]
    pub fn budget_period(&self, span: BudgetPeriod, period: &PeriodInfo) -> String {
        match span {
            BudgetPeriod::Month => self.month(period.first_month as usize),
            BudgetPeriod::Quarter | BudgetPeriod::Year => self.period(period),
        }
    }

    /// Name of a budget in one of its periods.
    #[must_use]
    pub fn budget(&self, budget: &BudgetOutcome) -> String {
        let name = self.name(budget.id);
        let period = self.budget_period(self.budget_span(budget.id), &budget.period);
        let name = if name.trim().is_empty() {
            period
        } else {
            format!("{name}, {period}")
        };
        self.of_cost(budget.id, name)
    }

    /// Words about a budget, with the cost that it speaks of where another one is shown.
    #[must_use]
    pub fn of_cost(&self, budget: Id, name: String) -> String {
        match self.budget_cost(budget) {
            cost if cost == self.cost => name,
            BudgetCost::Effective => say(&Outputs::OfEffective { name }),
            BudgetCost::Billed => say(&Outputs::OfBilled { name }),
        }
    }

    /// The cost that a budget speaks of.
    #[must_use]
    pub fn budget_cost(&self, id: Id) -> BudgetCost {
        let mut budgets = self.scenario.budgets.iter();
        budgets.find(|b| b.id == id).map_or(self.cost, |b| b.cost)
    }

    /// Length of a budget's periods.
    #[must_use]
    pub fn budget_span(&self, id: Id) -> BudgetPeriod {
        self.scenario
            .budgets
            .iter()
            .find(|b| b.id == id)
            .map_or(BudgetPeriod::Year, |b| b.period)
    }

    /// Colour of a feature by its place in the plan.
    #[must_use]
    pub fn ink(&self, id: Id) -> Ink {
        let place = self.scenario.features.iter().position(|f| f.id == id);
        Ink::feature(place.unwrap_or(usize::MAX))
    }

    /// Name of a limit: its pool, and its unit where the pool has two.
    #[must_use]
    pub fn limit(&self, limit: &LimitOutcome) -> String {
        let name = self.name(limit.pool);
        let several = self
            .projection
            .limits
            .iter()
            .filter(|l| l.pool == limit.pool)
            .count()
            > 1;
        if several {
            say(&Chart::LimitColumn {
                pool: name,
                unit: unit(limit.limit),
            })
        } else {
            name
        }
    }

    /// The limit that is most likely to be passed: the one to be shown first.
    #[must_use]
    pub fn worst_limit(&self) -> usize {
        let chance = |l: &LimitOutcome| {
            let worst = l.breach.iter().map(|c| c.count).max().unwrap_or(0);
            (worst, l.any_breach.count)
        };
        let limits = self.projection.limits.iter().enumerate();
        // the first of equals
        limits
            .rev()
            .max_by_key(|(_, l)| chance(l))
            .map_or(0, |(i, _)| i)
    }
}

/// Unit of a limit.
#[must_use]
pub fn unit(kind: LimitKind) -> String {
    say(&match kind {
        LimitKind::Gpus => Chart::Gpus,
        LimitKind::TokensPerMinute => Chart::TokensPerMinute,
        LimitKind::RequestsPerMinute => Chart::CallsPerMinute,
    })
}
