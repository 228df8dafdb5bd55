//! Second moments of components: the variance of any linear measure without going through the sample again.

use super::{Components, component};

/// Mean of x x' over a sample, upper triangle row by row, of the components that measures count.
#[derive(Clone, Debug, PartialEq)]
pub struct SecondMoments {
    products: Vec<f64>,
}

impl SecondMoments {
    /// Of equally likely vectors.
    #[must_use]
    pub fn new(sample: &[Components]) -> Self {
        let n = sample.len().max(1) as f64;
        let present = |k: &usize| sample.iter().any(|x| x[*k] != 0.0);
        let present: Vec<usize> = (0..component::MEASURED).filter(present).collect();
        let mut sums = [[0.0; component::MEASURED]; component::MEASURED];
        for x in sample {
            for (at, a) in present.iter().enumerate() {
                for b in &present[at..] {
                    sums[*a][*b] += x[*a] * x[*b];
                }
            }
        }
        let row = |(a, sums): (usize, &[f64; component::MEASURED])| {
            sums[a..].iter().map(|sum| sum / n).collect::<Vec<_>>()
        };
        Self {
            products: sums.iter().enumerate().flat_map(row).collect(),
        }
    }

    /// Mean square of a weighted sum of components.
    #[must_use]
    pub fn square(&self, weights: &Components) -> f64 {
        let mut sum = 0.0;
        let mut at = 0;
        for a in 0..component::MEASURED {
            if weights[a] == 0.0 {
                at += component::MEASURED - a;
                continue;
            }
            for b in a..component::MEASURED {
                let twice = if a == b { 1.0 } else { 2.0 };
                sum += twice * weights[a] * weights[b] * self.products[at];
                at += 1;
            }
        }
        sum.max(0.0)
    }
}

/// Weighted sum of the components that measures count.
#[must_use]
pub fn dot(x: &Components, weights: &Components) -> f64 {
    let mut sum = 0.0;
    for k in 0..component::MEASURED {
        sum += x[k] * weights[k];
    }
    sum
}
