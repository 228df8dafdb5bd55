//! Single requests, drawn so that a few thousand stand for all: every quantity is stratified, its mean is exact.

use std::{cell::OnceCell, sync::Arc};

use super::{Components, component};
use crate::{
    domain::distribution::Distribution,
    engine::{plan::RequestLaw, rng::Stream},
};

/// Strata of a presampled quantity.
pub const STRATA: usize = 16_384;

/// A part of a distribution as equally likely values in ascending order, with its mean exact.
#[derive(Clone, Debug, PartialEq)]
pub struct Strata {
    /// The values; one if the distribution is a single number.
    values: Vec<f64>,
    /// Sums of the first values.
    running: Vec<f64>,
}

impl Strata {
    /// The whole distribution.
    #[must_use]
    pub fn new(d: &Distribution) -> Self {
        let mut values = Self::between(d, 0.0, 1.0);
        let mean = mean_of(&values);
        scale(&mut values, d.mean(), mean);
        Self::of(values)
    }

    /// The part below the quantile 1 - `tail`, and the part above it. Their means weigh up to the mean of the whole.
    #[must_use]
    pub fn split(d: &Distribution, tail: f64) -> (Self, Self) {
        let mut body = Self::between(d, 0.0, 1.0 - tail);
        let mut above = Self::between(d, 1.0 - tail, 1.0);
        let mean = mean_of(&body) * (1.0 - tail) + mean_of(&above) * tail;
        scale(&mut body, d.mean(), mean);
        scale(&mut above, d.mean(), mean);
        (Self::of(body), Self::of(above))
    }

    fn of(values: Vec<f64>) -> Self {
        let mut sum = 0.0;
        let running = values
            .iter()
            .map(|x| {
                sum += x;
                sum
            })
            .collect();
        Self { values, running }
    }

    /// Values of equally likely slices of u between two ends: the middle of each slice, the mean of the last, since the
    /// middle of the last slice of a heavy tail lies far below its mean.
    fn between(d: &Distribution, low: f64, high: f64) -> Vec<f64> {
        if let Some(x) = d.fixed() {
            return vec![x];
        }
        let step = (high - low) / STRATA as f64;
        let mut values: Vec<f64> = (0..STRATA)
            .map(|i| d.quantile(low + (i as f64 + 0.5) * step))
            .collect();
        // halves of the rest, each half as wide as the one before, down to what a double can tell from `high`
        let (mut last, mut rest) = (0.0, 1.0);
        while rest * step > 1e-15 {
            last += rest * 0.5 * d.quantile(high - 0.75 * rest * step);
            rest *= 0.5;
        }
        last += rest * d.quantile(high - 0.5 * rest * step);
        values[STRATA - 1] = last;
        values
    }

    /// Whether there is only one value.
    #[must_use]
    pub const fn is_fixed(&self) -> bool {
        self.values.len() == 1
    }

    /// A value by the index of its stratum.
    #[inline]
    #[must_use]
    pub fn at(&self, stratum: usize) -> f64 {
        if self.values.len() == 1 {
            self.values[0]
        } else {
            self.values[stratum & (STRATA - 1)]
        }
    }

    /// Mean.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.running.last().copied().unwrap_or(0.0) / self.values.len().max(1) as f64
    }

    /// Mean of the values of some neighbouring strata.
    #[must_use]
    pub fn mean_between(&self, from: usize, to: usize) -> f64 {
        if self.is_fixed() || from >= to {
            return self.at(from);
        }
        let before = from.checked_sub(1).map_or(0.0, |i| self.running[i]);
        (self.running[to - 1] - before) / (to - from) as f64
    }

    /// Mean of min(x, X).
    #[must_use]
    pub fn mean_of_least(&self, x: f64) -> f64 {
        let below = self.values.partition_point(|v| *v < x);
        if below == self.values.len() {
            return self.mean(); // x may be infinite
        }
        let sum = below.checked_sub(1).map_or(0.0, |i| self.running[i]);
        (sum + x * (self.values.len() - below) as f64) / self.values.len().max(1) as f64
    }
}

