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
        scenario: "50ad1b84b386b0368e9037d83daf9949",
        result: "a3568dbd682e09bd3212a811e6605ee5",
    },
    Golden {
        story: "eleven-calls",
        trials: 130,
        scenario: "762b9061ca77cfbc95fad88c766c6d34",
        result: "708e066a944bfb6fbd79ccbe9787efef",
    },
    Golden {
        story: "real-traces",
        trials: 110,
        scenario: "8ff149ac962cbd90fcad0d42036696b8",
        result: "345de5e85f0a008214810633094555ef",
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
