//! What is said about files.

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
            ImportProblem::Field { path, fault } => Self::field(path, fault),
            ImportProblem::SameId { path, id } => Self::SameId {
                place: place(path),
                id: id.to_string(),
            },
        }
    }
}

impl Import {
    fn field(path: &str, fault: &Fault) -> Self {
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

fn place(path: &str) -> String {
    if path.is_empty() {
        super::say(&Import::WholePlan)
    } else {
        path.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::say;

    #[test]
    fn sentences_name_the_field_and_what_would_be_valid() {
        let say_fault = |path: &str, fault| {
            say(&Import::from(&ImportProblem::Field {
                path: path.to_owned(),
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
            "features[2] has a field “pol” that is not known. Known there: id, pool."
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
            "settings.start has to be a day, such as \"2027-03-31\"."
        );
    }
}
