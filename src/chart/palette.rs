//! Colours by meaning, read from the custom properties of the page's style sheet.

use plotters_backend::BackendColor;

use super::scene::{Ink, Paint};

/// Custom property of each ink, in the order of [`Ink`].
const PROPERTIES: [(Ink, &str); 35] = [
    (Ink::Ink1, "--ink-1"),
    (Ink::Ink2, "--ink-2"),
    (Ink::Ink3, "--ink-3"),
    (Ink::Inverse, "--ink-inverse"),
    (Ink::Surface, "--bg-surface"),
    (Ink::Sunken, "--bg-sunken"),
    (Ink::Line1, "--line-1"),
    (Ink::Line2, "--line-2"),
    (Ink::Range, "--c-range"),
    (Ink::FanOuter, "--fan-outer"),
    (Ink::FanInner, "--fan-inner"),
    (Ink::FanEdge, "--fan-edge"),
    (Ink::Limit, "--c-limit"),
    (Ink::Unused, "--c-unused"),
    (Ink::Committed, "--c-committed"),
    (Ink::Grid, "--c-grid"),
    (Ink::Axis, "--c-axis"),
    (Ink::Season, "--c-season"),
    (Ink::SeasonEdge, "--c-season-edge"),
    (Ink::SeasonText, "--c-season-text"),
    (Ink::Risk, "--risk"),
    (Ink::RiskText, "--risk-text"),
    (Ink::Feature1, "--f-1"),
    (Ink::Feature2, "--f-2"),
    (Ink::Feature3, "--f-3"),
    (Ink::Feature4, "--f-4"),
    (Ink::Feature5, "--f-5"),
    (Ink::Feature6, "--f-6"),
    (Ink::FeatureOther, "--f-other"),
    (Ink::Heat1, "--h-1"),
    (Ink::Heat2, "--h-2"),
    (Ink::Heat3, "--h-3"),
    (Ink::Heat4, "--h-4"),
    (Ink::Heat5, "--h-5"),
    (Ink::HeatOver, "--h-over"),
];

impl Ink {
    /// Name of its custom property, for HTML that uses the same colour.
    #[must_use]
    pub const fn property(self) -> &'static str {
        PROPERTIES[self as usize].1
    }
}

/// A colour: red, green, blue, opacity.
type Colour = (u8, u8, u8, f64);

/// What a colour is when the style sheet does not say it: middle grey, readable on light and dark.
const UNKNOWN: Colour = (128, 128, 128, 1.0);

/// All colours of one theme.
#[derive(Clone, Debug, PartialEq)]
pub struct Palette {
    colours: [Colour; PROPERTIES.len()],
}

impl Palette {
    /// Reads every colour with `property`, which gives the text of a custom property.
    #[must_use]
    pub fn read(property: impl Fn(&str) -> String) -> Self {
        Self {
            colours: PROPERTIES.map(|(_, name)| parse(&property(name)).unwrap_or(UNKNOWN)),
        }
    }

    /// A colour for a backend.
    #[must_use]
    pub fn colour(&self, paint: Paint) -> BackendColor {
        let (r, g, b, a) = self.colours[paint.ink as usize];
        BackendColor {
            rgb: (r, g, b),
            alpha: a * paint.alpha,
        }
    }
}

/// `#rrggbb` or `rgb(43 98 208 / .13)`: the two forms of the tokens.
fn parse(text: &str) -> Option<Colour> {
    let text = text.trim();
    if let Some(hex) = text.strip_prefix('#') {
        if hex.len() != 6 || !hex.is_ascii() {
            return None;
        }
        let byte = |i: usize| u8::from_str_radix(&hex[i..i + 2], 16).ok();
        return Some((byte(0)?, byte(2)?, byte(4)?, 1.0));
    }
    let inner = text
        .strip_prefix("rgba(")
        .or_else(|| text.strip_prefix("rgb("))?
        .strip_suffix(')')?;
    let mut parts = inner.split([' ', ',', '/']).filter(|part| !part.is_empty());
    let mut byte = || parts.next()?.parse::<u8>().ok();
    let (r, g, b) = (byte()?, byte()?, byte()?);
    let alpha = match parts.next() {
        None => 1.0,
        Some(a) => match a.strip_suffix('%') {
            Some(percent) => percent.parse::<f64>().ok()? / 100.0,
            None => a.parse().ok()?,
        },
    };
    Some((r, g, b, alpha.clamp(0.0, 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_ink_has_its_own_property_in_the_order_of_the_enum() {
        for (index, (ink, name)) in PROPERTIES.iter().enumerate() {
            assert_eq!(*ink as usize, index, "{name}");
            assert_eq!(ink.property(), *name);
        }
    }

    #[test]
    fn both_forms_of_colours_are_read_and_others_are_grey() {
        assert_eq!(parse("#2b62d0"), Some((43, 98, 208, 1.0)));
        assert_eq!(parse(" rgb(43 98 208 / .13)"), Some((43, 98, 208, 0.13)));
        assert_eq!(parse("rgba(43, 98, 208, 0.5)"), Some((43, 98, 208, 0.5)));
        assert_eq!(parse("rgb(43 98 208 / 50%)"), Some((43, 98, 208, 0.5)));
        for bad in [
            "",
            "#12",
            "red",
            "rgb(1 2)",
            "rgb(300 0 0)",
            "#\u{e4}\u{e4}\u{e4}",
        ] {
            assert_eq!(parse(bad), None, "{bad}");
        }
        let p = Palette::read(|_| String::new());
        assert_eq!(p.colour(Ink::Range.into()).rgb, (128, 128, 128));
        let p = Palette::read(|_| "#ff0000".into());
        let c = p.colour(Ink::Range.tint(0.5));
        assert_eq!((c.rgb, c.alpha), ((255, 0, 0), 0.5));
    }
}
