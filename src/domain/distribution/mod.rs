//! Distributions: what an entry means.
//!
//! [`Distribution::fit`] turns a [`Quantity`] and the [`Domain`] of its field into one distribution, always the same for
//! the same entry. Truncation is by inverse CDF: the probability outside of the domain is spread over the inside, it is
//! never clamped into a spike. Percentiles as entered are those of the family before truncation; when the domain cuts
//! off more than one in a thousand the fit says so ([`Remark::CutOff`]).
//!
//! `quantile` is closed form for fixed, normal, lognormal, Pareto-tailed, uniform, triangular, discrete, sampled and empirical ones; beta, PERT,
//! gamma and mixtures with a continuous part read a table made at the fit (error of a value about 1e-5 of its distance
//! from the lower end, see `table.rs`). Everything is `libm` only: the same bits natively and in Wasm.

mod family;
mod fit;
mod pareto;
mod pin;
mod solve;
pub mod special;
mod split;
mod table;

use serde::{Deserialize, Serialize};

use super::quantity::{Domain, Quantity};
pub use fit::MOST_VALUES;
pub use pareto::LEAST_ALPHA;

use family::Family;
use table::Table;

/// A distribution truncated to the domain of its field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Distribution {
    family: Family,
    /// Lowest and highest value of the domain, maybe infinite.
    domain: (f64, f64),
    /// The lowest number that may come out: above 0 in positive fields.
    floor: f64,
    /// Probability that the family has below and above the domain.
    cut: (f64, f64),
    mean: f64,
    sd: f64,
    /// For families without a closed quantile.
    table: Option<Table>,
    /// The range of probabilities that it is a part of; none: all.
    part: Option<(f64, f64)>,
}

/// A distribution and what has to be said about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The distribution.
    pub distribution: Distribution,
    /// What differs from what was said, in no case silently.
    pub remarks: Vec<Remark>,
}

/// What is known of a distribution without the table of its quantiles: cheap enough for every key press.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    distribution: Distribution,
    /// What differs from what was said.
    pub remarks: Vec<Remark>,
}

impl Outline {
    /// Which family it is.
    #[must_use]
    pub fn name(&self) -> FamilyName {
        self.distribution.name()
    }

    /// Expected value.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.distribution.mean
    }

    /// P(X > x).
    #[must_use]
    pub fn above(&self, x: f64) -> f64 {
        self.distribution.both(x).1
    }
}

/// What the fit had to do otherwise than a person might expect. Values are in the field's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // the doc of each variant names its numbers
pub enum Remark {
    /// A solved end would leave the domain, so it stands at the bound and a percentile is not where it was said.
    PercentileMoved { part: Part, said: f64, now: f64 },
    /// The low end is the domain's minimum, so it is a hard minimum; the high end is p90.
    HardMinimum { at: f64 },
    /// The high end is the domain's maximum, so it is a hard maximum; the low end is p10.
    HardMaximum { at: f64 },
    /// The largest value was moved so that the mean is as said.
    LargestMoved { said: f64, now: f64 },
    /// All values were multiplied so that the mean is as said.
    Rescaled { factor: f64 },
    /// The tail is heavier or lighter than said so that the mean is as said.
    TailMoved { said: f64, now: f64 },
    /// The mean is so far above the middle that the largest 1 in 100 have to reach this far.
    Stretched { most: f64 },
    /// The family reaches beyond the domain; this share of it is cut off and spread over the rest.
    CutOff { share: f64 },
}

/// A named part of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub enum Part {
    Value,
    P0,
    P10,
    P25,
    P50,
    P75,
    P90,
    P95,
    P99,
    P100,
    Min,
    Mode,
    Max,
    Mean,
    Sd,
    Mu,
    Sigma,
    Alpha,
    Beta,
    Shape,
    Scale,
    Tail,
    Weight,
}

impl Part {
    /// The nine quantiles of an empirical entry.
    pub const NINE: [Self; 9] = [
        Self::P0,
        Self::P10,
        Self::P25,
        Self::P50,
        Self::P75,
        Self::P90,
        Self::P95,
        Self::P99,
        Self::P100,
    ];
}

