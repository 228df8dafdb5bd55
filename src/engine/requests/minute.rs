//! What arrives in one minute: requests cut into the minutes in which their calls start, and the 95 % quantile of the
//! sum of such parts.
//!
//! A part is what one request does in one minute. Requests that arrive at random and spread over minutes give
//! independent parts in each minute, so a minute's load is a compound sum of parts; a burst of one minute is spread
//! likewise. Source: docs/model.md, "One minute".

pub mod calls;
mod cut;
pub mod joint;
pub mod law;

use std::sync::LazyLock;

use super::{
    Components, attempts, component,
    gateway::tools_after,
    moments::dot,
    sample::{Drawn, STRATA, Stratified},
};
use crate::{domain::distribution::special::gamma_quantile, engine::rng::Stream};

/// Most minutes over which a request is followed.
const MOST_MINUTES: usize = 240;

/// The quantile of a minute that capacity is planned for.
pub const PLANNED_QUANTILE: f64 = 0.95;

/// How long calls take, and how often they are made again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Seconds to the first written token.
    pub ttft_seconds: f64,
    /// Written tokens per second.
    pub tokens_per_second: f64,
    /// Chance that a call must be repeated.
    pub retry_probability: f64,
    /// Most repeats.
    pub max_retries: u32,
}

/// Requests cut into minutes.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// What each part holds.
    parts: Vec<Components>,
    /// Parts per request.
    per_request: f64,
    /// Mean number of times that a call is made.
    repeats: f64,
    /// Sums of the parts that start so many minutes after their request.
    by_minute: Vec<Components>,
}

impl Parts {
    /// Of requests whose calls follow each other and last `ttft + output / speed` seconds, counted when they start. A call
    /// whose format was wrong is made again.
    #[must_use]
    pub fn new(of: &Stratified, timing: &Timing) -> Self {
        Self::with_prefix(of, of.law.typical_prefix, timing)
    }

    /// The same where requests share a prefix of this length.
    #[must_use]
    pub fn with_prefix(of: &Stratified, prefix: f64, timing: &Timing) -> Self {
        let mut parts: Vec<Components> = Vec::with_capacity(STRATA);
        let mut by_minute: Vec<Components> = Vec::new();
        let mut last = None;
        each_call(of, timing, &mut |i, request, (call, minute, output)| {
            if last != Some((i, minute)) {
                last = Some((i, minute));
                parts.push([0.0; component::COUNT]);
            }
            let before = f64::from(call);
            let mut x = [0.0; component::COUNT];
            x[component::CALLS] = 1.0;
            x[component::INPUT] = request.input;
            x[component::GROWTH] = request.growth * before;
            if call == 0 {
                x[component::CACHED_PREFIX] = request.cached_share * prefix.min(request.input);
            } else {
                x[component::CACHED_INPUT] = request.cached_share * request.input;
                x[component::CACHED_GROWTH] =
                    request.cached_share * request.growth * (before - 1.0);
            }
            x[component::OUTPUT] = output;
            if by_minute.len() <= minute {
                by_minute.resize(minute + 1, [0.0; component::COUNT]);
            }
            add(&mut by_minute[minute], &x);
            if let Some(part) = parts.last_mut() {
                add(part, &x);
            }
        });
        Self {
            repeats: attempts(timing.retry_probability, timing.max_retries),
            per_request: parts.len() as f64 / STRATA as f64,
            parts,
            by_minute,
        }
    }

    /// Share of a burst in one minute that is left when requests spread over minutes: Σ Σ w_d w_e ρ^|d-e|, w_d the share
    /// of a request's load that comes d minutes after its start.
    #[must_use]
    pub fn burst_left(&self, weights: &Components, persistence: f64) -> f64 {
        let loads: Vec<f64> = self.by_minute.iter().map(|x| dot(x, weights)).collect();
        burst_left(&loads, persistence)
    }
}

/// The same of loads by minutes after the start.
fn burst_left(loads: &[f64], persistence: f64) -> f64 {
    let total: f64 = loads.iter().sum();
    if total <= 0.0 {
        return 1.0;
    }
    // x_d = Σ_{e <= d} w_e ρ^(d-e) turns the double sum into one pass
    let (mut carried, mut sum) = (0.0, 0.0);
    for load in loads {
        let w = load / total;
        sum += w * (w + 2.0 * carried);
        carried = (carried + w) * persistence;
    }
    sum
}

fn add(sum: &mut Components, x: &Components) {
    for (s, x) in sum.iter_mut().zip(x) {
        *s += x;
    }
}

