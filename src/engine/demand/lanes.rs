//! Requests of a feature with lanes, split into four: short or long, in the right lane or in the wrong one.

use super::{MonthSums, count::binomial};
use crate::{
    domain::scenario::Id,
    engine::{
        plan::{Plan, PlanFlow},
        rng::Stream,
    },
};

impl PlanFlow {
    /// The shares of short and of long requests that a trial sends to the wrong lane.
    #[must_use]
    pub fn misrouted_in(&self, plan: &Plan, trial: u32, feature: Id) -> [f64; 2] {
        let rates = self.misrouted.each_ref();
        rates.map(|rate| rate.draw(plan, trial, feature, 0))
    }

    /// Share of the feature's requests that is in this flow.
    #[must_use]
    pub fn share(&self, misrouted: [f64; 2]) -> f64 {
        let part = |of: f64, yes: bool| if yes { of } else { 1.0 - of };
        let wrong = misrouted[usize::from(self.long)];
        part(self.long_share, self.long) * part(wrong, self.wrong)
    }

    /// The sums of all of the feature's requests, from those of this flow; none without requests.
    #[must_use]
    pub fn all(&self, sums: &MonthSums, misrouted: [f64; 2]) -> Option<MonthSums> {
        let share = self.share(misrouted);
        (share > 0.0).then(|| MonthSums {
            requests: sums.requests / share,
            squares: sums.squares / (share * share),
            ..*sums
        })
    }

    /// Of so many requests of the feature, those in this flow. The stream is the same for all flows of a feature, so that
    /// they add up.
    #[must_use]
    pub fn count(&self, all: u64, misrouted: [f64; 2], stream: &mut Stream) -> u64 {
        let long = binomial(all, self.long_share, stream.uniform());
        let own = if self.long { long } else { all - long };
        let (short_u, long_u) = (stream.uniform(), stream.uniform());
        let u = if self.long { long_u } else { short_u };
        let wrong = binomial(own, misrouted[usize::from(self.long)], u);
        if self.wrong { wrong } else { own - wrong }
    }
}
