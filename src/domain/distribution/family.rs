//! The families before truncation: CDF, density, closed quantiles, partial moments.

use serde::{Deserialize, Serialize};

use super::pareto::ParetoTail;
use super::special::{
    beta_density, beta_pq, gamma_density, gamma_pq, normal_cdf, normal_density, normal_quantile,
};
use super::{Distribution, FamilyName};

/// Probabilities of the nine quantiles.
pub(super) const KNOTS: [f64; 9] = [0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0];

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Family {
    Fixed(f64),
    Normal {
        mean: f64,
        sd: f64,
    },
    Lognormal {
        mu: f64,
        sigma: f64,
    },
    Uniform {
        min: f64,
        max: f64,
    },
    Triangular {
        min: f64,
        mode: f64,
        max: f64,
    },
    /// `pert`: shapes came from a most likely value.
    Beta {
        alpha: f64,
        beta: f64,
        min: f64,
        max: f64,
        pert: bool,
    },
    Gamma {
        shape: f64,
        scale: f64,
    },
    ParetoTail(ParetoTail),
    /// Ascending values with their weights (sum 1) and the probability up to and including each.
    Discrete(Vec<Step>),
    /// Ascending values, each equally likely.
    Sample(Vec<f64>),
    Quantiles([f64; 9]),
    /// At least two parts, at least one of them continuous; weights sum to 1.
    Mix(Vec<(f64, Distribution)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Step {
    pub value: f64,
    pub weight: f64,
    pub up_to: f64,
}

/// (e^x - 1) / x without loss at 0.
pub(super) fn growth(x: f64) -> f64 {
    if x.abs() < 1e-8 {
        1.0 + 0.5 * x
    } else {
        libm::expm1(x) / x
    }
}

impl Family {
    pub(super) fn name(&self) -> FamilyName {
        match self {
            Self::Fixed(_) => FamilyName::Fixed,
            Self::Normal { .. } => FamilyName::Normal,
            Self::Lognormal { .. } => FamilyName::Lognormal,
            Self::Uniform { .. } => FamilyName::Uniform,
            Self::Triangular { .. } => FamilyName::Triangular,
            Self::Beta { pert: true, .. } => FamilyName::Pert,
            Self::Beta { .. } => FamilyName::Beta,
            Self::Gamma { .. } => FamilyName::Gamma,
            Self::Discrete(_) => FamilyName::Discrete,
            Self::Sample(_) => FamilyName::Sample,
            Self::ParetoTail(_) => FamilyName::ParetoTail,
            Self::Quantiles(_) => FamilyName::Empirical,
            Self::Mix(_) => FamilyName::Mixture,
        }
    }

    /// P(X <= x) and P(X > x).
    pub(super) fn both(&self, x: f64) -> (f64, f64) {
        let clear = |p: f64| (p, 1.0 - p);
        match *self {
            Self::Fixed(value) => clear(if x >= value { 1.0 } else { 0.0 }),
            Self::Normal { mean, sd } => {
                let z = (x - mean) / sd;
                (normal_cdf(z), normal_cdf(-z))
            }
            Self::Lognormal { mu, sigma } => {
                if x <= 0.0 {
                    return (0.0, 1.0);
                }
                let z = (libm::log(x) - mu) / sigma;
                (normal_cdf(z), normal_cdf(-z))
            }
            Self::Uniform { min, max } => {
                let p = ((x - min) / (max - min)).clamp(0.0, 1.0);
                let q = ((max - x) / (max - min)).clamp(0.0, 1.0);
                (p, q)
            }
            Self::Triangular { min, mode, max } => {
                if x <= min {
                    (0.0, 1.0)
                } else if x >= max {
                    (1.0, 0.0)
                } else if x <= mode {
                    clear((x - min) / (max - min) * ((x - min) / (mode - min)))
                } else {
                    let q = (max - x) / (max - min) * ((max - x) / (max - mode));
                    (1.0 - q, q)
                }
            }
            Self::Beta {
                alpha,
                beta,
                min,
                max,
                ..
            } => beta_pq(alpha, beta, (x - min) / (max - min)),
            Self::Gamma { shape, scale } => gamma_pq(shape, x / scale),
            Self::Discrete(ref steps) => {
                let n = steps.partition_point(|s| s.value <= x);
                clear(if n == 0 { 0.0 } else { steps[n - 1].up_to })
            }
            Self::ParetoTail(tail) => tail.both(x),
            Self::Sample(ref values) => {
                let n = values.partition_point(|v| *v <= x);
                clear(n as f64 / values.len() as f64)
            }
            Self::Quantiles(ref at) => clear(quantiles_cdf(at, x)),
            Self::Mix(ref parts) => parts.iter().fold((0.0, 0.0), |(p, q), (weight, part)| {
                let (below, above) = part.both(x);
                (p + weight * below, q + weight * above)
            }),
        }
    }

    /// Density of the continuous part.
    pub(super) fn density(&self, x: f64) -> f64 {
        match *self {
            Self::Fixed(_) | Self::Discrete(_) | Self::Sample(_) => 0.0,
            Self::ParetoTail(tail) => tail.density(x),
            Self::Normal { mean, sd } => normal_density((x - mean) / sd) / sd,
            Self::Lognormal { mu, sigma } => {
                if x <= 0.0 {
                    0.0
                } else {
                    normal_density((libm::log(x) - mu) / sigma) / sigma / x
                }
            }
            Self::Uniform { min, max } => {
                if x < min || x > max {
                    0.0
                } else {
                    1.0 / (max - min)
                }
            }
            Self::Triangular { min, mode, max } => {
                if x < min || x > max {
                    0.0
                } else if x < mode {
                    2.0 * ((x - min) / (mode - min)) / (max - min)
                } else if x > mode {
                    2.0 * ((max - x) / (max - mode)) / (max - min)
                } else {
                    2.0 / (max - min)
                }
            }
            Self::Beta {
                alpha,
                beta,
                min,
                max,
                ..
            } => beta_density(alpha, beta, (x - min) / (max - min)) / (max - min),
            Self::Gamma { shape, scale } => gamma_density(shape, x / scale) / scale,
            Self::Quantiles(ref at) => {
                // Where neighbours are equal there is an atom and no density.
                let i = at.partition_point(|v| *v <= x);
                if i == 0 || i == at.len() {
                    return 0.0;
                }
                let (a, b, du) = (at[i - 1], at[i], KNOTS[i] - KNOTS[i - 1]);
                if a > 0.0 {
                    du / (x * libm::log(b / a))
                } else {
                    du / (b - a)
                }
            }
            Self::Mix(ref parts) => parts.iter().map(|(w, part)| w * part.density(x)).sum(),
        }
    }

    pub(super) fn atoms(&self) -> Vec<(f64, f64)> {
        match self {
            Self::Fixed(x) => vec![(*x, 1.0)],
            Self::Discrete(steps) => steps.iter().map(|s| (s.value, s.weight)).collect(),
            Self::Sample(values) => {
                let weight = 1.0 / values.len() as f64;
                merge(values.iter().map(|x| (*x, weight)).collect())
            }
            Self::Quantiles(at) => {
                let flat = (1..at.len())
                    .filter(|&i| at[i] <= at[i - 1])
                    .map(|i| (at[i], KNOTS[i] - KNOTS[i - 1]));
                merge(flat.collect())
            }
            Self::Mix(parts) => merge(
                parts
                    .iter()
                    .flat_map(|(w, part)| part.atoms().into_iter().map(move |(x, p)| (x, w * p)))
                    .collect(),
            ),
            _ => Vec::new(),
        }
    }

    /// The value below which the probability is p = 1 - q, for families with a closed form; of p and q the smaller one
    /// is read. Others give NaN and have a table.
    pub(super) fn quantile(&self, p: f64, q: f64) -> f64 {
        let z = || {
            if p < q {
                normal_quantile(p)
            } else {
                -normal_quantile(q)
            }
        };
        match *self {
            Self::Fixed(x) => x,
            Self::Normal { mean, sd } => mean + sd * z(),
            Self::Lognormal { mu, sigma } => libm::exp(mu + sigma * z()),
            Self::Uniform { min, max } => min + (max - min) * p,
            Self::Triangular { min, mode, max } => {
                if p * (max - min) <= mode - min {
                    min + f64::sqrt(p * (max - min) * (mode - min))
                } else {
                    max - f64::sqrt(q * (max - min) * (max - mode))
                }
            }
            Self::ParetoTail(tail) => tail.quantile(p, q),
            Self::Sample(ref values) => {
                let n = (p * values.len() as f64) as usize;
                values[n.min(values.len() - 1)]
            }
            Self::Discrete(ref steps) => {
                let n = steps.partition_point(|s| s.up_to < p);
                steps[n.min(steps.len() - 1)].value
            }
            Self::Quantiles(ref at) => {
                let i = KNOTS.partition_point(|k| *k < p).clamp(1, 8);
                let (a, b) = (at[i - 1], at[i]);
                let t = (p - KNOTS[i - 1]) / (KNOTS[i] - KNOTS[i - 1]);
                let x = if a > 0.0 {
                    a * libm::exp(t * libm::log(b / a))
                } else {
                    a + t * (b - a)
                };
                x.max(a).min(b)
            }
            Self::Beta { .. } | Self::Gamma { .. } | Self::Mix(_) => f64::NAN,
        }
    }

    /// Probability below the lowest and above the highest value of a domain.
    pub(super) fn cut(&self, low: f64, high: f64) -> (f64, f64) {
        match *self {
            // Entries with limits were checked against the domain, parts of a mix are truncated themselves.
            Self::Normal { .. }
            | Self::Lognormal { .. }
            | Self::Gamma { .. }
            | Self::ParetoTail(_) => {
                let below = if low.is_finite() {
                    self.both(low).0
                } else {
                    0.0
                };
                let above = if high.is_finite() {
                    self.both(high).1
                } else {
                    0.0
                };
                (below, above)
            }
            _ => (0.0, 0.0),
        }
    }

    /// Mean and mean square inside a domain that holds this much of the probability.
    pub(super) fn moments(&self, low: f64, high: f64, inside: f64) -> (f64, f64) {
        match *self {
            Self::Fixed(x) => (x, x * x),
            Self::Normal { mean, sd } => {
                let (a, b) = ((low - mean) / sd, (high - mean) / sd);
                let edge = |z: f64| {
                    if z.is_finite() {
                        normal_density(z)
                    } else {
                        0.0
                    }
                };
                let at = |z: f64| {
                    if z.is_finite() {
                        z * normal_density(z)
                    } else {
                        0.0
                    }
                };
                let shift = (edge(a) - edge(b)) / inside;
                let spread = 1.0 + (at(a) - at(b)) / inside - shift * shift;
                let m = mean + sd * shift;
                (m, sd * sd * spread + m * m)
            }
            Self::Lognormal { mu, sigma } => {
                let z = |x: f64| (libm::log(x.max(0.0)) - mu) / sigma;
                let (a, b) = (z(low), z(high));
                let moment = |k: f64| {
                    let whole = libm::exp(k * mu + 0.5 * k * k * sigma * sigma);
                    let share = normal_cdf(k * sigma - a) - normal_cdf(k * sigma - b);
                    whole * share / inside
                };
                (moment(1.0), moment(2.0))
            }
            Self::Uniform { min, max } => {
                (0.5 * (min + max), (min * min + min * max + max * max) / 3.0)
            }
            Self::Triangular { min, mode, max } => (
                (min + mode + max) / 3.0,
                (min * min + mode * mode + max * max + min * mode + min * max + mode * max) / 6.0,
            ),
            Self::Beta {
                alpha,
                beta,
                min,
                max,
                ..
            } => {
                let sum = alpha + beta;
                let m = alpha / sum;
                let square = m * (alpha + 1.0) / (sum + 1.0);
                let w = max - min;
                (min + w * m, min * min + 2.0 * min * w * m + w * w * square)
            }
            Self::Gamma { shape, scale } => {
                let share = |k: f64| {
                    let upper = gamma_pq(shape + k, high / scale).0;
                    upper - gamma_pq(shape + k, low.max(0.0) / scale).0
                };
                (
                    shape * scale * share(1.0) / inside,
                    shape * (shape + 1.0) * scale * scale * share(2.0) / inside,
                )
            }
            Self::ParetoTail(tail) => tail.moments(low, inside),
            Self::Sample(ref values) => {
                let weight = 1.0 / values.len() as f64;
                values
                    .iter()
                    .fold((0.0, 0.0), |(m, s), x| (m + weight * x, s + weight * x * x))
            }
            Self::Discrete(ref steps) => steps.iter().fold((0.0, 0.0), |(m, s), step| {
                (
                    m + step.weight * step.value,
                    s + step.weight * step.value * step.value,
                )
            }),
            Self::Quantiles(ref at) => quantiles_moments(at),
            Self::Mix(ref parts) => parts.iter().fold((0.0, 0.0), |(m, s), (w, part)| {
                (
                    m + w * part.mean,
                    s + w * (part.mean * part.mean + part.sd * part.sd),
                )
            }),
        }
    }

    /// All values multiplied by a factor above 0.
    pub(super) fn scaled(self, by: f64) -> Self {
        match self {
            Self::Fixed(x) => Self::Fixed(x * by),
            Self::Normal { mean, sd } => Self::Normal {
                mean: mean * by,
                sd: sd * by,
            },
            Self::Lognormal { mu, sigma } => Self::Lognormal {
                mu: mu + libm::log(by),
                sigma,
            },
            Self::Uniform { min, max } => Self::Uniform {
                min: min * by,
                max: max * by,
            },
            Self::Triangular { min, mode, max } => Self::Triangular {
                min: min * by,
                mode: mode * by,
                max: max * by,
            },
            Self::Beta {
                alpha,
                beta,
                min,
                max,
                pert,
            } => Self::Beta {
                alpha,
                beta,
                min: min * by,
                max: max * by,
                pert,
            },
            Self::Gamma { shape, scale } => Self::Gamma {
                shape,
                scale: scale * by,
            },
            Self::Discrete(mut steps) => {
                for step in &mut steps {
                    step.value *= by;
                }
                Self::Discrete(steps)
            }
            Self::ParetoTail(tail) => Self::ParetoTail(tail.scaled(by)),
            Self::Sample(mut values) => {
                for x in &mut values {
                    *x *= by;
                }
                Self::Sample(values)
            }
            Self::Quantiles(at) => Self::Quantiles(at.map(|x| x * by)),
            Self::Mix(parts) => Self::Mix(parts),
        }
    }

    /// Where the values may lie before truncation, ends maybe infinite.
    pub(super) fn support(&self) -> (f64, f64) {
        match *self {
            Self::Fixed(x) => (x, x),
            Self::Normal { .. } => (f64::NEG_INFINITY, f64::INFINITY),
            Self::Lognormal { .. } | Self::Gamma { .. } | Self::ParetoTail(_) => {
                (0.0, f64::INFINITY)
            }
            Self::Sample(ref values) => (
                values.first().copied().unwrap_or(0.0),
                values.last().copied().unwrap_or(0.0),
            ),
            Self::Uniform { min, max }
            | Self::Triangular { min, max, .. }
            | Self::Beta { min, max, .. } => (min, max),
            Self::Discrete(ref steps) => (
                steps.first().map_or(0.0, |s| s.value),
                steps.last().map_or(0.0, |s| s.value),
            ),
            Self::Quantiles(ref at) => (at[0], at[8]),
            Self::Mix(ref parts) => parts.iter().fold(
                (f64::INFINITY, f64::NEG_INFINITY),
                |(low, high), (_, part)| {
                    let (a, b) = part.support();
                    (low.min(a), high.max(b))
                },
            ),
        }
    }
}

impl Distribution {
    /// Where the values may lie, ends maybe infinite.
    #[must_use]
    pub fn support(&self) -> (f64, f64) {
        let (low, high) = self.family.support();
        (low.max(self.domain.0), high.min(self.domain.1))
    }

    pub(super) fn family(&self) -> &Family {
        &self.family
    }
}

/// Equal values joined, ascending.
fn merge(mut atoms: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    atoms.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut out: Vec<(f64, f64)> = Vec::with_capacity(atoms.len());
    for (x, p) in atoms {
        match out.last_mut() {
            Some(last) if last.0 == x => last.1 += p,
            _ => out.push((x, p)),
        }
    }
    out
}

fn quantiles_cdf(at: &[f64; 9], x: f64) -> f64 {
    let i = at.partition_point(|v| *v <= x);
    if i == 0 {
        return 0.0;
    }
    if i == at.len() {
        return 1.0;
    }
    let (a, b) = (at[i - 1], at[i]);
    let t = if a > 0.0 {
        libm::log(x / a) / libm::log(b / a)
    } else {
        (x - a) / (b - a)
    };
    KNOTS[i - 1] + t.clamp(0.0, 1.0) * (KNOTS[i] - KNOTS[i - 1])
}

/// Mean and mean square of one segment between two neighbours.
pub(super) fn segment_moments(a: f64, b: f64) -> (f64, f64) {
    if a > 0.0 {
        let log = libm::log(b / a);
        (a * growth(log), a * a * growth(2.0 * log))
    } else {
        (0.5 * (a + b), (a * a + a * b + b * b) / 3.0)
    }
}

fn quantiles_moments(at: &[f64; 9]) -> (f64, f64) {
    (1..at.len()).fold((0.0, 0.0), |(m, s), i| {
        let weight = KNOTS[i] - KNOTS[i - 1];
        let (mean, square) = segment_moments(at[i - 1], at[i]);
        (m + weight * mean, s + weight * square)
    })
}
