//! Per-trial values by column, as small as they can be: a column in which no trial differs is one number.

use std::collections::TryReserveError;

/// A number that columns are made of.
pub trait Cell: Copy + PartialEq + Into<f64> {
    /// Whether it is a number that may be shown, and so may all that is made of it.
    fn is_shown(self) -> bool;
    /// −0 becomes 0, so that which came first cannot matter.
    fn plain(self) -> Self;
}

/// Beyond this, squares and sums over trials might no longer be finite.
const LARGEST: f64 = 1e100;

impl Cell for f64 {
    fn is_shown(self) -> bool {
        self.abs() <= LARGEST
    }
    fn plain(self) -> Self {
        self + 0.0
    }
}

impl Cell for f32 {
    fn is_shown(self) -> bool {
        self.is_finite()
    }
    fn plain(self) -> Self {
        self + 0.0
    }
}

#[derive(Clone, Debug)]
enum Column<T> {
    Same(T),
    /// By trial; places of trials that are not in hold any value.
    ByTrial(Vec<T>),
}

/// Columns of one kind.
#[derive(Clone, Debug)]
pub struct Columns<T> {
    columns: Vec<Column<T>>,
    trials: usize,
    empty: bool,
}

impl<T: Cell> Columns<T> {
    /// `width` columns for `trials` trials.
    pub fn new(width: usize, trials: usize, zero: T) -> Self {
        Self {
            columns: vec![Column::Same(zero); width],
            trials,
            empty: true,
        }
    }

    /// Takes rows as the trials from `first` on. An error if there is no memory for a column.
    pub fn put(&mut self, first: usize, rows: &[T]) -> Result<(), TryReserveError> {
        let width = self.columns.len();
        if width == 0 || rows.is_empty() {
            return Ok(());
        }
        for (at, column) in self.columns.iter_mut().enumerate() {
            let mut values = rows[at..].iter().step_by(width).map(|x| x.plain());
            if let Column::Same(same) = column {
                if self.empty {
                    *same = rows[at].plain();
                }
                let same = *same;
                if values.clone().all(|x| x == same) {
                    continue;
                }
                let mut all = Vec::new();
                all.try_reserve_exact(self.trials)?;
                all.resize(self.trials, same);
                *column = Column::ByTrial(all);
            }
            if let Column::ByTrial(all) = column {
                for slot in &mut all[first..] {
                    let Some(x) = values.next() else { break };
                    *slot = x;
                }
            }
        }
        self.empty = false;
        Ok(())
    }

    /// Adds a column to `out`, trial by trial of the given ranges.
    pub fn add_to(&self, column: usize, ranges: &[(u32, u32)], out: &mut [f64]) {
        match &self.columns[column] {
            Column::Same(x) => {
                let x: f64 = (*x).into();
                if x != 0.0 {
                    out.iter_mut().for_each(|o| *o += x);
                }
            }
            Column::ByTrial(all) => {
                let values = ranges
                    .iter()
                    .flat_map(|(a, b)| &all[*a as usize..*b as usize]);
                for (o, x) in out.iter_mut().zip(values) {
                    *o += (*x).into();
                }
            }
        }
    }

    /// Whether no trial differs from another.
    pub fn is_same(&self, column: usize) -> bool {
        matches!(self.columns[column], Column::Same(_))
    }

    /// Bytes of the values.
    pub fn bytes(&self) -> usize {
        self.columns
            .iter()
            .map(|c| match c {
                Column::Same(_) => 0,
                Column::ByTrial(all) => all.len() * size_of::<T>(),
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_grows_only_when_a_trial_differs() {
        let mut columns = Columns::new(3, 4, 0.0_f32);
        columns
            .put(2, &[5.0, 1.0, -0.0, 5.0, 2.0, 0.0])
            .expect("memory");
        assert!(columns.is_same(0) && !columns.is_same(1) && columns.is_same(2));
        assert_eq!(columns.bytes(), 16);
        columns
            .put(0, &[6.0, 3.0, 0.0, 5.0, 4.0, 0.0])
            .expect("memory");
        let read = |column, ranges: &[(u32, u32)]| {
            let mut out = vec![0.0; ranges.iter().map(|r| (r.1 - r.0) as usize).sum()];
            columns.add_to(column, ranges, &mut out);
            out
        };
        assert_eq!(read(0, &[(0, 4)]), [6.0, 5.0, 5.0, 5.0]);
        assert_eq!(read(1, &[(0, 4)]), [3.0, 4.0, 1.0, 2.0]);
        assert_eq!(read(1, &[(0, 1), (3, 4)]), [3.0, 2.0]);
        assert_eq!(read(2, &[(1, 3)]), [0.0, 0.0]);
    }
}
