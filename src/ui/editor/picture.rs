//! A distribution in the panel: density, 20 dots, figures.

use leptos::prelude::*;

use super::cap_line::CapLine;
use super::{read, spark};
use crate::domain::distribution::Distribution;
use crate::domain::field::FieldSpec;
use crate::domain::quantity::Kind;
use crate::text::{editor::Editor, say};
use crate::ui::sketch;

/// The density with 20 dots of equal chance, and the cap that it runs into.
pub fn picture(d: &Distribution, spec: &FieldSpec, cap: Option<CapLine>) -> AnyView {
    if d.fixed().is_some() {
        return ().into_any();
    }
    const W: f64 = 404.0;
    const H: f64 = 96.0;
    let above = if spec.kind == Kind::Varies {
        0.02
    } else {
        0.005
    };
    let (low, high) = sketch::span(d, above);
    let low = if low > 0.0 && low < (high - low) * 0.5 {
        0.0
    } else {
        low
    };
    let whole = sketch::whole_span(low, high, 45).filter(|_| spark::is_whole(spec.domain));
    // a cap not far beyond is worth the room
    let high = match &cap {
        Some(cap) if cap.at > high && cap.at <= high + (high - low) => low + (cap.at - low) * 1.04,
        _ => high,
    };
    let whole = whole.and_then(|_| sketch::whole_span(low, high, 45));
    // a bar a number stands over its number
    let (low, high) = whole.map_or((low, high), |(first, count)| {
        (first - 0.5, first + count as f64 - 0.5)
    });
    let wide = high - low;
    let x = move |v: f64| ((v - low) / wide * W).clamp(0.0, W);
    let body = if spec.kind == Kind::Varies {
        let bars = match whole {
            Some((first, count)) => sketch::whole_heights(d, first, count),
            None => sketch::heights(d, low, high, 40),
        };
        let step = W / bars.len().max(1) as f64;
        let gap = (step * 0.2).min(2.0);
        bars.into_iter()
            .enumerate()
            .map(|(i, h)| {
                view! { <rect class="bar" x=format!("{:.1}", i as f64 * step + gap) width=format!("{:.1}", step - 2.0 * gap)
                    y=format!("{:.1}", H - h * (H - 8.0)) height=format!("{:.1}", h * (H - 8.0))></rect> }
            })
            .collect_view()
            .into_any()
    } else {
        let line = sketch::curve(d, low, high, 80)
            .into_iter()
            .map(|(x, y)| format!("{:.1},{:.1}", x * W, H - y * (H - 8.0)))
            .collect::<Vec<_>>()
            .join(" ");
        view! { <polygon points=format!("0,{H} {line} {W},{H}")></polygon><polyline points=line></polyline> }.into_any()
    };
    // dots that would touch are stacked
    let mut places: Vec<(f64, u32)> = Vec::new();
    let drawn: Vec<f64> = match whole {
        Some(_) => (0..20)
            .map(|i| sketch::whole_quantile(d, (f64::from(i) + 0.5) / 20.0))
            .collect(),
        None => sketch::twenty(d),
    };
    for v in drawn {
        let at = x(v);
        let level = (0..6)
            .find(|l| places.iter().all(|(p, k)| k != l || (p - at).abs() >= 9.0))
            .unwrap_or(19);
        places.push((at, level));
    }
    let rows = places.iter().map(|p| p.1).max().unwrap_or(0) + 1;
    let dots_top = H + 8.0;
    let dots_height = f64::from(rows) * 9.0;
    let axis = dots_top + dots_height + 4.0;
    let dots = places
        .into_iter()
        .map(|(at, level)| {
            let cy = dots_top + dots_height - 4.5 - f64::from(level) * 9.0;
            view! { <circle class="dot" r="4" cx=format!("{:.1}", at.clamp(4.0, W - 4.0)) cy=format!("{cy:.1}")></circle> }
        })
        .collect_view();
    let ticks = sketch::ticks(low, high, 6)
        .into_iter()
        .map(|v| {
            let at = format!("{:.1}", x(v));
            view! {
                <line class="tick" x1=at.clone() x2=at.clone() y1=format!("{axis:.1}") y2=format!("{:.1}", axis + 4.0)></line>
                <text x=at y=format!("{:.1}", axis + 16.0) text-anchor="middle">{read::figure(v, spec.unit)}</text>
            }
        })
        .collect_view();
    let cap = cap.map(|cap| {
        let inside = cap.at <= high;
        let at = if inside { x(cap.at) } else { W };
        let left = at > W / 2.0;
        let words = if inside { cap.words } else { format!("{} \u{2192}", cap.words) };
        let beside = if left { at - 6.0 } else { at + 6.0 };
        view! {
            {inside.then(|| view! { <line class="cap" x1=format!("{at:.1}") x2=format!("{at:.1}") y1="-6" y2=H.to_string()></line> })}
            <text class="cap" x=format!("{beside:.1}") y="2" text-anchor=if left { "end" } else { "start" }>{words}</text>
        }
    });
    let words = if spec.kind == Kind::Varies {
        Editor::DotsVaries
    } else {
        Editor::DotsUncertain
    };
    let label = say(&Editor::PictureOf {
        low: read::figure(quantile(d, spec, 0.05), spec.unit),
        middle: read::figure(quantile(d, spec, 0.5), spec.unit),
        high: read::figure(quantile(d, spec, 0.95), spec.unit),
    });
    view! {
        <figure class="picture">
            <svg viewBox=format!("0 0 {W} {:.0}", axis + 20.0) role="img" aria-label=label>
                {body}
                <line class="base" x1="0" x2=W.to_string() y1=H.to_string() y2=H.to_string()></line>
                {dots}{ticks}{cap}
            </svg>
            <figcaption class="small muted">{say(&words)}</figcaption>
        </figure>
    }
    .into_any()
}

/// A quantile as it is drawn: whole where draws are whole.
fn quantile(d: &Distribution, spec: &FieldSpec, u: f64) -> f64 {
    if spark::is_whole(spec.domain) {
        sketch::whole_quantile(d, u)
    } else {
        d.quantile(u)
    }
}

/// Mean and percentiles.
pub fn figures(d: &Distribution, spec: &FieldSpec) -> AnyView {
    let cell = |words: Editor, value: f64| {
        view! { <div><dt>{say(&words)}</dt><dd>{read::figure(value, spec.unit)}</dd></div> }
    };
    view! {
        <dl class="panel-figures" data-testid="panel-figures">
            {cell(Editor::FigureMean, d.mean())}
            {cell(Editor::FigureP5, quantile(d, spec, 0.05))}
            {cell(Editor::FigureP50, quantile(d, spec, 0.5))}
            {cell(Editor::FigureP95, quantile(d, spec, 0.95))}
        </dl>
    }
    .into_any()
}
