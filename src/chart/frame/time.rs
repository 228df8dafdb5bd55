//! The one axis of time that all rows of the time stack share: months with their true lengths.

use jiff::civil::Date;

/// Days between two dates, negative if `b` is earlier.
fn days(a: Date, b: Date) -> f64 {
    a.until(b).map_or(0.0, |span| f64::from(span.get_days()))
}

/// Months on a line of pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeAxis {
    start: Date,
    /// Pixel at the start of each month, and at the end of the last.
    pub edges: Vec<f64>,
    pixels_per_day: f64,
}

impl TimeAxis {
    /// Pixels of the shortest month.
    #[must_use]
    pub fn narrowest_month(&self) -> f64 {
        let widths = self.edges.windows(2).map(|e| e[1] - e[0]);
        widths.fold(f64::INFINITY, f64::min)
    }

    /// The axis of `months` months (at least one) from the month of `start`.
    #[must_use]
    pub fn new(start: Date, months: usize, left: f64, right: f64) -> Self {
        let start = start.first_of_month();
        let mut day = 0.0;
        let mut month = start;
        let mut ends = vec![0.0];
        for _ in 0..months.max(1) {
            day += f64::from(month.days_in_month());
            ends.push(day);
            // the last representable month has no successor; an axis that long is drawn to its end
            month = month.last_of_month().tomorrow().unwrap_or(month);
        }
        let pixels_per_day = (right - left).max(0.0) / day;
        Self {
            start,
            edges: ends.iter().map(|d| left + d * pixels_per_day).collect(),
            pixels_per_day,
        }
    }

    /// Left end.
    #[must_use]
    pub fn left(&self) -> f64 {
        self.edges[0]
    }

    /// Right end.
    #[must_use]
    pub fn right(&self) -> f64 {
        self.edges[self.edges.len() - 1]
    }

    /// Months.
    #[must_use]
    pub fn months(&self) -> usize {
        self.edges.len() - 1
    }

    /// Start and end of a month; of the last one for larger indices.
    #[must_use]
    pub fn month(&self, index: usize) -> (f64, f64) {
        let index = index.min(self.months() - 1);
        (self.edges[index], self.edges[index + 1])
    }

    /// Start of a day, not held inside the axis.
    #[must_use]
    pub fn day(&self, date: Date) -> f64 {
        self.left() + days(self.start, date) * self.pixels_per_day
    }

    /// Pixels of some days.
    #[must_use]
    pub fn length(&self, days: f64) -> f64 {
        days * self.pixels_per_day
    }

    /// The same, held inside the axis.
    #[must_use]
    pub fn day_inside(&self, date: Date) -> f64 {
        self.day(date).clamp(self.left(), self.right())
    }

    /// The month at a pixel: the nearest one; outside the axis none.
    #[must_use]
    pub fn month_at(&self, x: f64) -> Option<usize> {
        if !(self.left()..=self.right()).contains(&x) {
            return None;
        }
        let after = self.edges.partition_point(|edge| *edge <= x);
        Some(after.clamp(1, self.months()) - 1)
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn months_have_their_true_lengths() {
        let a = TimeAxis::new(date(2027, 1, 1), 18, 150.0, 932.0);
        assert_eq!(a.months(), 18);
        assert!((a.month(0).1 - 194.3).abs() < 0.1); // 31 of 547 days of 782 px
        assert!((a.month(1).1 - 234.3).abs() < 0.1); // 28
        assert!((a.right() - 932.0).abs() < 1e-9);
        assert!((a.day(date(2027, 9, 1)) - a.month(8).0).abs() < 1e-9);
    }

    #[test]
    fn a_pixel_goes_back_to_its_month() {
        let a = TimeAxis::new(date(2028, 2, 1), 60, 40.0, 700.0);
        for m in 0..60 {
            let (from, to) = a.month(m);
            assert_eq!(a.month_at(f64::midpoint(from, to)), Some(m));
            assert_eq!(a.month_at(from), Some(m));
        }
        assert_eq!(a.month_at(39.0), None);
        assert_eq!(a.month_at(a.right()), Some(59));
        assert_eq!(a.month_at(f64::NAN), None);
    }

    #[test]
    fn one_month_no_width_and_far_dates() {
        let a = TimeAxis::new(date(2027, 1, 1), 0, 10.0, 10.0);
        assert_eq!(a.months(), 1);
        assert_eq!(a.day_inside(date(2050, 1, 1)), 10.0);
        let a = TimeAxis::new(date(9999, 12, 1), 3, 0.0, 100.0);
        assert!(a.edges.iter().all(|x| x.is_finite()));
    }
}
