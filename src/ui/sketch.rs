//! Geometry of a distribution's picture, from its CDF alone: so that single values and mixes show as what they are.

use crate::domain::distribution::Distribution;

/// Lowest and highest value worth showing: all but 1 in 200 below, all but a share above, never empty.
#[must_use]
pub fn span(d: &Distribution, above: f64) -> (f64, f64) {
    let (low, high) = (d.quantile(0.005), d.quantile(1.0 - above));
    if low.is_finite() && high.is_finite() && high > low {
        (low, high)
    } else {
        let at = if low.is_finite() { low } else { 0.0 };
        let half = (at.abs() * 0.5).max(0.5);
        (at - half, at + half)
    }
}

/// Probability in each of `count` equal bins of a span, as shares of the largest.
#[must_use]
pub fn heights(d: &Distribution, low: f64, high: f64, count: usize) -> Vec<f64> {
    let step = (high - low) / count.max(1) as f64;
    let ends = (1..=count).map(|i| d.cdf(low + step * i as f64));
    rises(d.cdf(low - step * 1e-9), ends)
}

/// Rises of a CDF from one value to the next, as shares of the largest.
fn rises(mut before: f64, cdf: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut out: Vec<f64> = cdf
        .map(|here| {
            let mass = (here - before).max(0.0);
            before = here;
            if mass.is_finite() { mass } else { 0.0 }
        })
        .collect();
    let most = out.iter().copied().fold(0.0, f64::max);
    if most > 0.0 {
        for h in &mut out {
            *h /= most;
        }
    }
    out
}

/// The same as a line over the middles of the bins, both axes from 0 to 1, down to 0 at both ends.
#[must_use]
pub fn curve(d: &Distribution, low: f64, high: f64, count: usize) -> Vec<(f64, f64)> {
    let heights = heights(d, low, high, count);
    let n = count.max(1) as f64;
    let mut out = vec![(0.0, heights.first().map_or(0.0, |h| h * 0.5))];
    out.extend(
        heights
            .iter()
            .enumerate()
            .map(|(i, h)| ((i as f64 + 0.5) / n, *h)),
    );
    out.push((1.0, heights.last().map_or(0.0, |h| h * 0.5)));
    out
}

/// Chance that a whole-number draw is at most `k`: draws are rounded at random, `⌊x + U⌋`, so it is the mean of the CDF
/// from `k` to `k + 1`.
#[must_use]
pub fn whole_cdf(d: &Distribution, k: f64) -> f64 {
    const PARTS: u32 = 16;
    let sum: f64 = (0..PARTS)
        .map(|i| d.cdf(k + (f64::from(i) + 0.5) / f64::from(PARTS)))
        .sum();
    sum / f64::from(PARTS)
}

/// Quantile of a whole-number field.
#[must_use]
pub fn whole_quantile(d: &Distribution, u: f64) -> f64 {
    let about = d.quantile(u).floor();
    if !about.is_finite() {
        return about;
    }
    (-1..3)
        .map(|step| about + f64::from(step))
        .find(|k| whole_cdf(d, *k) >= u)
        .unwrap_or(about)
}

/// Chances of the whole numbers from `low` on, as shares of the largest.
#[must_use]
pub fn whole_heights(d: &Distribution, low: f64, count: usize) -> Vec<f64> {
    let ends = (0..count).map(|i| whole_cdf(d, low + i as f64));
    rises(whole_cdf(d, low - 1.0), ends)
}

/// Whole numbers of a span, if there are few enough for a bar each: the first, and how many.
#[must_use]
pub fn whole_span(low: f64, high: f64, most: usize) -> Option<(f64, usize)> {
    let (first, last) = (low.floor(), high.ceil());
    let count = last - first + 1.0;
    (count >= 1.0 && count <= most as f64).then_some((first, count as usize))
}

/// Twenty values of equal chance: the middles of twentieths.
#[must_use]
pub fn twenty(d: &Distribution) -> Vec<f64> {
    (0..20)
        .map(|i| d.quantile((f64::from(i) + 0.5) / 20.0))
        .collect()
}

/// Round positions for an axis: 1, 2, 2.5 or 5 times a power of ten apart, at most `most` of them.
#[must_use]
pub fn ticks(low: f64, high: f64, most: usize) -> Vec<f64> {
    let wide = high - low;
    if !(wide > 0.0 && wide.is_finite() && low.is_finite()) {
        return vec![];
    }
    let raw = wide / most.max(1) as f64;
    // by comparison, so that no logarithm is needed
    let mut power = 1.0;
    while power > raw {
        power /= 10.0;
    }
    while power * 10.0 <= raw {
        power *= 10.0;
    }
    let step = [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|m| m * power)
        .find(|s| *s >= raw)
        .unwrap_or(10.0 * power);
    let first = (low / step).ceil();
    (0..=most)
        .map(|i| (first + i as f64) * step)
        .take_while(|x| *x <= high + step * 1e-9)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::quantity::{Domain, MixPart, Quantity, Shape};

    fn fit(shape: Shape, domain: Domain) -> Distribution {
        Distribution::fit(&Quantity::from(shape), domain)
            .expect("a fit")
            .distribution
    }

    #[test]
    fn pictures_are_finite_and_reach_their_full_height() {
        let mix = Shape::Mix(vec![
            MixPart {
                weight: 0.95,
                part: Shape::Fixed(5_000.0),
            },
            MixPart {
                weight: 0.05,
                part: Shape::Fixed(800_000.0),
            },
        ]);
        for shape in [
            Shape::Between {
                p10: 24e3,
                p90: 68e3,
            },
            Shape::Fixed(3.0),
            Shape::Fixed(0.0001),
            mix,
        ] {
            let d = fit(shape, Domain::Positive);
            let (low, high) = span(&d, 0.005);
            assert!(low < high);
            let bars = heights(&d, low, high, 12);
            assert_eq!(bars.iter().copied().fold(0.0, f64::max), 1.0);
            assert!(bars.iter().all(|h| (0.0..=1.0).contains(h)));
            let line = curve(&d, low, high, 30);
            assert!(
                line.iter()
                    .all(|(x, y)| (0.0..=1.0).contains(x) && (0.0..=1.0).contains(y))
            );
            assert!(twenty(&d).windows(2).all(|w| w[0] <= w[1]));
        }
    }

    #[test]
    fn whole_numbers_are_rounded_at_random() {
        let d = fit(Shape::Fixed(2.25), Domain::IntegerFromOne);
        let bars = whole_heights(&d, 1.0, 4);
        // a quarter of the draws is 3
        for (bar, want) in bars.iter().zip([0.0, 1.0, 1.0 / 3.0, 0.0]) {
            assert!((bar - want).abs() < 0.05, "{bars:?}");
        }
        assert_eq!(whole_quantile(&d, 0.5), 2.0);
        assert_eq!(whole_quantile(&d, 0.9), 3.0);
        assert_eq!(whole_span(1.2, 3.4, 12), Some((1.0, 4)));
        assert_eq!(whole_span(0.0, 100.0, 12), None);
        assert_eq!(whole_span(f64::NAN, 3.0, 12), None);
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(0.0, 100e3, 5), [0.0, 20e3, 40e3, 60e3, 80e3, 100e3]);
        assert_eq!(ticks(7.0, 31.0, 5), [10.0, 15.0, 20.0, 25.0, 30.0]);
        assert!(ticks(1.0, 1.0, 5).is_empty());
        assert!(ticks(f64::NAN, 1.0, 5).is_empty());
    }
}
