//! The hours of the week in which a request costs most.

use super::super::{PlanFeature, PlanModel};
use crate::{
    domain::scenario::PoolKind,
    engine::requests::{Measure, Tokens, attempts},
};

/// So near to the dearest hour's cost an hour is one of the dearest.
const NEAR: f64 = 0.98;

/// The weights of the hours in which the mean request costs most, 0 in the others; empty where all hours are alike.
pub(super) fn hours(f: &PlanFeature, pool: &PoolKind, model: &PlanModel) -> Vec<f64> {
    if f.cached_left.is_empty() && f.retry_factor.is_empty() {
        return Vec::new();
    }
    let measure = match pool {
        PoolKind::PayAsYouGo { .. } => Measure::list_cost(model),
        PoolKind::GpuCluster { .. } => Measure::replica_seconds(model),
    };
    let costs: Vec<f64> = (0..f.weights.len())
        .map(|hour| measure.of(&mean_request(f, hour)))
        .collect();
    let with_requests = || costs.iter().zip(&f.weights).filter(|x| *x.1 > 0.0);
    let most = with_requests().fold(0.0_f64, |a, x| a.max(*x.0));
    if with_requests().all(|x| *x.0 >= most * (1.0 - 1e-9)) {
        return Vec::new();
    }
    let dear = |(cost, weight): (&f64, &f64)| if *cost >= NEAR * most { *weight } else { 0.0 };
    costs.iter().zip(&f.weights).map(dear).collect()
}

/// Tokens of a request whose every quantity is its mean, in an hour of the week.
fn mean_request(f: &PlanFeature, hour: usize) -> Tokens {
    let in_hour = |week: &[f64]| week.get(hour).copied().unwrap_or(1.0);
    let mean = |input: &super::Input| input.distribution.mean();
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
