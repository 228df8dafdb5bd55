//! Presampled sums: what 2^j requests add up to, as [`ENTRIES`] equally likely joint vectors for each j.
//!
//! N requests are the sum of one entry per bit of N: exact in law up to the resolution of the tables. Sampling alone
//! cannot fill such tables (moments of a heavy tail do not converge), so:
//!
//! - single requests are stratified and have exact means ([`super::sample`]);
//! - doubling sorts the sums and pairs them along a lattice, which integrates over both halves far better than chance;
//! - the largest 1/1,024 of each quantity is left out of the doubled sums and added afterwards from strata of its own,
//!   so that sums of many requests see values that no table of single requests contains;
//! - of 16,384 sums each group of four neighbours leaves one; what that does to the means of the top 1 % and of the
//!   rest is scaled away. Last, all means are set to the exact ones, where only rounding is left to do.

use super::{
    Components, Means, component,
    sample::{STRATA, Sampler, Shuffled, Strata},
};
use crate::engine::{plan::RequestLaw, rng::Stream};

/// Entries of a table.
pub const ENTRIES: usize = 4_096;

/// Share of each quantity that is kept apart as its tail.
const TAIL: f64 = 1.0 / 1_024.0;

/// Most tail values of one quantity in one sum; beyond, doubling the whole sums resolves the tail well enough.
const MOST_TAIL_VALUES: f64 = 8.0;

/// Most doublings.
const MOST_DOUBLINGS: u32 = 20;

/// Below this skewness a sum's shape no longer changes with N, only its scale: the last table serves for all larger N.
const SETTLED_SKEWNESS: f64 = 0.12;

/// Random picks to choose from when a table is thinned.
const CANDIDATES: u64 = 16;

/// Multiplier of the pairing lattice: odd, close to the golden section of [`STRATA`].
const LATTICE: usize = 10_127;

/// Sums of requests of one law.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestSums {
    /// Means of one request.
    pub means: Means,
    /// Components that differ from request to request; the others are their mean times N.
    varying: Vec<usize>,
    /// Table j: [`ENTRIES`] rows of the varying components of 2^j requests.
    tables: Vec<Vec<f32>>,
}

/// Rows of components, [`STRATA`] of them.
type Pool = Vec<Components>;

impl RequestSums {
    /// Builds the tables.
    #[must_use]
    pub fn build(law: &RequestLaw) -> Self {
        let means = Means::new(law);
        let prefix = law.typical_prefix;
        let mut whole = drawn(Sampler::of(law, 0), prefix);
        let varying: Vec<usize> = (0..component::COUNT)
            .filter(|k| whole.iter().any(|x| x[*k] != whole[0][*k]))
            .collect();
        let mut sums = Self {
            means,
            varying,
            tables: Vec::new(),
        };
        if sums.varying.is_empty() {
            return sums;
        }
        let weights = score_weights(&whole);
        let mut tails = Tails::new(law);
        let mut body = drawn(tails.body(), prefix);
        let mut order = sorted(&whole, &weights);
        let split_doublings = tails.doublings();
        for doubling in 0..=MOST_DOUBLINGS {
            if doubling > 0 && doubling <= split_doublings {
                let pairs = sorted(&body, &weights);
                body = doubled(&body, &pairs);
                whole = tails.added(&body, f64::from(1u32 << doubling));
                order = sorted(&whole, &weights);
            } else if doubling > split_doublings {
                whole = doubled(&whole, &order);
                order = sorted(&whole, &weights);
            }
            let n = f64::from(1u32 << doubling);
            sums.tables.push(sums.thinned(&whole, &order, n));
            if sums.settled(&whole) {
                break;
            }
        }
        sums
    }

    /// Rows of a table: one of each four neighbours. The means of the top 1 % and of the rest are kept.
    fn thinned(&self, pool: &Pool, order: &[u32], n: f64) -> Vec<f32> {
        let group = STRATA / ENTRIES;
        let top = STRATA - STRATA / 100 / group * group;
        let scale = score_weights(pool);
        let mut rows: Vec<Components> = Vec::with_capacity(ENTRIES);
        for part in [&order[..top], &order[top..]] {
            let sum = sum_of(part.iter().map(|i| &pool[*i as usize]));
            let target = sum.map(|x| x / group as f64);
            // of some random picks, the one whose means are nearest
            let mut best = (f64::INFINITY, 0, [0.0; component::COUNT]);
            for key in 0..CANDIDATES {
                let picked = sum_of(picks(part, key).map(|i| &pool[i as usize]));
                let distance: f64 = (0..component::COUNT)
                    .map(|k| (picked[k] - target[k]) * scale[k])
                    .map(|d| d * d)
                    .sum();
                if distance < best.0 {
                    best = (distance, key, picked);
                }
            }
            let factor: Components = std::array::from_fn(|k| {
                if best.2[k] > 0.0 {
                    target[k] / best.2[k]
                } else {
                    1.0
                }
            });
            rows.extend(picks(part, best.1).map(|i| {
                let x = &pool[i as usize];
                std::array::from_fn::<f64, { component::COUNT }, _>(|k| x[k] * factor[k])
            }));
        }
        let sum = sum_of(rows.iter());
        let factor: Vec<f64> = self
            .varying
            .iter()
            .map(|k| {
                let exact = self.means.mean[*k] * n * ENTRIES as f64;
                if sum[*k] > 0.0 { exact / sum[*k] } else { 0.0 }
            })
            .collect();
        rows.iter()
            .flat_map(|x| {
                self.varying
                    .iter()
                    .zip(&factor)
                    .map(|(k, f)| (x[*k] * f) as f32)
            })
            .collect()
    }

