//! Why a command ends early.

use std::process::ExitCode;

use headroom::domain::problem::Problem;
use headroom::domain::scenario::Scenario;
use headroom::import::ImportProblem;
use headroom::share::ShareProblem;
use headroom::text::cli::Cli as Words;
use headroom::text::import::Import;
use headroom::text::problems::line;
use headroom::text::say;
use headroom::text::share::Share;

/// Why a command ends early.
#[derive(Debug)]
pub enum Failure {
    /// The arguments make no sense.
    Usage(Words),
    /// A file cannot be read.
    Input(Words),
    /// A link is not a plan.
    Link(ShareProblem),
    /// A file is not a plan.
    File {
        /// As it was named.
        name: String,
        /// What is wrong with it; at least one.
        problems: Vec<ImportProblem>,
    },
    /// The plan cannot be run.
    Plan {
        /// The plan.
        plan: Box<Scenario>,
        /// What is wrong with it; at least one.
        problems: Vec<Problem>,
    },
    /// The output cannot be written.
    Output(Words),
    /// Nobody reads the output any more.
    Closed,
}

impl Failure {
    /// 1 if the output is to blame, else 2.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Output(_) => ExitCode::from(1),
            _ => ExitCode::from(2),
        }
    }

    /// One line.
    pub fn sentence(&self) -> String {
        match self {
            Self::Usage(words) | Self::Input(words) | Self::Output(words) => say(words),
            Self::Link(ShareProblem::Invalid { plan, problems })
            | Self::Plan { plan, problems } => {
                let first = problems.first().map(|p| line(plan, p)).unwrap_or_default();
                with_others(first, problems.len())
            }
            Self::Link(problem) => say(&Share::from(problem)),
            Self::File { name, problems } => {
                let first = problems
                    .first()
                    .map(|p| say(&Import::from(p)))
                    .unwrap_or_default();
                format!("{name}: {}", with_others(first, problems.len()))
            }
            Self::Closed => String::new(),
        }
    }
}

/// The first sentence, and how many more there are.
fn with_others(first: String, count: usize) -> String {
    match count.checked_sub(1) {
        None | Some(0) => first,
        Some(others) => {
            let others = u32::try_from(others).unwrap_or(u32::MAX);
            format!("{first} {}", say(&Words::AndOthers { others }))
        }
    }
}
