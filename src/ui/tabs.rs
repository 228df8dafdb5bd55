//! The forms of an entry that a person switches between, keeping what the numbers say.

use crate::domain::distribution::Distribution;
use crate::domain::field::{FieldSpec, Unit};
use crate::domain::quantity::{Domain, HighPercentile, MixPart, Quantity, Shape};

/// Forms of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    /// One number.
    Fixed,
    /// Two ends.
    Between,
    /// Two ends and a most likely value.
    Probably,
    /// A median and a high percentile.
    FewAreLarge,
    /// Percentiles, families, pasted samples.
    Data,
    /// Weighted parts.
    Mix,
}

impl Tab {
    /// All, in the order of the screen.
    pub const ALL: [Self; 6] = [
        Self::Fixed,
        Self::Between,
        Self::Probably,
        Self::FewAreLarge,
        Self::Data,
        Self::Mix,
    ];
}

/// The form that an entry has.
#[must_use]
pub const fn tab_of(quantity: &Quantity) -> Tab {
    match quantity.shape {
        Shape::Fixed(_) => Tab::Fixed,
        Shape::Between { .. } | Shape::Uniform { .. } => Tab::Between,
        Shape::BetweenProbably { .. } | Shape::Pert { .. } | Shape::Triangular { .. } => {
            Tab::Probably
        }
        Shape::FewAreLarge { .. } | Shape::ParetoTail { .. } => Tab::FewAreLarge,
        Shape::Mix(_) => Tab::Mix,
        _ => Tab::Data,
    }
}

/// Whether the ends are limits.
#[must_use]
pub const fn is_hard(quantity: &Quantity) -> bool {
    matches!(
        quantity.shape,
        Shape::Uniform { .. } | Shape::Pert { .. } | Shape::Triangular { .. }
    )
}

/// Two significant digits: what a person would say.
#[must_use]
pub fn tidy(value: f64) -> f64 {
    format!("{value:.1e}").parse().unwrap_or(value)
}

/// A width around one number when nothing is known about it: a fifth to each side.
fn around(d: &Distribution, domain: Domain) -> (f64, f64, f64) {
    let (low, middle, high) = match d.fixed() {
        Some(0.0) => (0.0, 0.0, 0.0),
        Some(v) => {
            let by = v.abs() * 0.2;
            (v - by, v, v + by)
        }
        None => (d.quantile(0.1), d.quantile(0.5), d.quantile(0.9)),
    };
    let (mut low, middle, mut high) = (tidy(low), tidy(middle), tidy(high));
    if domain == Domain::Share {
        high = high.min(1.0);
    }
    if matches!(domain, Domain::IntegerFromOne | Domain::IntegerFromZero) {
        let least = if domain == Domain::IntegerFromOne {
            1.0
        } else {
            0.0
        };
        let low = low.floor().max(least);
        let high = high.ceil().max(low + 2.0);
        return (low, middle.round().clamp(low, high), high);
    }
    if low >= high {
        // a number too small or too even to be rounded apart
        let by = if middle == 0.0 {
            match domain {
                Domain::Share | Domain::Change => 0.05,
                _ => 10.0,
            }
        } else {
            middle.abs() * 0.2
        };
        low = middle;
        high = middle + by;
    }
    (low, middle.clamp(low, high), high)
}