fn mean_of(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Multiplies by `want / have`, which is close to 1: discrete weights do not fall on the edges of slices.
fn scale(values: &mut [f64], want: f64, have: f64) {
    if have > 0.0 {
        for v in values {
            *v *= want / have;
        }
    }
}

/// Mean of f (1 - f), f the fraction of a continuous value: what rounding at random adds to a variance.
#[must_use]
pub fn rounding_variance(d: &Distribution) -> f64 {
    let of = |x: f64| {
        let f = x - f64::floor(x);
        f * (1.0 - f)
    };
    match d.fixed() {
        Some(x) => of(x),
        None => {
            let n = 4096;
            (0..n)
                .map(|i| of(d.quantile((f64::from(i) + 0.5) / f64::from(n))))
                .sum::<f64>()
                / f64::from(n)
        }
    }
}

/// The order in which strata are visited: each once per round, in a new random order every round.
#[derive(Clone, Debug)]
pub struct Shuffled {
    order: Vec<u16>,
    next: usize,
    stream: Stream,
}

impl Shuffled {
    /// From a stream of its own.
    #[must_use]
    pub fn new(stream: Stream) -> Self {
        Self {
            order: (0..STRATA).map(|i| i as u16).collect(),
            next: STRATA,
            stream,
        }
    }

    /// The next stratum.
    #[inline]
    pub fn stratum(&mut self) -> usize {
        if self.next == STRATA {
            self.next = 0;
            for i in (1..STRATA).rev() {
                // multiply-shift: bias below 2^-40 does not matter here
                let j = ((u128::from(self.stream.bits()) * (i as u128 + 1)) >> 64) as usize;
                self.order.swap(i, j);
            }
        }
        let stratum = usize::from(self.order[self.next]);
        self.next += 1;
        stratum
    }

    /// A uniform in a stratum of its own.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        (self.stratum() as f64 + 0.5) / STRATA as f64
    }
}

/// What is drawn once per request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawn {
    /// Calls.
    pub calls: u32,
    /// Input of the first call.
    pub input: f64,
    /// Growth per call.
    pub growth: f64,
    /// Cached share.
    pub cached_share: f64,
    /// Tool calls.
    pub tools: u32,
}

impl Drawn {
    /// Its components, with the output given.
    #[must_use]
    pub fn components(&self, prefix: f64, output: f64) -> Components {
        let m = f64::from(self.calls);
        let mut x = [0.0; component::COUNT];
        x[component::CALLS] = m;
        x[component::INPUT] = m * self.input;
        x[component::GROWTH] = self.growth * m * (m - 1.0) / 2.0;
        x[component::CACHED_INPUT] = self.cached_share * (m - 1.0) * self.input;
        x[component::CACHED_GROWTH] = self.cached_share * self.growth * (m - 1.0) * (m - 2.0) / 2.0;
        x[component::CACHED_PREFIX] = self.cached_share * prefix.min(self.input);
        x[component::OUTPUT] = output;
        x[component::TOOLS] = f64::from(self.tools);
        x
    }
}

/// Most calls that a single presampled request makes: keeps a slip of the pen from hanging the page.
const MOST_CALLS: f64 = 100_000.0;

/// A law of requests with its strata, made when first asked for: quantiles are the dear part of a sampler.
#[derive(Debug)]
pub struct Stratified<'a> {
    /// The law.
    pub law: &'a RequestLaw,
    whole: OnceCell<[Arc<Strata>; QUANTITIES]>,
    split: OnceCell<[(Arc<Strata>, Arc<Strata>); TAILED.len()]>,
}

impl<'a> Stratified<'a> {
    /// Of a law.
    #[must_use]
    pub const fn new(law: &'a RequestLaw) -> Self {
        Self {
            law,
            whole: OnceCell::new(),
            split: OnceCell::new(),
        }
    }

    /// Each quantity.
    #[must_use]
    pub fn whole(&self) -> &[Arc<Strata>; QUANTITIES] {
        self.whole
            .get_or_init(|| quantities(self.law).map(|d| Arc::new(Strata::new(d))))
    }

