//! The cards below the fold.

mod capacity;
mod features;
mod heat;
mod month_note;
mod sizes;
mod spend;
mod tables;

pub use capacity::{Capacity, Usage};
pub use features::Costs;
pub use heat::Heat;
pub use sizes::Requests;
pub use spend::{Drivers, Exceedance};
pub use tables::{Budgets, Gateways, Launches, Monthly, RequestCosts, Tokens};

use std::sync::Arc;

use leptos::prelude::*;

use super::card::CardState;
use super::results::{Found, Results, look};
use super::view::View;
use super::view::cards as find;
use super::view::table::Table;
use crate::chart::scene::{Meaning, Scene};
use crate::decide::main_year;
use crate::domain::scenario::Id;
use crate::text::answers::Card as Words;
use crate::text::say;
use crate::ui::state::use_app;

/// Finding and subtitle of a card.
pub(super) type Titles = Memo<Option<(String, String)>>;

/// Finding and subtitle of a card.
pub(super) fn titles<T: Clone + PartialEq + Send + Sync + 'static>(
    card: Memo<Option<find::Card<T>>>,
) -> Titles {
    Memo::new(move |_| {
        card.read()
            .as_ref()
            .map(|c| (c.title.clone(), c.subtitle.clone()))
    })
}

/// The table of a card: of the newest futures where it is shown, of settled ones where only readers have it.
pub(super) fn table_of(
    results: Results,
    state: CardState,
    read: impl Fn(&View<'_>) -> Option<Table> + Send + Sync + 'static,
) -> Memo<Option<Table>> {
    Memo::new(move |_| {
        if state.table.get() {
            look(results.cards, &read).flatten()
        } else {
            look(results.tables, &read).flatten()
        }
    })
}

pub(super) fn scene_of(
    width: RwSignal<f64>,
    make: impl Fn(f64) -> Option<Scene> + Send + Sync + 'static,
) -> Memo<Option<Arc<Scene>>> {
    Memo::new(move |_| {
        let width = width.get();
        (width > 0.0).then(|| make(width).map(Arc::new)).flatten()
    })
}

pub(super) fn name_of(titles: Titles) -> Signal<String> {
    Signal::derive(move || titles.get().map(|t| t.0).unwrap_or_default())
}

pub(super) fn summary_of(titles: Titles) -> Signal<String> {
    Signal::derive(move || titles.get().map(|t| t.1).unwrap_or_default())
}

pub(super) fn pick_entity() -> Callback<Meaning> {
    let app = use_app();
    Callback::new(move |meaning| {
        if let Meaning::Entity(id) = meaning {
            app.select_entity(Some(id));
        }
    })
}

/// The first pool without a limit, and what is asked for.
pub(super) fn without_limit(results: Results) -> Signal<Option<(String, Id)>> {
    Signal::derive(move || {
        look(results.cards, |v| {
            let pool = v.without_limit()?;
            let words = say(&Words::CapacityNoLimit { pool: v.name(pool) });
            Some((words, pool))
        })
        .flatten()
    })
}

/// A menu of a few things to look at, only where there are two or more.
pub(super) fn chooser(
    key: &'static str,
    name: Words,
    options: Memo<Vec<(usize, String)>>,
    chosen: Signal<usize>,
    choose: impl Fn(usize) + Copy + Send + Sync + 'static,
) -> impl IntoView {
    move || {
        let options = options.get();
        (options.len() > 1).then(|| {
            view! {
                <select class="chooser" data-testid=key aria-label=say(&name)
                    on:change=move |ev| { if let Ok(i) = event_target_value(&ev).parse() { choose(i) } }>
                    {options.into_iter().map(|(i, words)| view! {
                        <option value=i.to_string() selected=move || chosen.get() == i>{words}</option>
                    }).collect_view()}
                </select>
            }
        })
    }
}

/// Fiscal years to choose from (index and words), the one that was chosen, and the one that is shown.
type Years = (
    Memo<Vec<(usize, String)>>,
    RwSignal<Option<usize>>,
    Signal<usize>,
);

/// The fiscal years of a card.
pub(super) fn years(found: RwSignal<Option<Found>>) -> Years {
    let options = Memo::new(move |_| {
        look(found, |v| {
            let years = v.projection.years.iter().enumerate();
            years.map(|(i, y)| (i, v.period(y))).collect::<Vec<_>>()
        })
        .unwrap_or_default()
    });
    let chosen = RwSignal::new(None);
    let shown = Signal::derive(move || {
        let count = options.read().len();
        let main = look(found, |v| main_year(v.projection)).flatten();
        chosen
            .get()
            .filter(|y: &usize| *y < count)
            .or(main)
            .unwrap_or(0)
    });
    (options, chosen, shown)
}
