//! Fields at the ends of what they may be: nothing that is not a number, whatever else is in the plan.

use headroom::domain::distribution::limits;
use headroom::domain::field::{FieldPath, FieldSpec};
use headroom::domain::quantity::{Domain, Quantity};
use headroom::domain::range;
use headroom::domain::scenario::{CommitmentKind, PoolKind, Scenario};
use headroom::engine::collector::Collector;
use headroom::engine::plan::compile;
use headroom::engine::projection::Projection;
use headroom::engine::run::{Cache, Simulator};
use headroom::engine::run_all;
use proptest::prelude::*;

use super::sane;
use crate::common::scenarios::{SMALL, random};

/// A plan with every field, two months long.
fn everything() -> Scenario {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/effects.json");
    let text = std::fs::read_to_string(path).expect("the plan");
    let mut scenario: Scenario = serde_json::from_str(&text).expect("a plan");
    scenario.settings.horizon_months = 2;
    // the most demand that can be simulated cannot grow
    for feature in &mut scenario.features {
        feature.growth_per_month = Quantity::fixed(0.0);
    }
    scenario
}

/// The two ends of a field, as far from and as close to 0 as it may be.
fn ends(spec: &FieldSpec) -> [f64; 2] {
    let range::Range { least, most } = spec.range();
    let least = match spec.domain {
        Domain::IntegerFromOne => 1.0,
        Domain::IntegerFromZero | Domain::NonNegative | Domain::Share => 0.0,
        Domain::Change => -0.999_999,
        Domain::Positive | Domain::Any => least,
    };
    let most = match spec.name {
        // bounded by what can be simulated
        "calls_per_request" | "tool_calls_per_request" => 1_000.0,
        "growth_per_month" | "token_drift_per_month" => 3.0,
        _ => most.min(limits(spec.domain).1),
    };
    [least, most]
}

/// What a plan with problems would be is not simulated.
fn project(scenario: &Scenario) -> Option<Projection> {
    run_all(scenario, 20, 1, &mut |_, _| {}).ok()
}

/// The trials of a valid plan without what is asked after them, with the tables that an edit did not change.
fn look(scenario: &Scenario, cache: &mut Cache) -> Projection {
    let mut plan = compile(scenario).expect("a valid plan");
    plan.trials = 20;
    let batch = Simulator::new(&plan, cache).simulate(0, plan.trials);
    let mut collector = Collector::new(&plan);
    collector.add(&batch).expect("finite numbers");
    collector.projection()
}

fn failures(p: &Projection) -> Vec<String> {
    let mut failures = sane::check(p);
    let text = serde_json::to_string(p).expect("JSON");
    // What is no number is written as null, and null is no number.
    if let Err(error) = serde_json::from_str::<Projection>(&text) {
        failures.push(error.to_string());
    }
    failures
}

fn set(scenario: &mut Scenario, path: &FieldPath, value: f64) {
    *scenario.quantity_mut(path).expect("a field") = Quantity::fixed(value);
}

#[test]
fn each_field_at_each_end() {
    let (plan, mut cache) = (everything(), Cache::default());
    let paths: Vec<_> = plan
        .quantities()
        .into_iter()
        .map(|(path, spec, _)| (path, spec))
        .collect();
    let (mut ran, mut seen) = (0, std::collections::BTreeSet::new());
    for (path, spec) in &paths {
        // one feature and one window stand for the others
        if !seen.insert((spec.section, spec.name)) {
            continue;
        }
        for value in ends(spec) {
            let mut at_end = plan.clone();
            set(&mut at_end, path, value);
            let problems = at_end.problems();
            assert!(problems.is_empty(), "{path:?} {value}: {problems:?}");
            let failures = failures(&look(&at_end, &mut cache));
            assert!(failures.is_empty(), "{path:?} {value}: {failures:#?}");
            ran += 1;
        }
    }
    assert_eq!(ran, 2 * headroom::domain::field::QUANTITY_FIELDS.len());
}

