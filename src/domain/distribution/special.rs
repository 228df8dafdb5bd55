//! Special functions on the crate `libm` only, so that native and Wasm agree in every bit.
//!
//! Sources: Wichura, AS 241 (normal quantile, 1e-15 relative); series and continued fractions of the incomplete gamma and
//! beta functions as in Abramowitz & Stegun 6.5 and 26.5, evaluated by Lentz's method (1e-12 relative for shapes up to
//! 1e5). Tested against `statrs`.

/// 1 / sqrt(2 pi).
const INV_SQRT_TAU: f64 = 0.398_942_280_401_432_7;
/// The 90 % quantile of the standard normal distribution.
pub const Z90: f64 = 1.281_551_565_544_600_4;
/// The 95 % quantile.
pub const Z95: f64 = 1.644_853_626_951_472_2;
/// The 99 % quantile.
pub const Z99: f64 = 2.326_347_874_040_840_8;

/// Density of the standard normal distribution.
#[must_use]
pub fn normal_density(z: f64) -> f64 {
    INV_SQRT_TAU * libm::exp(-0.5 * z * z)
}

/// P(Z <= z).
#[must_use]
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z * core::f64::consts::FRAC_1_SQRT_2)
}

fn polynomial(c: &[f64; 8], r: f64) -> f64 {
    c.iter().rev().fold(0.0, |sum, a| sum * r + a)
}

/// The z with P(Z <= z) = p. Minus and plus infinity at 0 and 1; NaN outside.
#[must_use]
pub fn normal_quantile(p: f64) -> f64 {
    const A: [f64; 8] = [
        3.387_132_872_796_366_5,
        133.141_667_891_784_38,
        1_971.590_950_306_551_3,
        13_731.693_765_509_46,
        45_921.953_931_549_87,
        67_265.770_927_008_7,
        33_430.575_583_588_13,
        2_509.080_928_730_122_7,
    ];
    const B: [f64; 8] = [
        1.0,
        42.313_330_701_600_91,
        687.187_007_492_057_9,
        5_394.196_021_424_751,
        21_213.794_301_586_597,
        39_307.895_800_092_71,
        28_729.085_735_721_943,
        5_226.495_278_852_854,
    ];
    const C: [f64; 8] = [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        0.241_780_725_177_450_6,
        0.022_723_844_989_269_184,
        7.745_450_142_783_414e-4,
    ];
    const D: [f64; 8] = [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        0.689_767_334_985_1,
        0.148_103_976_427_480_08,
        0.015_198_666_563_616_457,
        5.475_938_084_995_345e-4,
        1.050_750_071_644_416_9e-9,
    ];
    const E: [f64; 8] = [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        0.296_560_571_828_504_87,
        0.026_532_189_526_576_124,
        1.242_660_947_388_078_4e-3,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ];
    const F: [f64; 8] = [
        1.0,
        0.599_832_206_555_888,
        0.136_929_880_922_735_8,
        0.014_875_361_290_850_615,
        7.868_691_311_456_133e-4,
        1.846_318_317_510_054_8e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_8e-15,
    ];
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180_625 - q * q;
        return q * polynomial(&A, r) / polynomial(&B, r);
    }
    let tail = if q < 0.0 { p } else { 1.0 - p };
    if tail <= 0.0 {
        return if tail < 0.0 {
            f64::NAN
        } else if q < 0.0 {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        };
    }
    let r = f64::sqrt(-libm::log(tail));
    let z = if r <= 5.0 {
        let r = r - 1.6;
        polynomial(&C, r) / polynomial(&D, r)
    } else {
        let r = r - 5.0;
        polynomial(&E, r) / polynomial(&F, r)
    };
    if q < 0.0 { -z } else { z }
}

const TINY: f64 = 1e-300;
const CLOSE: f64 = 1e-15;
const MOST_TERMS: u32 = 20_000;

