//! The brute force against what can be computed by hand.

use headroom::domain::quantity::{MixPart, Quantity, Shape};
use headroom::domain::scenario::{Burst, Commitment, DateRange, SeasonalWindow, Touches};
use headroom::domain::scenario::{
    CommitmentKind, Feature, Id, Launch, Model, Noise, Pool, PoolKind, PriceCard, Scenario,
    ServingProfile, Settings, SpendBasis, WeeklyProfile,
};
use jiff::civil::date;

use crate::brute::stats::mean_and_error;
use crate::brute::{Column, Effort, What, simulate};

/// For what does not depend on the law of a minute, which costs the most to find.
const EFFORT: Effort = Effort {
    trials: 400,
    shared_minutes: 400,
    own_minutes: 400,
    rounded_minutes: 400,
};

/// For needs, which are read from that law.
const MINUTES: Effort = Effort {
    trials: 400,
    shared_minutes: 40_000,
    own_minutes: 4_000,
    rounded_minutes: 40_000,
};

/// One live feature on a key, everything fixed, no noise.
pub fn plain() -> Scenario {
    Scenario {
        format: 1,
        name: "plain".into(),
        settings: Settings {
            start: date(2027, 2, 1),
            horizon_months: 1,
            time_zone: "UTC".into(),
            currency: "USD".into(),
            fiscal_year_start_month: 1,
            seed: 1,
            trials: 1_000,
        },
        features: vec![Feature {
            id: Id(1),
            name: "feature".into(),
            pool: Id(10),
            model: Id(20),
            launch: Launch::Live,
            retire: None,
            requests_per_day: Quantity::fixed(300.0),
            growth_per_month: Quantity::fixed(0.0),
            weekly_profile: WeeklyProfile::default(),
            calls_per_request: Quantity::fixed(1.0),
            input_tokens: Quantity::fixed(1_000.0).into(),
            context_growth_tokens: Quantity::fixed(0.0),
            prefix_tokens: Quantity::fixed(0.0),
            cached_share: Quantity::fixed(0.0),
            output_tokens: Quantity::fixed(100.0).into(),
            retry_probability: Quantity::fixed(0.0),
            max_retries: 0,
            token_drift_per_month: Quantity::fixed(0.0),
            tools: Default::default(),
            caps: Default::default(),
            runaways: None,
            noise: Noise {
                hour_cv: 0.0,
                hour_persistence: 0.0,
                burstiness: 0.0,
                burst_persistence: 0.0,
                shock_loading: 1.0,
            },
            by_hour: Default::default(),
            lanes: None,
        }],
        models: vec![Model {
            id: Id(20),
            name: "model".into(),
            ttft_seconds: 0.5,
            sequence_tokens_per_second: 50.0,
            context_window_tokens: None,
            price: Some(PriceCard {
                uncached_input: 3.0,
                cached_read: 0.3,
                output: 15.0,
            }),
            serving: Some(ServingProfile {
                gpus_per_replica: 2,
                prefill_tokens_per_second: 100.0,
                decode_tokens_per_second: 50.0,
                concurrent_sequences: 4,
                minimum_replicas: 1,
            }),
        }],
        pools: vec![Pool {
            id: Id(10),
            name: "key".into(),
            acceptable_chance: 0.1,
            kind: PoolKind::PayAsYouGo {
                tokens_per_minute: Some(10_000.0),
                requests_per_minute: Some(10.0),
                cached_reads_count: false,
            },
        }],
        commitments: vec![],
        seasons: vec![],
        budgets: vec![],
        dependence: Default::default(),
        notes: Default::default(),
    }
}

fn values(columns: &[Column], what: What, month: usize) -> Vec<f64> {
    columns
        .iter()
        .find(|c| c.what == what && c.month == month)
        .expect("a column")
        .values
        .clone()
}

fn mean_is(columns: &[Column], what: What, month: usize, want: f64) {
    let (mean, error) = mean_and_error(&values(columns, what, month));
    assert!(
        (mean - want).abs() <= 4.0 * error + 1e-9 * want.abs(),
        "{what:?} in month {month}: {mean} ± {error}, by hand {want}"
    );
}

