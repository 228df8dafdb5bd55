//! Icons: 16 px outlines, only where they save a word.

use leptos::prelude::*;

/// The icons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names say what they show
pub enum Icon {
    Down,
    Right,
    Plus,
    Undo,
    Redo,
    Export,
    Share,
    Moon,
    Sun,
    Pencil,
    Play,
    Stop,
    Check,
    Cross,
    Copy,
    Lock,
    Warning,
    Up,
    Trash,
    Dice,
    Note,
    Info,
    Import,
}

const fn strokes(icon: Icon) -> &'static [&'static str] {
    match icon {
        Icon::Down => &["m4.5 6.5 3.5 3.5 3.5-3.5"],
        Icon::Right => &["m6.5 4.5 3.5 3.5-3.5 3.5"],
        Icon::Up => &["m4.5 9.5 3.5-3.5 3.5 3.5"],
        Icon::Plus => &["M8 3.5v9M3.5 8h9"],
        Icon::Undo => &["M3 7h6.5a3.5 3.5 0 1 1 0 7H6", "M5.5 4.5 3 7l2.5 2.5"],
        Icon::Redo => &["M13 7H6.5a3.5 3.5 0 1 0 0 7H10", "M10.5 4.5 13 7l-2.5 2.5"],
        Icon::Export => &["M8 10V2.5M5 5l3-3 3 3", "M3 9.5v3.5h10V9.5"],
        Icon::Import => &["M8 2.5V10M5 7.5l3 3 3-3", "M3 9.5v3.5h10V9.5"],
        Icon::Share => &[
            "M6.5 9.5 9.5 6.5",
            "M7.5 4.6 8.8 3.3a2.75 2.75 0 0 1 3.9 3.9l-1.3 1.3M8.5 11.4l-1.3 1.3a2.75 2.75 0 0 1-3.9-3.9l1.3-1.3",
        ],
        Icon::Moon => &["M13 9.6A5.5 5.5 0 0 1 6.4 3a5.3 5.3 0 1 0 6.6 6.6z"],
        Icon::Sun => &[
            "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z",
            "M8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9",
        ],
        Icon::Pencil => &["M3 13l.6-2.6 7-7a1.4 1.4 0 0 1 2 2l-7 7z"],
        Icon::Play => &["M5 3.5v9l7-4.5z"],
        Icon::Stop => &["M4.5 4.5h7v7h-7z"],
        Icon::Check => &["m3.5 8.5 3 3 6-7"],
        Icon::Cross => &["m4 4 8 8M12 4l-8 8"],
        Icon::Copy => &["M6 6h7v7H6z", "M3.5 10H3V3h7v.5"],
        Icon::Lock => &["M4 7.5h8V13H4z", "M5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5"],
        Icon::Warning => &["M8 2.5 14 13H2z", "M8 6.5v3M8 11.2v.01"],
        Icon::Trash => &["M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.5 8.5h6l.5-8.5"],
        Icon::Dice => &[
            "M3.5 3.5h9v9h-9z",
            "M6 6v.01M10 6v.01M8 8v.01M6 10v.01M10 10v.01",
        ],
        Icon::Note => &["M3.5 2.5h9v11h-9z", "M6 6h4M6 8.5h4M6 11h2"],
        Icon::Info => &[
            "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11z",
            "M8 7.5V11M8 5v.01",
        ],
    }
}

/// An icon that says nothing to a screen reader: the words stand beside it or in the button's label.
pub fn icon(which: Icon) -> AnyView {
    let filled = which == Icon::Play;
    view! {
        <svg class="icon" class:filled=filled viewBox="0 0 16 16" aria-hidden="true">
            {strokes(which).iter().map(|d| view! { <path d=*d></path> }).collect_view()}
        </svg>
    }
    .into_any()
}

/// The product's mark.
pub fn mark() -> AnyView {
    view! {
        <svg class="mark" width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
            <path d="M2 3h14" stroke="currentColor" stroke-width="2" stroke-linecap="round"></path>
            <path d="M2 16V14.2C6 14 9.5 12.6 16 7.2V16z" fill="currentColor" opacity=".9"></path>
        </svg>
    }
    .into_any()
}
