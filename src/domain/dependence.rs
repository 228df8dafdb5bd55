//! What moves together: rank correlations between uncertain inputs, and a shock that all demand shares.
//!
//! Correlations are a Gaussian copula. A rank correlation ρ becomes the correlation r = 2 sin(π ρ / 6) of the normal
//! scores (Pearson 1907), the table of all r must be positive semi-definite, and its Cholesky factor turns independent
//! scores into ones that move together. Members stand in the order in which they were made, features before windows, so
//! that a member that comes later changes no draw of the earlier ones.

use serde::{Deserialize, Serialize};

use super::field::{FieldPath, spec};
use super::quantity::Kind;
use super::scenario::{Id, Scenario};

/// Most pairs of a table.
pub const MOST_PAIRS: usize = 100;

/// What moves together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Dependence {
    /// A shock shared by features, week by week; none: demand has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub demand_shock: Option<DemandShock>,
    /// Pairs of uncertain inputs that move together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub correlations: Vec<Correlation>,
}

impl Dependence {
    /// Whether nothing moves together.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A stationary weekly AR(1) x that multiplies demand by exp(q x - q² deviation² / 2), q a feature's loading.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DemandShock {
    /// Standard deviation of x in any week, 0 to 2.
    pub deviation: f64,
    /// Correlation of x from one week to the next, 0 to 0.99.
    pub weekly_persistence: f64,
}

/// Two uncertain inputs that move together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Correlation {
    /// One input.
    pub a: FieldPath,
    /// The other.
    pub b: FieldPath,
    /// Rank correlation, -1 to 1.
    pub rank: f64,
}

impl Correlation {
    /// Whether it is about this pair, in either order.
    #[must_use]
    pub fn is_of(&self, a: &FieldPath, b: &FieldPath) -> bool {
        self.a == *a && self.b == *b || self.a == *b && self.b == *a
    }

    /// The other input, if this is one of the two.
    #[must_use]
    pub fn other(&self, path: &FieldPath) -> Option<&FieldPath> {
        if self.a == *path {
            Some(&self.b)
        } else {
            (self.b == *path).then_some(&self.a)
        }
    }
}

/// Correlation of normal scores with this rank correlation.
#[must_use]
pub fn score_correlation(rank: f64) -> f64 {
    2.0 * libm::sin(std::f64::consts::PI / 6.0 * rank)
}

/// Place of a member: features before windows, older before younger, then as in the table of fields.
fn place(path: &FieldPath) -> (bool, Id, u32) {
    let (section, id, name) = path.parts();
    let purpose = spec(section, name).map_or(u32::MAX, |s| s.purpose);
    (section == "seasons", id.unwrap_or(Id(u32::MAX)), purpose)
}

/// The inputs of a table, in the order of its factor.
#[must_use]
pub fn members(pairs: &[Correlation]) -> Vec<FieldPath> {
    let mut all: Vec<FieldPath> = pairs
        .iter()
        .flat_map(|c| [c.a.clone(), c.b.clone()])
        .collect();
    all.sort_by_key(place);
    all.dedup();
    all
}

/// Lower triangle, row by row, of the Cholesky factor of the scores' correlations; none if the table is not positive
/// semi-definite. Pairs that are not named are independent.
#[must_use]
pub fn factor(pairs: &[Correlation]) -> Option<Vec<f64>> {
    let members = members(pairs);
    let n = members.len();
    let mut table = vec![0.0; n * n];
    for pair in pairs {
        let at = |path: &FieldPath| members.iter().position(|m| m == path);
        let (Some(i), Some(j)) = (at(&pair.a), at(&pair.b)) else {
            continue;
        };
        let r = score_correlation(pair.rank);
        table[i * n + j] = r;
        table[j * n + i] = r;
    }
    // rows of the factor one after the other: Banachiewicz
    let mut l: Vec<f64> = Vec::with_capacity(n * (n + 1) / 2);
    let row = |i: usize| i * (i + 1) / 2;
    for i in 0..n {
        let mut rest = 1.0;
        for j in 0..i {
            let mut sum = table[i * n + j];
            for k in 0..j {
                sum -= l[row(i) + k] * l[row(j) + k];
            }
            let pivot = l[row(j) + j];
            let x = if pivot > 0.0 {
                sum / pivot
            } else if sum.abs() < 1e-7 {
                0.0
            } else {
                return None;
            };
            rest -= x * x;
            l.push(x);
        }
        // a member that others determine has nothing of its own
        if rest < -1e-9 {
            return None;
        }
        l.push(if rest < 1e-9 { 0.0 } else { f64::sqrt(rest) });
    }
    Some(l)
}

