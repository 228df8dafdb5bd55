//! What was said is what comes out.

use super::*;

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
fn a_heavy_tail_is_what_was_said() {
    let (p50, high, alpha) = (2e3, 8e3, 1.5);
    let tail = |alpha| Shape::ParetoTail {
        p50,
        percentile: HighPercentile::P90,
        high,
        alpha,
    };
    let d = fit(tail(alpha), Domain::Positive).distribution;
    assert!(close(d.quantile(0.5), p50, 1e-9));
    assert!(close(d.quantile(0.9), high, 1e-9));
    // twice as large is 2^1.5 times rarer
    assert!(close(1.0 - d.cdf(1.6e4), 0.1 / 2f64.powf(1.5), 1e-9));
    // body by statrs and Simpson's rule, tail in closed form
    let z = 1.281_551_565_544_600_4;
    let body = LogNormal::new(p50.ln(), (high / p50).ln() / z).unwrap();
    let n = 20_000;
    let h = high / f64::from(n);
    let simpson: f64 = (0..=n)
        .map(|i| {
            let x = f64::from(i) * h;
            let weight = match i {
                0 => 1.0,
                i if i == n => 1.0,
                i if i % 2 == 1 => 4.0,
                _ => 2.0,
            };
            weight * if i == 0 { 0.0 } else { x * body.pdf(x) }
        })
        .sum::<f64>()
        * h
        / 3.0;
    let mean = simpson + 0.1 * high * alpha / (alpha - 1.0);
    assert!(close(d.mean(), mean, 1e-6), "{} {mean}", d.mean());
    for (alpha, domain) in [(1.0, Domain::Positive), (0.5, Domain::NonNegative)] {
        assert!(matches!(
            Distribution::fit(&tail(alpha).into(), domain),
            Err(QuantityProblem::TailWithoutMean { .. })
        ));
    }
    let share = Shape::ParetoTail {
        p50: 0.2,
        percentile: HighPercentile::P90,
        high: 0.5,
        alpha: 2.0,
    };
    assert!(matches!(
        Distribution::fit(&share.into(), Domain::Share),
        Err(QuantityProblem::NoTail { .. })
    ));
    // a known mean turns the tail, the percentiles stay
    let known = pinned(tail(2.0), mean, Domain::Positive).unwrap();
    assert!(close(known.distribution.mean(), mean, 1e-9));
    assert!(close(known.distribution.quantile(0.9), high, 1e-9));
    assert!(
        matches!(known.remarks[..], [Remark::TailMoved { said: 2.0, now }] if close(now, alpha, 1e-6))
    );
    assert!(matches!(
        pinned(tail(2.0), 2_100.0, Domain::Positive),
        Err(QuantityProblem::MeanImpossible { .. })
    ));
}

#[test]
fn a_sample_is_drawn_by_its_values_in_any_order() {
    let values = vec![8.0, 1.0, 3.0, 13.0];
    let mut sorted = values.clone();
    sorted.sort_by(f64::total_cmp);
    let d = fit(Shape::Sample(values), Domain::Positive).distribution;
    assert_eq!(d, fit(Shape::Sample(sorted), Domain::Positive).distribution);
    assert_eq!(
        [0.1, 0.3, 0.6, 0.9].map(|u| d.quantile(u)),
        [1.0, 3.0, 8.0, 13.0]
    );
    assert!(close(d.mean(), 6.25, 1e-12));
    let many = Shape::Sample(vec![1.0; MOST_VALUES + 1]);
    assert!(matches!(
        Distribution::fit(&many.into(), Domain::Positive),
        Err(QuantityProblem::TooMany { .. })
    ));
}

#[test]
fn neighbouring_values_of_a_mix_are_not_smeared() {
    let d = fit(
        mix(&[
            (0.45, Shape::Fixed(5.0)),
            (0.45, Shape::Fixed(8.0)),
            (0.1, Shape::Between { p10: 1e3, p90: 2e3 }),
        ]),
        Domain::Positive,
    )
    .distribution;
    for u in [0.1, 0.44, 0.46, 0.6, 0.89] {
        let value = if u < 0.45 { 5.0 } else { 8.0 };
        assert!(close(d.quantile(u), value, 1e-9), "{u}: {}", d.quantile(u));
    }
}
