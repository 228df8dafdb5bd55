//! What happens in one trial and over all of them.
#![deny(clippy::disallowed_methods)]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod billing;
pub mod cause;
pub mod collector;
pub mod columns;
pub mod demand;
pub mod heat;
pub mod inquiry;
pub mod launches;
pub mod laws;
pub mod peak;
pub mod plan;
pub mod pools;
pub mod projection;
pub mod requests;
pub mod rng;
pub mod run;
pub mod runaway;
pub mod sensitivity;
pub mod statistics;
pub mod trial;

pub use run::run_all;
