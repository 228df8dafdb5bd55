//! What is said about files.

use super::{fields, say};
use crate::import::{Fault, ImportProblem, MAX_BYTES, Wanted};

crate::messages! {
    /// Why a file is not a plan.
    pub enum Import {
        Empty = "import-empty";
        TooLarge { megabytes: String } = "import-too-large";
        NotJson { line: String, column: String } = "import-not-json";
        NumberTooLarge { line: String, column: String } = "import-number-too-large";
        NotAPlan = "import-not-a-plan";
        NewerFormat { found: String, supported: String } = "import-newer-format";
        Unknown { place: String, field: String, valid: String } = "import-unknown-field";
        Missing { place: String, field: String } = "import-missing-field";
        Twice { place: String, field: String } = "import-field-twice";
        Choice { place: String, found: String, valid: String } = "import-choice";
        Number { place: String } = "import-number";
        WholeNumber { place: String } = "import-whole-number";
        Text { place: String } = "import-text";
        Flag { place: String } = "import-flag";
        Date { place: String } = "import-date";
        List { place: String } = "import-list";
        NineNumbers { place: String } = "import-nine-numbers";
        Object { place: String } = "import-object";
        WordWithContent { place: String } = "import-word-with-content";
        WordAlone { place: String } = "import-word-alone";
        SameId { place: String, id: String } = "import-same-id";
        WholePlan = "import-whole-plan";
        Entity { section: String, name: String } = "import-entity";
        Numbered { section: String, number: String } = "import-entity-numbered";
        FieldOf { field: String, of: String, path: String } = "import-field-of";
        At { whole: String, path: String } = "import-at";
    }
}

impl From<&ImportProblem> for Import {
    fn from(problem: &ImportProblem) -> Self {
        match problem {
            ImportProblem::Empty => Self::Empty,
            ImportProblem::TooLarge => Self::TooLarge {
                megabytes: (MAX_BYTES >> 20).to_string(),
            },
            ImportProblem::NotJson { line, column } => Self::NotJson {
                line: line.to_string(),
                column: column.to_string(),
            },
            ImportProblem::NumberTooLarge { line, column } => Self::NumberTooLarge {
                line: line.to_string(),
                column: column.to_string(),
            },
            ImportProblem::NotAPlan => Self::NotAPlan,
            ImportProblem::NewerFormat { found, supported } => Self::NewerFormat {
                found: found.to_string(),
                supported: supported.to_string(),
            },
            ImportProblem::Field { path, of, fault } => Self::field(path, of.as_deref(), fault),
            ImportProblem::SameId { path, id } => Self::SameId {
                place: place(path, None),
                id: id.to_string(),
            },
        }
    }
}

impl Import {
    fn field(path: &str, of: Option<&str>, fault: &Fault) -> Self {
        let place = |path: &str| place(path, of);
        // The path of a field that should not be there ends with that field.
        let outer = |field: &str| {
            path.strip_suffix(field)
                .map_or(path, |p| p.strip_suffix('.').unwrap_or(p))
        };
        match fault {
            Fault::Unknown { field, valid } => Self::Unknown {
                place: place(outer(field)),
                field: field.clone(),
                valid: valid.join(", "),
            },
            Fault::Missing { field } => Self::Missing {
                place: place(path),
                field: field.clone(),
            },
            Fault::Twice { field } => Self::Twice {
                place: place(outer(field)),
                field: field.clone(),
            },
            Fault::Choice { found, valid } => Self::Choice {
                place: place(path),
                found: found.clone(),
                valid: valid.join(", "),
            },
            Fault::Expected(wanted) => {
                let place = place(path);
                match wanted {
                    Wanted::Number => Self::Number { place },
                    Wanted::WholeNumber => Self::WholeNumber { place },
                    Wanted::Text => Self::Text { place },
                    Wanted::Flag => Self::Flag { place },
                    Wanted::Date => Self::Date { place },
                    Wanted::List => Self::List { place },
                    Wanted::NineNumbers => Self::NineNumbers { place },
                    Wanted::Object => Self::Object { place },
                    Wanted::WordWithContent => Self::WordWithContent { place },
                    Wanted::WordAlone => Self::WordAlone { place },
                }
            }
        }
    }
}

