//! From trials to numbers with their Monte Carlo error: quantiles that are trials, exact order-statistic intervals,
//! Wilson intervals, CVaR, rank correlation. All intervals are 95 %.
//!
//! Sums run in trial order and only + − × ÷ sqrt are used, so the same trials give the same bits on every target.

use super::projection::{Chance, Summary};

mod select;

pub use select::Summarizer;

/// Half width of a 95 % normal interval in standard deviations.
pub const Z: f64 = 1.959_964;

/// Most that either side of a 95 % interval may leave out.
const TAIL: f64 = 0.025;

/// Index of the inverse-ECDF quantile in sorted values: `ceil(n p) - 1`, in integers. 0 for `n` = 0.
#[must_use]
pub const fn quantile_index(n: usize, permille: u32) -> usize {
    (n as u64 * permille as u64)
        .div_ceil(1000)
        .saturating_sub(1) as usize
}

/// Inverse-ECDF quantile of values in ascending order; 0 without values. Always one of the values.
#[must_use]
pub fn quantile(sorted: &[f64], permille: u32) -> f64 {
    sorted
        .get(quantile_index(sorted.len(), permille))
        .copied()
        .unwrap_or(0.0)
}

/// The trial that a quantile opens: of equal values the lowest trial number. None if no trial has that value.
#[must_use]
pub fn trial_of(in_trial_order: &[f64], value: f64) -> Option<u32> {
    let at = in_trial_order.iter().position(|x| *x == value)?;
    u32::try_from(at).ok()
}

/// Ranks (from 1) of the order statistics that enclose a quantile with 95 % confidence, each tail at most 2.5 %, by the
/// exact binomial law of the number of values below the quantile. None: no rank reaches that far, there is no bound.
#[must_use]
pub fn order_interval(n: usize, permille: u32) -> (Option<usize>, Option<usize>) {
    if n == 0 || permille == 0 || permille >= 1000 {
        return (None, None);
    }
    let p = f64::from(permille) / 1000.0;
    let odds = p / (1.0 - p);
    // weights relative to the mode, walked outwards until they no longer count: no logarithm, no overflow
    let mode = (((n as u64 + 1) * u64::from(permille)) / 1000).min(n as u64) as usize;
    let mut below = Vec::new(); // weights of mode-1, mode-2, …
    let mut weight = 1.0;
    let mut k = mode;
    while k > 0 && weight > 1e-25 {
        weight *= k as f64 / ((n - k + 1) as f64 * odds);
        k -= 1;
        below.push(weight);
    }
    let mut above = Vec::new(); // weights of mode+1, mode+2, …
    weight = 1.0;
    k = mode;
    while k < n && weight > 1e-25 {
        weight *= (n - k) as f64 * odds / (k + 1) as f64;
        k += 1;
        above.push(weight);
    }
    // smallest first, so that nothing is lost
    let total = below.iter().rev().sum::<f64>() + above.iter().rev().sum::<f64>() + 1.0;
    let first = mode - below.len();
    let last = mode + above.len();
    let weight_of = |k: usize| {
        if k < mode {
            below[mode - k - 1]
        } else if k > mode {
            above[k - mode - 1]
        } else {
            1.0
        }
    };
    // low: largest rank l with P(B <= l - 1) <= 2.5 %
    let mut low = None;
    let mut mass = 0.0;
    for k in first..=last {
        mass += weight_of(k) / total;
        if mass > TAIL {
            break;
        }
        low = Some(k + 1);
    }
    if low.is_none() && first > 0 {
        low = Some(first); // everything below `first` has no mass at all
    }
    // high: smallest rank u with P(B >= u) <= 2.5 %
    let mut high = None;
    mass = 0.0;
    for k in (first..=last).rev() {
        mass += weight_of(k) / total;
        if mass > TAIL || k == 0 {
            break;
        }
        high = Some(k);
    }
    (low.filter(|l| *l <= n), high)
}

/// Wilson interval of `count` in `of`; (0, 1) without trials.
#[must_use]
pub fn wilson(count: u32, of: u32) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    let n = f64::from(of);
    let share = f64::from(count.min(of)) / n;
    let z2 = Z * Z;
    let scale = 1.0 + z2 / n;
    let middle = (share + z2 / (2.0 * n)) / scale;
    let half = Z * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt() / scale;
    let low = if count == 0 {
        0.0
    } else {
        (middle - half).max(0.0)
    };
    let high = if count >= of {
        1.0
    } else {
        (middle + half).min(1.0)
    };
    (low, high)
}

