//! Weights: percentages make 100 %, parts are relative.

use super::GrammarProblem;
use super::lex::{Number, piece};
use super::write::percent;

/// How far percentages may be from 100 %: three times 33.3 % is meant well.
const TOLERANCE: f64 = 0.001 + 1e-9;

/// Whether weights can be written as percentages that read back as they are.
pub(super) fn make_a_whole(weights: impl Iterator<Item = f64>) -> bool {
    (weights.sum::<f64>() - 1.0).abs() <= TOLERANCE
}

/// Whether the weights of one list belong together.
///
/// # Errors
/// Percentages that do not make 100 %, with what would; percentages beside bare numbers.
pub(super) fn check(original: &[char], weights: &[Number]) -> Result<(), GrammarProblem> {
    if !weights.iter().any(|w| w.percent) {
        return Ok(());
    }
    if let Some(bare) = weights.iter().find(|w| !w.percent) {
        return Err(GrammarProblem::Unexpected {
            at: bare.span.0,
            piece: piece(original, bare.span),
        });
    }
    let values: Vec<f64> = weights.iter().map(|w| w.value(-2)).collect();
    let sum: f64 = values.iter().sum();
    // What no weight may be is said where the entry gets its meaning.
    let refused = sum <= 0.0 || values.iter().any(|v| *v < 0.0);
    if refused || make_a_whole(values.iter().copied()) {
        return Ok(());
    }
    let rest = |values: &[f64]| {
        let before = values.split_last().map_or(&[][..], |(_, before)| before);
        tidy(1.0 - before.iter().sum::<f64>())
    };
    let with_rest = |mut values: Vec<f64>| {
        let rest = rest(&values);
        if let Some(last) = values.last_mut() {
            *last = rest;
        }
        values
    };
    let scaled = values.iter().map(|v| f64::round(v / sum * 1e3) / 1e3);
    let candidates = [with_rest(values.clone()), with_rest(scaled.collect())];
    let mut readings: Vec<String> = Vec::new();
    for candidate in candidates {
        let reading = rewritten(original, weights, &candidate);
        if candidate.iter().all(|w| *w > 0.0) && !readings.contains(&reading) {
            readings.push(reading);
        }
    }
    Err(GrammarProblem::WeightsSum {
        sum: tidy(sum),
        readings,
    })
}

/// Nine decimals: 1 - 0.95 is 0.05.
fn tidy(value: f64) -> f64 {
    f64::round(value * 1e9) / 1e9
}

/// What was typed with other weights.
fn rewritten(original: &[char], weights: &[Number], values: &[f64]) -> String {
    let mut out = String::new();
    let mut from = 0;
    for (weight, value) in weights.iter().zip(values) {
        out.extend(&original[from..weight.span.0]);
        out.push_str(&percent(*value));
        from = weight.span.1;
    }
    out.extend(&original[from..]);
    out
}
