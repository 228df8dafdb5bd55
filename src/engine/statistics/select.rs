//! Summaries of many columns: order statistics are selected, columns are not sorted.

use super::{mean_and_error, order_interval, order_key, quantile_index};
use crate::engine::projection::{PERMILLE, Summary};

/// Buckets that values are sorted into to find order statistics.
const BUCKETS: usize = 4096;
/// Below this many values sorting is as fast.
const FEW: usize = 256;

/// Summaries of columns of one length: ranks are computed once, buffers are kept.
#[derive(Clone, Debug)]
pub struct Summarizer {
    n: usize,
    intervals: [(Option<usize>, Option<usize>); 8],
    /// Places from 0 of all order statistics that a summary reads, ascending.
    places: Vec<usize>,
    /// What stands there in the present column.
    found: Vec<f64>,
    bucket_of: Vec<u16>,
    /// Values of the buckets that hold a wanted place.
    gathered: Vec<f64>,
}

impl Summarizer {
    /// For columns of `n` values.
    #[must_use]
    pub fn new(n: usize) -> Self {
        let intervals = PERMILLE.map(|p| order_interval(n, p));
        let mut places: Vec<usize> = intervals
            .iter()
            .flat_map(|(low, high)| [*low, *high])
            .flatten()
            .map(|rank| rank - 1)
            .chain(PERMILLE.map(|p| quantile_index(n, p)))
            .filter(|place| *place < n)
            .collect();
        places.sort_unstable();
        places.dedup();
        Self {
            n,
            intervals,
            places,
            found: Vec::new(),
            bucket_of: Vec::new(),
            gathered: Vec::new(),
        }
    }

    /// Summary of a column in trial order. Its length should be the summarizer's.
    pub fn summary(&mut self, values: &[f64]) -> Summary {
        let Some(first) = values.first() else {
            return Summary::default();
        };
        if values.len() != self.n {
            *self = Self::new(values.len());
        }
        let (mut smallest, mut largest) = (*first, *first);
        for x in values {
            smallest = if *x < smallest { *x } else { smallest };
            largest = if *x > largest { *x } else { largest };
        }
        if smallest == largest {
            // a sum of equal numbers may round; their mean does not
            let bound = |rank: Option<usize>| rank.map(|_| smallest);
            return Summary {
                mean: smallest,
                mean_error: 0.0,
                p: [smallest; 8],
                low: self.intervals.map(|(low, _)| bound(low)),
                high: self.intervals.map(|(_, high)| bound(high)),
            };
        }
        let (mean, mean_error) = mean_and_error(values);
        self.select(values, smallest, largest);
        let at = |place: usize| {
            let at = self.places.partition_point(|p| *p < place);
            self.found.get(at).copied().unwrap_or(largest)
        };
        let bound = |rank: Option<usize>| rank.map(|r| at(r - 1));
        Summary {
            mean: mean.clamp(smallest, largest),
            mean_error,
            p: PERMILLE.map(|p| at(quantile_index(self.n, p))),
            low: self.intervals.map(|(low, _)| bound(low)),
            high: self.intervals.map(|(_, high)| bound(high)),
        }
    }

    /// Finds the wanted order statistics: counts values by bucket, then sorts only the buckets that hold one. About
    /// two passes over the values, several times faster than sorting them.
    fn select(&mut self, values: &[f64], smallest: f64, largest: f64) {
        self.found.clear();
        self.gathered.clear();
        if values.len() < FEW {
            self.gathered.extend_from_slice(values);
            self.gathered.sort_unstable_by(f64::total_cmp);
            self.found
                .extend(self.places.iter().map(|p| self.gathered[*p]));
            return;
        }
        // Any rising map to buckets is right; these spread the values well. By leading bits for numbers of one sign,
        // whose tail may be long; evenly where the sign changes, since most bits then tell apart what is close to 0.
        let mut counts = [0_u32; BUCKETS];
        self.bucket_of.clear();
        if smallest >= 0.0 || largest <= 0.0 {
            let (low, high) = (order_key(smallest + 0.0), order_key(largest + 0.0));
            let shift = (64 - (high - low).leading_zeros()).saturating_sub(BUCKETS.ilog2());
            self.bucket_of.extend(
                values
                    .iter()
                    .map(|x| ((order_key(x + 0.0) - low) >> shift) as u16),
            );
        } else {
            let scale = (BUCKETS - 1) as f64 / (largest - smallest);
            self.bucket_of.extend(
                values
                    .iter()
                    .map(|x| (((x - smallest) * scale) as usize).min(BUCKETS - 1) as u16),
            );
        }
        for bucket in &self.bucket_of {
            counts[usize::from(*bucket) % BUCKETS] += 1;
        }
        // where the values of a wanted bucket go; u32::MAX: not wanted
        let mut slots = [u32::MAX; BUCKETS];
        let mut places = self.places.iter().peekable();
        let (mut before, mut gathered) = (0_usize, 0_u32);
        let mut wanted: Vec<(usize, usize, usize)> = Vec::with_capacity(self.places.len());
        for (bucket, count) in counts.iter().enumerate() {
            let end = before + *count as usize;
            if places.peek().is_some_and(|p| **p < end) {
                slots[bucket] = gathered;
                let start = gathered as usize;
                wanted.push((start, start + *count as usize, before));
                gathered += *count;
                while places.next_if(|p| **p < end).is_some() {}
            }
            before = end;
        }
        self.gathered.resize(gathered as usize, 0.0);
        for (x, bucket) in values.iter().zip(&self.bucket_of) {
            let slot = &mut slots[usize::from(*bucket) % BUCKETS];
            if *slot != u32::MAX {
                self.gathered[*slot as usize] = *x;
                *slot += 1;
            }
        }
        let mut places = self.places.iter().peekable();
        for (start, end, before) in wanted {
            let bucket = &mut self.gathered[start..end];
            bucket.sort_unstable_by(f64::total_cmp);
            while let Some(place) = places.next_if(|p| **p - before < bucket.len()) {
                self.found.push(bucket[place - before]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::statistics::{quantile, summary};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn selecting_is_sorting(values in prop::collection::vec(prop_oneof![
            prop::num::f64::NORMAL | prop::num::f64::ZERO,
            -1e6..1e6,
            0.0..1e6,
            (0_u64..50).prop_map(|k| f64::from_bits(1e6_f64.to_bits() + k)),
            Just(0.0),
        ], 1..3000), positive in any::<bool>()) {
            let values: Vec<f64> = values.into_iter().map(|x| if positive { x.abs() } else { x }).collect();
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            let found = summary(&values);
            prop_assert_eq!(found.p, PERMILLE.map(|p| quantile(&sorted, p)));
            let intervals = PERMILLE.map(|p| order_interval(values.len(), p));
            prop_assert_eq!(found.low, intervals.map(|(low, _)| low.map(|r| sorted[r - 1])));
            prop_assert_eq!(found.high, intervals.map(|(_, high)| high.map(|r| sorted[r - 1])));
        }

        #[test]
        fn percentiles_lie_in_their_intervals(values in prop::collection::vec(-1e9..1e9, 1..600)) {
            let s = summary(&values);
            for i in 0..8 {
                prop_assert!(s.low[i].is_none_or(|low| low <= s.p[i]));
                prop_assert!(s.high[i].is_none_or(|high| high >= s.p[i]));
                prop_assert!(i == 0 || s.p[i - 1] <= s.p[i]);
            }
        }
    }
}
