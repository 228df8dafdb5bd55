//! How much each uncertain input moves each outcome, from the trials that are there anyway: the outcome's mean where
//! the input is in its lowest and in its highest fifth, and their rank correlation.
//!
//! Source: docs/model.md, "Sensitivity".

use super::projection::{Driver, Outcome};
use super::statistics::{Ranks, mean, order};
use crate::domain::field::FieldPath;

/// Inputs held against outcomes; inputs first. 9.6 bytes per trial and input while it works.
#[derive(Clone, Debug, Default)]
pub struct Sensitivity {
    inputs: Vec<Held>,
    drivers: Vec<Driver>,
}

#[derive(Clone, Debug)]
struct Held {
    input: FieldPath,
    /// Trials of the lowest and the highest fifth.
    fifths: [Vec<u32>; 2],
    ranks: Ranks,
}

impl Sensitivity {
    /// Adds an input by trial. A fifth has ⌊n/5⌋ trials; of equal inputs those with the lowest trial numbers. With fewer
    /// than five trials there is no fifth and nothing to say.
    pub fn add_input(&mut self, input: &FieldPath, values: &[f64]) {
        let fifth = values.len() / 5;
        if fifth == 0 {
            return;
        }
        let order = order(values);
        self.inputs.push(Held {
            input: input.clone(),
            fifths: [
                order[..fifth].to_vec(),
                order[values.len() - fifth..].to_vec(),
            ],
            ranks: Ranks::of_ordered(values, &order),
        });
    }

    /// Holds all inputs against an outcome by trial. One that does not differ between trials is moved by nothing and
    /// left out.
    pub fn add_outcome(&mut self, outcome: Outcome, values: &[f64]) {
        if self.inputs.is_empty() || values.iter().all(|x| *x == values[0]) {
            return;
        }
        let all = mean(values);
        let noise = Noise::of(values, all);
        let ranks = Ranks::of(values);
        let first = self.drivers.len();
        for held in &self.inputs {
            let [low_fifth, high_fifth] = held.fifths.each_ref().map(|trials| {
                trials.iter().map(|t| values[*t as usize]).sum::<f64>() / trials.len() as f64 - all
            });
            let rank_correlation = held.ranks.correlation(&ranks);
            self.drivers.push(Driver {
                input: held.input.clone(),
                outcome,
                low_fifth,
                high_fifth,
                rank_correlation,
                within_noise: noise.spans(low_fifth, high_fifth, rank_correlation),
            });
        }
        let swing = |d: &Driver| (d.high_fifth - d.low_fifth).abs();
        self.drivers[first..].sort_by(|a, b| {
            let clear_first = a.within_noise.cmp(&b.within_noise);
            clear_first.then(swing(b).total_cmp(&swing(a)))
        });
    }

    /// By outcome as added, the inputs that move it most first, those within the noise last; equal ones in the order of
    /// the inputs.
    #[must_use]
    pub fn drivers(self) -> Vec<Driver> {
        self.drivers
    }
}

/// So many deviations from 0 are noise: of dozens of inputs that move nothing, hardly one is beyond.
const DEVIATIONS: f64 = 3.0;

/// How far the figures of an input that moves nothing lie from 0: those of a random order of the trials.
struct Noise {
    fifth: f64,
    swing: f64,
    correlation: f64,
}

impl Noise {
    /// Of an outcome by trial.
    fn of(values: &[f64], mean: f64) -> Self {
        let n = values.len() as f64;
        let fifth = (values.len() / 5) as f64;
        let squares: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
        let variance = squares / (n - 1.0);
        Self {
            fifth: DEVIATIONS * f64::sqrt(variance * (1.0 / fifth - 1.0 / n)),
            swing: DEVIATIONS * f64::sqrt(variance * 2.0 / fifth),
            correlation: DEVIATIONS / f64::sqrt(n - 1.0),
        }
    }

    fn spans(&self, low: f64, high: f64, correlation: f64) -> bool {
        low.abs() <= self.fifth
            && high.abs() <= self.fifth
            && (high - low).abs() <= self.swing
            && correlation.abs() <= self.correlation
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::scenario::Id;

    fn path(id: u32) -> FieldPath {
        FieldPath::of("features", Id(id), "requests_per_day")
    }

    #[test]
    fn the_larger_mover_comes_first() {
        let small: Vec<f64> = (0..100).map(|t| f64::from(t * 37 % 100)).collect();
        let large: Vec<f64> = (0..100).map(|t| f64::from(t * 53 % 100)).collect();
        let cost: Vec<f64> = small
            .iter()
            .zip(&large)
            .map(|(a, b)| a - 10.0 * b)
            .collect();
        let mut s = Sensitivity::default();
        s.add_input(&path(1), &small);
        s.add_input(&path(2), &large);
        s.add_outcome(Outcome::YearEffectiveCost(0), &cost);
        s.add_outcome(Outcome::LowestHeadroom(0), &small);
        let drivers = s.drivers();
        let names: Vec<_> = drivers
            .iter()
            .map(|d| (d.input.clone(), d.outcome))
            .collect();
        assert_eq!(
            names,
            [
                (path(2), Outcome::YearEffectiveCost(0)),
                (path(1), Outcome::YearEffectiveCost(0)),
                (path(1), Outcome::LowestHeadroom(0)),
                (path(2), Outcome::LowestHeadroom(0)),
            ]
        );
        // lowest fifth of 0..100 has mean 9.5, the highest 89.5, all 49.5
        let itself = &drivers[2];
        assert!(
            (itself.low_fifth + 40.0).abs() < 1e-12 && (itself.high_fifth - 40.0).abs() < 1e-12
        );
        assert!((itself.rank_correlation - 1.0).abs() < 1e-12);
        assert!(
            drivers[0].low_fifth > 0.0
                && drivers[0].high_fifth < 0.0
                && drivers[0].rank_correlation < -0.95
        );
    }

    #[test]
    fn what_moves_nothing_is_within_the_noise() {
        // 300 inputs of which one moves the outcome: 0.2 of its deviation; hardly another is beyond the noise
        let mut state = 5_u64;
        let mut uniform = move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let inputs: Vec<Vec<f64>> = (0..300)
            .map(|_| (0..1_000).map(|_| uniform()).collect())
            .collect();
        let cost: Vec<f64> = inputs[0].iter().map(|x| 0.2 * x + uniform()).collect();
        let mut s = Sensitivity::default();
        for (at, values) in (0..).zip(&inputs) {
            s.add_input(&path(at), values);
        }
        s.add_outcome(Outcome::YearEffectiveCost(0), &cost);
        let drivers = s.drivers();
        assert_eq!(
            (&drivers[0].input, drivers[0].within_noise),
            (&path(0), false)
        );
        let clear = drivers.iter().filter(|d| !d.within_noise).count();
        assert!(clear <= 5, "{clear} of 300");
        assert!(drivers[clear..].iter().all(|d| d.within_noise), "the last");
    }

    #[test]
    fn what_does_not_differ_is_left_out() {
        let mut s = Sensitivity::default();
        s.add_input(
            &path(1),
            &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0],
        );
        s.add_outcome(Outcome::YearEffectiveCost(0), &[1.0; 10]);
        assert_eq!(s.drivers(), []);
        let mut few = Sensitivity::default();
        few.add_input(&path(1), &[1.0, 2.0]);
        few.add_outcome(Outcome::YearEffectiveCost(0), &[1.0, 2.0]);
        assert_eq!(few.drivers(), []);
    }
}
