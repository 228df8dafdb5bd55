//! The table beside a chart, and tables that are answers themselves.

use leptos::prelude::*;

use super::view::table::{Row, Table};

/// A table with caption and scopes. `hidden` keeps it for readers only.
#[component]
pub fn TableView(
    /// What it shows.
    #[prop(into)]
    table: Signal<Option<Table>>,
    /// Key for tests and scripts.
    key: String,
    /// Whether only screen readers get it.
    #[prop(into, default = Signal::stored(false))]
    hidden: Signal<bool>,
) -> impl IntoView {
    let body = move || {
        let table = table.read();
        let table = table.as_ref()?;
        let head = table.head.iter().enumerate().map(|(i, words)| {
            view! { <th scope="col" class:number=move || i != 0>{words.clone()}</th> }
        });
        let rows = table.rows.iter().map(row);
        Some(view! {
            <caption class="unseen">{table.caption.clone()}</caption>
            <thead><tr>{head.collect_view()}</tr></thead>
            <tbody>{rows.collect_view()}</tbody>
        })
    };
    // a box that scrolls must be reachable with the keyboard, but not while it is hidden
    view! {
        <div class=move || if hidden.get() { "unseen" } else { "table-box" } tabindex=move || (!hidden.get()).then_some("0")>
            <table class="data-table" data-testid=key>{body}</table>
        </div>
    }
}

fn row(row: &Row) -> impl IntoView + use<> {
    let cells = row.cells.iter().map(|cell| {
        view! { <td data-testid=cell.key.clone()>{cell.text.clone()}</td> }
    });
    let cells = cells.collect_view();
    let total = row.total;
    view! {
        <tr class:total=total>
            <th scope="row">{row.name.clone()}</th>
            {cells}
        </tr>
    }
}