    /// Whether further doublings would not change the shape.
    fn settled(&self, pool: &Pool) -> bool {
        self.varying.iter().all(|k| {
            let n = pool.len() as f64;
            let mean = pool.iter().map(|x| x[*k]).sum::<f64>() / n;
            let (mut second, mut third) = (0.0, 0.0);
            for x in pool {
                let d = x[*k] - mean;
                second += d * d;
                third += d * d * d;
            }
            let (second, third) = (second / n, third / n);
            let sd = libm::sqrt(second);
            second <= 0.0 || libm::fabs(third / (second * sd)) < SETTLED_SKEWNESS
        })
    }

    /// What `n` requests add up to.
    #[must_use]
    pub fn draw(&self, n: u64, stream: &mut Stream) -> Components {
        let count = n as f64;
        let mut x = self.means.mean.map(|m| m * count);
        let Some(top) = self.tables.len().checked_sub(1) else {
            return x;
        };
        let width = self.varying.len();
        let entry = |table: usize, bits: u64| {
            let row = (bits >> 52) as usize * width;
            &self.tables[table][row..row + width]
        };
        if n >> top > 0 {
            // beyond the largest table: its shape, scaled as the square root
            let size = (1u64 << top) as f64;
            let spread = libm::sqrt(count / size);
            for (k, v) in self.varying.iter().zip(entry(top, stream.bits())) {
                let mean = self.means.mean[*k];
                x[*k] = (mean * count + spread * (f64::from(*v) - mean * size)).max(0.0);
            }
            return x;
        }
        for k in &self.varying {
            x[*k] = 0.0;
        }
        let mut rest = n;
        while rest > 0 {
            let table = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            for (k, v) in self.varying.iter().zip(entry(table, stream.bits())) {
                x[*k] += f64::from(*v);
            }
        }
        x
    }

    /// Bytes that the tables take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.tables.iter().map(|t| t.len() * 4).sum()
    }
}

fn sum_of<'a>(rows: impl Iterator<Item = &'a Components>) -> Components {
    let mut sum = [0.0; component::COUNT];
    for x in rows {
        for (s, x) in sum.iter_mut().zip(x) {
            *s += x;
        }
    }
    sum
}

/// One of each group of neighbours.
fn picks(order: &[u32], key: u64) -> impl Iterator<Item = u32> {
    let mut stream = Stream::from_hash(key.wrapping_mul(0xe703_7ed1_a0b4_28db) + 31);
    order
        .chunks_exact(STRATA / ENTRIES)
        .map(move |group| group[(stream.bits() >> 62) as usize])
}

/// Single requests of a law.
pub(super) fn singles(law: &RequestLaw) -> Vec<Components> {
    drawn(Sampler::of(law, 4), law.typical_prefix)
}

fn drawn(mut sampler: Sampler, prefix: f64) -> Pool {
    (0..STRATA)
        .map(|_| {
            let request = sampler.request();
            let output = sampler.output(request.calls);
            request.components(prefix, output)
        })
        .collect()
}

/// 1 / standard deviation of each component, 0 where it does not vary.
fn score_weights(pool: &Pool) -> Components {
    let n = pool.len() as f64;
    std::array::from_fn(|k| {
        let mean = pool.iter().map(|x| x[k]).sum::<f64>() / n;
        let variance = pool
            .iter()
            .map(|x| (x[k] - mean) * (x[k] - mean))
            .sum::<f64>()
            / n;
        if variance > 1e-18 * mean * mean {
            1.0 / libm::sqrt(variance)
        } else {
            0.0
        }
    })
}

/// Indices in ascending order of the weighted sum of components.
fn sorted(pool: &Pool, weights: &Components) -> Vec<u32> {
    let mut keyed: Vec<(f64, u32)> = (0..)
        .zip(pool)
        .map(|(i, x)| (x.iter().zip(weights).map(|(x, w)| x * w).sum(), i))
        .collect();
    keyed.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    keyed.into_iter().map(|(_, i)| i).collect()
}

/// Sums of twice as many requests: each entry with the one that the lattice gives it.
fn doubled(pool: &Pool, order: &[u32]) -> Pool {
    (0..STRATA)
        .map(|i| {
            let a = &pool[order[i] as usize];
            let b = &pool[order[(i * LATTICE + LATTICE / 2) & (STRATA - 1)] as usize];
            std::array::from_fn(|k| a[k] + b[k])
        })
        .collect()
}

