//! Uncertain inputs that move together: independent normal scores times a Cholesky factor.

use serde::{Deserialize, Serialize};

use crate::{
    domain::{
        dependence::{self, Correlation},
        distribution::special::{normal_cdf, normal_quantile},
        field::{FieldPath, spec},
        scenario::Id,
    },
    engine::rng::StreamKey,
};

/// An input of the table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Member {
    entity: Id,
    purpose: u32,
    /// Whether it is drawn for every occurrence of a window: then its score belongs to the occurrence.
    occurs: bool,
}

/// The table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Together {
    members: Vec<Member>,
    /// Lower triangle row by row.
    factor: Vec<f64>,
}

impl Together {
    /// Of valid pairs, and the path of each row.
    #[must_use]
    pub(super) fn new(pairs: &[Correlation]) -> (Self, Vec<FieldPath>) {
        let paths = dependence::members(pairs);
        let members = paths
            .iter()
            .map(|path| {
                let (section, id, name) = path.parts();
                Member {
                    entity: id.unwrap_or(Id(0)),
                    purpose: spec(section, name).map_or(0, |s| s.purpose),
                    occurs: section == "seasons",
                }
            })
            .collect();
        let factor = dependence::factor(pairs).unwrap_or_default();
        (Self { members, factor }, paths)
    }

    /// The uniform of a row. Scores of windows are those of the same occurrence (`block`); features have one each.
    #[must_use]
    pub fn uniform(&self, seed: u64, trial: u32, row: u32, block: u32) -> f64 {
        let row = row as usize;
        let first = row * (row + 1) / 2;
        let mut score = 0.0;
        for (member, weight) in self.members.iter().zip(&self.factor[first..=first + row]) {
            if *weight == 0.0 {
                continue;
            }
            let key = StreamKey {
                seed,
                trial,
                entity: member.entity.0,
                purpose: member.purpose,
                block: if member.occurs { block } else { 0 },
            };
            score += weight * normal_quantile(key.uniform());
        }
        normal_cdf(score)
    }
}