/// A share of trials with its Wilson interval.
#[must_use]
pub fn chance(count: u32, of: u32) -> Chance {
    let (low, high) = wilson(count, of);
    Chance {
        count: count.min(of),
        of,
        low,
        high,
    }
}

/// Σ f(x) in four lanes: the order of the additions depends on nothing but the number of values.
fn sum_of(values: &[f64], f: impl Fn(f64) -> f64) -> f64 {
    let mut lanes = [0.0; 4];
    let (fours, tail) = values.as_chunks::<4>();
    for four in fours {
        for (lane, x) in lanes.iter_mut().zip(four) {
            *lane += f(*x);
        }
    }
    for (lane, x) in lanes.iter_mut().zip(tail) {
        *lane += f(*x);
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}

/// Mean of values in trial order; 0 without values.
#[must_use]
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    sum_of(values, |x| x) / values.len() as f64
}

/// Mean and half width of its 95 % interval; the half width is 0 with fewer than two values.
#[must_use]
pub fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let mean = mean(values);
    if values.len() < 2 {
        return (mean, 0.0);
    }
    let n = values.len() as f64;
    let squares = sum_of(values, |x| (x - mean) * (x - mean));
    (mean, Z * (squares / (n - 1.0) / n).sqrt())
}

/// Ratio of two means, and the half width of its 95 % interval, from pairs: to first order the ratio errs as the mean of
/// (y - r x) / mean x does (delta method). None if the mean below is not above 0.
#[must_use]
pub fn ratio_and_error(above: &[f64], below: &[f64]) -> Option<(f64, f64)> {
    let under = mean(below);
    let ratio = mean(above) / under;
    if under <= 0.0 || !ratio.is_finite() {
        return None;
    }
    let pairs = above.iter().zip(below);
    let rest: Vec<f64> = pairs.map(|(y, x)| (y - ratio * x) / under).collect();
    Some((ratio, mean_and_error(&rest).1))
}

/// Mean of the worst 5 % of values in ascending order: VaR + Σ(x − VaR)⁺ / (0.05 n), VaR the inverse-ECDF p95.
#[must_use]
pub fn cvar95(sorted: &[f64]) -> f64 {
    if sorted.is_empty() {
        return 0.0;
    }
    let at = quantile_index(sorted.len(), 950);
    let var = sorted[at];
    let beyond: f64 = sorted[at..].iter().map(|x| x - var).sum();
    var + beyond / (0.05 * sorted.len() as f64)
}

/// E[(X − B)⁺] and, if any value is above B, E[X − B | X > B]; also how many are.
#[must_use]
pub fn excess(values: &[f64], limit: f64) -> (f64, Option<f64>, u32) {
    let mut sum = 0.0;
    let mut count = 0_u32;
    for x in values {
        if *x > limit {
            sum += x - limit;
            count += 1;
        }
    }
    if count == 0 {
        return (0.0, None, 0);
    }
    (
        sum / values.len() as f64,
        Some(sum / f64::from(count)),
        count,
    )
}

/// Bits of a number, ordered as the numbers are (−0 before 0).
const fn order_key(x: f64) -> u64 {
    let bits = x.to_bits();
    // all bits of a negative number turn round, only the sign of a positive one
    bits ^ (((bits as i64 >> 63) as u64) | (1 << 63))
}

/// Summary of one column in trial order. For many columns: [`Summarizer`].
#[must_use]
pub fn summary(values: &[f64]) -> Summary {
    Summarizer::new(values.len()).summary(values)
}

/// Ranks of values, centred and scaled to length 1, ties averaged. All 0 if the values do not differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranks(Vec<f64>);

impl Ranks {
    /// Of values by trial.
    #[must_use]
    pub fn of(values: &[f64]) -> Self {
        Self::of_ordered(values, &order(values))
    }

