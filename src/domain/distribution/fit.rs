//! From what was said to a family.

use super::family::{Family, Step};
use super::pareto::{LEAST_ALPHA, ParetoTail};
use super::pin::pinned;
use super::solve::{self, Pert};
use super::special::{Z90, Z95, Z99};
use super::{Distribution, Part, QuantityProblem, Remark, limits};
use crate::domain::quantity::{Domain, HighPercentile, MixPart, Quantity, Shape, WeightedValue};

/// Largest absolute value of an entry: products of a few of them stay far from overflow.
pub const LARGEST: f64 = 1e15;
/// Most values or parts of one entry.
pub const MOST_PARTS: usize = 64;
/// Most values of a sample.
pub const MOST_VALUES: usize = 10_000;
/// Deepest nesting of mixes.
const DEEPEST: u32 = 3;

pub(super) type Result<T> = std::result::Result<T, QuantityProblem>;

/// The family of an entry, and what has to be said about it.
pub(super) fn family(quantity: &Quantity, domain: Domain) -> Result<(Family, Vec<Remark>)> {
    let mut remarks = Vec::new();
    let family = shape(&quantity.shape, domain, &mut remarks, 0)?;
    let family = match quantity.mean {
        None => family,
        Some(mean) => {
            inside(Part::Mean, mean, domain)?;
            pinned(family, mean, domain, &mut remarks)?
        }
    };
    Ok((family, remarks))
}

fn finite(part: Part, value: f64) -> Result<()> {
    if !value.is_finite() {
        return Err(QuantityProblem::NotFinite { part });
    }
    if value.abs() > LARGEST {
        return Err(QuantityProblem::TooLarge {
            part,
            value,
            most: LARGEST,
        });
    }
    Ok(())
}

fn inside(part: Part, value: f64, domain: Domain) -> Result<()> {
    finite(part, value)?;
    let (low, high) = limits(domain);
    let open = matches!(domain, Domain::Positive | Domain::Change);
    if value < low || value > high || open && value <= low {
        return Err(QuantityProblem::OutsideDomain {
            part,
            value,
            domain,
        });
    }
    Ok(())
}

fn positive(part: Part, value: f64) -> Result<()> {
    finite(part, value)?;
    if value > 0.0 {
        Ok(())
    } else {
        Err(QuantityProblem::NotPositive { part, value })
    }
}

fn below(low: Part, low_value: f64, high: Part, high_value: f64) -> Result<()> {
    if low_value < high_value {
        Ok(())
    } else {
        Err(QuantityProblem::NotIncreasing {
            low,
            low_value,
            high,
            high_value,
        })
    }
}

fn not_above(low: Part, low_value: f64, high: Part, high_value: f64) -> Result<()> {
    if low_value == high_value {
        return Ok(());
    }
    below(low, low_value, high, high_value)
}

fn of_pert(pert: Pert) -> Family {
    Family::Beta {
        alpha: pert.alpha,
        beta: pert.beta,
        min: pert.min,
        max: pert.max,
        pert: true,
    }
}

fn unit_beta((alpha, beta): (f64, f64)) -> Family {
    Family::Beta {
        alpha,
        beta,
        min: 0.0,
        max: 1.0,
        pert: false,
    }
}

