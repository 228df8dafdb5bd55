//! The right side: what the futures say.
//!
//! `view` finds the words and the inputs of charts and needs no browser; the rest puts them on the page.

pub mod view;

#[cfg(feature = "app")]
mod card;
#[cfg(feature = "app")]
mod cards;
#[cfg(feature = "app")]
mod glyphs;
#[cfg(feature = "app")]
mod headline;
#[cfg(feature = "app")]
mod menu;
#[cfg(feature = "app")]
mod pane;
#[cfg(feature = "app")]
mod phone;
#[cfg(feature = "app")]
mod results;
#[cfg(feature = "app")]
mod time_stack;
#[cfg(feature = "app")]
mod twin;
#[cfg(feature = "app")]
mod unseen;

#[cfg(feature = "app")]
pub use pane::Answers;
