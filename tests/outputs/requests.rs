//! Single requests against closed forms and against plain draws of requests.

use headroom::domain::quantity::{MixPart, Quantity, Shape, Varying};
use headroom::domain::scenario::{
    Id, Lanes, Model, Pool, PoolKind, PriceCard, Scenario, ServingProfile,
};
use headroom::engine::inquiry::{Answer, Question};
use headroom::engine::plan::compile;
use headroom::engine::projection::{RequestQuantity, RequestSizes};
use headroom::engine::run::{Cache, Simulator};
use headroom::engine::run_all;
use headroom::stories;

/// What requests of a plan's first feature are like.
fn sizes(scenario: &Scenario) -> RequestSizes {
    let plan = compile(scenario).expect("a plan");
    let mut simulator = Simulator::new(&plan, &mut Cache::default());
    let Answer::Rows(rows) = simulator.answer(&Question::Requests, 0, 1) else {
        panic!("rows");
    };
    RequestSizes::read(&rows.money).expect("sizes")
}

/// One feature that writes and reads nothing.
fn plain() -> Scenario {
    let mut scenario = stories::find("two-populations")
        .expect("a story")
        .scenario();
    scenario.features[0].input_tokens = Quantity::fixed(1.0).into();
    scenario
}

fn near(x: f64, wanted: f64, part: f64) {
    assert!((x / wanted - 1.0).abs() < part, "{x} is not {wanted}");
}

/// Two fixed populations.
fn mixture(large: f64) -> Varying {
    let part = |weight, tokens| MixPart {
        weight,
        part: Shape::Fixed(tokens),
    };
    let shape = Shape::Mix(vec![part(0.95, 5_000.0), part(0.05, large)]);
    Quantity::from(shape).into()
}

#[test]
fn two_populations_are_exact() {
    let mut scenario = plain();
    scenario.features[0].output_tokens = mixture(800_000.0);
    let each = sizes(&scenario);
    near(each.written.mean, 44_750.0, 1e-6);
    near(each.written.p[0], 5_000.0, 5e-4);
    near(each.written.p[1], 5_000.0, 5e-4);
    near(each.written.p[3], 800_000.0, 5e-4);
    near(each.written.p[4], 800_000.0, 5e-4);
    assert!(
        (each.costliest_share - 0.894).abs() < 5e-4,
        "{}",
        each.costliest_share
    );
    assert!((each.costliest_share - 40_000.0 / 44_750.0).abs() < 2e-4);
}

/// Quantile of the standard normal.
fn normal(p: f64) -> f64 {
    use statrs::distribution::{ContinuousCDF, Normal};
    Normal::new(0.0, 1.0).expect("a normal").inverse_cdf(p)
}

#[test]
fn lognormal_requests_with_a_lognormal_level_are_lognormal() {
    // tokens of deviation 1, level of deviation 0.3: the product has sqrt(1.09)
    let mut scenario = plain();
    scenario.settings.trials = 10_000;
    let lognormal = |mu, sigma| Quantity::from(Shape::Lognormal { mu, sigma });
    scenario.features[0].output_tokens = Varying {
        each: lognormal(1_000_f64.ln(), 1.0),
        level: lognormal(0.0, 0.3),
    };
    let each = sizes(&scenario);
    let sigma = 1.09_f64.sqrt();
    let found = each.written.p;
    for ((p, x), within) in [0.5, 0.9, 0.95, 0.99, 0.999]
        .into_iter()
        .zip(found)
        .zip([0.01, 0.01, 0.01, 0.02, 0.05])
    {
        let wanted = 1_000.0 * (sigma * normal(p)).exp();
        println!(
            "p{p}: {x:.0} against {wanted:.0}: {:+.2} %",
            100.0 * (x / wanted - 1.0)
        );
        near(x, wanted, within);
    }
    near(each.written.mean, 1_000.0 * (1.09_f64 / 2.0).exp(), 0.01);
    // the top 5 % of a lognormal hold 1 - Phi(z95 - sigma)
    let wanted = 1.0 - {
        use statrs::distribution::{ContinuousCDF, Normal};
        Normal::new(0.0, 1.0)
            .expect("a normal")
            .cdf(normal(0.95) - sigma)
    };
    println!("share {:.4} against {wanted:.4}", each.costliest_share);
    assert!(
        (each.costliest_share - wanted).abs() < 0.01,
        "{} {wanted}",
        each.costliest_share
    );
}

