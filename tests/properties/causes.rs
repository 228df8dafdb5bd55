//! A cause is what a rerun without the suspect would show.

use headroom::domain::quantity::Quantity;
use headroom::domain::scenario::{Id, PoolKind, Scenario};
use headroom::engine::projection::{LimitKind, Projection};
use headroom::engine::run_all;

use crate::common::scenarios::{Limits, random};

const TRIALS: u32 = 100;

const CROWDED: Limits = Limits {
    months: 4,
    features: 4,
    others: 3,
    requests_per_day: 20_000.0,
    trials: TRIALS,
};

fn project(scenario: &Scenario) -> Projection {
    run_all(scenario, TRIALS, scenario.settings.seed, &mut |_, _| {}).expect("a valid scenario")
}

/// Limits so narrow that some futures breach them: the median of the highest need.
fn tighten(scenario: &Scenario) -> Scenario {
    let projection = project(scenario);
    let mut tight = scenario.clone();
    for limit in &projection.limits {
        let needed = limit.needed.iter().map(|s| s.p50()).fold(0.0, f64::max);
        let Some(pool) = tight.pools.iter_mut().find(|p| p.id == limit.pool) else {
            continue;
        };
        if let PoolKind::PayAsYouGo {
            tokens_per_minute,
            requests_per_minute,
            ..
        } = &mut pool.kind
        {
            match limit.limit {
                LimitKind::TokensPerMinute => *tokens_per_minute = Some(needed.max(1.0)),
                LimitKind::RequestsPerMinute => *requests_per_minute = Some(needed.max(1.0)),
                LimitKind::Gpus => {}
            }
        }
    }
    tight
}

/// The suspect is gone: a feature sends nothing, a window multiplies by 1.
fn without(scenario: &Scenario, id: Id) -> Scenario {
    let mut rest = scenario.clone();
    rest.features.retain(|f| f.id != id);
    for season in rest.seasons.iter_mut().filter(|s| s.id == id) {
        season.multiplier = Quantity::fixed(1.0);
    }
    for season in &mut rest.seasons {
        if let headroom::domain::scenario::Touches::Only(ids) = &mut season.touches {
            ids.retain(|f| *f != id);
        }
    }
    rest.seasons
        .retain(|s| s.touches != headroom::domain::scenario::Touches::Only(Vec::new()));
    rest
}

#[test]
fn every_suspect_takes_away_what_a_rerun_without_it_takes_away() {
    let (mut compared, mut features, mut windows) = (0, 0, 0);
    for seed in 0..14 {
        let mut scenario = random(seed, CROWDED);
        // the engine removes on the same draws; a plan without the suspect would draw what moves with it anew
        scenario.dependence.correlations.clear();
        let scenario = tighten(&scenario);
        let projection = project(&scenario);
        let mut reruns = std::collections::BTreeMap::new();
        for cause in &projection.causes {
            let (limit, month) = (cause.limit as usize, cause.month as usize);
            let measure = |p: &Projection| {
                let limit = &p.limits[limit];
                if cause.by_hours {
                    limit.breach_hours[month]
                } else {
                    f64::from(limit.breach[month].count)
                }
            };
            let all = measure(&projection);
            for suspect in &cause.suspects {
                let rerun = reruns
                    .entry(suspect.id)
                    .or_insert_with(|| project(&without(&scenario, suspect.id)));
                let left = measure(rerun);
                let want = ((all - left) / all).clamp(0.0, 1.0);
                assert!(
                    (suspect.share - want).abs() < 1e-9,
                    "scenario {seed}, limit {limit}, month {month}, suspect {}: share {} but a rerun says {want}",
                    suspect.id.0,
                    suspect.share
                );
                compared += 1;
                if scenario.features.iter().any(|f| f.id == suspect.id) {
                    features += 1;
                } else {
                    windows += 1;
                }
            }
        }
    }
    assert!(
        compared > 30 && features > 15 && windows > 3,
        "{compared}, {features}, {windows}"
    );
}
