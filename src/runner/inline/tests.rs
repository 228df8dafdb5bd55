use super::*;
use crate::engine::billing::Billing;
use crate::engine::cause::CauseBatch;
use crate::engine::columns::{Batch, Layout};
use crate::engine::inquiry::{Answer, Question};
use crate::engine::projection::Projection;
use crate::runner::protocol::Span;

/// An engine whose trials are known beforehand.
struct Toy;

impl Engine for Toy {
    type Simulator = Plan;
    fn simulator(&mut self, plan: Plan) -> Plan {
        plan
    }
    fn simulate(plan: &mut Plan, span: Span) -> Batch {
        let width = plan.layout.money_width() as u32;
        let value = |trial: u32, column: u32| f64::from((trial * 7919 + column) % 1009);
        let columns = |trial| (0..width).map(move |column| value(trial, column));
        Batch {
            first_trial: span.first,
            trials: span.count,
            money: (span.first..span.end()).flat_map(columns).collect(),
            physical: Vec::new(),
            inputs: Vec::new(),
        }
    }
    fn answer(_: &mut Plan, question: &Question, span: Span) -> Answer {
        let Question::Causes(question) = question else {
            unreachable!("a plan without features and limits");
        };
        Answer::Causes(CauseBatch {
            first_trial: span.first,
            trials: span.count,
            counts: vec![Default::default(); question.width()],
        })
    }
}

fn plan(trials: u32) -> Plan {
    let layout = Layout {
        months: 1,
        features: 0,
        lanes: 0,
        pools: 0,
        limits: 0,
        commitments: 0,
        inputs: 0,
    };
    Plan {
        scenario_digest: "s".into(),
        time_zone_database: "t".into(),
        currency: "USD".into(),
        seed: 7,
        trials,
        layout,
        month_start: vec![0, 744],
        months: Vec::new(),
        clock: Vec::new(),
        quarters: Vec::new(),
        years: Vec::new(),
        features: Vec::new(),
        models: Vec::new(),
        pools: Vec::new(),
        limits: Vec::new(),
        commitments: Vec::new(),
        windows: Vec::new(),
        budgets: Vec::new(),
        inputs: Vec::new(),
        together: Default::default(),
        shock: None,
        billing: Billing {
            layout,
            month_start: vec![0, 744],
            spend: Vec::new(),
            clusters: Vec::new(),
            invoices: Vec::new(),
        },
        entered: Default::default(),
    }
}

fn runner(workers: usize) -> InlineRunner<Toy> {
    InlineRunner::new(workers, || Toy)
}

fn projections(events: &[RunEvent]) -> Vec<&Projection> {
    let shown = events.iter().filter_map(|event| match event {
        RunEvent::Projection(projection) => Some(&**projection),
        _ => None,
    });
    shown.collect()
}

fn digest(events: &[RunEvent]) -> String {
    let shown = projections(events);
    let last = shown.last().expect("a projection");
    last.result_digest.clone().expect("all trials")
}

fn run(runner: &mut InlineRunner<Toy>, trials: u32) -> Vec<RunEvent> {
    runner.start(&plan(trials));
    runner.work();
    runner.events()
}

/// How often the runner had to repair something.
fn restarts(events: &[RunEvent]) -> usize {
    let restarted = |event: &&RunEvent| matches!(event, RunEvent::Restarted { .. });
    events.iter().filter(restarted).count()
}

#[test]
fn a_run_shows_a_first_look_and_ends_with_everything() {
    let events = run(&mut runner(2), 1_000);
    let shown: Vec<u32> = projections(&events).iter().map(|p| p.trials).collect();
    assert!((100..140).contains(&shown[0]), "{shown:?}");
    assert!(
        shown.is_sorted() && shown.last() == Some(&1_000),
        "{shown:?}"
    );
    assert_eq!(events.last(), Some(&RunEvent::Done));
    assert_eq!(restarts(&events), 0);
}

#[test]
fn the_quick_look_goes_before_later_trials() {
    for workers in [1, 2, 5] {
        let shown = |p: &&Projection| p.trials;
        let events = run(&mut runner(workers), 3_000);
        let shown: Vec<u32> = projections(&events).iter().map(shown).collect();
        assert!(shown.contains(&1_000), "{workers}: {shown:?}");
        assert_eq!(shown.last(), Some(&3_000), "{workers}: {shown:?}");
    }
}

#[test]
fn workers_and_shares_change_no_bit() {
    let expected = digest(&run(&mut runner(1), 777));
    for workers in [2, 3, 4, 7] {
        assert_eq!(digest(&run(&mut runner(workers), 777)), expected);
        for trials in [1, 13, 97, 5_000] {
            let mut runner = InlineRunner::with_shares_of(trials, workers, || Toy);
            assert_eq!(
                digest(&run(&mut runner, 777)),
                expected,
                "{workers} {trials}"
            );
        }
    }
}

