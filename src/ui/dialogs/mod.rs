//! What stands over the page: the menu of plans, the gallery, share, export, the map of keys.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::icons::{Icon, icon};
use super::state::{Dialog, use_app};
use crate::text::{say, ui::Ui};

mod export;
mod gallery;
mod keys;
mod picture;
mod plans;
mod share;

pub use gallery::StoryStrip;

/// The dialog that is open, if one is.
#[component]
pub fn Dialogs() -> impl IntoView {
    let app = use_app();
    view! {
        {move || app.dialog.get().map(|dialog| match dialog {
            Dialog::Plans => view! { <plans::Plans/> }.into_any(),
            Dialog::Gallery => view! { <gallery::Gallery/> }.into_any(),
            Dialog::Share => view! { <share::Share/> }.into_any(),
            Dialog::Export => view! { <export::Export/> }.into_any(),
            Dialog::Keys => view! { <keys::KeyMap/> }.into_any(),
        })}
    }
}

/// The frame of a dialog: the browser keeps the focus inside and closes it on Esc.
#[component]
fn Modal(
    /// Its title.
    title: String,
    /// For tests and styles.
    name: &'static str,
    /// Its content.
    children: Children,
) -> impl IntoView {
    let app = use_app();
    let node = NodeRef::<leptos::html::Dialog>::new();
    Effect::new(move || {
        if let Some(dialog) = node.get()
            && !dialog.open()
            && dialog.show_modal().is_err()
        {
            // Without modal dialogs it is at least on the page.
            dialog.set_open(true);
        }
    });
    // A click beside the dialog hits the element itself, which has no padding.
    let beside = move |ev: ev::MouseEvent| {
        let on = ev
            .target()
            .and_then(|t| t.dyn_into::<web_sys::HtmlDialogElement>().ok());
        if on.is_some() {
            app.close_dialog();
        }
    };
    let id = format!("dialog-{name}");
    view! {
        <dialog node_ref=node class=format!("dialog dialog-{name}") data-testid=id.clone() aria-labelledby=format!("{id}-title")
            on:close=move |_| app.close_dialog() on:click=beside>
            <div class="dialog-inside">
                <header class="dialog-head">
                    <h1 id=format!("{id}-title")>{title}</h1>
                    <span class="grow"></span>
                    <button class="button ghost square" type="button" data-testid="dialog-close" aria-label=say(&Ui::Close)
                        on:click=move |_| app.close_dialog()>{icon(Icon::Cross)}</button>
                </header>
                {children()}
            </div>
        </dialog>
    }
}

/// Keeps Tab inside the element that listens.
pub fn keep_inside(ev: &ev::KeyboardEvent) {
    let Some(root) = ev
        .current_target()
        .and_then(|t| t.dyn_into::<web_sys::Element>().ok())
    else {
        return;
    };
    let selector = "button:not(:disabled):not([tabindex='-1']), input, select, textarea, a[href], [tabindex='0']";
    let Ok(list) = root.query_selector_all(selector) else {
        return;
    };
    let element = |i: u32| {
        list.item(i)
            .and_then(|n| n.dyn_into::<web_sys::HtmlElement>().ok())
    };
    let (Some(first), Some(last)) = (element(0), list.length().checked_sub(1).and_then(element))
    else {
        return;
    };
    let active = document().active_element();
    let is =
        |e: &web_sys::HtmlElement| active.as_ref() == Some(e.unchecked_ref::<web_sys::Element>());
    let to = if ev.shift_key() && is(&first) {
        last
    } else if !ev.shift_key() && is(&last) {
        first
    } else {
        return;
    };
    ev.prevent_default();
    // A control that cannot take the focus leaves it where it is.
    let _ = to.focus();
}
