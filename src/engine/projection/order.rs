//! Numbers are made in the order in which entities were created, so that no sum depends on the order in which a person
//! keeps them; they are shown in the latter.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Outcome, Projection};
use crate::domain::scenario::{Id, Scenario};

/// The order in which a person keeps entities whose columns are in order of creation. Contracts are in neither: their
/// order is data, it says which of two equal ones is used first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryOrder {
    features: Vec<Id>,
    pools: Vec<Id>,
}

/// A scenario with what has no order of its own in order of creation.
#[must_use]
pub fn in_order_of_creation(scenario: &Scenario) -> Scenario {
    let mut s = scenario.clone();
    s.features.sort_by_key(|x| x.id);
    s.models.sort_by_key(|x| x.id);
    s.pools.sort_by_key(|x| x.id);
    s.seasons.sort_by_key(|x| x.id);
    s
}

impl EntryOrder {
    /// Of a scenario.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Self {
        Self {
            features: scenario.features.iter().map(|x| x.id).collect(),
            pools: scenario.pools.iter().map(|x| x.id).collect(),
        }
    }

    fn is_that_of_creation(&self) -> bool {
        self.features.is_sorted() && self.pools.is_sorted()
    }
}

/// Place of an id; what is not there stays at the end.
fn place(ids: &[Id], id: Id) -> usize {
    ids.iter().position(|x| *x == id).unwrap_or(ids.len())
}

/// Puts a list in another order: `order[new] = old`.
fn reordered<T: Clone>(list: &[T], order: &[usize]) -> Vec<T> {
    order
        .iter()
        .filter_map(|at| list.get(*at).cloned())
        .collect()
}

/// Where each place of a list is found after [`reordered`].
fn moved(order: &[usize]) -> impl Fn(&mut u32) {
    move |at| {
        if let Some(new) = order.iter().position(|old| *old == *at as usize) {
            *at = new as u32;
        }
    }
}

impl Projection {
    /// The same with its lists in the order of entry.
    #[must_use]
    pub fn in_entry_order(&self, entered: &EntryOrder) -> Cow<'_, Self> {
        if entered.is_that_of_creation() {
            return Cow::Borrowed(self);
        }
        let by = |count: usize, place: &dyn Fn(usize) -> usize| {
            let mut order: Vec<usize> = (0..count).collect();
            order.sort_by_key(|at| place(*at));
            order
        };
        let feature = |id: Id| place(&entered.features, id);
        let pool = |id: Id| place(&entered.pools, id);
        let features = by(self.features.len(), &|i| feature(self.features[i].id));
        let limits = by(self.limits.len(), &|i| pool(self.limits[i].pool));
        let mut p = Self {
            features: reordered(&self.features, &features),
            limits: reordered(&self.limits, &limits),
            ..self.clone()
        };
        p.lanes.sort_by_key(|x| feature(x.long.id));
        p.pools.sort_by_key(|x| pool(x.id));
        let (move_feature, move_limit) = (moved(&features), moved(&limits));
        for driver in &mut p.drivers {
            match &mut driver.outcome {
                Outcome::LowestHeadroom(limit)
                | Outcome::BreachHours(limit)
                | Outcome::MonthLowestHeadroom { limit, .. }
                | Outcome::MonthBreachHours { limit, .. } => move_limit(limit),
                Outcome::FeatureEffectiveCost(at) => move_feature(at),
                Outcome::YearEffectiveCost(_)
                | Outcome::YearBilledCost(_)
                | Outcome::HorizonEffectiveCost
                | Outcome::HorizonBilledCost
                | Outcome::OverBudget(_) => {}
            }
        }
        p.causes.iter_mut().for_each(|x| move_limit(&mut x.limit));
        p.heat.iter_mut().for_each(|x| move_limit(&mut x.limit));
        if let Some(launches) = &mut p.launches {
            launches.breach = reordered(&launches.breach, &limits);
            launches.moves.sort_by_key(|x| feature(x.feature));
            for x in &mut launches.moves {
                x.breach = reordered(&x.breach, &limits);
            }
        }
        Cow::Owned(p)
    }
}
