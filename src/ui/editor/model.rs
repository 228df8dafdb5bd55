//! The form of a model: speed, list price, what a replica does.

use leptos::prelude::*;

use super::choices::check;
use super::frames::{Line, Parts};
use super::rows::{Number, row};
use super::{catalog, options};
use crate::domain::field::{FieldPath, Unit};
use crate::domain::scenario::{Id, Model, PriceCard, Scenario, ServingProfile};
use crate::text::{editor::Editor, say};
use crate::ui::entities::{model, model_mut};
use crate::ui::fresh;
use crate::ui::state::App;

/// The section's parts.
pub const PARTS: Parts = Parts {
    summary: |app| options::names(app, |p| p.models.iter().map(|x| x.name.clone()).collect()),
    figures: |_| String::new(),
    line,
    form,
};

fn line(app: App, id: Id) -> Line {
    let state =
        app.plan.with(
            |p| match model(p, id).map(|m| (m.price.is_some(), m.serving.is_some())) {
                Some((true, true)) => say(&Editor::ModelBoth),
                Some((true, false)) => say(&Editor::ModelPriced),
                Some((false, true)) => say(&Editor::ModelServed),
                _ => say(&Editor::ModelNowhere),
            },
        );
    Line {
        state,
        figure: String::new(),
    }
}

fn form(app: App, id: Id) -> AnyView {
    let at = move |field: &str| FieldPath::of("models", id, field);
    let number =
        move |field: &str, unit: Unit, get: fn(&Model) -> f64, set: fn(&mut Model, f64)| {
            Number::new(
                at(field),
                unit,
                move |p| model(p, id).map(get),
                move |p, v| {
                    if let Some(m) = model_mut(p, id) {
                        set(m, v);
                    }
                },
            )
            .entry()
        };
    let priced = Memo::new(move |_| {
        app.plan
            .with(|p| model(p, id).is_some_and(|m| m.price.is_some()))
    });
    let served = Memo::new(move |_| {
        app.plan
            .with(|p| model(p, id).is_some_and(|m| m.serving.is_some()))
    });
    view! {
        {row(app, number("ttft_seconds", Unit::Seconds, |m| m.ttft_seconds, |m, v| m.ttft_seconds = v), super::read::unit_words(Unit::Seconds))}
        {row(app, number("sequence_tokens_per_second", Unit::TokensPerSecond, |m| m.sequence_tokens_per_second,
            |m, v| m.sequence_tokens_per_second = v), Some(say(&Editor::TokensASecond)))}
        {row(app, Number::open(at("context_window_tokens"), Unit::Tokens, Editor::NotKnown,
            move |p| model(p, id).map(|m| m.context_window_tokens),
            move |p, x| if let Some(m) = model_mut(p, id) { m.context_window_tokens = x; }).entry(), None)}
        {check(app, at("price"), Editor::PriceTick, move |p| model(p, id).map(|m| m.price.is_some()),
            move |p, on| if let Some(m) = model_mut(p, id) { m.price = on.then(fresh::price); })}
        {move || priced.get().then(|| prices(app, id))}
        {check(app, at("serving"), Editor::ServingTick, move |p| model(p, id).map(|m| m.serving.is_some()),
            move |p, on| if let Some(m) = model_mut(p, id) { m.serving = on.then(fresh::serving); })}
        {move || served.get().then(|| serving(app, id))}
    }
    .into_any()
}

fn prices(app: App, id: Id) -> AnyView {
    let number = move |field: &str, get: fn(&PriceCard) -> f64, set: fn(&mut PriceCard, f64)| {
        let entry = Number::new(
            FieldPath::of("models", id, field),
            Unit::MoneyPerMillionTokens,
            move |p| model(p, id)?.price.as_ref().map(get),
            move |p, v| {
                if let Some(card) = model_mut(p, id).and_then(|m| m.price.as_mut()) {
                    set(card, v);
                }
            },
        )
        .entry();
        row(app, entry, Some(say(&Editor::PerMillion)))
    };
    view! {
        {number("uncached_input", |c| c.uncached_input, |c, v| c.uncached_input = v)}
        {number("cached_read", |c| c.cached_read, |c, v| c.cached_read = v)}
        {number("output", |c| c.output, |c, v| c.output = v)}
        {catalog::price_picker(app, id)}
    }
    .into_any()
}

fn serving(app: App, id: Id) -> AnyView {
    let profile = move |p: &Scenario| model(p, id).and_then(|m| m.serving);
    let change = move |p: &mut Scenario, change: &dyn Fn(&mut ServingProfile)| {
        if let Some(s) = model_mut(p, id).and_then(|m| m.serving.as_mut()) {
            change(s);
        }
    };
    let number =
        move |field: &str, get: fn(&ServingProfile) -> f64, set: fn(&mut ServingProfile, f64)| {
            let entry = Number::new(
                FieldPath::of("models", id, field),
                Unit::TokensPerSecond,
                move |p| profile(p).as_ref().map(get),
                move |p, v| change(p, &|s| set(s, v)),
            )
            .entry();
            row(app, entry, Some(say(&Editor::TokensASecond)))
        };
    let whole = move |field: &str,
                      unit: Unit,
                      get: fn(&ServingProfile) -> u32,
                      set: fn(&mut ServingProfile, u32)| {
        let entry = Number::whole(
            FieldPath::of("models", id, field),
            unit,
            move |p| profile(p).as_ref().map(get),
            move |p, v| change(p, &|s| set(s, v)),
        )
        .entry();
        row(app, entry, None)
    };
    view! {
        {whole("gpus_per_replica", Unit::Gpus, |s| s.gpus_per_replica, |s, v| s.gpus_per_replica = v)}
        {number("prefill_tokens_per_second", |s| s.prefill_tokens_per_second, |s, v| s.prefill_tokens_per_second = v)}
        {number("decode_tokens_per_second", |s| s.decode_tokens_per_second, |s, v| s.decode_tokens_per_second = v)}
        {whole("concurrent_sequences", Unit::Calls, |s| s.concurrent_sequences, |s, v| s.concurrent_sequences = v)}
        {whole("minimum_replicas", Unit::Replicas, |s| s.minimum_replicas, |s, v| s.minimum_replicas = v)}
        {catalog::serving_picker(app, id)}
    }
    .into_any()
}
