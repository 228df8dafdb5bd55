//! Tables that are answers themselves: months with percentiles, tokens by feature, budgets.

use super::View;
use super::cards::Card;
use super::table::{Cell, Row, Table};
use crate::engine::projection::{BudgetOutcome, PeriodInfo, Series, Summary};
use crate::text::answers::{Card as Words, Chart};
use crate::text::outputs::Outputs;
use crate::text::{format, say};

/// Mean, p5, p25, p50, p75, p95.
fn columns(s: &Summary) -> [f64; 6] {
    [s.mean, s.p[0], s.p[2], s.p[3], s.p[4], s.p[6]]
}

const COLUMNS: [&str; 6] = ["mean", "p5", "p25", "p50", "p75", "p95"];

/// Every month with its percentiles; totals of fiscal years and of the horizon from the same futures.
#[must_use]
pub fn monthly(view: &View<'_>) -> Card<()> {
    let p = view.projection;
    let spend = view.spend();
    let full = |x: f64| format::money_full(x, view.currency());
    let row =
        |name: String, key: &str, s: &Summary, budget: Option<(String, String)>, total: bool| {
            let mut cells: Vec<Cell> = columns(s)
                .into_iter()
                .zip(COLUMNS)
                .map(|(x, column)| Cell::keyed(full(x), format!("{key}-{column}")))
                .collect();
            let (amount, over) = budget.unwrap_or_default();
            cells.push(amount.into());
            cells.push(Cell::keyed(over, format!("{key}-over")));
            Row { name, cells, total }
        };
    let mut several = false;
    // of several the one that most futures exceed
    let mut worst = |budgets: &mut dyn Iterator<Item = &BudgetOutcome>| {
        let budgets: Vec<_> = budgets.collect();
        several |= budgets.len() > 1;
        let found = budgets.into_iter().max_by_key(|b| b.over.count)?;
        Some((full(found.amount), format::chance(&found.over)))
    };
    let mut rows = Vec::new();
    for year in p.years.iter().enumerate() {
        let (index, period) = year;
        let first = period.first_month as usize;
        for month in first..first + period.months as usize {
            let (Some(s), Some(info)) = (spend.months.get(month), p.months.get(month)) else {
                continue;
            };
            let name = format::month_year(info.year, info.month);
            let budget = worst(&mut budgets_at(view, first_month(month, 1)));
            rows.push(row(name, &format!("month-{month}"), s, budget, false));
        }
        if let Some(s) = spend.years.get(index) {
            let budget = worst(&mut budgets_at(view, |x| x == period));
            let key = format!("year-{}", period.fiscal_year);
            rows.push(row(view.period(period), &key, s, budget, true));
        }
    }
    let horizon = say(&Words::MonthlyHorizon);
    rows.push(row(horizon, "horizon", &spend.horizon, None, true));
    let title = say(&Words::MonthlyTitle {
        total: format::money_range(spend.horizon.p5(), spend.horizon.p95(), view.currency()),
    });
    let mut subtitle = say(&Words::MonthlySub {
        cost: view.cost_word(),
        currency: p.currency.clone(),
    });
    if several {
        subtitle = say(&Words::MonthlySeveral { subtitle });
    }
    let mut head = vec![say(&Chart::Period)];
    head.extend(
        [
            Chart::Mean,
            Chart::P5,
            Chart::P25,
            Chart::P50,
            Chart::P75,
            Chart::P95,
        ]
        .map(|w| say(&w)),
    );
    head.extend([say(&Words::MonthlyBudget), say(&Words::MonthlyOver)]);
    Card {
        table: Table {
            caption: format!("{title}. {subtitle}"),
            head,
            rows,
        },
        title,
        subtitle,
        chart: (),
    }
}

fn first_month(month: usize, months: u32) -> impl Fn(&PeriodInfo) -> bool {
    move |p| p.first_month as usize == month && p.months == months
}

/// Budgets of a period under the cost that is shown.
fn budgets_at<'a>(
    view: &'a View<'_>,
    fits: impl Fn(&PeriodInfo) -> bool,
) -> impl Iterator<Item = &'a BudgetOutcome> {
    use crate::domain::scenario::BudgetPeriod;
    view.projection.budgets.iter().filter(move |b| {
        let budget = view.scenario.budgets.iter().find(|x| x.id == b.id);
        budget.is_some_and(|x| {
            // a fiscal year of one month inside the horizon is not a month's budget
            let span = b.period.months == 1 && x.period == BudgetPeriod::Month
                || x.period == BudgetPeriod::Year;
            x.cost == view.cost && span
        }) && fits(&b.period)
    })
}

