//! Answers on a narrow screen: time runs down.

use std::sync::Arc;

use leptos::prelude::*;

use super::results::{look, use_results};
use super::time_stack::CostSwitch;
use super::twin::TableView;
use super::unseen::UnseenBudgets;
use super::view::stack as words;
use crate::chart::canvas::Chart;
use crate::chart::frame::phone;
use crate::decide::main_year;
use crate::text::answers::Chart as Words;
use crate::text::{format, say};
use crate::ui::state::use_app;

/// One fiscal year of spend, and months as rows.
#[component]
pub fn PhoneCharts() -> impl IntoView {
    let app = use_app();
    let results = use_results();
    let spend_width = RwSignal::new(0.0);
    let rows_width = RwSignal::new(0.0);
    let limit = Memo::new(move |_| look(results.now, |v| results.shown_limit(v)).unwrap_or(0));
    let spend = Memo::new(move |_| {
        look(results.now, |v| {
            let year = main_year(v.projection)?;
            let period = v.period(v.projection.years.get(year)?);
            let spend = words::years(v).into_iter().nth(year)?;
            let subtitle = say(&Words::Named {
                name: period,
                value: say(&Words::SpendToDate),
            });
            let title = match spend.ends.as_ref().filter(|e| !e.above.is_empty()) {
                Some(ends) => ends.above.clone(),
                None => say(&Words::Spend),
            };
            Some((
                title,
                subtitle,
                spend,
                v.months_short(),
                v.currency().to_owned(),
            ))
        })
        .flatten()
    });
    let spend_scene = Memo::new(move |_| {
        let width = spend_width.get();
        let spend = spend.read();
        let (_, _, year, months, currency) = spend.as_ref().filter(|_| width > 0.0)?;
        Some(Arc::new(phone::year(year, months, currency, width, 214.0)))
    });
    let rows = Memo::new(move |_| {
        look(results.now, |v| {
            let l = v.projection.limits.get(limit.get())?;
            let row = words::headroom(v, l, false, (0.0, 0.0));
            let months = l.breach.iter().enumerate().rev();
            let (month, chance) = months.max_by_key(|(_, c)| c.count)?;
            let title = if chance.count > 0 {
                say(&Words::RunsOutIn {
                    pool: v.name(l.pool),
                    month: v.month(month),
                    chance: format::chance(chance),
                })
            } else {
                v.name(l.pool)
            };
            let strong = (chance.count > 0).then_some(month);
            Some((title, row, v.months_short(), strong))
        })
        .flatten()
    });
    let rows_scene = Memo::new(move |_| {
        let width = rows_width.get();
        let rows = rows.read();
        let (_, row, months, strong) = rows.as_ref().filter(|_| width > 0.0)?;
        let strong = app.selection.with(|s| s.month).or(*strong);
        Some(Arc::new(phone::rows(
            row,
            months,
            &say(&Words::RunsOut),
            strong,
            width,
        )))
    });
    let summary = Memo::new(move |_| {
        look(results.now, |v| words::summary(v, limit.get())).unwrap_or_default()
    });
    let twin = Memo::new(move |_| look(results.tables, |v| words::twin(v, limit.get())));
    let spend_title = Signal::derive(move || {
        spend
            .read()
            .as_ref()
            .map_or_else(String::new, |s| s.0.clone())
    });
    let rows_title = Signal::derive(move || {
        rows.read()
            .as_ref()
            .map_or_else(String::new, |r| r.0.clone())
    });
    view! {
        <div class="stack-choices"><CostSwitch/></div>
        <h3 class="phone-title">{spend_title}</h3>
        <p class="card-sub">{move || spend.read().as_ref().map(|s| s.1.clone())}</p>
        <UnseenBudgets per_month=None/>
        <Chart scene=spend_scene width=spend_width key="phone-spend" name=spend_title summary=summary/>
        {move || rows.read().is_some().then(|| view! {
            <h3 class="phone-title">{rows_title}</h3>
            <p class="card-sub">{move || rows.read().as_ref().map(|r| r.1.subtitle.clone())}</p>
            <Chart scene=rows_scene width=rows_width key="phone-rows" name=rows_title summary=summary/>
        })}
        <TableView table=twin key="twin-stack".to_owned() hidden=Signal::stored(true)/>
    }
}
