//! Undo and redo: committed plans, each with the words for what came after it.

use std::sync::{Arc, OnceLock};

use crate::domain::scenario::Scenario;

/// Most steps that are kept.
pub const DEPTH: usize = 200;

/// One committed change: what it was, and the plan on the other side of it.
#[derive(Clone, Debug)]
pub struct Step {
    /// What the change was, in words.
    pub label: String,
    /// The plan before it (in the undo list) or after it (in the redo list).
    pub plan: Arc<Scenario>,
    /// The plan as it is stored, made once.
    pub(super) packed: Arc<OnceLock<String>>,
}

impl Step {
    /// A step.
    #[must_use]
    pub fn new(label: String, plan: Arc<Scenario>) -> Self {
        Self {
            label,
            plan,
            packed: Arc::default(),
        }
    }
}

/// What can be taken back, and what can be done again.
#[derive(Clone, Debug, Default)]
pub struct History {
    undo: Vec<Step>,
    redo: Vec<Step>,
}

impl History {
    /// A history from stored steps, oldest first; the oldest beyond [`DEPTH`] are dropped.
    #[must_use]
    pub fn from_steps(mut undo: Vec<Step>, mut redo: Vec<Step>) -> Self {
        undo.drain(..undo.len().saturating_sub(DEPTH));
        redo.drain(..redo.len().saturating_sub(DEPTH));
        Self { undo, redo }
    }

    /// Notes a change that was made to `before`; what had been undone is gone.
    pub fn record(&mut self, label: String, before: Arc<Scenario>) {
        self.redo.clear();
        self.undo.push(Step::new(label, before));
        if self.undo.len() > DEPTH {
            self.undo.remove(0);
        }
    }

    /// Takes the newest change back: its words, and the plan before it.
    pub fn undo(&mut self, now: Arc<Scenario>) -> Option<Step> {
        let step = self.undo.pop()?;
        self.redo.push(Step::new(step.label.clone(), now));
        Some(step)
    }

    /// Makes the change that was taken back last again.
    pub fn redo(&mut self, now: Arc<Scenario>) -> Option<Step> {
        let step = self.redo.pop()?;
        self.undo.push(Step::new(step.label.clone(), now));
        Some(step)
    }

    /// Steps that can be taken back, oldest first.
    #[must_use]
    pub fn undo_steps(&self) -> &[Step] {
        &self.undo
    }

    /// Steps that can be made again, the next one last.
    #[must_use]
    pub fn redo_steps(&self) -> &[Step] {
        &self.redo
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::fresh;

    fn named(name: &str) -> Arc<Scenario> {
        Arc::new(Scenario {
            name: name.into(),
            ..fresh::empty_plan()
        })
    }

    #[test]
    fn undo_and_redo_are_inverse() {
        let (a, b) = (named("a"), named("b"));
        let mut h = History::default();
        h.record("rename".into(), a.clone());
        let back = h.undo(b.clone()).expect("a step");
        assert_eq!((back.label.as_str(), &back.plan), ("rename", &a));
        let again = h.redo(a).expect("a step");
        assert_eq!(again.plan, b);
        assert_eq!(h.undo_steps().len(), 1);
        assert!(h.redo_steps().is_empty());
    }

    #[test]
    fn a_new_change_forgets_what_was_undone_and_the_depth_holds() {
        let mut h = History::default();
        for i in 0..=DEPTH {
            h.record(i.to_string(), named("x"));
        }
        assert_eq!(h.undo_steps().len(), DEPTH);
        assert_eq!(h.undo_steps()[0].label, "1");
        h.undo(named("y"));
        h.record("new".into(), named("z"));
        assert!(h.redo_steps().is_empty());
    }
}
