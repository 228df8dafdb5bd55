use super::*;
use crate::domain::quantity::{HighPercentile, MixPart, Shape, WeightedValue};
use proptest::prelude::*;
use statrs::distribution::{Beta, Continuous, ContinuousCDF, Gamma, LogNormal, Normal};

fn fit(shape: Shape, domain: Domain) -> Fit {
    Distribution::fit(&shape.into(), domain).unwrap()
}

fn pinned(shape: Shape, mean: f64, domain: Domain) -> Result<Fit, QuantityProblem> {
    Distribution::fit(
        &Quantity {
            shape,
            mean: Some(mean),
        },
        domain,
    )
}

fn close(a: f64, b: f64, relative: f64) -> bool {
    (a - b).abs() <= relative * a.abs().max(b.abs()).max(1e-300)
}

fn mix(parts: &[(f64, Shape)]) -> Shape {
    Shape::Mix(
        parts
            .iter()
            .map(|(weight, part)| MixPart {
                weight: *weight,
                part: part.clone(),
            })
            .collect(),
    )
}

const BETWEEN: Shape = Shape::Between {
    p10: 24e3,
    p90: 68e3,
};

/// One of every family, in a domain in which it is used.
fn every_family() -> Vec<(Shape, Domain)> {
    let few = Shape::FewAreLarge {
        p50: 11.0,
        percentile: HighPercentile::P99,
        high: 30.0,
    };
    vec![
        (Shape::Fixed(42.0), Domain::Positive),
        (BETWEEN, Domain::Positive),
        (BETWEEN, Domain::NonNegative),
        (
            Shape::Between {
                p10: -0.02,
                p90: 0.06,
            },
            Domain::Change,
        ),
        (
            Shape::Between {
                p10: -5.0,
                p90: 7.0,
            },
            Domain::Any,
        ),
        (
            Shape::Between {
                p10: 0.0,
                p90: 45.0,
            },
            Domain::NonNegative,
        ),
        (Shape::Between { p10: 0.2, p90: 0.6 }, Domain::Share),
        (Shape::Between { p10: 0.0, p90: 0.3 }, Domain::Share),
        (Shape::Between { p10: 0.7, p90: 1.0 }, Domain::Share),
        (Shape::Between { p10: 0.0, p90: 1.0 }, Domain::Share),
        (
            Shape::BetweenProbably {
                p10: 24e3,
                mode: 42e3,
                p90: 68e3,
            },
            Domain::Positive,
        ),
        (few.clone(), Domain::IntegerFromOne),
        (few.clone(), Domain::IntegerFromZero),
        (few, Domain::Positive),
        (
            Shape::FewAreLarge {
                p50: 0.1,
                percentile: HighPercentile::P95,
                high: 0.5,
            },
            Domain::Share,
        ),
        (Shape::Uniform { min: 2.0, max: 5.0 }, Domain::Positive),
        (
            Shape::Pert {
                min: 1.0,
                mode: 2.0,
                max: 9.0,
            },
            Domain::Positive,
        ),
        (
            Shape::Triangular {
                min: 1.0,
                mode: 2.0,
                max: 5.0,
            },
            Domain::Positive,
        ),
        (
            Shape::Triangular {
                min: 1.0,
                mode: 1.0,
                max: 5.0,
            },
            Domain::Positive,
        ),
        (Shape::Normal { mean: 2.0, sd: 2.0 }, Domain::Positive),
        (Shape::Normal { mean: 0.9, sd: 0.3 }, Domain::Share),
        (
            Shape::Lognormal {
                mu: 7.0,
                sigma: 1.2,
            },
            Domain::Positive,
        ),
        (
            Shape::Lognormal {
                mu: -1.0,
                sigma: 1.0,
            },
            Domain::Share,
        ),
        (
            Shape::Lognormal {
                mu: 0.3,
                sigma: 0.7,
            },
            Domain::IntegerFromOne,
        ),
        (
            Shape::Beta {
                alpha: 0.5,
                beta: 3.0,
                min: 0.0,
                max: 10.0,
            },
            Domain::Positive,
        ),
        (
            Shape::Gamma {
                shape: 0.3,
                scale: 30.0,
            },
            Domain::NonNegative,
        ),
        (
            Shape::Gamma {
                shape: 2.0,
                scale: 0.4,
            },
            Domain::Share,
        ),
        (
            Shape::Gamma {
                shape: 900.0,
                scale: 2.0,
            },
            Domain::Positive,
        ),
        (
            Shape::Discrete(vec![
                WeightedValue {
                    value: 3.0,
                    weight: 1.0,
                },
                WeightedValue {
                    value: 1.0,
                    weight: 3.0,
                },
                WeightedValue {
                    value: 7.0,
                    weight: 0.0,
                },
            ]),
            Domain::IntegerFromOne,
        ),
        (
            Shape::Quantiles([0.0, 2.0, 4.0, 7.0, 13.0, 55.0, 90.0, 251.0, 1_899.0]),
            Domain::NonNegative,
        ),
        (
            Shape::Quantiles([1.0, 1.0, 1.0, 1.0, 2.0, 4.0, 5.0, 9.0, 26.0]),
            Domain::IntegerFromOne,
        ),
        (
            mix(&[(95.0, Shape::Fixed(5e3)), (5.0, Shape::Fixed(8e5))]),
            Domain::Positive,
        ),
        (
            mix(&[
                (0.95, Shape::Between { p10: 4e3, p90: 6e3 }),
                (0.05, Shape::Between { p10: 7e5, p90: 9e5 }),
            ]),
            Domain::Positive,
        ),
        (
            mix(&[
                (0.5, Shape::Fixed(5.0)),
                (
                    0.5,
                    Shape::Between {
                        p10: 1.0,
                        p90: 20.0,
                    },
                ),
            ]),
            Domain::Positive,
        ),
        (
            mix(&[
                (0.3, Shape::Fixed(0.0)),
                (
                    0.7,
                    Shape::Gamma {
                        shape: 0.8,
                        scale: 5.0,
                    },
                ),
            ]),
            Domain::NonNegative,
        ),
        (
            mix(&[
                (
                    1.0,
                    Shape::Uniform {
                        min: -3.0,
                        max: -2.0,
                    },
                ),
                (1.0, Shape::Normal { mean: 4.0, sd: 1.0 }),
                (
                    1.0,
                    Shape::Pert {
                        min: 8.0,
                        mode: 9.0,
                        max: 12.0,
                    },
                ),
            ]),
            Domain::Any,
        ),
    ]
}

