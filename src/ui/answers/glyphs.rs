//! Small shapes: one for each status, and the tools of a card.

use leptos::prelude::*;

use crate::decide::Status;

/// The shape of a status; the word stands beside it.
pub fn status(status: Status) -> AnyView {
    match status {
        Status::OnPlan => view! {
            <svg class="status-shape on-plan" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
                <circle cx="6" cy="6" r="5.25"></circle>
                <path d="m3.4 6.2 1.8 1.8 3.4-3.8"></path>
            </svg>
        }
        .into_any(),
        Status::Watch => view! {
            <svg class="status-shape watch" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
                <circle cx="6" cy="6" r="5.25"></circle>
                <path class="full" d="M6 .75a5.25 5.25 0 0 1 0 10.5z"></path>
            </svg>
        }
        .into_any(),
        Status::AtRisk => view! {
            <svg class="status-shape at-risk" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
                <path class="full" d="M6 1 11.5 11H.5z"></path>
            </svg>
        }
        .into_any(),
        Status::FirstLook => view! {
            <svg class="status-shape first-look" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
                <circle cx="6" cy="6" r="5" stroke-dasharray="2.4 2"></circle>
            </svg>
        }
        .into_any(),
    }
}

/// Answers of an older plan.
pub fn clock() -> AnyView {
    view! {
        <svg class="status-shape" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
            <path d="M6 .9a5.1 5.1 0 1 1-4.6 2.9M1.2 1.2v2.8H4"></path>
            <path d="M6 3.4V6.2l1.8 1"></path>
        </svg>
    }
    .into_any()
}

/// A field to fix.
pub fn warning() -> AnyView {
    view! {
        <svg class="status-shape" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
            <path d="M6 1.2 11.2 10.8H.8z"></path>
            <path d="M6 4.6v3M6 9.1v.1"></path>
        </svg>
    }
    .into_any()
}

/// The table beside a chart.
pub fn table() -> AnyView {
    view! {
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
            <path d="M2.5 3.5h11v9h-11zM2.5 6.5h11M6.5 6.5v6"></path>
        </svg>
    }
    .into_any()
}

/// Fill the window with a card.
pub fn fill() -> AnyView {
    view! {
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
            <path d="M9.5 3h3.5v3.5M13 3 9 7M6.5 13H3V9.5M3 13l4-4"></path>
        </svg>
    }
    .into_any()
}

/// More that can be done.
pub fn more() -> AnyView {
    view! {
        <svg class="icon filled" viewBox="0 0 16 16" aria-hidden="true">
            <circle cx="3.5" cy="8" r="1.1" stroke="none"></circle>
            <circle cx="8" cy="8" r="1.1" stroke="none"></circle>
            <circle cx="12.5" cy="8" r="1.1" stroke="none"></circle>
        </svg>
    }
    .into_any()
}
