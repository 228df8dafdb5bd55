//! One text box a value: the text being typed stands beside the value in force.
//!
//! A draft is read on each key and echoed; Enter and leaving the box keep it, Esc goes back. A draft that cannot be read
//! stays on the screen with its message, and the last good value stays in force.

use std::sync::Arc;
use std::time::Duration;

use jiff::ToSpan;
use leptos::{ev, prelude::*};

use super::{hint, read};
use crate::domain::field::FieldPath;
use crate::domain::scenario::Scenario;
use crate::text::{editor::Editor, fields, say};
use crate::ui::icons::{Icon, icon};
use crate::ui::nudge::nudge;
use crate::ui::state::{App, BadEntry, use_app};

/// Presses of an arrow key within this time are one change.
const MERGE: Duration = Duration::from_millis(250);

/// A change of the plan.
pub type Apply = Arc<dyn Fn(&mut Scenario) + Send + Sync>;

/// What a text means.
#[derive(Clone)]
pub struct Reading {
    /// The meaning in words, where it says more than the text.
    pub echo: Option<String>,
    /// Puts it into a plan.
    pub apply: Apply,
}

/// Why a text means nothing here.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejected {
    /// As a sentence.
    pub message: String,
    /// Ways out: words of a button, and the text that it types.
    pub fixes: Vec<(String, String)>,
}

/// What the arrow keys change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing.
    None,
    /// The number under the caret.
    Digit,
    /// The date.
    Day,
}

/// The text of a value in a plan.
pub type Current = Arc<dyn Fn(&Scenario) -> Option<String> + Send + Sync>;
type Read = Arc<dyn Fn(&str, &Scenario) -> Result<Reading, Rejected> + Send + Sync>;

/// What a text box edits.
#[derive(Clone)]
pub struct Entry {
    /// The field.
    pub path: FieldPath,
    /// The text of the value in force; none if the plan has no such field (any more).
    pub current: Current,
    /// Reads a text.
    pub read: Read,
    /// What the arrow keys change.
    pub step: Step,
    /// Shown while the box is empty.
    pub empty: String,
    /// Id of a list of suggestions.
    pub list: Option<&'static str>,
}

impl Entry {
    /// An entry.
    pub fn new(
        path: FieldPath,
        current: impl Fn(&Scenario) -> Option<String> + Send + Sync + 'static,
        read: impl Fn(&str, &Scenario) -> Result<Reading, Rejected> + Send + Sync + 'static,
    ) -> Self {
        Self {
            path,
            current: Arc::new(current),
            read: Arc::new(read),
            step: Step::Digit,
            empty: String::new(),
            list: None,
        }
    }

    /// With other arrow keys.
    #[must_use]
    pub fn step(mut self, step: Step) -> Self {
        self.step = step;
        self
    }

    /// With words for the empty box.
    #[must_use]
    pub fn empty(mut self, words: String) -> Self {
        self.empty = words;
        self
    }

    /// With a list of suggestions.
    #[must_use]
    pub fn list(mut self, id: &'static str) -> Self {
        self.list = Some(id);
        self
    }

    /// Takes a text into the plan, or says why not.
    pub fn keep(&self, app: App, text: &str) -> bool {
        let plan = app.plan.get_untracked();
        let outcome = (self.read)(text, &plan).and_then(|reading| {
            let mut after = (*plan).clone();
            (reading.apply)(&mut after);
            match read::problem_at(&after, &self.path) {
                Some(message) => Err(Rejected {
                    message,
                    fixes: vec![],
                }),
                None => Ok(after),
            }
        });
        let path = self.path.clone();
        match outcome {
            Ok(after) => {
                self.restore(app);
                let what = fields::label_of(&plan, &path);
                app.commit(&Editor::Changed { what }, |p| *p = after);
                true
            }
            Err(Rejected { message, fixes }) => {
                app.drafts.update(|d| {
                    d.remove(&path);
                });
                let text = text.to_owned();
                app.unread.set(None);
                app.bad_entries.update(|b| {
                    b.insert(
                        path,
                        BadEntry {
                            text,
                            message,
                            fixes,
                        },
                    );
                });
                false
            }
        }
    }

    /// Takes what is being typed into the plan, if anything is; false if it means nothing.
    pub fn keep_draft(&self, app: App) -> bool {
        let Some(text) = app.drafts.with_untracked(|d| d.get(&self.path).cloned()) else {
            return !app
                .bad_entries
                .with_untracked(|b| b.contains_key(&self.path));
        };
        let now = app.plan.with_untracked(|p| (self.current)(p));
        if now.is_none_or(|now| now == text) {
            self.restore(app);
            true
        } else {
            self.keep(app, &text)
        }
    }

