//! Pasted columns of values.

use super::{FEWEST_VALUES, GrammarProblem};
use crate::domain::quantity::{Quantity, Shape};

/// Whether there are several lines (or cells).
pub(super) fn is_column(text: &str) -> bool {
    text.trim().contains(['\n', '\t', '\r'])
}

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
        "normal", "uniform", "triang", "pert", "beta", "gamma", "%", ":", "discrete",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// Nine quantiles and the mean of a pasted column.
pub(super) fn sample(mut values: Vec<f64>) -> Result<Quantity, GrammarProblem> {
    if values.len() < FEWEST_VALUES {
        return Err(GrammarProblem::TooFewValues {
            count: values.len(),
            least: FEWEST_VALUES,
        });
    }
    values.sort_by(f64::total_cmp);
    let n = values.len();
    // Inverse ECDF: sorted[ceil(n p) - 1], in integers.
    let at = |permille: usize| values[((n * permille).div_ceil(1000)).max(1) - 1];
    let nine = [0, 100, 250, 500, 750, 900, 950, 990, 1000].map(at);
    // Divided first, so that the sum of large values stays finite.
    let mean = values.iter().map(|v| v / n as f64).sum::<f64>();
    if nine[0] == nine[8] {
        return Ok(Quantity::fixed(nine[0]));
    }
    Ok(Quantity {
        shape: Shape::Quantiles(nine),
        mean: Some(mean.clamp(nine[0], nine[8])),
    })
}