fn shape(entry: &Shape, domain: Domain, remarks: &mut Vec<Remark>, depth: u32) -> Result<Family> {
    use Part::{Max, Min, Mode, P10, P90};
    Ok(match *entry {
        Shape::Fixed(value) => {
            inside(Part::Value, value, domain)?;
            Family::Fixed(value)
        }
        Shape::Between { p10, p90 } => {
            inside(P10, p10, domain)?;
            inside(P90, p90, domain)?;
            below(P10, p10, P90, p90)?;
            between(p10, p90, domain, remarks)?
        }
        Shape::BetweenProbably { p10, mode, p90 } => {
            inside(P10, p10, domain)?;
            inside(Mode, mode, domain)?;
            inside(P90, p90, domain)?;
            below(P10, p10, P90, p90)?;
            not_above(P10, p10, Mode, mode)?;
            not_above(Mode, mode, P90, p90)?;
            between_probably(p10, mode, p90, domain, remarks)
        }
        Shape::FewAreLarge {
            p50,
            percentile,
            high,
        } => few_are_large(p50, percentile, high, domain)?,
        Shape::ParetoTail {
            p50,
            percentile,
            high,
            alpha,
        } => pareto_tail(p50, percentile, high, alpha, domain)?,
        Shape::Uniform { min, max } => {
            inside(Min, min, domain)?;
            inside(Max, max, domain)?;
            below(Min, min, Max, max)?;
            Family::Uniform { min, max }
        }
        Shape::Pert { min, mode, max } => {
            three(min, mode, max, domain)?;
            of_pert(Pert::of(min, mode, max))
        }
        Shape::Triangular { min, mode, max } => {
            three(min, mode, max, domain)?;
            Family::Triangular { min, mode, max }
        }
        Shape::Normal { mean, sd } => {
            finite(Part::Mean, mean)?;
            positive(Part::Sd, sd)?;
            Family::Normal { mean, sd }
        }
        Shape::Lognormal { mu, sigma } => {
            finite(Part::Mu, mu)?;
            positive(Part::Sigma, sigma)?;
            Family::Lognormal { mu, sigma }
        }
        Shape::Beta {
            alpha,
            beta,
            min,
            max,
        } => {
            positive(Part::Alpha, alpha)?;
            positive(Part::Beta, beta)?;
            // The ends themselves have no probability, so 0 may be the end of a positive number.
            if min != limits(domain).0 {
                inside(Min, min, domain)?;
            }
            inside(Max, max, domain)?;
            below(Min, min, Max, max)?;
            if !(0.01..=1e6).contains(&alpha) || !(0.01..=1e6).contains(&beta) {
                return Err(QuantityProblem::TooWide);
            }
            Family::Beta {
                alpha,
                beta,
                min,
                max,
                pert: false,
            }
        }
        Shape::Gamma { shape, scale } => {
            positive(Part::Shape, shape)?;
            positive(Part::Scale, scale)?;
            if !(0.01..=1e6).contains(&shape) {
                return Err(QuantityProblem::TooWide);
            }
            Family::Gamma { shape, scale }
        }
        Shape::Discrete(ref values) => discrete(values, domain)?,
        Shape::Sample(ref values) => sample(values, domain)?,
        Shape::Quantiles(at) => {
            for (part, value) in Part::NINE.into_iter().zip(at) {
                inside(part, value, domain)?;
            }
            for i in 1..at.len() {
                not_above(Part::NINE[i - 1], at[i - 1], Part::NINE[i], at[i])?;
            }
            if at[0] == at[8] {
                Family::Fixed(at[0])
            } else {
                Family::Quantiles(at)
            }
        }
        Shape::Mix(ref parts) => mix(parts, domain, remarks, depth)?,
    })
}

fn three(min: f64, mode: f64, max: f64, domain: Domain) -> Result<()> {
    inside(Part::Min, min, domain)?;
    inside(Part::Mode, mode, domain)?;
    inside(Part::Max, max, domain)?;
    below(Part::Min, min, Part::Max, max)?;
    not_above(Part::Min, min, Part::Mode, mode)?;
    not_above(Part::Mode, mode, Part::Max, max)
}

/// p10 and p90 by the default family of the domain.
fn between(p10: f64, p90: f64, domain: Domain, remarks: &mut Vec<Remark>) -> Result<Family> {
    Ok(match domain {
        Domain::Positive | Domain::IntegerFromOne => {
            let (low, high) = (libm::log(p10), libm::log(p90));
            Family::Lognormal {
                mu: 0.5 * (low + high),
                sigma: (high - low) / (2.0 * Z90),
            }
        }
        Domain::NonNegative | Domain::IntegerFromZero => {
            if p10 == 0.0 {
                remarks.push(Remark::HardMinimum { at: 0.0 });
                let (shape, scale) = solve::gamma_from_zero(0.9, p90);
                Family::Gamma { shape, scale }
            } else {
                gamma((0.1, -Z90, p10), (0.9, Z90, p90))?
            }
        }
        Domain::Share => {
            if p10 == 0.0 {
                remarks.push(Remark::HardMinimum { at: 0.0 });
            }
            if p90 == 1.0 {
                remarks.push(Remark::HardMaximum { at: 1.0 });
            }
            let shapes = match (p10 == 0.0, p90 == 1.0) {
                (false, false) => return share((0.1, -Z90, p10), (0.9, Z90, p90)),
                (true, true) => Some((1.0, 1.0)),
                (true, false) => solve::beta_from_zero(0.9, p90),
                (false, true) => solve::beta_from_zero(0.9, 1.0 - p10).map(|(a, b)| (b, a)),
            };
            unit_beta(shapes.ok_or(QuantityProblem::TooWide)?)
        }
        Domain::Any | Domain::Change => Family::Normal {
            mean: 0.5 * (p10 + p90),
            sd: (p90 - p10) / (2.0 * Z90),
        },
    })
}

