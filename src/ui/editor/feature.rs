//! The form of a feature.

use std::sync::Arc;

use leptos::prelude::*;

use super::choices::choice;
use super::entry::{Entry, Rejected};
use super::frames::{Line, Parts};
use super::rows::{Number, Third, day, fold, quantity_row, row, row_with};
use super::{by_hour, catalog, chain, gateway, hint, lanes, options, read, weekly};
use crate::domain::field::{FieldPath, Unit};
use crate::domain::scenario::{Id, Launch, Noise, Scenario};
use crate::text::{editor::Editor, fields, format, hints::About, say};
use crate::ui::entities::{feature, feature_mut};
use crate::ui::fresh;
use crate::ui::later;
use crate::ui::state::App;

/// The section's parts.
pub const PARTS: Parts = Parts {
    summary: |app| options::names(app, |p| p.features.iter().map(|f| f.name.clone()).collect()),
    figures: |app| options::first_year(app),
    line,
    form,
};

fn line(app: App, id: Id) -> Line {
    let state = app
        .plan
        .with(|p| match feature(p, id).map(|f| (&f.launch, f.retire)) {
            Some((_, Some(retire))) if retire <= p.settings.start => say(&Editor::Retired),
            Some((Launch::Live, _)) => say(&Editor::Live),
            Some((Launch::Planned { date, .. }, _)) => say(&Editor::Launches {
                date: format::date(*date),
            }),
            None => String::new(),
        });
    let figure = options::answer(app, |projection, money| {
        let f = projection.features.iter().find(|f| f.id == id)?;
        Some(money(f.effective_cost.years.first()?.p50()))
    });
    Line { state, figure }
}

fn form(app: App, id: Id) -> AnyView {
    let at = move |field: &str| FieldPath::of("features", id, field);
    let q = move |field: &str| quantity_row(app, at(field));
    let live = Memo::new(move |_| {
        app.plan
            .with(|p| matches!(feature(p, id).map(|f| &f.launch), Some(Launch::Live)))
    });
    view! {
        {chain::chain(app, id)}
        <div class="group">{say(&Editor::GroupWhen)}</div>
        {move || launch_row(app, id, live.get())}
        {move || (!live.get()).then(|| view! { {q("slip_days")}{q("ramp_days")} })}
        {row(app, day(at("retire"), Some(Editor::Never),
            move |p| feature(p, id).map(|f| f.retire),
            move |p, d| { if let Some(f) = feature_mut(p, id) { f.retire = d; } }), None)}
        {later(move || how_much(app, id))}
        {later(move || one_request(app, id))}
        {later(move || where_it_runs(app, id))}
    }
    .into_any()
}

fn how_much(app: App, id: Id) -> AnyView {
    let q = move |field: &str| quantity_row(app, FieldPath::of("features", id, field));
    view! {
        <div class="group">{say(&Editor::GroupHowMuch)}</div>
        {q("requests_per_day")}
        {q("growth_per_month")}
        {weekly::weekly(app, id)}
    }
    .into_any()
}

fn one_request(app: App, id: Id) -> AnyView {
    let at = move |field: &str| FieldPath::of("features", id, field);
    let q = move |field: &str| quantity_row(app, at(field));
    view! {
        <div class="group">{say(&Editor::GroupOneRequest)}</div>
        {q("calls_per_request")}
        {q("input_tokens")}
        {q("output_tokens")}
        {q("context_growth_tokens")}
        {q("cached_share")}
        {q("prefix_tokens")}
        {gateway::tools(app, id)}
        {catalog::request_picker(app, id)}
        {fold(say(&Editor::GroupRetries), move || retries_summary(app, id), "fold-retries", move || view! {
            {q("retry_probability")}
            {row(app, Number::whole(at("max_retries"), Unit::One,
                move |p| feature(p, id).map(|f| f.max_retries),
                move |p, v| { if let Some(f) = feature_mut(p, id) { f.max_retries = v; } }).entry(), None)}
            {q("token_drift_per_month")}
        }.into_any())}
        {by_hour::rows(app, id)}
    }
    .into_any()
}

fn where_it_runs(app: App, id: Id) -> AnyView {
    let at = move |field: &str| FieldPath::of("features", id, field);
    view! {
        <div class="group">{say(&Editor::GroupWhere)}</div>
        {choice(app, at("model"), options::models, move |p| feature(p, id).map(|f| f.model.0.to_string()),
            move |p, v| { if let (Some(f), Ok(v)) = (feature_mut(p, id), v.parse()) { f.model = Id(v); } })}
        {choice(app, at("pool"), options::pools, move |p| feature(p, id).map(|f| f.pool.0.to_string()),
            move |p, v| { if let (Some(f), Ok(v)) = (feature_mut(p, id), v.parse()) { f.pool = Id(v); } })}
        {lanes::rows(app, id)}
        {gateway::caps(app, id)}
        {gateway::runaways(app, id)}
        {fold(say(&Editor::GroupNoise), move || noise_summary(app, id), "fold-noise", move || noise(app, id))}
    }
    .into_any()
}

