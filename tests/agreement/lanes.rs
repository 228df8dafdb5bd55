//! Lanes against requests that are sorted one by one.

use headroom::domain::quantity::{Domain, Quantity, Shape};
use headroom::domain::scenario::{Id, Lanes, Model, Pool, PoolKind, PriceCard, Scenario};
use headroom::engine::projection::{Projection, RequestSizes, Summary};
use headroom::engine::run_all;
use rand::{RngExt, SeedableRng};

use crate::brute::Rng;
use crate::brute::calendar::Calendar;
use crate::brute::demand::{FeatureDraw, FeatureLaw, Minutes, Shock, hourly_rates, poisson};
use crate::brute::requests::{At, Attempt, request};
use crate::brute::shapes::Sampler;
use crate::brute::stats::mean_and_error;
use crate::closed_forms::plain;

const THRESHOLD: f64 = 2_500.0;
const TRIAGE: f64 = 0.002;

/// Short requests on a cheap model, long ones on a dear one under another key.
fn two_lanes(short: Quantity, long: Quantity) -> Scenario {
    let mut s = plain();
    s.models.push(Model {
        id: Id(21),
        price: Some(PriceCard {
            uncached_input: 9.0,
            cached_read: 1.0,
            output: 50.0,
        }),
        ..s.models[0].clone()
    });
    s.pools[0].kind = key(1e6);
    s.pools.push(Pool {
        id: Id(11),
        name: "long".into(),
        kind: key(2e6),
        ..s.pools[0].clone()
    });
    let f = &mut s.features[0];
    f.input_tokens.each = Shape::Between {
        p10: 400.0,
        p90: 4_000.0,
    }
    .into();
    f.output_tokens.each = Shape::Between {
        p10: 50.0,
        p90: 400.0,
    }
    .into();
    f.prefix_tokens = Quantity::fixed(500.0);
    f.cached_share = Quantity::fixed(0.6);
    f.noise.burstiness = 0.8;
    f.noise.burst_persistence = 0.3;
    f.lanes = Some(Lanes {
        threshold_tokens: THRESHOLD,
        pool: Id(11),
        model: Id(21),
        misrouted_short: short,
        misrouted_long: long,
        triage_cost_per_request: TRIAGE,
    });
    s
}

const fn key(tokens_per_minute: f64) -> PoolKind {
    PoolKind::PayAsYouGo {
        tokens_per_minute: Some(tokens_per_minute),
        requests_per_minute: None,
        cached_reads_count: false,
    }
}

/// One request: whether it is long, whether it is sent to the wrong lane, and its calls.
fn sorted(
    law: &FeatureLaw,
    draw: &FeatureDraw,
    wrong: [f64; 2],
    rng: &mut Rng,
    attempts: &mut Vec<Attempt>,
) -> (bool, bool) {
    request(law, draw, At::drift(1.0), rng, attempts);
    let long = attempts[0].uncached + attempts[0].cached > THRESHOLD;
    (long, rng.random::<f64>() < wrong[usize::from(long)])
}

fn run(s: &Scenario) -> Projection {
    run_all(s, 4_000, 5, &mut |_, _| {}).expect("a valid scenario")
}

/// Shares of the short and of the long requests that go to the wrong lane.
fn misrouted() -> [Quantity; 2] {
    let between = |p10, p90| Quantity::from(Shape::Between { p10, p90 });
    [between(0.02, 0.1), between(0.05, 0.3)]
}