    /// The bodies and tails of those in [`TAILED`]. The tail is always the same share.
    #[must_use]
    pub fn split(&self) -> &[(Arc<Strata>, Arc<Strata>); TAILED.len()] {
        self.split.get_or_init(|| {
            let quantities = quantities(self.law);
            TAILED.map(|q| {
                let (body, above) = Strata::split(quantities[q], TAIL);
                (Arc::new(body), Arc::new(above))
            })
        })
    }

    /// Draws requests of the whole law. `key` keeps samplers of one law apart.
    #[must_use]
    pub fn sampler(&self, key: u64) -> Sampler {
        Sampler::new(self.whole().clone(), key)
    }
}

/// Share of each quantity that is kept apart as its tail.
pub const TAIL: f64 = 1.0 / 1_024.0;

/// Quantities that have a tail of their own: calls, input, growth, output (a share is bounded).
pub const TAILED: [usize; 4] = [0, 1, 2, 4];

/// Draws requests.
#[derive(Clone, Debug)]
pub struct Sampler {
    /// Strata of calls, input, growth, cached share, output, tool calls, tool seconds.
    pub strata: [Arc<Strata>; QUANTITIES],
    /// Of calls to output; rounding of calls; of tool calls and seconds; rounding of tool calls; luck of formats.
    order: [Shuffled; QUANTITIES + 3],
}

/// Quantities that vary from request to request.
pub const QUANTITIES: usize = 7;

/// The quantities of a law, in the order of [`Sampler::strata`].
#[must_use]
pub const fn quantities(law: &RequestLaw) -> [&Distribution; QUANTITIES] {
    [
        &law.calls,
        &law.input,
        &law.context_growth,
        &law.cached_share,
        &law.output,
        &law.tools,
        &law.tool_seconds,
    ]
}

const ROUNDING: usize = 5;
const TOOL_ROUNDING: usize = 8;
const LUCK: usize = 9;

impl Sampler {
    /// From the strata of each quantity. `key` keeps samplers of one law apart.
    #[must_use]
    pub fn new(strata: [Arc<Strata>; QUANTITIES], key: u64) -> Self {
        let order = std::array::from_fn(|i| {
            Shuffled::new(Stream::from_hash(
                (key + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
                    ^ (i as u64 + 1).wrapping_mul(0xd134_2543_de82_ef95),
            ))
        });
        Self { strata, order }
    }

    /// The next value of a quantity.
    #[inline]
    pub fn value(&mut self, quantity: usize) -> f64 {
        let strata = &self.strata[quantity];
        if strata.is_fixed() {
            strata.at(0)
        } else {
            let order = quantity + usize::from(quantity >= ROUNDING);
            strata.at(self.order[order].stratum())
        }
    }

    /// A number of calls from its continuous value.
    pub fn round(&mut self, calls: f64) -> u32 {
        self.whole(calls, ROUNDING).max(1)
    }

    fn whole(&mut self, x: f64, order: usize) -> u32 {
        let x = x.min(MOST_CALLS);
        let whole = x as u32;
        let fraction = x - f64::from(whole);
        let up = fraction > 0.0 && self.order[order].uniform() < fraction;
        whole + u32::from(up)
    }

    /// The next request, without its output.
    pub fn request(&mut self) -> Drawn {
        let calls = self.value(0);
        let tools = self.value(5);
        Drawn {
            calls: self.round(calls),
            input: self.value(1),
            growth: self.value(2),
            cached_share: self.value(3),
            tools: self.whole(tools, TOOL_ROUNDING),
        }
    }

    /// A uniform that says how often the format of a call is wrong.
    pub fn luck(&mut self) -> f64 {
        self.order[LUCK].uniform()
    }

    /// Output of a number of calls.
    pub fn output(&mut self, calls: u32) -> f64 {
        if self.strata[4].is_fixed() {
            return f64::from(calls) * self.strata[4].at(0);
        }
        (0..calls).map(|_| self.value(4)).sum()
    }
}
