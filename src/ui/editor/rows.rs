//! Rows of a form: a label, a value on its line, and what kind of value it is.

use std::sync::Arc;

use jiff::civil::Date;
use leptos::prelude::*;

use super::entry::{Apply, Current, Entry, EntryBox, EntryMessage, Reading, Step};
use super::{hint, read, spark};
use crate::domain::field::{FieldPath, FieldSpec, Unit, spec};
use crate::domain::quantity::Kind;
use crate::domain::scenario::Scenario;
use crate::text::{editor::Editor, fields, hints::About, say};
use crate::ui::icons::{Icon, icon};
use crate::ui::state::{App, use_app};
use crate::ui::{field_id, focus_soon};

/// The number of an entity's field; the outer `None` means that the plan has no such field, the inner one that it is
/// left open ("no limit").
type Getter = Arc<dyn Fn(&Scenario) -> Option<Option<f64>> + Send + Sync>;
type Setter = Arc<dyn Fn(&mut Scenario, Option<f64>) + Send + Sync>;

/// A plain number.
#[derive(Clone)]
pub struct Number {
    path: FieldPath,
    unit: Unit,
    whole: bool,
    open: Option<Editor>,
    get: Getter,
    set: Setter,
}

impl Number {
    /// A number that must be there.
    pub fn new(
        path: FieldPath,
        unit: Unit,
        get: impl Fn(&Scenario) -> Option<f64> + Send + Sync + 'static,
        set: impl Fn(&mut Scenario, f64) + Send + Sync + 'static,
    ) -> Self {
        Self {
            path,
            unit,
            whole: false,
            open: None,
            get: Arc::new(move |p| get(p).map(Some)),
            set: Arc::new(move |p, v| {
                if let Some(v) = v {
                    set(p, v);
                }
            }),
        }
    }

    /// A whole number that must be there.
    pub fn whole(
        path: FieldPath,
        unit: Unit,
        get: impl Fn(&Scenario) -> Option<u32> + Send + Sync + 'static,
        set: impl Fn(&mut Scenario, u32) + Send + Sync + 'static,
    ) -> Self {
        Self {
            whole: true,
            // the reading below admits only whole numbers in range
            ..Self::new(
                path,
                unit,
                move |p| get(p).map(f64::from),
                move |p, v| set(p, v as u32),
            )
        }
    }

    /// A number that may be left open, with the words for that.
    pub fn open(
        path: FieldPath,
        unit: Unit,
        words: Editor,
        get: impl Fn(&Scenario) -> Option<Option<f64>> + Send + Sync + 'static,
        set: impl Fn(&mut Scenario, Option<f64>) + Send + Sync + 'static,
    ) -> Self {
        Self {
            path,
            unit,
            whole: false,
            open: Some(words),
            get: Arc::new(get),
            set: Arc::new(set),
        }
    }

    /// Whole numbers only.
    #[must_use]
    pub fn in_whole(mut self) -> Self {
        self.whole = true;
        self
    }

    /// Its text box.
    #[must_use]
    pub fn entry(self) -> Entry {
        let Self {
            path,
            unit,
            whole,
            open,
            get,
            set,
        } = self;
        let empty = open.as_ref().map(say).unwrap_or_default();
        let none = empty.clone();
        let may_be_open = open.is_some();
        Entry::new(
            path,
            move |p| {
                get(p).map(|v| {
                    v.map_or_else(String::new, |v| {
                        read::number_text(v, unit, &p.settings.currency)
                    })
                })
            },
            move |text, _| {
                let trimmed = text.trim();
                let value =
                    if may_be_open && (trimmed.is_empty() || trimmed.eq_ignore_ascii_case(&none)) {
                        None
                    } else {
                        let v = if whole {
                            f64::from(read::whole(text, unit)?)
                        } else {
                            read::number(text, unit)?
                        };
                        Some(v)
                    };
                let set = set.clone();
                Ok(Reading {
                    echo: None,
                    apply: Arc::new(move |p| set(p, value)),
                })
            },
        )
        .empty(empty)
    }
}

