//! The form of a contract: a sentence whose values are fields.

use leptos::prelude::*;

use super::choices::{Options, below, select};
use super::frames::{Line, Parts};
use super::rows::{Number, day, inline, inline_messages, note_button};
use super::strip::strip;
use super::{catalog, hint, options};
use crate::domain::calendar::{term_end, term_last_day, zone};
use crate::domain::field::{FieldPath, Unit};
use crate::domain::scenario::{Commitment, CommitmentKind, Id, PoolKind, Scenario, SpendBasis};
use crate::text::{Message, Piece, editor::Editor, fields, format, hints::About, pieces, say};
use crate::ui::entities::{commitment, commitment_mut, is_cluster};
use crate::ui::fresh;
use crate::ui::state::App;

/// The section's parts.
pub const PARTS: Parts = Parts {
    summary: |app| {
        let committed = app.plan.with(|p| {
            p.commitments
                .iter()
                .filter_map(|c| total(p, c))
                .sum::<f64>()
        });
        let currency = app.plan.with(|p| p.settings.currency.clone());
        if committed > 0.0 {
            say(&Editor::CommittedInAll {
                amount: format::money(committed, &currency),
            })
        } else {
            options::names(app, |p| {
                p.commitments.iter().map(|c| c.name.clone()).collect()
            })
        }
    },
    figures: |app| options::first_year(app),
    line,
    form,
};

fn line(app: App, id: Id) -> Line {
    let state = app.plan.with(|p| {
        commitment(p, id).map_or_else(String::new, |c| {
            say(&Editor::ContractSpan {
                start: format::date(c.start),
                months: c.term_months,
            })
        })
    });
    let figure = options::answer(app, |projection, money| {
        let c = projection.commitments.iter().find(|c| c.id == id)?;
        Some(money(
            c.used.years.first()?.mean + c.unused.years.first()?.mean,
        ))
    });
    Line { state, figure }
}

/// Hours of a contract's term, with the clocks of the plan's zone.
fn hours(p: &Scenario, c: &Commitment) -> Option<f64> {
    let tz = zone(&p.settings.time_zone).ok()?;
    let instant = |day: jiff::civil::Date| {
        tz.to_ambiguous_timestamp(day.at(0, 0, 0, 0))
            .compatible()
            .ok()
    };
    let (start, end) = (
        instant(c.start)?,
        instant(term_end(c.start, c.term_months))?,
    );
    let hours = end.duration_since(start).as_secs_f64() / 3600.0;
    (hours > 0.0).then_some(hours)
}

/// Fee over the whole term.
fn total(p: &Scenario, c: &Commitment) -> Option<f64> {
    let hours = hours(p, c)?;
    Some(match c.kind {
        CommitmentKind::ReservedCapacity {
            gpus,
            rate_per_gpu_hour,
            ..
        } => f64::from(gpus) * rate_per_gpu_hour * hours,
        CommitmentKind::SpendCommitment {
            amount_per_hour,
            discount,
            basis,
        } => {
            let paid = match basis {
                SpendBasis::Discounted => amount_per_hour,
                SpendBasis::List => amount_per_hour * (1.0 - discount),
            };
            paid * hours
        }
    })
}

macro_rules! of_kind {
    ($kind:ident $field:ident) => {
        (
            move |p: &Scenario, id: Id| match commitment(p, id).map(|c| &c.kind) {
                Some(CommitmentKind::$kind { $field, .. }) => Some(*$field),
                _ => None,
            },
            move |p: &mut Scenario, id: Id, v| {
                if let Some(CommitmentKind::$kind { $field, .. }) =
                    commitment_mut(p, id).map(|c| &mut c.kind)
                {
                    *$field = v;
                }
            },
        )
    };
}

fn form(app: App, id: Id) -> AnyView {
    let reserved = Memo::new(move |_| {
        app.plan.with(|p| {
            matches!(
                commitment(p, id).map(|c| &c.kind),
                Some(CommitmentKind::ReservedCapacity { .. })
            )
        })
    });
    view! {
        <div class="segments" role="group" aria-label=say(&Editor::KindOfContract)>
            {kind_button(app, id, reserved, true)}
            {kind_button(app, id, reserved, false)}
        </div>
        {hint::about(&kind_id(id), &About::KindOfContract)}
        {move || if reserved.get() { reserved_form(app, id) } else { spend_form(app, id) }}
        {strip(app, id)}
        {facts(app, id)}
    }
    .into_any()
}

fn kind_id(id: Id) -> String {
    format!("contract-{}-kind", id.0)
}