fn variance_is(columns: &[Column], what: What, month: usize, want: f64) {
    let v = values(columns, what, month);
    let (mean, _) = mean_and_error(&v);
    let squares: Vec<f64> = v.iter().map(|x| (x - mean).powi(2)).collect();
    let (variance, error) = mean_and_error(&squares);
    assert!(
        (variance - want).abs() <= 4.0 * error,
        "variance of {what:?}: {variance} ± {error}, by hand {want}"
    );
}

#[test]
fn counts_tokens_and_money_of_a_plain_month() {
    let columns = simulate(&plain(), EFFORT, 1);
    let requests = 28.0 * 300.0;
    mean_is(&columns, What::Requests(0), 0, requests);
    variance_is(&columns, What::Requests(0), 0, requests);
    mean_is(&columns, What::Uncached(0), 0, requests * 1_000.0);
    mean_is(&columns, What::Output(0), 0, requests * 100.0);
    mean_is(
        &columns,
        What::Effective,
        0,
        requests * (3_000.0 + 1_500.0) / 1e6,
    );
}

#[test]
fn bursts_widen_hours_as_the_formula_says() {
    let mut s = plain();
    let (c, rho) = (1.2, 0.4);
    s.features[0].noise.burstiness = c;
    s.features[0].noise.burst_persistence = rho;
    s.features[0].requests_per_day = Quantity::fixed(2_400.0);
    let columns = simulate(&s, EFFORT, 2);
    let requests = 28.0 * 2_400.0;
    mean_is(&columns, What::Requests(0), 0, requests);
    // The sum over n minutes: M + (M c)^2 h with h of docs/model.md for n instead of 60 minutes.
    let n = 28.0 * 1_440.0;
    let h = ((1.0 + rho) / (1.0 - rho)
        - 2.0 * rho * (1.0 - f64::powf(rho, n)) / (n * (1.0 - rho).powi(2)))
        / n;
    variance_is(
        &columns,
        What::Requests(0),
        0,
        requests + (requests * c).powi(2) * h,
    );
}

#[test]
fn calls_growth_caching_and_retries_multiply_as_by_hand() {
    let mut s = plain();
    let f = &mut s.features[0];
    f.requests_per_day = Quantity::fixed(60.0);
    f.calls_per_request = Shape::Mix(vec![
        MixPart {
            weight: 1.0,
            part: Shape::Fixed(2.0),
        },
        MixPart {
            weight: 3.0,
            part: Shape::Fixed(5.0),
        },
    ])
    .into();
    f.context_growth_tokens = Quantity::fixed(400.0);
    f.prefix_tokens = Quantity::fixed(600.0);
    f.cached_share = Quantity::fixed(0.5);
    f.retry_probability = Quantity::fixed(0.2);
    f.max_retries = 2;
    let columns = simulate(&s, EFFORT, 3);
    let requests = 28.0 * 60.0;
    let attempts = 1.0 + 0.2 + 0.04;
    mean_is(
        &columns,
        What::Calls(0),
        0,
        requests * attempts * (2.0 + 3.0 * 5.0) / 4.0,
    );
    let of = |calls: u32| {
        let input = |j: u32| 1_000.0 + 400.0 * f64::from(j);
        let cached: f64 = (0..calls)
            .map(|j| 0.5 * if j == 0 { 600.0 } else { input(j - 1) })
            .sum();
        let all: f64 = (0..calls).map(input).sum();
        (all - cached, cached)
    };
    let mean = |f: fn((f64, f64)) -> f64| (f(of(2)) + 3.0 * f(of(5))) / 4.0;
    mean_is(
        &columns,
        What::Uncached(0),
        0,
        requests * attempts * mean(|x| x.0),
    );
    mean_is(
        &columns,
        What::Cached(0),
        0,
        requests * attempts * mean(|x| x.1),
    );
}

