//! Headroom of a key: its limit minus the planned quantile of one minute's load.

use super::{LimitMonth, Loads};
use crate::engine::requests::minute::Shape;

/// A month under a limit.
#[must_use]
pub fn month(limit: f64, loads: &Loads, shape: &Shape) -> LimitMonth {
    let mut out = LimitMonth::default();
    for hour in 0..loads.mean.len() {
        out.add(limit, loads.planned(hour, shape));
    }
    out
}
