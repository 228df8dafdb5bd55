//! Headroom: a FinOps scenario planner for AI workloads.
//!
//! - [`catalog`]: dated starting values with their sources
//! - [`chart`]: charts as pure geometry, drawn by any plotters backend
//! - [`decide`]: answers from results: the first line, the five figures
//! - [`domain`]: what a person enters, and what makes an entry valid
//! - [`engine`]: what happens in one trial and over all of them
//! - [`export`], [`import`]: the plan as a table, scenario files
//! - [`share`]: a scenario as a link and back
//! - [`stories`]: built-in scenarios, each with its claim
//! - [`ui`]: the page
//! - [`runner`]: who simulates which trials, in workers
//! - [`text`]: every word that a person reads, as typed messages
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod catalog;
pub mod chart;
pub mod decide;
pub mod domain;
pub mod engine;
pub mod export;
pub mod import;
pub mod runner;
pub mod share;
pub mod stories;
pub mod text;
pub mod ui;