/// The entry in another form, with the numbers that the old one implies.
#[must_use]
pub fn convert(d: &Distribution, to: Tab, domain: Domain) -> Quantity {
    let (low, middle, high) = around(d, domain);
    let inner = if middle > low && middle < high {
        middle
    } else {
        low + (high - low) / 2.0
    };
    let positive_low = if low > 0.0 { low } else { high / 3.0 };
    match to {
        Tab::Fixed => Shape::Fixed(tidy(d.fixed().unwrap_or_else(|| d.mean()))),
        Tab::Between => Shape::Between {
            p10: low,
            p90: high,
        },
        Tab::Probably => Shape::BetweenProbably {
            p10: low,
            mode: inner,
            p90: high,
        },
        Tab::FewAreLarge => {
            let p50 = if middle > 0.0 { middle } else { positive_low };
            let most = if domain == Domain::Share {
                0.99
            } else {
                f64::INFINITY
            };
            let wanted = match d.fixed() {
                Some(_) => p50 * 3.0,
                None => tidy(d.quantile(0.99)),
            };
            let high = if wanted > p50 { wanted } else { p50 * 3.0 }.min(most);
            Shape::FewAreLarge {
                p50: if p50 < high { p50 } else { high / 2.0 },
                percentile: HighPercentile::P99,
                high,
            }
        }
        Tab::Data => {
            let at = [0.001, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999];
            if d.fixed().is_some() {
                let step = (high - low) / 8.0;
                let mut values = [0.0; 9];
                for (i, v) in values.iter_mut().enumerate() {
                    *v = low + step * i as f64;
                }
                Shape::Quantiles(values)
            } else {
                Shape::Quantiles(at.map(|u| {
                    let q = d.quantile(u);
                    format!("{q:.2e}").parse().unwrap_or(q)
                }))
            }
        }
        Tab::Mix => Shape::Mix(vec![
            MixPart {
                weight: 0.95,
                part: Shape::Fixed(if middle == 0.0 { low } else { middle }),
            },
            MixPart {
                weight: 0.05,
                part: Shape::Fixed(if domain == Domain::Share {
                    high
                } else {
                    tidy(high * 3.0)
                }),
            },
        ]),
    }
    .into()
}

/// The entry with soft or hard ends, the numbers kept.
#[must_use]
pub fn with_ends(quantity: &Quantity, hard: bool) -> Quantity {
    let shape = match (quantity.shape.clone(), hard) {
        (Shape::Between { p10, p90 }, true) => Shape::Uniform { min: p10, max: p90 },
        (Shape::Uniform { min, max }, false) => Shape::Between { p10: min, p90: max },
        (Shape::BetweenProbably { p10, mode, p90 }, true) => Shape::Pert {
            min: p10,
            mode,
            max: p90,
        },
        (Shape::Pert { min, mode, max } | Shape::Triangular { min, mode, max }, false) => {
            Shape::BetweenProbably {
                p10: min,
                mode,
                p90: max,
            }
        }
        (shape, _) => shape,
    };
    Quantity {
        shape,
        mean: quantity.mean,
    }
}

/// Whether the largest values fall off as a power of their size.
#[must_use]
pub const fn has_tail(quantity: &Quantity) -> bool {
    matches!(quantity.shape, Shape::ParetoTail { .. })
}

/// The entry with or without a heavy tail, the percentiles kept.
#[must_use]
pub fn with_tail(quantity: &Quantity, heavy: bool) -> Quantity {
    let shape = match (quantity.shape.clone(), heavy) {
        (
            Shape::FewAreLarge {
                p50,
                percentile,
                high,
            },
            true,
        ) => Shape::ParetoTail {
            p50,
            percentile,
            high,
            alpha: USUAL_TAIL,
        },
        (
            Shape::ParetoTail {
                p50,
                percentile,
                high,
                ..
            },
            false,
        ) => Shape::FewAreLarge {
            p50,
            percentile,
            high,
        },
        (shape, _) => shape,
    };
    Quantity {
        shape,
        mean: quantity.mean,
    }
}

/// A tail to begin with: measured ones lie between 1.5 and 2.5.
const USUAL_TAIL: f64 = 2.0;

/// The numbers of an entry's sentence, in its order; the tail last.
#[must_use]
pub fn numbers(quantity: &Quantity) -> Vec<f64> {
    match quantity.shape {
        Shape::Fixed(v) => vec![v],
        Shape::Between { p10: a, p90: b } | Shape::Uniform { min: a, max: b } => vec![a, b],
        Shape::BetweenProbably { p10, mode, p90 } => vec![p10, p90, mode],
        Shape::Pert { min, mode, max } | Shape::Triangular { min, mode, max } => {
            vec![min, max, mode]
        }
        Shape::FewAreLarge { p50, high, .. } => vec![p50, high],
        Shape::ParetoTail {
            p50, high, alpha, ..
        } => vec![p50, high, alpha],
        _ => vec![],
    }
}

