//! Means that are known beside the percentiles.

use super::family::{Family, KNOTS, segment_moments};
use super::fit::{LARGEST, Result, mixture};
use super::pareto::{LEAST_ALPHA, ParetoTail};
use super::special::root_increasing;
use super::{Distribution, QuantityProblem, Remark, limits};
use crate::domain::quantity::Domain;

/// Most that all values may be multiplied or divided by for a mean.
const MOST_SCALE: f64 = 2.0;
/// A largest value this many times as far as the family's own 1 in 10,000 is said.
const FAR: f64 = 2.0;
/// A largest value that was said may move this many times as far.
const FARTHEST: f64 = 100.0;

/// The family with its mean moved to what is known.
pub(super) fn pinned(
    family: Family,
    mean: f64,
    domain: Domain,
    remarks: &mut Vec<Remark>,
) -> Result<Family> {
    let (low, high) = limits(domain);
    let impossible = |low: f64, high: f64| QuantityProblem::MeanImpossible { mean, low, high };
    match family {
        Family::Fixed(value) => {
            if value == mean {
                Ok(family)
            } else {
                Err(impossible(value, value))
            }
        }
        Family::Discrete(_) | Family::Sample(_) | Family::Mix(_) => {
            let (mut scaled, mut by) = (family.clone(), 1.0);
            // Once, unless the domain cuts off a part: then the cut moves with the factor.
            for _ in 0..50 {
                let now = Distribution::of(scaled, domain, Vec::new(), false)?
                    .distribution
                    .mean();
                if (now - mean).abs() <= 1e-12 * mean.abs() {
                    break;
                }
                by *= mean / now;
                if !(by > 0.0 && by.is_finite()) {
                    return Err(impossible(low, high));
                }
                scaled = multiplied(family.clone(), by, domain)?;
            }
            let scaled = multiplied(family, by, domain)?;
            let (min, max) = scaled.support();
            if min < low || max > high {
                return Err(impossible(low, high));
            }
            push_scale(by, mean, remarks)?;
            Ok(scaled)
        }
        Family::ParetoTail(tail) => {
            let inside = 1.0 - tail.both(low).0;
            let moved = tail
                .with_mean(mean, low, inside)
                .filter(|t| t.alpha >= LEAST_ALPHA);
            let moved = moved.ok_or_else(|| {
                let heaviest = ParetoTail {
                    alpha: LEAST_ALPHA,
                    ..tail
                };
                impossible(
                    tail.least_mean(low, inside),
                    heaviest.moments(low, inside).0,
                )
            })?;
            if (moved.alpha - tail.alpha).abs() > 1e-9 * tail.alpha {
                remarks.push(Remark::TailMoved {
                    said: tail.alpha,
                    now: moved.alpha,
                });
            }
            Ok(Family::ParetoTail(moved))
        }
        Family::Quantiles(at) => {
            // What was measured may have missed the largest, but not by orders of magnitude.
            let reach = FARTHEST * at[8].abs();
            quantiles_with_mean(at, mean, reach, domain, remarks)
        }
        other => {
            // Its nine quantiles; the ends of an unbounded family are its 1 in 1,000 and 1 in 10,000.
            let fit = Distribution::of(other, domain, Vec::new(), true)?;
            let d = fit.distribution;
            let (low, high) = d.support();
            let mut at = KNOTS.map(|p| d.quantile(p.clamp(0.001, 0.9999)));
            if low.is_finite()
                && matches!(
                    d.family(),
                    Family::Uniform { .. } | Family::Triangular { .. } | Family::Beta { .. }
                )
            {
                at[0] = low;
                at[8] = high;
            }
            remarks.extend(fit.remarks);
            let mut quiet = Vec::new();
            let family = quantiles_with_mean(at, mean, f64::INFINITY, domain, &mut quiet)?;
            // A mean above the p99 hangs on values that nobody spoke of: a slip, or a second population.
            if mean > at[7] {
                return Err(impossible(at[0], at[7]));
            }
            // How far the largest value moved means nothing where nobody said one, unless it is far.
            remarks.extend(quiet.into_iter().filter_map(|r| match r {
                Remark::LargestMoved { now, .. } if now > FAR * at[8] => {
                    Some(Remark::Stretched { most: now })
                }
                Remark::LargestMoved { .. } => None,
                other => Some(other),
            }));
            Ok(family)
        }
    }
}

/// All values times a factor, inside the domain.
fn multiplied(family: Family, by: f64, domain: Domain) -> Result<Family> {
    match family {
        Family::Mix(parts) => mixture(
            parts
                .into_iter()
                .map(|(w, part)| (w, part.family().clone().scaled(by)))
                .collect(),
            domain,
            &mut Vec::new(),
        ),
        other => Ok(other.scaled(by)),
    }
}

/// Says by how much all values were multiplied; a factor so far from 1 contradicts what was said of them.
fn push_scale(by: f64, mean: f64, remarks: &mut Vec<Remark>) -> Result<()> {
    if !(1.0 / MOST_SCALE..=MOST_SCALE).contains(&by) {
        let now = mean / by;
        let ends = [now / MOST_SCALE, now * MOST_SCALE];
        return Err(QuantityProblem::MeanImpossible {
            mean,
            low: ends[0].min(ends[1]),
            high: ends[0].max(ends[1]),
        });
    }
    if (by - 1.0).abs() > 1e-9 {
        remarks.push(Remark::Rescaled { factor: by });
    }
    Ok(())
}

/// Moves the last segment so that the mean is as said; if the segment cannot do that alone, multiplies all.
fn quantiles_with_mean(
    at: [f64; 9],
    mean: f64,
    reach: f64,
    domain: Domain,
    remarks: &mut Vec<Remark>,
) -> Result<Family> {
    let (low, high) = limits(domain);
    let body: f64 = (1..8)
        .map(|i| (KNOTS[i] - KNOTS[i - 1]) * segment_moments(at[i - 1], at[i]).0)
        .sum();
    let last = KNOTS[8] - KNOTS[7];
    let wanted = (mean - body) / last;
    let (p99, p100) = (at[7], at[8]);
    let segment = |top: f64| segment_moments(p99, top).0;
    let most = high.min(reach).min(LARGEST);
    if wanted >= p99 && wanted <= segment(most) {
        // The mean of the segment grows with its end; the end is at least the mean.
        let mut top = wanted.max(p99);
        while segment(top) < wanted && top < most {
            top = (2.0 * top.max(1.0)).min(most);
        }
        let top = root_increasing(p99, top, 0.0, |x| segment(x) - wanted);
        let mut moved = at;
        moved[8] = top;
        if (top - p100).abs() > 1e-9 * p100.abs() {
            remarks.push(Remark::LargestMoved {
                said: p100,
                now: top,
            });
        }
        return Ok(Family::Quantiles(moved));
    }
    let now = body + last * segment(p100);
    let by = mean / now;
    let possible = by > 0.0 && by.is_finite() && at[0] * by >= low && at[8] * by <= high;
    if !possible {
        let top = body + last * segment(if high.is_finite() { high } else { p100 });
        return Err(QuantityProblem::MeanImpossible {
            mean,
            low: body + last * p99,
            high: top.max(now),
        });
    }
    push_scale(by, mean, remarks)?;
    Ok(Family::Quantiles(at.map(|x| x * by)))
}
