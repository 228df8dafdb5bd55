//! What gateways see, feature by feature: caps, tools, runaways, what is under way at once, ceilings.

use super::View;
use super::cards::Card;
use super::table::{Cell, Row, Table};
use crate::engine::projection::{FeatureOutcome, Summary};
use crate::text::answers::Card as Words;
use crate::text::gateway::Gateway;
use crate::text::{format, say};

/// Caps, tools and runaways by feature; none without features.
#[must_use]
pub fn gateways(view: &View<'_>) -> Option<Card<()>> {
    let p = view.projection;
    p.features.first()?;
    let title = title(view);
    let subtitle = say(&Gateway::Sub);
    let money = |x: f64| format::money(x, view.currency());
    let rows = p.features.iter().map(|f| {
        let g = &f.gateway;
        let (caps, runaways) = (g.caps.as_ref(), g.runaways.as_ref());
        let soft = caps.and_then(|c| c.softened_requests.as_ref());
        let cells = [
            cell(caps.map(|c| &c.stopped_share_horizon), format::percent_fine),
            cell(caps.map(|c| &c.cut_off_cost.horizon), money),
            cell(soft.map(|s| &s.horizon), format::count),
            cell(g.tool_calls.as_ref().map(|s| &s.horizon), format::count),
            cell(runaways.map(|r| &r.begun.horizon), format::count),
            cell(runaways.map(|r| &r.list_cost.horizon), money),
            cell(highest(&g.peak_requests), format::count),
            cell(
                g.peak_tool_calls.as_deref().and_then(highest),
                format::count,
            ),
            ceiling(g.ceiling_tokens_per_minute.as_deref()),
            ceiling(g.ceiling_tokens_in_memory.as_deref()),
        ];
        (view.name(f.id), cells)
    });
    let rows: Vec<(String, [String; 10])> = rows.collect();
    // what no feature has is no column
    let has: Vec<usize> = (0..10)
        .filter(|c| rows.iter().any(|(_, cells)| cells[*c] != format::NONE))
        .collect();
    let mut head = vec![say(&Words::CostsFeature)];
    let columns = [
        Gateway::Stopped,
        Gateway::CutOff,
        Gateway::Softened,
        Gateway::Tools,
        Gateway::Runaways,
        Gateway::RunawayCost,
        Gateway::PeakRequests,
        Gateway::PeakTools,
        Gateway::Ceiling,
        Gateway::Memory,
    ];
    head.extend(has.iter().map(|c| say(&columns[*c])));
    let rows = rows.into_iter().map(|(name, cells)| Row {
        name,
        cells: has.iter().map(|c| Cell::from(cells[*c].clone())).collect(),
        total: false,
    });
    Some(Card {
        table: Table {
            caption: format!("{title}. {subtitle}"),
            head,
            rows: rows.collect(),
        },
        title,
        subtitle,
        chart: (),
    })
}

/// The feature whose caps save most; else the most expensive one without a cap of tokens.
fn title(view: &View<'_>) -> String {
    let features = &view.projection.features;
    let saved = |f: &FeatureOutcome| {
        let caps = f.gateway.caps.as_ref();
        caps.map_or(0.0, |c| c.cut_off_cost.horizon.mean)
    };
    let most = |of: &dyn Fn(&FeatureOutcome) -> f64| {
        let found = features.iter().rev().filter(|f| of(f) > 0.0);
        found.max_by(|a, b| of(a).total_cmp(&of(b)))
    };
    if let Some(f) = most(&saved)
        && let Some(caps) = &f.gateway.caps
    {
        return say(&Gateway::TitleStopped {
            feature: view.name(f.id),
            share: format::percent_fine(caps.stopped_share_horizon.mean),
            cost: format::money(caps.cut_off_cost.horizon.mean, view.currency()),
        });
    }
    let unbounded = |f: &FeatureOutcome| match f.gateway.ceiling_tokens_per_minute {
        None => f.requests.horizon.mean,
        Some(_) => 0.0,
    };
    match most(&unbounded) {
        Some(f) => say(&Gateway::TitleUnbounded {
            feature: view.name(f.id),
        }),
        None => say(&Gateway::TitleBounded),
    }
}

fn cell(summary: Option<&Summary>, write: impl Fn(f64) -> String) -> String {
    match summary {
        None => format::NONE.into(),
        Some(s) if s.p5() == s.p95() => write(s.p50()),
        Some(s) => format!("{} ({}–{})", write(s.p50()), write(s.p5()), write(s.p95())),
    }
}

/// The month with the largest median.
fn highest(months: &[Summary]) -> Option<&Summary> {
    months
        .iter()
        .rev()
        .max_by(|a, b| a.p50().total_cmp(&b.p50()))
}

fn ceiling(months: Option<&[Summary]>) -> String {
    match months {
        None => say(&Gateway::Unbounded),
        Some(months) => cell(highest(months), format::count),
    }
}