/// Regularised incomplete gamma functions P(shape, x) and Q(shape, x) = 1 - P, each accurate where it is small.
/// `shape` > 0; x <= 0 gives (0, 1).
#[must_use]
pub fn gamma_pq(shape: f64, x: f64) -> (f64, f64) {
    if x <= 0.0 {
        return (0.0, 1.0);
    }
    if x == f64::INFINITY {
        return (1.0, 0.0);
    }
    let front = libm::exp(shape * libm::log(x) - x - libm::lgamma(shape));
    if x < shape + 1.0 {
        let mut term = 1.0 / shape;
        let mut sum = term;
        let mut n = shape;
        for _ in 0..MOST_TERMS {
            n += 1.0;
            term *= x / n;
            sum += term;
            if term < sum * CLOSE {
                break;
            }
        }
        let p = (front * sum).min(1.0);
        (p, 1.0 - p)
    } else {
        let mut b = x + 1.0 - shape;
        let mut c = 1.0 / TINY;
        let mut d = 1.0 / b;
        let mut h = d;
        let mut i = 0.0;
        for _ in 0..MOST_TERMS {
            i += 1.0;
            let an = -i * (i - shape);
            b += 2.0;
            d = an * d + b;
            if d.abs() < TINY {
                d = TINY;
            }
            c = b + an / c;
            if c.abs() < TINY {
                c = TINY;
            }
            d = 1.0 / d;
            let step = d * c;
            h *= step;
            if (step - 1.0).abs() < CLOSE {
                break;
            }
        }
        let q = (front * h).min(1.0);
        (1.0 - q, q)
    }
}

/// Density of the gamma distribution with scale 1.
#[must_use]
pub fn gamma_density(shape: f64, x: f64) -> f64 {
    if x < 0.0 {
        return 0.0;
    }
    if x == 0.0 {
        return if shape < 1.0 {
            f64::INFINITY
        } else if shape > 1.0 {
            0.0
        } else {
            1.0
        };
    }
    libm::exp((shape - 1.0) * libm::log(x) - x - libm::lgamma(shape))
}

/// Regularised incomplete beta function I_x(a, b) and its complement, each accurate where it is small. a, b > 0.
#[must_use]
pub fn beta_pq(a: f64, b: f64, x: f64) -> (f64, f64) {
    if x <= 0.0 {
        return (0.0, 1.0);
    }
    if x >= 1.0 {
        return (1.0, 0.0);
    }
    let front = libm::exp(
        libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b)
            + a * libm::log(x)
            + b * libm::log1p(-x),
    );
    if x < (a + 1.0) / (a + b + 2.0) {
        let p = (front * beta_fraction(a, b, x) / a).clamp(0.0, 1.0);
        (p, 1.0 - p)
    } else {
        let q = (front * beta_fraction(b, a, 1.0 - x) / b).clamp(0.0, 1.0);
        (1.0 - q, q)
    }
}

fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    let keep = |v: f64| if v.abs() < TINY { TINY } else { v };
    let (sum, above, below) = (a + b, a + 1.0, a - 1.0);
    let mut c = 1.0;
    let mut d = 1.0 / keep(1.0 - sum * x / above);
    let mut h = d;
    let mut m = 0.0;
    for _ in 0..MOST_TERMS {
        m += 1.0;
        let m2 = m + m;
        let even = m * (b - m) * x / ((below + m2) * (a + m2));
        d = 1.0 / keep(1.0 + even * d);
        c = keep(1.0 + even / c);
        h *= d * c;
        let odd = -(a + m) * (sum + m) * x / ((a + m2) * (above + m2));
        d = 1.0 / keep(1.0 + odd * d);
        c = keep(1.0 + odd / c);
        let step = d * c;
        h *= step;
        if (step - 1.0).abs() < CLOSE {
            break;
        }
    }
    h
}

/// Density of the beta distribution on 0 to 1.
#[must_use]
pub fn beta_density(a: f64, b: f64, x: f64) -> f64 {
    if !(0.0..=1.0).contains(&x) {
        return 0.0;
    }
    let edge = if x == 0.0 {
        Some(a)
    } else if x == 1.0 {
        Some(b)
    } else {
        None
    };
    if let Some(power) = edge
        && power != 1.0
    {
        return if power < 1.0 { f64::INFINITY } else { 0.0 };
    }
    // A power of exactly 1 leaves the other factor alone; 0 * ln 0 must not become NaN.
    let part = |power: f64, log: f64| if power == 0.0 { 0.0 } else { power * log };
    libm::exp(
        libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b)
            + part(a - 1.0, libm::log(x))
            + part(b - 1.0, libm::log1p(-x)),
    )
}

