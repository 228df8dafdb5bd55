//! A picture as a list of marks: points in CSS pixels (y down), colours by meaning.

use crate::domain::scenario::Id;

/// A point in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

/// Shorthand for a point.
#[must_use]
pub const fn at(x: f64, y: f64) -> Point {
    Point { x, y }
}

/// A rectangle; `left <= right` and `top <= bottom`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Area {
    /// Left edge.
    pub left: f64,
    /// Top edge.
    pub top: f64,
    /// Right edge.
    pub right: f64,
    /// Bottom edge.
    pub bottom: f64,
}

impl Area {
    /// From any two opposite corners.
    #[must_use]
    pub fn new(x0: f64, y0: f64, x1: f64, y1: f64) -> Self {
        Self {
            left: x0.min(x1),
            top: y0.min(y1),
            right: x0.max(x1),
            bottom: y0.max(y1),
        }
    }

    /// Width.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    /// Height.
    #[must_use]
    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// Its corners, clockwise from the top left.
    #[must_use]
    pub fn corners(&self) -> Vec<Point> {
        vec![
            at(self.left, self.top),
            at(self.right, self.top),
            at(self.right, self.bottom),
            at(self.left, self.bottom),
        ]
    }
}

/// What a colour means. The values stand in `style/tokens.css`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are those of the tokens
pub enum Ink {
    Ink1,
    Ink2,
    Ink3,
    Inverse,
    Surface,
    Sunken,
    Line1,
    Line2,
    Range,
    FanOuter,
    FanInner,
    FanEdge,
    Limit,
    Unused,
    Committed,
    Grid,
    Axis,
    Season,
    SeasonEdge,
    SeasonText,
    Risk,
    RiskText,
    Feature1,
    Feature2,
    Feature3,
    Feature4,
    Feature5,
    Feature6,
    FeatureOther,
    Heat1,
    Heat2,
    Heat3,
    Heat4,
    Heat5,
    HeatOver,
}

impl Ink {
    /// Colour of a feature by its place in the plan: six, then one for all others.
    #[must_use]
    pub const fn feature(index: usize) -> Self {
        match index {
            0 => Self::Feature1,
            1 => Self::Feature2,
            2 => Self::Feature3,
            3 => Self::Feature4,
            4 => Self::Feature5,
            5 => Self::Feature6,
            _ => Self::FeatureOther,
        }
    }
}

/// A colour and how much of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paint {
    /// Which colour.
    pub ink: Ink,
    /// Opacity on top of the colour's own, 0 to 1.
    pub alpha: f64,
}

impl From<Ink> for Paint {
    fn from(ink: Ink) -> Self {
        Self { ink, alpha: 1.0 }
    }
}

impl Ink {
    /// A tint of it.
    #[must_use]
    pub const fn tint(self, alpha: f64) -> Paint {
        Paint { ink: self, alpha }
    }
}

/// Where a text hangs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Starts at the point.
    Start,
    /// Is centred on it.
    Middle,
    /// Ends there.
    End,
}

/// A text; the point is at half its height.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// Where.
    pub at: Point,
    /// What.
    pub text: String,
    /// Colour.
    pub ink: Ink,
    /// Font size in CSS pixels.
    pub size: f64,
    /// Semibold.
    pub strong: bool,
    /// Where it hangs.
    pub anchor: Anchor,
}

/// One thing to draw.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // fields are named by their types
pub enum Mark {
    /// A filled polygon.
    Fill { points: Vec<Point>, paint: Paint },
    /// A filled rectangle with rounded corners.
    Block {
        area: Area,
        radius: f64,
        paint: Paint,
    },
    /// The outline of a rectangle, inside its edges.
    Outline {
        area: Area,
        width: f64,
        paint: Paint,
    },
    /// A line through points.
    Line {
        points: Vec<Point>,
        width: f64,
        paint: Paint,
    },
    /// Lines on their own: dashes and hatches.
    Strokes {
        strokes: Vec<(Point, Point)>,
        width: f64,
        paint: Paint,
    },
    /// A disc.
    Dot {
        center: Point,
        radius: f64,
        paint: Paint,
    },
    /// A text.
    Text(Text),
}

