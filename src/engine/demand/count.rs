//! How many requests there are: a Poisson count whose rate is restless from minute to minute (gamma), by inverse CDF
//! from one uniform.

use crate::domain::distribution::special::normal_quantile;

/// Up to this mean the probabilities are summed exactly; above, the Cornish–Fisher expansion is used.
const EXACT_UP_TO: f64 = 60.0;

/// Σ over all lags of ρ^|lag|: variance of a long sum of minutes, per minute.
#[must_use]
pub fn long_run_variance(persistence: f64) -> f64 {
    (1.0 + persistence) / (1.0 - persistence)
}

/// h of model section 3: variance of the mean of 60 minutes, per variance of one.
#[must_use]
pub fn hour_variance(persistence: f64) -> f64 {
    let rest = 1.0 - persistence;
    let mut power = 1.0;
    for _ in 0..60 {
        power *= persistence;
    }
    (long_run_variance(persistence) - 2.0 * persistence * (1.0 - power) / (60.0 * rest * rest))
        / 60.0
}

/// Σ Σ ρ^|d-e| over the minutes of a window: variance of their sum, per variance of one.
#[must_use]
pub fn window_variance(persistence: f64, minutes: f64) -> f64 {
    let rest = 1.0 - persistence;
    let far = if persistence > 0.0 {
        libm::pow(persistence, minutes)
    } else {
        0.0
    };
    minutes * long_run_variance(persistence) - 2.0 * persistence * (1.0 - far) / (rest * rest)
}

/// A count with this mean and the variance `mean + extra`, the extra from a gamma rate (negative binomial).
#[must_use]
pub fn draw(mean: f64, extra: f64, u: f64) -> u64 {
    if mean <= 0.0 {
        0
    } else if mean <= EXACT_UP_TO {
        exact(mean, extra, u)
    } else {
        expanded(mean, extra, u)
    }
}

fn exact(mean: f64, extra: f64, mut u: f64) -> u64 {
    // shape of the gamma; P(n+1)/P(n) = (shape + n) / (n + 1) × mean / (shape + mean)
    let shape = mean * mean / extra; // infinite for Poisson
    let (mut p, odds) = if shape > 1e12 {
        (libm::exp(-mean), 0.0)
    } else {
        (
            libm::exp(-shape * libm::log1p(mean / shape)),
            mean / (shape + mean),
        )
    };
    let mut n = 0u32;
    let most = (100.0 * (mean + extra) + 1_000.0) as u32;
    while u > p && n < most {
        u -= p;
        let k = f64::from(n);
        p *= if odds == 0.0 {
            mean / (k + 1.0)
        } else {
            (shape + k) / (k + 1.0) * odds
        };
        n += 1;
    }
    u64::from(n)
}

/// Cornish–Fisher to the fourth cumulant, rounded to the nearest count.
fn expanded(mean: f64, extra: f64, u: f64) -> u64 {
    let variance = mean + extra;
    let sd = f64::sqrt(variance);
    let ratio = extra / mean;
    let third = (mean + 3.0 * extra + 2.0 * extra * ratio) / (variance * sd);
    let fourth = (mean + 7.0 * extra + 12.0 * extra * ratio + 6.0 * extra * ratio * ratio)
        / (variance * variance);
    cornish_fisher(mean, sd, third, fourth, u)
}

/// How many of `n` have a property that each has with probability `p`, by inverse CDF.
#[must_use]
pub fn binomial(n: u64, p: f64, u: f64) -> u64 {
    if n == 0 || p <= 0.0 {
        return 0;
    }
    if p > 0.5 {
        return n - binomial(n, 1.0 - p, 1.0 - u);
    }
    let (count, rest) = (n as f64, 1.0 - p);
    let (mean, variance) = (count * p, count * p * rest);
    if mean > EXACT_UP_TO {
        let sd = f64::sqrt(variance);
        let (third, fourth) = ((1.0 - 2.0 * p) / sd, (1.0 - 6.0 * p * rest) / variance);
        return cornish_fisher(mean, sd, third, fourth, u).min(n);
    }
    let (mut u, mut k) = (u, 0.0);
    let mut weight = libm::exp(count * libm::log1p(-p));
    while u > weight && k < count.min(1_000.0) {
        u -= weight;
        weight *= (count - k) / (k + 1.0) * (p / rest);
        k += 1.0;
    }
    k as u64
}