/// The text box of a day.
pub fn day(
    path: FieldPath,
    open: Option<Editor>,
    get: impl Fn(&Scenario) -> Option<Option<Date>> + Send + Sync + 'static,
    set: impl Fn(&mut Scenario, Option<Date>) + Send + Sync + 'static,
) -> Entry {
    let empty = open.as_ref().map(say).unwrap_or_default();
    let none = empty.clone();
    let may_be_open = open.is_some();
    let set = Arc::new(set);
    Entry::new(
        path,
        move |p| get(p).map(|d| d.map_or_else(String::new, read::date_text)),
        move |text, _| {
            let trimmed = text.trim();
            let value =
                if may_be_open && (trimmed.is_empty() || trimmed.eq_ignore_ascii_case(&none)) {
                    None
                } else {
                    Some(read::date(text)?)
                };
            let set = set.clone();
            Ok(Reading {
                echo: value.map(read::weekday_text),
                apply: Arc::new(move |p| set(p, value)),
            })
        },
    )
    .empty(empty)
    .step(Step::Day)
}

/// The text box of a text.
pub fn words(
    path: FieldPath,
    get: impl Fn(&Scenario) -> Option<String> + Send + Sync + 'static,
    set: impl Fn(&mut Scenario, String) + Send + Sync + 'static,
) -> Entry {
    let set = Arc::new(set);
    Entry::new(path, get, move |text, _| {
        let text = text.trim().to_owned();
        let set = set.clone();
        Ok(Reading {
            echo: None,
            apply: Arc::new(move |p| set(p, text.clone())),
        })
    })
    .step(Step::None)
}

/// The text box of an uncertain or varying number.
pub fn quantity(path: &FieldPath, spec: &'static FieldSpec) -> Entry {
    let (at, to) = (path.clone(), path.clone());
    Entry::new(
        path.clone(),
        move |p| p.quantity(&at).map(|q| read::quantity_text(q, spec)),
        move |text, p| {
            let (quantity, echo) = read::quantity(text, spec, &p.settings.currency)?;
            let to = to.clone();
            let apply: Apply = Arc::new(move |p| {
                if let Some(q) = p.quantity_mut(&to) {
                    q.clone_from(&quantity);
                }
            });
            Ok(Reading {
                echo: Some(echo),
                apply,
            })
        },
    )
}

/// The name of a field, with its note if it has one.
pub fn label(app: App, path: &FieldPath, id: String) -> AnyView {
    let words = fields::label(path);
    view! { <label for=id><span class="label-words">{words}</span>{note_button(app, path)}</label> }
        .into_any()
}

/// Opens a field's panel, where its note is; drawn in ink when there is one.
pub fn note_button(app: App, path: &FieldPath) -> AnyView {
    let open = path.clone();
    let noted = Memo::new({
        let path = path.clone();
        move |_| {
            app.plan.with(|p| {
                p.notes
                    .get(&path)
                    .map(|n| (n.text.clone(), n.source.clone()))
            })
        }
    });
    let words = say(&Editor::NoteOf {
        what: fields::label(path),
    });
    let by_key = say(&Editor::NoteKey {
        words: words.clone(),
    });
    view! {
        <button class="note-button" class:noted=move || noted.with(Option::is_some) type="button" tabindex="-1"
            data-testid=format!("note-{}", path.as_str()) aria-label=words aria-keyshortcuts="Shift+F2"
            title=move || noted.get().map_or_else(|| by_key.clone(), |(text, source)| if source.is_empty() { text } else { format!("{text} ({source})") })
            on:click=move |ev| { ev.prevent_default(); app.open_panel(open.clone()); }>{icon(Icon::Note)}</button>
    }
    .into_any()
}