/// Why an entry has no meaning in its field.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the sentence of each variant names its numbers
pub enum QuantityProblem {
    #[error("{part:?} is not a finite number")]
    NotFinite { part: Part },
    #[error("{part:?} ({value}) is larger than {most}")]
    TooLarge { part: Part, value: f64, most: f64 },
    #[error("{part:?} ({value}) is not 0 and smaller than {least}")]
    TooSmall { part: Part, value: f64, least: f64 },
    #[error("{share} of the values are above {most}")]
    ReachesTooFar { share: f64, most: f64 },
    #[error("{part:?} ({value}) is outside of the domain {domain:?}")]
    OutsideDomain {
        part: Part,
        value: f64,
        domain: Domain,
    },
    #[error("{low:?} ({low_value}) must be below {high:?} ({high_value})")]
    NotIncreasing {
        low: Part,
        low_value: f64,
        high: Part,
        high_value: f64,
    },
    #[error("{part:?} ({value}) must be above 0")]
    NotPositive { part: Part, value: f64 },
    #[error("there is no value")]
    Empty,
    #[error("there are {count} parts, more than {most}")]
    TooMany { count: usize, most: usize },
    #[error("the weight {value} is negative")]
    NegativeWeight { value: f64 },
    #[error("a tail of {alpha} has no mean that can be counted on; it must be {least} or more")]
    TailWithoutMean { alpha: f64, least: f64 },
    #[error("the domain {domain:?} has no room for a heavy tail")]
    NoTail { domain: Domain },
    #[error("the weights sum to 0")]
    NoWeight,
    #[error("median and a high percentile have no reading in the domain {domain:?}")]
    NoFewAreLarge { domain: Domain },
    #[error(
        "no distribution has these values with the mean {mean}; it must lie between {low} and {high}"
    )]
    MeanImpossible { mean: f64, low: f64, high: f64 },
    #[error("only {inside} of the distribution lies in the domain {domain:?}")]
    AlmostAllOutside { inside: f64, domain: Domain },
    #[error("the values lie too far apart")]
    TooWide,
    #[error("a mix may not be nested this deep")]
    TooDeep,
}

/// The families.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub enum FamilyName {
    Fixed,
    Normal,
    Lognormal,
    Uniform,
    Triangular,
    Pert,
    Beta,
    Gamma,
    Discrete,
    Empirical,
    Sample,
    ParetoTail,
    Mixture,
}

/// Lowest and highest value of a domain; the lowest of [`Domain::Positive`] and [`Domain::Change`] is itself outside.
#[must_use]
pub const fn limits(domain: Domain) -> (f64, f64) {
    match domain {
        Domain::Positive | Domain::NonNegative | Domain::IntegerFromZero => (0.0, f64::INFINITY),
        Domain::Share => (0.0, 1.0),
        Domain::IntegerFromOne => (1.0, f64::INFINITY),
        Domain::Any => (f64::NEG_INFINITY, f64::INFINITY),
        Domain::Change => (-1.0, f64::INFINITY),
    }
}

impl Distribution {
    /// The distribution that an entry means in a field of this domain.
    ///
    /// # Errors
    /// The first thing that makes the entry impossible.
    pub fn fit(quantity: &Quantity, domain: Domain) -> Result<Fit, QuantityProblem> {
        let (family, remarks) = fit::family(quantity, domain)?;
        Self::of(family, domain, remarks, true)
    }

    /// The same checks and remarks without the table of the quantile, for validation while typing.
    ///
    /// # Errors
    /// As [`Distribution::fit`].
    pub fn check(quantity: &Quantity, domain: Domain) -> Result<Outline, QuantityProblem> {
        let (family, remarks) = fit::family(quantity, domain)?;
        let fit = Self::of(family, domain, remarks, false)?;
        Ok(Outline {
            distribution: fit.distribution,
            remarks: fit.remarks,
        })
    }

