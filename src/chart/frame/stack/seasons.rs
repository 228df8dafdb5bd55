//! Seasonal windows: bands through all rows, names above them.

use super::{BANDS_TOP, SEASONS_Y, Sizes, StackInput};
use crate::chart::frame::hatch::dashes;
use crate::chart::frame::time::TimeAxis;
use crate::chart::scene::{Anchor, Area, Ink, Meaning, Scene, TICK, Target, at, text_width, tick};

/// Tinted bands with dotted edges.
pub(super) fn bands(scene: &mut Scene, input: &StackInput, axis: &TimeAxis, bottom: f64) {
    for season in &input.seasons {
        let (from, to) = (axis.day_inside(season.first), axis.day_inside(season.end));
        if to - from < 0.5 {
            continue;
        }
        scene.block(Area::new(from, BANDS_TOP, to, bottom), 0.0, Ink::Season);
        let mut edges = Vec::new();
        for (x, day) in [(from, season.first), (to, season.end)] {
            if (axis.day(day) - x).abs() < 0.5 {
                edges.extend(dashes(&[at(x, BANDS_TOP), at(x, bottom)], 2.0, 3.0));
            }
        }
        scene.strokes(edges, 1.0, Ink::SeasonEdge);
    }
}

/// A label on its way to a place.
struct Label {
    season: usize,
    centre: f64,
    short: bool,
    width: f64,
    /// Furthest left that it can stand, next to those before it.
    earliest: f64,
}

const GAP: f64 = 8.0;
/// How far a label may stand beside the middle of its band; further away it would name another band.
const REACH: f64 = 4.0;

/// Names. If two meet, first the factor goes, then the older one moves left, then it is dropped.
pub(super) fn labels(scene: &mut Scene, input: &StackInput, axis: &TimeAxis, sizes: &Sizes) {
    let text = |season: usize, short: bool| {
        let s = &input.seasons[season];
        if short || s.factor.is_empty() {
            s.name.clone()
        } else {
            format!("{} {}", s.name, s.factor)
        }
    };
    let make = |season: usize, centre: f64, short: bool, before: Option<&Label>| {
        let width = text_width(&text(season, short), TICK, false);
        let after = before.map_or(sizes.left, |b| b.earliest + b.width + GAP);
        Label {
            season,
            centre,
            short,
            width,
            earliest: (centre - REACH - width).max(after),
        }
    };
    let fits = |l: &Label| l.earliest <= (l.centre + REACH).min(sizes.width - l.width);
    let mut visible: Vec<(usize, f64)> = input
        .seasons
        .iter()
        .enumerate()
        .filter_map(|(i, s)| {
            let (from, to) = (axis.day_inside(s.first), axis.day_inside(s.end));
            (to - from >= 3.0).then(|| (i, f64::midpoint(from, to)))
        })
        .collect();
    visible.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut placed: Vec<Label> = Vec::new();
    for (season, centre) in visible {
        let mut short = false;
        loop {
            let new = make(season, centre, short, placed.last());
            if fits(&new) {
                placed.push(new);
                break;
            }
            match placed.pop() {
                Some(old) if !old.short => {
                    let old = make(old.season, old.centre, true, placed.last());
                    placed.push(old);
                }
                Some(old) if !short => {
                    short = true;
                    placed.push(old);
                }
                Some(_) => {}
                None if !short => short = true,
                None => break,
            }
        }
    }
    // from the right: each as near to its band as the next one allows
    let mut limit = sizes.width;
    for label in placed.iter().rev() {
        let left = (label.centre - label.width / 2.0)
            .min(limit - label.width)
            .max(label.earliest);
        limit = left - GAP;
        let words = text(label.season, label.short);
        scene.text(tick(at(left, SEASONS_Y), Anchor::Start, words).inked(Ink::SeasonText));
        scene.targets.push(Target {
            area: Area::new(
                left - 2.0,
                SEASONS_Y - 8.0,
                left + label.width + 2.0,
                SEASONS_Y + 8.0,
            ),
            meaning: Meaning::Entity(input.seasons[label.season].id),
            name: text(label.season, false),
        });
    }
}