/// A place of the file in the words of the screen, with its path for whoever edits the file.
fn place(path: &str, name: Option<&str>) -> String {
    if path.is_empty() {
        return say(&Import::WholePlan);
    }
    let keys: Vec<&str> = path
        .split(['.', '[', ']'])
        .filter(|k| !k.is_empty())
        .collect();
    let (Some(section), rest) = (keys.first(), keys.get(1..).unwrap_or_default()) else {
        return path.to_owned();
    };
    let section = (*section).to_owned();
    let number = rest.first().and_then(|k| k.parse::<u32>().ok());
    let whole = match (number, name) {
        (None, _) => None,
        (Some(_), Some(name)) => Some(say(&Import::Entity {
            section: section.clone(),
            name: name.to_owned(),
        })),
        (Some(index), None) => Some(say(&Import::Numbered {
            section: section.clone(),
            number: index.saturating_add(1).to_string(),
        })),
    };
    let path = path.to_owned();
    match (label(&section, rest), whole) {
        (Some(field), Some(of)) => say(&Import::FieldOf { field, of, path }),
        (Some(whole), None) | (None, Some(whole)) => say(&Import::At { whole, path }),
        (None, None) => path,
    }
}

/// The name on the screen of the innermost field of a path that has one: `caps.tokens` is `cap_tokens` there.
fn label(section: &str, keys: &[&str]) -> Option<String> {
    (0..keys.len()).rev().find_map(|at| {
        let key = keys.get(at)?;
        let outer = at.checked_sub(1).and_then(|o| keys.get(o)).copied();
        let joined = outer.map(|o| format!("{o}_{key}"));
        let singular = outer.map(|o| format!("{}_{key}", o.trim_end_matches('s')));
        [joined, singular, Some((*key).to_owned())]
            .into_iter()
            .flatten()
            .find_map(|name| fields::known(section, &name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_name_the_field_and_what_would_be_valid() {
        let say_fault = |path: &str, fault| {
            say(&Import::from(&ImportProblem::Field {
                path: path.to_owned(),
                of: Some("Code review".to_owned()),
                fault,
            }))
        };
        assert_eq!(
            say_fault(
                "features[2].pol",
                Fault::Unknown {
                    field: "pol".to_owned(),
                    valid: vec!["id".to_owned(), "pool".to_owned()]
                }
            ),
            "Feature “Code review” (features[2]) has a field “pol” that is not known. Known there: id, pool."
        );
        assert_eq!(
            say_fault(
                "",
                Fault::Missing {
                    field: "name".to_owned()
                }
            ),
            "The plan needs a field “name”."
        );
        assert_eq!(
            say_fault("settings.start", Fault::Expected(Wanted::Date)),
            "First month (settings.start) has to be a day, such as \"2027-03-31\"."
        );
        for (path, said) in [
            (
                "features[2].launch.planned.slip_days.shape",
                "Feature “Code review”, Days late (features[2].launch.planned.slip_days.shape)",
            ),
            (
                "features[2].caps.tokens",
                "Feature “Code review”, Tokens (features[2].caps.tokens)",
            ),
            (
                "features[2].lanes.pool",
                "Feature “Code review”, Pool of long ones (features[2].lanes.pool)",
            ),
            ("notes.features/1/name.text", "notes.features/1/name.text"),
        ] {
            let sentence = say_fault(path, Fault::Expected(Wanted::Number));
            let place = sentence.strip_suffix(" has to be a number, such as 0.35.");
            assert_eq!(place, Some(said), "{path}");
        }
        assert_eq!(place("pools[0]", None), "Pool number 1 (pools[0])");
    }
}
