//! Starting values from the catalog, each with its date and how sure it is; the source goes into the field's note.

use leptos::{ev, prelude::*};

use super::hint;
use crate::catalog::{self, Confidence, Origin, Region};
use crate::domain::field::{FieldPath, spec};
use crate::domain::quantity::{Quantity, Shape};
use crate::domain::scenario::{CommitmentKind, Id, PoolKind, Scenario};
use crate::text::{editor::Editor, format, hints::About, say};
use crate::ui::entities;
use crate::ui::state::App;

/// Prices in the catalog's currency.
fn price(amount: f64) -> String {
    format::money_short(amount, catalog::currency())
}

/// What, as of when, how sure.
fn dated(what: String, origin: &Origin, confidence: Confidence) -> String {
    let sure = match confidence {
        Confidence::Primary => Editor::Primary,
        Confidence::Secondary => Editor::Secondary,
        Confidence::Weak => Editor::Weak,
    };
    say(&Editor::Preset {
        what,
        date: origin.as_of.clone(),
        sure: say(&sure),
    })
}

fn put_note(plan: &mut Scenario, section: &str, id: Id, field: &str, origin: &Origin, what: &str) {
    let mut note = origin.as_note();
    note.text = if note.text.is_empty() {
        what.to_owned()
    } else {
        format!("{what}: {}", note.text)
    };
    // notes have a limit; the source stands beside the text
    note.text = note.text.chars().take(500).collect();
    note.source = note.source.chars().take(500).collect();
    plan.notes.insert(FieldPath::of(section, id, field), note);
}

/// A choice that acts and goes back to its first line.
fn picker(
    app: App,
    testid: String,
    words: Editor,
    options: Vec<String>,
    about: About,
    choose: impl Fn(&mut Scenario, usize) + Send + Sync + 'static,
) -> AnyView {
    let names = options.clone();
    let change = move |ev: ev::Event| {
        let select = event_target::<web_sys::HtmlSelectElement>(&ev);
        let chosen = select.value().parse::<usize>().ok();
        select.set_selected_index(0);
        if let Some(i) = chosen
            && let Some(what) = names.get(i)
        {
            app.commit(&Editor::FromCatalog { what: what.clone() }, |p| {
                choose(p, i)
            });
        }
    };
    let label = say(&words);
    let sentence = hint::about(&testid, &about);
    view! {
        <div class="catalog">
            <select class="choice" aria-describedby=format!("{testid}{}", hint::END) data-testid=testid aria-label=label.clone() on:change=change>
                <option value="" selected=true>{label.clone()}</option>
                {options.into_iter().enumerate().map(|(i, words)| view! { <option value=i.to_string()>{words}</option> }).collect_view()}
            </select>
            {sentence}
        </div>
    }
    .into_any()
}

/// A contract's rate.
pub fn rate_picker(app: App, id: Id) -> AnyView {
    let rates: Vec<_> = catalog::gpu_rates()
        .iter()
        .flat_map(|r| r.committed.iter().map(move |c| (r, *c)))
        .collect();
    let words = rates
        .iter()
        .map(|(r, c)| {
            let what = say(&Editor::PresetCommitted {
                provider: r.provider.clone(),
                gpu: r.gpu.clone(),
                rate: price(c.per_gpu_hour),
                months: c.term_months,
            });
            dated(what, &r.origin, c.confidence)
        })
        .collect::<Vec<_>>();
    let said = words.clone();
    picker(
        app,
        format!("catalog-rate-{}", id.0),
        Editor::PickRate,
        words,
        About::Catalog,
        move |p, i| {
            let (rate, committed) = rates[i];
            if let Some(c) = entities::commitment_mut(p, id)
                && let CommitmentKind::ReservedCapacity {
                    rate_per_gpu_hour, ..
                } = &mut c.kind
            {
                *rate_per_gpu_hour = committed.per_gpu_hour;
                c.term_months = committed.term_months;
                put_note(
                    p,
                    "commitments",
                    id,
                    "rate_per_gpu_hour",
                    &rate.origin,
                    &said[i],
                );
            }
        },
    )
}

