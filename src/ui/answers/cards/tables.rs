//! Cards that are tables.

use leptos::prelude::*;

use super::{chooser, years};
use crate::text::answers::Card as Words;
use crate::text::say;
use crate::ui::answers::results::{look, use_results};
use crate::ui::answers::twin::TableView;
use crate::ui::answers::view::cards as find;
use crate::ui::answers::view::tables;

/// A card that is a table.
#[component]
fn TableCard(
    key: &'static str,
    missing: (String, String),
    card: Memo<Option<find::Card<()>>>,
    #[prop(optional, into)] switches: Option<ViewFn>,
) -> impl IntoView {
    let heading = format!("card-title-{key}");
    let labelled = heading.clone();
    let words = move || {
        card.read().as_ref().map_or_else(
            || missing.clone(),
            |c| (c.title.clone(), c.subtitle.clone()),
        )
    };
    let subtitle = words.clone();
    let table = Memo::new(move |_| card.read().as_ref().map(|c| c.table.clone()));
    view! {
        <section class="card wide" data-testid=format!("card-{key}") aria-labelledby=labelled>
            <header class="card-head">
                <h3 id=heading>{move || words().0}</h3>
                <div class="card-tools">{switches.map(|s| s.run())}</div>
                <p class="card-sub">{move || subtitle().1}</p>
            </header>
            <TableView table=table key=format!("table-{key}")/>
        </section>
    }
}

/// Tokens by feature.
#[component]
pub fn Tokens() -> impl IntoView {
    let results = use_results();
    let (options, chosen, year) = years(results.cards);
    let card = Memo::new(move |_| look(results.cards, |v| tables::tokens(v, year.get())).flatten());
    let switches = move || {
        chooser("tokens-year", Words::Year, options, year, move |i| {
            chosen.set(Some(i))
        })
    };
    view! { <TableCard key="tokens" missing=(say(&Words::TokensMissing), say(&Words::CostsNone)) card=card switches=switches/> }
}

/// Every month with its percentiles.
#[component]
pub fn Monthly() -> impl IntoView {
    let results = use_results();
    let card = Memo::new(move |_| look(results.tables, tables::monthly));
    view! { <TableCard key="monthly" missing=(say(&Words::MonthlyMissing), say(&Words::Waiting)) card=card/> }
}

/// Every budget.
#[component]
pub fn Budgets() -> impl IntoView {
    let results = use_results();
    let card = Memo::new(move |_| look(results.cards, tables::budgets).flatten());
    view! { <TableCard key="budgets" missing=(say(&Words::BudgetsMissing), say(&Words::BudgetsNone)) card=card/> }
}
