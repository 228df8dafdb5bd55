//! Charts: what to draw ([`frame`], pure geometry), how ([`draw`], any plotters backend) and where (`canvas`, the page).
//!
//! A frame turns numbers into a [`scene::Scene`], a list of marks in CSS pixels whose colours are names. The same scene
//! is drawn on a canvas, written as SVG and asked what lies under the pointer.

#[cfg(feature = "app")]
pub mod canvas;
pub mod draw;
pub mod frame;
pub mod palette;
pub mod scene;
