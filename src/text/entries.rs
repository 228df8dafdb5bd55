//! How an entry is understood, and why a text is none: the words around a number field.

use super::format::{THIN, date, sign};
use super::{Message, say};
use crate::domain::distribution::{FamilyName, Part, Remark};
use crate::domain::field::Unit;
use crate::domain::grammar::{Cell, EntryProblem, Form, GrammarProblem, Reading, format_number};
use crate::domain::quantity::Domain;

crate::messages! {
    /// Names of the parts of an entry.
    pub enum PartWord {
        Value = "part-value";
        P0 = "part-p0";
        P10 = "part-p10";
        P25 = "part-p25";
        P50 = "part-p50";
        P75 = "part-p75";
        P90 = "part-p90";
        P95 = "part-p95";
        P99 = "part-p99";
        P100 = "part-p100";
        Min = "part-min";
        Mode = "part-mode";
        Max = "part-max";
        Mean = "part-mean";
        Sd = "part-sd";
        Mu = "part-mu";
        Sigma = "part-sigma";
        Alpha = "part-alpha";
        Beta = "part-beta";
        Shape = "part-shape";
        Scale = "part-scale";
        Tail = "part-tail";
        Weight = "part-weight";
    }
}

crate::messages! {
    /// Names of families.
    pub enum FamilyWord {
        Fixed = "family-fixed";
        Normal = "family-normal";
        Lognormal = "family-lognormal";
        Uniform = "family-uniform";
        Triangular = "family-triangular";
        Pert = "family-pert";
        Beta = "family-beta";
        Gamma = "family-gamma";
        Discrete = "family-discrete";
        Empirical = "family-empirical";
        Sample = "family-sample";
        ParetoTail = "family-pareto-tail";
        Mixture = "family-mixture";
    }
}

crate::messages! {
    /// What a field may hold: stands behind "must be".
    pub enum Valid {
        Positive = "valid-positive";
        NonNegative = "valid-non-negative";
        Share = "valid-share";
        IntegerFromOne = "valid-integer-from-one";
        Any = "valid-any";
        Change = "valid-change";
    }
}

crate::messages! {
    /// The echo under a text box.
    pub enum Echo {
        ReadsAs { what: String } = "echo-reads-as";
        Named { part: String, value: String } = "echo-named";
        Then { first: String, next: String } = "echo-then";
        Family { family: String, items: String } = "echo-family";
        Sample { count: String, middle: String, high: String } = "echo-sample";
        Weighted { share: String, what: String } = "echo-weighted";
        WithMean { what: String, mean: String } = "echo-with-mean";
        Because { what: String, remark: String } = "echo-because";
        Moved { part: String, said: String, now: String } = "remark-moved";
        HardMinimum { at: String } = "remark-hard-minimum";
        HardMaximum { at: String } = "remark-hard-maximum";
        LargestMoved { said: String, now: String } = "remark-largest-moved";
        Rescaled { factor: String } = "remark-rescaled";
        TailMoved { said: String, now: String } = "remark-tail-moved";
        CutOff { share: String } = "remark-cut-off";
        Stretched { most: String } = "remark-stretched";
    }
}

crate::messages! {
    /// Why a text is not an entry.
    pub enum Unreadable {
        Empty = "unreadable-empty";
        TooLong { most: String } = "unreadable-too-long";
        Unexpected { piece: String } = "unreadable-unexpected";
        MissingNumber = "unreadable-missing-number";
        Ambiguous { first: String, second: String } = "unreadable-ambiguous";
        Rewrite { reading: String } = "unreadable-rewrite";
        NotANumber { piece: String } = "unreadable-not-a-number";
        TooLarge { piece: String } = "unreadable-too-large";
        WrongUnit { piece: String } = "unreadable-wrong-unit";
        NotWhole { piece: String } = "unreadable-not-whole";
        NotADate { piece: String } = "unreadable-not-a-date";
        TooFewValues { count: String, least: String } = "unreadable-too-few-values";
        Cell { row: String, cell: String, why: String } = "unreadable-cell";
        WeightsSum { sum: String } = "unreadable-weights-sum";
        WhichPercentiles = "unreadable-which-percentiles";
        Parameters { family: String, count: u32 } = "unreadable-parameters";
        TooDeep = "unreadable-too-deep";
    }
}

