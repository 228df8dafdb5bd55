//! Fiscal years, months and quarter lines.

use super::{MONTHS_Y, PLOT_TOP, Sizes, StackInput};
use crate::chart::frame::time::TimeAxis;
use crate::chart::scene::{Anchor, Ink, Scene, at, fitted, text_width, tick};

/// Upright lines at the quarters of the calendar, from the first plot to the bottom.
pub(super) fn grid(
    scene: &mut Scene,
    input: &StackInput,
    axis: &TimeAxis,
    sizes: &Sizes,
    bottom: f64,
) {
    for (index, month) in input.calendar.iter().enumerate() {
        if month % 3 == 1 || index == 0 {
            scene.upright(axis.month(index).0, PLOT_TOP, bottom, 1.0, Ink::Grid);
        }
    }
    scene.upright(sizes.right, PLOT_TOP, bottom, 1.0, Ink::Grid);
}

/// Names of months, and brackets of fiscal years over them.
pub(super) fn names(scene: &mut Scene, input: &StackInput, axis: &TimeAxis) {
    let last = input.years.len().saturating_sub(1);
    for (index, year) in input.years.iter().enumerate() {
        if year.months == 0 {
            continue;
        }
        let from = axis.month(year.first).0 + 1.0;
        let gap = if index < last { 3.0 } else { 0.0 };
        let to = axis.month(year.first + year.months - 1).1 - gap;
        scene.level(from, to, 13.0, 1.0, Ink::Line2);
        let name = fitted(&year.name, 11.0, true, to - from);
        scene.text(tick(at(from + 1.0, 5.0), Anchor::Start, name).strong());
    }
    let every = every(&input.months, axis);
    for (index, name) in input.months.iter().enumerate() {
        let strong = input.strong_month == Some(index);
        let month = usize::from(input.calendar.get(index).copied().unwrap_or(1));
        let named = month.saturating_sub(1).is_multiple_of(every);
        let crowded = every > 1
            && input
                .strong_month
                .is_some_and(|s| s.abs_diff(index) < every.min(4) / 2 + 1);
        if !strong && (!named || crowded) {
            continue;
        }
        let (from, to) = axis.month(index);
        let text = tick(at(f64::midpoint(from, to), MONTHS_Y), Anchor::Middle, name);
        scene.text(if strong {
            text.strong().inked(Ink::Ink1)
        } else {
            text
        });
    }
}

/// All months have room for their names, or those that begin quarters, or only Januaries.
fn every(names: &[String], axis: &TimeAxis) -> usize {
    let narrowest = axis.narrowest_month();
    let widest = names
        .iter()
        .map(|m| text_width(m, 11.0, true))
        .fold(0.0, f64::max);
    if narrowest >= widest + 1.0 {
        1
    } else if narrowest * 3.0 >= widest + 6.0 {
        3
    } else {
        12
    }
}
