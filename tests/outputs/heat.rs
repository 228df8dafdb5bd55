//! The hours of the week against a second computation: clocks by jiff hour by hour, minutes by the Poisson law.

use headroom::domain::quantity::{Quantity, Shape};
use headroom::domain::scenario::{Noise, PoolKind, Scenario, WeeklyShape};
use headroom::engine::plan::compile;
use headroom::engine::projection::Projection;
use headroom::engine::run::{Cache, Simulator, run_all};
use headroom::stories;
use jiff::{Timestamp, ToSpan, civil::date, tz::TimeZone};
use statrs::distribution::{DiscreteCDF, Poisson};

const TRIALS: u32 = 120;
const LIMIT: f64 = 60.0;

/// One feature of single calls by Tokyo's clock, a plan by New York's, over the end of daylight saving time.
fn scenario() -> Scenario {
    let mut scenario = stories::find("two-populations")
        .expect("a story")
        .scenario();
    scenario.settings.start = date(2026, 11, 1);
    scenario.settings.horizon_months = 2;
    scenario.settings.time_zone = "America/New_York".into();
    scenario.settings.trials = TRIALS;
    scenario.budgets.clear();
    scenario.notes.clear();
    let PoolKind::PayAsYouGo {
        requests_per_minute,
        ..
    } = &mut scenario.pools[0].kind
    else {
        panic!("a key");
    };
    *requests_per_minute = Some(LIMIT);
    let f = &mut scenario.features[0];
    f.output_tokens = Quantity::fixed(10.0).into();
    f.requests_per_day = Shape::Uniform {
        min: 20_000.0,
        max: 60_000.0,
    }
    .into();
    f.weekly_profile.time_zone = Some("Asia/Tokyo".into());
    f.weekly_profile.shape = WeeklyShape::Custom(weights());
    f.noise = Noise {
        hour_cv: 0.0,
        hour_persistence: 0.0,
        burstiness: 0.0,
        burst_persistence: 0.0,
        shock_loading: 1.0,
    };
    scenario
}

/// Weights that differ in every hour of the week.
fn weights() -> Vec<f64> {
    (0..168)
        .map(|h| 0.5 + f64::from(h * 53 % 168) / 168.0)
        .collect()
}

/// Hour of the week, from Monday 0 h.
fn hour_of_week(at: Timestamp, zone: &TimeZone) -> usize {
    let local = zone.to_datetime(at);
    let day = local.date().weekday().to_monday_zero_offset() as usize;
    day * 24 + local.hour() as usize
}

/// Planned minute of a rate: the 95 % quantile of its Poisson calls.
fn planned(per_minute: f64) -> f64 {
    Poisson::new(per_minute).expect("a rate").inverse_cdf(0.95) as f64
}

#[test]
fn the_week_is_that_of_clocks_and_poisson_minutes() {
    let scenario = scenario();
    let plan = compile(&scenario).expect("a plan");
    let seed = scenario.settings.seed;
    let p: Projection = run_all(&scenario, TRIALS, seed, &mut |_, _| ()).expect("a run");
    let batch = Simulator::new(&plan, &mut Cache::default()).simulate(0, TRIALS);
    let zone = |name| TimeZone::get(name).expect("a zone");
    let (here, there) = (zone("America/New_York"), zone("Asia/Tokyo"));
    let weights = weights();
    let mean = weights.iter().sum::<f64>() / 168.0;
    let map = &p.heat[0];
    assert_eq!((map.limit, map.trials, map.months.len()), (0, TRIALS, 2));
    let mut hours = 0;
    for (month, found) in map.months.iter().enumerate() {
        let first = date(2026, 11 + month as i8, 1);
        let next = first.checked_add(1.month()).expect("a day");
        let start = |day: jiff::civil::Date| {
            let midnight = day.to_datetime(jiff::civil::Time::midnight());
            here.to_timestamp(midnight).expect("a midnight")
        };
        // per trial and hour of the week the highest planned minute
        let mut cells = vec![vec![0.0_f64; TRIALS as usize]; 168];
        let mut at = start(first);
        while at < start(next) {
            let weight = weights[hour_of_week(at, &there)] / mean;
            for (trial, x) in cells[hour_of_week(at, &here)].iter_mut().enumerate() {
                let per_day = f64::from(batch.inputs[trial * plan.layout.inputs]);
                *x = x.max(planned(per_day * weight / 1_440.0));
            }
            at = at.checked_add(1.hour()).expect("an hour");
            hours += 1;
        }
        for (hour, mut trials) in cells.into_iter().enumerate() {
            trials.sort_by(f64::total_cmp);
            for (which, share, rank) in
                [("p50", found.p50[hour], 60), ("p95", found.p95[hour], 114)]
            {
                let calls = f64::from(share) * LIMIT;
                let wanted = trials[rank - 1];
                assert!(
                    (calls - wanted).abs() < 1.0 + 1e-4,
                    "month {month}, hour {hour}, {which}: {calls} against {wanted}"
                );
            }
        }
        // the highest of all hours is the month's highest need
        let top = found.p95.iter().fold(0.0_f32, |a, b| a.max(*b));
        let needed = p.limits[0].needed[month].p95();
        assert!(
            (f64::from(top) * LIMIT - needed).abs() < 1e-4,
            "{top} {needed}"
        );
    }
    assert_eq!(hours, 721 + 744);
    let crowded = map.months[0].p95.iter().filter(|x| **x >= 1.0).count();
    assert!((1..168).contains(&crowded), "{crowded}");
}
