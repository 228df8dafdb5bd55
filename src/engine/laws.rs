//! What a run needs to know of each feature besides its draws: presampled sums, laws of minutes and hours, weekly rows.
//! Built once per plan; what an edit did not change comes from the [`Cache`].

use std::{collections::BTreeMap, sync::Arc};

use super::{
    demand::{
        FeatureDraw, Moment,
        count::hour_variance,
        hours_of_week,
        noise::{HourNoise, NormalTable},
        profile,
    },
    plan::{Plan, PlanFeature, PlanModel, PlanPoolKind, RequestLaw},
    pools::gpu::FlightTerms,
    projection::LimitKind,
    requests::{
        Components, Measure, Scales, component,
        compound::Compound,
        hour_cost::HourCost,
        minute::{
            Parts, Timing,
            law::{FeatureLoad, MinuteLaw},
        },
        moments::dot,
        sums::RequestSums,
    },
};

/// Runs for which something unused is kept: an undo finds it again.
const KEPT_RUNS: u32 = 3;

/// Tables by a digest of all that they depend on.
#[derive(Debug)]
struct Shelf<T>(BTreeMap<u64, (u32, Arc<T>)>);

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T> Shelf<T> {
    fn get(&mut self, run: u32, key: u64, build: impl FnOnce() -> T) -> Arc<T> {
        let entry = self
            .0
            .entry(key)
            .or_insert_with(|| (run, Arc::new(build())));
        entry.0 = run;
        Arc::clone(&entry.1)
    }

    fn forget(&mut self, run: u32) {
        self.0.retain(|_, entry| entry.0 + KEPT_RUNS >= run);
    }
}

/// Tables that outlive a run: an edit of dates, prices or sizes rebuilds nothing.
#[derive(Debug, Default)]
pub struct Cache {
    run: u32,
    sums: Shelf<RequestSums>,
    parts: Shelf<Parts>,
    minutes: Shelf<MinuteLaw>,
    hour_costs: Shelf<HourCost>,
    normals: Arc<NormalTable>,
    compound: Compound,
}

impl Cache {
    /// Tables that are on the shelves, for tests and memory figures.
    #[must_use]
    pub fn tables(&self) -> usize {
        self.sums.0.len() + self.parts.0.len() + self.minutes.0.len() + self.hour_costs.0.len()
    }
}

/// Digest of words.
fn key(words: &[u64]) -> u64 {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    xxhash_rust::xxh3::xxh3_64(&bytes)
}

/// A feature's laws.
#[derive(Clone, Debug)]
pub struct FeatureLaws {
    /// Sums of its requests.
    pub sums: Arc<RequestSums>,
    /// Weight of every hour of the horizon.
    pub profile: Vec<f64>,
    /// Hour of week at the feature's clock, by hour of the horizon; empty where nothing asks for it.
    pub hour_of_week: Vec<u8>,
    /// Hour noise; none if there is none.
    pub noise: Option<HourNoise>,
    /// What each limit of its pool counts, in the order of the pool's limits.
    pub limited: Vec<Limited>,
    /// Work in replica-seconds.
    pub work: Measure,
    /// Cost at list price.
    pub list_cost: Measure,
    /// Cost of single hours; only where contracts look at them.
    pub hour_cost: Option<Arc<HourCost>>,
    /// Squared coefficient of variation of a minute's calls.
    pub call_rate_variance: f64,
    /// Seconds of a call that writes nothing, and per written token.
    call_seconds: (f64, f64),
    mean_output: f64,
    persistence: f64,
    typical: Scales,
}

/// What one limit counts of a feature.
#[derive(Clone, Debug)]
pub struct Limited {
    /// The measure.
    pub measure: Measure,
    /// Its mean per request at the mean of all inputs.
    pub unit: f64,
    /// The law of one minute of it.
    pub minute: Arc<MinuteLaw>,
    /// The same at prefixes from small to large, where the prefix is uncertain and moves it: with few requests not only
    /// the mean but the shape of what is cached counts.
    pub by_prefix: Vec<PrefixLaw>,
}

/// The law of one minute at one prefix.
#[derive(Clone, Debug)]
pub struct PrefixLaw {
    /// Prefix tokens at level 1.
    pub prefix: f64,
    /// Mean of the measure per request.
    pub unit: f64,
    /// The law.
    pub minute: Arc<MinuteLaw>,
    /// Mean cached reads of the prefix.
    cached: f64,
}

