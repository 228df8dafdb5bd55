//! What features cost.

use super::View;
use super::cards::{Card, cells};
use super::table::{Row, Table};
use crate::chart::frame::costs::{CostRow, CostsInput};
use crate::chart::scene::Ink;
use crate::decide::free_cluster;
use crate::domain::scenario::Id;
use crate::engine::projection::{Summary, UnitCost};
use crate::text::answers::{Card as Words, Chart, Verdict};
use crate::text::outputs::{Later, Outputs, Sizes};
use crate::text::{format, say};

/// Cost by feature in a fiscal year, with what 1,000 requests cost.
#[must_use]
pub fn costs(view: &View<'_>, year: usize) -> Option<Card<CostsInput>> {
    let p = view.projection;
    let period = p.years.get(year)?;
    let money = |x: f64| view.money(x);
    struct Found {
        id: Option<Id>,
        name: String,
        ink: Ink,
        cost: Summary,
        per_1000: Option<UnitCost>,
        top: Option<f64>,
    }
    let mut found: Vec<Found> = p
        .features
        .iter()
        .filter_map(|f| {
            Some(Found {
                id: Some(f.id),
                name: view.name(f.id),
                ink: view.ink(f.id),
                cost: f.effective_cost.years.get(year)?.clone(),
                per_1000: f.cost_per_1000_requests.get(year).cloned().flatten(),
                top: f.each.map(|e| e.costliest_share),
            })
        })
        .collect();
    if found.is_empty() {
        return None;
    }
    found.sort_by(|a, b| b.cost.mean.total_cmp(&a.cost.mean));
    let features: f64 = found.iter().map(|f| f.cost.mean).sum();
    let top = &found[0];
    let title = say(&Words::CostsTitle {
        feature: top.name.clone(),
        share: format::percent(if features > 0.0 {
            top.cost.mean / features
        } else {
            0.0
        }),
    });
    if let Some(unused) = p.unused.years.get(year).filter(|u| u.mean > 0.0) {
        found.push(Found {
            id: None,
            name: say(&Words::CostsUnused),
            ink: Ink::Unused,
            cost: unused.clone(),
            per_1000: None,
            top: None,
        });
    }
    let all: f64 = found.iter().map(|f| f.cost.mean).sum();
    let share = |x: f64| format::percent(if all > 0.0 { x / all } else { 0.0 });
    let per = |x: &Option<UnitCost>| match x {
        Some(x) => money(x.of_means),
        None => format::NONE.into(),
    };
    let mut subtitle = say(&Words::CostsSub {
        period: view.period(period),
    });
    if let Some(pool) = free_cluster(view.scenario) {
        let warning = say(&Verdict::Free {
            pool: view.name(pool),
        });
        subtitle = format!("{subtitle}. {warning}");
    }
    let range_word = say(&Words::CostsRange);
    let headings = [
        say(&Words::CostsPer1000),
        say(&Words::CostsShare),
        say(&Sizes::Top),
    ];
    let top = |f: &Found| f.top.map(|t| (t, format::percent(t)));
    let rows = found
        .iter()
        .map(|f| CostRow {
            id: f.id,
            name: f.name.clone(),
            ink: f.ink,
            mean: f.cost.mean,
            range: (f.cost.p5(), f.cost.p95()),
            words: money(f.cost.mean),
            per_1000: per(&f.per_1000),
            share: share(f.cost.mean),
            top: top(f),
        })
        .collect();
    let full = |x: f64| format::money_full(x, view.currency());
    let per_with_error = |x: &Option<UnitCost>| match x {
        Some(x) => say(&Later::Money {
            amount: money(x.of_means),
            error: money(x.of_means_error),
        }),
        None => format::NONE.into(),
    };
    let per_range = |x: &Option<UnitCost>| match x {
        Some(x) => format!(
            "{} \u{2013} {}",
            money(x.by_trial.p5()),
            money(x.by_trial.p95())
        ),
        None => format::NONE.into(),
    };
    let table_rows = found.iter().map(|f| Row {
        name: f.name.clone(),
        cells: cells([
            full(f.cost.mean),
            full(f.cost.p5()),
            full(f.cost.p50()),
            full(f.cost.p95()),
            per_with_error(&f.per_1000),
            per_range(&f.per_1000),
            share(f.cost.mean),
            top(f).map_or_else(|| format::NONE.into(), |t| t.1),
        ]),
        total: false,
    });
    let lanes = p.lanes.iter().flat_map(|l| {
        let feature = || view.name(l.long.id);
        [
            (&l.long, say(&Outputs::LongLane { feature: feature() })),
            (
                &l.misrouted,
                say(&Outputs::WrongLane { feature: feature() }),
            ),
        ]
    });
    let lane_rows = lanes.filter_map(|(f, name)| {
        let cost = f.effective_cost.years.get(year)?;
        let per_1000 = f.cost_per_1000_requests.get(year)?;
        Some(Row {
            name,
            cells: cells([
                full(cost.mean),
                full(cost.p5()),
                full(cost.p50()),
                full(cost.p95()),
                per_with_error(per_1000),
                per_range(per_1000),
                share(cost.mean),
                format::NONE.into(),
            ]),
            total: false,
        })
    });
    let table = Table {
        caption: format!("{title}. {subtitle}"),
        head: vec![
            say(&Words::CostsFeature),
            say(&Chart::Mean),
            say(&Chart::P5),
            say(&Chart::P50),
            say(&Chart::P95),
            headings[0].clone(),
            say(&Words::CostsHigh1000),
            headings[1].clone(),
            say(&Sizes::TopLong),
        ],
        rows: table_rows.chain(lane_rows).collect(),
    };
    Some(Card {
        title,
        subtitle,
        chart: CostsInput {
            rows,
            currency: p.currency.clone(),
            range_word,
            headings,
            top_word: say(&Sizes::TopLong),
        },
        table,
    })
}