/// Prices, limits and contracts at one of their ends.
fn plain_ends(scenario: &mut Scenario, high: bool) {
    let pick = |low: f64, most: f64| if high { most } else { low };
    let gpus = if high { range::MOST_GPUS as u32 } else { 1 };
    for model in &mut scenario.models {
        model.sequence_tokens_per_second = pick(0.001, range::MOST_SPEED);
        if let Some(price) = &mut model.price {
            price.uncached_input = pick(0.0, range::MOST_RATE);
            price.cached_read = pick(0.0, range::MOST_RATE);
            price.output = pick(0.0, range::MOST_RATE);
        }
        if let Some(serving) = &mut model.serving {
            serving.prefill_tokens_per_second = pick(0.001, range::MOST_SPEED);
            serving.decode_tokens_per_second = pick(0.001, range::MOST_SPEED);
        }
    }
    for pool in &mut scenario.pools {
        match &mut pool.kind {
            PoolKind::PayAsYouGo {
                tokens_per_minute,
                requests_per_minute,
                ..
            } => {
                *tokens_per_minute = Some(pick(1.0, range::MOST_TOKENS));
                *requests_per_minute = Some(pick(0.001, range::MOST_SPEED));
            }
            PoolKind::GpuCluster {
                target_utilisation,
                on_demand_rate_per_gpu_hour,
                burst,
            } => {
                *target_utilisation = pick(0.01, 1.0);
                *on_demand_rate_per_gpu_hour = pick(0.0, range::MOST_RATE);
                if let Some(burst) = burst {
                    burst.max_gpus = gpus;
                    burst.rate_per_gpu_hour = pick(0.0, range::MOST_RATE);
                }
            }
        }
    }
    for commitment in &mut scenario.commitments {
        match &mut commitment.kind {
            CommitmentKind::ReservedCapacity {
                gpus: reserved,
                rate_per_gpu_hour,
                upfront_share,
                ..
            } => {
                *reserved = gpus;
                *rate_per_gpu_hour = pick(0.0, range::MOST_RATE);
                *upfront_share = pick(0.0, 1.0);
            }
            CommitmentKind::SpendCommitment {
                amount_per_hour, ..
            } => *amount_per_hour = pick(range::LEAST, range::MOST_PER_HOUR),
        }
    }
    for budget in &mut scenario.budgets {
        budget.amount = pick(0.001, range::MOST_BUDGET);
        budget.spent_before = pick(0.0, range::MOST_BUDGET);
    }
}

#[test]
fn everything_at_its_end_at_once() {
    for high in [false, true] {
        for quantities in [false, true] {
            let mut plan = everything();
            plain_ends(&mut plan, high);
            if quantities {
                let paths: Vec<_> = plan
                    .quantities()
                    .into_iter()
                    .map(|(path, spec, _)| (path, ends(spec)[usize::from(high)], spec.name))
                    .collect();
                for (path, value, name) in paths {
                    // so much demand cannot grow any more
                    let value = if name == "growth_per_month" {
                        0.0
                    } else {
                        value
                    };
                    set(&mut plan, &path, value);
                }
            }
            let problems = plan.problems();
            assert!(problems.is_empty(), "{high}: {problems:?}");
            let failures = failures(&project(&plan).expect("a run"));
            assert!(failures.is_empty(), "{high} {quantities}: {failures:#?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    fn any_plan_with_any_fields_at_their_ends(
        seed in any::<u64>(),
        ends_of in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..6),
        plain in prop::option::of(any::<bool>()),
    ) {
        let mut plan = random(seed, SMALL);
        let paths: Vec<_> = plan.quantities().into_iter().map(|(path, spec, _)| (path, ends(spec))).collect();
        for (index, high) in ends_of {
            let (path, ends) = &paths[index.index(paths.len())];
            set(&mut plan, path, ends[usize::from(high)]);
        }
        if let Some(high) = plain {
            plain_ends(&mut plan, high);
        }
        // too much in all is an error, as it has to be
        if let Some(p) = project(&plan) {
            let failures = failures(&p);
            prop_assert!(failures.is_empty(), "scenario {seed}: {failures:#?}");
        }
    }
}
