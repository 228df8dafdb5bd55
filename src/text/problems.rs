//! Why a scenario cannot be run, in sentences that name the values and what would be valid.

use super::entries::{about, day, part, pure as pure_part, valid, value};
use super::{Message, say};
use crate::domain::distribution::QuantityProblem;
use crate::domain::field::{FieldPath, Unit, spec};
use crate::domain::problem::{Entity, Problem, ProblemKind};
use crate::domain::scenario::Scenario;

crate::messages! {
    /// Why an uncertain or varying number has no meaning.
    pub enum QuantityWords {
        NotFinite { part: String } = "quantity-not-finite";
        TooLarge { part: String, value: String, most: String } = "quantity-too-large";
        TooSmall { part: String, value: String, least: String } = "quantity-too-small";
        ReachesTooFar { share: String, most: String } = "quantity-reaches-too-far";
        MustBe { part: String, value: String, valid: String } = "quantity-must-be";
        NotIncreasing { low: String, low_value: String, high: String, high_value: String } = "quantity-not-increasing";
        Empty = "quantity-empty";
        TooMany { count: String, most: String } = "quantity-too-many";
        NegativeWeight { value: String } = "quantity-negative-weight";
        NoWeight = "quantity-no-weight";
        NoFewAreLarge = "quantity-no-few-are-large";
        TailWithoutMean { alpha: String, least: String } = "quantity-tail-without-mean";
        NoTail = "quantity-no-tail";
        MeanBetween { mean: String, low: String, high: String } = "quantity-mean-between";
        MeanAbove { mean: String, low: String } = "quantity-mean-above";
        AlmostAllOutside { inside: String, valid: String } = "quantity-almost-all-outside";
        TooWide = "quantity-too-wide";
        TooDeep = "quantity-too-deep";
    }
}

crate::messages! {
    /// Why a field cannot stay as it is.
    pub enum ProblemWords {
        UnknownFormat { found: String, known: String } = "problem-unknown-format";
        EmptyText = "problem-empty-text";
        LongText { characters: String, most: String } = "problem-long-text";
        ControlCharacter = "problem-control-character";
        TooMany { count: String, most: String } = "problem-too-many";
        DuplicateId { id: String } = "problem-duplicate-id";
        MissingPool = "problem-missing-pool";
        MissingModel = "problem-missing-model";
        MissingFeature = "problem-missing-feature";
        MissingOther { id: String } = "problem-missing-other";
        NotFinite = "problem-not-finite";
        OutOfRange { value: String, low: String, high: String } = "problem-out-of-range";
        Negative { value: String } = "problem-negative";
        TooSmall { value: String, least: String } = "problem-too-small";
        TooSmallOrZero { value: String, least: String } = "problem-too-small-or-zero";
        TooLow { value: String, low: String } = "problem-too-low";
        NotAbove { value: String, low: String, high: String } = "problem-not-above";
        NotBelow { value: String, low: String, high: String } = "problem-not-below";
        DateOutOfRange { date: String, first: String, last: String } = "problem-date-out-of-range";
        NotFirstOfMonth { date: String } = "problem-not-first-of-month";
        UnknownZone { zone: String } = "problem-unknown-zone";
        UnknownCurrency { code: String } = "problem-unknown-currency";
        RetiresBeforeLaunch { launch: String, retire: String } = "problem-retires-before-launch";
        EndsBeforeStart { first: String, last: String } = "problem-ends-before-start";
        DatesOverlap { first: String, last: String } = "problem-dates-overlap";
        LongerThanYear { days: String } = "problem-longer-than-year";
        NoDates = "problem-no-dates";
        NoFeatures = "problem-no-features";
        WeightCount { count: String } = "problem-weight-count";
        BadWeight { hour: String, value: String } = "problem-bad-weight";
        BadFactor { hour: String, value: String, most: String } = "problem-bad-factor";
        NoWeight = "problem-no-weight";
        NoPrice { model: String, pool: String } = "problem-no-price";
        NoServingProfile { model: String, pool: String } = "problem-no-serving-profile";
        NotACluster { pool: String } = "problem-not-a-cluster";
        TooManyCalls { calls: String, most: String } = "problem-too-many-calls";
        GrowsTooFast { rate: String, most: String } = "problem-grows-too-fast";
        TooMuchDemand { requests: String, most: String } = "problem-too-much-demand";
        NotUncertain { path: String } = "problem-not-uncertain";
        WithItself = "problem-with-itself";
        PairTwice = "problem-pair-twice";
        NotTogether { a: String, b: String, rank: String, nearest: String } = "problem-not-together";
        NeverTogether { a: String, b: String } = "problem-never-together";
        NoCap = "problem-no-cap";
        OutsideHorizon { date: String, first: String, last: String } = "problem-outside-horizon";
    }
}

