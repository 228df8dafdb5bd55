//! Headroom of a key: its limit minus the planned quantile of one minute's load.

use super::LimitMonth;

/// A month under a limit, from the planned minute of each hour.
#[must_use]
pub fn month(limit: f64, planned: &[f64]) -> LimitMonth {
    let mut out = LimitMonth::default();
    for load in planned {
        out.add(limit, *load);
    }
    out
}