fn cornish_fisher(mean: f64, sd: f64, third: f64, fourth: f64, u: f64) -> u64 {
    let z = normal_quantile(u);
    let z2 = z * z;
    let w = z + (z2 - 1.0) * third / 6.0 + z * (z2 - 3.0) * fourth / 24.0
        - z * (2.0 * z2 - 5.0) * third * third / 36.0;
    // the half makes P(N <= n) the value of the continuous law at n + 1/2
    (mean + sd * w + 0.5).max(0.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums the negative binomial itself.
    fn exact_cdf(mean: f64, extra: f64, n: u64) -> f64 {
        let shape = mean * mean / extra;
        let mut p = (-shape * (mean / shape).ln_1p()).exp();
        let mut sum = p;
        for k in 0..n {
            p *= (shape + k as f64) / (k as f64 + 1.0) * mean / (shape + mean);
            sum += p;
        }
        sum
    }

    #[test]
    fn shares_of_a_count_are_quantiles_of_the_binomial_law() {
        for (n, p) in [
            (1u64, 0.3),
            (20, 0.05),
            (500, 0.02),
            (500, 0.4),
            (90_000, 0.9),
            (7, 1.0),
        ] {
            let (mut sum, mut square) = (0.0, 0.0);
            let steps = 20_000;
            for i in 0..steps {
                let x = binomial(n, p, (f64::from(i) + 0.5) / f64::from(steps)) as f64;
                sum += x;
                square += x * x;
            }
            let mean = sum / f64::from(steps);
            let variance = square / f64::from(steps) - mean * mean;
            let want = n as f64 * p;
            assert!((mean / want - 1.0).abs() < 2e-3, "{n} {p}: {mean}");
            assert!(
                (variance - want * (1.0 - p)).abs() < 0.01 * want.max(0.1),
                "{n} {p}: {variance}"
            );
        }
        assert_eq!(binomial(0, 0.5, 0.9), 0);
        assert_eq!(binomial(9, 0.0, 0.9), 0);
    }

    #[test]
    fn counts_are_quantiles_of_the_law() {
        for (mean, extra) in [
            (0.3, 0.2),
            (5.0, 1.0),
            (59.0, 100.0),
            (61.0, 30.0),
            (200.0, 400.0),
            (3_000.0, 40_000.0),
        ] {
            for i in 1..200 {
                let u = f64::from(i) / 200.0;
                let n = draw(mean, extra, u);
                let above = exact_cdf(mean, extra, n);
                let below = if n == 0 {
                    0.0
                } else {
                    exact_cdf(mean, extra, n - 1)
                };
                let slack = if mean > EXACT_UP_TO { 0.004 } else { 1e-9 };
                assert!(
                    below - slack <= u && u <= above + slack,
                    "{mean} {extra} {u}: {n} in {below}..{above}"
                );
            }
        }
    }

    #[test]
    fn poisson_and_nothing() {
        assert_eq!(draw(0.0, 0.0, 0.5), 0);
        assert_eq!(draw(2.0, 0.0, 0.5), 2);
        let mean: f64 = (0..10_000)
            .map(|i| draw(40.0, 0.0, (f64::from(i) + 0.5) / 10_000.0) as f64)
            .sum::<f64>()
            / 10_000.0;
        assert!((mean - 40.0).abs() < 0.01);
    }

    /// model.md section 3: one hour of minutes with persistence 0.3.
    #[test]
    fn variance_of_an_hour() {
        let mut double_sum = 0.0;
        for i in 0..60i32 {
            for j in 0..60i32 {
                double_sum += 0.3f64.powi((i - j).abs());
            }
        }
        assert!((hour_variance(0.3) - double_sum / 3_600.0).abs() < 1e-12);
        assert!((hour_variance(0.0) - 1.0 / 60.0).abs() < 1e-15);
    }
}
