//! Building a feature's laws, from the cache where an edit did not change them.

use std::sync::Arc;

use super::{
    Cache, FeatureLaws, JointPart, Limited, NodeLaws, PrefixLaw, calls::CallLaws, key,
    with_own_prefix,
};
use crate::engine::{
    demand::{Moment, count::hour_variance, hours_of_week, noise::HourNoise, profile},
    plan::{Plan, PlanFeature, PlanModel, PlanPoolKind},
    projection::LimitKind,
    requests::{
        Components, Measure, Scales, component,
        gateway::{Gateway, Level},
        hour_cost::HourCost,
        levels::{Levels, Range},
        minute::{Parts, Timing, law::MinuteLaw},
        moments::dot,
        sample::Stratified,
        sums::{RequestSums, singles},
    },
};

/// Where the prefixes of [`Limited::by_prefix`] stand in the distribution of the prefix.
const PREFIXES: [f64; 5] = [0.02, 0.2, 0.5, 0.8, 0.98];

/// Requests of one kind: all of a feature, or those under caps at one level.
struct Requests {
    key: u64,
    parts_key: u64,
    sums: Arc<RequestSums>,
    parts: Arc<Parts>,
    typical: Scales,
    cut: Option<(Gateway, Level)>,
}

pub fn feature(plan: &Plan, f: &PlanFeature, cache: &mut Cache) -> FeatureLaws {
    let model = &plan.models[f.model as usize];
    let timing = Timing {
        ttft_seconds: model.ttft_seconds,
        tokens_per_second: model.sequence_tokens_per_second,
        retry_probability: f.retry_probability.distribution.mean(),
        max_retries: f.max_retries,
    };
    let law = Stratified::new(&f.request);
    let (levels, requests) = match Gateway::of(f, model) {
        None => (None, vec![linear(f, &law, &timing, cache)]),
        Some(gateway) => {
            let (levels, requests) = cut(plan, f, &law, gateway, cache);
            (Some(levels), requests)
        }
    };
    FeatureLaws {
        nodes: requests
            .iter()
            .map(|r| node(plan, f, (&law, r), &timing, cache))
            .collect(),
        levels,
        hour_of_week: if f.cached_left.is_empty() && f.retry_factor.is_empty() {
            Vec::new()
        } else {
            hours_of_week(f, plan.hours())
        },
        profile: profile(f, plan.hours()),
        noise: HourNoise::new(&cache.normals, f.noise.hour_cv, f.noise.hour_persistence),
        work: Measure::replica_seconds(model),
        list_cost: Measure::list_cost(model),
        call_seconds: (model.ttft_seconds, 1.0 / model.sequence_tokens_per_second),
        mean_output: f.request.output.mean(),
        tools: {
            let tools = f.request.tools.mean();
            (tools, tools * f.request.tool_seconds.mean())
        },
        typical_prefix: f.request.typical_prefix,
        max_retries: f.max_retries,
        burst: (
            f.noise.burstiness * f.noise.burstiness,
            f.noise.burst_persistence,
        ),
    }
}

/// Requests without caps.
fn linear(f: &PlanFeature, law: &Stratified, timing: &Timing, cache: &mut Cache) -> Requests {
    let run = cache.run;
    let sums = cache
        .sums
        .get(run, f.request_key, || RequestSums::build(law));
    let typical = sums.means.scales(
        f.prefix.distribution.mean(),
        f.input_level.distribution.mean(),
        f.output_level.distribution.mean(),
        &Moment {
            tokens: 1.0,
            attempts: 1.0,
            cached: typical_cached(f),
        },
    );
    let parts_key = key(&[
        f.request_key,
        timing.ttft_seconds.to_bits(),
        timing.tokens_per_second.to_bits(),
        timing.retry_probability.to_bits(),
        u64::from(timing.max_retries),
    ]);
    let parts = cache.parts.get(run, parts_key, || Parts::new(law, timing));
    Requests {
        key: f.request_key,
        parts_key,
        sums,
        parts,
        typical,
        cut: None,
    }
}

