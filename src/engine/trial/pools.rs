//! A month of a trial in the pools: what limits are left, what clusters and keys cost.

use super::{Player, Workspace, hourly::drift_blocks};
use crate::engine::{
    billing::{MoneyRow, allocate},
    columns::{Layout, LimitPhysical, PoolMoney, PoolPhysical},
    demand::{Moment, Month},
    laws::Group,
    plan::PlanPoolKind,
    pools::{LimitMonth, gpu, whole_up},
    projection::LimitKind,
    requests::minute::{
        joint::{MOST_FEATURES, MOST_PARTS},
        law::{HourShape, Sharer},
    },
};

impl Player<'_> {
    /// A month under one limit, of the features that stay.
    pub(super) fn limit_month(
        &self,
        pool: usize,
        limit: usize,
        month: &Month,
        stays: &dyn Fn(usize) -> bool,
        ws: &mut Workspace,
    ) -> LimitMonth {
        let mut out = LimitMonth::default();
        let each = |committed, needed| out.add(committed, needed);
        self.limit_hours(pool, limit, month, stays, ws, each);
        out
    }

    /// What is committed and needed under one limit in each hour of a month, of the features that stay.
    pub(super) fn limit_hours(
        &self,
        pool: usize,
        limit: usize,
        month: &Month,
        stays: &dyn Fn(usize) -> bool,
        ws: &mut Workspace,
        mut each: impl FnMut(f64, f64),
    ) {
        let l = &self.plan.limits[limit];
        if l.kind == LimitKind::Gpus {
            self.needed(pool, month, stays, ws);
            self.cluster_hours(pool, month, &ws.needed, each);
            return;
        }
        let features = &self.plan.pools[pool].features;
        let slot = self.slot(pool, limit);
        let sharing: Vec<usize> = self.sharing(features.iter().map(|f| *f as usize), stays, ws);
        self.plan_minutes(&sharing, slot, month, ws);
        if l.kind == LimitKind::RequestsPerMinute {
            // calls are whole; in continuous laws each fills the cell around it
            for load in &mut ws.planned {
                *load = whole_up(*load - 0.5);
            }
        }
        for load in &ws.planned {
            each(l.amount, *load);
        }
    }

    /// Features that have requests in the month and stay.
    fn sharing(
        &self,
        features: impl Iterator<Item = usize>,
        stays: &dyn Fn(usize) -> bool,
        ws: &Workspace,
    ) -> Vec<usize> {
        features
            .filter(|f| stays(*f) && ws.sums[*f].is_some())
            .collect()
    }

    /// Place of a limit among those of its pool.
    fn slot(&self, pool: usize, limit: usize) -> usize {
        self.plan.pools[pool]
            .limits
            .iter()
            .position(|l| *l as usize == limit)
            .unwrap_or(0)
    }

    /// Plans the minutes of the features that share a limit, hour by hour.
    fn plan_minutes(&self, sharing: &[usize], slot: usize, month: &Month, ws: &mut Workspace) {
        let mut sharers: Vec<Sharer> = Vec::with_capacity(sharing.len());
        for f in sharing {
            let (Some(sums), draw) = (&ws.sums[*f], &ws.draws[*f]) else {
                continue;
            };
            let (laws, node) = (&self.laws.features[*f], self.node(*f, ws));
            // each hour weighted by its requests
            let busy = if sums.requests > 0.0 {
                sums.squares / (60.0 * sums.requests)
            } else {
                0.0
            };
            sharers.push(Sharer {
                law: &node.limited[slot].minute,
                load: node.load(slot, &laws.scales(ws.nodes[*f], draw, &sums.moment)),
                busy,
            });
        }
        self.burst_together(sharing, &mut sharers);
        let parts: f64 = sharers.iter().map(|s| s.busy * s.law.per_request()).sum();
        ws.planned.clear();
        ws.planned.resize(month.hours, 0.0);
        if sharers.is_empty() {
            return;
        }
        if sharing.len() <= MOST_FEATURES && parts < MOST_PARTS {
            self.plan_few(sharing, slot, &sharers, ws);
            return;
        }
        ws.loads.clear(month.hours);
        for (f, sharer) in sharing.iter().zip(&sharers) {
            let (laws, draw) = (&self.laws.features[*f], &ws.draws[*f]);
            let (index, node) = (ws.nodes[*f], self.node(*f, ws));
            let terms = |moment: &Moment| {
                let load = node
                    .load(slot, &laws.scales(index, draw, moment))
                    .with_burst(sharer.load.burst());
                let counting = sharer.busy * sharing.len() as f64;
                sharer.law.terms(&load, 1.0 / 60.0, counting)
            };
            let hourly = &ws.hourly[*f];
            if hourly.is_on() {
                let [mean, calm, bursts] = hourly.surfaces(draw, |m| {
                    let t = terms(m);
                    [t.mean, t.variance.0, t.variance.1]
                });
                let (loads, rates) = (&mut ws.loads, &ws.rates[*f]);
                hourly.each(draw, |hour, again, place| {
                    let r = rates[hour] * again;
                    loads.mean[hour] += r * mean.at(place);
                    loads.variance[hour] += r * (again * calm.at(place) + r * bursts.at(place));
                });
                continue;
            }
            for (hours, moment) in drift_blocks(draw, month) {
                let terms = terms(&moment);
                ws.loads.add(hours.clone(), &ws.rates[*f][hours], &terms);
            }
        }
        let shape = HourShape::new(&sharers);
        let moments = ws.loads.mean.iter().zip(&ws.loads.variance);
        for (planned, (mean, variance)) in ws.planned.iter_mut().zip(moments) {
            *planned = shape.planned(*mean, *variance);
        }
    }

    /// Flows of one feature have their bursts at the same time: (Σ c·m)² in place of Σ (c·m)².
    fn burst_together(&self, sharing: &[usize], sharers: &mut [Sharer]) {
        let entered = self.plan.layout.entered();
        if sharing.iter().all(|f| *f < entered) {
            return;
        }
        let owner = |i: usize| self.plan.features[sharing[i]].rows.first();
        let loads: Vec<f64> = sharers.iter().map(|s| s.busy * s.load.mean()).collect();
        for (i, sharer) in sharers.iter_mut().enumerate() {
            let same = (0..loads.len()).filter(|j| owner(*j) == owner(i));
            let together: f64 = same.map(|j| loads[j]).sum();
            if loads[i] > 0.0 {
                sharer.load = sharer.load.with_burst(together / loads[i]);
            }
        }
    }

    /// Needed GPUs of a cluster in every hour, of the features that stay.
    fn needed(
        &self,
        pool: usize,
        month: &Month,
        stays: &dyn Fn(usize) -> bool,
        ws: &mut Workspace,
    ) {
        let PlanPoolKind::GpuCluster {
            target_utilisation, ..
        } = self.plan.pools[pool].kind
        else {
            return;
        };
        ws.needed.clear();
        ws.needed.resize(month.hours, 0.0);
        for group in &self.laws.groups[pool] {
            let Some(serving) = &self.plan.models[group.model].serving else {
                continue;
            };
            if !self.mark_live(group, month, stays, ws) {
                continue;
            }
            let sharing = self.sharing(group.features.iter().copied(), stays, ws);
            self.plan_minutes(&sharing, 0, month, ws);
            ws.flight.clear(month.hours);
            for f in sharing {
                let (laws, draw) = (&self.laws.features[f], &ws.draws[f]);
                let (node, hourly) = (ws.nodes[f], &ws.hourly[f]);
                if hourly.is_on() {
                    let [mean, extra] = hourly.surfaces(draw, |m| {
                        let t = laws.flight_terms(node, draw, m);
                        [t.mean, t.extra]
                    });
                    let (flight, rates) = (&mut ws.flight, &ws.rates[f]);
                    hourly.each(draw, |hour, again, place| {
                        let (mean, extra) = (mean.at(place), extra.at(place));
                        let terms = gpu::FlightTerms { mean, extra };
                        let rate = [rates[hour] * again];
                        flight.add(hour..hour + 1, &rate, &terms);
                    });
                    continue;
                }
                for (hours, moment) in drift_blocks(draw, month) {
                    let terms = laws.flight_terms(node, draw, &moment);
                    ws.flight.add(hours.clone(), &ws.rates[f][hours], &terms);
                }
            }
            gpu::add_needed(
                serving,
                target_utilisation,
                &ws.planned,
                &ws.flight,
                &ws.live,
                &mut ws.needed,
            );
        }
    }

    /// Marks the hours in which some feature of a group is launched and not retired.
    fn mark_live(
        &self,
        group: &Group,
        month: &Month,
        stays: &dyn Fn(usize) -> bool,
        ws: &mut Workspace,
    ) -> bool {
        ws.live.clear();
        ws.live.resize(month.hours, false);
        let first = f64::from(month.first);
        let mut any = false;
        for f in group.features.iter().copied().filter(|f| stays(*f)) {
            if ws.sums[f].is_none() {
                continue;
            }
            let hours = month.hours as f64;
            let from = f64::floor((ws.draws[f].launch - first).clamp(0.0, hours)) as usize;
            let gone = self.plan.features[f]
                .retire
                .saturating_sub(i64::from(month.first));
            let to = gone.clamp(0, month.hours as i64) as usize;
            for live in ws.live.get_mut(from..to).unwrap_or_default() {
                *live = true;
                any = true;
            }
        }
        any
    }

    /// What a cluster has and needs in each hour of a month.
    fn cluster_hours(
        &self,
        pool: usize,
        month: &Month,
        needed: &[f64],
        mut each: impl FnMut(f64, f64),
    ) {
        let Some(cluster) = self.plan.billing.cluster(pool) else {
            return;
        };
        for segment in &cluster.segments {
            let first = segment.first.saturating_sub(month.first) as usize;
            let end = (segment.end.saturating_sub(month.first) as usize).min(month.hours);
            for needed in needed.get(first..end).unwrap_or_default() {
                each(segment.committed, *needed);
            }
        }
    }

    /// A month of a GPU cluster.
    pub(super) fn cluster(
        &self,
        pool: usize,
        month: &Month,
        ws: &mut Workspace,
        money: &mut MoneyRow,
        physical: &mut [f32],
    ) {
        let layout = &self.plan.layout;
        let everyone = |_: usize| true;
        self.needed(pool, month, &everyone, ws);
        if let Some(limit) = self.plan.pools[pool].limits.first() {
            let mut outcome = LimitMonth::default();
            let each = |committed, needed| outcome.add(committed, needed);
            self.cluster_hours(pool, month, &ws.needed, each);
            write_limit(layout, *limit as usize, month, &outcome, physical);
        }
        let features = &self.plan.pools[pool].features;
        ws.work.clear();
        ws.work.resize(month.hours, 0.0);
        let mut busy = 0.0;
        for f in features.iter().map(|f| *f as usize) {
            busy += ws.totals[f].busy_gpu_hours;
            if ws.sums[f].is_none() {
                continue;
            }
            if ws.hourly[f].is_on() {
                self.own_work(f, month, ws);
                for (sum, x) in ws.work.iter_mut().zip(&ws.own_work) {
                    *sum += x;
                }
                continue;
            }
            for (hours, work) in self.work_blocks(f, month, ws) {
                for (sum, r) in ws.work[hours.clone()].iter_mut().zip(&ws.rates[f][hours]) {
                    *sum += r * work;
                }
            }
        }
        let Some(cluster) = self.plan.billing.cluster(pool) else {
            return;
        };
        ws.cost.clear();
        ws.cost.resize(month.hours, 0.0);
        let outcome = self.plan.billing.cluster_month(
            cluster,
            month.index,
            &ws.needed,
            &ws.work,
            &mut ws.cost,
            money,
        );
        for f in features.iter().map(|f| *f as usize) {
            if ws.sums[f].is_none() {
                continue;
            }
            let share: f64 = if ws.hourly[f].is_on() {
                self.own_work(f, month, ws);
                allocate(&ws.own_work, &ws.cost)
            } else {
                self.work_blocks(f, month, ws)
                    .map(|(hours, work)| {
                        work * allocate(&ws.rates[f][hours.clone()], &ws.cost[hours])
                    })
                    .sum()
            };
            self.add_cost(f, month, share, money);
        }
        for (which, value) in [
            (PoolPhysical::BusyGpuHours, busy),
            (PoolPhysical::NeededGpuHours, ws.needed.iter().sum()),
            (PoolPhysical::BurstGpuHours, outcome.burst_gpu_hours),
        ] {
            physical[layout.pool_physical(pool, which) + month.index] = value as f32;
        }
    }

    /// GPU-hours of work of a feature hour by hour.
    fn own_work(&self, f: usize, month: &Month, ws: &mut Workspace) {
        let gpus = self.gpus_per_replica(self.plan.features[f].model as usize) / 3_600.0;
        let mut row = std::mem::take(&mut ws.own_work);
        row.clear();
        self.each_mean(
            f,
            month,
            &self.laws.features[f].work,
            ws,
            &mut |hour, mean| {
                row.push(ws.rates[f][hour] * mean * gpus);
            },
        );
        ws.own_work = row;
    }

    /// GPU-hours of work per expected request, in blocks of hours.
    fn work_blocks<'b>(
        &'b self,
        f: usize,
        month: &Month,
        ws: &Workspace,
    ) -> impl Iterator<Item = (std::ops::Range<usize>, f64)> + use<'b> {
        let laws = &self.laws.features[f];
        let (draw, index) = (ws.draws[f], ws.nodes[f]);
        let node = &laws.nodes[index];
        let gpus = self.gpus_per_replica(self.plan.features[f].model as usize);
        drift_blocks(&draw, month).map(move |(hours, moment)| {
            let weights = laws.scales(index, &draw, &moment).weights(&laws.work);
            (hours, node.mean(&weights) * gpus / 3_600.0)
        })
    }

    /// A month of a key: its limits and its use at list price.
    pub(super) fn key(
        &self,
        pool: usize,
        month: &Month,
        ws: &mut Workspace,
        money: &mut MoneyRow,
        physical: &mut [f32],
    ) {
        let everyone = |_: usize| true;
        for limit in self.plan.pools[pool].limits.iter().map(|l| *l as usize) {
            let outcome = self.limit_month(pool, limit, month, &everyone, ws);
            write_limit(&self.plan.layout, limit, month, &outcome, physical);
        }
        for f in &self.plan.pools[pool].features {
            let cost = ws.totals[*f as usize].list_cost;
            money.add_pool(pool, PoolMoney::UsageList, month.index, cost);
        }
    }
}

fn write_limit(
    layout: &Layout,
    limit: usize,
    month: &Month,
    outcome: &LimitMonth,
    physical: &mut [f32],
) {
    for (which, value) in [
        (LimitPhysical::Headroom, outcome.headroom),
        (LimitPhysical::Needed, outcome.needed),
        (LimitPhysical::BreachHours, f64::from(outcome.breach_hours)),
    ] {
        physical[layout.limit_physical(limit, which) + month.index] = narrow_down(value);
    }
}

/// The nearest f32 that is not above: a headroom must not seem larger than what is committed.
fn narrow_down(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) > x {
        near.next_down()
    } else {
        near
    }
}
