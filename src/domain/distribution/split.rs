//! A distribution cut in two at a value: each part with all the probability that is its own.

use super::Distribution;

/// Slices of the lower part by which its moments are found.
const SLICES: u32 = 16_384;

impl Distribution {
    /// The part up to a value, the part above it, and the probability of the latter. A part without probability is none.
    /// Moments of the lower part are those of slices, of the upper part what is left to those of the whole.
    #[must_use]
    pub fn split(&self, at: f64) -> (Option<Self>, Option<Self>, f64) {
        let (below, above) = self.both(at);
        if above <= 0.0 {
            return (Some(self.clone()), None, 0.0);
        }
        if below <= 0.0 {
            return (None, Some(self.clone()), 1.0);
        }
        let (mut mean, mut square) = (0.0, 0.0);
        for i in 0..SLICES {
            let x = self
                .quantile(below * (f64::from(i) + 0.5) / f64::from(SLICES))
                .min(at);
            mean += x;
            square += x * x;
        }
        let n = f64::from(SLICES);
        let (mean, square) = (mean / n, square / n);
        let whole = self.sd * self.sd + self.mean * self.mean;
        let part = |range: (f64, f64), domain: (f64, f64), mean: f64, square: f64| Self {
            domain,
            mean,
            sd: f64::sqrt((square - mean * mean).max(0.0)),
            part: Some(match self.part {
                None => range,
                Some((a, b)) => (a + range.0 * (b - a), a + range.1 * (b - a)),
            }),
            ..self.clone()
        };
        let low = part((0.0, below), (self.domain.0, at), mean, square);
        let high = part(
            (below, 1.0),
            (at, self.domain.1),
            (self.mean - below * mean) / above,
            (whole - below * square) / above,
        );
        (Some(low), Some(high), above)
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::distribution::Distribution;
    use crate::domain::quantity::{Domain, MixPart, Quantity, Shape, WeightedValue};

    fn fit(shape: Shape) -> Distribution {
        Distribution::fit(&Quantity::from(shape), Domain::Positive)
            .expect("valid")
            .distribution
    }

    #[test]
    fn parts_add_up_to_the_whole_and_keep_to_their_side() {
        let value = |value, weight| WeightedValue { value, weight };
        for (shape, at) in [
            (
                Shape::Lognormal {
                    mu: 6.0,
                    sigma: 1.2,
                },
                1_000.0,
            ),
            (
                Shape::Gamma {
                    shape: 0.7,
                    scale: 900.0,
                },
                300.0,
            ),
            (
                Shape::Discrete(vec![
                    value(500.0, 0.7),
                    value(2_000.0, 0.2),
                    value(9e4, 0.1),
                ]),
                2_000.0,
            ),
            (
                Shape::Mix(vec![
                    MixPart {
                        weight: 0.9,
                        part: Shape::Fixed(400.0),
                    },
                    MixPart {
                        weight: 0.1,
                        part: Shape::Lognormal {
                            mu: 9.0,
                            sigma: 0.5,
                        },
                    },
                ]),
                5_000.0,
            ),
        ] {
            let whole = fit(shape.clone());
            let (low, high, above) = whole.split(at);
            let (low, high) = (low.expect("some"), high.expect("some"));
            assert!((above - (1.0 - whole.cdf(at))).abs() < 1e-9, "{shape:?}");
            let n = 200_000;
            let mean = |d: &Distribution| {
                let u = |i: i32| (f64::from(i) + 0.5) / f64::from(n);
                (0..n).map(|i| d.quantile(u(i))).sum::<f64>() / f64::from(n)
            };
            for i in 1..1_000 {
                let u = f64::from(i) / 1_000.0;
                assert!(
                    low.quantile(u) <= at && high.quantile(u) > at,
                    "{shape:?} {u}"
                );
            }
            assert!((mean(&low) / low.mean() - 1.0).abs() < 2e-3, "{shape:?}");
            assert!((mean(&high) / high.mean() - 1.0).abs() < 2e-2, "{shape:?}");
            let sum = low.mean() * (1.0 - above) + high.mean() * above;
            assert!((sum / whole.mean() - 1.0).abs() < 1e-9, "{shape:?}");
        }
    }

    #[test]
    fn a_value_outside_splits_nothing_off() {
        let whole = fit(Shape::Uniform {
            min: 10.0,
            max: 20.0,
        });
        assert!(whole.split(20.0).1.is_none());
        assert!(whole.split(9.0).0.is_none());
        assert_eq!(fit(Shape::Fixed(5.0)).split(5.0).2, 0.0);
        assert_eq!(fit(Shape::Fixed(5.0)).split(4.0).2, 1.0);
    }
}
