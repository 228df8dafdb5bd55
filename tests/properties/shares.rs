//! Numbers that formulas of people are known to break: chances that stay chances, parts that add up, mixes that keep
//! their gap, bounds without a spike, percentiles that come back.

use headroom::domain::distribution::{Distribution, limits};
use headroom::domain::quantity::{Domain, HighPercentile, MixPart, Quantity, Shape, WeightedValue};
use proptest::prelude::*;

/// Entries of every family around a middle and a width.
fn entries(middle: f64, width: f64) -> Vec<Shape> {
    let (low, high) = (middle - width, middle + width);
    vec![
        Shape::Fixed(middle),
        Shape::Between {
            p10: low,
            p90: high,
        },
        Shape::BetweenProbably {
            p10: low,
            mode: middle,
            p90: high,
        },
        Shape::FewAreLarge {
            p50: middle,
            percentile: HighPercentile::P99,
            high,
        },
        Shape::ParetoTail {
            p50: middle,
            percentile: HighPercentile::P90,
            high,
            alpha: 1.7,
        },
        Shape::Uniform {
            min: low,
            max: high,
        },
        Shape::Pert {
            min: low,
            mode: middle,
            max: high,
        },
        Shape::Triangular {
            min: low,
            mode: middle,
            max: high,
        },
        Shape::Normal {
            mean: middle,
            sd: width,
        },
        Shape::Lognormal {
            mu: middle.abs().max(1e-6).ln(),
            sigma: width,
        },
        Shape::Beta {
            alpha: 0.7,
            beta: 1.9,
            min: low,
            max: high,
        },
        Shape::Gamma {
            shape: 0.6,
            scale: middle.abs().max(1e-6),
        },
        Shape::Discrete(vec![
            WeightedValue {
                value: low,
                weight: 1.0,
            },
            WeightedValue {
                value: high,
                weight: 2.0,
            },
        ]),
        Shape::Sample(vec![low, middle, high, middle]),
        Shape::Quantiles([low, low, middle, middle, middle, high, high, high, high]),
        Shape::Mix(vec![
            MixPart {
                weight: 1.0,
                part: Shape::Normal {
                    mean: low,
                    sd: width,
                },
            },
            MixPart {
                weight: 2.0,
                part: Shape::Fixed(middle),
            },
        ]),
    ]
}

fn drawn(shape: &Shape, domain: Domain, us: &[f64]) -> Option<(Distribution, Vec<f64>)> {
    let fit = Distribution::fit(&Quantity::from(shape.clone()), domain).ok()?;
    let d = fit.distribution;
    let values = us.iter().map(|u| d.quantile(*u)).collect();
    Some((d, values))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// 1 - (1 - p)^10 with p entered as a share is a chance, in every trial and for every family.
    #[test]
    fn ten_tries_with_a_chance_are_a_chance(
        middle in 0.0..1.0_f64, width in 0.001..1.5_f64, us in prop::collection::vec(1e-15..1.0_f64, 40),
    ) {
        let mut any = false;
        for shape in entries(middle, width) {
            let Some((_, values)) = drawn(&shape, Domain::Share, &us) else { continue };
            any = true;
            for p in values {
                let chance = 1.0 - (1.0 - p).powi(10);
                prop_assert!((0.0..=1.0).contains(&chance), "{:?}: {} gives {}", shape, p, chance);
            }
        }
        prop_assert!(any);
    }

    /// A/(A + B) + B/(A + B) is 1 in every trial: both shares are of the same draws.
    #[test]
    fn parts_add_up_in_every_trial(
        a in 0.1..1e6_f64, b in 0.1..1e6_f64, width in 0.01..2.0_f64, us in prop::collection::vec((1e-12..1.0_f64, 1e-12..1.0_f64), 20),
    ) {
        for (one, other) in entries(a, a * width).into_iter().zip(entries(b, b * width)) {
            let fit = |shape: Shape| Distribution::fit(&shape.into(), Domain::Positive).map(|f| f.distribution);
            let (Ok(one), Ok(other)) = (fit(one), fit(other)) else { continue };
            for (u, v) in &us {
                let (x, y) = (one.quantile(*u), other.quantile(*v));
                prop_assert!((x / (x + y) + y / (x + y) - 1.0).abs() < 1e-15);
            }
        }
    }

    /// A bound of the domain has no more probability than the entry itself gives it.
    #[test]
    fn truncation_leaves_no_spike_at_a_bound(middle in -2.0..3.0_f64, width in 0.01..3.0_f64, which in 0_usize..7) {
        let domain = [
            Domain::Positive, Domain::NonNegative, Domain::Share, Domain::IntegerFromOne,
            Domain::IntegerFromZero, Domain::Any, Domain::Change,
        ][which];
        let us: Vec<f64> = (1..200).map(|i| f64::from(i) / 200.0).collect();
        for shape in entries(middle, width) {
            let Some((d, values)) = drawn(&shape, domain, &us) else { continue };
            let (low, high) = limits(domain);
            for bound in [low, high] {
                let said: f64 = d.atoms().iter().filter(|(x, _)| *x == bound).map(|(_, p)| p).sum();
                let there = values.iter().filter(|x| (**x - bound).abs() < 1e-12).count();
                // neighbouring draws that are equal: at most one more than the entry's own value explains
                prop_assert!(there as f64 <= said * 199.0 + 2.0, "{:?} in {:?}: {} of 199 at {}", shape, domain, there, bound);
            }
            prop_assert!(values.iter().all(|x| *x >= low && *x <= high));
        }
    }

    /// Percentiles that were entered are percentiles of what is drawn, where the domain cuts nothing off.
    #[test]
    fn percentiles_come_back(low in 0.01..0.4_f64, ratio in 1.05..2.2_f64, which in 0_usize..4) {
        let domain = [Domain::Positive, Domain::NonNegative, Domain::Share, Domain::IntegerFromZero][which];
        let high = low * ratio;
        let mut all = vec![(Shape::Between { p10: low, p90: high }, 0.1, 0.9)];
        for (percentile, p) in [(HighPercentile::P90, 0.9), (HighPercentile::P95, 0.95), (HighPercentile::P99, 0.99)] {
            all.push((Shape::FewAreLarge { p50: low, percentile, high }, 0.5, p));
            if domain != Domain::Share {
                all.push((Shape::ParetoTail { p50: low, percentile, high, alpha: 2.0 }, 0.5, p));
            }
        }
        for (shape, first, last) in all {
            let (_, values) = drawn(&shape, domain, &[first, last]).expect("a meaning");
            for (found, said) in values.into_iter().zip([low, high]) {
                prop_assert!((found / said - 1.0).abs() < 2e-4, "{:?} in {:?}: {} is not {}", shape, domain, found, said);
            }
        }
    }
}

#[test]
fn the_middle_of_two_apart_lies_in_one_of_them() {
    let part = |min, max| MixPart {
        weight: 0.5,
        part: Shape::Uniform { min, max },
    };
    let halves = Shape::Mix(vec![part(0.0, 1.0), part(2.0, 3.0)]);
    let us: Vec<f64> = (1..1_000).map(|i| f64::from(i) / 1_000.0).collect();
    let (d, values) = drawn(&halves, Domain::NonNegative, &us).expect("a meaning");
    let inside = |x: f64| x <= 1.0 + 1e-6 || x >= 2.0 - 1e-6;
    assert!(inside(d.quantile(0.5)), "{}", d.quantile(0.5));
    assert!(values.into_iter().all(inside));
}
