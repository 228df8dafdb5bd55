//! What a projection is about, in plain data: names, periods, capacities and budgets, which no trial changes.

use serde::{Deserialize, Serialize};

use crate::domain::field::FieldPath;
use crate::domain::scenario::{BudgetCost, Id};
use crate::engine::columns::Layout;
use crate::engine::plan::{Plan, PlanFeature};
use crate::engine::projection::{LimitKind, MonthInfo, PeriodInfo};

/// Everything in a projection that is the same in every trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// Layout of the rows.
    pub layout: Layout,
    /// Digest of the scenario.
    pub scenario_digest: String,
    /// Time-zone database version.
    pub time_zone_database: String,
    /// Seed.
    pub seed: u64,
    /// Trials that are wanted.
    pub trials: u32,
    /// ISO 4217.
    pub currency: String,
    /// Months of the horizon.
    pub months: Vec<MonthInfo>,
    /// Fiscal quarters that the horizon touches.
    pub quarters: Vec<PeriodInfo>,
    /// Fiscal years that the horizon touches.
    pub years: Vec<PeriodInfo>,
    /// Features in order of creation.
    pub features: Vec<Id>,
    /// What they have at their gateways.
    pub gateways: Vec<GatewayOutline>,
    /// Pools in order of creation.
    pub pools: Vec<Id>,
    /// Limits in pool order.
    pub limits: Vec<LimitOutline>,
    /// Contracts in entry order.
    pub commitments: Vec<Id>,
    /// Budgets, each in each of its periods.
    pub budgets: Vec<BudgetOutline>,
    /// Uncertain inputs in the order of the input columns.
    pub inputs: Vec<FieldPath>,
}

/// What a feature has at its gateway.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GatewayOutline {
    /// Tool calls.
    pub tools: bool,
    /// Any cap.
    pub caps: bool,
    /// A soft limit.
    pub soft: bool,
    /// A cap of tokens.
    pub token_cap: bool,
    /// A bound of the tokens that a request holds.
    pub memory: bool,
    /// Runaway requests.
    pub runaways: bool,
}

impl GatewayOutline {
    fn new(plan: &Plan, f: &PlanFeature) -> Self {
        let window = plan.models[f.model as usize].context_window_tokens;
        Self {
            tools: f.request.tools.fixed() != Some(0.0),
            caps: !f.caps.is_default(),
            soft: f.caps.soft.is_some(),
            token_cap: f.caps.tokens.is_some(),
            memory: f.caps.tokens.is_some() || window.is_some(),
            runaways: f.runaways.is_some(),
        }
    }
}

impl Outline {
    /// What a feature has at its gateway.
    #[must_use]
    pub fn gateway(&self, feature: usize) -> GatewayOutline {
        self.gateways.get(feature).copied().unwrap_or_default()
    }
}

/// A limit and what is committed under it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LimitOutline {
    /// The pool.
    pub pool: Id,
    /// What is limited.
    pub kind: LimitKind,
    /// Lowest committed capacity by month.
    pub committed: Vec<f64>,
}

/// A budget in one of its periods.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BudgetOutline {
    /// The budget.
    pub id: Id,
    /// The cost that it limits.
    pub cost: BudgetCost,
    /// The period.
    pub period: PeriodInfo,
    /// Amount.
    pub amount: f64,
    /// Spent in the period before the horizon began.
    pub before: f64,
}

/// Features by row of columns: in order of creation, and behind them twice those with lanes.
fn rows(plan: &Plan) -> Vec<Id> {
    let mut rows = vec![Id(0); plan.layout.features];
    for feature in &plan.features {
        for row in &feature.rows {
            if let Some(id) = rows.get_mut(*row as usize) {
                *id = feature.id;
            }
        }
    }
    // a lane that nothing is sent to has rows all the same
    let entered = plan.layout.entered();
    let with_lanes: Vec<Id> = plan.features[..entered]
        .iter()
        .filter(|f| f.flow.is_some())
        .map(|f| f.id)
        .collect();
    for (two, id) in rows[entered..].chunks_mut(2).zip(with_lanes) {
        two.fill(id);
    }
    rows
}

impl From<&Plan> for Outline {
    fn from(plan: &Plan) -> Self {
        Self {
            layout: plan.layout,
            scenario_digest: plan.scenario_digest.clone(),
            time_zone_database: plan.time_zone_database.clone(),
            seed: plan.seed,
            trials: plan.trials,
            currency: plan.currency.clone(),
            months: plan.months.clone(),
            quarters: plan.quarters.clone(),
            years: plan.years.clone(),
            features: rows(plan),
            gateways: (0..plan.layout.features as u32)
                .map(|row| {
                    let found = plan.features.iter().find(|f| f.rows.contains(&row));
                    found.map_or_else(GatewayOutline::default, |f| GatewayOutline::new(plan, f))
                })
                .collect(),
            pools: plan.pools.iter().map(|p| p.id).collect(),
            limits: plan
                .limits
                .iter()
                .map(|l| LimitOutline {
                    pool: l.pool_id,
                    kind: l.kind,
                    committed: l.committed.clone(),
                })
                .collect(),
            commitments: plan.commitments.clone(),
            budgets: plan
                .budgets
                .iter()
                .flat_map(|budget| {
                    budget.periods.iter().map(|period| BudgetOutline {
                        id: budget.id,
                        cost: budget.cost,
                        period: period.clone(),
                        amount: budget.amount,
                        before: if began_before(period, &plan.months) {
                            budget.spent_before
                        } else {
                            0.0
                        },
                    })
                })
                .collect(),
            inputs: plan.inputs.clone(),
        }
    }
}

/// Whether a period has months before the horizon.
fn began_before(period: &PeriodInfo, months: &[MonthInfo]) -> bool {
    let into_year = months
        .first()
        .map_or(0, |m| m.fiscal_period.saturating_sub(1));
    let into_period = if period.quarter.is_some() {
        into_year % 3
    } else {
        into_year
    };
    period.first_month == 0 && !period.complete && into_period != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_period_that_is_cut_at_its_start_began_before() {
        let months = |fiscal_period| {
            vec![MonthInfo {
                year: 2027,
                month: 1,
                hours: 744,
                fiscal_year: 2027,
                fiscal_quarter: (fiscal_period - 1) / 3 + 1,
                fiscal_period,
            }]
        };
        let period = |quarter, first_month, complete| PeriodInfo {
            fiscal_year: 2027,
            quarter,
            first_month,
            months: 1,
            complete,
        };
        assert!(began_before(&period(None, 0, false), &months(4)));
        assert!(!began_before(&period(Some(2), 0, false), &months(4))); // cut at its end only
        assert!(began_before(&period(Some(2), 0, false), &months(5)));
        assert!(!began_before(&period(None, 0, false), &months(1)));
        assert!(!began_before(&period(None, 0, true), &months(5))); // a month
        assert!(!began_before(&period(Some(3), 2, false), &months(5)));
    }
}
