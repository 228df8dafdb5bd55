//! Numbers, money, chances and dates as a person reads them (design: "Numbers").
//!
//! Everything here is pure, and what is not a finite number becomes a dash: no NaN and no infinity reaches a screen or a
//! file. A narrow no-break space stands before units and %, and a difference carries its sign (U+2212 for minus).

use jiff::civil::Date;

use super::say;
pub use crate::domain::money::sign;
use crate::domain::money::{minor_units, to_decimal_string};
use crate::engine::projection::Chance;

crate::messages! {
    /// Names of months and the order of a date.
    pub enum Calendar {
        MonthShort { month: u32 } = "month-short";
        MonthLong { month: u32 } = "month-long";
        DayMonthYear { day: String, month: String, year: String } = "date-day-month-year";
        DayMonth { day: String, month: String } = "date-day-month";
        MonthYear { month: String, year: String } = "date-month-year";
        FiscalYear { year: String } = "fiscal-year";
        FiscalQuarter { year: String, quarter: String } = "fiscal-quarter";
    }
}

/// Narrow no-break space: before units and %.
pub const THIN: char = '\u{202f}';
/// Minus sign.
pub const MINUS: char = '\u{2212}';
/// Stands where there is no number.
pub const NONE: &str = "\u{2013}";

/// Powers of ten with their English letter, largest first.
const TIERS: [(f64, &str); 4] = [(1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")];

/// `10,000`; the sign only if negative.
#[must_use]
pub fn integer(value: f64) -> String {
    if !value.is_finite() {
        return NONE.into();
    }
    signless(value, grouped(value.abs(), 0))
}

/// A number with a fixed count of decimals and thousands marks: `1,234.50`.
#[must_use]
pub fn decimal(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return NONE.into();
    }
    signless(value, grouped(value.abs(), decimals))
}

/// A count of tokens, requests, GPUs: whole below 1,000, then `11.4 k`, `286 k`, `5.9 B`.
#[must_use]
pub fn count(value: f64) -> String {
    if !value.is_finite() {
        return NONE.into();
    }
    signless(value, count_magnitude(value.abs(), false))
}

/// The same without a decimal that says nothing: `42 k`, `11.4 k`. Small numbers keep what they need: `12.3`, `0.04`.
#[must_use]
pub fn count_short(value: f64) -> String {
    if !value.is_finite() {
        return NONE.into();
    }
    signless(value, count_magnitude(value.abs(), true))
}

/// A range of counts, the letter once where both have it: `157–201 M`.
#[must_use]
pub fn count_range(low: f64, high: f64) -> String {
    let (low, high) = (count(low), count(high));
    let shared = match (low.rsplit_once(THIN), high.rsplit_once(THIN)) {
        (Some((number, a)), Some((_, b))) if a == b => Some(number),
        _ => None,
    };
    format!("{}\u{2013}{high}", shared.unwrap_or(&low))
}

/// A count with its sign: `+12`, `−31`, `0`.
#[must_use]
pub fn count_signed(value: f64) -> String {
    if !value.is_finite() {
        return NONE.into();
    }
    signed(value, count_magnitude(value.abs(), false))
}

/// Money: `$4.00 M`, `$799 k`, `$12.30`, `$0.0184`.
#[must_use]
pub fn money(amount: f64, currency: &str) -> String {
    if !amount.is_finite() {
        return NONE.into();
    }
    signless(amount, money_magnitude(amount.abs(), currency, false))
}

/// Money that a person entered, without decimals that say nothing: `$4.2 M`, `$40`, `$2.35`.
#[must_use]
pub fn money_short(amount: f64, currency: &str) -> String {
    if !amount.is_finite() {
        return NONE.into();
    }
    signless(amount, money_magnitude(amount.abs(), currency, true))
}

/// A difference of money: `+$50 k`, `−$47 k`, `$0`.
#[must_use]
pub fn money_signed(amount: f64, currency: &str) -> String {
    if !amount.is_finite() {
        return NONE.into();
    }
    signed(amount, money_magnitude(amount.abs(), currency, false))
}

/// A full amount for tables, rounded as in exports to the currency's minor unit: `$4,001,234.56`.
#[must_use]
pub fn money_full(amount: f64, currency: &str) -> String {
    if !amount.is_finite() {
        return NONE.into();
    }
    let text = with_marks(&to_decimal_string(amount.abs(), currency));
    signless(amount, format!("{}{text}", sign(currency)))
}

/// `$3.57 M – $4.89 M`.
#[must_use]
pub fn money_range(low: f64, high: f64, currency: &str) -> String {
    format!(
        "{} \u{2013} {}",
        money(low, currency),
        money(high, currency)
    )
}

/// `−31 … +12`.
#[must_use]
pub fn signed_range(low: f64, high: f64) -> String {
    format!("{} \u{2026} {}", count_signed(low), count_signed(high))
}

/// A share in whole percent without its sign: `31`, `<1`, `>99`; `0` and `100` only if exact.
#[must_use]
pub fn percent_number(share: f64) -> String {
    if !share.is_finite() {
        return NONE.into();
    }
    let share = share.clamp(0.0, 1.0);
    if share == 0.0 || share == 1.0 {
        return format!("{:.0}", share * 100.0);
    }
    if share < 0.01 {
        return "<1".into();
    }
    if share > 0.99 {
        return ">99".into();
    }
    format!("{:.0}", share * 100.0)
}

/// A share in whole percent: `31 %`.
#[must_use]
pub fn percent(share: f64) -> String {
    if share.is_finite() {
        format!("{}{THIN}%", percent_number(share))
    } else {
        NONE.into()
    }
}

/// A share that may be small, with two digits then: `0.057 %`, `2.4 %`, `31 %`.
#[must_use]
pub fn percent_fine(share: f64) -> String {
    let percent = share.abs() * 100.0;
    if !(1e-6..9.95).contains(&percent) {
        return self::percent(share);
    }
    let places = (0..8).find(|p| percent * 10f64.powi(*p) >= 9.95);
    let text = decimal(share * 100.0, places.unwrap_or(8) as usize);
    format!("{text}{THIN}%")
}

/// A rate of change in percent with its sign: `+3.5 %`.
#[must_use]
pub fn percent_signed(fraction: f64) -> String {
    if !fraction.is_finite() {
        return NONE.into();
    }
    let text = trimmed(format!("{:.1}", fraction.abs() * 100.0));
    format!("{}{THIN}%", signed(fraction, text))
}

/// A chance: `31 %`.
#[must_use]
pub fn chance(chance: &Chance) -> String {
    percent(chance.share())
}

/// A chance for a narrow cell: `31`, `<1`.
#[must_use]
pub fn chance_number(chance: &Chance) -> String {
    percent_number(chance.share())
}

/// Monte Carlo error of a chance in points, rounded up: half the width of its Wilson interval; 0 without trials.
#[must_use]
pub fn chance_points(chance: &Chance) -> u32 {
    let half = (chance.high - chance.low) / 2.0 * 100.0;
    if half.is_finite() && half > 0.0 && chance.of > 0 {
        // a chance has at most 100 points
        half.ceil().min(100.0) as u32
    } else {
        0
    }
}

/// `±1`: points of [`chance_points`].
#[must_use]
pub fn chance_error(chance: &Chance) -> String {
    format!("\u{b1}{}", chance_points(chance))
}

/// A change of a chance in points with its sign: `−12`, `+3`, `−0.4`.
#[must_use]
pub fn points_signed(change: f64) -> String {
    if !change.is_finite() {
        return NONE.into();
    }
    let points = change.abs() * 100.0;
    let text = if points < 0.95 && points > 0.0 {
        format!("{points:.1}")
    } else {
        format!("{points:.0}")
    };
    signed(change, text)
}

/// A factor: `×1.45`.
#[must_use]
pub fn factor(value: f64) -> String {
    if value.is_finite() {
        format!("\u{d7}{}", trimmed(format!("{value:.2}")))
    } else {
        NONE.into()
    }
}

/// A correlation: `0.61`, `−0.12`.
#[must_use]
pub fn correlation(value: f64) -> String {
    decimal(value, 2)
}

/// Ticks of an axis on one scale: all in the letter of the largest, with the decimals that the step needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticks {
    divisor: f64,
    letter: &'static str,
    decimals: usize,
}

