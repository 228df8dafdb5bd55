//! Drivers: what the outcome does when one input is low or high and all others vary as usual.

use super::scale::{Linear, steps};
use crate::chart::scene::{
    Anchor, Area, Ink, LABEL, Meaning, Scene, TICK, Target, at, fitted, label, text_width, tick,
};
use crate::domain::field::FieldPath;
use crate::text::format::Ticks;

/// One input.
#[derive(Clone, Debug, PartialEq)]
pub struct DriverRow {
    /// The field that is opened by a click.
    pub field: FieldPath,
    /// Name of the input.
    pub name: String,
    /// Name of what it belongs to.
    pub owner: String,
    /// Outcome minus its mean with the input in its lowest fifth.
    pub low: f64,
    /// With the input in its highest fifth.
    pub high: f64,
    /// Both in words.
    pub words: (String, String),
    /// Rank correlation in words.
    pub correlation: String,
    /// Whether that is no more than noise: drawn in grey.
    pub noise: bool,
}

/// What the chart shows.
#[derive(Clone, Debug, PartialEq)]
pub struct TornadoInput {
    /// Largest first.
    pub rows: Vec<DriverRow>,
    /// ISO 4217 where the outcome is money; none: a count.
    pub currency: Option<String>,
    /// "input in its lowest fifth", "in its highest fifth".
    pub legend: (String, String),
    /// Heading of the correlations.
    pub correlation_title: String,
    /// Name of zero.
    pub mean_word: String,
}

const ROW: f64 = 32.0;
const TOP: f64 = 24.0;

/// Lays the chart out; its height follows from the rows.
#[must_use]
pub fn tornado(input: &TornadoInput, width: f64) -> Scene {
    let bottom = TOP + ROW * input.rows.len() as f64;
    let mut scene = Scene::new(width, bottom + 24.0);
    let names = if width < 480.0 { 112.0 } else { 150.0 };
    let widest = |pick: fn(&DriverRow) -> &str| {
        input
            .rows
            .iter()
            .map(|r| text_width(pick(r), TICK, false))
            .fold(0.0, f64::max)
    };
    // values stand outside the bars on both sides
    let room = widest(|r| &r.words.0).max(widest(|r| &r.words.1)) + 12.0;
    let left = names + room;
    let right = (width - 44.0 - room).max(left + 20.0);
    let extent = |sign: f64| {
        input
            .rows
            .iter()
            .flat_map(|r| [r.low * sign, r.high * sign])
            .fold(0.0, f64::max)
    };
    let (below, above) = (extent(-1.0), extent(1.0));
    let x = Linear::new(
        if below + above > 0.0 {
            (-below, above)
        } else {
            (-1.0, 1.0)
        },
        (left, right),
    );
    legend(&mut scene, input, names, width);
    let s = steps(
        x.domain.0,
        x.domain.1,
        ((right - left) / 64.0).clamp(3.0, 6.0) as usize,
    );
    let largest = s.ticks.iter().fold(0.0, |a: f64, t| a.max(t.abs()));
    let ticks = Ticks::new(largest, s.step);
    for value in &s.ticks {
        let px = x.to(*value);
        let zero = *value == 0.0;
        scene.upright(
            px,
            TOP,
            bottom,
            1.0,
            if zero { Ink::Line2 } else { Ink::Grid },
        );
        let words = match (&input.currency, zero) {
            (_, true) => input.mean_word.clone(),
            (Some(currency), _) => ticks.money_signed(*value, currency),
            (None, _) => ticks.signed(*value),
        };
        // where the axis is short, the middle is what must be named
        let half = |words: &str| text_width(words, TICK, false) / 2.0;
        let apart = half(&words) + half(&input.mean_word) + 4.0;
        if zero || (px - x.to(0.0)).abs() >= apart {
            scene.text(tick(at(px, bottom + 12.0), Anchor::Middle, words));
        }
    }
    for (index, row) in input.rows.iter().enumerate() {
        let top = TOP + ROW * index as f64;
        draw_row(&mut scene, row, &x, top, names, width);
        scene.targets.push(Target {
            area: Area::new(0.0, top, width, top + ROW),
            meaning: Meaning::Row(index),
            name: format!(
                "{}, {}: {} \u{2026} {}",
                row.name, row.owner, row.words.0, row.words.1
            ),
        });
    }
    scene
}