#[test]
fn totals_by_lane_are_those_of_requests_sorted_one_by_one() {
    let [short, long] = misrouted();
    let mut s = two_lanes(short.clone(), long.clone());
    s.features[0].requests_per_day = Shape::Between {
        p10: 100.0,
        p90: 300.0,
    }
    .into();
    s.features[0].noise.hour_cv = 0.3;
    let ours = run(&s);
    let lane = &ours.lanes[0];

    let calendar = Calendar::new(s.settings.start, s.settings.horizon_months);
    let law = FeatureLaw::new(&s, &s.features[0], &calendar);
    let rates = [&short, &long].map(|q| Sampler::new(q, Domain::Share));
    let mut rng = Rng::seed_from_u64(3);
    let mut attempts = Vec::new();
    let mut columns: [Vec<f64>; 8] = Default::default();
    for _ in 0..1_500 {
        let draw = FeatureDraw::new(&law, &mut rng);
        let wrong = rates.each_ref().map(|r| r.draw(Domain::Share, &mut rng));
        let shock = Shock::draw(&s, &calendar, &mut rng);
        let hours = hourly_rates(&law, &draw, &[], &shock, &calendar, &mut rng);
        let mut chain = Minutes::new(law.burstiness, law.burst_persistence, &mut rng);
        let mut sums = [0.0; 8];
        for rate in hours {
            for _ in 0..60 {
                for _ in 0..poisson(rate / 60.0 * chain.next(&mut rng), &mut rng) {
                    let (is_long, is_wrong) = sorted(&law, &draw, wrong, &mut rng, &mut attempts);
                    let price = s.models[usize::from(is_long != is_wrong)]
                        .price
                        .expect("a price");
                    sums[0] += 1.0;
                    sums[3] += TRIAGE;
                    for a in &attempts {
                        let tokens = [a.uncached, a.cached, a.output];
                        let card = [price.uncached_input, price.cached_read, price.output];
                        let cost: f64 = tokens.iter().zip(card).map(|(t, p)| t * p / 1e6).sum();
                        sums[1] += a.uncached;
                        sums[2] += a.cached;
                        sums[3] += cost;
                        if is_long != is_wrong {
                            sums[4] += 1.0;
                            sums[5] += cost;
                        }
                        if is_wrong {
                            sums[6] += 1.0;
                            sums[7] += a.uncached;
                        }
                    }
                }
            }
        }
        for (column, sum) in columns.iter_mut().zip(sums) {
            column.push(sum);
        }
    }
    let f = &ours.features[0];
    let ours: [(&str, &Summary); 8] = [
        ("requests", &f.requests.months[0]),
        ("uncached", &f.uncached_input_tokens.months[0]),
        ("cached", &f.cached_read_tokens.months[0]),
        ("cost", &f.effective_cost.months[0]),
        ("long lane", &lane.long.requests.months[0]),
        ("its cost", &lane.long.effective_cost.months[0]),
        ("misrouted", &lane.misrouted.requests.months[0]),
        (
            "their tokens",
            &lane.misrouted.uncached_input_tokens.months[0],
        ),
    ];
    for ((name, summary), column) in ours.into_iter().zip(&mut columns) {
        let (mean, error) = mean_and_error(column);
        column.sort_by(f64::total_cmp);
        let p95 = column[column.len() * 95 / 100];
        println!(
            "{name}: mean {:+.2} %, p95 {:+.2} %",
            (summary.mean / mean - 1.0) * 100.0,
            (summary.p95() / p95 - 1.0) * 100.0
        );
        let slack = 4.0 * (error + summary.mean_error / 1.96);
        assert!(
            (summary.mean - mean).abs() <= slack,
            "{name}: {} {mean}",
            summary.mean
        );
        assert!(
            (summary.p95() / p95 - 1.0).abs() < 0.06,
            "{name}: {} {p95}",
            summary.p95()
        );
    }
}

#[test]
fn the_planned_minute_of_each_lane_is_that_of_minutes_played() {
    for (per_minute, tolerance) in [(3.0, 0.05), (60.0, 0.03)] {
        let mut s = two_lanes(Quantity::fixed(0.06), Quantity::fixed(0.2));
        s.features[0].requests_per_day = Quantity::fixed(per_minute * 1_440.0);
        let ours = run_all(&s, 100, 5, &mut |_, _| {}).expect("a valid scenario");
        let calendar = Calendar::new(s.settings.start, 1);
        let law = FeatureLaw::new(&s, &s.features[0], &calendar);
        let mut rng = Rng::seed_from_u64(6);
        let draw = FeatureDraw::new(&law, &mut rng);
        let mut chain = Minutes::new(law.burstiness, law.burst_persistence, &mut rng);
        let mut attempts = Vec::new();
        let mut loads: [Vec<f64>; 2] = Default::default();
        for _ in 0..150_000 {
            let mut minute = [0.0; 2];
            for _ in 0..poisson(per_minute * chain.next(&mut rng), &mut rng) {
                let (long, wrong) = sorted(&law, &draw, [0.06, 0.2], &mut rng, &mut attempts);
                minute[usize::from(long != wrong)] += attempts[0].uncached + attempts[0].output;
            }
            loads[0].push(minute[0]);
            loads[1].push(minute[1]);
        }
        for (limit, load) in ours.limits.iter().zip(&mut loads) {
            load.sort_by(f64::total_cmp);
            let want = load[load.len() * 95 / 100];
            let got = limit.needed[0].mean;
            println!(
                "{per_minute} a minute: {:+.1} %",
                (got / want - 1.0) * 100.0
            );
            assert!((got / want - 1.0).abs() < tolerance, "{got} against {want}");
        }
    }
}

