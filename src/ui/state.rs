//! What the page knows: the plan as edited, the newest answers, what is selected. All of it lives at the app's root.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use super::history::History;
use super::running;
use super::store::{Mark, Removed, StoreProblem, Unreadable};
use crate::domain::field::FieldPath;
use crate::domain::problem::Problem;
use crate::domain::scenario::{BudgetCost, CommitmentKind, Id, Scenario};
use crate::engine::projection::Projection;
use crate::share::ShareProblem;
use crate::stories::Story;
use crate::text::{Message, say, ui::Ui};

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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BadEntry {
    /// As typed.
    pub text: String,
    /// What is wrong, as a sentence.
    pub message: String,
    /// Ways out: words of a button, and the text that it types.
    pub fixes: Vec<(String, String)>,
}

/// Entries that could not be read, by field.
pub type BadEntries = BTreeMap<FieldPath, BadEntry>;

/// Where the plan on the screen is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Origin {
    /// In this browser, under a number.
    Saved(u32),
    /// A story: nothing to keep until the first change.
    Story(&'static str),
    /// It came with a link: kept only when the person says so.
    Link {
        /// Whether it was changed since.
        edited: bool,
    },
}

/// Something that stands above the page until it is put away.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// The plan came with a link.
    Link,
    /// The link could not be opened.
    BadLink(ShareProblem),
    /// Changes cannot be kept.
    Storage(StoreProblem),
    /// Some plans could not be read.
    Unreadable(Unreadable),
    /// A file could not be opened.
    BadFile(String),
    /// Another tab changed this plan.
    OtherTab,
}

/// A line that goes away by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Toast {
    /// What happened.
    pub text: String,
    /// A plan that can be put back.
    pub removed: Option<Removed>,
    /// Counts toasts, so that a timer ends only its own.
    pub number: u32,
}

/// What stands over the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// The menu of plans.
    Plans,
    /// Stories, an empty plan, a link or a file.
    Gallery,
    /// A link to this plan.
    Share,
    /// Files to take away.
    Export,
    /// The map of keys.
    Keys,
}

/// The page's state; a handle that can be copied into any closure.
#[derive(Clone, Copy)]
pub struct App {
    /// The plan as edited; it may have problems.
    pub plan: RwSignal<Arc<Scenario>>,
    /// What is wrong with it, field by field.
    pub problems: Memo<Vec<Problem>>,
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
    /// The section of the answers that is in view: its id without `section-`.
    pub section: RwSignal<&'static str>,
    /// Whether a committed change starts a run.
    pub auto_run: RwSignal<bool>,
    /// Text that is being typed, by field.
    pub drafts: RwSignal<BTreeMap<FieldPath, String>>,
    /// Entries that could not be read, by field; the plan still has the last good value.
    pub bad_entries: RwSignal<BadEntries>,
    /// Entries that undo took away, with the number of steps that were undone before them.
    pub(super) unread: RwSignal<Option<(usize, BadEntries)>>,
    /// Where the plan is kept.
    pub origin: RwSignal<Origin>,
    /// What stands above the page.
    pub notices: RwSignal<Vec<Notice>>,
    /// The newest toast.
    pub toast: RwSignal<Option<Toast>>,
    /// What stands over the page.
    pub dialog: RwSignal<Option<Dialog>>,
    /// The field whose number is open in a panel.
    pub panel: RwSignal<Option<FieldPath>>,
    /// Where the panel stands, in px from the top.
    pub panel_top: RwSignal<f64>,
    /// The story that the plan came from: its notes stand beside its fields.
    pub story: RwSignal<Option<&'static Story>>,
    /// Counts the plans that were opened.
    pub opened: RwSignal<u32>,
    /// The sentence of the control that has the focus, by the id of its element.
    pub explained: RwSignal<Option<String>>,
    return_to: StoredValue<Option<String>>,
    pub(super) history: RwSignal<History>,
    /// The stored plan as this tab knows it.
    pub(super) seen: StoredValue<Option<Mark>>,
    /// Whether the newest change could not be kept because of another tab.
    pub(super) unkept: StoredValue<bool>,
    /// Terms of the kinds that contracts had before since the page was opened.
    pub(super) kinds: StoredValue<BTreeMap<Id, CommitmentKind>>,
    pub(super) engine: StoredValue<running::Engine, LocalStorage>,
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
        let plan = RwSignal::new(Arc::new(plan));
        Self {
            plan,
            problems: Memo::new(move |_| plan.with(|p| p.problems())),
            run: RwSignal::new(RunView::default()),
            selection: RwSignal::new(Selection::default()),
            cost: RwSignal::new(BudgetCost::default()),
            theme: RwSignal::new(Theme::Light),
            width: RwSignal::new(Width::Wide),
            panes: RwSignal::new(Panes::Both),
            section: RwSignal::new("overview"),
            auto_run: RwSignal::new(true),
            drafts: RwSignal::new(BTreeMap::new()),
            bad_entries: RwSignal::new(BTreeMap::new()),
            unread: RwSignal::new(None),
            origin: RwSignal::new(Origin::Story("")),
            notices: RwSignal::new(Vec::new()),
            toast: RwSignal::new(None),
            dialog: RwSignal::new(None),
            panel: RwSignal::new(None),
            panel_top: RwSignal::new(0.0),
            story: RwSignal::new(None),
            opened: RwSignal::new(0),
            explained: RwSignal::new(None),
            return_to: StoredValue::new(None),
            seen: StoredValue::new(None),
            unkept: StoredValue::new(false),
            kinds: StoredValue::new(BTreeMap::new()),
            engine: StoredValue::new_local(running::Engine::default()),
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
        let dropped = after.drop_idle_correlations();
        let label = say(label);
        self.history.update(|h| h.record(label, before));
        self.unread.set(None);
        self.plan.set(Arc::new(after));
        self.changed();
        if dropped > 0 {
            let count = u32::try_from(dropped).unwrap_or(u32::MAX);
            self.say(&crate::text::editor::Editor::PairsDropped { count });
        }
    }

