//! The command line: the same engine as the page, natively and on all cores.
//!
//! Results go to standard output, everything else to standard error. Exit codes: 0, or 2 and one line for input that
//! cannot be used, or 1 and one line for output that cannot be written.
#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::process::ExitCode;

#[path = "headroom/commands.rs"]
mod commands;
#[path = "headroom/failure.rs"]
mod failure;
#[path = "headroom/input.rs"]
mod input;
#[path = "headroom/options.rs"]
mod options;
#[path = "headroom/output.rs"]
mod output;
#[path = "headroom/threads.rs"]
mod threads;

use failure::Failure;
use options::Parsed;

fn main() -> ExitCode {
    match run(std::env::args_os()) {
        // Whoever read the output had enough: nothing to complain about.
        Ok(()) | Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(failure) => {
            output::complain(&failure);
            failure.exit_code()
        }
    }
}

fn run(arguments: impl Iterator<Item = OsString>) -> Result<(), Failure> {
    match options::parse(arguments)? {
        Parsed::Text(text) => output::print(&text),
        Parsed::Command(command) => commands::run(command),
    }
}
