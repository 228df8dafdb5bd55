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
        let mut products = Vec::with_capacity(component::MEASURED * (component::MEASURED + 1) / 2);
        for a in 0..component::MEASURED {
            for b in a..component::MEASURED {
                products.push(sample.iter().map(|x| x[a] * x[b]).sum::<f64>() / n);
            }
        }
        Self { products }
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
