//! Requests under caps at a grid of levels: moments at many, tables at a few, and what lies between.
//!
//! The moments come from one sample of requests that is played at every level, so that neighbours differ by the level
//! and not by luck. A trial reads them at its own levels; sums and minutes come from the nearest of a few tables, with
//! mean and spread corrected to those moments. Source: docs/model.md, "Caps".

use super::{
    Components, Means, Scales, Tokens, attempts, component,
    gateway::{Gateway, Level, Made},
    sample::{Drawn, STRATA, Stratified},
    sums::RequestSums,
};
use crate::{
    domain::distribution::Distribution,
    engine::{demand::Moment, rng::Stream, statistics::sort_not_negative},
};

/// What moves requests under caps: level of the input, level of the output, drift, chance of a repeat.
pub type Place = [f64; 4];

/// Nodes of an axis by number of axes that vary.
const NODES: [usize; 5] = [1, 9, 5, 3, 3];

/// Probabilities between which a level has nodes.
const OUTER: f64 = 0.001;

/// Most calls that are played at one node.
const MOST_CALLS: f64 = 400_000.0;

/// Where the tables stand in the distributions of the axes.
const TABLES: [f64; 3] = [0.1, 0.5, 0.9];

/// The range of one axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Least value.
    pub low: f64,
    /// Largest value.
    pub high: f64,
    /// Values at [`TABLES`].
    tables: [f64; 3],
}

impl Range {
    /// Of a quantity that is drawn once per trial.
    #[must_use]
    pub fn of(d: &Distribution) -> Self {
        d.fixed().map_or_else(
            || Self {
                low: d.quantile(OUTER),
                high: d.quantile(1.0 - OUTER),
                tables: TABLES.map(|p| d.quantile(p)),
            },
            |x| Self::between(x, x),
        )
    }

    /// Between two values above 0.
    #[must_use]
    pub fn between(low: f64, high: f64) -> Self {
        let ratio = high / low;
        Self {
            low,
            high,
            tables: if ratio > 1.0 {
                TABLES.map(|p| low * libm::pow(ratio, p))
            } else {
                [low; 3]
            },
        }
    }

    /// Of chances with factors; none: as they are.
    #[must_use]
    pub fn times(&self, factors: &[f64]) -> Self {
        let (mut low, mut high) = (1.0, 1.0);
        for x in factors {
            low = x.min(low);
            high = x.max(high);
        }
        Self {
            low: self.low * low,
            high: (self.high * high).min(1.0),
            tables: self.tables,
        }
    }

    fn varies(&self) -> bool {
        self.high > self.low
    }

    /// Ascending nodes, in equal ratios where the range is above 0.
    fn nodes(&self, count: usize) -> Vec<f64> {
        if !self.varies() {
            return vec![self.low];
        }
        (0..count)
            .map(|i| {
                let part = i as f64 / (count - 1) as f64;
                if self.low > 0.0 && self.high > 4.0 * self.low {
                    self.low * libm::pow(self.high / self.low, part)
                } else {
                    self.low + part * (self.high - self.low)
                }
            })
            .collect()
    }
}

/// Moments of one request at a level.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Mean of each component.
    pub mean: Components,
    /// Coefficient of variation of each component.
    pub variation: Components,
    /// Mean seconds of a request.
    pub seconds: f64,
    /// Mean seconds in tools.
    pub tool_seconds: f64,
}

impl Point {
    /// Tokens that requests would spend without caps.
    fn wanted(&self) -> f64 {
        use component::{CUT_CACHED, CUT_OUTPUT, CUT_UNCACHED, INPUT, OUTPUT};
        let m = &self.mean;
        m[INPUT] + m[OUTPUT] + m[CUT_UNCACHED] + m[CUT_CACHED] + m[CUT_OUTPUT]
    }

    fn add(&mut self, weight: f64, other: &Self) {
        for (sum, x) in self.mean.iter_mut().zip(&other.mean) {
            *sum += weight * x;
        }
        for (sum, x) in self.variation.iter_mut().zip(&other.variation) {
            *sum += weight * x;
        }
        self.seconds += weight * other.seconds;
        self.tool_seconds += weight * other.tool_seconds;
    }
}

