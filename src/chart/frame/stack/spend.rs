//! Spend against budget.

use super::{Sizes, SpendRow, SpendShape, YearEnd, YearSpend};
use crate::chart::frame::fan::{self, Band};
use crate::chart::frame::hatch::{HATCH, dashes, hatch_area};
use crate::chart::frame::label::{APART, spread};
use crate::chart::frame::scale::{Linear, steps};
use crate::chart::frame::time::TimeAxis;
use crate::chart::scene::{
    Anchor, Area, Ink, LABEL, Point, Scene, at, fitted, label, text_width, tick,
};
use crate::text::format::Ticks;

/// Longest bar of the sideways histogram.
const BAR: f64 = 42.0;

pub(super) fn row(scene: &mut Scene, row: &SpendRow, axis: &TimeAxis, area: &Area, sizes: &Sizes) {
    super::headroom::title(scene, &row.title, &row.subtitle, area.top, sizes);
    let y = Linear::new((0.0, highest(row)), (area.bottom, area.top));
    money_grid(scene, &row.currency, &y, area, 4);
    match &row.shape {
        SpendShape::ToDate(years) => {
            let plot = Plot {
                axis,
                y: &y,
                area,
                sizes,
            };
            for (index, year) in years.iter().enumerate() {
                let before = index.checked_sub(1).and_then(|i| years.get(i));
                plot.to_date(scene, year, before, years.get(index + 1));
            }
            // over the line of the next year's budget
            for pair in years.windows(2) {
                plot.year_labels(scene, &pair[0], &pair[1]);
            }
        }
        SpendShape::PerMonth(bands, budgets, word) => {
            per_month(scene, bands, budgets, word, axis, &y);
            if let Some(last) = bands.last() {
                end_labels(scene, last, &row.percentiles, |v| y.to(v), area);
            }
        }
    }
}

/// Names of the percentiles at the right end.
pub(super) fn end_labels(
    scene: &mut Scene,
    last: &Band,
    names: &[String; 3],
    y: impl Fn(f64) -> f64,
    area: &Area,
) {
    let wanted = [y(last.high), y(last.middle), y(last.low)];
    let places = spread(&wanted, APART, area.top + 2.0, area.bottom - 2.0);
    for ((name, place), ink) in names.iter().zip(places).zip(INKS) {
        scene.text(label(at(area.right + 6.0, place), Anchor::Start, ink, name));
    }
}

/// p95, median, p5.
const INKS: [Ink; 3] = [Ink::Ink2, Ink::Ink1, Ink::Ink2];

/// The highest amount that the axis must reach: a p95, a budget or the end of a histogram.
#[must_use]
pub fn extent(row: &SpendRow) -> f64 {
    let highs = |bands: &[Band]| bands.iter().map(|b| b.high).fold(0.0, f64::max);
    match &row.shape {
        SpendShape::ToDate(years) => years
            .iter()
            .flat_map(|y| {
                let budget = y.budget.as_ref().map_or(0.0, |b| b.0);
                let end = y.ends.as_ref().map_or(0.0, |e| e.to);
                [highs(&y.bands), budget, end]
            })
            .fold(row.at_least, f64::max),
        SpendShape::PerMonth(bands, budgets, _) => budgets
            .iter()
            .flatten()
            .copied()
            .fold(row.at_least.max(highs(bands)), f64::max),
    }
}

fn highest(row: &SpendRow) -> f64 {
    let top = extent(row) * 1.03;
    if top > 0.0 { top } else { 1.0 }
}

/// Lines at round amounts; zero is always one of them.
pub(in crate::chart::frame) fn money_grid(
    scene: &mut Scene,
    currency: &str,
    y: &Linear,
    area: &Area,
    count: usize,
) {
    for (value, words) in money_ticks(currency, y.domain.1, count) {
        let ink = if value == 0.0 { Ink::Line2 } else { Ink::Grid };
        scene.level(area.left, area.right, y.to(value), 1.0, ink);
        scene.text(tick(at(area.left - 6.0, y.to(value)), Anchor::End, words));
    }
}

