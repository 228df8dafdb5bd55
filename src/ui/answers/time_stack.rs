//! The time stack on the page: choices above it, the picture, the month under the pointer or the keyboard, its table.

use std::sync::Arc;

use leptos::context::Provider;
use leptos::prelude::*;

use super::menu::{self, TakeOut};
use super::results::{Results, look, use_results};
use super::twin::TableView;
use super::unseen::UnseenBudgets;
use super::view::month::{self, MonthSays};
use super::view::stack::{self as words, Choice, Reach};
use crate::chart::canvas::Chart;
use crate::chart::frame::stack::{StackFrame, StackInput, headroom, spend, stack};
use crate::chart::scene::Meaning;
use crate::domain::scenario::BudgetCost;
use crate::text::answers::{Chart as Words, Month as MonthWords};
use crate::text::say;
use crate::ui::state::{App, use_app};

/// What a projection is of: axes of one and the same run and choice may grow and never shrink.
#[derive(Clone, Debug, Default, PartialEq)]
struct Subject {
    digest: String,
    cost: BudgetCost,
    choice: (usize, bool, bool),
}

/// The stack as it is shown, and how far its axes reach.
#[derive(Clone, Debug, PartialEq)]
struct Shown {
    subject: Subject,
    input: StackInput,
    reach: Reach,
}

/// Choices, picture and table.
#[component]
pub fn TimeStack() -> impl IntoView {
    let app = use_app();
    let results = use_results();
    let per_month = RwSignal::new(false);
    let needed = RwSignal::new(false);
    let table = RwSignal::new(false);
    let width = RwSignal::new(0.0);
    let limit = Memo::new(move |_| look(results.now, |v| results.shown_limit(v)).unwrap_or(0));
    let worst = Memo::new(move |_| {
        look(results.now, |v| {
            let limit = v.projection.limits.get(limit.get())?;
            let months = limit.breach.iter().enumerate().rev();
            let (month, chance) = months.max_by_key(|(_, c)| c.count)?;
            (chance.count > 0).then_some(month)
        })
        .flatten()
    });
    let pinned = Memo::new(move |_| app.selection.with(|s| s.month));
    let shown = Memo::new(move |before: Option<&Option<Shown>>| {
        let choice = Choice {
            limit: limit.get(),
            per_month: per_month.get(),
            needed: needed.get(),
            month: pinned.get().or(worst.get()),
            entity: app.selection.with(|s| s.entity),
        };
        let found = look(results.now, |v| {
            let subject = Subject {
                digest: v.projection.scenario_digest.clone(),
                cost: v.cost,
                choice: (choice.limit, choice.per_month, choice.needed),
            };
            let reach = before
                .and_then(Option::as_ref)
                .filter(|b| b.subject == subject)
                .map_or_else(Reach::default, |b| b.reach);
            let input = words::stack(v, &choice, &reach);
            let reach = Reach {
                spend: spend::extent(&input.spend),
                headroom: input.headroom.as_ref().map_or((0.0, 0.0), headroom::extent),
            };
            Shown {
                subject,
                input,
                reach,
            }
        });
        found.or_else(|| {
            let plan = app.plan.get();
            words::empty(&plan).map(|input| Shown {
                subject: Subject::default(),
                input,
                reach: Reach::default(),
            })
        })
    });
    let frame = Memo::new(move |_| {
        let width = width.get();
        shown
            .read()
            .as_ref()
            .filter(|_| width > 0.0)
            .map(|s| stack(&s.input, width))
    });
    let scene = Memo::new(move |_| frame.read().as_ref().map(|f| Arc::new(f.scene.clone())));
    let summary = Memo::new(move |_| {
        look(results.now, |v| words::summary(v, limit.get())).unwrap_or_default()
    });
    let twin = Memo::new(move |_| {
        let read = |v: &super::view::View<'_>| words::twin(v, limit.get());
        if table.get() {
            look(results.now, read)
        } else {
            look(results.tables, read)
        }
    });
    let pick = Callback::new(move |meaning| match meaning {
        Meaning::Entity(id) => app.select_entity(Some(id)),
        Meaning::Month(month) => app.select_month(Some(month)),
        Meaning::Row(_) => {}
    });
    let picture = menu::picture();
    view! {
        <Choices per_month=per_month needed=needed table=table limit=limit>
            <TakeOut key="stack" table=twin picture=picture/>
        </Choices>
        <UnseenBudgets per_month=Some(per_month)/>
        <TableView table=twin key="twin-stack".to_owned() hidden=Signal::derive(move || !table.get())/>
        <Provider value=picture>
            <Chart scene=scene width=width key="stack" name=Signal::stored(say(&Words::StackName)) summary=summary on_pick=pick>
                <Cursor frame=frame limit=limit worst=worst/>
            </Chart>
        </Provider>
    }
}

