//! One number, open: what kind it is, its text, its forms, its picture, where it comes from.

use leptos::{ev, prelude::*};

use super::entry::{Entry, EntryBox, EntryMessage};
use super::rows::{inline, quantity};
use super::{hint, note, picture, read, spark};
use crate::domain::distribution::Distribution;
use crate::domain::field::{FieldPath, FieldSpec, spec};
use crate::domain::quantity::{Kind, Quantity};
use crate::text::{Piece, editor::Editor, fields, hints::About, pieces, say};
use crate::ui::icons::{Icon, icon};
use crate::ui::state::{App, Width, use_app};
use crate::ui::tabs::{self, Tab};

/// Id of the panel's own text box.
pub const BOX: &str = "panel-box";
/// Id of the sentence whose numbers are boxes; it explains them.
const SENTENCE: &str = "panel-sentence";
/// Id of what a tail index is.
const TAIL_INDEX: &str = "panel-tail-index";
/// Id of what the text box is about.
const BOX_HINT: &str = "panel-box-hint";

/// The panel of the picked field, if one is open.
#[component]
pub fn Panel() -> impl IntoView {
    let app = use_app();
    let on_key = move |ev: ev::KeyboardEvent| {
        if ev.key() == "Escape" {
            ev.stop_propagation();
            if let Some(entry) = open_entry(app) {
                entry.restore(app);
            }
            app.close_panel();
        } else if ev.key() == "Tab" {
            crate::ui::dialogs::keep_inside(&ev);
        }
    };
    let place =
        move || (app.width.get() == Width::Wide).then(|| format!("{}px", app.panel_top.get()));
    let room = move || {
        (app.width.get() == Width::Wide)
            .then(|| format!("calc(100vh - {}px)", app.panel_top.get() + 12.0))
    };
    view! {
        {move || app.panel.get().map(|path| view! {
            <div class="panel-scrim" on:click=move |_| leave(app)></div>
            <div class="panel" role="dialog" aria-modal="true" aria-labelledby="panel-title" data-testid="panel" style:top=place style:max-height=room on:keydown=on_key>
                {content(app, path)}
            </div>
        })}
    }
}

/// What the panel edits.
fn open_entry(app: App) -> Option<Entry> {
    let path = app.panel.get_untracked()?;
    let (section, _, name) = path.parts();
    match spec(section, name) {
        Some(spec) => Some(quantity(&path, spec)),
        None => super::entry_of(&path),
    }
}

/// Closes the panel by the side door: a valid entry is kept, a bad one stays beside its field.
fn leave(app: App) {
    if let Some(entry) = open_entry(app) {
        entry.keep_draft(app);
    }
    app.close_panel();
}

fn content(app: App, path: FieldPath) -> AnyView {
    let title = app.plan.with_untracked(|p| fields::label_of(p, &path));
    let (section, _, name) = path.parts();
    let hint = fields::hint(&path).map(|h| say(&h));
    match spec(section, name) {
        Some(spec) => number(app, path, spec, title, hint),
        None => plain(app, path, title, hint),
    }
}

/// A field that is no uncertain number: its box, where it has one that stands alone, and its note.
fn plain(app: App, path: FieldPath, title: String, hint: Option<String>) -> AnyView {
    let entry = super::entry_of(&path);
    let focused = RwSignal::new(false);
    let done = {
        let entry = entry.clone();
        move |_| {
            if entry.as_ref().is_none_or(|e| e.keep_draft(app)) {
                app.close_panel();
            }
        }
    };
    let boxed = entry.map(|entry| {
        view! {
            <div class="value big" class:on=move || focused.get()>
                <EntryBox entry=entry.clone() focused=focused id=BOX.to_owned() testid="panel-box".to_owned() in_panel=true/>
            </div>
            <EntryMessage entry=entry focused=Signal::from(true) id=BOX.to_owned()/>
        }
    });
    let id = if boxed.is_none() { BOX } else { "panel-done" };
    view! {
        <header class="panel-head"><h3 id="panel-title">{title}</h3><span class="grow"></span>{close(app)}</header>
        {hint.map(|h| view! { <p class="panel-hint" id=BOX_HINT>{h}</p> })}
        {boxed}
        {note::note(app, path)}
        <footer class="panel-foot"><span class="grow"></span>
            <button class="button compact primary" type="button" id=id data-testid="panel-keep" on:click=done>{say(&Editor::Done)}</button>
        </footer>
    }
    .into_any()
}

fn close(app: App) -> AnyView {
    view! {
        <button class="button ghost square compact" type="button" aria-label=say(&Editor::ClosePanel) on:click=move |_| leave(app)>{icon(Icon::Cross)}</button>
    }
    .into_any()
}

