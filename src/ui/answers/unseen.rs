//! The words that stand for budgets without a line, and the way to where they have one.

use leptos::prelude::*;

use super::results::{look, use_results};
use super::view::unseen::{Elsewhere, unseen};
use crate::ui::state::use_app;

/// Nothing where a budget is drawn, or there is none.
#[component]
pub fn UnseenBudgets(
    /// Whether spend is shown month by month; none where that cannot be chosen.
    #[prop(optional_no_strip)]
    per_month: Option<RwSignal<bool>>,
) -> impl IntoView {
    let app = use_app();
    let results = use_results();
    let words = Memo::new(move |_| {
        let now = per_month.is_some_and(|p| p.get());
        look(results.now, |v| unseen(v, now)).flatten()
    });
    move || {
        let (words, place) = words.get()?;
        let go = move |_| match place {
            Elsewhere::Cost(cost) => app.cost.set(cost),
            Elsewhere::PerMonth(value) => {
                if let Some(per_month) = per_month {
                    per_month.set(value);
                }
            }
            Elsewhere::Table => show_table(),
        };
        // a phone has no months to choose
        let can = per_month.is_some() || !matches!(place, Elsewhere::PerMonth(_));
        let button = can.then(|| {
            view! { <button class="link" data-testid="show-budget" on:click=go>{place.show()}</button> }
        });
        Some(
            view! { <p class="unseen-budgets" role="status" data-testid="unseen-budgets">{words}" "{button}</p> },
        )
    }
}

fn show_table() {
    if let Some(card) = document().get_element_by_id("card-title-budgets") {
        card.scroll_into_view();
    }
}