/// What moves cached reads, which no cap counts apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cached {
    /// Mean cached reads of the prefix, relative to those of the typical one.
    pub prefix: f64,
    /// What is left of the cached share.
    pub left: f64,
}

/// Moments at a grid of levels, and the levels of the tables.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    axes: [Vec<f64>; 4],
    /// Row-major, the last axis fastest.
    points: Vec<Point>,
    /// Levels of the tables with their moments, in order of what requests want to spend.
    pub tables: Vec<(Level, Point)>,
    /// What tables and grid want to spend: logarithms.
    wanted: Vec<f64>,
    /// 999 of 1,000 requests are shorter, at the highest level.
    pub longest_seconds: f64,
}

/// The level at a place: drift multiplies all tokens.
#[must_use]
pub fn level_at(place: &Place) -> Level {
    let [input, output, drift, retry] = *place;
    Level {
        input: input * drift,
        output: output * drift,
        growth: drift,
        retry,
    }
}

/// Requests at level 1.
struct Sample {
    drawn: Vec<Drawn>,
    outputs: Vec<f64>,
    luck: Vec<f64>,
    tool_seconds: Vec<f64>,
}

impl Sample {
    fn new(of: &Stratified, fails: bool) -> Self {
        let mut sampler = of.sampler(5);
        let count = (MOST_CALLS / of.law.calls.mean().max(1.0)) as usize;
        let mut sample = Self {
            drawn: Vec::new(),
            outputs: Vec::new(),
            luck: Vec::new(),
            tool_seconds: Vec::new(),
        };
        for _ in 0..count.clamp(1_024, 2 * STRATA) {
            let drawn = sampler.request();
            for _ in 0..drawn.calls {
                sample.outputs.push(sampler.value(4));
                if fails {
                    sample.luck.push(sampler.luck());
                }
            }
            for _ in 0..drawn.tools {
                sample.tool_seconds.push(sampler.value(6));
            }
            sample.drawn.push(drawn);
        }
        sample
    }

    /// Plays all at a level; `each` sees every one.
    fn play(
        &self,
        gateway: &Gateway,
        level: &Level,
        prefix: f64,
        each: &mut dyn FnMut(&super::gateway::Outcome),
    ) {
        let (mut call, mut tool) = (0, 0);
        for drawn in &self.drawn {
            let (calls, tools) = (drawn.calls as usize, drawn.tools as usize);
            let made = Made {
                drawn: *drawn,
                outputs: &self.outputs[call..call + calls],
                luck: self.luck.get(call..call + calls).unwrap_or_default(),
                tool_seconds: &self.tool_seconds[tool..tool + tools],
            };
            each(&gateway.play(&made, level, prefix, &mut |_, _| {}));
            call += calls;
            tool += tools;
        }
    }

    /// Moments at a level; `whole` is the exact mean of what requests would spend without caps.
    fn point(&self, gateway: &Gateway, level: &Level, prefix: f64, whole: &Tokens) -> Point {
        let n = self.drawn.len() as f64;
        let mut point = Point::default();
        let mut squares = [0.0; component::COUNT];
        let mut pairs = [Pairs::default(); 3];
        self.play(gateway, level, prefix, &mut |out| {
            for (k, x) in out.components.iter().enumerate() {
                point.mean[k] += x / n;
                squares[k] += x * x / n;
            }
            point.seconds += out.seconds / n;
            point.tool_seconds += out.tool_seconds / n;
            let spent = kinds(&Tokens::of(&out.components));
            let cut = kinds(&Tokens::cut_off(&out.components));
            for (pair, (spent, cut)) in pairs.iter_mut().zip(spent.into_iter().zip(cut)) {
                pair.add(cut, spent + cut);
            }
        });
        self.correct(&mut point, &pairs, whole);
        point.variation = std::array::from_fn(|k| {
            let mean = point.mean[k];
            if mean > 0.0 {
                f64::sqrt((squares[k] / (mean * mean) - 1.0).max(0.0))
            } else {
                0.0
            }
        });
        point
    }
}

