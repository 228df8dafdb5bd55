//! The page: Leptos views over the core.
//!
//! `state` holds everything that the page knows, `shell` the frame, `topbar` the bar, `editor` the plan on the left,
//! `answers` the results on the right. What needs no browser (`history`, `fresh`) compiles and is tested natively.

pub mod entities;
pub mod fresh;
pub mod history;
pub mod nudge;
pub mod saved;

#[cfg(feature = "app")]
pub mod answers;
#[cfg(feature = "app")]
pub mod icons;
#[cfg(feature = "app")]
pub mod shell;
#[cfg(feature = "app")]
pub mod state;
#[cfg(feature = "app")]
pub mod store;
#[cfg(feature = "app")]
pub mod topbar;
