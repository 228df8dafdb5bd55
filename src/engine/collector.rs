//! Trials come in, in any order and any batches; projections go out.
//!
//! Every value is stored by column, so that a month, a sum of months or an input can be read over all trials. A result
//! depends only on which trials are in: sums run in trial order. Memory: 8 bytes per money value and 4 per physical
//! value, for columns in which trials differ at all.

use thiserror::Error;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::columns::Batch;
use super::plan::Plan;
use super::projection::{ENGINE_VERSION, Projection};

mod blank;
mod build;
mod outline;
mod store;

pub use build::Building;
pub use outline::{BudgetOutline, LimitOutline, Outline};

use store::{Cell, Columns};

/// Why a batch is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CollectError {
    /// It was made from another plan.
    #[error("batch has another layout")]
    Layout,
    /// It has trials that nobody asked for.
    #[error("trial {0} is not one of this run")]
    Trial(u32),
    /// A value is not a number, or too large to compute with.
    #[error("trial {0} has a value that is not finite")]
    NotFinite(u32),
    /// A trial came twice with different values.
    #[error("trial {0} came out differently when run again")]
    NotReproduced(u32),
    /// There is no memory for so many trials of so large a plan.
    #[error("not enough memory for this many trials")]
    Memory,
}

/// Trials that are in.
#[derive(Clone, Debug)]
pub struct Collector {
    outline: Outline,
    money: Columns<f64>,
    physical: Columns<f32>,
    inputs: Columns<f32>,
    /// Trials that are in, as ranges in ascending order that do not touch.
    ranges: Vec<(u32, u32)>,
    /// Digest of each trial's row.
    digests: Vec<u128>,
    bytes: Vec<u8>,
}

