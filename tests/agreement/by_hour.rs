//! Hours that differ in the cached share, in repeats and under load: totals request by request, minutes at the peak.

use headroom::domain::quantity::{MixPart, Quantity, Shape};
use headroom::domain::scenario::{
    ByHour, Commitment, CommitmentKind, Id, PoolKind, Scenario, ServingProfile, SpendBasis,
    WeeklyShape,
};
use headroom::engine::projection::{Projection, Series};
use headroom::engine::run_all;
use jiff::civil::date;
use rand::SeedableRng;
use statrs::distribution::{DiscreteCDF, Poisson};

use crate::brute::calendar::Calendar;
use crate::brute::demand::{FeatureDraw, FeatureLaw, Shock, hourly_rates};
use crate::brute::law::{Load, MinuteLaw};
use crate::brute::stats::mean_and_error;
use crate::brute::{Effort, Rng, What, by_hour::Uses, simulate};
use crate::closed_forms::plain;

/// Tuesday 10:00, one of the peak hours.
const PEAK: usize = 24 + 10;

/// From 9 to 11 on weekdays.
fn is_peak(hour: usize) -> bool {
    hour < 120 && (9..11).contains(&(hour % 24))
}

fn week(peak: f64, rest: f64) -> Vec<f64> {
    (0..168)
        .map(|h| if is_peak(h) { peak } else { rest })
        .collect()
}

/// An agent whose cache loses a quarter and whose repeats double at peak, beside a chat, on a key.
fn peaky(sensitivity: f64) -> Scenario {
    let mut s = plain();
    let mut agent = s.features[0].clone();
    agent.id = Id(2);
    agent.requests_per_day = Quantity::fixed(900.0);
    agent.weekly_profile.shape = WeeklyShape::Custom(week(5.0, 0.6));
    agent.calls_per_request = Shape::Mix(vec![
        MixPart {
            weight: 1.0,
            part: Shape::Fixed(2.0),
        },
        MixPart {
            weight: 1.0,
            part: Shape::Fixed(7.0),
        },
    ])
    .into();
    agent.input_tokens.each = Shape::Between {
        p10: 500.0,
        p90: 2_500.0,
    }
    .into();
    agent.context_growth_tokens = Quantity::fixed(300.0);
    agent.prefix_tokens = Quantity::fixed(500.0);
    agent.cached_share = Shape::Between { p10: 0.5, p90: 0.9 }.into();
    agent.retry_probability = Quantity::fixed(0.1);
    agent.max_retries = 2;
    agent.by_hour = ByHour {
        cached_share_left: week(0.75, 1.0),
        retry_factor: week(2.0, 1.0),
        load_sensitivity: Quantity::fixed(sensitivity),
    };
    s.features[0].requests_per_day = Quantity::fixed(3_000.0);
    s.features.push(agent);
    if let PoolKind::PayAsYouGo {
        tokens_per_minute,
        requests_per_minute,
        ..
    } = &mut s.pools[0].kind
    {
        *tokens_per_minute = Some(40_000.0);
        *requests_per_minute = None;
    }
    s
}

/// The same on GPUs.
fn on_gpus(sensitivity: f64) -> Scenario {
    let mut s = peaky(sensitivity);
    s.pools[0].kind = PoolKind::GpuCluster {
        target_utilisation: 0.8,
        on_demand_rate_per_gpu_hour: 7.0,
        burst: None,
    };
    s.models[0].serving = Some(ServingProfile {
        gpus_per_replica: 1,
        prefill_tokens_per_second: 20.0,
        decode_tokens_per_second: 4.0,
        concurrent_sequences: 1_000,
        minimum_replicas: 0,
    });
    s.commitments = vec![Commitment {
        id: Id(40),
        name: "reserved".into(),
        start: date(2026, 10, 15),
        term_months: 12,
        kind: CommitmentKind::ReservedCapacity {
            pool: Id(10),
            gpus: 120,
            rate_per_gpu_hour: 3.0,
            upfront_share: 0.0,
        },
    }];
    s
}

/// Under an hourly commitment that the peak goes beyond and nights do not fill.
fn under_commitment() -> Scenario {
    let mut s = peaky(0.4);
    s.commitments = vec![Commitment {
        id: Id(41),
        name: "spend".into(),
        start: date(2027, 2, 1),
        term_months: 1,
        kind: CommitmentKind::SpendCommitment {
            amount_per_hour: 1.5,
            discount: 0.2,
            basis: SpendBasis::Discounted,
        },
    }];
    s
}

fn run(s: &Scenario) -> Projection {
    run_all(s, 1_000, 5, &mut |_, _| {}).expect("a valid scenario")
}

