//! Which cell of a pasted column cannot stand there: rows are counted as in the sheet that it came from.

use super::GrammarProblem;
use super::lex::{self, Kind, Number, piece};
use crate::domain::field::Unit;

/// One cell that is not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its line, from 1.
    pub row: usize,
    /// What stands there, at most 40 characters.
    pub text: String,
}

fn cells(text: &str) -> Vec<(usize, &str)> {
    let mut out = Vec::new();
    // CR LF, LF and CR end a line.
    let mut row = 0;
    for line in text.split('\n') {
        for line in line.strip_suffix('\r').unwrap_or(line).split('\r') {
            row += 1;
            let cells = line.split(['\t', ';']).map(str::trim);
            out.extend(cells.filter(|c| !c.is_empty()).map(|c| (row, c)));
        }
    }
    let heading = out
        .first()
        .is_some_and(|(_, c)| !c.chars().any(|c| c.is_ascii_digit()));
    if heading {
        out.remove(0);
    }
    out
}

/// The numbers of a cell: usually one, or several with commas between.
fn numbers(cell: &str, unit: Unit) -> Result<Vec<Number>, GrammarProblem> {
    let original: Vec<char> = cell.chars().collect();
    let percent_fits = matches!(unit, Unit::Share | Unit::SharePerMonth | Unit::Factor);
    let mut numbers = Vec::new();
    let mut separated = true;
    for token in lex::tokens(&original, unit, true)? {
        match token.kind {
            Kind::Number(number) if number.percent && !percent_fits => {
                return Err(GrammarProblem::WrongUnit {
                    piece: piece(&original, number.span),
                });
            }
            Kind::Number(number) if separated => {
                numbers.push(number);
                separated = false;
            }
            Kind::Comma => separated = true,
            _ => {
                return Err(GrammarProblem::NotANumber {
                    piece: piece(&original, (0, original.len())),
                });
            }
        }
    }
    Ok(numbers)
}

fn cell(row: usize, text: &str) -> Cell {
    Cell {
        row,
        text: text.chars().take(40).collect(),
    }
}

/// The first cell that is no number, if most of the others are: then a column was meant.
pub(super) fn unreadable(text: &str, unit: Unit) -> Option<GrammarProblem> {
    let (mut good, mut bad, mut first) = (0_usize, 0_usize, None);
    for (row, text) in cells(text) {
        match numbers(text, unit) {
            Ok(_) => good += 1,
            Err(problem) => {
                bad += 1;
                first.get_or_insert((cell(row, text), problem));
            }
        }
    }
    let (cell, problem) = first?;
    (good >= 2 && good >= bad).then(|| GrammarProblem::Cell {
        cell,
        problem: Box::new(problem),
    })
}

/// The cell that a value came from, as it stands there or as a percentage.
pub(super) fn with_value(text: &str, unit: Unit, value: f64) -> Option<Cell> {
    cells(text).into_iter().find_map(|(row, text)| {
        let numbers = numbers(text, unit).ok()?;
        let found = numbers
            .iter()
            .any(|n| n.value(0) == value || n.value(-2) == value);
        found.then(|| cell(row, text))
    })
}