/// A row of small switches.
#[component]
fn Choices(
    per_month: RwSignal<bool>,
    needed: RwSignal<bool>,
    table: RwSignal<bool>,
    limit: Memo<usize>,
    /// What follows the switches.
    children: Children,
) -> impl IntoView {
    let results = use_results();
    let limits = Memo::new(move |_| {
        look(results.now, |v| {
            // worst first, as they are most often asked for
            let mut order: Vec<usize> = (0..v.projection.limits.len()).collect();
            let worst = |i: &usize| {
                let limit = &v.projection.limits[*i];
                std::cmp::Reverse(limit.breach.iter().map(|c| c.count).max().unwrap_or(0))
            };
            order.sort_by_key(worst);
            order
                .into_iter()
                .map(|i| (i, v.limit(&v.projection.limits[i])))
                .collect::<Vec<_>>()
        })
        .unwrap_or_default()
    });
    view! {
        <div class="stack-choices" class:blank=move || results.now.read().is_none()>
            <CostSwitch/>
            <Switch key="shape" name=Words::ShapeSwitch off=Words::ToDate on=Words::PerMonth value=per_month/>
            <span class="grow"></span>
            {move || (limits.read().len() > 1).then(|| view! {
                <div class="segments" role="group" aria-label=say(&Words::LimitSwitch) data-testid="limit-switch">
                    {limits.get().into_iter().map(|(index, name)| view! {
                        <button data-testid=format!("limit-{index}") aria-pressed=move || (limit.get() == index).to_string()
                            on:click=move |_| results.limit.set(Some(index))>{name}</button>
                    }).collect_view()}
                </div>
            })}
            {move || (!limits.read().is_empty()).then(|| view! {
                <Switch key="need" name=Words::NeededSwitch off=Words::Headroom on=Words::Needed value=needed/>
            })}
            <button class="button ghost square compact" data-testid="table-stack" title=say(&Words::Table) aria-label=say(&Words::Table)
                aria-pressed=move || table.get().to_string() on:click=move |_| table.update(|t| *t = !*t)>{super::glyphs::table()}</button>
            {children()}
        </div>
    }
}

/// Two ways to look at something.
#[component]
fn Switch(
    key: &'static str,
    name: Words,
    off: Words,
    on: Words,
    value: RwSignal<bool>,
) -> impl IntoView {
    let button = move |words: Words, state: bool| {
        view! {
            <button data-testid=format!("{key}-{}", if state { "on" } else { "off" })
                aria-pressed=move || (value.get() == state).to_string() on:click=move |_| value.set(state)>{say(&words)}</button>
        }
    };
    view! {
        <div class="segments" role="group" aria-label=say(&name) data-testid=format!("{key}-switch")>
            {button(off, false)}{button(on, true)}
        </div>
    }
}

/// Effective or billed: for all answers.
#[component]
pub fn CostSwitch() -> impl IntoView {
    let app = use_app();
    let button = move |words: Words, key: &'static str, cost: BudgetCost| {
        view! {
            <button data-testid=key aria-pressed=move || (app.cost.get() == cost).to_string()
                on:click=move |_| app.cost.set(cost)>{say(&words)}</button>
        }
    };
    view! {
        <div class="segments" role="group" aria-label=say(&Words::CostSwitch) data-testid="cost-switch">
            {button(Words::Effective, "cost-effective", BudgetCost::Effective)}
            {button(Words::Billed, "cost-billed", BudgetCost::Billed)}
        </div>
    }
}

