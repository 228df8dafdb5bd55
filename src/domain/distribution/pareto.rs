//! Lognormal body with a Pareto tail: below a percentile the lognormal with the said median and percentile, above it
//! P(X > x) = share (from / x)^alpha. The mean exists for alpha > 1 only. The second moment is that of the values up to
//! the one in a thousand million, which makes it finite at any alpha: what a plan's months can hold, and for alpha >= 3
//! within 0.3 % of the moment of all.

use serde::{Deserialize, Serialize};

use super::family::growth;
use super::special::{normal_cdf, normal_density, normal_quantile};

/// Least alpha. Nearer to 1 the mean hangs on values that one request in 10^12 reaches, which no plan will see.
pub const LEAST_ALPHA: f64 = 1.1;
/// Share of the values that the second moment leaves out.
const OUT_OF_REACH: f64 = 1e-9;

/// The family before truncation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ParetoTail {
    /// Mean of the logarithm of the body.
    pub mu: f64,
    /// Standard deviation of the logarithm of the body.
    pub sigma: f64,
    /// Where the tail begins.
    pub from: f64,
    /// Probability of the tail.
    pub share: f64,
    /// Its index.
    pub alpha: f64,
}

impl ParetoTail {
    fn z(&self, x: f64) -> f64 {
        (libm::log(x.max(0.0)) - self.mu) / self.sigma
    }

    fn beyond(&self, x: f64) -> f64 {
        self.share * libm::pow(self.from / x, self.alpha)
    }

    pub(super) fn both(&self, x: f64) -> (f64, f64) {
        if x <= 0.0 {
            (0.0, 1.0)
        } else if x < self.from {
            let z = self.z(x);
            (
                normal_cdf(z).min(1.0 - self.share),
                normal_cdf(-z).max(self.share),
            )
        } else {
            let q = self.beyond(x);
            (1.0 - q, q)
        }
    }

    pub(super) fn density(&self, x: f64) -> f64 {
        if x <= 0.0 {
            0.0
        } else if x < self.from {
            normal_density(self.z(x)) / self.sigma / x
        } else {
            self.alpha * self.beyond(x) / x
        }
    }

    pub(super) fn quantile(&self, p: f64, q: f64) -> f64 {
        if q <= self.share {
            return self.from * libm::pow(self.share / q, 1.0 / self.alpha);
        }
        let z = if p < q {
            normal_quantile(p)
        } else {
            -normal_quantile(q)
        };
        libm::exp(self.mu + self.sigma * z).min(self.from)
    }

    /// k-th moment of the body above a lower end, not divided by its probability.
    fn body(&self, low: f64, k: f64) -> f64 {
        let whole = libm::exp(k * self.mu + 0.5 * k * k * self.sigma * self.sigma);
        let shift = k * self.sigma;
        let share = normal_cdf(shift - self.z(low)) - normal_cdf(shift - self.z(self.from));
        whole * share
    }

    /// Mean and mean square of the values above `low`, which hold so much of the probability.
    pub(super) fn moments(&self, low: f64, inside: f64) -> (f64, f64) {
        let mean = self.body(low, 1.0) + self.share * self.from * self.alpha / (self.alpha - 1.0);
        // from 1 to the end of reach, in logarithms: integral of alpha e^((2 - alpha) t)
        let reach = libm::log(self.share / (OUT_OF_REACH * inside)) / self.alpha;
        let tail = self.alpha * reach * growth((2.0 - self.alpha) * reach);
        let square = self.body(low, 2.0) + self.share * self.from * self.from * tail;
        let mean = mean / inside;
        (mean, (square / inside).max(mean * mean))
    }

    /// The same with the alpha that gives this mean; none if even no tail at all leaves it too large.
    pub(super) fn with_mean(&self, mean: f64, low: f64, inside: f64) -> Option<Self> {
        let tail = (mean * inside - self.body(low, 1.0)) / (self.share * self.from);
        (tail > 1.0).then(|| Self {
            alpha: tail / (tail - 1.0),
            ..*self
        })
    }

    /// Lowest mean: that of a tail of one value.
    pub(super) fn least_mean(&self, low: f64, inside: f64) -> f64 {
        (self.body(low, 1.0) + self.share * self.from) / inside
    }

    pub(super) fn scaled(&self, by: f64) -> Self {
        Self {
            mu: self.mu + libm::log(by),
            from: self.from * by,
            ..*self
        }
    }
}
