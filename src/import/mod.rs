//! A scenario file: JSON that a person may have edited by hand. Every problem names its field and says what would be
//! valid; nothing is guessed and nothing panics.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::domain::scenario::{
    Budget, Commitment, Feature, Model, Note, Pool, SCENARIO_FORMAT, Scenario, SeasonalWindow,
};
use crate::share::lift;

mod fault;

pub use fault::{Fault, Wanted};

/// Largest file that is read, in bytes.
pub const MAX_BYTES: usize = 8 << 20;

/// Why a file is not a plan. The sentences are in `text::import`.
#[derive(Clone, Debug, PartialEq)]
pub enum ImportProblem {
    /// There is nothing in it.
    Empty,
    /// It is larger than [`MAX_BYTES`].
    TooLarge,
    /// It is not JSON from this place on (both from 1).
    NotJson {
        /// Line.
        line: u32,
        /// Column.
        column: u32,
    },
    /// A number is larger than any that can be calculated with.
    NumberTooLarge {
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },
    /// It is no plan: no JSON object, or one without a format number.
    NotAPlan,
    /// It was written by a later version of Headroom.
    NewerFormat {
        /// Its format.
        found: u64,
        /// The latest format that can be read.
        supported: u32,
    },
    /// A field is not what it has to be.
    Field {
        /// Where, as in `features[2].launch`.
        path: String,
        /// The name that the file gives to what the field belongs to.
        of: Option<String>,
        /// What is wrong, and what would be valid.
        fault: Fault,
    },
    /// Two things of the plan have the same id: what one refers to could be either.
    SameId {
        /// Where the second one is, as in `features[2]`.
        path: String,
        /// The id.
        id: u32,
    },
}

/// The scenario of a JSON file.
///
/// # Errors
/// All problems that can be told apart: at least one for the outside of the plan and for each entity in it.
pub fn scenario_json(text: &str) -> Result<Scenario, Vec<ImportProblem>> {
    if text.len() > MAX_BYTES {
        return Err(vec![ImportProblem::TooLarge]);
    }
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err(vec![ImportProblem::Empty]);
    }
    let value = serde_json::from_str(text).map_err(|error| {
        // a picture or a table is not a broken plan
        vec![if text.starts_with(['{', '[']) {
            not_json(&error)
        } else {
            ImportProblem::NotAPlan
        }]
    })?;
    let value = today(value).map_err(|problem| vec![problem])?;
    match read::<Scenario>(value.clone(), "") {
        Ok(scenario) => match same_ids(&value) {
            problems if problems.is_empty() => Ok(scenario),
            problems => Err(problems),
        },
        Err(first) => {
            let all = piece_by_piece(&value);
            let mut all = if all.is_empty() { vec![first] } else { all };
            for problem in &mut all {
                if let ImportProblem::Field { path, of, .. } = problem {
                    *of = name_at(&value, path);
                }
            }
            Err(all)
        }
    }
}

/// The name of the entity that a path leads into.
fn name_at(plan: &Value, path: &str) -> Option<String> {
    let (section, rest) = path.split_once('[')?;
    let (index, _) = rest.split_once(']')?;
    let entity = plan.get(section)?.get(index.parse::<usize>().ok()?)?;
    let name = entity.get("name")?.as_str()?.trim();
    let shown: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
    (!shown.is_empty()).then_some(shown)
}

/// Ids that stand twice; no field on the screen could mend that.
fn same_ids(plan: &Value) -> Vec<ImportProblem> {
    let mut seen = BTreeSet::new();
    let mut problems = Vec::new();
    for section in [
        "features",
        "models",
        "pools",
        "commitments",
        "seasons",
        "budgets",
    ] {
        let items = plan.get(section).and_then(Value::as_array);
        for (i, item) in items.into_iter().flatten().enumerate() {
            let id = item.get("id").and_then(Value::as_u64);
            if let Some(id) = id.and_then(|id| u32::try_from(id).ok())
                && !seen.insert(id)
            {
                let path = format!("{section}[{i}]");
                problems.push(ImportProblem::SameId { path, id });
            }
        }
    }
    problems
}

fn not_json(error: &serde_json::Error) -> ImportProblem {
    let [line, column] =
        [error.line(), error.column()].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    if error.to_string().starts_with("number out of range") {
        ImportProblem::NumberTooLarge { line, column }
    } else {
        ImportProblem::NotJson { line, column }
    }
}