/// Requests under caps, at some levels.
fn cut(
    plan: &Plan,
    f: &PlanFeature,
    law: &Stratified,
    gateway: Gateway,
    cache: &mut Cache,
) -> (Arc<Levels>, Vec<Requests>) {
    let run = cache.run;
    let ranges = [
        Range::of(&f.input_level.distribution),
        Range::of(&f.output_level.distribution),
        tokens(f, plan.months.len()),
        Range::of(&f.retry_probability.distribution).times(&f.retry_factor),
    ];
    let mut words = vec![
        f.request_key,
        f.caps_key,
        gateway.ttft_seconds.to_bits(),
        gateway.tokens_per_second.to_bits(),
        u64::from(gateway.max_retries),
    ];
    words.extend(
        ranges
            .iter()
            .flat_map(|r| [r.low.to_bits(), r.high.to_bits()]),
    );
    let levels_key = key(&words);
    let levels = cache
        .levels
        .get(run, levels_key, || Levels::new(law, &gateway, &ranges));
    let mut typical = Scales {
        factor: [1.0; component::COUNT],
    };
    let left = typical_cached(f);
    typical.factor[component::CACHED_INPUT] = left;
    typical.factor[component::CACHED_PREFIX] = left;
    let requests = (0..)
        .zip(&levels.tables)
        .map(|(table, (level, point))| {
            let table_key = key(&[levels_key, table]);
            let sums = cache.sums.get(run, table_key, || {
                RequestSums::cut(law, gateway, *level, point.mean)
            });
            let parts = cache
                .parts
                .get(run, table_key, || Parts::cut(law, gateway, *level));
            Requests {
                key: table_key,
                parts_key: table_key,
                sums,
                parts,
                typical,
                cut: Some((gateway, *level)),
            }
        })
        .collect();
    (levels, requests)
}

/// Drift over the horizon, and growth under load.
pub fn tokens(f: &PlanFeature, months: usize) -> Range {
    let rates = Range::of(&f.drift.distribution);
    let at_end = |rate: f64| libm::pow(1.0 + rate, months as f64);
    let under_load = 1.0 + Range::of(&f.load_sensitivity.distribution).high;
    let high = at_end(rates.high).max(1.0) * under_load;
    Range::between(at_end(rates.low).min(1.0), high)
}

fn node(
    plan: &Plan,
    f: &PlanFeature,
    (law, requests): (&Stratified, &Requests),
    timing: &Timing,
    cache: &mut Cache,
) -> NodeLaws {
    let run = cache.run;
    let model = &plan.models[f.model as usize];
    let pool = &plan.pools[f.pool as usize];
    let noise = &f.noise;
    let typical = requests.typical;
    let mut laws = NodeLaws {
        sums: Arc::clone(&requests.sums),
        limited: Vec::new(),
        hour_cost: None,
        call_rate_variance: noise.burstiness
            * noise.burstiness
            * requests
                .parts
                .burst_left(&typical.weights(&Measure::CALLS), noise.burst_persistence),
        typical,
    };
    for limit in &pool.limits {
        let measure = measure(plan.limits[*limit as usize].kind, &pool.kind, model);
        let weights = typical.weights(&measure);
        let unit = laws.mean(&weights);
        let weights = normal(weights, &laws.sums.means.mean);
        let minute_key = key(&[
            requests.parts_key,
            noise.burstiness.to_bits(),
            noise.burst_persistence.to_bits(),
            digest(&weights),
        ]);
        let compound = &cache.compound;
        let minute = cache.minutes.get(run, minute_key, || {
            MinuteLaw::new(
                &requests.parts,
                &weights,
                noise.burstiness,
                noise.burst_persistence,
                compound,
            )
        });
        let by_prefix = if requests.cut.is_none() {
            by_prefix(&laws, f, (law, timing), &measure, requests.parts_key, cache)
        } else {
            Vec::new()
        };
        let calls =
            (plan.limits[*limit as usize].kind == LimitKind::RequestsPerMinute).then(|| {
                if requests.cut.is_some() {
                    CallLaws::cut(&requests.parts, f, requests.parts_key, cache)
                } else {
                    CallLaws::linear(f, law, timing, plan.months.len(), cache)
                }
            });
        laws.limited.push(Limited {
            measure,
            minute,
            part: JointPart {
                law: minute_key,
                unit,
            },
            by_prefix,
            calls,
        });
    }
    let by_use = matches!(pool.kind, PlanPoolKind::PayAsYouGo { .. });
    if by_use && !plan.billing.spend.is_empty() {
        laws.hour_cost = Some(hour_cost(&laws, f, model, (law, requests), cache));
    }
    laws
}

