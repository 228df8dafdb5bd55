//! Samplers for entries, written from their definitions in docs/model.md: parameters by bisection on textbook CDFs
//! (statrs), draws by rand_distr, truncation by drawing again. Slow and plain on purpose.

use headroom::domain::quantity::{Domain, HighPercentile, Quantity, Shape};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use statrs::distribution::ContinuousCDF;

use super::Rng;

/// 90 % point of the standard normal.
const Z90: f64 = 1.281_551_565_544_600_4;

/// Draws values of one entry.
pub enum Sampler {
    Fixed(f64),
    Uniform(f64, f64),
    Triangular(f64, f64, f64),
    Normal(f64, f64),
    Lognormal(f64, f64),
    /// Beta stretched to an interval: shapes, min, max.
    Beta(rand_distr::Beta<f64>, f64, f64),
    Gamma(rand_distr::Gamma<f64>),
    Discrete(Vec<(f64, f64)>),
    Quantiles([f64; 9]),
    Sample(Vec<f64>),
    /// Body (mu, sigma), where the tail begins, its share and its index.
    Tail(f64, f64, f64, f64, f64),
    Mix(Vec<(f64, Sampler)>),
}

/// Levels of the nine quantiles.
const LEVELS: [f64; 9] = [0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0];

impl Sampler {
    /// The sampler of an entry in a domain. Only quantile tables may carry a pinned mean here.
    pub fn new(entry: &Quantity, domain: Domain) -> Self {
        match (&entry.shape, entry.mean) {
            (shape, None) => Self::of_shape(shape, domain),
            (Shape::Quantiles(q), Some(mean)) => Self::Quantiles(pin_mean(*q, mean)),
            _ => panic!("the brute force pins means of quantile tables only"),
        }
    }

    fn of_shape(shape: &Shape, domain: Domain) -> Self {
        match shape {
            Shape::Fixed(x) => Self::Fixed(*x),
            Shape::Uniform { min, max } => Self::Uniform(*min, *max),
            Shape::Triangular { min, mode, max } => Self::Triangular(*min, *mode, *max),
            Shape::Pert { min, mode, max } => pert(*min, *mode, *max),
            Shape::Normal { mean, sd } => Self::Normal(*mean, *sd),
            Shape::Lognormal { mu, sigma } => Self::Lognormal(*mu, *sigma),
            Shape::Beta {
                alpha,
                beta,
                min,
                max,
            } => Self::Beta(beta_law(*alpha, *beta), *min, *max),
            Shape::Gamma { shape, scale } => Self::Gamma(gamma_law(*shape, *scale)),
            Shape::Discrete(values) => {
                let total: f64 = values.iter().map(|v| v.weight).sum();
                Self::Discrete(values.iter().map(|v| (v.weight / total, v.value)).collect())
            }
            Shape::Quantiles(q) => Self::Quantiles(*q),
            Shape::Sample(values) => Self::Sample(values.clone()),
            Shape::ParetoTail {
                p50,
                percentile,
                high,
                alpha,
            } => {
                let (z, share) = high_point(*percentile);
                Self::Tail(p50.ln(), (high / p50).ln() / z, *high, share, *alpha)
            }
            Shape::Mix(parts) => {
                let total: f64 = parts.iter().map(|p| p.weight).sum();
                Self::Mix(
                    parts
                        .iter()
                        .map(|p| (p.weight / total, Self::of_shape(&p.part, domain)))
                        .collect(),
                )
            }
            Shape::Between { p10, p90 } => between(*p10, *p90, domain),
            Shape::BetweenProbably { p10, mode, p90 } => between_probably(*p10, *mode, *p90),
            Shape::FewAreLarge {
                p50,
                percentile,
                high,
            } => {
                let (z, _) = high_point(*percentile);
                Self::Lognormal(p50.ln(), (high / p50).ln() / z)
            }
        }
    }

    /// The value if it never differs.
    pub fn fixed(&self) -> Option<f64> {
        match self {
            Self::Fixed(x) => Some(*x),
            _ => None,
        }
    }

    /// One value inside the domain; whole numbers in whole-number domains.
    pub fn draw(&self, domain: Domain, rng: &mut Rng) -> f64 {
        let x = loop {
            let x = self.raw(rng);
            let inside = match domain {
                Domain::Positive => x > 0.0,
                Domain::NonNegative | Domain::IntegerFromZero => x >= 0.0,
                Domain::Share => (0.0..=1.0).contains(&x),
                Domain::IntegerFromOne => x >= 1.0,
                Domain::Change => x > -1.0,
                Domain::Any => true,
            };
            if inside {
                break x;
            }
        };
        match domain {
            Domain::IntegerFromOne | Domain::IntegerFromZero => (x + rng.random::<f64>()).floor(),
            _ => x,
        }
    }