impl Sample {
    /// The sample misses the known mean of what is spent and cut by a little: what is spent and what is cut share that
    /// in the ratio in which they move with the sum.
    fn correct(&self, point: &mut Point, pairs: &[Pairs; 3], whole: &Tokens) {
        use component::{CACHED_INPUT, CUT_UNCACHED, INPUT, OUTPUT};
        let n = self.drawn.len() as f64;
        for (kind, (pair, known)) in pairs.iter().zip(kinds(whole)).enumerate() {
            let missing = known - pair.whole / n;
            let to_cut = pair.slope(n) * missing;
            let mut add = |k: usize, x: f64| point.mean[k] = (point.mean[k] + x).max(0.0);
            add(CUT_UNCACHED + kind, to_cut);
            let to_spent = missing - to_cut;
            match kind {
                0 => add(INPUT, to_spent),
                1 => {
                    add(INPUT, to_spent);
                    add(CACHED_INPUT, to_spent);
                }
                _ => add(OUTPUT, to_spent),
            }
        }
    }
}

/// Uncached input, cached reads, output: in the order of what is cut.
const fn kinds(t: &Tokens) -> [f64; 3] {
    [t.uncached_input, t.cached_read, t.output]
}

/// Sums of what is cut and of the whole.
#[derive(Clone, Copy, Debug, Default)]
struct Pairs {
    cut: f64,
    whole: f64,
    product: f64,
    square: f64,
}

impl Pairs {
    fn add(&mut self, cut: f64, whole: f64) {
        self.cut += cut;
        self.whole += whole;
        self.product += cut * whole;
        self.square += whole * whole;
    }

    /// By how much more is cut where the whole is one more.
    fn slope(&self, n: f64) -> f64 {
        let variance = self.square - self.whole * self.whole / n;
        if variance > 1e-12 * self.square {
            ((self.product - self.cut * self.whole / n) / variance).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }
}

impl Levels {
    /// Of a law whose axes have these ranges.
    #[must_use]
    pub fn new(of: &Stratified, gateway: &Gateway, ranges: &[Range; 4]) -> Self {
        let prefix = of.law.typical_prefix;
        let varying = ranges.iter().filter(|r| r.varies()).count();
        let sample = Sample::new(of, ranges[3].high > 0.0);
        let axes = [0, 1, 2, 3].map(|a| ranges[a].nodes(NODES[varying]));
        let means = Means::new(of);
        let play = |place: &Place| {
            let [input, output, drift, retry] = *place;
            let repeats = attempts(retry, gateway.max_retries);
            let moment = Moment {
                tokens: drift,
                attempts: repeats,
                cached: 1.0,
            };
            let scales = means.scales(prefix, input, output, &moment);
            let whole = Tokens::of(&scales.apply(&means.mean));
            sample.point(gateway, &level_at(place), prefix, &whole)
        };
        let mut points = Vec::new();
        for a in &axes[0] {
            for b in &axes[1] {
                for c in &axes[2] {
                    points.extend(axes[3].iter().map(|d| play(&[*a, *b, *c, *d])));
                }
            }
        }
        let mut levels = Self {
            axes,
            points,
            tables: Vec::new(),
            wanted: Vec::new(),
            longest_seconds: 0.0,
        };
        let count = if varying == 0 { 1 } else { TABLES.len() };
        for i in 0..count {
            let place = [0, 1, 2, 3].map(|a| ranges[a].tables[i]);
            let point = levels.at(&place);
            levels.tables.push((level_at(&place), point));
        }
        levels
            .tables
            .sort_by(|a, b| a.1.wanted().total_cmp(&b.1.wanted()));
        levels.wanted = levels
            .tables
            .iter()
            .map(|t| libm::log(t.1.wanted().max(1e-300)))
            .collect();
        let highest = [0, 1, 2, 3].map(|a| ranges[a].high);
        let mut seconds: Vec<f64> = Vec::with_capacity(sample.drawn.len());
        sample.play(gateway, &level_at(&highest), 0.0, &mut |out| {
            seconds.push(out.seconds);
        });
        sort_not_negative(&mut seconds);
        levels.longest_seconds = seconds
            .get(seconds.len() * 999 / 1_000)
            .copied()
            .unwrap_or(0.0);
        levels
    }

