//! Contracts as a ladder of bars, features as a roadmap.

use super::{ROW, Sizes, StackInput, Track, TrackLaunch};
use crate::chart::frame::time::TimeAxis;
use crate::chart::scene::{
    Anchor, Area, Ink, Meaning, Scene, TICK, Target, at, fitted, label, text_width, tick,
};
use crate::domain::scenario::Id;

/// A row that can be clicked; outlined when it is picked.
fn target(scene: &mut Scene, input: &StackInput, sizes: &Sizes, top: f64, id: Id, name: String) {
    let area = Area::new(0.0, top - 2.0, sizes.width, top + ROW - 2.0);
    if input.selected == Some(id) {
        let around = Area::new(0.0, area.top, sizes.width, area.bottom);
        scene.outline(around, 1.0, Ink::Ink1);
    }
    scene.targets.push(Target {
        area,
        meaning: Meaning::Entity(id),
        name,
    });
}

pub(super) fn contracts(
    scene: &mut Scene,
    input: &StackInput,
    axis: &TimeAxis,
    sizes: &Sizes,
    top: f64,
) {
    if input.contracts.is_empty() {
        return;
    }
    scene.level(0.0, sizes.width, top, 1.0, Ink::Line1);
    let heading = tick(at(sizes.width, top - 7.0), Anchor::End, &input.used_word);
    scene.text(heading.inked(Ink::Ink3));
    for (index, bar) in input.contracts.iter().enumerate() {
        let y = top + 7.0 + ROW * index as f64;
        let middle = y + 8.0;
        let name = fitted(&bar.name, 12.0, false, sizes.left - 10.0);
        scene.text(label(at(2.0, middle), Anchor::Start, Ink::Ink2, name));
        let (from, to) = (axis.day_inside(bar.first), axis.day_inside(bar.end));
        if to - from > 1.0 {
            let area = Area::new(from, y, to, y + 16.0);
            scene.block(area, 2.0, Ink::Unused);
            let inner = Area::new(from + 1.0, y + 1.0, to - 1.0, y + 15.0);
            scene.block(inner, 1.0, Ink::Sunken);
            for (edge, day, out) in [(to, bar.end, 5.0), (from, bar.first, -5.0)] {
                // it runs on beyond the axis
                if (axis.day(day) - edge).abs() > 0.5 {
                    let tip = [
                        at(edge, y + 1.0),
                        at(edge + out, middle),
                        at(edge, y + 15.0),
                    ];
                    scene.fill(tip.to_vec(), Ink::Unused);
                }
            }
            let room = area.width() - 10.0;
            let fits = bar
                .terms
                .iter()
                .find(|t| text_width(t, TICK, false) <= room)
                .or(bar.terms.last());
            if let Some(terms) = fits {
                let terms = fitted(terms, TICK, false, room);
                scene.text(tick(at(from + 6.0, middle), Anchor::Start, terms).inked(Ink::Ink1));
            }
        }
        scene.text(tick(at(sizes.width - 2.0, middle), Anchor::End, &bar.used).inked(Ink::Ink3));
        let terms = bar.terms.first().map_or("", String::as_str);
        let name = format!("{}: {terms}", bar.name);
        target(scene, input, sizes, y, bar.id, name);
    }
}

pub(super) fn roadmap(
    scene: &mut Scene,
    input: &StackInput,
    axis: &TimeAxis,
    sizes: &Sizes,
    top: f64,
) {
    if input.features.is_empty() {
        return;
    }
    scene.level(0.0, sizes.width, top, 1.0, Ink::Line1);
    for (index, track) in input.features.iter().enumerate() {
        let y = top + 8.0 + ROW * index as f64;
        let middle = y + 8.0;
        scene.block(Area::new(2.0, y + 4.0, 10.0, y + 12.0), 2.0, track.ink);
        let name = fitted(&track.name, 12.0, false, sizes.left - 22.0);
        scene.text(label(at(16.0, middle), Anchor::Start, Ink::Ink2, name));
        let end = track.retire.map_or(axis.right(), |d| axis.day_inside(d));
        match &track.launch {
            None => {
                live(scene, track, axis.left(), end, y);
                let place = at(axis.left() + 6.0, middle);
                scene.text(tick(place, Anchor::Start, &track.label).inked(Ink::Ink1));
            }
            Some(launch) => planned(scene, track, launch, axis, end, y),
        }
        let name = format!("{}: {}", track.name, track.label);
        target(scene, input, sizes, y, track.id, name);
    }
}

fn live(scene: &mut Scene, track: &Track, from: f64, to: f64, y: f64) {
    if to > from {
        scene.block(Area::new(from, y, to, y + 16.0), 0.0, track.ink.tint(0.2));
        scene.level(from, to, y + 16.0, 2.0, track.ink);
    }
}

fn planned(
    scene: &mut Scene,
    track: &Track,
    launch: &TrackLaunch,
    axis: &TimeAxis,
    end: f64,
    y: f64,
) {
    let middle = y + 8.0;
    let date = axis.day(launch.date);
    let clamp = |x: f64| x.clamp(axis.left(), axis.right());
    let start = date + axis.length(launch.middle);
    let full = start + axis.length(launch.ramp);
    let from = clamp(start);
    let height = |x: f64| {
        if full > start {
            y + 16.0 - 16.0 * ((x - start) / (full - start)).clamp(0.0, 1.0)
        } else {
            y
        }
    };
    if end > from {
        // the wedge is cut where the axis or the feature ends
        let knee = clamp(full).min(end);
        let wedge = vec![
            at(from, y + 16.0),
            at(from, height(from)),
            at(knee, height(knee)),
            at(end, height(end)),
            at(end, y + 16.0),
        ];
        scene.fill(wedge, track.ink.tint(0.2));
        scene.level(from, end, y + 16.0, 2.0, track.ink);
    }
    let early = date + axis.length(launch.slip.0);
    let late = date + axis.length(launch.slip.1);
    let whisker_end = clamp(late.max(date));
    if late > date + 1.0 && whisker_end > clamp(date) {
        scene.level(clamp(date), whisker_end, middle, 1.5, track.ink);
        let mut ends = vec![late];
        if early > date + 6.0 {
            ends.push(early);
        }
        for x in ends.into_iter().filter(|x| clamp(*x) == *x) {
            scene.upright(x, middle - 3.0, middle + 3.0, 1.5, track.ink);
        }
    }
    if clamp(date) == date {
        let diamond = vec![
            at(date, middle - 8.0),
            at(date + 4.0, middle),
            at(date, middle + 8.0),
            at(date - 4.0, middle),
        ];
        scene.fill(diamond, track.ink);
    }
    let width = text_width(&track.label, TICK, false);
    let left = clamp(date) - 9.0;
    if left - width >= axis.left() {
        scene.text(tick(at(left, middle), Anchor::End, &track.label).inked(Ink::Ink3));
    } else {
        let place = at(whisker_end + 8.0, middle);
        scene.text(tick(place, Anchor::Start, &track.label).inked(Ink::Ink1));
    }
}
