//! Digests of scenarios.

use super::scenario::Scenario;

/// xxh3-128 of the scenario's canonical bytes, in hexadecimal.
///
/// The canonical bytes are its JSON without spaces, fields in the order of their declaration, numbers in the shortest
/// form that reads back to the same bits. Everything a person entered is in it, names and notes included.
#[must_use]
pub fn scenario_digest(scenario: &Scenario) -> String {
    format!("{:032x}", xxhash_rust::xxh3::xxh3_128(&canonical(scenario)))
}

/// The canonical bytes.
#[must_use]
pub fn canonical(scenario: &Scenario) -> Vec<u8> {
    // A scenario has only string keys and no maps with other keys, so that this cannot fail.
    serde_json::to_vec(scenario).unwrap_or_default()
}
