//! What single requests are like: tokens read and written, what they cost in the week and in its dearest hours, and how
//! much of the money the costliest few take.
//!
//! 65,536 requests (fewer if they make more than 61 calls) at full adoption and the tokens of the start of the horizon, each with the levels, prefix and retries
//! of a trial of its own, so what is uncertain is mixed in as the run draws it, and in an hour of the week of its own, so
//! that hours count as their requests do. Every varying quantity is stratified (each of its 16,384 slices comes four
//! times). Source: docs/model.md, "Single requests".

use serde::{Deserialize, Serialize};

use super::{
    Tokens, attempts, component, gateway::Gateway, levels::level_at, sample::STRATA,
    sample::Stratified, sums::make::Maker,
};
use crate::engine::{
    demand::draw_feature,
    heat::WEEK,
    laws::Laws,
    plan::{Plan, PlanFeature},
    statistics::{mean, quantile, sort_not_negative},
};

/// How often each slice of a quantity is used, and the calls after which it is used no more often.
const ROUNDS: usize = 4;
const CALLS: f64 = 4e6;
/// Trials whose draws are used, at most.
const TRIALS: u32 = 4_096;
/// The percentiles of a [`RequestQuantity`], in permille.
pub const REQUEST_PERMILLE: [u32; 5] = [500, 900, 950, 990, 999];
/// Numbers of a row: mean and percentiles of four quantities, and a share.
const ROW: usize = 4 * (1 + REQUEST_PERMILLE.len()) + 1;

/// Fractions of the golden ratio's and of √2's multiples fill the week, and what is sent wrong, evenly and each on its own.
const HOURS: f64 = 0.618_033_988_749_894_9;
const WRONG: f64 = 0.414_213_562_373_095;

fn part(n: f64, step: f64) -> f64 {
    let place = n * step;
    place - f64::floor(place)
}

/// One quantity of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct RequestQuantity {
    /// Mean.
    pub mean: f64,
    /// p50, p90, p95, p99 and p99.9 over requests.
    pub p: [f64; 5],
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
    /// What a request costs at list price, its triage included; on own GPUs the GPU-seconds that it takes. With one lane on
    /// own GPUs and the other not, GPU time is priced at the on-demand rate.
    pub cost: RequestQuantity,
    /// Share of the spend (on own GPUs: of the work) that the costliest 5 % of requests take; 0 if nothing costs.
    pub costliest_share: f64,
}

/// Requests of the hours of the week in which they cost most.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct DearestHours {
    /// Those hours, from Monday 0 h on the feature's clock.
    pub hours: Vec<u8>,
    /// Share of the week's requests that comes in them.
    pub share: f64,
    /// What these requests are like.
    pub each: RequestSizes,
}

impl RequestSizes {
    /// From a row of numbers; none if it is no such row, or holds what may not be shown.
    #[must_use]
    pub fn read(row: &[f64]) -> Option<Self> {
        let (row, _) = row.as_chunks::<ROW>();
        let row = row.first().filter(|r| r.iter().all(|x| x.is_finite()))?;
        let quantity = |at: usize| RequestQuantity {
            mean: row[at],
            p: std::array::from_fn(|i| row[at + 1 + i]),
        };
        Some(Self {
            read: quantity(0),
            written: quantity(6),
            tools: quantity(12),
            cost: quantity(18),
            costliest_share: row[ROW - 1],
        })
    }
}

impl DearestHours {
    /// Of a feature; none where all hours are alike.
    #[must_use]
    pub fn of(f: &PlanFeature, each: RequestSizes) -> Option<Self> {
        let hours: Vec<u8> = (0u8..)
            .zip(&f.dearest)
            .filter(|x| *x.1 > 0.0)
            .map(|x| x.0)
            .collect();
        let sum = |weights: &[f64]| weights.iter().sum::<f64>();
        (!hours.is_empty()).then(|| Self {
            hours,
            share: sum(&f.dearest) / sum(&f.weights),
            each,
        })
    }
}

/// Rounds of features that are asked about: their requests of the week, of their dearest hours, and of either lane.
pub const WEEK_ROUND: usize = 0;
/// See [`WEEK_ROUND`].
pub const DEAREST_ROUND: usize = 1;
/// See [`WEEK_ROUND`]; the round of the lane for long requests is the next.
pub const LANE_ROUND: usize = 2;

/// Rounds that have something to tell.
#[must_use]
pub fn rounds(plan: &Plan) -> usize {
    let any = |has: &dyn Fn(&PlanFeature) -> bool| plan.features.iter().any(has);
    if plan.layout.lanes > 0 {
        LANE_ROUND + 2
    } else if any(&|f| !f.dearest.is_empty()) {
        DEAREST_ROUND + 1
    } else {
        WEEK_ROUND + 1
    }
}

