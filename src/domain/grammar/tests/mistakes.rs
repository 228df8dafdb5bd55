//! Slips that could be read as something else, and are not.

use super::super::*;
use super::{growth, tokens};
use crate::domain::distribution::Remark;

fn weights(text: &str) -> (f64, Vec<String>) {
    match parse(text, tokens()) {
        Err(GrammarProblem::WeightsSum { sum, readings }) => (sum, readings),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn percentages_that_make_no_whole_are_refused_with_what_would() {
    let (sum, readings) = weights("95% 5k, 15% 800k");
    assert_eq!(sum, 1.1);
    assert_eq!(readings, ["95% 5k, 5% 800k", "86.4% 5k, 13.6% 800k"]);
    for reading in readings {
        assert!(check(&reading, tokens()).is_ok(), "{reading}");
    }
    assert_eq!(weights("50% 5k, 15% 800k").0, 0.65);
    assert_eq!(weights("95% 5k").1, ["100% 5k"]);
    assert_eq!(
        weights("120% 5k, 30% 800k").1,
        ["80% 5k, 20% 800k"],
        "nothing is left for the last one"
    );
    assert_eq!(weights("1: 60%, 2: 60%").1[0], "1: 60%, 2: 40%");
    assert_eq!(weights("50% (60% 1, 60% 2), 50% 3").0, 1.2);
    for text in [
        "33.3% 1, 33.3% 2, 33.3% 3",
        "95% 5k, 5% 800k",
        "99.9% 5k, 0.1% 800k",
        "1: 3, 2: 1",
        "1: 0.95, 2: 0.15",
        "discrete 1: 60%, 2: 40%",
        "3 parts 5k, 1 part 800k",
    ] {
        let entry = parse(text, tokens()).unwrap_or_else(|e| panic!("{text}: {e}"));
        let written = format(&entry, tokens());
        assert_eq!(parse(&written, tokens()), Ok(entry), "{text}: {written}");
    }
    assert!(matches!(
        parse("1: 60%, 2: 3", tokens()),
        Err(GrammarProblem::Unexpected { at: 11, .. })
    ));
    assert!(matches!(
        parse("60% 5k, 3 parts 8k", tokens()),
        Err(GrammarProblem::Unexpected { .. })
    ));
}

fn named(text: &str, spec: &FieldSpec) -> Option<(usize, String)> {
    match check(text, spec) {
        Err(
            EntryProblem::Grammar(GrammarProblem::Cell { cell, .. })
            | EntryProblem::Cell { cell, .. },
        ) => Some((cell.row, cell.text)),
        _ => None,
    }
}

#[test]
fn the_bad_cell_of_a_column_is_named_by_its_row() {
    for (text, row, cell) in [
        ("1\n2\n3\nabc\n5\n6", 4, "abc"),
        ("tokens\n1\n2\nn/a\n4\n5\n", 4, "n/a"),
        ("1\r\n2\r\n3\r\n4 k 5\r\n5\r\n6", 4, "4 k 5"),
        ("1\t2\t#N/A\t4\t5", 1, "#N/A"),
        ("1\n2\n\n50%\n4\n5", 4, "50%"),
        ("1\n2\n12,5\n4\n5", 3, "12,5"),
        ("1\n2\n-7\n4\n5", 3, "-7"),
        ("1\n2\n3\n0\n5\n6", 4, "0"),
        ("1\n2\n3\n1e15\n5\n6", 4, "1e15"),
    ] {
        assert_eq!(
            named(text, tokens()),
            Some((row, cell.to_owned())),
            "{text:?}"
        );
    }
    let share = crate::domain::field::spec("features", "cached_share").unwrap();
    assert_eq!(
        named("10%\n20%\n30%\n140%\n50%", share),
        Some((4, "140%".into()))
    );
    assert_eq!(named("1\n2\nx\n4\n5", growth()).map(|c| c.0), Some(3));
    // a sentence over two lines is no column
    assert_eq!(named("24k to\nsixty", tokens()), None);
    assert_eq!(named("95% 5k,\n5% 800k", tokens()), None);
}

#[test]
fn a_mean_that_the_percentiles_cannot_carry_is_refused_or_said() {
    let calls = crate::domain::field::spec("features", "calls_per_request").unwrap();
    for text in [
        "8 to 12 mean 40",
        "8 to 12 mean 2",
        "11, p99 30 mean 31",
        "sample 1, 2, 3, 4, 5, mean 90",
    ] {
        let Err(EntryProblem::Quantity { problem, .. }) = check(text, calls) else {
            panic!("{text}");
        };
        let QuantityProblem::MeanImpossible { low, high, .. } = problem else {
            panic!("{text}: {problem:?}");
        };
        assert!(low < high, "{text}");
    }
    let remarks = |text: &str| reading(&check(text, calls).unwrap(), calls).remarks;
    let far = remarks("8 to 12 mean 13");
    assert!(
        matches!(far[..], [Remark::Stretched { most }] if most > 100.0),
        "{far:?}"
    );
    assert!(remarks("11, p99 30 mean 12.3").is_empty());
    assert!(matches!(
        remarks("8 to 12 mean 7")[..],
        [Remark::Rescaled { .. }]
    ));
    // what was measured with its mean stays possible
    let nine = "p0 1, p10 7, p25 9, p50 13, p75 27, p90 55, p95 90, p99 251, p100 900, mean 27.9";
    assert!(matches!(remarks(nine)[..], [Remark::LargestMoved { .. }]));
}