/// The month that is framed, and what is said about it.
#[component]
fn Cursor(
    frame: Memo<Option<StackFrame>>,
    limit: Memo<usize>,
    worst: Memo<Option<usize>>,
) -> impl IntoView {
    let app = use_app();
    let results = use_results();
    let hover = RwSignal::new(None::<usize>);
    let pinned = Memo::new(move |_| app.selection.with(|s| s.month));
    let read = Memo::new(move |_| hover.get().or(pinned.get()));
    let framed = Memo::new(move |_| read.get().or(worst.get()));
    let says = Memo::new(move |_| {
        let month = read.get()?;
        look(results.now, |v| month::month(v, month, limit.get())).flatten()
    });
    let spoken = move || says.read().as_ref().map(month::spoken);
    let at = move |ev: &web_sys::PointerEvent| {
        let x = f64::from(ev.offset_x());
        let y = f64::from(ev.offset_y());
        frame.with_untracked(|f| {
            let f = f.as_ref()?;
            let bottom = f.strip.map_or(f.spend.bottom, |s| s.bottom);
            (y <= bottom).then(|| f.axis.month_at(x)).flatten()
        })
    };
    let move_to = move |ev: web_sys::PointerEvent| {
        let month = at(&ev);
        if hover.get_untracked() != month {
            hover.set(month);
        }
    };
    let click = move |ev: web_sys::PointerEvent| {
        let month = at(&ev);
        let same = pinned.get_untracked() == month;
        app.select_month(if same { None } else { month });
    };
    let keys = move |ev: web_sys::KeyboardEvent| {
        on_key(
            app,
            results,
            &ev,
            read.get_untracked().or(worst.get_untracked()),
        )
    };
    view! {
        <div class="stack-cursor" tabindex="0" role="group" aria-label=say(&Words::Month) data-testid="stack-cursor"
            on:pointermove=move_to on:pointerleave=move |_| hover.set(None) on:pointerup=click on:keydown=keys></div>
        {move || {
            let month = framed.get()?;
            let frame = frame.read();
            let f = frame.as_ref()?;
            (month < f.axis.months()).then(|| frame_box(f, month))
        }}
        {move || {
            let month = read.get()?;
            let says = says.get()?;
            let frame = frame.read();
            let f = frame.as_ref()?;
            (month < f.axis.months()).then(|| tooltip(f, month, says, pinned.get() == Some(month)))
        }}
        <div class="unseen" aria-live="polite">{spoken}</div>
    }
}

/// Arrow keys move the month, Home and End go to the ends, Esc lets go.
fn on_key(app: App, results: Results, ev: &web_sys::KeyboardEvent, now: Option<usize>) {
    let months = results
        .now
        .with_untracked(|f| f.as_ref().map_or(0, |f| f.projection.months.len()));
    let Some(last) = months.checked_sub(1) else {
        return;
    };
    let next = match ev.key().as_str() {
        "ArrowRight" => Some(now.map_or(0, |m| (m + 1).min(last))),
        "ArrowLeft" => Some(now.map_or(last, |m| m.saturating_sub(1))),
        "Home" => Some(0),
        "End" => Some(last),
        "Escape" => None,
        _ => return,
    };
    ev.prevent_default();
    app.select_month(next);
}

fn px(x: f64) -> String {
    format!("{x:.1}px")
}

fn frame_box(f: &StackFrame, month: usize) -> AnyView {
    let (left, right) = f.axis.month(month);
    let top = f.spend.top;
    let bottom = f.strip.map_or(f.spend.bottom, |s| s.bottom);
    view! {
        <div class="month-frame" style:left=px(left) style:top=px(top) style:width=px(right - left) style:height=px(bottom - top)></div>
    }
    .into_any()
}

/// Beside the month, on the side with more room, above the strip.
fn tooltip(f: &StackFrame, month: usize, says: MonthSays, pinned: bool) -> AnyView {
    const WIDE: f64 = 380.0;
    let (from, to) = f.axis.month(month);
    let (left_room, right_room) = (from - 12.0, f.scene.width - to - 12.0);
    let left_side = left_room >= WIDE || left_room >= right_room;
    let room = if left_side { left_room } else { right_room };
    let left = (!left_side).then(|| px(to + 12.0));
    let right = left_side.then(|| px(f.scene.width - from + 12.0));
    let top = f.spend.top + 12.0;
    let heads = month::heads().map(|w| view! { <th scope="col">{w}</th> });
    let rows = says.rows.into_iter().map(|(name, cells)| {
        let cells = cells
            .map(|c| view! { <td>{c}</td> })
            .into_iter()
            .collect_view();
        view! { <tr><th scope="row">{name}</th>{cells}</tr> }
    });
    let chance = says.chance.map(|(words, error, ever)| {
        view! {
            <div><b class:risk=ever>{words}</b>" "<span class="error-points">{error}</span></div>
        }
    });
    let hint = say(&if pinned {
        MonthWords::Unpin
    } else {
        MonthWords::Pin
    });
    view! {
        <div class="tooltip" data-testid="month-tooltip" style:left=left style:right=right style:top=px(top)
            style:max-width=px(room.max(220.0)) aria-hidden="true">
            <div class="tooltip-head"><b>{says.title}</b><span class="muted">{says.hours}</span></div>
            <table>
                <thead><tr><td></td>{heads.into_iter().collect_view()}</tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
            <div class="tooltip-lines">
                {chance}
                {says.lines.into_iter().map(|l| view! { <div>{l}</div> }).collect_view()}
                <div class="muted">{hint}</div>
            </div>
        </div>
    }
    .into_any()
}