    /// Goes back to the value in force.
    pub fn restore(&self, app: App) {
        if app.drafts.with_untracked(|d| d.contains_key(&self.path)) {
            app.drafts.update(|d| {
                d.remove(&self.path);
            });
        }
        if app
            .bad_entries
            .with_untracked(|b| b.contains_key(&self.path))
        {
            app.bad_entries.update(|b| {
                b.remove(&self.path);
            });
        }
    }

    /// What was typed and not taken, if anything.
    pub fn typed(&self, app: App) -> Option<String> {
        app.drafts.with(|d| d.get(&self.path).cloned()).or_else(|| {
            app.bad_entries
                .with(|b| b.get(&self.path).map(|b| b.text.clone()))
        })
    }
}

/// The caret's byte index.
fn caret(input: &web_sys::HtmlInputElement) -> usize {
    let units = input.selection_start().ok().flatten().unwrap_or(u32::MAX) as usize;
    let text = input.value();
    let mut seen = 0;
    text.char_indices()
        .find(|(_, c)| {
            let here = seen >= units;
            seen += c.len_utf16();
            here
        })
        .map_or(text.len(), |(i, _)| i)
}

fn stepped(entry: &Entry, input: &web_sys::HtmlInputElement, up: bool) -> Option<(String, usize)> {
    let text = input.value();
    match entry.step {
        Step::None => None,
        Step::Digit => nudge(&text, caret(input), up),
        Step::Day => {
            let day = read::date(&text).ok()?;
            let day = day.checked_add(if up { 1.day() } else { -1.day() }).ok()?;
            let text = read::date_text(day);
            let end = text.len();
            Some((text, end))
        }
    }
}

/// The text box.
#[component]
pub fn EntryBox(
    /// What it edits.
    entry: Entry,
    /// Set while the box has the focus.
    focused: RwSignal<bool>,
    /// The element's id; others refer to it.
    id: String,
    /// For tests.
    testid: String,
    /// Whether the box is as wide as its text.
    #[prop(optional)]
    fitting: bool,
    /// Whether the box is the panel's own: leaving it keeps nothing, Enter closes the panel.
    #[prop(optional)]
    in_panel: bool,
) -> impl IntoView {
    let app = use_app();
    // Not in the arena: a box that leaves the page with the focus says so after its owner is gone.
    let entry = Arc::new(entry);
    let path = entry.path.clone();
    let current = Memo::new({
        let entry = entry.clone();
        move |_| app.plan.with(|p| (entry.current)(p)).unwrap_or_default()
    });
    let shown = Memo::new({
        let entry = entry.clone();
        move |_| entry.typed(app).unwrap_or_else(|| current.get())
    });
    let bad = Memo::new({
        let path = path.clone();
        move |_| app.bad_entries.with(|b| b.contains_key(&path)) || read::has_problem(app, &path)
    });
    let label = Memo::new({
        let path = path.clone();
        move |_| app.plan.with(|p| fields::label_of(p, &path))
    });
    let timer = StoredValue::new(None::<TimeoutHandle>);
    let cancel = move || {
        if let Some(Some(t)) = timer.try_update_value(Option::take) {
            t.clear();
        }
    };
    on_cleanup(cancel);
    // A field that the plan has no more takes along what was typed into it: nobody could mend it.
    on_cleanup({
        let entry = entry.clone();
        move || {
            let gone = app
                .plan
                .try_with_untracked(|p| (entry.current)(p).is_none());
            if gone == Some(true) {
                entry.restore(app);
            }
        }
    });
    let draft = move |text: String| {
        app.bad_entries.update(|b| {
            b.remove(&path);
        });
        app.drafts.update(|d| {
            d.insert(path.clone(), text);
        });
    };
    let keep = {
        let entry = entry.clone();
        move || {
            cancel();
            entry.keep_draft(app)
        }
    };
    let on_input = {
        let draft = draft.clone();
        move |ev: ev::Event| {
            cancel();
            draft(event_target_value(&ev));
        }
    };
    let on_blur = {
        let keep = keep.clone();
        move |ev: ev::FocusEvent| {
            focused.try_set(false);
            if in_panel {
                return;
            }
            if event_target::<web_sys::HtmlInputElement>(&ev).is_connected() {
                keep();
            } else {
                let keep = keep.clone();
                queue_microtask(move || {
                    keep();
                });
            }
        }
    };
    // A column has line ends, which a text box cannot hold: it is taken at once.
    let on_paste = {
        let entry = entry.clone();
        move |ev: ev::ClipboardEvent| {
            let text = ev
                .clipboard_data()
                .and_then(|d| d.get_data("text").ok())
                .unwrap_or_default();
            if text.trim().contains(['\n', '\r']) {
                ev.prevent_default();
                cancel();
                entry.keep(app, &text);
            }
        }
    };
    let on_key = {
        let entry = entry.clone();
        move |ev: ev::KeyboardEvent| match ev.key().as_str() {
            "Enter" if !ev.ctrl_key() && !ev.meta_key() => {
                ev.prevent_default();
                if keep() && in_panel {
                    app.close_panel();
                }
            }
            "Escape" => {
                cancel();
                if untrack(|| entry.typed(app)).is_some() {
                    ev.prevent_default();
                    ev.stop_propagation();
                    entry.restore(app);
                }
            }
            key @ ("ArrowUp" | "ArrowDown") => {
                let input = event_target::<web_sys::HtmlInputElement>(&ev);
                if let Some((text, at)) = stepped(&entry, &input, key == "ArrowUp") {
                    ev.prevent_default();
                    cancel();
                    let at = text[..at.min(text.len())].encode_utf16().count() as u32;
                    input.set_value(&text);
                    // The caret is a convenience; the value counts.
                    let _ = input.set_selection_range(at, at);
                    draft(text);
                    if !in_panel {
                        let keep = keep.clone();
                        let after = move || {
                            keep();
                        };
                        timer.set_value(set_timeout_with_handle(after, MERGE).ok());
                    }
                }
            }
            _ => {}
        }
    };
    let empty = entry.empty.clone();
    let list = entry.list;
    let describe = hint::described_by(&id);
    view! {
        <input type="text" class="entry" class:fitting=fitting id=id data-testid=testid autocomplete="off" spellcheck="false"
            autocapitalize="off" list=list placeholder=empty
            prop:value=move || shown.get()
            size=move || fitting.then(|| shown.with(|s| s.chars().count().clamp(2, 24)).to_string())
            title=move || shown.get()
            aria-label=move || label.get() aria-describedby=describe aria-invalid=move || bad.get().then_some("true")
            on:focus=move |_| focused.set(true)
            on:blur=on_blur on:input=on_input on:keydown=on_key on:paste=on_paste/>
    }
}

