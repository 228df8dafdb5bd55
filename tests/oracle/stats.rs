//! Own statistics: means with errors, exact order-statistic intervals, a two-sample z.

/// Mean and its standard error.
pub fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// Welch's z of two samples; 0 where both are constant and equal.
pub fn welch(a: &[f64], b: &[f64]) -> f64 {
    let ((mean_a, error_a), (mean_b, error_b)) = (mean_and_error(a), mean_and_error(b));
    let difference = mean_a - mean_b;
    // Sums in another order differ in the last bits.
    if difference.abs() <= 1e-9 * mean_a.abs().max(mean_b.abs()) {
        return 0.0;
    }
    difference / error_a.hypot(error_b)
}

/// The quantile that is a value of the sample, and its interval by exact binomial ranks with this much in each tail.
pub fn quantile_interval(values: &[f64], p: f64, tail: f64) -> (f64, f64, f64) {
    use statrs::distribution::{Binomial, DiscreteCDF};
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    let below = Binomial::new(p, n as u64).expect("a binomial law");
    // Rank r (from 1) is a lower bound if P(B >= r) >= 1 - tail, an upper one if P(B < r) >= 1 - tail.
    let low = (1..=n)
        .rev()
        .find(|r| 1.0 - below.cdf(*r as u64 - 1) >= 1.0 - tail);
    let high = (1..=n).find(|r| below.cdf(*r as u64 - 1) >= 1.0 - tail);
    let value = sorted[((n as f64 * p).ceil() as usize).clamp(1, n) - 1];
    (
        low.map_or(f64::NEG_INFINITY, |r| sorted[r - 1]),
        value,
        high.map_or(f64::INFINITY, |r| sorted[r - 1]),
    )
}

/// Two-sided critical z of a familywise level over a number of tests (Bonferroni).
pub fn critical_z(level: f64, tests: usize) -> f64 {
    use statrs::distribution::ContinuousCDF;
    statrs::distribution::Normal::new(0.0, 1.0)
        .expect("a normal law")
        .inverse_cdf(1.0 - level / (2.0 * tests as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        assert!((critical_z(0.05, 1) - 1.959_964).abs() < 1e-6);
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        let (low, value, high) = quantile_interval(&values, 0.5, 0.025);
        assert_eq!((low, value, high), (40.0, 50.0, 61.0));
        assert!(welch(&[1.0, 2.0, 3.0], &[2.0, 3.0, 4.0]) < -1.0);
    }
}
