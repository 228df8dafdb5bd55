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
    /// For cards below the fold.
    pub cards: RwSignal<Option<Found>>,
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
            cards: RwSignal::new(now.get_untracked()),
            tables: RwSignal::new(now.get_untracked()),
            limit: RwSignal::new(None),
        };
        let running = Memo::new(move |_| app.run.with(|r| r.status == RunStatus::Running));
        Effect::new(move || {
            let found = now.get();
            let settled = !running.get();
            set_timeout(
                move || {
                    let _ = results.cards.try_set(found.clone());
                    let waiting = results.tables.try_with_untracked(Option::is_none);
                    if settled || waiting == Some(true) || found.is_none() {
                        set_timeout(
                            move || {
                                let _ = results.tables.try_set(found);
                            },
                            Duration::from_millis(20),
                        );
                    }
                },
                Duration::from_millis(20),
            );
        });
        results
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
