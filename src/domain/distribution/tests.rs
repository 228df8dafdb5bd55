use super::*;
use crate::domain::quantity::{HighPercentile, MixPart, Shape, WeightedValue};
use statrs::distribution::{Beta, Continuous, ContinuousCDF, Gamma, LogNormal, Normal};

mod entries;
mod refused;

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
            Shape::ParetoTail {
                p50: 2e3,
                percentile: HighPercentile::P90,
                high: 8e3,
                alpha: 2.5,
            },
            Domain::Positive,
        ),
        (
            Shape::ParetoTail {
                p50: 2.0,
                percentile: HighPercentile::P95,
                high: 6.0,
                alpha: 1.5,
            },
            Domain::IntegerFromOne,
        ),
        (
            Shape::Sample(vec![5.0, 3.0, 8.0, 8.0, 13.0]),
            Domain::IntegerFromOne,
        ),
        (
            mix(&[
                (0.9, Shape::Sample(vec![5.0, 3.0, 8.0])),
                (
                    0.1,
                    Shape::ParetoTail {
                        p50: 20.0,
                        percentile: HighPercentile::P99,
                        high: 90.0,
                        alpha: 3.5,
                    },
                ),
            ]),
            Domain::NonNegative,
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
            // the one in a thousand million, to which the second moment of a heavy tail reaches
            if before < 1.0 - 1e-9 {
                square += (after - before) * x * x;
            }
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
        "fe1a31c6fe8812f0"
    );
}
