//! The default story with trials that nobody simulated: only for tests of words and pictures.

use crate::decide::verdict;
use crate::domain::calendar::Grid;
use crate::domain::field::FieldPath;
use crate::domain::scenario::{BudgetCost, Id, Scenario};
use crate::engine::collector::{BudgetOutline, Collector, LimitOutline, Outline};
use crate::engine::columns::{
    Batch, CommitmentMoney, FeaturePhysical, Layout, LimitPhysical, PoolMoney, TotalMoney,
};
use crate::engine::heat::WEEK;
use crate::engine::projection::{
    Cause, CauseVerdict, HeatMap, LaunchMove, LaunchMoves, LimitKind, MovedChance, Projection,
    RequestQuantity, RequestSizes, Suspect,
};
use crate::engine::statistics::chance;

/// Share of a month's full size that each feature has reached.
fn adoption(feature: usize, month: usize) -> f64 {
    let launch = [0.3, 0.6, 1.5, 2.4, 3.3, 7.2][feature.min(5)];
    ((month as f64 + 1.0 - launch) / 2.0).clamp(0.0, 1.0)
}

/// The plan and a projection of it.
pub fn story(trials: u32) -> (Scenario, Projection) {
    let mut scenario = crate::stories::find(crate::stories::DEFAULT)
        .expect("the default story")
        .scenario();
    scenario.settings.trials = trials;
    let grid = Grid::new(&scenario.settings).expect("a grid");
    let months = grid.months.len();
    let ids = |all: Vec<Id>| all;
    let layout = Layout {
        months,
        features: scenario.features.len(),
        lanes: 0,
        pools: scenario.pools.len(),
        limits: 2,
        commitments: scenario.commitments.len(),
        inputs: 3,
    };
    let features = ids(scenario.features.iter().map(|f| f.id).collect());
    let input = |f: usize, name: &str| FieldPath::of("features", features[f], name);
    let years = grid.years();
    let outline = Outline {
        layout,
        scenario_digest: "0".into(),
        time_zone_database: "2025b".into(),
        seed: 1,
        trials,
        currency: "USD".into(),
        months: grid.months.clone(),
        quarters: grid.quarters(),
        years: years.clone(),
        gateways: Vec::new(),
        pools: scenario.pools.iter().map(|p| p.id).collect(),
        limits: vec![
            LimitOutline {
                pool: scenario.pools[0].id,
                kind: LimitKind::Gpus,
                committed: vec![64.0; months],
            },
            LimitOutline {
                pool: scenario.pools[1].id,
                kind: LimitKind::TokensPerMinute,
                committed: vec![1e7; months],
            },
        ],
        commitments: scenario.commitments.iter().map(|c| c.id).collect(),
        budgets: vec![BudgetOutline {
            id: scenario.budgets[0].id,
            cost: BudgetCost::Effective,
            period: years[0].clone(),
            amount: scenario.budgets[0].amount,
            before: 0.0,
        }],
        inputs: vec![
            input(5, "requests_per_day"),
            input(5, "slip_days"),
            input(4, "calls_per_request"),
        ],
        features: features.clone(),
    };
    let mut batch = Batch {
        first_trial: 0,
        trials,
        money: vec![0.0; layout.money_width() * trials as usize],
        physical: vec![0.0; layout.physical_width() * trials as usize],
        inputs: vec![0.0; 3 * trials as usize],
    };
    let mut state = 42u64;
    let mut uniform = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((state >> 33) as f64 + 0.5) / f64::from(1u32 << 31)
    };
    for trial in 0..trials as usize {
        let money = &mut batch.money[trial * layout.money_width()..][..layout.money_width()];
        let physical =
            &mut batch.physical[trial * layout.physical_width()..][..layout.physical_width()];
        let assistant = 0.4 + 1.5 * uniform() * uniform();
        let slip = 1.5 * uniform();
        let agent = 0.8 + 0.5 * uniform();
        batch.inputs[trial * 3..][..3].copy_from_slice(&[
            assistant as f32,
            slip as f32,
            agent as f32,
        ]);
        for m in 0..months {
            let noise = 0.97 + 0.06 * uniform();
            let hours = f64::from(grid.months[m].hours);
            let mut need = 14.0;
            let mut features_cost = 0.0;
            for f in 0..layout.features {
                let factor = match f {
                    5 => assistant,
                    4 => agent,
                    _ => 1.0,
                };
                let late = if f == 5 { slip } else { 0.0 };
                let share = adoption(f, m) * factor * noise * (1.0 - late * 0.2).max(0.0);
                let size = [6.0, 9.0, 5.0, 3.0, 9.0, 22.0].get(f).copied();
                let gpus = size.unwrap_or(0.0) * share;
                need += gpus;
                let cost = gpus * hours * 4.2;
                features_cost += cost;
                money[layout.feature_money(f) + m] = cost;
                for (which, each) in [
                    (FeaturePhysical::Requests, 1.0),
                    (FeaturePhysical::Calls, 3.2),
                    (FeaturePhysical::UncachedInput, 5_200.0),
                    (FeaturePhysical::CachedRead, 2_100.0),
                    (FeaturePhysical::Output, 640.0),
                ] {
                    physical[layout.feature_physical(f, which) + m] = (share * 9e5 * each) as f32;
                }
            }
            let paid = 64.0 * hours * 3.784;
            let used = (need / 64.0).min(1.0) * paid;
            let burst = (need - 64.0).max(0.0) * hours * 0.1 * 6.88;
            money[layout.commitment_money(0, CommitmentMoney::Used) + m] = used;
            money[layout.commitment_money(0, CommitmentMoney::Unused) + m] = paid - used;
            money[layout.commitment_money(1, CommitmentMoney::Used) + m] = 27_000.0 * noise;
            money[layout.commitment_money(1, CommitmentMoney::Unused) + m] = 2_000.0;
            money[layout.pool_money(0, PoolMoney::Burst) + m] = burst;
            let total = paid + burst + 29_000.0 + features_cost * 0.3;
            for which in [
                TotalMoney::Effective,
                TotalMoney::Billed,
                TotalMoney::List,
                TotalMoney::Contracted,
            ] {
                money[layout.total_money(which) + m] = total;
            }
            let peak = need * (1.02 + 0.1 * uniform());
            for (limit, committed, needed) in [(0, 64.0, peak), (1, 1e7, 3e6 * noise * assistant)] {
                let set = |which| layout.limit_physical(limit, which) + m;
                physical[set(LimitPhysical::Headroom)] = (committed - needed) as f32;
                physical[set(LimitPhysical::Needed)] = needed as f32;
                let short = if needed > committed {
                    (needed - committed).min(40.0)
                } else {
                    0.0
                };
                physical[set(LimitPhysical::BreachHours)] = short as f32;
            }
        }
    }
    let mut collector = Collector::of(outline);
    collector.add(&batch).expect("a batch that fits");
    let mut projection = collector.projection();
    let worst = projection.limits[0]
        .breach
        .iter()
        .enumerate()
        .max_by_key(|(_, c)| c.count)
        .map_or(0, |(m, _)| m as u32);
    projection.causes = vec![Cause {
        limit: 0,
        month: worst,
        by_hours: false,
        suspects: vec![Suspect {
            id: features[5],
            share: 0.93,
        }],
        verdict: CauseVerdict::Mostly(features[5]),
    }];
    found_later(&mut projection);
    (scenario, projection)
}

