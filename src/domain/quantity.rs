//! Uncertain and varying numbers as a person enters them.
//!
//! A [`Quantity`] keeps the *entry* (what was said: "24k to 68k probably 42k"), not a fitted family. The fit is a
//! function of the entry and the field's [`Domain`], so the same entry always means the same distribution and the
//! share URL stays short. Source of the forms: docs/model.md, "Uncertain numbers".

use serde::{Deserialize, Serialize};

/// What values a field may take. A distribution is truncated to its domain, never clamped into a spike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Domain {
    /// Greater than 0.
    Positive,
    /// 0 or more.
    NonNegative,
    /// 0 to 1, both allowed.
    Share,
    /// Whole numbers from 1.
    IntegerFromOne,
    /// Whole numbers from 0.
    IntegerFromZero,
    /// Any finite number.
    Any,
    /// A rate of change: any finite number above -1 (minus 100 %).
    Change,
}

/// The two kinds of not-knowing, which are never mixed: the kind belongs to the field, not to the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Nobody knows it yet: one draw per trial.
    Uncertain,
    /// It differs from request to request (or call to call): one draw per request or call.
    Varies,
    /// A plain number that cannot be uncertain.
    Fixed,
}

/// Which high percentile stands beside the median in "11, p99 30".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum HighPercentile {
    /// 9 of 10 are below.
    P90,
    /// 19 of 20 are below.
    P95,
    /// 99 of 100 are below.
    P99,
}

/// One weighted part of a mix.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MixPart {
    /// Weight of this part, > 0; weights are divided by their sum.
    pub weight: f64,
    /// What the part looks like.
    pub part: Shape,
}

/// One value of a discrete distribution.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WeightedValue {
    /// The value, in the field's unit.
    pub value: f64,
    /// Its weight, >= 0; weights are divided by their sum.
    pub weight: f64,
}

/// The shape that a person described. Values are in the field's unit (shares and rates as fractions: 0.035 is 3.5 %).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[allow(missing_docs)] // the doc of each variant names its numbers
pub enum Shape {
    /// One number: `42k`.
    Fixed(f64),
    /// `24k to 68k`: p10 and p90; the family follows from the domain (lognormal, beta, normal; gamma of shape 2 from a
    /// hard 0 where the domain is >= 0 and the low end is exactly 0).
    Between { p10: f64, p90: f64 },
    /// `24k to 68k probably 42k`: p10, most likely value, p90; a PERT whose ends are solved.
    BetweenProbably { p10: f64, mode: f64, p90: f64 },
    /// `11, p99 30`: median and a high percentile.
    FewAreLarge {
        p50: f64,
        percentile: HighPercentile,
        high: f64,
    },
    /// `2k, p90 8k, tail 1.5`: a lognormal body by median and a high percentile, from which on P(X > x) falls as
    /// x^-alpha (Pareto).
    ParetoTail {
        p50: f64,
        percentile: HighPercentile,
        high: f64,
        alpha: f64,
    },
    /// `24k to 68k hard`: every value between is equally likely.
    Uniform { min: f64, max: f64 },
    /// `24k to 68k hard probably 42k`.
    Pert { min: f64, mode: f64, max: f64 },
    /// Hard limits and a most likely value, straight lines between.
    Triangular { min: f64, mode: f64, max: f64 },
    /// Mean and standard deviation, truncated to the domain.
    Normal { mean: f64, sd: f64 },
    /// Mean of the logarithm (mu) and standard deviation of the logarithm (sigma).
    Lognormal { mu: f64, sigma: f64 },
    /// Beta with shapes alpha and beta between min and max.
    Beta {
        alpha: f64,
        beta: f64,
        min: f64,
        max: f64,
    },
    /// Gamma with shape and scale (mean = shape * scale).
    Gamma { shape: f64, scale: f64 },
    /// Values with weights.
    Discrete(Vec<WeightedValue>),
    /// p0 p10 p25 p50 p75 p90 p95 p99 p100, log-linear between them (first segment linear if p0 <= 0).
    Quantiles([f64; 9]),
    /// `sample 3, 5, 8, 8, 13`: measured values, each equally likely. Their order means nothing.
    Sample(Vec<f64>),
    /// `95% 5k, 5% 800k`: a mix; each part any shape.
    Mix(Vec<MixPart>),
}

/// A number as entered: a shape, and optionally the mean that is known beside it ("... mean 2048").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Quantity {
    /// What the values look like.
    pub shape: Shape,
    /// Pinned mean, in the field's unit: moves the p99-p100 segment, then rescales the whole if that is not enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
}

/// A number that differs from request to request, with what we do not know about the whole distribution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Varying {
    /// One draw per request or call.
    pub each: Quantity,
    /// Typical level: a factor drawn once per trial (positive; default exactly 1).
    #[serde(default = "Quantity::one", skip_serializing_if = "Quantity::is_one")]
    pub level: Quantity,
}

impl Quantity {
    /// A number that is known.
    #[must_use]
    pub const fn fixed(value: f64) -> Self {
        Self {
            shape: Shape::Fixed(value),
            mean: None,
        }
    }

    /// The factor that changes nothing.
    #[must_use]
    pub const fn one() -> Self {
        Self::fixed(1.0)
    }

    /// Whether this is exactly 1.
    #[must_use]
    pub fn is_one(&self) -> bool {
        *self == Self::one()
    }
}

impl From<Shape> for Quantity {
    fn from(shape: Shape) -> Self {
        Self { shape, mean: None }
    }
}

impl From<Quantity> for Varying {
    fn from(each: Quantity) -> Self {
        Self {
            each,
            level: Quantity::one(),
        }
    }
}
