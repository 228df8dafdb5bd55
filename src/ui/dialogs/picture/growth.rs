//! What a context that grows with every turn makes of the tokens that a request reads.

use leptos::prelude::*;

use super::{HEIGHT, WIDTH, tick_anchor};
use crate::domain::quantity::{Quantity, Shape};
use crate::domain::scenario::{Feature, Scenario};
use crate::text::{format, say, ui::Ui};
use crate::ui::sketch;

const TOP: f64 = 18.0;
const FLOOR: f64 = HEIGHT - 18.0;

fn fixed(q: &Quantity) -> Option<f64> {
    match q.shape {
        Shape::Fixed(v) => Some(v),
        _ => None,
    }
}

/// Tokens read by a request of so many turns: the first reads `first`, each later one `added` more than the one before.
fn read(first: f64, added: f64, turns: f64) -> f64 {
    turns * first + added * turns * (turns - 1.0) / 2.0
}

/// Tokens read against turns, each feature a point; the straight line is what the shortest would make of more turns.
/// None unless turns, first call and growth are plain numbers, the same growth in all features.
pub fn picture(plan: &Scenario) -> Option<AnyView> {
    let of = |f: &Feature| {
        let first = fixed(&f.input_tokens.each)?;
        Some((
            fixed(&f.calls_per_request)?,
            first,
            fixed(&f.context_growth_tokens)?,
        ))
    };
    let mut found: Vec<_> = plan.features.iter().filter_map(of).collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ((least, first, added), (most, ..)) = (*found.first()?, *found.last()?);
    if most <= least || least < 1.0 {
        return None;
    }
    let highest = read(first, added, most).max(1.0);
    let x = move |turns: f64| turns / (most * 1.06) * WIDTH;
    let y = move |tokens: f64| FLOOR - tokens / highest * (FLOOR - TOP);
    let points = |to: &dyn Fn(f64) -> f64| {
        (0..=40)
            .map(|i| most * f64::from(i) / 40.0)
            .map(|turns| format!("{:.1},{:.1}", x(turns), y(to(turns).max(0.0))))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let curve = points(&|turns| read(first, added, turns));
    let straight = points(&|turns| turns / least * read(first, added, least));
    let marks = found.iter().map(|(turns, first, added)| {
        let tokens = read(*first, *added, *turns);
        let words = say(&Ui::TurnsRead { turns: format::count(*turns), tokens: format::count_short(tokens) });
        let (cx, cy) = (x(*turns), y(tokens));
        view! {
            <circle class="dot" r="3.5" cx=format!("{cx:.1}") cy=format!("{cy:.1}")></circle>
            <text class="strong" x=format!("{:.1}", cx - 8.0) y=format!("{:.1}", cy - 4.0) text-anchor="end">{words}</text>
        }
    });
    let marks = marks.collect_view();
    let label = say(&Ui::ReadByTurns);
    let from = format!("{:.1}", x(most));
    Some(
        view! {
            <svg class="story-picture" viewBox=format!("0 0 {WIDTH} {HEIGHT}") role="img" aria-label=label.clone()>
                <polyline class="straight" points=straight></polyline>
                <polyline class="curve" points=curve></polyline>
                <text x=from y=(FLOOR - 6.0).to_string() text-anchor="end">{say(&Ui::InProportion)}</text>
                {marks}
                <text x="0" y="10">{label.clone()}</text>
                <line class="base" x1="0" x2=WIDTH.to_string() y1=FLOOR.to_string() y2=FLOOR.to_string()></line>
                {sketch::ticks(0.0, most, 4).into_iter().map(|v| view! {
                    <text x=format!("{:.1}", x(v)) y=(HEIGHT - 4.0).to_string() text-anchor=tick_anchor(x(v))>{format::count(v)}</text>
                }).collect_view()}
            </svg>
        }
        .into_any(),
    )
}
