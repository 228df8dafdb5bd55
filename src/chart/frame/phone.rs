//! Charts for a narrow screen, where time runs down.

use super::fan::{self, Band};
use super::hatch::{HATCH, dashes, hatch_area};
use super::label::{APART, spread};
use super::scale::{Linear, whole_steps};
use super::stack::headroom::chance_paint;
use super::stack::spend::{money_grid, money_ticks};
use super::stack::{HeadroomRow, YearSpend};
use crate::chart::scene::{
    Anchor, Area, Ink, Meaning, Scene, TICK, Target, Text, at, fitted, label, text_width, tick,
};
use crate::text::format::Ticks;

const ROW: f64 = 27.0;
const TOP: f64 = 16.0;

/// Months as rows: range of the lowest headroom, and the chance to run out.
#[must_use]
pub fn rows(
    row: &HeadroomRow,
    months: &[String],
    runs_out: &str,
    strong: Option<usize>,
    width: f64,
) -> Scene {
    let bottom = TOP + ROW * months.len() as f64;
    let mut scene = Scene::new(width, bottom + 2.0);
    let plot = Area::new(46.0, TOP, (width - 58.0).max(90.0), bottom);
    let (low, high) = super::stack::headroom::extent(row);
    let pad = (high - low) * 0.04;
    let x = Linear::new((low - pad, high + pad), (plot.left, plot.right));
    let s = whole_steps(low, high, 3);
    let ticks = Ticks::new(s.ticks.iter().fold(0.0, |a: f64, t| a.max(t.abs())), s.step);
    for value in s.ticks.iter().filter(|v| **v != 0.0) {
        let px = x.to(*value);
        scene.upright(px, TOP, bottom, 1.0, Ink::Grid);
        let words = ticks.signed(*value);
        let heading = width - text_width(runs_out, 11.0, false) - 4.0;
        if px + text_width(&words, 11.0, false) / 2.0 < heading && (px - x.to(0.0)).abs() > 18.0 {
            scene.text(tick(at(px, 6.0), Anchor::Middle, words));
        }
    }
    scene.text(tick(at(width, 6.0), Anchor::End, runs_out));
    scene.text(
        tick(at(x.to(0.0), 6.0), Anchor::Middle, "0")
            .strong()
            .inked(Ink::Ink1),
    );
    for (index, (name, band)) in months.iter().zip(&row.bands).enumerate() {
        let top = TOP + ROW * index as f64;
        let middle = top + ROW / 2.0;
        let is_strong = strong == Some(index);
        let text = label(at(0.0, middle), Anchor::Start, Ink::Ink2, name);
        scene.text(if is_strong {
            text.strong().inked(Ink::Ink1)
        } else {
            text
        });
        bar(&mut scene, band, &x, middle);
        if let Some((words, share)) = row.chances.get(index) {
            chance(&mut scene, words, *share, width, middle);
        }
        scene.targets.push(Target {
            area: Area::new(0.0, top, width, top + ROW),
            meaning: Meaning::Month(index),
            name: name.clone(),
        });
    }
    scene.upright(x.to(0.0), TOP, bottom, 1.5, Ink::Limit);
    scene
}

fn bar(scene: &mut Scene, band: &Band, x: &Linear, middle: f64) {
    let span = |low: f64, high: f64| Area::new(x.to(low), middle - 9.0, x.to(high), middle + 9.0);
    let outer = span(band.low, band.high);
    scene.block(outer, 0.0, Ink::FanOuter);
    scene.block(span(band.inner_low, band.inner_high), 0.0, Ink::FanInner);
    if band.low < 0.0 {
        let below = span(band.low, band.high.min(0.0));
        scene.strokes(hatch_area(&below, HATCH), 1.4, Ink::Risk);
    }
    scene.outline(outer, 1.0, Ink::FanEdge);
    scene.upright(
        x.to(band.middle),
        middle - 9.0,
        middle + 9.0,
        2.0,
        Ink::Range,
    );
}

fn chance(scene: &mut Scene, words: &str, share: f64, width: f64, middle: f64) {
    let solid = share >= 0.5;
    let (paint, _, strong) = chance_paint(share);
    let ink = if solid {
        scene.block(
            Area::new(width - 44.0, middle - 10.0, width, middle + 10.0),
            3.0,
            paint,
        );
        Ink::Inverse
    } else if share >= 0.1 {
        Ink::Ink1
    } else {
        Ink::Ink3
    };
    let percent = format!("{words}{}%", crate::text::format::THIN);
    scene.text(Text {
        strong,
        ..label(at(width - 5.0, middle), Anchor::End, ink, percent)
    });
}

/// One fiscal year from its start, with its values at the right end.
#[must_use]
pub fn year(year: &YearSpend, months: &[String], currency: &str, width: f64, height: f64) -> Scene {
    let mut scene = Scene::new(width, height);
    let count = year.bands.len();
    let top = year
        .bands
        .iter()
        .map(|b| b.high)
        .chain(year.budget.iter().map(|b| b.0))
        .fold(0.0, f64::max);
    let top = if top > 0.0 { top * 1.04 } else { 1.0 };
    let ticks = money_ticks(currency, top, 3).into_iter();
    let words = ticks.map(|(_, words)| text_width(&words, TICK, false));
    let plot = Area::new(
        words.fold(0.0, f64::max) + 8.0,
        8.0,
        (width - 60.0).max(90.0),
        (height - 22.0).max(40.0),
    );
    let y = Linear::new((0.0, top), (plot.bottom, plot.top));
    money_grid(&mut scene, currency, &y, &plot, 3);
    let x = |month: usize| plot.left + plot.width() * month as f64 / count.max(1) as f64;
    for month in (0..count).step_by(3) {
        if let Some(name) = months.get(year.first + month) {
            scene.text(tick(at(x(month), plot.bottom + 13.0), Anchor::Start, name));
        }
    }
    let xs: Vec<f64> = (0..=count).map(x).collect();
    let mut bands = vec![Band::default()];
    bands.extend(&year.bands);
    let limit = year.budget.as_ref().map(|b| y.to(b.0));
    fan::smooth(&mut scene, &xs, &bands, |v| y.to(v), limit);
    if let (Some(line), Some((_, words))) = (limit, &year.budget) {
        let points = [at(plot.left, line), at(plot.right, line)];
        scene.strokes(dashes(&points, 6.0, 4.0), 1.5, Ink::Limit);
        let place = if line > plot.top + 14.0 {
            line - 8.0
        } else {
            line + 11.0
        };
        scene.text(label(at(plot.left + 4.0, place), Anchor::Start, Ink::Ink1, words).strong());
    }
    if let Some(ends) = &year.ends {
        let wanted = ends.labels.clone().map(|l| y.to(l.0));
        let places = spread(&wanted, APART, plot.top, plot.bottom);
        for (index, (place, (_, value, _))) in places.into_iter().zip(&ends.labels).enumerate() {
            let value = fitted(value, 12.0, index == 1, width - plot.right - 4.0);
            let ink = if index == 1 { Ink::Ink1 } else { Ink::Ink2 };
            scene.text(Text {
                strong: index == 1,
                ..label(at(plot.right + 6.0, place), Anchor::Start, ink, value)
            });
        }
    }
    scene
}