/// What is said about an entry: what is wrong, or how it is read while it has the focus.
#[component]
pub fn EntryMessage(
    /// What it is about.
    entry: Entry,
    /// Set while the box has the focus.
    #[prop(into)]
    focused: Signal<bool>,
    /// Id of the text box.
    id: String,
) -> impl IntoView {
    let app = use_app();
    let path = entry.path.clone();
    let testid = format!("problem-{}", path.as_str());
    let echo_testid = format!("echo-{}", path.as_str());
    let entry = StoredValue::new(entry);
    let content = move || {
        let bad = app.bad_entries.with(|b| b.get(&path).cloned());
        if let Some(bad) = bad {
            let uses = entry
                .with_value(|e| app.plan.with(|p| (e.current)(p)))
                .filter(|value| !value.is_empty())
                .map(|value| say(&Editor::StillUses { value }));
            let fixes = bad
                .fixes
                .into_iter()
                .map(|(words, text)| {
                    view! {
                        " "
                        <button class="link" type="button" on:click=move |_| {
                            entry.with_value(|e| e.keep(app, &text));
                        }>{words}</button>
                    }
                })
                .collect_view();
            return view! {
                <div class="message risk" role="alert" data-testid=testid.clone()>
                    {icon(Icon::Warning)}
                    <span>{bad.message}{fixes}{uses.map(|u| view! { <br/><span class="secondary">{u}</span> })}</span>
                </div>
            }
            .into_any();
        }
        if let Some(sentence) = read::problem_of(app, &path) {
            return view! {
                <div class="message risk" role="alert" data-testid=testid.clone()>{icon(Icon::Warning)}<span>{sentence}</span></div>
            }
            .into_any();
        }
        if focused.get() {
            let draft = app.drafts.with(|d| d.get(&path).cloned());
            let read = entry.with_value(|e| {
                app.plan.with(|p| {
                    let text = draft.clone().or_else(|| (e.current)(p)).unwrap_or_default();
                    (e.read)(&text, p)
                })
            });
            let (sign, words) = match read {
                Ok(reading) => (Icon::Check, reading.echo),
                Err(rejected) if draft.is_some() => (Icon::Pencil, Some(rejected.message)),
                Err(_) => (Icon::Check, None),
            };
            return words
                .map(|words| {
                    view! { <div class="message muted" data-testid=echo_testid.clone()>{icon(sign)}<span>{words}</span></div> }
                })
                .into_any();
        }
        ().into_any()
    };
    view! { <div class="entry-message" id=format!("{id}-message")>{content}</div> }
}
