//! What hours cost: reserved capacity, hourly spend commitments, burst and use at list price, by kind of cost and by
//! feature.
//!
//! [`Billing`] is plain data made once per scenario. A trial starts its row with [`Billing::start_trial`], then bills
//! month after month: [`Billing::spend_month`] once for everything that is paid by use, [`Billing::cluster_month`] once
//! per GPU cluster, also in months without work, because contracts are paid in every hour of their term. Both get one
//! number per hour of the month and give back what a unit of use cost in each hour, so that a feature's share is the
//! sum of its use × that ([`allocate`]). Nothing allocates memory.
//!
//! Source: docs/model.md, "Money".

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::columns::{CommitmentMoney, Layout, PoolMoney, TotalMoney};
use crate::domain::calendar::term_end;
use crate::domain::scenario::{CommitmentKind, Id, PoolKind, Scenario, SpendBasis};

/// GPU-hours of work in an hour below which nobody has worked (4 microseconds of one GPU).
const NOBODY: f64 = 1e-9;

/// An amount under the four costs of FOCUS.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FourCosts {
    /// On the invoice.
    pub billed: f64,
    /// With fees spread over what they paid for.
    pub effective: f64,
    /// At list price.
    pub list: f64,
    /// At contracted price, before commitment discounts.
    pub contracted: f64,
}

/// A charge, by what it is for: the one table of how each kind counts in the four costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Charge {
    /// A contract's fee, upfront or recurring.
    Purchase(f64),
    /// Use that a contract pays for.
    Used {
        /// What the contract charges for it.
        effective: f64,
        /// What it would have cost at list price.
        list: f64,
    },
    /// The part of a contract that nobody used.
    Unused(f64),
    /// Use at list price, burst included.
    Uncovered(f64),
}

impl Charge {
    /// The row's four costs.
    #[must_use]
    pub const fn costs(self) -> FourCosts {
        let (billed, effective, list) = match self {
            Self::Purchase(amount) => (amount, 0.0, amount),
            Self::Used { effective, list } => (0.0, effective, list),
            Self::Unused(amount) => (0.0, amount, amount),
            Self::Uncovered(amount) => (amount, amount, amount),
        };
        FourCosts {
            billed,
            effective,
            list,
            contracted: list,
        }
    }

    /// What it adds to totals: fees and unused parts would count the same money twice in list and contracted cost.
    #[must_use]
    pub const fn in_totals(self) -> FourCosts {
        let costs = self.costs();
        match self {
            Self::Purchase(_) | Self::Unused(_) => FourCosts {
                list: 0.0,
                contracted: 0.0,
                ..costs
            },
            Self::Used { .. } | Self::Uncovered(_) => costs,
        }
    }
}

/// The money columns of one trial, with their layout.
#[derive(Debug)]
pub struct MoneyRow<'a> {
    layout: Layout,
    row: &'a mut [f64],
}

impl<'a> MoneyRow<'a> {
    /// Over a row of [`Layout::money_width`] values.
    #[must_use]
    pub const fn new(layout: Layout, row: &'a mut [f64]) -> Self {
        Self { layout, row }
    }

    /// Adds a charge to the totals of a month.
    pub fn add_charge(&mut self, month: usize, charge: Charge) {
        let c = charge.in_totals();
        for (which, amount) in [
            (TotalMoney::Effective, c.effective),
            (TotalMoney::Billed, c.billed),
            (TotalMoney::List, c.list),
            (TotalMoney::Contracted, c.contracted),
        ] {
            self.row[self.layout.total_money(which) + month] += amount;
        }
    }

    /// Adds effective cost to a feature.
    pub fn add_feature(&mut self, feature: usize, month: usize, amount: f64) {
        self.row[self.layout.feature_money(feature) + month] += amount;
    }

    /// Adds to a column of a pool.
    pub fn add_pool(&mut self, pool: usize, which: PoolMoney, month: usize, amount: f64) {
        self.row[self.layout.pool_money(pool, which) + month] += amount;
    }

