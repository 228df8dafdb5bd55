//! What happens in one trial and over all of them.

pub mod billing;
pub mod columns;
pub mod projection;
pub mod statistics;
