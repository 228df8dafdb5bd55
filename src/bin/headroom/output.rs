//! What leaves the program.

use std::fs;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

use headroom::text::cli::Cli as Words;
use headroom::text::say;
use indicatif::{ProgressBar, ProgressStyle};

use super::failure::Failure;

/// Writes text to standard output.
pub fn print(text: &str) -> Result<(), Failure> {
    print_bytes(text.as_bytes())
}

/// Writes bytes to standard output.
pub fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)
        .and_then(|()| out.flush())
        .map_err(|error| match error.kind() {
            ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Output(Words::CannotPrint {
                reason: error.to_string(),
            }),
        })
}

/// Writes bytes to a file.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(path, bytes).map_err(|error| {
        let file = path.display().to_string();
        Failure::Output(Words::CannotWrite {
            file,
            reason: error.to_string(),
        })
    })
}

/// One line on standard error, whatever the sentence has in it: names come from anywhere, and a terminal obeys
/// control characters.
pub fn complain(failure: &Failure) {
    let line: String = failure
        .sentence()
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    // Standard error may be closed; then there is nobody to tell.
    let _ = writeln!(io::stderr(), "headroom: {line}");
}

/// Shows how far a run is, on standard error, if that is a terminal.
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// Of so many trials.
    pub fn of(trials: u32) -> Self {
        Self(io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(u64::from(trials));
            let unit = say(&Words::Futures);
            let template = format!("{{wide_bar}} {{human_pos}} / {{human_len}} {unit}, {{eta}}");
            if let Ok(style) = ProgressStyle::with_template(&template) {
                bar.set_style(style);
            }
            bar
        }))
    }

    /// So many are done.
    pub fn done(&self, trials: u32) {
        if let Some(bar) = &self.0 {
            bar.set_position(u64::from(trials));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
