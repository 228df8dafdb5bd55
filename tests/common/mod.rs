//! What several whole-project tests share.
#![allow(dead_code)] // every test binary takes its own part

pub mod scenarios;
