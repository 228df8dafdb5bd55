//! Random streams: one per (seed, trial, entity, purpose, block), so that no draw depends on which other draws are made.
//!
//! The key is hashed before it seeds a generator: seeds that differ by a generator's own increment do not overlap.
//! The generator is xoshiro256++ (Blackman and Vigna), whose values are the same on every target.

use rand::{SeedableRng, rand_core::Rng, rngs::Xoshiro256PlusPlus};

/// Purposes of the engine's own streams; those below 100 belong to fields
/// ([`crate::domain::field::FieldSpec::purpose`]). Never renumbered: a change moves every result.
pub mod purpose {
    /// Restlessness of the hours of a month (block: calendar month).
    pub const HOUR_NOISE: u32 = 100;
    /// Requests of a month (block: calendar month).
    pub const COUNT: u32 = 101;
    /// What the requests of a month add up to (block: calendar month).
    pub const REQUESTS: u32 = 102;
    /// Cost of single hours within a month (block: calendar month).
    pub const HOUR_COST: u32 = 103;
    /// Runaway requests that begin in a month (block: calendar month).
    pub const RUNAWAYS: u32 = 140;
    /// Multiplier of a seasonal window (block: its list index and year).
    pub const WINDOW: u32 = 104;
    /// Shared demand shock (entity 0; block: week of the horizon).
    pub const DEMAND_SHOCK: u32 = 105;
    /// Which requests of a month are long, and which are sent to the wrong lane (block: calendar month).
    pub const LANES: u32 = 110;
    /// Between the purposes of a feature's flows.
    pub const FLOW: u32 = 1_000;
}

/// What a stream is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamKey {
    /// Seed of the scenario.
    pub seed: u64,
    /// Trial, from 0.
    pub trial: u32,
    /// Id of the entity that draws.
    pub entity: u32,
    /// Field purpose, or one of [`purpose`].
    pub purpose: u32,
    /// Part of the horizon, 0 where there is only one.
    pub block: u32,
}

/// Finaliser with full avalanche ("moremur", a SplitMix64 output function with better constants, by Pelle Evensen).
const fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 27)).wrapping_mul(0x3c79_ac49_2ba7_b653);
    let x = (x ^ (x >> 33)).wrapping_mul(0x1c69_b3f7_4ac4_ae35);
    x ^ (x >> 27)
}

impl StreamKey {
    /// 64 well-mixed bits.
    #[must_use]
    pub const fn hash(self) -> u64 {
        let who = ((self.trial as u64) << 32) | self.entity as u64;
        let what = ((self.purpose as u64) << 32) | self.block as u64;
        // each word goes through the finaliser before the next is added, so that no two keys cancel
        let h = mix(self.seed ^ 0x6a09_e667_f3bc_c908);
        let h = mix(h ^ who.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        mix(h.wrapping_add(0xbb67_ae85_84ca_a73b) ^ mix(what ^ 0x3c6e_f372_fe94_f82b))
    }

    /// The stream.
    #[must_use]
    pub fn stream(self) -> Stream {
        Stream::from_hash(self.hash())
    }

    /// Its first uniform, for quantities that are drawn once.
    #[must_use]
    pub fn uniform(self) -> f64 {
        unit_open(mix(self.hash() ^ 0xa54f_f53a_5f1d_36f1))
    }
}

/// A uniform strictly between 0 and 1 from the high 52 bits: never 0, never 1, symmetric.
#[must_use]
#[allow(clippy::cast_precision_loss)] // 52 bits fit
pub const fn unit_open(bits: u64) -> f64 {
    ((bits >> 12) as f64 + 0.5) * (1.0 / 4_503_599_627_370_496.0)
}

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// From 64 mixed bits.
    #[must_use]
    pub fn from_hash(hash: u64) -> Self {
        let mut seed = [0; 32];
        let mut state = hash;
        for word in seed.chunks_exact_mut(8) {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            word.copy_from_slice(&mix(state).to_le_bytes());
        }
        Self(Xoshiro256PlusPlus::from_seed(seed))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform strictly between 0 and 1.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        unit_open(self.bits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: StreamKey = StreamKey {
        seed: 42,
        trial: 7,
        entity: 3,
        purpose: 1,
        block: 0,
    };

    #[test]
    fn values_never_change() {
        let mut s = KEY.stream();
        assert_eq!(
            [KEY.hash(), s.bits(), s.bits(), KEY.uniform().to_bits()],
            [
                15_597_388_590_175_747_661,
                17_618_894_078_517_536_522,
                16_797_744_906_145_592_876,
                4_593_875_299_672_956_420
            ]
        );
    }

    #[test]
    fn seeds_one_increment_apart_do_not_overlap() {
        let step: u64 = 0x9e37_79b9_7f4a_7c15;
        let at = |seed| {
            let mut s = StreamKey { seed, ..KEY }.stream();
            (0..1000).map(|_| s.bits()).collect::<Vec<_>>()
        };
        let first: std::collections::BTreeSet<u64> = at(42).into_iter().collect();
        for k in 1..4u64 {
            let other = at(42u64.wrapping_add(k.wrapping_mul(step)));
            assert!(other.iter().all(|x| !first.contains(x)));
        }
    }

    #[test]
    fn every_part_of_the_key_matters_and_neighbours_are_independent() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..4 {
            for trial in 0..8 {
                for entity in 0..8 {
                    for purpose in 0..8 {
                        for block in 0..8 {
                            seen.insert(
                                StreamKey {
                                    seed,
                                    trial,
                                    entity,
                                    purpose,
                                    block,
                                }
                                .hash(),
                            );
                        }
                    }
                }
            }
        }
        assert_eq!(seen.len(), 4 * 8 * 8 * 8 * 8);
        // correlation of neighbouring trials and entities: sd 1 / sqrt(n) = 0.0032
        let n = 100_000u32;
        for other in [
            |t| StreamKey {
                trial: t + 1,
                ..KEY
            },
            |t| StreamKey {
                trial: t,
                entity: 4,
                ..KEY
            },
            |t| StreamKey {
                trial: t,
                block: 1,
                ..KEY
            },
        ] {
            let product: f64 = (0..n)
                .map(|t| {
                    let a = StreamKey { trial: t, ..KEY }.uniform() - 0.5;
                    a * (other(t).uniform() - 0.5)
                })
                .sum();
            assert!((product * 12.0 / f64::from(n)).abs() < 0.015);
        }
    }
}
