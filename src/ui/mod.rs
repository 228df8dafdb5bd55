//! The page: Leptos views over the core.
//!
//! `state` holds everything that the page knows, `shell` the frame, `topbar` the bar, `editor` the plan on the left,
//! `answers` the results on the right. What needs no browser (`history`, `fresh`) compiles and is tested natively.

pub mod entities;
pub mod fresh;
pub mod history;
pub mod nudge;
pub mod saved;
pub mod sketch;
pub mod tabs;
pub mod week;

pub mod answers;
#[cfg(feature = "app")]
pub mod arrive;
#[cfg(feature = "app")]
pub mod dialogs;
#[cfg(feature = "app")]
pub mod editor;
#[cfg(feature = "app")]
pub mod files;
#[cfg(feature = "app")]
pub mod icons;
#[cfg(feature = "app")]
pub mod notices;
#[cfg(feature = "app")]
pub mod phone;
#[cfg(feature = "app")]
pub mod running;
#[cfg(feature = "app")]
pub mod shell;
#[cfg(feature = "app")]
pub mod state;
#[cfg(feature = "app")]
pub mod store;
#[cfg(feature = "app")]
pub mod topbar;

/// The element of a field's text box.
#[must_use]
pub fn field_id(path: &crate::domain::field::FieldPath) -> String {
    format!("f-{}", path.as_str().replace('/', "-"))
}

/// Gives an element the focus once the page was drawn again.
#[cfg(feature = "app")]
pub fn focus_soon(id: String) {
    use leptos::prelude::*;
    use wasm_bindgen::JsCast;
    // Two frames: one for the change to be drawn, one for the layout.
    request_animation_frame(move || {
        request_animation_frame(move || {
            if let Some(element) = document().get_element_by_id(&id)
                && let Some(element) = element.dyn_ref::<web_sys::HtmlElement>()
            {
                element.scroll_into_view_with_scroll_into_view_options(&nearest());
                // An element that cannot take the focus is at least in view.
                let _ = element.focus();
            }
        });
    });
}

#[cfg(feature = "app")]
fn nearest() -> web_sys::ScrollIntoViewOptions {
    let options = web_sys::ScrollIntoViewOptions::new();
    options.set_block(web_sys::ScrollLogicalPosition::Nearest);
    options
}
