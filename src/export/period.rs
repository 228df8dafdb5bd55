//! Months, fiscal quarters, fiscal years and the horizon, in one order.

use jiff::ToSpan;
use jiff::civil::Date;

use crate::domain::calendar::PeriodInfo;
use crate::engine::projection::{Projection, Series, Summary};

/// One stretch of time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Span {
    /// By its number in the horizon.
    Month(usize),
    /// By its number in [`Projection::quarters`].
    Quarter(usize),
    /// By its number in [`Projection::years`].
    Year(usize),
    /// The horizon.
    Horizon,
    /// The period of a budget.
    Months(PeriodInfo),
}

/// First day, the day after the last, and fiscal names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dates {
    /// First day.
    pub start: Date,
    /// The day after the last.
    pub end: Date,
    /// `FY2027`; empty for the horizon.
    pub fiscal_year: String,
    /// `P01` to `P12`, `Q1` to `Q4`, `FY` or `Horizon`.
    pub fiscal_period: String,
}

impl Span {
    /// What it is.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Month(_) => "month",
            Self::Quarter(_) => "quarter",
            Self::Year(_) => "year",
            Self::Horizon => "horizon",
            Self::Months(period) => match period {
                PeriodInfo {
                    quarter: Some(_), ..
                } => "quarter",
                PeriodInfo { months: 1, .. } => "month",
                _ => "year",
            },
        }
    }

    /// The part of it that is inside the horizon.
    pub fn dates(&self, projection: &Projection) -> Dates {
        let months = projection.months.len();
        let (first, count, fiscal_year, fiscal_period) = match self {
            Self::Month(i) => {
                let month = projection.months.get(*i);
                let period = month.map_or(0, |m| m.fiscal_period);
                (*i, 1, month.map(|m| m.fiscal_year), format!("P{period:02}"))
            }
            Self::Quarter(i) => of(projection.quarters.get(*i)),
            Self::Year(i) => of(projection.years.get(*i)),
            Self::Horizon => (0, months, None, "Horizon".to_owned()),
            Self::Months(period) if period.quarter.is_none() && self.word() == "month" => {
                return Self::Month(period.first_month as usize).dates(projection);
            }
            Self::Months(period) => of(Some(period)),
        };
        Dates {
            start: month_start(projection, first),
            end: month_start(projection, first + count),
            fiscal_year: fiscal_year.map_or_else(String::new, |year| format!("FY{year}")),
            fiscal_period,
        }
    }
}

fn of(period: Option<&PeriodInfo>) -> (usize, usize, Option<i16>, String) {
    let Some(p) = period else {
        return (0, 0, None, String::new());
    };
    let name = p
        .quarter
        .map_or_else(|| "FY".to_owned(), |q| format!("Q{q}"));
    (
        p.first_month as usize,
        p.months as usize,
        Some(p.fiscal_year),
        name,
    )
}

/// First day of a month of the horizon, or of the month after it.
fn month_start(projection: &Projection, month: usize) -> Date {
    let first = projection.months.first();
    let first = first.and_then(|m| Date::new(m.year, i8::try_from(m.month).ok()?, 1).ok());
    let later = i32::try_from(month).unwrap_or(0).months();
    first
        .and_then(|d| d.checked_add(later).ok())
        .unwrap_or(Date::ZERO)
}

/// Something for every span of a projection.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Period<T> {
    /// By month.
    pub months: Vec<T>,
    /// By fiscal quarter.
    pub quarters: Vec<T>,
    /// By fiscal year.
    pub years: Vec<T>,
    /// For the horizon.
    pub horizon: T,
}

impl<T> Period<T> {
    /// At a span.
    pub fn at(&self, span: &Span) -> Option<&T> {
        match span {
            Span::Month(i) => self.months.get(*i),
            Span::Quarter(i) => self.quarters.get(*i),
            Span::Year(i) => self.years.get(*i),
            Span::Horizon => Some(&self.horizon),
            Span::Months(_) => None,
        }
    }
}

impl Period<()> {
    /// All spans of a projection, months first.
    pub fn spans(projection: &Projection) -> Vec<Span> {
        let months = (0..projection.months.len()).map(Span::Month);
        let quarters = (0..projection.quarters.len()).map(Span::Quarter);
        let years = (0..projection.years.len()).map(Span::Year);
        months
            .chain(quarters)
            .chain(years)
            .chain([Span::Horizon])
            .collect()
    }

    /// The summaries of a series in the order of [`Self::spans`].
    pub fn summaries(series: &Series) -> impl Iterator<Item = &Summary> {
        series
            .months
            .iter()
            .chain(&series.quarters)
            .chain(&series.years)
            .chain([&series.horizon])
    }
}
