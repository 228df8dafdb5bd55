//! What changes at peak: the cached share, repeats, and tokens under load.

use std::sync::Arc;

use leptos::prelude::*;

use super::choices::choice;
use super::rows::{fold, quantity_row};
use super::week_grid::{Painted, grid};
use super::{read, spark};
use crate::domain::field::{FieldPath, spec};
use crate::domain::flows::MOST_RETRY_FACTOR;
use crate::domain::scenario::{ByHour, Feature, Id};
use crate::text::{editor::Editor, format, say};
use crate::ui::entities::{feature, feature_mut};
use crate::ui::state::App;
use crate::ui::week;

/// A week of factors.
#[derive(Clone, Copy)]
struct Factors {
    field: &'static str,
    get: fn(&ByHour) -> &Vec<f64>,
    set: fn(&mut ByHour) -> &mut Vec<f64>,
    /// What the busy hours begin with.
    peak: f64,
    most: f64,
    step: fn(f64, bool) -> f64,
    digit: fn(u8) -> f64,
    words: fn(f64) -> String,
    pasted: fn(&str) -> Option<[f64; week::HOURS]>,
    keys: fn() -> Editor,
}

const CACHED: Factors = Factors {
    field: "cached_share_left",
    get: |b| &b.cached_share_left,
    set: |b| &mut b.cached_share_left,
    peak: 0.8,
    most: 1.0,
    step: |x, up| {
        let by = if up { 5.0 } else { -5.0 };
        ((x * 100.0 + by).round() / 100.0).clamp(0.0, 1.0)
    },
    digit: |d| f64::from(d) / 10.0,
    words: format::percent,
    pasted: |text| pasted(text, 1.0),
    keys: || Editor::CachedWeekKeys,
};

const RETRIES: Factors = Factors {
    field: "retry_factor",
    get: |b| &b.retry_factor,
    set: |b| &mut b.retry_factor,
    peak: 2.0,
    most: MOST_RETRY_FACTOR,
    step: week::step,
    digit: f64::from,
    words: format::factor,
    pasted: |text| pasted(text, MOST_RETRY_FACTOR),
    keys: || Editor::RetryWeekKeys,
};

fn pasted(text: &str, most: f64) -> Option<[f64; week::HOURS]> {
    week::pasted(text).filter(|w| w.iter().all(|x| *x <= most))
}

/// The rows, folded while every hour is like the others.
pub fn rows(app: App, id: Id) -> AnyView {
    fold(
        say(&Editor::GroupPeak),
        move || summary(app, id),
        "fold-peak",
        move || {
            view! {
                {factors(app, id, CACHED)}
                {factors(app, id, RETRIES)}
                {quantity_row(app, FieldPath::of("features", id, "load_sensitivity"))}
                <p class="form-hint">{say(&Editor::PeakHint)}</p>
            }
            .into_any()
        },
    )
}

fn factors(app: App, id: Id, which: Factors) -> AnyView {
    let path = FieldPath::of("features", id, which.field);
    let on = Memo::new(move |_| {
        app.plan
            .with(|p| feature(p, id).is_some_and(|f| !(which.get)(&f.by_hour).is_empty()))
    });
    let painted = Painted {
        testid: format!("week-{}-{}", which.field, id.0),
        path: path.clone(),
        get: Arc::new(move |p| {
            let own = (which.get)(&feature(p, id)?.by_hour);
            own.as_slice().try_into().ok()
        }),
        set: Arc::new(move |p, new| {
            if let Some(f) = feature_mut(p, id) {
                *(which.set)(&mut f.by_hour) = new.to_vec();
            }
        }),
        step: which.step,
        digit: which.digit,
        cleared: 1.0,
        words: which.words,
        pasted: which.pasted,
        paste_rule: Editor::FactorPasteRule {
            most: (which.words)(which.most),
        },
        keys: (which.keys)(),
    };
    view! {
        {choice(app, path, |_| vec![
                ("always".into(), say(&Editor::FactorsAlways)),
                ("by_hour".into(), say(&Editor::FactorsByHour)),
            ],
            move |p| feature(p, id).map(|f| {
                if (which.get)(&f.by_hour).is_empty() { "always" } else { "by_hour" }.to_owned()
            }),
            move |p, v| if let Some(f) = feature_mut(p, id) {
                let week = if v == "by_hour" { busy_hours(f, which.peak) } else { Vec::new() };
                *(which.set)(&mut f.by_hour) = week;
            })}
        {move || on.get().then(|| grid(app, painted.clone()))}
    }
    .into_any()
}

/// A factor for the hours with more than one and a half times the mean demand; without such hours, for weekday mornings.
fn busy_hours(f: &Feature, peak: f64) -> Vec<f64> {
    let weights = f.weekly_profile.shape.weights();
    let some = weights.iter().any(|w| *w > 1.5);
    let busy = |(hour, w): (usize, f64)| {
        if some {
            w > 1.5
        } else {
            hour < 120 && (9..12).contains(&(hour % 24))
        }
    };
    weights
        .into_iter()
        .enumerate()
        .map(|hour| if busy(hour) { peak } else { 1.0 })
        .collect()
}

fn summary(app: App, id: Id) -> String {
    app.plan.with(|p| {
        let Some(f) = feature(p, id) else {
            return String::new();
        };
        let mut parts = Vec::new();
        let extreme = |w: &[f64], pick: fn(f64, f64) -> f64| w.iter().copied().reduce(pick);
        if let Some(least) = extreme(&f.by_hour.cached_share_left, f64::min) {
            parts.push(say(&Editor::PeakCached {
                left: format::percent(least),
            }));
        }
        if let Some(most) = extreme(&f.by_hour.retry_factor, f64::max) {
            parts.push(say(&Editor::PeakRetries {
                times: format::factor(most),
            }));
        }
        let q = &f.by_hour.load_sensitivity;
        if let (false, Some(spec)) = (
            spark::fixed(q) == Some(0.0),
            spec("features", "load_sensitivity"),
        ) {
            parts.push(say(&Editor::PeakLoad {
                more: read::quantity_text(q, spec),
            }));
        }
        if parts.is_empty() {
            say(&Editor::NoneSet)
        } else {
            parts.join(" · ")
        }
    })
}