/// The four parts add up to what was there before, in every trial.
#[test]
fn lanes_on_the_same_terms_change_nothing_but_the_triage() {
    let rate = || Quantity::from(Shape::Between { p10: 0.1, p90: 0.4 });
    let mut s = two_lanes(rate(), rate());
    if let Some(lanes) = &mut s.features[0].lanes {
        lanes.model = Id(20);
        lanes.pool = Id(10);
    }
    let with = run(&s);
    let lanes = s.features[0].lanes.take();
    let without = run(&s);
    let (a, b) = (&with.features[0], &without.features[0]);
    // a count on the edge of two may fall to either side
    let (x, y) = (&a.requests.months[0], &b.requests.months[0]);
    assert!((x.mean - y.mean).abs() < 0.01, "{} {}", x.mean, y.mean);
    assert!((x.p95() - y.p95()).abs() <= 1.0);
    let triage = lanes.expect("lanes").triage_cost_per_request * x.mean;
    let (x, y) = (&a.effective_cost.months[0], &b.effective_cost.months[0]);
    assert!((x.mean - triage - y.mean).abs() < 4.0 * x.mean_error + 4.0 * y.mean_error);
    assert!((x.mean - triage) / y.mean - 1.0 < 0.005);
    let split = &with.lanes[0];
    assert!(split.long.requests.months[0].mean < a.requests.months[0].mean);
}

/// Mean and percentiles of single costs.
fn told(costs: &mut [f64]) -> [f64; 5] {
    costs.sort_by(f64::total_cmp);
    let at = |permille: usize| costs[costs.len() * permille / 1_000];
    let mean = costs.iter().sum::<f64>() / costs.len() as f64;
    [mean, at(500), at(900), at(950), at(990)]
}

fn near(name: &str, ours: &RequestSizes, costs: &mut [f64], parts: [f64; 5]) {
    let [p50, p90, p95, p99, _] = ours.cost.p;
    let pairs = [ours.cost.mean, p50, p90, p95, p99].into_iter();
    for ((got, want), part) in pairs.zip(told(costs)).zip(parts) {
        println!("{name}: {:+.2} %", (got / want - 1.0) * 100.0);
        assert!((got / want - 1.0).abs() < part, "{name}: {got} {want}");
    }
}

/// Cost of single requests, of 4,000 trials with 100 requests each.
#[test]
fn one_request_costs_what_requests_sorted_one_by_one_cost() {
    let [short, long] = misrouted();
    let mut s = two_lanes(short.clone(), long.clone());
    s.features[0].output_tokens.level = Shape::Between {
        p10: 0.8,
        p90: 1.25,
    }
    .into();
    let ours = run(&s);
    let lane = &ours.lanes[0];
    let each = |sizes: &Option<RequestSizes>| sizes.expect("single requests");

    let calendar = Calendar::new(s.settings.start, s.settings.horizon_months);
    let law = FeatureLaw::new(&s, &s.features[0], &calendar);
    let rates = [&short, &long].map(|q| Sampler::new(q, Domain::Share));
    let mut rng = Rng::seed_from_u64(8);
    let mut attempts = Vec::new();
    let mut costs: [Vec<f64>; 3] = Default::default();
    for _ in 0..4_000 {
        let draw = FeatureDraw::new(&law, &mut rng);
        let wrong = rates.each_ref().map(|r| r.draw(Domain::Share, &mut rng));
        for _ in 0..100 {
            let (is_long, is_wrong) = sorted(&law, &draw, wrong, &mut rng, &mut attempts);
            let lane = usize::from(is_long != is_wrong);
            let price = s.models[lane].price.expect("a price");
            let mut cost = TRIAGE;
            for a in &attempts {
                cost += a.uncached * price.uncached_input / 1e6
                    + a.cached * price.cached_read / 1e6
                    + a.output * price.output / 1e6;
            }
            costs[0].push(cost);
            costs[1 + lane].push(cost);
        }
    }
    let parts = [0.01, 0.01, 0.02, 0.02, 0.03];
    let [all, short, long] = &mut costs;
    near("all", &each(&ours.features[0].each), all, parts);
    near("short lane", &each(&lane.short_each), short, parts);
    near("long lane", &each(&lane.long.each), long, parts);
}
