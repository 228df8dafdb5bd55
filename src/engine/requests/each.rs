//! What single requests are like: tokens read and written, and how much of the money the costliest few take.
//!
//! 65,536 requests (fewer if they make more than 61 calls) at full adoption and the tokens of the start of the horizon, each with the levels, prefix and retries
//! of a trial of its own, so what is uncertain is mixed in as the run draws it. Every varying quantity is stratified (each
//! of its 16,384 slices comes four times). Source: docs/model.md, "Single requests".

use serde::{Deserialize, Serialize};

use super::{
    Measure, Tokens, component, gateway::Gateway, levels::level_at, sample::STRATA,
    sample::Sampler, sums::make::Maker,
};
use crate::engine::{
    demand::draw_feature,
    laws::Laws,
    plan::{Plan, PlanPoolKind},
    statistics::{mean, quantile},
};

/// How often each slice of a quantity is used, and the calls after which it is used no more often.
const ROUNDS: usize = 4;
const CALLS: f64 = 4e6;
/// Trials whose draws are used, at most.
const TRIALS: u32 = 4_096;
/// The percentiles of a [`RequestQuantity`], in permille.
pub const REQUEST_PERMILLE: [u32; 4] = [500, 900, 990, 999];

/// One quantity of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct RequestQuantity {
    /// Mean.
    pub mean: f64,
    /// p50, p90, p99 and p99.9 over requests.
    pub p: [f64; 4],
}

/// What a feature's requests are like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct RequestSizes {
    /// Tokens read by all calls of a request, cached or not.
    pub read: RequestQuantity,
    /// Tokens written by all calls.
    pub written: RequestQuantity,
    /// Tool calls.
    pub tools: RequestQuantity,
    /// Share of the spend (on own GPUs: of the work) that the costliest 5 % of requests take; 0 if nothing costs.
    pub costliest_share: f64,
}

impl RequestSizes {
    /// As a row of numbers.
    #[must_use]
    pub fn row(&self) -> Vec<f64> {
        let mut row = Vec::new();
        for q in [&self.read, &self.written, &self.tools] {
            row.push(q.mean);
            row.extend(q.p);
        }
        row.push(self.costliest_share);
        row
    }

    /// From a row of numbers; none if it is no such row, or holds what may not be shown.
    #[must_use]
    pub fn read(row: &[f64]) -> Option<Self> {
        let (row, _) = row.as_chunks::<16>();
        let row = row.first().filter(|r| r.iter().all(|x| x.is_finite()))?;
        let quantity = |at: usize| RequestQuantity {
            mean: row[at],
            p: [row[at + 1], row[at + 2], row[at + 3], row[at + 4]],
        };
        Some(Self {
            read: quantity(0),
            written: quantity(5),
            tools: quantity(10),
            costliest_share: row[15],
        })
    }
}

/// What requests of a feature are like.
#[must_use]
pub fn each(plan: &Plan, laws: &Laws, feature: usize) -> RequestSizes {
    let (f, laws) = (&plan.features[feature], &laws.features[feature]);
    let measure = match plan.pools[f.pool as usize].kind {
        PlanPoolKind::PayAsYouGo { .. } => laws.list_cost,
        PlanPoolKind::GpuCluster { .. } => laws.work,
    };
    let trials = plan.trials.clamp(1, TRIALS);
    let draws = (0..trials).map(|t| draw_feature(plan, f, t, &mut []));
    let scales: Vec<_> = draws
        .map(|d| {
            let prefix = if d.input_level > 0.0 {
                d.prefix / d.input_level
            } else {
                0.0
            };
            // the request's own min(P, I) in place of the presampled shape
            (prefix, laws.own_scales(&d), d)
        })
        .collect();
    let law = f.flow.as_ref().map_or(&f.request, |flow| &flow.whole);
    let mut sampler = Sampler::of(law, EACH);
    let rounds = CALLS / (STRATA as f64 * law.calls.mean().max(1.0));
    let n = STRATA * (rounds as usize).clamp(1, ROUNDS);
    let gateway = Gateway::of(f, &plan.models[f.model as usize]);
    let mut maker = gateway.map(|g| Maker::cut(0.0, g, level_at(&[1.0, 1.0, 1.0, 0.0])));
    let [mut read, mut written, mut tools, mut cost] = [const { Vec::new() }; 4];
    for column in [&mut read, &mut written, &mut tools, &mut cost] {
        column.reserve(n);
    }
    for i in 0..n {
        let request = sampler.request();
        let (prefix, scales, d) = &scales[i % scales.len()];
        let x = match &mut maker {
            None => {
                let output = sampler.output(request.calls);
                scales.apply(&request.components(*prefix, output))
            }
            Some(maker) => {
                maker.set(
                    d.prefix,
                    level_at(&[d.input_level, d.output_level, 1.0, d.retry]),
                );
                maker.make(&mut sampler, &request)
            }
        };
        let tokens = Tokens::of(&x);
        tools.push(x[component::TOOLS]);
        read.push(tokens.uncached_input + tokens.cached_read);
        written.push(tokens.output);
        cost.push(Measure::of(&measure, &tokens));
    }
    RequestSizes {
        read: quantity(&mut read),
        written: quantity(&mut written),
        tools: quantity(&mut tools),
        costliest_share: costliest(&mut cost),
    }
}

/// Keeps the sampler apart from those of the presampled sums.
const EACH: u64 = 0x6561_6368;

fn quantity(values: &mut [f64]) -> RequestQuantity {
    let mean = mean(values);
    values.sort_unstable_by(f64::total_cmp);
    RequestQuantity {
        mean,
        p: REQUEST_PERMILLE.map(|permille| quantile(values, permille)),
    }
}

/// Share of the sum that the largest 5 % take; of the request on the edge its part.
fn costliest(cost: &mut [f64]) -> f64 {
    cost.sort_unstable_by(|a, b| b.total_cmp(a));
    let edge = cost.len() as f64 / 20.0;
    let whole = edge as usize;
    let top: f64 = cost[..whole].iter().sum();
    let part = cost.get(whole).map_or(0.0, |x| x * (edge - whole as f64));
    let all: f64 = cost.iter().sum();
    if all > 0.0 {
        ((top + part) / all).min(1.0)
    } else {
        0.0
    }
}
