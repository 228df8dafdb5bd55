//! How plans and their undo lists are written in the browser's storage: a versioned envelope of JSON.
//!
//! What stands in storage is untrusted: another version of this page or a person's hands may have written it.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use serde::{Deserialize, Serialize};

use super::history::{History, Step};
use crate::domain::scenario::Scenario;

/// Version of the envelope.
pub const FORMAT: u32 = 1;

/// Largest plan in an undo step, in bytes of JSON: a bound for damaged or hostile storage.
const LARGEST_PLAN_BYTES: usize = 4 << 20;

/// A plan as stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedPlan {
    /// [`FORMAT`].
    pub format: u32,
    /// Milliseconds since 1970 at the last change.
    pub changed_ms: f64,
    /// The plan.
    pub scenario: Scenario,
}

/// Why a stored text is not a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadProblem {
    /// A newer version of this page wrote it.
    Newer,
    /// It is no plan.
    Damaged,
}

/// The text of a plan; none if it holds a number that JSON cannot carry.
#[must_use]
pub fn write_plan(scenario: &Scenario, changed_ms: f64) -> Option<String> {
    serde_json::to_string(&SavedPlan {
        format: FORMAT,
        changed_ms,
        scenario: scenario.clone(),
    })
    .ok()
}

/// The plan in a text.
///
/// # Errors
/// When the text is of a newer version or no plan at all.
pub fn read_plan(text: &str) -> Result<SavedPlan, ReadProblem> {
    let value: serde_json::Value = serde_json::from_str(text).map_err(|_| ReadProblem::Damaged)?;
    match value.get("format").and_then(serde_json::Value::as_u64) {
        Some(v) if v > u64::from(FORMAT) => return Err(ReadProblem::Newer),
        Some(v) if v == u64::from(FORMAT) => {}
        _ => return Err(ReadProblem::Damaged),
    }
    serde_json::from_value(value).map_err(|_| ReadProblem::Damaged)
}

#[derive(Serialize, Deserialize)]
struct SavedHistory {
    format: u32,
    undo: Vec<(String, String)>,
    redo: Vec<(String, String)>,
}

fn pack(step: &Step) -> Option<String> {
    if let Some(packed) = step.packed.get() {
        return Some(packed.clone());
    }
    let json = serde_json::to_vec(&*step.plan).ok()?;
    let packed = STANDARD_NO_PAD.encode(miniz_oxide::deflate::compress_to_vec(&json, 6));
    // Another thread cannot have been first: the page has one.
    let _ = step.packed.set(packed.clone());
    Some(packed)
}

fn unpack(label: String, packed: String) -> Option<Step> {
    let bytes = STANDARD_NO_PAD.decode(&packed).ok()?;
    let json =
        miniz_oxide::inflate::decompress_to_vec_with_limit(&bytes, LARGEST_PLAN_BYTES).ok()?;
    let step = Step::new(label, Arc::new(serde_json::from_slice(&json).ok()?));
    let _ = step.packed.set(packed);
    Some(step)
}

/// The text of an undo list.
#[must_use]
pub fn write_history(history: &History) -> Option<String> {
    let list = |steps: &[Step]| -> Option<Vec<_>> {
        steps
            .iter()
            .map(|s| Some((s.label.clone(), pack(s)?)))
            .collect()
    };
    serde_json::to_string(&SavedHistory {
        format: FORMAT,
        undo: list(history.undo_steps())?,
        redo: list(history.redo_steps())?,
    })
    .ok()
}

/// The undo list in a text; steps up to the first (counted from now) that cannot be read.
#[must_use]
pub fn read_history(text: &str) -> History {
    let Ok(saved) = serde_json::from_str::<SavedHistory>(text) else {
        return History::default();
    };
    if saved.format != FORMAT {
        return History::default();
    }
    let list = |steps: Vec<(String, String)>| {
        let mut out: Vec<_> = steps
            .into_iter()
            .rev()
            .map_while(|(label, packed)| unpack(label, packed))
            .collect();
        out.reverse();
        out
    };
    History::from_steps(list(saved.undo), list(saved.redo))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::fresh::empty_plan;

    #[test]
    fn a_plan_comes_back() {
        let plan = Scenario {
            name: "Café \u{1f680}".into(),
            ..empty_plan()
        };
        let text = write_plan(&plan, 12.5).expect("finite numbers");
        let back = read_plan(&text).expect("a plan");
        assert_eq!((back.scenario, back.changed_ms), (plan, 12.5));
    }

    #[test]
    fn what_is_no_plan_is_said_to_be_none() {
        let good = write_plan(&empty_plan(), 0.0).expect("finite numbers");
        let newer = good.replacen("\"format\":1", "\"format\":2", 1);
        assert_eq!(read_plan(&newer), Err(ReadProblem::Newer));
        for bad in [
            "",
            "{}",
            "null",
            "[1",
            "\u{0}",
            "{\"format\":1}",
            &good[..40],
        ] {
            assert_eq!(read_plan(bad), Err(ReadProblem::Damaged), "{bad}");
        }
    }

    #[test]
    fn an_undo_list_comes_back_and_a_damaged_step_cuts_it() {
        let mut h = History::default();
        for name in ["a", "b", "c"] {
            let plan = Scenario {
                name: name.into(),
                ..empty_plan()
            };
            h.record(format!("step {name}"), Arc::new(plan));
        }
        h.undo(Arc::new(empty_plan()));
        let text = write_history(&h).expect("finite numbers");
        let back = read_history(&text);
        assert_eq!(back.undo_steps().len(), 2);
        assert_eq!(back.undo_steps()[1].plan.name, "b");
        assert_eq!(back.redo_steps()[0].label, "step c");
        let cut = text.replacen("[\"step a\",\"", "[\"step a\",\"!", 1);
        assert_eq!(read_history(&cut).undo_steps().len(), 1);
        assert!(read_history("nonsense").undo_steps().is_empty());
    }
}
