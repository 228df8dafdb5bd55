//! Cost by feature, with what 1,000 requests cost.

use super::hatch::{HATCH, hatch_area};
use super::scale::{Linear, steps};
use crate::chart::scene::{
    Anchor, Area, Ink, Meaning, Scene, TICK, Target, at, fitted, label, text_width, tick,
};
use crate::domain::scenario::Id;
use crate::text::format::Ticks;

/// One feature, or what belongs to none.
#[derive(Clone, Debug, PartialEq)]
pub struct CostRow {
    /// The feature.
    pub id: Option<Id>,
    /// Its name.
    pub name: String,
    /// Its colour.
    pub ink: Ink,
    /// Mean.
    pub mean: f64,
    /// p5 and p95.
    pub range: (f64, f64),
    /// The mean in words.
    pub words: String,
    /// Cost of 1,000 requests in words.
    pub per_1000: String,
    /// Share of the sum in words.
    pub share: String,
    /// Share of its cost that the costliest 5 % of its requests take, and in words; none: not known.
    pub top: Option<(f64, String)>,
}

/// What the chart shows.
#[derive(Clone, Debug, PartialEq)]
pub struct CostsInput {
    /// Largest first.
    pub rows: Vec<CostRow>,
    /// ISO 4217.
    pub currency: String,
    /// "p5 to p95".
    pub range_word: String,
    /// Headings: per 1,000 requests, share, top 5 %.
    pub headings: [String; 3],
    /// "the 5 % most expensive requests".
    pub top_word: String,
}

const ROW: f64 = 34.0;
/// Room for a name above its bar, where there is none beside it.
const NAME: f64 = 18.0;
const TOP: f64 = 24.0;

