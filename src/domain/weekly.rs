//! Weeks: the 168 weights of a profile.

use super::scenario::WeeklyShape;

/// Hours of a week.
pub const HOURS: usize = 168;

/// Weekday of an office: two humps around lunch, little at night. Weights are relative.
const OFFICE_DAY: [f64; 24] = [
    0.15, 0.12, 0.10, 0.10, 0.12, 0.15, 0.30, 0.80, 1.70, 2.50, 2.70, 2.50, 1.90, 2.20, 2.50, 2.40,
    2.10, 1.50, 0.90, 0.60, 0.45, 0.35, 0.25, 0.20,
];
/// Saturday and Sunday of an office, as a share of a weekday.
const OFFICE_WEEKEND: f64 = 0.15;

/// Weekday of consumers: rises over the day, peaks in the evening.
const CONSUMER_DAY: [f64; 24] = [
    0.60, 0.40, 0.28, 0.22, 0.20, 0.25, 0.40, 0.65, 0.85, 0.95, 1.00, 1.05, 1.15, 1.10, 1.05, 1.05,
    1.10, 1.25, 1.45, 1.65, 1.80, 1.75, 1.45, 1.00,
];
/// Saturday and Sunday of consumers, as a share of a weekday.
const CONSUMER_WEEKEND: f64 = 1.25;

impl WeeklyShape {
    /// 168 weights from Monday 00:00 with mean 1. Custom weights that cannot be used (see
    /// [`super::scenario::Scenario::problems`]) give a flat week.
    #[must_use]
    pub fn weights(&self) -> Vec<f64> {
        let week = |day: &[f64; 24], weekend: f64| -> Vec<f64> {
            (0..HOURS)
                .map(|h| day[h % 24] * if h < 120 { 1.0 } else { weekend })
                .collect()
        };
        let raw = match self {
            Self::Flat => vec![1.0; HOURS],
            Self::OfficeHours => week(&OFFICE_DAY, OFFICE_WEEKEND),
            Self::Consumer => week(&CONSUMER_DAY, CONSUMER_WEEKEND),
            Self::Custom(own) => own.clone(),
        };
        let sum: f64 = raw.iter().sum();
        if raw.len() != HOURS || !sum.is_finite() || sum <= 0.0 {
            return vec![1.0; HOURS];
        }
        raw.iter().map(|w| w * HOURS as f64 / sum).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_have_mean_one_and_peak_where_they_should() {
        for shape in [
            WeeklyShape::Flat,
            WeeklyShape::OfficeHours,
            WeeklyShape::Consumer,
            WeeklyShape::Custom((0..168).map(f64::from).collect()),
            WeeklyShape::Custom(Vec::new()),
        ] {
            let w = shape.weights();
            assert_eq!(w.len(), HOURS);
            assert!((w.iter().sum::<f64>() / 168.0 - 1.0).abs() < 1e-12);
        }
        let peak = |s: WeeklyShape| {
            let w = s.weights();
            (0..HOURS).max_by(|a, b| w[*a].total_cmp(&w[*b]))
        };
        assert_eq!(peak(WeeklyShape::OfficeHours).map(|h| h % 24), Some(10));
        assert_eq!(peak(WeeklyShape::Consumer).map(|h| h % 24), Some(20));
    }
}
