//! A launch that is moved in the answer is a run of the plan with that launch moved.

use headroom::domain::scenario::{Launch, Scenario};
use headroom::engine::collector::Collector;
use headroom::engine::launches::WEEKS;
use headroom::engine::plan::compile;
use headroom::engine::projection::{MovedChance, Projection};
use headroom::engine::run::{Cache, Simulator, run_all};
use headroom::stories;
use jiff::ToSpan;

const TRIALS: u32 = 100;

/// The first trials of a plan, without anything that is found out about them later.
fn project(scenario: &Scenario, trials: u32) -> Projection {
    let mut plan = compile(scenario).expect("a plan");
    plan.trials = trials;
    let mut collector = Collector::new(&plan);
    let batch = Simulator::new(&plan, &mut Cache::default()).simulate(0, trials);
    collector.add(&batch).expect("trials");
    collector.projection()
}

/// Budgets and clusters so narrow that some futures exceed them.
fn tight() -> Scenario {
    let mut scenario = stories::find(stories::DEFAULT).expect("a story").scenario();
    scenario.settings.trials = TRIALS;
    let first = project(&scenario, TRIALS);
    scenario.budgets[0].amount = first.budgets[0].spend.p50();
    scenario
}

#[test]
fn a_moved_launch_is_a_run_of_the_moved_plan() {
    let scenario = tight();
    let seed = scenario.settings.seed;
    let run = run_all(&scenario, TRIALS, seed, &mut |_, _| ()).expect("a run");
    let launches = run.launches.as_ref().expect("launches");
    let trials = launches.trials;
    assert!((50..=TRIALS).contains(&trials), "{trials}");
    let planned = project(&scenario, trials);
    let any: Vec<_> = planned.limits.iter().map(|l| l.any_breach).collect();
    assert_eq!(launches.breach, any);
    let over: Vec<_> = planned.budgets.iter().map(|b| b.over).collect();
    assert_eq!(launches.over, over);
    let (mut moves, mut changes) = (0, 0);
    for feature in &scenario.features {
        let Launch::Planned { date, .. } = feature.launch else {
            continue;
        };
        for weeks in WEEKS {
            let mut later = scenario.clone();
            let f = later.features.iter_mut().find(|f| f.id == feature.id);
            if let Some(Launch::Planned { date: day, .. }) = f.map(|f| &mut f.launch) {
                *day = date.checked_add(i64::from(weeks).weeks()).expect("a day");
            }
            let rerun = project(&later, trials);
            let found = launches
                .moves
                .iter()
                .find(|m| m.feature == feature.id && m.weeks == weeks)
                .expect("a move");
            let balance = |m: &MovedChance, before: u32| before + m.new - m.gone;
            for ((m, now), was) in found.breach.iter().zip(&rerun.limits).zip(&any) {
                assert_eq!(m.chance, now.any_breach, "{} +{weeks}", feature.name);
                assert_eq!(balance(m, was.count), now.any_breach.count);
                changes += m.new + m.gone;
            }
            for ((m, now), was) in found.over.iter().zip(&rerun.budgets).zip(&over) {
                assert_eq!(m.chance, now.over, "{} +{weeks}", feature.name);
                assert_eq!(balance(m, was.count), now.over.count);
                changes += m.new + m.gone;
            }
            let cost = rerun.total.effective.horizon.mean;
            assert!((found.effective_cost / cost - 1.0).abs() < 1e-12);
            let change = cost - planned.total.effective.horizon.mean;
            assert!((found.cost_change - change).abs() < 1e-9 * cost);
            moves += 1;
        }
    }
    assert_eq!(launches.moves.len(), moves);
    assert!(moves >= 6 && changes > 0, "{moves} {changes}");
}
