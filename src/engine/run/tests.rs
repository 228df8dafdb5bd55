use super::*;
use crate::engine::cause::{CauseQuestion, Counts, Removal};
use crate::{
    domain::{
        quantity::{Quantity, Shape},
        scenario::{CommitmentKind, Feature, Id, Launch, SpendBasis, WeeklyShape},
    },
    engine::{
        cause::CauseItem,
        columns::{FeaturePhysical, LimitPhysical, PoolPhysical, TotalMoney},
        projection::LimitKind,
    },
    stories,
};

fn story(name: &str) -> Scenario {
    stories::find(name).expect("a story").scenario()
}

thread_local! {
    static CACHE: std::cell::RefCell<Cache> = std::cell::RefCell::default();
}

fn batch(scenario: &Scenario, first: u32, count: u32) -> Batch {
    let plan = compile(scenario).expect("a valid scenario");
    CACHE.with_borrow_mut(|cache| Simulator::new(&plan, cache).simulate(first, count))
}

#[test]
fn stories_run_and_report_their_causes() {
    for s in stories::all() {
        let started = std::time::Instant::now();
        let mut calls = 0;
        let p = run_all(&s.scenario(), 200, 7, &mut |done, of| {
            calls += 1;
            assert!(done <= of);
        })
        .expect("a valid story");
        println!(
            "{}: {:.0} ms; year {:?}; limits {:?}; causes {}",
            s.name,
            started.elapsed().as_secs_f64() * 1e3,
            p.total
                .effective
                .years
                .iter()
                .map(|y| y.p50())
                .collect::<Vec<_>>(),
            p.limits
                .iter()
                .map(|l| (
                    l.limit,
                    l.any_breach.count,
                    l.headroom[0].p50(),
                    l.needed[0].p50()
                ))
                .collect::<Vec<_>>(),
            p.causes.len()
        );
        assert_eq!(p.trials, 200);
        assert!(p.result_digest.is_some());
        assert!(calls >= 4);
    }
}

