//! What contracts and pools hold against what is needed.

use std::sync::Arc;

use leptos::prelude::*;

use super::month_note::{MonthNote, row_in_lines};
use super::{chooser, name_of, summary_of, table_of, titles, without_limit};
use crate::chart::canvas::Chart;
use crate::chart::frame::capacity::capacity;
use crate::chart::frame::usage::usage;
use crate::text::answers::Card as Words;
use crate::text::say;
use crate::ui::answers::card::{Card, CardState};
use crate::ui::answers::results::{look, use_results};
use crate::ui::answers::view::cards as find;
use crate::ui::entities::Section;

/// What contracts cost: used, not used, burst.
#[component]
pub fn Usage() -> impl IntoView {
    let results = use_results();
    let state = CardState::new();
    let width = RwSignal::new(0.0);
    // 0: all contracts; one more than its place: that one
    let chosen = RwSignal::new(0usize);
    let options = Memo::new(move |_| {
        look(results.cards, |v| {
            let mut options = vec![(0, say(&Words::UsageAll))];
            let each = v.projection.commitments.iter().enumerate();
            options.extend(each.map(|(i, c)| (i + 1, v.name(c.id))));
            // one contract needs no choice
            if options.len() > 2 { options } else { vec![] }
        })
        .unwrap_or_default()
    });
    let shown = Signal::derive(move || {
        let chosen = chosen.get();
        if chosen < options.read().len() {
            chosen
        } else {
            0
        }
    });
    let card = Memo::new(move |_| {
        let contract = shown.get().checked_sub(1);
        look(results.cards, |v| find::usage(v, contract)).flatten()
    });
    let frame = Memo::new(move |_| {
        let width = width.get();
        let card = card.read();
        let card = card.as_ref().filter(|_| width > 0.0)?;
        Some(usage(&card.chart, width, state.height(230.0)))
    });
    let scene = Memo::new(move |_| frame.read().as_ref().map(|f| Arc::new(f.scene.clone())));
    let place = Memo::new(move |_| {
        let frame = frame.read();
        frame
            .as_ref()
            .map(|f| (f.axis.clone(), f.plot, f.scene.width))
    });
    let titles = titles(card);
    let table = table_of(results, state, move |v| {
        find::usage(v, shown.get().checked_sub(1)).map(|c| c.table)
    });
    let switches = move || {
        chooser(
            "usage-contract",
            Words::UsageContract,
            options,
            shown,
            move |i| chosen.set(i),
        )
    };
    view! {
        <Card key="usage" words=titles missing=(say(&Words::UsageMissing), say(&Words::UsageNone)) add=Section::Commitments table=table state=state switches=switches>
            <Chart scene=scene width=width key="usage" name=name_of(titles) summary=summary_of(titles)>
                <MonthNote place=place key="usage" says=move |m| row_in_lines(card.with(|c| c.as_ref().map(|c| c.table.clone())), m)/>
            </Chart>
        </Card>
    }
}

/// Need against what is committed, of one limit.
#[component]
pub fn Capacity() -> impl IntoView {
    let results = use_results();
    let state = CardState::new();
    let width = RwSignal::new(0.0);
    let options = Memo::new(move |_| {
        look(results.cards, |v| {
            let limits = v.projection.limits.iter().enumerate();
            limits.map(|(i, l)| (i, v.limit(l))).collect::<Vec<_>>()
        })
        .unwrap_or_default()
    });
    let shown =
        Signal::derive(move || look(results.cards, |v| results.shown_limit(v)).unwrap_or(0));
    let card =
        Memo::new(move |_| look(results.cards, |v| find::capacity(v, shown.get())).flatten());
    let start = Memo::new(move |_| {
        results
            .cards
            .with(|f| f.as_ref().map(|f| f.plan.settings.start))
    });
    let months = Memo::new(move |_| look(results.cards, |v| v.months_short()).unwrap_or_default());
    let frame = Memo::new(move |_| {
        let width = width.get();
        let card = card.read();
        let card = card.as_ref().filter(|_| width > 0.0)?;
        let height = state.height(230.0);
        Some(capacity(
            &card.chart,
            start.get()?,
            &months.read(),
            width,
            height,
        ))
    });
    let scene = Memo::new(move |_| frame.read().as_ref().map(|f| Arc::new(f.scene.clone())));
    let place = Memo::new(move |_| {
        let frame = frame.read();
        frame
            .as_ref()
            .map(|f| (f.axis.clone(), f.plot, f.scene.width))
    });
    let titles = titles(card);
    let table = table_of(results, state, move |v| {
        find::capacity(v, shown.get()).map(|c| c.table)
    });
    let switches = move || {
        chooser(
            "capacity-limit",
            Words::CostsFeature,
            options,
            shown,
            move |i| results.limit.set(Some(i)),
        )
    };
    let lacking = without_limit(results);
    view! {
        <Card key="capacity" words=titles missing=(say(&Words::CapacityMissing), say(&Words::CapacityNone)) add=Section::Pools lacking=lacking table=table state=state switches=switches>
            <Chart scene=scene width=width key="capacity" name=name_of(titles) summary=summary_of(titles)>
                <MonthNote place=place key="capacity" says=move |m| row_in_lines(card.with(|c| c.as_ref().map(|c| c.table.clone())), m)/>
            </Chart>
        </Card>
    }
}
