//! Where a cap of the feature stops what a field describes, as a line in its picture.

use crate::domain::distribution::Distribution;
use crate::domain::field::{FieldPath, FieldSpec};
use crate::domain::gateway::CapKind;
use crate::domain::scenario::Scenario;
use crate::text::{editor::Editor, format, say};
use crate::ui::editor::{read, spark};
use crate::ui::entities::feature;
use crate::ui::sketch;

/// A cap in the unit of a picture's axis.
#[derive(Clone, Debug, PartialEq)]
pub struct CapLine {
    /// Where.
    pub at: f64,
    /// What is said of it.
    pub words: String,
}

/// The cap that a field runs into. A cap of calls or tool calls stops what lies beyond it, so its share is told; a cap
/// of tokens or seconds counts all calls of a request together, so only where it is.
pub fn cap_line(
    plan: &Scenario,
    path: &FieldPath,
    d: &Distribution,
    spec: &FieldSpec,
) -> Option<CapLine> {
    let ("features", Some(id), name) = path.parts() else {
        return None;
    };
    let kind = match name {
        "calls_per_request" => CapKind::Calls,
        "tool_calls_per_request" => CapKind::ToolCalls,
        "input_tokens" | "output_tokens" | "prefix_tokens" | "context_growth_tokens" => {
            CapKind::Tokens
        }
        "tool_seconds" => CapKind::Seconds,
        _ => return None,
    };
    let at = feature(plan, id)?.caps.amount(kind)?;
    let cap = read::figure(at, spec.unit);
    let words = if spark::is_whole(spec.domain) {
        let beyond = 1.0 - sketch::whole_cdf(d, at.floor());
        say(&Editor::CapLineStops {
            cap,
            share: format::percent(beyond.clamp(0.0, 1.0)),
        })
    } else {
        say(&Editor::CapLineAll { cap })
    };
    Some(CapLine { at, words })
}
