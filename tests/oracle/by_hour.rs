//! How full a pool is hour by hour, from what one request takes of it on average, which is found by playing many.

use std::collections::HashMap;

use headroom::domain::scenario::{CommitmentKind, PoolKind, Scenario};
use rand::SeedableRng;

use super::Rng;
use super::calendar::Calendar;
use super::demand::{FeatureDraw, FeatureLaw};
use super::requests::{At, request};

const REQUESTS: u32 = 200_000;

/// Mean use of a pool per request, by feature and hour. Levels and drift are the same in all trials.
#[derive(Default)]
pub struct Uses(HashMap<(usize, [u64; 3]), f64>);

impl Uses {
    /// Share of a pool that is at work in every hour, growth under load included.
    pub fn utilisation(
        &mut self,
        pool: usize,
        scenario: &Scenario,
        calendar: &Calendar,
        features: &[FeatureLaw],
        draws: &[FeatureDraw],
        rates: &[Vec<f64>],
    ) -> Vec<f64> {
        let there = || (0..features.len()).filter(|f| features[*f].pool == pool);
        if there().all(|f| draws[f].load_sensitivity == 0.0) {
            return vec![0.0; calendar.hours()];
        }
        let committed = committed(pool, scenario);
        (0..calendar.hours())
            .map(|hour| {
                let (mut load, mut pulled) = (0.0, 0.0);
                for f in there() {
                    assert!(features[f].same_requests_in_all_trials());
                    let at = features[f].at(calendar.hour_of_week(hour), 1.0);
                    let used = rates[f][hour] / 60.0 * self.one(scenario, f, features, draws, at);
                    load += used / committed;
                    pulled += draws[f].load_sensitivity * used / committed;
                }
                if pulled >= 1.0 {
                    1.0
                } else {
                    (load / (1.0 - pulled)).min(1.0)
                }
            })
            .collect()
    }

    /// What a request takes of its pool: GPU-minutes, or tokens that count.
    fn one(
        &mut self,
        scenario: &Scenario,
        f: usize,
        features: &[FeatureLaw],
        draws: &[FeatureDraw],
        at: At,
    ) -> f64 {
        let key = [at.tokens, at.retries, at.cached].map(f64::to_bits);
        *self.0.entry((f, key)).or_insert_with(|| {
            let law = &features[f];
            let mut rng = Rng::seed_from_u64(99);
            let (mut attempts, mut sum) = (Vec::new(), 0.0);
            for _ in 0..REQUESTS {
                request(law, &draws[f], at, &mut rng, &mut attempts);
                for a in &attempts {
                    sum += match &scenario.pools[law.pool].kind {
                        PoolKind::GpuCluster { .. } => {
                            let serving = law.model.serving.as_ref().expect("a profile");
                            a.work(law) * f64::from(serving.gpus_per_replica) / 60.0
                        }
                        PoolKind::PayAsYouGo {
                            cached_reads_count, ..
                        } => a.uncached + a.output + f64::from(*cached_reads_count) * a.cached,
                    };
                }
            }
            sum / f64::from(REQUESTS)
        })
    }
}

/// GPUs, or tokens per minute.
fn committed(pool: usize, scenario: &Scenario) -> f64 {
    match &scenario.pools[pool].kind {
        PoolKind::PayAsYouGo {
            tokens_per_minute, ..
        } => tokens_per_minute.unwrap_or(f64::INFINITY),
        PoolKind::GpuCluster { .. } => scenario
            .commitments
            .iter()
            .filter_map(|c| match &c.kind {
                CommitmentKind::ReservedCapacity { pool: at, gpus, .. }
                    if *at == scenario.pools[pool].id =>
                {
                    Some(f64::from(*gpus))
                }
                _ => None,
            })
            .sum(),
    }
}