#[test]
fn totals_are_those_of_requests_one_by_one() {
    let effort = Effort {
        trials: 40,
        shared_minutes: 2_000,
        own_minutes: 2_000,
        rounded_minutes: 2_000,
    };
    for (name, s) in [
        ("key, no load", peaky(0.0)),
        ("key, load", peaky(0.4)),
        ("GPUs, load", on_gpus(0.4)),
        ("key, load, commitment", under_commitment()),
    ] {
        let ours = run(&s);
        let brute = simulate(&s, effort, 8);
        if !s.commitments.is_empty() && matches!(s.pools[0].kind, PoolKind::PayAsYouGo { .. }) {
            let unused = brute.iter().find(|c| c.what == What::Unused(0));
            let (want, error) = mean_and_error(&unused.expect("a column").values);
            let got = &ours.commitments[0].unused.months[0];
            println!("{name} unused: {:+.2} %", (got.mean / want - 1.0) * 100.0);
            let slack = 4.0 * (error + got.mean_error) + 0.01 * want;
            assert!((got.mean - want).abs() <= slack, "{} {want}", got.mean);
        }
        for f in 0..2 {
            let o = &ours.features[f];
            let pairs: [(What, &Series); 5] = [
                (What::Requests(f), &o.requests),
                (What::Calls(f), &o.calls),
                (What::Uncached(f), &o.uncached_input_tokens),
                (What::Cached(f), &o.cached_read_tokens),
                (What::Output(f), &o.output_tokens),
            ];
            for (what, series) in pairs {
                let column = brute.iter().find(|c| c.what == what).expect("a column");
                let (want, error) = mean_and_error(&column.values);
                let got = series.months[0].mean;
                println!(
                    "{name} {what:?}: {:+.2} %",
                    (got / want.max(1e-9) - 1.0) * 100.0
                );
                // 1 in 1,000 for what a mean request is believed to take of the pool
                let slack = 4.0 * (error + series.months[0].mean_error) + 0.001 * want;
                assert!(
                    (got - want).abs() <= slack,
                    "{name} {what:?}: {got}, brute {want} ± {error}"
                );
            }
        }
    }
}

/// Needed capacity of the busiest hour, from minutes played as that hour is.
fn brute_peak(s: &Scenario, load: Load, minutes: usize) -> f64 {
    let calendar = Calendar::new(s.settings.start, s.settings.horizon_months);
    let mut rng = Rng::seed_from_u64(4);
    let laws: Vec<FeatureLaw> = s
        .features
        .iter()
        .map(|f| FeatureLaw::new(s, f, &calendar))
        .collect();
    let draws: Vec<FeatureDraw> = laws.iter().map(|l| FeatureDraw::new(l, &mut rng)).collect();
    let shock = Shock::draw(s, &calendar, &mut rng);
    let rates: Vec<Vec<f64>> = laws
        .iter()
        .zip(&draws)
        .map(|(l, d)| hourly_rates(l, d, &[], &shock, &calendar, &mut rng))
        .collect();
    // 1 February 2027 is a Monday
    let full = Uses::default().utilisation(0, s, &calendar, &laws, &draws, &rates)[PEAK];
    let now: Vec<f64> = rates.iter().map(|r| r[PEAK] / 60.0).collect();
    let parts: Vec<_> = laws
        .iter()
        .zip(&draws)
        .zip(&now)
        .map(|((law, draw), rate)| {
            let mut at = law.at(PEAK, 1.0);
            at.tokens *= 1.0 + draw.load_sensitivity * full;
            (law, draw, at, *rate)
        })
        .collect();
    MinuteLaw::new(&parts, load, minutes, minutes, &mut rng).p95(&now)[0]
}

#[test]
fn the_planned_minute_at_peak_is_that_of_minutes_played_there() {
    let key = Load::Key {
        cached_reads_count: false,
    };
    for (name, s, load, per_unit) in [
        ("key, no load", peaky(0.0), key, 1.0),
        ("key, load", peaky(0.4), key, 1.0),
        ("GPUs, no load", on_gpus(0.0), Load::Cluster, 60.0 * 0.8),
        ("GPUs, load", on_gpus(0.4), Load::Cluster, 60.0 * 0.8),
    ] {
        let mut busy = s.clone();
        for (factor, times, minutes) in [(1.0, "", 100_000), (12.0, " × 12", 20_000)] {
            busy.features.clone_from(&s.features);
            for f in &mut busy.features {
                if let Shape::Fixed(x) = &mut f.requests_per_day.shape {
                    *x *= factor;
                }
            }
            if let PoolKind::PayAsYouGo {
                tokens_per_minute, ..
            } = &mut busy.pools[0].kind
            {
                *tokens_per_minute = Some(40_000.0 * factor);
            }
            for c in &mut busy.commitments {
                if let CommitmentKind::ReservedCapacity { gpus, .. } = &mut c.kind {
                    *gpus = 120 * factor as u32;
                }
            }
            let want = brute_peak(&busy, load, minutes) / per_unit;
            let got = run(&busy).limits[0].needed[0].mean;
            let want = if per_unit == 1.0 { want } else { want.ceil() };
            println!(
                "{name}{times}: {got} against {want}, {:+.1} %",
                (got / want - 1.0) * 100.0
            );
            assert!(
                (got / want - 1.0).abs() < 0.03,
                "{name}{times}: {got} against {want}"
            );
        }
    }
}

