//! The runner with real workers, in a real browser: the same digests as natively, and repairs after a real infinite
//! loop and a real trap. The worker is built with the feature `faults` and served from target/wasm-tests
//! (scripts/test-wasm.sh).
#![cfg(target_family = "wasm")]
#![allow(missing_docs)]

use std::cell::RefCell;
use std::rc::Rc;

use headroom::domain::scenario::Scenario;
use headroom::engine::projection::Projection;
use headroom::engine::run::run_all;
use headroom::runner::browser::{Runner, Scripts};
use headroom::runner::dispatch::Seat;
use headroom::runner::protocol::Fault;
use headroom::runner::{RestartReason, RunEvent};
use js_sys::{Function, Promise};
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

#[path = "golden/mod.rs"]
mod golden;

use golden::GOLDENS;

wasm_bindgen_test_configure!(run_in_browser);

/// Where `scripts/test-wasm.sh` puts the loaders.
fn scripts() -> Scripts {
    let loader = |role: &str| format!("/target/wasm-tests/{role}_loader.js");
    Scripts {
        worker: loader("worker"),
        collector: loader("collector"),
    }
}

async fn pause(milliseconds: i32) {
    let timer = |done: Function, _| {
        let window = web_sys::window().expect("a window");
        window
            .set_timeout_with_callback_and_timeout_and_arguments_0(&done, milliseconds)
            .expect("a timer");
    };
    JsFuture::from(Promise::new(&mut { timer }))
        .await
        .expect("no failure");
}

/// A runner and what it said.
struct Watched {
    runner: Runner,
    events: Rc<RefCell<Vec<RunEvent>>>,
}

impl Watched {
    fn new(workers: usize, share: Option<u32>) -> Self {
        let events = Rc::new(RefCell::new(Vec::new()));
        let told = events.clone();
        let runner = Runner::with(scripts(), workers, share, move |event| {
            told.borrow_mut().push(event);
        });
        Self { runner, events }
    }

    fn has(&self, wanted: impl Fn(&RunEvent) -> bool) -> bool {
        self.events.borrow().iter().any(wanted)
    }

    /// Waits for an event, at most a minute.
    async fn until(&self, wanted: impl Fn(&RunEvent) -> bool) {
        for _ in 0..6_000 {
            if self.has(&wanted) {
                return;
            }
            let failed = self.has(|event| matches!(event, RunEvent::Failed { .. }));
            assert!(!failed, "{:?}", self.events.borrow().last());
            pause(10).await;
        }
        panic!("not within a minute");
    }

    async fn done(&self) -> Projection {
        self.until(|event| *event == RunEvent::Done).await;
        let events = self.events.borrow();
        let shown = events.iter().rev().find_map(|event| match event {
            RunEvent::Projection(projection) => Some((**projection).clone()),
            _ => None,
        });
        shown.expect("a projection")
    }

    fn restarts(&self) -> Vec<RestartReason> {
        let events = self.events.borrow();
        let why = events.iter().filter_map(|event| match event {
            RunEvent::Restarted { why } => Some(*why),
            _ => None,
        });
        why.collect()
    }
}

async fn run(scenario: &Scenario, workers: usize, share: Option<u32>) -> Projection {
    let watched = Watched::new(workers, share);
    watched.runner.start(scenario).expect("no problems");
    watched.done().await
}

/// Long enough to be disturbed in the middle.
fn long() -> Scenario {
    let mut scenario = GOLDENS[0].scenario();
    scenario.settings.trials = 600;
    scenario
}

fn is_first_look(event: &RunEvent) -> bool {
    matches!(event, RunEvent::Projection(_))
}

#[wasm_bindgen_test]
fn digests_are_the_native_ones() {
    for golden in GOLDENS {
        let scenario = golden.scenario();
        let settings = &scenario.settings;
        let projection =
            run_all(&scenario, settings.trials, settings.seed, &mut |_, _| ()).expect(golden.story);
        assert_eq!(projection.scenario_digest, golden.scenario);
        assert_eq!(projection.result_digest.as_deref(), Some(golden.result));
    }
}

#[wasm_bindgen_test]
async fn workers_and_shares_change_no_bit() {
    for (workers, share) in [(1, None), (2, None), (4, None), (2, Some(7)), (4, Some(33))] {
        for golden in GOLDENS {
            let projection = run(&golden.scenario(), workers, share).await;
            assert_eq!(
                projection.result_digest.as_deref(),
                Some(golden.result),
                "{} {workers} {share:?}",
                golden.story
            );
        }
    }
}

#[wasm_bindgen_test]
async fn a_worker_in_an_infinite_loop_is_replaced() {
    let expected = run(&long(), 2, None).await;
    for seat in [Seat::Worker(1), Seat::Collector] {
        let watched = Watched::new(2, None);
        watched.runner.start(&long()).expect("no problems");
        watched.until(is_first_look).await;
        watched.runner.break_down(seat, Fault::Loop);
        assert_eq!(watched.done().await, expected, "{seat:?}");
        assert!(watched.restarts().contains(&RestartReason::NoAnswer));
    }
}

#[wasm_bindgen_test]
async fn a_worker_that_traps_is_replaced() {
    let expected = run(&long(), 2, None).await;
    for seat in [Seat::Worker(0), Seat::Collector] {
        let watched = Watched::new(2, None);
        watched.runner.start(&long()).expect("no problems");
        watched.until(is_first_look).await;
        watched.runner.break_down(seat, Fault::Trap);
        assert_eq!(watched.done().await, expected, "{seat:?}");
        assert!(watched.restarts().contains(&RestartReason::Crashed));
    }
}

#[wasm_bindgen_test]
async fn a_newer_run_takes_over_at_once() {
    let watched = Watched::new(2, None);
    watched.runner.start(&long()).expect("no problems");
    watched.until(is_first_look).await;
    watched.events.borrow_mut().clear();
    let golden = &GOLDENS[1];
    watched
        .runner
        .start(&golden.scenario())
        .expect("no problems");
    let projection = watched.done().await;
    assert_eq!(projection.result_digest.as_deref(), Some(golden.result));
    for event in watched.events.borrow().iter() {
        if let RunEvent::Projection(shown) = event {
            assert_eq!(shown.scenario_digest, golden.scenario, "of the older run");
        }
    }
}

#[wasm_bindgen_test]
async fn a_script_that_is_not_there_is_told() {
    let events = Rc::new(RefCell::new(Vec::new()));
    let told = events.clone();
    let missing = Scripts {
        worker: "/target/wasm-tests/missing.js".to_owned(),
        ..scripts()
    };
    let runner = Runner::with(missing, 1, None, move |event| {
        told.borrow_mut().push(event);
    });
    runner.start(&long()).expect("no problems");
    for _ in 0..1_000 {
        if let Some(event) = events.borrow().last() {
            assert!(matches!(event, RunEvent::Failed { .. }), "{event:?}");
            return;
        }
        pause(10).await;
    }
    panic!("nothing was said");
}
