//! Names of things in a table: unique, so that rows of two things of one name stay apart.

use std::collections::BTreeMap;

use crate::domain::scenario::{CommitmentKind, Id, PoolKind, Scenario};

/// Names by identity.
#[derive(Clone, Debug, Default)]
pub struct Names {
    features: BTreeMap<Id, String>,
    contracts: BTreeMap<Id, String>,
    pools: BTreeMap<Id, String>,
    budgets: BTreeMap<Id, String>,
    /// Pools of features and contracts.
    pool_of: BTreeMap<Id, Id>,
    clusters: Vec<Id>,
}

/// Names of one kind of things; one that occurs twice gets the identity behind it. Pivot tables take names that differ
/// in case or in outer spaces for the same.
fn unique<'a>(all: impl Iterator<Item = (Id, &'a String)> + Clone) -> BTreeMap<Id, String> {
    let same = |name: &str| name.trim().to_lowercase();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (_, name) in all.clone() {
        *counts.entry(same(name)).or_default() += 1;
    }
    all.map(|(id, name)| {
        if counts.get(&same(name)).is_none_or(|n| *n < 2) {
            return (id, name.clone());
        }
        // somebody may have called something "Chat #3" already
        let mut unique = name.clone();
        loop {
            unique = format!("{unique} #{}", id.0);
            if !counts.contains_key(&same(&unique)) {
                break (id, unique);
            }
        }
    })
    .collect()
}

impl Names {
    /// Of everything in a scenario.
    pub fn of(scenario: &Scenario) -> Self {
        let features = scenario.features.iter().map(|f| (f.id, f.pool));
        let contracts = scenario.commitments.iter().filter_map(|c| match c.kind {
            CommitmentKind::ReservedCapacity { pool, .. } => Some((c.id, pool)),
            CommitmentKind::SpendCommitment { .. } => None,
        });
        Self {
            features: unique(scenario.features.iter().map(|x| (x.id, &x.name))),
            contracts: unique(scenario.commitments.iter().map(|x| (x.id, &x.name))),
            pools: unique(scenario.pools.iter().map(|x| (x.id, &x.name))),
            budgets: unique(scenario.budgets.iter().map(|x| (x.id, &x.name))),
            pool_of: features.chain(contracts).collect(),
            clusters: scenario
                .pools
                .iter()
                .filter(|p| matches!(p.kind, PoolKind::GpuCluster { .. }))
                .map(|p| p.id)
                .collect(),
        }
    }

    /// A feature.
    pub fn feature(&self, id: Id) -> &str {
        self.features.get(&id).map_or("", String::as_str)
    }

    /// A contract.
    pub fn contract(&self, id: Id) -> &str {
        self.contracts.get(&id).map_or("", String::as_str)
    }

    /// A pool.
    pub fn pool(&self, id: Id) -> &str {
        self.pools.get(&id).map_or("", String::as_str)
    }

    /// A budget.
    pub fn budget(&self, id: Id) -> &str {
        self.budgets.get(&id).map_or("", String::as_str)
    }

    /// The pool of a feature or contract; empty if it has none.
    pub fn pool_of(&self, id: Id) -> &str {
        self.pool_of.get(&id).map_or("", |pool| self.pool(*pool))
    }

    /// Whether a pool is a GPU cluster.
    pub fn is_cluster(&self, pool: Id) -> bool {
        self.clusters.contains(&pool)
    }

    /// Whether a feature runs on one.
    pub fn on_cluster(&self, feature: Id) -> bool {
        self.pool_of
            .get(&feature)
            .is_some_and(|pool| self.is_cluster(*pool))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_pivot_takes_for_one_get_their_identity() {
        let entered = ["Chat", "chat ", "Chat #1", "Search", ""].map(str::to_owned);
        let ids = (1..).map(Id);
        let names = unique(ids.zip(&entered));
        let found: Vec<&str> = names.values().map(String::as_str).collect();
        assert_eq!(found, ["Chat #1 #1", "chat  #2", "Chat #1", "Search", ""]);
    }
}
