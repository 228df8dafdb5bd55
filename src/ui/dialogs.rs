//! What stands over the page.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

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
