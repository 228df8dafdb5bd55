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
        scenario: "a6ddeb84270ba6dc18956d625d98e621",
        result: "5cc8c21a7186a184fc21c836b382d250",
    },
    Golden {
        story: "eleven-calls",
        trials: 130,
        scenario: "41a5e8eda556ab25466df913480ce1b5",
        result: "cc6db3216a8a379b867f84441fa330c2",
    },
    Golden {
        story: "real-traces",
        trials: 110,
        scenario: "b129e8def1a1eefe777a703d2c16ee5a",
        result: "413a8ac52aa2c75baf0f517af67474c8",
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
