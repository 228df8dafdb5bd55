//! Plans on the screen and in storage: keeping, opening, beginning.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::prelude::*;

use super::history::History;
use super::state::{App, Notice, Origin, Selection};
use super::store::StoreProblem;
use super::{running, store};
use crate::domain::scenario::Scenario;
use crate::stories::Story;
use crate::text::{say, ui::Ui};

impl App {
    /// Keeps the plan in this browser, if it is the person's own.
    pub(super) fn keep(&self) {
        let id = match self.origin.get_untracked() {
            Origin::Saved(id) => id,
            Origin::Story(_) => store::free_id(),
            Origin::Link { edited } => {
                if !edited {
                    self.origin.set(Origin::Link { edited: true });
                }
                return;
            }
        };
        self.save_as(id);
    }

    fn save_as(&self, id: u32) {
        let plan = self.plan.get_untracked();
        let seen = (self.origin.get_untracked() == Origin::Saved(id))
            .then(|| self.seen.get_value())
            .flatten();
        let outcome = self
            .history
            .with_untracked(|h| store::save(id, &plan, h, seen));
        self.unkept
            .set_value(outcome == Err(StoreProblem::OtherTab));
        match outcome {
            Ok(mark) => {
                self.seen.set_value(Some(mark));
                self.put_away(|n| matches!(n, Notice::Storage(_) | Notice::OtherTab));
                if self.origin.get_untracked() != Origin::Saved(id) {
                    self.origin.set(Origin::Saved(id));
                }
            }
            Err(StoreProblem::OtherTab) => self.notify(Notice::OtherTab),
            Err(problem) => self.notify(Notice::Storage(problem)),
        }
    }

    /// Keeps what is typed and cannot be read with the plan, as long as it stands there.
    pub(super) fn keep_typed(self) {
        Effect::new(move |_| {
            let typed = self.bad_entries.get();
            match self.origin.get() {
                Origin::Saved(id) => store::keep_typed(id, &typed),
                _ if typed.is_empty() => {}
                // it becomes the person's own, as with a change
                Origin::Story(_) | Origin::Link { .. } => self.keep(),
            }
        });
    }

    /// Shows the plan as another tab keeps it.
    pub fn take_other(&self) {
        if let Origin::Saved(id) = self.origin.get_untracked()
            && !self.open_saved(id)
        {
            self.put_away(|n| *n == Notice::OtherTab);
            self.say(&Ui::OtherTabGone);
        }
    }

    /// Keeps the plan on the screen beside the one of another tab.
    pub fn keep_beside(&self) {
        let plan = self.plan.get_untracked();
        let name = say(&Ui::CopyOf {
            name: plan.name.clone(),
        });
        self.plan.set(Arc::new(Scenario {
            name,
            ..(*plan).clone()
        }));
        self.save_as(store::free_id());
        running::after_change(*self);
    }

    /// Follows what other tabs do to the plan on the screen.
    pub(super) fn follow_other_tabs(self) {
        let handle = window_event_listener(leptos::ev::storage, move |event| {
            let Some(Origin::Saved(id)) = self.origin.try_get_untracked() else {
                return;
            };
            let changed = || {
                let now = store::mark(id);
                now.is_some() && now != self.seen.get_value()
            };
            if store::is_of_plan(&event, id) && changed() {
                self.notify(Notice::OtherTab);
            }
        });
        on_cleanup(move || handle.remove());
    }

    /// Keeps a copy of a plan that came with a link.
    pub fn keep_copy(&self) {
        self.save_as(store::free_id());
        self.put_away(|n| *n == Notice::Link);
        clear_fragment();
    }

    /// Shows another plan. What is on the screen is kept first if it was changed and is nowhere else.
    pub fn open(&self, plan: Scenario, history: History, origin: Origin) {
        if self.origin.get_untracked() == (Origin::Link { edited: true }) {
            self.save_as(store::free_id());
        }
        self.forget_all_typed();
        self.unread.set(None);
        self.selection.set(Selection::default());
        self.panel.set(None);
        self.dialog.set(None);
        self.put_away(|n| {
            matches!(
                n,
                Notice::Link | Notice::BadLink(_) | Notice::BadFile(_) | Notice::OtherTab
            )
        });
        self.unkept.set_value(false);
        self.kinds.set_value(BTreeMap::new());
        self.seen.set_value(match origin {
            Origin::Saved(id) => store::mark(id),
            _ => None,
        });
        self.history.set(history);
        self.origin.set(origin);
        self.story.set(match origin {
            Origin::Story(name) => crate::stories::find(name),
            _ => None,
        });
        self.plan.set(Arc::new(plan));
        self.opened.update(|n| *n = n.wrapping_add(1));
        running::after_open(*self);
    }

    /// Shows a story.
    pub fn open_story(&self, story: &'static Story) {
        clear_fragment();
        self.open(
            story.scenario(),
            History::default(),
            Origin::Story(story.name),
        );
    }

    /// Shows a new plan of the person's own, and keeps it.
    pub fn open_new(&self, plan: Scenario) {
        clear_fragment();
        let id = store::free_id();
        self.open(plan, History::default(), Origin::Saved(id));
        self.save_as(id);
    }

    /// Shows a saved plan; false if it is gone or cannot be read.
    pub fn open_saved(&self, id: u32) -> bool {
        let Some(Ok((plan, history))) = store::load(id) else {
            return false;
        };
        store::make_current(id);
        clear_fragment();
        let typed = store::typed(id, &plan);
        self.open(plan, history, Origin::Saved(id));
        self.bad_entries.set(typed);
        true
    }
}

/// Takes the plan out of the address, so that a reload shows what is kept.
pub(super) fn clear_fragment() {
    let location = window().location();
    if location.hash().is_ok_and(|h| !h.is_empty()) {
        let path = location.pathname().unwrap_or_default();
        let query = location.search().unwrap_or_default();
        if let Ok(history) = window().history() {
            // Where the address cannot be changed a reload shows the link's plan again.
            let _ = history.replace_state_with_url(
                &wasm_bindgen::JsValue::NULL,
                "",
                Some(&format!("{path}{query}")),
            );
        }
    }
}
