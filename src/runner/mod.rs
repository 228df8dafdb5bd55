//! From a scenario to streamed projections: who simulates which trials, and what happens when one of them breaks.
//!
//! - [`protocol`]: the messages, as bytes
//! - [`trial`]: what a trial worker does with them
//! - [`collect`]: what the collector does with them
//! - [`dispatch`]: what the page does: shares out trials, watches, restarts
//! - [`inline`]: all three in one thread, through the same bytes
//! - `browser`: all three in web workers
//!
//! The three are plain state machines without clocks or threads of their own, so every order of events can be tested.

use crate::engine::projection::Projection;
use crate::text::runner::Failure;

#[cfg(feature = "browser")]
pub mod browser;
pub mod collect;
pub mod dispatch;
pub mod inline;

pub mod protocol;
pub mod trial;

/// What a run says while it goes on.
#[derive(Clone, Debug, PartialEq)]
pub enum RunEvent {
    /// Trials are in.
    Progress {
        /// Trials that are in.
        done: u32,
        /// Trials that were asked for.
        of: u32,
        /// Seconds until all are in, when that can be said.
        seconds_left: Option<f64>,
    },
    /// A finer projection than the last one.
    Projection(Box<Projection>),
    /// A worker was started again and its share is run again: nothing is lost.
    Restarted {
        /// Why.
        why: RestartReason,
    },
    /// The run was stopped; the last projection has all the trials that are in.
    Stopped {
        /// Trials that are in.
        done: u32,
    },
    /// The run cannot go on.
    Failed {
        /// Why, as a sentence for the person.
        why: String,
    },
    /// Everything is found out.
    Done,
}

/// Why a worker was started again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestartReason {
    /// It did not answer in time.
    NoAnswer,
    /// It broke.
    Crashed,
}

impl Failure {
    fn event(&self) -> RunEvent {
        RunEvent::Failed {
            why: crate::text::say(self),
        }
    }
}