impl Collector {
    /// For the trials that a plan wants.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        Self::of(Outline::from(plan))
    }

    /// For the trials that an outline wants.
    #[must_use]
    pub fn of(outline: Outline) -> Self {
        let layout = &outline.layout;
        let trials = outline.trials as usize;
        Self {
            money: Columns::new(layout.money_width(), trials, 0.0),
            physical: Columns::new(layout.physical_width(), trials, 0.0),
            inputs: Columns::new(layout.inputs, trials, 0.0),
            ranges: Vec::new(),
            digests: vec![0; trials],
            bytes: Vec::new(),
            outline,
        }
    }

    /// Takes a batch. Trials that are already in are compared and left out.
    ///
    /// # Errors
    ///
    /// The batch is of another plan, holds a value that may not be shown, or contradicts what is in: then nothing of it
    /// is taken. Or there is no memory left, and this run cannot go on.
    pub fn add(&mut self, batch: &Batch) -> Result<(), CollectError> {
        let layout = &self.outline.layout;
        let widths = [layout.money_width(), layout.physical_width(), layout.inputs];
        let n = batch.trials as usize;
        if [batch.money.len(), batch.physical.len(), batch.inputs.len()] != widths.map(|w| w * n) {
            return Err(CollectError::Layout);
        }
        let end = batch.first_trial.saturating_add(batch.trials);
        if end > self.outline.trials {
            return Err(CollectError::Trial(
                batch.first_trial.max(self.outline.trials),
            ));
        }
        for (values, width) in [(&batch.physical, widths[1]), (&batch.inputs, widths[2])] {
            if let Some(at) = values.iter().position(|x| !x.is_shown()) {
                return Err(CollectError::NotFinite(
                    batch.first_trial + (at / width) as u32,
                ));
            }
        }
        if let Some(at) = batch.money.iter().position(|x| !x.is_shown()) {
            return Err(CollectError::NotFinite(
                batch.first_trial + (at / widths[0]) as u32,
            ));
        }

        let mut digests = Vec::with_capacity(n);
        for (row, trial) in (batch.first_trial..end).enumerate() {
            let digest = self.row_digest(batch, row, widths);
            if self.has(trial) && self.digests[trial as usize] != digest {
                return Err(CollectError::NotReproduced(trial));
            }
            digests.push(digest);
        }
        let mut trial = batch.first_trial;
        while trial < end {
            if self.has(trial) {
                trial += 1;
                continue;
            }
            let first = trial;
            while trial < end && !self.has(trial) {
                trial += 1;
            }
            let rows = (first - batch.first_trial) as usize..(trial - batch.first_trial) as usize;
            let part = |width: usize| rows.start * width..rows.end * width;
            self.money
                .put(first as usize, &batch.money[part(widths[0])])
                .map_err(|_| CollectError::Memory)?;
            self.physical
                .put(first as usize, &batch.physical[part(widths[1])])
                .map_err(|_| CollectError::Memory)?;
            self.inputs
                .put(first as usize, &batch.inputs[part(widths[2])])
                .map_err(|_| CollectError::Memory)?;
            self.digests[first as usize..trial as usize].copy_from_slice(&digests[rows]);
            self.insert(first, trial);
        }
        Ok(())
    }

    /// Trials that are in.
    #[must_use]
    pub fn trials_in(&self) -> u32 {
        self.ranges.iter().map(|(a, b)| b - a).sum()
    }

    /// Trials that are not in, as ranges from the first to before the end.
    #[must_use]
    pub fn missing(&self) -> Vec<(u32, u32)> {
        let mut missing = Vec::new();
        let mut from = 0;
        for (a, b) in self
            .ranges
            .iter()
            .copied()
            .chain([(self.outline.trials, self.outline.trials)])
        {
            if from < a {
                missing.push((from, a));
            }
            from = b;
        }
        missing
    }

    /// Everything that the trials that are in say, causes excepted.
    #[must_use]
    pub fn projection(&mut self) -> Projection {
        let mut building = self.begin();
        while building.step(self) {}
        building.finish()
    }

    /// Starts a projection of the trials that are in now, to be built in steps of a few milliseconds. Batches may come
    /// in between the steps; they do not count.
    #[must_use]
    pub fn begin(&self) -> Building {
        Building::new(self)
    }

    /// Digest of every stored value in trial order and the engine's version; none before all trials are in.
    #[must_use]
    pub fn result_digest(&self) -> Option<String> {
        if self.trials_in() != self.outline.trials {
            return None;
        }
        let mut hash = Xxh3::new();
        hash.update(&ENGINE_VERSION.to_le_bytes());
        for digest in &self.digests {
            hash.update(&digest.to_le_bytes());
        }
        Some(format!("{:032x}", hash.digest128()))
    }

    /// Bytes of the stored values.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.money.bytes() + self.physical.bytes() + self.inputs.bytes() + self.digests.len() * 16
    }

    fn row_digest(
        &mut self,
        batch: &Batch,
        row: usize,
        [money, physical, inputs]: [usize; 3],
    ) -> u128 {
        self.bytes.clear();
        for x in &batch.money[row * money..(row + 1) * money] {
            self.bytes.extend_from_slice(&x.to_le_bytes());
        }
        for x in &batch.physical[row * physical..(row + 1) * physical] {
            self.bytes.extend_from_slice(&x.to_le_bytes());
        }
        for x in &batch.inputs[row * inputs..(row + 1) * inputs] {
            self.bytes.extend_from_slice(&x.to_le_bytes());
        }
        xxh3_128(&self.bytes)
    }

    fn has(&self, trial: u32) -> bool {
        let at = self.ranges.partition_point(|r| r.1 <= trial);
        self.ranges.get(at).is_some_and(|r| r.0 <= trial)
    }

    /// Adds a range of trials that are not in.
    fn insert(&mut self, first: u32, end: u32) {
        let at = self.ranges.partition_point(|r| r.0 < first);
        self.ranges.insert(at, (first, end));
        self.ranges.dedup_by(|next, previous| {
            let touch = previous.1 == next.0;
            if touch {
                previous.1 = next.1;
            }
            touch
        });
    }
}

#[cfg(test)]
mod tests;
