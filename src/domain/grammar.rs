//! What people type into a field of numbers, read and written: `24k to 68k probably 42k`, `11, p99 30`, `95% 5k, 5% 800k`.
//!
//! Weights in percent make 100 %; weights in parts (`3 parts 5k, 1 part 800k`) and bare ones of separate values
//! (`1: 3, 2: 1`) are relative.
//!
//! [`parse`] reads, [`format()`] writes the shortest text that reads back to exactly the same entry, [`reading`] says how an
//! entry is understood. Nothing is guessed: `1,5` and a bare `0.6` in a field of percent are errors that offer both
//! readings. Bare numbers in fields of percent are percent (`3.5` is 3.5 %). Percentiles are the soft reading; `hard`
//! makes limits of them.
//!
//! Marks: k M B T, 千 万 亿, % , s min h d w mo y in fields of time (a month is 30.4375 days), spaces and commas between
//! thousands, a sign of currency before money, × before or x behind a factor.

mod cells;
mod column;
mod families;
mod lex;
mod plain;
mod read;
mod units;
mod weights;
mod write;

pub use cells::Cell;
pub use column::nine_quantiles;
pub use plain::{parse_date, parse_number, parse_whole};
pub use write::{format, format_date, format_number};

use super::distribution::{Distribution, FamilyName, Outline, Part, QuantityProblem, Remark};
use super::field::{FieldSpec, Unit};
use super::quantity::{HighPercentile, Quantity, Shape};
use super::range;

/// Most characters of an entry that is not a pasted column.
pub const LONGEST_ENTRY: usize = 4_000;
/// Most characters of a pasted column.
pub const LONGEST_COLUMN: usize = 4_000_000;
/// Fewest values of a pasted column.
pub const FEWEST_VALUES: usize = 5;

