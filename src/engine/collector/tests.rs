use proptest::prelude::*;

use super::*;
use crate::domain::field::FieldPath;
use crate::domain::scenario::{BudgetCost, Id};
use crate::engine::columns::{CommitmentMoney, FeaturePhysical, Layout, LimitPhysical, TotalMoney};
use crate::engine::projection::{LimitKind, MonthInfo, Outcome, PeriodInfo, Summary};

const fn period(
    fiscal_year: i16,
    quarter: Option<u8>,
    first_month: u32,
    months: u32,
    complete: bool,
) -> PeriodInfo {
    PeriodInfo {
        fiscal_year,
        quarter,
        first_month,
        months,
        complete,
    }
}

/// November 2027 to February 2028, fiscal years by calendar: two months of Q4 2027, two of Q1 2028.
fn outline(trials: u32) -> Outline {
    let month = |year, month, hours, quarter, period| MonthInfo {
        year,
        month,
        hours,
        fiscal_year: year,
        fiscal_quarter: quarter,
        fiscal_period: period,
    };
    Outline {
        layout: Layout {
            months: 4,
            features: 1,
            lanes: 0,
            pools: 1,
            limits: 1,
            commitments: 2,
            inputs: 2,
        },
        scenario_digest: "s".into(),
        time_zone_database: "t".into(),
        seed: 7,
        trials,
        currency: "USD".into(),
        months: vec![
            month(2027, 11, 720, 4, 11),
            month(2027, 12, 744, 4, 12),
            month(2028, 1, 744, 1, 1),
            month(2028, 2, 696, 1, 2),
        ],
        quarters: vec![
            period(2027, Some(4), 0, 2, false),
            period(2028, Some(1), 2, 2, false),
        ],
        years: vec![
            period(2027, None, 0, 2, false),
            period(2028, None, 2, 2, false),
        ],
        features: vec![Id(1)],
        gateways: Vec::new(),
        pools: vec![Id(2)],
        limits: vec![LimitOutline {
            pool: Id(2),
            kind: LimitKind::Gpus,
            committed: vec![8.0; 4],
        }],
        commitments: vec![Id(3), Id(4)],
        budgets: vec![BudgetOutline {
            id: Id(5),
            cost: BudgetCost::Billed,
            period: period(2027, None, 0, 2, false),
            amount: 1010.0,
            before: 1000.0,
        }],
        inputs: vec![
            FieldPath::of("features", Id(1), "requests_per_day"),
            FieldPath::of("features", Id(1), "growth_per_month"),
        ],
    }
}

/// Values that differ by trial: mixed so that trial order is no order of values.
fn mixed(trial: u32, salt: u32) -> f64 {
    f64::from((trial * 7919 + salt * 104_729) % 1009)
}

fn batch(outline: &Outline, first_trial: u32, trials: u32) -> Batch {
    let l = outline.layout;
    let mut out = Batch {
        first_trial,
        trials,
        ..Batch::default()
    };
    for trial in first_trial..first_trial + trials {
        let mut money = vec![0.0; l.money_width()];
        let mut physical = vec![0.0_f32; l.physical_width()];
        for m in 0..4 {
            money[l.total_money(TotalMoney::Effective) + m] = mixed(trial, m as u32);
            money[l.total_money(TotalMoney::Billed) + m] = f64::from(trial % 10 * (m as u32 + 1));
            money[l.feature_money(0) + m] = 0.1;
            money[l.commitment_money(0, CommitmentMoney::Used) + m] = f64::from(trial % 4);
            money[l.commitment_money(0, CommitmentMoney::Unused) + m] = f64::from(4 - trial % 4);
            money[l.commitment_money(1, CommitmentMoney::Unused) + m] = 1.0;
            physical[l.feature_physical(0, FeaturePhysical::Requests) + m] = 50.0;
            let headroom = trial as f32 - 3.0 * (m as f32 + 1.0);
            physical[l.limit_physical(0, LimitPhysical::Headroom) + m] = headroom;
            physical[l.limit_physical(0, LimitPhysical::BreachHours) + m] = (-headroom).max(0.0);
        }
        out.money.extend(money);
        out.physical.extend(physical);
        out.inputs.extend([trial as f32, 1.0]);
    }
    out
}

