//! Plain numbers and dates.

use jiff::civil::Date;

use super::lex::{self, piece};
use super::{GrammarProblem, LONGEST_ENTRY};
use crate::domain::field::Unit;

type Result<T> = std::result::Result<T, GrammarProblem>;

/// One number in a field that cannot be uncertain, in its unit (percent as a fraction).
///
/// # Errors
/// As [`super::parse`].
pub fn parse_number(text: &str, unit: Unit) -> Result<f64> {
    let original: Vec<char> = text.trim().chars().take(LONGEST_ENTRY).collect();
    match super::read::entry(text, unit)? {
        crate::domain::quantity::Quantity {
            shape: crate::domain::quantity::Shape::Fixed(value),
            mean: None,
        } => Ok(value),
        _ => {
            // A range or a mix: point at what follows the first number.
            let second = lex::tokens(&original, unit, true)?.into_iter().nth(1);
            let span = second.map_or((0, original.len()), |t| (t.span.0, original.len()));
            Err(GrammarProblem::Unexpected {
                at: span.0,
                piece: piece(&original, span),
            })
        }
    }
}

/// One whole number >= 0.
///
/// # Errors
/// As [`super::parse`]; [`GrammarProblem::NotWhole`].
pub fn parse_whole(text: &str, unit: Unit) -> Result<u64> {
    let value = parse_number(text, unit)?;
    let whole = (0.0..=9e15).contains(&value) && f64::floor(value) == value;
    if whole {
        // Exact below 2^53.
        Ok(value as u64)
    } else {
        Err(GrammarProblem::NotWhole {
            piece: text.trim().chars().take(40).collect(),
        })
    }
}

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// A day: `2027-07-01`, `1 Jul 2027`, `July 1, 2027`, `2027年7月1日`; a month alone is its first day. `1/7/2027` is not
/// guessed unless one of the two numbers can be no month.
///
/// # Errors
/// What is not a date, or may be two.
pub fn parse_date(text: &str) -> Result<Date> {
    let text = text.trim();
    if text.is_empty() {
        return Err(GrammarProblem::Empty);
    }
    let bad = || GrammarProblem::NotADate {
        piece: text.chars().take(40).collect(),
    };
    let mut numbers: Vec<(i64, usize)> = Vec::new();
    let mut month = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.peek().copied() {
        if c.is_ascii_digit() {
            let (mut value, mut count) = (0_i64, 0);
            while let Some(digit) = chars.peek().and_then(|c| c.to_digit(10)) {
                value = value.saturating_mul(10).saturating_add(i64::from(digit));
                count += 1;
                chars.next();
            }
            numbers.push((value, count));
        } else if c.is_alphabetic() {
            let mut word = String::new();
            while let Some(c) = chars.peek().copied().filter(|c| c.is_alphabetic()) {
                word.extend(c.to_lowercase());
                chars.next();
            }
            let ordinal = matches!(
                word.as_str(),
                "st" | "nd" | "rd" | "th" | "of" | "年" | "月" | "日" | "号"
            );
            if ordinal {
                continue;
            }
            let named = MONTHS
                .iter()
                .position(|m| word.starts_with(m) && full_month(&word));
            if named.is_none() || month.is_some() {
                return Err(bad());
            }
            month = named.map(|m| m as i64 + 1);
        } else if c.is_whitespace() || matches!(c, '-' | '/' | '.' | ',' | '\u{2212}' | '\u{2013}')
        {
            chars.next();
        } else {
            return Err(bad());
        }
    }
    let year_like = |(value, count): (i64, usize)| count == 4 && (1000..=9999).contains(&value);
    let date = |y: i64, m: i64, d: i64| {
        let (Ok(y), Ok(m), Ok(d)) = (i16::try_from(y), i8::try_from(m), i8::try_from(d)) else {
            return None;
        };
        Date::new(y, m, d).ok()
    };
    match (month, numbers.as_slice()) {
        (None, [y, m, d]) if year_like(*y) => date(y.0, m.0, d.0),
        (None, [y, m]) if year_like(*y) => date(y.0, m.0, 1),
        (None, [a, b, y]) if year_like(*y) => {
            let (month_first, day_first) = (date(y.0, a.0, b.0), date(y.0, b.0, a.0));
            match (month_first, day_first) {
                (Some(x), Some(z)) if x != z => {
                    return Err(GrammarProblem::Ambiguous {
                        piece: text.chars().take(40).collect(),
                        readings: vec![z.to_string(), x.to_string()],
                    });
                }
                (x, z) => x.or(z),
            }
        }
        (Some(m), [d, y]) if year_like(*y) => date(y.0, m, d.0),
        (Some(m), [y, d]) if year_like(*y) => date(y.0, m, d.0),
        (Some(m), [y]) if year_like(*y) => date(y.0, m, 1),
        _ => None,
    }
    .ok_or_else(bad)
}