/// The x with P(X <= x) = p for a gamma distribution with this shape and scale 1, 0 < p < 1.
#[must_use]
pub fn gamma_quantile(shape: f64, p: f64) -> f64 {
    if p <= 0.0 {
        return 0.0;
    }
    if p >= 1.0 {
        return f64::INFINITY;
    }
    // Wilson-Hilferty for a start, the leading term of the series where that is not positive.
    let z = normal_quantile(p);
    let ninth = 1.0 / (9.0 * shape);
    let cube = 1.0 - ninth + z * f64::sqrt(ninth);
    let small = libm::exp((libm::log(p) + libm::lgamma(shape + 1.0)) / shape);
    let mut x = if cube > 0.2 {
        shape * cube * cube * cube
    } else {
        small
    };
    if x <= 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, f64::INFINITY);
    for _ in 0..200 {
        let (below, above) = gamma_pq(shape, x);
        let error = if p < 0.5 {
            below - p
        } else {
            (1.0 - p) - above
        };
        if error > 0.0 {
            high = x;
        } else {
            low = x;
        }
        let slope = gamma_density(shape, x);
        let newton = error / slope;
        // Halley's correction; the second derivative of the CDF over the first is (shape - 1) / x - 1.
        let curve = 0.5 * newton * ((shape - 1.0) / x - 1.0);
        let mut next = x - newton / (1.0 - curve.clamp(-0.5, 0.5));
        if !(next > low && next < high) {
            next = if high.is_finite() {
                0.5 * (low + high)
            } else {
                2.0 * x + 1.0
            };
        }
        let moved = (next - x).abs();
        x = next;
        if moved <= 4.0 * f64::EPSILON * x {
            break;
        }
    }
    x
}

/// The x with P(X <= x) = p for a beta distribution on 0 to 1, 0 < p < 1.
#[must_use]
pub fn beta_quantile(a: f64, b: f64, p: f64) -> f64 {
    if p <= 0.0 {
        return 0.0;
    }
    if p >= 1.0 {
        return 1.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    let mut x = a / (a + b);
    for _ in 0..300 {
        let (below, above) = beta_pq(a, b, x);
        let error = if p < 0.5 {
            below - p
        } else {
            (1.0 - p) - above
        };
        if error > 0.0 {
            high = x;
        } else {
            low = x;
        }
        let newton = error / beta_density(a, b, x);
        let curve = 0.5 * newton * ((a - 1.0) / x - (b - 1.0) / (1.0 - x));
        let mut next = x - newton / (1.0 - curve.clamp(-0.5, 0.5));
        if !(next > low && next < high) {
            // Near 0 the answer may be many orders smaller: halve the logarithm there.
            next = if low > 0.0 && high > 16.0 * low {
                f64::sqrt(low * high)
            } else if low == 0.0 && high < 0.1 {
                high * 0.01
            } else {
                0.5 * (low + high)
            };
        }
        let moved = (next - x).abs();
        x = next;
        if moved <= 4.0 * f64::EPSILON * x || x < 1e-290 {
            break;
        }
    }
    x
}

/// The root of an increasing function between two ends of which the first is at or below and the second at or above it.
/// False position with halved weights (Illinois), bisecting when that stalls; stops at a width of `tolerance`.
#[must_use]
pub fn root_increasing(
    mut low: f64,
    mut high: f64,
    tolerance: f64,
    mut f: impl FnMut(f64) -> f64,
) -> f64 {
    let mut f_low = f(low);
    if f_low >= 0.0 {
        return low;
    }
    let mut f_high = f(high);
    if f_high <= 0.0 {
        return high;
    }
    let mut side = 0_i8;
    let mut since_halved = 0;
    let mut width = high - low;
    for _ in 0..200 {
        let mut x = if since_halved >= 3 || !f_low.is_finite() || !f_high.is_finite() {
            since_halved = 0;
            0.5 * (low + high)
        } else {
            low - f_low * ((high - low) / (f_high - f_low))
        };
        if !(x > low && x < high) {
            x = 0.5 * (low + high);
        }
        let value = f(x);
        if value > 0.0 {
            high = x;
            f_high = value;
            if side == 1 {
                f_low *= 0.5;
            }
            side = 1;
        } else if value < 0.0 {
            low = x;
            f_low = value;
            if side == -1 {
                f_high *= 0.5;
            }
            side = -1;
        } else {
            return x;
        }
        if high - low <= tolerance || x == low && x == high {
            break;
        }
        if high - low <= 0.5 * width {
            width = high - low;
            since_halved = 0;
        } else {
            since_halved += 1;
        }
    }
    0.5 * (low + high)
}