/// A row with a text box.
pub fn row(app: App, entry: Entry, unit: Option<String>) -> AnyView {
    framed(app, entry, unit, None, None)
}

/// What stands in the third column of a row.
pub struct Third {
    /// A button.
    pub view: AnyView,
    /// What it does, to stand below the row.
    pub about: AnyView,
}

/// A row with something of its own in the third column.
pub fn row_with(app: App, entry: Entry, unit: Option<String>, third: Third) -> AnyView {
    framed(app, entry, unit, None, Some(third))
}

fn framed(
    app: App,
    entry: Entry,
    unit: Option<String>,
    beside: Option<AnyView>,
    third: Option<Third>,
) -> AnyView {
    let focused = RwSignal::new(false);
    let path = entry.path.clone();
    let id = field_id(&path);
    let testid = format!("field-{}", path.as_str());
    let wrong = {
        let path = path.clone();
        move || app.bad_entries.with(|b| b.contains_key(&path)) || read::has_problem(app, &path)
    };
    let picked = {
        let path = path.clone();
        move || app.selection.with(|s| s.field.as_ref() == Some(&path))
    };
    let wide = third.is_none();
    let note = entry_note(app, &entry);
    let (third, about) = third.map_or((None, None), |t| (Some(t.view), Some(t.about)));
    view! {
        <div class="field" class:wide=wide class:picked=picked>
            {label(app, &path, id.clone())}
            <div class="value" class:on=move || focused.get() class:wrong=wrong>
                <EntryBox entry=entry.clone() focused=focused id=id.clone() testid=testid/>
                {unit.map(|u| view! { <span class="unit">{u}</span> })}
                {beside}
            </div>
            {third}
            {below(entry, hint::is_shown(&id), id)}
            {about}
            {note}
        </div>
    }
    .into_any()
}

/// What stands below an entry: what is wrong with it or how it is read, and what the field does.
pub fn below(entry: Entry, focused: Signal<bool>, id: String) -> AnyView {
    let sentence = hint::field(&entry.path, &id);
    view! { <EntryMessage entry=entry focused=focused id=id/>{sentence} }.into_any()
}

/// What a story says beside a field; once the field has another value, what the story has. `value` is the field's.
pub fn margin_note(app: App, path: &FieldPath, value: Current) -> AnyView {
    let path = path.clone();
    (move || {
        let story = app.story.get()?;
        let note = story.notes.iter().find(|n| n.field() == path)?;
        let before = value(&story.scenario()).unwrap_or_default();
        let told = before.clone();
        let value = Arc::clone(&value);
        let tried = Memo::new(move |_| app.plan.with(|p| value(p)).is_some_and(|now| now != before));
        let words = move || {
            if tried.get() {
                say(&Editor::StoryHad { value: told.clone() })
            } else {
                say(&note.text)
            }
        };
        Some(view! {
            <div class="margin-note" class:tried=move || tried.get() data-testid="margin-note">{words}</div>
        })
    })
    .into_any()
}

fn entry_note(app: App, entry: &Entry) -> AnyView {
    let Entry { current, empty, .. } = entry.clone();
    let words = move |p: &Scenario| {
        let text = current(p)?;
        Some(if text.is_empty() { empty.clone() } else { text })
    };
    margin_note(app, &entry.path, Arc::new(words))
}

fn kind_id(path: &FieldPath) -> String {
    format!("{}-kind", field_id(path))
}

/// What the kind of a number means; below its row.
pub fn about_kind(path: &FieldPath, kind: Kind) -> AnyView {
    hint::about(
        &kind_id(path),
        &match kind {
            Kind::Varies => About::Varies,
            _ => About::Uncertain,
        },
    )
}