/// A PERT whose ends are solved; an end that would leave the domain stands at its bound.
fn between_probably(
    p10: f64,
    mode: f64,
    p90: f64,
    domain: Domain,
    remarks: &mut Vec<Remark>,
) -> Family {
    let (low, high) = limits(domain);
    // A low of exactly the minimum of a domain that contains it is a hard minimum; likewise a share's 100 %.
    let hard_low = p10 == low;
    let hard_high = p90 == high;
    let mut pert = match (hard_low, hard_high) {
        (true, true) => Pert::of(low, mode, high),
        (true, false) => solve::pert_from(low, mode, p90),
        (false, true) => solve::pert_to(p10, mode, high),
        (false, false) => solve::pert(p10, mode, p90),
    };
    let (mut at_low, mut at_high) = (hard_low, hard_high);
    // Fixing one end moves the other, so look twice.
    for _ in 0..2 {
        let low_leaves = !at_low && pert.min < low;
        let high_leaves = !at_high && pert.max > high;
        if !low_leaves && !high_leaves {
            break;
        }
        at_low |= low_leaves;
        at_high |= high_leaves;
        pert = match (at_low, at_high) {
            (true, true) => Pert::of(low, mode, high),
            (true, false) => solve::pert_from(low, mode, p90),
            _ => solve::pert_to(p10, mode, high),
        };
    }
    if hard_low {
        remarks.push(Remark::HardMinimum { at: low });
    }
    if hard_high {
        remarks.push(Remark::HardMaximum { at: high });
    }
    for (part, p, said, hard) in [
        (Part::P10, 0.1, p10, hard_low),
        (Part::P90, 0.9, p90, hard_high),
    ] {
        let now = pert.quantile(p);
        if !hard && (now - said).abs() > 1e-6 * (p90 - p10) {
            remarks.push(Remark::PercentileMoved { part, said, now });
        }
    }
    of_pert(pert)
}

/// The gamma distribution with two percentiles (probability, normal score, value). So narrow that its shape exceeds 1e5
/// it is the lognormal with the same percentiles (their quantiles then differ by less than 1e-5 of the value).
fn gamma((p1, z1, x1): (f64, f64, f64), (p2, z2, x2): (f64, f64, f64)) -> Result<Family> {
    let width = libm::log(x2 / x1);
    if width < 0.0082 * (z2 - z1) / (2.0 * Z90) {
        let sigma = width / (z2 - z1);
        return Ok(Family::Lognormal {
            mu: libm::log(x1) - z1 * sigma,
            sigma,
        });
    }
    let (shape, scale) = solve::gamma(p1, x1, p2, x2).ok_or(QuantityProblem::TooWide)?;
    Ok(Family::Gamma { shape, scale })
}

/// The beta distribution with two percentiles. So narrow that both shapes exceed 1e5 it is the normal one with the same
/// percentiles.
fn share((p1, z1, x1): (f64, f64, f64), (p2, z2, x2): (f64, f64, f64)) -> Result<Family> {
    let sd = (x2 - x1) / (z2 - z1);
    let mean = x1 - z1 * sd;
    let size = mean * (1.0 - mean) / (sd * sd);
    if size * mean.min(1.0 - mean) > 1e5 {
        return Ok(Family::Normal { mean, sd });
    }
    let shapes = solve::beta(p1, x1, p2, x2).ok_or(QuantityProblem::TooWide)?;
    Ok(unit_beta(shapes))
}

/// The part, probability and normal score of a high percentile.
const fn high_percentile(percentile: HighPercentile) -> (Part, f64, f64) {
    match percentile {
        HighPercentile::P90 => (Part::P90, 0.9, Z90),
        HighPercentile::P95 => (Part::P95, 0.95, Z95),
        HighPercentile::P99 => (Part::P99, 0.99, Z99),
    }
}

fn pareto_tail(
    p50: f64,
    percentile: HighPercentile,
    high: f64,
    alpha: f64,
    domain: Domain,
) -> Result<Family> {
    let (part, p, z) = high_percentile(percentile);
    if matches!(domain, Domain::Share | Domain::Any | Domain::Change) {
        return Err(QuantityProblem::NoTail { domain });
    }
    inside(Part::P50, p50, domain)?;
    positive(Part::P50, p50)?;
    inside(part, high, domain)?;
    below(Part::P50, p50, part, high)?;
    finite(Part::Tail, alpha)?;
    if alpha < LEAST_ALPHA {
        return Err(QuantityProblem::TailWithoutMean {
            alpha,
            least: LEAST_ALPHA,
        });
    }
    let mu = libm::log(p50);
    Ok(Family::ParetoTail(ParetoTail {
        mu,
        sigma: (libm::log(high) - mu) / z,
        from: high,
        share: 1.0 - p,
        alpha,
    }))
}

/// Measured values, each equally likely.
fn sample(values: &[f64], domain: Domain) -> Result<Family> {
    if values.is_empty() {
        return Err(QuantityProblem::Empty);
    }
    if values.len() > MOST_VALUES {
        return Err(QuantityProblem::TooMany {
            count: values.len(),
            most: MOST_VALUES,
        });
    }
    for value in values {
        inside(Part::Value, *value, domain)?;
    }
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    Ok(if values[0] == values[values.len() - 1] {
        Family::Fixed(values[0])
    } else {
        Family::Sample(values)
    })
}

