//! Hatches and dashes as single strokes, so that a backend needs neither patterns nor clips.

use crate::chart::scene::{Area, Point, at};

/// Distance of two hatch lines in CSS pixels, across.
pub const HATCH: f64 = 5.0;

/// 45° lines inside a polygon (even-odd), rising to the right. Lines of all hatches of a picture lie on one grid.
#[must_use]
pub fn hatch(polygon: &[Point], distance: f64) -> Vec<(Point, Point)> {
    let mut strokes = Vec::new();
    if polygon.len() < 3 || distance <= 0.0 {
        return strokes;
    }
    // lines x + y = c; the step of c is the distance across times the square root of 2
    let step = distance * std::f64::consts::SQRT_2;
    let sums = polygon.iter().map(|p| p.x + p.y);
    let low = sums.clone().fold(f64::INFINITY, f64::min);
    let high = sums.fold(f64::NEG_INFINITY, f64::max);
    if !low.is_finite() || !high.is_finite() || (high - low) / step > 5000.0 {
        return strokes;
    }
    let mut line = (low / step).ceil();
    while line * step < high {
        let c = line * step;
        line += 1.0;
        let mut xs = Vec::new();
        for (i, a) in polygon.iter().enumerate() {
            let b = &polygon[(i + 1) % polygon.len()];
            let (da, db) = (a.x + a.y - c, b.x + b.y - c);
            if (da < 0.0) != (db < 0.0) {
                let t = da / (da - db);
                xs.push(a.x + t * (b.x - a.x));
            }
        }
        xs.sort_by(f64::total_cmp);
        for pair in xs.chunks_exact(2) {
            if pair[1] - pair[0] > 0.3 {
                strokes.push((at(pair[0], c - pair[0]), at(pair[1], c - pair[1])));
            }
        }
    }
    strokes
}

/// 45° lines inside a rectangle.
#[must_use]
pub fn hatch_area(area: &Area, distance: f64) -> Vec<(Point, Point)> {
    hatch(&area.corners(), distance)
}

/// The part of a polygon above a height (smaller y), by cutting each edge.
#[must_use]
pub fn above(polygon: &[Point], y: f64) -> Vec<Point> {
    cut(polygon, |p| y - p.y)
}

/// The part of a polygon right of an x.
#[must_use]
pub fn right_of(polygon: &[Point], x: f64) -> Vec<Point> {
    cut(polygon, |p| p.x - x)
}

fn cut(polygon: &[Point], inside: impl Fn(&Point) -> f64) -> Vec<Point> {
    let mut out = Vec::new();
    for (i, a) in polygon.iter().enumerate() {
        let b = &polygon[(i + 1) % polygon.len()];
        let (da, db) = (inside(a), inside(b));
        if da >= 0.0 {
            out.push(*a);
        }
        if (da >= 0.0) != (db >= 0.0) {
            let t = da / (da - db);
            out.push(at(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)));
        }
    }
    out
}

/// A dashed line along points.
#[must_use]
pub fn dashes(points: &[Point], on: f64, off: f64) -> Vec<(Point, Point)> {
    let mut strokes = Vec::new();
    let period = on + off;
    if on <= 0.0 || period <= 0.0 {
        return strokes;
    }
    let mut phase = 0.0;
    for pair in points.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let length = (dx * dx + dy * dy).sqrt();
        if !length.is_finite() || length <= 0.0 || length / period > 10_000.0 {
            continue;
        }
        let along = |d: f64| at(a.x + dx * d / length, a.y + dy * d / length);
        let mut from = -phase;
        while from < length {
            let to = (from + on).min(length);
            if to > from.max(0.0) {
                strokes.push((along(from.max(0.0)), along(to)));
            }
            from += period;
        }
        phase = length - (from - period);
    }
    strokes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn hatches_stay_inside_their_rectangle(x in -100.0..900.0f64, y in -100.0..900.0f64, w in 0.0..300.0f64, h in 0.0..300.0f64) {
            let a = Area::new(x, y, x + w, y + h);
            for (p, q) in hatch_area(&a, HATCH) {
                for point in [p, q] {
                    prop_assert!(point.x >= a.left - 1e-6 && point.x <= a.right + 1e-6);
                    prop_assert!(point.y >= a.top - 1e-6 && point.y <= a.bottom + 1e-6);
                }
                prop_assert!(((p.x + p.y) - (q.x + q.y)).abs() < 1e-6, "45 degrees");
            }
        }
    }

    #[test]
    fn neighbours_lie_on_one_grid() {
        let left = hatch_area(&Area::new(0.0, 0.0, 20.0, 20.0), HATCH);
        let right = hatch_area(&Area::new(20.0, 0.0, 40.0, 20.0), HATCH);
        let grid =
            |s: &(Point, Point)| ((s.0.x + s.0.y) / (HATCH * std::f64::consts::SQRT_2)).fract();
        assert!(
            left.iter()
                .chain(&right)
                .all(|s| grid(s).min(1.0 - grid(s)) < 1e-9)
        );
        assert!(!left.is_empty() && !right.is_empty());
    }

    #[test]
    fn nothing_to_hatch() {
        assert!(hatch_area(&Area::new(1.0, 1.0, 1.0, 9.0), HATCH).is_empty());
        assert!(hatch(&[], HATCH).is_empty());
        assert!(hatch(&[at(0.0, f64::NAN); 4], HATCH).is_empty());
    }

    #[test]
    fn a_polygon_is_cut_at_a_height() {
        let square = Area::new(0.0, 0.0, 10.0, 10.0).corners();
        let top = above(&square, 4.0);
        assert_eq!(top.iter().map(|p| p.y).fold(0.0, f64::max), 4.0);
        assert!(above(&square, -1.0).is_empty());
        assert_eq!(above(&square, 11.0), square);
        assert_eq!(
            right_of(&square, 5.0)
                .iter()
                .map(|p| p.x)
                .fold(9.0, f64::min),
            5.0
        );
    }

    #[test]
    fn dashes_have_their_lengths_and_go_round_corners() {
        let d = dashes(&[at(0.0, 0.0), at(20.0, 0.0)], 6.0, 4.0);
        assert_eq!(
            d,
            [(at(0.0, 0.0), at(6.0, 0.0)), (at(10.0, 0.0), at(16.0, 0.0))]
        );
        let d = dashes(&[at(0.0, 0.0), at(8.0, 0.0), at(8.0, 8.0)], 6.0, 4.0);
        assert_eq!(d[1], (at(8.0, 2.0), at(8.0, 8.0)));
        assert!(dashes(&[at(0.0, 0.0), at(5.0, 0.0)], 0.0, 0.0).is_empty());
    }
}
