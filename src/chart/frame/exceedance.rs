//! Exceedance: how many futures cost more than each amount.

use super::hatch::{HATCH, dashes, hatch, right_of};
use super::label::{APART, spread};
use super::scale::{Linear, steps};
use crate::chart::scene::{Anchor, Area, Ink, LABEL, Scene, at, label, text_width, tick};
use crate::text::format::Ticks;

/// What the curve shows. Words come written.
#[derive(Clone, Debug, PartialEq)]
pub struct ExceedanceInput {
    /// Sums of all futures, ascending.
    pub sorted: Vec<f32>,
    /// ISO 4217.
    pub currency: String,
    /// Budget, its label, and the chance to exceed it.
    pub budget: Option<(f64, String, String)>,
    /// Median, p90 and p95: value and label.
    pub dots: Vec<(f64, String)>,
    /// Title of the axis of futures.
    pub share_title: String,
    /// Title of the axis of money.
    pub money_title: String,
}

/// The picture and its scales.
#[derive(Clone, Debug, PartialEq)]
pub struct ExceedanceFrame {
    /// What to draw.
    pub scene: Scene,
    /// Money to pixels.
    pub x: Linear,
    /// Share of futures to pixels.
    pub y: Linear,
    /// Inside of the axes.
    pub plot: Area,
}

/// Share of futures that cost more than an amount; 0 without futures.
#[must_use]
pub fn share_above(sorted: &[f32], amount: f64) -> f64 {
    if sorted.is_empty() {
        return 0.0;
    }
    let not_above = sorted.partition_point(|v| f64::from(*v) <= amount);
    (sorted.len() - not_above) as f64 / sorted.len() as f64
}

/// Lays the curve out.
#[must_use]
pub fn exceedance(input: &ExceedanceInput, width: f64, height: f64) -> ExceedanceFrame {
    let plot = Area::new(
        44.0,
        36.0,
        (width - 24.0).max(80.0),
        (height - 38.0).max(60.0),
    );
    let x = money_scale(input, &plot);
    let y = Linear::new((0.0, 1.0), (plot.bottom, plot.top));
    let mut scene = Scene::new(width, height);
    axes(&mut scene, input, &x, &y, &plot, width);

    // one point for every two pixels: finer than the eye, and steps become what they are
    let columns = (plot.width() / 2.0).ceil().max(1.0) as usize;
    let curve: Vec<_> = (0..=columns)
        .map(|i| {
            let px = plot.left + plot.width() * i as f64 / columns as f64;
            at(px, y.to(share_above(&input.sorted, x.from(px))))
        })
        .collect();
    let mut sides = [Vec::new(), Vec::new()];
    if let Some((amount, words, chance)) = &input.budget {
        let line = x.to(*amount);
        let mut under = curve.clone();
        under.push(at(plot.right, plot.bottom));
        under.push(at(plot.left, plot.bottom));
        let beyond = right_of(&under, line);
        scene.strokes(hatch(&beyond, HATCH), 1.4, Ink::Risk);
        let share = share_above(&input.sorted, *amount);
        let crossing = y.to(share);
        let over = [at(plot.left, crossing), at(line, crossing)];
        scene.strokes(dashes(&over, 2.0, 2.0), 1.0, Ink::Ink1);
        let upright = [at(line, plot.top - 19.0), at(line, plot.bottom)];
        scene.strokes(dashes(&upright, 6.0, 4.0), 1.5, Ink::Limit);
        // near the top the chance would lie on the curve: it stands beside the name of the line
        let beside = crossing - 9.0 < plot.top + APART;
        let mut names = vec![(words, Ink::Ink1)];
        if beside {
            names.push((chance, Ink::RiskText));
        } else {
            sides[RIGHT].push(Mark::new(line, crossing - 9.0, chance, true));
        }
        top_line(&mut scene, &names, line, plot.top - 13.0, width);
        // labels to the left keep off the dotted line
        sides[LEFT].push(Mark::new(line, crossing, "", false));
    }
    scene.line(curve, 2.0, Ink::Range);
    let budget = input.budget.as_ref().map(|b| x.to(b.0));
    for (value, words) in &input.dots {
        let point = at(x.to(*value), y.to(share_above(&input.sorted, *value)));
        scene.dot(point, 3.0, Ink::Range);
        let left_end = point.x - 8.0 - text_width(words, LABEL, false);
        // right of the budget the space under the curve is hatched
        let free = budget.is_none_or(|b| b > point.x);
        if left_end > plot.left && free {
            sides[LEFT].push(Mark::new(point.x, point.y + 4.0, words, false));
        } else {
            sides[RIGHT].push(Mark::new(point.x, point.y - 9.0, words, false));
        }
    }
    if let Some((amount, ..)) = &input.budget {
        let ring = at(x.to(*amount), y.to(share_above(&input.sorted, *amount)));
        scene.dot(ring, 5.0, Ink::Ink1);
        scene.dot(ring, 3.0, Ink::Surface);
    }
    for (side, mut marks) in sides.into_iter().enumerate() {
        marks.sort_by(|a, b| a.y.total_cmp(&b.y));
        let wanted: Vec<f64> = marks.iter().map(|m| m.y).collect();
        let lowest = plot.bottom - if side == LEFT { 8.0 } else { 4.0 };
        let places = spread(&wanted, APART, plot.top + 10.0, lowest);
        for (mark, place) in marks.into_iter().zip(places) {
            mark.write(&mut scene, place, side, width);
        }
    }
    ExceedanceFrame { scene, x, y, plot }
}

