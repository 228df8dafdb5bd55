//! What moves together: the shared demand shock, and pairs of uncertain numbers.

use std::sync::Arc;

use leptos::{ev, prelude::*};

use super::choices::below;
use super::entry::{Entry, Reading, Rejected};
use super::rows::{Number, fold, inline, inline_messages, row};
use super::{hint, read};
use crate::domain::dependence::{Correlation, DemandShock, factor, nearest};
use crate::domain::field::{FieldPath, Unit};
use crate::domain::quantity::Kind;
use crate::domain::scenario::Scenario;
use crate::text::{editor::Editor, fields, hints::About, say};
use crate::ui::field_id;
use crate::ui::icons::{Icon, icon};
use crate::ui::state::App;

/// The shock that is there after the tick.
const USUAL: DemandShock = DemandShock {
    deviation: 0.15,
    weekly_persistence: 0.7,
};

/// How closely, in the order of the screen.
const STEPS: [f64; 6] = [0.8, 0.5, 0.2, -0.2, -0.5, -0.8];

fn closeness(rank: f64) -> String {
    let how = match rank.abs() {
        r if r >= 0.65 => Editor::Closely,
        r if r >= 0.35 => Editor::Clearly,
        _ => Editor::Weakly,
    };
    let how = say(&how);
    if rank < 0.0 {
        say(&Editor::TheOtherWay { how })
    } else {
        how
    }
}

/// Both, folded to a line while nothing moves together.
pub fn together(app: App) -> AnyView {
    let summary = move || {
        app.plan.with(|p| {
            let count = u32::try_from(p.dependence.correlations.len()).unwrap_or(u32::MAX);
            match (p.dependence.demand_shock, count) {
                (None, 0) => say(&Editor::NothingTogether),
                (None, count) => say(&Editor::PairsTogether { count }),
                (Some(_), 0) => say(&Editor::ShockTogether),
                (Some(_), count) => say(&Editor::ShockAndPairs { count }),
            }
        })
    };
    fold(
        say(&Editor::MovesTogether),
        summary,
        "fold-together",
        move || {
            view! {
                {shock(app)}
                {pairs(app, None)}
            }
            .into_any()
        },
    )
}

fn shock(app: App) -> AnyView {
    let on = Memo::new(move |_| app.plan.with(|p| p.dependence.demand_shock.is_some()));
    let change = move |ev: ev::Event| {
        let on = event_target_checked(&ev);
        let what = say(&fields::Field::DemandShock);
        app.commit(&Editor::Changed { what }, |p| {
            p.dependence.demand_shock = on.then_some(USUAL);
        });
    };
    let number = move |name: &str, get: fn(&DemandShock) -> f64, set: fn(&mut DemandShock, f64)| {
        let entry = Number::new(
            FieldPath::plain("dependence", name),
            Unit::One,
            move |p| p.dependence.demand_shock.as_ref().map(get),
            move |p, v| {
                if let Some(shock) = &mut p.dependence.demand_shock {
                    set(shock, v);
                }
            },
        )
        .entry();
        row(app, entry, None)
    };
    let path = FieldPath::plain("dependence", "demand_shock");
    let id = field_id(&path);
    view! {
        <div class="field wide">
            <span class="label-like">{fields::label(&path)}</span>
            <div class="value plain"><label class="tick"><input type="checkbox" data-testid="demand-shock" aria-describedby=hint::described_by(&id)
                prop:checked=move || on.get() on:change=change/><span>{say(&Editor::ShockTick)}</span></label></div>
            {below(&path)}
        </div>
        {move || on.get().then(|| view! {
            {number("deviation", |s| s.deviation, |s, v| s.deviation = v)}
            {number("weekly_persistence", |s| s.weekly_persistence, |s, v| s.weekly_persistence = v)}
        })}
    }
    .into_any()
}

fn pair_path(index: usize) -> FieldPath {
    FieldPath::plain("dependence", &format!("correlations/{index}"))
}

/// The text box of a pair's rank correlation. A value that contradicts the other pairs offers the nearest that does not.
fn rank_entry(index: usize) -> Entry {
    Entry::new(
        pair_path(index),
        move |p| {
            let pair = p.dependence.correlations.get(index)?;
            Some(read::number_text(pair.rank, Unit::One, ""))
        },
        move |text, p| {
            let rank = read::number(text, Unit::One)?;
            let mut pairs = p.dependence.correlations.clone();
            if let Some(pair) = pairs.get_mut(index) {
                pair.rank = rank;
            }
            if (-1.0..=1.0).contains(&rank)
                && factor(&pairs).is_none()
                && let Some(nearest) = nearest(&pairs, index)
            {
                let nearest = read::number_text(nearest, Unit::One, "");
                let words = Editor::UseNearest {
                    rank: read::number_text(rank, Unit::One, ""),
                    nearest: nearest.clone(),
                };
                return Err(Rejected {
                    message: say(&Editor::Contradiction),
                    fixes: vec![(say(&words), nearest)],
                });
            }
            Ok(Reading {
                echo: Some(closeness(rank)),
                apply: Arc::new(move |p| {
                    if let Some(pair) = p.dependence.correlations.get_mut(index) {
                        pair.rank = rank;
                    }
                }),
            })
        },
    )
}