    fn raw(&self, rng: &mut Rng) -> f64 {
        match self {
            Self::Fixed(x) => *x,
            Self::Uniform(a, b) => a + (b - a) * rng.random::<f64>(),
            Self::Triangular(a, m, b) => {
                let u: f64 = rng.random();
                if u * (b - a) < m - a {
                    a + (u * (b - a) * (m - a)).sqrt()
                } else {
                    b - ((1.0 - u) * (b - a) * (b - m)).sqrt()
                }
            }
            Self::Normal(mean, sd) => mean + sd * normal(rng),
            Self::Lognormal(mu, sigma) => (mu + sigma * normal(rng)).exp(),
            Self::Beta(law, a, b) => a + (b - a) * law.sample(rng),
            Self::Gamma(law) => law.sample(rng),
            Self::Discrete(values) => *pick(values, rng),
            Self::Sample(values) => values[rng.random_range(0..values.len())],
            Self::Tail(mu, sigma, from, share, alpha) => {
                if rng.random::<f64>() < *share {
                    from * rng.random::<f64>().powf(-1.0 / alpha)
                } else {
                    loop {
                        let x = (mu + sigma * normal(rng)).exp();
                        if x < *from {
                            break x;
                        }
                    }
                }
            }
            Self::Mix(parts) => pick(parts, rng).raw(rng),
            Self::Quantiles(q) => {
                let u: f64 = rng.random();
                let i = (1..8).find(|i| u < LEVELS[*i]).unwrap_or(8);
                let (a, b) = (q[i - 1], q[i]);
                let t = (u - LEVELS[i - 1]) / (LEVELS[i] - LEVELS[i - 1]);
                if a <= 0.0 {
                    a + (b - a) * t
                } else {
                    a * (b / a).powf(t)
                }
            }
        }
    }
}

/// Normal score of a high percentile, and the share above it.
fn high_point(percentile: HighPercentile) -> (f64, f64) {
    match percentile {
        HighPercentile::P90 => (Z90, 0.1),
        HighPercentile::P95 => (1.644_853_626_951_472_2, 0.05),
        HighPercentile::P99 => (2.326_347_874_040_841, 0.01),
    }
}

/// A standard normal.
pub fn normal(rng: &mut Rng) -> f64 {
    StandardNormal.sample(rng)
}

fn pick<'a, T>(weighted: &'a [(f64, T)], rng: &mut Rng) -> &'a T {
    let mut u: f64 = rng.random();
    for (weight, x) in weighted {
        u -= weight;
        if u < 0.0 {
            return x;
        }
    }
    let (_, last) = weighted.last().expect("at least one part");
    last
}

fn gamma_law(shape: f64, scale: f64) -> rand_distr::Gamma<f64> {
    rand_distr::Gamma::new(shape, scale).expect("gamma parameters")
}

fn beta_law(alpha: f64, beta: f64) -> rand_distr::Beta<f64> {
    rand_distr::Beta::new(alpha, beta).expect("beta parameters")
}

fn pert(min: f64, mode: f64, max: f64) -> Sampler {
    let (a, b) = pert_shapes(min, mode, max);
    Sampler::Beta(beta_law(a, b), min, max)
}

fn pert_shapes(min: f64, mode: f64, max: f64) -> (f64, f64) {
    let width = max - min;
    (
        1.0 + 4.0 * (mode - min) / width,
        1.0 + 4.0 * (max - mode) / width,
    )
}

/// Zero of a monotone function between two ends.
fn bisect(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let rising = f(high) > f(low);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if (f(middle) > 0.0) == rising {
            high = middle;
        } else {
            low = middle;
        }
    }
    0.5 * (low + high)
}

fn between(p10: f64, p90: f64, domain: Domain) -> Sampler {
    match domain {
        Domain::Positive | Domain::IntegerFromOne => {
            Sampler::Lognormal(0.5 * (p10.ln() + p90.ln()), (p90 / p10).ln() / (2.0 * Z90))
        }
        Domain::Any | Domain::Change => {
            Sampler::Normal(0.5 * (p10 + p90), (p90 - p10) / (2.0 * Z90))
        }
        Domain::NonNegative | Domain::IntegerFromZero => {
            let point = |shape: f64, p: f64| {
                statrs::distribution::Gamma::new(shape, 1.0)
                    .expect("a gamma law")
                    .inverse_cdf(p)
            };
            let shape = if p10 == 0.0 {
                2.0
            } else {
                bisect(0.05, 500.0, |s| point(s, 0.9) / point(s, 0.1) - p90 / p10)
            };
            Sampler::Gamma(gamma_law(shape, p90 / point(shape, 0.9)))
        }
        Domain::Share => {
            let law = |mean: f64, n: f64| {
                statrs::distribution::Beta::new(mean * n, (1.0 - mean) * n).expect("a beta law")
            };
            let mean_of = |n: f64| bisect(1e-6, 1.0 - 1e-6, |m| law(m, n).cdf(p10) - 0.1);
            let n = bisect(0.1, 1e5, |n| law(mean_of(n), n).cdf(p90) - 0.9);
            let mean = mean_of(n);
            Sampler::Beta(beta_law(mean * n, (1.0 - mean) * n), 0.0, 1.0)
        }
    }
}