    fn add_commitment(&mut self, entry: u32, which: CommitmentMoney, month: usize, amount: f64) {
        self.row[self.layout.commitment_money(entry as usize, which) + month] += amount;
    }
}

/// A spend commitment inside the horizon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpendContract {
    /// Its place in the scenario's list.
    pub entry: u32,
    /// First hour of the grid in which it holds.
    pub first: u32,
    /// Hour of the grid in which it no longer holds.
    pub end: u32,
    /// Fee per hour, used or not.
    pub fee: f64,
    /// List cost per hour that the fee covers.
    pub covers: f64,
    /// Share of list cost that covered use costs: 1 − discount.
    pub keep: f64,
}

/// What a spend commitment does in an hour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Served {
    /// List cost that it covers.
    pub covered: f64,
    /// Its fee for that.
    pub used: f64,
    /// The rest of its fee.
    pub unused: f64,
}

impl SpendContract {
    /// From what a person enters; `first` and `end` in hours of the grid.
    #[must_use]
    pub fn new(
        entry: u32,
        first: u32,
        end: u32,
        amount: f64,
        discount: f64,
        basis: SpendBasis,
    ) -> Self {
        let keep = 1.0 - discount;
        let (fee, covers) = match basis {
            SpendBasis::Discounted => (amount, amount / keep),
            SpendBasis::List => (amount * keep, amount),
        };
        Self {
            entry,
            first,
            end,
            fee,
            covers,
            keep,
        }
    }

    /// Serves one hour's eligible list cost. What it does not use is lost with the hour.
    #[must_use]
    pub fn serve(&self, eligible: f64) -> Served {
        if eligible >= self.covers {
            // exactly the fee: covers × keep may differ in the last digit
            return Served {
                covered: self.covers,
                used: self.fee,
                unused: 0.0,
            };
        }
        let used = (eligible * self.keep).min(self.fee);
        Served {
            covered: eligible,
            used,
            unused: self.fee - used,
        }
    }
}

/// Reserved GPUs of one contract, while a set of contracts holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reserved {
    /// Place of the contract in the scenario's list.
    pub entry: u32,
    /// GPUs.
    pub gpus: f64,
    /// Whole price of one for an hour.
    pub rate: f64,
}

/// Hours of the grid in which the same contracts hold on a cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Segment {
    /// First hour of the grid.
    pub first: u32,
    /// Hour of the grid after the last.
    pub end: u32,
    /// Reserved GPUs of all contracts.
    pub committed: f64,
    /// The contracts, in the order in which they are used: lowest rate first, then as entered.
    pub reserved: Vec<Reserved>,
}

/// The contracts and prices of a GPU cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cluster {
    /// Place of the pool in the scenario's list.
    pub pool: u32,
    /// On-demand price of a GPU for an hour.
    pub on_demand_rate: f64,
    /// Most GPUs that can be added; 0 without burst.
    pub burst_gpus: f64,
    /// Price of an added GPU for an hour.
    pub burst_rate: f64,
    /// The whole horizon, without gaps.
    pub segments: Vec<Segment>,
}

impl Cluster {
    /// Reserved GPUs in an hour of the grid; 0 outside.
    #[must_use]
    pub fn committed(&self, hour: u32) -> f64 {
        let at = self.segments.partition_point(|s| s.end <= hour);
        self.segments
            .get(at)
            .filter(|s| s.first <= hour)
            .map_or(0.0, |s| s.committed)
    }

    /// Lowest number of reserved GPUs in the hours from `first` to before `end`.
    #[must_use]
    pub fn lowest_committed(&self, first: u32, end: u32) -> f64 {
        self.segments
            .iter()
            .filter(|s| s.first < end && s.end > first)
            .map(|s| s.committed)
            .reduce(f64::min)
            .unwrap_or(0.0)
    }
}