/// A call: its number in the request, the minute of its start and its output.
type Call = (u32, usize, f64);

/// Sends [`STRATA`] requests, their moments within the minute stratified, and calls `visit` with each one's number and
/// every call that it makes, repeats included.
fn each_call(of: &Stratified, timing: &Timing, visit: &mut dyn FnMut(usize, &Drawn, Call)) {
    let mut sampler = of.sampler(3);
    let mut phase = Stream::from_hash(0x5851_f42d_4c95_7f2d);
    let mut luck = Stream::from_hash(0x2545_f491_4f6c_dd1d);
    for i in 0..STRATA {
        let request = sampler.request();
        let mut time = 60.0 * (i as f64 + phase.uniform()) / STRATA as f64;
        let (mut call, mut repeats) = (0, 0);
        while call < request.calls {
            let minute = ((time / 60.0) as usize).min(MOST_MINUTES - 1);
            let output = sampler.output(1);
            visit(i, &request, (call, minute, output));
            time += timing.ttft_seconds + output / timing.tokens_per_second;
            let wrong = timing.retry_probability > 0.0
                && repeats < timing.max_retries
                && luck.uniform() < timing.retry_probability;
            if wrong {
                repeats += 1;
            } else {
                repeats = 0;
                for _ in 0..tools_after(call, request.calls, request.tools) {
                    time += sampler.value(6);
                }
                call += 1;
            }
        }
    }
}

/// Points of a shape: quarter octaves over eight octaves.
pub const POINTS: usize = 33;

/// A curve over [`POINTS`] places of a scale.
pub type Shape = [f64; POINTS];

/// Points per octave, as bits.
const QUARTERS: u32 = 2;

/// A point of a scale that is linear within each octave and has four points there.
pub(super) fn scale_point(first: f64, point: usize) -> f64 {
    let octave = (1u64 << (point >> QUARTERS)) as f64;
    first * octave * (1.0 + (point & 3) as f64 / 4.0)
}

/// Place of a value on such a scale, without a logarithm: exponent and first bits of the mantissa.
#[inline]
pub(super) fn scale_place(first: f64, value: f64) -> (usize, f64) {
    const REST: u32 = 52 - QUARTERS;
    const STEP: f64 = 1.0 / (1u64 << REST) as f64;
    let above = value.max(first).to_bits() - first.to_bits();
    let part = (above & ((1 << REST) - 1)) as f64 * STEP;
    ((above >> REST) as usize, part)
}

/// Reads a curve over a scale that starts at `first`: straight lines between its points.
#[inline]
fn read<const N: usize>(curve: &[f64; N], first: f64, value: f64) -> f64 {
    let (at, part) = scale_place(first, value);
    if at >= N - 1 {
        return curve[N - 1];
    }
    curve[at] + part * (curve[at + 1] - curve[at])
}

/// Smallest skewness of [`GAMMA`], 2^-4; the largest is 2^4.
const LEAST_SKEWNESS: f64 = 0.0625;

/// How many standard deviations the planned quantile of a gamma law lies above its mean, by skewness.
#[inline]
#[must_use]
pub fn gamma_deviations(skewness: f64) -> f64 {
    read(&GAMMA, LEAST_SKEWNESS, skewness)
}

static GAMMA: LazyLock<Shape> = LazyLock::new(|| {
    std::array::from_fn(|i| {
        let skew = scale_point(LEAST_SKEWNESS, i);
        let k = 4.0 / (skew * skew);
        (gamma_quantile(k, PLANNED_QUANTILE) - k) / f64::sqrt(k)
    })
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_back() {
        let curve: Shape = std::array::from_fn(|i| i as f64);
        let at = |x| read(&curve, 0.0625, x);
        for i in 0..POINTS {
            assert!((at(scale_point(0.0625, i)) - i as f64).abs() < 1e-9, "{i}");
        }
        assert!((at(1.125) - 16.5).abs() < 1e-9);
        assert_eq!(at(0.0), 0.0);
        assert_eq!(at(1e9), 32.0);
    }

    #[test]
    fn gamma_laws_go_from_the_normal_to_the_exponential() {
        assert!((gamma_deviations(0.0) - 1.6449).abs() < 0.02);
        assert!((gamma_deviations(2.0) - (20f64.ln() - 1.0)).abs() < 1e-6);
        assert!((0..200).all(|i| gamma_deviations(f64::from(i) * 0.1) < 2.1));
    }
}
