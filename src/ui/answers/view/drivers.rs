//! What moves an outcome.

use super::cards::{Card, cells};
use super::table::{Row, Table};
use super::{View, unit};
use crate::chart::frame::tornado::{DriverRow, TornadoInput};
use crate::domain::field::FieldPath;
use crate::engine::projection::{Driver, Outcome};
use crate::text::answers::{Card as Words, Chart};
use crate::text::outputs::Outputs;
use crate::text::{fields, format, say};

/// Outcomes that have drivers, with their names.
#[must_use]
pub fn outcomes(view: &View<'_>) -> Vec<(Outcome, String)> {
    let mut found: Vec<(Outcome, String)> = Vec::new();
    for driver in &view.projection.drivers {
        // drivers of one outcome follow each other
        if found.last().is_some_and(|(o, _)| *o == driver.outcome) {
            continue;
        }
        if let Some(name) = name_of(view, driver.outcome) {
            found.push((driver.outcome, name));
        }
    }
    found
}

/// Name of an outcome.
fn name_of(view: &View<'_>, outcome: Outcome) -> Option<String> {
    let p = view.projection;
    let year = |at: u32| Some(view.period(p.years.get(at as usize)?));
    let pool = |at: u32| Some(view.limit(p.limits.get(at as usize)?));
    Some(match outcome {
        Outcome::YearEffectiveCost(at) => say(&Words::OutcomeYear { period: year(at)? }),
        Outcome::YearBilledCost(at) => say(&Outputs::YearBilled { period: year(at)? }),
        Outcome::HorizonEffectiveCost => say(&Outputs::Horizon),
        Outcome::HorizonBilledCost => say(&Outputs::HorizonBilled),
        Outcome::OverBudget(at) => say(&Outputs::Over {
            budget: view.budget(p.budgets.get(at as usize)?),
        }),
        Outcome::LowestHeadroom(at) => say(&Words::OutcomeHeadroom { pool: pool(at)? }),
        Outcome::BreachHours(at) => say(&Outputs::Hours { pool: pool(at)? }),
        Outcome::MonthLowestHeadroom { limit, month } => say(&Outputs::HeadroomIn {
            pool: pool(limit)?,
            month: view.month(month as usize),
        }),
        Outcome::MonthBreachHours { limit, month } => say(&Outputs::HoursIn {
            pool: pool(limit)?,
            month: view.month(month as usize),
        }),
        Outcome::FeatureEffectiveCost(at) => say(&Outputs::FeatureCost {
            feature: view.name(p.features.get(at as usize)?.id),
        }),
    })
}

/// In what an outcome is counted.
#[derive(Clone, Debug, PartialEq)]
enum Unit {
    Money,
    Points,
    Named(String),
}

fn unit_of(view: &View<'_>, outcome: Outcome) -> Unit {
    match outcome {
        Outcome::YearEffectiveCost(_)
        | Outcome::YearBilledCost(_)
        | Outcome::HorizonEffectiveCost
        | Outcome::HorizonBilledCost
        | Outcome::FeatureEffectiveCost(_) => Unit::Money,
        Outcome::OverBudget(_) => Unit::Points,
        Outcome::BreachHours(_) | Outcome::MonthBreachHours { .. } => {
            Unit::Named(say(&Outputs::HoursUnit))
        }
        Outcome::LowestHeadroom(limit) | Outcome::MonthLowestHeadroom { limit, .. } => {
            let limit = view.projection.limits.get(limit as usize);
            Unit::Named(limit.map(|l| unit(l.limit)).unwrap_or_default())
        }
    }
}

/// Name of an input, and of what it belongs to; a window that comes again says which time.
fn names(view: &View<'_>, path: &FieldPath) -> (String, String) {
    let (section, id, name) = path.parts();
    let (plain, time) = name.split_once('#').map_or((name, None), |(n, o)| {
        (n, o.parse::<u32>().ok().filter(|o| *o > 1))
    });
    let field = fields::field(section, plain).map_or_else(|| plain.to_owned(), |f| say(&f));
    let owner = id.map(|id| view.name(id)).unwrap_or_default();
    let owner = match time {
        Some(time) => say(&Outputs::Occurrence {
            name: owner,
            number: time.to_string(),
        }),
        None => owner,
    };
    (field, owner)
}