/// The text box of the launch date.
pub fn launch_entry(id: Id) -> Entry {
    let date_of = move |p: &Scenario| {
        feature(p, id).map(|f| match f.launch {
            Launch::Live => None,
            Launch::Planned { date, .. } => Some(date),
        })
    };
    let mut entry = day(
        FieldPath::of("features", id, "launch"),
        Some(Editor::LiveFromStart),
        date_of,
        move |p, d| set_launch(p, id, d),
    );
    // An empty box is a date that is missing. Whether the feature is live already is for the person to say.
    let read = Arc::clone(&entry.read);
    entry.read = Arc::new(move |text, p| {
        if text.trim().is_empty() && date_of(p).flatten().is_some() {
            return Err(Rejected {
                message: say(&Editor::DateMissing),
                fixes: vec![(say(&Editor::MakeLive), say(&Editor::LiveFromStart))],
            });
        }
        read(text, p)
    });
    entry
}

fn launch_row(app: App, id: Id, live: bool) -> AnyView {
    let switch = move |_| {
        let what = app
            .plan
            .with_untracked(|p| fields::label_of(p, &FieldPath::of("features", id, "launch")));
        app.commit(&Editor::Changed { what }, |p| {
            let planned = fresh::feature(p, id, String::new()).launch;
            if let Some(f) = feature_mut(p, id) {
                f.launch = if live { planned } else { Launch::Live };
            }
        });
    };
    let entry = launch_entry(id).empty(if live {
        say(&Editor::LiveFromStart)
    } else {
        String::new()
    });
    let about = format!("launch-kind-{}", id.0);
    let third = Third {
        view: view! {
            <button class="badge as-link" type="button" data-testid=about.clone() on:click=switch
                aria-describedby=format!("{about}{}", hint::END)>
                {say(if live { &Editor::Live } else { &Editor::Planned })}
            </button>
        }
        .into_any(),
        about: hint::about(
            &about,
            if live {
                &About::MakePlanned
            } else {
                &About::MakeLive
            },
        ),
    };
    row_with(app, entry, None, third)
}

fn set_launch(p: &mut Scenario, id: Id, day: Option<jiff::civil::Date>) {
    let new = fresh::feature(p, id, String::new()).launch;
    let Some(f) = feature_mut(p, id) else { return };
    match (day, &mut f.launch) {
        (None, launch) => *launch = Launch::Live,
        (Some(day), Launch::Planned { date, .. }) => *date = day,
        (Some(day), launch) => {
            *launch = new;
            if let Launch::Planned { date, .. } = launch {
                *date = day;
            }
        }
    }
}

fn retries_summary(app: App, id: Id) -> String {
    app.plan.with(|p| {
        let plain = feature(p, id).is_none_or(|f| {
            let zero = |q: &crate::domain::quantity::Quantity| super::spark::fixed(q) == Some(0.0);
            zero(&f.retry_probability) && zero(&f.token_drift_per_month)
        });
        if plain {
            return say(&Editor::NoneSet);
        }
        let text = |name: &str| {
            let path = FieldPath::of("features", id, name);
            let (section, _, field) = path.parts();
            match (
                p.quantity(&path),
                crate::domain::field::spec(section, field),
            ) {
                (Some(q), Some(spec)) => read::quantity_text(q, spec),
                _ => String::new(),
            }
        };
        say(&Editor::RetriesSummary {
            retries: text("retry_probability"),
            drift: text("token_drift_per_month"),
        })
    })
}

fn noise_summary(app: App, id: Id) -> String {
    app.plan.with(|p| {
        let noise = feature(p, id).map(|f| f.noise).unwrap_or_default();
        if noise == Noise::default() {
            say(&Editor::NoiseDefault)
        } else {
            say(&Editor::NoiseSummary {
                hours: format::percent(noise.hour_cv),
                burstiness: format::count_short(noise.burstiness),
            })
        }
    })
}

fn noise(app: App, id: Id) -> AnyView {
    // without a shock there is nothing to follow
    let shock = Memo::new(move |_| app.plan.with(|p| p.dependence.demand_shock.is_some()));
    let number =
        move |field: &str, unit: Unit, get: fn(&Noise) -> f64, set: fn(&mut Noise, f64)| {
            let entry = Number::new(
                FieldPath::of("features", id, field),
                unit,
                move |p| feature(p, id).map(|f| get(&f.noise)),
                move |p, v| {
                    if let Some(f) = feature_mut(p, id) {
                        set(&mut f.noise, v);
                    }
                },
            )
            .entry();
            row(app, entry, None)
        };
    view! {
        {number("hour_cv", Unit::Share, |n| n.hour_cv, |n, v| n.hour_cv = v)}
        {number("hour_persistence", Unit::One, |n| n.hour_persistence, |n, v| n.hour_persistence = v)}
        {number("burstiness", Unit::One, |n| n.burstiness, |n, v| n.burstiness = v)}
        {number("burst_persistence", Unit::One, |n| n.burst_persistence, |n, v| n.burst_persistence = v)}
        {move || shock.get().then(|| number("shock_loading", Unit::One, |n| n.shock_loading, |n, v| n.shock_loading = v))}
    }
    .into_any()
}
