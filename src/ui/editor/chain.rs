//! The request chain at the top of a feature: fan-out as a product, before any run.

use leptos::prelude::*;

use super::read;
use crate::domain::distribution::Distribution;
use crate::domain::field::{FieldPath, spec};
use crate::domain::scenario::{Id, Scenario};
use crate::text::{editor::Editor, format, say};
use crate::ui::entities::feature;
use crate::ui::state::App;

fn fit(p: &Scenario, id: Id, name: &str) -> Option<Distribution> {
    let spec = spec("features", name)?;
    let quantity = p.quantity(&FieldPath::of("features", id, name))?;
    Distribution::fit(quantity, spec.domain)
        .ok()
        .map(|f| f.distribution)
}

/// Mean requests a day, calls a request (retries included), tokens a call.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Means {
    requests: Option<f64>,
    calls: Option<f64>,
    tokens: Option<f64>,
}

fn means(p: &Scenario, id: Id) -> Means {
    let mean = |name| fit(p, id, name).map(|d| d.mean());
    let calls = fit(p, id, "calls_per_request").map(|d| (d.mean(), d.sd()));
    let attempts = mean("retry_probability").map(|q| {
        let most = feature(p, id).map_or(0, |f| f.max_retries).min(64);
        (0..=most)
            .fold((0.0, 1.0), |(sum, power), _| (sum + power, power * q))
            .0
    });
    let tokens = (|| {
        let (m, sd) = calls?;
        // calls 1 … M read 0, 1, … M−1 times what is added per call
        let added = mean("context_growth_tokens")? * (m * m + sd * sd - m).max(0.0) / 2.0 / m;
        let input = mean("input_tokens")? * mean("input_tokens_level")?;
        let output = mean("output_tokens")? * mean("output_tokens_level")?;
        Some(input + added + output)
    })();
    Means {
        requests: mean("requests_per_day"),
        calls: calls.and_then(|(m, _)| Some(m * attempts?)),
        tokens,
    }
}

/// The chain; each part leads to its field.
pub fn chain(app: App, id: Id) -> AnyView {
    let means = Memo::new(move |_| app.plan.with(|p| means(p, id)));
    let path = move |name: &str| FieldPath::of("features", id, name);
    let bad = move |names: &'static [&'static str]| {
        names.iter().any(|n| {
            let path = path(n);
            app.bad_entries.with(|b| b.contains_key(&path)) || read::has_problem(app, &path)
        })
    };
    let part = move |names: &'static [&'static str],
                     sign: &'static str,
                     unit: Editor,
                     pick: fn(&Means) -> Option<f64>| {
        let wrong = Memo::new(move |_| bad(names));
        let text = move || {
            let value = means.with(pick).filter(|_| !wrong.get());
            format!(
                "{sign}{}",
                value.map_or_else(|| "?".to_owned(), format::count_short)
            )
        };
        view! {
            <button class="chain-part" class:wrong=move || wrong.get() type="button" on:click=move |_| app.select_field(path(names[0]))>
                <b>{text}</b><span>{say(&unit)}</span>
            </button>
        }
    };
    let total = move || {
        let all = means.with(|m| Some(m.requests? * m.calls? * m.tokens?));
        let wrong = bad(&["requests_per_day"]) || bad(&["calls_per_request"]) || bad(TOKENS);
        let text = all
            .filter(|_| !wrong)
            .map_or_else(|| "?".to_owned(), format::count_short);
        format!("= {text}")
    };
    view! {
        <div class="chain" data-testid=format!("chain-{}", id.0)>
            {part(&["requests_per_day"], "", Editor::ChainRequests, |m| m.requests)}
            {part(&["calls_per_request"], "\u{d7} ", Editor::ChainCalls, |m| m.calls)}
            {part(TOKENS, "\u{d7} ", Editor::ChainTokens, |m| m.tokens)}
            <div class="chain-part total"><b>{total}</b><span>{say(&Editor::ChainTotal)}</span></div>
        </div>
    }
    .into_any()
}

const TOKENS: &[&str] = &[
    "input_tokens",
    "output_tokens",
    "context_growth_tokens",
    "input_tokens_level",
    "output_tokens_level",
];
