//! Samples as nine quantiles: a shorter link that says almost the same.

use crate::domain::distribution::Distribution;
use crate::domain::field::FieldPath;
use crate::domain::grammar::nine_quantiles;
use crate::domain::quantity::{Quantity, Shape};
use crate::domain::scenario::Scenario;

/// A plan whose samples are nine quantiles and their mean, and the largest change of a field's p50, as a fraction.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortened {
    /// The plan.
    pub plan: Scenario,
    /// Largest relative change of a p50.
    pub p50_change: f64,
}

/// The plan in short; none if it has no sample.
#[must_use]
pub fn shortened(plan: &Scenario) -> Option<Shortened> {
    let mut short = plan.clone();
    let mut p50_change: Option<f64> = None;
    let fields: Vec<(FieldPath, _)> = plan
        .quantities()
        .into_iter()
        .map(|(path, spec, _)| (path, spec))
        .collect();
    for (path, spec) in fields {
        let Some(quantity) = short.quantity_mut(&path) else {
            continue;
        };
        let Some(new) = in_short(quantity) else {
            continue;
        };
        let median = |q: &Quantity| {
            Distribution::fit(q, spec.domain).map(|fit| fit.distribution.quantile(0.5))
        };
        // quantiles that do not fit the field stay a sample
        let (Ok(before), Ok(after)) = (median(quantity), median(&new)) else {
            continue;
        };
        let change = if before == after {
            0.0
        } else {
            ((after - before) / before.abs().max(f64::MIN_POSITIVE)).abs()
        };
        p50_change = Some(p50_change.unwrap_or(0.0).max(change));
        *quantity = new;
    }
    p50_change.map(|p50_change| Shortened {
        plan: short,
        p50_change,
    })
}

fn in_short(quantity: &Quantity) -> Option<Quantity> {
    if let Shape::Sample(values) = &quantity.shape {
        let short = nine_quantiles(values)?;
        let mean = quantity.mean.or(short.mean);
        return Some(Quantity { mean, ..short });
    }
    let mut new = quantity.clone();
    parts_in_short(&mut new.shape).then_some(new)
}

/// Samples inside of a mix: a part has no mean of its own.
fn parts_in_short(shape: &mut Shape) -> bool {
    let mut any = false;
    if let Shape::Mix(parts) = shape {
        for part in parts {
            if let Shape::Sample(values) = &part.part
                && let Some(short) = nine_quantiles(values)
            {
                part.part = short.shape;
                any = true;
            } else {
                any |= parts_in_short(&mut part.part);
            }
        }
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_sample_is_a_short_link() {
        let mut plan = crate::stories::all()[0].scenario();
        assert_eq!(shortened(&plan), None);
        let values: Vec<f64> = (1..=3_000)
            .map(|i| f64::from(i) * 1.37 + f64::from(i % 7))
            .collect();
        plan.features[0].input_tokens.each = Shape::Sample(values).into();
        let short = shortened(&plan).expect("a sample");
        assert!(short.p50_change < 0.02, "{}", short.p50_change);
        let (long, link) = (
            crate::share::encode(&plan).expect("fits"),
            crate::share::encode(&short.plan).expect("fits"),
        );
        assert!(link.len() * 4 < long.len(), "{} {}", link.len(), long.len());
        assert_eq!(crate::share::decode(&link), Ok(short.plan));
        assert_eq!(crate::share::decode(&long), Ok(plan));
    }
}