/// Laws at several prefixes; none where the prefix is certain or does not count.
fn by_prefix(
    laws: &NodeLaws,
    f: &PlanFeature,
    (law, timing): (&Stratified, &Timing),
    measure: &Measure,
    parts_key: u64,
    cache: &mut Cache,
) -> Vec<PrefixLaw> {
    let weights = with_own_prefix(laws.typical).weights(measure);
    if f.prefix.fixed.is_some() || weights[component::CACHED_PREFIX] == 0.0 {
        return Vec::new();
    }
    let at = |probability: f64| {
        let prefix = f.prefix.distribution.quantile(probability);
        let cached = laws.sums.means.cached_prefix(prefix);
        let mut mean = laws.sums.means.mean;
        mean[component::CACHED_PREFIX] = cached;
        let normal = normal(weights, &mean);
        let noise = &f.noise;
        let minute_key = key(&[
            parts_key,
            prefix.to_bits(),
            noise.burstiness.to_bits(),
            noise.burst_persistence.to_bits(),
            digest(&normal),
        ]);
        let minute = cache.minutes.get(cache.run, minute_key, || {
            let parts = Parts::with_prefix(law, prefix, timing);
            MinuteLaw::without_curves(&parts, &normal, noise.burstiness, noise.burst_persistence)
        });
        PrefixLaw {
            prefix,
            minute,
            part: JointPart {
                law: minute_key,
                unit: dot(&weights, &mean),
            },
            cached,
        }
    };
    PREFIXES.map(at).into()
}

fn hour_cost(
    laws: &NodeLaws,
    f: &PlanFeature,
    model: &PlanModel,
    (law, requests): (&Stratified, &Requests),
    cache: &mut Cache,
) -> Arc<HourCost> {
    let weights = laws.typical.weights(&Measure::list_cost(model));
    let weights = normal(weights, &laws.sums.means.mean);
    let rate_variance =
        f.noise.burstiness * f.noise.burstiness * hour_variance(f.noise.burst_persistence);
    let hour_key = key(&[requests.key, rate_variance.to_bits(), digest(&weights)]);
    let compound = Arc::clone(&cache.compound);
    cache.hour_costs.get(cache.run, hour_key, || {
        let sample = singles(law, requests.cut);
        HourCost::new(&sample, &weights, rate_variance, compound)
    })
}

/// Mean of a factor over a week's requests; 1 where there is none.
pub fn mean_of_week(factor: &[f64], weights: &[f64]) -> f64 {
    let sum: f64 = factor.iter().zip(weights).map(|(x, w)| x * w).sum();
    if factor.is_empty() {
        1.0
    } else {
        sum / weights.len() as f64
    }
}

/// What is left of the cached share in a mean request.
fn typical_cached(f: &PlanFeature) -> f64 {
    mean_of_week(&f.cached_left, &f.weights)
}

/// What a limit counts.
fn measure(limit: LimitKind, pool: &PlanPoolKind, model: &PlanModel) -> Measure {
    match (limit, pool) {
        (LimitKind::Gpus, _) => Measure::replica_seconds(model),
        (LimitKind::RequestsPerMinute, _) => Measure::CALLS,
        (LimitKind::TokensPerMinute, PlanPoolKind::PayAsYouGo { cached_reads_count }) => {
            Measure::limited_tokens(*cached_reads_count)
        }
        (LimitKind::TokensPerMinute, PlanPoolKind::GpuCluster { .. }) => {
            Measure::limited_tokens(false)
        }
    }
}

/// Weights with which a mean request measures 1: prices and speeds that change together rebuild nothing.
fn normal(weights: Components, mean: &Components) -> Components {
    let total = dot(&weights, mean);
    if total > 0.0 {
        weights.map(|w| w / total)
    } else {
        weights
    }
}

fn digest(weights: &Components) -> u64 {
    key(&weights.map(f64::to_bits))
}
