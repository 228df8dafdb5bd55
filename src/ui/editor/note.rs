//! Where a value comes from: text, source, owner, date.

use leptos::{ev, prelude::*};
use wasm_bindgen::JsCast;

use super::{hint, read};
use crate::domain::field::FieldPath;
use crate::domain::scenario::Note;
use crate::text::{editor::Editor, fields, hints::About, say};
use crate::ui::focus_soon;
use crate::ui::state::App;

/// The first box of the note in a panel.
const TEXT: &str = "note-text";

/// Opens the note of the field that has the focus, or goes to the note of the panel that is open; false if there is none.
pub fn open_focused(app: App) -> bool {
    if app.panel.get_untracked().is_none() {
        let row = document()
            .active_element()
            .and_then(|e| e.closest(".field, .noted-box").ok().flatten());
        let button = row.and_then(|row| row.query_selector(".note-button").ok().flatten());
        let Some(button) = button.and_then(|b| b.dyn_into::<web_sys::HtmlElement>().ok()) else {
            return false;
        };
        button.click();
    }
    focus_soon(TEXT.to_owned());
    true
}

/// The note of a field, to be read and changed.
pub fn note(app: App, path: FieldPath) -> AnyView {
    let note = Memo::new({
        let path = path.clone();
        move |_| {
            app.plan
                .with(|p| p.notes.get(&path).cloned())
                .unwrap_or_default()
        }
    });
    let wrong_date = RwSignal::new(false);
    let change = {
        let path = path.clone();
        move |edit: &dyn Fn(&mut Note)| {
            let what = app.plan.with_untracked(|p| fields::label_of(p, &path));
            let path = path.clone();
            app.commit(&Editor::Noted { what }, |p| {
                let note = p.notes.entry(path.clone()).or_default();
                edit(note);
                if *note == Note::default() {
                    p.notes.remove(&path);
                }
            });
        }
    };
    let line = move |id: &'static str,
                     words: Editor,
                     get: fn(&Note) -> &String,
                     set: fn(&mut Note, String)| {
        let change = change.clone();
        view! {
            <label for=id>{say(&words)}</label>
            <span class="value"><input class="entry" id=id data-testid=id aria-describedby="note-hint" type="text" autocomplete="off" maxlength="500"
                prop:value=move || note.with(|n| get(n).clone()) on:change=move |ev: ev::Event| {
                    let text = event_target_value(&ev).trim().to_owned();
                    change(&|n| set(n, text.clone()));
                }/></span>
        }
        .into_any()
    };
    let date = {
        let path = path.clone();
        move |ev: ev::Event| {
            let text = event_target_value(&ev);
            let date = if text.trim().is_empty() {
                Ok(None)
            } else {
                read::date(&text).map(Some)
            };
            wrong_date.set(date.is_err());
            if let Ok(date) = date {
                let what = app.plan.with_untracked(|p| fields::label_of(p, &path));
                app.commit(&Editor::Noted { what }, |p| {
                    let note = p.notes.entry(path.clone()).or_default();
                    note.date = date;
                    if *note == Note::default() {
                        p.notes.remove(&path);
                    }
                });
            }
        }
    };
    view! {
        <div class="note" data-testid="note">
            {line(TEXT, Editor::NoteText, |n| &n.text, |n, v| n.text = v)}
            {line("note-source", Editor::NoteSource, |n| &n.source, |n, v| n.source = v)}
            {line("note-owner", Editor::NoteOwner, |n| &n.owner, |n, v| n.owner = v)}
            <label for="note-date">{say(&Editor::NoteDate)}</label>
            <span class="value" class:wrong=move || wrong_date.get()><input class="entry" id="note-date" data-testid="note-date" aria-describedby="note-wrong note-hint" type="text" autocomplete="off"
                prop:value=move || note.with(|n| n.date.map(read::date_text).unwrap_or_default()) on:change=date/></span>
            <span class="small risk" id="note-wrong">{move || wrong_date.get().then(|| say(&Editor::NoDate))}</span>
            {hint::about("note", &About::Note)}
        </div>
    }
    .into_any()
}
