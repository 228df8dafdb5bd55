//! GPUs that a model needs in a cluster, hour by hour.
//!
//! Replicas = max(minimum, planned minute load / (60 s × target), planned calls in flight / sequences), rounded up.

use super::{Loads, whole_up};
use crate::{
    domain::scenario::ServingProfile,
    engine::requests::minute::{gamma_deviations, law::HourShape},
};

/// Calls in flight, hour by hour: mean λW, variance λW + (cλW)² τ/(τ + W).
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

    /// The planned quantile, by the gamma law with these moments.
    #[must_use]
    pub fn planned(&self, hour: usize) -> f64 {
        planned(self.mean[hour], self.mean[hour] + self.extra[hour])
    }
}

#[inline]
fn planned(mean: f64, variance: f64) -> f64 {
    if mean <= 0.0 {
        return 0.0;
    }
    let sd = libm::sqrt(variance);
    mean + sd * gamma_deviations(2.0 * sd / mean)
}

/// No gamma law has its planned quantile more standard deviations above its mean.
const MOST_DEVIATIONS: f64 = 2.1;

/// Adds the GPUs that a model needs to `needed`, in hours in which it is `live`.
pub fn add_needed(
    serving: &ServingProfile,
    target: f64,
    loads: &Loads,
    shape: &HourShape,
    flight: &InFlight,
    live: &[bool],
    needed: &mut [f64],
) {
    let per_replica = 1.0 / (60.0 * target);
    let sequences = f64::from(serving.concurrent_sequences);
    let gpus = f64::from(serving.gpus_per_replica);
    let minimum = f64::from(serving.minimum_replicas);
    for (hour, (live, needed)) in live.iter().zip(needed).enumerate() {
        if !live {
            continue;
        }
        let mut replicas =
            whole_up(shape.planned(loads.mean[hour], loads.variance[hour]) * per_replica)
                .max(minimum);
        // a bound first: the root and the division are rarely needed
        let (mean, variance) = (flight.mean[hour], flight.mean[hour] + flight.extra[hour]);
        let room = replicas * sequences - mean;
        if room <= 0.0 || room * room < MOST_DEVIATIONS * MOST_DEVIATIONS * variance {
            replicas = replicas.max(whole_up(planned(mean, variance) / sequences));
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
        let mut flight = InFlight::default();
        let at = |flight: &mut InFlight, t: &FlightTerms| {
            flight.clear(1);
            flight.add(0..1, &[8_400.0], t);
            flight.planned(0)
        };
        let (a, b) = (at(&mut flight, &calm), at(&mut flight, &restless));
        assert!((a - 84.0).abs() < 1.5, "{a}");
        assert!(b > 1.5 * a, "{b}");
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
        let mut loads = Loads::default();
        loads.clear(3);
        // no variance: the load itself; 84 seconds of work in a minute at 70 % are exactly 2 replicas
        loads.mean = vec![84.0, 0.0, 84.001];
        let mut flight = InFlight::default();
        flight.clear(3);
        let mut needed = vec![0.0; 3];
        add_needed(
            &serving,
            0.7,
            &loads,
            &HourShape::new(&[]),
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
            &loads,
            &HourShape::new(&[]),
            &flight,
            &[true, true, false],
            &mut needed,
        );
        // Poisson(40): 95 % quantile about 51
        assert_eq!(needed, [4.0, 26.0, 0.0]);
    }
}
