//! What a run needs to know of each feature besides its draws: presampled sums, laws of minutes and hours, weekly rows.
//! Built once per plan; what an edit did not change comes from the [`Cache`].

mod build;
pub mod calls;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use super::{
    demand::{FeatureDraw, Moment, noise::HourNoise, noise::NormalTable},
    plan::{Plan, PlanPoolKind},
    pools::gpu::FlightTerms,
    requests::{
        Components, Measure, Scales, chance_of_repeat, component,
        compound::Compound,
        hour_cost::HourCost,
        levels::{Cached, Levels, Point},
        minute::{
            Parts,
            calls::CallCounts,
            joint::Joint,
            law::{FeatureLoad, MinuteLaw},
        },
        moments::dot,
        sums::RequestSums,
    },
    rng::Stream,
};
use calls::CallLaws;

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
    levels: Shelf<Levels>,
    minutes: Shelf<MinuteLaw>,
    calls: Shelf<CallCounts>,
    hour_costs: Shelf<HourCost>,
    joints: Arc<Joints>,
    normals: Arc<NormalTable>,
    compound: Arc<Compound>,
}

impl Cache {
    /// Tables that are on the shelves, for tests and memory figures.
    #[must_use]
    pub fn tables(&self) -> usize {
        self.sums.0.len() + self.parts.0.len() + self.minutes.0.len() + self.hour_costs.0.len()
    }
}

/// Joint laws of few requests. They are filled where and when trials ask, so all runs of a cache share them.
#[derive(Debug, Default)]
pub struct Joints(Mutex<Shelf<Mutex<Joint>>>);

impl Joints {
    fn forget(&self, run: u32) {
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.forget(run);
    }
}

/// Of what a joint law is made: a feature's law of a minute, and the mean of its measure per request.
#[derive(Clone, Copy, Debug)]
pub struct JointPart {
    /// Digest of all that the law depends on.
    pub law: u64,
    /// Mean of the measure per request.
    pub unit: f64,
}

/// Digest of words.
fn key(words: &[u64]) -> u64 {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    xxhash_rust::xxh3::xxh3_64(&bytes)
}

/// A feature's laws.
#[derive(Clone, Debug)]
pub struct FeatureLaws {
    /// Of its requests: one, or with caps one at each of some levels.
    pub nodes: Vec<NodeLaws>,
    /// Moments of requests under caps; none without.
    pub levels: Option<Arc<Levels>>,
    /// Weight of every hour of the horizon.
    pub profile: Vec<f64>,
    /// Hour of week at the feature's clock, by hour of the horizon; empty where nothing asks for it.
    pub hour_of_week: Vec<u8>,
    /// Hour noise; none if there is none.
    pub noise: Option<HourNoise>,
    /// Work in replica-seconds.
    pub work: Measure,
    /// Cost at list price.
    pub list_cost: Measure,
    /// Seconds of a call that writes nothing, and per written token.
    call_seconds: (f64, f64),
    mean_output: f64,
    /// Mean tool calls of a request, and their seconds.
    tools: (f64, f64),
    typical_prefix: f64,
    max_retries: u32,
    /// Squared coefficient of variation of a minute's requests, and its persistence.
    burst: (f64, f64),
}

/// Laws of requests: of all, or under caps at one level.
#[derive(Clone, Debug)]
pub struct NodeLaws {
    /// Sums of requests.
    pub sums: Arc<RequestSums>,
    /// What each limit of the pool counts, in the order of the pool's limits.
    pub limited: Vec<Limited>,
    /// Cost of single hours; only where contracts look at them.
    pub hour_cost: Option<Arc<HourCost>>,
    /// Squared coefficient of variation of a minute's calls.
    pub call_rate_variance: f64,
    typical: Scales,
}

impl NodeLaws {
    /// Mean of a measure that these weights give.
    #[must_use]
    pub fn mean(&self, weights: &Components) -> f64 {
        dot(weights, &self.sums.means.mean)
    }

    /// One minute's load under a limit.
    #[must_use]
    pub fn load(&self, limit: usize, scales: &Scales) -> FeatureLoad {
        let limited = &self.limited[limit];
        let weights = scales.weights(&limited.measure);
        limited.minute.load(&weights, self.mean(&weights))
    }

