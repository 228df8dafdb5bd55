use super::*;
use crate::domain::field::{QUANTITY_FIELDS, spec};
use crate::domain::grammar;

fn refused(section: &str, name: &str, text: &str) -> QuantityProblem {
    let spec = spec(section, name).expect("a field");
    match grammar::check(text, spec) {
        Err(grammar::EntryProblem::Quantity { problem, .. }) => problem,
        other => panic!("{name} {text}: {other:?}"),
    }
}

#[test]
fn absurd_values_are_refused_with_what_would_be_valid() {
    for (name, text, part, most) in [
        ("slip_days", "1e15", Part::Value, 10_000.0),
        ("slip_days", "10 to 20k", Part::P90, 10_000.0),
        ("input_tokens", "1e15", Part::Value, 1e9),
        ("input_tokens", "5k, p99 2B", Part::P99, 1e9),
        ("input_tokens", "95% 5k, 5% 8T", Part::Value, 1e9),
        ("input_tokens", "sample 1, 2, 3, 4, 1e12", Part::Value, 1e9),
        ("requests_per_day", "1e13", Part::Value, 1e12),
        ("growth_per_month", "3000%", Part::Value, 10.0),
        ("tool_seconds", "9000 h", Part::Value, 1e7),
    ] {
        let QuantityProblem::TooLarge {
            part: p, most: m, ..
        } = refused("features", name, text)
        else {
            panic!("{name} {text}");
        };
        assert_eq!((p, m), (part, most), "{name} {text}");
    }
    for (name, text) in [
        ("input_tokens", "1e-320"),
        ("input_tokens", "1e-320 to 5k"),
        ("slip_days", "1e-300"),
        ("growth_per_month", "-1e-320%"),
        ("retry_probability", "1e-310%"),
        ("input_tokens", "lognormal -500 1"),
    ] {
        let problem = refused("features", name, text);
        let small = matches!(problem, QuantityProblem::TooSmall { .. });
        assert!(small, "{name} {text}: {problem:?}");
    }
    for text in ["lognormal 20 2", "gamma 20 1e9"] {
        let problem = refused("features", "input_tokens", text);
        let far = matches!(
            problem,
            QuantityProblem::ReachesTooFar { .. } | QuantityProblem::TooLarge { .. }
        );
        assert!(far, "{text}: {problem:?}");
    }
}

#[test]
fn the_ends_of_each_range_are_possible() {
    for spec in QUANTITY_FIELDS {
        let Range { least, most } = spec.range();
        let most = if spec.domain == Domain::Share {
            1.0
        } else {
            most
        };
        let least = if spec.domain == Domain::IntegerFromOne {
            1.0
        } else {
            least
        };
        for value in [least, most] {
            let outline = check(&Quantity::fixed(value), spec);
            assert!(outline.is_ok(), "{} {value}: {outline:?}", spec.name);
            let text = grammar::format(&Quantity::fixed(value), spec);
            assert!(grammar::check(&text, spec).is_ok(), "{} {text}", spec.name);
        }
        let beyond = Quantity::fixed(most * 1.001);
        assert!(check(&beyond, spec).is_err(), "{}", spec.name);
    }
}
