//! Small pictures of a distribution: a curve for one number that nobody knows, bars for many that differ.

use leptos::prelude::*;

use crate::domain::distribution::{Distribution, Fit};
use crate::domain::field::{FieldPath, FieldSpec};
use crate::domain::quantity::{Domain, Kind, Quantity, Shape};
use crate::ui::sketch;
use crate::ui::state::App;

const WIDTH: f64 = 38.0;
const HEIGHT: f64 = 15.0;

/// The number, where an entry is one.
pub fn fixed(quantity: &Quantity) -> Option<f64> {
    match quantity.shape {
        Shape::Fixed(v) => Some(v),
        _ => None,
    }
}

/// The sign of a kind, for badges.
pub fn kind_mark(kind: Kind) -> AnyView {
    match kind {
        Kind::Varies => view! {
            <svg width="14" height="12" viewBox="0 0 14 12" aria-hidden="true" fill="currentColor">
                <rect x="1" y="7" width="2" height="4"></rect>
                <rect x="4" y="2" width="2" height="9"></rect>
                <rect x="7" y="5" width="2" height="6"></rect>
                <rect x="10" y="8.5" width="2" height="2.5"></rect>
            </svg>
        }
        .into_any(),
        _ => view! {
            <svg width="14" height="12" viewBox="0 0 14 12" aria-hidden="true">
                <path d="M1 10.5c3.2 0 3.4-8.5 6-8.5s2.8 8.5 6 8.5" fill="none" stroke="currentColor" stroke-width="1.4"
                    stroke-linecap="round"></path>
            </svg>
        }
        .into_any(),
    }
}

/// The distribution of a field of the plan on the screen.
pub fn distribution(
    app: App,
    path: FieldPath,
    spec: &'static FieldSpec,
) -> Memo<Option<Distribution>> {
    let quantity = Memo::new(move |_| app.plan.with(|p| p.quantity(&path).cloned()));
    Memo::new(move |_| {
        quantity.with(|q| {
            let Fit { distribution, .. } = Distribution::fit(q.as_ref()?, spec.domain).ok()?;
            Some(distribution)
        })
    })
}

/// The picture of a field, 38 × 16; nothing for a number that is known.
pub fn spark(app: App, path: FieldPath, spec: &'static FieldSpec) -> AnyView {
    let distribution = distribution(app, path, spec);
    view! {
        {move || distribution.with(|d| d.as_ref().filter(|d| d.fixed().is_none()).map(|d| {
            view! {
                <svg class="spark" width="38" height="16" viewBox="0 0 38 16" aria-hidden="true">
                    {shape(d, spec)}
                </svg>
            }
        }))}
    }
    .into_any()
}

/// Whether draws of a domain are whole numbers.
pub const fn is_whole(domain: Domain) -> bool {
    matches!(domain, Domain::IntegerFromOne | Domain::IntegerFromZero)
}

fn shape(d: &Distribution, spec: &FieldSpec) -> AnyView {
    let kind = spec.kind;
    // a long tail would press everything else into the first bar
    let above = if kind == Kind::Varies { 0.05 } else { 0.005 };
    let (low, high) = sketch::span(d, above);
    if kind == Kind::Varies {
        let whole = sketch::whole_span(low, high, 14).filter(|_| is_whole(spec.domain));
        let bars = match whole {
            Some((first, count)) => sketch::whole_heights(d, first, count),
            None => sketch::heights(d, low, high, 12),
        };
        let step = WIDTH / bars.len().max(1) as f64;
        let wide = (step - 0.9).clamp(1.0, 4.0);
        return bars
            .into_iter()
            .enumerate()
            .map(|(i, h)| {
                let tall = (h * (HEIGHT - 1.0)).max(if h > 0.0 { 0.8 } else { 0.0 });
                view! {
                    <rect x=format!("{:.1}", i as f64 * step + 0.4) y=format!("{:.1}", HEIGHT - tall) width=format!("{wide:.1}")
                        height=format!("{tall:.1}")></rect>
                }
            })
            .collect_view()
            .into_any();
    }
    let line = sketch::curve(d, low, high, 36)
        .into_iter()
        .map(|(x, y)| format!("{:.1},{:.1}", x * WIDTH, HEIGHT - y * (HEIGHT - 2.0)))
        .collect::<Vec<_>>()
        .join(" ");
    view! {
        <polygon points=format!("0,15 {line} 38,15")></polygon>
        <polyline points=line></polyline>
    }
    .into_any()
}