/// A pair that keeps a table from being one, and the nearest rank correlation with which it is: of the last pair that
/// can do it alone. None if the table is valid; no value if no single pair can.
#[must_use]
pub fn contradiction(pairs: &[Correlation]) -> Option<(usize, Option<f64>)> {
    if factor(pairs).is_some() {
        return None;
    }
    (0..pairs.len())
        .rev()
        .find_map(|i| nearest(pairs, i).map(|rank| (i, Some(rank))))
        .or(Some((pairs.len().saturating_sub(1), None)))
}

/// The nearest rank correlation of one pair, in hundredths, with which the table is valid, the others as they are.
#[must_use]
pub fn nearest(pairs: &[Correlation], which: usize) -> Option<f64> {
    let now = pairs.get(which)?.rank;
    let mut trial = pairs.to_vec();
    let steps = (f64::round(now * 100.0)).clamp(-100.0, 100.0) as i32;
    let mut candidates: Vec<i32> = (-100..=100).collect();
    candidates.sort_by_key(|c| ((c - steps).abs(), c.abs()));
    candidates.into_iter().find_map(|hundredths| {
        let rank = f64::from(hundredths) / 100.0;
        trial[which].rank = rank;
        factor(&trial).map(|_| rank)
    })
}

impl Scenario {
    /// Whether a path names an uncertain number of this plan that is not certain.
    #[must_use]
    pub fn may_correlate(&self, path: &FieldPath) -> bool {
        let (section, _, name) = path.parts();
        let uncertain = spec(section, name).filter(|s| s.kind == Kind::Uncertain);
        uncertain.is_some_and(|s| {
            self.quantity(path).is_some_and(|q| {
                super::distribution::Distribution::fit(q, s.domain)
                    .map_or(true, |fit| fit.distribution.fixed().is_none())
            })
        })
    }

    /// Takes out pairs with an input that is gone or certain; says how many.
    pub fn drop_idle_correlations(&mut self) -> usize {
        let before = self.dependence.correlations.len();
        if before == 0 {
            return 0;
        }
        let mut pairs = std::mem::take(&mut self.dependence.correlations);
        pairs.retain(|c| self.may_correlate(&c.a) && self.may_correlate(&c.b));
        let gone = before - pairs.len();
        self.dependence.correlations = pairs;
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(a: u32, b: u32, rank: f64) -> Correlation {
        let path = |id| FieldPath::of("features", Id(id), "requests_per_day");
        Correlation {
            a: path(a),
            b: path(b),
            rank,
        }
    }

    #[test]
    fn the_factor_times_itself_is_the_table() {
        let pairs = [pair(3, 1, 0.5), pair(1, 2, 0.3), pair(2, 3, -0.2)];
        let l = factor(&pairs).expect("valid");
        let full = |i: usize, j: usize| {
            (0..=i.min(j))
                .map(|k| l[i * (i + 1) / 2 + k] * l[j * (j + 1) / 2 + k])
                .sum::<f64>()
        };
        for (i, j, rank) in [(0, 2, 0.5), (0, 1, 0.3), (1, 2, -0.2)] {
            let r = 2.0 * (std::f64::consts::PI * rank / 6.0).sin();
            assert!((full(i, j) - r).abs() < 1e-12);
        }
        assert!((0..3).all(|i| (full(i, i) - 1.0).abs() < 1e-12));
        // a member that comes later leaves the rows of the earlier ones as they are
        let more = factor(&[&pairs[..], &[pair(9, 1, 0.4)]].concat()).expect("valid");
        assert_eq!(l, more[..l.len()]);
        // exactly together is allowed
        assert!(factor(&[pair(1, 2, 1.0), pair(2, 3, -1.0), pair(1, 3, -1.0)]).is_some());
    }

    #[test]
    fn a_contradiction_names_the_pair_and_the_nearest_value() {
        let pairs = [pair(1, 2, 0.9), pair(1, 3, 0.9), pair(2, 3, -0.5)];
        let (which, nearest) = contradiction(&pairs).expect("not possible");
        assert_eq!(which, 2);
        let nearest = nearest.expect("one pair can do it");
        let mut mended = pairs.to_vec();
        mended[2].rank = nearest;
        assert_eq!(contradiction(&mended), None);
        mended[2].rank = nearest - 0.01;
        assert!(contradiction(&mended).is_some());
        // by hand: r12 r13 - sqrt((1 - r12²)(1 - r13²)) = 2 r² - 1 with r = 2 sin(0.15 π)
        let r = 2.0 * (0.15 * std::f64::consts::PI).sin();
        let least = 6.0 / std::f64::consts::PI * ((2.0 * r * r - 1.0) / 2.0).asin();
        assert!((nearest - least).abs() < 0.01 && nearest >= least);
        // two of them alone are as impossible: the pair that is not named is independent
        assert!(contradiction(&pairs[..2]).is_some());
    }
}
