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
        scenario: "1b8227adac3b1c13fea33c40dd063eef",
        result: "5cc8c21a7186a184fc21c836b382d250",
    },
    Golden {
        story: "eleven-calls",
        trials: 130,
        scenario: "c64bb46a87f6b923692071cf4f62c325",
        result: "186d960cd4d86d4204d17a748a5b4a36",
    },
    Golden {
        story: "real-traces",
        trials: 110,
        scenario: "ab785ee1dde53a9b90d14e903cca49a0",
        result: "09464066433bd1f8783dbe578e3e573a",
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