    /// The same by the law at one prefix.
    #[must_use]
    pub fn load_at(&self, limit: usize, at: &PrefixLaw, scales: &Scales) -> FeatureLoad {
        let weights = with_own_prefix(*scales).weights(&self.limited[limit].measure);
        let mut mean = self.sums.means.mean;
        mean[component::CACHED_PREFIX] = at.cached;
        at.minute.load(&weights, dot(&weights, &mean))
    }
}

/// How long a request lasts, on average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// Seconds of a request.
    pub seconds: f64,
    /// Tool calls of a request.
    pub tools: f64,
    /// Seconds of a tool call.
    pub tool_seconds: f64,
}

/// What one limit counts of a feature.
#[derive(Clone, Debug)]
pub struct Limited {
    /// The measure.
    pub measure: Measure,
    /// The law of one minute of it.
    pub minute: Arc<MinuteLaw>,
    /// The same for joint laws, at the mean of all inputs.
    pub part: JointPart,
    /// The same at prefixes from small to large, where the prefix is uncertain and moves it: with few requests not only
    /// the mean but the shape of what is cached counts.
    pub by_prefix: Vec<PrefixLaw>,
    /// How many calls start in a minute, where calls are what it counts.
    pub calls: Option<CallLaws>,
}

/// The law of one minute at one prefix.
#[derive(Clone, Debug)]
pub struct PrefixLaw {
    /// Prefix tokens at level 1.
    pub prefix: f64,
    /// The law.
    pub minute: Arc<MinuteLaw>,
    /// The same for joint laws.
    pub part: JointPart,
    /// Mean cached reads of the prefix.
    cached: f64,
}

impl FeatureLaws {
    /// Moments of a request under caps at a moment; none without caps.
    fn point(&self, draw: &FeatureDraw, moment: &Moment) -> Option<(&Levels, Point)> {
        let levels = self.levels.as_deref()?;
        let retry = if moment.attempts == draw.attempts {
            draw.retry
        } else {
            chance_of_repeat(moment.attempts, self.max_retries)
        };
        let place = [draw.input_level, draw.output_level, moment.tokens, retry];
        Some((levels, levels.at(&place)))
    }

    /// Index of the laws that are nearest at a moment.
    #[must_use]
    pub fn nearest(&self, draw: &FeatureDraw, moment: &Moment) -> usize {
        self.point(draw, moment).map_or(0, |(l, p)| l.nearest(&p))
    }

    /// How components of a node count at a moment.
    #[must_use]
    pub fn scales(&self, node: usize, draw: &FeatureDraw, moment: &Moment) -> Scales {
        match self.point(draw, moment) {
            None => self.nodes[node].sums.means.scales(
                draw.prefix,
                draw.input_level,
                draw.output_level,
                moment,
            ),
            Some((levels, point)) => levels.scales(node, &point, &self.cached(draw, moment)),
        }
    }

    /// The same without caps at the start of the horizon, for requests whose cached reads of the prefix were made with
    /// the prefix at hand.
    #[must_use]
    pub fn own_scales(&self, draw: &FeatureDraw) -> Scales {
        with_own_prefix(self.scales(0, draw, &Moment::of(draw, 1.0)))
    }

    /// What moves cached reads only.
    fn cached(&self, draw: &FeatureDraw, moment: &Moment) -> Cached {
        let input = draw.input_level * moment.tokens;
        let means = &self.nodes[0].sums.means;
        Cached {
            prefix: means.prefix_ratio(draw.prefix, self.typical_prefix, input),
            left: moment.cached,
        }
    }

    /// What a number of requests add up to.
    #[must_use]
    pub fn total(
        &self,
        draw: &FeatureDraw,
        moment: &Moment,
        n: u64,
        stream: &mut Stream,
    ) -> Components {
        match self.point(draw, moment) {
            None => {
                let scales = self.scales(0, draw, moment);
                scales.apply(&self.nodes[0].sums.draw(n, stream))
            }
            Some((levels, point)) => {
                let sums: Vec<&RequestSums> = self.nodes.iter().map(|n| &*n.sums).collect();
                levels.total(&sums, &point, &self.cached(draw, moment), n, stream)
            }
        }
    }

