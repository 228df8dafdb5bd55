//! Fifths and rank correlations, computed plainly from the trials themselves.

use headroom::engine::columns::{Batch, LimitPhysical, TotalMoney};
use headroom::engine::plan::{Plan, compile};
use headroom::engine::projection::Outcome;
use headroom::engine::run::{Cache, Simulator, run_all};
use headroom::stories;

const TRIALS: u32 = 240;

/// An outcome of one trial.
fn of_trial(plan: &Plan, batch: &Batch, trial: usize, outcome: Outcome) -> f64 {
    let layout = &plan.layout;
    let money = |first: usize, months: std::ops::Range<u32>| -> f64 {
        let row = trial * layout.money_width() + first;
        months.map(|m| batch.money[row + m as usize]).sum()
    };
    let limit = |at: u32, which, month: u32| -> f64 {
        let row = trial * layout.physical_width() + layout.limit_physical(at as usize, which);
        batch.physical[row + month as usize].into()
    };
    let year = |at: u32| {
        let y = &plan.years[at as usize];
        y.first_month..y.first_month + y.months
    };
    let all = 0..layout.months as u32;
    let effective = layout.total_money(TotalMoney::Effective);
    let billed = layout.total_money(TotalMoney::Billed);
    match outcome {
        Outcome::YearEffectiveCost(at) => money(effective, year(at)),
        Outcome::YearBilledCost(at) => money(billed, year(at)),
        Outcome::HorizonEffectiveCost => money(effective, all),
        Outcome::HorizonBilledCost => money(billed, all),
        Outcome::FeatureEffectiveCost(f) => money(layout.feature_money(f as usize), all),
        Outcome::OverBudget(at) => {
            let (budget, period) = plan
                .budgets
                .iter()
                .flat_map(|b| b.periods.iter().map(move |p| (b, p)))
                .nth(at as usize)
                .expect("a budget");
            let months = period.first_month..period.first_month + period.months;
            f64::from(u8::from(money(effective, months) > budget.amount))
        }
        Outcome::LowestHeadroom(at) => all
            .map(|m| limit(at, LimitPhysical::Headroom, m))
            .fold(f64::INFINITY, f64::min),
        Outcome::BreachHours(at) => all.map(|m| limit(at, LimitPhysical::BreachHours, m)).sum(),
        Outcome::MonthLowestHeadroom { limit: l, month } => {
            limit(l, LimitPhysical::Headroom, month)
        }
        Outcome::MonthBreachHours { limit: l, month } => {
            limit(l, LimitPhysical::BreachHours, month)
        }
    }
}

/// Rank of each value by counting the others: ties share the middle of their places.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |x: &f64| {
        let below = values.iter().filter(|y| *y < x).count() as f64;
        let equal = values.iter().filter(|y| *y == x).count() as f64;
        below + (equal + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

fn pearson(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len() as f64;
    let (a, b) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let product = |u: &[f64], c: f64, v: &[f64], d: f64| -> f64 {
        u.iter().zip(v).map(|(p, q)| (p - c) * (q - d)).sum()
    };
    product(x, a, y, b) / (product(x, a, x, a) * product(y, b, y, b)).sqrt()
}

#[test]
fn fifths_and_rank_correlations_are_those_of_the_trials() {
    let mut scenario = stories::find(stories::DEFAULT).expect("a story").scenario();
    scenario.settings.trials = TRIALS;
    // so that some futures exceed it and some do not
    let seed = scenario.settings.seed;
    let first = run_all(&scenario, TRIALS, seed, &mut |_, _| ()).expect("a run");
    scenario.budgets[0].amount = first.budgets[0].spend.p50();
    let plan = compile(&scenario).expect("a plan");
    let projection = run_all(&scenario, TRIALS, seed, &mut |_, _| ()).expect("a run");
    let batch = Simulator::new(&plan, &mut Cache::default()).simulate(0, TRIALS);
    let n = TRIALS as usize;
    let mut kinds = std::collections::BTreeSet::new();
    let mut held: Option<(Outcome, Vec<f64>, Vec<f64>)> = None;
    for driver in &projection.drivers {
        if held.as_ref().is_none_or(|h| h.0 != driver.outcome) {
            let values: Vec<f64> = (0..n)
                .map(|t| of_trial(&plan, &batch, t, driver.outcome))
                .collect();
            let ranks = ranks(&values);
            held = Some((driver.outcome, values, ranks));
        }
        let (_, values, outcome_ranks) = held.as_ref().expect("values");
        let column = plan
            .inputs
            .iter()
            .position(|i| *i == driver.input)
            .expect("an input");
        let input: Vec<f64> = (0..n)
            .map(|t| batch.inputs[t * plan.layout.inputs + column].into())
            .collect();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|a, b| input[*a].total_cmp(&input[*b]).then(a.cmp(b)));
        let mean =
            |trials: &[usize]| trials.iter().map(|t| values[*t]).sum::<f64>() / trials.len() as f64;
        let all = mean(&order);
        let size = values.iter().fold(1e-300, |m: f64, x| m.max(x.abs()));
        let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-9 * size, "{driver:?}: {a} {b}");
        close(driver.low_fifth, mean(&order[..n / 5]) - all);
        close(driver.high_fifth, mean(&order[n - n / 5..]) - all);
        let expected = pearson(&ranks(&input), outcome_ranks);
        assert!(
            (driver.rank_correlation - expected).abs() < 1e-9,
            "{driver:?}: {expected}"
        );
        let name = format!("{:?}", driver.outcome);
        kinds.extend(name.split(['(', ' ']).next().map(str::to_owned));
    }
    assert_eq!(
        kinds.len(),
        10,
        "every kind of outcome has drivers: {kinds:?}"
    );
}
