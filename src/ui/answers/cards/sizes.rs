//! What single requests are like.

use leptos::prelude::*;

use crate::text::answers::Chart;
use crate::text::outputs::Sizes as Words;
use crate::text::say;
use crate::ui::answers::card::not_yet;
use crate::ui::answers::results::{look, use_results};
use crate::ui::answers::view::sizes::{self as find, Amount, SizeRow, SizesInput};
use crate::ui::state::use_app;

/// Width of the strip in its own units.
const STRIP: f64 = 72.0;

/// Tokens per request.
#[component]
pub fn Requests() -> impl IntoView {
    let results = use_results();
    let card = Memo::new(move |_| look(results.cards, find::sizes).flatten());
    let title = move || {
        let card = card.read();
        card.as_ref()
            .map_or_else(|| say(&Words::Missing), |c| c.title.clone())
    };
    let not_yet = not_yet(use_app(), true);
    let subtitle = move || {
        let card = card.read();
        card.as_ref().map_or_else(
            || not_yet.get().unwrap_or_else(|| say(&Words::None)),
            |c| c.subtitle.clone(),
        )
    };
    // with the columns of tool calls there is no room to waste
    let dense = Memo::new(move |_| {
        let card = card.read();
        let rows = card.as_ref().map(|c| &c.chart.rows);
        rows.is_some_and(|rows| rows.iter().any(|r| r.tools.is_some()))
    });
    let body = move || {
        let card = card.read();
        let card = card.as_ref()?;
        Some(view! {
            <caption class="unseen">{card.table.caption.clone()}</caption>
            {head(&card.chart)}
            <tbody>{card.chart.rows.iter().map(row).collect_view()}</tbody>
        })
    };
    view! {
        <section class="card wide" data-testid="card-requests" aria-labelledby="card-title-requests">
            <header class="card-head">
                <h3 id="card-title-requests">{title}</h3>
                <p class="card-sub">{subtitle}</p>
            </header>
            <div class="table-box" tabindex="0"><table class="data-table sizes" class:dense=dense data-testid="table-requests">{body}</table></div>
        </section>
    }
}

fn head(input: &SizesInput) -> impl IntoView + use<> {
    let columns = || {
        [
            say(&Words::Mean),
            say(&Chart::P50),
            say(&Chart::P90),
            say(&Words::P99),
            say(&Words::P999),
        ]
        .map(|words| view! { <th scope="col">{words}</th> })
    };
    let span = input.span.clone();
    let again = span.clone();
    let tools = input.rows.iter().any(|r| r.tools.is_some());
    view! {
        <thead>
            <tr><th></th><th scope="colgroup" colspan="6" class="group">{say(&Words::Read)}</th>
                <th scope="colgroup" colspan="6" class="group">{say(&Words::Written)}</th>
                {tools.then(|| view! { <th scope="colgroup" colspan="5" class="group">{say(&Words::Tools)}</th> })}<th></th></tr>
            <tr><th scope="col">{say(&Words::Feature)}</th>
                {columns()}<th scope="col" class="size-cell">{span}</th>
                {columns()}<th scope="col" class="size-cell">{again}</th>
                {tools.then(columns)}
                <th scope="col">{say(&Words::Top)}</th></tr>
        </thead>
    }
}

fn row(row: &SizeRow) -> impl IntoView + use<> {
    let app = use_app();
    let id = row.id;
    let colour = format!("var({})", row.ink.property());
    let amounts = row.amounts.iter().map(amount).collect_view();
    view! {
        <tr>
            <th scope="row"><button class="link plain" on:click=move |_| app.select_entity(Some(id))>
                <span class="swatch" style:background=colour></span>{row.name.clone()}</button></th>
            {amounts}
            {row.tools.clone().map(|words| words.map(|words| view! { <td>{words}</td> }))}
            <td>{row.top.clone()}</td>
        </tr>
    }
}

fn amount(amount: &Amount) -> impl IntoView + use<> {
    let words = amount.words.clone().map(|words| view! { <td>{words}</td> });
    let strip = amount.strip.map(|places| {
        let [p50, _, p99, p999] = places.map(|p| format!("{:.1}", 2.0 + p * (STRIP - 4.0)));
        let bar = format!("{:.1}", ((places[1] - places[0]) * (STRIP - 4.0)).max(2.0));
        view! {
            <svg class="size-strip" viewBox=format!("0 0 {STRIP} 12") width=STRIP.to_string() height="12" aria-hidden="true">
                <line class="base" x1="0" x2=STRIP.to_string() y1="6" y2="6"/>
                <line class="reach" x1=p50.clone() x2=p999.clone() y1="6" y2="6"/>
                <rect x=p50 y="4" width=bar height="4"/>
                <circle cx=p99 cy="6" r="2.5"/>
                <line class="tick" x1=p999.clone() x2=p999 y1="2" y2="10"/>
            </svg>
        }
    });
    view! { {words}<td class="size-cell">{strip}</td> }
}
