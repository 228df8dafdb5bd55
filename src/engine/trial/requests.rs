//! A month of a trial at the gateway: what requests and runaways add up to, and how many are under way at once.

use super::{Player, Totals, Workspace};
use crate::engine::{
    columns::FeaturePhysical,
    demand::{Moment, Month, MonthSums, month_count},
    peak::Peak,
    plan::PlanPoolKind,
    requests::{Measure, Tokens, moments::dot},
    rng::purpose,
    runaway,
};

impl Player<'_> {
    /// What the requests of a month add up to, feature by feature.
    pub(super) fn requests(&self, month: &Month, ws: &mut Workspace, physical: &mut [f32]) {
        ws.totals.clear();
        ws.totals
            .resize(self.plan.features.len(), Totals::default());
        for f in 0..self.plan.features.len() {
            let mut totals = Totals::default();
            let mut count = 0;
            let mut tokens = Tokens::default();
            if let Some(sums) = ws.sums[f] {
                (count, tokens) = self.month_of(f, month, &sums, ws, &mut totals, physical);
            }
            if self.plan.features[f].runaways.is_some() {
                self.runaways(f, month, count, ws, &mut tokens, &mut totals, physical);
            } else if ws.sums[f].is_none() {
                continue;
            }
            ws.totals[f] = totals;
            let mut put = |which, value| self.put(f, which, month, value, physical);
            put(FeaturePhysical::Requests, count as f64);
            put(FeaturePhysical::Calls, tokens.calls);
            put(FeaturePhysical::UncachedInput, tokens.uncached_input);
            put(FeaturePhysical::CachedRead, tokens.cached_read);
            put(FeaturePhysical::Output, tokens.output);
            put(FeaturePhysical::BusyGpuHours, totals.busy_gpu_hours);
        }
    }

    /// Runaways that began before a month and still burn.
    pub(super) fn smoulder(&self, first: usize, ws: &mut Workspace) {
        for index in 0..first {
            let month = self.plan.month(index);
            for f in 0..self.plan.features.len() {
                let feature = &self.plan.features[f];
                if feature.runaways.is_none() {
                    continue;
                }
                self.fill(f, &month, &[], ws);
                let Some(sums) = ws.sums[f] else { continue };
                let count = month_count(self.plan, feature, ws.trial, &month, &sums);
                self.ignite(f, &month, count, ws);
            }
        }
    }

    /// Draws the runaways that begin in a month; how many, and what a request of the feature is made of.
    fn ignite(&self, f: usize, month: &Month, count: u64, ws: &mut Workspace) -> (f64, Tokens) {
        let (feature, laws) = (&self.plan.features[f], &self.laws.features[f]);
        let draw = &ws.draws[f];
        // its tokens are of the kinds that the feature's own are
        let scales = {
            let moment = ws.sums[f].map_or_else(|| Moment::of(draw, 1.0), |s| s.moment);
            laws.scales(ws.nodes[f], draw, &moment)
        };
        let mix = Tokens::of(&scales.apply(&self.node(f, ws).sums.means.mean));
        let stream = self.stream(ws.trial, f, purpose::RUNAWAYS, month);
        let begun = {
            let requests = (count, ws.rates[f].as_slice());
            runaway::begin(
                feature,
                draw,
                &mix,
                month,
                requests,
                stream,
                &mut ws.burns[f],
            )
        };
        (begun, mix)
    }

    /// Requests of a feature in a month with requests.
    fn month_of(
        &self,
        f: usize,
        month: &Month,
        sums: &MonthSums,
        ws: &Workspace,
        totals: &mut Totals,
        physical: &mut [f32],
    ) -> (u64, Tokens) {
        use crate::engine::requests::component::{SOFTENED, STOPPED, TOOLS};
        let (feature, laws) = (&self.plan.features[f], &self.laws.features[f]);
        let count = month_count(self.plan, feature, ws.trial, month, sums);
        let mut stream = self.stream(ws.trial, f, purpose::REQUESTS, month).stream();
        let total = laws.total(&ws.draws[f], &sums.moment, count, &mut stream);
        let tokens = Tokens::of(&total);
        let cost_weights = laws
            .scales(ws.nodes[f], &ws.draws[f], &sums.moment)
            .weights(&laws.list_cost);
        *totals = Totals {
            requests: count as f64,
            list_cost: laws.list_cost.of(&tokens),
            burned_cost: 0.0,
            busy_gpu_hours: self.busy_gpu_hours(f, &tokens),
            mean_cost: dot(&cost_weights, &self.node(f, ws).sums.means.mean),
            cost_weights,
        };
        let mut put = |which, value| self.put(f, which, month, value, physical);
        put(FeaturePhysical::ToolCalls, total[TOOLS]);
        if laws.levels.is_some() {
            put(FeaturePhysical::StoppedRequests, total[STOPPED]);
            put(FeaturePhysical::SoftenedRequests, total[SOFTENED]);
            let cut = Tokens::cut_off(&total);
            put(FeaturePhysical::CutOffCost, self.worth(f, &cut));
        }
        let (busiest, moment) = ws.hourly[f].busiest(&ws.rates[f], sums.moment);
        let peak = Peak::new(laws, &ws.draws[f], &moment, busiest);
        put(FeaturePhysical::PeakRequests, peak.requests);
        put(FeaturePhysical::PeakToolCalls, peak.tool_calls);
        let window = self.plan.models[feature.model as usize].context_window_tokens;
        let ceiling = peak.ceiling(laws, feature.caps.tokens, window, busiest);
        put(
            FeaturePhysical::CeilingTokensPerMinute,
            ceiling.tokens_per_minute,
        );
        put(
            FeaturePhysical::CeilingTokensInMemory,
            ceiling.tokens_in_memory,
        );
        (count, tokens)
    }

    /// Runaway requests of a month: those that begin, and what all burn.
    #[allow(clippy::too_many_arguments)] // what a month of requests adds up to, once more
    fn runaways(
        &self,
        f: usize,
        month: &Month,
        count: u64,
        ws: &mut Workspace,
        tokens: &mut Tokens,
        totals: &mut Totals,
        physical: &mut [f32],
    ) {
        let (begun, mix) = self.ignite(f, month, count, ws);
        let burned = runaway::burned(&ws.burns[f], month);
        if begun == 0.0 && burned <= 0.0 {
            return;
        }
        let all = mix.all();
        let share = if all > 0.0 { burned / all } else { 0.0 };
        let more = mix.times(share);
        tokens.add(&more);
        totals.burned_cost = self.laws.features[f].list_cost.of(&more);
        totals.list_cost += totals.burned_cost;
        totals.busy_gpu_hours += self.busy_gpu_hours(f, &more);
        let mut put = |which, value| self.put(f, which, month, value, physical);
        put(FeaturePhysical::Runaways, begun);
        put(FeaturePhysical::RunawayTokens, burned);
        put(FeaturePhysical::RunawayCost, self.worth(f, &more));
    }

    /// Adds a value to a feature's column, and to that of its lane: of flows what is at once adds up to at most that.
    fn put(
        &self,
        f: usize,
        which: FeaturePhysical,
        month: &Month,
        value: f64,
        physical: &mut [f32],
    ) {
        for row in &self.plan.features[f].rows {
            let at = self.plan.layout.feature_physical(*row as usize, which);
            physical[at + month.index] += value as f32;
        }
    }

    /// GPU-hours of work on a cluster.
    fn busy_gpu_hours(&self, f: usize, tokens: &Tokens) -> f64 {
        let feature = &self.plan.features[f];
        match self.plan.pools[feature.pool as usize].kind {
            PlanPoolKind::GpuCluster { .. } => {
                let work = &self.laws.features[f].work;
                work.of(tokens) * self.gpus_per_replica(feature.model as usize) / 3_600.0
            }
            PlanPoolKind::PayAsYouGo { .. } => 0.0,
        }
    }

    /// What tokens cost at list price; on a cluster their GPU-hours at the on-demand rate.
    fn worth(&self, f: usize, tokens: &Tokens) -> f64 {
        match self.plan.pools[self.plan.features[f].pool as usize].kind {
            PlanPoolKind::GpuCluster { on_demand_rate, .. } => {
                self.busy_gpu_hours(f, tokens) * on_demand_rate
            }
            PlanPoolKind::PayAsYouGo { .. } => {
                let list: &Measure = &self.laws.features[f].list_cost;
                list.of(tokens)
            }
        }
    }
}