    /// Calls of a request and seconds of a call, repeats included.
    fn calls(&self, draw: &FeatureDraw, moment: &Moment) -> (f64, f64) {
        let (calls, output) = match self.point(draw, moment) {
            None => (
                self.nodes[0].sums.means.mean[component::CALLS] * moment.attempts,
                self.mean_output * draw.output_level * moment.tokens,
            ),
            Some((_, point)) => {
                let calls = point.mean[component::CALLS];
                let output = point.mean[component::OUTPUT] / calls.max(1e-300);
                (calls, output)
            }
        };
        (calls, self.call_seconds.0 + self.call_seconds.1 * output)
    }

    /// Calls in flight, from the rate per hour.
    #[must_use]
    pub fn flight_terms(&self, node: usize, draw: &FeatureDraw, moment: &Moment) -> FlightTerms {
        let (calls, seconds) = self.calls(draw, moment);
        let variance = self.nodes[node].call_rate_variance;
        FlightTerms::new(calls, seconds, variance, self.burst.1)
    }

    /// How long a request lasts.
    #[must_use]
    pub fn times(&self, draw: &FeatureDraw, moment: &Moment) -> Times {
        let each = |tools: f64, seconds: f64| if tools > 0.0 { seconds / tools } else { 0.0 };
        match self.point(draw, moment) {
            None => {
                let (calls, seconds) = self.calls(draw, moment);
                let (tools, tool_seconds) = self.tools;
                Times {
                    seconds: calls * seconds + tool_seconds,
                    tools,
                    tool_seconds: each(tools, tool_seconds),
                }
            }
            Some((_, point)) => {
                let tools = point.mean[component::TOOLS];
                Times {
                    seconds: point.seconds,
                    tools,
                    tool_seconds: each(tools, point.tool_seconds),
                }
            }
        }
    }

    /// Squared coefficient of variation of a minute's requests, and its persistence.
    #[must_use]
    pub const fn burst(&self) -> (f64, f64) {
        self.burst
    }
}

/// Features of a cluster that share a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Index of the model.
    pub model: usize,
    /// Indices of the features, ascending.
    pub features: Vec<usize>,
}

/// Everything that a run looks up.
#[derive(Clone, Debug)]
pub struct Laws {
    /// In the order of the plan.
    pub features: Vec<FeatureLaws>,
    /// Per pool: features of a cluster by model; empty for a key.
    pub groups: Vec<Vec<Group>>,
    /// Per pool: whether requests of some feature differ from hour to hour by more than drift.
    pub by_hour: Vec<bool>,
    /// Normals of hourly noise.
    pub normals: Arc<NormalTable>,
    run: u32,
    joints: Arc<Joints>,
}

impl Laws {
    /// For a plan, from the cache where possible.
    #[must_use]
    pub fn new(plan: &Plan, cache: &mut Cache) -> Self {
        cache.run += 1;
        let features = plan
            .features
            .iter()
            .map(|f| build::feature(plan, f, cache))
            .collect();
        let run = cache.run;
        cache.sums.forget(run);
        cache.parts.forget(run);
        cache.levels.forget(run);
        cache.minutes.forget(run);
        cache.calls.forget(run);
        cache.hour_costs.forget(run);
        cache.joints.forget(run);
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
            run,
            joints: Arc::clone(&cache.joints),
        }
    }

    /// The joint law of parts; made if no run has asked for it yet.
    #[must_use]
    pub fn joint(&self, parts: &[JointPart], build: impl FnOnce() -> Joint) -> Arc<Mutex<Joint>> {
        let words: Vec<u64> = parts
            .iter()
            .flat_map(|p| [p.law, p.unit.to_bits()])
            .collect();
        let mut shelf = self.joints.0.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.get(self.run, key(&words), || Mutex::new(build()))
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

/// Scales for requests whose cached reads of the prefix were made with the prefix at hand: they scale as the input does.
fn with_own_prefix(mut scales: Scales) -> Scales {
    scales.factor[component::CACHED_PREFIX] = scales.factor[component::INPUT];
    scales
}
