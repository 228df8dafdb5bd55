//! A scenario as the fragment of an address and back: everything a person entered, seed and number of trials included,
//! so that the same link gives the same answers. The format is written out in docs/share-format.md.
//!
//! `envelope` is the outside, the same for every version; `v1` is frozen; `migrate` lifts what an old version
//! says to the scenario of today.

use serde_json::Value;

use crate::domain::problem::Problem;
use crate::domain::scenario::Scenario;

mod envelope;
mod migrate;
mod shorten;
mod v1;

pub use migrate::lift;
pub use shorten::{Shortened, shortened};

/// Version of the links that are made.
pub const SHARE_VERSION: u32 = 1;

/// Why a text is not a plan. The sentences are in `text::share`.
#[derive(Clone, Debug, PartialEq)]
pub enum ShareProblem {
    /// There is nothing.
    Empty,
    /// It is something else.
    NotOurs,
    /// The end is missing.
    CutOff,
    /// It is not as it was made.
    Altered,
    /// It was made by a later version of Headroom.
    NewerVersion {
        /// Its version.
        found: u32,
        /// The latest version that can be read.
        supported: u32,
    },
    /// The plan is too long for any link.
    TooLong,
    /// The plan cannot be run: what has to change first.
    Invalid {
        /// The plan, so that its problems can be said beside its names.
        plan: Box<Scenario>,
        /// The problems, in the order of the editor.
        problems: Vec<Problem>,
    },
}

/// The fragment, without `#`, that stands for a scenario.
///
/// # Errors
/// [`ShareProblem::Invalid`] if the scenario cannot be run: nobody gets a link that does not open.
/// [`ShareProblem::TooLong`] if it does not fit.
pub fn encode(scenario: &Scenario) -> Result<String, ShareProblem> {
    check(scenario)?;
    let value = serde_json::to_value(scenario).map_err(|_| ShareProblem::TooLong)?;
    let body = v1::write(&value).map_err(|_| ShareProblem::TooLong)?;
    envelope::wrap(SHARE_VERSION, &body).ok_or(ShareProblem::TooLong)
}

/// The scenario of a fragment or of a whole address.
///
/// # Errors
/// Whatever the text is, one of [`ShareProblem`]; never a default scenario.
pub fn decode(link: &str) -> Result<Scenario, ShareProblem> {
    let (version, body) = envelope::unwrap(link)?;
    let value = read(version, &body)?;
    let scenario = serde_json::from_value(value).map_err(|_| ShareProblem::Altered)?;
    check(&scenario)?;
    Ok(scenario)
}

fn check(scenario: &Scenario) -> Result<(), ShareProblem> {
    let problems = scenario.problems();
    if problems.is_empty() {
        Ok(())
    } else {
        let plan = Box::new(scenario.clone());
        Err(ShareProblem::Invalid { plan, problems })
    }
}

fn read(version: u32, body: &[u8]) -> Result<Value, ShareProblem> {
    let old = match version {
        1 => v1::read(body).map_err(|_| ShareProblem::Altered)?,
        found if found > SHARE_VERSION => {
            return Err(ShareProblem::NewerVersion {
                found,
                supported: SHARE_VERSION,
            });
        }
        _ => return Err(ShareProblem::NotOurs),
    };
    migrate::lift(old).ok_or(ShareProblem::Altered)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::field::FieldPath;

    #[test]
    fn stories_come_back() {
        for story in crate::stories::all() {
            let scenario = story.scenario();
            let link = encode(&scenario).expect("fits");
            assert_eq!(decode(&link), Ok(scenario), "{}", story.name);
        }
    }

    #[test]
    fn a_plan_with_problems_gets_no_link_and_is_not_opened_from_one() {
        let mut scenario = crate::stories::all()[0].scenario();
        scenario.settings.horizon_months = 61;
        scenario.pools[0].acceptable_chance = f64::NAN;
        let Err(ShareProblem::Invalid { problems, .. }) = encode(&scenario) else {
            panic!("refused")
        };
        let pool = FieldPath::of("pools", scenario.pools[0].id, "acceptable_chance");
        let paths: Vec<_> = problems.iter().map(|p| &p.path).collect();
        assert_eq!(
            paths,
            [&FieldPath::plain("settings", "horizon_months"), &pool]
        );

        scenario.pools[0].acceptable_chance = 0.05;
        let value = serde_json::to_value(&scenario).expect("JSON");
        let forged = envelope::wrap(1, &v1::write(&value).expect("fits")).expect("fits");
        let problems = scenario.problems();
        let plan = Box::new(scenario);
        assert_eq!(
            decode(&forged),
            Err(ShareProblem::Invalid { plan, problems })
        );
    }
}