/// The entry as it is being typed, or as it is in force.
fn looked_at(
    app: App,
    entry: &Entry,
    path: &FieldPath,
    spec: &'static FieldSpec,
) -> Option<Quantity> {
    let typed = entry
        .typed(app)
        .and_then(|text| crate::domain::grammar::check(&text, spec).ok());
    typed.or_else(|| app.plan.with(|p| p.quantity(path).cloned()))
}

fn number(
    app: App,
    path: FieldPath,
    spec: &'static FieldSpec,
    title: String,
    hint: Option<String>,
) -> AnyView {
    let entry = quantity(&path, spec);
    let focused = RwSignal::new(false);
    let shown = Memo::new({
        let (entry, path) = (entry.clone(), path.clone());
        move |_| looked_at(app, &entry, &path, spec)
    });
    let fit = Memo::new(move |_| {
        shown.with(|q| {
            Distribution::fit(q.as_ref()?, spec.domain)
                .ok()
                .map(|f| f.distribution)
        })
    });
    let draft = {
        let (path, entry) = (path.clone(), entry.clone());
        move |q: &Quantity| {
            entry.restore(app);
            let text = read::quantity_text(q, spec);
            app.drafts.update(|d| {
                d.insert(path.clone(), text);
            });
        }
    };
    let keep = {
        let entry = entry.clone();
        move |_| {
            if entry.keep_draft(app) {
                app.close_panel();
            }
        }
    };
    let back = {
        let path = path.clone();
        move || {
            app.plan
                .with(|p| p.quantity(&path).map(|q| read::quantity_text(q, spec)))
                .unwrap_or_default()
        }
    };
    let undo = {
        let entry = entry.clone();
        move |_| {
            entry.restore(app);
            app.close_panel();
        }
    };
    let sentence = if spec.kind == Kind::Varies {
        About::Varies
    } else {
        About::Uncertain
    };
    let kind = if spec.kind == Kind::Varies {
        Editor::Varies
    } else {
        Editor::Uncertain
    };
    let tab = move || shown.with(|q| q.as_ref().map_or(Tab::Fixed, tabs::tab_of));
    let level = level_path(&path);
    view! {
        <header class="panel-head">
            <h3 id="panel-title">{title}</h3>
            <span class="grow"></span>
            <span class="badge plain">{spark::kind_mark(spec.kind)}{say(&kind)}</span>
            {close(app)}
        </header>
        <p class="panel-hint" id=BOX_HINT>{hint.map(|h| format!("{h} "))}{say(&sentence)}</p>
        <div class="value big" class:on=move || focused.get()>
            <EntryBox entry=entry.clone() focused=focused id=BOX.to_owned() testid="panel-box".to_owned() in_panel=true/>
            {read::unit_words(spec.unit).map(|u| view! { <span class="unit">{u}</span> })}
        </div>
        <EntryMessage entry=entry.clone() focused=Signal::from(true) id=BOX.to_owned()/>
        <div class="tabs" role="tablist" aria-label=say(&Editor::FormOfEntry)>
            {Tab::ALL.map(|t| {
                let draft = draft.clone();
                view! {
                    <button type="button" role="tab" data-testid=format!("tab-{t:?}").to_lowercase() aria-selected=move || (tab() == t).to_string()
                        on:click=move |_| if tab() != t && let Some(d) = fit.get_untracked() { draft(&tabs::convert(&d, t, spec.domain)); }>
                        {say(&tab_words(t))}
                    </button>
                }
            }).collect_view()}
        </div>
        {
            let draft = draft.clone();
            let drawn = Memo::new(move |_| tab());
            move || form(app, drawn.get(), shown, spec, draft.clone())
        }
        {
            let path = path.clone();
            move || fit.with(|d| d.as_ref().map(|d| {
                let cap = app.plan.with(|p| super::cap_line::cap_line(p, &path, d, spec));
                picture::picture(d, spec, cap)
            }))
        }
        {move || fit.with(|d| d.as_ref().map(|d| picture::figures(d, spec)))}
        {pinned(shown, spec, draft.clone())}
        {level.map(|level| level_line(app, level))}
        {(spec.kind == Kind::Uncertain).then(|| view! {
            <p class="panel-hint">{say(&Editor::MovesTogetherWith)}</p>
            {super::together::pairs(app, Some(path.clone()))}
        })}
        {note::note(app, path)}
        <footer class="panel-foot">
            <span class="small muted"><kbd>"Enter"</kbd>" "{say(&Editor::EnterKeeps)}" "<kbd>"Esc"</kbd>" "{move || say(&Editor::EscRestores { value: back() })}</span>
            <span class="grow"></span>
            <button class="button compact" type="button" data-testid="panel-cancel" on:click=undo>{say(&Editor::Cancel)}</button>
            <button class="button compact primary" type="button" data-testid="panel-keep" on:click=keep>{say(&Editor::Keep)}</button>
        </footer>
    }
    .into_any()
}

