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
        let ranks = Ranks::of(values);
        let first = self.drivers.len();
        for held in &self.inputs {
            let [low_fifth, high_fifth] = held.fifths.each_ref().map(|trials| {
                trials.iter().map(|t| values[*t as usize]).sum::<f64>() / trials.len() as f64 - all
            });
            self.drivers.push(Driver {
                input: held.input.clone(),
                outcome,
                low_fifth,
                high_fifth,
                rank_correlation: held.ranks.correlation(&ranks),
            });
        }
        let swing = |d: &Driver| (d.high_fifth - d.low_fifth).abs();
        self.drivers[first..].sort_by(|a, b| swing(b).total_cmp(&swing(a)));
    }

    /// By outcome as added, the inputs that move it most first; equal ones in the order of the inputs.
    #[must_use]
    pub fn drivers(self) -> Vec<Driver> {
        self.drivers
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