fn kind_button(app: App, id: Id, reserved: Memo<bool>, for_reserved: bool) -> AnyView {
    let choose = move |_| {
        let what = app
            .plan
            .with_untracked(|p| fields::entity_name(p, id).unwrap_or_default().to_owned());
        app.commit(&Editor::Changed { what }, |p| {
            let clusters: Vec<Id> = p
                .pools
                .iter()
                .map(|x| x.id)
                .filter(|x| is_cluster(p, *x))
                .collect();
            let cluster = clusters.first().copied().unwrap_or(Id(0));
            if let Some(c) = commitment_mut(p, id)
                && matches!(c.kind, CommitmentKind::ReservedCapacity { .. }) != for_reserved
            {
                // the terms that it had when it was last of this kind
                let before = app
                    .kinds
                    .try_update_value(|k| k.insert(id, c.kind.clone()))
                    .flatten();
                c.kind = match before {
                    Some(CommitmentKind::ReservedCapacity {
                        gpus,
                        rate_per_gpu_hour,
                        upfront_share,
                        pool,
                    }) if for_reserved => CommitmentKind::ReservedCapacity {
                        pool: if clusters.contains(&pool) {
                            pool
                        } else {
                            cluster
                        },
                        gpus,
                        rate_per_gpu_hour,
                        upfront_share,
                    },
                    Some(spend @ CommitmentKind::SpendCommitment { .. }) if !for_reserved => spend,
                    _ if for_reserved => fresh::reserved(cluster),
                    _ => fresh::spend_commitment(),
                };
            }
        });
    };
    let words = if for_reserved {
        Editor::KindCapacity
    } else {
        Editor::KindSpend
    };
    view! {
        <button type="button" aria-describedby=format!("{}{}", kind_id(id), hint::END) aria-pressed=move || (reserved.get() == for_reserved).to_string() on:click=choose>{say(&words)}</button>
    }
    .into_any()
}

/// A sentence whose parts are views.
fn sentence(message: &impl Message, part: impl Fn(&str) -> AnyView) -> AnyView {
    let parts = pieces(message)
        .into_iter()
        .map(|piece| match piece {
            Piece::Text(text) => view! { <span>{text}</span> }.into_any(),
            Piece::Part(name, _) => part(name),
        })
        .collect_view();
    view! { <div class="sentence">{parts}</div> }.into_any()
}

fn start_and_term(id: Id) -> (super::entry::Entry, super::entry::Entry) {
    let at = move |field: &str| FieldPath::of("commitments", id, field);
    (
        day(
            at("start"),
            None,
            move |p| commitment(p, id).map(|c| Some(c.start)),
            move |p, d| {
                if let (Some(c), Some(d)) = (commitment_mut(p, id), d) {
                    c.start = d;
                }
            },
        ),
        Number::whole(
            at("term_months"),
            Unit::Months,
            move |p| commitment(p, id).map(|c| c.term_months),
            move |p, v| {
                if let Some(c) = commitment_mut(p, id) {
                    c.term_months = v;
                }
            },
        )
        .entry(),
    )
}

/// The text box of the committed GPUs.
pub fn gpus_entry(id: Id) -> super::entry::Entry {
    let (get, set) = of_kind!(ReservedCapacity gpus);
    Number::whole(
        FieldPath::of("commitments", id, "gpus"),
        Unit::Gpus,
        move |p| get(p, id),
        move |p, v| set(p, id, v),
    )
    .entry()
}

/// The text box of the committed spend an hour.
pub fn amount_entry(id: Id) -> super::entry::Entry {
    let (get, set) = of_kind!(SpendCommitment amount_per_hour);
    Number::new(
        FieldPath::of("commitments", id, "amount_per_hour"),
        Unit::MoneyPerHour,
        move |p| get(p, id),
        move |p, v| set(p, id, v),
    )
    .entry()
}

fn reserved_form(app: App, id: Id) -> AnyView {
    let at = move |field: &str| FieldPath::of("commitments", id, field);
    let (start, term) = start_and_term(id);
    let gpus = gpus_entry(id);
    let (get, set) = of_kind!(ReservedCapacity rate_per_gpu_hour);
    let rate = Number::new(
        at("rate_per_gpu_hour"),
        Unit::MoneyPerGpuHour,
        move |p| get(p, id),
        move |p, v| set(p, id, v),
    )
    .entry();
    let (get, set) = of_kind!(ReservedCapacity upfront_share);
    let upfront = Number::new(
        at("upfront_share"),
        Unit::Share,
        move |p| get(p, id),
        move |p, v| set(p, id, v),
    )
    .entry();
    let message = Editor::ReservedSentence {
        gpus: " ".into(),
        pool: " ".into(),
        start: " ".into(),
        months: " ".into(),
        rate: " ".into(),
        upfront: " ".into(),
    };
    let boxes = vec![
        gpus.clone(),
        start.clone(),
        term.clone(),
        rate.clone(),
        upfront.clone(),
    ];
    view! {
        {sentence(&message, |part| match part {
            "gpus" => with_note(app, gpus.clone()),
            "pool" => pool_select(app, id),
            "start" => inline(start.clone()),
            "months" => inline(term.clone()),
            "rate" => with_note(app, rate.clone()),
            _ => inline(upfront.clone()),
        })}
        {below(&at("pool"))}
        {inline_messages(boxes)}
        {catalog::rate_picker(app, id)}
    }
    .into_any()
}