/// All fixed: what a request reads from the cache is the mean over the week's requests.
#[test]
fn month_totals_take_the_mean_weighted_by_requests() {
    let mut s = plain();
    let f = &mut s.features[0];
    f.weekly_profile.shape = WeeklyShape::Custom(week(5.0, 1.0));
    f.prefix_tokens = Quantity::fixed(400.0);
    f.cached_share = Quantity::fixed(0.7);
    f.retry_probability = Quantity::fixed(0.1);
    f.max_retries = 1;
    f.by_hour.cached_share_left = week(0.5, 1.0);
    f.by_hour.retry_factor = week(3.0, 1.0);
    let p = run(&s);
    let o = &p.features[0];
    // February 2027 is four weeks
    let (peak, rest) = (10.0 * 5.0, 158.0);
    let per_request = |series: &Series| series.months[0].mean / o.requests.months[0].mean;
    let calls = (peak * 1.3 + rest * 1.1) / (peak + rest);
    assert!((per_request(&o.calls) / calls - 1.0).abs() < 1e-6);
    let cached = 400.0 * 0.7 * (peak * 1.3 * 0.5 + rest * 1.1) / (peak + rest);
    assert!((per_request(&o.cached_read_tokens) / cached - 1.0).abs() < 1e-6);
}

/// Requests at once are those of the busiest hour, in which calls are repeated more often than in the month's mean.
#[test]
fn requests_at_once_are_those_of_the_busiest_hour() {
    let mut s = plain();
    let f = &mut s.features[0];
    f.requests_per_day = Quantity::fixed(200_000.0);
    f.weekly_profile.shape = WeeklyShape::Custom(week(5.0, 1.0));
    f.retry_probability = Quantity::fixed(0.1);
    f.max_retries = 1;
    f.by_hour.retry_factor = week(3.0, 1.0);
    let speed = s.models[0].sequence_tokens_per_second;
    let seconds = 1.3 * (s.models[0].ttft_seconds + 100.0 / speed);
    let busiest = 200_000.0 * 7.0 * 5.0 / (10.0 * 5.0 + 158.0);
    let flying = Poisson::new(busiest / 3_600.0 * seconds).expect("a law");
    let want = flying.inverse_cdf(0.95) as f64;
    let got = run(&s).features[0].gateway.peak_requests[0].p50();
    assert_eq!(got, want);
}

/// u of the model page by hand: one feature at half of its key, a = 0.6: u = 0.5 / (1 - 0.3).
#[test]
fn tokens_grow_with_load_as_by_hand() {
    let tokens = |sensitivity: f64, per_day: f64, limit: Option<f64>| {
        let mut s = plain();
        s.features[0].requests_per_day = Quantity::fixed(per_day);
        s.features[0].by_hour.load_sensitivity = Quantity::fixed(sensitivity);
        if let PoolKind::PayAsYouGo {
            tokens_per_minute, ..
        } = &mut s.pools[0].kind
        {
            *tokens_per_minute = limit;
        }
        let p = run(&s);
        p.features[0].output_tokens.months[0].mean / p.features[0].requests.months[0].mean / 100.0
    };
    // 1,440 requests a day of 1,100 tokens: 1,100 a minute
    for (a, limit, want) in [
        (0.6, Some(2_200.0), 1.0 + 0.6 * 0.5 / 0.7),
        (0.6, Some(1_300.0), 1.6),
        (2.0, Some(2_200.0), 3.0),
        (0.6, None, 1.0),
        (0.0, Some(2_200.0), 1.0),
    ] {
        let got = tokens(a, 1_440.0, limit);
        assert!(
            (got / want - 1.0).abs() < 1e-5,
            "a {a}, limit {limit:?}: {got}, by hand {want}"
        );
    }
}