    /// Of values whose [`order`] is known.
    #[must_use]
    pub fn of_ordered(values: &[f64], order: &[u32]) -> Self {
        let mut ranks = vec![0.0; values.len()];
        let middle = (values.len() as f64 - 1.0) / 2.0;
        let mut first = 0;
        let mut squares = 0.0;
        for tie in order.chunk_by(|a, b| values[*a as usize] == values[*b as usize]) {
            let rank = first as f64 + (tie.len() as f64 - 1.0) / 2.0 - middle;
            first += tie.len();
            squares += tie.len() as f64 * rank * rank;
            for trial in tie {
                ranks[*trial as usize] = rank;
            }
        }
        if squares > 0.0 {
            let length = squares.sqrt();
            for rank in &mut ranks {
                *rank /= length;
            }
        }
        Self(ranks)
    }

    /// Rank correlation with another column of the same trials, −1 to 1; 0 where either does not differ.
    #[must_use]
    pub fn correlation(&self, other: &Self) -> f64 {
        let sum: f64 = self.0.iter().zip(&other.0).map(|(a, b)| a * b).sum();
        sum.clamp(-1.0, 1.0)
    }
}

/// Trials in ascending order of their values; equal values in trial order.
#[must_use]
pub fn order(values: &[f64]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..).take(values.len()).collect();
    // + 0.0 makes the two zeros one
    order.sort_unstable_by_key(|t| (order_key(values[*t as usize] + 0.0), *t));
    order
}

/// Spearman's rank correlation, ties averaged.
#[must_use]
pub fn rank_correlation(x: &[f64], y: &[f64]) -> f64 {
    Ranks::of(x).correlation(&Ranks::of(y))
}

