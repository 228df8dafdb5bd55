//! Texts of fields and back: the grammar's and the validation's words, as the text boxes need them.

use jiff::civil::Date;
use leptos::prelude::*;

use super::entry::Rejected;
use crate::domain::field::{FieldPath, FieldSpec, Unit};
use crate::domain::grammar::{self, EntryProblem, GrammarProblem};
use crate::domain::quantity::Quantity;
use crate::domain::scenario::Scenario;
use crate::text::format::THIN;
use crate::text::{editor::Editor, entries, format, problems, say, ui::Weekday};
use crate::ui::state::App;

fn rejected(problem: &GrammarProblem, words: impl Fn(&str) -> String) -> Rejected {
    let fixes = match problem {
        GrammarProblem::Ambiguous { readings, .. }
        | GrammarProblem::WeightsSum { readings, .. } => {
            readings.iter().map(|r| (words(r), r.clone())).collect()
        }
        _ => vec![],
    };
    Rejected {
        message: entries::unreadable(problem),
        fixes,
    }
}

/// The quantity in a text, and how it is read.
pub fn quantity(
    text: &str,
    spec: &FieldSpec,
    currency: &str,
) -> Result<(Quantity, String), Rejected> {
    match grammar::check(text, spec) {
        Ok(q) => {
            let echo = entries::echo(&grammar::reading(&q, spec), currency);
            Ok((q, echo))
        }
        Err(EntryProblem::Grammar(problem)) => Err(rejected(&problem, str::to_owned)),
        Err(problem) => {
            let entry = match &problem {
                EntryProblem::Quantity { entry, .. } => Some(entry),
                _ => None,
            };
            let fixes = entry
                .and_then(|entry| grammar::swapped(entry))
                .map(|e| (say(&Editor::SwapThem), grammar::format(&e, spec)))
                .into_iter()
                .collect();
            Err(Rejected {
                message: entries::entry_problem(&problem, spec.unit, currency),
                fixes,
            })
        }
    }
}

/// The text of a quantity.
pub fn quantity_text(quantity: &Quantity, spec: &FieldSpec) -> String {
    grammar::format(quantity, spec)
}

/// Refuses an empty text; a field that takes no range does not speak of ranges.
fn there(text: &str, missing: &Editor) -> Result<(), Rejected> {
    if text.trim().is_empty() {
        return Err(Rejected {
            message: say(missing),
            fixes: vec![],
        });
    }
    Ok(())
}

/// A plain number in a text.
pub fn number(text: &str, unit: Unit) -> Result<f64, Rejected> {
    there(text, &Editor::NumberMissing)?;
    grammar::parse_number(text, unit).map_err(|p| rejected(&p, str::to_owned))
}

/// A whole number in a text.
pub fn whole(text: &str, unit: Unit) -> Result<u32, Rejected> {
    there(text, &Editor::NumberMissing)?;
    let value = grammar::parse_whole(text, unit).map_err(|p| rejected(&p, str::to_owned))?;
    u32::try_from(value).map_err(|_| Rejected {
        message: say(&Editor::TooLarge),
        fixes: vec![],
    })
}

/// The text of a plain number.
pub fn number_text(value: f64, unit: Unit, currency: &str) -> String {
    match unit {
        Unit::Money | Unit::MoneyPerHour | Unit::MoneyPerGpuHour | Unit::MoneyPerMillionTokens => {
            entries::value(value, unit, currency)
        }
        _ => grammar::format_number(value, unit),
    }
}

/// A day in a text.
pub fn date(text: &str) -> Result<Date, Rejected> {
    there(text, &Editor::DateMissing)?;
    grammar::parse_date(text).map_err(|p| {
        rejected(&p, |reading| {
            reading
                .parse()
                .map_or_else(|_| reading.to_owned(), date_text)
        })
    })
}

/// The text of a day.
pub fn date_text(day: Date) -> String {
    format::date(day)
}

/// A day with its weekday.
pub fn weekday_text(day: Date) -> String {
    let weekday = say(&Weekday::Short {
        day: u32::from(day.weekday().to_monday_one_offset().unsigned_abs()),
    });
    format!("{weekday} {}", format::date(day))
}

/// What is wrong with a field of a plan, or with the field that it is a part of.
pub fn problem_at(plan: &Scenario, path: &FieldPath) -> Option<String> {
    plan.problems()
        .into_iter()
        .find(|p| {
            let part = path.as_str().strip_prefix(p.path.as_str());
            part.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
        .map(|p| problems::sentence(&p, &plan.settings.currency))
}

/// Whether the plan on the screen has a problem at a field.
pub fn has_problem(app: App, path: &FieldPath) -> bool {
    app.problems.with(|all| all.iter().any(|p| p.path == *path))
}

/// What is wrong with a field of the plan on the screen.
pub fn problem_of(app: App, path: &FieldPath) -> Option<String> {
    app.problems.with(|all| {
        let problem = all.iter().find(|p| p.path == *path)?;
        Some(
            app.plan
                .with_untracked(|p| problems::sentence(problem, &p.settings.currency)),
        )
    })
}

/// How many entries and fields are wrong where `inside` says so.
pub fn problems_in(app: App, inside: impl Fn(&FieldPath) -> bool) -> u32 {
    let bad = app
        .bad_entries
        .with(|b| b.keys().filter(|p| inside(p)).count());
    let committed = app.problems.with(|all| {
        let mut paths: Vec<_> = all.iter().map(|p| &p.path).filter(|p| inside(p)).collect();
        paths.sort_unstable();
        paths.dedup();
        paths.len()
    });
    u32::try_from(bad + committed).unwrap_or(u32::MAX)
}

/// How many are wrong in all, and the first.
pub fn first_to_fix(app: App) -> Option<(u32, FieldPath)> {
    let first = app
        .bad_entries
        .with(|b| b.keys().next().cloned())
        .or_else(|| app.problems.with(|all| all.first().map(|p| p.path.clone())))?;
    Some((problems_in(app, |_| true), first))
}

/// A value of a quantity for a figure or a tick.
pub fn figure(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Share | Unit::SharePerMonth => {
            let text = format::decimal(value * 100.0, 1);
            let text = text.strip_suffix(".0").unwrap_or(&text);
            format!("{text}{THIN}%")
        }
        Unit::Factor => format::factor(value),
        _ => format::count_short(value),
    }
}

/// What stands behind a value, where the value's own text does not say it.
pub fn unit_words(unit: Unit) -> Option<String> {
    match unit {
        Unit::Days => Some(say(&Editor::UnitDays)),
        Unit::Seconds => Some(say(&Editor::UnitSeconds)),
        Unit::Hours => Some(say(&Editor::UnitHours)),
        Unit::PerMillion => Some(say(&Editor::UnitPerMillion)),
        _ => None,
    }
}