#[test]
fn any_split_gives_the_same_bits() {
    for s in stories::all() {
        let plan = compile(&s.scenario()).expect("valid");
        let mut cache = Cache::default();
        let mut simulator = Simulator::new(&plan, &mut cache);
        let whole = simulator.simulate(0, 12);
        for size in [1, 5, 7] {
            let mut other = Simulator::new(&plan, &mut cache);
            let (mut money, mut physical, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
            let mut first = 0;
            while first < 12 {
                let n = u32::min(size, 12 - first);
                let b = other.simulate(first, n);
                money.extend(b.money);
                physical.extend(b.physical);
                inputs.extend(b.inputs);
                first += n;
            }
            assert_eq!(
                (&money, &physical, &inputs),
                (&whole.money, &whole.physical, &whole.inputs)
            );
        }
    }
}

/// Under a limit of calls some trials count calls one by one and others, with more of them, do not.
#[test]
fn what_one_trial_looks_up_is_no_other_trials_law() {
    let mut s = story("eleven-calls");
    s.settings.horizon_months = 1;
    s.features.truncate(1);
    s.models[0].ttft_seconds = 0.2;
    let f = &mut s.features[0];
    f.requests_per_day = Shape::Between {
        p10: 6_000.0,
        p90: 30_000.0,
    }
    .into();
    f.weekly_profile.shape = WeeklyShape::Flat;
    f.calls_per_request = Quantity::fixed(10.0);
    f.output_tokens.each = Quantity::fixed(10.0);
    let together = batch(&s, 0, 24);
    for trial in 0..24 {
        let alone = batch(&s, trial, 1);
        let width = alone.physical.len();
        let at = trial as usize * width;
        assert_eq!(alone.physical, together.physical[at..at + width], "{trial}");
    }
}

/// Bits of everything that belongs to a feature, in every trial.
fn feature_bits(b: &Batch, layout: &crate::engine::columns::Layout, f: usize) -> Vec<u32> {
    (0..b.trials as usize)
        .flat_map(|t| {
            let row = &b.physical[t * layout.physical_width()..];
            [
                FeaturePhysical::Requests,
                FeaturePhysical::Calls,
                FeaturePhysical::UncachedInput,
                FeaturePhysical::CachedRead,
                FeaturePhysical::Output,
                FeaturePhysical::BusyGpuHours,
            ]
            .into_iter()
            .flat_map(|which| {
                let at = layout.feature_physical(f, which);
                row[at..at + layout.months]
                    .iter()
                    .map(|x| x.to_bits())
                    .collect::<Vec<_>>()
            })
            .collect::<Vec<_>>()
        })
        .collect()
}

fn bits_by_id(scenario: &Scenario) -> std::collections::BTreeMap<Id, Vec<u32>> {
    let plan = compile(scenario).expect("valid");
    let b = batch(scenario, 0, 6);
    plan.features
        .iter()
        .enumerate()
        .map(|(i, f)| (f.id, feature_bits(&b, &plan.layout, i)))
        .collect()
}

#[test]
fn adding_deleting_and_reordering_move_no_other_draw() {
    for s in stories::all() {
        let scenario = s.scenario();
        let before = bits_by_id(&scenario);
        let mut reversed = scenario.clone();
        reversed.features.reverse();
        reversed.pools.reverse();
        reversed.commitments.reverse();
        assert_eq!(bits_by_id(&reversed), before, "{}", s.name);

        let mut more = scenario.clone();
        let mut extra: Feature = more.features[0].clone();
        extra.id = more.free_id();
        more.features.insert(0, extra);
        more.commitments.push(crate::domain::scenario::Commitment {
            id: more.free_id(),
            name: "spend".into(),
            start: more.settings.start,
            term_months: 12,
            kind: CommitmentKind::SpendCommitment {
                amount_per_hour: 1.0,
                discount: 0.2,
                basis: SpendBasis::Discounted,
            },
        });
        more.settings.horizon_months = (more.settings.horizon_months + 3).min(60);
        let months = scenario.settings.horizon_months as usize;
        let longer = more.settings.horizon_months as usize;
        let after = bits_by_id(&more);
        for (id, bits) in &before {
            // a longer horizon only appends months
            let kept: Vec<u32> = after[id]
                .chunks(longer)
                .flat_map(|m| m[..months].to_vec())
                .collect();
            assert_eq!(&kept, bits, "{}", s.name);
        }

        let mut fewer = scenario.clone();
        if fewer.features.len() > 1 {
            fewer.features.remove(0);
            for season in &mut fewer.seasons {
                if let crate::domain::scenario::Touches::Only(ids) = &mut season.touches {
                    ids.retain(|id| *id != scenario.features[0].id);
                }
            }
            if let Ok(plan) = compile(&fewer) {
                assert_eq!(plan.features.len() + 1, scenario.features.len());
                for (id, bits) in bits_by_id(&fewer) {
                    assert_eq!(before[&id], bits, "{}", s.name);
                }
            }
        }
    }
}

#[test]
fn another_seed_is_another_future() {
    let mut s = story("eighteen-month-contract");
    let a = batch(&s, 0, 2);
    s.settings.seed += 1;
    let b = batch(&s, 0, 2);
    assert_ne!(a.money, b.money);
    assert_ne!(a.inputs, b.inputs);
    assert_ne!(
        a.money[..10],
        a.money[a.money.len() / 2..a.money.len() / 2 + 10]
    );
}

/// Breach hours of a limit, straight from the stored columns.
fn breach_hours(scenario: &Scenario, limit: usize, month: usize, trials: u32) -> Vec<u32> {
    let plan = compile(scenario).expect("valid");
    let b = batch(scenario, 0, trials);
    let at = plan
        .layout
        .limit_physical(limit, LimitPhysical::BreachHours)
        + month;
    (0..trials as usize)
        .map(|t| b.physical[t * plan.layout.physical_width() + at] as u32)
        .collect()
}

#[test]
fn causes_equal_a_rerun_without_the_feature_or_window() {
    for s in stories::all() {
        let scenario = s.scenario();
        let plan = compile(&scenario).expect("valid");
        let mut simulator = Simulator::new(&plan, &mut Cache::default());
        let trials = 8;
        let mut seen = 0;
        for (limit, l) in plan.limits.iter().enumerate() {
            let pool = plan.pools[l.pool as usize].id;
            for month in [0, plan.months.len() / 2, plan.months.len() - 1] {
                let base = breach_hours(&scenario, limit, month, trials);
                for (index, f) in scenario
                    .features
                    .iter()
                    .enumerate()
                    .filter(|(_, f)| f.pool == pool)
                {
                    let mut without = scenario.clone();
                    without.features.remove(index);
                    for season in &mut without.seasons {
                        if let crate::domain::scenario::Touches::Only(ids) = &mut season.touches {
                            ids.retain(|id| *id != f.id);
                        }
                    }
                    without.seasons.retain(|w| {
                        !matches!(&w.touches, crate::domain::scenario::Touches::Only(ids) if ids.is_empty())
                    });
                    if without.features.is_empty() {
                        continue;
                    }
                    let rerun = breach_hours(&without, limit, month, trials);
                    seen += usize::from(rerun != base);
                    let removal = Removal {
                        features: vec![index as u32],
                        seasons: Vec::new(),
                    };
                    assert_removed(&mut simulator, limit, month, &removal, &base, &rerun);
                }
                for (index, season) in scenario.seasons.iter().enumerate() {
                    let mut without = scenario.clone();
                    without.seasons.remove(index);
                    let rerun = breach_hours(&without, limit, month, trials);
                    let removal = Removal {
                        features: Vec::new(),
                        seasons: vec![season.id],
                    };
                    assert_removed(&mut simulator, limit, month, &removal, &base, &rerun);
                }
            }
        }
        println!("{}: {seen} removals changed something", s.name);
    }
}

fn assert_removed(
    simulator: &mut Simulator,
    limit: usize,
    month: usize,
    removal: &Removal,
    base: &[u32],
    rerun: &[u32],
) {
    let question = CauseQuestion {
        items: vec![CauseItem {
            limit: limit as u32,
            month: month as u32,
            removals: vec![removal.clone()],
        }],
    };
    let trials = base.len() as u32;
    let answer = simulator.causes(0, trials, &question);
    for (counts, hours) in answer.counts.iter().zip([base, rerun]) {
        assert_eq!(
            counts.hours,
            hours.iter().map(|h| u64::from(*h)).sum::<u64>()
        );
        assert_eq!(
            counts.trials,
            hours.iter().filter(|h| **h > 0).count() as u32
        );
    }
    // a split adds up to the same
    let mut sum = vec![Counts::default(); answer.counts.len()];
    for first in 0..trials {
        for (s, c) in sum
            .iter_mut()
            .zip(simulator.causes(first, 1, &question).counts)
        {
            s.trials += c.trials;
            s.hours += c.hours;
        }
    }
    assert_eq!(sum, answer.counts);
}

/// A scenario without any uncertainty or noise: everything by hand.
#[test]
fn a_certain_scenario_is_arithmetic() {
    let mut s = story("eighteen-month-contract");
    s.seasons.clear();
    s.budgets.clear();
    s.settings.start = "2028-02-01".parse().expect("a date");
    s.settings.horizon_months = 1;
    s.settings.time_zone = "UTC".into();
    s.features.truncate(1);
    let f = &mut s.features[0];
    f.launch = Launch::Live;
    f.retire = None;
    f.requests_per_day = Quantity::fixed(2_400_000.0);
    f.growth_per_month = Quantity::fixed(0.0);
    f.weekly_profile = Default::default();
    f.calls_per_request = Quantity::fixed(3.0);
    f.input_tokens = Quantity::fixed(1_000.0).into();
    f.context_growth_tokens = Quantity::fixed(200.0);
    f.prefix_tokens = Quantity::fixed(400.0);
    f.cached_share = Quantity::fixed(0.5);
    f.output_tokens = Quantity::fixed(100.0).into();
    f.retry_probability = Quantity::fixed(0.1);
    f.max_retries = 1;
    f.token_drift_per_month = Quantity::fixed(0.0);
    f.noise.hour_cv = 0.0;
    f.noise.burstiness = 0.0;
    let plan = compile(&s).expect("valid");
    assert_eq!(plan.hours(), 696);
    assert_eq!(plan.layout.inputs, 0);
    let b = batch(&s, 0, 1);
    let layout = &plan.layout;
    let physical = |which| f64::from(b.physical[layout.feature_physical(0, which)]);
    let requests = physical(FeaturePhysical::Requests);
    let expected = 2_400_000.0 / 24.0 * 696.0;
    // a Poisson count
    assert!(
        (requests - expected).abs() < 5.0 * expected.sqrt(),
        "{requests}"
    );
    let per_request = |x: f64| x * requests;
    let close = |got: f64, want: f64| assert!((got / want - 1.0).abs() < 1e-6, "{got} {want}");
    // 1 + 0.1 attempts; 3 calls read 1,000 + 1,200 + 1,400, of which 400 + 1,000 + 1,200 are read again
    close(physical(FeaturePhysical::Calls), per_request(3.3));
    close(
        physical(FeaturePhysical::CachedRead),
        per_request(1.1 * 1_300.0),
    );
    close(
        physical(FeaturePhysical::UncachedInput),
        per_request(1.1 * 2_300.0),
    );
    close(physical(FeaturePhysical::Output), per_request(330.0));
    let limit = plan
        .limits
        .iter()
        .position(|l| l.kind == LimitKind::Gpus)
        .expect("a cluster");
    let needed = b.physical[layout.limit_physical(limit, LimitPhysical::Needed)];
    let hours = b.physical[layout.pool_physical(
        plan.limits[limit].pool as usize,
        PoolPhysical::NeededGpuHours,
    )];
    assert!(
        (hours - needed * 696.0).abs() < 1.0,
        "the same in every hour"
    );
    assert!(b.money[layout.total_money(TotalMoney::Effective)] > 0.0);
}

/// With a launch in the middle of a month nothing happens before, and the logistic is at 1 % then.
#[test]
fn launches_ramp_and_retirements_end() {
    let mut s = story("eighteen-month-contract");
    s.settings.start = "2027-01-01".parse().expect("a date");
    s.settings.horizon_months = 3;
    s.seasons.clear();
    s.budgets.clear();
    let f = &mut s.features[0];
    f.launch = Launch::Planned {
        date: "2027-01-16".parse().expect("a date"),
        slip_days: Quantity::fixed(1.0),
        ramp_days: Quantity::fixed(10.0),
    };
    f.retire = Some("2027-02-15".parse().expect("a date"));
    f.requests_per_day = Quantity::from(Shape::Between {
        p10: 900_000.0,
        p90: 1_100_000.0,
    });
    let plan = compile(&s).expect("valid");
    let b = batch(&s, 0, 4);
    for t in 0..4 {
        let row = &b.physical[t * plan.layout.physical_width()..];
        let at = plan.layout.feature_physical(0, FeaturePhysical::Requests);
        let months = &row[at..at + 3];
        assert!(months[0] > 0.0 && months[1] > 0.0, "{months:?}");
        assert_eq!(months[2], 0.0);
    }
}

/// [`Simulator::causes`] leaves out the removal of features in trials that do not breach.
#[test]
fn without_a_feature_nothing_breaches_that_did_not() {
    for s in stories::all() {
        let plan = compile(&s.scenario()).expect("valid");
        let laws = CACHE.with_borrow_mut(|cache| Laws::new(&plan, cache));
        let player = Player {
            plan: &plan,
            laws: &laws,
        };
        let mut ws = Workspace::default();
        for trial in 0..5 {
            player.open_for_causes(trial, &mut ws);
            for (limit, l) in (0..).zip(&plan.limits) {
                for month in 0..plan.months.len() as u32 {
                    if player.breach_hours(limit, month, &Removal::default(), &mut ws) > 0 {
                        continue;
                    }
                    for feature in &plan.pools[l.pool as usize].features {
                        let removal = Removal {
                            features: vec![*feature],
                            seasons: Vec::new(),
                        };
                        let hours = player.breach_hours(limit, month, &removal, &mut ws);
                        assert_eq!(hours, 0, "{} {limit} {month} {feature}", s.name);
                    }
                }
            }
        }
    }
}
