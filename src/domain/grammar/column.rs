//! Pasted columns of values.

use super::{FEWEST_VALUES, GrammarProblem};
use crate::domain::distribution::MOST_VALUES;
use crate::domain::quantity::{Quantity, Shape};

/// Whether there are several lines (or cells), or a list of values that says so.
pub(super) fn is_column(text: &str) -> bool {
    let text = text.trim();
    text.contains(['\n', '\t', '\r']) || text.starts_with(SAMPLE)
}

/// The word in front of measured values.
pub(super) const SAMPLE: &str = "sample";

/// Where the first line ends if it is a heading: no digit in it.
pub(super) fn without_heading(text: &[char]) -> usize {
    let end = text
        .iter()
        .position(|c| matches!(c, '\n' | '\r'))
        .unwrap_or(0);
    if text[..end].iter().any(char::is_ascii_digit) {
        0
    } else {
        end
    }
}

/// Whether numbers may stand beside each other with a space between: then a space joins no thousands.
pub(super) fn has_parameters(text: &[char]) -> bool {
    let lower: String = text.iter().flat_map(|c| c.to_lowercase()).collect();
    [
        "normal", "uniform", "triang", "pert", "beta", "gamma", "%", ":", "discrete", "part",
        SAMPLE,
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// The value of ascending ones with so many of a thousand at or below it: `sorted[ceil(n p) - 1]`, in integers.
pub(super) fn inverse_ecdf(sorted: &[f64], permille: usize) -> Option<f64> {
    let rank = (sorted.len() * permille).div_ceil(1000).max(1);
    sorted.get(rank - 1).copied()
}

/// Nine quantiles and the mean of measured values: what a sample is where it must be short.
#[must_use]
pub fn nine_quantiles(values: &[f64]) -> Option<Quantity> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let at = |permille| inverse_ecdf(&values, permille).unwrap_or(0.0);
    let nine = [0, 100, 250, 500, 750, 900, 950, 990, 1000].map(at);
    // Divided first, so that the sum of large values stays finite.
    let n = values.len() as f64;
    let mean = values.iter().map(|v| v / n).sum::<f64>();
    if values.is_empty() {
        return None;
    }
    if nine[0] == nine[8] {
        return Some(Quantity::fixed(nine[0]));
    }
    Some(Quantity {
        shape: Shape::Quantiles(nine),
        mean: Some(mean.clamp(nine[0], nine[8])),
    })
}

/// A pasted column: kept as it is, ascending; longer ones than [`MOST_VALUES`] as nine quantiles and their mean.
pub(super) fn sample(mut values: Vec<f64>) -> Result<Quantity, GrammarProblem> {
    if values.len() < FEWEST_VALUES {
        return Err(GrammarProblem::TooFewValues {
            count: values.len(),
            least: FEWEST_VALUES,
        });
    }
    values.sort_by(f64::total_cmp);
    if values.len() > MOST_VALUES {
        return nine_quantiles(&values).ok_or(GrammarProblem::Empty);
    }
    if values[0] == values[values.len() - 1] {
        return Ok(Quantity::fixed(values[0]));
    }
    Ok(Shape::Sample(values).into())
}
