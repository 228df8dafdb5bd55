//! What can be taken out of a card: its numbers, its picture.

use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;

use super::glyphs;
use super::view::table::Table;
use crate::chart::canvas::{ChartTheme, Picture, png, svg};
use crate::text::answers::Chart as Words;
use crate::text::say;
use crate::ui::files;
use crate::ui::state::use_app;

/// A button that opens a short list: copy the numbers, save the picture.
#[component]
pub fn TakeOut(
    /// Key for tests and scripts.
    key: &'static str,
    /// The numbers.
    #[prop(into)]
    table: Signal<Option<Table>>,
    /// The picture; a table that is the answer itself has none.
    picture: Picture,
) -> impl IntoView {
    let app = use_app();
    let theme = expect_context::<ChartTheme>();
    let open = RwSignal::new(false);
    let button = NodeRef::<leptos::html::Button>::new();
    let close = move || {
        open.set(false);
        if let Some(button) = button.get_untracked() {
            // a button that is gone has no focus to get back
            let _ = button.focus();
        }
    };
    let leave = move |ev: ev::FocusEvent| {
        let inside = ev
            .current_target()
            .and_then(|t| t.dyn_into::<web_sys::Node>().ok());
        let to = ev
            .related_target()
            .and_then(|t| t.dyn_into::<web_sys::Node>().ok());
        if !inside.is_some_and(|node| node.contains(to.as_ref())) {
            open.set(false);
        }
    };
    let keys = move |ev: ev::KeyboardEvent| {
        if ev.key() == "Escape" && open.get_untracked() {
            ev.prevent_default();
            ev.stop_propagation();
            close();
        }
    };
    let name = move |ending: &str| {
        let plan = app.plan.with_untracked(|p| p.name.clone());
        files::file_name(&format!("{plan} {key}"), ending)
    };
    let copy = move |_| {
        close();
        let text = table.with_untracked(|t| t.as_ref().map(Table::to_tsv));
        if let Some(text) = text {
            files::copy(text, move |ok| {
                app.say(if ok {
                    &Words::DataCopied
                } else {
                    &Words::DataNotCopied
                });
            });
        }
    };
    let save_png = move |_| {
        close();
        if let Some(scene) = picture.get_untracked() {
            let name = name("png");
            png(&scene, theme, move |blob| {
                files::download_blob(&name, &blob);
            });
        }
    };
    let save_svg = move |_| {
        close();
        if let Some(text) = picture.get_untracked().and_then(|scene| svg(&scene, theme)) {
            files::download(&name("svg"), "image/svg+xml", text.as_bytes());
        }
    };
    view! {
        <span class="take-out" on:focusout=leave on:keydown=keys>
            <button class="button ghost square compact" node_ref=button data-testid=format!("menu-{key}") title=say(&Words::More) aria-label=say(&Words::More)
                aria-expanded=move || open.get().to_string() on:click=move |_| open.update(|o| *o = !*o)>{glyphs::more()}</button>
            {move || open.get().then(|| view! {
                <span class="take-out-list">
                    <button data-testid=format!("copy-{key}") on:click=copy>{say(&Words::CopyData)}</button>
                    {picture.get().is_some().then(|| view! {
                        <button data-testid=format!("png-{key}") on:click=save_png>{say(&Words::SavePng)}</button>
                        <button data-testid=format!("svg-{key}") on:click=save_svg>{say(&Words::SaveSvg)}</button>
                    })}
                </span>
            })}
        </span>
    }
}

/// The place where a chart leaves its picture for the menu of its card.
#[must_use]
pub fn picture() -> Picture {
    RwSignal::new(None::<Arc<crate::chart::scene::Scene>>)
}