    /// Moments at a place: linear between nodes, those of the outermost node beyond.
    #[must_use]
    pub fn at(&self, place: &Place) -> Point {
        let mut cells = [(0, 0.0); 4];
        for ((cell, nodes), x) in cells.iter_mut().zip(&self.axes).zip(place) {
            let above = nodes.partition_point(|n| n <= x);
            *cell = if above == 0 {
                (0, 0.0)
            } else if above == nodes.len() {
                (above - 1, 0.0)
            } else {
                let (a, b) = (nodes[above - 1], nodes[above]);
                (above - 1, (x - a) / (b - a))
            };
        }
        let mut sum = Point::default();
        for corner in 0..16usize {
            let (mut weight, mut index) = (1.0, 0);
            for (a, (cell, part)) in cells.iter().enumerate() {
                let up = corner >> a & 1;
                weight *= if up == 1 { *part } else { 1.0 - part };
                index = index * self.axes[a].len() + cell + up;
            }
            if weight > 0.0 {
                sum.add(weight, &self.points[index]);
            }
        }
        sum
    }

    /// The table whose requests want to spend most nearly as much.
    #[must_use]
    pub fn nearest(&self, point: &Point) -> usize {
        let (low, part) = self.between(point);
        low + usize::from(part >= 0.5)
    }

    /// Table below, and how far it is to the one above.
    fn between(&self, point: &Point) -> (usize, f64) {
        let wanted = libm::log(point.wanted().max(1e-300));
        let above = self.wanted.partition_point(|w| *w <= wanted);
        if above == 0 {
            return (0, 0.0);
        }
        if above == self.wanted.len() {
            return (above - 1, 0.0);
        }
        let (a, b) = (self.wanted[above - 1], self.wanted[above]);
        (above - 1, (wanted - a) / (b - a))
    }

    /// Factors that take the means of a table to those of a point.
    #[must_use]
    pub fn scales(&self, table: usize, point: &Point, cached: &Cached) -> Scales {
        let base = &self.tables[table].1.mean;
        let mut factor: Components = std::array::from_fn(|k| {
            if base[k] > 0.0 {
                point.mean[k] / base[k]
            } else {
                0.0
            }
        });
        factor[component::CACHED_INPUT] *= cached.left;
        factor[component::CACHED_PREFIX] *= cached.prefix * cached.left;
        Scales { factor }
    }

    /// What `n` requests add up to at a point: from one of the two tables around it, with its mean and spread.
    #[must_use]
    pub fn total(
        &self,
        sums: &[&RequestSums],
        point: &Point,
        cached: &Cached,
        n: u64,
        stream: &mut Stream,
    ) -> Components {
        let count = n as f64;
        let (low, part) = self.between(point);
        let table = low + usize::from(stream.uniform() < part);
        let drawn = sums[table].draw(n, stream);
        let base = &self.tables[table].1;
        let mut x: Components = std::array::from_fn(|k| {
            let mean = point.mean[k] * count;
            let known = base.mean[k] * count;
            if known <= 0.0 {
                return mean;
            }
            let spread = if base.variation[k] > 0.0 {
                point.variation[k] / base.variation[k]
            } else {
                1.0
            };
            (mean * (1.0 + (drawn[k] / known - 1.0) * spread)).max(0.0)
        });
        x[component::CACHED_INPUT] *= cached.left;
        x[component::CACHED_PREFIX] *= cached.prefix * cached.left;
        // what is not in the cache would have been read in full
        let missed = (1.0 - cached.left) * x[component::CUT_CACHED];
        x[component::CUT_CACHED] -= missed;
        x[component::CUT_UNCACHED] += missed;
        for k in [component::STOPPED, component::SOFTENED] {
            x[k] = x[k].min(count);
        }
        x
    }
}

impl Means {
    /// How the mean of min(P, I) at a prefix stands to that at the typical one, where the input is scaled.
    #[must_use]
    pub fn prefix_ratio(&self, prefix: f64, typical: f64, input: f64) -> f64 {
        let known = self.cached_prefix(typical / input);
        if known > 0.0 {
            self.cached_prefix(prefix / input) / known
        } else {
            0.0
        }
    }
}
