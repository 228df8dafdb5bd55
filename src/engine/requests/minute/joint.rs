//! The planned quantile of few requests: up to three features whose parts can be counted, exact for any mix.
//!
//! With a handful of parts a minute no shape is good enough: whether there is any part at all, and which feature's it
//! is, decides. The quantile is computed on a grid of rates, one axis per feature, where and when an hour asks for it,
//! and is linear between.

use std::sync::Arc;

use super::{
    PLANNED_QUANTILE,
    calls::{CallCounts, planned_calls},
    law::MinuteLaw,
};
use crate::engine::requests::compound::{Compound, Count, Grids, Sizes, Summand, power_below};

/// Most features.
pub const MOST_FEATURES: usize = 3;

/// Up to this many parts a minute in a busy hour the joint law is used; above, shapes are good.
pub const MOST_PARTS: f64 = 32.0;

/// Largest rate of a Poisson count whose planned quantile is 0: -ln 0.95.
const SILENT: f64 = 0.051_293_294_387_550_53;

/// Octaves below [`SILENT`] and in all.
const OCTAVES_BELOW: u32 = 5;
const OCTAVES: u32 = 17;

/// Cells of the span.
const CELLS: usize = 512;

/// A feature whose parts have any size.
#[derive(Clone, Debug)]
struct Sized {
    sizes: Sizes,
    rate_variance: f64,
    grids: Grids,
}

/// What adds up.
#[derive(Debug)]
enum Law {
    /// Sizes on a grid.
    Sizes {
        axes: Vec<Sized>,
        compound: Compound,
    },
    /// Whole calls; planned is the y of [`super::calls`].
    Calls(Vec<Arc<CallCounts>>),
}

/// Planned quantiles by rates.
#[derive(Debug)]
pub struct Joint {
    law: Law,
    /// Parts per request, by axis.
    per_request: Vec<f64>,
    /// Bits of points per octave.
    bits: u32,
    /// Points of an axis.
    points: usize,
    /// Row-major, the last axis fastest; NaN: not asked for yet.
    values: Vec<f64>,
}

impl Joint {
    /// Of laws with the mean of each one's measure per request.
    #[must_use]
    pub fn new(laws: &[(&MinuteLaw, f64)]) -> Self {
        let axes = laws.iter().map(|(law, unit)| Sized {
            sizes: law.sizes_in(*unit),
            rate_variance: law.rate_variance(),
            grids: Grids::default(),
        });
        let law = Law::Sizes {
            axes: axes.collect(),
            compound: Compound::with_cells(CELLS),
        };
        Self::of(law, laws.iter().map(|(l, _)| l.per_request()).collect())
    }

    /// Of calls.
    #[must_use]
    pub fn of_calls(counts: Vec<Arc<CallCounts>>) -> Self {
        let per_request = counts.iter().map(|c| c.per_request()).collect();
        Self::of(Law::Calls(counts), per_request)
    }

    fn of(law: Law, per_request: Vec<f64>) -> Self {
        let bits = match per_request.len() {
            0 | 1 => 5,
            2 => 4,
            _ => 2,
        };
        let points = (OCTAVES << bits) as usize + 1;
        Self {
            law,
            bits,
            points,
            values: vec![f64::NAN; points.pow(per_request.len() as u32)],
            per_request,
        }
    }

    /// The planned quantile at some requests per minute of each feature.
    pub fn planned(&mut self, requests_per_minute: &[f64]) -> f64 {
        let first = SILENT / f64::from(1u32 << OCTAVES_BELOW);
        let mut at = [(0, 0.0); MOST_FEATURES];
        for ((place, parts), rate) in at
            .iter_mut()
            .zip(&self.per_request)
            .zip(requests_per_minute)
        {
            *place = self.place(first, rate * parts);
        }
        let axes = self.per_request.len();
        let mut sum = 0.0;
        for corner in 0..1usize << axes {
            let (mut weight, mut cell) = (1.0, [0; MOST_FEATURES]);
            for a in 0..axes {
                let up = corner >> a & 1;
                cell[a] = at[a].0 + up;
                weight *= if up == 1 { at[a].1 } else { 1.0 - at[a].1 };
            }
            if weight > 0.0 {
                sum += weight * self.value(&cell[..axes]);
            }
        }
        sum
    }

    /// Point at or below a rate, and how far it is to the next.
    fn place(&self, first: f64, rate: f64) -> (usize, f64) {
        let rest = 52 - self.bits;
        // in units of the first rate, so that the silent rate is a point
        let above = (rate / first).max(1.0).to_bits() - 1f64.to_bits();
        let at = (above >> rest) as usize;
        if at >= self.points - 1 {
            return (self.points - 1, 0.0);
        }
        (
            at,
            (above & ((1 << rest) - 1)) as f64 / (1u64 << rest) as f64,
        )
    }

    fn rate(&self, point: usize) -> f64 {
        let octave = point >> self.bits;
        let part = (point & ((1 << self.bits) - 1)) as f64 / f64::from(1u32 << self.bits);
        SILENT / f64::from(1u32 << OCTAVES_BELOW) * (1u64 << octave) as f64 * (1.0 + part)
    }

    fn value(&mut self, cell: &[usize]) -> f64 {
        let index = cell.iter().fold(0, |i, c| i * self.points + c);
        let known = self.values[index];
        if !known.is_nan() {
            return known;
        }
        let value = self.compute(cell);
        self.values[index] = value;
        value
    }

    fn compute(&mut self, cell: &[usize]) -> f64 {
        let rates: Vec<f64> = cell.iter().map(|point| self.rate(*point)).collect();
        match &mut self.law {
            Law::Calls(counts) => {
                let pairs = counts.iter().zip(rates);
                let summands: Vec<_> = pairs.map(|(c, rate)| (&**c, rate)).collect();
                planned_calls(&summands)
            }
            Law::Sizes { axes, compound } => planned_sizes(axes, &rates, compound),
        }
    }
}

/// The planned quantile of sizes at rates of parts per minute.
fn planned_sizes(axes: &mut [Sized], rates: &[f64], compound: &Compound) -> f64 {
    // twice the mean and a part of each: a start; the span then follows what it shows
    let mut start = 0.0;
    let mut summands: Vec<Summand> = axes
        .iter_mut()
        .zip(rates)
        .map(|(axis, rate)| {
            start += (2.0 * rate + 1.0) * axis.sizes.moments[0];
            let count = Count {
                mean: *rate,
                rate_variance: axis.rate_variance,
            };
            (&axis.sizes, count, &mut axis.grids)
        })
        .collect();
    if start <= 0.0 {
        return 0.0;
    }
    compound
        .up_to(&mut summands, power_below(start), PLANNED_QUANTILE)
        .and_then(|cdf| cdf.quantile(PLANNED_QUANTILE))
        .unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_places_agree() {
        let joint = Joint {
            law: Law::Calls(Vec::new()),
            per_request: Vec::new(),
            bits: 2,
            points: (OCTAVES << 2) as usize + 1,
            values: Vec::new(),
        };
        let first = joint.rate(0);
        for i in 0..joint.points {
            let (at, part) = joint.place(first, joint.rate(i));
            assert!(
                (at as f64 + part - i as f64).abs() < 1e-9,
                "{i}: {at} + {part}"
            );
        }
        assert!((joint.rate(20) - SILENT).abs() < 1e-15);
        assert!(joint.rate(joint.points - 1) > 2.0 * MOST_PARTS);
        assert_eq!(joint.place(first, 0.0), (0, 0.0));
        assert_eq!(joint.place(first, 1e9), (joint.points - 1, 0.0));
    }
}
