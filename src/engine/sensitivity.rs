//! How much each uncertain input moves each outcome, from the trials that are there anyway: the outcome's mean where
//! the input is in its lowest and in its highest fifth, and their rank correlation.
//!
//! Source: docs/model.md, "Sensitivity".

use super::projection::{Driver, Outcome};
use super::statistics::{Ranks, mean, order};
use crate::domain::field::FieldPath;

/// Inputs held against outcomes; outcomes first.
#[derive(Clone, Debug, Default)]
pub struct Sensitivity {
    outcomes: Vec<Held>,
    drivers: Vec<Driver>,
}

#[derive(Clone, Debug)]
struct Held {
    outcome: Outcome,
    values: Vec<f64>,
    mean: f64,
    ranks: Ranks,
}

impl Sensitivity {
    /// Adds an outcome by trial. One that does not differ between trials is moved by nothing and left out.
    pub fn add_outcome(&mut self, outcome: Outcome, values: &[f64]) {
        if values.iter().all(|x| *x == values[0]) {
            return;
        }
        self.outcomes.push(Held {
            outcome,
            values: values.to_vec(),
            mean: mean(values),
            ranks: Ranks::of(values),
        });
    }

    /// Holds an input by trial against all outcomes. A fifth has ⌊n/5⌋ trials; of equal inputs those with the lowest
    /// trial numbers. With fewer than five trials there is no fifth and nothing to say.
    pub fn add_input(&mut self, input: &FieldPath, values: &[f64]) {
        let fifth = values.len() / 5;
        if fifth == 0 || self.outcomes.is_empty() {
            return;
        }
        let order = order(values);
        let (low, high) = (&order[..fifth], &order[values.len() - fifth..]);
        let ranks = Ranks::of_ordered(values, &order);
        for held in &self.outcomes {
            let mean_of = |trials: &[u32]| {
                trials.iter().map(|t| held.values[*t as usize]).sum::<f64>() / fifth as f64
                    - held.mean
            };
            self.drivers.push(Driver {
                input: input.clone(),
                outcome: held.outcome,
                low_fifth: mean_of(low),
                high_fifth: mean_of(high),
                rank_correlation: ranks.correlation(&held.ranks),
            });
        }
    }

    /// By outcome as added, the inputs that move it most first; equal ones in the order of the inputs.
    #[must_use]
    pub fn drivers(mut self) -> Vec<Driver> {
        let place = |d: &Driver| self.outcomes.iter().position(|h| h.outcome == d.outcome);
        let swing = |d: &Driver| (d.high_fifth - d.low_fifth).abs();
        self.drivers
            .sort_by(|a, b| place(a).cmp(&place(b)).then(swing(b).total_cmp(&swing(a))));
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
        s.add_outcome(Outcome::YearEffectiveCost(0), &cost);
        s.add_outcome(Outcome::LowestHeadroom(0), &small);
        s.add_input(&path(1), &small);
        s.add_input(&path(2), &large);
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
        s.add_outcome(Outcome::YearEffectiveCost(0), &[1.0; 10]);
        s.add_input(
            &path(1),
            &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0],
        );
        assert_eq!(s.drivers(), []);
        let mut few = Sensitivity::default();
        few.add_outcome(Outcome::YearEffectiveCost(0), &[1.0, 2.0]);
        few.add_input(&path(1), &[1.0, 2.0]);
        assert_eq!(few.drivers(), []);
    }
}
