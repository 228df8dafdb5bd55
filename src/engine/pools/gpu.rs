//! GPUs that a model needs in a cluster, hour by hour.
//!
//! Replicas = max(minimum, planned minute load / (60 s × target), planned calls in flight / sequences), rounded up.

use std::sync::LazyLock;

use super::whole_up;
use crate::{
    domain::{
        distribution::special::{beta_quantile, gamma_quantile},
        scenario::ServingProfile,
    },
    engine::requests::minute::{PLANNED_QUANTILE, gamma_deviations},
};

/// Calls in flight, hour by hour: mean λW, variance λW + (cλW)² τ/(τ + W); a count with a gamma rate.
#[derive(Clone, Debug, Default)]
pub struct InFlight {
    mean: Vec<f64>,
    /// What burstiness adds to the variance.
    extra: Vec<f64>,
}

/// A feature's calls in flight as polynomials of its rate r: mean = r·mean, extra variance = r²·extra.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FlightTerms {
    /// Of the mean.
    pub mean: f64,
    /// Of the extra variance.
    pub extra: f64,
}

impl FlightTerms {
    /// Of calls per request, their mean seconds, the squared coefficient of variation of a minute's rate and its
    /// persistence; the rate is in requests per hour.
    #[must_use]
    pub fn new(calls: f64, seconds: f64, rate_variance: f64, persistence: f64) -> Self {
        let mean = calls * seconds / 3_600.0;
        let share = if persistence > 0.0 {
            let tau = -60.0 / libm::log(persistence);
            tau / (tau + seconds)
        } else {
            0.0
        };
        Self {
            mean,
            extra: rate_variance * mean * mean * share,
        }
    }
}

impl InFlight {
    /// Empties all for a number of hours.
    pub fn clear(&mut self, hours: usize) {
        for row in [&mut self.mean, &mut self.extra] {
            row.clear();
            row.resize(hours, 0.0);
        }
    }

    /// Adds a feature in some hours; `rates` are those of the same hours.
    pub fn add(&mut self, hours: std::ops::Range<usize>, rates: &[f64], t: &FlightTerms) {
        let rows = self.mean[hours.clone()]
            .iter_mut()
            .zip(&mut self.extra[hours]);
        for ((mean, extra), r) in rows.zip(rates) {
            *mean += r * t.mean;
            *extra += r * r * t.extra;
        }
    }

    /// What burstiness adds to the variance, relative to the squared mean, over all hours.
    #[must_use]
    pub fn burst(&self) -> f64 {
        let (mut extra, mut square) = (0.0, 0.0);
        for (m, e) in self.mean.iter().zip(&self.extra) {
            extra += e;
            square += m * m;
        }
        if square > 0.0 { extra / square } else { 0.0 }
    }
}

/// Calls up to which the law of the count itself is used; above, a gamma law.
const COUNTED: usize = 64;
/// Bursts of the table: 0, then octaves from 2^-8.
const BURSTS: usize = 18;
const FIRST_BURST: f64 = 1.0 / 256.0;

/// Largest mean of a count whose planned quantile is n, for n = 0 to [`COUNTED`].
type Means = [f64; COUNTED + 1];

/// [`Means`] by burst: Poisson, then negative binomials: P(N <= n) is a regularised beta function of the shape and n + 1.
static MEANS: LazyLock<Vec<Means>> = LazyLock::new(|| {
    (0..BURSTS)
        .map(|burst| {
            std::array::from_fn(|n| {
                let after = (n + 1) as f64;
                let Some(octave) = burst.checked_sub(1) else {
                    return gamma_quantile(after, 1.0 - PLANNED_QUANTILE);
                };
                let shape = 1.0 / (FIRST_BURST * (1u64 << octave) as f64);
                let p = 1.0 - beta_quantile(after, shape, 1.0 - PLANNED_QUANTILE);
                shape * (1.0 - p) / p
            })
        })
        .collect()
});

/// [`Means`] for a burst, linear between those of the table.
fn means_for(burst: f64) -> Means {
    let (at, part) = if burst < FIRST_BURST {
        (0, burst / FIRST_BURST)
    } else {
        let (octave, part) = octave_place(FIRST_BURST, burst);
        (octave + 1, part)
    };
    if at >= BURSTS - 1 {
        return MEANS[BURSTS - 1];
    }
    std::array::from_fn(|n| MEANS[at][n] + part * (MEANS[at + 1][n] - MEANS[at][n]))
}

/// Octave of a value above `first`, and how far it is into it.
fn octave_place(first: f64, value: f64) -> (usize, f64) {
    let above = value.to_bits() - first.to_bits();
    (
        (above >> 52) as usize,
        (above & ((1 << 52) - 1)) as f64 / (1u64 << 52) as f64,
    )
}