const fn tab_words(tab: Tab) -> Editor {
    match tab {
        Tab::Fixed => Editor::TabFixed,
        Tab::Between => Editor::TabBetween,
        Tab::Probably => Editor::TabProbably,
        Tab::FewAreLarge => Editor::TabFewAreLarge,
        Tab::Data => Editor::TabData,
        Tab::Mix => Editor::TabMix,
    }
}

/// The sentence of a form, its numbers as boxes.
fn form(
    app: App,
    tab: Tab,
    shown: Memo<Option<Quantity>>,
    spec: &'static FieldSpec,
    draft: impl Fn(&Quantity) + Clone + Send + Sync + 'static,
) -> AnyView {
    let blank = || String::from(" ");
    let message = match tab {
        Tab::Fixed => Editor::SentenceFixed { a: blank() },
        Tab::Between => Editor::SentenceBetween {
            a: blank(),
            b: blank(),
        },
        Tab::Probably => Editor::SentenceProbably {
            a: blank(),
            b: blank(),
            c: blank(),
        },
        Tab::FewAreLarge => Editor::SentenceFewAreLarge {
            a: blank(),
            b: blank(),
            high: high_words(shown),
        },
        Tab::Data => {
            return view! { <p class="panel-hint">{say(&Editor::HelpData)}</p> }.into_any();
        }
        Tab::Mix => return view! { <p class="panel-hint">{say(&Editor::HelpMix)}</p> }.into_any(),
    };
    let parts = pieces(&message)
        .into_iter()
        .map(|piece| match piece {
            Piece::Text(text) => view! { <span>{text}</span> }.into_any(),
            Piece::Part("high", text) => view! { <span>{text}</span> }.into_any(),
            Piece::Part(name, _) => {
                let which = match name {
                    "a" => 0,
                    "b" => 1,
                    _ => 2,
                };
                number_box(app, which, SENTENCE, shown, spec, draft.clone())
            }
        })
        .collect_view();
    let ends = matches!(tab, Tab::Between | Tab::Probably).then(|| {
        let draft = draft.clone();
        let hard = move || shown.with(|q| q.as_ref().is_some_and(tabs::is_hard));
        view! {
            <label class="ends">{say(&Editor::EndsAre)}
                <select class="choice" data-testid="panel-ends" aria-describedby="panel-ends-hint" on:change=move |ev| {
                    let hard = event_target_value(&ev) == "hard";
                    if let Some(q) = shown.get_untracked() { draft(&tabs::with_ends(&q, hard)); }
                }>
                    <option value="soft" selected=move || !hard()>{say(&Editor::EndsSoft)}</option>
                    <option value="hard" selected=hard>{say(&Editor::EndsHard)}</option>
                </select>
            </label>
            {hint::about("panel-ends", &About::Ends)}
        }
    });
    let tail = (tab == Tab::FewAreLarge).then(|| tail_line(app, shown, spec, draft));
    view! { <div class="sentence panel-sentence" id=SENTENCE>{parts}</div>{ends}{tail} }.into_any()
}

/// How the few large values end: like a lognormal, or as a power of their size.
fn tail_line(
    app: App,
    shown: Memo<Option<Quantity>>,
    spec: &'static FieldSpec,
    draft: impl Fn(&Quantity) + Clone + Send + Sync + 'static,
) -> AnyView {
    let heavy = Memo::new(move |_| shown.with(|q| q.as_ref().is_some_and(tabs::has_tail)));
    let choose = {
        let draft = draft.clone();
        move |ev: ev::Event| {
            let heavy = event_target_value(&ev) == "heavy";
            if let Some(q) = shown.get_untracked() {
                draft(&tabs::with_tail(&q, heavy));
            }
        }
    };
    view! {
        <label class="ends">{say(&Editor::LargestAre)}
            <select class="choice" data-testid="panel-tail" aria-describedby="panel-tail-hint" on:change=choose>
                <option value="light" selected=move || !heavy.get()>{say(&Editor::TailLight)}</option>
                <option value="heavy" selected=move || heavy.get()>{say(&Editor::TailHeavy)}</option>
            </select>
        </label>
        {hint::about("panel-tail", &About::Tail)}
        {move || heavy.get().then(|| view! {
            <div class="panel-line"><span>{say(&Editor::TailIndex)}</span>{number_box(app, 2, TAIL_INDEX, shown, spec, draft.clone())}</div>
            <p class="panel-hint" id=TAIL_INDEX>{say(&Editor::TailHint)}</p>
        })}
    }
    .into_any()
}