fn full_month(word: &str) -> bool {
    const FULL: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    word.len() >= 3 && FULL.iter().any(|f| f.starts_with(word)) || word == "sept"
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn dates_as_people_write_them() {
        let first = date(2027, 7, 1);
        for text in [
            "2027-07-01",
            "2027/7/1",
            "1 Jul 2027",
            "1 July 2027",
            "July 1, 2027",
            "Jul 1st 2027",
            "1st of July 2027",
            "2027年7月1日",
            " 2027-07-01 ",
            "Jul 2027",
            "2027-07",
            "1-Jul-2027",
        ] {
            assert_eq!(parse_date(text), Ok(first), "{text}");
        }
        assert_eq!(parse_date("13/7/2027"), Ok(date(2027, 7, 13)));
        assert_eq!(parse_date("7/13/2027"), Ok(date(2027, 7, 13)));
        assert_eq!(parse_date("7/7/2027"), Ok(date(2027, 7, 7)));
        assert!(
            matches!(parse_date("1/7/2027"), Err(GrammarProblem::Ambiguous { readings, .. }) if readings == ["2027-07-01", "2027-01-07"])
        );
        for text in [
            "31 Feb 2027",
            "1 Jul",
            "2027",
            "Julius 2027",
            "1 Jul 27",
            "2027-13-01",
            "99999999999999999999-1-1",
            "2027-07-01T00:00Z",
            "tomorrow",
        ] {
            assert!(parse_date(text).is_err(), "{text}");
        }
        assert_eq!(parse_date(&super::super::format_date(first)), Ok(first));
    }

    #[test]
    fn plain_numbers() {
        assert_eq!(parse_number("$2.20", Unit::MoneyPerGpuHour), Ok(2.2));
        assert_eq!(parse_number("4.2M", Unit::Money), Ok(4.2e6));
        assert_eq!(parse_number("85%", Unit::Share), Ok(0.85));
        assert_eq!(parse_number("85", Unit::Share), Ok(0.85));
        assert!(
            matches!(parse_number("0.85", Unit::Share), Err(GrammarProblem::Ambiguous { readings, .. }) if readings == ["0.85%", "85%"])
        );
        assert!(matches!(
            parse_number("1 to 2", Unit::Gpus),
            Err(GrammarProblem::Unexpected { at: 2, .. })
        ));
        assert_eq!(parse_whole("10,000", Unit::One), Ok(10_000));
        assert_eq!(parse_whole("10k", Unit::One), Ok(10_000));
        assert_eq!(parse_whole("18 months", Unit::Months), Ok(18));
        assert_eq!(parse_whole("2y", Unit::Months), Ok(24));
        assert!(matches!(
            parse_whole("1.5", Unit::One),
            Err(GrammarProblem::NotWhole { .. })
        ));
        assert!(matches!(
            parse_whole("-1", Unit::One),
            Err(GrammarProblem::NotWhole { .. })
        ));
    }
}