fn few_are_large(
    p50: f64,
    percentile: HighPercentile,
    high: f64,
    domain: Domain,
) -> Result<Family> {
    let (part, p, z) = high_percentile(percentile);
    inside(Part::P50, p50, domain)?;
    inside(part, high, domain)?;
    below(Part::P50, p50, part, high)?;
    Ok(match domain {
        Domain::Positive | Domain::IntegerFromOne => {
            let mu = libm::log(p50);
            Family::Lognormal {
                mu,
                sigma: (libm::log(high) - mu) / z,
            }
        }
        Domain::NonNegative | Domain::IntegerFromZero => {
            positive(Part::P50, p50)?;
            gamma((0.5, 0.0, p50), (p, z, high))?
        }
        Domain::Share => {
            positive(Part::P50, p50)?;
            below(part, high, Part::Max, 1.0)?;
            share((0.5, 0.0, p50), (p, z, high))?
        }
        Domain::Any | Domain::Change => return Err(QuantityProblem::NoFewAreLarge { domain }),
    })
}

fn weights(all: impl Iterator<Item = f64> + Clone) -> Result<f64> {
    for value in all.clone() {
        finite(Part::Weight, value)?;
        if value < 0.0 {
            return Err(QuantityProblem::NegativeWeight { value });
        }
    }
    let sum: f64 = all.sum();
    if sum > 0.0 {
        Ok(sum)
    } else {
        Err(QuantityProblem::NoWeight)
    }
}

fn count(count: usize) -> Result<()> {
    if count == 0 {
        return Err(QuantityProblem::Empty);
    }
    if count > MOST_PARTS {
        return Err(QuantityProblem::TooMany {
            count,
            most: MOST_PARTS,
        });
    }
    Ok(())
}

fn discrete(values: &[WeightedValue], domain: Domain) -> Result<Family> {
    count(values.len())?;
    for value in values {
        inside(Part::Value, value.value, domain)?;
    }
    let sum = weights(values.iter().map(|v| v.weight))?;
    Ok(steps(
        values.iter().map(|v| (v.value, v.weight / sum)).collect(),
    ))
}

/// Values with weights that sum to 1.
fn steps(mut values: Vec<(f64, f64)>) -> Family {
    values.retain(|(_, weight)| *weight > 0.0);
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut out: Vec<Step> = Vec::with_capacity(values.len());
    let mut up_to = 0.0;
    for (value, weight) in values {
        up_to += weight;
        match out.last_mut() {
            Some(last) if last.value == value => {
                last.weight += weight;
                last.up_to = up_to;
            }
            _ => out.push(Step {
                value,
                weight,
                up_to,
            }),
        }
    }
    if let Some(last) = out.last_mut() {
        last.up_to = 1.0;
    }
    match out[..] {
        [only] => Family::Fixed(only.value),
        _ => Family::Discrete(out),
    }
}

fn mix(parts: &[MixPart], domain: Domain, remarks: &mut Vec<Remark>, depth: u32) -> Result<Family> {
    count(parts.len())?;
    if depth >= DEEPEST {
        return Err(QuantityProblem::TooDeep);
    }
    let sum = weights(parts.iter().map(|p| p.weight))?;
    let mut families = Vec::with_capacity(parts.len());
    for part in parts {
        let family = shape(&part.part, domain, remarks, depth + 1)?;
        if part.weight > 0.0 {
            families.push((part.weight / sum, family));
        }
    }
    mixture(families, domain, remarks)
}

/// A mix in its simplest form: only values become a discrete distribution, one part becomes itself.
pub(super) fn mixture(
    mut families: Vec<(f64, Family)>,
    domain: Domain,
    remarks: &mut Vec<Remark>,
) -> Result<Family> {
    if families.len() == 1
        && let Some((_, only)) = families.pop()
    {
        return Ok(only);
    }
    let only_values = families.iter().all(|(_, f)| {
        matches!(
            f,
            Family::Fixed(_) | Family::Discrete(_) | Family::Sample(_)
        )
    });
    if only_values {
        return Ok(steps(
            families
                .iter()
                .flat_map(|(w, f)| f.atoms().into_iter().map(move |(x, p)| (x, w * p)))
                .collect(),
        ));
    }
    let mut parts = Vec::with_capacity(families.len());
    for (weight, family) in families {
        let fit = Distribution::of(family, domain, Vec::new(), false)?;
        remarks.extend(fit.remarks);
        parts.push((weight, fit.distribution));
    }
    Ok(Family::Mix(parts))
}
