//! What a projection is about, in plain data: names, periods, capacities and budgets, which no trial changes.

use serde::{Deserialize, Serialize};

use crate::domain::field::FieldPath;
use crate::domain::scenario::{BudgetCost, Id};
use crate::engine::columns::Layout;
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
    /// Features in entry order.
    pub features: Vec<Id>,
    /// Pools in entry order.
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