fn collected(trials: u32) -> Collector {
    let outline = outline(trials);
    let mut collector = Collector::of(outline.clone());
    collector.add(&batch(&outline, 0, trials)).expect("batch");
    collector
}

#[test]
fn totals_come_from_joint_draws() {
    let p = collected(1000).projection();
    assert_eq!((p.trials, p.trials_wanted), (1000, 1000));
    let by_hand = |months: std::ops::Range<u32>| {
        let mut sums: Vec<f64> = (0..1000)
            .map(|t| months.clone().map(|m| mixed(t, m)).sum())
            .collect();
        sums.sort_by(f64::total_cmp);
        sums
    };
    let p95 = |sums: &[f64]| sums[949];
    let total = &p.total.effective;
    assert_eq!(total.months[2].p95(), p95(&by_hand(2..3)));
    assert_eq!(total.quarters[0].p95(), p95(&by_hand(0..2)));
    assert_eq!(total.years[1].p95(), p95(&by_hand(2..4)));
    assert_eq!(total.horizon.p95(), p95(&by_hand(0..4)));
    assert_eq!(p.effective_to_date[1], total.years[0]);
    assert_eq!(p.effective_to_date[2], total.months[2]);
    assert_eq!(p.effective_to_date[3], total.years[1]);
    let sorted: Vec<f32> = by_hand(2..4).iter().map(|x| *x as f32).collect();
    assert_eq!(p.year_effective_sorted[1], sorted);
    assert_eq!(p.billed_to_date[1], p.total.billed.years[0]);
    assert_eq!(p.year_billed_sorted[0].last(), Some(&27.0));
}

#[test]
fn what_does_not_differ_is_exact() {
    let p = collected(700).projection();
    let cost = &p.features[0].effective_cost;
    assert_eq!(cost.months[0].mean, 0.1);
    assert_eq!(cost.months[0].mean_error, 0.0);
    assert_eq!(p.features[0].calls.horizon, p.pools[0].burst_cost.horizon);
}

#[test]
fn unit_costs_are_those_of_the_trials_with_requests() {
    let outline = outline(400);
    let mut batch = batch(&outline, 0, 400);
    let layout = outline.layout;
    let cost = |trial: usize, month| mixed(trial as u32, month as u32) + 1.0;
    let requests = |trial: usize| {
        if trial.is_multiple_of(4) {
            0.0
        } else {
            (trial % 7 + 1) as f32
        }
    };
    for trial in 0..400 {
        for month in 0..4 {
            let money = trial * layout.money_width() + layout.feature_money(0);
            batch.money[money + month] = cost(trial, month);
            let physical = layout.feature_physical(0, FeaturePhysical::Requests);
            batch.physical[trial * layout.physical_width() + physical + month] = requests(trial);
        }
    }
    let mut collector = Collector::of(outline);
    collector.add(&batch).expect("batch");
    let found = &collector.projection().features[0].cost_per_1000_requests;
    for (year, found) in found.iter().enumerate() {
        let found = found.as_ref().expect("requests");
        let spent = |trial| cost(trial, 2 * year) + cost(trial, 2 * year + 1);
        let made = |trial| 2.0 * f64::from(requests(trial));
        let mut each: Vec<f64> = (0..400)
            .filter(|t| t % 4 != 0)
            .map(|t| spent(t) / made(t) * 1000.0)
            .collect();
        each.sort_by(f64::total_cmp);
        assert_eq!(found.by_trial.p95(), each[284]);
        let all = |f: &dyn Fn(usize) -> f64| (0..400).map(f).sum::<f64>();
        let of_means = all(&spent) / all(&made) * 1000.0;
        assert!((found.of_means - of_means).abs() < 1e-9 * of_means);
    }
}