    /// Takes the newest change back; entries that could not be read are newer than any change.
    pub fn undo(&self) {
        if self.bad_entries.with_untracked(|b| !b.is_empty()) {
            let undone = self.history.with_untracked(|h| h.redo_steps().len());
            let texts = self.bad_entries.get_untracked();
            self.forget_all_typed();
            self.unread.set(Some((undone, texts)));
            let what = say(&Ui::UnreadEntries);
            self.say(&Ui::Undid { what });
            return;
        }
        let now = self.plan.get_untracked();
        if let Some(step) = self.history.try_update(|h| h.undo(now)).flatten() {
            self.plan.set(step.plan);
            self.say(&Ui::Undid { what: step.label });
            self.changed();
        }
    }

    /// Makes it again.
    pub fn redo(&self) {
        if untrack(|| self.unread_is_next()) {
            if let Some((_, texts)) = self.unread.try_update(Option::take).flatten() {
                self.bad_entries.set(texts);
                let what = say(&Ui::UnreadEntries);
                self.say(&Ui::Redid { what });
            }
            return;
        }
        let now = self.plan.get_untracked();
        if let Some(step) = self.history.try_update(|h| h.redo(now)).flatten() {
            self.forget_all_typed();
            self.plan.set(step.plan);
            self.say(&Ui::Redid { what: step.label });
            self.changed();
        }
    }

    /// Whether what undo took back last are entries that could not be read.
    fn unread_is_next(&self) -> bool {
        let undone = self.history.with(|h| h.redo_steps().len());
        self.unread
            .with(|u| u.as_ref().is_some_and(|(at, _)| *at == undone))
    }

    /// What undo would take back, in words.
    #[must_use]
    pub fn undo_label(&self) -> Option<String> {
        if self.bad_entries.with(|b| !b.is_empty()) {
            return Some(say(&Ui::UnreadEntries));
        }
        self.history
            .with(|h| h.undo_steps().last().map(|s| s.label.clone()))
    }

