//! The order in which a person keeps features, models, pools and seasons is how results are shown, and nothing else.

use headroom::domain::scenario::{Id, Scenario};
use headroom::engine::projection::{Outcome, Projection};
use headroom::engine::run::run_all;
use headroom::import;
use proptest::prelude::*;

use crate::{run, scenario};

fn reversed(scenario: &Scenario) -> Scenario {
    let mut s = scenario.clone();
    s.features.reverse();
    s.models.reverse();
    s.pools.reverse();
    s.seasons.reverse();
    s
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Not even in the last digit: sums have an order of their own.
    #[test]
    fn trials_do_not_depend_on_it(seed in any::<u64>()) {
        let before = scenario(seed);
        let (a, b) = (run(&before, 40), run(&reversed(&before), 40));
        prop_assert_eq!(a.0.inputs, b.0.inputs);
        prop_assert_eq!(a.1, b.1);
    }
}

fn project(scenario: &Scenario) -> Projection {
    run_all(scenario, 120, 5, &mut |_, _| {}).expect("a valid plan")
}

/// An outcome in words that do not depend on places.
fn named(p: &Projection, outcome: Outcome) -> String {
    let limit = |at: u32| {
        let l = &p.limits[at as usize];
        format!("{:?} {:?}", l.pool, l.limit)
    };
    match outcome {
        Outcome::LowestHeadroom(at) => format!("headroom {}", limit(at)),
        Outcome::BreachHours(at) => format!("hours {}", limit(at)),
        Outcome::MonthLowestHeadroom { limit: at, month } => format!("{month} {}", limit(at)),
        Outcome::MonthBreachHours { limit: at, month } => format!("{month} hours {}", limit(at)),
        Outcome::FeatureEffectiveCost(at) => format!("{:?}", p.features[at as usize].id),
        other => format!("{other:?}"),
    }
}

/// Everything that speaks of a place, in words, sorted.
fn in_words(p: &Projection) -> Vec<String> {
    let limit = |at: u32| {
        let l = &p.limits[at as usize];
        format!("{:?} {:?}", l.pool, l.limit)
    };
    let mut words: Vec<String> = Vec::new();
    for d in &p.drivers {
        let input = d.input.as_str();
        words.push(format!("{} {input} {:?}", named(p, d.outcome), d.low_fifth));
    }
    for c in &p.causes {
        words.push(format!("{} {} {:?}", limit(c.limit), c.month, c.suspects));
    }
    for h in &p.heat {
        words.push(format!("{} {:?}", limit(h.limit), h.months));
    }
    let launches = p.launches.as_ref().expect("launches");
    for (at, chance) in (0..).zip(&launches.breach) {
        words.push(format!("{} {chance:?}", limit(at)));
    }
    for x in &launches.moves {
        for (at, moved) in (0..).zip(&x.breach) {
            words.push(format!(
                "{:?} {} {} {moved:?}",
                x.feature,
                x.weeks,
                limit(at)
            ));
        }
    }
    for f in &p.features {
        words.push(format!("{f:?}"));
    }
    for l in &p.lanes {
        words.push(format!("{l:?}"));
    }
    for l in &p.limits {
        words.push(format!("{l:?}"));
    }
    for pool in &p.pools {
        words.push(format!("{pool:?}"));
    }
    words.sort();
    words
}

#[test]
fn results_stand_in_it_and_say_the_same() {
    let text = include_str!("../data/effects.json");
    let before = import::scenario_json(text).expect("a valid plan");
    assert!(before.features.len() > 1 && before.pools.len() > 2);
    let after = reversed(&before);
    let (a, b) = (project(&before), project(&after));
    assert!(!a.drivers.is_empty() && !a.causes.is_empty() && !a.heat.is_empty());
    assert_eq!(a.result_digest, b.result_digest);
    assert_eq!(a.total, b.total);
    let ids = |p: &Projection| -> Vec<Id> { p.features.iter().map(|f| f.id).collect() };
    let entered: Vec<Id> = after.features.iter().map(|f| f.id).collect();
    assert_eq!(ids(&b), entered);
    let pools: Vec<Id> = b.pools.iter().map(|x| x.id).collect();
    let entered: Vec<Id> = after.pools.iter().map(|x| x.id).collect();
    assert_eq!(pools, entered);
    assert_eq!(in_words(&a), in_words(&b));
}
