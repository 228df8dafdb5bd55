//! Rounding of money, once, where it is written.
//!
//! The f64 is written with 15 significant digits, then rounded half away from zero to the currency's minor units:
//! 100.005 gives 100.01 although its binary value is a little less. Never -0.00. Rows that must add up to their total
//! take the largest remainder (docs/model.md, "Money").

use iso_currency::Currency;

/// The ISO 4217 currency of a code in capitals.
#[must_use]
pub fn currency(code: &str) -> Option<Currency> {
    Currency::from_code(code)
}

/// Digits after the decimal sign; 2 for codes that are not known.
#[must_use]
pub fn minor_units(code: &str) -> u32 {
    currency(code)
        .and_then(|c| c.exponent())
        .map_or(2, u32::from)
}

/// Sign of a currency, `$` or `€`; the code itself where a sign would be read as another currency's.
#[must_use]
pub fn sign(code: &str) -> String {
    match code {
        "USD" => "$".to_owned(),
        "EUR" => "€".to_owned(),
        "GBP" => "£".to_owned(),
        "CNY" | "JPY" => "¥".to_owned(),
        "INR" => "₹".to_owned(),
        "KRW" => "₩".to_owned(),
        other => format!("{other}\u{a0}"),
    }
}

/// Decimal digits of a finite number with 15 significant ones: sign, digits without leading zeros, and how many of
/// them stand after the decimal sign (negative: zeros to append).
fn digits15(value: f64) -> (bool, Vec<u8>, i32) {
    let text = format!("{:.14e}", value.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text.as_str(), "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits: Vec<u8> = mantissa
        .bytes()
        .filter(u8::is_ascii_digit)
        .map(|b| b - b'0')
        .collect();
    let after = digits.len() as i32 - 1 - exponent;
    (value < 0.0, digits, after)
}

/// A whole number of minor units, half away from zero on 15 significant digits; none if it is not finite or larger
/// than 10^30.
fn minor(value: f64, places: u32) -> Option<i128> {
    if !value.is_finite() || value.abs() > 1e30 {
        return None;
    }
    let (negative, mut digits, after) = digits15(value);
    let drop = after - places as i32;
    let round_up = if drop > 0 {
        let keep = digits.len() as i32 - drop;
        let up = keep >= 0 && digits.get(keep as usize).is_some_and(|d| *d >= 5);
        digits.truncate(keep.max(0) as usize);
        up
    } else {
        digits.extend(std::iter::repeat_n(0, drop.unsigned_abs() as usize));
        false
    };
    let whole = digits.iter().try_fold(0_i128, |n, d| {
        n.checked_mul(10)?.checked_add(i128::from(*d))
    })? + i128::from(round_up);
    Some(if negative { -whole } else { whole })
}

fn write(minor: i128, places: u32) -> String {
    let sign = if minor < 0 { "-" } else { "" };
    let digits = minor.unsigned_abs().to_string();
    if places == 0 {
        return format!("{sign}{digits}");
    }
    let places = places as usize;
    let padded = format!("{digits:0>width$}", width = places + 1);
    let (whole, part) = padded.split_at(padded.len() - places);
    format!("{sign}{whole}.{part}")
}

/// The amount with the digits of its currency and a decimal point: `-12.50`. Empty if the number is not finite.
#[must_use]
pub fn to_decimal_string(value: f64, code: &str) -> String {
    let places = minor_units(code);
    minor(value, places).map_or_else(String::new, |m| write(m, places))
}

/// The amount rounded to minor units; a number that is not finite stays as it is.
#[must_use]
pub fn round(value: f64, code: &str) -> f64 {
    to_decimal_string(value, code).parse().unwrap_or(value)
}

/// A total and its rows, rounded so that the rows add up to the total: floor every row, then one unit each to the
/// largest remainders, ties in entry order. Only for means and single futures: percentiles do not add.
#[must_use]
pub fn largest_remainder(rows: &[f64], code: &str) -> (String, Vec<String>) {
    let places = minor_units(code);
    let scale = libm::pow(10.0, f64::from(places));
    let total: f64 = rows.iter().sum();
    let Some(total_minor) = minor(total, places) else {
        return (
            String::new(),
            rows.iter().map(|x| to_decimal_string(*x, code)).collect(),
        );
    };
    let rest = distribute(rows, total_minor, scale);
    (
        write(total_minor, places),
        rest.into_iter().map(|m| write(m, places)).collect(),
    )
}

/// The amount as a whole number of minor units (cents), rounded as [`to_decimal_string`] does; none if it is not finite
/// or larger than 10^30.
#[must_use]
pub fn to_minor(value: f64, code: &str) -> Option<i128> {
    minor(value, minor_units(code))
}

/// A whole number of minor units, written with the digits of its currency.
#[must_use]
pub fn write_minor(minor: i128, code: &str) -> String {
    write(minor, minor_units(code))
}

/// Rows as whole minor units that add up to a total that is already rounded. Rows that are not near the total, one
/// unit each, have something missing: they are rounded one by one instead.
#[must_use]
pub fn share_out(rows: &[f64], total: i128, code: &str) -> Vec<i128> {
    let alone: Vec<i128> = rows
        .iter()
        .map(|x| to_minor(*x, code).unwrap_or(0))
        .collect();
    let missing = (total - alone.iter().sum::<i128>()).unsigned_abs();
    if missing > rows.len() as u128 {
        return alone;
    }
    distribute(rows, total, libm::pow(10.0, f64::from(minor_units(code))))
}

/// Rows in minor units that sum to `total`.
fn distribute(rows: &[f64], total: i128, scale: f64) -> Vec<i128> {
    let floors: Vec<f64> = rows
        .iter()
        .map(|x| {
            let scaled = if x.is_finite() { x * scale } else { 0.0 };
            // What is a whole number on 15 digits is one, whatever its binary value.
            let near = f64::round(scaled);
            if (scaled - near).abs() <= 1e-15 * near.abs().max(1.0) * 8.0 {
                near
            } else {
                f64::floor(scaled)
            }
        })
        .collect();
    let mut out: Vec<i128> = floors.iter().map(|x| *x as i128).collect();
    let mut missing = total - out.iter().sum::<i128>();
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let remainder = |i: usize| rows[i] * scale - floors[i];
    // Equal remainders differ in their last bits when the rows differ in size: compare on 1e-9 of a unit.
    order.sort_by(|&a, &b| {
        let (x, y) = (remainder(a), remainder(b));
        if (x - y).abs() <= 1e-9 {
            a.cmp(&b)
        } else {
            y.total_cmp(&x)
        }
    });
    while missing != 0 && !order.is_empty() {
        let step = missing.signum();
        for &i in &order {
            if missing == 0 {
                break;
            }
            out[i] += step;
            missing -= step;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_away_from_zero_on_fifteen_digits() {
        for (code, value, text) in [
            ("USD", 2.675, "2.68"),
            ("USD", 100.005, "100.01"),
            ("USD", -2.675, "-2.68"),
            ("JPY", -2.5, "-3"),
            ("JPY", 2.5, "3"),
            ("KWD", 1.0005, "1.001"),
            ("USD", -0.004, "0.00"),
            ("USD", -12.5, "-12.50"),
            ("USD", 0.0, "0.00"),
            ("USD", 0.005, "0.01"),
            ("USD", 1e-300, "0.00"),
            ("USD", 999.995, "1000.00"),
            ("USD", 1e20, "100000000000000000000.00"),
            ("USD", f64::NAN, ""),
            ("USD", f64::INFINITY, ""),
        ] {
            assert_eq!(to_decimal_string(value, code), text, "{code} {value}");
        }
        assert_eq!(round(100.005, "USD"), 100.01);
        assert_eq!(minor_units("JPY"), 0);
        assert_eq!(minor_units("KWD"), 3);
        assert!(currency("USX1").is_none() && currency("usd").is_none());
    }

    #[test]
    fn rows_add_up_to_their_total() {
        let (total, rows) = largest_remainder(&[33.335; 3], "USD");
        assert_eq!(
            (total.as_str(), rows.join(" ").as_str()),
            ("100.01", "33.34 33.34 33.33")
        );
        let (total, rows) = largest_remainder(&[33.335; 3], "JPY");
        assert_eq!(
            (total.as_str(), rows.join(" ").as_str()),
            ("100", "34 33 33")
        );
        let (total, rows) = largest_remainder(&[-1.006, 2.003, 0.0], "USD");
        assert_eq!(
            (total.as_str(), rows.join(" ").as_str()),
            ("1.00", "-1.00 2.00 0.00")
        );
        assert_eq!(largest_remainder(&[], "USD"), ("0.00".to_owned(), vec![]));
    }

    proptest::proptest! {
        #[test]
        fn every_sum_is_exact(rows in proptest::collection::vec(-1e9..1e9_f64, 0..30)) {
            let (total, parts) = largest_remainder(&rows, "USD");
            let cents = |s: &str| s.replace('.', "").parse::<i128>().unwrap();
            proptest::prop_assert_eq!(cents(&total), parts.iter().map(|p| cents(p)).sum::<i128>());
            for (row, part) in rows.iter().zip(&parts) {
                let part: f64 = part.parse().unwrap();
                proptest::prop_assert!((row - part).abs() < 0.0200001);
            }
        }
    }
}
