//! From what was said to a scenario.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use headroom::domain::scenario::Scenario;
use headroom::import::{self, ImportProblem, MAX_BYTES};
use headroom::share;
use headroom::stories;
use headroom::text::cli::Cli as Words;

use super::failure::Failure;

/// The scenario of a JSON file, `-`, a share URL or `story:NAME`.
pub fn scenario(said: &OsStr) -> Result<Scenario, Failure> {
    match said.to_str() {
        Some("-") => from_bytes("-", io::stdin().lock()),
        Some(text) if text.starts_with("story:") => story(text.trim_start_matches("story:")),
        Some(text) if is_link(text) => link(said),
        _ => file(said),
    }
}

/// The scenario of a share URL.
pub fn link(said: &OsStr) -> Result<Scenario, Failure> {
    share::decode(&said.to_string_lossy()).map_err(Failure::Link)
}

fn is_link(text: &str) -> bool {
    let starts = ["http://", "https://", "p=", "#p="];
    starts.iter().any(|start| text.starts_with(start)) || text.contains("/#p=")
}

fn story(name: &str) -> Result<Scenario, Failure> {
    let found = stories::find(name).ok_or_else(|| {
        let names: Vec<_> = stories::all().iter().map(|s| s.name).collect();
        Failure::Input(Words::UnknownStory {
            name: name.to_owned(),
            names: names.join(", "),
        })
    })?;
    Ok(found.scenario())
}

fn file(said: &OsStr) -> Result<Scenario, Failure> {
    let path = Path::new(said);
    let name = path.display().to_string();
    let cannot = |error: &io::Error| Failure::Input(cannot_read(&name, error));
    if path.is_dir() {
        return Err(Failure::Input(Words::IsAFolder { file: name }));
    }
    from_bytes(&name, File::open(path).map_err(|e| cannot(&e))?)
}

fn cannot_read(name: &str, error: &io::Error) -> Words {
    let file = name.to_owned();
    match error.kind() {
        ErrorKind::NotFound => Words::NoSuchFile { file },
        ErrorKind::PermissionDenied => Words::MayNotRead { file },
        _ => Words::CannotRead {
            file,
            reason: error.to_string(),
        },
    }
}

/// Reads no more than an import may have, whatever is at the other end.
fn from_bytes(name: &str, source: impl Read) -> Result<Scenario, Failure> {
    let mut bytes = Vec::new();
    source
        .take(MAX_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| Failure::Input(cannot_read(name, &e)))?;
    let refused = |problems| Failure::File {
        name: name.to_owned(),
        problems,
    };
    if bytes.len() > MAX_BYTES {
        return Err(refused(vec![ImportProblem::TooLarge]));
    }
    let text = String::from_utf8(bytes).map_err(|_| {
        Failure::Input(Words::FileIsNotText {
            file: name.to_owned(),
        })
    })?;
    import::scenario_json(&text).map_err(refused)
}
