//! What contracts cost by month: used, paid for and not used, and what was needed beyond.

use super::hatch::{HATCH, hatch_area};
use super::label::{APART, spread};
use super::scale::Linear;
use super::stack::spend::money_grid;
use super::time::TimeAxis;
use crate::chart::scene::{Anchor, Area, Ink, Scene, at, label, text_width, tick};
use jiff::civil::Date;

/// A month's mean amounts and the p10 to p90 of two of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UsageMonth {
    /// Used part of what is committed.
    pub used: f64,
    /// p10 and p90 of it.
    pub used_range: (f64, f64),
    /// Paid for and not used.
    pub unused: f64,
    /// Beyond what is committed.
    pub overage: f64,
    /// p10 and p90 of it.
    pub overage_range: (f64, f64),
}

/// What the chart shows.
#[derive(Clone, Debug, PartialEq)]
pub struct UsageInput {
    /// First day of the horizon.
    pub start: Date,
    /// Short names of the months.
    pub months: Vec<String>,
    /// Amounts by month.
    pub values: Vec<UsageMonth>,
    /// ISO 4217.
    pub currency: String,
    /// "burst", "paid for, not used", "used".
    pub words: [String; 3],
}

/// The picture and its axis.
#[derive(Clone, Debug, PartialEq)]
pub struct UsageFrame {
    /// What to draw.
    pub scene: Scene,
    /// Months.
    pub axis: TimeAxis,
    /// Inside of the axes.
    pub plot: Area,
}

/// Lays the chart out.
#[must_use]
pub fn usage(input: &UsageInput, width: f64, height: f64) -> UsageFrame {
    let widest = input
        .words
        .iter()
        .map(|w| text_width(w, 12.0, false))
        .fold(0.0, f64::max);
    let plot = Area::new(
        52.0,
        10.0,
        (width - widest - 10.0).max(110.0),
        (height - 24.0).max(50.0),
    );
    let axis = TimeAxis::new(input.start, input.months.len(), plot.left, plot.right);
    let top = input
        .values
        .iter()
        .map(|m| {
            let stacked = m.used + m.unused + m.overage;
            stacked
                .max(m.used_range.1)
                .max(m.used + m.unused + m.overage_range.1)
        })
        .fold(0.0, f64::max);
    let y = Linear::new(
        (0.0, if top > 0.0 { top * 1.05 } else { 1.0 }),
        (plot.bottom, plot.top),
    );
    let mut scene = Scene::new(width, height);
    money_grid(&mut scene, &input.currency, &y, &plot, 3);
    month_names(&mut scene, &input.months, &axis, plot.bottom + 12.0);
    for (index, m) in input.values.iter().enumerate() {
        let (from, to) = axis.month(index);
        let gap = ((to - from) * 0.14).clamp(0.5, 5.0);
        let span = |low: f64, high: f64| Area::new(from + gap, y.to(high), to - gap, y.to(low));
        let paid = m.used + m.unused;
        scene.block(span(0.0, m.used), 0.0, Ink::Committed);
        if m.unused > 0.0 {
            let area = span(m.used, paid);
            scene.strokes(hatch_area(&area, HATCH), 1.0, Ink::Unused);
            scene.outline(area, 1.0, Ink::Unused);
        }
        if m.overage > 0.0 {
            scene.block(span(paid, paid + m.overage), 0.0, Ink::Risk);
        }
        let x = f64::midpoint(from, to);
        whisker(
            &mut scene,
            x,
            y.to(m.used_range.0),
            y.to(m.used_range.1),
            Ink::Ink1,
        );
        if m.overage_range.1 > 0.0 {
            let range = (
                y.to(paid + m.overage_range.0),
                y.to(paid + m.overage_range.1),
            );
            whisker(&mut scene, x, range.0, range.1, Ink::RiskText);
        }
    }
    if let Some(last) = input.values.last() {
        let paid = last.used + last.unused;
        let wanted = [
            y.to(paid + last.overage) - 8.0,
            y.to(f64::midpoint(last.used, paid)),
            y.to(last.used / 2.0),
        ];
        let places = spread(&wanted, APART, plot.top + 4.0, plot.bottom - 4.0);
        let any = |pick: fn(&UsageMonth) -> f64| input.values.iter().any(|m| pick(m) > 0.0);
        let shown = [any(|m| m.overage), any(|m| m.unused), any(|m| m.used)];
        let inks = [Ink::RiskText, Ink::Ink1, Ink::Ink1];
        for (((words, place), ink), _) in input
            .words
            .iter()
            .zip(places)
            .zip(inks)
            .zip(shown)
            .filter(|x| x.1)
        {
            scene.text(label(
                at(plot.right + 8.0, place),
                Anchor::Start,
                ink,
                words,
            ));
        }
    }
    UsageFrame { scene, axis, plot }
}

fn whisker(scene: &mut Scene, x: f64, low: f64, high: f64, ink: Ink) {
    if (low - high).abs() < 1.5 {
        return;
    }
    scene.upright(x, high, low, 1.0, ink);
    for y in [low, high] {
        scene.level(x - 3.0, x + 3.0, y, 1.0, ink);
    }
}

/// Names of months below an axis: all, every third or every twelfth, as they fit.
pub fn month_names(scene: &mut Scene, names: &[String], axis: &TimeAxis, y: f64) {
    let narrowest = axis.narrowest_month();
    let widest = names
        .iter()
        .map(|n| text_width(n, 11.0, false))
        .fold(0.0, f64::max);
    let every = [1usize, 2, 3, 6, 12]
        .into_iter()
        .find(|k| narrowest * *k as f64 >= widest + 6.0)
        .unwrap_or(24);
    for (index, name) in names.iter().enumerate().step_by(every) {
        let (from, to) = axis.month(index);
        scene.text(tick(at(f64::midpoint(from, to), y), Anchor::Middle, name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::draw::light_svg as svg;

    fn input(values: Vec<UsageMonth>) -> UsageInput {
        UsageInput {
            start: jiff::civil::date(2027, 1, 1),
            months: ["Jan", "Feb", "Mar", "Apr"].map(String::from).to_vec(),
            values,
            currency: "USD".into(),
            words: ["burst", "paid for, not used", "used"].map(String::from),
        }
    }

    #[test]
    fn looks_as_it_was_approved() {
        let month = |used: f64, unused: f64, overage: f64| UsageMonth {
            used,
            used_range: (used * 0.9, used * 1.1),
            unused,
            overage,
            overage_range: (0.0, overage * 2.0),
        };
        let values = vec![
            month(8e4, 8e4, 0.0),
            month(1.2e5, 4e4, 0.0),
            month(1.5e5, 1e4, 1e4),
            month(1.5e5, 0.0, 2e4),
        ];
        insta::assert_snapshot!(svg(&usage(&input(values), 600.0, 230.0).scene));
    }

    #[test]
    fn months_without_money() {
        assert!(
            usage(&input(vec![UsageMonth::default(); 4]), 200.0, 100.0)
                .scene
                .is_finite()
        );
        assert!(usage(&input(vec![]), 200.0, 100.0).scene.is_finite());
    }
}