/// The name of a part of an entry.
#[must_use]
pub fn part(part: Part) -> String {
    say(&match part {
        Part::Value => PartWord::Value,
        Part::P0 => PartWord::P0,
        Part::P10 => PartWord::P10,
        Part::P25 => PartWord::P25,
        Part::P50 => PartWord::P50,
        Part::P75 => PartWord::P75,
        Part::P90 => PartWord::P90,
        Part::P95 => PartWord::P95,
        Part::P99 => PartWord::P99,
        Part::P100 => PartWord::P100,
        Part::Min => PartWord::Min,
        Part::Mode => PartWord::Mode,
        Part::Max => PartWord::Max,
        Part::Mean => PartWord::Mean,
        Part::Sd => PartWord::Sd,
        Part::Mu => PartWord::Mu,
        Part::Sigma => PartWord::Sigma,
        Part::Alpha => PartWord::Alpha,
        Part::Beta => PartWord::Beta,
        Part::Shape => PartWord::Shape,
        Part::Scale => PartWord::Scale,
        Part::Tail => PartWord::Tail,
        Part::Weight => PartWord::Weight,
    })
}

/// Whether a part is a pure number in every field.
pub(super) fn pure(part: Part) -> bool {
    matches!(
        part,
        Part::Mu | Part::Sigma | Part::Alpha | Part::Beta | Part::Shape | Part::Tail | Part::Weight
    )
}

/// The name of a family.
#[must_use]
pub fn family(name: FamilyName) -> String {
    say(&match name {
        FamilyName::Fixed => FamilyWord::Fixed,
        FamilyName::Normal => FamilyWord::Normal,
        FamilyName::Lognormal => FamilyWord::Lognormal,
        FamilyName::Uniform => FamilyWord::Uniform,
        FamilyName::Triangular => FamilyWord::Triangular,
        FamilyName::Pert => FamilyWord::Pert,
        FamilyName::Beta => FamilyWord::Beta,
        FamilyName::Gamma => FamilyWord::Gamma,
        FamilyName::Discrete => FamilyWord::Discrete,
        FamilyName::Empirical => FamilyWord::Empirical,
        FamilyName::Sample => FamilyWord::Sample,
        FamilyName::ParetoTail => FamilyWord::ParetoTail,
        FamilyName::Mixture => FamilyWord::Mixture,
    })
}

/// What the values of a domain are, behind "must be".
#[must_use]
pub fn valid(domain: Domain) -> String {
    say(&match domain {
        Domain::Positive => Valid::Positive,
        Domain::NonNegative | Domain::IntegerFromZero => Valid::NonNegative,
        Domain::Share => Valid::Share,
        Domain::IntegerFromOne => Valid::IntegerFromOne,
        Domain::Any => Valid::Any,
        Domain::Change => Valid::Change,
    })
}

/// A value as it was entered, every digit of it, with marks between thousands: `24,000`, `3.5 %`, `$2.20`.
#[must_use]
pub fn value(value: f64, unit: Unit, currency: &str) -> String {
    let text = match unit {
        Unit::Share | Unit::SharePerMonth => format_number(value, unit),
        _ if value.is_finite() && (value == 0.0 || (1e-6..1e15).contains(&value.abs())) => {
            format!("{value}")
        }
        _ => format_number(value, unit),
    };
    let (text, percent) = text
        .strip_suffix('%')
        .map_or((text.as_str(), false), |t| (t, true));
    let (minus, digits) = text
        .strip_prefix('-')
        .map_or(("", text), |t| ("\u{2212}", t));
    let (whole, rest) = digits
        .find(|c: char| !c.is_ascii_digit())
        .map_or((digits, ""), |at| digits.split_at(at));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let money = matches!(
        unit,
        Unit::Money | Unit::MoneyPerHour | Unit::MoneyPerGpuHour | Unit::MoneyPerMillionTokens
    );
    let before = match unit {
        _ if money => sign(currency),
        Unit::Factor => "\u{d7}".to_owned(),
        _ => String::new(),
    };
    let after = if percent {
        format!("{THIN}%")
    } else {
        String::new()
    };
    format!("{minus}{before}{grouped}{rest}{after}")
}

/// The same with at most four digits, for values that were computed.
#[must_use]
pub fn about(number: f64, unit: Unit, currency: &str) -> String {
    let rounded = format!("{number:.3e}").parse().unwrap_or(number);
    value(rounded, unit, currency)
}

fn join(items: impl IntoIterator<Item = String>) -> String {
    items
        .into_iter()
        .reduce(|first, next| say(&Echo::Then { first, next }))
        .unwrap_or_default()
}

fn named(parts: &[(Part, f64)], unit: Unit, currency: &str) -> String {
    join(parts.iter().map(|(p, v)| {
        let unit = if pure(*p) { Unit::One } else { unit };
        say(&Echo::Named {
            part: part(*p),
            value: value(*v, unit, currency),
        })
    }))
}

