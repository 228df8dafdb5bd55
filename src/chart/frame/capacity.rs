//! Needed against committed capacity of one pool, on its own.

use jiff::civil::Date;

use super::stack::HeadroomRow;
use super::stack::headroom::plot;
use super::time::TimeAxis;
use super::usage::month_names;
use crate::chart::scene::{Area, Scene};

/// The picture and its axis.
#[derive(Clone, Debug, PartialEq)]
pub struct CapacityFrame {
    /// What to draw.
    pub scene: Scene,
    /// Months.
    pub axis: TimeAxis,
    /// Inside of the axes.
    pub plot: Area,
}

/// Lays the chart out; `row.committed` holds the limit of each month.
#[must_use]
pub fn capacity(
    row: &HeadroomRow,
    start: Date,
    months: &[String],
    width: f64,
    height: f64,
) -> CapacityFrame {
    let area = Area::new(
        52.0,
        12.0,
        (width - 52.0).max(110.0),
        (height - 24.0).max(50.0),
    );
    let axis = TimeAxis::new(start, months.len(), area.left, area.right);
    let mut scene = Scene::new(width, height);
    month_names(&mut scene, months, &axis, area.bottom + 12.0);
    plot(&mut scene, row, &axis, &area);
    CapacityFrame {
        scene,
        axis,
        plot: area,
    }
}