/// Where the prefixes of [`Limited::by_prefix`] stand in the distribution of the prefix.
const PREFIXES: [f64; 5] = [0.02, 0.2, 0.5, 0.8, 0.98];

impl FeatureLaws {
    /// How components count at a moment.
    #[must_use]
    pub fn scales(&self, draw: &FeatureDraw, moment: &Moment) -> Scales {
        self.sums
            .means
            .scales(draw.prefix, draw.input_level, draw.output_level, moment)
    }

    /// The same at the start of the horizon, for requests whose cached reads of the prefix were made with the prefix at
    /// hand.
    #[must_use]
    pub fn own_scales(&self, draw: &FeatureDraw) -> Scales {
        with_own_prefix(self.scales(draw, &Moment::of(draw, 1.0)))
    }

    /// One minute's load under a limit.
    #[must_use]
    pub fn load(&self, limit: usize, scales: &Scales) -> FeatureLoad {
        let limited = &self.limited[limit];
        let weights = scales.weights(&limited.measure);
        let mean = dot(&weights, &self.sums.means.mean);
        limited.minute.load(&weights, mean)
    }

    /// The same by the law at one prefix.
    #[must_use]
    pub fn load_at(&self, limit: usize, at: &PrefixLaw, scales: &Scales) -> FeatureLoad {
        let weights = with_own_prefix(*scales).weights(&self.limited[limit].measure);
        let mut mean = self.sums.means.mean;
        mean[component::CACHED_PREFIX] = at.cached;
        at.minute.load(&weights, dot(&weights, &mean))
    }

    /// Calls in flight, from the rate per hour.
    #[must_use]
    pub fn flight_terms(&self, draw: &FeatureDraw, moment: &Moment) -> FlightTerms {
        let output = self.mean_output * draw.output_level * moment.tokens;
        let seconds = self.call_seconds.0 + self.call_seconds.1 * output;
        let calls = self.sums.means.mean[component::CALLS] * moment.attempts;
        FlightTerms::new(calls, seconds, self.call_rate_variance, self.persistence)
    }
}

/// Features of a cluster that share a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Index of the model.
    pub model: usize,
    /// Indices of the features, in entry order.
    pub features: Vec<usize>,
}

/// Everything that a run looks up.
#[derive(Clone, Debug)]
pub struct Laws {
    /// In entry order.
    pub features: Vec<FeatureLaws>,
    /// Per pool: features of a cluster by model; empty for a key.
    pub groups: Vec<Vec<Group>>,
    /// Per pool: whether requests of some feature differ from hour to hour by more than drift.
    pub by_hour: Vec<bool>,
    /// Normals of hourly noise.
    pub normals: Arc<NormalTable>,
}

impl Laws {
    /// For a plan, from the cache where possible.
    #[must_use]
    pub fn new(plan: &Plan, cache: &mut Cache) -> Self {
        cache.run += 1;
        let features = plan
            .features
            .iter()
            .map(|f| feature(plan, f, cache))
            .collect();
        let run = cache.run;
        cache.sums.forget(run);
        cache.parts.forget(run);
        cache.minutes.forget(run);
        cache.hour_costs.forget(run);
        Self {
            features,
            groups: plan.pools.iter().map(|p| groups(plan, p)).collect(),
            by_hour: plan
                .pools
                .iter()
                .map(|p| {
                    p.features
                        .iter()
                        .any(|f| plan.features[*f as usize].by_hour())
                })
                .collect(),
            normals: Arc::clone(&cache.normals),
        }
    }
}

fn groups(plan: &Plan, pool: &super::plan::PlanPool) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    if !matches!(pool.kind, PlanPoolKind::GpuCluster { .. }) {
        return groups;
    }
    for f in pool.features.iter().map(|f| *f as usize) {
        let model = plan.features[f].model as usize;
        match groups.iter_mut().find(|g| g.model == model) {
            Some(group) => group.features.push(f),
            None => groups.push(Group {
                model,
                features: vec![f],
            }),
        }
    }
    groups
}