impl Ticks {
    /// For ticks up to `largest` (by magnitude) in steps of `step`.
    #[must_use]
    pub fn new(largest: f64, step: f64) -> Self {
        let largest = if largest.is_finite() {
            largest.abs()
        } else {
            0.0
        };
        let (divisor, letter) = TIERS
            .iter()
            .find(|(size, _)| largest >= *size)
            .map_or((1.0, ""), |&(size, letter)| (size, letter));
        let mut decimals = 0;
        let mut scaled = if step.is_finite() {
            (step / divisor).abs()
        } else {
            0.0
        };
        while decimals < 6 && (scaled - scaled.round()).abs() > 1e-6 {
            scaled *= 10.0;
            decimals += 1;
        }
        Self {
            divisor,
            letter,
            decimals,
        }
    }

    fn magnitude(&self, value: f64) -> String {
        let text = grouped((value / self.divisor).abs(), self.decimals);
        if value == 0.0 {
            "0".into()
        } else if self.letter.is_empty() {
            text
        } else {
            format!("{text}{THIN}{}", self.letter)
        }
    }

    /// `2 M`.
    #[must_use]
    pub fn plain(&self, value: f64) -> String {
        signless(value, self.magnitude(value))
    }

    /// `+25`, `0`, `−25`.
    #[must_use]
    pub fn signed(&self, value: f64) -> String {
        signed(value, self.magnitude(value))
    }

