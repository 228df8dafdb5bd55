//! From the JSON form of an old version to the one of today, one step per format. Files of old versions take the same
//! way, so there is one place that knows how the form of a scenario changed.

use serde_json::Value;

/// One step up: from format `n` (the position, from 1) to format `n + 1`.
type Step = fn(Value) -> Option<Value>;

/// Steps from format 1 on; a new format adds one and changes none.
const STEPS: &[Step] = &[];

/// The scenario in the JSON form of today; none if its format number is missing or from the future.
pub fn lift(scenario: Value) -> Option<Value> {
    let format = scenario.get("format")?.as_u64()?;
    let first = usize::try_from(format.checked_sub(1)?).ok()?;
    STEPS
        .get(first..)?
        .iter()
        .try_fold(scenario, |scenario, step| step(scenario))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::scenario::SCENARIO_FORMAT;
    use serde_json::json;

    #[test]
    fn there_is_a_step_to_every_format() {
        assert_eq!(STEPS.len() + 1, SCENARIO_FORMAT as usize);
    }

    #[test]
    fn only_formats_of_the_past_and_of_today_are_lifted() {
        let today = json!({"format": SCENARIO_FORMAT});
        assert_eq!(lift(today.clone()), Some(today));
        for bad in [
            json!({}),
            json!({"format": 0}),
            json!({"format": SCENARIO_FORMAT + 1}),
            json!({"format": "1"}),
            json!(null),
        ] {
            assert_eq!(lift(bad), None);
        }
    }
}