/// Lays the chart out; its height follows from the rows.
#[must_use]
pub fn costs(input: &CostsInput, width: f64) -> Scene {
    let narrow = width < 480.0;
    let (names, left, above) = if narrow {
        (width, 0.0, NAME)
    } else {
        (130.0, 138.0, 0.0)
    };
    let row_height = ROW + above;
    let column = |heading: &str, cell: fn(&CostRow) -> &str| {
        input
            .rows
            .iter()
            .map(|r| text_width(cell(r), 12.0, false))
            .fold(text_width(heading, TICK, false), f64::max)
    };
    let tops = input.rows.iter().any(|r| r.top.is_some());
    // on a narrow picture the table beside it has them
    let top_width = if tops && width >= 520.0 {
        14.0 + text_width(&input.headings[2], TICK, false)
    } else {
        0.0
    };
    let share_right = width - top_width;
    let share_left = share_right - column(&input.headings[1], |r| &r.share);
    let per_right = share_left - 14.0;
    let per_left = per_right - column(&input.headings[0], |r| &r.per_1000);
    let values = column("", |r| &r.words) * 1.06 + 14.0;
    let right = (per_left - 12.0 - values).max(left + 22.0);
    let most = input
        .rows
        .iter()
        .map(|r| r.mean.max(r.range.1))
        .fold(0.0, f64::max);
    let x = Linear::new((0.0, if most > 0.0 { most } else { 1.0 }), (left, right));

    // the legend stands beside the headings, or above them
    let range_end = left + 22.0 + text_width(&input.range_word, TICK, false) + 14.0;
    let room = per_left - 12.0 - range_end - 16.0;
    let beside = !tops || text_width(&input.top_word, TICK, false) <= room;
    let head = if beside { 7.0 } else { 23.0 };
    let first = TOP + head - 7.0;
    let bottom = first + row_height * input.rows.len() as f64;
    let mut scene = Scene::new(width, bottom + 24.0);

    let range_at = left;
    scene.level(range_at, range_at + 16.0, 7.0, 1.0, Ink::Ink1);
    for px in [range_at, range_at + 16.0] {
        scene.upright(px, 4.0, 10.0, 1.0, Ink::Ink1);
    }
    scene.text(tick(
        at(range_at + 22.0, 7.0),
        Anchor::Start,
        &input.range_word,
    ));
    if tops {
        let words = fitted(&input.top_word, TICK, false, width - range_end - 16.0);
        if !words.is_empty() {
            let swatch = Area::new(range_end, 2.0, range_end + 10.0, 12.0);
            scene.block(swatch, 0.0, Ink::Ink2);
            scene.strokes(hatch_area(&swatch, HATCH), 1.2, Ink::Surface);
            scene.text(tick(at(range_end + 16.0, 7.0), Anchor::Start, words));
        }
    }
    let [per, share, top] = &input.headings;
    scene.text(tick(at(per_right, head), Anchor::End, per));
    scene.text(tick(at(share_right, head), Anchor::End, share));
    if top_width > 0.0 {
        scene.text(tick(at(width, head), Anchor::End, top));
    }

    let s = steps(
        0.0,
        x.domain.1,
        ((right - left) / 70.0).clamp(1.0, 5.0) as usize,
    );
    let ticks = Ticks::new(s.ticks.last().copied().unwrap_or(0.0), s.step);
    for value in &s.ticks {
        let ink = if *value == 0.0 { Ink::Line2 } else { Ink::Grid };
        scene.upright(x.to(*value), first, bottom, 1.0, ink);
        let words = ticks.money(*value, &input.currency);
        // at the edge there is no room to the left of zero
        let anchor = if narrow && *value == 0.0 {
            Anchor::Start
        } else {
            Anchor::Middle
        };
        scene.text(tick(at(x.to(*value), bottom + 12.0), anchor, words));
    }
    for (index, row) in input.rows.iter().enumerate() {
        let row_top = first + row_height * index as f64;
        let top = row_top + above;
        let middle = top + 13.0;
        let name = fitted(&row.name, 12.0, false, names);
        scene.text(if narrow {
            label(at(0.0, top - 7.0), Anchor::Start, Ink::Ink1, name)
        } else {
            label(at(names, middle), Anchor::End, Ink::Ink1, name)
        });
        let end = x.to(row.mean.max(0.0));
        let bar = Area::new(x.to(0.0), top + 3.0, end, top + 23.0);
        if row.ink == Ink::Unused {
            // paid for and not used looks the same everywhere
            scene.strokes(hatch_area(&bar, HATCH), 1.2, Ink::Unused);
            scene.outline(bar, 1.0, Ink::Unused);
        } else {
            scene.block(bar, 0.0, row.ink);
        }
        if let Some((share, words)) = &row.top {
            let from = end - (end - x.to(0.0)) * share;
            let costliest = Area::new(from, top + 3.0, end, top + 23.0);
            scene.strokes(hatch_area(&costliest, HATCH), 1.2, Ink::Surface);
            if top_width > 0.0 {
                scene.text(label(at(width, middle), Anchor::End, Ink::Ink1, words));
            }
        }
        let (low, high) = (x.to(row.range.0), x.to(row.range.1));
        scene.level(low, high, top + 28.0, 1.0, Ink::Ink1);
        for px in [low, high] {
            scene.upright(px, top + 25.0, top + 31.0, 1.0, Ink::Ink1);
        }
        let value = label(at(end + 6.0, middle), Anchor::Start, Ink::Ink1, &row.words);
        scene.text(value.strong());
        scene.text(label(
            at(per_right, middle),
            Anchor::End,
            Ink::Ink1,
            &row.per_1000,
        ));
        scene.text(label(
            at(share_right, middle),
            Anchor::End,
            Ink::Ink1,
            &row.share,
        ));
        if let Some(id) = row.id {
            scene.targets.push(Target {
                area: Area::new(0.0, row_top, width, row_top + row_height),
                meaning: Meaning::Entity(id),
                name: format!("{}: {}, {}", row.name, row.words, row.share),
            });
        }
    }
    scene
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::draw::light_svg as svg;

    #[test]
    fn looks_as_it_was_approved() {
        let row = |name: &str, mean: f64, ink: Ink| CostRow {
            id: Some(Id(1)),
            name: name.into(),
            ink,
            mean,
            range: (mean * 0.7, mean * 1.6),
            words: crate::text::format::money(mean, "USD"),
            per_1000: "$12.30".into(),
            share: "40 %".into(),
            top: Some((0.2, "20 %".into())),
        };
        let input = CostsInput {
            rows: vec![
                row("Chat", 1.71e6, Ink::Feature1),
                row("Research assistant", 8e5, Ink::Feature2),
            ],
            currency: "USD".into(),
            range_word: "p5 to p95".into(),
            headings: ["per 1,000 requests", "share", "top 5 %"].map(str::to_owned),
            top_word: "the 5 % most expensive requests".into(),
        };
        insta::assert_snapshot!(svg(&costs(&input, 600.0)));
        let none = CostsInput {
            rows: vec![],
            ..input
        };
        assert!(costs(&none, 100.0).is_finite());
    }
}
