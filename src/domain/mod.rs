//! What a person enters: the scenario, its quantities, and what makes an entry valid.
#![deny(clippy::disallowed_methods)]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod calendar;
pub mod dependence;
pub mod digest;
pub mod distribution;
pub mod field;
pub mod flows;
pub mod gateway;
pub mod grammar;
pub mod money;
pub mod problem;
pub mod quantity;
pub mod range;
pub mod scenario;
pub mod weekly;
