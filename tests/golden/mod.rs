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
        result: "060285ab8ef4a7cbf98be5fee48ad5ba",
    },
    Golden {
        story: "eleven-calls",
        trials: 130,
        scenario: "c9108ddfe6002498d07e1735a52dfcba",
        result: "d4dfb7709fc41d01d0da1b12e5303286",
    },
    Golden {
        story: "real-traces",
        trials: 110,
        scenario: "75a7927e42b97b19d2f55be8561086ca",
        result: "821a005a7d6abd0c616c0fad7fdfe844",
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