    /// `$2 M`.
    #[must_use]
    pub fn money(&self, value: f64, currency: &str) -> String {
        signless(
            value,
            format!("{}{}", sign(currency), self.magnitude(value)),
        )
    }

    /// `+$200 k`.
    #[must_use]
    pub fn money_signed(&self, value: f64, currency: &str) -> String {
        signed(
            value,
            format!("{}{}", sign(currency), self.magnitude(value)),
        )
    }
}

/// `1 Jul 2027`.
#[must_use]
pub fn date(date: Date) -> String {
    say(&Calendar::DayMonthYear {
        day: date.day().to_string(),
        month: month_short(date.month().unsigned_abs()),
        year: date.year().to_string(),
    })
}

/// `1 Jul`.
#[must_use]
pub fn date_short(date: Date) -> String {
    say(&Calendar::DayMonth {
        day: date.day().to_string(),
        month: month_short(date.month().unsigned_abs()),
    })
}

/// `Jul`, by calendar month 1 to 12.
#[must_use]
pub fn month_short(month: u8) -> String {
    say(&Calendar::MonthShort {
        month: u32::from(month),
    })
}

/// `July`.
#[must_use]
pub fn month_long(month: u8) -> String {
    say(&Calendar::MonthLong {
        month: u32::from(month),
    })
}

/// `July 2027`.
#[must_use]
pub fn month_year(year: i16, month: u8) -> String {
    say(&Calendar::MonthYear {
        month: month_long(month),
        year: year.to_string(),
    })
}

/// `FY2027`.
#[must_use]
pub fn fiscal_year(year: i16) -> String {
    say(&Calendar::FiscalYear {
        year: year.to_string(),
    })
}

/// `Q3 FY2027`.
#[must_use]
pub fn fiscal_quarter(year: i16, quarter: u8) -> String {
    say(&Calendar::FiscalQuarter {
        year: year.to_string(),
        quarter: quarter.to_string(),
    })
}

/// Minus in front, unless what is written is zero.
fn signless(value: f64, magnitude: String) -> String {
    if value < 0.0 && has_digit_above_zero(&magnitude) {
        format!("{MINUS}{magnitude}")
    } else {
        magnitude
    }
}

/// Plus or minus in front, unless what is written is zero.
fn signed(value: f64, magnitude: String) -> String {
    if value > 0.0 && has_digit_above_zero(&magnitude) {
        format!("+{magnitude}")
    } else {
        signless(value, magnitude)
    }
}

fn has_digit_above_zero(text: &str) -> bool {
    text.bytes().any(|b| (b'1'..=b'9').contains(&b))
}

/// The tier of a magnitude after rounding to three digits, so that 999,950 is 1.0 M and not 1000 k.
fn tier(magnitude: f64) -> Option<(f64, &'static str)> {
    let rounded: f64 = format!("{magnitude:.2e}").parse().unwrap_or(magnitude);
    TIERS.iter().find(|(size, _)| rounded >= *size).copied()
}

fn count_magnitude(magnitude: f64, short: bool) -> String {
    let Some((size, letter)) = tier(magnitude) else {
        return if short && magnitude < 100.0 {
            trimmed(three_digits(magnitude))
        } else {
            grouped(magnitude, 0)
        };
    };
    let scaled = magnitude / size;
    let text = if scaled < 99.95 {
        grouped(scaled, 1)
    } else {
        grouped(scaled, 0)
    };
    let text = if short { trimmed(text) } else { text };
    format!("{text}{THIN}{letter}")
}

