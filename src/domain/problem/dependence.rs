//! Checks of what moves together.

use super::ProblemKind;
use super::check::Checks;
use crate::domain::dependence::{MOST_PAIRS, contradiction};
use crate::domain::field::{FieldPath, spec};
use crate::domain::quantity::Kind;

impl Checks<'_> {
    pub(super) fn dependence(&mut self) {
        let scenario = self.scenario;
        let at = |field: &str| FieldPath::plain("dependence", field);
        if let Some(shock) = &scenario.dependence.demand_shock {
            self.within(at("deviation"), shock.deviation, 0.0, 2.0);
            self.within(
                at("weekly_persistence"),
                shock.weekly_persistence,
                0.0,
                0.99,
            );
        }
        let pairs = &scenario.dependence.correlations;
        self.count(at("correlations"), pairs.len(), MOST_PAIRS);
        let mut sound = pairs.len() <= MOST_PAIRS;
        for (index, pair) in pairs.iter().enumerate() {
            let here = at(&format!("correlations/{index}"));
            self.within(here.clone(), pair.rank, -1.0, 1.0);
            sound &= (-1.0..=1.0).contains(&pair.rank);
            for path in [&pair.a, &pair.b] {
                let (section, _, name) = path.parts();
                let uncertain = spec(section, name).is_some_and(|s| s.kind == Kind::Uncertain);
                if !uncertain || scenario.quantity(path).is_none() {
                    let path = path.clone();
                    self.push(here.clone(), ProblemKind::NotUncertain { path });
                    sound = false;
                }
            }
            let twice = pairs[..index].iter().any(|p| p.is_of(&pair.a, &pair.b));
            if pair.a == pair.b {
                self.push(here, ProblemKind::WithItself);
                sound = false;
            } else if twice {
                let (a, b) = (pair.a.clone(), pair.b.clone());
                self.push(here, ProblemKind::PairTwice { a, b });
                sound = false;
            }
        }
        if sound && let Some((which, nearest)) = contradiction(pairs) {
            let pair = &pairs[which];
            self.push(
                at(&format!("correlations/{which}")),
                ProblemKind::NotTogether {
                    a: pair.a.clone(),
                    b: pair.b.clone(),
                    rank: pair.rank,
                    nearest,
                },
            );
        }
    }
}