#[test]
fn a_newer_run_drops_the_older_one() {
    let mut runner = runner(2);
    runner.start(&plan(5_000));
    for _ in 0..30 {
        for seat in runner.seats() {
            runner.step(seat);
        }
    }
    runner.events();
    let events = run(&mut runner, 300);
    for projection in projections(&events) {
        assert_eq!(projection.trials_wanted, 300);
    }
    assert_eq!(events.last(), Some(&RunEvent::Done));
}

#[test]
fn a_crash_at_any_moment_loses_nothing() {
    let expected = digest(&run(&mut runner(2), 300));
    for seat in [Seat::Worker(0), Seat::Worker(1), Seat::Collector] {
        for moment in 0..40 {
            let mut runner = runner(2);
            runner.start(&plan(300));
            for _ in 0..moment {
                for seat in runner.seats() {
                    runner.step(seat);
                }
            }
            let over = runner.events().last() == Some(&RunEvent::Done);
            runner.crash(seat);
            runner.work();
            let events = runner.events();
            if !over {
                assert_eq!(digest(&events), expected, "{seat:?} {moment}");
                assert_eq!(restarts(&events), 1);
                assert_eq!(events.last(), Some(&RunEvent::Done));
            }
        }
    }
}

#[test]
fn a_worker_that_hangs_is_replaced_after_five_seconds() {
    let expected = digest(&run(&mut runner(2), 2_000));
    for seat in [Seat::Worker(1), Seat::Collector] {
        let mut runner = runner(2);
        runner.start(&plan(2_000));
        for _ in 0..10 {
            for seat in runner.seats() {
                runner.step(seat);
            }
        }
        runner.hang(seat);
        runner.work();
        runner.wait(4);
        let before = runner.events();
        assert_eq!(
            (restarts(&before), before.contains(&RunEvent::Done)),
            (0, false)
        );
        runner.wait(3);
        runner.work();
        let events = runner.events();
        assert!(events.contains(&RunEvent::Restarted {
            why: RestartReason::NoAnswer
        }));
        assert_eq!(digest(&events), expected);
    }
}

#[test]
fn nobody_is_blamed_after_the_page_slept() {
    let mut runner = runner(2);
    runner.start(&plan(2_000));
    runner.now += 3_600_000.0;
    runner.wait(1);
    runner.work();
    assert_eq!(restarts(&runner.events()), 0);
}

#[test]
fn a_plan_that_always_breaks_is_given_up() {
    let mut runner = runner(1);
    runner.start(&plan(500));
    for _ in 0..20 {
        runner.step(Seat::Worker(0));
        runner.crash(Seat::Worker(0));
    }
    let events = runner.events();
    assert!(
        matches!(events.last(), Some(RunEvent::Failed { .. })),
        "{events:?}"
    );
    assert!(restarts(&events) <= 6);
    // and the next plan runs
    assert_eq!(run(&mut runner, 300).last(), Some(&RunEvent::Done));
}

#[test]
fn stop_shows_all_that_is_in_and_resume_goes_on() {
    let expected = digest(&run(&mut runner(2), 5_000));
    let mut runner = runner(2);
    runner.start(&plan(5_000));
    for _ in 0..12 {
        for seat in runner.seats() {
            runner.step(seat);
        }
    }
    runner.stop();
    runner.work();
    let events = runner.events();
    let Some(RunEvent::Stopped { done }) = events.last() else {
        panic!("{events:?}");
    };
    assert!(*done > 0 && *done < 5_000);
    assert_eq!(projections(&events).last().map(|p| p.trials), Some(*done));
    // a worker that breaks meanwhile, even the collector, is mended without a word
    runner.crash(Seat::Collector);
    runner.work();
    assert_eq!(runner.events(), []);
    runner.resume();
    runner.work();
    assert_eq!(digest(&runner.events()), expected);
}

#[test]
fn a_worker_of_another_build_is_not_used() {
    let mut runner = runner(1);
    let build = "another".to_owned();
    runner
        .dispatcher
        .heard(Seat::Worker(0), Response::Ready { build }, None, 0.0);
    runner.act();
    let told = runner.events();
    assert!(matches!(told[..], [RunEvent::Failed { .. }]), "{told:?}");
    let again = run(&mut runner, 300);
    assert!(matches!(again[..], [RunEvent::Failed { .. }]), "{again:?}");
}

#[test]
fn a_worker_that_does_not_start_is_told() {
    let mut runner = runner(1);
    for _ in 0..3 {
        runner
            .dispatcher
            .broke(Seat::Worker(0), RestartReason::Crashed, 0.0);
        // its replacement never gets ready
        runner.dispatcher.actions();
    }
    runner.act();
    runner.crash(Seat::Worker(0));
    let events = run(&mut runner, 300);
    assert!(
        matches!(events.last(), Some(RunEvent::Failed { .. })),
        "{events:?}"
    );
}
