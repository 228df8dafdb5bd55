//! Planned minutes of few requests, exactly.

use std::sync::PoisonError;

use super::{JointKind, Player, Workspace};
use crate::engine::{
    demand::Moment,
    laws::{
        JointPart,
        calls::{CallLaws, Counted, MOST_LAWS, Weighed},
    },
    requests::minute::{
        calls::MOST_CALLS,
        joint::{Joint, MOST_FEATURES},
        law::{FeatureLoad, MinuteLaw, Sharer},
    },
};

/// Features that share a limit, their loads and what their laws were made for; sizes of a busy minute by hour.
struct Few<'a> {
    sharing: &'a [usize],
    sharers: &'a [Sharer<'a>],
    references: &'a [FeatureLoad],
    by_hour: &'a [f64],
}

impl Player<'_> {
    /// The same for few requests of few features, exactly.
    pub(super) fn plan_few(
        &self,
        sharing: &[usize],
        slot: usize,
        sharers: &[Sharer],
        ws: &mut Workspace,
    ) {
        if let ([f], [sharer]) = (sharing, sharers)
            && !self.node(*f, ws).limited[slot].by_prefix.is_empty()
        {
            self.plan_few_by_prefix(*f, slot, sharer.busy, ws);
            return;
        }
        let load = |f: usize, moment: &Moment| {
            let laws = &self.laws.features[f];
            let scales = laws.scales(ws.nodes[f], &ws.draws[f], moment);
            self.node(f, ws).load(slot, &scales)
        };
        let by_hour = self.few_by_hour(sharing, sharers, &load, ws);
        let calls: f64 = sharers.iter().map(|s| s.busy * s.load.mean()).sum();
        let laws = |f: &usize| self.node(*f, ws).limited[slot].calls.as_ref();
        if let Some(laws) = sharing.iter().map(laws).collect::<Option<Vec<_>>>()
            && calls < MOST_CALLS
        {
            self.plan_few_calls(&laws, sharing, slot, (sharers, &by_hour), ws);
            return;
        }
        let part = |f: &usize| self.node(*f, ws).limited[slot].part;
        let parts: Vec<JointPart> = sharing.iter().map(part).collect();
        let pairs = sharers.iter().zip(&parts);
        let references: Vec<_> = pairs.map(|(s, p)| s.law.reference_load(p.unit)).collect();
        let few = Few {
            sharing,
            sharers,
            references: &references,
            by_hour: &by_hour,
        };
        let build = || of_sizes(sharers, &parts);
        self.add_few(&few, slot, (JointKind::Sizes, 1.0), (&parts, &build), ws);
    }

    /// The same where calls are counted: whole ones.
    fn plan_few_calls(
        &self,
        laws: &[&CallLaws],
        sharing: &[usize],
        slot: usize,
        (sharers, by_hour): (&[Sharer], &[f64]),
        ws: &mut Workspace,
    ) {
        let mut references = Vec::new();
        let mut weights: Vec<Vec<Weighed>> = Vec::new();
        for ((f, laws), sharer) in sharing.iter().zip(laws).zip(sharers) {
            let Some(sums) = &ws.sums[*f] else {
                return;
            };
            let unit = self.node(*f, ws).limited[slot].part.unit;
            references.push(match laws.beyond(sums.moment.attempts) {
                Some(beyond) => sharer.load.times(1.0 / beyond),
                None => sharer.law.reference_load(unit),
            });
            weights.push(laws.weights(&ws.draws[*f], &sums.moment));
        }
        let few = Few {
            sharing,
            sharers,
            references: &references,
            by_hour,
        };
        // all typical, and what one law of one feature changes
        let typical: Vec<&Counted> = weights.iter().map(|w| w[0].2).collect();
        let mut rest = 1.0;
        for (i, weights) in weights.iter().enumerate() {
            for (number, weight, law) in &weights[1..] {
                rest -= weight;
                let mut laws = typical.clone();
                laws[i] = law;
                let kind = JointKind::Calls(i * MOST_LAWS + number);
                self.add_calls(&few, slot, (kind, *weight), &laws, ws);
            }
        }
        self.add_calls(&few, slot, (JointKind::Calls(0), rest), &typical, ws);
        // as continuous laws have it: a whole number is the middle of a cell
        for planned in &mut ws.planned {
            *planned += 0.5;
        }
    }

    fn add_calls(
        &self,
        few: &Few,
        slot: usize,
        kind: (JointKind, f64),
        laws: &[&Counted],
        ws: &mut Workspace,
    ) {
        let parts: Vec<JointPart> = laws.iter().map(|law| law.part()).collect();
        let build = || Joint::of_calls(laws.iter().map(|law| law.counts()).collect());
        self.add_few(few, slot, kind, (&parts, &build), ws);
    }

    /// The same for one feature, between the laws at the two prefixes around its own.
    fn plan_few_by_prefix(&self, f: usize, slot: usize, busy: f64, ws: &mut Workspace) {
        let (Some(sums), draw) = (&ws.sums[f], &ws.draws[f]) else {
            return;
        };
        let (laws, node) = (&self.laws.features[f], self.node(f, ws));
        let prefixes = &node.limited[slot].by_prefix;
        let scales = laws.scales(ws.nodes[f], draw, &sums.moment);
        // min(P, l I) = l min(P / l, I)
        let prefix = draw.prefix / (draw.input_level * sums.moment.tokens);
        let above = prefixes.partition_point(|n| n.prefix <= prefix);
        let low = above.clamp(1, prefixes.len() - 1) - 1;
        let (a, b) = (prefixes[low].prefix, prefixes[low + 1].prefix);
        let part = if b > a {
            ((prefix - a) / (b - a)).clamp(0.0, 1.0)
        } else {
            0.0
        };
        for (which, weight) in [(low, 1.0 - part), (low + 1, part)] {
            let at = &prefixes[which];
            let sharer = Sharer {
                law: &at.minute,
                load: node.load_at(slot, at, &scales),
                busy,
            };
            let place = (JointKind::AtPrefix(which), weight);
            let load = |f: usize, moment: &Moment| {
                node.load_at(slot, at, &laws.scales(ws.nodes[f], &ws.draws[f], moment))
            };
            let few = Few {
                sharing: &[f],
                sharers: &[sharer],
                references: &[sharer.law.reference_load(at.part.unit)],
                by_hour: &self.few_by_hour(&[f], &[sharer], &load, ws),
            };
            let build = || of_sizes(&[sharer], &[at.part]);
            self.add_few(&few, slot, place, (&[at.part], &build), ws);
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
        let size = |sum: (f64, f64)| sum.0 + 2.0 * f64::sqrt(sum.1.max(0.0));
        sums.into_iter().map(size).collect()
    }

    /// Adds `weight` times the planned minutes of a joint law.
    fn add_few(
        &self,
        few: &Few,
        slot: usize,
        (kind, weight): (JointKind, f64),
        (parts, build): (&[JointPart], &dyn Fn() -> Joint),
        ws: &mut Workspace,
    ) {
        // levels and drift move the sizes: by as much as two deviations above the mean of a busy minute
        let (mut now, mut reference) = ((0.0, 0.0), (0.0, 0.0));
        for (of, s) in few.references.iter().zip(few.sharers) {
            for (sum, load) in [(&mut now, &s.load), (&mut reference, of)] {
                let (mean, variance) = s.busy_minute(load);
                sum.0 += mean;
                sum.1 += variance;
            }
        }
        let size = |sum: (f64, f64)| sum.0 + 2.0 * f64::sqrt(sum.1);
        if size(reference) <= 0.0 || weight == 0.0 {
            return;
        }
        let per_size = weight / size(reference);
        let scale = weight * size(now) / size(reference);
        let nodes = few.sharing.iter().map(|f| (*f, ws.nodes[*f])).collect();
        let joint = ws
            .joints
            .entry((slot, kind, nodes))
            .or_insert_with(|| self.laws.joint(parts, build));
        let mut joint = joint.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rates = [0.0; MOST_FEATURES];
        for (hour, planned) in ws.planned.iter_mut().enumerate() {
            for (rate, f) in rates.iter_mut().zip(few.sharing) {
                *rate = ws.rates[*f][hour] / 60.0;
            }
            let scale = few.by_hour.get(hour).map_or(scale, |size| size * per_size);
            *planned += scale * joint.planned(&rates[..few.sharing.len()]);
        }
    }
}

/// The joint law of sizes.
fn of_sizes(sharers: &[Sharer], parts: &[JointPart]) -> Joint {
    let pairs = sharers.iter().zip(parts);
    let laws: Vec<(&MinuteLaw, f64)> = pairs.map(|(s, part)| (s.law, part.unit)).collect();
    Joint::new(&laws)
}
