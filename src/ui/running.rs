//! From a committed plan to answers: starting, stopping and reading runs.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;

use super::state::{App, RunStatus, RunView, Width};
use super::store;
use crate::domain::scenario::Scenario;
use crate::engine::projection::Projection;
use crate::runner::RunEvent;
use crate::runner::browser::Runner;
use crate::text::{say, ui::Ui};

/// Finished answers that are kept, so that undo shows the old ones at once.
const KEPT: usize = 8;

/// Most futures of a run that a phone starts by itself; the plan keeps its own number.
const PHONE_FUTURES: u32 = 2_000;

/// The runner, what it is working on, and what it has found before.
#[derive(Default)]
pub struct Engine {
    runner: Option<Rc<Runner>>,
    /// The plan of the newest run.
    plan: Option<Arc<Scenario>>,
    /// The newest plan without problems.
    last_valid: Option<Arc<Scenario>>,
    /// Whether the runner's events are of the newest run.
    live: bool,
    /// Counts the runs.
    number: u32,
    /// Whether all futures of the plan were asked for on a phone.
    all: bool,
    finished: VecDeque<(Arc<Scenario>, Arc<Projection>)>,
}

/// Makes the runner.
pub fn set_up(app: App) {
    app.auto_run
        .set(store::setting("auto-run").as_deref() != Some("off"));
    let runner = Runner::new(move |event| on_event(app, event));
    app.engine
        .update_value(|e| e.runner = Some(Rc::new(runner)));
}

/// An event of the runner is read in the task in which it came and shown in the next, so that neither task is long.
fn on_event(app: App, event: RunEvent) {
    let newest = || {
        app.engine
            .try_with_value(|e| (e.live, e.number, e.plan.clone()))
    };
    let Some((true, number, plan)) = newest() else {
        return;
    };
    set_timeout(
        move || {
            let live = app.engine.try_with_value(|e| e.live && e.number == number);
            if live == Some(true) {
                show(app, plan, event);
            }
        },
        Duration::ZERO,
    );
}

fn show(app: App, plan: Option<Arc<Scenario>>, event: RunEvent) {
    // A page that is going away has no state any more; then there is nobody to tell.
    let _ = match event {
        RunEvent::Progress {
            done,
            of,
            seconds_left,
        } => app.run.try_update(|r| {
            r.done = done;
            r.of = of;
            r.seconds_left = seconds_left;
        }),
        RunEvent::Projection(projection) => app.run.try_update(|r| {
            r.projection = Some(Arc::from(projection));
            r.plan = plan;
        }),
        RunEvent::Restarted { .. } => app
            .run
            .try_update(|r| r.restarted = Some(say(&Ui::WorkerRestarted))),
        RunEvent::Stopped { done } => app.run.try_update(|r| {
            r.done = done;
            r.seconds_left = None;
            r.status = RunStatus::Stopped;
        }),
        RunEvent::Failed { why } => app.run.try_update(|r| r.status = RunStatus::Failed(why)),
        RunEvent::Done => {
            let found = app.run.try_update(|r| {
                r.seconds_left = None;
                r.status = RunStatus::Done;
                r.plan.clone().zip(r.projection.clone())
            });
            if let Some(Some(found)) = found {
                app.engine.try_update_value(|e| {
                    e.finished.retain(|(plan, _)| !Arc::ptr_eq(plan, &found.0));
                    e.finished.push_back(found);
                    if e.finished.len() > KEPT {
                        e.finished.pop_front();
                    }
                });
            }
            Some(())
        }
    };
}

/// The runner, out of the store: it may answer at once, and its answers go into the store.
fn runner(app: App) -> Option<Rc<Runner>> {
    app.engine.with_value(|e| e.runner.clone())
}

/// Drops the run that goes on, unseen.
fn drop_run(app: App) {
    let was_live = app.engine.try_update_value(|e| {
        // one that was not handed over yet never is
        e.number = e.number.wrapping_add(1);
        std::mem::replace(&mut e.live, false)
    });
    if was_live == Some(true)
        && let Some(runner) = runner(app)
    {
        runner.stop();
    }
}

/// Whether the plan on the screen can be run as it is.
fn valid(app: App) -> bool {
    app.problems.with_untracked(Vec::is_empty)
}

/// After a committed change.
pub fn after_change(app: App) {
    let plan = app.plan.get_untracked();
    if !valid(app) {
        return;
    }
    if show_finished(app, &plan) {
        return;
    }
    if app.auto_run.get_untracked() {
        run(app, plan);
    } else {
        app.engine.update_value(|e| e.last_valid = Some(plan));
        app.run.update(|r| {
            r.status = match r.status {
                RunStatus::Stale { changes } => RunStatus::Stale {
                    changes: changes.saturating_add(1),
                },
                _ if r.projection.is_some() => RunStatus::Stale { changes: 1 },
                _ => RunStatus::Idle,
            };
        });
    }
}

