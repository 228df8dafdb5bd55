//! How many calls start in one minute: whole numbers, and few of them. The law of the count is computed one number after
//! the other, exactly (Panjer 1981).
//!
//! The planned count is the smallest k with P(N ≤ k) ≥ 95 %. It jumps as the rate moves, so what is kept is
//! `y = k − 1 + (0.95 − P(N ≤ k − 1)) / P(N = k)`, which does not: k is y rounded up, and y may be read between points.

use super::{PLANNED_QUANTILE, Parts, Timing, burst_left, each_call};
use crate::engine::requests::{component, sample::Stratified};

/// Up to this many calls a minute in a busy hour are counted one by one; above, a call is too little to matter.
pub const MOST_CALLS: f64 = 128.0;

/// A minute is never planned for more calls than this.
const LAST: usize = 4_096;

/// How many calls the parts of requests make: what one request does in one minute.
#[derive(Clone, Debug, PartialEq)]
pub struct CallCounts {
    /// Parts per request.
    per_request: f64,
    /// Share of the parts with 0, 1, 2 … calls.
    shares: Vec<f64>,
    /// Squared coefficient of variation of a minute's rate, spread over the minutes of a request.
    rate_variance: f64,
}

impl CallCounts {
    /// Of requests cut into minutes.
    #[must_use]
    pub fn new(parts: &Parts, burstiness: f64, persistence: f64) -> Self {
        let calls = |x: &[f64]| x[component::CALLS];
        let by_minute: Vec<f64> = parts.by_minute.iter().map(|x| calls(x)).collect();
        let counts = parts.parts.iter().map(|x| calls(x) as usize);
        let left = burst_left(&by_minute, persistence);
        Self::of(counts, parts.per_request, burstiness * burstiness * left)
    }

    /// Of requests that are sent for it.
    #[must_use]
    pub fn played(of: &Stratified, timing: &Timing, burstiness: f64, persistence: f64) -> Self {
        let mut counts: Vec<usize> = Vec::new();
        let mut by_minute: Vec<f64> = Vec::new();
        let (mut last, mut requests) = (None, 0);
        each_call(of, timing, &mut |i, _, (_, minute, _)| {
            if last != Some((i, minute)) {
                last = Some((i, minute));
                counts.push(0);
            }
            requests = i + 1;
            if by_minute.len() <= minute {
                by_minute.resize(minute + 1, 0.0);
            }
            by_minute[minute] += 1.0;
            if let Some(count) = counts.last_mut() {
                *count += 1;
            }
        });
        let per_request = counts.len() as f64 / f64::from(requests.max(1) as u32);
        let left = burst_left(&by_minute, persistence);
        Self::of(
            counts.into_iter(),
            per_request,
            burstiness * burstiness * left,
        )
    }

    fn of(counts: impl Iterator<Item = usize>, per_request: f64, rate_variance: f64) -> Self {
        let (mut shares, mut parts) = (Vec::new(), 0.0);
        for count in counts {
            parts += 1.0;
            // a sum with a larger one lies above all that is asked for
            if count < LAST {
                if shares.len() <= count {
                    shares.resize(count + 1, 0.0);
                }
                shares[count] += 1.0;
            }
        }
        for share in &mut shares {
            *share /= parts;
        }
        Self {
            per_request,
            shares,
            rate_variance,
        }
    }

    /// Parts per request.
    #[must_use]
    pub const fn per_request(&self) -> f64 {
        self.per_request
    }
}

/// Probabilities of a compound count, from 0 upwards.
struct Probabilities<'a> {
    counts: &'a CallCounts,
    rate: f64,
    /// Those that are known.
    p: Vec<f64>,
}

impl Probabilities<'_> {
    /// Adds the next one.
    fn extend(&mut self) {
        let (f, v) = (&self.counts.shares, self.counts.rate_variance);
        let none = f.first().copied().unwrap_or(0.0);
        let n = self.p.len();
        let bursts = v * self.rate;
        let next = if n == 0 {
            if v > 1e-9 {
                // (1 + vλ(1 - f₀))^(-1/v)
                libm::exp(-libm::log1p(bursts * (1.0 - none)) / v)
            } else {
                libm::exp(-self.rate * (1.0 - none))
            }
        } else {
            // gamma rates: a = vλ / (1 + vλ), b = (1/v - 1)·a; Poisson: a = 0, b = λ
            let (a, b) = if v > 1e-9 {
                let a = bursts / (1.0 + bursts);
                (a, (1.0 / v - 1.0) * a)
            } else {
                (0.0, self.rate)
            };
            let b = b / n as f64;
            let mut sum = 0.0;
            for (j, share) in f.iter().enumerate().take(n + 1).skip(1) {
                sum += (a + b * j as f64) * share * self.p[n - j];
            }
            sum / (1.0 - a * none)
        };
        self.p.push(next);
    }
}

