//! Draws a scene with any plotters backend.
//!
//! A backend knows only whole device pixels. Everything is scaled by the number of device pixels per CSS pixel and
//! rounded here, once; lines along an axis become filled rectangles, so that they are sharp at every scale and width.

use std::convert::Infallible;

use plotters_backend::text_anchor::{HPos, Pos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontFamily, FontStyle,
};

use super::palette::Palette;
use super::scene::{Anchor, Area, Mark, Paint, Point, Scene, Text, at};

/// How to draw.
#[derive(Clone, Debug)]
pub struct Style<'a> {
    /// Colours of the theme.
    pub palette: &'a Palette,
    /// CSS list of font families.
    pub fonts: &'a str,
    /// Device pixels per CSS pixel.
    pub scale: f64,
}

/// Draws every mark, back to front.
///
/// # Errors
/// What the backend reports.
pub fn draw<B: DrawingBackend>(
    scene: &Scene,
    style: &Style<'_>,
    backend: &mut B,
) -> Result<(), DrawingErrorKind<B::ErrorType>> {
    backend.ensure_prepared()?;
    let mut pen = Pen { style, backend };
    for mark in &scene.marks {
        pen.mark(mark)?;
    }
    backend.present()
}

struct Pen<'a, 'b, B> {
    style: &'a Style<'a>,
    backend: &'b mut B,
}

/// A stroke in device pixels.
struct Stroke {
    colour: BackendColor,
    width: u32,
}

impl BackendStyle for Stroke {
    fn color(&self) -> BackendColor {
        self.colour
    }
    fn stroke_width(&self) -> u32 {
        self.width
    }
}

impl<B: DrawingBackend> Pen<'_, '_, B> {
    fn pixel(&self, value: f64) -> i32 {
        // saturates: no chart is two billion pixels wide
        (value * self.style.scale).round() as i32
    }

    fn coord(&self, p: Point) -> BackendCoord {
        (self.pixel(p.x), self.pixel(p.y))
    }

    /// Width of a stroke in device pixels, at least one.
    fn width(&self, css: f64) -> i32 {
        self.pixel(css).max(1)
    }

    fn mark(&mut self, mark: &Mark) -> Result<(), DrawingErrorKind<B::ErrorType>> {
        match mark {
            Mark::Fill { points, paint } => {
                let colour = self.style.palette.colour(*paint);
                let points: Vec<_> = points.iter().map(|p| self.coord(*p)).collect();
                self.backend.fill_polygon(points, &colour)
            }
            Mark::Block {
                area,
                radius,
                paint,
            } => self.block(area, *radius, *paint),
            Mark::Outline { area, width, paint } => self.outline(area, *width, *paint),
            Mark::Line {
                points,
                width,
                paint,
            } => self.line(points, *width, *paint),
            Mark::Strokes {
                strokes,
                width,
                paint,
            } => strokes
                .iter()
                .try_for_each(|&(a, b)| self.line(&[a, b], *width, *paint)),
            Mark::Dot {
                center,
                radius,
                paint,
            } => self.dot(*center, *radius, *paint),
            Mark::Text(text) => self.text(text),
        }
    }

    fn rect(
        &mut self,
        (x0, y0): BackendCoord,
        (x1, y1): BackendCoord,
        colour: BackendColor,
    ) -> Result<(), DrawingErrorKind<B::ErrorType>> {
        if x1 > x0 && y1 > y0 {
            self.backend.draw_rect((x0, y0), (x1, y1), &colour, true)
        } else {
            Ok(())
        }
    }

    fn block(
        &mut self,
        area: &Area,
        radius: f64,
        paint: Paint,
    ) -> Result<(), DrawingErrorKind<B::ErrorType>> {
        let colour = self.style.palette.colour(paint);
        let (x0, y0) = self.coord(at(area.left, area.top));
        let (x1, y1) = self.coord(at(area.right, area.bottom));
        let r = self.pixel(radius).min((x1 - x0) / 2).min((y1 - y0) / 2);
        if r <= 0 {
            return self.rect((x0, y0), (x1, y1), colour);
        }
        // a quarter of a circle in three points is round enough for radii of a few pixels; a small one is one pixel
        let cut = (f64::from(r) * 0.293).round() as i32;
        if r <= 2 {
            let points = [
                (x0, y0 + 1),
                (x0 + 1, y0),
                (x1 - 1, y0),
                (x1, y0 + 1),
                (x1, y1 - 1),
                (x1 - 1, y1),
                (x0 + 1, y1),
                (x0, y1 - 1),
            ];
            return self.backend.fill_polygon(points, &colour);
        }
        let points = [
            (x0, y0 + r),
            (x0 + cut, y0 + cut),
            (x0 + r, y0),
            (x1 - r, y0),
            (x1 - cut, y0 + cut),
            (x1, y0 + r),
            (x1, y1 - r),
            (x1 - cut, y1 - cut),
            (x1 - r, y1),
            (x0 + r, y1),
            (x0 + cut, y1 - cut),
            (x0, y1 - r),
        ];
        self.backend.fill_polygon(points, &colour)
    }

