//! Draws belong to their entity: others may come, go and change places.

use std::collections::{BTreeMap, BTreeSet};

use headroom::domain::field::FieldPath;
use headroom::domain::quantity::Quantity;
use headroom::domain::scenario::{ByHour, Id, Launch, Scenario, Touches};
use headroom::engine::columns::{Batch, FeaturePhysical};
use headroom::engine::plan::Plan;
use proptest::prelude::*;

use crate::{run, scenario};

const TRIALS: u32 = 40;

const PHYSICAL: [FeaturePhysical; 6] = [
    FeaturePhysical::Requests,
    FeaturePhysical::Calls,
    FeaturePhysical::UncachedInput,
    FeaturePhysical::CachedRead,
    FeaturePhysical::Output,
    FeaturePhysical::BusyGpuHours,
];

/// Bits of every drawn input, by name.
fn inputs(plan: &Plan, batch: &Batch) -> BTreeMap<String, Vec<u32>> {
    let width = plan.layout.inputs;
    let column = |i: usize| {
        batch
            .inputs
            .chunks(width)
            .map(|row| row[i].to_bits())
            .collect()
    };
    plan.inputs
        .iter()
        .enumerate()
        .map(|(i, path)| (path.as_str().to_owned(), column(i)))
        .collect()
}

/// Bits of everything that a feature and its lanes do, by id.
fn features(plan: &Plan, batch: &Batch) -> BTreeMap<Id, Vec<u32>> {
    let months = plan.layout.months;
    let of = |f: usize| {
        let rows = batch.physical.chunks(plan.layout.physical_width());
        rows.flat_map(move |row| {
            PHYSICAL.iter().flat_map(move |which| {
                let first = plan.layout.feature_physical(f, *which);
                row[first..first + months].iter().map(|x| x.to_bits())
            })
        })
    };
    // the flows of a feature with lanes share its id: its own columns first, then those of its lanes
    let mut rows = BTreeMap::<Id, BTreeSet<u32>>::new();
    for f in &plan.features {
        rows.entry(f.id).or_default().extend(&f.rows);
    }
    rows.into_iter()
        .map(|(id, rows)| {
            (
                id,
                rows.into_iter().flat_map(|row| of(row as usize)).collect(),
            )
        })
        .collect()
}

fn same_where_both_are<K: Ord + std::fmt::Debug, V: PartialEq>(
    a: &BTreeMap<K, V>,
    b: &BTreeMap<K, V>,
) -> Result<(), TestCaseError> {
    for (key, value) in a {
        if let Some(other) = b.get(key) {
            prop_assert!(value == other, "{:?} changed", key);
        }
    }
    Ok(())
}

/// A random scenario without the one thing that ties features of a pool together: longer answers under its load.
fn apart(seed: u64) -> Scenario {
    let mut s = scenario(seed);
    for f in &mut s.features {
        f.by_hour.load_sensitivity = ByHour::default().load_sensitivity;
    }
    s
}

/// Inputs that move together with those of a feature are the exception when it changes or goes (and a window goes with
/// its last feature).
fn untie(scenario: &mut Scenario, feature: Id) {
    let others = |path: &FieldPath| {
        let (list, id, _) = path.parts();
        list == "features" && id != Some(feature)
    };
    let pairs = &mut scenario.dependence.correlations;
    pairs.retain(|pair| others(&pair.a) && others(&pair.b));
}

/// A copy of a feature under an id of its own. Windows that touch features by name touch the copy as well.
fn with_another_feature(scenario: &Scenario, which: usize) -> Scenario {
    let mut more = scenario.clone();
    let mut copy = more.features[which % more.features.len()].clone();
    copy.id = more.free_id();
    for season in &mut more.seasons {
        if let Touches::Only(ids) = &mut season.touches {
            ids.push(copy.id);
        }
    }
    more.features
        .insert(which % (more.features.len() + 1), copy);
    more
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn one_more_feature_leaves_the_others_alone(seed in any::<u64>(), which in 0usize..8) {
        let before = apart(seed);
        let after = with_another_feature(&before, which);
        let (a, b) = (run(&before, TRIALS), run(&after, TRIALS));
        prop_assert!(b.0.layout.features > a.0.layout.features);
        same_where_both_are(&inputs(&a.0, &a.1), &inputs(&b.0, &b.1))?;
        same_where_both_are(&features(&a.0, &a.1), &features(&b.0, &b.1))?;
    }

    #[test]
    fn one_feature_less_leaves_the_others_alone(seed in any::<u64>(), which in 0usize..8) {
        let mut before = apart(seed);
        prop_assume!(before.features.len() > 1);
        let gone = before.features[which % before.features.len()].id;
        untie(&mut before, gone);
        let mut after = before.clone();
        after.features.retain(|f| f.id != gone);
        for season in &mut after.seasons {
            if let Touches::Only(ids) = &mut season.touches {
                ids.retain(|id| *id != gone);
            }
        }
        after.seasons.retain(|s| s.touches != Touches::Only(Vec::new()));
        let (a, b) = (run(&before, TRIALS), run(&after, TRIALS));
        same_where_both_are(&inputs(&a.0, &a.1), &inputs(&b.0, &b.1))?;
        same_where_both_are(&features(&a.0, &a.1), &features(&b.0, &b.1))?;
    }

    #[test]
    fn what_one_feature_is_told_moves_only_itself(seed in any::<u64>(), which in 0usize..8) {
        let mut before = apart(seed);
        let index = which % before.features.len();
        let changed = before.features[index].id;
        untie(&mut before, changed);
        let mut after = before.clone();
        after.features[index].requests_per_day = Quantity::fixed(123.0);
        let (a, b) = (run(&before, TRIALS), run(&after, TRIALS));
        let (mut a, mut b) = (features(&a.0, &a.1), features(&b.0, &b.1));
        let always = before.features[index].retire.is_none() && before.features[index].launch == Launch::Live;
        prop_assert!(a.remove(&changed) != b.remove(&changed) || !always, "a changed input changes nothing");
        same_where_both_are(&a, &b)?;
    }
}
