//! Digests of whole runs, natively, in one go and through the runner's bytes.
#![allow(missing_docs)]

use headroom::engine::plan::compile;
use headroom::engine::projection::Projection;
use headroom::engine::run::run_all;
use headroom::runner::RunEvent;
use headroom::runner::inline::InlineRunner;
use headroom::runner::trial::Local;

#[path = "golden/mod.rs"]
mod golden;

use golden::GOLDENS;

#[test]
fn digests_are_those_of_the_last_version() {
    let mut found = Vec::new();
    for golden in GOLDENS {
        let scenario = golden.scenario();
        let settings = &scenario.settings;
        let projection =
            run_all(&scenario, settings.trials, settings.seed, &mut |_, _| ()).expect(golden.story);
        let result = projection.result_digest.unwrap_or_default();
        let expected = [golden.scenario, golden.result].map(str::to_owned);
        if [projection.scenario_digest.clone(), result.clone()] != expected {
            found.push((golden.story, projection.scenario_digest, result));
        }
    }
    assert!(found.is_empty(), "story, scenario and result: {found:#?}");
}

/// The last projection of a run, which must come with the end.
fn last(events: Vec<RunEvent>) -> Projection {
    assert_eq!(events.last(), Some(&RunEvent::Done));
    let shown = events.into_iter().rev().find_map(|event| match event {
        RunEvent::Projection(projection) => Some(*projection),
        _ => None,
    });
    shown.expect("a projection")
}

#[test]
fn the_runner_finds_the_same_with_any_workers_and_shares_causes_included() {
    for golden in GOLDENS {
        let scenario = golden.scenario();
        let settings = &scenario.settings;
        let expected =
            run_all(&scenario, settings.trials, settings.seed, &mut |_, _| ()).expect(golden.story);
        let plan = compile(&scenario).expect(golden.story);
        for (workers, share) in [(1, None), (2, None), (4, Some(7)), (2, Some(101))] {
            let mut runner = match share {
                Some(trials) => InlineRunner::with_shares_of(trials, workers, Local::default),
                None => InlineRunner::new(workers, Local::default),
            };
            runner.start(&plan);
            runner.work();
            assert_eq!(
                last(runner.events()),
                expected,
                "{} {workers} {share:?}",
                golden.story
            );
        }
    }
}
