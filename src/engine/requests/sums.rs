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
    sample::{STRATA, Sampler, Shuffled, Strata, Stratified, TAIL, TAILED},
};
use std::sync::Arc;

use crate::engine::rng::Stream;
use make::Maker;

/// Entries of a table.
pub const ENTRIES: usize = 4_096;

/// Neighbours of which a table keeps one.
const GROUP: usize = STRATA / ENTRIES;

/// Most tail values of one quantity in one sum; beyond, doubling the whole sums resolves the tail well enough.
const MOST_TAIL_VALUES: f64 = 4.0;

/// The same under caps, which cut the tail: a request that is played twice for each value is dear.
const MOST_CUT_TAIL_VALUES: f64 = 1.0;

/// Most doublings.
const MOST_DOUBLINGS: u32 = 20;

/// Below this skewness a sum's shape no longer changes with N, only its scale: the last table serves for all larger N.
const SETTLED_SKEWNESS: f64 = 0.12;

/// The same for what caps did, which is seen and never added to anything.
const SETTLED_CUT_SKEWNESS: f64 = 0.5;

/// Random picks to choose from when a table is thinned.
const CANDIDATES: usize = 16;

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

/// What varies of [`STRATA`] sums: a column for each component.
type Pool = Vec<Vec<f64>>;

impl RequestSums {
    /// Builds the tables.
    #[must_use]
    pub fn build(of: &Stratified) -> Self {
        Self::made(of, Means::new(of), Maker::linear(of.law.typical_prefix))
    }

    /// Builds the tables of requests under caps at a level, whose means are known.
    #[must_use]
    pub fn cut(of: &Stratified, gateway: Gateway, level: Level, mean: Components) -> Self {
        let means = Means {
            mean,
            ..Means::new(of)
        };
        Self::made(of, means, Maker::cut(of.law.typical_prefix, gateway, level))
    }

    fn made(of: &Stratified, means: Means, mut maker: Maker) -> Self {
        let whole = drawn(of.sampler(0), &mut maker);
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
        let whole = sums.kept(&whole);
        let weights: Vec<f64> = whole.iter().map(|x| Spread::of(x).score_weight()).collect();
        let mut tails = Tails::new(of, maker);
        let mut body = sums.kept(&drawn(tails.body(), &mut tails.maker));
        let mut ordered = sorted(&whole, &weights);
        let split_doublings = tails.doublings();
        let candidates = candidates();
        for doubling in 0..=MOST_DOUBLINGS {
            let n = f64::from(1u32 << doubling);
            if doubling > 0 && doubling <= split_doublings {
                body = doubled(&sorted(&body, &weights));
                let mut whole = body.clone();
                tails.add(&mut whole, &sums.varying, n);
                ordered = sorted(&whole, &weights);
            } else if doubling > split_doublings {
                ordered = sorted(&doubled(&ordered), &weights);
            }
            let spreads: Vec<Spread> = ordered.iter().map(|x| Spread::of(x)).collect();
            let table = sums.thinned(&ordered, &spreads, &candidates, n);
            sums.tables.push(table);
            if sums
                .varying
                .iter()
                .zip(&spreads)
                .all(|(k, x)| x.settled(*k))
            {
                break;
            }
        }
        sums
    }

    /// What varies of single requests.
    fn kept(&self, singles: &[Components]) -> Pool {
        let column = |k: &usize| singles.iter().map(|x| x[*k]).collect();
        self.varying.iter().map(column).collect()
    }

