//! What is wrong with a scenario: every field, with typed reasons that carry the values. The sentences are in
//! `text::problems`.

use jiff::civil::Date;

use super::distribution::QuantityProblem;
use super::field::FieldPath;
use super::scenario::Id;

mod check;
mod dependence;
mod entities;
#[cfg(test)]
pub(crate) mod tests;

/// First and last day that a plan may name.
pub const FIRST_DAY: Date = Date::constant(2000, 1, 1);
/// See [`FIRST_DAY`].
pub const LAST_DAY: Date = Date::constant(2199, 12, 31);

/// One reason why a scenario cannot be run, beside the field that has to change.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The field.
    pub path: FieldPath,
    /// The reason.
    pub kind: ProblemKind,
}

/// What an id was expected to name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub enum Entity {
    Feature,
    Model,
    Pool,
    Commitment,
    Season,
    Budget,
}

/// Why a field cannot stay as it is.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the doc of each variant names its numbers
pub enum ProblemKind {
    /// An uncertain or varying number has no meaning.
    Quantity(QuantityProblem),
    /// The file is of a format that this version does not know.
    UnknownFormat { found: u32, known: u32 },
    /// A text that must not be empty is.
    EmptyText,
    /// A text is too long.
    LongText { characters: usize, most: usize },
    /// A text has a character that cannot be shown (line feeds, direction overrides, other controls).
    ControlCharacter,
    /// A list has too many entries.
    TooMany { count: usize, most: usize },
    /// Another entity has the same id.
    DuplicateId { id: Id },
    /// No entity of this kind has the id.
    Missing { entity: Entity, id: Id },
    /// A number is not finite.
    NotFinite,
    /// A number must lie between two others, both allowed.
    OutOfRange { value: f64, low: f64, high: f64 },
    /// A number is so close to 0 that it must be a slip.
    TooSmall {
        value: f64,
        least: f64,
        or_zero: bool,
    },
    /// A number must be above one and at most another.
    NotAbove { value: f64, low: f64, high: f64 },
    /// A number must be at least one and below another.
    NotBelow { value: f64, low: f64, high: f64 },
    /// A date that no plan names.
    DateOutOfRange { date: Date, first: Date, last: Date },
    /// The horizon starts with a month.
    NotFirstOfMonth { date: Date },
    /// The time zone is not in the database.
    UnknownZone { zone: String },
    /// Not an ISO 4217 code.
    UnknownCurrency { code: String },
    /// The feature ends before it starts.
    RetiresBeforeLaunch { launch: Date, retire: Date },
    /// A range of dates ends before it starts.
    EndsBeforeStart { first: Date, last: Date },
    /// Two ranges of one season share a day.
    DatesOverlap { first: Date, last: Date },
    /// A range that comes again every year is longer than a year.
    LongerThanYear { days: i64 },
    /// A season without a day.
    NoDates,
    /// A selection of features without a feature.
    NoFeatures,
    /// A weekly profile needs 168 weights.
    WeightCount { count: usize },
    /// A weight is negative or not finite; the hour of the week from 0.
    BadWeight { hour: usize, value: f64 },
    /// A factor of an hour of the week (from 0) is not a number from 0 to the most.
    BadFactor { hour: usize, value: f64, most: f64 },
    /// All weights are 0.
    NoWeight,
    /// Calls are paid by use, but the model has no price.
    NoPrice { model: String, pool: String },
    /// Calls run on own GPUs, but the model has no serving profile.
    NoServingProfile { model: String, pool: String },
    /// Reserved capacity on something that is not a GPU cluster.
    NotACluster { pool: String },
    /// 1 in 1,000 requests makes more calls than can be simulated.
    TooManyCalls { calls: f64, most: f64 },
    /// Demand or tokens grow beyond what can be simulated: 1 in 1,000 futures has this rate per month.
    GrowsTooFast { rate: f64, most: f64 },
    /// The plan ends with more requests per day than can be simulated.
    TooMuchDemand { requests_per_day: f64, most: f64 },
    /// A correlation names something that is not an uncertain number of this plan.
    NotUncertain { path: FieldPath },
    /// An input cannot be correlated with itself.
    WithItself,
    /// Another line has the same pair.
    PairTwice { a: FieldPath, b: FieldPath },
    /// The correlations contradict each other; with the nearest value of this pair they do not.
    NotTogether {
        a: FieldPath,
        b: FieldPath,
        rank: f64,
        nearest: Option<f64>,
    },
    /// A soft limit stands before a cap that is not set.
    NoCap,
    /// The day is in no period of the horizon.
    OutsideHorizon { date: Date, first: Date, last: Date },
}

/// Whether a plan may name a date.
///
/// # Errors
/// [`ProblemKind::DateOutOfRange`].
pub fn date_in_range(date: Date) -> Result<(), ProblemKind> {
    if (FIRST_DAY..=LAST_DAY).contains(&date) {
        Ok(())
    } else {
        Err(ProblemKind::DateOutOfRange {
            date,
            first: FIRST_DAY,
            last: LAST_DAY,
        })
    }
}
