//! What each command does.

use headroom::domain::digest::scenario_digest;
use headroom::domain::scenario::Scenario;
use headroom::engine::projection::Projection;
use headroom::export::{self, Profile};
use headroom::share;
use headroom::stories;
use headroom::text::cli::Cli as Words;

use super::failure::Failure;
use super::input;
use super::options::{Command, Format, Schema, Simulation};
use super::output::{self, Progress};
use super::threads;

/// Does it.
pub fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Run { run, format, out } => {
            let (scenario, projection) = simulate(&run)?;
            let bytes = match format {
                Format::Json => export::projection_json(&projection).into_bytes(),
                Format::Csv => export::plan_csv(&scenario, &projection, Profile::Data),
            };
            match out {
                Some(path) => output::write(&path, &bytes),
                None => output::print_bytes(&bytes),
            }
        }
        Command::Digest { run } => {
            let (scenario, projection) = simulate(&run)?;
            let result = projection.result_digest.unwrap_or_default();
            output::print(&format!(
                "scenario {}\nresult {result}\n",
                scenario_digest(&scenario)
            ))
        }
        Command::Url { scenario, base } => {
            let scenario = input::scenario(&scenario)?;
            let fragment = share::encode(&scenario).map_err(Failure::Link)?;
            output::print(&format!("{}#{fragment}\n", page(&base)?))
        }
        Command::Open { url } => {
            let scenario = input::link(&url)?;
            output::print(&export::scenario_json(&scenario))
        }
        Command::Stories => {
            let names: String = stories::all()
                .iter()
                .map(|s| format!("{}\n", s.name))
                .collect();
            output::print(&names)
        }
        Command::Schema { of } => output::print(&match of {
            Schema::Scenario => export::scenario_schema(),
            Schema::Projection => export::projection_schema(),
        }),
    }
}

fn simulate(run: &Simulation) -> Result<(Scenario, Projection), Failure> {
    let mut scenario = input::scenario(&run.scenario)?;
    let settings = &mut scenario.settings;
    settings.trials = run.trials.unwrap_or(settings.trials);
    settings.seed = run.seed.unwrap_or(settings.seed);
    let progress = Progress::of(settings.trials);
    let threads = run.threads.map_or_else(threads::all_cores, usize::from);
    let projection = threads::project(&scenario, threads, &|done| progress.done(done))?;
    Ok((scenario, projection))
}

/// The address of the page, without what a link would put behind `#`.
fn page(base: &str) -> Result<&str, Failure> {
    let page = base.split('#').next().unwrap_or_default();
    let rest = page
        .strip_prefix("https://")
        .or_else(|| page.strip_prefix("http://"));
    let good = rest.is_some_and(|r| !r.is_empty() && !r.starts_with('/'))
        && page.chars().all(|c| c.is_ascii_graphic());
    if good {
        Ok(page)
    } else {
        Err(Failure::Usage(Words::NotAnAddress {
            address: base.to_owned(),
        }))
    }
}