/// What is found out after the last trial.
fn found_later(projection: &mut Projection) {
    let quantity = |mean: f64| RequestQuantity {
        mean,
        p: [0.5, 2.0, 4.0, 10.0, 50.0].map(|x| mean * x),
    };
    for (f, feature) in projection.features.iter_mut().enumerate() {
        feature.each = Some(RequestSizes {
            read: quantity(10.0_f64.powi(f as i32)),
            written: quantity(f as f64),
            tools: quantity(f as f64),
            cost: quantity(0.01 * (f as f64 + 1.0)),
            costliest_share: 0.1 + 0.1 * f as f64,
        });
    }
    let rows: Vec<f32> = (0..projection.months.len() * WEEK)
        .map(|cell| (cell % WEEK) as f32 / 140.0)
        .collect();
    projection.heat = vec![
        HeatMap::of(0, projection.months.len(), &rows),
        HeatMap::of(1, projection.months.len(), &vec![0.0; rows.len()]),
    ];
    let moved = |count: u32, gone: u32, new: u32| MovedChance {
        chance: chance(count, 300),
        gone,
        new,
    };
    let id = projection.features[5].id;
    let one = |weeks: u32| LaunchMove {
        feature: id,
        weeks,
        breach: vec![moved(200 - 10 * weeks, 10 * weeks, 0), moved(0, 0, 0)],
        over: vec![moved(90, 5, 5)],
        effective_cost: 6.5e6,
        cost_change: -1e4 * f64::from(weeks),
        cost_change_error: 2e3,
    };
    projection.launches = Some(LaunchMoves {
        trials: 300,
        breach: vec![chance(200, 300), chance(0, 300)],
        over: vec![chance(90, 300)],
        effective_cost: 6.6e6,
        moves: [2, 4, 8].map(one).to_vec(),
    });
}

/// The verdict on it.
pub fn verdict_of(scenario: &Scenario, projection: &Projection) -> verdict::Verdict {
    verdict::verdict(scenario, projection, BudgetCost::Effective)
}