#[test]
fn quantile_and_cdf_are_inverse() {
    for (shape, domain) in every_family() {
        let d = fit(shape.clone(), domain).distribution;
        let atoms = d.atoms();
        let mut worst: f64 = 0.0;
        for i in 1..2_000 {
            let u = f64::from(i) / 2_000.0;
            let x = d.quantile(u);
            let (low, high) = limits(domain);
            assert!(x >= low && x <= high, "{shape:?} {u}: {x}");
            if domain == Domain::Positive {
                assert!(x > 0.0);
            }
            let at = atoms.iter().find(|(v, _)| close(*v, x, 1e-9) || *v == x);
            match at {
                // u lies in the step of the atom.
                Some((_, p)) => {
                    let up_to = d.cdf(x * (1.0 + 1e-9) + 1e-300);
                    assert!(
                        u <= up_to + 1e-6 && u >= up_to - p - 1e-6,
                        "{shape:?} {u} {x}"
                    );
                }
                None => {
                    let back = d.cdf(x);
                    worst = worst.max((back - u).abs());
                    // The stated error of a table: 1e-4 of the value, so little of the probability.
                    assert!((back - u).abs() < 1e-4, "{shape:?} {u}: {x} {back}");
                }
            }
        }
        println!(
            "{:?}: {worst:.1e}, {} bytes",
            d.name(),
            postcard::to_stdvec(&d).unwrap().len()
        );
    }
}

