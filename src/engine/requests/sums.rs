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

pub(super) mod make;

use super::{
    Components, Means, component,
    gateway::{Gateway, Level},
    sample::{QUANTITIES, STRATA, Sampler, Shuffled, Strata, quantities},
};
use crate::engine::{plan::RequestLaw, rng::Stream};
use make::Maker;

/// Entries of a table.
pub const ENTRIES: usize = 4_096;

/// Share of each quantity that is kept apart as its tail.
const TAIL: f64 = 1.0 / 1_024.0;

/// Most tail values of one quantity in one sum; beyond, doubling the whole sums resolves the tail well enough.
const MOST_TAIL_VALUES: f64 = 8.0;

/// The same under caps, which cut the tail: a request that is played twice for each value is dear.
const MOST_CUT_TAIL_VALUES: f64 = 1.0;

/// Most doublings.
const MOST_DOUBLINGS: u32 = 20;

/// Below this skewness a sum's shape no longer changes with N, only its scale: the last table serves for all larger N.
const SETTLED_SKEWNESS: f64 = 0.12;

/// The same for what caps did, which is seen and never added to anything.
const SETTLED_CUT_SKEWNESS: f64 = 0.5;

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
        Self::made(law, Means::new(law), Maker::linear(law.typical_prefix))
    }

    /// Builds the tables of requests under caps at a level, whose means are known.
    #[must_use]
    pub fn cut(law: &RequestLaw, gateway: Gateway, level: Level, mean: Components) -> Self {
        let means = Means {
            mean,
            ..Means::new(law)
        };
        Self::made(law, means, Maker::cut(law.typical_prefix, gateway, level))
    }

    fn made(law: &RequestLaw, means: Means, mut maker: Maker) -> Self {
        let mut whole = drawn(Sampler::of(law, 0), &mut maker);
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
        let used = sums.varying.last().map_or(0, |k| k + 1);
        let weights = score_weights(&whole, used);
        let mut tails = Tails::new(law, maker);
        let mut body = drawn(tails.body(), &mut tails.maker);
        let mut order = sorted(&whole, &weights, used);
        let split_doublings = tails.doublings();
        for doubling in 0..=MOST_DOUBLINGS {
            if doubling > 0 && doubling <= split_doublings {
                let pairs = sorted(&body, &weights, used);
                body = doubled(&body, &pairs, used);
                whole = tails.added(&body, f64::from(1u32 << doubling));
                order = sorted(&whole, &weights, used);
            } else if doubling > split_doublings {
                whole = doubled(&whole, &order, used);
                order = sorted(&whole, &weights, used);
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
        let used = self.varying.last().map_or(0, |k| k + 1);
        let scale = score_weights(pool, used);
        let mut rows: Vec<Components> = Vec::with_capacity(ENTRIES);
        for part in [&order[..top], &order[top..]] {
            let sum = sum_of(part.iter().map(|i| &pool[*i as usize]), used);
            let target = sum.map(|x| x / group as f64);
            // of some random picks, the one whose means are nearest
            let mut best = (f64::INFINITY, 0, [0.0; component::COUNT]);
            for key in 0..CANDIDATES {
                let picked = sum_of(picks(part, key).map(|i| &pool[i as usize]), used);
                let distance: f64 = (0..used)
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
                let mut x = pool[i as usize];
                for (x, f) in x[..used].iter_mut().zip(&factor) {
                    *x *= f;
                }
                x
            }));
        }
        let sum = sum_of(rows.iter(), used);
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
            let sd = f64::sqrt(second);
            let least = if *k < component::STOPPED {
                SETTLED_SKEWNESS
            } else {
                SETTLED_CUT_SKEWNESS
            };
            second <= 0.0 || f64::abs(third / (second * sd)) < least
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
            let spread = f64::sqrt(count / size);
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

/// Sums of the first `used` components: the others do not vary.
fn sum_of<'a>(rows: impl Iterator<Item = &'a Components>, used: usize) -> Components {
    let mut sum = [0.0; component::COUNT];
    for x in rows {
        for (s, x) in sum[..used].iter_mut().zip(x) {
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

/// Single requests of a law, under caps if there is a gateway.
#[must_use]
pub fn singles(law: &RequestLaw, cut: Option<(Gateway, Level)>) -> Vec<Components> {
    let mut maker = match cut {
        None => Maker::linear(law.typical_prefix),
        Some((gateway, level)) => Maker::cut(law.typical_prefix, gateway, level),
    };
    drawn(Sampler::of(law, 4), &mut maker)
}

fn drawn(mut sampler: Sampler, maker: &mut Maker) -> Pool {
    (0..STRATA)
        .map(|_| {
            let request = sampler.request();
            maker.make(&mut sampler, &request)
        })
        .collect()
}

/// 1 / standard deviation of each component, 0 where it does not vary.
fn score_weights(pool: &Pool, used: usize) -> Components {
    let n = pool.len() as f64;
    std::array::from_fn(|k| {
        if k >= used {
            return 0.0;
        }
        let mean = pool.iter().map(|x| x[k]).sum::<f64>() / n;
        let variance = pool
            .iter()
            .map(|x| (x[k] - mean) * (x[k] - mean))
            .sum::<f64>()
            / n;
        if variance > 1e-18 * mean * mean {
            1.0 / f64::sqrt(variance)
        } else {
            0.0
        }
    })
}

/// Indices in ascending order of the weighted sum of components.
fn sorted(pool: &Pool, weights: &Components, used: usize) -> Vec<u32> {
    let mut keyed: Vec<(f64, u32)> = (0..)
        .zip(pool)
        .map(|(i, x)| {
            let scored = x[..used].iter().zip(weights);
            (scored.map(|(x, w)| x * w).sum(), i)
        })
        .collect();
    keyed.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    keyed.into_iter().map(|(_, i)| i).collect()
}

/// Sums of twice as many requests: each entry with the one that the lattice gives it.
fn doubled(pool: &Pool, order: &[u32], used: usize) -> Pool {
    (0..STRATA)
        .map(|i| {
            let mut a = pool[order[i] as usize];
            let b = &pool[order[(i * LATTICE + LATTICE / 2) & (STRATA - 1)] as usize];
            for (a, b) in a[..used].iter_mut().zip(b) {
                *a += b;
            }
            a
        })
        .collect()
}

/// Quantities that have a tail of their own: calls, input, growth, output (a share is bounded).
const TAILED: [usize; 4] = [0, 1, 2, 4];

/// The largest values of each quantity.
struct Tails {
    body: [Strata; QUANTITIES],
    above: [Strata; QUANTITIES],
    order: [Shuffled; 4],
    counts: [Shuffled; 4],
    base: Sampler,
    maker: Maker,
    mean_calls: f64,
}

impl Tails {
    fn new(law: &RequestLaw, maker: Maker) -> Self {
        let quantities = quantities(law);
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
            maker,
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
        let most = if self.maker.is_cut() {
            MOST_CUT_TAIL_VALUES
        } else {
            MOST_TAIL_VALUES
        };
        let mut j = 1;
        while f64::from(2u32 << j) * TAIL * self.mean_calls.max(1.0) <= most {
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
                    let more = self.maker.increment(&mut self.base, q, value);
                    for (a, b) in x.iter_mut().zip(&more) {
                        // under caps a larger request may spend less
                        *a = (*a + b).max(0.0);
                    }
                }
            }
        }
        pool
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
pub(crate) mod tests;