    fn of(
        family: Family,
        domain: Domain,
        mut remarks: Vec<Remark>,
        table: bool,
    ) -> Result<Fit, QuantityProblem> {
        let (low, high) = limits(domain);
        let cut = family.cut(low, high);
        let outside = cut.0 + cut.1;
        // Less than one in a thousand inside is a slip of the pen, and the tail of a tail is not what was meant.
        if outside > 0.999 {
            return Err(QuantityProblem::AlmostAllOutside {
                inside: (1.0 - outside).max(0.0),
                domain,
            });
        }
        if outside > 0.001 {
            remarks.push(Remark::CutOff { share: outside });
        }
        let (mean, square) = family.moments(low, high, 1.0 - outside);
        let variance = square - mean * mean;
        // The second moment also bounds what a sum over a million requests may reach.
        if !mean.is_finite() || !square.is_finite() || square > 1e60 {
            return Err(QuantityProblem::TooWide);
        }
        let floor = match domain {
            Domain::Positive => f64::MIN_POSITIVE,
            Domain::Change => -1.0 + f64::EPSILON,
            _ => low,
        };
        let mut distribution = Self {
            family,
            domain: (low, high),
            floor,
            cut,
            mean,
            sd: f64::sqrt(variance.max(0.0)),
            table: None,
            part: None,
        };
        if table {
            distribution.table = Table::of(&distribution);
        }
        Ok(Fit {
            distribution,
            remarks,
        })
    }

    /// The value with P(X <= value) = u, for 0 < u < 1; never decreasing in u.
    ///
    /// In integer domains this is the continuous value; a drawn integer is ⌊value + U⌋ with a second uniform U.
    #[must_use]
    pub fn quantile(&self, u: f64) -> f64 {
        let u = match self.part {
            Some((from, to)) => from + u * (to - from),
            None => u,
        };
        // 0 and 1 themselves would be infinite in some families.
        let u = u.clamp(f64::MIN_POSITIVE, 1.0 - 0.5 * f64::EPSILON);
        let x = match &self.table {
            Some(table) => table.at(special::normal_quantile(u)),
            None => {
                let (below, above) = self.cut;
                let inside = 1.0 - below - above;
                self.family
                    .quantile(below + u * inside, above + (1.0 - u) * inside)
            }
        };
        x.max(self.floor).min(self.domain.1)
    }

    /// P(X <= x).
    #[must_use]
    pub fn cdf(&self, x: f64) -> f64 {
        self.both(x).0
    }

    /// P(X <= x) and P(X > x), each accurate where it is small.
    fn both(&self, x: f64) -> (f64, f64) {
        if x < self.domain.0 {
            return (0.0, 1.0);
        }
        if x >= self.domain.1 {
            return (1.0, 0.0);
        }
        let (p, q) = self.family.both(x);
        let inside = 1.0 - self.cut.0 - self.cut.1;
        (
            ((p - self.cut.0) / inside).clamp(0.0, 1.0),
            ((q - self.cut.1) / inside).clamp(0.0, 1.0),
        )
    }

    /// Density of the continuous part; the rest is in [`Distribution::atoms`]. May be infinite at an end.
    #[must_use]
    pub fn density(&self, x: f64) -> f64 {
        if x < self.domain.0 || x > self.domain.1 {
            return 0.0;
        }
        let density = self.family.density(x) / (1.0 - self.cut.0 - self.cut.1);
        // spreads near the smallest f64 give 0/0 or 0 * infinity: nothing to draw
        if density.is_nan() { 0.0 } else { density }
    }

    /// Values with a probability of their own, ascending, with that probability.
    #[must_use]
    pub fn atoms(&self) -> Vec<(f64, f64)> {
        self.family.atoms()
    }

    /// Expected value, truncation included.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Standard deviation, truncation included.
    #[must_use]
    pub fn sd(&self) -> f64 {
        self.sd
    }

    /// The value if there is only one.
    #[must_use]
    pub fn fixed(&self) -> Option<f64> {
        match self.family {
            Family::Fixed(x) => Some(x),
            _ => None,
        }
    }

    /// Which family it is.
    #[must_use]
    pub fn name(&self) -> FamilyName {
        self.family.name()
    }
}

#[cfg(test)]
mod tests;