#[test]
fn moments_are_those_of_the_quantiles() {
    for (shape, domain) in every_family() {
        let d = fit(shape.clone(), domain).distribution;
        // Equal steps of the normal score resolve both tails; the weights are exact.
        let (mut sum, mut square) = (0.0, 0.0);
        let steps = 200_000;
        let score = |i: i32| f64::from(i) * 17.0 / f64::from(steps) - 8.5;
        let mut before = 0.0;
        for i in 0..steps {
            let after = special::normal_cdf(score(i + 1));
            let x = d.quantile((0.5 * (before + after)).clamp(1e-17, 1.0 - 1e-16));
            sum += (after - before) * x;
            square += (after - before) * x * x;
            before = after;
        }
        let sd = (square - sum * sum).max(0.0).sqrt();
        assert!(
            (sum - d.mean()).abs() < 2e-4 * d.mean().abs() + 1e-4 * d.sd(),
            "{shape:?}: {sum} {}",
            d.mean()
        );
        assert!(
            close(sd, d.sd(), 5e-3) || d.sd() < 1e-9,
            "{shape:?}: {sd} {}",
            d.sd()
        );
    }
}

#[test]
fn density_is_the_slope_of_the_cdf() {
    for (shape, domain) in every_family() {
        let d = fit(shape.clone(), domain).distribution;
        for i in 1..40 {
            let x = d.quantile(f64::from(i) / 40.0);
            let h = 1e-5 * d.sd().max(1e-9);
            let (a, b) = (d.density(x - 2.0 * h), d.density(x + 2.0 * h));
            let slope = (d.cdf(x + h) - d.cdf(x - h)) / (2.0 * h);
            // Not across a kink, an atom, or an end.
            let seen = d.density(x) * d.sd() > 1e-9;
            if seen && close(a, b, 1e-2) && !d.atoms().iter().any(|(v, _)| (v - x).abs() < 3.0 * h)
            {
                assert!(
                    close(slope, d.density(x), 1e-2),
                    "{shape:?} {x}: {slope} {}",
                    d.density(x)
                );
            }
        }
    }
}

/// Kolmogorov-Smirnov of one sample against an independent CDF, at one in a million.
fn ks(d: &Distribution, cdf: impl Fn(f64) -> f64) -> f64 {
    let n = 20_000;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut sample: Vec<f64> = (0..n)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            d.quantile(((state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64)
        })
        .collect();
    sample.sort_by(f64::total_cmp);
    let n = f64::from(n);
    let worst = sample
        .iter()
        .enumerate()
        .map(|(i, x)| (cdf(*x) - (i as f64 + 0.5) / n).abs())
        .fold(0.0, f64::max);
    worst * n.sqrt()
}

