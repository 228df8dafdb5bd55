//! What a feature's gateway saw.

use super::{Building, Job, Source};
use crate::engine::collector::{Collector, Outline, blank::empty_series};
use crate::engine::columns::FeaturePhysical;
use crate::engine::projection::{CapOutcome, GatewayOutcome, RunawayOutcome, Summary};

/// The jobs of a feature: only what it has.
pub(super) fn jobs(outline: &Outline, feature: usize) -> impl Iterator<Item = Job> {
    use FeaturePhysical as Column;
    let has = outline.gateway(feature);
    [
        (true, Column::PeakRequests),
        (has.tools, Column::ToolCalls),
        (has.tools, Column::PeakToolCalls),
        (has.caps, Column::StoppedRequests),
        (has.caps, Column::CutOffCost),
        (has.soft, Column::SoftenedRequests),
        (has.runaways, Column::Runaways),
        (has.runaways, Column::RunawayTokens),
        (has.runaways, Column::RunawayCost),
        (has.token_cap, Column::CeilingTokensPerMinute),
        (has.memory, Column::CeilingTokensInMemory),
    ]
    .into_iter()
    .filter(|x| x.0)
    .map(move |(_, which)| Job::Gateway(feature, which))
}

/// Before anything is known.
pub fn blank(outline: &Outline, feature: usize) -> GatewayOutcome {
    let has = outline.gateway(feature);
    let series = || empty_series(outline);
    let months = || vec![Summary::default(); outline.months.len()];
    GatewayOutcome {
        tool_calls: has.tools.then(series),
        caps: has.caps.then(|| CapOutcome {
            stopped_requests: series(),
            stopped_share: months(),
            stopped_share_horizon: Summary::default(),
            softened_requests: has.soft.then(series),
            cut_off_cost: series(),
        }),
        runaways: has.runaways.then(|| RunawayOutcome {
            begun: series(),
            tokens: series(),
            list_cost: series(),
        }),
        peak_requests: months(),
        peak_tool_calls: has.tools.then(months),
        ceiling_tokens_per_minute: has.token_cap.then(months),
        ceiling_tokens_in_memory: has.memory.then(months),
    }
}

impl Building {
    pub(super) fn gateway(&mut self, from: &Collector, feature: usize, which: FeaturePhysical) {
        use FeaturePhysical as Column;
        let first = from.outline.layout.feature_physical(feature, which);
        let peak = matches!(
            which,
            Column::PeakRequests
                | Column::PeakToolCalls
                | Column::CeilingTokensPerMinute
                | Column::CeilingTokensInMemory
        );
        if peak {
            // the highest of an hour: months do not add up
            let summaries = (0..from.outline.months.len())
                .map(|month| {
                    self.read_month(from, &[Source::Physical(first)], month);
                    self.summarizer.summary(&self.values)
                })
                .collect();
            let out = &mut self.projection.features[feature].gateway;
            match which {
                Column::PeakToolCalls => out.peak_tool_calls = Some(summaries),
                Column::CeilingTokensPerMinute => out.ceiling_tokens_per_minute = Some(summaries),
                Column::CeilingTokensInMemory => out.ceiling_tokens_in_memory = Some(summaries),
                _ => out.peak_requests = summaries,
            }
            return;
        }
        if which == Column::StoppedRequests {
            self.stopped_share(from, feature);
        }
        let series = self.series(from, &[Source::Physical(first)]);
        let out = &mut self.projection.features[feature].gateway;
        let slot = match (which, &mut out.caps, &mut out.runaways) {
            (Column::StoppedRequests, Some(caps), _) => &mut caps.stopped_requests,
            (Column::CutOffCost, Some(caps), _) => &mut caps.cut_off_cost,
            (Column::SoftenedRequests, Some(caps), _) => {
                caps.softened_requests = Some(series);
                return;
            }
            (Column::Runaways, _, Some(runaways)) => &mut runaways.begun,
            (Column::RunawayTokens, _, Some(runaways)) => &mut runaways.tokens,
            (Column::RunawayCost, _, Some(runaways)) => &mut runaways.list_cost,
            _ => {
                out.tool_calls = Some(series);
                return;
            }
        };
        *slot = series;
    }

    /// Stopped requests over requests, in each trial; 0 without requests.
    fn stopped_share(&mut self, from: &Collector, feature: usize) {
        let layout = &from.outline.layout;
        let of = |which| layout.feature_physical(feature, which);
        let (stopped, all) = (
            of(FeaturePhysical::StoppedRequests),
            of(FeaturePhysical::Requests),
        );
        for sum in &mut self.sums[..2] {
            sum.fill(0.0);
        }
        for month in 0..=from.outline.months.len() {
            if month < from.outline.months.len() {
                let [sum, all_sum, requests] = &mut self.sums;
                requests.fill(0.0);
                from.physical.add_to(all + month, &self.ranges, requests);
                for (s, x) in all_sum.iter_mut().zip(requests.iter()) {
                    *s += x;
                }
                self.values.fill(0.0);
                from.physical
                    .add_to(stopped + month, &self.ranges, &mut self.values);
                for (s, x) in sum.iter_mut().zip(&self.values) {
                    *s += x;
                }
                divide(&mut self.values, requests);
            } else {
                self.values.copy_from_slice(&self.sums[0]);
                divide(&mut self.values, &self.sums[1]);
            }
            let summary = self.summarizer.summary(&self.values);
            if let Some(caps) = &mut self.projection.features[feature].gateway.caps {
                match caps.stopped_share.get_mut(month) {
                    Some(slot) => *slot = summary,
                    None => caps.stopped_share_horizon = summary,
                }
            }
        }
    }
}

fn divide(values: &mut [f64], by: &[f64]) {
    for (x, all) in values.iter_mut().zip(by) {
        *x = if *all > 0.0 { *x / all } else { 0.0 };
    }
}
