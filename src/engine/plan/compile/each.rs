//! What single requests cost: in which unit, in which lane, and in which hours of the week most.

use super::super::{Input, PlanFeature, PlanFlow, PlanLane, PlanModel};
use super::index_of;
use crate::{
    domain::scenario::{Feature, Id, PoolKind, Scenario},
    engine::requests::{Measure, Tokens, attempts},
};

/// So near to the dearest hour's cost an hour is one of the dearest.
const NEAR: f64 = 0.98;

/// Writes into every feature what its requests cost, and when most. Behind the features as entered stand their flows.
pub(super) fn price(scenario: &Scenario, models: &[PlanModel], features: &mut [PlanFeature]) {
    for (at, entered) in scenario.features.iter().enumerate() {
        let lanes = lanes(scenario, entered, models);
        let own = features.iter().filter(|f| f.id == entered.id);
        let parts: Vec<Part<'_>> = own.filter_map(|f| Part::of(f, &lanes)).collect();
        let dearest = hours(&parts);
        features[at].lanes = lanes;
        features[at].dearest = dearest;
    }
}

/// The lanes in which a feature's requests run. If all run on own GPUs they cost GPU-seconds; if only some do, GPU time is
/// priced as capacity without a contract is.
fn lanes(scenario: &Scenario, f: &Feature, models: &[PlanModel]) -> Vec<PlanLane> {
    let own = (f.pool, f.model);
    let long = f.lanes.as_ref().map(|l| (l.pool, l.model));
    let in_gpu_seconds = f.cost_in_gpu_seconds(&scenario.pools);
    let triage = f.lanes.as_ref().filter(|_| !in_gpu_seconds);
    let triage = triage.map_or(0.0, |l| l.triage_cost_per_request);
    let lane = |(pool, model): (Id, Id)| {
        let kind = scenario
            .pools
            .iter()
            .find(|p| p.id == pool)
            .map(|p| &p.kind)?;
        let index = index_of(scenario.models.iter().map(|m| m.id), model);
        let model = models.get(index as usize)?;
        let cost = match kind {
            PoolKind::PayAsYouGo { .. } => Measure::list_cost(model),
            PoolKind::GpuCluster {
                on_demand_rate_per_gpu_hour,
                ..
            } => {
                let gpus = model.serving.map_or(0, |s| s.gpus_per_replica);
                let price = if in_gpu_seconds {
                    1.0
                } else {
                    on_demand_rate_per_gpu_hour / 3600.0
                };
                Measure::replica_seconds(model).times(f64::from(gpus) * price)
            }
        };
        Some(PlanLane {
            model: index,
            cost,
            triage,
        })
    };
    [Some(own), long]
        .into_iter()
        .flatten()
        .filter_map(lane)
        .collect()
}

/// Requests of a feature that run in one lane.
struct Part<'a> {
    f: &'a PlanFeature,
    /// Their share of all.
    share: f64,
    cost: Measure,
}

impl<'a> Part<'a> {
    fn of(f: &'a PlanFeature, lanes: &[PlanLane]) -> Option<Self> {
        let in_long_lane = |flow: &PlanFlow| flow.long != flow.wrong;
        let lane = lanes.get(usize::from(f.flow.as_ref().is_some_and(in_long_lane)))?;
        let share = |flow: &PlanFlow| flow.share(flow.misrouted.each_ref().map(mean));
        Some(Self {
            f,
            share: f.flow.as_ref().map_or(1.0, share),
            cost: lane.cost,
        })
    }
}

/// The weights of the hours in which the mean request costs most, 0 in the others; empty where all hours are alike.
fn hours(parts: &[Part<'_>]) -> Vec<f64> {
    let Some(f) = parts.first().map(|p| p.f) else {
        return Vec::new();
    };
    if f.cached_left.is_empty() && f.retry_factor.is_empty() {
        return Vec::new();
    }
    let cost = |hour: usize| {
        let each = parts.iter();
        each.map(|p| p.share * p.cost.of(&mean_request(p.f, hour)))
            .sum()
    };
    let costs: Vec<f64> = (0..f.weights.len()).map(cost).collect();
    let with_requests = || costs.iter().zip(&f.weights).filter(|x| *x.1 > 0.0);
    let most = with_requests().fold(0.0_f64, |a, x| a.max(*x.0));
    if with_requests().all(|x| *x.0 >= most * (1.0 - 1e-9)) {
        return Vec::new();
    }
    let dear = |(cost, weight): (&f64, &f64)| if *cost >= NEAR * most { *weight } else { 0.0 };
    costs.iter().zip(&f.weights).map(dear).collect()
}

fn mean(input: &Input) -> f64 {
    input.distribution.mean()
}

/// Tokens of a request whose every quantity is its mean, in an hour of the week.
fn mean_request(f: &PlanFeature, hour: usize) -> Tokens {
    let in_hour = |week: &[f64]| week.get(hour).copied().unwrap_or(1.0);
    let law = &f.request;
    let calls = law.calls.mean();
    let input = law.input.mean() * mean(&f.input_level);
    let growth = law.context_growth.mean();
    let read = calls * input + growth * calls * (calls - 1.0) / 2.0;
    let again = mean(&f.prefix).min(input)
        + (calls - 1.0) * input
        + growth * ((calls - 1.0) * (calls - 2.0) / 2.0).max(0.0);
    let cached = (law.cached_share.mean() * in_hour(&f.cached_left) * again).min(read);
    let retry = (mean(&f.retry_probability) * in_hour(&f.retry_factor)).min(1.0);
    Tokens {
        calls,
        uncached_input: read - cached,
        cached_read: cached,
        output: calls * law.output.mean() * mean(&f.output_level),
    }
    .times(attempts(retry, f.max_retries))
}
