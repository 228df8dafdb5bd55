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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::problem::tests::plan;

    #[test]
    fn the_digest_is_of_everything_and_does_not_drift() {
        let digest = scenario_digest(&plan());
        assert_eq!(digest, "52b22b0bf0a3457c6339ea3db942750a");
        let mut other = plan();
        other.settings.seed += 1;
        assert_ne!(scenario_digest(&other), digest);
        let mut other = plan();
        other.notes.clear();
        assert_ne!(scenario_digest(&other), digest);
    }

    #[test]
    fn a_plan_that_was_written_and_read_has_the_same_digest() {
        let bytes = canonical(&plan());
        let back: Scenario = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(scenario_digest(&back), scenario_digest(&plan()));
    }
}