/// Quantities that have a tail of their own: calls, input, growth, output (a share is bounded).
const TAILED: [usize; 4] = [0, 1, 2, 4];

/// The largest values of each quantity.
struct Tails {
    body: [Strata; 5],
    above: [Strata; 5],
    order: [Shuffled; 4],
    counts: [Shuffled; 4],
    base: Sampler,
    prefix: f64,
    mean_calls: f64,
}

impl Tails {
    fn new(law: &RequestLaw) -> Self {
        let quantities = [
            &law.calls,
            &law.input,
            &law.context_growth,
            &law.cached_share,
            &law.output,
        ];
        let mut body = quantities.map(Strata::new);
        let mut above = body.clone();
        for q in TAILED {
            (body[q], above[q]) = Strata::split(quantities[q], TAIL);
        }
        let shuffled =
            |key: u64| Shuffled::new(Stream::from_hash(key.wrapping_mul(0xa076_1d64_78bd_642f)));
        Self {
            base: Sampler::new(body.clone(), 2),
            order: std::array::from_fn(|i| shuffled(11 + i as u64)),
            counts: std::array::from_fn(|i| shuffled(21 + i as u64)),
            prefix: law.typical_prefix,
            mean_calls: law.calls.mean(),
            body,
            above,
        }
    }

    fn body(&self) -> Sampler {
        Sampler::new(self.body.clone(), 1)
    }

    /// Doublings during which tails are kept apart.
    fn doublings(&self) -> u32 {
        let mut j = 1;
        while f64::from(2u32 << j) * TAIL * self.mean_calls.max(1.0) <= MOST_TAIL_VALUES {
            j += 1;
        }
        j
    }

    /// Sums of `n` requests without tails, with the tails that they should have.
    fn added(&mut self, body: &Pool, n: f64) -> Pool {
        let mut pool = body.clone();
        for (t, q) in TAILED.into_iter().enumerate() {
            if self.body[q].is_fixed() {
                continue;
            }
            // output is drawn per call, the others per request
            let expected = n * TAIL * if q == 4 { self.mean_calls } else { 1.0 };
            let counts: Vec<u32> = (0..STRATA)
                .map(|_| poisson(expected, self.counts[t].uniform()))
                .collect();
            let total: u32 = counts.iter().sum();
            // few values: each stands for a slice of the tail, so that their mean is the tail's
            let mut values = Slices::new(&self.above[q], total as usize, &mut self.order[t]);
            for (x, count) in pool.iter_mut().zip(counts) {
                for _ in 0..count {
                    let value = values.next(&self.above[q], &mut self.order[t]);
                    let more = self.increment(q, value);
                    for (a, b) in x.iter_mut().zip(&more) {
                        *a += b;
                    }
                }
            }
        }
        pool
    }

    /// By how much a request grows when one of its quantities comes from the tail.
    fn increment(&mut self, q: usize, value: f64) -> Components {
        if q == 4 {
            let mut x = [0.0; component::COUNT];
            x[component::OUTPUT] = value - self.base.value(4);
            return x;
        }
        let before = self.base.request();
        let mut after = before;
        let mut output = 0.0;
        match q {
            0 => {
                after.calls = self.base.round(value).max(before.calls);
                output = self.base.output(after.calls - before.calls);
            }
            1 => after.input = value,
            _ => after.growth = value,
        }
        let (a, b) = (
            after.components(self.prefix, output),
            before.components(self.prefix, 0.0),
        );
        std::array::from_fn(|k| a[k] - b[k])
    }
}

/// Values of a tail, in random order.
struct Slices {
    /// Means of slices; empty if the strata themselves are taken.
    means: Vec<f64>,
}

impl Slices {
    fn new(tail: &Strata, count: usize, order: &mut Shuffled) -> Self {
        if count >= STRATA || count == 0 {
            return Self { means: Vec::new() };
        }
        let mut keyed: Vec<(usize, f64)> = (0..count)
            .map(|i| {
                let (from, to) = (i * STRATA / count, (i + 1) * STRATA / count);
                (order.stratum(), tail.mean_between(from, to))
            })
            .collect();
        keyed.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1)));
        Self {
            means: keyed.into_iter().map(|x| x.1).collect(),
        }
    }

    fn next(&mut self, tail: &Strata, order: &mut Shuffled) -> f64 {
        self.means.pop().unwrap_or_else(|| tail.at(order.stratum()))
    }
}

/// Poisson count by inverse CDF.
fn poisson(expected: f64, mut u: f64) -> u32 {
    let mut weight = libm::exp(-expected);
    let mut k = 0;
    while u > weight && k < 64 {
        u -= weight;
        k += 1;
        weight *= expected / f64::from(k);
    }
    k
}

#[cfg(test)]
mod tests;
