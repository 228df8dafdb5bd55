//! What single requests are like.

use super::View;
use super::cards::{Card, cells};
use super::table::{Row, Table};
use crate::chart::scene::Ink;
use crate::domain::scenario::Id;
use crate::engine::projection::{RequestQuantity, RequestSizes};
use crate::text::outputs::Sizes as Words;
use crate::text::{answers::Chart, format, say};

/// A quantity of a feature's requests in words and on the strip.
#[derive(Clone, Debug, PartialEq)]
pub struct Amount {
    /// Mean, p50, p90, p99, p99.9.
    pub words: [String; 5],
    /// p50, p90, p99, p99.9 as shares of the strip; none without tokens.
    pub strip: Option<[f64; 4]>,
}

/// A feature's requests.
#[derive(Clone, Debug, PartialEq)]
pub struct SizeRow {
    /// The feature.
    pub id: Id,
    /// Its name.
    pub name: String,
    /// Its colour.
    pub ink: Ink,
    /// Tokens read, tokens written.
    pub amounts: [Amount; 2],
    /// Tool calls: mean, p50, p90, p99, p99.9; none: no feature has any.
    pub tools: Option<[String; 5]>,
    /// Share of the costliest 5 % in words.
    pub top: String,
}

/// All features' requests.
#[derive(Clone, Debug, PartialEq)]
pub struct SizesInput {
    /// In entry order.
    pub rows: Vec<SizeRow>,
    /// What the strips span.
    pub span: String,
}

/// A power of ten that is not above, or not below, a number of at least 1.
fn decade(x: f64, up: bool) -> f64 {
    let mut power = 1.0;
    while power * 10.0 <= x {
        power *= 10.0;
    }
    if up && power < x { power * 10.0 } else { power }
}

/// Below this share of the cost the costliest 5 % of the requests are like the others.
const ALIKE: f64 = 0.055;

/// Tokens per request, feature by feature.
#[must_use]
pub fn sizes(view: &View<'_>) -> Option<Card<SizesInput>> {
    let features = view.projection.features.iter();
    let found: Vec<(Id, RequestSizes)> = features.filter_map(|f| Some((f.id, f.each?))).collect();
    // of equals the first
    let (top, most) = found
        .iter()
        .rev()
        .max_by(|a, b| a.1.costliest_share.total_cmp(&b.1.costliest_share))?;
    let share = format::percent(most.costliest_share);
    let title = say(&if most.costliest_share < ALIKE {
        Words::TitleAlike { share }
    } else {
        let feature = view.name(*top);
        Words::Title { feature, share }
    });
    let subtitle = say(&Words::Sub);
    let all = || found.iter().flat_map(|(_, s)| [&s.read, &s.written]);
    let positive = all().flat_map(|q| q.p).filter(|x| *x >= 1.0);
    let (low, high) = positive.fold((f64::INFINITY, 1.0_f64), |(a, b), x| (a.min(x), b.max(x)));
    let (low, high) = (decade(low.min(high), false), decade(high, true).max(10.0));
    let place = |x: f64| ((x.max(low) / low).ln() / (high / low).ln()).clamp(0.0, 1.0);
    let amount = |q: &RequestQuantity| {
        let [p50, p90, _, p99, p999] = q.p;
        Amount {
            words: [q.mean, p50, p90, p99, p999].map(format::count),
            strip: (p999 > 0.0 && high > low).then(|| [p50, p90, p99, p999].map(place)),
        }
    };
    let any_tools = found.iter().any(|(_, s)| s.tools.mean > 0.0);
    let rows: Vec<SizeRow> = found
        .iter()
        .map(|(id, s)| SizeRow {
            id: *id,
            name: view.name(*id),
            ink: view.ink(*id),
            amounts: [amount(&s.read), amount(&s.written)],
            tools: any_tools.then(|| amount(&s.tools).words),
            top: format::percent(s.costliest_share),
        })
        .collect();
    let which = || {
        [
            say(&Words::Mean),
            say(&Chart::P50),
            say(&Chart::P90),
            say(&Words::P99),
            say(&Words::P999),
        ]
    };
    let mut head = vec![say(&Words::Feature)];
    head.extend(which().map(|which| say(&Words::ReadColumn { which })));
    head.extend(which().map(|which| say(&Words::WrittenColumn { which })));
    if any_tools {
        head.extend(which().map(|which| say(&Words::ToolsColumn { which })));
    }
    head.push(say(&Words::Top));
    let table = Table {
        caption: format!("{title}. {subtitle}"),
        head,
        rows: rows
            .iter()
            .map(|r| Row {
                name: r.name.clone(),
                cells: cells(
                    r.amounts
                        .iter()
                        .flat_map(|a| a.words.clone())
                        .chain(r.tools.iter().flatten().cloned())
                        .chain([r.top.clone()]),
                ),
                total: false,
            })
            .collect(),
    };
    Some(Card {
        title,
        subtitle,
        chart: SizesInput {
            rows,
            span: say(&Words::Strip {
                low: format::count_short(low),
                high: format::count_short(high),
            }),
        },
        table,
    })
}