const LEFT: usize = 0;
const RIGHT: usize = 1;

/// A label beside a point of the curve.
struct Mark {
    x: f64,
    y: f64,
    words: String,
    risk: bool,
}

impl Mark {
    fn new(x: f64, y: f64, words: &str, risk: bool) -> Self {
        let words = words.to_owned();
        Self { x, y, words, risk }
    }

    fn write(self, scene: &mut Scene, y: f64, side: usize, width: f64) {
        if self.words.is_empty() {
            return;
        }
        let ink = if self.risk { Ink::RiskText } else { Ink::Ink2 };
        let text = if side == LEFT {
            label(at(self.x - 8.0, y), Anchor::End, ink, self.words)
        } else {
            let wide = text_width(&self.words, LABEL, self.risk);
            let left = (self.x + 8.0).min(width - wide);
            label(at(left, y), Anchor::Start, ink, self.words)
        };
        scene.text(if self.risk { text.strong() } else { text });
    }
}

/// Words over the picture beside an upright line, one after the other.
fn top_line(scene: &mut Scene, words: &[(&String, Ink)], line: f64, y: f64, width: f64) {
    const GAP: f64 = 10.0;
    let widths = words.iter().map(|w| text_width(w.0, LABEL, true));
    let all = widths.clone().sum::<f64>() + GAP * (words.len() as f64 - 1.0);
    let mut left = if line + 6.0 + all <= width {
        line + 6.0
    } else {
        (line - 6.0 - all).max(0.0)
    };
    for ((words, ink), wide) in words.iter().zip(widths) {
        scene.text(label(at(left, y), Anchor::Start, *ink, *words).strong());
        left += wide + GAP;
    }
}

/// From the cheapest to nearly the dearest future, the budget included.
fn money_scale(input: &ExceedanceInput, plot: &Area) -> Linear {
    let n = input.sorted.len();
    let pick = |permille: usize| {
        input
            .sorted
            .get((n * permille / 1000).min(n.saturating_sub(1)))
            .map_or(0.0, |v| f64::from(*v))
    };
    let (mut low, mut high) = (pick(1), pick(998));
    if let Some((amount, ..)) = &input.budget {
        low = low.min(*amount);
        high = high.max(*amount);
    }
    let pad = ((high - low) * 0.03).max(high.abs() * 1e-3).max(1e-9);
    Linear::new(((low - pad).max(0.0), high + pad), (plot.left, plot.right))
}

fn axes(
    scene: &mut Scene,
    input: &ExceedanceInput,
    x: &Linear,
    y: &Linear,
    plot: &Area,
    width: f64,
) {
    scene.text(tick(at(0.0, 6.0), Anchor::Start, &input.share_title));
    for quarter in 0..=4 {
        let share = f64::from(quarter) / 4.0;
        let ink = if quarter == 0 { Ink::Line2 } else { Ink::Grid };
        scene.level(plot.left, plot.right, y.to(share), 1.0, ink);
        let words = crate::text::format::percent(share);
        scene.text(tick(at(plot.left - 6.0, y.to(share)), Anchor::End, words));
    }
    let s = steps(
        x.domain.0,
        x.domain.1,
        ((plot.width() / 90.0) as usize).clamp(2, 6),
    );
    let ticks = Ticks::new(x.domain.1, s.step);
    for value in &s.ticks {
        let words = ticks.money(*value, &input.currency);
        scene.upright(
            x.to(*value),
            plot.bottom,
            plot.bottom + 4.0,
            1.0,
            Ink::Line2,
        );
        scene.text(tick(
            at(x.to(*value), plot.bottom + 12.0),
            Anchor::Middle,
            words,
        ));
    }
    let title = tick(
        at(width.min(plot.right + 4.0), plot.bottom + 28.0),
        Anchor::End,
        &input.money_title,
    );
    scene.text(title);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::draw::light_svg as svg;

    fn input(sorted: Vec<f32>) -> ExceedanceInput {
        ExceedanceInput {
            sorted,
            currency: "USD".into(),
            budget: Some((4.2e6, "budget $4.2 M".into(), "31 % \u{b1}1".into())),
            dots: vec![
                (4.0e6, "median $4.00 M".into()),
                (4.62e6, "p90 $4.62 M".into()),
            ],
            share_title: "futures that cost more".into(),
            money_title: "FY2027 spend".into(),
        }
    }

    #[test]
    fn looks_as_it_was_approved() {
        let sorted = (0..1000)
            .map(|i| 3.4e6 + 1.9e6 * (i as f32 / 1000.0).powi(3))
            .collect();
        insta::assert_snapshot!(svg(&exceedance(&input(sorted), 600.0, 240.0).scene));
    }

    #[test]
    fn shares_count_futures_strictly_above() {
        let sorted = [1.0f32, 2.0, 2.0, 3.0];
        assert_eq!(share_above(&sorted, 0.5), 1.0);
        assert_eq!(share_above(&sorted, 2.0), 0.25);
        assert_eq!(share_above(&sorted, 3.0), 0.0);
        assert_eq!(share_above(&[], 3.0), 0.0);
    }

    #[test]
    fn no_futures_or_equal_ones_still_give_a_picture() {
        for sorted in [vec![], vec![0.0], vec![5e6; 200]] {
            let f = exceedance(&input(sorted), 300.0, 200.0);
            assert!(f.scene.is_finite());
            assert!((f.x.from(f.x.to(4.2e6)) - 4.2e6).abs() < 1.0);
        }
    }
}