/// What a cluster did in a month.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClusterMonth {
    /// GPU-hours added beyond the reserved ones.
    pub burst_gpu_hours: f64,
    /// What they cost.
    pub burst_cost: f64,
    /// GPU-hours of reserved GPUs that were needed.
    pub used_gpu_hours: f64,
}

/// All contracts of a scenario on its grid of hours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Billing {
    /// Layout of the rows that it writes.
    pub layout: Layout,
    /// First hour of each month, and the end of the horizon.
    pub month_start: Vec<u32>,
    /// Spend commitments in the order in which they are used: largest discount first, then as entered.
    pub spend: Vec<SpendContract>,
    /// GPU clusters in pool order.
    pub clusters: Vec<Cluster>,
    /// Invoices: one row of months per contract, in entry order.
    pub invoices: Vec<f64>,
}

impl Billing {
    /// Contracts on the grid. `hour_of` gives the first hour of the grid that starts on or after the first instant of
    /// a local day; days outside the horizon give hours below 0 or beyond the end.
    #[must_use]
    pub fn new(
        scenario: &Scenario,
        layout: Layout,
        month_start: &[u32],
        hour_of: &dyn Fn(Date) -> i64,
    ) -> Self {
        let horizon = month_start.last().copied().unwrap_or(0);
        let inside = |hour: i64| u32::try_from(hour.clamp(0, i64::from(horizon))).unwrap_or(0);
        let mut invoices = vec![0.0; scenario.commitments.len() * layout.months];
        let mut spend = Vec::new();
        let mut reservations: Vec<(Id, u32, u32, Reserved)> = Vec::new();
        for (entry, (commitment, invoice)) in (0..).zip(
            scenario
                .commitments
                .iter()
                .zip(invoices.chunks_mut(layout.months.max(1))),
        ) {
            let start = hour_of(commitment.start);
            let stop = hour_of(term_end(commitment.start, commitment.term_months));
            let (first, end) = (inside(start), inside(stop));
            let hourly = match commitment.kind {
                CommitmentKind::ReservedCapacity {
                    pool,
                    gpus,
                    rate_per_gpu_hour,
                    upfront_share,
                } => {
                    let price = rate_per_gpu_hour * f64::from(gpus);
                    // an upfront that was paid before the horizon is on no invoice inside
                    if start >= 0 && start < i64::from(horizon) {
                        let month = month_of(month_start, first);
                        invoice[month] += upfront_share * price * (stop - start).max(0) as f64;
                    }
                    reservations.push((
                        pool,
                        first,
                        end,
                        Reserved {
                            entry,
                            gpus: f64::from(gpus),
                            rate: rate_per_gpu_hour,
                        },
                    ));
                    price * (1.0 - upfront_share)
                }
                CommitmentKind::SpendCommitment {
                    amount_per_hour,
                    discount,
                    basis,
                } => {
                    let contract =
                        SpendContract::new(entry, first, end, amount_per_hour, discount, basis);
                    let fee = contract.fee;
                    spend.push(contract);
                    fee
                }
            };
            for (amount, month) in invoice.iter_mut().zip(month_start.windows(2)) {
                let hours = end.min(month[1]).saturating_sub(first.max(month[0]));
                *amount += hourly * f64::from(hours);
            }
        }
        // stable: equal discounts stay as entered
        spend.sort_by(|a, b| a.keep.total_cmp(&b.keep));
        let clusters = (0..)
            .zip(&scenario.pools)
            .filter_map(|(pool, p)| {
                let PoolKind::GpuCluster {
                    on_demand_rate_per_gpu_hour,
                    burst,
                    ..
                } = &p.kind
                else {
                    return None;
                };
                let own = reservations.iter().filter(|r| r.0 == p.id);
                Some(Cluster {
                    pool,
                    on_demand_rate: *on_demand_rate_per_gpu_hour,
                    burst_gpus: burst.map_or(0.0, |b| f64::from(b.max_gpus)),
                    burst_rate: burst.map_or(0.0, |b| b.rate_per_gpu_hour),
                    segments: segments(&own.collect::<Vec<_>>(), horizon),
                })
            })
            .collect();
        Self {
            layout,
            month_start: month_start.to_vec(),
            spend,
            clusters,
            invoices,
        }
    }