#[test]
fn samples_follow_independent_cdfs() {
    let most = 2.69;
    let d = |s: Shape, domain| fit(s, domain).distribution;
    let normal = Normal::new(3.0, 2.0).unwrap();
    assert!(
        ks(&d(Shape::Normal { mean: 3.0, sd: 2.0 }, Domain::Any), |x| {
            normal.cdf(x)
        }) < most
    );
    let cut = normal.cdf(0.0);
    let truncated = |x: f64| (normal.cdf(x) - cut) / (1.0 - cut);
    assert!(
        ks(
            &d(Shape::Normal { mean: 3.0, sd: 2.0 }, Domain::Positive),
            truncated
        ) < most
    );
    let lognormal = LogNormal::new(7.0, 1.2).unwrap();
    assert!(
        ks(
            &d(
                Shape::Lognormal {
                    mu: 7.0,
                    sigma: 1.2
                },
                Domain::Positive
            ),
            |x| lognormal.cdf(x)
        ) < most
    );
    let gamma = Gamma::new(0.3, 0.5).unwrap();
    assert!(
        ks(
            &d(
                Shape::Gamma {
                    shape: 0.3,
                    scale: 2.0
                },
                Domain::NonNegative
            ),
            |x| gamma.cdf(x)
        ) < most
    );
    let share = gamma.cdf(1.0);
    assert!(
        ks(
            &d(
                Shape::Gamma {
                    shape: 0.3,
                    scale: 2.0
                },
                Domain::Share
            ),
            |x| gamma.cdf(x) / share
        ) < most
    );
    let beta = Beta::new(2.5, 4.0).unwrap();
    let shape = Shape::Beta {
        alpha: 2.5,
        beta: 4.0,
        min: 10.0,
        max: 30.0,
    };
    assert!(ks(&d(shape, Domain::Positive), |x| beta.cdf((x - 10.0) / 20.0)) < most);
    // PERT by its definition: alpha = 1 + 4 (mode - min) / (max - min).
    let pert = Beta::new(1.0 + 4.0 / 8.0, 1.0 + 4.0 * 7.0 / 8.0).unwrap();
    let shape = Shape::Pert {
        min: 1.0,
        mode: 2.0,
        max: 9.0,
    };
    assert!(ks(&d(shape, Domain::Positive), |x| pert.cdf((x - 1.0) / 8.0)) < most);
    let shape = mix(&[
        (
            0.95,
            Shape::Lognormal {
                mu: 8.0,
                sigma: 0.2,
            },
        ),
        (
            0.05,
            Shape::Lognormal {
                mu: 13.0,
                sigma: 0.1,
            },
        ),
    ]);
    let (a, b) = (
        LogNormal::new(8.0, 0.2).unwrap(),
        LogNormal::new(13.0, 0.1).unwrap(),
    );
    assert!(
        ks(&d(shape, Domain::Positive), |x| 0.95 * a.cdf(x)
            + 0.05 * b.cdf(x))
            < most
    );
}

#[test]
fn special_functions_agree_with_an_independent_library() {
    let normal = Normal::new(0.0, 1.0).unwrap();
    for i in -80..=80 {
        let z = f64::from(i) / 10.0;
        assert!(close(special::normal_cdf(z), normal.cdf(z), 1e-9), "{z}");
        assert!(
            close(
                special::normal_quantile(special::normal_cdf(-z.abs())),
                -z.abs(),
                1e-12
            ) || z == 0.0,
            "{z}"
        );
    }
    assert!(close(special::normal_quantile(0.9), special::Z90, 1e-15));
    assert!(close(special::normal_quantile(0.95), special::Z95, 1e-15));
    assert!(close(special::normal_quantile(0.99), special::Z99, 1e-15));
    for shape in [0.02, 0.3, 1.0, 2.0, 7.5, 60.0, 900.0, 1e5] {
        let gamma = Gamma::new(shape, 1.0).unwrap();
        for p in [1e-6, 0.01, 0.1, 0.5, 0.9, 0.99, 1.0 - 1e-6] {
            let x = special::gamma_quantile(shape, p);
            assert!(
                (gamma.cdf(x) - p).abs() < 1e-8,
                "{shape} {p}: {x} {}",
                gamma.cdf(x)
            );
            assert!(
                (special::gamma_pq(shape, x).0 - p).abs() < 1e-9,
                "{shape} {p}"
            );
            assert!(
                x < 1e-200 || close(special::gamma_density(shape, x), gamma.pdf(x), 1e-7),
                "{shape} {p}"
            );
        }
    }
    for (a, b) in [
        (0.05, 0.2),
        (0.5, 3.0),
        (1.0, 1.0),
        (1.0, 5.0),
        (2.5, 4.0),
        (40.0, 8.0),
        (3e4, 5e4),
    ] {
        let beta = Beta::new(a, b).unwrap();
        for p in [1e-6, 0.01, 0.1, 0.5, 0.9, 0.99, 1.0 - 1e-6] {
            let x = special::beta_quantile(a, b, p);
            // Nearer to 1 than a double can say.
            if x < 1.0 - 1e-12 {
                assert!(
                    (beta.cdf(x) - p).abs() < 1e-7,
                    "{a} {b} {p}: {x} {}",
                    beta.cdf(x)
                );
                assert!(
                    (special::beta_pq(a, b, x).0 - p).abs() < 1e-8,
                    "{a} {b} {p}: {x}"
                );
            }
        }
    }
}