fn legend(scene: &mut Scene, input: &TornadoInput, names: f64, width: f64) {
    let y = 7.0;
    scene.text(tick(at(width, y), Anchor::End, &input.correlation_title));
    let room = width - text_width(&input.correlation_title, TICK, false) - 12.0;
    let wide = |w: &str| text_width(w, TICK, false) + 16.0;
    let both = wide(&input.legend.0) + wide(&input.legend.1) + 14.0;
    let mut left = names.min(room - both).max(0.0);
    for (index, words) in [&input.legend.0, &input.legend.1].into_iter().enumerate() {
        let swatch = Area::new(left, y - 5.0, left + 10.0, y + 5.0);
        if index == 0 {
            scene.outline(swatch, 1.5, Ink::Range);
        } else {
            scene.block(swatch, 0.0, Ink::Range);
        }
        let words = fitted(words, TICK, false, room - left - 14.0);
        scene.text(tick(at(left + 14.0, y), Anchor::Start, words));
        left += wide(if index == 0 {
            &input.legend.0
        } else {
            &input.legend.1
        }) + 14.0;
    }
}

fn draw_row(scene: &mut Scene, row: &DriverRow, x: &Linear, top: f64, names: f64, width: f64) {
    let middle = top + ROW / 2.0;
    let name = fitted(&row.name, LABEL, false, names - 4.0);
    let owner = fitted(&row.owner, TICK, false, names - 4.0);
    scene.text(label(at(0.0, middle - 6.0), Anchor::Start, Ink::Ink1, name));
    scene.text(tick(at(0.0, middle + 7.0), Anchor::Start, owner).inked(Ink::Ink3));
    let bar = |value: f64| Area::new(x.to(0.0), middle - 8.0, x.to(value), middle + 8.0);
    let (ink, words_ink) = if row.noise {
        (Ink::Line2, Ink::Ink3)
    } else {
        (Ink::Range, Ink::Ink2)
    };
    scene.block(bar(row.high), 0.0, ink);
    let low = bar(row.low);
    // hollow, and on top where both ends lie on one side
    scene.block(low, 0.0, Ink::Surface);
    scene.outline(low, 1.5, ink);
    let beside = |value: f64, other: f64, first: bool| {
        let left = value < 0.0 || (value == 0.0 && first);
        // two ends on one side: the shorter one's value moves behind the longer one's
        let reach = if (other < 0.0) == left { other } else { 0.0 };
        let far = if left {
            value.min(reach)
        } else {
            value.max(reach)
        };
        let same = (other < 0.0) == left && other != 0.0;
        let point = if same && value.abs() < other.abs() {
            None
        } else {
            Some(far)
        };
        (left, point)
    };
    for (value, other, words, first) in [
        (row.low, row.high, &row.words.0, true),
        (row.high, row.low, &row.words.1, false),
    ] {
        let (left, place) = beside(value, other, first);
        let (px, anchor) = match (left, place) {
            (true, Some(v)) => (x.to(v) - 6.0, Anchor::End),
            (false, Some(v)) => (x.to(v) + 6.0, Anchor::Start),
            // beside zero, on the empty side
            (true, None) => (x.to(0.0) + 6.0, Anchor::Start),
            (false, None) => (x.to(0.0) - 6.0, Anchor::End),
        };
        scene.text(tick(at(px, middle), anchor, words).inked(words_ink));
    }
    scene.text(label(
        at(width, middle),
        Anchor::End,
        if row.noise { Ink::Ink3 } else { Ink::Ink1 },
        &row.correlation,
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::draw::light_svg as svg;

    fn row(name: &str, low: f64, high: f64) -> DriverRow {
        DriverRow {
            field: FieldPath::of(
                "features",
                crate::domain::scenario::Id(1),
                "requests_per_day",
            ),
            name: name.into(),
            owner: "Research assistant".into(),
            low,
            high,
            words: (
                crate::text::format::money_signed(low, "USD"),
                crate::text::format::money_signed(high, "USD"),
            ),
            correlation: "0.61".into(),
            noise: false,
        }
    }

    fn input(rows: Vec<DriverRow>) -> TornadoInput {
        TornadoInput {
            rows,
            currency: Some("USD".into()),
            legend: (
                "input in its lowest fifth".into(),
                "in its highest fifth".into(),
            ),
            correlation_title: "rank corr.".into(),
            mean_word: "mean".into(),
        }
    }

    #[test]
    fn looks_as_it_was_approved() {
        let rows = vec![
            row("Requests a day", -295e3, 422e3),
            row("Launch slip", 57e3, -75e3),
            row("One-sided", 20e3, 90e3),
        ];
        insta::assert_snapshot!(svg(&tornado(&input(rows), 600.0)));
    }

    #[test]
    fn no_rows_and_no_effect() {
        assert!(tornado(&input(vec![]), 300.0).is_finite());
        assert!(tornado(&input(vec![row("Nothing", 0.0, 0.0)]), 300.0).is_finite());
    }
}
