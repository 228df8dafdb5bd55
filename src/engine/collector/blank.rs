//! A projection before anything is known: all names, all zeros.

use super::build::gateway;
use super::{Collector, Outline};
use crate::engine::projection::{
    BudgetOutcome, CommitmentOutcome, Costs, ENGINE_VERSION, FeatureOutcome, LimitOutcome,
    PoolOutcome, Projection, Series, Summary,
};
use crate::engine::statistics;

pub fn empty_series(outline: &Outline) -> Series {
    Series {
        months: vec![Summary::default(); outline.months.len()],
        quarters: vec![Summary::default(); outline.quarters.len()],
        years: vec![Summary::default(); outline.years.len()],
        horizon: Summary::default(),
    }
}

pub fn empty_projection(collector: &Collector) -> Projection {
    let outline = &collector.outline;
    let series = || empty_series(outline);
    let months = outline.months.len();
    Projection {
        engine_version: ENGINE_VERSION,
        time_zone_database: outline.time_zone_database.clone(),
        scenario_digest: outline.scenario_digest.clone(),
        result_digest: collector.result_digest(),
        seed: outline.seed,
        trials: collector.trials_in(),
        trials_wanted: outline.trials,
        currency: outline.currency.clone(),
        months: outline.months.clone(),
        quarters: outline.quarters.clone(),
        years: outline.years.clone(),
        total: Costs {
            effective: series(),
            billed: series(),
            list: series(),
            contracted: series(),
        },
        effective_to_date: vec![Summary::default(); months],
        billed_to_date: vec![Summary::default(); months],
        year_effective_sorted: vec![Vec::new(); outline.years.len()],
        year_billed_sorted: vec![Vec::new(); outline.years.len()],
        unused: series(),
        on_demand: series(),
        features: outline
            .features
            .iter()
            .enumerate()
            .map(|(at, id)| FeatureOutcome {
                id: *id,
                requests: series(),
                calls: series(),
                uncached_input_tokens: series(),
                cached_read_tokens: series(),
                output_tokens: series(),
                busy_gpu_hours: series(),
                effective_cost: series(),
                cost_per_1000_requests: vec![None; outline.years.len()],
                each: None,
                dearest: None,
                gateway: gateway::blank(outline, at),
            })
            .collect(),
        lanes: Vec::new(),
        pools: outline
            .pools
            .iter()
            .map(|id| PoolOutcome {
                id: *id,
                usage_list_cost: series(),
                busy_gpu_hours: series(),
                needed_gpu_hours: series(),
                burst_gpu_hours: series(),
                burst_cost: series(),
            })
            .collect(),
        limits: outline
            .limits
            .iter()
            .map(|limit| LimitOutcome {
                pool: limit.pool,
                limit: limit.kind,
                committed: limit.committed.clone(),
                headroom: vec![Summary::default(); months],
                needed: vec![Summary::default(); months],
                breach: vec![statistics::chance(0, 0); months],
                any_breach: statistics::chance(0, 0),
                breach_hours: vec![0.0; months],
            })
            .collect(),
        commitments: outline
            .commitments
            .iter()
            .map(|id| CommitmentOutcome {
                id: *id,
                used: series(),
                unused: series(),
                billed: series(),
                utilisation: Summary::default(),
            })
            .collect(),
        budgets: outline
            .budgets
            .iter()
            .map(|budget| BudgetOutcome {
                id: budget.id,
                period: budget.period.clone(),
                amount: budget.amount,
                spend: Summary::default(),
                over: statistics::chance(0, 0),
                expected_excess: 0.0,
                excess_if_over: None,
                cvar95: 0.0,
            })
            .collect(),
        drivers: Vec::new(),
        causes: Vec::new(),
        heat: Vec::new(),
        launches: None,
    }
}
