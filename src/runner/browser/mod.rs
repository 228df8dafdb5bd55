//! The runner in web workers.

mod pool;
pub mod scope;

pub use pool::{Runner, Scripts};
