//! A story's own picture: its numbers as they are in its plan.

use leptos::prelude::*;

use crate::domain::calendar::term_end;
use crate::domain::distribution::Distribution;
use crate::domain::field::{FieldSpec, spec};
use crate::domain::quantity::Kind;
use crate::domain::scenario::{CommitmentKind, Launch, Scenario};
use crate::stories::Story;
use crate::text::{format, say, ui::Ui};
use crate::ui::editor::read;
use crate::ui::editor::spark::is_whole;
use crate::ui::sketch;

mod growth;
mod peak;

const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 120.0;

/// The distribution that the story is about, what a context that grows makes of it, its peak hours, or its roadmap under
/// its contracts.
pub fn picture(story: &Story) -> AnyView {
    let plan = story.scenario();
    let about = story.notes.first().map(crate::stories::MarginNote::field);
    let special = about.as_ref().and_then(|path| match path.parts() {
        ("features", _, "context_growth_tokens") => growth::picture(&plan),
        ("features", Some(id), "cached_share_left") => peak::picture(&plan, id),
        _ => None,
    });
    if let Some(view) = special {
        return view;
    }
    let distribution = about.and_then(|path| {
        let (section, _, name) = path.parts();
        let spec = spec(section, name)?;
        let d = Distribution::fit(plan.quantity(&path)?, spec.domain)
            .ok()?
            .distribution;
        (spec.kind == Kind::Varies).then_some((d, spec))
    });
    match distribution {
        Some((d, spec)) => bars(&d, spec),
        None => roadmap(&plan),
    }
}

/// Words at the ends of an axis stay inside.
fn tick_anchor(x: f64) -> &'static str {
    match x {
        x if x < 10.0 => "start",
        x if x > WIDTH - 18.0 => "end",
        _ => "middle",
    }
}

fn bars(d: &Distribution, spec: &FieldSpec) -> AnyView {
    let unit = spec.unit;
    let (low, high) = sketch::span(d, 0.01);
    let low = if low < (high - low) * 0.5 { 0.0 } else { low };
    let whole = sketch::whole_span(low, high, 45).filter(|_| is_whole(spec.domain));
    let (low, high) = whole.map_or((low, high), |(first, count)| {
        (first - 0.5, first + count as f64 - 0.5)
    });
    let floor = HEIGHT - 18.0;
    let top = 18.0;
    let x = move |v: f64| ((v - low) / (high - low) * WIDTH).clamp(0.0, WIDTH);
    let heights = match whole {
        Some((first, count)) => sketch::whole_heights(d, first, count),
        None => sketch::heights(d, low, high, 30),
    };
    let step = WIDTH / heights.len().max(1) as f64;
    let mean = d.mean();
    let middle = format!("{:.1}", x(mean));
    let label = say(&Ui::MeanIs {
        mean: read::figure(mean, unit),
    });
    view! {
        <svg class="story-picture" viewBox=format!("0 0 {WIDTH} {HEIGHT}") role="img" aria-label=label.clone()>
            {heights.into_iter().enumerate().map(|(i, h)| {
                let tall = h * (floor - top);
                view! { <rect class="bar" x=format!("{:.1}", i as f64 * step + 1.0) width=format!("{:.1}", step - 2.0) y=format!("{:.1}", floor - tall) height=format!("{tall:.1}")></rect> }
            }).collect_view()}
            <line class="base" x1="0" x2=WIDTH.to_string() y1=floor.to_string() y2=floor.to_string()></line>
            <line class="mark" x1=middle.clone() x2=middle.clone() y1="6" y2=floor.to_string()></line>
            <text class="strong" x=format!("{:.1}", x(mean) + 6.0) y="14">{label.clone()}</text>
            {sketch::ticks(low, high, 5).into_iter().map(|v| view! {
                <text x=format!("{:.1}", x(v)) y=(HEIGHT - 4.0).to_string() text-anchor=tick_anchor(x(v))>{read::figure(v, unit)}</text>
            }).collect_view()}
        </svg>
    }
    .into_any()
}

/// Contracts over the months, launches with their ramps below.
fn roadmap(plan: &Scenario) -> AnyView {
    let months = plan.settings.horizon_months.clamp(1, 60);
    let start = plan.settings.start;
    let end = term_end(start, months);
    let days = |d: jiff::civil::Date| start.until(d).map_or(0.0, |s| f64::from(s.get_days()));
    let all = days(end).max(1.0);
    let x = move |d: jiff::civil::Date| (days(d) / all * WIDTH).clamp(0.0, WIDTH);
    let mut y = 4.0;
    let contracts: Vec<_> = plan
        .commitments
        .iter()
        .filter_map(|c| match c.kind {
            CommitmentKind::ReservedCapacity { gpus, .. } => {
                let (from, to) = (x(c.start), x(term_end(c.start, c.term_months)));
                let words = say(&Ui::GpusForMonths { gpus, months: c.term_months });
                let top = y;
                y += 24.0;
                Some(view! {
                    <rect class="contract" x=format!("{from:.1}") y=format!("{top:.1}") width=format!("{:.1}", (to - from).max(1.0)) height="18"></rect>
                    <text class="strong" x=format!("{:.1}", from + 6.0) y=format!("{:.1}", top + 13.0)>{words}</text>
                })
            }
            CommitmentKind::SpendCommitment { .. } => None,
        })
        .collect();
    let step = ((HEIGHT - 20.0 - y) / plan.features.len().max(1) as f64).min(18.0);
    let features: Vec<_> = plan
        .features
        .iter()
        .enumerate()
        .map(|(i, f)| {
            let base = y + step * (i as f64 + 1.0) - 2.0;
            let from = match f.launch {
                Launch::Live => 0.0,
                Launch::Planned { date, .. } => x(date),
            };
            let to = f.retire.map_or(WIDTH, x);
            let full = (from + WIDTH / 12.0).min(to);
            let points = format!("{from:.1},{base:.1} {full:.1},{:.1} {to:.1},{:.1} {to:.1},{base:.1}", base - step + 4.0, base - step + 4.0);
            view! { <polygon class=format!("wedge wedge-{}", i.min(6) + 1) points=points></polygon> }
        })
        .collect();
    let axis = |d: jiff::civil::Date| {
        format!(
            "{} {}",
            format::month_short(d.month().unsigned_abs()),
            d.year()
        )
    };
    view! {
        <svg class="story-picture" viewBox=format!("0 0 {WIDTH} {HEIGHT}") role="img" aria-label=say(&Ui::RoadmapOf { features: u32::try_from(plan.features.len()).unwrap_or(u32::MAX) })>
            {contracts}{features}
            <line class="base" x1="0" x2=WIDTH.to_string() y1=(HEIGHT - 17.0).to_string() y2=(HEIGHT - 17.0).to_string()></line>
            <text x="0" y=(HEIGHT - 4.0).to_string()>{axis(start)}</text>
            <text x=WIDTH.to_string() y=(HEIGHT - 4.0).to_string() text-anchor="end">{axis(end.yesterday().unwrap_or(end))}</text>
        </svg>
    }
    .into_any()
}