    /// The cluster of a pool; none if the pool is paid by use.
    #[must_use]
    pub fn cluster(&self, pool: usize) -> Option<&Cluster> {
        self.clusters.iter().find(|c| c.pool as usize == pool)
    }

    /// Clears a trial's money and writes the invoices of all contracts, which are the same in every trial.
    pub fn start_trial(&self, row: &mut MoneyRow) {
        row.row.fill(0.0);
        for (entry, invoice) in (0..).zip(self.invoices.chunks(self.layout.months.max(1))) {
            for (month, amount) in invoice.iter().enumerate() {
                row.add_commitment(entry, CommitmentMoney::Billed, month, *amount);
                row.add_charge(month, Charge::Purchase(*amount));
            }
        }
    }

    /// Bills everything that is paid by use in a month.
    ///
    /// `list` is the list cost of all such use, hour by hour, all features together. Afterwards `rest` is the part at
    /// list price that no contract covers, and `cost` what one unit of list cost costs effectively, 0 in hours without
    /// use. All have the month's hours.
    pub fn spend_month(
        &self,
        month: usize,
        list: &[f64],
        rest: &mut [f64],
        cost: &mut [f64],
        row: &mut MoneyRow,
    ) {
        rest.copy_from_slice(list);
        cost.fill(0.0);
        let month_first = self.month_start[month];
        for contract in &self.spend {
            let first = contract.first.saturating_sub(month_first) as usize;
            let end = (contract.end.saturating_sub(month_first) as usize).min(list.len());
            if first >= end {
                continue;
            }
            let (mut used, mut unused, mut covered) = (0.0, 0.0, 0.0);
            for (rest, cost) in rest[first..end].iter_mut().zip(&mut cost[first..end]) {
                let served = contract.serve(*rest);
                used += served.used;
                unused += served.unused;
                covered += served.covered;
                *rest -= served.covered;
                *cost += served.used;
            }
            row.add_commitment(contract.entry, CommitmentMoney::Used, month, used);
            row.add_commitment(contract.entry, CommitmentMoney::Unused, month, unused);
            row.add_charge(
                month,
                Charge::Used {
                    effective: used,
                    list: covered,
                },
            );
            row.add_charge(month, Charge::Unused(unused));
        }
        let mut uncovered = 0.0;
        for ((cost, rest), list) in cost.iter_mut().zip(rest.iter()).zip(list) {
            uncovered += rest;
            *cost = if *list > 0.0 {
                (*cost + rest) / list
            } else {
                0.0
            };
        }
        row.add_charge(month, Charge::Uncovered(uncovered));
    }

