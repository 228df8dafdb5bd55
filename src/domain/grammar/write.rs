//! Entries to text that reads back to exactly the same entry.

use jiff::civil::Date;

use super::column::SAMPLE;
use super::families::FAMILIES;
use super::weights::make_a_whole;
use crate::domain::distribution::{FamilyName, Part};
use crate::domain::field::{FieldSpec, Unit};
use crate::domain::quantity::{HighPercentile, Quantity, Shape};

/// The text of an entry: what [`super::parse`] reads back to exactly this entry.
#[must_use]
pub fn format(entry: &Quantity, spec: &FieldSpec) -> String {
    let text = shape(&entry.shape, spec.unit, false);
    match entry.mean {
        None => text,
        Some(mean) => format!("{text}, mean {}", format_number(mean, spec.unit)),
    }
}

/// A date as it is read back, year first.
#[must_use]
pub fn format_date(date: Date) -> String {
    date.to_string()
}

/// A number in a field of this unit, as it is read back: `42k`, `3.5%`, `2048`.
#[must_use]
pub fn format_number(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Share | Unit::SharePerMonth => percent(value),
        _ => short(value),
    }
}

/// A fraction in percent.
pub(super) fn percent(value: f64) -> String {
    if !value.is_finite() {
        return "?".to_owned();
    }
    let (negative, digits, exponent) = shortest(value);
    format!("{}%", plain(negative, &digits, exponent + 2))
}

/// A pure number.
fn short(value: f64) -> String {
    if !value.is_finite() {
        return "?".to_owned();
    }
    let (negative, digits, exponent) = shortest(value);
    // A letter where it leaves at most two decimals: 24.5k, but 2048.
    let magnitude = digits.len() as i32 + exponent;
    for (power, letter) in [(12, "T"), (9, "B"), (6, "M"), (3, "k")] {
        if magnitude > power && (power - 2..power + 6).contains(&exponent) {
            return format!("{}{letter}", plain(negative, &digits, exponent - power));
        }
    }
    plain(negative, &digits, exponent)
}

/// Sign, digits without zeros at either end, and the power of ten of the last digit. Zero has no sign.
fn shortest(value: f64) -> (bool, String, i32) {
    let text = format!("{:e}", value.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text.as_str(), "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let decimals = digits.len() as i32 - 1;
    (value < 0.0, digits, exponent - decimals)
}

fn plain(negative: bool, digits: &str, exponent: i32) -> String {
    let sign = if negative { "-" } else { "" };
    let count = digits.len() as i32;
    if digits == "0" {
        return "0".to_owned();
    }
    if exponent > 20 || count + exponent < -8 {
        return format!("{sign}{digits}e{exponent}");
    }
    if exponent >= 0 {
        return format!(
            "{sign}{digits}{}",
            "0".repeat(exponent.unsigned_abs() as usize)
        );
    }
    let whole = count + exponent;
    if whole > 0 {
        let (a, b) = digits.split_at(whole.unsigned_abs() as usize);
        return format!("{sign}{a}.{b}");
    }
    format!(
        "{sign}0.{}{digits}",
        "0".repeat(whole.unsigned_abs() as usize)
    )
}

const NINE: [&str; 9] = [
    "p0", "p10", "p25", "p50", "p75", "p90", "p95", "p99", "p100",
];

const fn high_name(percentile: HighPercentile) -> &'static str {
    match percentile {
        HighPercentile::P90 => "p90",
        HighPercentile::P95 => "p95",
        HighPercentile::P99 => "p99",
    }
}