/// The plan in the form of today.
fn today(value: Value) -> Result<Value, ImportProblem> {
    let format = value.get("format").ok_or(ImportProblem::NotAPlan)?;
    let Some(found) = format.as_u64() else {
        return Err(ImportProblem::Field {
            path: "format".to_owned(),
            of: None,
            fault: Fault::Expected(Wanted::WholeNumber),
        });
    };
    if found > u64::from(SCENARIO_FORMAT) {
        return Err(ImportProblem::NewerFormat {
            found,
            supported: SCENARIO_FORMAT,
        });
    }
    lift(value).ok_or(ImportProblem::NotAPlan)
}

fn read<T: DeserializeOwned>(value: Value, at: &str) -> Result<T, ImportProblem> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let inner = match error.path().to_string().as_str() {
            "." => String::new(),
            path => path.to_owned(),
        };
        let dot = if at.is_empty() || inner.is_empty() || inner.starts_with('[') {
            ""
        } else {
            "."
        };
        let path = format!("{at}{dot}{inner}");
        let fault = Fault::of(&path, &error.into_inner().to_string());
        ImportProblem::Field {
            path,
            of: None,
            fault,
        }
    })
}

/// A problem for the outside of the plan and for each entity.
fn piece_by_piece(plan: &Value) -> Vec<ImportProblem> {
    let Some(plan) = plan.as_object() else {
        return vec![ImportProblem::NotAPlan];
    };
    let mut outside = plan.clone();
    for (_, value) in &mut outside {
        if let Value::Array(items) = value {
            items.clear();
        }
    }
    if let Some(Value::Object(notes)) = outside.get_mut("notes") {
        notes.clear();
    }
    let mut problems = Vec::new();
    problems.extend(read::<Scenario>(Value::Object(outside), "").err());
    items::<Feature>(plan, "features", &mut problems);
    items::<Model>(plan, "models", &mut problems);
    items::<Pool>(plan, "pools", &mut problems);
    items::<Commitment>(plan, "commitments", &mut problems);
    items::<SeasonalWindow>(plan, "seasons", &mut problems);
    items::<Budget>(plan, "budgets", &mut problems);
    if let Some(Value::Object(notes)) = plan.get("notes") {
        problems.extend(
            notes.iter().filter_map(|(path, note)| {
                read::<Note>(note.clone(), &format!("notes.{path}")).err()
            }),
        );
    }
    problems
}