#[test]
fn contracts() {
    let p = collected(400).projection();
    let utilisation = &p.commitments[0].utilisation;
    assert_eq!(
        (utilisation.p5(), utilisation.p50(), utilisation.p95()),
        (0.0, 0.25, 0.75)
    );
    assert!((utilisation.mean - 0.375).abs() < 1e-12);
    assert_eq!(p.commitments[1].utilisation.p95(), 0.0);
    assert_eq!(p.unused.months[0].p95(), 5.0);
    // Each trial's total less used and unused (4 and 1 in every trial), never below 0.
    let rest = |trial| (mixed(trial, 0) - 5.0).max(0.0);
    let mean = (0..400).map(rest).sum::<f64>() / 400.0;
    assert!((p.on_demand.months[0].mean - mean).abs() < 1e-9);
    assert!(p.on_demand.months.iter().all(|m| m.p5() >= 0.0));
    assert_eq!(p.unused.horizon.p5(), 4.0 * 2.0);
}

#[test]
fn a_partial_budget_period_counts_what_was_spent_before() {
    let p = collected(1000).projection();
    let budget = &p.budgets[0];
    // spend is 1000 + 3 (trial mod 10): over 1010 for 4 to 9
    assert_eq!((budget.over.count, budget.over.of), (600, 1000));
    assert!((budget.expected_excess - (2.0 + 5.0 + 8.0 + 11.0 + 14.0 + 17.0) / 10.0).abs() < 1e-9);
    assert!((budget.excess_if_over.expect("some are over") - 9.5).abs() < 1e-9);
    assert_eq!(budget.spend.p95(), 1027.0);
    assert_eq!(budget.cvar95, 1027.0);
}

#[test]
fn breaches() {
    let p = collected(1000).projection();
    let limit = &p.limits[0];
    assert_eq!(limit.committed, [8.0; 4]);
    assert_eq!(
        limit.breach.iter().map(|c| c.count).collect::<Vec<_>>(),
        [3, 6, 9, 12]
    );
    assert_eq!(limit.any_breach.count, 12);
    assert_eq!(limit.breach_hours[0], (1.0 + 2.0 + 3.0) / 1000.0);
    assert_eq!(limit.headroom[3].p5(), 49.0 - 12.0);
}

#[test]
fn drivers_are_inputs_that_differ() {
    let p = collected(1000).projection();
    assert!(
        p.drivers
            .iter()
            .all(|d| d.input.as_str() == "features/1/requests_per_day")
    );
    let outcomes: Vec<_> = p.drivers.iter().map(|d| d.outcome).collect();
    // costs that no trial changes (the feature's) have no drivers; of the months the last alone matters
    assert_eq!(
        outcomes,
        [
            Outcome::YearEffectiveCost(0),
            Outcome::YearEffectiveCost(1),
            Outcome::HorizonEffectiveCost,
            Outcome::OverBudget(0),
            Outcome::LowestHeadroom(0),
            Outcome::BreachHours(0),
            Outcome::MonthLowestHeadroom { limit: 0, month: 3 },
            Outcome::MonthBreachHours { limit: 0, month: 3 },
            Outcome::YearBilledCost(0),
            Outcome::YearBilledCost(1),
            Outcome::HorizonBilledCost,
        ]
    );
    assert!((p.drivers[4].high_fifth - 400.0).abs() < 1e-9);
    assert!((p.drivers[4].rank_correlation - 1.0).abs() < 1e-12);
    // 12 trials of 1,000 have breach hours 12 to 1 in all, all of them in the lowest fifth
    let hours: u32 = (1..=4).map(|m| (1..=3 * m).sum::<u32>()).sum();
    let (all, low) = (f64::from(hours) / 1000.0, f64::from(hours) / 200.0);
    assert!((p.drivers[5].low_fifth - (low - all)).abs() < 1e-9);
    assert!((p.drivers[5].high_fifth + all).abs() < 1e-9);
    // 4 to 9 of each ten are over, low or high
    assert!(p.drivers[3].low_fifth.abs() < 1e-12 && p.drivers[3].high_fifth.abs() < 1e-12);
}

