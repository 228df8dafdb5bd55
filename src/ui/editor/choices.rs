//! Rows with a choice among few, or a tick.

use std::sync::Arc;

use leptos::{ev, prelude::*};

use super::rows::{label, margin_note};
use super::{hint, read};
use crate::domain::field::FieldPath;
use crate::domain::scenario::Scenario;
use crate::text::{editor::Editor, fields, say};
use crate::ui::field_id;
use crate::ui::icons::{Icon, icon};
use crate::ui::state::{App, use_app};

/// An option of a choice: its value and its words.
pub type Options = Vec<(String, String)>;

/// A row with a choice among few.
pub fn choice(
    app: App,
    path: FieldPath,
    options: impl Fn(&Scenario) -> Options + Send + Sync + 'static,
    get: impl Fn(&Scenario) -> Option<String> + Send + Sync + 'static,
    set: impl Fn(&mut Scenario, &str) + Send + Sync + 'static,
) -> AnyView {
    let id = field_id(&path);
    let wrong = {
        let path = path.clone();
        move || read::has_problem(app, &path)
    };
    let message = below(&path);
    let (options, get) = (Arc::new(options), Arc::new(get));
    let (offered, chosen) = (Arc::clone(&options), Arc::clone(&get));
    let words = move |p: &Scenario| {
        let value = chosen(p)?;
        let option = offered(p).into_iter().find(|(o, _)| *o == value);
        option.map(|(_, words)| words)
    };
    let note = margin_note(app, &path, Arc::new(words));
    view! {
        <div class="field wide">
            {label(app, &path, id)}
            <div class="value select" class:wrong=wrong>{select(app, path.clone(), move |p| options(p), move |p| get(p), set)}</div>
            {message}
            {note}
        </div>
    }
    .into_any()
}

/// What is wrong with a field that has no text box, and what the field does.
pub fn below(path: &FieldPath) -> AnyView {
    view! { {problem_line(path)}{hint::field(path, &field_id(path))} }.into_any()
}

/// What is wrong with a field that has no text box.
pub fn problem_line(path: &FieldPath) -> AnyView {
    let app = use_app();
    let path = path.clone();
    let testid = format!("problem-{}", path.as_str());
    let id = format!("{}-message", field_id(&path));
    view! {
        <div class="entry-message" id=id>
            {move || read::problem_of(app, &path).map(|sentence| view! {
                <div class="message risk" role="alert" data-testid=testid.clone()>{icon(Icon::Warning)}<span>{sentence}</span></div>
            })}
        </div>
    }
    .into_any()
}

/// The choice alone.
pub fn select(
    app: App,
    path: FieldPath,
    options: impl Fn(&Scenario) -> Options + Send + Sync + 'static,
    get: impl Fn(&Scenario) -> Option<String> + Send + Sync + 'static,
    set: impl Fn(&mut Scenario, &str) + Send + Sync + 'static,
) -> AnyView {
    let id = field_id(&path);
    let describe = hint::described_by(&id);
    let testid = format!("field-{}", path.as_str());
    let options = Memo::new(move |_| app.plan.with(|p| options(p)));
    let value = Memo::new(move |_| app.plan.with(|p| get(p)));
    let name = {
        let path = path.clone();
        move || app.plan.with(|p| fields::label_of(p, &path))
    };
    let change = move |ev: ev::Event| {
        let chosen = event_target_value(&ev);
        let what = app.plan.with_untracked(|p| fields::label_of(p, &path));
        app.commit(&Editor::Changed { what }, |p| set(p, &chosen));
    };
    view! {
        <select class="choice" id=id data-testid=testid aria-label=name aria-describedby=describe on:change=change
            prop:value=move || { options.track(); value.get().unwrap_or_default() }>
            {move || {
                let value = value.get();
                let options = options.get();
                let missing = value.as_ref().is_none_or(|v| !options.iter().any(|(o, _)| o == v));
                let missing = missing.then(|| view! {
                    <option value=value.clone().unwrap_or_default() selected=true>{say(&Editor::ChooseOne)}</option>
                });
                let list = options.into_iter().map(|(o, words)| {
                    let selected = value.as_deref() == Some(o.as_str());
                    view! { <option value=o selected=selected>{words}</option> }
                }).collect_view();
                view! { {missing}{list} }
            }}
        </select>
    }
    .into_any()
}

/// A row with a tick.
pub fn check(
    app: App,
    path: FieldPath,
    words: Editor,
    get: impl Fn(&Scenario) -> Option<bool> + Send + Sync + 'static,
    set: impl Fn(&mut Scenario, bool) + Send + Sync + 'static,
) -> AnyView {
    let id = field_id(&path);
    let testid = format!("field-{}", path.as_str());
    let checked = Memo::new(move |_| app.plan.with(|p| get(p)).unwrap_or_default());
    let describe = hint::described_by(&id);
    let message = below(&path);
    let at = path.clone();
    view! {
        <div class="field wide">
            {label(app, &path, id.clone())}
            <div class="value plain">
                <label class="tick">
                    <input type="checkbox" id=id data-testid=testid aria-describedby=describe prop:checked=move || checked.get() on:change=move |ev| {
                        let on = event_target_checked(&ev);
                        let what = app.plan.with_untracked(|p| fields::label_of(p, &at));
                        app.commit(&Editor::Changed { what }, |p| set(p, on));
                    }/>
                    <span>{say(&words)}</span>
                </label>
            </div>
            {message}
        </div>
    }
    .into_any()
}