/// Replicas for a count of calls in flight with this mean: `sequences` calls fit on one.
fn replicas_in_flight(mean: f64, extra: f64, sequences: usize, means: &Means) -> f64 {
    if mean <= means[COUNTED] {
        let n = means.partition_point(|m| *m < mean);
        return n.div_ceil(sequences) as f64;
    }
    let sd = f64::sqrt(mean + extra);
    let planned = mean + sd * gamma_deviations(2.0 * sd / mean);
    // P(N <= n) is that of the continuous law at n + 1/2
    whole_up((planned - 0.5) / sequences as f64)
}

/// No gamma law has its planned quantile more standard deviations above its mean.
const MOST_DEVIATIONS: f64 = 2.1;

/// Adds the GPUs that a model needs to `needed`, in hours in which it is `live`, from the planned minute of each hour in
/// replica-seconds.
pub fn add_needed(
    serving: &ServingProfile,
    target: f64,
    planned: &[f64],
    flight: &InFlight,
    live: &[bool],
    needed: &mut [f64],
) {
    let per_replica = 1.0 / (60.0 * target);
    let sequences = serving.concurrent_sequences as usize;
    let gpus = f64::from(serving.gpus_per_replica);
    let minimum = f64::from(serving.minimum_replicas);
    let means = means_for(flight.burst());
    for (hour, (live, needed)) in live.iter().zip(needed).enumerate() {
        if !live {
            continue;
        }
        let mut replicas = whole_up(planned[hour] * per_replica).max(minimum);
        let (mean, extra) = (flight.mean[hour], flight.extra[hour]);
        // a bound first: the count is rarely what decides
        let room = replicas * sequences as f64 - mean;
        if room < 1.0 || room * room < MOST_DEVIATIONS * MOST_DEVIATIONS * (mean + extra) {
            replicas = replicas.max(replicas_in_flight(mean, extra, sequences, &means));
        }
        *needed += replicas * gpus;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 86 of a Poisson law where bursts make it 121 is the example of the model page.
    #[test]
    fn bursts_raise_calls_in_flight() {
        let calm = FlightTerms::new(1.0, 30.0, 0.0, 0.5);
        let restless = FlightTerms::new(1.0, 30.0, 1.0, 0.5);
        let at = |t: &FlightTerms| {
            let mut flight = InFlight::default();
            flight.clear(1);
            flight.add(0..1, &[8_400.0], t);
            let means = means_for(flight.burst());
            replicas_in_flight(flight.mean[0], flight.extra[0], 1, &means)
        };
        let (a, b) = (at(&calm), at(&restless));
        assert!((a - 84.0).abs() < 1.5, "{a}");
        assert!(b > 1.5 * a, "{b}");
    }

    #[test]
    fn counts_in_flight_are_quantiles_of_their_law() {
        for burst in [0.0, 0.003, 0.05, 0.3, 1.0, 4.0] {
            let means = means_for(burst);
            for i in 1..400 {
                let mean = 0.02 * f64::from(i) * f64::from(i).sqrt();
                let n = replicas_in_flight(mean, burst * mean * mean, 1, &means);
                // the law itself, summed; between points of the table a mean may be 3 % off
                let exact = |m: f64| {
                    crate::engine::demand::count::draw(m, burst * m * m, PLANNED_QUANTILE) as f64
                };
                let (low, high) = (exact(mean * 0.97), exact(mean * 1.03));
                let slack = if mean > means[COUNTED] {
                    0.02 * high + 1.0
                } else {
                    0.0
                };
                assert!(
                    low - slack <= n && n <= high + slack,
                    "{burst} {mean}: {n}, {low} to {high}"
                );
            }
        }
    }

    #[test]
    fn replicas_cover_load_sequences_and_minimum() {
        let serving = ServingProfile {
            gpus_per_replica: 2,
            prefill_tokens_per_second: 1.0,
            decode_tokens_per_second: 1.0,
            concurrent_sequences: 4,
            minimum_replicas: 1,
        };
        // 84 seconds of work in a minute at 70 % are exactly 2 replicas
        let planned = [84.0, 0.0, 84.001];
        let mut flight = InFlight::default();
        flight.clear(3);
        let mut needed = vec![0.0; 3];
        add_needed(
            &serving,
            0.7,
            &planned,
            &flight,
            &[true, true, true],
            &mut needed,
        );
        assert_eq!(needed, [4.0, 2.0, 6.0]);
        flight.mean = vec![0.0, 40.0, 0.0];
        let mut needed = vec![0.0; 3];
        add_needed(
            &serving,
            0.7,
            &planned,
            &flight,
            &[true, true, false],
            &mut needed,
        );
        // Poisson(40): the 95 % quantile is 51
        assert_eq!(needed, [4.0, 26.0, 0.0]);
    }
}
