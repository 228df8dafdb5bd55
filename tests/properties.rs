//! What holds for every valid scenario: sane numbers, draws that belong to their entity, causes that equal a rerun,
//! digests that do not depend on how the work was cut.

mod common;

#[path = "properties/sane.rs"]
mod sane;

#[path = "properties/draws.rs"]
mod draws;

#[path = "properties/order.rs"]
mod order;

#[path = "properties/causes.rs"]
mod causes;

#[path = "properties/digests.rs"]
mod digests;

#[path = "properties/shares.rs"]
mod shares;

#[path = "properties/extremes.rs"]
mod extremes;

#[path = "properties/together.rs"]
mod together;

use common::scenarios::{SMALL, random};
use headroom::domain::scenario::Scenario;
use headroom::engine::columns::Batch;
use headroom::engine::plan::{Plan, compile};
use headroom::engine::run::{Cache, Simulator};

/// The small random scenario of a seed.
fn scenario(seed: u64) -> Scenario {
    random(seed, SMALL)
}

/// A plan and its first trials.
fn run(scenario: &Scenario, trials: u32) -> (Plan, Batch) {
    let plan = compile(scenario).expect("a valid scenario");
    let mut cache = Cache::default();
    let batch = Simulator::new(&plan, &mut cache).simulate(0, trials);
    (plan, batch)
}
