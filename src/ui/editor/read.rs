//! Texts of fields and back: the grammar's and the validation's words, as the text boxes need them.

use jiff::civil::Date;
use leptos::prelude::*;

use super::entry::Rejected;
use crate::domain::field::{FieldPath, FieldSpec, Unit};
use crate::domain::quantity::{Quantity, Shape};
use crate::domain::scenario::Scenario;
use crate::text::{editor::Editor, format, say};
use crate::ui::state::App;

fn no_number() -> Rejected {
    Rejected {
        message: say(&Editor::NoNumber),
        fixes: vec![],
    }
}

/// The quantity in a text, and how it is read.
pub fn quantity(text: &str, spec: &FieldSpec) -> Result<(Quantity, String), Rejected> {
    let _ = spec;
    let v: f64 = text.trim().parse().map_err(|_| no_number())?;
    Ok((Quantity::fixed(v), text.to_owned()))
}

/// The text of a quantity.
pub fn quantity_text(quantity: &Quantity, spec: &FieldSpec) -> String {
    let _ = spec;
    match &quantity.shape {
        Shape::Fixed(v) => v.to_string(),
        other => format!("{other:?}"),
    }
}

/// A plain number in a text.
pub fn number(text: &str, unit: Unit, currency: &str) -> Result<f64, Rejected> {
    let _ = (unit, currency);
    text.trim().parse().map_err(|_| no_number())
}

/// The text of a plain number.
pub fn number_text(value: f64, unit: Unit, currency: &str) -> String {
    let _ = (unit, currency);
    value.to_string()
}

/// A day in a text.
pub fn date(text: &str) -> Result<Date, Rejected> {
    text.trim().parse().map_err(|_| no_number())
}

/// The text of a day.
pub fn date_text(day: Date) -> String {
    format::date(day)
}

/// What is wrong with a field of a plan, if anything.
pub fn problem_at(plan: &Scenario, path: &FieldPath) -> Option<String> {
    let _ = (plan, path);
    None
}

/// Whether the plan on the screen has a problem at a field.
pub fn has_problem(app: App, path: &FieldPath) -> bool {
    let _ = (app, path);
    false
}

/// What is wrong with a field of the plan on the screen.
pub fn problem_of(app: App, path: &FieldPath) -> Option<String> {
    let _ = (app, path);
    None
}

/// How many entries and fields are wrong where `inside` says so.
pub fn problems_in(app: App, inside: impl Fn(&FieldPath) -> bool) -> u32 {
    let bad = app
        .bad_entries
        .with(|b| b.keys().filter(|p| inside(p)).count());
    u32::try_from(bad).unwrap_or(u32::MAX)
}

/// How many are wrong in all, and the first.
pub fn first_to_fix(app: App) -> Option<(u32, FieldPath)> {
    let first = app.bad_entries.with(|b| b.keys().next().cloned())?;
    Some((problems_in(app, |_| true), first))
}

/// A day with its weekday.
pub fn weekday_text(day: Date) -> String {
    format::date(day)
}

/// A value of a quantity for a figure or a tick.
pub fn figure(value: f64, unit: Unit) -> String {
    let _ = unit;
    format::count_short(value)
}

/// What stands behind a value, where the value's own text does not say it.
pub fn unit_words(unit: Unit) -> Option<String> {
    let _ = unit;
    None
}
