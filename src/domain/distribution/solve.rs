//! Parameters from percentiles. Each solver brackets a root of a monotone function, so it cannot fail to converge;
//! `None` means that no member of the family has these percentiles within the range that can be computed.

use super::special::{beta_pq, beta_quantile, gamma_quantile, root_increasing};

/// Shape and scale of the gamma distribution with P(X <= x1) = p1 and P(X <= x2) = p2, 0 < x1 < x2.
pub(super) fn gamma(p1: f64, x1: f64, p2: f64, x2: f64) -> Option<(f64, f64)> {
    let wanted = libm::log(x2 / x1);
    // ln of the ratio of the two quantiles falls as the shape grows.
    let log_ratio = |log_shape: f64| {
        let shape = libm::exp(log_shape);
        libm::log(gamma_quantile(shape, p2) / gamma_quantile(shape, p1))
    };
    let (low, high) = (libm::log(0.02), libm::log(1e5));
    if wanted > log_ratio(low) || wanted < log_ratio(high) {
        return None;
    }
    let shape = libm::exp(root_increasing(low, high, 1e-12, |s| wanted - log_ratio(s)));
    let scale = x2 / gamma_quantile(shape, p2);
    scale.is_finite().then_some((shape, scale))
}

/// Alpha and beta of the beta distribution on 0 to 1 with P(X <= x1) = p1 and P(X <= x2) = p2, 0 < x1 < x2 < 1.
pub(super) fn beta(p1: f64, x1: f64, p2: f64, x2: f64) -> Option<(f64, f64)> {
    // For a given size alpha + beta, the mean that puts p1 at x1 (in log odds, so that both ends are reached).
    let odds_at = |size: f64| {
        root_increasing(-30.0, 30.0, 1e-12, |odds| {
            let m = 1.0 / (1.0 + libm::exp(-odds));
            p1 - beta_pq(size * m, size * (1.0 - m), x1).0
        })
    };
    let shapes = |log_size: f64| {
        let size = libm::exp(log_size);
        let m = 1.0 / (1.0 + libm::exp(-odds_at(size)));
        (size * m, size * (1.0 - m))
    };
    let miss = |log_size: f64| {
        let (a, b) = shapes(log_size);
        beta_pq(a, b, x2).0 - p2
    };
    let (low, high) = (libm::log(0.01), libm::log(1e8));
    if miss(low) > 0.0 || miss(high) < 0.0 {
        return None;
    }
    let (a, b) = shapes(root_increasing(low, high, 1e-10, miss));
    (a > 1e-6 && b > 1e-6).then_some((a, b))
}

/// Beta distribution on 0 to 1 whose first shape is 2 (it starts at 0 like a straight line) with P(X <= x) = p.
pub(super) fn beta_from_zero(p: f64, x: f64) -> Option<(f64, f64)> {
    let miss = |log_b: f64| beta_pq(2.0, libm::exp(log_b), x).0 - p;
    let (low, high) = (libm::log(0.02), libm::log(1e7));
    if miss(low) > 0.0 || miss(high) < 0.0 {
        return None;
    }
    Some((2.0, libm::exp(root_increasing(low, high, 1e-12, miss))))
}

/// Scale of the gamma distribution of shape 2 with P(X <= x) = p.
pub(super) fn gamma_from_zero(p: f64, x: f64) -> (f64, f64) {
    (2.0, x / gamma_quantile(2.0, p))
}

/// A PERT: ends and shapes.
#[derive(Clone, Copy)]
pub(super) struct Pert {
    pub min: f64,
    pub max: f64,
    pub alpha: f64,
    pub beta: f64,
}

impl Pert {
    pub(super) fn of(min: f64, mode: f64, max: f64) -> Self {
        let m = ((mode - min) / (max - min)).clamp(0.0, 1.0);
        Self {
            min,
            max,
            alpha: 1.0 + 4.0 * m,
            beta: 1.0 + 4.0 * (1.0 - m),
        }
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        self.min + (self.max - self.min) * beta_quantile(self.alpha, self.beta, p)
    }
}

/// Quantile of the PERT on 0 to 1 with the most likely value m.
fn unit_quantile(m: f64, p: f64) -> f64 {
    beta_quantile(1.0 + 4.0 * m, 1.0 + 4.0 * (1.0 - m), p)
}

/// The PERT with these p10, mode and p90; p10 <= mode <= p90, p10 < p90.
pub(super) fn pert(p10: f64, mode: f64, p90: f64) -> Pert {
    let share = (mode - p10) / (p90 - p10);
    // Where the mode stands between the two percentiles grows with where it stands between the ends.
    let m = root_increasing(0.0, 1.0, 1e-14, |m| {
        let (q10, q90) = (unit_quantile(m, 0.1), unit_quantile(m, 0.9));
        (m - q10) / (q90 - q10) - share
    });
    let (q10, q90) = (unit_quantile(m, 0.1), unit_quantile(m, 0.9));
    let width = (p90 - p10) / (q90 - q10);
    let min = p10 - q10 * width;
    Pert {
        min,
        max: min + width,
        alpha: 1.0 + 4.0 * m,
        beta: 1.0 + 4.0 * (1.0 - m),
    }
}

/// The PERT from a given minimum with this mode and p90; min <= mode <= p90, min < p90.
pub(super) fn pert_from(min: f64, mode: f64, p90: f64) -> Pert {
    let share = (mode - min) / (p90 - min);
    // m / q90(m) grows from 0 to above 1.
    let m = root_increasing(0.0, 1.0, 1e-14, |m| m / unit_quantile(m, 0.9) - share);
    Pert {
        min,
        max: min + (p90 - min) / unit_quantile(m, 0.9),
        alpha: 1.0 + 4.0 * m,
        beta: 1.0 + 4.0 * (1.0 - m),
    }
}

/// The PERT up to a given maximum with this p10 and mode.
pub(super) fn pert_to(p10: f64, mode: f64, max: f64) -> Pert {
    let mirrored = pert_from(-max, -mode, -p10);
    Pert {
        min: -mirrored.max,
        max: -mirrored.min,
        alpha: mirrored.beta,
        beta: mirrored.alpha,
    }
}
