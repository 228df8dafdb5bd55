//! The result does not depend on how the trials are cut into batches, nor on their order of arrival.

use headroom::engine::collector::Collector;
use headroom::engine::plan::compile;
use headroom::engine::run::{Cache, Simulator};
use proptest::prelude::*;

use crate::scenario;

/// Digest of the result when the trials come in batches of these sizes (repeated), first or last batch first.
fn digest(seed: u64, sizes: &[u32], backwards: bool) -> String {
    let mut scenario = scenario(seed);
    scenario.settings.trials = 100;
    let plan = compile(&scenario).expect("a valid scenario");
    let mut batches = Vec::new();
    let mut first = 0;
    for size in sizes.iter().cycle() {
        let count = (*size).min(plan.trials - first);
        // A fresh simulator and a fresh cache for each batch: what a restarted worker has.
        let mut cache = Cache::default();
        batches.push(Simulator::new(&plan, &mut cache).simulate(first, count));
        first += count;
        if first == plan.trials {
            break;
        }
    }
    if backwards {
        batches.reverse();
    }
    let mut collector = Collector::new(&plan);
    for batch in &batches {
        collector.add(batch).expect("a batch of this plan");
    }
    collector
        .projection()
        .result_digest
        .expect("all trials are in")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn digests_do_not_depend_on_the_cut(seed in any::<u64>(), sizes in prop::collection::vec(1u32..60, 1..4)) {
        let whole = digest(seed, &[100], false);
        prop_assert_eq!(&whole, &digest(seed, &sizes, false));
        prop_assert_eq!(&whole, &digest(seed, &sizes, true));
    }
}

#[test]
fn another_seed_gives_another_digest() {
    let run = |seed: u64| {
        let mut scenario = scenario(3);
        scenario.settings.seed = seed;
        scenario.settings.trials = 100;
        headroom::engine::run_all(&scenario, 100, seed, &mut |_, _| {})
            .expect("a valid scenario")
            .result_digest
    };
    assert!(run(1).is_some());
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}