/// A cluster's on-demand rate.
pub fn on_demand_picker(app: App, id: Id) -> AnyView {
    let rates = catalog::gpu_rates();
    let words: Vec<_> = rates
        .iter()
        .map(|r| {
            let what = say(&Editor::PresetOnDemand {
                provider: r.provider.clone(),
                gpu: r.gpu.clone(),
                rate: price(r.on_demand_per_gpu_hour),
            });
            dated(what, &r.origin, r.origin.confidence)
        })
        .collect();
    let said = words.clone();
    picker(
        app,
        format!("catalog-on-demand-{}", id.0),
        Editor::PickOnDemand,
        words,
        About::Catalog,
        move |p, i| {
            if let Some(PoolKind::GpuCluster {
                on_demand_rate_per_gpu_hour,
                ..
            }) = entities::pool_mut(p, id).map(|x| &mut x.kind)
            {
                *on_demand_rate_per_gpu_hour = rates[i].on_demand_per_gpu_hour;
                put_note(
                    p,
                    "pools",
                    id,
                    "on_demand_rate_per_gpu_hour",
                    &rates[i].origin,
                    &said[i],
                );
            }
        },
    )
}

/// A key's limits.
pub fn limits_picker(app: App, id: Id) -> AnyView {
    let limits = catalog::rate_limits();
    let words: Vec<_> = limits
        .iter()
        .map(|l| {
            dated(
                format!("{} {}", l.provider, l.what),
                &l.origin,
                l.origin.confidence,
            )
        })
        .collect();
    let said = words.clone();
    picker(
        app,
        format!("catalog-limits-{}", id.0),
        Editor::PickLimits,
        words,
        About::Catalog,
        move |p, i| {
            let l = &limits[i];
            if let Some(x) = entities::pool_mut(p, id)
                && matches!(x.kind, PoolKind::PayAsYouGo { .. })
            {
                x.kind = PoolKind::PayAsYouGo {
                    tokens_per_minute: l.tokens_per_minute,
                    requests_per_minute: l.requests_per_minute,
                    cached_reads_count: l.cached_reads_count,
                };
                put_note(p, "pools", id, "tokens_per_minute", &l.origin, &said[i]);
            }
        },
    )
}

/// A model's prices.
pub fn price_picker(app: App, id: Id) -> AnyView {
    let prices = catalog::api_prices();
    let words: Vec<_> = prices
        .iter()
        .map(|x| {
            let what = say(&Editor::PresetPrice {
                model: x.model.clone(),
                input: price(x.uncached_input),
                output: price(x.output),
            });
            dated(what, &x.origin, x.origin.confidence)
        })
        .collect();
    let said = words.clone();
    picker(
        app,
        format!("catalog-price-{}", id.0),
        Editor::PickPrice,
        words,
        About::Catalog,
        move |p, i| {
            if let Some(m) = entities::model_mut(p, id) {
                m.price = Some(prices[i].card());
                put_note(p, "models", id, "price", &prices[i].origin, &said[i]);
            }
        },
    )
}

/// A model's serving profile.
pub fn serving_picker(app: App, id: Id) -> AnyView {
    let profiles = catalog::serving_profiles();
    let words: Vec<_> = profiles
        .iter()
        .map(|x| {
            let what = say(&Editor::PresetServing {
                model: x.model.clone(),
                gpu: x.gpu.clone(),
                count: x.gpus_per_replica,
            });
            dated(what, &x.origin, x.origin.confidence)
        })
        .collect();
    let said = words.clone();
    picker(
        app,
        format!("catalog-serving-{}", id.0),
        Editor::PickServing,
        words,
        About::Catalog,
        move |p, i| {
            if let Some(m) = entities::model_mut(p, id) {
                m.serving = Some(profiles[i].profile());
                put_note(p, "models", id, "serving", &profiles[i].origin, &said[i]);
            }
        },
    )
}

