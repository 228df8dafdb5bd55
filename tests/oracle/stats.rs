//! Own statistics: means with errors, exact order-statistic intervals, a two-sample z.

/// Mean and its standard error.
pub fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// Mean and its standard error where trials of one batch share some luck: the error of the batches' means.
pub fn mean_and_batch_error(values: &[f64], batches: usize) -> (f64, f64) {
    let means: Vec<f64> = values
        .chunks(values.len() / batches)
        .map(|batch| mean_and_error(batch).0)
        .collect();
    mean_and_error(&means)
}

/// Difference of two means in standard errors; 0 where they are equal but for the last bits.
pub fn standardised_difference(a: (f64, f64), b: (f64, f64)) -> f64 {
    let difference = a.0 - b.0;
    // Columns of physical quantities keep seven digits.
    if difference.abs() <= 1e-6 * a.0.abs().max(b.0.abs()) {
        return 0.0;
    }
    difference / a.1.hypot(b.1)
}

/// The quantile that is a value of the sample, and its interval by exact binomial ranks with this much in each tail.
pub fn quantile_interval(values: &[f64], p: f64, tail: f64) -> (f64, f64, f64) {
    use statrs::distribution::{Binomial, DiscreteCDF};
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    let below = Binomial::new(p, n as u64).expect("a binomial law");
    // Rank r (from 1) is a lower bound if P(B >= r) >= 1 - tail, an upper one if P(B < r) >= 1 - tail.
    let mut ranks = 1..=n;
    let low = ranks
        .clone()
        .rev()
        .find(|r| 1.0 - below.cdf(*r as u64 - 1) >= 1.0 - tail);
    let high = ranks.find(|r| below.cdf(*r as u64 - 1) >= 1.0 - tail);
    let value = sorted[((n as f64 * p).ceil() as usize).clamp(1, n) - 1];
    (
        low.map_or(f64::NEG_INFINITY, |r| sorted[r - 1]),
        value,
        high.map_or(f64::INFINITY, |r| sorted[r - 1]),
    )
}

/// Two-sided critical value of Student's law for a familywise level over a number of tests (Bonferroni).
pub fn critical(level: f64, tests: usize, freedom: f64) -> f64 {
    use statrs::distribution::ContinuousCDF;
    statrs::distribution::StudentsT::new(0.0, 1.0, freedom)
        .expect("Student's law")
        .inverse_cdf(1.0 - level / (2.0 * tests as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        assert!((critical(0.05, 1, 100.0) - 1.983_972).abs() < 1e-4);
        assert!((critical(0.05, 1, 9.0) - 2.262_157).abs() < 1e-4);
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        let (low, value, high) = quantile_interval(&values, 0.5, 0.025);
        assert_eq!((low, value, high), (40.0, 50.0, 61.0));
        let (mean, error) = mean_and_batch_error(&[1.0, 1.0, 3.0, 3.0], 2);
        assert_eq!((mean, error), (2.0, 1.0));
    }
}