#[test]
fn hour_noise_keeps_the_mean_and_adds_its_variance() {
    let mut s = plain();
    s.features[0].noise.hour_cv = 0.5;
    s.features[0].noise.hour_persistence = 0.6;
    let columns = simulate(&s, EFFORT, 4);
    let (requests, hours) = (28.0 * 300.0, 28.0 * 24.0);
    mean_is(&columns, What::Requests(0), 0, requests);
    // Covariance of lognormal hours at lag k: (1 + cv^2)^(rho^k) - 1, summed over all pairs.
    let covariance = |k: f64| 1.25f64.powf(0.6f64.powf(k)) - 1.0;
    let pairs: f64 = hours * covariance(0.0)
        + (1..672)
            .map(|k| 2.0 * (hours - f64::from(k)) * covariance(k.into()))
            .sum::<f64>();
    variance_is(
        &columns,
        What::Requests(0),
        0,
        requests + (requests / hours).powi(2) * pairs,
    );
}

#[test]
fn launch_ramp_growth_windows_and_profile_are_dated() {
    let mut s = plain();
    s.settings.horizon_months = 2;
    let mut late = s.features[0].clone();
    late.id = Id(2);
    late.launch = Launch::Planned {
        date: date(2027, 2, 10),
        slip_days: Quantity::fixed(2.5),
        ramp_days: Quantity::fixed(0.0),
    };
    late.retire = Some(date(2027, 3, 6));
    let mut ramp = late.clone();
    ramp.id = Id(3);
    ramp.retire = None;
    ramp.launch = Launch::Planned {
        date: date(2027, 2, 1),
        slip_days: Quantity::fixed(0.0),
        ramp_days: Quantity::fixed(28.0),
    };
    s.features[0].growth_per_month = Quantity::fixed(0.3);
    s.features.extend([late, ramp]);
    s.seasons.push(SeasonalWindow {
        id: Id(30),
        name: "window".into(),
        dates: vec![DateRange {
            first: date(2027, 3, 3),
            last: date(2027, 3, 4),
        }],
        yearly: false,
        multiplier: Quantity::fixed(2.0),
        ramp_in_days: 0,
        ramp_out_days: 0,
        touches: Touches::Only(vec![Id(2)]),
    });
    let columns = simulate(&s, EFFORT, 5);
    // Growth of 30 % per month, continuous: the mean over a month is the integral.
    let integral = |from: i32| (1.3f64.powi(from + 1) - 1.3f64.powi(from)) / 1.3f64.ln();
    mean_is(&columns, What::Requests(0), 0, 300.0 * 28.0 * integral(0));
    mean_is(&columns, What::Requests(0), 1, 300.0 * 31.0 * integral(1));
    mean_is(&columns, What::Requests(1), 0, 300.0 * (28.0 - 11.5));
    mean_is(&columns, What::Requests(1), 1, 300.0 * (5.0 + 2.0));
    // A logistic from 1 % to 99 % is symmetric: half of the month.
    mean_is(&columns, What::Requests(2), 0, 300.0 * 14.0);
}

#[test]
fn minutes_of_light_calls_are_poisson_at_p95() {
    let mut s = plain();
    s.features[0].requests_per_day = Quantity::fixed(7_200.0);
    let columns = simulate(
        &s,
        Effort {
            trials: 3,
            ..MINUTES
        },
        6,
    );
    // Poisson(5): P(N <= 8) = 0.932, P(N <= 9) = 0.968.
    assert_eq!(
        values(&columns, What::Headroom(0), 0)[0],
        10_000.0 - 9.0 * 1_100.0
    );
    assert_eq!(values(&columns, What::Headroom(1), 0)[0], 1.0);
}