/// What requests of a feature are like, item after item of a round, round after round. As a row of numbers, see
/// [`RequestSizes::read`]; zeros where there are no such requests.
#[must_use]
pub fn each(plan: &Plan, laws: &Laws, item: usize) -> Vec<f64> {
    let entered = plan.layout.entered();
    let (feature, round) = (item % entered, item / entered);
    let (f, laws) = (&plan.features[feature], &laws.features[feature]);
    let week = if round == DEAREST_ROUND {
        &f.dearest
    } else {
        &f.weights
    };
    if week.is_empty() || (round >= LANE_ROUND && f.flow.is_none()) {
        return vec![0.0; ROW];
    }
    let trials = plan.trials.clamp(1, TRIALS);
    let draws: Vec<_> = (0..trials)
        .map(|t| {
            let flow = f.flow.as_ref();
            let misrouted = flow.map_or([0.0; 2], |flow| flow.misrouted_in(plan, t, f.id));
            (draw_feature(plan, f, t, &mut []), misrouted)
        })
        .collect();
    let sum: f64 = week.iter().sum();
    let law = f.flow.as_ref().map_or(&f.request, |flow| &flow.whole);
    let mut sampler = Stratified::new(law).sampler(EACH);
    let rounds = CALLS / (STRATA as f64 * law.calls.mean().max(1.0));
    let n = STRATA * (rounds as usize).clamp(1, ROUNDS);
    let mut columns = [const { Vec::new() }; 4];
    let mut seen = [0.0; 2]; // short and long requests
    for i in 0..n {
        let request = sampler.request();
        let (mut d, misrouted) = draws[i % draws.len()];
        let in_long_lane = f.flow.as_ref().map_or(0, |flow| {
            let long = usize::from(request.input > flow.threshold);
            seen[long] += 1.0;
            long ^ usize::from(part(seen[long], WRONG) < misrouted[long])
        });
        if round >= LANE_ROUND && round - LANE_ROUND != in_long_lane {
            continue;
        }
        let lane = &f.lanes[in_long_lane];
        let mut left = sum * part(i as f64, HOURS);
        let mut hour = 0;
        while hour + 1 < WEEK && left >= week[hour] {
            left -= week[hour];
            hour += 1;
        }
        let in_hour = |week: &[f64]| week.get(hour).copied().unwrap_or(1.0);
        d.retry = (d.retry * in_hour(&f.retry_factor)).min(1.0);
        d.attempts = attempts(d.retry, f.max_retries);
        let mut x = match Gateway::of(f, &plan.models[lane.model as usize]) {
            None => {
                // the request's own min(P, I) in place of the presampled shape
                let prefix = if d.input_level > 0.0 {
                    d.prefix / d.input_level
                } else {
                    0.0
                };
                let output = sampler.output(request.calls);
                laws.own_scales(&d)
                    .apply(&request.components(prefix, output))
            }
            Some(gateway) => {
                let level = level_at(&[d.input_level, d.output_level, 1.0, d.retry]);
                Maker::cut(d.prefix, gateway, level).make(&mut sampler, &request)
            }
        };
        for cached in &mut x[component::CACHED_INPUT..=component::CACHED_PREFIX] {
            *cached *= in_hour(&f.cached_left);
        }
        let tokens = Tokens::of(&x);
        let values = [
            tokens.uncached_input + tokens.cached_read,
            tokens.output,
            x[component::TOOLS],
            lane.cost.of(&tokens) + lane.triage,
        ];
        for (column, value) in columns.iter_mut().zip(values) {
            column.push(value);
        }
    }
    if columns[0].is_empty() {
        return vec![0.0; ROW];
    }
    let mut row = Vec::with_capacity(ROW);
    for column in &mut columns {
        row.push(mean(column));
        sort_not_negative(column);
        for permille in REQUEST_PERMILLE {
            row.push(quantile(column, permille));
        }
    }
    row.push(costliest(&columns[3]));
    row
}

/// Keeps the sampler apart from those of the presampled sums.
const EACH: u64 = 0x6561_6368;

/// Share of the sum of ascending values that the largest 5 % take; of the request on the edge its part.
fn costliest(cost: &[f64]) -> f64 {
    let edge = cost.len() as f64 / 20.0;
    let whole = edge as usize;
    let (mut top, mut all) = (0.0, 0.0);
    for (i, x) in cost.iter().rev().enumerate() {
        all += x;
        if i < whole {
            top += x;
        } else if i == whole {
            top += x * (edge - whole as f64);
        }
    }
    if all > 0.0 { (top / all).min(1.0) } else { 0.0 }
}
