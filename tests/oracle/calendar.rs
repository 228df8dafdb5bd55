//! Hours of a plan in UTC, by day counts: no time zones, no library.

use jiff::civil::Date;

/// Days from 1970-01-01 (proleptic Gregorian), by counting.
pub fn day_number(year: i32, month: u32, day: u32) -> i64 {
    // March-based years put the leap day last; 719,468 days lie between 0000-03-01 and 1970-01-01.
    let y = i64::from(if month <= 2 { year - 1 } else { year });
    let m = i64::from((month + 9) % 12);
    365 * y + y.div_euclid(4) - y.div_euclid(100)
        + y.div_euclid(400)
        + (153 * m + 2) / 5
        + i64::from(day)
        - 1
        - 719_468
}

/// Days of a month.
pub fn month_length(year: i32, month: u32) -> u32 {
    let (next_year, next) = if month == 12 {
        (year + 1, 1)
    } else {
        (year, month + 1)
    };
    u32::try_from(day_number(next_year, next, 1) - day_number(year, month, 1)).expect("a month")
}

/// A plan's hours.
pub struct Calendar {
    first_day: i64,
    /// First hour of each month, and the end.
    pub month_start: Vec<usize>,
}

impl Calendar {
    /// The hours of `months` months from the first of the month of `start`.
    pub fn new(start: Date, months: u32) -> Self {
        let (mut year, mut month) = (i32::from(start.year()), start.month() as u32);
        let first_day = day_number(year, month, 1);
        let mut month_start = vec![0];
        for _ in 0..months {
            let days = month_length(year, month) as usize;
            month_start.push(month_start.last().copied().unwrap_or(0) + 24 * days);
            (year, month) = if month == 12 {
                (year + 1, 1)
            } else {
                (year, month + 1)
            };
        }
        Self {
            first_day,
            month_start,
        }
    }

    /// All hours.
    pub fn hours(&self) -> usize {
        self.month_start.last().copied().unwrap_or(0)
    }

    /// Hour at which a day starts; before the plan's start it is negative.
    pub fn hour_of(&self, date: Date) -> i64 {
        24 * (day_number(date.year().into(), date.month() as u32, date.day() as u32)
            - self.first_day)
    }

    /// Hour of the week, Monday 00 = 0. 1970-01-01 was a Thursday.
    pub fn hour_of_week(&self, hour: usize) -> usize {
        let day = self.first_day + (hour / 24) as i64;
        (day + 3).rem_euclid(7) as usize * 24 + hour % 24
    }

    /// Month of an hour.
    pub fn month_of(&self, hour: usize) -> usize {
        self.month_start.partition_point(|start| *start <= hour) - 1
    }

    /// Fractional calendar months from the start to a time in hours.
    pub fn months_at(&self, hour: f64) -> f64 {
        let month = self.month_of(hour as usize);
        let (start, end) = (
            self.month_start[month] as f64,
            self.month_start[month + 1] as f64,
        );
        month as f64 + (hour - start) / (end - start)
    }

    /// First hour after a term that starts on a day and keeps its anchor day.
    pub fn term_end(&self, start: Date, months: u32) -> i64 {
        let index = i32::from(start.year()) * 12 + start.month() as i32 - 1 + months as i32;
        let (year, month) = (index.div_euclid(12), index.rem_euclid(12) as u32 + 1);
        let day = (start.day() as u32).min(month_length(year, month));
        24 * (day_number(year, month, day) - self.first_day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn known_days() {
        assert_eq!(day_number(1970, 1, 1), 0);
        assert_eq!(day_number(2000, 3, 1), 11_017);
        assert_eq!(month_length(2028, 2), 29);
        assert_eq!(month_length(2100, 2), 28);
        let calendar = Calendar::new(date(2027, 2, 1), 3);
        assert_eq!(calendar.month_start, [0, 672, 672 + 744, 672 + 744 + 720]);
        assert_eq!(calendar.hour_of(date(2027, 2, 3)), 48);
        assert_eq!(calendar.hour_of(date(2027, 1, 31)), -24);
        assert_eq!(calendar.hour_of_week(0), 0, "1 February 2027 is a Monday");
        assert_eq!(calendar.term_end(date(2027, 1, 31), 1), 27 * 24);
        assert_eq!(calendar.term_end(date(2027, 1, 31), 2), (28 + 30) * 24);
    }
}