/// Unit of one of [`numbers`]: the index of a tail is a pure number.
#[must_use]
pub fn unit(quantity: &Quantity, which: usize, spec: &FieldSpec) -> Unit {
    if has_tail(quantity) && which == 2 {
        Unit::One
    } else {
        spec.unit
    }
}

/// The entry with one of [`numbers`] replaced.
#[must_use]
pub fn with_number(quantity: &Quantity, which: usize, value: f64) -> Quantity {
    let mut shape = quantity.shape.clone();
    let slot = match (&mut shape, which) {
        (Shape::Fixed(v), 0) => Some(v),
        (Shape::Between { p10: v, .. }, 0) | (Shape::Between { p90: v, .. }, 1) => Some(v),
        (Shape::Uniform { min: v, .. }, 0) | (Shape::Uniform { max: v, .. }, 1) => Some(v),
        (Shape::BetweenProbably { p10: v, .. }, 0)
        | (Shape::BetweenProbably { p90: v, .. }, 1)
        | (Shape::BetweenProbably { mode: v, .. }, 2) => Some(v),
        (Shape::Pert { min: v, .. } | Shape::Triangular { min: v, .. }, 0)
        | (Shape::Pert { max: v, .. } | Shape::Triangular { max: v, .. }, 1)
        | (Shape::Pert { mode: v, .. } | Shape::Triangular { mode: v, .. }, 2) => Some(v),
        (Shape::FewAreLarge { p50: v, .. } | Shape::ParetoTail { p50: v, .. }, 0)
        | (Shape::FewAreLarge { high: v, .. } | Shape::ParetoTail { high: v, .. }, 1)
        | (Shape::ParetoTail { alpha: v, .. }, 2) => Some(v),
        _ => None,
    };
    if let Some(slot) = slot {
        *slot = value;
    }
    Quantity {
        shape,
        mean: quantity.mean,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_every_form_has_a_meaning() {
        let shapes = [
            Shape::Fixed(0.0),
            Shape::Fixed(1.0),
            Shape::Fixed(0.3),
            Shape::Between { p10: 0.2, p90: 0.4 },
            Shape::FewAreLarge {
                p50: 0.1,
                percentile: HighPercentile::P95,
                high: 0.2,
            },
        ];
        for domain in [
            Domain::Positive,
            Domain::NonNegative,
            Domain::Share,
            Domain::IntegerFromOne,
            Domain::Change,
            Domain::Any,
        ] {
            for shape in &shapes {
                let shape = match (domain, shape) {
                    (Domain::IntegerFromOne, Shape::Fixed(v)) => Shape::Fixed(v + 1.0),
                    (Domain::IntegerFromOne, _) => Shape::Between {
                        p10: 3.0,
                        p90: 20.0,
                    },
                    (Domain::Positive, Shape::Fixed(v)) if *v == 0.0 => continue,
                    (_, s) => s.clone(),
                };
                let quantity = Quantity::from(shape);
                let Ok(fit) = Distribution::fit(&quantity, domain) else {
                    continue; // "few are large" is no entry of every domain
                };
                for tab in Tab::ALL {
                    let new = convert(&fit.distribution, tab, domain);
                    assert_eq!(tab_of(&new), tab, "{quantity:?} {domain:?}");
                    let can = Distribution::fit(&new, domain);
                    let no_median_form =
                        tab == Tab::FewAreLarge && matches!(domain, Domain::Any | Domain::Change);
                    assert!(
                        can.is_ok() || no_median_form,
                        "{domain:?} {quantity:?} -> {new:?}: {can:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn ends_and_numbers_are_kept() {
        let q = Quantity::from(Shape::BetweenProbably {
            p10: 24.0,
            mode: 42.0,
            p90: 68.0,
        });
        assert_eq!(numbers(&q), [24.0, 68.0, 42.0]);
        let hard = with_ends(&q, true);
        assert!(is_hard(&hard) && !is_hard(&q));
        assert_eq!(numbers(&hard), numbers(&q));
        assert_eq!(with_ends(&hard, false), q);
        assert_eq!(numbers(&with_number(&q, 2, 50.0)), [24.0, 68.0, 50.0]);
        assert_eq!(with_number(&q, 9, 1.0), q);
    }
}