#[test]
fn a_cluster_needs_replicas_for_work_and_for_calls_in_flight() {
    let mut s = plain();
    s.pools[0].kind = PoolKind::GpuCluster {
        target_utilisation: 0.7,
        on_demand_rate_per_gpu_hour: 7.0,
        burst: Some(Burst {
            max_gpus: 5,
            rate_per_gpu_hour: 8.0,
        }),
    };
    s.features[0].requests_per_day = Quantity::fixed(7_200.0);
    s.commitments.push(Commitment {
        id: Id(40),
        name: "reserved".into(),
        start: date(2027, 2, 1),
        term_months: 2,
        kind: CommitmentKind::ReservedCapacity {
            pool: Id(10),
            gpus: 4,
            rate_per_gpu_hour: 3.0,
            upfront_share: 0.5,
        },
    });
    let effort = Effort {
        trials: 50,
        ..MINUTES
    };
    // A call works 1000/100 + 100/50 = 12 s; 9 calls in the p95 minute: 1.8 replicas, at 70 % 2.57, so 3 of 2 GPUs.
    let columns = simulate(&s, effort, 7);
    let hours = 28.0 * 24.0;
    mean_is(&columns, What::NeededGpuHours(0), 0, 6.0 * hours);
    mean_is(
        &columns,
        What::BusyGpuHours(0),
        0,
        28.0 * 7_200.0 * 12.0 * 2.0 / 3_600.0,
    );
    mean_is(&columns, What::BurstGpuHours(0), 0, 2.0 * hours);
    mean_is(
        &columns,
        What::Effective,
        0,
        (4.0 * 3.0 + 2.0 * 8.0) * hours,
    );
    let upfront = 0.5 * 12.0 * (28.0 + 31.0) * 24.0;
    mean_is(
        &columns,
        What::Billed,
        0,
        upfront + (0.5 * 12.0 + 2.0 * 8.0) * hours,
    );
    mean_is(&columns, What::Headroom(0), 0, -2.0);
    // In flight: Poisson(5/min x 2.5 s); with one sequence per replica p95 = 1.
    s.models[0].serving = s.models[0].serving.map(|p| ServingProfile {
        concurrent_sequences: 1,
        prefill_tokens_per_second: 1e6,
        decode_tokens_per_second: 1e6,
        ..p
    });
    s.models[0].ttft_seconds = 22.0;
    // 24 s a call: mean 2 in flight, Poisson p95 = 5.
    let columns = simulate(&s, effort, 8);
    mean_is(&columns, What::NeededGpuHours(0), 0, 10.0 * hours);
}

#[test]
fn spend_commitments_cover_hour_by_hour() {
    let mut s = plain();
    s.commitments = [(0.25, SpendBasis::Discounted), (0.5, SpendBasis::List)]
        .into_iter()
        .enumerate()
        .map(|(i, (discount, basis))| Commitment {
            id: Id(40 + i as u32),
            name: "spend".into(),
            start: date(2027, 1, 15),
            term_months: 1,
            kind: CommitmentKind::SpendCommitment {
                amount_per_hour: 0.01,
                discount,
                basis,
            },
        })
        .collect();
    let columns = simulate(&s, EFFORT, 9);
    // N ~ Poisson(12.5) requests of 0.0045 each in an hour; the list one (50 %) covers first.
    let mut weight = (-12.5f64).exp();
    let (mut rest, mut unused) = (0.0, [0.0, 0.0]);
    for n in 0..80 {
        let list = f64::from(n) * 0.0045;
        let first = list.min(0.01);
        let second = (list - first).min(0.01 / 0.75);
        rest += weight * (list - first - second);
        unused[1] += weight * (0.005 - 0.5 * first);
        unused[0] += weight * (0.01 - 0.75 * second);
        weight *= 12.5 / f64::from(n + 1);
    }
    let (hours, covered_hours) = (28.0 * 24.0, 14.0 * 24.0);
    mean_is(&columns, What::Unused(0), 0, covered_hours * unused[0]);
    mean_is(&columns, What::Unused(1), 0, covered_hours * unused[1]);
    let usage = covered_hours * (rest + 0.015) + (hours - covered_hours) * 12.5 * 0.0045;
    mean_is(&columns, What::Effective, 0, usage);
    mean_is(&columns, What::Billed, 0, usage);
}
