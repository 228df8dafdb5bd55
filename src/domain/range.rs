//! What the numbers of a field may be at all. Beyond it an entry is a slip of the pen (a key that was held down, the wrong
//! unit, a damaged file), and the arithmetic behind it would leave the numbers that can be added up.
//!
//! The same check runs on texts, files, links and stored plans: it is part of [`Scenario::problems`].
//!
//! [`Scenario::problems`]: super::scenario::Scenario::problems

use super::distribution::{Distribution, Outline, Part, QuantityProblem};
use super::field::{FieldSpec, Unit};
use super::quantity::{Domain, Quantity, Shape};

/// How large the values of a field may be, in its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Smallest distance from 0 of a value that is not 0.
    pub least: f64,
    /// Largest distance from 0.
    pub most: f64,
}

/// Most GPUs of a contract or of burst.
pub const MOST_GPUS: f64 = 1e7;
/// Largest price or rate of anything.
pub const MOST_RATE: f64 = 1e9;
/// Largest budget, and most that was spent before.
pub const MOST_BUDGET: f64 = 1e15;
/// Largest spend commitment per hour.
pub const MOST_PER_HOUR: f64 = 1e12;
/// Most tokens a minute or of one request, tools and turns included.
pub const MOST_TOKENS: f64 = 1e12;
/// Most calls a minute, or tokens a second.
pub const MOST_SPEED: f64 = 1e9;
/// Longest run of one request, in seconds.
pub const MOST_SECONDS: f64 = 1e8;
/// Smallest plain number that is not 0.
pub const LEAST: f64 = 1e-9;

/// Share of the values that may lie above the range: what a tail reaches is bounded by [`Distribution`] itself.
const MOST_ABOVE: f64 = 0.001;
/// Bounds of parameters that have no unit.
const PURE: Range = Range {
    least: 1e-6,
    most: 1e6,
};
/// Weights are relative, so they may be of any common size.
const WEIGHT: Range = Range {
    least: 1e-12,
    most: 1e12,
};

impl FieldSpec {
    /// How large its values may be.
    #[must_use]
    pub const fn range(&self) -> Range {
        let (least, most) = match self.unit {
            Unit::RequestsPerDay => (1e-6, 1e12),
            // 1,000 % a month; what 60 months of growth make of it is checked with the plan.
            Unit::SharePerMonth => (1e-9, 10.0),
            // What is not bounded by 0 to 100 % itself may be up to 10,000 %.
            Unit::Share => (1e-9, 100.0),
            Unit::Days => (1e-6, 10_000.0),
            Unit::Months => (1e-6, 1_200.0),
            Unit::Hours => (1e-6, 100_000.0),
            Unit::Seconds => (1e-6, 1e7),
            Unit::Calls | Unit::ToolCalls => (1e-6, 100_000.0),
            Unit::Tokens => (1e-3, 1e9),
            Unit::Factor => (1e-6, 1e4),
            Unit::TokensPerHour => (1e-3, 1e12),
            Unit::TokensPerSecond | Unit::RequestsPerMinute => (1e-3, MOST_SPEED),
            Unit::TokensPerMinute => (1e-3, MOST_TOKENS),
            Unit::Gpus | Unit::Replicas => (1e-6, MOST_GPUS),
            Unit::Money => (LEAST, MOST_BUDGET),
            Unit::MoneyPerHour => (LEAST, MOST_PER_HOUR),
            Unit::MoneyPerGpuHour | Unit::MoneyPerMillionTokens => (LEAST, MOST_RATE),
            Unit::One | Unit::PerMillion => (1e-9, 1e6),
        };
        Range { least, most }
    }
}

impl Range {
    fn holds(self, part: Part, value: f64, domain: Domain) -> Result<(), QuantityProblem> {
        // Numbers that the domain itself refuses are its business.
        let below_zero = value < 0.0 && !matches!(domain, Domain::Any | Domain::Change);
        if !value.is_finite() || value == 0.0 || below_zero {
            return Ok(());
        }
        if value.abs() > self.most {
            let most = self.most;
            return Err(QuantityProblem::TooLarge { part, value, most });
        }
        if value.abs() < self.least {
            let least = self.least;
            return Err(QuantityProblem::TooSmall { part, value, least });
        }
        Ok(())
    }
}