/// The kind of a number, in a shape and a word; it opens the number's panel.
pub fn badge(app: App, path: &FieldPath, kind: Kind) -> AnyView {
    let open = path.clone();
    let fixed = Memo::new({
        let path = path.clone();
        move |_| {
            app.plan
                .with(|p| p.quantity(&path).is_none_or(|q| spark::fixed(q).is_some()))
        }
    });
    let words = move || {
        if fixed.get() {
            say(&Editor::Fixed)
        } else if kind == Kind::Varies {
            say(&Editor::Varies)
        } else {
            say(&Editor::Uncertain)
        }
    };
    let field = fields::label(path);
    view! {
        <button class="badge" class:fixed=move || fixed.get() type="button"
            data-testid=format!("badge-{}", path.as_str()) aria-describedby=format!("{}{}", kind_id(path), hint::END)
            aria-label=move || say(&Editor::OpenPanel { what: field.clone(), kind: words() })
            on:click=move |_| app.open_panel(open.clone())>
            {move || (!fixed.get()).then(|| spark::kind_mark(kind))}
            {words}
        </button>
    }
    .into_any()
}

/// A row of an uncertain or varying number: text box, small picture, badge.
pub fn quantity_row(app: App, path: FieldPath) -> AnyView {
    let (section, _, name) = path.parts();
    let Some(spec) = spec(section, name) else {
        return ().into_any();
    };
    let entry = quantity(&path, spec);
    let picture = spark::spark(app, path.clone(), spec);
    let third = Third {
        view: badge(app, &path, spec.kind),
        about: about_kind(&path, spec.kind),
    };
    framed(
        app,
        entry,
        read::unit_words(spec.unit),
        Some(picture),
        Some(third),
    )
}

/// A text box inside a sentence.
pub fn inline(entry: Entry) -> AnyView {
    let focused = RwSignal::new(false);
    let app = use_app();
    let path = entry.path.clone();
    let id = field_id(&path);
    let testid = format!("field-{}", path.as_str());
    let wrong =
        move || app.bad_entries.with(|b| b.contains_key(&path)) || read::has_problem(app, &path);
    view! {
        <span class="value inline" class:on=move || focused.get() class:wrong=wrong>
            <EntryBox entry=entry focused=focused id=id testid=testid fitting=true/>
        </span>
    }
    .into_any()
}

/// The messages of a sentence's boxes.
pub fn inline_messages(entries: Vec<Entry>) -> AnyView {
    let app = use_app();
    let notes = entries
        .iter()
        .map(|entry| entry_note(app, entry))
        .collect_view();
    let below = entries
        .into_iter()
        .map(|entry| {
            let id = field_id(&entry.path);
            below(entry, Signal::from(false), id)
        })
        .collect_view();
    view! { {below}{notes} }.into_any()
}

/// Rows that are folded to one line while nothing in them is out of the ordinary.
pub fn fold(
    title: String,
    summary: impl Fn() -> String + Send + Sync + 'static,
    testid: &'static str,
    rows: impl Fn() -> AnyView + Send + Sync + 'static,
) -> AnyView {
    fold_at(false, title, summary, testid, rows)
}

/// The same, open from the start where something in them is set.
pub fn fold_at(
    opened: bool,
    title: String,
    summary: impl Fn() -> String + Send + Sync + 'static,
    testid: &'static str,
    rows: impl Fn() -> AnyView + Send + Sync + 'static,
) -> AnyView {
    let open = RwSignal::new(opened);
    view! {
        <div class="fold">
            <button class="fold-head" type="button" data-testid=testid aria-expanded=move || open.get().to_string()
                on:click=move |_| open.update(|o| *o = !*o)>
                {move || icon(if open.get() { Icon::Down } else { Icon::Right })}
                <span class="fold-title">{title}</span>
                {move || (!open.get()).then(|| view! { <span class="fold-summary">{summary()}</span> })}
            </button>
            {move || open.get().then(&rows)}
        </div>
    }
    .into_any()
}

/// Gives a field the focus after the form was drawn.
pub fn go_to(path: &FieldPath) {
    focus_soon(field_id(path));
}