/// Steps of an axis of money from zero, and their words.
pub(in crate::chart::frame) fn money_ticks(
    currency: &str,
    top: f64,
    count: usize,
) -> Vec<(f64, String)> {
    let mut s = steps(0.0, top, count);
    if top <= 1.0 {
        s.ticks.truncate(1); // nothing is spent: only zero
    }
    let ticks = Ticks::new(s.ticks.last().copied().unwrap_or(0.0), s.step);
    let values = s.ticks.into_iter();
    values
        .map(|value| (value, ticks.money(value, currency)))
        .collect()
}

/// Where the fiscal years are drawn.
struct Plot<'a> {
    axis: &'a TimeAxis,
    y: &'a Linear,
    area: &'a Area,
    sizes: &'a Sizes,
}

impl Plot<'_> {
    fn to_date(
        &self,
        scene: &mut Scene,
        year: &YearSpend,
        before: Option<&YearSpend>,
        next: Option<&YearSpend>,
    ) {
        if year.bands.is_empty() {
            return;
        }
        let y = |v: f64| self.y.to(v);
        let first = self.axis.month(year.first).0;
        let end = self.axis.month(year.first + year.bands.len() - 1).1;
        let mut xs = vec![first];
        let mut bands = vec![Band::default()];
        for (index, band) in year.bands.iter().enumerate() {
            xs.push(self.axis.month(year.first + index).1);
            bands.push(*band);
        }
        let limit = year.budget.as_ref().map(|b| y(b.0));
        fan::smooth(scene, &xs, &bands, y, limit);
        if let Some((amount, words)) = &year.budget {
            let gap = if first > self.area.left + 1.0 {
                4.0
            } else {
                0.0
            };
            let line = [at(first + gap, y(*amount)), at(end, y(*amount))];
            scene.strokes(dashes(&line, 6.0, 4.0), 1.5, Ink::Limit);
            // the same amount again needs no second label
            let same = before
                .and_then(|b| b.budget.as_ref())
                .is_some_and(|b| b.1 == *words);
            if !same {
                let ends = (first + gap, end);
                self.budget_label(scene, words, year, ends, before.is_some(), next.is_none());
            }
        }
        self.other_budgets(scene, year, before, (first, end));
        let Some(ends) = &year.ends else {
            return;
        };
        match next {
            Some(next) => {
                let months = next.bands.len().saturating_sub(1);
                let room = self.axis.month(next.first + months).1 - end;
                if room > BAR * 2.0 {
                    histogram(scene, ends, limit, end + 1.0, self.y);
                }
            }
            None => self.last_labels(scene, ends),
        }
    }

    /// Where the label of a budget's line stands: above it if there is room.
    fn beside(&self, line: f64) -> f64 {
        let over = line - 16.0 > self.area.top - 8.0;
        if over { line - 9.0 } else { line + 11.0 }
    }

    /// Height of p95 at a share of a year.
    fn p95_at(&self, year: &YearSpend, share: f64) -> f64 {
        let months = share.min(1.0) * year.bands.len() as f64;
        let month = (months.ceil() as usize).saturating_sub(1);
        self.y.to(year.bands.get(month).map_or(0.0, |b| b.high))
    }

    /// Thin lines of further budgets, as far as the axis and their labels find room.
    fn other_budgets(
        &self,
        scene: &mut Scene,
        year: &YearSpend,
        before: Option<&YearSpend>,
        (from, end): (f64, f64),
    ) {
        let main = year.budget.as_ref().map(|b| self.y.to(b.0));
        let mut taken: Vec<f64> = main.map(|line| self.beside(line)).into_iter().collect();
        for (amount, words) in &year.others {
            let line = self.y.to(*amount);
            let place = line - 9.0;
            let near = |t: &f64| (place - *t).abs() < APART || (line - *t).abs() < 9.0;
            if place < self.area.top - 8.0 || taken.iter().any(near) {
                continue;
            }
            let named = before.is_some_and(|b| b.others.iter().any(|o| o.1 == *words));
            // the end of the year before is written at the start of this one
            if before.is_some() && !named {
                continue;
            }
            let words = fitted(words, LABEL, false, end - from - 8.0);
            let width = text_width(&words, LABEL, false) + 10.0;
            if !named && self.p95_at(year, width / (end - from).max(1.0)) < line {
                continue; // the fan is there already
            }
            let level = [at(from, line), at(end, line)];
            scene.strokes(dashes(&level, 2.0, 4.0), 1.0, Ink::Limit);
            if !named {
                let text = label(at(from + 4.0, place), Anchor::Start, Ink::Ink1, words);
                scene.text(text);
            }
            taken.push(place);
        }
    }

    /// The label stands at the start of the line, where the fan is still low: above the line if there is room. In the
    /// last year the chance to end above follows it, if the fan leaves room.
    fn budget_label(
        &self,
        scene: &mut Scene,
        words: &str,
        year: &YearSpend,
        (from, end): (f64, f64),
        after_another: bool,
        last: bool,
    ) {
        let Some((amount, _)) = &year.budget else {
            return;
        };
        let line = self.y.to(*amount);
        let words = fitted(words, LABEL, true, end - from - 8.0);
        let place = self.beside(line);
        let over = place < line;
        // height of p95 where a text of this width ends
        let reached = |width: f64| self.p95_at(year, width / (end - from).max(1.0));
        let width = text_width(&words, LABEL, true) + 10.0;
        // the end of the year before is written at the start of this one
        let blocked = after_another || !over && reached(width) < place + 8.0;
        let (x, anchor) = if blocked {
            (end - 4.0, Anchor::End)
        } else {
            (from + 4.0, Anchor::Start)
        };
        scene.text(label(at(x, place), anchor, Ink::Ink1, words).strong());
        let above = year.ends.as_ref().map_or("", |e| e.above.as_str());
        let both = width + 12.0 + text_width(above, LABEL, true);
        if last && !blocked && both < end - from && reached(both) > place + 8.0 {
            let x = from + width + 12.0;
            scene.text(label(at(x, place), Anchor::Start, Ink::RiskText, above).strong());
        }
    }

    /// Between the bars and the fan of the next year.
    fn year_labels(&self, scene: &mut Scene, year: &YearSpend, next: &YearSpend) {
        let Some(ends) = year.ends.as_ref().filter(|_| !year.bands.is_empty()) else {
            return;
        };
        let end = self.axis.month(year.first + year.bands.len() - 1).1;
        let months = next.bands.len().saturating_sub(1);
        let x = end + BAR + 8.0;
        let room = self.axis.month(next.first + months).1 - x;
        let widest = ends
            .labels
            .iter()
            .map(|l| text_width(&l.2, LABEL, false))
            .fold(text_width(&ends.above, LABEL, true), f64::max);
        if widest > room {
            return;
        }
        let mut rows: Vec<(&str, Ink, bool)> = Vec::new();
        let mut wanted: Vec<f64> = ends.labels.iter().map(|l| self.y.to(l.0)).collect();
        if !ends.above.is_empty() {
            wanted.insert(0, wanted[0] - APART);
            rows.push((&ends.above, Ink::RiskText, true));
        }
        rows.extend(ends.labels.iter().zip(INKS).map(|(l, i)| (&*l.2, i, false)));
        // where all of them find no room, the chance to end above is what counts
        for count in [rows.len(), 1] {
            let (rows, wanted) = (&rows[..count], &wanted[..count]);
            let Some(places) = self.free_places(x, rows, wanted, next) else {
                continue;
            };
            for ((words, ink, strong), place) in rows.iter().zip(places) {
                // neither grid nor season runs through the words
                let width = text_width(words, LABEL, *strong);
                let box_ = Area::new(x - 2.0, place - 7.0, x + width, place + 7.0);
                scene.block(box_, 0.0, Ink::Surface);
                let text = label(at(x, place), Anchor::Start, *ink, *words);
                scene.text(if *strong { text.strong() } else { text });
            }
            return;
        }
    }

    /// Heights near those that are wanted at which no words lie on the next year's fan, its budget line or the label of
    /// that line.
    fn free_places(
        &self,
        x: f64,
        rows: &[(&str, Ink, bool)],
        wanted: &[f64],
        next: &YearSpend,
    ) -> Option<Vec<f64>> {
        let line = next.budget.as_ref().map(|b| self.y.to(b.0));
        let off_line = |place: f64| line.is_none_or(|l| place <= l - 22.0 || place >= l + 14.0);
        // the fan rises to the right: words end above it
        let off_fan = |place: f64, end: f64| {
            let month = (0..next.bands.len()).find(|m| self.axis.month(next.first + m).1 >= end);
            let high = month
                .and_then(|m| next.bands.get(m))
                .map_or(0.0, |b| b.high);
            place + 5.0 <= self.y.to(high)
        };
        let (top, bottom) = (self.area.top + 6.0, self.area.bottom - 6.0);
        let tall = APART * (wanted.len() - 1) as f64;
        let below = line.map(|l| l + 14.0).filter(|l| l + tall <= bottom);
        let above = (0..)
            .map(|step| bottom - 4.0 * f64::from(step))
            .take_while(|bottom| *bottom >= top + tall);
        let tries = below.map(|top| (top, bottom)).into_iter();
        let tries = [(top, bottom)].into_iter().chain(tries);
        tries
            .chain(above.map(|bottom| (top, bottom)))
            .map(|(top, bottom)| spread(wanted, APART, top, bottom))
            .find(|places| {
                rows.iter().zip(places).all(|((words, _, strong), place)| {
                    off_line(*place) && off_fan(*place, x + text_width(words, LABEL, *strong))
                })
            })
    }

    /// The last year ends at the gutter: values only, in their order.
    fn last_labels(&self, scene: &mut Scene, ends: &YearEnd) {
        let wanted = ends.labels.clone().map(|l| self.y.to(l.0));
        let places = spread(&wanted, APART, self.area.top + 2.0, self.area.bottom - 2.0);
        let room = self.sizes.width - self.area.right - 5.0;
        for ((place, (_, value, _)), ink) in places.into_iter().zip(&ends.labels).zip(INKS) {
            let size = if text_width(value, LABEL, false) > room {
                10.0
            } else {
                LABEL
            };
            let value = fitted(value, size, false, room + 4.0);
            let text = label(at(self.area.right + 5.0, place), Anchor::Start, ink, value);
            scene.text(text.sized(size));
        }
    }
}

