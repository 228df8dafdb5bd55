//! What a reserved contract adds: committed GPUs of its cluster against the need, month by month.

use leptos::prelude::*;

use crate::domain::calendar::term_end;
use crate::domain::scenario::{CommitmentKind, Id};
use crate::engine::projection::{LimitKind, Projection};
use crate::text::{editor::Editor, format, say};
use crate::ui::entities::commitment;
use crate::ui::state::App;

const WIDTH: f64 = 344.0;
const HEIGHT: f64 = 96.0;
/// Room for the words above the highest step.
const TOP: f64 = 18.0;

/// The steps of a cluster, in GPUs by month of the horizon.
#[derive(Clone, Debug, PartialEq)]
struct Steps {
    committed: Vec<f64>,
    /// What this contract gives; 0 outside its term and in months that it covers in part.
    own: Vec<f64>,
    needed: Vec<f64>,
}

fn steps(plan: &crate::domain::scenario::Scenario, p: &Projection, id: Id) -> Option<Steps> {
    let contract = commitment(plan, id)?;
    let CommitmentKind::ReservedCapacity { pool, gpus, .. } = contract.kind else {
        return None;
    };
    let limit = p
        .limits
        .iter()
        .find(|l| l.pool == pool && l.limit == LimitKind::Gpus)?;
    let end = term_end(contract.start, contract.term_months);
    let own = p.months.iter().map(|m| {
        let first = jiff::civil::Date::new(m.year, i8::try_from(m.month).unwrap_or(1), 1);
        let covered =
            first.is_ok_and(|first| contract.start <= first && first.last_of_month() < end);
        if covered { f64::from(gpus) } else { 0.0 }
    });
    Some(Steps {
        own: own.collect(),
        committed: limit.committed.clone(),
        needed: limit.needed.iter().map(|n| n.p50()).collect(),
    })
    .filter(|s: &Steps| s.committed.len() == s.own.len() && !s.own.is_empty())
}

/// Points of a line that steps from month to month.
fn stepped(values: &[f64], x: impl Fn(usize) -> f64, y: impl Fn(f64) -> f64) -> String {
    values
        .iter()
        .enumerate()
        .flat_map(|(m, v)| [(x(m), y(*v)), (x(m + 1), y(*v))])
        .map(|(x, y)| format!("{x:.1},{y:.1}"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The strip under the sentence of a contract; nothing until there are answers.
pub fn strip(app: App, id: Id) -> AnyView {
    let steps = Memo::new(move |_| {
        app.run
            .with(|r| steps(r.plan.as_ref()?, r.projection.as_ref()?, id))
    });
    let words = move |s: &Steps| {
        let most = s
            .own
            .iter()
            .zip(&s.committed)
            .filter(|(own, _)| **own > 0.0)
            .map(|(_, all)| *all)
            .fold(0.0, f64::max);
        if most > 0.0 {
            say(&Editor::StripWith {
                gpus: format::integer(most),
            })
        } else {
            say(&Editor::StripOutside)
        }
    };
    let draw = move |s: Steps| {
        let count = s.own.len() as f64;
        let top = s
            .committed
            .iter()
            .chain(&s.needed)
            .fold(1.0, |a: f64, v| a.max(*v));
        let x = |m: usize| m as f64 / count * WIDTH;
        let y = |v: f64| HEIGHT - (v / top).clamp(0.0, 1.0) * (HEIGHT - TOP);
        let own = s
            .own
            .iter()
            .zip(&s.committed)
            .enumerate()
            .filter(|(_, (own, _))| **own > 0.0)
            .map(|(m, (own, all))| {
                let (high, low) = (y(*all), y(all - own));
                view! { <rect class="own" x=format!("{:.1}", x(m)) y=format!("{high:.1}") width=format!("{:.1}", x(m + 1) - x(m)) height=format!("{:.1}", low - high)></rect> }
            })
            .collect_view();
        let title = words(&s);
        view! {
            <figure class="strip" data-testid=format!("strip-{}", id.0)>
                <figcaption><b>{title.clone()}</b><span class="strip-key">{say(&Editor::StripNeeded)}</span></figcaption>
                <svg viewBox=format!("0 {TOP} {WIDTH} {}", HEIGHT - TOP) preserveAspectRatio="none" role="img" aria-label=format!("{title}. {}", say(&Editor::StripNeeded))>
                    {own}
                    <polyline class="committed" points=stepped(&s.committed, x, y)></polyline>
                    <polyline class="needed" points=stepped(&s.needed, x, y)></polyline>
                </svg>
            </figure>
        }
    };
    (move || steps.get().map(draw)).into_any()
}
