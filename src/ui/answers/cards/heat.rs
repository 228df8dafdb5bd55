//! The hours of the week under a limit.

use std::sync::Arc;

use leptos::{ev, prelude::*};

use super::{chooser, name_of, summary_of, table_of, titles, without_limit};
use crate::chart::canvas::Chart;
use crate::chart::frame::heat::{HeatFrame, heat};
use crate::chart::scene::at;
use crate::text::answers::Card as Shared;
use crate::text::outputs::Heat as Words;
use crate::text::say;
use crate::ui::answers::card::{Card, CardState};
use crate::ui::answers::results::{look, use_results};
use crate::ui::answers::view::heat as find;
use crate::ui::entities::Section;
use crate::ui::state::use_app;

/// Needed share of what is committed by hour of the week.
#[component]
pub fn Heat() -> impl IntoView {
    let results = use_results();
    let app = use_app();
    let state = CardState::new();
    let width = RwSignal::new(0.0);
    let cursor = RwSignal::new(None::<usize>);
    let chosen = RwSignal::new(None::<usize>);
    // the limit is the one of the card beside it
    let limit =
        Signal::derive(move || look(results.cards, |v| results.shown_limit(v)).unwrap_or(0));
    let months = Memo::new(move |_| {
        look(results.cards, |v| {
            let months = 0..v.projection.months.len();
            months.map(|m| (m, v.month(m))).collect::<Vec<_>>()
        })
        .unwrap_or_default()
    });
    // a month chosen here, else the one that is pinned, else the worst
    let month = Signal::derive(move || {
        let count = months.read().len();
        let pinned = app.selection.with(|s| s.month);
        let worst = || look(results.cards, |v| find::worst_month(v, limit.get())).flatten();
        let month = chosen.get().or(pinned).filter(|m| *m < count);
        month.or_else(worst).unwrap_or(0)
    });
    let card = Memo::new(move |_| {
        look(results.cards, |v| find::heat(v, limit.get(), month.get())).flatten()
    });
    let frame = Memo::new(move |_| {
        let width = width.get();
        let card = card.read();
        let card = card.as_ref().filter(|_| width > 0.0)?;
        Some(heat(&card.chart, width, state.height(230.0)))
    });
    let scene = Memo::new(move |_| frame.read().as_ref().map(|f| Arc::new(f.scene.clone())));
    let titles = titles(card);
    let table = table_of(results, state, move |v| {
        find::heat(v, limit.get(), month.get()).map(|c| c.table)
    });
    let switches = move || {
        chooser("heat-month", Shared::HeatMonth, months, month, move |i| {
            chosen.set(Some(i))
        })
    };
    let says = Memo::new(move |_| {
        let hour = cursor.get()?;
        look(results.cards, |v| {
            find::says(v, limit.get(), month.get(), hour)
        })
        .flatten()
    });
    view! {
        <Card key="heat" words=titles missing=(say(&Words::Missing), say(&Words::None)) add=Section::Pools late=true lacking=without_limit(results) table=table state=state switches=switches>
            <Chart scene=scene width=width key="heat" name=name_of(titles) summary=summary_of(titles)>
                <Cursor frame=frame cursor=cursor says=says/>
            </Chart>
        </Card>
    }
}

/// The hour that is read: by pointer, or with the arrow keys.
#[component]
fn Cursor(
    frame: Memo<Option<HeatFrame>>,
    cursor: RwSignal<Option<usize>>,
    says: Memo<Option<String>>,
) -> impl IntoView {
    let moved = move |ev: ev::PointerEvent| {
        let point = at(f64::from(ev.offset_x()), f64::from(ev.offset_y()));
        let hour = frame.with_untracked(|f| f.as_ref().and_then(|f| f.hour_at(point)));
        if cursor.get_untracked() != hour {
            cursor.set(hour);
        }
    };
    let keys = move |ev: ev::KeyboardEvent| {
        let from = cursor.get_untracked();
        let step = match ev.key().as_str() {
            "ArrowRight" => 1,
            "ArrowLeft" => 167,
            "ArrowDown" => 24,
            "ArrowUp" => 144,
            "Escape" if from.is_some() => {
                ev.stop_propagation();
                return cursor.set(None);
            }
            _ => return,
        };
        ev.prevent_default();
        ev.stop_propagation();
        cursor.set(Some(from.map_or(0, |hour| (hour + step) % 168)));
    };
    let px = |v: f64| format!("{v:.1}px");
    let mark = move || {
        let (hour, frame) = (cursor.get()?, frame.read());
        let (cell, plot) = (frame.as_ref()?.cell(hour), frame.as_ref()?.plot);
        let words = says.get()?;
        let right = cell.left > f64::midpoint(plot.left, plot.right);
        let width = frame.as_ref()?.scene.width;
        let left = (!right).then(|| px(cell.right + 6.0));
        let right = right.then(|| px(width - cell.left + 6.0));
        Some(view! {
            <div class="cell-frame" style:left=px(cell.left) style:top=px(cell.top) style:width=px(cell.width()) style:height=px(cell.height())></div>
            <div class="hover-note" data-testid="heat-hover" style:top=px(cell.top) style:left=left style:right=right>{words}</div>
        })
    };
    view! {
        <div class="hover-layer" tabindex="0" role="group" aria-label=say(&Words::Keys) data-testid="heat-cells"
            on:pointermove=moved on:pointerdown=moved on:pointerleave=move |_| cursor.set(None)
            on:keydown=keys on:blur=move |_| cursor.set(None)></div>
        <div class="unseen" role="status" aria-live="polite">{move || says.get()}</div>
        {mark}
    }
}
