//! What is refused, and that all else can be drawn.

use super::*;
use proptest::prelude::*;

#[test]
fn impossible_entries_are_errors_that_name_the_part() {
    use QuantityProblem as P;
    type Case = (Shape, Domain, fn(&P) -> bool);
    let weights = |w: f64| {
        Shape::Discrete(vec![WeightedValue {
            value: 1.0,
            weight: w,
        }])
    };
    let mut deep = Shape::Fixed(1.0);
    for _ in 0..5 {
        deep = mix(&[(1.0, deep), (1.0, Shape::Fixed(2.0))]);
    }
    let cases: Vec<Case> = vec![
        (Shape::Fixed(f64::NAN), Domain::Any, |p| {
            *p == P::NotFinite { part: Part::Value }
        }),
        (Shape::Fixed(f64::INFINITY), Domain::Any, |p| {
            *p == P::NotFinite { part: Part::Value }
        }),
        (Shape::Fixed(1e16), Domain::Any, |p| {
            matches!(p, P::TooLarge { .. })
        }),
        (Shape::Fixed(0.0), Domain::Positive, |p| {
            matches!(
                p,
                P::OutsideDomain {
                    part: Part::Value,
                    ..
                }
            )
        }),
        (Shape::Fixed(-1.0), Domain::Change, |p| {
            matches!(p, P::OutsideDomain { .. })
        }),
        (Shape::Fixed(1.000_001), Domain::Share, |p| {
            matches!(p, P::OutsideDomain { .. })
        }),
        (Shape::Fixed(0.5), Domain::IntegerFromOne, |p| {
            matches!(p, P::OutsideDomain { .. })
        }),
        (
            Shape::Between { p10: 0.0, p90: 5.0 },
            Domain::Positive,
            |p| {
                matches!(
                    p,
                    P::OutsideDomain {
                        part: Part::P10,
                        ..
                    }
                )
            },
        ),
        (
            Shape::Between { p10: 5.0, p90: 5.0 },
            Domain::Positive,
            |p| {
                matches!(
                    p,
                    P::NotIncreasing {
                        low: Part::P10,
                        high: Part::P90,
                        ..
                    }
                )
            },
        ),
        (Shape::Between { p10: 9.0, p90: 5.0 }, Domain::Any, |p| {
            matches!(
                p,
                P::NotIncreasing {
                    low_value: 9.0,
                    high_value: 5.0,
                    ..
                }
            )
        }),
        (Shape::Between { p10: 0.5, p90: 1.2 }, Domain::Share, |p| {
            matches!(
                p,
                P::OutsideDomain {
                    part: Part::P90,
                    ..
                }
            )
        }),
        (
            Shape::Between {
                p10: 1e-300,
                p90: 1e14,
            },
            Domain::NonNegative,
            |p| *p == P::TooWide,
        ),
        (
            Shape::Between {
                p10: 1e-300,
                p90: 1e14,
            },
            Domain::Positive,
            |p| *p == P::TooWide,
        ),
        (
            Shape::BetweenProbably {
                p10: 1.0,
                mode: 9.0,
                p90: 5.0,
            },
            Domain::Any,
            |p| {
                matches!(
                    p,
                    P::NotIncreasing {
                        low: Part::Mode,
                        ..
                    }
                )
            },
        ),
        (
            Shape::BetweenProbably {
                p10: 1.0,
                mode: 0.5,
                p90: 5.0,
            },
            Domain::Any,
            |p| {
                matches!(
                    p,
                    P::NotIncreasing {
                        low: Part::P10,
                        high: Part::Mode,
                        ..
                    }
                )
            },
        ),
        (
            Shape::FewAreLarge {
                p50: 30.0,
                percentile: HighPercentile::P99,
                high: 11.0,
            },
            Domain::Positive,
            |p| {
                matches!(
                    p,
                    P::NotIncreasing {
                        low: Part::P50,
                        high: Part::P99,
                        ..
                    }
                )
            },
        ),
        (
            Shape::FewAreLarge {
                p50: 3.0,
                percentile: HighPercentile::P99,
                high: 11.0,
            },
            Domain::Any,
            |p| matches!(p, P::NoFewAreLarge { .. }),
        ),
        (
            Shape::FewAreLarge {
                p50: 0.0,
                percentile: HighPercentile::P99,
                high: 11.0,
            },
            Domain::NonNegative,
            |p| {
                matches!(
                    p,
                    P::NotPositive {
                        part: Part::P50,
                        ..
                    }
                )
            },
        ),
        (
            Shape::Uniform { min: 0.0, max: 1.0 },
            Domain::Positive,
            |p| {
                matches!(
                    p,
                    P::OutsideDomain {
                        part: Part::Min,
                        ..
                    }
                )
            },
        ),
        (
            Shape::Uniform { min: 1.0, max: 1.0 },
            Domain::Positive,
            |p| matches!(p, P::NotIncreasing { .. }),
        ),
        (
            Shape::Pert {
                min: 1.0,
                mode: 7.0,
                max: 5.0,
            },
            Domain::Positive,
            |p| matches!(p, P::NotIncreasing { .. }),
        ),
        (Shape::Normal { mean: 1.0, sd: 0.0 }, Domain::Any, |p| {
            matches!(p, P::NotPositive { part: Part::Sd, .. })
        }),
        (
            Shape::Normal {
                mean: -50.0,
                sd: 1.0,
            },
            Domain::Positive,
            |p| matches!(p, P::AlmostAllOutside { .. }),
        ),
        (
            Shape::Lognormal {
                mu: 1.0,
                sigma: -1.0,
            },
            Domain::Positive,
            |p| {
                matches!(
                    p,
                    P::NotPositive {
                        part: Part::Sigma,
                        ..
                    }
                )
            },
        ),
        (
            Shape::Lognormal {
                mu: 800.0,
                sigma: 1.0,
            },
            Domain::Positive,
            |p| *p == P::TooWide,
        ),
        (
            Shape::Gamma {
                shape: 0.0,
                scale: 1.0,
            },
            Domain::Positive,
            |p| {
                matches!(
                    p,
                    P::NotPositive {
                        part: Part::Shape,
                        ..
                    }
                )
            },
        ),
        (
            Shape::Beta {
                alpha: 1.0,
                beta: -1.0,
                min: 0.0,
                max: 1.0,
            },
            Domain::Share,
            |p| {
                matches!(
                    p,
                    P::NotPositive {
                        part: Part::Beta,
                        ..
                    }
                )
            },
        ),
        (weights(0.0), Domain::Positive, |p| *p == P::NoWeight),
        (weights(-1.0), Domain::Positive, |p| {
            matches!(p, P::NegativeWeight { .. })
        }),
        (weights(f64::NAN), Domain::Positive, |p| {
            *p == P::NotFinite { part: Part::Weight }
        }),
        (Shape::Discrete(vec![]), Domain::Positive, |p| {
            *p == P::Empty
        }),
        (Shape::Mix(vec![]), Domain::Positive, |p| *p == P::Empty),
        (mix(&[(0.0, Shape::Fixed(1.0))]), Domain::Positive, |p| {
            *p == P::NoWeight
        }),
        (
            mix(&[(1.0, Shape::Fixed(1.0)), (0.0, Shape::Fixed(-1.0))]),
            Domain::Positive,
            |p| matches!(p, P::OutsideDomain { .. }),
        ),
        (
            mix(&vec![(1.0, Shape::Fixed(1.0)); 65]),
            Domain::Positive,
            |p| matches!(p, P::TooMany { count: 65, .. }),
        ),
        (deep, Domain::Positive, |p| *p == P::TooDeep),
        (
            Shape::Quantiles([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 9.0, 8.0]),
            Domain::Positive,
            |p| {
                matches!(
                    p,
                    P::NotIncreasing {
                        low: Part::P99,
                        high: Part::P100,
                        ..
                    }
                )
            },
        ),
    ];
    for (shape, domain, expected) in cases {
        let problem = Distribution::fit(&shape.clone().into(), domain).unwrap_err();
        assert!(expected(&problem), "{shape:?}: {problem:?}");
        assert_eq!(Distribution::check(&shape.into(), domain), Err(problem));
    }
}

fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        -2.0..2.0_f64,
        0.0..1e6_f64,
        (-18.0..40.0_f64).prop_map(f64::exp),
        Just(0.0),
        Just(1.0),
        any::<f64>(),
    ]
}

fn any_shape() -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![
        value().prop_map(Shape::Fixed),
        (value(), value()).prop_map(|(p10, p90)| Shape::Between { p10, p90 }),
        (value(), value(), value()).prop_map(|(p10, mode, p90)| Shape::BetweenProbably {
            p10,
            mode,
            p90
        }),
        (value(), value()).prop_map(|(p50, high)| Shape::FewAreLarge {
            p50,
            percentile: HighPercentile::P95,
            high
        }),
        (value(), value()).prop_map(|(min, max)| Shape::Uniform { min, max }),
        (value(), value(), value()).prop_map(|(min, mode, max)| Shape::Pert { min, mode, max }),
        (value(), value(), value()).prop_map(|(min, mode, max)| Shape::Triangular {
            min,
            mode,
            max
        }),
        (value(), value()).prop_map(|(mean, sd)| Shape::Normal { mean, sd }),
        (value(), value()).prop_map(|(mu, sigma)| Shape::Lognormal { mu, sigma }),
        (value(), value(), value(), value()).prop_map(|(alpha, beta, min, max)| Shape::Beta {
            alpha,
            beta,
            min,
            max
        }),
        (value(), value()).prop_map(|(shape, scale)| Shape::Gamma { shape, scale }),
        (value(), value(), value()).prop_map(|(p50, high, alpha)| Shape::ParetoTail {
            p50,
            percentile: HighPercentile::P95,
            high,
            alpha
        }),
        prop::collection::vec(value(), 0..9).prop_map(Shape::Sample),
        prop::collection::vec((value(), value()), 0..4).prop_map(|v| Shape::Discrete(
            v.into_iter()
                .map(|(value, weight)| WeightedValue { value, weight })
                .collect()
        )),
        prop::array::uniform9(value()).prop_map(|mut v| {
            v.sort_by(f64::total_cmp);
            Shape::Quantiles(v)
        }),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop::collection::vec((0.0..2.0_f64, inner), 1..4).prop_map(|v| {
            Shape::Mix(
                v.into_iter()
                    .map(|(weight, part)| MixPart { weight, part })
                    .collect(),
            )
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// Whatever is accepted gives finite, ordered values inside of the domain; nothing panics.
    #[test]
    fn what_is_accepted_can_be_drawn(shape in any_shape(), mean in prop::option::weighted(0.2, value()), which in 0_usize..7) {
        let domain = [
            Domain::Positive, Domain::NonNegative, Domain::Share, Domain::IntegerFromOne,
            Domain::IntegerFromZero, Domain::Any, Domain::Change,
        ][which];
        let quantity = Quantity { shape, mean };
        if let Ok(fit) = Distribution::fit(&quantity, domain) {
            let d = fit.distribution;
            prop_assert!(d.mean().is_finite() && d.sd().is_finite() && d.sd() >= 0.0);
            let (low, high) = limits(domain);
            let mut before = f64::NEG_INFINITY;
            for u in [1e-16, 1e-9, 1e-3, 0.1, 0.2, 0.5, 0.8, 0.9, 0.999, 1.0 - 1e-9, 1.0 - 1e-16] {
                let x = d.quantile(u);
                prop_assert!(x.is_finite(), "{} at {}", x, u);
                prop_assert!(x >= before, "{} after {}", x, before);
                prop_assert!(x >= low && x <= high);
                prop_assert!(domain != Domain::Positive || x > 0.0);
                let p = d.cdf(x);
                prop_assert!((0.0..=1.0).contains(&p));
                prop_assert!(d.density(x) >= 0.0);
                before = x;
            }
        }
    }
}