    fn outline(
        &mut self,
        area: &Area,
        width: f64,
        paint: Paint,
    ) -> Result<(), DrawingErrorKind<B::ErrorType>> {
        let colour = self.style.palette.colour(paint);
        let w = self.width(width);
        let (x0, y0) = self.coord(at(area.left, area.top));
        let (x1, y1) = self.coord(at(area.right, area.bottom));
        self.rect((x0, y0), (x1, y0 + w), colour)?;
        self.rect((x0, y1 - w), (x1, y1), colour)?;
        self.rect((x0, y0 + w), (x0 + w, y1 - w), colour)?;
        self.rect((x1 - w, y0 + w), (x1, y1 - w), colour)
    }

    /// Axis-parallel pieces are rectangles; the others are drawn as one path, so that joints have no gaps.
    fn line(
        &mut self,
        points: &[Point],
        width: f64,
        paint: Paint,
    ) -> Result<(), DrawingErrorKind<B::ErrorType>> {
        let colour = self.style.palette.colour(paint);
        let w = self.width(width);
        let points: Vec<_> = points.iter().map(|p| self.coord(*p)).collect();
        let straight = |a: BackendCoord, b: BackendCoord| a.0 == b.0 || a.1 == b.1;
        if points.windows(2).all(|p| straight(p[0], p[1])) {
            for pair in points.windows(2) {
                let (a, b) = (pair[0], pair[1]);
                let low = w / 2;
                let high = w - low;
                let (from, to) = if a.1 == b.1 {
                    ((a.0.min(b.0), a.1 - low), (a.0.max(b.0), a.1 + high))
                } else {
                    // the corner belongs to the upright piece
                    (
                        (a.0 - low, a.1.min(b.1) - low),
                        (a.0 + high, a.1.max(b.1) + high),
                    )
                };
                self.rect(from, to, colour)?;
            }
            return Ok(());
        }
        let style = Stroke {
            colour,
            width: u32::try_from(w).unwrap_or(1),
        };
        self.backend.draw_path(points, &style)
    }

    fn dot(
        &mut self,
        center: Point,
        radius: f64,
        paint: Paint,
    ) -> Result<(), DrawingErrorKind<B::ErrorType>> {
        let colour = self.style.palette.colour(paint);
        let radius = u32::try_from(self.pixel(radius)).unwrap_or(1).max(1);
        self.backend
            .draw_circle(self.coord(center), radius, &colour, true)
    }

    fn text(&mut self, text: &Text) -> Result<(), DrawingErrorKind<B::ErrorType>> {
        let font = Font {
            fonts: self.style.fonts,
            size: text.size * self.style.scale,
            colour: self.style.palette.colour(text.ink.into()),
            strong: text.strong,
            anchor: text.anchor,
        };
        self.backend
            .draw_text(&text.text, &font, self.coord(text.at))
    }
}

/// A font that the backend resolves by name; this program has no font files.
struct Font<'a> {
    fonts: &'a str,
    size: f64,
    colour: BackendColor,
    strong: bool,
    anchor: Anchor,
}

impl BackendTextStyle for Font<'_> {
    type FontError = Infallible;

    fn color(&self) -> BackendColor {
        self.colour
    }
    fn size(&self) -> f64 {
        self.size
    }
    fn style(&self) -> FontStyle {
        if self.strong {
            FontStyle::Bold
        } else {
            FontStyle::Normal
        }
    }
    fn anchor(&self) -> Pos {
        let h = match self.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        Pos::new(h, VPos::Center)
    }
    fn family(&self) -> FontFamily<'_> {
        FontFamily::Name(self.fonts)
    }
    fn layout_box(&self, text: &str) -> Result<((i32, i32), (i32, i32)), Infallible> {
        let width = super::scene::text_width(text, self.size, self.strong);
        Ok(((0, 0), (width.ceil() as i32, self.size.ceil() as i32)))
    }
    fn draw<E, F: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        _: &str,
        _: BackendCoord,
        _: F,
    ) -> Result<Result<(), E>, Infallible> {
        // only backends that draw pixel by pixel ask for this; they get no text
        Ok(Ok(()))
    }
}