fn money_magnitude(magnitude: f64, currency: &str, short: bool) -> String {
    let sign = sign(currency);
    if magnitude == 0.0 {
        return format!("{sign}0");
    }
    let Some((size, letter)) = tier(magnitude) else {
        let digits = minor_units(currency) as usize;
        let text = if magnitude >= 99.995 {
            // a whole amount says enough, but an entered 120.50 is not 121
            if short {
                trimmed_money(grouped(magnitude, digits))
            } else {
                grouped(magnitude, 0)
            }
        } else if magnitude >= 0.995 {
            let text = grouped(magnitude, digits);
            if short { trimmed_money(text) } else { text }
        } else if short {
            trimmed(three_digits(magnitude))
        } else {
            three_digits(magnitude)
        };
        return format!("{sign}{text}");
    };
    let scaled = magnitude / size;
    let text = if size >= 1e6 {
        grouped(scaled, 2)
    } else {
        three_digits(scaled)
    };
    let text = if short { trimmed(text) } else { text };
    format!("{sign}{text}{THIN}{letter}")
}

/// Three significant digits without an exponent, at most nine decimals.
fn three_digits(magnitude: f64) -> String {
    if magnitude == 0.0 {
        return "0".into();
    }
    let exponent: i32 = format!("{magnitude:.2e}")
        .split_once('e')
        .and_then(|(_, e)| e.parse().ok())
        .unwrap_or(0);
    let decimals = usize::try_from((2 - exponent).clamp(0, 9)).unwrap_or(0);
    grouped(magnitude, decimals)
}

