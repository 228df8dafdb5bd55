//! A plan of 18 months from January 2027 with one cluster, one contract, one budget for 2027, and its projection in
//! which nothing bad happens.

use jiff::civil::date;

use crate::domain::calendar::Grid;
use crate::domain::scenario::{
    Budget, BudgetCost, BudgetPeriod, Commitment, CommitmentKind, Id, Pool, PoolKind,
    SCENARIO_FORMAT, Scenario, Settings,
};
use crate::engine::collector::{BudgetOutline, Collector, LimitOutline, Outline};
use crate::engine::columns::Layout;
use crate::engine::projection::{Chance, LimitKind, Projection};
use crate::engine::statistics;

/// Of 10,000 trials.
pub fn chance(count: u32) -> Chance {
    statistics::chance(count, 10_000)
}

pub fn scenario() -> Scenario {
    Scenario {
        format: SCENARIO_FORMAT,
        name: String::new(),
        settings: Settings {
            start: date(2027, 1, 1),
            horizon_months: 18,
            time_zone: "UTC".into(),
            currency: "USD".into(),
            fiscal_year_start_month: 1,
            seed: 1,
            trials: 10_000,
        },
        features: vec![],
        models: vec![],
        pools: vec![Pool {
            id: Id(21),
            name: String::new(),
            acceptable_chance: 0.1,
            kind: PoolKind::GpuCluster {
                target_utilisation: 0.7,
                on_demand_rate_per_gpu_hour: 4.0,
                burst: None,
            },
        }],
        commitments: vec![Commitment {
            id: Id(11),
            name: String::new(),
            start: date(2027, 1, 1),
            term_months: 18,
            kind: CommitmentKind::ReservedCapacity {
                pool: Id(21),
                gpus: 96,
                rate_per_gpu_hour: 2.35,
                upfront_share: 0.0,
            },
        }],
        seasons: vec![],
        budgets: vec![Budget {
            id: Id(31),
            name: String::new(),
            period: BudgetPeriod::Year,
            only: Some(date(2027, 1, 1)),
            amount: 4.2e6,
            cost: BudgetCost::Effective,
            spent_before: 0.0,
            acceptable_chance: 0.1,
        }],
        dependence: Default::default(),
        notes: std::collections::BTreeMap::new(),
    }
}

pub fn projection() -> Projection {
    let scenario = scenario();
    let grid = Grid::new(&scenario.settings).expect("a grid");
    let outline = Outline {
        layout: Layout {
            months: 18,
            features: 0,
            lanes: 0,
            pools: 1,
            limits: 1,
            commitments: 1,
            inputs: 0,
        },
        gateways: Vec::new(),
        scenario_digest: String::new(),
        time_zone_database: String::new(),
        seed: 1,
        trials: 10_000,
        currency: "USD".into(),
        months: grid.months.clone(),
        quarters: grid.quarters(),
        years: grid.years(),
        features: vec![],
        pools: vec![Id(21)],
        limits: vec![LimitOutline {
            pool: Id(21),
            kind: LimitKind::Gpus,
            committed: vec![96.0; 18],
        }],
        commitments: vec![Id(11)],
        budgets: vec![BudgetOutline {
            id: Id(31),
            cost: BudgetCost::Effective,
            period: grid.years()[0].clone(),
            amount: 4.2e6,
            before: 0.0,
        }],
        inputs: vec![],
    };
    let mut projection = Collector::of(outline).projection();
    projection.trials = 10_000;
    for budget in &mut projection.budgets {
        budget.over = chance(0);
    }
    for limit in &mut projection.limits {
        limit.breach = vec![chance(0); 18];
        limit.any_breach = chance(0);
    }
    projection
}
