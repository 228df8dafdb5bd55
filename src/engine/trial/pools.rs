//! A month of a trial in the pools: what limits are left, what clusters and keys cost.

use super::{Player, Workspace, hourly::drift_blocks};
use crate::engine::{
    billing::{MoneyRow, allocate},
    columns::{Layout, LimitPhysical, PoolMoney, PoolPhysical},
    demand::{FeatureDraw, Moment, Month},
    laws::Group,
    plan::PlanPoolKind,
    pools::{LimitMonth, gpu},
    projection::LimitKind,
    requests::{
        minute::{
            joint::{Joint, MOST_FEATURES, MOST_PARTS},
            law::{FeatureLoad, HourShape, MinuteLaw, Sharer},
        },
        moments::dot,
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
            // calls are whole: a grid puts them within a cell of where they are
            for load in &mut ws.planned {
                *load = libm::floor(*load + 0.5);
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
            let laws = &self.laws.features[*f];
            // each hour weighted by its requests
            let busy = if sums.requests > 0.0 {
                sums.squares / (60.0 * sums.requests)
            } else {
                0.0
            };
            sharers.push(Sharer {
                law: &laws.limited[slot].minute,
                load: laws.load(slot, &laws.scales(draw, &sums.moment)),
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
            let terms = |moment: &Moment| {
                let load = laws
                    .load(slot, &laws.scales(draw, moment))
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

    /// The same for few requests of few features, exactly.
    fn plan_few(&self, sharing: &[usize], slot: usize, sharers: &[Sharer], ws: &mut Workspace) {
        if let ([f], [sharer]) = (sharing, sharers)
            && !self.laws.features[*f].limited[slot].by_prefix.is_empty()
        {
            self.plan_few_by_prefix(*f, slot, sharer.busy, ws);
            return;
        }
        let unit = |f: usize| self.laws.features[f].limited[slot].unit;
        let units: Vec<f64> = sharing.iter().map(|f| unit(*f)).collect();
        let load = |f: usize, moment: &Moment| {
            let laws = &self.laws.features[f];
            laws.load(slot, &laws.scales(&ws.draws[f], moment))
        };
        let now = self.few_by_hour(sharing, sharers, &load, ws);
        self.add_few(sharing, slot, (sharers, &units, &now), (0, 1.0), ws);
    }

    /// The same for one feature, between the laws at the two prefixes around its own.
    fn plan_few_by_prefix(&self, f: usize, slot: usize, busy: f64, ws: &mut Workspace) {
        let (Some(sums), draw) = (&ws.sums[f], &ws.draws[f]) else {
            return;
        };
        let laws = &self.laws.features[f];
        let nodes = &laws.limited[slot].by_prefix;
        let scales = laws.scales(draw, &sums.moment);
        // min(P, l I) = l min(P / l, I)
        let prefix = draw.prefix / (draw.input_level * sums.moment.tokens);
        let above = nodes.partition_point(|n| n.prefix <= prefix);
        let low = above.clamp(1, nodes.len() - 1) - 1;
        let (a, b) = (nodes[low].prefix, nodes[low + 1].prefix);
        let part = if b > a {
            ((prefix - a) / (b - a)).clamp(0.0, 1.0)
        } else {
            0.0
        };
        for (node, weight) in [(low, 1.0 - part), (low + 1, part)] {
            let at = &nodes[node];
            let sharer = Sharer {
                law: &at.minute,
                load: laws.load_at(slot, at, &scales),
                busy,
            };
            let place = (1 + node, weight);
            let load = |f: usize, moment: &Moment| {
                laws.load_at(slot, at, &laws.scales(&ws.draws[f], moment))
            };
            let now = self.few_by_hour(&[f], &[sharer], &load, ws);
            self.add_few(&[f], slot, (&[sharer], &[at.unit], &now), place, ws);
        }
    }

    /// Size of a busy minute if all hours were like each hour: mean + 2 deviations. Empty where they differ by drift only.
    fn few_by_hour(
        &self,
        sharing: &[usize],
        sharers: &[Sharer],
        load: &dyn Fn(usize, &Moment) -> FeatureLoad,
        ws: &Workspace,
    ) -> Vec<f64> {
        let Some(on) = sharing.iter().find(|f| ws.hourly[**f].is_on()) else {
            return Vec::new();
        };
        let mut sums = vec![(0.0, 0.0); ws.rates[*on].len()];
        for (f, sharer) in sharing.iter().zip(sharers) {
            let (draw, hourly) = (&ws.draws[*f], &ws.hourly[*f]);
            if !hourly.is_on() {
                let (mean, variance) = sharer.busy_minute(&sharer.load);
                for sum in &mut sums {
                    *sum = (sum.0 + mean, sum.1 + variance);
                }
                continue;
            }
            let [mean, variance] = hourly.surfaces(draw, |m| {
                let (mean, variance) = sharer.busy_minute(&load(*f, m));
                [mean, variance]
            });
            hourly.each(draw, |hour, again, place| {
                sums[hour].0 += again * mean.at(place);
                sums[hour].1 += again * again * variance.at(place);
            });
        }
        let size = |sum: (f64, f64)| sum.0 + 2.0 * libm::sqrt(sum.1.max(0.0));
        sums.into_iter().map(size).collect()
    }

    /// Adds `weight` times the planned minutes of a joint law, the `kind`-th of its features.
    fn add_few(
        &self,
        sharing: &[usize],
        slot: usize,
        (sharers, units, by_hour): (&[Sharer], &[f64], &[f64]),
        (kind, weight): (usize, f64),
        ws: &mut Workspace,
    ) {
        // levels and drift move the sizes: by as much as two deviations above the mean of a busy minute
        let (mut now, mut reference) = ((0.0, 0.0), (0.0, 0.0));
        for (unit, s) in units.iter().zip(sharers) {
            for (sum, load) in [
                (&mut now, s.load),
                (&mut reference, s.law.reference_load(*unit)),
            ] {
                let (mean, variance) = s.busy_minute(&load);
                sum.0 += mean;
                sum.1 += variance;
            }
        }
        let size = |sum: (f64, f64)| sum.0 + 2.0 * libm::sqrt(sum.1);
        if size(reference) <= 0.0 || weight <= 0.0 {
            return;
        }
        let per_size = weight / size(reference);
        let scale = weight * size(now) / size(reference);
        let joint = ws
            .joints
            .entry((slot, kind, sharing.to_vec()))
            .or_insert_with(|| {
                let laws: Vec<(&MinuteLaw, f64)> = sharers
                    .iter()
                    .zip(units)
                    .map(|(s, unit)| (s.law, *unit))
                    .collect();
                Joint::new(&laws)
            });
        let mut rates = [0.0; MOST_FEATURES];
        for (hour, planned) in ws.planned.iter_mut().enumerate() {
            for (rate, f) in rates.iter_mut().zip(sharing) {
                *rate = ws.rates[*f][hour] / 60.0;
            }
            let scale = by_hour.get(hour).map_or(scale, |size| size * per_size);
            *planned += scale * joint.planned(&rates[..sharing.len()]);
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
        let PlanPoolKind::GpuCluster { target_utilisation } = self.plan.pools[pool].kind else {
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
                let hourly = &ws.hourly[f];
                if hourly.is_on() {
                    let [mean, extra] = hourly.surfaces(draw, |m| {
                        let t = laws.flight_terms(draw, m);
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
                    let terms = laws.flight_terms(draw, &moment);
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
            let from = libm::floor((ws.draws[f].launch - first).clamp(0.0, hours)) as usize;
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
            for (hours, work) in self.work_blocks(f, month, &ws.draws[f]) {
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
                self.work_blocks(f, month, &ws.draws[f])
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
        draw: &'b FeatureDraw,
    ) -> impl Iterator<Item = (std::ops::Range<usize>, f64)> + use<'b> {
        let laws = &self.laws.features[f];
        let gpus = self.gpus_per_replica(self.plan.features[f].model as usize);
        drift_blocks(draw, month).map(move |(hours, moment)| {
            let weights = laws.scales(draw, &moment).weights(&laws.work);
            (hours, dot(&weights, &laws.sums.means.mean) * gpus / 3_600.0)
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