/// What an entry means in a field: all its numbers are within the field's range, and so is nearly all that it may give.
///
/// # Errors
/// The first number that is not, or why the entry has no meaning in the field's domain.
pub fn check(quantity: &Quantity, spec: &FieldSpec) -> Result<Outline, QuantityProblem> {
    let range = spec.range();
    said(&quantity.shape, range, spec.domain)?;
    if let Some(mean) = quantity.mean {
        range.holds(Part::Mean, mean, spec.domain)?;
    }
    let outline = Distribution::check(quantity, spec.domain)?;
    let mean = outline.mean();
    if spec.domain == Domain::Positive || mean > range.most {
        range.holds(Part::Mean, mean, spec.domain)?;
    }
    let share = outline.above(range.most);
    if share > MOST_ABOVE {
        let most = range.most;
        return Err(QuantityProblem::ReachesTooFar { share, most });
    }
    Ok(outline)
}

/// Whether all the numbers that were said are within the range.
fn said(shape: &Shape, range: Range, domain: Domain) -> Result<(), QuantityProblem> {
    use Part::{Alpha, Beta, Max, Mean, Min, Mode, P10, P50, P90, Scale, Sd, Sigma, Tail, Weight};
    let all = |parts: &[(Part, f64)]| {
        parts
            .iter()
            .try_for_each(|(part, value)| range.holds(*part, *value, domain))
    };
    let pure = |parts: &[(Part, f64)]| {
        parts
            .iter()
            .try_for_each(|(part, value)| PURE.holds(*part, *value, Domain::Positive))
    };
    let weight = |value: f64| WEIGHT.holds(Weight, value, Domain::NonNegative);
    match *shape {
        Shape::Fixed(value) => all(&[(Part::Value, value)]),
        Shape::Between { p10, p90 } => all(&[(P10, p10), (P90, p90)]),
        Shape::BetweenProbably { p10, mode, p90 } => all(&[(P10, p10), (Mode, mode), (P90, p90)]),
        Shape::FewAreLarge {
            p50,
            percentile,
            high,
        } => all(&[
            (P50, p50),
            (super::grammar::percentile_part(percentile), high),
        ]),
        Shape::ParetoTail {
            p50,
            percentile,
            high,
            alpha,
        } => {
            all(&[
                (P50, p50),
                (super::grammar::percentile_part(percentile), high),
            ])?;
            pure(&[(Tail, alpha)])
        }
        Shape::Uniform { min, max } => all(&[(Min, min), (Max, max)]),
        Shape::Pert { min, mode, max } | Shape::Triangular { min, mode, max } => {
            all(&[(Min, min), (Mode, mode), (Max, max)])
        }
        Shape::Normal { mean, sd } => all(&[(Mean, mean), (Sd, sd)]),
        Shape::Lognormal { sigma, .. } => pure(&[(Sigma, sigma)]),
        Shape::Beta {
            alpha,
            beta,
            min,
            max,
        } => {
            pure(&[(Alpha, alpha), (Beta, beta)])?;
            all(&[(Min, min), (Max, max)])
        }
        Shape::Gamma { shape, scale } => {
            pure(&[(Part::Shape, shape)])?;
            all(&[(Scale, scale)])
        }
        Shape::Discrete(ref values) => values.iter().try_for_each(|v| {
            weight(v.weight)?;
            range.holds(Part::Value, v.value, domain)
        }),
        Shape::Sample(ref values) => values
            .iter()
            .try_for_each(|v| range.holds(Part::Value, *v, domain)),
        Shape::Quantiles(at) => Part::NINE
            .into_iter()
            .zip(at)
            .try_for_each(|(part, value)| range.holds(part, value, domain)),
        // Deeper nesting than may be is refused when it is fitted.
        Shape::Mix(ref parts) => parts.iter().try_for_each(|p| {
            weight(p.weight)?;
            said(&p.part, range, domain)
        }),
    }
}

#[cfg(test)]
mod tests;