    /// Rows of a table: one of each group of neighbours. The means of the top 1 % and of the rest are kept.
    fn thinned(
        &self,
        ordered: &Pool,
        spreads: &[Spread],
        candidates: &[Choices],
        n: f64,
    ) -> Vec<f32> {
        let top = ENTRIES - STRATA / 100 / GROUP;
        let width = self.varying.len();
        let mut rows = vec![0.0; ENTRIES * width];
        for groups in [0..top, top..ENTRIES] {
            let (first, count) = (groups.start, groups.len());
            let choices = &candidates[..count];
            let span = first * GROUP..groups.end * GROUP;
            let part: Vec<&[f64]> = ordered.iter().map(|x| &x[span.clone()]).collect();
            let targets: Vec<f64> = part
                .iter()
                .map(|x| x.iter().sum::<f64>() / GROUP as f64)
                .collect();
            let picked: Vec<[f64; CANDIDATES]> = part.iter().map(|x| sums_of(x, choices)).collect();
            // the one whose means are nearest
            let mut best = (f64::INFINITY, 0);
            for candidate in 0..CANDIDATES {
                let mut distance = 0.0;
                for ((picked, target), spread) in picked.iter().zip(&targets).zip(spreads) {
                    let d = (picked[candidate] - target) * spread.score_weight();
                    distance += d * d;
                }
                if distance < best.0 {
                    best = (distance, candidate);
                }
            }
            for (k, column) in part.iter().enumerate() {
                let sum = picked[k][best.1];
                let factor = if sum > 0.0 { targets[k] / sum } else { 1.0 };
                let rows = rows[first * width + k..].iter_mut().step_by(width);
                let groups = column.as_chunks::<GROUP>().0;
                for ((row, group), choices) in rows.zip(groups).zip(choices) {
                    *row = group[usize::from(choices[best.1])] * factor;
                }
            }
        }
        let factors: Vec<f64> = self
            .varying
            .iter()
            .enumerate()
            .map(|(at, k)| {
                let exact = self.means.mean[*k] * n * ENTRIES as f64;
                let sum: f64 = rows.iter().skip(at).step_by(width).sum();
                if sum > 0.0 { exact / sum } else { 0.0 }
            })
            .collect();
        rows.chunks_exact(width)
            .flat_map(|x| x.iter().zip(&factors).map(|(x, f)| (x * f) as f32))
            .collect()
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

/// Spread of a column.
struct Spread {
    mean: f64,
    variance: f64,
    third: f64,
}

impl Spread {
    fn of(column: &[f64]) -> Self {
        let n = column.len() as f64;
        let mean = column.iter().sum::<f64>() / n;
        let (mut second, mut third) = (0.0, 0.0);
        for x in column {
            let d = x - mean;
            second += d * d;
            third += d * d * d;
        }
        Self {
            mean,
            variance: second / n,
            third: third / n,
        }
    }

    /// 1 / standard deviation, 0 where it does not vary.
    fn score_weight(&self) -> f64 {
        if self.variance > 1e-18 * self.mean * self.mean {
            1.0 / f64::sqrt(self.variance)
        } else {
            0.0
        }
    }

    /// Whether further doublings would not change the shape of this component.
    fn settled(&self, component: usize) -> bool {
        let sd = f64::sqrt(self.variance);
        let least = if component < component::STOPPED {
            SETTLED_SKEWNESS
        } else {
            SETTLED_CUT_SKEWNESS
        };
        self.variance <= 0.0 || f64::abs(self.third / (self.variance * sd)) < least
    }
}

/// Sums of what each candidate picks.
fn sums_of(column: &[f64], choices: &[Choices]) -> [f64; CANDIDATES] {
    let mut sums = [0.0; CANDIDATES];
    for (group, choices) in column.as_chunks::<GROUP>().0.iter().zip(choices) {
        for (sum, choice) in sums.iter_mut().zip(choices) {
            *sum += group[usize::from(*choice) & (GROUP - 1)];
        }
    }
    sums
}

/// Which of a group's neighbours each candidate picks.
type Choices = [u8; CANDIDATES];

/// Random choices for every group.
fn candidates() -> Vec<Choices> {
    let mut streams: [Stream; CANDIDATES] = std::array::from_fn(|key| {
        Stream::from_hash((key as u64).wrapping_mul(0xe703_7ed1_a0b4_28db) + 31)
    });
    let mut choose = |_| std::array::from_fn(|i| (streams[i].bits() >> 62) as u8);
    (0..ENTRIES).map(&mut choose).collect()
}

/// Single requests of a law, under caps if there is a gateway.
#[must_use]
pub fn singles(of: &Stratified, cut: Option<(Gateway, Level)>) -> Vec<Components> {
    let prefix = of.law.typical_prefix;
    let mut maker = match cut {
        None => Maker::linear(prefix),
        Some((gateway, level)) => Maker::cut(prefix, gateway, level),
    };
    drawn(of.sampler(4), &mut maker)
}

fn drawn(mut sampler: Sampler, maker: &mut Maker) -> Vec<Components> {
    (0..STRATA)
        .map(|_| {
            let request = sampler.request();
            maker.make(&mut sampler, &request)
        })
        .collect()
}

/// Rows in ascending order of their weighted sums.
fn sorted(pool: &Pool, weights: &[f64]) -> Pool {
    const PLACE: u64 = STRATA as u64 - 1;
    let mut scores = vec![0.0; STRATA];
    for (column, weight) in pool.iter().zip(weights) {
        for (score, x) in scores.iter_mut().zip(column) {
            *score += x * weight;
        }
    }
    // of numbers >= 0 the bits are in the same order; the last ones make room for the row's place
    let key = |(i, score): (u64, f64)| score.to_bits() & !PLACE | i;
    let mut keys: Vec<u64> = (0..).zip(scores).map(key).collect();
    keys.sort_unstable();
    let ordered = |column: &Vec<f64>| {
        let row = |key: &u64| column[(key & PLACE) as usize];
        keys.iter().map(row).collect()
    };
    pool.iter().map(ordered).collect()
}

/// Sums of twice as many requests: each entry with the one that the lattice gives it.
fn doubled(ordered: &Pool) -> Pool {
    let of = |column: &Vec<f64>| {
        let other = |i: usize| column[(i * LATTICE + LATTICE / 2) & (STRATA - 1)];
        (0..STRATA).map(|i| column[i] + other(i)).collect()
    };
    ordered.iter().map(of).collect()
}

/// The largest values of each quantity.
struct Tails {
    /// What the samplers of the rest draw from, and the values above it.
    split: [(Arc<Strata>, Arc<Strata>); TAILED.len()],
    order: [Shuffled; TAILED.len()],
    counts: [Shuffled; TAILED.len()],
    base: Sampler,
    maker: Maker,
    mean_calls: f64,
}

impl Tails {
    fn new(of: &Stratified, maker: Maker) -> Self {
        let split = of.split().clone();
        let mut body = of.whole().clone();
        for (q, (below, _)) in TAILED.into_iter().zip(&split) {
            body[q] = Arc::clone(below);
        }
        let shuffled =
            |key: u64| Shuffled::new(Stream::from_hash(key.wrapping_mul(0xa076_1d64_78bd_642f)));
        Self {
            base: Sampler::new(body, 2),
            order: std::array::from_fn(|i| shuffled(11 + i as u64)),
            counts: std::array::from_fn(|i| shuffled(21 + i as u64)),
            maker,
            mean_calls: of.law.calls.mean(),
            split,
        }
    }

    fn body(&self) -> Sampler {
        Sampler::new(self.base.strata.clone(), 1)
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

    /// Gives sums of `n` requests without tails the tails that they should have.
    fn add(&mut self, pool: &mut Pool, varying: &[usize], n: f64) {
        for (t, q) in TAILED.into_iter().enumerate() {
            let above = &self.split[t].1;
            if above.is_fixed() {
                continue;
            }
            // output is drawn per call, the others per request
            let expected = n * TAIL * if q == 4 { self.mean_calls } else { 1.0 };
            let by_stratum = poisson(expected);
            let counts: Vec<u32> = (0..STRATA)
                .map(|_| by_stratum[self.counts[t].stratum()])
                .collect();
            let total: u32 = counts.iter().sum();
            // few values: each stands for a slice of the tail, so that their mean is the tail's
            let mut values = Slices::new(above, total as usize, &mut self.order[t]);
            for (row, count) in counts.into_iter().enumerate() {
                for _ in 0..count {
                    let value = values.next(above, &mut self.order[t]);
                    let more = self.maker.increment(&mut self.base, q, value);
                    for (column, k) in pool.iter_mut().zip(varying) {
                        // under caps a larger request may spend less
                        column[row] = (column[row] + more[*k]).max(0.0);
                    }
                }
            }
        }
    }
}

/// Values of a tail, in random order.
struct Slices {
    /// Means of slices, taken from the end; empty if the strata themselves are taken.
    means: Vec<f64>,
}

impl Slices {
    fn new(tail: &Strata, count: usize, order: &mut Shuffled) -> Self {
        if count >= STRATA || count == 0 {
            return Self { means: Vec::new() };
        }
        let mut keys: Vec<u64> = (0..count)
            .map(|i| (order.stratum() * STRATA + count - 1 - i) as u64)
            .collect();
        keys.sort_unstable();
        let slice = |key: &u64| {
            let i = count - 1 - *key as usize % STRATA;
            tail.mean_between(i * STRATA / count, (i + 1) * STRATA / count)
        };
        Self {
            means: keys.iter().rev().map(slice).collect(),
        }
    }

    fn next(&mut self, tail: &Strata, order: &mut Shuffled) -> f64 {
        self.means.pop().unwrap_or_else(|| tail.at(order.stratum()))
    }
}

/// Poisson counts at the middle of each of [`STRATA`] slices of the probability, by inverse CDF.
fn poisson(expected: f64) -> Vec<u32> {
    let (mut k, mut weight) = (0, libm::exp(-expected));
    let mut below = weight;
    let count = |i: usize| {
        let u = (i as f64 + 0.5) / STRATA as f64;
        while u > below && k < 64 {
            k += 1;
            weight *= expected / f64::from(k);
            below += weight;
        }
        k
    };
    (0..STRATA).map(count).collect()
}

#[cfg(test)]
pub(crate) mod tests;