fn form(form: &Form, unit: Unit, currency: &str) -> String {
    match form {
        Form::One(one) => value(*one, unit, currency),
        Form::Parts(parts) => named(parts, unit, currency),
        Form::Family(name, parts) => say(&Echo::Family {
            family: family(*name),
            items: named(parts, unit, currency),
        }),
        Form::Values(values) => join(values.iter().map(|(v, share)| {
            say(&Echo::Weighted {
                share: about(*share, Unit::Share, currency),
                what: value(*v, unit, currency),
            })
        })),
        Form::Sample(count, middle, high) => say(&Echo::Sample {
            count: super::format::integer(*count as f64),
            middle: value(*middle, unit, currency),
            high: value(*high, unit, currency),
        }),
        Form::Mix(parts) => join(parts.iter().map(|(share, inner)| {
            say(&Echo::Weighted {
                share: about(*share, Unit::Share, currency),
                what: self::form(inner, unit, currency),
            })
        })),
    }
}

/// `reads as p10 24,000, most likely 42,000, p90 68,000`, and what the fit had to do otherwise.
#[must_use]
pub fn echo(reading: &Reading, currency: &str) -> String {
    let mut what = form(&reading.form, reading.unit, currency);
    if let Some(mean) = reading.mean {
        what = say(&Echo::WithMean {
            what,
            mean: value(mean, reading.unit, currency),
        });
    }
    reading
        .remarks
        .iter()
        .fold(say(&Echo::ReadsAs { what }), |what, r| {
            say(&Echo::Because {
                what,
                remark: remark(r, reading.unit, currency),
            })
        })
}

/// What the fit had to do otherwise than was said.
#[must_use]
pub fn remark(remark: &Remark, unit: Unit, currency: &str) -> String {
    say(&match *remark {
        Remark::PercentileMoved { part: p, said, now } => Echo::Moved {
            part: part(p),
            said: value(said, unit, currency),
            now: about(now, unit, currency),
        },
        Remark::HardMinimum { at } => Echo::HardMinimum {
            at: value(at, unit, currency),
        },
        Remark::HardMaximum { at } => Echo::HardMaximum {
            at: value(at, unit, currency),
        },
        Remark::LargestMoved { said, now } => Echo::LargestMoved {
            said: value(said, unit, currency),
            now: about(now, unit, currency),
        },
        Remark::Rescaled { factor } => Echo::Rescaled {
            factor: about(factor, Unit::Factor, currency),
        },
        Remark::TailMoved { said, now } => Echo::TailMoved {
            said: value(said, Unit::One, currency),
            now: about(now, Unit::One, currency),
        },
        Remark::Stretched { most } => Echo::Stretched {
            most: about(most, unit, currency),
        },
        Remark::CutOff { share } => Echo::CutOff {
            share: about(share, Unit::Share, currency),
        },
    })
}

fn in_cell(cell: &Cell, why: String) -> Unreadable {
    Unreadable::Cell {
        row: cell.row.to_string(),
        cell: cell.text.clone(),
        why,
    }
}

/// Why a text cannot be read, and what can.
#[must_use]
pub fn unreadable(problem: &GrammarProblem) -> String {
    say(&message(problem))
}

fn message(problem: &GrammarProblem) -> Unreadable {
    match problem {
        GrammarProblem::Empty => Unreadable::Empty,
        GrammarProblem::TooLong { most } => Unreadable::TooLong {
            most: value(*most as f64, Unit::One, ""),
        },
        GrammarProblem::Unexpected { piece, .. } => Unreadable::Unexpected {
            piece: piece.clone(),
        },
        GrammarProblem::MissingNumber => Unreadable::MissingNumber,
        GrammarProblem::Ambiguous { readings, .. } => match readings.as_slice() {
            [first, second, ..] => Unreadable::Ambiguous {
                first: first.clone(),
                second: second.clone(),
            },
            _ => Unreadable::Rewrite {
                reading: readings.concat(),
            },
        },
        GrammarProblem::NotANumber { piece } => Unreadable::NotANumber {
            piece: piece.clone(),
        },
        GrammarProblem::TooLarge { piece } => Unreadable::TooLarge {
            piece: piece.clone(),
        },
        GrammarProblem::WrongUnit { piece } => Unreadable::WrongUnit {
            piece: piece.clone(),
        },
        GrammarProblem::NotWhole { piece } => Unreadable::NotWhole {
            piece: piece.clone(),
        },
        GrammarProblem::NotADate { piece } => Unreadable::NotADate {
            piece: piece.clone(),
        },
        GrammarProblem::TooFewValues { count, least } => Unreadable::TooFewValues {
            count: count.to_string(),
            least: least.to_string(),
        },
        GrammarProblem::Cell { cell, problem } => in_cell(cell, unreadable(problem)),
        GrammarProblem::WeightsSum { sum, .. } => Unreadable::WeightsSum {
            sum: value(*sum, Unit::Share, ""),
        },
        GrammarProblem::WhichPercentiles => Unreadable::WhichPercentiles,
        GrammarProblem::Parameters { name, count } => Unreadable::Parameters {
            family: (*name).to_owned(),
            count: u32::try_from(*count).unwrap_or(u32::MAX),
        },
        GrammarProblem::TooDeep => Unreadable::TooDeep,
    }
}