#[test]
fn nothing_in_is_a_projection_too() {
    let outline = outline(100);
    let p = Collector::of(outline.clone()).projection();
    assert_eq!((p.trials, p.result_digest), (0, None));
    assert_eq!(p.total.effective.horizon, Summary::default());
    assert_eq!(p.limits[0].breach[0].share(), 0.0);
    assert_eq!(p.drivers, []);
}

#[test]
fn bad_batches_are_refused_whole() {
    let outline = outline(10);
    let mut collector = Collector::of(outline.clone());
    let good = batch(&outline, 0, 5);
    let mut bad = good.clone();
    bad.physical[outline.layout.physical_width() + 1] = f32::NAN;
    assert_eq!(collector.add(&bad), Err(CollectError::NotFinite(1)));
    let mut bad = good.clone();
    bad.money[outline.layout.money_width() * 4] = f64::INFINITY;
    assert_eq!(collector.add(&bad), Err(CollectError::NotFinite(4)));
    bad.money[outline.layout.money_width() * 4] = 1e101; // its square is finite, sums of squares may not be
    assert_eq!(collector.add(&bad), Err(CollectError::NotFinite(4)));
    let mut bad = good.clone();
    bad.inputs.pop();
    assert_eq!(collector.add(&bad), Err(CollectError::Layout));
    assert_eq!(
        collector.add(&batch(&outline, 8, 5)),
        Err(CollectError::Trial(10))
    );
    assert_eq!(
        collector.add(&Batch {
            first_trial: u32::MAX,
            ..good.clone()
        }),
        Err(CollectError::Trial(u32::MAX))
    );
    assert_eq!(collector.trials_in(), 0);
    collector.add(&good).expect("good");
    // again is fine, unless it differs
    collector.add(&good).expect("the same again");
    let mut other = good.clone();
    other.money[0] += 1.0;
    assert_eq!(collector.add(&other), Err(CollectError::NotReproduced(0)));
    assert_eq!(collector.trials_in(), 5);
    assert_eq!(collector.missing(), [(5, 10)]);
    assert_eq!(collector.result_digest(), None);
}

#[test]
fn a_projection_in_steps_does_not_see_later_batches() {
    let outline = outline(200);
    let mut collector = Collector::of(outline.clone());
    collector.add(&batch(&outline, 0, 100)).expect("batch");
    let whole = collector.projection();
    let mut building = collector.begin();
    building.step(&collector);
    collector.add(&batch(&outline, 100, 100)).expect("batch");
    while building.step(&collector) {}
    assert_eq!(building.steps_left(), 0);
    assert_eq!(building.finish(), whole);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn batches_may_come_in_any_way(
        cuts in prop::collection::btree_set(1_u32..300, 0..12), order in any::<u64>(), repeat in any::<bool>(),
    ) {
        let outline = outline(300);
        let mut whole = Collector::of(outline.clone());
        whole.add(&batch(&outline, 0, 300)).expect("whole");
        let mut ends: Vec<u32> = std::iter::once(0).chain(cuts).chain([300]).collect();
        ends.dedup();
        let mut parts: Vec<(u32, u32)> = ends.windows(2).map(|w| (w[0], w[1])).collect();
        parts.sort_by_key(|p| u64::from(p.0 + 1).wrapping_mul(order | 1));
        let mut pieces = Collector::of(outline.clone());
        for (first, end) in &parts {
            pieces.add(&batch(&outline, *first, end - first)).expect("piece");
        }
        if repeat {
            pieces.add(&batch(&outline, 10, 200)).expect("overlap");
        }
        let (a, b) = (whole.projection(), pieces.projection());
        prop_assert!(a.result_digest.is_some());
        prop_assert_eq!(a, b);
    }
}