/// A season's dates, and its factor where one was measured.
pub fn season_picker(app: App, id: Id) -> AnyView {
    let seasons = catalog::seasons();
    let words: Vec<_> = seasons
        .iter()
        .map(|s| dated(s.name.clone(), &s.origin, s.origin.confidence))
        .collect();
    let said = words.clone();
    picker(
        app,
        format!("catalog-season-{}", id.0),
        Editor::PickSeason,
        words,
        About::Catalog,
        move |p, i| {
            let preset = &seasons[i];
            let measured = preset.measured.first();
            if let Some(s) = entities::season_mut(p, id) {
                s.name.clone_from(&preset.name);
                s.dates.clone_from(&preset.dates);
                s.yearly = false;
                if let Some(change) = measured.filter(|c| c.low > -1.0 && c.high > c.low) {
                    s.multiplier = Shape::Between {
                        p10: 1.0 + change.low,
                        p90: 1.0 + change.high,
                    }
                    .into();
                }
                put_note(p, "seasons", id, "dates", &preset.origin, &said[i]);
                if let Some(change) = measured {
                    let origin = Origin {
                        confidence: change.confidence,
                        as_of: preset.origin.as_of.clone(),
                        source: change.source.clone(),
                        note: change.what.clone(),
                    };
                    put_note(p, "seasons", id, "multiplier", &origin, &said[i]);
                }
            }
        },
    )
}

/// Adds a window for every holiday of a region.
pub fn calendar_picker(app: App) -> AnyView {
    let words = Region::ALL.map(|region| {
        say(&match region {
            Region::Us => Editor::CalendarUs,
            Region::Eu => Editor::CalendarEu,
            Region::Cn => Editor::CalendarCn,
            Region::In => Editor::CalendarIn,
        })
    });
    picker(
        app,
        "catalog-calendar".to_owned(),
        Editor::PickCalendar,
        words.to_vec(),
        About::Calendar,
        |p, i| {
            for preset in catalog::calendar(Region::ALL[i]) {
                // a holiday that two calendars share comes once
                if p.seasons.iter().any(|s| s.dates == preset.dates) {
                    continue;
                }
                let id = entities::add(p, entities::Section::Seasons, &preset.name);
                if let Some(s) = entities::season_mut(p, id) {
                    s.dates.clone_from(&preset.dates);
                    s.yearly = false;
                    s.multiplier = preset.multiplier();
                }
                let what = dated(
                    preset.name.clone(),
                    &preset.origin,
                    preset.origin.confidence,
                );
                put_note(p, "seasons", id, "dates", &preset.origin, &what);
            }
        },
    )
}

/// The shape of a feature's requests.
pub fn request_picker(app: App, id: Id) -> AnyView {
    let profiles = catalog::request_profiles();
    let words: Vec<_> = profiles
        .iter()
        .map(|x| dated(x.name.clone(), &x.origin, x.origin.confidence))
        .collect();
    let said = words.clone();
    picker(
        app,
        format!("catalog-request-{}", id.0),
        Editor::PickRequest,
        words,
        About::Catalog,
        move |p, i| {
            let preset = &profiles[i];
            let found = [
                ("calls_per_request", preset.calls_per_request),
                ("input_tokens", preset.input_tokens),
                ("output_tokens", preset.output_tokens),
            ];
            let mut filled: Vec<(&str, Quantity)> = found
                .into_iter()
                .filter_map(|(field, m)| Some((field, m?.entry(spec("features", field)?.domain))))
                .collect();
            filled.extend(
                preset
                    .cached_share
                    .map(|s| ("cached_share", Quantity::fixed(s))),
            );
            for (field, quantity) in filled {
                let path = FieldPath::of("features", id, field);
                if let Some(q) = p.quantity_mut(&path) {
                    *q = quantity;
                    put_note(p, "features", id, field, &preset.origin, &said[i]);
                }
            }
        },
    )
}