/// Sorts numbers >= 0: their bits are in the same order, and one sort of whole numbers serves the whole worker.
pub fn sort_not_negative(values: &mut [f64]) {
    let mut bits: Vec<u64> = values.iter().map(|x| (x + 0.0).to_bits()).collect();
    bits.sort_unstable();
    for (x, bits) in values.iter_mut().zip(bits) {
        *x = f64::from_bits(bits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::projection::PERMILLE;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn a_quantile_is_a_trial() {
        assert_eq!(quantile_index(10, 50), 0);
        assert_eq!(quantile_index(10, 100), 0);
        assert_eq!(quantile_index(10, 950), 9);
        assert_eq!(quantile_index(1000, 950), 949);
        assert_eq!(quantile_index(10, 1000), 9);
        assert_eq!(quantile_index(0, 500), 0);
        assert_eq!(quantile(&[], 500), 0.0);
        assert_eq!(trial_of(&[3.0, 1.0, 1.0, 2.0], 1.0), Some(1));
        assert_eq!(trial_of(&[3.0], 1.0), None);
    }

    #[test]
    fn a_p99_has_an_upper_bound_from_368_trials() {
        assert_eq!(order_interval(367, 990).1, None);
        assert_eq!(order_interval(368, 990).1, Some(368));
        assert!(order_interval(367, 990).0.is_some());
        // and a p5 a lower one from 72: 0.95^72 = 0.0249
        assert_eq!(order_interval(71, 50).0, None);
        assert_eq!(order_interval(72, 50).0, Some(1));
        assert_eq!(order_interval(0, 500), (None, None));
        assert_eq!(order_interval(1, 500), (None, None));
    }

    #[test]
    fn order_intervals_agree_with_the_binomial_law() {
        use statrs::distribution::{Binomial, DiscreteCDF};
        for n in [2_usize, 5, 6, 40, 100, 371, 1000, 2500, 10_000, 100_000] {
            for permille in PERMILLE {
                let law = Binomial::new(f64::from(permille) / 1000.0, n as u64).expect("law");
                let (low, high) = order_interval(n, permille);
                let below = |k: usize| if k == 0 { 0.0 } else { law.cdf(k as u64 - 1) };
                match low {
                    Some(l) => assert!(
                        below(l) <= 0.025 && below(l + 1) > 0.025,
                        "{n} {permille} {l}"
                    ),
                    None => assert!(below(1) > 0.025, "{n} {permille}"),
                }
                match high {
                    Some(u) => assert!(
                        1.0 - below(u) <= 0.025 && 1.0 - below(u - 1) > 0.025,
                        "{n} {permille} {u}"
                    ),
                    None => assert!(1.0 - below(n) > 0.025, "{n} {permille}"),
                }
            }
        }
    }

    #[test]
    fn wilson_ends_are_exact_at_the_edges() {
        assert_eq!(wilson(0, 0), (0.0, 1.0));
        assert_eq!(wilson(0, 100).0, 0.0);
        assert_eq!(wilson(100, 100).1, 1.0);
        // 0 of n: upper end z² / (n + z²)
        close(wilson(0, 100).1, Z * Z / (100.0 + Z * Z), 1e-15);
        assert_eq!(chance(7, 10).share(), 0.7);
    }

    #[test]
    fn excess_is_over_the_limit_only() {
        assert_eq!(excess(&[1.0, 2.0, 3.0, 4.0], 2.0), (0.75, Some(1.5), 2));
        assert_eq!(excess(&[1.0, 2.0], 2.0), (0.0, None, 0));
        assert_eq!(excess(&[], 2.0), (0.0, None, 0));
    }

    #[test]
    fn nothing_in_gives_zeros_and_no_bounds() {
        assert_eq!(summary(&[]), Summary::default());
        let one = summary(&[7.0]);
        assert_eq!(
            (one.mean, one.mean_error, one.p[0], one.p[7]),
            (7.0, 0.0, 7.0, 7.0)
        );
        assert_eq!(one.high, [None; 8]);
        assert_eq!(one.low[3], None);
        assert_eq!(cvar95(&[]), 0.0);
        assert_eq!(cvar95(&[3.0]), 3.0);
    }

    #[test]
    fn mean_error_is_that_of_the_mean() {
        // 1 2 3 4: variance 5/3
        let (mean, error) = mean_and_error(&[1.0, 2.0, 3.0, 4.0]);
        assert_eq!(mean, 2.5);
        close(error, Z * (5.0_f64 / 12.0).sqrt(), 1e-15);
    }

    #[test]
    fn ties_share_their_rank() {
        // ranks 1, 2.5, 2.5, 4 against 1 2 3 4: 4.5 / sqrt(4.5 × 5)
        close(
            rank_correlation(&[1.0, 5.0, 5.0, 9.0], &[1.0, 2.0, 3.0, 4.0]),
            4.5 / 22.5_f64.sqrt(),
            1e-15,
        );
        assert_eq!(rank_correlation(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]), 0.0);
        close(
            rank_correlation(&[1.0, 2.0, 3.0], &[-1.0, -8.0, -9.0]),
            -1.0,
            1e-15,
        );
        assert_eq!(rank_correlation(&[], &[]), 0.0);
        assert_eq!(order(&[0.0, -1.0, -0.0]), [1, 0, 2]);
    }

    #[test]
    fn the_error_of_a_ratio_is_that_of_drawing_the_pairs_again() {
        // cost moves with requests and has a spread of its own
        let mut state = 9_u64;
        let mut uniform = move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let (mut cost, mut requests) = (Vec::new(), Vec::new());
        for _ in 0..400 {
            let n = 1_000.0 * (0.5 + uniform());
            requests.push(n);
            cost.push(n * (2.0 + uniform()) + 300.0 * uniform());
        }
        let (ratio, error) = ratio_and_error(&cost, &requests).expect("a ratio");
        assert!((ratio - mean(&cost) / mean(&requests)).abs() < 1e-12);
        let again: Vec<f64> = (0..4_000)
            .map(|_| {
                let (mut y, mut x) = (0.0, 0.0);
                for _ in 0..400 {
                    let at = (uniform() * 400.0) as usize;
                    y += cost[at];
                    x += requests[at];
                }
                y / x
            })
            .collect();
        let middle = mean(&again);
        let squares: f64 = again.iter().map(|r| (r - middle) * (r - middle)).sum();
        let brute = Z * f64::sqrt(squares / 3_999.0);
        assert!((error / brute - 1.0).abs() < 0.05, "{error} {brute}");
        // not that of the mean of ratios, and none where both move together
        let fixed: Vec<f64> = requests.iter().map(|n| 3.0 * n).collect();
        let (ratio, error) = ratio_and_error(&fixed, &requests).expect("a ratio");
        assert!((ratio - 3.0).abs() < 1e-12 && error < 1e-12);
        assert_eq!(ratio_and_error(&[1.0, 2.0], &[0.0, 0.0]), None);
    }
}