#[test]
fn turns_add_up() {
    // 10 turns of 1,000 tokens that grow by 2,000: 100,000 read
    let scenario = stories::find("creeping-context")
        .expect("a story")
        .scenario();
    let each = sizes(&scenario);
    assert_eq!(each.read.p, [100_000.0; 5]);
    assert_eq!(each.written.p, [4_000.0; 5]);
    assert!((each.costliest_share - 0.05).abs() < 1e-9);
}

/// Short requests of 1,000 tokens on two GPUs, long ones of 10,000 under a key; 10 % and 20 % sent wrong. The threshold is
/// the short ones' very size.
fn lane_beside_gpus() -> Scenario {
    let mut s = plain();
    s.pools[0].kind = PoolKind::GpuCluster {
        target_utilisation: 0.8,
        on_demand_rate_per_gpu_hour: 3.6,
        burst: None,
    };
    s.pools.push(Pool {
        id: Id(901),
        kind: PoolKind::PayAsYouGo {
            tokens_per_minute: None,
            requests_per_minute: None,
            cached_reads_count: false,
        },
        ..s.pools[0].clone()
    });
    s.models[0].serving = Some(ServingProfile {
        gpus_per_replica: 2,
        prefill_tokens_per_second: 1_000.0,
        decode_tokens_per_second: 100.0,
        concurrent_sequences: 16,
        minimum_replicas: 1,
    });
    s.models.push(Model {
        id: Id(902),
        price: Some(PriceCard {
            uncached_input: 10.0,
            cached_read: 1.0,
            output: 0.0,
        }),
        ..s.models[0].clone()
    });
    let part = |weight, tokens| MixPart {
        weight,
        part: Shape::Fixed(tokens),
    };
    let sizes = Shape::Mix(vec![part(0.95, 1_000.0), part(0.05, 10_000.0)]);
    let f = &mut s.features[0];
    f.input_tokens = Quantity::from(sizes).into();
    f.output_tokens = Quantity::fixed(100.0).into();
    f.cached_share = Quantity::fixed(0.0);
    f.lanes = Some(Lanes {
        threshold_tokens: 1_000.0,
        pool: Id(901),
        model: Id(902),
        misrouted_short: Quantity::fixed(0.1),
        misrouted_long: Quantity::fixed(0.2),
        triage_cost_per_request: 0.001,
    });
    s
}

/// What one request costs: of all, and of either lane.
fn told(s: &Scenario) -> [RequestQuantity; 3] {
    let p = run_all(s, 100, 1, &mut |_, _| {}).expect("a valid scenario");
    let costs = [
        p.features[0].each,
        p.lanes[0].short_each,
        p.lanes[0].long.each,
    ];
    costs.map(|each| each.expect("single requests").cost)
}

#[test]
fn a_lane_on_gpus_beside_a_paid_one_is_priced_at_the_on_demand_rate() {
    // GPU-seconds of a short and of a long request: (tokens read / 1,000 + 1) × 2
    let on_gpus = [4.0, 22.0];
    let [short_right, short_wrong, long_right, long_wrong] = [0.855, 0.095, 0.04, 0.01];
    let mut s = lane_beside_gpus();
    let [all, short, long] = told(&s);
    let short_lane = short_right * on_gpus[0] * 0.001 + long_wrong * on_gpus[1] * 0.001;
    let long_lane = short_wrong * 0.01 + long_right * 0.1;
    near(all.mean, short_lane + long_lane + 0.001, 1e-3);
    near(
        short.mean,
        short_lane / (short_right + long_wrong) + 0.001,
        1e-3,
    );
    near(
        long.mean,
        long_lane / (short_wrong + long_right) + 0.001,
        3e-3,
    );
    // 85.5 % at 0.005, 9.5 % at 0.011, 1 % at 0.023, 4 % at 0.101
    for (got, want) in all.p.into_iter().zip([0.005, 0.011, 0.011, 0.101, 0.101]) {
        near(got, want, 1e-3);
    }
    // both on GPUs: GPU-seconds, and the money of the triage is none
    s.pools[1].kind = s.pools[0].kind.clone();
    let [all, ..] = told(&s);
    near(all.mean, 0.95 * on_gpus[0] + 0.05 * on_gpus[1], 1e-3);
}
