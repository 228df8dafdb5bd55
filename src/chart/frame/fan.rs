//! The range of futures over time: p5 to p95, p25 to p75 and the median.

use super::hatch::{HATCH, above, hatch};
use crate::chart::scene::{Area, Ink, Point, Scene, at};
use crate::engine::projection::Summary;

/// The five percentiles that a fan shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Band {
    /// p5.
    pub low: f64,
    /// p25.
    pub inner_low: f64,
    /// p50.
    pub middle: f64,
    /// p75.
    pub inner_high: f64,
    /// p95.
    pub high: f64,
}

impl From<&Summary> for Band {
    fn from(s: &Summary) -> Self {
        Self {
            low: s.p[0],
            inner_low: s.p[2],
            middle: s.p[3],
            inner_high: s.p[4],
            high: s.p[6],
        }
    }
}

impl Band {
    /// Every percentile plus an amount.
    #[must_use]
    pub fn plus(self, x: f64) -> Self {
        Self {
            low: self.low + x,
            inner_low: self.inner_low + x,
            middle: self.middle + x,
            inner_high: self.inner_high + x,
            high: self.high + x,
        }
    }
}

fn ribbon(top: &[Point], bottom: &[Point]) -> Vec<Point> {
    top.iter().chain(bottom.iter().rev()).copied().collect()
}

/// A smooth fan through points; `limit` is the height above which the outer band is hatched.
pub fn smooth(
    scene: &mut Scene,
    xs: &[f64],
    bands: &[Band],
    y: impl Fn(f64) -> f64,
    limit: Option<f64>,
) {
    let row = |pick: fn(&Band) -> f64| -> Vec<Point> {
        xs.iter()
            .zip(bands)
            .map(|(x, b)| at(*x, y(pick(b))))
            .collect()
    };
    let (high, low) = (row(|b| b.high), row(|b| b.low));
    let outer = ribbon(&high, &low);
    scene.fill(outer.clone(), Ink::FanOuter);
    scene.fill(
        ribbon(&row(|b| b.inner_high), &row(|b| b.inner_low)),
        Ink::FanInner,
    );
    if let Some(limit) = limit {
        scene.strokes(hatch(&above(&outer, limit), HATCH), 1.4, Ink::Risk);
    }
    scene.line(high, 1.0, Ink::FanEdge);
    scene.line(low, 1.0, Ink::FanEdge);
    scene.line(row(|b| b.middle), 2.0, Ink::Range);
}

/// A stepped fan: one value for each span; below the pixel `zero` the outer band is hatched.
pub fn stepped(
    scene: &mut Scene,
    spans: &[(f64, f64)],
    bands: &[Band],
    y: impl Fn(f64) -> f64,
    zero: Option<f64>,
) {
    let mut low = Vec::new();
    let mut high = Vec::new();
    let mut hatched = Vec::new();
    for (&(from, to), b) in spans.iter().zip(bands) {
        scene.block(Area::new(from, y(b.high), to, y(b.low)), 0.0, Ink::FanOuter);
        scene.block(
            Area::new(from, y(b.inner_high), to, y(b.inner_low)),
            0.0,
            Ink::FanInner,
        );
        low.extend([at(from, y(b.low)), at(to, y(b.low))]);
        high.extend([at(from, y(b.high)), at(to, y(b.high))]);
        if let Some(zero) = zero.filter(|z| y(b.low) > *z) {
            let area = Area::new(from, y(b.high).max(zero), to, y(b.low));
            hatched.extend(hatch(&area.corners(), HATCH));
        }
    }
    scene.strokes(hatched, 1.4, Ink::Risk);
    scene.line(low, 1.0, Ink::FanEdge);
    scene.line(high, 1.0, Ink::FanEdge);
    for (&(from, to), b) in spans.iter().zip(bands) {
        scene.level(from + 0.5, to - 0.5, y(b.middle), 2.0, Ink::Range);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::scene::Mark;
    use super::*;

    fn band(middle: f64) -> Band {
        Band {
            low: middle - 4.0,
            inner_low: middle - 1.0,
            middle,
            inner_high: middle + 1.0,
            high: middle + 4.0,
        }
    }

    fn hatches(s: &Scene) -> usize {
        s.marks
            .iter()
            .filter(|m| matches!(m, Mark::Strokes { .. }))
            .count()
    }

    #[test]
    fn only_what_lies_beyond_the_limit_is_hatched() {
        let xs = [0.0, 100.0];
        let mut s = Scene::new(100.0, 100.0);
        smooth(
            &mut s,
            &xs,
            &[band(10.0), band(20.0)],
            |v| 100.0 - v,
            Some(100.0 - 30.0),
        );
        assert_eq!(hatches(&s), 0, "p95 of 24 stays below 30");
        smooth(
            &mut s,
            &xs,
            &[band(10.0), band(60.0)],
            |v| 100.0 - v,
            Some(100.0 - 30.0),
        );
        assert_eq!(hatches(&s), 1);
        let mut s = Scene::new(100.0, 100.0);
        let spans = [(0.0, 50.0), (50.0, 100.0)];
        stepped(
            &mut s,
            &spans,
            &[band(10.0), band(20.0)],
            |v| 50.0 - v,
            Some(50.0),
        );
        assert_eq!(hatches(&s), 0);
        stepped(
            &mut s,
            &spans,
            &[band(10.0), band(2.0)],
            |v| 50.0 - v,
            Some(50.0),
        );
        assert_eq!(hatches(&s), 1);
    }

    #[test]
    fn no_months_draw_nothing() {
        let mut s = Scene::new(10.0, 10.0);
        smooth(&mut s, &[], &[], |v| v, Some(1.0));
        stepped(&mut s, &[], &[], |v| v, Some(1.0));
        assert!(s.marks.is_empty());
    }
}
