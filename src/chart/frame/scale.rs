//! From numbers to pixels and back.

/// A linear scale. A domain without extent maps everything to the middle of the range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linear {
    /// Values at the ends.
    pub domain: (f64, f64),
    /// Pixels at the ends.
    pub range: (f64, f64),
}

impl Linear {
    /// A scale; ends that are not numbers are taken as 0 to 1.
    #[must_use]
    pub fn new(domain: (f64, f64), range: (f64, f64)) -> Self {
        let domain = if domain.0.is_finite() && domain.1.is_finite() {
            domain
        } else {
            (0.0, 1.0)
        };
        Self { domain, range }
    }

    /// Pixel of a value; what is not a number lies at the start.
    #[must_use]
    pub fn to(&self, value: f64) -> f64 {
        let extent = self.domain.1 - self.domain.0;
        if extent == 0.0 {
            return f64::midpoint(self.range.0, self.range.1);
        }
        let share = (value - self.domain.0) / extent;
        if share.is_nan() {
            return self.range.0;
        }
        // far outside is still drawn outside, but in coordinates that a canvas can count
        self.range.0 + share.clamp(-50.0, 50.0) * (self.range.1 - self.range.0)
    }

    /// Value at a pixel.
    #[must_use]
    pub fn from(&self, pixel: f64) -> f64 {
        let extent = self.range.1 - self.range.0;
        if extent == 0.0 {
            return self.domain.0;
        }
        self.domain.0 + (pixel - self.range.0) / extent * (self.domain.1 - self.domain.0)
    }
}

/// Round steps for an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    /// Distance of two ticks: 1, 2, 2.5 or 5 times a power of ten.
    pub step: f64,
    /// The ticks inside the domain, in order.
    pub ticks: Vec<f64>,
}

/// About `count` ticks from `low` to `high`; a domain without extent has one tick.
#[must_use]
pub fn steps(low: f64, high: f64, count: usize) -> Steps {
    let (low, high) = if low > high { (high, low) } else { (low, high) };
    let extent = high - low;
    if !extent.is_finite() || extent <= 0.0 {
        return Steps {
            step: 1.0,
            ticks: if low.is_finite() { vec![low] } else { vec![] },
        };
    }
    let rough = extent / count.max(1) as f64;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|m| m * power)
        .find(|s| *s >= rough * 0.999)
        .unwrap_or(10.0 * power);
    let first = (low / step - 1e-9).ceil();
    let last = (high / step + 1e-9).floor();
    let ticks = (0..=(last - first).max(0.0) as usize)
        .map(|i| {
            let tick = (first + i as f64) * step;
            if tick == 0.0 { 0.0 } else { tick } // no minus zero
        })
        .take(100)
        .collect();
    Steps { step, ticks }
}

/// The same with the step a whole number, for counts that have no fractions.
#[must_use]
pub fn whole_steps(low: f64, high: f64, count: usize) -> Steps {
    let found = steps(low, high, count);
    if found.step >= 1.0 && found.step.fract() == 0.0 {
        return found;
    }
    if found.step < 1.0 {
        steps(
            low.floor(),
            high.ceil(),
            ((high.ceil() - low.floor()) as usize).max(1),
        )
    } else {
        // 2.5
        steps(low, high, (count * 2 / 3).max(1))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pixels_go_back_to_values(a in -1e9..1e9f64, extent in 1e-3..1e9f64, share in 0.0..1.0f64, width in 1.0..4000.0f64) {
            let s = Linear::new((a, a + extent), (30.0, 30.0 + width));
            let value = a + extent * share;
            prop_assert!((s.from(s.to(value)) - value).abs() <= 1e-6 * extent + 1e-9 * a.abs());
            // and upside down, as y axes are
            let s = Linear::new((a, a + extent), (width, 0.0));
            prop_assert!((s.from(s.to(value)) - value).abs() <= 1e-6 * extent + 1e-9 * a.abs());
        }

        #[test]
        fn ticks_lie_inside_in_order_and_are_not_many(a in -1e12..1e12f64, extent in 1e-6..1e12f64, count in 2usize..8) {
            let s = steps(a, a + extent, count);
            prop_assert!(s.ticks.len() <= count + 1);
            prop_assert!(s.ticks.windows(2).all(|t| t[0] < t[1]));
            let slack = s.step * 1e-6;
            prop_assert!(s.ticks.iter().all(|t| *t >= a - slack && *t <= a + extent + slack));
        }
    }

    #[test]
    fn round_steps() {
        assert_eq!(steps(0.0, 7.0, 4).ticks, [0.0, 2.0, 4.0, 6.0]);
        assert_eq!(steps(-31.0, 51.0, 4).ticks, [-25.0, 0.0, 25.0, 50.0]);
        assert_eq!(whole_steps(0.0, 2.0, 5).ticks, [0.0, 1.0, 2.0]);
        assert_eq!(whole_steps(0.0, 11.0, 4).step, 5.0);
    }

    #[test]
    fn degenerate_domains_neither_divide_by_zero_nor_loop() {
        let s = Linear::new((3.0, 3.0), (0.0, 100.0));
        assert_eq!(s.to(3.0), 50.0);
        assert_eq!(s.to(f64::NAN), 50.0);
        assert_eq!(Linear::new((0.0, 1.0), (7.0, 7.0)).from(9.0), 0.0);
        assert!(Linear::new((f64::NAN, 1.0), (0.0, 1.0)).to(0.5).is_finite());
        assert!(Linear::new((0.0, 1e-300), (0.0, 1.0)).to(1e300).is_finite());
        assert_eq!(steps(5.0, 5.0, 4).ticks, [5.0]);
        assert!(steps(f64::NAN, 1.0, 4).ticks.is_empty());
        assert!(steps(0.0, f64::INFINITY, 4).ticks.len() <= 1);
    }
}
