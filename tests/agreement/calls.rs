//! Planned calls of a minute under a limit of calls, against minutes played call by call: few and lumpy ones, where the
//! planned count jumps from one whole number to the next.

use headroom::domain::quantity::{Quantity, Shape, WeightedValue};
use headroom::domain::scenario::{Id, PoolKind, Scenario};
use headroom::engine::columns::LimitPhysical;
use headroom::engine::plan::compile;
use headroom::engine::run::{Cache, Simulator};
use rand::SeedableRng;

use crate::brute::Rng;
use crate::brute::calendar::Calendar;
use crate::brute::demand::{FeatureDraw, FeatureLaw};
use crate::brute::law::{Load, MinuteLaw};
use crate::brute::requests::At;
use crate::closed_forms::plain;

const TRIALS: u32 = 1_000;

fn lumpy() -> Quantity {
    let part = |(value, weight)| WeightedValue { value, weight };
    Shape::Discrete([(1.0, 0.5), (4.0, 0.3), (9.0, 0.2)].map(part).to_vec()).into()
}

fn between(p10: f64, p90: f64) -> Quantity {
    Shape::Between { p10, p90 }.into()
}

/// Agents of 1, 4 or 9 calls of about nine seconds, in bursts.
fn agents() -> Scenario {
    let mut s = plain();
    s.pools[0].kind = PoolKind::PayAsYouGo {
        tokens_per_minute: None,
        requests_per_minute: Some(1_000.0),
        cached_reads_count: false,
    };
    s.models[0].sequence_tokens_per_second = 24.0;
    let f = &mut s.features[0];
    f.calls_per_request = lumpy();
    f.output_tokens.each = Shape::Uniform {
        min: 40.0,
        max: 390.0,
    }
    .into();
    f.max_retries = 2;
    f.noise.burstiness = 1.04;
    f.noise.burst_persistence = 0.16;
    s
}

/// Mean planned calls over what is uncertain, for requests from few to many.
fn by_engine(scenario: &Scenario, factors: &[f64]) -> Vec<f64> {
    let mut cache = Cache::default();
    let of = |factor: &f64| {
        let mut s = scenario.clone();
        for f in &mut s.features {
            if let Shape::Fixed(per_day) = &mut f.requests_per_day.shape {
                *per_day *= factor;
            }
        }
        let plan = compile(&s).expect("valid");
        let batch = Simulator::new(&plan, &mut cache).simulate(0, TRIALS);
        let at = plan.layout.limit_physical(0, LimitPhysical::Needed);
        let rows = batch.physical.chunks(plan.layout.physical_width());
        rows.map(|row| f64::from(row[at])).sum::<f64>() / f64::from(TRIALS)
    };
    factors.iter().map(of).collect()
}

fn by_brute_force(scenario: &Scenario, factors: &[f64], draws: u32) -> Vec<f64> {
    let calendar = Calendar::new(scenario.settings.start, 1);
    let laws: Vec<FeatureLaw> = scenario
        .features
        .iter()
        .map(|f| FeatureLaw::new(scenario, f, &calendar))
        .collect();
    let mut rng = Rng::seed_from_u64(9);
    let mut sums = vec![0.0; factors.len()];
    let most = factors.iter().fold(0.0, |a: f64, b| a.max(*b));
    for _ in 0..draws {
        let draws_of: Vec<FeatureDraw> =
            laws.iter().map(|f| FeatureDraw::new(f, &mut rng)).collect();
        let rates: Vec<f64> = draws_of
            .iter()
            .map(|d| d.requests_per_day / 1_440.0)
            .collect();
        let parts: Vec<_> = laws
            .iter()
            .zip(&draws_of)
            .zip(&rates)
            .map(|((law, draw), rate)| (law, draw, At::drift(1.0), rate * most))
            .collect();
        let load = Load::Key {
            cached_reads_count: false,
        };
        let minutes = if draws == 1 { 200_000 } else { 1_500 };
        let mut law = MinuteLaw::new(&parts, load, minutes, 1, &mut rng);
        for (sum, factor) in sums.iter_mut().zip(factors) {
            let now: Vec<f64> = rates.iter().map(|r| r * factor).collect();
            *sum += law.p95(&now)[1] / f64::from(draws);
        }
    }
    sums
}

#[test]
fn few_lumpy_calls_are_planned_as_minutes_played_one_by_one() {
    let with = |change: &dyn Fn(&mut Scenario)| {
        let mut s = agents();
        change(&mut s);
        s
    };
    let second = |s: &mut Scenario| {
        let mut f = s.features[0].clone();
        f.id = Id(2);
        f.calls_per_request = between(2.0, 7.0);
        f.noise.burstiness = 0.25;
        f.requests_per_day = Quantity::fixed(500.0);
        s.features.push(f);
    };
    let cases: [(&str, Scenario, u32); 7] = [
        ("as they are", with(&|_| ()), 1),
        (
            "no bursts",
            with(&|s| s.features[0].noise.burstiness = 0.0),
            1,
        ),
        (
            "repeats",
            with(&|s| s.features[0].retry_probability = Quantity::fixed(0.2)),
            1,
        ),
        (
            "longer output",
            with(&|s| s.features[0].output_tokens.level = Quantity::fixed(1.4)),
            1,
        ),
        (
            "uncertain repeats",
            with(&|s| s.features[0].retry_probability = between(0.02, 0.2)),
            300,
        ),
        (
            "both",
            with(&|s| {
                s.features[0].retry_probability = between(0.02, 0.3);
                s.features[0].output_tokens.level = between(0.7, 1.5);
            }),
            300,
        ),
        (
            "two features, one uncertain",
            with(&|s| {
                s.features[0].retry_probability = between(0.02, 0.2);
                second(s);
            }),
            300,
        ),
    ];
    // 300 requests a day: from one in 40 minutes to four a minute
    let factors: Vec<f64> = (0..16).map(|i| 0.12 * 1.37f64.powi(i)).collect();
    let mut bad = Vec::new();
    for (name, scenario, draws) in cases {
        assert!(scenario.problems().is_empty(), "{name}");
        // counts jump: a rate that is slightly off says by how much a planned count may differ
        let near = if draws == 1 { 1.02 } else { 1.05 };
        let around: Vec<f64> = factors
            .iter()
            .flat_map(|f| [f / near, *f, f * near])
            .collect();
        let ours = by_engine(&scenario, &factors);
        let theirs = by_brute_force(&scenario, &around, draws);
        let (mut a, mut b) = ([0.0; 4], [0.0; 4]);
        for ((factor, ours), theirs) in factors.iter().zip(&ours).zip(theirs.chunks(3)) {
            let which = [3.0, 8.0, 20.0].iter().filter(|x| **x < theirs[1]).count();
            a[which] += ours;
            b[which] += theirs[1];
            // 1,500 minutes cannot tell one call from none
            let known = draws == 1 || theirs[1] >= 1.0;
            if known && (*ours < theirs[0] - 0.05 || *ours > theirs[2] + 0.05) {
                bad.push(format!("{name}, × {factor:.2}: {ours}, played {theirs:?}"));
            }
        }
        // planned up to 3, 8, 20 calls a minute, and more
        let off = [0, 1, 2, 3].map(|i| format!("{:+.1} %", 100.0 * (a[i] / b[i] - 1.0)));
        println!("{name}: {}", off.join(", "));
    }
    assert!(bad.is_empty(), "{bad:#?}");
}
