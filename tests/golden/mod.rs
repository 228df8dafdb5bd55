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
        scenario: "9a72b81c43c6540ce716a449ad52b53d",
        result: "80634e9421ce3d189c9b3464e4a1cc7e",
    },
    Golden {
        story: "eleven-calls",
        trials: 130,
        scenario: "14c9584871b792c1c8f1cd116a2b5108",
        result: "182923a34d1541b9ae538e03dbf86a26",
    },
    Golden {
        story: "real-traces",
        trials: 110,
        scenario: "ab785ee1dde53a9b90d14e903cca49a0",
        result: "6a7a94a3dfe7eb0b13fcf70986d3b3ba",
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