/// All messages of this file, for the test that holds the language files complete.
#[must_use]
pub fn catalogue() -> Vec<(&'static str, &'static [&'static str])> {
    [QuantityWords::catalogue(), ProblemWords::catalogue()].concat()
}

/// Why a number has no meaning in a field of this unit.
#[must_use]
pub fn quantity(problem: &QuantityProblem, unit: Unit, currency: &str) -> String {
    let n = |x: f64| value(x, unit, currency);
    let pure = |x: f64| value(x, Unit::One, currency);
    let in_unit = |part, x: f64| value(x, if pure_part(part) { Unit::One } else { unit }, currency);
    say(&match *problem {
        QuantityProblem::NotFinite { part: p } => QuantityWords::NotFinite { part: part(p) },
        QuantityProblem::TooLarge {
            part: p,
            value,
            most,
        } => QuantityWords::TooLarge {
            part: part(p),
            value: in_unit(p, value),
            most: in_unit(p, most),
        },
        QuantityProblem::TooSmall {
            part: p,
            value,
            least,
        } => QuantityWords::TooSmall {
            part: part(p),
            value: in_unit(p, value),
            least: in_unit(p, least),
        },
        QuantityProblem::ReachesTooFar { share, most } => QuantityWords::ReachesTooFar {
            share: about(share, Unit::Share, currency),
            most: n(most),
        },
        QuantityProblem::OutsideDomain {
            part: p,
            value,
            domain,
        } => QuantityWords::MustBe {
            part: part(p),
            value: n(value),
            valid: valid(domain),
        },
        QuantityProblem::NotIncreasing {
            low,
            low_value,
            high,
            high_value,
        } => QuantityWords::NotIncreasing {
            low: part(low),
            low_value: n(low_value),
            high: part(high),
            high_value: n(high_value),
        },
        QuantityProblem::NotPositive { part: p, value } => QuantityWords::MustBe {
            part: part(p),
            value: pure(value),
            valid: valid(crate::domain::quantity::Domain::Positive),
        },
        QuantityProblem::Empty => QuantityWords::Empty,
        QuantityProblem::TooMany { count, most } => QuantityWords::TooMany {
            count: count.to_string(),
            most: most.to_string(),
        },
        QuantityProblem::NegativeWeight { value } => {
            QuantityWords::NegativeWeight { value: pure(value) }
        }
        QuantityProblem::NoWeight => QuantityWords::NoWeight,
        QuantityProblem::NoFewAreLarge { .. } => QuantityWords::NoFewAreLarge,
        QuantityProblem::TailWithoutMean { alpha, least } => QuantityWords::TailWithoutMean {
            alpha: crate::domain::grammar::format_number(alpha, Unit::One),
            least: crate::domain::grammar::format_number(least, Unit::One),
        },
        QuantityProblem::NoTail { .. } => QuantityWords::NoTail,
        QuantityProblem::MeanImpossible { mean, low, high } => {
            if high.is_finite() {
                QuantityWords::MeanBetween {
                    mean: n(mean),
                    low: about(low, unit, currency),
                    high: about(high, unit, currency),
                }
            } else {
                QuantityWords::MeanAbove {
                    mean: n(mean),
                    low: about(low, unit, currency),
                }
            }
        }
        QuantityProblem::AlmostAllOutside { inside, domain } => QuantityWords::AlmostAllOutside {
            inside: about(inside, Unit::Share, currency),
            valid: valid(domain),
        },
        QuantityProblem::TooWide => QuantityWords::TooWide,
        QuantityProblem::TooDeep => QuantityWords::TooDeep,
    })
}

/// The unit in which the values of a field are shown.
fn unit(path: &FieldPath) -> Unit {
    let (section, _, name) = path.parts();
    if let Some(spec) = spec(section, name) {
        return spec.unit;
    }
    match name {
        "acceptable_chance" | "target_utilisation" | "upfront_share" | "discount" => Unit::Share,
        "rate_per_gpu_hour" | "on_demand_rate_per_gpu_hour" | "burst/rate_per_gpu_hour" => {
            Unit::MoneyPerGpuHour
        }
        "amount" | "spent_before" => Unit::Money,
        "amount_per_hour" => Unit::MoneyPerHour,
        name if name.starts_with("price/") => Unit::MoneyPerMillionTokens,
        _ => Unit::One,
    }
}

/// What is wrong with a field and what would be valid; the field itself is named beside it.
#[must_use]
pub fn sentence(problem: &Problem, currency: &str) -> String {
    let unit = unit(&problem.path);
    let n = |x: f64| value(x, unit, currency);
    let whole = |x: usize| value(x as f64, Unit::One, currency);
    say(&match &problem.kind {
        ProblemKind::Quantity(problem) => return quantity(problem, unit, currency),
        ProblemKind::UnknownFormat { found, known } => ProblemWords::UnknownFormat {
            found: found.to_string(),
            known: known.to_string(),
        },
        ProblemKind::EmptyText => ProblemWords::EmptyText,
        ProblemKind::LongText { characters, most } => ProblemWords::LongText {
            characters: whole(*characters),
            most: whole(*most),
        },
        ProblemKind::ControlCharacter => ProblemWords::ControlCharacter,
        ProblemKind::TooMany { count, most } => ProblemWords::TooMany {
            count: whole(*count),
            most: whole(*most),
        },
        ProblemKind::DuplicateId { id } => ProblemWords::DuplicateId {
            id: id.0.to_string(),
        },
        ProblemKind::Missing { entity, id } => match entity {
            Entity::Pool => ProblemWords::MissingPool,
            Entity::Model => ProblemWords::MissingModel,
            Entity::Feature => ProblemWords::MissingFeature,
            _ => ProblemWords::MissingOther {
                id: id.0.to_string(),
            },
        },
        ProblemKind::NotFinite => ProblemWords::NotFinite,
        ProblemKind::OutOfRange { value, low, .. } if *low == 0.0 && *value < 0.0 => {
            ProblemWords::Negative { value: n(*value) }
        }
        ProblemKind::OutOfRange { value, low, high } => ProblemWords::OutOfRange {
            value: n(*value),
            low: n(*low),
            high: n(*high),
        },
        ProblemKind::TooSmall {
            value,
            least,
            or_zero,
        } => {
            let (value, least) = (n(*value), n(*least));
            if *or_zero {
                ProblemWords::TooSmallOrZero { value, least }
            } else {
                ProblemWords::TooSmall { value, least }
            }
        }
        ProblemKind::NotAbove { value, low, .. } if *value <= *low => ProblemWords::TooLow {
            value: n(*value),
            low: n(*low),
        },
        ProblemKind::NotAbove { value, low, high } => ProblemWords::NotAbove {
            value: n(*value),
            low: n(*low),
            high: n(*high),
        },
        ProblemKind::NotBelow { value, low, high } => ProblemWords::NotBelow {
            value: n(*value),
            low: n(*low),
            high: n(*high),
        },
        ProblemKind::DateOutOfRange { date, first, last } => ProblemWords::DateOutOfRange {
            date: day(*date),
            first: day(*first),
            last: day(*last),
        },
        ProblemKind::NotFirstOfMonth { date } => ProblemWords::NotFirstOfMonth { date: day(*date) },
        ProblemKind::UnknownZone { zone } => ProblemWords::UnknownZone { zone: cut(zone) },
        ProblemKind::UnknownCurrency { code } => ProblemWords::UnknownCurrency { code: cut(code) },
        ProblemKind::RetiresBeforeLaunch { launch, retire } => ProblemWords::RetiresBeforeLaunch {
            launch: day(*launch),
            retire: day(*retire),
        },
        ProblemKind::EndsBeforeStart { first, last } => ProblemWords::EndsBeforeStart {
            first: day(*first),
            last: day(*last),
        },
        ProblemKind::DatesOverlap { first, last } => ProblemWords::DatesOverlap {
            first: day(*first),
            last: day(*last),
        },
        ProblemKind::LongerThanYear { days } => ProblemWords::LongerThanYear {
            days: days.to_string(),
        },
        ProblemKind::NoDates => ProblemWords::NoDates,
        ProblemKind::NoFeatures => ProblemWords::NoFeatures,
        ProblemKind::WeightCount { count } => ProblemWords::WeightCount {
            count: whole(*count),
        },
        ProblemKind::BadWeight { hour, value } => ProblemWords::BadWeight {
            hour: (hour + 1).to_string(),
            value: n(*value),
        },
        ProblemKind::BadFactor { hour, value, most } => ProblemWords::BadFactor {
            hour: (hour + 1).to_string(),
            value: n(*value),
            most: n(*most),
        },
        ProblemKind::NoWeight => ProblemWords::NoWeight,
        ProblemKind::NoPrice { model, pool } => ProblemWords::NoPrice {
            model: cut(model),
            pool: cut(pool),
        },
        ProblemKind::NoServingProfile { model, pool } => ProblemWords::NoServingProfile {
            model: cut(model),
            pool: cut(pool),
        },
        ProblemKind::NotACluster { pool } => ProblemWords::NotACluster { pool: cut(pool) },
        ProblemKind::TooManyCalls { calls, most } => ProblemWords::TooManyCalls {
            calls: about(*calls, Unit::Calls, currency),
            most: n(*most),
        },
        ProblemKind::GrowsTooFast { rate, most } => ProblemWords::GrowsTooFast {
            rate: about(*rate, unit, currency),
            most: n(*most),
        },
        ProblemKind::TooMuchDemand {
            requests_per_day,
            most,
        } => ProblemWords::TooMuchDemand {
            requests: about(*requests_per_day, Unit::One, currency),
            most: n(*most),
        },
        ProblemKind::NotUncertain { path } => ProblemWords::NotUncertain {
            path: cut(path.as_str()),
        },
        ProblemKind::WithItself => ProblemWords::WithItself,
        ProblemKind::PairTwice { .. } => ProblemWords::PairTwice,
        ProblemKind::NotTogether {
            a,
            b,
            rank,
            nearest,
        } => {
            let name = |path| super::fields::label(path);
            match nearest {
                Some(nearest) => ProblemWords::NotTogether {
                    a: name(a),
                    b: name(b),
                    rank: value(*rank, Unit::One, ""),
                    nearest: value(*nearest, Unit::One, ""),
                },
                None => ProblemWords::NeverTogether {
                    a: name(a),
                    b: name(b),
                },
            }
        }
        ProblemKind::NoCap => ProblemWords::NoCap,
        ProblemKind::OutsideHorizon { date, first, last } => ProblemWords::OutsideHorizon {
            date: day(*date),
            first: day(*first),
            last: day(*last),
        },
    })
}

/// The field and what is wrong with it in one line, for lists and the command line.
#[must_use]
pub fn line(plan: &Scenario, problem: &Problem) -> String {
    let field = super::fields::label_of(plan, &problem.path);
    let sentence = sentence(problem, &plan.settings.currency);
    format!("{field}: {sentence}")
}

/// A name in a sentence: not longer than a line.
fn cut(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::scenario::Id;
    use crate::text::format::THIN;
    use jiff::civil::date;

    fn said(path: FieldPath, kind: ProblemKind) -> String {
        sentence(&Problem { path, kind }, "USD").replace(THIN, " ")
    }

    #[test]
    fn sentences_carry_value_and_what_is_valid() {
        let id = Id(3);
        assert_eq!(
            said(
                FieldPath::of("commitments", id, "upfront_share"),
                ProblemKind::OutOfRange {
                    value: 1.2,
                    low: 0.0,
                    high: 1.0
                }
            ),
            "120 % is not possible: it must be between 0 % and 100 %."
        );
        assert_eq!(
            said(
                FieldPath::of("budgets", id, "amount"),
                ProblemKind::NotAbove {
                    value: 0.0,
                    low: 0.0,
                    high: 1e15
                }
            ),
            "$0 is not possible: it must be above $0."
        );
        assert_eq!(
            said(
                FieldPath::of("features", id, "retire"),
                ProblemKind::RetiresBeforeLaunch {
                    launch: date(2027, 7, 1),
                    retire: date(2027, 6, 1)
                }
            ),
            "It ends on 1 Jun 2027, before it starts on 1 Jul 2027."
        );
    }

    #[test]
    fn every_problem_has_a_sentence_and_a_field_with_a_name() {
        use crate::domain::problem::tests::{CASES, plan};
        for (path, change, _) in CASES {
            let mut plan = plan();
            change(&mut plan);
            for problem in plan.problems() {
                let sentence = sentence(&problem, "EUR");
                assert!(
                    sentence.ends_with('.') && sentence.len() > 8,
                    "{path}: {sentence}"
                );
                for bad in ["NaN", "inf", "{", "problem-", "quantity-", "part-"] {
                    assert!(!sentence.contains(bad), "{path}: {sentence}");
                }
                let line = line(&plan, &problem);
                assert!(line.len() > sentence.len(), "{line}");
            }
        }
    }
}