/// Tokens by feature in a fiscal year.
#[must_use]
pub fn tokens(view: &View<'_>, year: usize) -> Option<Card<()>> {
    let p = view.projection;
    let period = p.years.get(year)?;
    let at = |s: &Series| s.years.get(year).cloned().unwrap_or_default();
    let all = |f: &crate::engine::projection::FeatureOutcome| {
        at(&f.uncached_input_tokens).mean
            + at(&f.cached_read_tokens).mean
            + at(&f.output_tokens).mean
    };
    let total: f64 = p.features.iter().map(all).sum();
    let top = p
        .features
        .iter()
        .rev()
        .max_by(|a, b| all(a).total_cmp(&all(b)))?;
    let title = say(&Words::TokensTitle {
        feature: view.name(top.id),
        share: format::percent(if total > 0.0 { all(top) / total } else { 0.0 }),
    });
    let subtitle = say(&Words::TokensSub {
        period: view.period(period),
    });
    let range = |s: &Series| {
        let s = at(s);
        if s.p5() == s.p95() {
            return format::count(s.p50());
        }
        format!(
            "{} ({})",
            format::count(s.p50()),
            format::count_range(s.p5(), s.p95())
        )
    };
    // a feature's lanes follow it
    let named = p.features.iter().flat_map(|f| {
        let lane = p.lanes.iter().find(|l| l.long.id == f.id);
        let feature = view.name(f.id);
        let parts = lane.map(|l| {
            let feature = || feature.clone();
            let (long, wrong) = (
                Outputs::LongLane { feature: feature() },
                Outputs::WrongLane { feature: feature() },
            );
            [(&l.long, say(&long)), (&l.misrouted, say(&wrong))]
        });
        std::iter::once((f, feature.clone())).chain(parts.into_iter().flatten())
    });
    let rows = named.map(|(f, name)| {
        let requests = at(&f.requests).mean;
        let each = if requests > 0.0 {
            format::count(all(f) / requests)
        } else {
            format::NONE.into()
        };
        let cells = [
            range(&f.requests),
            range(&f.calls),
            range(&f.uncached_input_tokens),
            range(&f.cached_read_tokens),
            range(&f.output_tokens),
            each,
        ];
        Row {
            name,
            cells: cells.into_iter().map(Cell::from).collect(),
            total: false,
        }
    });
    Some(Card {
        table: Table {
            caption: format!("{title}. {subtitle}"),
            head: [
                Words::CostsFeature,
                Words::TokensRequests,
                Words::TokensCalls,
                Words::TokensUncached,
                Words::TokensCached,
                Words::TokensOutput,
                Words::TokensEach,
            ]
            .map(|w| say(&w))
            .to_vec(),
            rows: rows.collect(),
        },
        title,
        subtitle,
        chart: (),
    })
}

/// Every budget in each of its periods.
#[must_use]
pub fn budgets(view: &View<'_>) -> Option<Card<()>> {
    let p = view.projection;
    let worst = p.budgets.iter().rev().max_by_key(|b| b.over.count)?;
    let title = say(&Words::BudgetsTitle {
        name: view.budget(worst),
        chance: format::chance(&worst.over),
    });
    let subtitle = say(&Words::BudgetsSub);
    let full = |x: f64| format::money_full(x, view.currency());
    let rows = p.budgets.iter().enumerate().map(|(index, b)| {
        let mut cells: Vec<Cell> = [
            full(b.amount),
            full(b.spend.p5()),
            full(b.spend.p50()),
            full(b.spend.p95()),
        ]
        .map(Cell::from)
        .to_vec();
        let over = format!(
            "{} {}",
            format::chance(&b.over),
            format::chance_error(&b.over)
        );
        cells.push(Cell::keyed(over, format!("budget-{index}-over")));
        cells.push(full(b.expected_excess).into());
        cells.push(full(b.cvar95).into());
        Row {
            name: view.budget(b),
            cells,
            total: false,
        }
    });
    Some(Card {
        table: Table {
            caption: format!("{title}. {subtitle}"),
            head: vec![
                say(&Words::BudgetsName),
                say(&Words::MonthlyBudget),
                say(&Chart::P5),
                say(&Chart::P50),
                say(&Chart::P95),
                say(&Words::MonthlyOver),
                say(&Words::BudgetsExcess),
                say(&Words::BudgetsCvar),
            ],
            rows: rows.collect(),
        },
        title,
        subtitle,
        chart: (),
    })
}
