//! The page: Leptos views over the core.
//!
//! `state` holds everything that the page knows, `running` what happens between a committed plan and its answers,
//! `arrive` what the page opens with, `store` and `saved` the plans in this browser. `shell` is the frame, `topbar` the
//! bar, `editor` the plan on the left, `answers` the results on the right, `phone` the list of numbers on a phone,
//! `dialogs` and `notices` what stands over and above the page. What needs no browser (`entities`, `fresh`, `history`,
//! `nudge`, `saved`, `sketch`, `tabs`, `week`) compiles and is tested natively.
//!
//! # `data-testid`
//!
//! Tests find elements by these; they are kept when looks change. `<path>` is a field path
//! (`features/3/requests_per_day`), `<id>` an entity's number, `<section>` the JSON name of a list.
//!
//! - frame: `plan-menu`, `undo`, `redo`, `theme`, `export-open`, `share-open`, `nav-<overview|spend|capacity|features|table>`,
//!   `pane-plan` and `pane-answers` (tablet), `show-plan` (rail), `phone-change`, `phone-share`, `change`, `change-<path>`
//! - answers: `answers`, `verdict`, `status`, `status-word`, `run-all`, `menu-<card>`, `copy-<card>`, `png-<card>`,
//!   `svg-<card>`; the rest in `answers`
//! - plan: `section-<section>` and `section-settings`, `toggle-<section>`, `add-<section>`, `entity-<section>-<id>`,
//!   `duplicate-<id>`, `up-<id>`, `down-<id>`, `delete-<id>`, `chain-<id>`, `facts-<id>`, `strip-<id>`, `launch-kind-<id>`, `dice`,
//!   `fold-retries`, `fold-noise`, `week-<id>`, `show-week-<id>`, `add-dates-<id>`, `catalog-<what>-<id>`, `margin-note`,
//!   `same-name-<id>`, `lanes-idle`
//! - fields: `field-<path>` (box, choice or tick), `badge-<path>`, `note-<path>`, `echo-<path>`, `problem-<path>`
//! - panel of one number: `panel`, `panel-box`, `tab-<fixed|between|probably|fewarelarge|data|mix>`, `panel-number-<n>`,
//!   `panel-ends`, `panel-mean`, `panel-figures`, `panel-keep`, `panel-cancel`, `note`, `note-text`, `note-source`,
//!   `note-owner`, `note-date`
//! - run bar: `run`, `stop`, `continue`, `futures`, `auto-run`, `to-fix`
//! - above the page: `story-strip`, `strip-gallery`, `strip-empty`, `strip-hide`, `notice-link`, `keep-copy`,
//!   `notice-bad-link`, `notice-bad-file`, `notice-other-tab`, `other-take`, `other-keep`, `notice-storage`, `notice-unreadable`, `notice-close`, `toast`, `toast-undo`
//! - dialogs: `dialog-<plans|gallery|share|export>`, `dialog-close`; `plan-rename`, `plan-list`, `plan-<id>`,
//!   `plan-delete-<id>`, `plan-copy`, `plan-empty`, `gallery-open`; `story-<name>`, `empty-plan`, `open-link`, `link-box`,
//!   `link-go`, `open-file`, `open-file-button`; `share-url`, `share-copy`, `share-copied`, `share-length`, `share-same`,
//!   `share-problem`, `share-stale`, `scenario-digest`, `result-digest`; `export-kind-csv`, `export-kind-json`,
//!   `export-profile`, `export-csv`, `export-json`, `export-stale`

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
mod plans;
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

/// A part of the page that is made in a task of its own, so that no single task is long.
#[cfg(feature = "app")]
pub fn later(
    make: impl Fn() -> leptos::prelude::AnyView + Send + 'static,
) -> leptos::prelude::AnyView {
    use leptos::prelude::*;
    let ready = RwSignal::new(false);
    set_timeout(
        move || {
            // gone before its turn came
            let _ = ready.try_set(true);
        },
        std::time::Duration::ZERO,
    );
    (move || ready.get().then(&make)).into_any()
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