fn items<T: DeserializeOwned>(
    plan: &Map<String, Value>,
    section: &str,
    problems: &mut Vec<ImportProblem>,
) {
    if let Some(Value::Array(items)) = plan.get(section) {
        problems.extend(
            items
                .iter()
                .enumerate()
                .filter_map(|(i, item)| read::<T>(item.clone(), &format!("{section}[{i}]")).err()),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::scenario_json as written;
    use proptest::prelude::*;

    const STORY: &str = "eighteen-month-contract";

    fn story() -> Scenario {
        crate::stories::find(STORY).expect("a story").scenario()
    }

    fn fields(text: &str) -> Vec<(String, Fault)> {
        let problems = scenario_json(text).expect_err("refused");
        problems
            .into_iter()
            .map(|p| match p {
                ImportProblem::Field { path, fault, .. } => (path, fault),
                other => panic!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let text = written(&story());
        assert_eq!(scenario_json(&text), Ok(story()));
        assert_eq!(scenario_json(&format!("\u{feff}{text}\r\n")), Ok(story()));
    }

    #[test]
    fn every_problem_names_its_field() {
        let edits: [(&str, Value, &str, Fault); 8] = [
            (
                "/settings/start",
                "2027-13-01".into(),
                "settings.start",
                Fault::Expected(Wanted::Date),
            ),
            (
                "/settings/horizon_months",
                (-1).into(),
                "settings.horizon_months",
                Fault::Expected(Wanted::WholeNumber),
            ),
            (
                "/settings/horizon_months",
                1.5.into(),
                "settings.horizon_months",
                Fault::Expected(Wanted::WholeNumber),
            ),
            (
                "/features/0/name",
                7.into(),
                "features[0].name",
                Fault::Expected(Wanted::Text),
            ),
            (
                "/features/1/noise",
                Value::Null,
                "features[1].noise",
                Fault::Expected(Wanted::Object),
            ),
            (
                "/features/1/requests_per_day/shape",
                "many".into(),
                "features[1].requests_per_day.shape",
                Fault::choice(
                    "many",
                    &[
                        "fixed",
                        "between",
                        "between_probably",
                        "few_are_large",
                        "pareto_tail",
                        "uniform",
                        "pert",
                        "triangular",
                        "normal",
                        "lognormal",
                        "beta",
                        "gamma",
                        "discrete",
                        "quantiles",
                        "sample",
                        "mix",
                    ],
                ),
            ),
            (
                "/budgets",
                3.into(),
                "budgets",
                Fault::Expected(Wanted::List),
            ),
            (
                "/pools/0/acceptable_chance",
                "5 %".into(),
                "pools[0].acceptable_chance",
                Fault::Expected(Wanted::Number),
            ),
        ];
        for (pointer, value, path, fault) in edits {
            let mut plan = serde_json::to_value(story()).expect("JSON");
            *plan.pointer_mut(pointer).expect(pointer) = value;
            assert_eq!(
                fields(&plan.to_string()),
                [(path.to_owned(), fault)],
                "{pointer}"
            );
        }
    }

    #[test]
    fn all_entities_with_problems_are_listed() {
        let mut plan = serde_json::to_value(story()).expect("JSON");
        plan["settings"]["currency"] = Value::Null;
        plan["features"][0]
            .as_object_mut()
            .expect("a feature")
            .remove("pool");
        plan["features"][2]["pol"] = 3.into();
        plan["notes"]["features/1/name"] = serde_json::json!({"txt": ""});
        let found = fields(&plan.to_string());
        assert_eq!(found.len(), 4, "{found:?}");
        assert_eq!(found[0].0, "settings.currency");
        assert_eq!(
            found[1],
            (
                "features[0]".to_owned(),
                Fault::Missing {
                    field: "pool".to_owned()
                }
            )
        );
        assert_eq!(found[2].0, "features[2].pol");
        let Fault::Unknown { field, valid } = &found[2].1 else {
            panic!("{found:?}")
        };
        assert_eq!(field, "pol");
        assert!(valid.contains(&"pool".to_owned()) && valid.contains(&"launch".to_owned()));
        assert_eq!(found[3].0, "notes.features/1/name.txt");
    }

    #[test]
    fn other_files_are_refused() {
        let newer = format!(r#"{{"format":{}}}"#, SCENARIO_FORMAT + 1);
        let deep = "[".repeat(100_000);
        let cases = [
            ("", ImportProblem::Empty),
            (" \n", ImportProblem::Empty),
            ("{", ImportProblem::NotJson { line: 1, column: 1 }),
            (
                "{\n \"format\": 1,,",
                ImportProblem::NotJson {
                    line: 2,
                    column: 14,
                },
            ),
            ("a,b,c", ImportProblem::NotAPlan),
            (
                deep.as_str(),
                ImportProblem::NotJson {
                    line: 1,
                    column: 128,
                },
            ),
            (
                "{\"format\": 1e999}",
                ImportProblem::NumberTooLarge {
                    line: 1,
                    column: 16,
                },
            ),
            ("[]", ImportProblem::NotAPlan),
            ("3", ImportProblem::NotAPlan),
            ("{}", ImportProblem::NotAPlan),
            (
                newer.as_str(),
                ImportProblem::NewerFormat {
                    found: 2,
                    supported: 1,
                },
            ),
            (r#"{"format": 0}"#, ImportProblem::NotAPlan),
        ];
        for (text, problem) in cases {
            assert_eq!(
                scenario_json(text),
                Err(vec![problem]),
                "{}",
                &text[..text.len().min(40)]
            );
        }
        let large = " ".repeat(MAX_BYTES + 1);
        assert_eq!(scenario_json(&large), Err(vec![ImportProblem::TooLarge]));
        assert_eq!(
            fields(r#"{"format": "1"}"#)[0].1,
            Fault::Expected(Wanted::WholeNumber)
        );
        let parts = fields(r#"{"format": 1}"#);
        assert_eq!(
            parts,
            [(
                String::new(),
                Fault::Missing {
                    field: "name".to_owned()
                }
            )]
        );
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC*") {
            prop_assert!(scenario_json(&text).is_err());
        }

        #[test]
        fn a_damaged_file_is_read_or_refused(at in any::<prop::sample::Index>(), letter in any::<char>()) {
            let text = written(&story());
            let mut letters: Vec<char> = text.chars().collect();
            let at = at.index(letters.len());
            letters[at] = letter;
            if let Err(problems) = scenario_json(&letters.into_iter().collect::<String>()) {
                prop_assert!(!problems.is_empty());
            }
        }
    }
}