fn with_note(app: App, entry: super::entry::Entry) -> AnyView {
    let note = note_button(app, &entry.path);
    view! { <span class="noted-box">{inline(entry)}{note}</span> }.into_any()
}

fn clusters(p: &Scenario) -> Options {
    p.pools
        .iter()
        .filter(|x| matches!(x.kind, PoolKind::GpuCluster { .. }))
        .map(|x| (x.id.0.to_string(), x.name.clone()))
        .collect()
}

fn pool_select(app: App, id: Id) -> AnyView {
    let picker = select(
        app,
        FieldPath::of("commitments", id, "pool"),
        clusters,
        move |p| match commitment(p, id).map(|c| &c.kind) {
            Some(CommitmentKind::ReservedCapacity { pool, .. }) => Some(pool.0.to_string()),
            _ => None,
        },
        move |p, v| {
            if let (Some(CommitmentKind::ReservedCapacity { pool, .. }), Ok(v)) =
                (commitment_mut(p, id).map(|c| &mut c.kind), v.parse())
            {
                *pool = Id(v);
            }
        },
    );
    view! { <span class="value inline select">{picker}</span> }.into_any()
}

fn spend_form(app: App, id: Id) -> AnyView {
    let at = move |field: &str| FieldPath::of("commitments", id, field);
    let (start, term) = start_and_term(id);
    let amount = amount_entry(id);
    let (get, set) = of_kind!(SpendCommitment discount);
    let discount = Number::new(
        at("discount"),
        Unit::Share,
        move |p| get(p, id),
        move |p, v| set(p, id, v),
    )
    .entry();
    let message = Editor::SpendSentence {
        amount: " ".into(),
        basis: " ".into(),
        start: " ".into(),
        months: " ".into(),
        discount: " ".into(),
    };
    let boxes = vec![
        amount.clone(),
        start.clone(),
        term.clone(),
        discount.clone(),
    ];
    view! {
        {sentence(&message, |part| match part {
            "amount" => with_note(app, amount.clone()),
            "basis" => basis_select(app, id),
            "start" => inline(start.clone()),
            "months" => inline(term.clone()),
            _ => with_note(app, discount.clone()),
        })}
        {below(&at("basis"))}
        {inline_messages(boxes)}
    }
    .into_any()
}

fn basis_select(app: App, id: Id) -> AnyView {
    let picker = select(
        app,
        FieldPath::of("commitments", id, "basis"),
        |_| {
            vec![
                ("discounted".into(), say(&Editor::BasisDiscounted)),
                ("list".into(), say(&Editor::BasisList)),
            ]
        },
        move |p| match commitment(p, id).map(|c| &c.kind) {
            Some(CommitmentKind::SpendCommitment { basis, .. }) => Some(
                if *basis == SpendBasis::List {
                    "list"
                } else {
                    "discounted"
                }
                .into(),
            ),
            _ => None,
        },
        move |p, v| {
            if let Some(CommitmentKind::SpendCommitment { basis, .. }) =
                commitment_mut(p, id).map(|c| &mut c.kind)
            {
                *basis = if v == "list" {
                    SpendBasis::List
                } else {
                    SpendBasis::Discounted
                };
            }
        },
    );
    view! { <span class="value inline select">{picker}</span> }.into_any()
}

/// Total over the term, hours counted, last day.
fn facts(app: App, id: Id) -> AnyView {
    let facts = Memo::new(move |_| {
        app.plan.with(|p| {
            let c = commitment(p, id)?;
            let hours = hours(p, c)?;
            let gpu_hours = match c.kind {
                CommitmentKind::ReservedCapacity { gpus, .. } => Some(f64::from(gpus) * hours),
                CommitmentKind::SpendCommitment { .. } => None,
            };
            Some((
                format::money_full(total(p, c)?, &p.settings.currency),
                gpu_hours.map(format::integer),
                format::integer(hours),
                format::date(term_last_day(c.start, c.term_months)),
            ))
        })
    });
    view! {
        <div class="facts" data-testid=format!("facts-{}", id.0)>
            {move || facts.get().map(|(total, gpu_hours, hours, last)| view! {
                <span>{say(&Editor::OverTheTerm { amount: total })}</span>
                <span>{match gpu_hours {
                    Some(gpu_hours) => say(&Editor::GpuHoursIn { gpu_hours, hours }),
                    None => say(&Editor::HoursCounted { hours }),
                }}</span>
                <span>{say(&Editor::Ends { date: last })}</span>
            })}
            {move || options::answer(app, |projection, _| {
                let c = projection.commitments.iter().find(|c| c.id == id)?;
                Some(say(&Editor::UsedShare { share: format::percent(c.utilisation.p50()) }))
            })}
        </div>
    }
    .into_any()
}
