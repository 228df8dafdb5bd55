//! What happens in one trial and over all of them.

pub mod billing;
pub mod cause;
pub mod collector;
pub mod columns;
pub mod demand;
pub mod plan;
pub mod projection;
pub mod requests;
pub mod rng;
pub mod sensitivity;
pub mod statistics;
