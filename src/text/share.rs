//! What is said about links.

use crate::share::ShareProblem;

crate::messages! {
    /// Why a link is not a plan.
    pub enum Share {
        Empty = "share-empty";
        NotOurs = "share-not-ours";
        CutOff = "share-cut-off";
        Altered = "share-altered";
        NewerVersion { found: u32, supported: u32 } = "share-newer-version";
        TooLong = "share-too-long";
        Invalid { count: u32 } = "share-invalid";
    }
}

impl From<&ShareProblem> for Share {
    fn from(problem: &ShareProblem) -> Self {
        match problem {
            ShareProblem::Empty => Self::Empty,
            ShareProblem::NotOurs => Self::NotOurs,
            ShareProblem::CutOff => Self::CutOff,
            ShareProblem::Altered => Self::Altered,
            ShareProblem::NewerVersion { found, supported } => Self::NewerVersion {
                found: *found,
                supported: *supported,
            },
            ShareProblem::TooLong => Self::TooLong,
            ShareProblem::Invalid { problems, .. } => Self::Invalid {
                count: u32::try_from(problems.len()).unwrap_or(u32::MAX),
            },
        }
    }
}
