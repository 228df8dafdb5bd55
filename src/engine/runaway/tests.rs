use super::*;
use crate::domain::gateway::{Runaways, SoftLimit};
use crate::domain::quantity::Quantity;
use crate::domain::scenario::Scenario;
use crate::engine::{
    columns::{FeaturePhysical, PoolMoney},
    plan::compile,
    run::{Cache, Simulator},
};
use crate::stories;

/// One live feature on a key, certain in everything: 1,000,000 requests a month.
fn scenario(runaways: Runaways, caps: Caps) -> Scenario {
    let mut s = stories::find("eleven-calls").expect("a story").scenario();
    s.seasons.clear();
    s.budgets.clear();
    s.commitments.clear();
    let key = s
        .pools
        .iter()
        .find(|p| matches!(p.kind, crate::domain::scenario::PoolKind::PayAsYouGo { .. }))
        .expect("a key")
        .id;
    s.features.truncate(1);
    let f = &mut s.features[0];
    f.pool = key;
    f.requests_per_day = Quantity::fixed(1_000_000.0 / 30.0);
    f.growth_per_month = Quantity::fixed(0.0);
    f.launch = crate::domain::scenario::Launch::Live;
    f.retire = None;
    f.token_drift_per_month = Quantity::fixed(0.0);
    f.input_tokens.level = Quantity::one();
    f.output_tokens.level = Quantity::one();
    f.noise.hour_cv = 0.0;
    f.runaways = Some(runaways);
    f.caps = caps;
    s.notes.clear();
    s
}

fn runaways(per_million: f64, tokens_per_hour: f64, hours: f64) -> Runaways {
    Runaways {
        per_million_requests: Quantity::fixed(per_million),
        tokens_per_hour: Quantity::fixed(tokens_per_hour),
        hours_until_found: Quantity::fixed(hours),
    }
}

/// Begun, burned tokens, their cost: sums over months and means over trials.
fn played(s: &Scenario) -> [f64; 3] {
    let plan = compile(s).expect("valid");
    let trials = 400;
    let batch = Simulator::new(&plan, &mut Cache::default()).simulate(0, trials);
    let layout = plan.layout;
    [
        FeaturePhysical::Runaways,
        FeaturePhysical::RunawayTokens,
        FeaturePhysical::RunawayCost,
    ]
    .map(|which| {
        let first = layout.feature_physical(0, which);
        batch
            .physical
            .chunks(layout.physical_width())
            .map(|row| row[first..first + layout.months].iter().sum::<f32>())
            .map(f64::from)
            .sum::<f64>()
            / f64::from(trials)
    })
}

/// A loop found after 11 days whose burn costs $47,000; with a cap per request it costs the cap.
#[test]
fn a_loop_that_is_found_after_eleven_days() {
    let hours = 11.0 * 24.0;
    let [begun, tokens, cost] = played(&scenario(runaways(1.0, 1e6, hours), Caps::default()));
    let per_token = cost / tokens;
    let burn = 47_000.0 / per_token / hours;
    let with = |caps| {
        let s = scenario(runaways(1.0, burn, hours), caps);
        let [begun, tokens, cost] = played(&s);
        assert!(begun > 5.0, "{begun}");
        (tokens / begun, cost / begun)
    };
    assert!(begun > 5.0);
    // the last ones burn beyond the horizon's end: 11 of some 550 days
    let (_, cost) = with(Caps::default());
    let months = scenario(runaways(1.0, burn, hours), Caps::default())
        .settings
        .horizon_months;
    let inside = 1.0 - 5.5 / (30.44 * f64::from(months));
    assert!(
        (cost / (47_000.0 * inside) - 1.0).abs() < 0.02,
        "{cost} of 47,000, {inside} of them inside"
    );
    let cap = 2_000_000.0;
    let (tokens, cost) = with(Caps {
        tokens: Some(cap),
        ..Caps::default()
    });
    assert!((tokens / cap - 1.0).abs() < 1e-3, "{tokens}");
    // the cap changes the mix of the feature a little
    assert!((cost / (cap * per_token) - 1.0).abs() < 0.1, "{cost}");
    let (tokens, _) = with(Caps {
        seconds: Some(3_600.0),
        ..Caps::default()
    });
    assert!(
        (tokens / burn - 1.0).abs() < 1e-3,
        "an hour's burn: {tokens}"
    );
    let (tokens, _) = with(Caps {
        tokens: Some(cap),
        soft: Some(SoftLimit {
            of: CapKind::Tokens,
            at: 0.5,
            then: SoftAction::Stop,
        }),
        ..Caps::default()
    });
    assert!((tokens / (0.5 * cap) - 1.0).abs() < 1e-3, "{tokens}");
}

/// What runaways cost is in the bill and in the tokens, and nowhere else.
#[test]
fn runaways_are_spend() {
    let mut s = scenario(runaways(0.5, 3e7, 100.0), Caps::default());
    let sum = |s: &Scenario| {
        let plan = compile(s).expect("valid");
        let batch = Simulator::new(&plan, &mut Cache::default()).simulate(0, 200);
        let layout = plan.layout;
        let pool = s.pools.iter().position(|p| p.id == s.features[0].pool);
        let first = layout.pool_money(pool.unwrap_or(0), PoolMoney::UsageList);
        let money: f64 = batch
            .money
            .chunks(layout.money_width())
            .map(|row| row[first..first + layout.months].iter().sum::<f64>())
            .sum();
        let physical = |which| {
            let first = layout.feature_physical(0, which);
            batch
                .physical
                .chunks(layout.physical_width())
                .flat_map(|row| &row[first..first + layout.months])
                .map(|x| f64::from(*x))
                .sum::<f64>()
        };
        (
            money,
            physical(FeaturePhysical::RunawayCost),
            physical(FeaturePhysical::Requests),
        )
    };
    let (with, cost, requests) = sum(&s);
    s.features[0].runaways = None;
    let (without, none, same) = sum(&s);
    assert_eq!((none, requests), (0.0, same));
    assert!(cost > 0.0);
    assert!(((with - without) / cost - 1.0).abs() < 1e-4);
}

#[test]
fn burns_go_over_the_ends_of_months() {
    let month = |index: usize| Month {
        index,
        first: 720 * index as u32,
        hours: 720,
        block: 0,
    };
    let burns = [Burn {
        start: 700.5,
        end: 1_500.0,
        tokens_per_hour: 10.0,
    }];
    let of = |index| burned(&burns, &month(index));
    assert_eq!((of(0), of(1), of(2)), (195.0, 7_200.0, 600.0));
    let mut row = vec![0.0; 720];
    spread(&burns, &month(0), 195.0, &mut row);
    assert!((row.iter().sum::<f64>() - 195.0).abs() < 1e-9);
    assert_eq!((row[699], row[700], row[701]), (0.0, 5.0, 10.0));
}
