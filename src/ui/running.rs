//! From a committed plan to answers: starting, stopping and reading runs.

use std::sync::Arc;

use leptos::prelude::*;

use super::state::{App, RunStatus};
use crate::domain::scenario::Scenario;

/// The runner and what it is working on.
#[derive(Default)]
pub struct Engine {
    /// The plan of the newest run.
    pub plan: Option<Arc<Scenario>>,
}

/// After a committed change.
pub fn after_change(app: App) {
    if app.auto_run.get_untracked() {
        start(app);
    } else {
        app.run.update(|r| {
            r.status = match r.status {
                RunStatus::Stale { changes } => RunStatus::Stale {
                    changes: changes.saturating_add(1),
                },
                _ => RunStatus::Stale { changes: 1 },
            };
        });
    }
}

/// After another plan was opened: the answers of the old one go.
pub fn after_open(app: App) {
    app.run.set(Default::default());
    start(app);
}

/// Runs the plan.
pub fn start(app: App) {
    let plan = app.plan.get_untracked();
    app.engine.update_value(|e| e.plan = Some(plan));
}

/// Stops the run; what is in stays.
pub fn stop(app: App) {
    app.run.update(|r| r.status = RunStatus::Stopped);
}

/// Goes on with a stopped run.
pub fn resume(app: App) {
    start(app);
}
<<<<<<< HEAD
=======

/// Whether a committed change runs by itself.
pub fn set_auto(app: App, on: bool) {
    app.auto_run.set(on);
    super::store::keep_setting("auto-run", if on { "on" } else { "off" });
    let stale = app
        .run
        .with_untracked(|r| matches!(r.status, RunStatus::Stale { .. }));
    if on && stale {
        start(app);
    }
}
>>>>>>> 82c561a (Editor: forms of every part of a plan, panel, weekly grid)