fn high_words(shown: Memo<Option<Quantity>>) -> String {
    use crate::domain::quantity::{HighPercentile, Shape};
    shown.with_untracked(|q| {
        let percentile = match q.as_ref().map(|q| &q.shape) {
            Some(Shape::FewAreLarge { percentile, .. } | Shape::ParetoTail { percentile, .. }) => {
                *percentile
            }
            _ => HighPercentile::P99,
        };
        say(&match percentile {
            HighPercentile::P90 => Editor::OneInTen,
            HighPercentile::P95 => Editor::OneInTwenty,
            HighPercentile::P99 => Editor::OneInHundred,
        })
    })
}

fn number_box(
    app: App,
    which: usize,
    about: &'static str,
    shown: Memo<Option<Quantity>>,
    spec: &'static FieldSpec,
    draft: impl Fn(&Quantity) + Send + Sync + 'static,
) -> AnyView {
    let currency = app.plan.with_untracked(|p| p.settings.currency.clone());
    let text = {
        Memo::new(move |_| {
            shown.with(|q| {
                q.as_ref()
                    .and_then(|q| {
                        let v = tabs::numbers(q).get(which).copied()?;
                        Some(read::number_text(v, tabs::unit(q, which, spec), &currency))
                    })
                    .unwrap_or_default()
            })
        })
    };
    let change = move |ev: ev::Event| {
        if let Some(q) = shown.get_untracked()
            && let Ok(v) = read::number(&event_target_value(&ev), tabs::unit(&q, which, spec))
        {
            draft(&tabs::with_number(&q, which, v));
        }
    };
    view! {
        <span class="value inline"><input class="entry fitting" type="text" autocomplete="off" spellcheck="false" data-testid=format!("panel-number-{which}") aria-describedby=about
            aria-label=say(&Editor::NumberOfSentence { number: (which + 1).to_string() })
            size=move || text.with(|t| t.chars().count().clamp(2, 14)).to_string() prop:value=move || text.get() on:change=change/></span>
    }
    .into_any()
}

/// The mean that is known beside the percentiles.
fn pinned(
    shown: Memo<Option<Quantity>>,
    spec: &'static FieldSpec,
    draft: impl Fn(&Quantity) + Send + Sync + 'static,
) -> AnyView {
    let app = use_app();
    let currency = app.plan.with_untracked(|p| p.settings.currency.clone());
    let text = {
        Memo::new(move |_| {
            shown.with(|q| {
                q.as_ref()
                    .and_then(|q| q.mean)
                    .map(|v| read::number_text(v, spec.unit, &currency))
                    .unwrap_or_default()
            })
        })
    };
    let fixed =
        Memo::new(move |_| shown.with(|q| q.as_ref().is_none_or(|q| spark::fixed(q).is_some())));
    let change = move |ev: ev::Event| {
        let typed = event_target_value(&ev);
        let Some(mut q) = shown.get_untracked() else {
            return;
        };
        if typed.trim().is_empty() {
            q.mean = None;
            draft(&q);
        } else if let Ok(v) = read::number(&typed, spec.unit) {
            q.mean = Some(v);
            draft(&q);
        }
    };
    let change = StoredValue::new(change);
    view! {
        {move || (!fixed.get()).then(|| view! {
            <div class="panel-line">
                <label for="panel-mean">{say(&Editor::MeanFromInvoices)}</label>
                <span class="value"><input class="entry" id="panel-mean" type="text" autocomplete="off" data-testid="panel-mean" aria-describedby="panel-mean-hint" placeholder=say(&Editor::NotPinned)
                    prop:value=move || text.get() on:change=move |ev| change.with_value(|c| c(ev))/></span>
            </div>
            {hint::about("panel-mean", &About::Mean)}
        })}
    }
    .into_any()
}

/// The typical level beside a token field.
fn level_path(path: &FieldPath) -> Option<FieldPath> {
    let (section, id, name) = path.parts();
    matches!(name, "input_tokens" | "output_tokens").then(|| {
        FieldPath::of(
            section,
            id.unwrap_or(crate::domain::scenario::Id(0)),
            &format!("{name}_level"),
        )
    })
}

fn level_line(app: App, path: FieldPath) -> AnyView {
    let (section, _, name) = path.parts();
    let Some(spec) = spec(section, name) else {
        return ().into_any();
    };
    let entry = quantity(&path, spec);
    let badge = super::rows::badge(app, &path, spec.kind);
    let id = crate::ui::field_id(&path);
    view! {
        <div class="panel-line">
            <label for=id.clone()>{fields::label(&path)}</label>
            {inline(entry.clone())}
            <span class="grow"></span>{badge}
        </div>
        {super::rows::below(entry, Signal::from(false), id)}
        {super::rows::about_kind(&path, spec.kind)}
    }
    .into_any()
}