/// The field of an input, without the number of a window's occurrence.
fn field(path: &FieldPath) -> FieldPath {
    let (section, id, name) = path.parts();
    let plain = name.split('#').next().unwrap_or(name);
    id.map_or_else(|| path.clone(), |id| FieldPath::of(section, id, plain))
}

/// How many inputs an outcome has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// All.
    pub all: usize,
    /// Those that move it by no more than noise.
    pub noise: usize,
}

/// What moves an outcome; at most `most` rows in the chart, of those that are not noise unless all are asked for
/// ([`usize::MAX`]) or none is clear; all in the table.
#[must_use]
pub fn drivers(
    view: &View<'_>,
    outcome: Outcome,
    most: usize,
) -> Option<(Card<TornadoInput>, Inputs)> {
    let p = view.projection;
    let all: Vec<&Driver> = p.drivers.iter().filter(|d| d.outcome == outcome).collect();
    let first = all.first()?;
    let counted = unit_of(view, outcome);
    let scale = if counted == Unit::Points { 100.0 } else { 1.0 };
    let words = |x: f64| match &counted {
        Unit::Money => format::money_signed(x, view.currency()),
        Unit::Points => say(&Outputs::Points {
            points: format::points_signed(x),
        }),
        Unit::Named(_) => format::count_signed(x),
    };
    let what = name_of(view, outcome)?;
    let (input, owner) = names(view, &first.input);
    let inputs = Inputs {
        all: all.len(),
        noise: all.iter().filter(|d| d.within_noise).count(),
    };
    let clear = inputs.all - inputs.noise;
    let title = say(&if clear == 0 {
        Words::DriversNoise {
            outcome: what.clone(),
        }
    } else {
        Words::DriversTitle {
            input,
            owner,
            outcome: what.clone(),
        }
    });
    let subtitle = say(&match &counted {
        Unit::Money => Outputs::DriversSub { outcome: what },
        Unit::Points => Outputs::DriversSubUnit {
            outcome: what,
            unit: say(&Outputs::ChanceUnit),
        },
        Unit::Named(unit) => Outputs::DriversSubUnit {
            outcome: what,
            unit: unit.clone(),
        },
    });
    let legend = (say(&Words::DriversLow), say(&Words::DriversHigh));
    let correlation_title = say(&Words::DriversCorrelation);
    let row = |d: &&Driver| {
        let (name, owner) = names(view, &d.input);
        DriverRow {
            field: field(&d.input),
            name,
            owner,
            low: d.low_fifth * scale,
            high: d.high_fifth * scale,
            words: (words(d.low_fifth), words(d.high_fifth)),
            correlation: format::correlation(d.rank_correlation),
            noise: d.within_noise,
        }
    };
    let rows: Vec<DriverRow> = all.iter().map(row).collect();
    let table = Table {
        caption: format!("{title}. {subtitle}"),
        head: vec![
            say(&Words::DriversInput),
            say(&Words::DriversOwner),
            legend.0.clone(),
            legend.1.clone(),
            correlation_title.clone(),
        ],
        rows: rows
            .iter()
            .map(|r| Row {
                name: r.name.clone(),
                cells: cells([
                    r.owner.clone(),
                    r.words.0.clone(),
                    r.words.1.clone(),
                    if r.noise {
                        say(&Outputs::WithinNoise)
                    } else {
                        r.correlation.clone()
                    },
                ]),
                total: false,
            })
            .collect(),
    };
    let shown = if clear == 0 || most == usize::MAX {
        most
    } else {
        most.min(clear)
    };
    let chart = TornadoInput {
        rows: rows.into_iter().take(shown).collect(),
        currency: (counted == Unit::Money).then(|| p.currency.clone()),
        legend,
        correlation_title,
        mean_word: say(&Chart::Mean),
    };
    let card = Card {
        title,
        subtitle,
        chart,
        table,
    };
    Some((card, inputs))
}
