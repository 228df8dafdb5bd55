//! The hours of a week as a map: hours from left to right, days from top to bottom.

use crate::chart::scene::{Anchor, Area, Ink, Point, Scene, TICK, at, text_width, tick};

/// What the chart shows.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatInput {
    /// Needed share of what is committed, from Monday 0 h; 1 is all of it.
    pub shares: Vec<f64>,
    /// Names of the days.
    pub days: Vec<String>,
    /// Words of the steps: under 60 %, from 60, 70, 80, 90, and 100 and over.
    pub steps: [String; 6],
    /// Words of the last step where its cells have room for their number.
    pub numbered: String,
}

/// The chart and its cells.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatFrame {
    /// The picture.
    pub scene: Scene,
    /// Where the cells are.
    pub plot: Area,
}

const DAYS: usize = 7;
const HOURS: usize = 24;
const TOP: f64 = 18.0;
const ROW: f64 = 26.0;
/// Room that a cell has beside its number.
const BESIDE: f64 = 5.0;
/// Lower ends of the steps, in hundredths.
const FROM: [f64; 6] = [0.0, 0.6, 0.7, 0.8, 0.9, 1.0];
const INKS: [Ink; 6] = [
    Ink::Heat1,
    Ink::Heat2,
    Ink::Heat3,
    Ink::Heat4,
    Ink::Heat5,
    Ink::HeatOver,
];

/// Colour of a share.
fn ink(share: f64) -> Ink {
    let step = FROM.iter().rposition(|from| share >= *from).unwrap_or(0);
    INKS[step]
}

/// Lays the chart out. A filled window makes its rows taller.
#[must_use]
pub fn heat(input: &HeatInput, width: f64, height: f64) -> HeatFrame {
    let names = input.days.iter().map(|d| text_width(d, TICK, false));
    let left = names.fold(0.0, f64::max) + 8.0;
    let column = (width.max(left + 24.0) - left) / HOURS as f64;
    let mut named = input.steps.each_ref().map(String::as_str);
    let size = match column {
        c if c < 21.0 => 8.0,
        c if c < 26.0 => 9.0,
        _ => TICK,
    };
    let over = input.shares.iter().filter(|s| **s >= 1.0);
    let widest = over.map(|s| text_width(&percent(*s), size, true));
    let numbered = widest.fold(0.0, f64::max) + BESIDE <= column;
    if numbered {
        named[5] = &input.numbered;
    }
    let legend = legend_lines(&named, left, width);
    let below = 12.0 + 18.0 * legend.len() as f64;
    let row = ((height - TOP - below) / DAYS as f64).clamp(ROW, 64.0);
    let plot = Area::new(left, TOP, width.max(left + 24.0), TOP + row * DAYS as f64);
    let mut frame = HeatFrame {
        scene: Scene::new(width, plot.bottom + below),
        plot,
    };
    for hour in (0..HOURS).step_by(if column < 12.0 { 6 } else { 3 }) {
        let x = plot.left + column * hour as f64;
        frame
            .scene
            .text(tick(at(x, 7.0), Anchor::Start, format!("{hour:02}")));
    }
    for (day, name) in input.days.iter().enumerate().take(DAYS) {
        let y = plot.top + row * (day as f64 + 0.5);
        frame.scene.text(tick(at(0.0, y), Anchor::Start, name));
    }
    for (cell, share) in input.shares.iter().enumerate().take(DAYS * HOURS) {
        let area = frame.cell(cell);
        let inner = Area::new(
            area.left + 0.5,
            area.top + 0.5,
            area.right - 0.5,
            area.bottom - 0.5,
        );
        frame.scene.block(inner, 0.0, ink(*share));
        if *share >= 1.0 && numbered {
            let middle = at(
                f64::midpoint(area.left, area.right),
                f64::midpoint(area.top, area.bottom),
            );
            let number = tick(middle, Anchor::Middle, percent(*share));
            frame
                .scene
                .text(number.inked(Ink::Inverse).strong().sized(size));
        }
    }
    for (line, steps) in legend.into_iter().enumerate() {
        let y = plot.bottom + 16.0 + 18.0 * line as f64;
        for (step, x) in steps {
            let swatch = Area::new(x, y - 5.0, x + 16.0, y + 5.0);
            frame.scene.block(swatch, 0.0, INKS[step]);
            let words = named[step];
            frame
                .scene
                .text(tick(at(x + 20.0, y), Anchor::Start, words));
        }
    }
    frame
}

/// Whole percent, rounded down: what is called 100 is 100.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{:.0}", (share * 100.0 + 1e-4).floor())
}

/// Steps of the legend by line, with their left edges.
fn legend_lines(steps: &[&str; 6], left: f64, width: f64) -> Vec<Vec<(usize, f64)>> {
    let mut lines = vec![Vec::new()];
    let mut x = left;
    for (step, words) in steps.iter().enumerate() {
        let wide = 20.0 + text_width(words, TICK, false);
        if x > left && x + wide > width {
            lines.push(Vec::new());
            x = left;
        }
        if let Some(line) = lines.last_mut() {
            line.push((step, x));
        }
        x += wide + 12.0;
    }
    lines
}

impl HeatFrame {
    /// Where an hour of the week is.
    #[must_use]
    pub fn cell(&self, hour: usize) -> Area {
        let (w, h) = (
            self.plot.width() / HOURS as f64,
            self.plot.height() / DAYS as f64,
        );
        let left = self.plot.left + w * (hour % HOURS) as f64;
        let top = self.plot.top + h * (hour / HOURS) as f64;
        Area::new(left, top, left + w, top + h)
    }

    /// The hour of the week at a point.
    #[must_use]
    pub fn hour_at(&self, point: Point) -> Option<usize> {
        let x = (point.x - self.plot.left) / self.plot.width() * HOURS as f64;
        let y = (point.y - self.plot.top) / self.plot.height() * DAYS as f64;
        let inside = (0.0..HOURS as f64).contains(&x) && (0.0..DAYS as f64).contains(&y);
        inside.then_some(y as usize * HOURS + x as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::draw::light_svg as svg;

    fn input() -> HeatInput {
        HeatInput {
            shares: (0..168).map(|h| f64::from(h) / 140.0).collect(),
            days: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
                .map(str::to_owned)
                .to_vec(),
            steps: ["under 60 %", "60", "70", "80", "90", "100 and over"].map(str::to_owned),
            numbered: "100 and over: number shown".to_owned(),
        }
    }

    #[test]
    fn looks_as_it_was_approved() {
        insta::assert_snapshot!(svg(&heat(&input(), 600.0, 230.0).scene));
    }

    #[test]
    fn every_cell_is_found_at_its_middle() {
        let frame = heat(&input(), 390.0, 230.0);
        for hour in 0..168 {
            let area = frame.cell(hour);
            let middle = at(
                f64::midpoint(area.left, area.right),
                f64::midpoint(area.top, area.bottom),
            );
            assert_eq!(frame.hour_at(middle), Some(hour));
        }
        assert_eq!(frame.hour_at(at(0.0, 0.0)), None);
        assert!(frame.scene.is_finite() && heat(&input(), 0.0, 0.0).scene.is_finite());
    }

    #[test]
    fn steps_begin_where_they_say() {
        assert_eq!(ink(0.599), Ink::Heat1);
        assert_eq!(ink(0.6), Ink::Heat2);
        assert_eq!(ink(0.999), Ink::Heat5);
        assert_eq!(ink(1.0), Ink::HeatOver);
        assert_eq!((percent(0.999), percent(1.0)), ("99".into(), "100".into()));
    }
}
