//! Marks and words that may stand behind a number.

use crate::domain::field::Unit;

/// Marks of time with their factor into a unit of time; 0: not in this field.
pub(super) type TimeMarks = &'static [(&'static [&'static str], f64)];

/// Marks of time in a field of this unit; none: not a field of time.
pub(super) fn time_factors(unit: Unit) -> Option<TimeMarks> {
    const DAYS: TimeMarks = &[
        (&["s", "sec", "seconds"], 1.0 / 86_400.0),
        (&["min", "minutes"], 1.0 / 1_440.0),
        (&["h", "hour", "hours"], 1.0 / 24.0),
        (&["d", "day", "days", "天", "日"], 1.0),
        (&["w", "week", "weeks", "周"], 7.0),
        (&["mo", "month", "months"], 30.4375),
        (&["y", "year", "years"], 365.25),
        (&["m"], 0.0),
    ];
    const SECONDS: TimeMarks = &[
        (&["ms"], 1e-3),
        (&["s", "sec", "second", "seconds", "秒"], 1.0),
        (&["min", "minute", "minutes"], 60.0),
        (&["h", "hour", "hours"], 3_600.0),
        (&["d", "day", "days"], 86_400.0),
        (&["w", "week", "weeks"], 604_800.0),
        (&["m"], 0.0),
    ];
    const HOURS: TimeMarks = &[
        (&["s", "sec", "seconds"], 1.0 / 3_600.0),
        (&["min", "minutes"], 1.0 / 60.0),
        (&["h", "hour", "hours", "时", "小时"], 1.0),
        (&["d", "day", "days", "天", "日"], 24.0),
        (&["w", "week", "weeks", "周"], 168.0),
        (&["mo", "month", "months"], 730.5),
        (&["m"], 0.0),
    ];
    const MONTHS: TimeMarks = &[
        (&["mo", "month", "months", "月"], 1.0),
        (&["y", "year", "years", "年"], 12.0),
        (&["m"], 0.0),
    ];
    match unit {
        Unit::Days => Some(DAYS),
        Unit::Seconds => Some(SECONDS),
        Unit::Hours => Some(HOURS),
        Unit::Months => Some(MONTHS),
        _ => None,
    }
}

/// Words that say a unit again.
pub(super) struct UnitWords {
    pub nouns: &'static [&'static str],
    /// Behind "per", "a" or a slash.
    pub per: &'static [&'static str],
}

/// Words that may stand behind a number because they say its unit again.
pub(super) fn unit_words(unit: Unit) -> UnitWords {
    let (nouns, per): (&[&str], &[&str]) = match unit {
        Unit::RequestsPerDay => (&["requests", "request", "req"], &["day", "d"]),
        Unit::Calls => (&["calls", "call"], &["request"]),
        Unit::ToolCalls => (&["tools", "tool", "calls", "call"], &["request"]),
        Unit::TokensPerHour => (&["tokens", "token", "tok"], &["hour", "h"]),
        Unit::Tokens => (&["tokens", "token", "tok"], &["call"]),
        Unit::SharePerMonth => (&["percent"], &["month", "mo"]),
        Unit::Share => (&["percent"], &[]),
        Unit::TokensPerSecond => (&["tokens", "token", "tok"], &["second", "sec", "s"]),
        Unit::TokensPerMinute => (&["tpm", "tokens", "token", "tok"], &["minute", "min"]),
        Unit::RequestsPerMinute => (&["rpm", "requests", "calls"], &["minute", "min"]),
        Unit::PerMillion => (&["requests", "request"], &["million"]),
        Unit::Gpus => (&["gpus", "gpu"], &[]),
        Unit::Replicas => (&["replicas", "replica"], &[]),
        Unit::MoneyPerHour | Unit::MoneyPerGpuHour => (&[], &["hour", "h"]),
        Unit::One
        | Unit::Factor
        | Unit::Days
        | Unit::Hours
        | Unit::Months
        | Unit::Seconds
        | Unit::Money
        | Unit::MoneyPerMillionTokens => (&[], &[]),
    };
    UnitWords { nouns, per }
}