fn histogram(scene: &mut Scene, ends: &YearEnd, limit: Option<f64>, x: f64, y: &Linear) {
    let count = ends.bars.len();
    if count == 0 {
        return;
    }
    let step = (ends.to - ends.from) / count as f64;
    let mut outline: Vec<Point> = vec![at(x, y.to(ends.from))];
    let mut hatched = Vec::new();
    for (index, share) in ends.bars.iter().enumerate() {
        let low = y.to(ends.from + step * index as f64);
        let high = y.to(ends.from + step * (index + 1) as f64);
        let right = x + share * BAR;
        outline.push(at(right, low));
        outline.push(at(right, high));
        if let Some(limit) = limit.filter(|l| high < *l) {
            let over = Area::new(x, high, right, low.min(limit));
            hatched.extend(hatch_area(&over, HATCH));
        }
    }
    outline.push(at(x, y.to(ends.to)));
    scene.fill(outline, Ink::FanInner);
    scene.strokes(hatched, 1.4, Ink::Risk);
}

fn per_month(
    scene: &mut Scene,
    bands: &[Band],
    budgets: &[Option<f64>],
    word: &str,
    axis: &TimeAxis,
    y: &Linear,
) {
    let spans: Vec<_> = (0..bands.len()).map(|m| axis.month(m)).collect();
    fan::stepped(scene, &spans, bands, |v| y.to(v), None);
    let mut run: Vec<Point> = Vec::new();
    let mut word = Some(word);
    for month in 0..=budgets.len() {
        if let Some(amount) = budgets.get(month).copied().flatten() {
            let (from, to) = axis.month(month);
            let line = y.to(amount);
            if let Some(band) = bands.get(month).filter(|b| b.high > amount) {
                let over = Area::new(from, y.to(band.high), to, line.min(y.to(band.low)));
                scene.strokes(hatch_area(&over, HATCH), 1.4, Ink::Risk);
            }
            run.extend([at(from, line), at(to, line)]);
            continue;
        }
        scene.strokes(dashes(&run, 6.0, 4.0), 1.5, Ink::Limit);
        if let Some((start, word)) = run.first().and_then(|p| word.take().map(|w| (p, w))) {
            let place = at(start.x + 4.0, start.y - 10.0);
            scene.text(label(place, Anchor::Start, Ink::Ink1, word).strong());
        }
        run.clear();
    }
}
