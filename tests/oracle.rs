//! The engine against an independent brute force (`tests/oracle/`), and the brute force against closed forms.

#[path = "oracle/mod.rs"]
mod brute;

#[path = "oracle/closed_forms.rs"]
mod closed_forms;

#[path = "agreement/distributions.rs"]
mod distributions;

#[path = "agreement/futures.rs"]
mod futures;

#[path = "agreement/by_hour.rs"]
mod by_hour;
#[path = "agreement/caps.rs"]
mod caps;

#[path = "agreement/lanes.rs"]
mod lanes;

#[path = "agreement/calls.rs"]
mod calls;

#[path = "agreement/peaks.rs"]
mod peaks;

#[path = "agreement/counts.rs"]
mod counts;

/// The brute force is worth nothing if it asks the engine.
#[test]
fn the_brute_force_names_nothing_of_the_engine() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle");
    for entry in std::fs::read_dir(folder).expect("tests/oracle") {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("a source file");
        for used in text.split("headroom::").skip(1) {
            let allowed = ["domain::scenario", "domain::quantity", "domain::gateway"];
            assert!(
                allowed.iter().any(|a| used.starts_with(a)),
                "{} names headroom::{}",
                path.display(),
                used.lines().next().unwrap_or_default()
            );
        }
    }
}

#[test]
fn small_scenarios_have_no_problems() {
    for seed in brute::SCENARIOS {
        let problems = brute::scenarios::small(seed).problems();
        assert!(problems.is_empty(), "{seed}: {problems:?}");
    }
}

#[test]
fn a_seed_is_one_scenario_and_one_set_of_futures() {
    let effort = brute::Effort {
        trials: 3,
        shared_minutes: 2_000,
        own_minutes: 2_000,
        rounded_minutes: 40_000,
    };
    let play = || brute::simulate(&brute::scenarios::small(10), effort, 1);
    for (a, b) in play().iter().zip(play()) {
        assert_eq!((a.what, a.month, &a.values), (b.what, b.month, &b.values));
    }
}
