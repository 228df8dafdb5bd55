use super::*;
use crate::domain::quantity::{HighPercentile, MixPart, Shape};

#[test]
fn quantiles_average_to_the_mean() {
    let cases: Vec<(Shape, Domain)> = vec![
        (
            Shape::Between {
                p10: 24e3,
                p90: 68e3,
            },
            Domain::Positive,
        ),
        (
            Shape::Between {
                p10: 0.0,
                p90: 45.0,
            },
            Domain::NonNegative,
        ),
        (
            Shape::Between {
                p10: 3.0,
                p90: 45.0,
            },
            Domain::NonNegative,
        ),
        (Shape::Between { p10: 0.2, p90: 0.6 }, Domain::Share),
        (
            Shape::BetweenProbably {
                p10: 24e3,
                mode: 42e3,
                p90: 68e3,
            },
            Domain::Positive,
        ),
        (
            Shape::FewAreLarge {
                p50: 11.0,
                percentile: HighPercentile::P99,
                high: 30.0,
            },
            Domain::IntegerFromOne,
        ),
        (
            Shape::Gamma {
                shape: 0.05,
                scale: 30.0,
            },
            Domain::NonNegative,
        ),
        (
            Shape::Mix(vec![
                MixPart {
                    weight: 0.95,
                    part: Shape::Between { p10: 4e3, p90: 6e3 },
                },
                MixPart {
                    weight: 0.05,
                    part: Shape::Between { p10: 7e5, p90: 9e5 },
                },
            ]),
            Domain::Positive,
        ),
        (
            Shape::Mix(vec![
                MixPart {
                    weight: 0.5,
                    part: Shape::Fixed(5.0),
                },
                MixPart {
                    weight: 0.5,
                    part: Shape::Between {
                        p10: 1.0,
                        p90: 20.0,
                    },
                },
            ]),
            Domain::Positive,
        ),
    ];
    for (shape, domain) in cases {
        let fit = Distribution::fit(&shape.clone().into(), domain).unwrap();
        let d = &fit.distribution;
        let n = 100_000;
        let sum: f64 = (0..n)
            .map(|i| d.quantile((f64::from(i) + 0.5) / f64::from(n)))
            .sum();
        let mean = sum / f64::from(n);
        assert!(
            (mean / d.mean() - 1.0).abs() < 5e-4,
            "{shape:?}: {mean} {}",
            d.mean()
        );
    }
}