/// Why a text cannot stand in a field.
#[must_use]
pub fn entry_problem(problem: &EntryProblem, unit: Unit, currency: &str) -> String {
    match problem {
        EntryProblem::Grammar(problem) => unreadable(problem),
        EntryProblem::Quantity { problem, .. } => {
            super::problems::quantity(problem, unit, currency)
        }
        EntryProblem::Cell { cell, problem } => {
            let why = super::problems::quantity(problem, unit, currency);
            say(&in_cell(cell, why))
        }
    }
}

/// All messages of this file, for the test that holds the language files complete.
#[must_use]
pub fn catalogue() -> Vec<(&'static str, &'static [&'static str])> {
    [
        PartWord::catalogue(),
        FamilyWord::catalogue(),
        Valid::catalogue(),
        Echo::catalogue(),
        Unreadable::catalogue(),
    ]
    .concat()
}

/// A date in a sentence.
pub(super) fn day(day: jiff::civil::Date) -> String {
    date(day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::field::spec;
    use crate::domain::grammar::{check, parse, parse_date, reading};

    fn echoed(text: &str, section: &str, name: &str) -> String {
        let spec = spec(section, name).unwrap();
        echo(&reading(&parse(text, spec).unwrap(), spec), "USD").replace(THIN, " ")
    }

    #[test]
    fn entries_are_echoed_in_words() {
        for (text, field, words) in [
            ("42k", "input_tokens", "reads as 42,000"),
            (
                "24k to 68k probably 42k",
                "input_tokens",
                "reads as p10 24,000, most likely 42,000, p90 68,000",
            ),
            ("11, p99 30", "calls_per_request", "reads as p50 11, p99 30"),
            (
                "1 – 9%, likely 3.5",
                "growth_per_month",
                "reads as p10 1 %, most likely 3.5 %, p90 9 %",
            ),
            (
                "0 to 45",
                "slip_days",
                "reads as lowest 0, p90 45; never below 0",
            ),
            (
                "95% 5k, 5% 800k",
                "input_tokens",
                "reads as 95 %: 5,000, 5 %: 800,000",
            ),
            (
                "2k, p90 8k, tail 1.5",
                "input_tokens",
                "reads as p50 2,000, p90 8,000, tail 1.5",
            ),
            (
                "5, 3, 8, 8, 13",
                "input_tokens",
                "reads as 5 measured values, p50 8, p90 13, each as likely as the other",
            ),
            (
                "gamma 2 3k",
                "input_tokens",
                "reads as gamma with shape 2, scale 3,000",
            ),
        ] {
            let got = echoed(text, "features", field);
            assert_eq!(got, words);
        }
        assert_eq!(
            echoed("1.4 to 1.8", "seasons", "multiplier"),
            "reads as p10 ×1.4, p90 ×1.8"
        );
        assert_eq!(value(-1234.5, Unit::Money, "USD"), "\u{2212}$1,234.5");
        assert_eq!(value(f64::NAN, Unit::Tokens, "USD"), "?");
        assert_eq!(
            about(0.123_456, Unit::Share, "").replace(THIN, " "),
            "12.35 %"
        );
    }

    #[test]
    fn problems_name_what_would_be_valid() {
        let spec = spec("features", "input_tokens").unwrap();
        let said = |text: &str| entry_problem(&check(text, spec).unwrap_err(), spec.unit, "USD");
        assert_eq!(
            said("68k to 24k"),
            "p10 (68,000) must be below p90 (24,000)."
        );
        assert_eq!(said("0 to 5"), "p10 (0) must be above 0.");
        assert_eq!(said("1,5"), "1.5 or 15?");
        assert!(said("24k too 3").contains("“too”"), "{}", said("24k too 3"));
        assert!(said("").contains("24k to 68k"));
        assert!(unreadable(&parse_date("soon").unwrap_err()).contains("soon"));
    }
}
