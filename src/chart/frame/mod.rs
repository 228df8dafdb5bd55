//! Geometry of charts: pure functions from numbers to scenes.

pub mod capacity;
pub mod costs;
pub mod exceedance;
pub mod fan;
pub mod hatch;
pub mod heat;
pub mod label;
pub mod phone;
pub mod scale;
pub mod stack;
pub mod time;
pub mod tornado;
pub mod usage;
