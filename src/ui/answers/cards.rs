//! The cards below the fold.

use std::sync::Arc;

use leptos::prelude::*;

use super::card::{Card, CardState};
use super::results::{Found, Results, look, use_results};
use super::twin::TableView;
use super::view::cards as find;
use super::view::table::Table;
use super::view::{View, tables};
use crate::chart::canvas::Chart;
use crate::chart::frame::capacity::capacity;
use crate::chart::frame::costs::costs;
use crate::chart::frame::exceedance::{ExceedanceFrame, exceedance, share_above};
use crate::chart::frame::tornado::tornado;
use crate::chart::frame::usage::usage;
use crate::chart::scene::{Meaning, Scene};
use crate::decide::main_year;
use crate::text::answers::Card as Words;
use crate::text::{format, say};
use crate::ui::state::use_app;

type Titles = Memo<Option<(String, String)>>;

/// Finding and subtitle of a card.
fn titles<T: Clone + PartialEq + Send + Sync + 'static>(
    card: Memo<Option<find::Card<T>>>,
) -> Titles {
    Memo::new(move |_| {
        card.read()
            .as_ref()
            .map(|c| (c.title.clone(), c.subtitle.clone()))
    })
}

/// The table of a card: of the newest futures where it is shown, of settled ones where only readers have it.
fn table_of(
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

fn scene_of(
    width: RwSignal<f64>,
    make: impl Fn(f64) -> Option<Scene> + Send + Sync + 'static,
) -> Memo<Option<Arc<Scene>>> {
    Memo::new(move |_| {
        let width = width.get();
        (width > 0.0).then(|| make(width).map(Arc::new)).flatten()
    })
}

fn name_of(titles: Titles) -> Signal<String> {
    Signal::derive(move || titles.get().map(|t| t.0).unwrap_or_default())
}

fn summary_of(titles: Titles) -> Signal<String> {
    Signal::derive(move || titles.get().map(|t| t.1).unwrap_or_default())
}

fn pick_entity() -> Callback<Meaning> {
    let app = use_app();
    Callback::new(move |meaning| {
        if let Meaning::Entity(id) = meaning {
            app.select_entity(Some(id));
        }
    })
}

/// A menu of a few things to look at, only where there are two or more.
fn chooser(
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

/// Fiscal years to choose from, and the chosen one.
fn years(
    found: RwSignal<Option<Found>>,
) -> (
    Memo<Vec<(usize, String)>>,
    RwSignal<Option<usize>>,
    Signal<usize>,
) {
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
        <Card key="exceedance" words=titles missing=(say(&Words::ExceedMissing), say(&Words::Waiting)) table=table state=state switches=switches>
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
    let chosen = RwSignal::new(None::<usize>);
    let outcomes = Memo::new(move |_| look(results.cards, find::outcomes).unwrap_or_default());
    let shown = Signal::derive(move || {
        let count = outcomes.read().len();
        chosen.get().filter(|o| *o < count).unwrap_or(0)
    });
    let options = Memo::new(move |_| {
        let outcomes = outcomes.get().into_iter().enumerate();
        outcomes.map(|(i, (_, name))| (i, name)).collect::<Vec<_>>()
    });
    let found = Memo::new(move |_| {
        let outcome = outcomes.read().get(shown.get())?.0;
        let most = if all.get() { usize::MAX } else { FIRST };
        look(results.cards, |v| find::drivers(v, outcome, most)).flatten()
    });
    let card = Memo::new(move |_| found.get().map(|f| f.0));
    let count = Memo::new(move |_| found.read().as_ref().map_or(0, |f| f.1));
    let scene = scene_of(width, move |w| {
        card.read().as_ref().map(|c| tornado(&c.chart, w))
    });
    let titles = titles(card);
    let table = table_of(results, state, move |v| {
        let outcome = outcomes.read().get(shown.get())?.0;
        find::drivers(v, outcome, FIRST).map(|(c, _)| c.table)
    });
    let pick = pick_entity();
    let switches = move || {
        chooser(
            "drivers-outcome",
            Words::Outcome,
            options,
            shown,
            move |i| chosen.set(Some(i)),
        )
    };
    let more = move || {
        let count = u32::try_from(count.get()).unwrap_or(u32::MAX);
        let hidden = count.saturating_sub(FIRST as u32);
        (hidden > 0).then(|| {
            let words = move || {
                say(&if all.get() {
                    Words::DriversLess
                } else {
                    Words::DriversMore { more: hidden }
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
    let scene = scene_of(width, move |w| {
        card.read()
            .as_ref()
            .map(|c| usage(&c.chart, w, state.height(230.0)).scene)
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
        <Card key="usage" words=titles missing=(say(&Words::UsageMissing), say(&Words::UsageNone)) table=table state=state switches=switches>
            <Chart scene=scene width=width key="usage" name=name_of(titles) summary=summary_of(titles)/>
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
    let scene = scene_of(width, move |w| {
        let card = card.read();
        let frame = capacity(
            &card.as_ref()?.chart,
            start.get()?,
            &months.read(),
            w,
            state.height(230.0),
        );
        Some(frame.scene)
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
    view! {
        <Card key="capacity" words=titles missing=(say(&Words::CapacityMissing), say(&Words::CapacityNone)) table=table state=state switches=switches>
            <Chart scene=scene width=width key="capacity" name=name_of(titles) summary=summary_of(titles)/>
        </Card>
    }
}

/// Cost by feature.
#[component]
pub fn Costs() -> impl IntoView {
    let results = use_results();
    let state = CardState::new();
    let width = RwSignal::new(0.0);
    let (options, chosen, year) = years(results.cards);
    let card = Memo::new(move |_| look(results.cards, |v| find::costs(v, year.get())).flatten());
    let scene = scene_of(width, move |w| {
        card.read().as_ref().map(|c| costs(&c.chart, w))
    });
    let titles = titles(card);
    let table = table_of(results, state, move |v| {
        find::costs(v, year.get()).map(|c| c.table)
    });
    let pick = pick_entity();
    let switches = move || {
        chooser("costs-year", Words::Year, options, year, move |i| {
            chosen.set(Some(i))
        })
    };
    view! {
        <Card key="costs" words=titles missing=(say(&Words::CostsMissing), say(&Words::CostsNone)) table=table state=state switches=switches>
            <Chart scene=scene width=width key="costs" name=name_of(titles) summary=summary_of(titles) on_pick=pick/>
        </Card>
    }
}

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
    let card =
        Memo::new(move |_| look(results.tables, |v| tables::tokens(v, year.get())).flatten());
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
    let card = Memo::new(move |_| look(results.tables, tables::budgets).flatten());
    view! { <TableCard key="budgets" missing=(say(&Words::BudgetsMissing), say(&Words::BudgetsNone)) card=card/> }
}
