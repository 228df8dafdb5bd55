//! The form of a budget.

use leptos::prelude::*;

use super::choices::choice;
use super::frames::{Line, Parts};
use super::options;
use super::rows::{Number, day, row};
use crate::domain::field::{FieldPath, Unit};
use crate::domain::scenario::{Budget, BudgetCost, BudgetPeriod, Id};
use crate::text::{editor::Editor, format, say};
use crate::ui::entities::{budget, budget_mut};
use crate::ui::state::App;

/// The section's parts.
pub const PARTS: Parts = Parts {
    summary: |app| {
        app.plan.with(|p| {
            p.budgets
                .iter()
                .map(|b| {
                    format!(
                        "{} {}",
                        b.name,
                        format::money_short(b.amount, &p.settings.currency)
                    )
                })
                .collect::<Vec<_>>()
                .join(", ")
        })
    },
    figures: |_| String::new(),
    line,
    form,
};

fn period_words(period: BudgetPeriod) -> Editor {
    match period {
        BudgetPeriod::Month => Editor::PeriodMonth,
        BudgetPeriod::Quarter => Editor::PeriodQuarter,
        BudgetPeriod::Year => Editor::PeriodYear,
    }
}

fn line(app: App, id: Id) -> Line {
    app.plan.with(|p| {
        budget(p, id).map_or_else(
            || Line {
                state: String::new(),
                figure: String::new(),
            },
            |b| Line {
                state: say(&period_words(b.period)),
                figure: format::money_short(b.amount, &p.settings.currency),
            },
        )
    })
}

fn form(app: App, id: Id) -> AnyView {
    let at = move |field: &str| FieldPath::of("budgets", id, field);
    let number =
        move |field: &str, unit: Unit, get: fn(&Budget) -> f64, set: fn(&mut Budget, f64)| {
            Number::new(
                at(field),
                unit,
                move |p| budget(p, id).map(get),
                move |p, v| {
                    if let Some(b) = budget_mut(p, id) {
                        set(b, v);
                    }
                },
            )
            .entry()
        };
    let only = day(
        at("only"),
        Some(Editor::EveryPeriod),
        move |p| budget(p, id).map(|b| b.only),
        move |p, d| {
            if let Some(b) = budget_mut(p, id) {
                b.only = d;
            }
        },
    );
    view! {
        {row(app, number("amount", Unit::Money, |b| b.amount, |b, v| b.amount = v), None)}
        {choice(app, at("period"), |_| [BudgetPeriod::Month, BudgetPeriod::Quarter, BudgetPeriod::Year].map(|x| (key(x).to_owned(), say(&period_words(x)))).to_vec(),
            move |p| budget(p, id).map(|b| key(b.period).to_owned()),
            move |p, v| if let Some(b) = budget_mut(p, id) {
                b.period = match v { "month" => BudgetPeriod::Month, "quarter" => BudgetPeriod::Quarter, _ => BudgetPeriod::Year };
            })}
        {row(app, only, None)}
        {choice(app, at("cost"), |_| vec![("effective".into(), say(&Editor::CostEffective)), ("billed".into(), say(&Editor::CostBilled))],
            move |p| budget(p, id).map(|b| if b.cost == BudgetCost::Billed { "billed" } else { "effective" }.to_owned()),
            move |p, v| if let Some(b) = budget_mut(p, id) {
                b.cost = if v == "billed" { BudgetCost::Billed } else { BudgetCost::Effective };
            })}
        {row(app, number("spent_before", Unit::Money, |b| b.spent_before, |b, v| b.spent_before = v), None)}
        {row(app, number("acceptable_chance", Unit::Share, |b| b.acceptable_chance, |b, v| b.acceptable_chance = v),
            Some(say(&Editor::ChanceOfOver)))}
        {move || {
            let lines = options::answer(app, |projection, money| {
                let over = projection.budgets.iter().filter(|b| b.id == id).take(4).map(|b| {
                    let period = match b.period.quarter {
                        Some(q) => format::fiscal_quarter(b.period.fiscal_year, q),
                        None => format::fiscal_year(b.period.fiscal_year),
                    };
                    say(&Editor::BudgetOutcome { period, spend: money(b.spend.p50()), chance: format::chance(&b.over) })
                });
                Some(over.collect::<Vec<_>>().join("\n"))
            });
            lines.lines().map(|l| view! { <p class="form-hint">{l.to_owned()}</p> }).collect_view()
        }}
    }
    .into_any()
}

const fn key(period: BudgetPeriod) -> &'static str {
    match period {
        BudgetPeriod::Month => "month",
        BudgetPeriod::Quarter => "quarter",
        BudgetPeriod::Year => "year",
    }
}
