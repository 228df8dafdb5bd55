//! Capacity that is used and that nothing is paid for: a plan that was not finished, and a cost of 0 that means nothing.

use crate::domain::scenario::{Commitment, CommitmentKind, Id, Pool, PoolKind, Scenario};

/// The first cluster on which a feature runs and for which nothing is paid.
#[must_use]
pub fn free_cluster(scenario: &Scenario) -> Option<Id> {
    let unpaid = |pool: &&Pool| matches!(pool.kind, PoolKind::GpuCluster { burst: None, .. });
    let used = |pool: &&Pool| {
        let mut features = scenario.features.iter();
        features.any(|f| f.pool == pool.id || f.lanes.as_ref().is_some_and(|l| l.pool == pool.id))
    };
    let reserved = |pool: &&Pool| {
        let own = |c: &Commitment| matches!(c.kind, CommitmentKind::ReservedCapacity { pool: of, .. } if of == pool.id);
        scenario.commitments.iter().any(own)
    };
    let mut pools = scenario.pools.iter();
    pools
        .find(|p| unpaid(p) && used(p) && !reserved(p))
        .map(|p| p.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_is_free_without_contract_and_burst() {
        let mut plan = crate::stories::find(crate::stories::DEFAULT)
            .expect("a story")
            .scenario();
        assert_eq!(free_cluster(&plan), None);
        plan.commitments
            .retain(|c| !matches!(c.kind, CommitmentKind::ReservedCapacity { .. }));
        let mut cluster = None;
        for pool in &mut plan.pools {
            if let PoolKind::GpuCluster { burst, .. } = &mut pool.kind {
                *burst = None;
                cluster = Some(pool.id);
            }
        }
        assert!(cluster.is_some());
        assert_eq!(free_cluster(&plan), cluster);
        plan.features.retain(|f| Some(f.pool) != cluster);
        for f in &mut plan.features {
            f.lanes = None;
        }
        assert_eq!(free_cluster(&plan), None, "nothing runs on it");
    }
}