#[test]
fn percentiles_are_where_they_were_said() {
    for (shape, domain) in [
        (BETWEEN, Domain::Positive),
        (BETWEEN, Domain::NonNegative),
        (BETWEEN, Domain::IntegerFromOne),
        (BETWEEN, Domain::IntegerFromZero),
        (BETWEEN, Domain::Any),
        (
            Shape::Between {
                p10: 1e-3,
                p90: 50.0,
            },
            Domain::NonNegative,
        ),
        (
            Shape::Between {
                p10: 1e5,
                p90: 1.0001e5,
            },
            Domain::NonNegative,
        ),
        (Shape::Between { p10: 0.2, p90: 0.6 }, Domain::Share),
        (
            Shape::Between {
                p10: 0.01,
                p90: 0.99,
            },
            Domain::Share,
        ),
        (
            Shape::Between {
                p10: 0.5,
                p90: 0.501,
            },
            Domain::Share,
        ),
        (
            Shape::Between {
                p10: 1e-4,
                p90: 0.2,
            },
            Domain::Share,
        ),
        (
            Shape::BetweenProbably {
                p10: 24e3,
                mode: 42e3,
                p90: 68e3,
            },
            Domain::Positive,
        ),
        (
            Shape::BetweenProbably {
                p10: 0.01,
                mode: 0.035,
                p90: 0.09,
            },
            Domain::Change,
        ),
        (
            Shape::BetweenProbably {
                p10: 24e3,
                mode: 24e3,
                p90: 68e3,
            },
            Domain::Any,
        ),
        (
            Shape::BetweenProbably {
                p10: 24e3,
                mode: 68e3,
                p90: 68e3,
            },
            Domain::Any,
        ),
    ] {
        let fit = fit(shape.clone(), domain);
        let (p10, p90) = match shape {
            Shape::Between { p10, p90 } | Shape::BetweenProbably { p10, p90, .. } => (p10, p90),
            _ => unreachable!(),
        };
        let d = fit.distribution;
        assert_eq!(fit.remarks, [], "{shape:?}");
        assert!(
            close(d.quantile(0.1), p10, 2e-4),
            "{shape:?} {domain:?}: {}",
            d.quantile(0.1)
        );
        assert!(
            close(d.quantile(0.9), p90, 2e-4),
            "{shape:?} {domain:?}: {}",
            d.quantile(0.9)
        );
        if let Shape::BetweenProbably { mode, .. } = shape {
            // The density is highest at the mode.
            let top = d.density(mode);
            for i in 1..200 {
                assert!(
                    d.density(d.quantile(f64::from(i) / 200.0)) <= top * 1.000_01,
                    "{shape:?}"
                );
            }
        }
    }
    for (percentile, p) in [
        (HighPercentile::P90, 0.9),
        (HighPercentile::P95, 0.95),
        (HighPercentile::P99, 0.99),
    ] {
        for domain in [Domain::Positive, Domain::NonNegative, Domain::Share] {
            let d = fit(
                Shape::FewAreLarge {
                    p50: 0.2,
                    percentile,
                    high: 0.7,
                },
                domain,
            )
            .distribution;
            assert!(
                close(d.quantile(0.5), 0.2, 2e-4) && close(d.quantile(p), 0.7, 2e-4),
                "{domain:?}"
            );
        }
    }
}

