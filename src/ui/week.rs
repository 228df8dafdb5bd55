//! Weekly profiles as the editor paints them: 168 weights from Monday 00:00.

use crate::domain::scenario::WeeklyShape;
use crate::text::{say, ui::Weekday};

/// Hours of a week.
pub const HOURS: usize = 168;

/// One weight up or down: a tenth of its size, at least a tenth.
#[must_use]
pub fn step(value: f64, up: bool) -> f64 {
    let by = if value >= 10.0 { 1.0 } else { 0.1 };
    let new = if up { value + by } else { value - by };
    (new.max(0.0) * 10.0).round() / 10.0
}

/// `Mon`, by day from 0.
#[must_use]
pub fn day_name(day: usize) -> String {
    say(&Weekday::Short {
        day: u32::try_from(day % 7).unwrap_or(0) + 1,
    })
}

/// Weights out of pasted text: 168 numbers, or 24 for every day, or 7 for the days; separated by anything but digits.
#[must_use]
pub fn pasted(text: &str) -> Option<[f64; HOURS]> {
    let numbers: Vec<f64> = text
        .split(|c: char| c.is_whitespace() || matches!(c, ';' | ',' | '|'))
        .filter(|t| !t.is_empty())
        .map(|t| t.parse::<f64>().ok().filter(|v| v.is_finite() && *v >= 0.0))
        .collect::<Option<_>>()?;
    let mut out = [0.0; HOURS];
    for (hour, weight) in out.iter_mut().enumerate() {
        *weight = match numbers.len() {
            HOURS => numbers[hour],
            24 => numbers[hour % 24],
            7 => numbers[hour / 24],
            _ => return None,
        };
    }
    out.iter().any(|w| *w > 0.0).then_some(out)
}

/// The weights of a shape, mean 1; weights that cannot be used give a flat week.
#[must_use]
pub fn weights(shape: &WeeklyShape) -> [f64; HOURS] {
    let mut out = [1.0; HOURS];
    for (to, from) in out.iter_mut().zip(shape.weights()) {
        *to = from;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paste_has_168_or_24_or_7_numbers() {
        let day: Vec<String> = (0..24).map(|h| h.to_string()).collect();
        let daily = pasted(&day.join("\t")).expect("24 numbers");
        assert_eq!((daily[1], daily[25], daily[167]), (1.0, 1.0, 23.0));
        let days = pasted("1, 1, 1, 1, 1, 0, 0.5").expect("7 numbers");
        assert_eq!((days[0], days[130], days[167]), (1.0, 0.0, 0.5));
        let all = vec!["2"; HOURS].join("\n");
        assert_eq!(pasted(&all), Some([2.0; HOURS]));
        for bad in [
            "",
            "1 2 3",
            "0 0 0 0 0 0 0",
            "a b c d e f g",
            "1 1 1 1 1 1 -1",
            "1 1 1 1 1 1 NaN",
            "1 1 1 1 1 1 1e999",
        ] {
            assert_eq!(pasted(bad), None, "{bad}");
        }
    }

    #[test]
    fn steps_go_up_and_down_and_stop_at_0() {
        assert_eq!(step(1.0, true), 1.1);
        assert_eq!(step(0.3, false), 0.2);
        assert_eq!(step(0.0, false), 0.0);
        assert_eq!(step(12.0, true), 13.0);
    }
}
