//! Headroom of a key: its limit minus the planned quantile of one minute's load.

use super::{LimitMonth, Loads};
use crate::engine::requests::minute::law::HourShape;

/// A month under a limit.
#[must_use]
pub fn month(limit: f64, loads: &Loads, shape: &HourShape) -> LimitMonth {
    let mut out = LimitMonth::default();
    for (mean, variance) in loads.mean.iter().zip(&loads.variance) {
        out.add(limit, shape.planned(*mean, *variance));
    }
    out
}
