//! A scenario as the fragment of an address and back: everything a person entered, seed and number of trials included,
//! so that the same link gives the same answers. The format is written out in docs/share-format.md.
//!
//! [`envelope`] is the outside, the same for every version; [`v1`] is frozen; [`migrate`] lifts what an old version
//! says to the scenario of today.

use serde_json::Value;

use crate::domain::scenario::Scenario;

mod envelope;
mod migrate;
mod v1;

pub use migrate::lift;

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
    /// The plan is too long for any link, or has numbers that no link can hold.
    TooLong,
}

/// The fragment, without `#`, that stands for a scenario.
///
/// # Errors
/// [`ShareProblem::TooLong`] if the scenario does not fit.
pub fn encode(scenario: &Scenario) -> Result<String, ShareProblem> {
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
    serde_json::from_value(value).map_err(|_| ShareProblem::Altered)
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

    #[test]
    fn stories_come_back() {
        for story in crate::stories::all() {
            let scenario = story.scenario();
            let link = encode(&scenario).expect("fits");
            let back = decode(&link).expect("reads");
            assert_eq!(back, scenario, "{}", story.name);
            println!("{} {}", story.name, link.len());
        }
    }

    #[test]
    fn a_number_that_is_none_is_refused() {
        let mut scenario = crate::stories::all()[0].scenario();
        scenario.pools[0].acceptable_chance = f64::NAN;
        assert_eq!(encode(&scenario), Err(ShareProblem::TooLong));
    }
}