    /// Bills a GPU cluster in a month.
    ///
    /// `needed` is the number of needed GPUs and `work` the GPU-hours of work of all features, hour by hour. Reserved
    /// GPUs that are needed are used, the others unused; in an hour in which nobody worked all are unused. Needed GPUs
    /// beyond the reserved ones are added up to the burst limit. Afterwards `cost` is what one GPU-hour of work costs
    /// effectively, burst included, 0 in hours without work. All have the month's hours.
    pub fn cluster_month<N, W>(
        &self,
        cluster: &Cluster,
        month: usize,
        needed: &[N],
        work: &[W],
        cost: &mut [f64],
        row: &mut MoneyRow,
    ) -> ClusterMonth
    where
        N: Copy + Into<f64>,
        W: Copy + Into<f64>,
    {
        let month_first = self.month_start[month];
        let mut out = ClusterMonth::default();
        cost.fill(0.0);
        for segment in &cluster.segments {
            let first = segment.first.saturating_sub(month_first) as usize;
            let end = (segment.end.saturating_sub(month_first) as usize).min(needed.len());
            if first >= end {
                continue;
            }
            let (needed, work, cost) = (
                &needed[first..end],
                &work[first..end],
                &mut cost[first..end],
            );
            let usable = |needed: N, work: W| {
                if work.into() > NOBODY {
                    needed.into()
                } else {
                    0.0
                }
            };
            let mut before = 0.0; // GPUs of the contracts that are used first
            for reserved in &segment.reserved {
                let mut used = 0.0;
                for ((needed, work), cost) in needed.iter().zip(work).zip(cost.iter_mut()) {
                    let gpus = (usable(*needed, *work) - before)
                        .max(0.0)
                        .min(reserved.gpus);
                    used += gpus;
                    *cost += gpus * reserved.rate;
                }
                let unused = (reserved.gpus * (end - first) as f64 - used).max(0.0);
                before += reserved.gpus;
                out.used_gpu_hours += used;
                row.add_commitment(
                    reserved.entry,
                    CommitmentMoney::Used,
                    month,
                    used * reserved.rate,
                );
                row.add_commitment(
                    reserved.entry,
                    CommitmentMoney::Unused,
                    month,
                    unused * reserved.rate,
                );
                row.add_charge(
                    month,
                    Charge::Used {
                        effective: used * reserved.rate,
                        list: used * cluster.on_demand_rate,
                    },
                );
                row.add_charge(month, Charge::Unused(unused * reserved.rate));
            }
            for ((needed, work), cost) in needed.iter().zip(work).zip(cost.iter_mut()) {
                let burst = ((*needed).into() - segment.committed)
                    .max(0.0)
                    .min(cluster.burst_gpus);
                let work: f64 = (*work).into();
                out.burst_gpu_hours += burst;
                *cost = if work > NOBODY {
                    (*cost + burst * cluster.burst_rate) / work
                } else {
                    0.0
                };
            }
        }
        out.burst_cost = out.burst_gpu_hours * cluster.burst_rate;
        row.add_pool(
            cluster.pool as usize,
            PoolMoney::Burst,
            month,
            out.burst_cost,
        );
        row.add_charge(month, Charge::Uncovered(out.burst_cost));
        out
    }
}

/// A feature's share of an hourly cost: Σ use × cost of a unit, in a fixed order that four lanes can share.
#[must_use]
pub fn allocate<T: Copy + Into<f64>>(used: &[T], cost: &[f64]) -> f64 {
    let mut lanes = [0.0; 4];
    let (used_fours, used_tail) = used.as_chunks::<4>();
    let (cost_fours, cost_tail) = cost.as_chunks::<4>();
    for (used, cost) in used_fours.iter().zip(cost_fours) {
        for lane in 0..4 {
            lanes[lane] += used[lane].into() * cost[lane];
        }
    }
    for (lane, (used, cost)) in used_tail.iter().zip(cost_tail).enumerate() {
        lanes[lane] += (*used).into() * cost;
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}

/// The month that contains an hour of the grid.
fn month_of(month_start: &[u32], hour: u32) -> usize {
    month_start
        .partition_point(|start| *start <= hour)
        .saturating_sub(1)
}

/// Cuts the horizon where a contract starts or ends.
fn segments(reservations: &[&(Id, u32, u32, Reserved)], horizon: u32) -> Vec<Segment> {
    let mut cuts: Vec<u32> = reservations.iter().flat_map(|r| [r.1, r.2]).collect();
    cuts.extend([0, horizon]);
    cuts.sort_unstable();
    cuts.dedup();
    cuts.windows(2)
        .map(|cut| {
            let mut reserved: Vec<Reserved> = reservations
                .iter()
                .filter(|r| r.1 <= cut[0] && r.2 >= cut[1])
                .map(|r| r.3.clone())
                .collect();
            reserved.sort_by(|a, b| a.rate.total_cmp(&b.rate));
            Segment {
                first: cut[0],
                end: cut[1],
                committed: reserved.iter().map(|r| r.gpus).sum(),
                reserved,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests;