/// Without trailing zeros after a decimal point.
fn trimmed(text: String) -> String {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// Cents go only if all of them are zero: `$40`, but `$40.50`.
fn trimmed_money(text: String) -> String {
    match text.split_once('.') {
        Some((whole, cents)) if cents.bytes().all(|b| b == b'0') => whole.to_owned(),
        _ => text,
    }
}

/// Fixed decimals with thousands marks; the value is not negative. Rust rounds half to even on the exact binary value.
fn grouped(magnitude: f64, decimals: usize) -> String {
    with_marks(&format!("{magnitude:.decimals$}"))
}

/// Decimal digits with thousands marks.
fn with_marks(digits: &str) -> String {
    let (whole, fraction) = digits
        .split_once('.')
        .map_or((digits, None), |(w, f)| (w, Some(f)));
    let mut out = String::with_capacity(digits.len() + 4);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plain spaces, so that the tests can be read.
    fn plain(text: String) -> String {
        text.replace(['\u{a0}', THIN], " ").replace(MINUS, "-")
    }

    #[test]
    fn money_of_the_design() {
        for (amount, written) in [
            (4_001_234.0, "$4.00 M"),
            (799_000.0, "$799 k"),
            (961_400.0, "$961 k"),
            (1_090_000.0, "$1.09 M"),
            (12_345_678.0, "$12.35 M"),
            (999_600.0, "$1.00 M"),
            (999_400.0, "$999 k"),
            (1_710.0, "$1.71 k"),
            (999.96, "$1.00 k"),
            (799.4, "$799"),
            (12.3, "$12.30"),
            (2.35, "$2.35"),
            (0.0184, "$0.0184"),
            (0.0, "$0"),
            (-47_000.0, "-$47.0 k"),
            (1.23e9, "$1.23 B"),
            (1e-12, "$0.000000000"),
        ] {
            assert_eq!(plain(money(amount, "USD")), written, "{amount}");
        }
        assert_eq!(plain(money_short(4.2e6, "USD")), "$4.2 M");
        assert_eq!(plain(money_short(40.0, "USD")), "$40");
        assert_eq!(plain(money_short(2.3, "USD")), "$2.30");
        assert_eq!(plain(money_short(120_000.0, "EUR")), "\u{20ac}120 k");
        assert_eq!(plain(money(5_000.0, "CHF")), "CHF 5.00 k");
        assert_eq!(plain(money_full(4_001_234.567, "USD")), "$4,001,234.57");
        assert_eq!(plain(money_full(-1_234.4, "JPY")), "-\u{a5}1,234");
    }

    #[test]
    fn differences_always_carry_a_sign_and_zero_none() {
        assert_eq!(plain(money_signed(50_000.0, "USD")), "+$50.0 k");
        assert_eq!(money_signed(-47_100.0, "USD"), "\u{2212}$47.1\u{202f}k");
        assert_eq!(plain(money_signed(0.0, "USD")), "$0");
        assert_eq!(plain(count_signed(12.0)), "+12");
        assert_eq!(plain(count_signed(-31.2)), "-31");
        assert_eq!(plain(count_signed(-0.3)), "0");
        assert_eq!(plain(signed_range(-31.0, 12.0)), "-31 \u{2026} +12");
        assert_eq!(plain(percent_signed(0.035)), "+3.5 %");
    }

    #[test]
    fn counts_of_the_design() {
        for (value, written) in [
            (11_400.0, "11.4 k"),
            (5.9e9, "5.9 B"),
            (982.0, "982"),
            (16_000.0, "16.0 k"),
            (286_400.0, "286 k"),
            (999_960.0, "1.0 M"),
            (99_960.0, "100 k"),
            (0.4, "0"),
        ] {
            assert_eq!(plain(count(value)), written, "{value}");
        }
        assert_eq!(plain(count_range(157e6, 201e6)), "157\u{2013}201 M");
        assert_eq!(plain(count_range(900.0, 1_200.0)), "900\u{2013}1.2 k");
        assert_eq!(plain(count_short(42_000.0)), "42 k");
        assert_eq!(plain(count_short(12.34)), "12.3");
        assert_eq!(plain(count_short(3.0)), "3");
        assert_eq!(plain(integer(10_000.0)), "10,000");
        assert_eq!(plain(decimal(-1_234.5, 2)), "-1,234.50");
    }

    #[test]
    fn chances_are_exact_at_the_ends_only() {
        let of = 10_000;
        let chance_of = |count| Chance {
            count,
            of,
            low: 0.30,
            high: 0.3182,
        };
        for (count, written) in [
            (0, "0 %"),
            (1, "<1 %"),
            (99, "<1 %"),
            (100, "1 %"),
            (3_100, "31 %"),
            (9_900, "99 %"),
            (9_999, ">99 %"),
            (10_000, "100 %"),
        ] {
            assert_eq!(plain(chance(&chance_of(count))), written);
        }
        assert_eq!(chance_error(&chance_of(3_100)), "\u{b1}1");
        for (share, written) in [
            (0.0, "0 %"),
            (5.7e-4, "0.057 %"),
            (0.0096, "0.96 %"),
            (0.0237, "2.4 %"),
            (0.0999, "10 %"),
            (0.3, "30 %"),
        ] {
            assert_eq!(plain(percent_fine(share)), written);
        }
        assert_eq!(chance_points(&Chance::default()), 0);
        assert_eq!(plain(chance(&Chance::default())), "0 %");
    }

    #[test]
    fn ticks_share_a_letter_and_their_decimals() {
        let t = Ticks::new(6e6, 2e6);
        assert_eq!(plain(t.money(4e6, "USD")), "$4 M");
        assert_eq!(plain(t.money(0.0, "USD")), "$0");
        let t = Ticks::new(5.5e6, 5e5);
        assert_eq!(plain(t.money(3.5e6, "USD")), "$3.5 M");
        let t = Ticks::new(50.0, 25.0);
        assert_eq!(plain(t.signed(25.0)), "+25");
        assert_eq!(plain(t.signed(-25.0)), "-25");
        assert_eq!(plain(t.signed(0.0)), "0");
        let t = Ticks::new(f64::NAN, f64::NAN);
        assert_eq!(plain(t.plain(1.0)), "1");
    }

    #[test]
    fn what_is_not_a_number_is_a_dash() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for text in [
                money(bad, "USD"),
                money_short(bad, "USD"),
                money_signed(bad, "USD"),
                money_full(bad, "USD"),
                count(bad),
                count_short(bad),
                count_signed(bad),
                integer(bad),
                decimal(bad, 1),
                percent(bad),
                percent_signed(bad),
                factor(bad),
            ] {
                assert_eq!(text, NONE);
            }
        }
    }

    #[test]
    fn dates_and_periods() {
        let d = jiff::civil::date(2027, 7, 1);
        assert_eq!(date(d), "1 Jul 2027");
        assert_eq!(date_short(d), "1 Jul");
        assert_eq!(month_year(2027, 9), "September 2027");
        assert_eq!(month_short(12), "Dec");
        assert_eq!(fiscal_year(2027), "FY2027");
        assert_eq!(fiscal_quarter(2027, 3), "Q3 FY2027");
        assert_eq!(factor(1.45), "\u{d7}1.45");
        assert_eq!(factor(1.2), "\u{d7}1.2");
    }
}
