//! What the page knows: the plan as edited, the newest answers, what is selected. All of it lives at the app's root.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::prelude::*;

use super::history::History;
use crate::domain::field::FieldPath;
use crate::domain::scenario::{BudgetCost, Id, Scenario};
use crate::engine::projection::Projection;
use crate::text::{Message, say};

/// How the newest run stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum RunStatus {
    /// Nothing was run yet.
    #[default]
    Idle,
    /// Batches are coming in; the projection, if any, is of fewer futures or of an older plan.
    Running,
    /// Stopped by the person: valid, only coarser.
    Stopped,
    /// All futures are in.
    Done,
    /// The plan was changed and not run since.
    Stale {
        /// Committed changes since.
        changes: u32,
    },
    /// The run could not be done.
    Failed(String),
}

/// The newest answers and how they came about.
#[derive(Clone, Debug, Default)]
pub struct RunView {
    /// What was found out.
    pub projection: Option<Arc<Projection>>,
    /// The plan that the projection is of.
    pub plan: Option<Arc<Scenario>>,
    /// How the newest run stands.
    pub status: RunStatus,
    /// Futures that are in.
    pub done: u32,
    /// Futures that were asked for.
    pub of: u32,
    /// Seconds until all are in, when that can be said.
    pub seconds_left: Option<f64>,
    /// A line about a worker that was started again.
    pub restarted: Option<String>,
}

/// What is picked; charts outline it, the editor opens it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// Month of the horizon.
    pub month: Option<usize>,
    /// Feature, pool, contract, season, budget or model.
    pub entity: Option<Id>,
    /// Field, for a look at one number.
    pub field: Option<FieldPath>,
}

/// Colours in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// How much room there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Under 640 px: answers and changing one number.
    Phone,
    /// 640 to 1279 px: plan or answers.
    Tablet,
    /// From 1280 px: both.
    Wide,
}

/// Which panes are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panes {
    /// Both (on a tablet or phone: the answers).
    Both,
    /// Only the plan.
    Plan,
    /// Only the answers.
    Answers,
}

/// An entry that could not be read: the text as typed and what is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct BadEntry {
    /// As typed.
    pub text: String,
    /// What is wrong, as a sentence.
    pub message: String,
    /// Ways out: words of a button, and the text that it types.
    pub fixes: Vec<(String, String)>,
}

/// The page's state; a handle that can be copied into any closure.
#[derive(Clone, Copy)]
pub struct App {
    /// The plan as edited; it may have problems.
    pub plan: RwSignal<Arc<Scenario>>,
    /// The newest answers.
    pub run: RwSignal<RunView>,
    /// What is picked.
    pub selection: RwSignal<Selection>,
    /// Which cost the answers show.
    pub cost: RwSignal<BudgetCost>,
    /// Colours in force; chart code reads the tokens again when it changes.
    pub theme: RwSignal<Theme>,
    /// How much room there is.
    pub width: RwSignal<Width>,
    /// Which panes are shown.
    pub panes: RwSignal<Panes>,
    /// Whether a committed change starts a run.
    pub auto_run: RwSignal<bool>,
    /// Entries that could not be read, by field; the plan still has the last good value.
    pub bad_entries: RwSignal<BTreeMap<FieldPath, BadEntry>>,
    pub(super) history: RwSignal<History>,
}

/// The state that [`super::shell::Shell`] provides.
///
/// # Panics
/// Outside the shell, which is a mistake in the program.
#[must_use]
pub fn use_app() -> App {
    expect_context::<App>()
}

impl App {
    /// The state over a plan.
    #[must_use]
    pub fn new(plan: Scenario) -> Self {
        Self {
            plan: RwSignal::new(Arc::new(plan)),
            run: RwSignal::new(RunView::default()),
            selection: RwSignal::new(Selection::default()),
            cost: RwSignal::new(BudgetCost::default()),
            theme: RwSignal::new(Theme::Light),
            width: RwSignal::new(Width::Wide),
            panes: RwSignal::new(Panes::Both),
            auto_run: RwSignal::new(true),
            bad_entries: RwSignal::new(BTreeMap::new()),
            history: RwSignal::new(History::default()),
        }
    }

    /// One committed change: one step of undo; saved, and run at once where that is wanted.
    pub fn commit(&self, label: &impl Message, edit: impl FnOnce(&mut Scenario)) {
        let Some(before) = self.plan.try_get_untracked() else {
            return;
        };
        let mut after = (*before).clone();
        edit(&mut after);
        if after == *before {
            return;
        }
        let label = say(label);
        self.history.update(|h| h.record(label, before));
        self.plan.set(Arc::new(after));
        self.changed();
    }

    /// Takes the newest change back.
    pub fn undo(&self) {
        let now = self.plan.get_untracked();
        if let Some(step) = self.history.try_update(|h| h.undo(now)).flatten() {
            self.plan.set(step.plan);
            self.changed();
        }
    }

    /// Makes it again.
    pub fn redo(&self) {
        let now = self.plan.get_untracked();
        if let Some(step) = self.history.try_update(|h| h.redo(now)).flatten() {
            self.plan.set(step.plan);
            self.changed();
        }
    }

    /// What undo would take back, in words.
    #[must_use]
    pub fn undo_label(&self) -> Option<String> {
        self.history
            .with(|h| h.undo_steps().last().map(|s| s.label.clone()))
    }

    /// What redo would make again, in words.
    #[must_use]
    pub fn redo_label(&self) -> Option<String> {
        self.history
            .with(|h| h.redo_steps().last().map(|s| s.label.clone()))
    }

    /// After any change of the plan.
    fn changed(&self) {
        self.run.update(|r| {
            r.status = match r.status {
                RunStatus::Stale { changes } => RunStatus::Stale {
                    changes: changes.saturating_add(1),
                },
                _ if r.projection.is_some() => RunStatus::Stale { changes: 1 },
                _ => RunStatus::Idle,
            };
        });
    }

    /// Picks a month of the horizon, or lets it go.
    pub fn select_month(&self, month: Option<usize>) {
        self.selection.update(|s| s.month = month);
    }

    /// Picks an entity: its form opens. `None` lets it go.
    pub fn select_entity(&self, entity: Option<Id>) {
        self.selection.update(|s| {
            s.entity = entity;
            s.field = None;
        });
    }

    /// Picks one field: its entity opens and the field gets the focus.
    pub fn select_field(&self, path: FieldPath) {
        let (_, entity, _) = path.parts();
        self.selection.update(|s| {
            if entity.is_some() {
                s.entity = entity;
            }
            s.field = Some(path);
        });
    }
}
