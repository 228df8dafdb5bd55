//! Lanes: where long requests run instead.

use leptos::prelude::*;

use super::choices::choice;
use super::options;
use super::rows::{Number, fold, quantity_row, row};
use crate::domain::field::{FieldPath, Unit};
use crate::domain::scenario::{Id, Lanes, Scenario};
use crate::text::{editor::Editor, format, say};
use crate::ui::entities::{feature, feature_mut};
use crate::ui::fresh;
use crate::ui::icons::{Icon, icon};
use crate::ui::state::App;

fn lanes(p: &Scenario, id: Id) -> Option<&Lanes> {
    feature(p, id)?.lanes.as_ref()
}

fn lanes_mut(p: &mut Scenario, id: Id) -> Option<&mut Lanes> {
    feature_mut(p, id)?.lanes.as_mut()
}

/// The rows, folded while all requests run in one pool.
pub fn rows(app: App, id: Id) -> AnyView {
    fold(
        say(&Editor::GroupLanes),
        move || summary(app, id),
        "fold-lanes",
        move || form(app, id),
    )
}

fn form(app: App, id: Id) -> AnyView {
    let at = move |field: &str| FieldPath::of("features", id, field);
    let on = Memo::new(move |_| app.plan.with(|p| lanes(p, id).is_some()));
    let idle = Memo::new(move |_| {
        app.plan.with(|p| {
            feature(p, id)
                .and_then(|f| Some((f, f.lanes.as_ref()?)))
                .is_some_and(|(f, long)| (long.pool, long.model) == (f.pool, f.model))
        })
    });
    view! {
        {choice(app, at("lanes"), |_| vec![
                ("one".into(), say(&Editor::LanesOne)),
                ("two".into(), say(&Editor::LanesTwo)),
            ],
            move |p| feature(p, id).map(|f| if f.lanes.is_none() { "one" } else { "two" }.to_owned()),
            move |p, v| {
                let new = (v == "two").then(|| fresh::lanes(p, id)).flatten();
                if let Some(f) = feature_mut(p, id) { f.lanes = new; }
            })}
        {move || on.get().then(|| view! {
            {row(app, Number::new(at("threshold_tokens"), Unit::Tokens,
                move |p| lanes(p, id).map(|l| l.threshold_tokens),
                move |p, v| if let Some(l) = lanes_mut(p, id) { l.threshold_tokens = v; }).entry(), None)}
            {choice(app, at("lane_model"), options::models, move |p| lanes(p, id).map(|l| l.model.0.to_string()),
                move |p, v| if let (Some(l), Ok(v)) = (lanes_mut(p, id), v.parse()) { l.model = Id(v); })}
            {choice(app, at("lane_pool"), options::pools, move |p| lanes(p, id).map(|l| l.pool.0.to_string()),
                move |p, v| if let (Some(l), Ok(v)) = (lanes_mut(p, id), v.parse()) { l.pool = Id(v); })}
            {move || idle.get().then(|| view! {
                <div class="message warn" role="status" data-testid="lanes-idle">{icon(Icon::Warning)}<span>{say(&Editor::LanesIdle)}</span></div>
            })}
            {quantity_row(app, at("misrouted_short"))}
            {quantity_row(app, at("misrouted_long"))}
            {row(app, Number::new(at("triage_cost_per_request"), Unit::Money,
                move |p| lanes(p, id).map(|l| l.triage_cost_per_request),
                move |p, v| if let Some(l) = lanes_mut(p, id) { l.triage_cost_per_request = v; }).entry(), None)}
        })}
        <p class="form-hint">{say(&Editor::LanesHint)}</p>
    }
    .into_any()
}

fn summary(app: App, id: Id) -> String {
    app.plan.with(|p| match lanes(p, id) {
        None => say(&Editor::LanesOne),
        Some(lanes) => say(&Editor::LanesSummary {
            tokens: format::count_short(lanes.threshold_tokens),
            pool: p
                .pools
                .iter()
                .find(|x| x.id == lanes.pool)
                .map_or_else(String::new, |x| x.name.clone()),
        }),
    })
}