/// `part`: it stands in a mix, so a mix needs brackets.
fn shape(shape: &Shape, unit: Unit, part: bool) -> String {
    let n = |value: f64| format_number(value, unit);
    match *shape {
        Shape::Fixed(value) => n(value),
        Shape::Between { p10, p90 } => format!("{} to {}", n(p10), n(p90)),
        Shape::BetweenProbably { p10, mode, p90 } => {
            format!("{} to {} probably {}", n(p10), n(p90), n(mode))
        }
        Shape::FewAreLarge {
            p50,
            percentile,
            high,
        } => {
            format!("{}, {} {}", n(p50), high_name(percentile), n(high))
        }
        Shape::ParetoTail {
            p50,
            percentile,
            high,
            alpha,
        } => {
            let name = high_name(percentile);
            format!("{}, {name} {}, tail {}", n(p50), n(high), short(alpha))
        }
        Shape::Sample(ref values) => {
            let items: Vec<String> = values.iter().map(|v| n(*v)).collect();
            let text = format!("{SAMPLE} {}", items.join(", "));
            if part { format!("({text})") } else { text }
        }
        Shape::Uniform { min, max } => format!("{} to {} hard", n(min), n(max)),
        Shape::Pert { min, mode, max } => {
            format!("{} to {} hard probably {}", n(min), n(max), n(mode))
        }
        Shape::Triangular { min, mode, max } => {
            if mode < 0.0 || max < 0.0 {
                format!("triangular min {} mode {} max {}", n(min), n(mode), n(max))
            } else {
                format!("triangular {} {} {}", n(min), n(mode), n(max))
            }
        }
        Shape::Normal { mean, sd } => family(
            FamilyName::Normal,
            &[(Part::Mean, mean), (Part::Sd, sd)],
            unit,
        ),
        Shape::Lognormal { mu, sigma } => family(
            FamilyName::Lognormal,
            &[(Part::Mu, mu), (Part::Sigma, sigma)],
            unit,
        ),
        Shape::Beta {
            alpha,
            beta,
            min,
            max,
        } => {
            let all = [
                (Part::Alpha, alpha),
                (Part::Beta, beta),
                (Part::Min, min),
                (Part::Max, max),
            ];
            let shown = if min == 0.0 && max == 1.0 { 2 } else { 4 };
            family(FamilyName::Beta, &all[..shown], unit)
        }
        Shape::Gamma { shape, scale } => family(
            FamilyName::Gamma,
            &[(Part::Shape, shape), (Part::Scale, scale)],
            unit,
        ),
        Shape::Discrete(ref values) => {
            let whole = make_a_whole(values.iter().map(|v| v.weight));
            let weight = if whole { percent } else { short };
            let items: Vec<String> = values
                .iter()
                .map(|v| format!("{}: {}", n(v.value), weight(v.weight)))
                .collect();
            format!("discrete {}", items.join(", "))
        }
        Shape::Quantiles(at) => NINE
            .iter()
            .zip(at)
            .map(|(name, value)| format!("{name} {}", n(value)))
            .collect::<Vec<_>>()
            .join(", "),
        Shape::Mix(ref parts) => {
            let whole = make_a_whole(parts.iter().map(|p| p.weight));
            let weight = |w: f64| match w {
                w if whole => percent(w),
                1.0 => "1 part".to_owned(),
                w => format!("{} parts", short(w)),
            };
            let items: Vec<String> = parts
                .iter()
                .map(|p| {
                    let text = self::shape(&p.part, unit, true);
                    // A minus directly behind a number would read as "to".
                    if text.starts_with('-') {
                        format!("{} ({text})", weight(p.weight))
                    } else {
                        format!("{} {text}", weight(p.weight))
                    }
                })
                .collect();
            let text = items.join(", ");
            if part { format!("({text})") } else { text }
        }
    }
}

fn family(name: FamilyName, values: &[(Part, f64)], unit: Unit) -> String {
    let word = match name {
        FamilyName::Normal => "normal",
        FamilyName::Lognormal => "lognormal",
        FamilyName::Beta => "beta",
        _ => "gamma",
    };
    let mut text = word.to_owned();
    let parameters = FAMILIES
        .iter()
        .find(|f| f.names[0] == word)
        .map_or(&[][..], |f| f.parts);
    for (part, value) in values {
        if let Some(parameter) = parameters.iter().find(|p| p.part == *part) {
            let number = if parameter.measured {
                format_number(*value, unit)
            } else {
                short(*value)
            };
            text.push_str(&format!(" {} {number}", parameter.names[0]));
        }
    }
    text
}
