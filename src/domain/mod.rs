//! What a person enters: the scenario, its quantities, and what makes an entry valid.

pub mod distribution;
pub mod field;
pub mod quantity;
pub mod scenario;
