//! What an hour costs, and what is left of each limit.

use headroom::domain::scenario::{CommitmentKind, PoolKind, Scenario, SpendBasis};

use super::calendar::Calendar;
use super::{Table, What};

/// What one hour used.
#[derive(Clone)]
pub struct HourUse {
    /// List cost by pool.
    pub list: Vec<f64>,
    /// GPU-hours of work by pool.
    pub busy_gpu_hours: Vec<f64>,
    /// Needed GPUs, of clusters.
    pub needed: Vec<f64>,
    /// Needed GPUs, or tokens and calls of a minute, in hours that can be the highest of their month.
    pub highest: Vec<Option<[f64; 2]>>,
}

impl HourUse {
    pub fn new(pools: usize) -> Self {
        Self {
            list: vec![0.0; pools],
            busy_gpu_hours: vec![0.0; pools],
            needed: vec![0.0; pools],
            highest: vec![None; pools],
        }
    }
}

/// Terms in hours.
pub struct Bills {
    terms: Vec<(i64, i64)>,
    /// Spend commitments, highest discount first.
    order: Vec<usize>,
}

impl Bills {
    pub fn new(scenario: &Scenario, calendar: &Calendar) -> Self {
        let terms = scenario
            .commitments
            .iter()
            .map(|c| {
                (
                    calendar.hour_of(c.start),
                    calendar.term_end(c.start, c.term_months),
                )
            })
            .collect();
        let mut order: Vec<(f64, usize)> = scenario
            .commitments
            .iter()
            .enumerate()
            .filter_map(|(i, c)| match c.kind {
                CommitmentKind::SpendCommitment { discount, .. } => Some((discount, i)),
                CommitmentKind::ReservedCapacity { .. } => None,
            })
            .collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        Self {
            terms,
            order: order.into_iter().map(|(_, i)| i).collect(),
        }
    }

    /// Books one hour.
    pub fn hour(
        &self,
        scenario: &Scenario,
        hour: usize,
        used: &HourUse,
        month: usize,
        table: &mut Table,
    ) {
        let now = hour as i64;
        let in_force = |c: usize| (self.terms[c].0..self.terms[c].1).contains(&now);
        let pay = |table: &mut Table, effective: f64, billed: f64| {
            table.add(What::Effective, month, effective);
            table.add(What::Billed, month, billed);
        };
        let mut committed = vec![0.0; scenario.pools.len()];
        for (c, commitment) in scenario.commitments.iter().enumerate() {
            let CommitmentKind::ReservedCapacity {
                pool,
                gpus,
                rate_per_gpu_hour,
                upfront_share,
            } = commitment.kind
            else {
                continue;
            };
            if !in_force(c) {
                continue;
            }
            let (start, end) = self.terms[c];
            let hourly = rate_per_gpu_hour * f64::from(gpus);
            let upfront = if now == start {
                upfront_share * hourly * (end - start) as f64
            } else {
                0.0
            };
            pay(table, hourly, upfront + (1.0 - upfront_share) * hourly);
            let index = scenario
                .pools
                .iter()
                .position(|p| p.id == pool)
                .expect("a pool");
            committed[index] += f64::from(gpus);
        }
        let mut rest: f64 = used.list.iter().sum();
        for &c in &self.order {
            let CommitmentKind::SpendCommitment {
                amount_per_hour,
                discount,
                basis,
            } = scenario.commitments[c].kind
            else {
                continue;
            };
            if !in_force(c) {
                continue;
            }
            let (fee, can_cover) = match basis {
                SpendBasis::Discounted => (amount_per_hour, amount_per_hour / (1.0 - discount)),
                SpendBasis::List => (amount_per_hour * (1.0 - discount), amount_per_hour),
            };
            let covered = rest.min(can_cover);
            rest -= covered;
            pay(table, fee, fee);
            table.add(What::Unused(c), month, fee - covered * (1.0 - discount));
        }
        pay(table, rest, rest);
        let mut limit = 0;
        for (p, pool) in scenario.pools.iter().enumerate() {
            match &pool.kind {
                PoolKind::GpuCluster { burst, .. } => {
                    let needed = used.needed[p];
                    table.add(What::BusyGpuHours(p), month, used.busy_gpu_hours[p]);
                    table.add(What::NeededGpuHours(p), month, needed);
                    if let Some(burst) = burst {
                        let extra = (needed - committed[p]).clamp(0.0, burst.max_gpus.into());
                        let cost = extra * burst.rate_per_gpu_hour;
                        table.add(What::BurstGpuHours(p), month, extra);
                        table.add(What::BurstCost(p), month, cost);
                        pay(table, cost, cost);
                    }
                    // An hour in which nothing is live needs nothing.
                    let highest = used.highest[p].map_or(0.0, |n| n[0]);
                    table.lower(What::Headroom(limit), month, committed[p] - highest);
                    limit += 1;
                }
                PoolKind::PayAsYouGo {
                    tokens_per_minute,
                    requests_per_minute,
                    ..
                } => {
                    table.add(What::UsageList(p), month, used.list[p]);
                    for (which, most) in [tokens_per_minute, requests_per_minute]
                        .into_iter()
                        .enumerate()
                    {
                        if let Some(most) = most {
                            let highest = used.highest[p].map_or(0.0, |n| n[which]);
                            table.lower(What::Headroom(limit), month, most - highest);
                            limit += 1;
                        }
                    }
                }
            }
        }
    }
}
