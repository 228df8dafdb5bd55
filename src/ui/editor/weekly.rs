//! The weekly profile: zone, preset, and a grid of 7 × 24 that is painted with the keyboard or pasted.

use leptos::prelude::*;

use super::choices::choice;
use super::entry::{Entry, Step};
use super::rows::{row, words};
use super::settings::{ZONES, zone_short};
use super::week_grid::{self, Painted};
use crate::domain::field::FieldPath;
use crate::domain::scenario::{Id, Scenario, WeeklyShape};
use crate::text::{editor::Editor, format, say};
use crate::ui::entities::{feature, feature_mut};
use crate::ui::state::App;
use crate::ui::week;

fn shape(p: &Scenario, id: Id) -> Option<&WeeklyShape> {
    feature(p, id).map(|f| &f.weekly_profile.shape)
}

const fn key(shape: &WeeklyShape) -> &'static str {
    match shape {
        WeeklyShape::Flat => "flat",
        WeeklyShape::OfficeHours => "office_hours",
        WeeklyShape::Consumer => "consumer",
        WeeklyShape::Custom(_) => "custom",
    }
}

/// Rows of the profile.
pub fn weekly(app: App, id: Id) -> AnyView {
    let path = FieldPath::of("features", id, "weekly_profile");
    let open = RwSignal::new(false);
    let own = Memo::new(move |_| {
        app.plan
            .with(|p| matches!(shape(p, id), Some(WeeklyShape::Custom(_))))
    });
    let opens = move || open.get() || own.get();
    view! {
        {choice(app, path, |_| vec![
                ("flat".into(), say(&Editor::WeekFlat)),
                ("office_hours".into(), say(&Editor::WeekOffice)),
                ("consumer".into(), say(&Editor::WeekConsumer)),
                ("custom".into(), say(&Editor::WeekCustom)),
            ],
            move |p| shape(p, id).map(|s| key(s).to_owned()),
            move |p, v| if let Some(f) = feature_mut(p, id) {
                let before = week::weights(&f.weekly_profile.shape);
                f.weekly_profile.shape = match v {
                    "office_hours" => WeeklyShape::OfficeHours,
                    "consumer" => WeeklyShape::Consumer,
                    // round enough to be read, close enough to be the same week
                    "custom" => WeeklyShape::Custom(before.iter().map(|w| (w * 100.0).round() / 100.0).collect()),
                    _ => WeeklyShape::Flat,
                };
            })}
        {row(app, zone(app, id), None)}
        <button class="fold-head inner" type="button" data-testid=format!("show-week-{}", id.0) aria-expanded=move || opens().to_string()
            on:click=move |_| open.update(|o| *o = !*o) disabled=move || own.get()>
            <span class="week-strip" aria-hidden="true">{move || strip(app, id)}</span>
            <span class="fold-summary">{say(&Editor::WeekGrid)}</span>
        </button>
        {move || opens().then(|| week_grid::grid(app, demand(id)))}
    }
    .into_any()
}

fn zone(app: App, id: Id) -> Entry {
    let own = app
        .plan
        .with_untracked(|p| zone_short(&p.settings.time_zone));
    words(
        FieldPath::of("features", id, "time_zone"),
        move |p| feature(p, id).map(|f| f.weekly_profile.time_zone.clone().unwrap_or_default()),
        move |p, v| {
            if let Some(f) = feature_mut(p, id) {
                f.weekly_profile.time_zone = (!v.is_empty()).then_some(v);
            }
        },
    )
    .empty(say(&Editor::ZoneOfPlan { zone: own }))
    .list(ZONES)
    .step(Step::None)
}

/// Seven days of 24 bars in a line.
fn strip(app: App, id: Id) -> AnyView {
    let weights = app
        .plan
        .with(|p| shape(p, id).map(week::weights))
        .unwrap_or([1.0; week::HOURS]);
    let most = weights.iter().copied().fold(0.0, f64::max);
    let points = weights
        .iter()
        .enumerate()
        .map(|(i, w)| {
            let y = if most > 0.0 {
                17.0 - w / most * 15.0
            } else {
                17.0
            };
            format!("{},{y:.1} {},{y:.1}", i, i + 1)
        })
        .collect::<Vec<_>>()
        .join(" ");
    view! {
        <svg viewBox="0 0 168 18" preserveAspectRatio="none"><polygon points=format!("0,17 {points} 168,17")></polygon></svg>
    }
    .into_any()
}

/// The grid of the profile itself.
fn demand(id: Id) -> Painted {
    Painted {
        testid: format!("week-{}", id.0),
        path: FieldPath::of("features", id, "weekly_profile"),
        get: std::sync::Arc::new(move |p| shape(p, id).map(week::weights)),
        set: std::sync::Arc::new(move |p, new| {
            if let Some(f) = feature_mut(p, id) {
                f.weekly_profile.shape = WeeklyShape::Custom(new.to_vec());
            }
        }),
        step: week::step,
        digit: f64::from,
        cleared: 0.0,
        words: format::count_short,
        pasted: week::pasted,
        paste_rule: Editor::WeekPasteRule,
        keys: Editor::WeekKeys,
    }
}