/// What a place in a picture stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A month of the horizon.
    Month(usize),
    /// An entity of the plan.
    Entity(Id),
    /// A row of the picture.
    Row(usize),
}

/// A place that can be clicked.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Where.
    pub area: Area,
    /// What it stands for.
    pub meaning: Meaning,
    /// Its name for a screen reader.
    pub name: String,
}

/// A picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Width in CSS pixels.
    pub width: f64,
    /// Height in CSS pixels.
    pub height: f64,
    /// Marks, back to front.
    pub marks: Vec<Mark>,
    /// Places that can be clicked.
    pub targets: Vec<Target>,
}

impl Scene {
    /// An empty picture.
    #[must_use]
    pub fn new(width: f64, height: f64) -> Self {
        Self {
            width,
            height,
            ..Self::default()
        }
    }

    /// Adds a filled polygon.
    pub fn fill(&mut self, points: Vec<Point>, paint: impl Into<Paint>) {
        if points.len() > 2 {
            self.marks.push(Mark::Fill {
                points,
                paint: paint.into(),
            });
        }
    }

    /// Adds a filled rectangle.
    pub fn block(&mut self, area: Area, radius: f64, paint: impl Into<Paint>) {
        self.marks.push(Mark::Block {
            area,
            radius,
            paint: paint.into(),
        });
    }

    /// Adds the outline of a rectangle.
    pub fn outline(&mut self, area: Area, width: f64, paint: impl Into<Paint>) {
        self.marks.push(Mark::Outline {
            area,
            width,
            paint: paint.into(),
        });
    }

    /// Adds a line.
    pub fn line(&mut self, points: Vec<Point>, width: f64, paint: impl Into<Paint>) {
        if points.len() > 1 {
            self.marks.push(Mark::Line {
                points,
                width,
                paint: paint.into(),
            });
        }
    }

    /// Adds a horizontal line.
    pub fn level(&mut self, x0: f64, x1: f64, y: f64, width: f64, paint: impl Into<Paint>) {
        self.line(vec![at(x0, y), at(x1, y)], width, paint);
    }

    /// Adds a vertical line.
    pub fn upright(&mut self, x: f64, y0: f64, y1: f64, width: f64, paint: impl Into<Paint>) {
        self.line(vec![at(x, y0), at(x, y1)], width, paint);
    }

    /// Adds single strokes.
    pub fn strokes(&mut self, strokes: Vec<(Point, Point)>, width: f64, paint: impl Into<Paint>) {
        if !strokes.is_empty() {
            self.marks.push(Mark::Strokes {
                strokes,
                width,
                paint: paint.into(),
            });
        }
    }

    /// Adds a disc.
    pub fn dot(&mut self, center: Point, radius: f64, paint: impl Into<Paint>) {
        self.marks.push(Mark::Dot {
            center,
            radius,
            paint: paint.into(),
        });
    }

    /// Adds a text; empty texts are left out.
    pub fn text(&mut self, text: Text) {
        if !text.text.is_empty() {
            self.marks.push(Mark::Text(text));
        }
    }

    /// Whether every coordinate is a finite number.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        let ok = |p: &Point| p.x.is_finite() && p.y.is_finite();
        let area = |a: &Area| ok(&at(a.left, a.top)) && ok(&at(a.right, a.bottom));
        self.marks.iter().all(|mark| match mark {
            Mark::Fill { points, .. } | Mark::Line { points, .. } => points.iter().all(ok),
            Mark::Block { area: a, .. } | Mark::Outline { area: a, .. } => area(a),
            Mark::Strokes { strokes, .. } => strokes.iter().all(|(a, b)| ok(a) && ok(b)),
            Mark::Dot { center, .. } => ok(center),
            Mark::Text(text) => ok(&text.at),
        }) && self.targets.iter().all(|t| area(&t.area))
    }
}

