//! Caps, tools and runaways against the brute force: small scenarios, and the share of requests that caps stop where the
//! typical level is not known.

use headroom::domain::gateway::Caps;
use headroom::domain::quantity::{Quantity, Shape};
use headroom::domain::scenario::Scenario;
use headroom::engine::columns::FeaturePhysical;
use headroom::engine::plan::compile;
use headroom::engine::run::{Cache, Simulator};
use rand::SeedableRng;

use crate::brute::calendar::Calendar;
use crate::brute::demand::{FeatureDraw, FeatureLaw};
use crate::brute::requests::{At, request};
use crate::brute::scenarios::capped;
use crate::brute::{CAPPED, Rng};
use crate::futures::agree;

#[test]
fn capped_scenarios_have_no_problems() {
    for seed in CAPPED {
        let problems = capped(seed).problems();
        assert!(problems.is_empty(), "{seed}: {problems:?}");
    }
}

#[test]
fn the_engine_agrees_with_the_brute_force_under_caps() {
    agree(CAPPED.map(|seed| (seed, capped(seed))), 0.02);
}

/// One agent on a key whose typical levels, drift and retries are uncertain, under a cap of tokens.
fn uncertain(caps: Caps, change: impl Fn(&mut Scenario)) -> Scenario {
    let mut s = capped(11);
    s.features.truncate(1);
    s.settings.horizon_months = 1;
    let f = &mut s.features[0];
    f.calls_per_request = Shape::Between {
        p10: 4.0,
        p90: 16.0,
    }
    .into();
    f.input_tokens.each = Shape::Between {
        p10: 800.0,
        p90: 4_000.0,
    }
    .into();
    f.input_tokens.level = Quantity::one();
    f.context_growth_tokens = Quantity::fixed(300.0);
    f.output_tokens.each = Shape::Lognormal {
        mu: 5.0,
        sigma: 1.0,
    }
    .into();
    f.output_tokens.level = Quantity::one();
    f.retry_probability = Quantity::fixed(0.0);
    f.token_drift_per_month = Quantity::fixed(0.0);
    f.requests_per_day = Quantity::fixed(2_000_000.0);
    f.growth_per_month = Quantity::fixed(0.0);
    f.launch = headroom::domain::scenario::Launch::Live;
    f.retire = None;
    f.max_retries = 2;
    f.caps = caps;
    change(&mut s);
    s
}

/// Shares of requests stopped, and tokens per request, by trial.
fn by_engine(scenario: &Scenario) -> [Vec<f64>; 2] {
    let plan = compile(scenario).expect("valid");
    let layout = plan.layout;
    let batch = Simulator::new(&plan, &mut Cache::default()).simulate(0, 2_000);
    let at = |row: &[f32], which| f64::from(row[layout.feature_physical(0, which)]);
    let rows = || batch.physical.chunks(layout.physical_width());
    let requests = |row: &[f32]| at(row, FeaturePhysical::Requests).max(1.0);
    [
        rows()
            .map(|r| at(r, FeaturePhysical::StoppedRequests) / requests(r))
            .collect(),
        rows()
            .map(|r| {
                let tokens = at(r, FeaturePhysical::UncachedInput)
                    + at(r, FeaturePhysical::CachedRead)
                    + at(r, FeaturePhysical::Output);
                tokens / requests(r)
            })
            .collect(),
    ]
}

fn by_brute_force(scenario: &Scenario) -> [Vec<f64>; 2] {
    let settings = &scenario.settings;
    let calendar = Calendar::new(settings.start, settings.horizon_months);
    let law = FeatureLaw::new(scenario, &scenario.features[0], &calendar);
    let mut rng = Rng::seed_from_u64(3);
    let mut attempts = Vec::new();
    let mut out = [Vec::new(), Vec::new()];
    for _ in 0..500 {
        let draw = FeatureDraw::new(&law, &mut rng);
        let drift = (1.0 + draw.drift).powf(0.5);
        let (mut stopped, mut tokens) = (0.0, 0.0);
        let n = 6_000;
        for _ in 0..n {
            let ended = request(&law, &draw, At::drift(drift), &mut rng, &mut attempts);
            stopped += f64::from(u8::from(ended.stopped)) / f64::from(n);
            let spent = |a: &crate::brute::requests::Attempt| a.uncached + a.cached + a.output;
            tokens += attempts.iter().map(spent).sum::<f64>() / f64::from(n);
        }
        out[0].push(stopped);
        out[1].push(tokens);
    }
    out
}

#[test]
fn the_share_of_requests_stopped_varies_by_trial_as_brute_force_says() {
    let level = |p10, p90| -> Quantity { Shape::Between { p10, p90 }.into() };
    let caps = Caps {
        tokens: Some(60_000.0),
        ..Caps::default()
    };
    let cases: [(&str, Scenario); 4] = [
        (
            "level of the input",
            uncertain(caps, |s| s.features[0].input_tokens.level = level(0.6, 1.6)),
        ),
        (
            "both levels",
            uncertain(caps, |s| {
                s.features[0].input_tokens.level = level(0.7, 1.4);
                s.features[0].output_tokens.level = level(0.6, 1.8);
            }),
        ),
        (
            "level, drift and retries",
            uncertain(caps, |s| {
                let f = &mut s.features[0];
                f.input_tokens.level = level(0.7, 1.4);
                f.token_drift_per_month = Shape::Between { p10: 0.0, p90: 0.1 }.into();
                f.retry_probability = level(0.02, 0.2);
            }),
        ),
        (
            "errors in a row",
            uncertain(
                Caps {
                    identical_errors: Some(2),
                    ..Caps::default()
                },
                |s| s.features[0].retry_probability = level(0.05, 0.3),
            ),
        ),
    ];
    let mut bad = Vec::new();
    for (name, scenario) in cases {
        assert!(
            scenario.problems().is_empty(),
            "{name}: {:?}",
            scenario.problems()
        );
        let (engine, brute) = (by_engine(&scenario), by_brute_force(&scenario));
        for (what, mut engine, mut brute) in [
            ("stopped", engine[0].clone(), brute[0].clone()),
            ("tokens", engine[1].clone(), brute[1].clone()),
        ] {
            engine.sort_by(f64::total_cmp);
            brute.sort_by(f64::total_cmp);
            let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
            let at = |v: &[f64], p: f64| v[(v.len() as f64 * p) as usize];
            let mut line = format!("{name}, {what}:");
            for (label, got, want, tolerance) in [
                ("mean", mean(&engine), mean(&brute), 0.05),
                ("p10", at(&engine, 0.1), at(&brute, 0.1), 0.12),
                ("p50", at(&engine, 0.5), at(&brute, 0.5), 0.08),
                ("p90", at(&engine, 0.9), at(&brute, 0.9), 0.08),
            ] {
                line += &format!(
                    " {label} {got:.4} {want:.4} ({:+.1} %);",
                    (got / want - 1.0) * 100.0
                );
                // half a point of the share, or the tolerance
                let absolute = if what == "stopped" { 0.005 } else { 0.0 };
                if (got - want).abs() > absolute + tolerance * want {
                    bad.push(line.clone());
                }
            }
            println!("{line}");
            // it varies: a scaled total would not
            assert!(at(&brute, 0.9) > 1.1 * at(&brute, 0.1), "{name} {what}");
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}