/// Futures that a run of a plan takes here.
fn wanted(app: App, plan: &Scenario) -> u32 {
    let all = plan.settings.trials;
    let few = app.width.get_untracked() == Width::Phone && !app.engine.with_value(|e| e.all);
    if few { all.min(PHONE_FUTURES) } else { all }
}

/// Shows answers that were found before.
fn show_finished(app: App, plan: &Arc<Scenario>) -> bool {
    let wanted = wanted(app, plan);
    let found = app.engine.with_value(|e| {
        let known = |(p, found): &&(Arc<Scenario>, Arc<Projection>)| {
            found.trials_wanted == wanted && (Arc::ptr_eq(p, plan) || p == plan)
        };
        e.finished
            .iter()
            .find(known)
            .map(|(_, projection)| projection.clone())
    });
    let Some(projection) = found else {
        return false;
    };
    drop_run(app);
    app.engine.update_value(|e| {
        e.plan = Some(plan.clone());
        e.last_valid = Some(plan.clone());
    });
    app.run.set(RunView {
        done: projection.trials,
        of: projection.trials_wanted,
        projection: Some(projection),
        plan: Some(plan.clone()),
        status: RunStatus::Done,
        seconds_left: None,
        restarted: None,
    });
    true
}

/// After another plan was opened: the answers of the old one go.
pub fn after_open(app: App) {
    app.run.set(RunView::default());
    let plan = app.plan.get_untracked();
    let (empty, valid) = (plan.features.is_empty(), valid(app));
    drop_run(app);
    app.engine.update_value(|e| {
        e.plan = None;
        e.last_valid = valid.then(|| plan.clone());
    });
    if valid && !empty && !show_finished(app, &plan) {
        run(app, plan);
    }
}

/// Runs the plan; if it has problems, the last one that had none.
pub fn start(app: App) {
    let plan = if valid(app) {
        Some(app.plan.get_untracked())
    } else {
        app.engine.with_value(|e| e.last_valid.clone())
    };
    if let Some(plan) = plan {
        run(app, plan);
    }
}

/// Runs all futures of the plan, also on a phone, from now on.
pub fn start_all(app: App) {
    app.engine.update_value(|e| e.all = true);
    start(app);
}

fn run(app: App, plan: Arc<Scenario>) {
    let wanted = wanted(app, &plan);
    app.run.update(|r| {
        r.status = RunStatus::Running;
        r.done = 0;
        r.of = wanted;
        r.seconds_left = None;
        r.restarted = None;
    });
    app.engine.update_value(|e| {
        e.plan = Some(plan.clone());
        e.last_valid = Some(plan.clone());
        e.live = false;
        e.number = e.number.wrapping_add(1);
    });
    let number = app.engine.with_value(|e| e.number);
    // The change is on the screen before the plan is prepared for the workers.
    set_timeout(
        move || {
            let newest = app.engine.try_update_value(|e| {
                let newest = e.number == number && e.plan.is_some();
                e.live |= newest;
                newest
            });
            if newest == Some(true) {
                hand_over(app, &plan, wanted);
            }
        },
        Duration::ZERO,
    );
}

fn hand_over(app: App, plan: &Arc<Scenario>, wanted: u32) {
    let mut runs = plan.clone();
    if plan.settings.trials != wanted {
        Arc::make_mut(&mut runs).settings.trials = wanted;
    }
    if let Some(Err(problems)) = runner(app).map(|r| r.start(&runs)) {
        let why = problems
            .first()
            .map(|p| crate::text::problems::line(plan, p))
            .unwrap_or_default();
        app.run.update(|r| r.status = RunStatus::Failed(why));
    }
}

/// Stops the run; what is in stays.
pub fn stop(app: App) {
    if let Some(runner) = runner(app) {
        runner.stop();
    }
}

/// Goes on with a stopped run.
pub fn resume(app: App) {
    app.run.update(|r| r.status = RunStatus::Running);
    if let Some(runner) = runner(app) {
        runner.resume();
    }
}

/// Whether a committed change runs by itself.
pub fn set_auto(app: App, on: bool) {
    app.auto_run.set(on);
    store::keep_setting("auto-run", if on { "on" } else { "off" });
    let stale = app
        .run
        .with_untracked(|r| matches!(r.status, RunStatus::Stale { .. }));
    if on && stale {
        start(app);
    }
}