/// Uncertain numbers that may move together.
fn inputs(p: &Scenario) -> Vec<(FieldPath, String)> {
    p.quantities()
        .into_iter()
        .filter(|(path, spec, _)| spec.kind == Kind::Uncertain && p.may_correlate(path))
        .map(|(path, ..)| {
            let words = fields::label_of(p, &path);
            (path, words)
        })
        .collect()
}

fn add(app: App, a: &FieldPath, b: &FieldPath) {
    app.commit(
        &Editor::Added {
            what: say(&Editor::MovesTogether),
        },
        |p| {
            let pairs = &mut p.dependence.correlations;
            if a == b || pairs.iter().any(|c| c.is_of(a, b)) {
                return;
            }
            pairs.push(Correlation {
                a: a.clone(),
                b: b.clone(),
                rank: 0.5,
            });
            let last = pairs.len() - 1;
            if factor(pairs).is_none() {
                let rank = nearest(pairs, last).unwrap_or(0.0);
                pairs[last].rank = rank;
            }
        },
    );
}

/// The pairs, all or those of one number, and a choice for one more.
pub fn pairs(app: App, of: Option<FieldPath>) -> AnyView {
    let listed = {
        let of = of.clone();
        Memo::new(move |_| {
            app.plan.with(|p| {
                let all = p.dependence.correlations.iter().enumerate();
                all.filter_map(|(i, c)| {
                    let words = match &of {
                        None => say(&Editor::PairOf {
                            a: fields::label_of(p, &c.a),
                            b: fields::label_of(p, &c.b),
                        }),
                        Some(path) => fields::label_of(p, c.other(path)?),
                    };
                    Some((i, words, c.rank))
                })
                .collect::<Vec<_>>()
            })
        })
    };
    let first = RwSignal::new(of.clone());
    let choices = Memo::new(move |_| app.plan.with(|p| inputs(p)));
    let needs_first = of.is_none();
    // both lists can be on the page at once
    let about = if needs_first { "pairs" } else { "pairs-of" };
    let select = move |testid: &'static str, words: Editor, chosen: Callback<FieldPath>| {
        let label = say(&words);
        view! {
            <select class="choice" data-testid=testid aria-describedby=format!("{about}{}", hint::END) aria-label=label.clone() on:change=move |ev: ev::Event| {
                let select = event_target::<web_sys::HtmlSelectElement>(&ev);
                let index = select.value().parse::<usize>().ok();
                if let Some((path, _)) = index.and_then(|i| choices.with_untracked(|c| c.get(i).cloned())) {
                    chosen.run(path);
                }
            }>
                <option value="" selected=true>{label.clone()}</option>
                {move || choices.get().into_iter().enumerate().map(|(i, (_, words))| view! { <option value=i.to_string()>{words}</option> }).collect_view()}
            </select>
        }
    };
    let choose_first = Callback::new(move |path: FieldPath| first.set(Some(path)));
    let choose_second = Callback::new(move |path: FieldPath| {
        if let Some(a) = first.get_untracked() {
            add(app, &a, &path);
        }
    });
    view! {
        <div class="pairs" data-testid="pairs">
            {move || listed.get().into_iter().map(|(index, words, rank)| pair(app, index, words, rank)).collect_view()}
            <div class="panel-line">
                {needs_first.then(|| select("pair-first", Editor::PairFirst, choose_first))}
                {select("pair-second", Editor::PairWith, choose_second)}
            </div>
            {hint::about(about, &About::Pair)}
        </div>
    }
    .into_any()
}

fn pair(app: App, index: usize, words: String, rank: f64) -> AnyView {
    let entry = rank_entry(index);
    let set = move |ev: ev::Event| {
        let value = event_target_value(&ev);
        if !value.is_empty() {
            rank_entry(index).keep(app, &value);
        }
    };
    let remove = move |_| {
        let what = say(&Editor::MovesTogether);
        app.commit(&Editor::Deleted { what }, |p| {
            if index < p.dependence.correlations.len() {
                p.dependence.correlations.remove(index);
            }
        });
    };
    let label = say(&Editor::HowClosely);
    let id = field_id(&entry.path);
    view! {
        <div class="panel-line">
            <span>{words}</span><span class="grow"></span>
            <select class="choice" aria-label=label aria-describedby=format!("{id}{}", hint::END) on:change=set>
                <option value="" selected=true>{closeness(rank)}</option>
                {STEPS.map(|s| view! { <option value=s.to_string()>{format!("{} ({s})", closeness(s))}</option> })}
            </select>
            {inline(entry.clone())}
            <button class="button ghost square compact" type="button" aria-label=say(&Editor::RemovePair) on:click=remove>{icon(Icon::Cross)}</button>
        </div>
        {inline_messages(vec![entry])}
    }
    .into_any()
}