    /// What redo would make again, in words.
    #[must_use]
    pub fn redo_label(&self) -> Option<String> {
        if self.unread_is_next() {
            return Some(say(&Ui::UnreadEntries));
        }
        self.history
            .with(|h| h.redo_steps().last().map(|s| s.label.clone()))
    }

    /// After any change of the plan: kept, and run where that is wanted.
    fn changed(&self) {
        self.keep();
        running::after_change(*self);
    }

    /// Opens one number in its panel.
    pub fn open_panel(&self, path: FieldPath) {
        let top = document()
            .get_element_by_id(&super::field_id(&path))
            .map_or(96.0, |e| e.get_bounding_client_rect().top());
        let room = window()
            .inner_height()
            .ok()
            .and_then(|h| h.as_f64())
            .unwrap_or(900.0);
        self.panel_top.set((top - 40.0).min(room - 640.0).max(56.0));
        self.panel.set(Some(path));
        super::focus_soon(super::editor::panel::BOX.to_owned());
    }

    /// Closes the panel; the field has the focus again.
    pub fn close_panel(&self) {
        if let Some(path) = self.panel.get_untracked() {
            self.panel.set(None);
            super::focus_soon(super::field_id(&path));
        }
    }

    /// Opens a dialog; the element with the focus gets it back afterwards.
    pub fn open_dialog(&self, dialog: Dialog) {
        let active = document()
            .active_element()
            .map(|e| e.id())
            .filter(|id| !id.is_empty());
        self.return_to.set_value(active);
        self.dialog.set(Some(dialog));
    }

    /// Closes it.
    pub fn close_dialog(&self) {
        if self.dialog.get_untracked().is_some() {
            self.dialog.set(None);
            if let Some(Some(id)) = self.return_to.try_update_value(Option::take) {
                super::focus_soon(id);
            }
        }
    }

    /// Forgets what was typed into an entity that goes.
    pub fn forget_typed(&self, id: Id) {
        let of = |path: &FieldPath| path.parts().1 == Some(id);
        self.drafts.update(|d| d.retain(|p, _| !of(p)));
        self.bad_entries.update(|b| b.retain(|p, _| !of(p)));
    }

    /// Forgets everything that was typed and not kept, with what was said about it: undo shows a plan as it was, and no
    /// error may stand beside a text that is gone.
    pub fn forget_all_typed(&self) {
        if self.drafts.with_untracked(|d| !d.is_empty()) {
            self.drafts.set(BTreeMap::new());
        }
        if self.bad_entries.with_untracked(|b| !b.is_empty()) {
            self.bad_entries.set(BTreeMap::new());
        }
    }

    /// Adds a notice, once.
    pub fn notify(&self, notice: Notice) {
        if !self.notices.with_untracked(|n| n.contains(&notice)) {
            self.notices.update(|n| n.push(notice));
        }
    }

    /// Puts notices away.
    pub fn put_away(&self, which: impl Fn(&Notice) -> bool) {
        if self.notices.with_untracked(|n| n.iter().any(&which)) {
            self.notices.update(|n| n.retain(|x| !which(x)));
        }
    }

    /// Says something in passing.
    pub fn say(&self, message: &impl Message) {
        self.toast_with(say(message), None);
    }

    /// Says something in passing, with a plan that can be put back.
    pub fn toast_with(&self, text: String, removed: Option<Removed>) {
        let number = self
            .toast
            .with_untracked(|t| t.as_ref().map_or(0, |t| t.number.wrapping_add(1)));
        self.toast.set(Some(Toast {
            text,
            removed,
            number,
        }));
        let toast = self.toast;
        set_timeout(
            move || {
                let own =
                    toast.try_with_untracked(|t| t.as_ref().is_some_and(|t| t.number == number));
                if own == Some(true) {
                    toast.try_set(None);
                }
            },
            std::time::Duration::from_secs(8),
        );
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
        super::focus_soon(super::field_id(&path));
        self.selection.update(|s| {
            if entity.is_some() {
                s.entity = entity;
            }
            s.field = Some(path);
        });
        if self.width.get_untracked() == Width::Tablet {
            self.panes.set(Panes::Plan);
        }
    }
}
