//! What can be said on the command line, and what is said when it was said wrongly.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Args, Parser, Subcommand, ValueEnum};
use headroom::text::cli::Cli as Words;

use super::failure::Failure;

/// Plans of AI spend and capacity, simulated.
#[derive(Debug, Parser)]
#[command(name = "headroom", version, disable_help_subcommand = true)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

/// SCENARIO is a JSON file, `-` for standard input, a share URL, or `story:NAME`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Simulate a scenario and write the projection.
    Run {
        #[command(flatten)]
        run: Simulation,
        /// Projection as JSON, or the plan as a long table.
        #[arg(long, value_enum, default_value = "json")]
        format: Format,
        /// Write to a file instead of standard output.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Simulate a scenario and print the digests of scenario and result.
    Digest {
        #[command(flatten)]
        run: Simulation,
    },
    /// Print the share URL of a scenario.
    Url {
        /// JSON file, `-`, share URL or `story:NAME`.
        scenario: OsString,
        /// Address of the page that opens it.
        #[arg(long, default_value = "http://127.0.0.1:8080/", value_name = "URL")]
        base: String,
    },
    /// Print the scenario of a share URL as JSON.
    Open {
        /// The share URL, or the part of it after `#`.
        url: OsString,
    },
    /// List the built-in stories.
    Stories,
    /// Print the JSON schema of a scenario file or of a projection.
    Schema {
        /// What to describe.
        #[arg(value_enum)]
        of: Schema,
    },
}

/// What to simulate.
#[derive(Debug, Args)]
pub struct Simulation {
    /// JSON file, `-`, share URL or `story:NAME`.
    pub scenario: OsString,
    /// Number of trials instead of the scenario's own.
    #[arg(long, value_name = "N")]
    pub trials: Option<u32>,
    /// Seed instead of the scenario's own.
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Threads; as many as there are cores if not said. The numbers do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    pub threads: Option<u16>,
}

/// How a projection is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Everything, as JSON.
    Json,
    /// The plan as a long table.
    Csv,
}

/// What a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Schema {
    /// Scenario files.
    Scenario,
    /// Projections.
    Projection,
}

/// What the arguments ask for.
#[derive(Debug)]
pub enum Parsed {
    /// Help or version.
    Text(String),
    /// Something to do.
    Command(Command),
}

/// Reads the arguments.
pub fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Parsed, Failure> {
    match Options::try_parse_from(arguments) {
        Ok(options) => Ok(Parsed::Command(options.command)),
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                Ok(Parsed::Text(error.render().to_string()))
            }
            _ => Err(Failure::Usage(words(&error))),
        },
    }
}

fn context(error: &Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::String(one)) => one.clone(),
        Some(ContextValue::Strings(all)) => all.join(", "),
        Some(other) => other.to_string(),
        None => String::new(),
    }
}

fn words(error: &Error) -> Words {
    let argument = context(error, ContextKind::InvalidArg);
    let value = context(error, ContextKind::InvalidValue);
    let valid = context(error, ContextKind::ValidValue);
    match error.kind() {
        ErrorKind::InvalidValue if value.is_empty() => Words::NoValue { argument },
        ErrorKind::InvalidValue => Words::NotOneOf {
            argument,
            value,
            valid,
        },
        ErrorKind::ValueValidation => match argument.split(' ').next() {
            Some("--trials") => Words::NotANumber {
                argument,
                value,
                most: u32::MAX.to_string(),
            },
            Some("--threads") => Words::NotANumber {
                argument,
                value,
                most: "512".to_owned(),
            },
            _ => Words::NotANumber {
                argument,
                value,
                most: u64::MAX.to_string(),
            },
        },
        ErrorKind::MissingRequiredArgument => Words::Missing { what: argument },
        ErrorKind::InvalidSubcommand => Words::UnknownCommand {
            command: context(error, ContextKind::InvalidSubcommand),
        },
        ErrorKind::ArgumentConflict => Words::Twice { argument },
        ErrorKind::InvalidUtf8 => Words::NotText,
        ErrorKind::UnknownArgument => Words::UnknownArgument { argument },
        _ => Words::NoCommand,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_options_are_consistent() {
        Options::command().debug_assert();
    }
}
