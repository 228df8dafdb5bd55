//! How much of a pool an hour needs. Needs follow the law of an hour's rate, not the luck of its minutes.

pub mod gpu;

use super::requests::minute::law::MinuteTerms;

/// Mean and variance of one minute's load, hour by hour, summed over features.
#[derive(Clone, Debug, Default)]
pub struct Loads {
    /// Mean.
    pub mean: Vec<f64>,
    /// Variance.
    pub variance: Vec<f64>,
}

impl Loads {
    /// Empties all for a number of hours.
    pub fn clear(&mut self, hours: usize) {
        for row in [&mut self.mean, &mut self.variance] {
            row.clear();
            row.resize(hours, 0.0);
        }
    }

    /// Adds a feature in some hours; `rates` are those of the same hours.
    pub fn add(&mut self, hours: std::ops::Range<usize>, rates: &[f64], t: &MinuteTerms) {
        let rows = self.mean[hours.clone()]
            .iter_mut()
            .zip(&mut self.variance[hours]);
        for ((mean, variance), r) in rows.zip(rates) {
            let r = *r;
            *mean += r * t.mean;
            *variance += r * (t.variance.0 + r * t.variance.1);
        }
    }
}

/// The smallest whole number that is not below x, up to rounding errors of x; for 0 <= x < 2^53.
#[inline]
#[must_use]
pub fn whole_up(x: f64) -> f64 {
    let x = x - 1e-9 * x.max(1.0);
    let below = x as i64 as f64;
    if below < x {
        below + 1.0
    } else {
        below.max(0.0)
    }
}

/// What the hours of a month say about a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitMonth {
    /// Lowest headroom.
    pub headroom: f64,
    /// Highest need.
    pub needed: f64,
    /// Hours with a headroom below 0.
    pub breach_hours: u32,
}

impl Default for LimitMonth {
    fn default() -> Self {
        Self {
            headroom: f64::INFINITY,
            needed: 0.0,
            breach_hours: 0,
        }
    }
}

impl LimitMonth {
    /// Adds an hour.
    #[inline]
    pub fn add(&mut self, committed: f64, needed: f64) {
        let headroom = committed - needed;
        self.headroom = self.headroom.min(headroom);
        self.needed = self.needed.max(needed);
        self.breach_hours += u32::from(headroom < 0.0);
    }
}

#[cfg(test)]
mod tests;
