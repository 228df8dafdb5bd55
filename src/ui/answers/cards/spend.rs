//! What the year costs and what moves it.

use std::sync::Arc;

use leptos::prelude::*;

use super::{chooser, name_of, scene_of, summary_of, table_of, titles, years};
use crate::chart::canvas::Chart;
use crate::chart::frame::exceedance::{ExceedanceFrame, exceedance, share_above};
use crate::chart::frame::tornado::tornado;
use crate::chart::scene::Meaning;
use crate::engine::projection::Outcome;
use crate::text::answers::Card as Words;
use crate::text::{format, say};
use crate::ui::answers::card::{Card, CardState};
use crate::ui::answers::results::{look, use_results};
use crate::ui::answers::view::cards as find;
use crate::ui::answers::view::drivers::{self as moves, Inputs};
use crate::ui::entities::Section;
use crate::ui::state::use_app;

/// How many futures cost more than each amount.
#[component]
pub fn Exceedance() -> impl IntoView {
    let results = use_results();
    let state = CardState::new();
    let width = RwSignal::new(0.0);
    let (options, chosen, year) = years(results.cards);
    let card = Memo::new(move |_| {
        let year = year.get();
        look(results.cards, |v| find::exceedance(v, year)).flatten()
    });
    let frame = Memo::new(move |_| {
        let width = width.get();
        let card = card.read();
        let card = card.as_ref().filter(|_| width > 0.0)?;
        Some(exceedance(&card.chart, width, state.height(250.0)))
    });
    let scene = Memo::new(move |_| frame.read().as_ref().map(|f| Arc::new(f.scene.clone())));
    let titles = titles(card);
    let table = table_of(results, state, move |v| {
        find::exceedance(v, year.get()).map(|c| c.table)
    });
    let switches = move || {
        chooser("exceedance-year", Words::Year, options, year, move |i| {
            chosen.set(Some(i))
        })
    };
    view! {
        <Card key="exceedance" words=titles missing=(say(&Words::ExceedMissing), say(&Words::ExceedNone)) add=Section::Features table=table state=state switches=switches>
            <Chart scene=scene width=width key="exceedance" name=name_of(titles) summary=summary_of(titles)>
                <Amount frame=frame card=card/>
            </Chart>
        </Card>
    }
}

type ExceedanceCard = find::Card<crate::chart::frame::exceedance::ExceedanceInput>;

/// "costs at least $4.50 M in 13 %" under the pointer.
#[component]
fn Amount(
    frame: Memo<Option<ExceedanceFrame>>,
    card: Memo<Option<ExceedanceCard>>,
) -> impl IntoView {
    let pointer = RwSignal::new(None::<f64>);
    let read = move || {
        let x = pointer.get()?;
        let (frame, card) = (frame.read(), card.read());
        let (frame, card) = (frame.as_ref()?, card.as_ref()?);
        let x = x.clamp(frame.plot.left, frame.plot.right);
        let amount = frame.x.from(x);
        let share = share_above(&card.chart.sorted, amount);
        let words = say(&Words::ExceedHover {
            amount: format::money(amount, &card.chart.currency),
            share: format::percent(share),
        });
        let y = frame.y.to(share);
        let right = x > f64::midpoint(frame.plot.left, frame.plot.right);
        let px = |v: f64| format!("{v:.1}px");
        let top = (y - 34.0).max(0.0);
        let place = if right {
            frame.scene.width - x + 10.0
        } else {
            x + 10.0
        };
        Some(view! {
            <div class="hover-rule" style:left=px(x) style:top=px(frame.plot.top) style:height=px(frame.plot.height())></div>
            <div class="hover-dot" style:left=px(x) style:top=px(y)></div>
            <div class="hover-note" data-testid="exceedance-hover" style:top=px(top)
                style:left=move || (!right).then(|| px(place)) style:right=move || right.then(|| px(place))>{words}</div>
        })
    };
    view! {
        <div class="hover-layer" on:pointermove=move |ev| pointer.set(Some(f64::from(ev.offset_x())))
            on:pointerleave=move |_| pointer.set(None)></div>
        {read}
    }
}

/// What moves an outcome.
#[component]
pub fn Drivers() -> impl IntoView {
    const FIRST: usize = 7;
    let results = use_results();
    let state = CardState::new();
    let width = RwSignal::new(0.0);
    let all = RwSignal::new(false);
    let chosen = RwSignal::new(None::<Outcome>);
    let outcomes = Memo::new(move |_| look(results.cards, moves::outcomes).unwrap_or_default());
    let shown = Signal::derive(move || {
        let chosen = chosen.get();
        let outcomes = outcomes.read();
        let at = outcomes.iter().position(|(o, _)| Some(*o) == chosen);
        at.unwrap_or(0)
    });
    let options = Memo::new(move |_| {
        let outcomes = outcomes.get().into_iter().enumerate();
        outcomes.map(|(i, (_, name))| (i, name)).collect::<Vec<_>>()
    });
    let found = Memo::new(move |_| {
        let outcome = outcomes.read().get(shown.get())?.0;
        let most = if all.get() { usize::MAX } else { FIRST };
        look(results.cards, |v| moves::drivers(v, outcome, most)).flatten()
    });
    let card = Memo::new(move |_| found.get().map(|f| f.0));
    let inputs = Memo::new(move |_| found.read().as_ref().map(|f| f.1).unwrap_or_default());
    let scene = scene_of(width, move |w| {
        card.read().as_ref().map(|c| tornado(&c.chart, w))
    });
    let titles = titles(card);
    let table = table_of(results, state, move |v| {
        let outcome = outcomes.read().get(shown.get())?.0;
        moves::drivers(v, outcome, FIRST).map(|(c, _)| c.table)
    });
    let app = use_app();
    let pick = Callback::new(move |meaning| {
        if let Meaning::Row(row) = meaning
            && let Some(path) = card.with_untracked(|c| {
                let row = c.as_ref()?.chart.rows.get(row)?;
                Some(row.field.clone())
            })
        {
            app.select_field(path);
        }
    });
    let switches = move || {
        chooser(
            "drivers-outcome",
            Words::Outcome,
            options,
            shown,
            move |i| chosen.set(outcomes.with_untracked(|o| o.get(i).map(|o| o.0))),
        )
    };
    let more = move || {
        let Inputs { all: count, noise } = inputs.get();
        let clear = count - noise;
        let hidden = count - FIRST.min(if clear == 0 { count } else { clear });
        (hidden > 0).then(|| {
            let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
            let words = move || {
                say(&if all.get() {
                    Words::DriversLess
                } else if noise == 0 {
                    Words::DriversMore {
                        more: number(hidden),
                    }
                } else {
                    Words::DriversMoreNoise {
                        more: number(hidden),
                        noise: number(noise.min(hidden)),
                    }
                })
            };
            view! { <button class="link plain small muted" data-testid="drivers-more" on:click=move |_| all.update(|a| *a = !*a)>{words}</button> }
        })
    };
    view! {
        <Card key="drivers" words=titles missing=(say(&Words::DriversMissing), say(&Words::DriversNone)) table=table state=state switches=switches>
            <Chart scene=scene width=width key="drivers" name=name_of(titles) summary=summary_of(titles) on_pick=pick/>
            {more}
        </Card>
    }
}
