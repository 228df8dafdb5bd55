//! What is wrong with one field of a file, read from what serde says of it.

/// What is wrong, and what would be valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is no such field here.
    Unknown {
        /// The field.
        field: String,
        /// The fields that there are.
        valid: Vec<String>,
    },
    /// A field is not there.
    Missing {
        /// The field.
        field: String,
    },
    /// The field stands here twice.
    Twice {
        /// The field.
        field: String,
    },
    /// Not one of the words that may stand here.
    Choice {
        /// What stands there.
        found: String,
        /// The words.
        valid: Vec<String>,
    },
    /// Something of another kind has to stand here.
    Expected(Wanted),
}

/// What has to stand in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A number.
    Number,
    /// A whole number from 0.
    WholeNumber,
    /// Text.
    Text,
    /// `true` or `false`.
    Flag,
    /// A day.
    Date,
    /// A list.
    List,
    /// Nine numbers.
    NineNumbers,
    /// An object with fields.
    Object,
    /// A word with content: `{"planned": {…}}`.
    WordWithContent,
    /// A word without content: `"live"`.
    WordAlone,
}

const DATE_FIELDS: [&str; 6] = ["start", "date", "retire", "first", "last", "only"];

impl Fault {
    /// From the sentence of serde and the place that it is about. Serde has no other way to say which of its few errors
    /// it is; the tests of the importer hold the sentences.
    pub(super) fn of(path: &str, sentence: &str) -> Self {
        let quoted = quoted(sentence);
        let first = || quoted.first().cloned().unwrap_or_default();
        let others = || quoted.iter().skip(1).cloned().collect();
        if sentence.starts_with("unknown field") {
            return Self::Unknown {
                field: first(),
                valid: others(),
            };
        }
        if sentence.starts_with("missing field") {
            return Self::Missing { field: first() };
        }
        if sentence.starts_with("duplicate field") {
            return Self::Twice { field: first() };
        }
        if sentence.starts_with("unknown variant") {
            return Self::Choice {
                found: first(),
                valid: others(),
            };
        }
        let last = path.rsplit(['.', '/']).next().unwrap_or_default();
        let expected = sentence.rsplit_once("expected ").map_or("", |x| x.1);
        Self::Expected(match expected {
            "f64" => Wanted::Number,
            "u32" | "u64" => Wanted::WholeNumber,
            "a string" => Wanted::Text,
            "a boolean" => Wanted::Flag,
            "a sequence" => Wanted::List,
            "an array of length 9" => Wanted::NineNumbers,
            "unit" | "unit variant" => Wanted::WordAlone,
            _ if DATE_FIELDS.contains(&last) => Wanted::Date,
            _ if expected.ends_with("variant") || expected.contains("enum") => {
                Wanted::WordWithContent
            }
            _ => Wanted::Object,
        })
    }

    #[cfg(test)]
    pub(super) fn choice(found: &str, valid: &[&str]) -> Self {
        Self::Choice {
            found: found.to_owned(),
            valid: valid.iter().map(|s| (*s).to_owned()).collect(),
        }
    }
}

/// The words between backticks.
fn quoted(sentence: &str) -> Vec<String> {
    sentence
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}