/// A PERT with free ends such that p10 and p90 are what was said.
fn between_probably(p10: f64, mode: f64, p90: f64) -> Sampler {
    let cdf = |a: f64, b: f64, x: f64| {
        let (alpha, beta) = pert_shapes(a, mode, b);
        statrs::distribution::Beta::new(alpha, beta)
            .expect("a beta law")
            .cdf((x - a) / (b - a))
    };
    let width = p90 - p10;
    let high_end = |a: f64| {
        bisect(p90 + 1e-9 * width, p90 + 20.0 * width, |b| {
            cdf(a, b, p90) - 0.9
        })
    };
    let a = bisect(p10 - 20.0 * width, p10 - 1e-9 * width, |a| {
        cdf(a, high_end(a), p10) - 0.1
    });
    assert!(a > 0.0, "the brute force leaves ends at the bound alone");
    pert(a, mode, high_end(a))
}

/// Mean of a log-linear quantile table.
fn table_mean(q: &[f64; 9]) -> f64 {
    (1..9)
        .map(|i| {
            let (a, b) = (q[i - 1], q[i]);
            let segment = if a == b {
                a
            } else if a <= 0.0 {
                0.5 * (a + b)
            } else {
                (b - a) / (b / a).ln()
            };
            (LEVELS[i] - LEVELS[i - 1]) * segment
        })
        .sum()
}

/// Moves p100; where that does not do, rescales the whole.
fn pin_mean(q: [f64; 9], mean: f64) -> [f64; 9] {
    let with_end = |end: f64| {
        let mut moved = q;
        moved[8] = end;
        moved
    };
    let lowest = table_mean(&with_end(q[7]));
    if mean >= lowest {
        let end = bisect(q[7], q[7] * 1e6, |end| table_mean(&with_end(end)) - mean);
        with_end(end)
    } else {
        with_end(q[7]).map(|x| x * mean / lowest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    fn sample(entry: &Quantity, domain: Domain, n: usize) -> Vec<f64> {
        let sampler = Sampler::new(entry, domain);
        let mut rng = Rng::seed_from_u64(5);
        let mut values: Vec<f64> = (0..n).map(|_| sampler.draw(domain, &mut rng)).collect();
        values.sort_by(f64::total_cmp);
        values
    }

    fn near(got: f64, want: f64, relative: f64) {
        assert!(
            (got - want).abs() <= relative * want.abs(),
            "{got} is not {want}"
        );
    }

    #[test]
    fn what_was_said_comes_out() {
        let n = 200_000;
        let at = |v: &[f64], p: f64| v[(v.len() as f64 * p) as usize];
        for (shape, domain) in [
            (
                Shape::Between {
                    p10: 24.0,
                    p90: 68.0,
                },
                Domain::Positive,
            ),
            (
                Shape::Between {
                    p10: 24.0,
                    p90: 68.0,
                },
                Domain::NonNegative,
            ),
            (
                Shape::Between {
                    p10: 24.0,
                    p90: 68.0,
                },
                Domain::Any,
            ),
            (
                Shape::BetweenProbably {
                    p10: 24.0,
                    mode: 42.0,
                    p90: 68.0,
                },
                Domain::Positive,
            ),
        ] {
            let v = sample(&shape.into(), domain, n);
            near(at(&v, 0.1), 24.0, 0.01);
            near(at(&v, 0.9), 68.0, 0.01);
        }
        let v = sample(
            &Shape::Between { p10: 0.7, p90: 0.9 }.into(),
            Domain::Share,
            n,
        );
        near(at(&v, 0.1), 0.7, 0.01);
        near(at(&v, 0.9), 0.9, 0.01);
        let v = sample(
            &Shape::Between {
                p10: 0.0,
                p90: 45.0,
            }
            .into(),
            Domain::NonNegative,
            n,
        );
        near(at(&v, 0.9), 45.0, 0.01);
        near(
            v.iter().sum::<f64>() / n as f64,
            45.0 / 3.889_720_17 * 2.0,
            0.01,
        );
    }

    #[test]
    fn a_pinned_mean_moves_the_last_segment_first() {
        let q = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 9.0, 20.0];
        let moved = pin_mean(q, 4.2);
        near(table_mean(&moved), 4.2, 1e-9);
        assert_eq!(q[..8], moved[..8]);
        let scaled = pin_mean(q, 3.0);
        near(table_mean(&scaled), 3.0, 1e-9);
        near(scaled[3] / scaled[0], 4.0, 1e-9);
    }
}