/// y of independent counts at rates of parts per minute; from -1 to 0 where no call is planned for.
#[must_use]
pub fn planned_calls(summands: &[(&CallCounts, f64)]) -> f64 {
    let mut each: Vec<Probabilities> = summands
        .iter()
        .map(|(counts, rate)| Probabilities {
            counts,
            rate: *rate,
            p: Vec::new(),
        })
        .collect();
    let Some((first, others)) = each.split_first_mut() else {
        return 0.0;
    };
    // sums of the first two, three … of them
    let mut sums: Vec<Vec<f64>> = vec![Vec::new(); others.len()];
    let mut next = || {
        first.extend();
        let mut together = &first.p;
        for (other, sum) in others.iter_mut().zip(&mut sums) {
            other.extend();
            let pairs = together.iter().zip(other.p.iter().rev());
            sum.push(pairs.map(|(a, b)| a * b).sum());
            together = sum;
        }
        together.last().copied().unwrap_or(0.0)
    };
    let mut below = next();
    for n in 0..LAST {
        let p = next();
        if below + p >= PLANNED_QUANTILE {
            // where none is planned for as steep as where one is
            let y = n as f64 + (PLANNED_QUANTILE - below) / p.max(1e-12);
            return y.max(-1.0);
        }
        below += p;
    }
    LAST as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(shares: &[f64], rate_variance: f64) -> CallCounts {
        CallCounts {
            per_request: 1.0,
            shares: shares.to_vec(),
            rate_variance,
        }
    }

    #[test]
    fn poisson_and_negative_binomial_themselves() {
        let plan = |mean: f64, v: f64| planned_calls(&[(&counts(&[0.0, 1.0], v), mean)]);
        // P(N <= 8) = 0.93191, P(N <= 9) = 0.96817
        let y = 8.0 + (0.95 - 0.931_906_4) / (0.968_171_9 - 0.931_906_4);
        assert!((plan(5.0, 0.0) - y).abs() < 1e-5);
        // geometric of mean 3: P(N <= k) = 1 - 0.75^(k + 1)
        let below = 1.0 - 0.75f64.powi(10);
        let y = 9.0 + (0.95 - below) / (0.25 * 0.75f64.powi(10));
        assert!((plan(3.0, 1.0) - y).abs() < 1e-9);
        // below -ln 0.95 no call is planned for, and y passes 0 there
        let silent = -(0.95f64.ln());
        assert!(plan(silent * 0.999, 0.0) < 0.0 && plan(silent * 1.001, 0.0) > 0.0);
        assert!(plan(silent, 0.0).abs() < 1e-9);
    }

    #[test]
    fn independent_summands_are_one_law() {
        // Poisson counts of parts of 1, of 4 and of nothing are the Poisson count of the mixture
        let (one, four) = (
            counts(&[0.0, 1.0], 0.0),
            counts(&[0.0, 0.0, 0.0, 0.0, 1.0], 0.0),
        );
        let both = counts(&[0.25, 0.5, 0.0, 0.0, 0.25], 0.0);
        for rate in [0.1, 0.7, 3.0, 20.0] {
            let apart = planned_calls(&[
                (&one, 0.5 * rate),
                (&four, 0.125 * rate),
                (&four, 0.125 * rate),
            ]);
            let together = planned_calls(&[(&both, rate)]);
            assert!(
                (apart - together).abs() < 1e-9,
                "{rate}: {apart} {together}"
            );
        }
    }

    #[test]
    fn nothing_jumps_with_the_rate() {
        let law = counts(&[0.0, 0.5, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 0.0, 0.2], 1.0);
        let mut before = planned_calls(&[(&law, 0.01)]);
        for i in 1..250_000 {
            let now = planned_calls(&[(&law, 0.01 * 1.000_02f64.powi(i))]);
            // steep where two or three calls hardly ever happen, but no step
            let grown = now - before;
            assert!((-1e-9..0.2).contains(&grown), "{i}: {before} {now}");
            before = now;
        }
    }
}
