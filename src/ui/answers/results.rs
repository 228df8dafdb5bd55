//! The newest answers as the parts of the page read them: the first screen at once, the cards in the next task, tables
//! last, so that no single task is long.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;

use super::view::View;
use crate::domain::scenario::Scenario;
use crate::engine::projection::Projection;
use crate::ui::state::{App, RunStatus, use_app};

/// A projection and the plan that it is of. Two are equal only if they are the same one.
#[derive(Clone, Debug)]
pub struct Found {
    /// What was found out.
    pub projection: Arc<Projection>,
    /// The plan.
    pub plan: Arc<Scenario>,
}

impl PartialEq for Found {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.projection, &other.projection) && Arc::ptr_eq(&self.plan, &other.plan)
    }
}

/// The newest answers at three speeds, and what a person chose to see of them.
#[derive(Clone, Copy)]
pub struct Results {
    /// At once.
    pub now: Memo<Option<Found>>,
    /// For the time stack.
    pub stack: RwSignal<Option<Found>>,
    /// For cards below the fold.
    pub cards: RwSignal<Option<Found>>,
    /// For those further below.
    pub lower: RwSignal<Option<Found>>,
    /// For tables: the first projection of a run and the last.
    pub tables: RwSignal<Option<Found>>,
    /// The limit whose headroom is shown; none: the worst.
    pub limit: RwSignal<Option<usize>>,
}

/// The results that [`super::Answers`] provides.
///
/// # Panics
/// Outside the answers, which is a mistake in the program.
#[must_use]
pub fn use_results() -> Results {
    expect_context::<Results>()
}

/// Turns come this far apart.
const TURN_MILLISECONDS: u64 = 20;

/// Does something in its turn; the first turn is the next task.
fn after(turn: usize, act: impl FnOnce() + 'static) {
    set_timeout(act, Duration::from_millis(turn as u64 * TURN_MILLISECONDS));
}

impl Results {
    /// Follows the runs of a page.
    #[must_use]
    pub fn follow(app: App) -> Self {
        let now = Memo::new(move |_| {
            app.run.with(|run| {
                Some(Found {
                    projection: run.projection.clone()?,
                    plan: run.plan.clone()?,
                })
            })
        });
        let results = Self {
            now,
            stack: RwSignal::new(now.get_untracked()),
            cards: RwSignal::new(now.get_untracked()),
            lower: RwSignal::new(now.get_untracked()),
            tables: RwSignal::new(now.get_untracked()),
            limit: RwSignal::new(None),
        };
        let running = Memo::new(move |_| app.run.with(|r| r.status == RunStatus::Running));
        Effect::new(move || {
            let found = now.get();
            // once all trials are in, only causes and the like are still to come
            let all = found
                .as_ref()
                .is_some_and(|f| f.projection.trials >= f.projection.trials_wanted);
            let settled = all || !running.get();
            let tables = {
                let found = found.clone();
                move || {
                    let waiting = results.tables.try_with_untracked(Option::is_none);
                    if settled || waiting == Some(true) || found.is_none() {
                        let _ = results.tables.try_set(found);
                    }
                }
            };
            let parts = [results.stack, results.cards, results.lower];
            for (turn, part) in parts.into_iter().enumerate() {
                let found = found.clone();
                after(turn, move || {
                    let _ = part.try_set(found);
                });
            }
            after(parts.len(), tables);
        });
        results
    }

    /// The same, for a part of the page that waits for its turn.
    #[must_use]
    pub fn in_turn(self, part: RwSignal<Option<Found>>) -> Self {
        Self {
            now: Memo::new(move |_| part.get()),
            cards: part,
            ..self
        }
    }

    /// The index of the limit that is shown.
    #[must_use]
    pub fn shown_limit(&self, view: &View<'_>) -> usize {
        let chosen = self.limit.get();
        chosen
            .filter(|l| *l < view.projection.limits.len())
            .unwrap_or_else(|| view.worst_limit())
    }
}

/// Reads answers with the cost that is shown; none while there are none.
pub fn look<T>(
    found: impl With<Value = Option<Found>>,
    read: impl FnOnce(&View<'_>) -> T,
) -> Option<T> {
    let cost = use_app().cost.get();
    found.with(|found| {
        found.as_ref().map(|found| {
            read(&View {
                scenario: &found.plan,
                projection: &found.projection,
                cost,
            })
        })
    })
}
