//! Headroom under a limit, and the chance to run out.

use super::{HeadroomRow, Sizes};
use crate::chart::frame::fan;
use crate::chart::frame::hatch::{HATCH, hatch_area};
use crate::chart::frame::scale::{Linear, whole_steps};
use crate::chart::frame::time::TimeAxis;
use crate::chart::scene::{
    Anchor, Area, Ink, Meaning, Paint, Scene, TICK, Target, Text, at, fitted, label, text_width,
    tick,
};
use crate::text::format::Ticks;

/// Title and subtitle in the gutter; the subtitle takes up to four lines.
pub(super) fn title(scene: &mut Scene, title: &str, subtitle: &str, top: f64, sizes: &Sizes) {
    scene.text(label(at(0.0, top + 8.0), Anchor::Start, Ink::Ink1, title).strong());
    // ticks stand at the right of the gutter
    let room = sizes.left - 42.0;
    let lines = wrapped(subtitle, 11.0, room).into_iter().take(4);
    for (line, words) in lines.enumerate() {
        let place = at(0.0, top + 23.0 + 14.0 * line as f64);
        scene.text(tick(place, Anchor::Start, words).inked(Ink::Ink3));
    }
}

fn wrapped(words: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split(' ') {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), size, false) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(fitted(word, size, false, width + 12.0)),
        }
    }
    lines
}

/// The values that the axis must reach.
#[must_use]
pub fn extent(row: &HeadroomRow) -> (f64, f64) {
    let committed = row.committed.iter().flatten().copied();
    let low = row
        .bands
        .iter()
        .map(|b| b.low)
        .fold(row.at_least.0.min(0.0), f64::min);
    let high = row
        .bands
        .iter()
        .map(|b| b.high)
        .chain(committed)
        .fold(row.at_least.1.max(0.0), f64::max);
    if low < high {
        (low, high)
    } else {
        (low, low + 1.0)
    }
}

pub(super) fn row(
    scene: &mut Scene,
    row: &HeadroomRow,
    axis: &TimeAxis,
    area: &Area,
    sizes: &Sizes,
) {
    title(scene, &row.title, &row.subtitle, area.top, sizes);
    plot(scene, row, axis, area);
}

/// Grid, fan, limit and labels inside an area.
pub(in crate::chart::frame) fn plot(
    scene: &mut Scene,
    row: &HeadroomRow,
    axis: &TimeAxis,
    area: &Area,
) {
    let (low, high) = extent(row);
    let pad = (high - low) * 0.04;
    let bottom = if low < 0.0 { low - pad } else { low };
    let y = Linear::new((bottom, high + pad), (area.bottom, area.top));
    grid(scene, row, &y, area, (low, high));
    let spans: Vec<_> = (0..row.bands.len()).map(|m| axis.month(m)).collect();
    match &row.committed {
        None => against_zero(scene, row, &spans, &y, area),
        Some(committed) => against_committed(scene, row, committed, &spans, &y, area),
    }
    scene.text(
        tick(at(area.left - 6.0, y.to(0.0)), Anchor::End, "0")
            .strong()
            .inked(Ink::Ink1),
    );
    if let Some(last) = row.bands.last() {
        super::spend::end_labels(scene, last, &row.percentiles, |v| y.to(v), area);
    }
}

fn grid(scene: &mut Scene, row: &HeadroomRow, y: &Linear, area: &Area, (low, high): (f64, f64)) {
    let s = whole_steps(low, high, 4);
    let largest = s.ticks.iter().fold(0.0, |a: f64, t| a.max(t.abs()));
    let ticks = Ticks::new(largest, s.step);
    for value in s.ticks.iter().filter(|v| **v != 0.0) {
        let place = y.to(*value);
        scene.level(area.left, area.right, place, 1.0, Ink::Grid);
        if (place - y.to(0.0)).abs() < 11.0 || row.bands.is_empty() {
            continue;
        }
        let words = if row.committed.is_some() {
            ticks.plain(*value)
        } else {
            ticks.signed(*value)
        };
        scene.text(tick(at(area.left - 6.0, place), Anchor::End, words));
    }
}

fn against_zero(
    scene: &mut Scene,
    row: &HeadroomRow,
    spans: &[(f64, f64)],
    y: &Linear,
    area: &Area,
) {
    let zero = y.to(0.0);
    fan::stepped(scene, spans, &row.bands, |v| y.to(v), Some(zero));
    scene.level(area.left, area.right, zero, 1.5, Ink::Limit);
    // where nothing is below zero; nowhere, and the axis says it alone
    let wide = text_width(&row.beyond_label, TICK, false) + 8.0;
    let free = (0..spans.len()).find(|first| {
        let from = spans[*first].0;
        let mut under = spans.iter().zip(&row.bands).skip(*first);
        from + wide <= area.right
            && under.all(|(span, band)| span.0 >= from + wide || band.low >= 0.0)
    });
    if let Some(first) = free.filter(|_| area.bottom - zero > 20.0) {
        let place = at(spans[first].0 + 4.0, zero + 10.0);
        scene.text(tick(place, Anchor::Start, &row.beyond_label).inked(Ink::Ink3));
    }
}

