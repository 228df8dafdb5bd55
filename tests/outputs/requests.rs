//! Single requests against closed forms and against plain draws of requests.

use headroom::domain::quantity::{MixPart, Quantity, Shape, Varying};
use headroom::domain::scenario::Scenario;
use headroom::engine::inquiry::{Answer, Question};
use headroom::engine::plan::compile;
use headroom::engine::projection::RequestSizes;
use headroom::engine::run::{Cache, Simulator};
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