#[test]
fn a_low_of_zero_is_a_hard_minimum() {
    let f = fit(
        Shape::Between {
            p10: 0.0,
            p90: 45.0,
        },
        Domain::NonNegative,
    );
    assert_eq!(f.remarks, [Remark::HardMinimum { at: 0.0 }]);
    assert_eq!(f.distribution.name(), FamilyName::Gamma);
    // Gamma of shape 2: mean / p90 = 2 / 3.889720...
    assert!(close(
        f.distribution.mean(),
        45.0 * 2.0 / 3.889_720_169_867_429,
        1e-9
    ));
    assert!(close(f.distribution.quantile(0.9), 45.0, 1e-5));
    let f = fit(Shape::Between { p10: 0.7, p90: 1.0 }, Domain::Share);
    assert_eq!(f.remarks, [Remark::HardMaximum { at: 1.0 }]);
    assert!(close(f.distribution.quantile(0.1), 0.7, 1e-5));
    let f = fit(
        Shape::BetweenProbably {
            p10: 0.0,
            mode: 5.0,
            p90: 45.0,
        },
        Domain::NonNegative,
    );
    assert_eq!(f.remarks, [Remark::HardMinimum { at: 0.0 }]);
    assert!(close(f.distribution.quantile(0.9), 45.0, 1e-5));
    assert_eq!(f.distribution.support().0, 0.0);
}

#[test]
fn an_end_that_would_leave_the_domain_stands_at_its_bound() {
    let f = fit(
        Shape::BetweenProbably {
            p10: 1.0,
            mode: 2.0,
            p90: 30.0,
        },
        Domain::Positive,
    );
    let [
        Remark::PercentileMoved {
            part: Part::P10,
            said: 1.0,
            now,
        },
    ] = f.remarks[..]
    else {
        panic!("{:?}", f.remarks);
    };
    assert!(close(f.distribution.quantile(0.1), now, 1e-4));
    assert!(close(f.distribution.quantile(0.9), 30.0, 1e-4));
    assert_eq!(f.distribution.support().0, 0.0);
    let f = fit(
        Shape::BetweenProbably {
            p10: 0.8,
            mode: 0.93,
            p90: 0.985,
        },
        Domain::Share,
    );
    assert!(
        matches!(
            f.remarks[..],
            [Remark::PercentileMoved {
                part: Part::P90,
                ..
            }]
        ),
        "{:?}",
        f.remarks
    );
    assert!(close(f.distribution.quantile(0.1), 0.8, 1e-4));
    let f = fit(
        Shape::BetweenProbably {
            p10: 0.02,
            mode: 0.5,
            p90: 0.99,
        },
        Domain::Share,
    );
    assert_eq!(f.remarks.len(), 2, "{:?}", f.remarks);
    assert_eq!(f.distribution.support(), (0.0, 1.0));
}

#[test]
fn truncation_cuts_and_says_so() {
    let f = fit(Shape::Normal { mean: 0.0, sd: 1.0 }, Domain::Positive);
    assert_eq!(f.remarks, [Remark::CutOff { share: 0.5 }]);
    // The half-normal's mean, sqrt(2 / pi); no spike at 0.
    assert!(close(
        f.distribution.mean(),
        (2.0 / core::f64::consts::PI).sqrt(),
        1e-12
    ));
    assert!(f.distribution.quantile(1e-12) > 0.0);
    assert!(f.distribution.cdf(1e-6) < 1e-6);
    let change = fit(
        Shape::Between {
            p10: -0.9,
            p90: 0.9,
        },
        Domain::Change,
    )
    .distribution;
    assert!(change.quantile(1e-16) > -1.0);
}