fn against_committed(
    scene: &mut Scene,
    row: &HeadroomRow,
    committed: &[f64],
    spans: &[(f64, f64)],
    y: &Linear,
    area: &Area,
) {
    fan::stepped(scene, spans, &row.bands, |v| y.to(v), None);
    let mut line = Vec::new();
    let mut over = Vec::new();
    for ((&(from, to), band), limit) in spans.iter().zip(&row.bands).zip(committed) {
        line.extend([at(from, y.to(*limit)), at(to, y.to(*limit))]);
        if band.high > *limit {
            let bottom = y.to(limit.max(band.low));
            over.extend(hatch_area(
                &Area::new(from, y.to(band.high), to, bottom),
                HATCH,
            ));
        }
    }
    scene.strokes(over, 1.4, Ink::Risk);
    if let Some(first) = line.first() {
        let place = at(area.left + 4.0, (first.y - 9.0).max(area.top + 4.0));
        let text = tick(place, Anchor::Start, &row.limit_label).inked(Ink::Ink1);
        scene.text(text.strong());
    }
    scene.line(line, 1.5, Ink::Limit);
    scene.level(area.left, area.right, y.to(0.0), 1.0, Ink::Line2);
}

/// Tint of a chance: none at zero, never above 45 % below one half (ink keeps its contrast), solid from there.
#[must_use]
pub fn chance_paint(share: f64) -> (Paint, Ink, bool) {
    if share <= 0.0 {
        (Ink::Sunken.into(), Ink::Ink3, false)
    } else if share < 0.5 {
        let ink = if share < 0.1 { Ink::Ink2 } else { Ink::Ink1 };
        (Ink::Risk.tint((0.08 + 0.74 * share).min(0.45)), ink, false)
    } else {
        (Ink::Risk.into(), Ink::Inverse, true)
    }
}

/// A number in every month.
pub(super) fn strip(scene: &mut Scene, row: &HeadroomRow, axis: &TimeAxis, area: &Area) {
    let middle = f64::midpoint(area.top, area.bottom);
    let room = area.left - 6.0;
    let one = text_width(&row.chance_title, 12.0, true) <= room;
    let (size, lines) = if one {
        (12.0, vec![row.chance_title.clone()])
    } else {
        // two lines of about the same length; bold is wider by a tenth
        let half = text_width(&row.chance_title, 11.0, false) * 0.62;
        let lines = wrapped(&row.chance_title, 11.0, half.min(room / 1.1));
        (11.0, lines.into_iter().take(2).collect())
    };
    for (line, words) in lines.iter().enumerate() {
        let y = middle + 12.0 * (line as f64 - (lines.len() - 1) as f64 / 2.0);
        let text = label(at(0.0, y), Anchor::Start, Ink::Ink1, words);
        scene.text(text.strong().sized(size));
    }
    for (month, (words, share)) in row.chances.iter().enumerate() {
        let (from, to) = axis.month(month);
        let cell = Area::new(from + 1.0, area.top, to - 1.0, area.bottom);
        let (paint, ink, strong) = chance_paint(*share);
        if paint.ink == Ink::Risk && paint.alpha < 1.0 {
            // season bands must not darken a tint
            scene.block(cell, 2.0, Ink::Surface);
        }
        scene.block(cell, 2.0, paint);
        let size = if text_width(words, 12.0, strong) <= cell.width() {
            12.0
        } else {
            9.0
        };
        scene.text(Text {
            at: at(f64::midpoint(from, to), middle + 0.5),
            text: words.clone(),
            ink,
            size,
            strong,
            anchor: Anchor::Middle,
        });
        scene.targets.push(Target {
            area: cell,
            meaning: Meaning::Month(month),
            name: words.clone(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tints_follow_the_chance_and_leave_ink_readable() {
        assert_eq!(chance_paint(0.0).0, Ink::Sunken.into());
        assert!((chance_paint(0.14).0.alpha - 0.1836).abs() < 1e-9);
        assert!(chance_paint(0.4999).0.alpha <= 0.45);
        assert_eq!(chance_paint(0.5), (Ink::Risk.into(), Ink::Inverse, true));
        assert!(
            chance_paint(0.0001).0.alpha >= 0.08,
            "never looks like none"
        );
    }

    #[test]
    fn long_pool_names_wrap() {
        let lines = wrapped("cluster A, lowest in the month, GPUs", 11.0, 108.0);
        assert!(lines.len() > 1);
        assert!(lines.iter().all(|l| text_width(l, 11.0, false) <= 122.0));
    }
}