/// Why a text is not an entry. Pieces are what was typed; `at` counts characters from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the sentence of each variant names its parts
pub enum GrammarProblem {
    #[error("nothing was typed")]
    Empty,
    #[error("the text has more than {most} characters")]
    TooLong { most: usize },
    #[error("cannot read {piece:?} at {at}")]
    Unexpected { at: usize, piece: String },
    #[error("a number is missing at the end")]
    MissingNumber,
    #[error("{piece:?} may be {}", readings.join(" or "))]
    Ambiguous {
        piece: String,
        /// Whole entries, each with one reading of the piece.
        readings: Vec<String>,
    },
    #[error("{piece:?} is not a number")]
    NotANumber { piece: String },
    #[error("{piece:?} is too large")]
    TooLarge { piece: String },
    #[error("{piece:?} has a mark that this field has no use for")]
    WrongUnit { piece: String },
    #[error("{piece:?} is not a whole number")]
    NotWhole { piece: String },
    #[error("{piece:?} is not a date")]
    NotADate { piece: String },
    #[error("a column needs {least} values and has {count}")]
    TooFewValues { count: usize, least: usize },
    #[error("row {}, {:?}: {problem}", cell.row, cell.text)]
    Cell {
        cell: Cell,
        problem: Box<GrammarProblem>,
    },
    #[error("the weights add up to {sum}, not 1")]
    WeightsSum {
        sum: f64,
        /// Whole entries with weights that make 100 %.
        readings: Vec<String>,
    },
    #[error("these percentiles do not make an entry")]
    WhichPercentiles,
    #[error("{name} needs {count} numbers")]
    Parameters { name: &'static str, count: usize },
    #[error("an entry inside of brackets is nested too deep")]
    TooDeep,
}

/// Why a text cannot stand in a field.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EntryProblem {
    /// It cannot be read.
    #[error(transparent)]
    Grammar(#[from] GrammarProblem),
    /// It can be read, but means nothing in this field; a [`swapped`] entry may.
    #[error("{problem}")]
    Quantity {
        /// What was read.
        entry: Box<Quantity>,
        /// Why it means nothing.
        problem: QuantityProblem,
    },
    /// A cell of a pasted column can be read, but its value means nothing in this field.
    #[error("row {}, {:?}: {problem}", cell.row, cell.text)]
    Cell {
        /// The cell.
        cell: Cell,
        /// Why it means nothing.
        problem: QuantityProblem,
    },
}

/// The entry that a text means.
///
/// # Errors
/// A typed reason with the piece of text that cannot be read. Whether the entry has a meaning in the field is
/// [`Distribution::check`]'s answer; [`check`] asks both.
pub fn parse(text: &str, spec: &FieldSpec) -> Result<Quantity, GrammarProblem> {
    read::entry(text, spec.unit)
}

/// The entry that a text means, if it has a meaning in the field.
///
/// # Errors
/// What cannot be read or has no meaning.
pub fn check(text: &str, spec: &FieldSpec) -> Result<Quantity, EntryProblem> {
    let entry = parse(text, spec)?;
    match range::check(&entry, spec) {
        Ok(_) => Ok(entry),
        Err(problem) => Err(match bad_cell(text, spec.unit, &problem) {
            Some(cell) => EntryProblem::Cell { cell, problem },
            None => EntryProblem::Quantity {
                entry: Box::new(entry),
                problem,
            },
        }),
    }
}

/// The cell of a pasted column that a problem is about.
fn bad_cell(text: &str, unit: Unit, problem: &QuantityProblem) -> Option<Cell> {
    match *problem {
        QuantityProblem::TooLarge { value, .. }
        | QuantityProblem::TooSmall { value, .. }
        | QuantityProblem::OutsideDomain { value, .. }
            if column::is_column(text) =>
        {
            cells::with_value(text, unit, value)
        }
        _ => None,
    }
}

/// The entry with its ends in order, where that is all that is wrong: the fix behind "Swap them".
#[must_use]
pub fn swapped(entry: &Quantity) -> Option<Quantity> {
    let shape = match entry.shape {
        Shape::Between { p10, p90 } if p10 > p90 => Shape::Between { p10: p90, p90: p10 },
        Shape::BetweenProbably { p10, mode, p90 } => {
            let [p10, mode, p90] = sorted([p10, mode, p90])?;
            Shape::BetweenProbably { p10, mode, p90 }
        }
        Shape::FewAreLarge {
            p50,
            percentile,
            high,
        } if p50 > high => Shape::FewAreLarge {
            p50: high,
            percentile,
            high: p50,
        },
        Shape::ParetoTail {
            p50,
            percentile,
            high,
            alpha,
        } if p50 > high => Shape::ParetoTail {
            p50: high,
            percentile,
            high: p50,
            alpha,
        },
        Shape::Uniform { min, max } if min > max => Shape::Uniform { min: max, max: min },
        Shape::Pert { min, mode, max } => {
            let [min, mode, max] = sorted([min, mode, max])?;
            Shape::Pert { min, mode, max }
        }
        Shape::Triangular { min, mode, max } => {
            let [min, mode, max] = sorted([min, mode, max])?;
            Shape::Triangular { min, mode, max }
        }
        Shape::Quantiles(at) => Shape::Quantiles(sorted(at)?),
        _ => return None,
    };
    Some(Quantity {
        shape,
        mean: entry.mean,
    })
}

/// The same numbers ascending; none if they are already, or if one is not a number.
fn sorted<const N: usize>(values: [f64; N]) -> Option<[f64; N]> {
    let mut out = values;
    out.sort_by(f64::total_cmp);
    (out != values && values.iter().all(|v| v.is_finite())).then_some(out)
}

/// How an entry is understood: what the echo under the text box says.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Unit of all values.
    pub unit: Unit,
    /// Which numbers were read as what.
    pub form: Form,
    /// The mean that is pinned.
    pub mean: Option<f64>,
    /// The family; none if the entry has no meaning in the field.
    pub family: Option<FamilyName>,
    /// What differs from what was said.
    pub remarks: Vec<Remark>,
}

/// What was read.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// One number.
    One(f64),
    /// Named numbers in the order of the sentence.
    Parts(Vec<(Part, f64)>),
    /// A family with its parameters.
    Family(FamilyName, Vec<(Part, f64)>),
    /// Values with their shares.
    Values(Vec<(f64, f64)>),
    /// So many measured values: their median and p90.
    Sample(usize, f64, f64),
    /// Parts with their shares.
    Mix(Vec<(f64, Form)>),
}

