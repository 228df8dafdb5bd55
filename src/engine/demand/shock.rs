//! Demand shock S: one stationary weekly AR(1) x for all features, weeks of 168 hours from the start of the horizon.
//! A feature with loading q is multiplied by exp(q x - q² σ² / 2), whose mean is 1.

use super::Month;
use crate::{
    domain::{dependence::DemandShock, distribution::special::normal_quantile},
    engine::rng::{StreamKey, purpose},
};

/// Hours of a week.
const WEEK: u32 = 168;

/// x of every week of the horizon.
pub fn fill(law: &DemandShock, seed: u64, trial: u32, hours: u32, weeks: &mut Vec<f64>) {
    weeks.clear();
    let rho = law.weekly_persistence;
    let innovation = f64::sqrt(1.0 - rho * rho);
    let mut x = 0.0;
    for block in 0..hours.div_ceil(WEEK) {
        let key = StreamKey {
            seed,
            trial,
            entity: 0,
            purpose: purpose::DEMAND_SHOCK,
            block,
        };
        let z = normal_quantile(key.uniform());
        x = if block == 0 {
            z
        } else {
            rho * x + innovation * z
        };
        weeks.push(law.deviation * x);
    }
}

/// Multiplies a month's rates by S.
pub fn apply(law: &DemandShock, loading: f64, weeks: &[f64], month: &Month, row: &mut [f64]) {
    if loading == 0.0 || law.deviation == 0.0 {
        return;
    }
    let half_variance = 0.5 * loading * loading * law.deviation * law.deviation;
    let mut hour = month.first;
    let mut rest = row;
    while !rest.is_empty() {
        let week = hour / WEEK;
        let count = (((week + 1) * WEEK - hour) as usize).min(rest.len());
        let (now, later) = rest.split_at_mut(count);
        let x = weeks.get(week as usize).copied().unwrap_or(0.0);
        let factor = libm::exp(loading * x - half_variance);
        for r in now {
            *r *= factor;
        }
        hour += count as u32;
        rest = later;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_deviation_and_persistence_are_as_said() {
        let law = DemandShock {
            deviation: 0.4,
            weekly_persistence: 0.7,
        };
        let month = Month {
            index: 0,
            first: 0,
            hours: 4 * 168,
            block: 0,
        };
        let (loading, trials) = (0.5, 40_000);
        let mut weeks = Vec::new();
        let mut row = vec![0.0; month.hours];
        let (mut sum, mut squares, mut lag) = ([0.0; 4], [0.0; 4], 0.0);
        for trial in 0..trials {
            fill(&law, 3, trial, 672, &mut weeks);
            row.fill(1.0);
            apply(&law, loading, &weeks, &month, &mut row);
            for week in 0..4 {
                let s = row[week * 168 + 100];
                assert_eq!(s, row[week * 168]);
                sum[week] += s;
                squares[week] += s * s;
            }
            lag += weeks[0] * weeks[1];
        }
        let n = f64::from(trials);
        // lognormal with sigma = q sigma: mean 1, variance e^(q² sigma²) - 1, in every week, the first too
        let variance: f64 = (0.2f64 * 0.2).exp() - 1.0;
        for week in 0..4 {
            let mean = sum[week] / n;
            assert!((mean - 1.0).abs() < 4.0 * (variance / n).sqrt(), "{mean}");
            let sd = (squares[week] / n - mean * mean).sqrt();
            assert!((sd / variance.sqrt() - 1.0).abs() < 0.02, "{sd}");
        }
        assert!((lag / n / 0.16 - 0.7).abs() < 0.02, "{}", lag / n / 0.16);
    }
}
