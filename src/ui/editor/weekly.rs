//! The weekly profile: zone, preset, and a grid of 7 × 24 that is painted with the keyboard or pasted.

use leptos::{ev, prelude::*};

use super::choices::choice;
use super::entry::{Entry, Step};
use super::rows::{row, words};
use super::settings::{ZONES, zone_short};
use crate::domain::field::FieldPath;
use crate::domain::scenario::{Id, Scenario, WeeklyShape};
use crate::text::{editor::Editor, fields, format, say};
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
        {move || opens().then(|| grid(app, id))}
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

fn grid(app: App, id: Id) -> AnyView {
    let at = RwSignal::new(9usize);
    let weights = Memo::new(move |_| {
        app.plan
            .with(|p| shape(p, id).map(week::weights))
            .unwrap_or([1.0; week::HOURS])
    });
    let most = Memo::new(move |_| weights.with(|w| w.iter().copied().fold(0.0, f64::max)));
    let write = move |new: [f64; week::HOURS]| {
        let what = app.plan.with_untracked(|p| {
            fields::label_of(p, &FieldPath::of("features", id, "weekly_profile"))
        });
        app.commit(&Editor::Changed { what }, |p| {
            if let Some(f) = feature_mut(p, id) {
                f.weekly_profile.shape = WeeklyShape::Custom(new.to_vec());
            }
        });
    };
    let paint = move |hour: usize, value: f64| {
        let mut new = weights.get_untracked();
        new[hour] = value;
        write(new);
    };
    let on_key = move |ev: ev::KeyboardEvent| {
        if ev.ctrl_key() || ev.meta_key() || ev.alt_key() {
            return;
        }
        let here = at.get_untracked();
        let value = weights.with_untracked(|w| w[here]);
        let key = ev.key();
        let to = match key.as_str() {
            "ArrowLeft" => Some((here + week::HOURS - 1) % week::HOURS),
            "ArrowRight" => Some((here + 1) % week::HOURS),
            "ArrowUp" => Some((here + week::HOURS - 24) % week::HOURS),
            "ArrowDown" => Some((here + 24) % week::HOURS),
            "Home" => Some(here / 24 * 24),
            "End" => Some(here / 24 * 24 + 23),
            _ => None,
        };
        if let Some(to) = to {
            ev.prevent_default();
            at.set(to);
            if ev.shift_key() {
                paint(to, value);
            }
            return;
        }
        let new = match key.as_str() {
            "+" | "=" => Some(week::step(value, true)),
            "-" => Some(week::step(value, false)),
            "Delete" | "Backspace" => Some(0.0),
            digit if digit.len() == 1 => digit.parse::<u8>().ok().map(f64::from),
            _ => None,
        };
        if let Some(new) = new {
            ev.prevent_default();
            ev.stop_propagation();
            paint(here, new);
        }
    };
    let on_paste = move |ev: ev::ClipboardEvent| {
        let text = ev
            .clipboard_data()
            .and_then(|d| d.get_data("text").ok())
            .unwrap_or_default();
        ev.prevent_default();
        match week::pasted(&text) {
            Some(new) => write(new),
            None => app.say(&Editor::WeekPasteRule),
        }
    };
    let cell_id = move |hour: usize| format!("week-{}-{hour}", id.0);
    let reading = move || {
        let hour = at.get();
        say(&Editor::WeekCell {
            day: week::day_name(hour / 24),
            hour: format!("{:02}:00", hour % 24),
            weight: format::count_short(weights.with(|w| w[hour])),
        })
    };
    view! {
        <div class="week">
            <div class="week-grid" role="grid" tabindex="0" data-testid=format!("week-{}", id.0) aria-label=say(&Editor::WeekGridLabel)
                aria-activedescendant=move || cell_id(at.get()) on:keydown=on_key on:paste=on_paste>
                {(0..7).map(|day| view! {
                    <div class="week-row" role="row">
                        <span class="week-day" role="rowheader">{week::day_name(day)}</span>
                        {(0..24).map(|h| {
                            let hour = day * 24 + h;
                            let level = move || {
                                let most = most.get();
                                // five steps of one hue, like every heat map here
                                if most > 0.0 { (weights.with(|w| w[hour]) / most * 5.0).ceil().clamp(0.0, 5.0) as u8 } else { 0 }
                            };
                            view! {
                                <span role="gridcell" id=cell_id(hour) class=move || format!("week-cell h-{}", level())
                                    class:at=move || at.get() == hour aria-selected=move || (at.get() == hour).to_string()
                                    aria-label=move || format::count_short(weights.with(|w| w[hour]))
                                    on:click=move |_| at.set(hour)></span>
                            }
                        }).collect_view()}
                    </div>
                }).collect_view()}
                <div class="week-hours" aria-hidden="true"><span>"0"</span><span>"6"</span><span>"12"</span><span>"18"</span><span>"24"</span></div>
            </div>
            <p class="form-hint" aria-live="polite">{reading}</p>
            <p class="form-hint">{say(&Editor::WeekKeys)}</p>
        </div>
    }
    .into_any()
}