/// The scene as SVG; none if it cannot be drawn.
#[cfg(any(test, feature = "app"))]
pub(crate) fn svg(scene: &Scene, palette: &Palette, fonts: &str) -> Option<String> {
    let style = Style {
        palette,
        fonts,
        scale: 1.0,
    };
    let mut out = String::new();
    {
        let size = (scene.width.ceil() as u32, scene.height.ceil() as u32);
        let mut backend = plotters_svg::SVGBackend::with_string(&mut out, size);
        draw(scene, &style, &mut backend).ok()?;
    }
    Some(out)
}

/// The scene as SVG, with the colours of the style sheet's light theme.
#[cfg(test)]
pub(crate) fn light_svg(scene: &Scene) -> String {
    let css = include_str!("../../style/tokens.css");
    let palette = Palette::read(|name| {
        let start = css
            .find(&format!("{name}:"))
            .map_or(0, |i| i + name.len() + 1);
        css[start..]
            .split(';')
            .next()
            .unwrap_or_default()
            .to_owned()
    });
    svg(scene, &palette, "sans-serif").expect("SVG")
}

#[cfg(test)]
mod tests {
    use super::super::scene::{Ink, label};
    use super::*;

    /// A backend that writes down what it is told.
    #[derive(Default)]
    struct Recorder(Vec<String>);

    impl DrawingBackend for Recorder {
        type ErrorType = std::io::Error;
        fn get_size(&self) -> (u32, u32) {
            (100, 100)
        }
        fn ensure_prepared(&mut self) -> Result<(), DrawingErrorKind<std::io::Error>> {
            Ok(())
        }
        fn present(&mut self) -> Result<(), DrawingErrorKind<std::io::Error>> {
            Ok(())
        }
        fn draw_pixel(
            &mut self,
            _: BackendCoord,
            _: BackendColor,
        ) -> Result<(), DrawingErrorKind<std::io::Error>> {
            Ok(())
        }
        fn draw_rect<S: BackendStyle>(
            &mut self,
            a: BackendCoord,
            b: BackendCoord,
            _: &S,
            _: bool,
        ) -> Result<(), DrawingErrorKind<std::io::Error>> {
            self.0.push(format!("rect {a:?} {b:?}"));
            Ok(())
        }
        fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
            &mut self,
            path: I,
            style: &S,
        ) -> Result<(), DrawingErrorKind<std::io::Error>> {
            let path: Vec<_> = path.into_iter().collect();
            self.0
                .push(format!("path {path:?} width {}", style.stroke_width()));
            Ok(())
        }
        fn draw_text<S: BackendTextStyle>(
            &mut self,
            text: &str,
            style: &S,
            pos: BackendCoord,
        ) -> Result<(), DrawingErrorKind<std::io::Error>> {
            self.0
                .push(format!("text {text:?} {pos:?} {} px", style.size()));
            Ok(())
        }
    }

    fn record(scene: &Scene, scale: f64) -> Vec<String> {
        let palette = Palette::read(|_| "#102030".into());
        let style = Style {
            palette: &palette,
            fonts: "sans-serif",
            scale,
        };
        let mut r = Recorder::default();
        draw(scene, &style, &mut r).expect("the recorder never fails");
        r.0
    }

    #[test]
    fn lines_along_an_axis_are_sharp_rectangles_at_any_scale() {
        let mut s = Scene::new(100.0, 100.0);
        s.level(10.0, 20.0, 30.0, 1.0, Ink::Grid);
        s.upright(10.0, 20.0, 30.0, 1.0, Ink::Grid);
        assert_eq!(
            record(&s, 1.0),
            ["rect (10, 30) (20, 31)", "rect (10, 20) (11, 31)"]
        );
        assert_eq!(
            record(&s, 2.0),
            ["rect (20, 59) (40, 61)", "rect (19, 39) (21, 61)"]
        );
    }

    #[test]
    fn fonts_and_strokes_grow_with_the_scale() {
        let mut s = Scene::new(100.0, 100.0);
        s.line(vec![at(0.0, 0.0), at(10.0, 5.0)], 2.0, Ink::Range);
        s.text(label(at(5.0, 5.0), Anchor::Start, Ink::Ink1, "p95"));
        assert_eq!(
            record(&s, 1.5),
            [
                "path [(0, 0), (15, 8)] width 3",
                "text \"p95\" (8, 8) 18 px"
            ]
        );
    }

    #[test]
    fn an_empty_picture_draws_nothing() {
        assert!(record(&Scene::new(0.0, 0.0), 1.0).is_empty());
    }
}