/// Sizes of text in charts.
pub const TICK: f64 = 11.0;
/// Size of labels.
pub const LABEL: f64 = 12.0;

/// A tick label: 11 px in the colour of axes.
#[must_use]
pub fn tick(point: Point, anchor: Anchor, text: impl Into<String>) -> Text {
    Text {
        at: point,
        text: text.into(),
        ink: Ink::Axis,
        size: TICK,
        strong: false,
        anchor,
    }
}

/// A label: 12 px.
#[must_use]
pub fn label(point: Point, anchor: Anchor, ink: Ink, text: impl Into<String>) -> Text {
    Text {
        at: point,
        text: text.into(),
        ink,
        size: LABEL,
        strong: false,
        anchor,
    }
}

impl Text {
    /// The same, semibold.
    #[must_use]
    pub fn strong(mut self) -> Self {
        self.strong = true;
        self
    }

    /// The same in another size.
    #[must_use]
    pub fn sized(mut self, size: f64) -> Self {
        self.size = size;
        self
    }

    /// The same in another colour.
    #[must_use]
    pub fn inked(mut self, ink: Ink) -> Self {
        self.ink = ink;
        self
    }
}

/// Width of a text in CSS pixels, a little generous: system fonts differ, and a label that is thought too wide moves away
/// while one that is thought too narrow collides.
#[must_use]
pub fn text_width(text: &str, size: f64, strong: bool) -> f64 {
    let ems: f64 = text
        .chars()
        .map(|c| match c {
            'i' | 'j' | 'l' | '\'' => 0.28,
            '.' | ',' | ':' | ';' | 'I' | '|' | '\u{202f}' | '\u{b7}' => 0.32,
            ' ' | 'f' | 't' | 'r' | '(' | ')' | '/' => 0.38,
            'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.94,
            'A'..='Z' | '+' | '\u{2212}' | '\u{d7}' | '<' | '>' => 0.7,
            c if u32::from(c) >= 0x2e80 => 1.0,
            _ => 0.62,
        })
        .sum();
    ems * size * if strong { 1.1 } else { 1.0 }
}

/// The text, cut with an ellipsis so that it is not wider than `width` CSS pixels.
#[must_use]
pub fn fitted(text: &str, size: f64, strong: bool, width: f64) -> String {
    if text_width(text, size, strong) <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    for c in text.chars() {
        out.push(c);
        if text_width(&out, size, strong) + size * 0.8 > width {
            out.pop();
            break;
        }
    }
    let kept = out.trim_end();
    if kept.is_empty() {
        String::new()
    } else {
        format!("{kept}\u{2026}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_too_wide_is_cut_and_stays_inside() {
        let name = "A very long feature name that does not fit";
        let cut = fitted(name, 12.0, false, 90.0);
        assert!(cut.ends_with('\u{2026}') && cut.len() < name.len());
        assert!(text_width(&cut, 12.0, false) <= 90.0 + 12.0);
        assert_eq!(fitted("Chat", 12.0, false, 90.0), "Chat");
        assert_eq!(fitted("Chat", 12.0, false, 0.0), "");
    }

    #[test]
    fn areas_are_in_order_and_pictures_know_what_is_not_a_number() {
        let a = Area::new(5.0, 9.0, 1.0, 2.0);
        assert_eq!((a.left, a.top, a.width(), a.height()), (1.0, 2.0, 4.0, 7.0));
        let mut s = Scene::new(10.0, 10.0);
        s.block(a, 0.0, Ink::Grid);
        assert!(s.is_finite());
        s.line(vec![at(0.0, f64::NAN), at(1.0, 1.0)], 1.0, Ink::Grid);
        assert!(!s.is_finite());
    }
}