#[test]
fn a_pinned_mean_moves_the_last_segment_first() {
    // Azure code trace, output tokens: the percentiles alone give another mean.
    let code = [1.0, 7.0, 9.0, 13.0, 27.0, 55.0, 90.0, 251.0, 1_899.0];
    let f = pinned(Shape::Quantiles(code), 27.9, Domain::Positive).unwrap();
    assert!(close(f.distribution.mean(), 27.9, 1e-9));
    assert!(close(f.distribution.quantile(0.99), 251.0, 1e-9));
    assert!(
        matches!(f.remarks[..], [Remark::LargestMoved { said: 1_899.0, .. }]),
        "{:?}",
        f.remarks
    );
    // Too low for the segment alone: everything is scaled.
    let f = pinned(Shape::Quantiles(code), 20.0, Domain::Positive).unwrap();
    let [Remark::Rescaled { factor }] = f.remarks[..] else {
        panic!("{:?}", f.remarks)
    };
    assert!(close(f.distribution.mean(), 20.0, 1e-9));
    assert!(close(f.distribution.quantile(0.5), 13.0 * factor, 1e-9));
    let few = Shape::FewAreLarge {
        p50: 11.0,
        percentile: HighPercentile::P99,
        high: 30.0,
    };
    let f = pinned(few, 12.3, Domain::IntegerFromOne).unwrap();
    assert!(close(f.distribution.mean(), 12.3, 1e-9));
    assert!(close(f.distribution.quantile(0.5), 11.0, 1e-6));
    assert!(
        close(f.distribution.quantile(0.99), 30.0, 1e-6),
        "{}",
        f.distribution.quantile(0.99)
    );
    let two = mix(&[(95.0, Shape::Fixed(5e3)), (5.0, Shape::Fixed(8e5))]);
    let f = pinned(two, 50e3, Domain::Positive).unwrap();
    assert!(close(f.distribution.mean(), 50e3, 1e-12));
    assert!(matches!(f.remarks[..], [Remark::Rescaled { .. }]));
    let parts = mix(&[(0.9, BETWEEN), (0.1, Shape::Fixed(5e5))]);
    let f = pinned(parts, 100e3, Domain::Positive).unwrap();
    assert!(close(f.distribution.mean(), 100e3, 1e-9));
    assert!(matches!(
        pinned(Shape::Fixed(3.0), 4.0, Domain::Positive),
        Err(QuantityProblem::MeanImpossible { .. })
    ));
    let shares = Shape::Quantiles([0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.95, 0.99, 1.0]);
    assert!(matches!(
        pinned(shares, 0.9, Domain::Share),
        Err(QuantityProblem::MeanImpossible { .. })
    ));
}

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

#[test]
fn mixes_take_their_simplest_form() {
    let d = fit(
        mix(&[(95.0, Shape::Fixed(5e3)), (5.0, Shape::Fixed(8e5))]),
        Domain::Positive,
    )
    .distribution;
    assert_eq!(d.name(), FamilyName::Discrete);
    assert_eq!(d.mean(), 0.95 * 5e3 + 0.05 * 8e5);
    assert_eq!((d.quantile(0.95), d.quantile(0.950_001)), (5e3, 8e5));
    assert_eq!(
        fit(mix(&[(3.0, BETWEEN)]), Domain::Positive)
            .distribution
            .name(),
        FamilyName::Lognormal
    );
    assert_eq!(
        fit(
            mix(&[(3.0, Shape::Fixed(2.0)), (1.0, Shape::Fixed(2.0))]),
            Domain::Positive
        )
        .distribution
        .fixed(),
        Some(2.0)
    );
}

#[test]
fn what_is_sent_to_a_worker_is_small_and_the_same() {
    for (shape, domain) in every_family() {
        let d = fit(shape.clone(), domain).distribution;
        let bytes = postcard::to_stdvec(&d).unwrap();
        assert!(bytes.len() < 12_000, "{shape:?}: {}", bytes.len());
        let back: Distribution = postcard::from_bytes(&bytes).unwrap();
        assert_eq!(back, d);
    }
}

/// Values that must not drift: a change of one is a change of every result.
#[test]
fn quantiles_are_stable_to_the_last_bit() {
    let mut bits = Vec::new();
    for (shape, domain) in every_family() {
        let d = fit(shape, domain).distribution;
        for u in [1e-9, 0.03, 0.25, 0.5, 0.777, 0.95, 0.999, 1.0 - 1e-9] {
            bits.extend(d.quantile(u).to_bits().to_le_bytes());
        }
        bits.extend(d.mean().to_bits().to_le_bytes());
    }
    assert_eq!(
        format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&bits)),
        "7a0f510f5a018da7"
    );
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