fn feature(plan: &Plan, f: &PlanFeature, cache: &mut Cache) -> FeatureLaws {
    let run = cache.run;
    let model = &plan.models[f.model as usize];
    let pool = &plan.pools[f.pool as usize];
    let sums = cache
        .sums
        .get(run, f.request_key, || RequestSums::build(&f.request));
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
    let timing = Timing {
        ttft_seconds: model.ttft_seconds,
        tokens_per_second: model.sequence_tokens_per_second,
        retry_probability: f.retry_probability.distribution.mean(),
        max_retries: f.max_retries,
    };
    let parts_key = key(&[
        f.request_key,
        timing.ttft_seconds.to_bits(),
        timing.tokens_per_second.to_bits(),
        timing.retry_probability.to_bits(),
        u64::from(timing.max_retries),
    ]);
    let parts = cache
        .parts
        .get(run, parts_key, || Parts::new(&f.request, &timing));
    let mut laws = FeatureLaws {
        hour_of_week: if f.cached_left.is_empty() && f.retry_factor.is_empty() {
            Vec::new()
        } else {
            hours_of_week(f, plan.hours())
        },
        profile: profile(f, plan.hours()),
        noise: HourNoise::new(&cache.normals, f.noise.hour_cv, f.noise.hour_persistence),
        limited: Vec::new(),
        work: Measure::replica_seconds(model),
        list_cost: Measure::list_cost(model),
        hour_cost: None,
        call_rate_variance: f.noise.burstiness
            * f.noise.burstiness
            * parts.burst_left(&typical.weights(&Measure::CALLS), f.noise.burst_persistence),
        call_seconds: (model.ttft_seconds, 1.0 / model.sequence_tokens_per_second),
        mean_output: f.request.output.mean(),
        persistence: f.noise.burst_persistence,
        typical,
        sums,
    };
    for limit in &pool.limits {
        let measure = measure(plan.limits[*limit as usize].kind, &pool.kind, model);
        let weights = laws.typical.weights(&measure);
        let unit = dot(&weights, &laws.sums.means.mean);
        let weights = normal(weights, &laws.sums.means.mean);
        let minute_key = key(&[
            parts_key,
            f.noise.burstiness.to_bits(),
            f.noise.burst_persistence.to_bits(),
            digest(&weights),
        ]);
        let compound = &cache.compound;
        let minute = cache.minutes.get(run, minute_key, || {
            MinuteLaw::new(
                &parts,
                &weights,
                f.noise.burstiness,
                f.noise.burst_persistence,
                compound,
            )
        });
        let by_prefix = by_prefix(&laws, f, &timing, &measure, parts_key, cache);
        laws.limited.push(Limited {
            measure,
            unit,
            minute,
            by_prefix,
        });
    }
    let by_use = matches!(pool.kind, PlanPoolKind::PayAsYouGo { .. });
    if by_use && !plan.billing.spend.is_empty() {
        laws.hour_cost = Some(hour_cost(&laws, f, cache));
    }
    laws
}

/// Scales for requests whose cached reads of the prefix were made with the prefix at hand: they scale as the input does.
fn with_own_prefix(mut scales: Scales) -> Scales {
    scales.factor[component::CACHED_PREFIX] = scales.factor[component::INPUT];
    scales
}

/// Laws at several prefixes; none where the prefix is certain or does not count.
fn by_prefix(
    laws: &FeatureLaws,
    f: &PlanFeature,
    timing: &Timing,
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
            let law = RequestLaw {
                typical_prefix: prefix,
                ..f.request.clone()
            };
            let parts = Parts::new(&law, timing);
            MinuteLaw::without_curves(&parts, &normal, noise.burstiness, noise.burst_persistence)
        });
        PrefixLaw {
            prefix,
            unit: dot(&weights, &mean),
            minute,
            cached,
        }
    };
    PREFIXES.map(at).into()
}

fn hour_cost(laws: &FeatureLaws, f: &PlanFeature, cache: &mut Cache) -> Arc<HourCost> {
    let weights = normal(laws.typical.weights(&laws.list_cost), &laws.sums.means.mean);
    let rate_variance =
        f.noise.burstiness * f.noise.burstiness * hour_variance(f.noise.burst_persistence);
    let hour_key = key(&[f.request_key, rate_variance.to_bits(), digest(&weights)]);
    let (compound, law): (&Compound, &RequestLaw) = (&cache.compound, &f.request);
    cache.hour_costs.get(cache.run, hour_key, || {
        HourCost::new(law, &weights, rate_variance, compound)
    })
}

/// What is left of the cached share in a mean request.
fn typical_cached(f: &PlanFeature) -> f64 {
    let products = f.cached_left.iter().zip(&f.weights).map(|(c, w)| c * w);
    let sum: f64 = products.sum();
    if f.cached_left.is_empty() {
        1.0
    } else {
        sum / f.weights.len() as f64
    }
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
