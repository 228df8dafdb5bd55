//! Sentences that explain controls.
//!
//! Every control names, in `aria-describedby`, the element of its message and the element of its sentence, whose id ends
//! with [`END`]. The sentence is always in the page, for readers; it is seen below its row while one of the controls that
//! name it has the focus, and over the page while the pointer rests on the row's label. One listener at the window finds
//! the sentence by that attribute, so what is seen is what is read out.

use leptos::{ev, prelude::*};
use wasm_bindgen::JsCast;

use crate::domain::field::FieldPath;
use crate::text::{Message, editor::Editor, fields, say};
use crate::ui::state::use_app;

/// How the id of a sentence ends.
pub const END: &str = "-hint";

/// The elements that say what is wrong with a control, and then what the control does.
#[must_use]
pub fn described_by(id: &str) -> String {
    format!("{id}-message {id}{END}")
}

/// The sentence below a field's row, and what its note says; `id` is the control's.
pub fn field(path: &FieldPath, id: &str) -> Option<AnyView> {
    let sentence = fields::hint(path)?;
    let (app, path) = (use_app(), path.clone());
    let note = Memo::new(move |_| {
        let note = app.plan.with(|p| p.notes.get(&path).cloned())?;
        let text = [note.text, note.source];
        let text: Vec<_> = text.into_iter().filter(|t| !t.is_empty()).collect();
        let text = text.join(", ");
        (!text.is_empty()).then(|| say(&Editor::NoteRead { text }))
    });
    let noted = move || {
        note.get()
            .map(|words| view! { <span class="hint-note">{words}</span> })
    };
    Some(line(id, (say(&sentence), noted).into_any()))
}

/// The sentence of a control that is no field.
pub fn about(id: &str, sentence: &impl Message) -> AnyView {
    line(id, say(sentence).into_any())
}

/// Whether the sentence of a control is seen: the control has the focus, and no click is on its way.
#[must_use]
pub fn is_shown(id: &str) -> Signal<bool> {
    let app = use_app();
    let id = format!("{id}{END}");
    Signal::derive(move || app.explained.with(|e| e.as_deref() == Some(id.as_str())))
}

fn line(id: &str, words: AnyView) -> AnyView {
    let shown = is_shown(id);
    view! { <p class="hint" class:shown=move || shown.get() id=format!("{id}{END}")>{words}</p> }
        .into_any()
}

/// The sentence that the control around an element, or that a label is of, is explained by.
fn sentence_of(element: &web_sys::Element) -> Option<String> {
    let label = element.closest("label").ok().flatten();
    let control = label
        .and_then(|label| {
            label
                .dyn_into::<web_sys::HtmlLabelElement>()
                .ok()?
                .control()
        })
        .map(JsCast::unchecked_into::<web_sys::Element>);
    let described = match control {
        Some(control) => Some(control),
        None => element.closest("[aria-describedby]").ok().flatten(),
    };
    let ids = described?.get_attribute("aria-describedby")?;
    ids.split(' ')
        .find(|id| id.ends_with(END))
        .map(str::to_owned)
}

/// A sentence at the foot of what scrolls is seen too.
fn bring_into_view(id: String) {
    request_animation_frame(move || {
        if let Some(sentence) = document().get_element_by_id(&id) {
            sentence.scroll_into_view_with_scroll_into_view_options(&crate::ui::nearest());
        }
    });
}

fn target(ev: &web_sys::Event) -> Option<web_sys::Element> {
    ev.target()?.dyn_into().ok()
}

/// Follows the focus. While a button of the mouse is down nothing moves, or the click would land on another row.
pub fn follow_focus() {
    let app = use_app();
    let down = StoredValue::new(false);
    let next = StoredValue::new(None::<String>);
    let show = move || {
        let (Some(down), Some(next)) = (down.try_get_value(), next.try_get_value()) else {
            return;
        };
        if !down && app.explained.with_untracked(|now| *now != next) {
            app.explained.set(next.clone());
            if let Some(id) = next {
                bring_into_view(id);
            }
        }
    };
    // the click comes after the button is up, in the same task
    let release = move || {
        if down.try_get_value() == Some(true) {
            set_timeout(
                move || {
                    let _ = down.try_update_value(|d| *d = false);
                    show();
                },
                std::time::Duration::ZERO,
            );
        }
    };
    let listeners = [
        window_event_listener(ev::mousedown, move |_| down.set_value(true)),
        window_event_listener(ev::mouseup, move |_| release()),
        // a list that opened over the page swallows the button's way up
        window_event_listener(ev::mousemove, move |ev| {
            if ev.buttons() == 0 {
                release();
            }
        }),
        window_event_listener(ev::keydown, move |_| {
            down.set_value(false);
            show();
        }),
        window_event_listener(ev::focusin, move |ev| {
            next.set_value(target(&ev).and_then(|e| sentence_of(&e)));
            show();
        }),
        window_event_listener(ev::focusout, move |ev| {
            if ev.related_target().is_none() {
                next.set_value(None);
                show();
            }
        }),
        // some browsers give a tick or a button no focus when it is tapped
        window_event_listener(ev::click, move |ev| {
            if let Some(sentence) = target(&ev).and_then(|e| sentence_of(&e)) {
                next.set_value(Some(sentence));
                show();
            }
        }),
    ];
    on_cleanup(move || listeners.into_iter().for_each(|l| l.remove()));
}
