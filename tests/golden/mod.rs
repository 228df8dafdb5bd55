//! Numbers that must not drift: digests of whole runs, the same natively and in the browser. A change here is a change
//! of results: raise the engine's version and say so in CHANGELOG as value-breaking.

use headroom::domain::scenario::Scenario;
use headroom::stories;

/// One run.
pub struct Golden {
    /// The story.
    pub story: &'static str,
    /// Trials.
    pub trials: u32,
    /// Digest of the scenario.
    pub scenario: &'static str,
    /// Digest of every stored output.
    pub result: &'static str,
}

/// The runs.
pub const GOLDENS: [Golden; 3] = [
    Golden {
        story: "eighteen-month-contract",
        trials: 130,
        scenario: "a3074ef2865781b90c475302704e1b39",
        result: "c2e71e15ff41980c3eac5659382fb230",
    },
    Golden {
        story: "eleven-calls",
        trials: 130,
        scenario: "c9108ddfe6002498d07e1735a52dfcba",
        result: "1576990d9c9eea4e3afa018decb17f23",
    },
    Golden {
        story: "real-traces",
        trials: 110,
        scenario: "75a7927e42b97b19d2f55be8561086ca",
        result: "8e4ab7c57a44f77a52b7a83927b5a5b2",
    },
];

impl Golden {
    /// What is run.
    pub fn scenario(&self) -> Scenario {
        let story = stories::find(self.story).expect("a story");
        let mut scenario = story.scenario();
        scenario.settings.trials = self.trials;
        scenario
    }
}