/// How an entry is understood.
#[must_use]
pub fn reading(entry: &Quantity, spec: &FieldSpec) -> Reading {
    let outline = Distribution::check(entry, spec.domain).ok();
    let family = outline.as_ref().map(Outline::name);
    let remarks = outline.map_or_else(Vec::new, |o| o.remarks);
    let mut form = form(&entry.shape);
    if let Form::Parts(parts) = &mut form {
        for remark in &remarks {
            match remark {
                Remark::HardMinimum { .. } => rename(parts, Part::P10, Part::Min),
                Remark::HardMaximum { .. } => rename(parts, Part::P90, Part::Max),
                _ => {}
            }
        }
    }
    Reading {
        unit: spec.unit,
        form,
        mean: entry.mean,
        family,
        remarks,
    }
}

/// An end that is a hard limit is no percentile.
fn rename(parts: &mut [(Part, f64)], from: Part, to: Part) {
    for (part, _) in parts.iter_mut().filter(|(part, _)| *part == from) {
        *part = to;
    }
}

/// The part that a high percentile is.
#[must_use]
pub const fn percentile_part(percentile: HighPercentile) -> Part {
    match percentile {
        HighPercentile::P90 => Part::P90,
        HighPercentile::P95 => Part::P95,
        HighPercentile::P99 => Part::P99,
    }
}

fn form(shape: &Shape) -> Form {
    use Part::{Alpha, Beta, Max, Mean, Min, Mode, Mu, P10, P50, P90, Scale, Sd, Sigma};
    let shares = |weights: Vec<f64>| {
        let sum: f64 = weights.iter().sum();
        let by = if sum > 0.0 { 1.0 / sum } else { 1.0 };
        weights.into_iter().map(move |w| w * by)
    };
    match *shape {
        Shape::Fixed(value) => Form::One(value),
        Shape::Between { p10, p90 } => Form::Parts(vec![(P10, p10), (P90, p90)]),
        Shape::BetweenProbably { p10, mode, p90 } => {
            Form::Parts(vec![(P10, p10), (Mode, mode), (P90, p90)])
        }
        Shape::FewAreLarge {
            p50,
            percentile,
            high,
        } => Form::Parts(vec![(P50, p50), (percentile_part(percentile), high)]),
        Shape::ParetoTail {
            p50,
            percentile,
            high,
            alpha,
        } => Form::Parts(vec![
            (P50, p50),
            (percentile_part(percentile), high),
            (Part::Tail, alpha),
        ]),
        Shape::Sample(ref values) => {
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            let at = |p| column::inverse_ecdf(&sorted, p).unwrap_or(0.0);
            Form::Sample(values.len(), at(500), at(900))
        }
        Shape::Uniform { min, max } => {
            Form::Family(FamilyName::Uniform, vec![(Min, min), (Max, max)])
        }
        Shape::Pert { min, mode, max } => {
            Form::Family(FamilyName::Pert, vec![(Min, min), (Mode, mode), (Max, max)])
        }
        Shape::Triangular { min, mode, max } => Form::Family(
            FamilyName::Triangular,
            vec![(Min, min), (Mode, mode), (Max, max)],
        ),
        Shape::Normal { mean, sd } => {
            Form::Family(FamilyName::Normal, vec![(Mean, mean), (Sd, sd)])
        }
        Shape::Lognormal { mu, sigma } => {
            Form::Family(FamilyName::Lognormal, vec![(Mu, mu), (Sigma, sigma)])
        }
        Shape::Beta {
            alpha,
            beta,
            min,
            max,
        } => Form::Family(
            FamilyName::Beta,
            vec![(Alpha, alpha), (Beta, beta), (Min, min), (Max, max)],
        ),
        Shape::Gamma { shape, scale } => Form::Family(
            FamilyName::Gamma,
            vec![(Part::Shape, shape), (Scale, scale)],
        ),
        Shape::Discrete(ref values) => Form::Values(
            values
                .iter()
                .map(|v| v.value)
                .zip(shares(values.iter().map(|v| v.weight).collect()))
                .collect(),
        ),
        Shape::Quantiles(at) => Form::Parts(Part::NINE.into_iter().zip(at).collect()),
        Shape::Mix(ref parts) => Form::Mix(
            shares(parts.iter().map(|p| p.weight).collect())
                .zip(parts.iter().map(|p| form(&p.part)))
                .collect(),
        ),
    }
}

#[cfg(test)]
mod tests;
