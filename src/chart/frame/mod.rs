//! Geometry of charts: pure functions from numbers to scenes.

pub mod fan;
pub mod hatch;
pub mod label;
pub mod scale;
pub mod stack;
pub mod time;
