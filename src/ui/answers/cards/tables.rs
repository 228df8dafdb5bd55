//! Cards that are tables.

use leptos::prelude::*;

use super::{chooser, years};
use crate::text::answers::Card as Words;
use crate::text::gateway::Gateway;
use crate::text::outputs::{Later, PerRequest};
use crate::text::say;
use crate::ui::answers::card::not_yet;
use crate::ui::answers::results::{look, use_results};
use crate::ui::answers::twin::TableView;
use crate::ui::answers::view::cards as find;
use crate::ui::answers::view::{gateway, later, per_request, tables};
use crate::ui::editor::add_entity;
use crate::ui::entities::Section;
use crate::ui::state::use_app;

/// A card that is a table.
#[component]
fn TableCard(
    key: &'static str,
    missing: (String, String),
    card: Memo<Option<find::Card<()>>>,
    #[prop(optional)] add: Option<Section>,
    #[prop(optional)] late: bool,
    #[prop(optional, into)] switches: Option<ViewFn>,
) -> impl IntoView {
    let heading = format!("card-title-{key}");
    let labelled = heading.clone();
    let app = use_app();
    let title = move || {
        let card = card.read();
        card.as_ref().map_or(missing.0.clone(), |c| c.title.clone())
    };
    let not_yet = not_yet(app, late);
    let subtitle = move || match (card.read().as_ref(), not_yet.get(), add) {
        (Some(card), ..) => card.subtitle.clone().into_any(),
        (None, Some(words), _) => words.into_any(),
        (None, None, None) => missing.1.clone().into_any(),
        (None, None, Some(section)) => {
            let words = missing.1.clone();
            view! { <button class="link plain" on:click=move |_| add_entity(app, section)>{words}</button> }.into_any()
        }
    };
    let table = Memo::new(move |_| card.read().as_ref().map(|c| c.table.clone()));
    view! {
        <section class="card wide" data-testid=format!("card-{key}") aria-labelledby=labelled>
            <header class="card-head">
                <h3 id=heading>{title}</h3>
                <div class="card-tools">{switches.map(|s| s.run())}</div>
                <p class="card-sub">{subtitle}</p>
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
    view! { <TableCard key="tokens" missing=(say(&Words::TokensMissing), say(&Words::CostsNone)) add=Section::Features card=card switches=switches/> }
}

/// Caps, tools and runaways by feature.
#[component]
pub fn Gateways() -> impl IntoView {
    let results = use_results();
    let card = Memo::new(move |_| look(results.cards, gateway::gateways).flatten());
    view! { <TableCard key="gateway" missing=(say(&Gateway::Missing), say(&Words::CostsNone)) add=Section::Features card=card/> }
}

/// What one request costs, by feature.
#[component]
pub fn RequestCosts() -> impl IntoView {
    let results = use_results();
    let card = Memo::new(move |_| look(results.cards, per_request::per_request).flatten());
    view! { <TableCard key="request-costs" missing=(say(&PerRequest::Missing), say(&PerRequest::None)) late=true card=card/> }
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
    view! { <TableCard key="budgets" missing=(say(&Words::BudgetsMissing), say(&Words::BudgetsNone)) add=Section::Budgets card=card/> }
}

/// Each launch moved by some weeks.
#[component]
pub fn Launches() -> impl IntoView {
    let results = use_results();
    let card = Memo::new(move |_| look(results.cards, later::later).flatten());
    view! { <TableCard key="launches" missing=(say(&Later::Missing), say(&Later::None)) late=true card=card/> }
}
