//! The cards: a finding as the title, what is drawn as the subtitle, the chart and its table.

use super::stack::{YearBudget, headroom, year_budget};
use super::table::{Row, Table};
use super::{View, unit};
use crate::chart::frame::exceedance::{ExceedanceInput, share_above};
use crate::chart::frame::stack::HeadroomRow;
use crate::chart::frame::usage::{UsageInput, UsageMonth};
use crate::domain::scenario::{BudgetCost, BudgetPeriod};
use crate::engine::projection::{BudgetOutcome, Series, Summary};
use crate::text::answers::{Card as Words, Chart};
use crate::text::{format, say};

/// A card with its chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Card<T> {
    /// The finding.
    pub title: String,
    /// What is drawn, and its unit.
    pub subtitle: String,
    /// The chart.
    pub chart: T,
    /// The chart as a table.
    pub table: Table,
}

pub(super) fn cells(texts: impl IntoIterator<Item = String>) -> Vec<super::table::Cell> {
    texts.into_iter().map(Into::into).collect()
}

/// Exceedance of a fiscal year.
#[must_use]
pub fn exceedance(view: &View<'_>, year: usize) -> Option<Card<ExceedanceInput>> {
    let p = view.projection;
    let period = p.years.get(year)?;
    let summary = view.spend().years.get(year)?;
    let sorted = view.year_sorted(year);
    if sorted.is_empty() {
        return None;
    }
    let name = view.period(period);
    let money = |x: f64| view.money(x);
    let budget = year_budget(view, year);
    let (title, subtitle) = match &budget {
        Some(YearBudget { outcome, .. }) => {
            let cvar = money(outcome.cvar95);
            let subtitle = outcome.excess_if_over.map_or_else(
                || Words::ExceedSubNever { cvar: cvar.clone() },
                |excess| Words::ExceedSub {
                    excess: money(excess),
                    expected: money(outcome.expected_excess),
                    cvar: cvar.clone(),
                },
            );
            let title = Words::ExceedTitle {
                chance: format::chance(&outcome.over),
                period: name.clone(),
                amount: format::money_short(outcome.amount, view.currency()),
            };
            (title, subtitle)
        }
        None => {
            let worst = sorted.len() - sorted.len().div_ceil(20);
            let tail = &sorted[worst..];
            let cvar = tail.iter().map(|v| f64::from(*v)).sum::<f64>() / tail.len().max(1) as f64;
            let title = Words::ExceedTitlePlain {
                period: name.clone(),
                middle: money(summary.p50()),
            };
            let subtitle = Words::ExceedSubPlain {
                low: money(summary.p5()),
                high: money(summary.p95()),
                cvar: money(cvar),
            };
            (title, subtitle)
        }
    };
    let dot = |name: Chart, value: f64| {
        let words = Chart::Named {
            name: say(&name),
            value: money(value),
        };
        (value, say(&words))
    };
    let p90 = summary.p[5];
    let chart = ExceedanceInput {
        sorted: sorted.to_vec(),
        currency: p.currency.clone(),
        budget: budget.as_ref().map(|b| {
            let over = &b.outcome.over;
            let chance = format!("{} {}", format::chance(over), format::chance_error(over));
            (b.left, b.label.clone(), chance)
        }),
        dots: vec![
            dot(Chart::Median, summary.p50()),
            dot(Chart::P90, p90),
            dot(Chart::P95, summary.p95()),
        ],
        share_title: say(&Words::ExceedShares),
        money_title: say(&Words::ExceedMoney {
            period: name.clone(),
        }),
    };
    let quantiles = [1usize, 5, 10, 25, 50, 75, 90, 95, 99];
    let rows = quantiles.map(|percent| {
        let index = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
        let value = f64::from(sorted[index.min(sorted.len() - 1)]);
        Row {
            name: format::money_full(value, view.currency()),
            cells: cells([format::percent(share_above(sorted, value))]),
            total: false,
        }
    });
    let mut rows = rows.to_vec();
    if let Some(YearBudget { left, .. }) = &budget {
        rows.push(Row {
            name: format::money_full(*left, view.currency()),
            cells: cells([format::percent(share_above(sorted, *left))]),
            total: true,
        });
    }
    let mut subtitle = say(&subtitle);
    // a budget of the other cost has no place on this curve
    if let (None, Some(other)) = (&budget, other_budget(view, year)) {
        subtitle = format!("{subtitle}. {other}");
    }
    Some(Card {
        title: say(&title),
        subtitle,
        chart,
        table: Table {
            caption: say(&Words::ExceedTwin),
            head: vec![say(&Words::ExceedAmount), say(&Words::ExceedShare)],
            rows,
        },
    })
}

/// What is said of the year's budgets where all speak of another cost than the one shown.
fn other_budget(view: &View<'_>, year: usize) -> Option<String> {
    let period = view.projection.years.get(year)?;
    let of_year = |b: &&BudgetOutcome| {
        b.period == *period
            && view.budget_span(b.id) == BudgetPeriod::Year
            && view.budget_cost(b.id) != view.cost
    };
    let budget = view.projection.budgets.iter().find(of_year)?;
    let amount = format::money_short(budget.amount, view.currency());
    Some(say(&match view.budget_cost(budget.id) {
        BudgetCost::Effective => Words::ExceedOtherEffective { amount },
        BudgetCost::Billed => Words::ExceedOtherBilled { amount },
    }))
}

/// Used, not used and burst by month: of one contract (by its place), or of all.
#[must_use]
pub fn usage(view: &View<'_>, contract: Option<usize>) -> Option<Card<UsageInput>> {
    let p = view.projection;
    if p.commitments.is_empty() {
        return None;
    }
    let one = contract.and_then(|c| p.commitments.get(c));
    let chosen: Vec<_> = match one {
        Some(c) => vec![c],
        None => p.commitments.iter().collect(),
    };
    let burst: Vec<_> = if one.is_some() {
        vec![]
    } else {
        p.pools.iter().map(|pool| &pool.burst_cost).collect()
    };
    // means add; ranges do not, and are shown only where one series stands for the bar
    let mean = |series: &[&Series], month: usize| -> f64 {
        series
            .iter()
            .filter_map(|s| s.months.get(month))
            .map(|s| s.mean)
            .sum()
    };
    let range = |series: &[&Series], month: usize, mean: f64| match series {
        [only] => only
            .months
            .get(month)
            .map_or((mean, mean), |s| (s.p[1], s.p[5])),
        _ => (mean, mean),
    };
    let used: Vec<&Series> = chosen.iter().map(|c| &c.used).collect();
    let unused: Vec<&Series> = chosen.iter().map(|c| &c.unused).collect();
    let bursting: Vec<&Series> = burst.into_iter().filter(|s| s.horizon.mean > 0.0).collect();
    let values: Vec<UsageMonth> = (0..p.months.len())
        .map(|m| {
            let (u, o) = (mean(&used, m), mean(&bursting, m));
            UsageMonth {
                used: u,
                used_range: range(&used, m, u),
                unused: mean(&unused, m),
                overage: o,
                overage_range: range(&bursting, m, o),
            }
        })
        .collect();
    let total = |pick: fn(&UsageMonth) -> f64| values.iter().map(pick).sum::<f64>();
    let (paid_used, paid_unused) = (total(|m| m.used), total(|m| m.unused));
    let paid = paid_used + paid_unused;
    let share = format::percent(if paid > 0.0 { paid_unused / paid } else { 0.0 });
    let title = match one {
        Some(c) => Words::UsageTitleOf {
            share,
            name: view.name(c.id),
        },
        None => Words::UsageTitle { share },
    };
    let subtitle = say(&Words::UsageSub {
        used: match one {
            Some(c) => format!(
                "{} ({} \u{2013} {})",
                format::percent(c.utilisation.p50()),
                format::percent(c.utilisation.p5()),
                format::percent(c.utilisation.p95())
            ),
            None => format::percent(if paid > 0.0 { paid_used / paid } else { 0.0 }),
        },
    });
    let title = say(&title);
    let words = [Words::UsageBurst, Words::UsageUnused, Words::UsageUsed].map(|w| say(&w));
    let full = |x: f64| format::money_full(x, view.currency());
    let rows = values.iter().zip(&p.months).map(|(v, info)| Row {
        name: format::month_year(info.year, info.month),
        cells: cells([full(v.used), full(v.unused), full(v.overage)]),
        total: false,
    });
    let table = Table {
        caption: format!("{title}. {subtitle}"),
        head: vec![
            say(&Chart::Month),
            words[2].clone(),
            words[1].clone(),
            words[0].clone(),
        ],
        rows: rows.collect(),
    };
    Some(Card {
        title,
        subtitle,
        chart: UsageInput {
            start: view.scenario.settings.start,
            months: view.months_short(),
            values,
            currency: p.currency.clone(),
            words,
        },
        table,
    })
}

/// Need against what is committed under a limit.
#[must_use]
pub fn capacity(view: &View<'_>, limit: usize) -> Option<Card<HeadroomRow>> {
    let p = view.projection;
    let l = p.limits.get(limit)?;
    let need = |m: usize| l.needed.get(m).map_or(0.0, Summary::p95);
    let gap = |m: usize| need(m) - l.committed.get(m).copied().unwrap_or(0.0);
    // the month that runs out most often, as in the five figures; of those the one that is short of most
    let often = |m: usize| l.breach.get(m).map_or(0, |c| c.count);
    let month = (0..l.needed.len()).max_by(|a, b| {
        let by_chance = often(*a).cmp(&often(*b));
        by_chance.then(gap(*a).total_cmp(&gap(*b))).then(b.cmp(a))
    })?;
    let unit = unit(l.limit);
    let amount = |x: f64| format!("{}{}{unit}", format::count_short(x.round()), format::THIN);
    let summary = l.needed.get(month)?;
    let needed = format!(
        "{}\u{2013}{}",
        format::count_short(summary.p5().round()),
        amount(summary.p95())
    );
    let title = say(&Words::CapacityTitle {
        pool: view.name(l.pool),
        month: view.month(month),
        needed,
        committed: format::count_short(l.committed.get(month).copied().unwrap_or(0.0)),
    });
    let subtitle = say(&Words::CapacitySub { unit });
    let three = [Chart::P5, Chart::P50, Chart::P95].map(|w| say(&w));
    let mut head = vec![say(&Chart::Month)];
    head.extend(three);
    head.push(say(&Chart::Committed {
        amount: String::new(),
    }));
    let rows = p.months.iter().enumerate().map(|(m, info)| {
        let s = l.needed.get(m).cloned().unwrap_or_default();
        let committed = l.committed.get(m).copied().unwrap_or(0.0);
        Row {
            name: format::month_year(info.year, info.month),
            cells: cells([s.p5(), s.p50(), s.p95(), committed].map(format::integer)),
            total: false,
        }
    });
    Some(Card {
        table: Table {
            caption: format!("{title}. {subtitle}"),
            head,
            rows: rows.collect(),
        },
        title,
        subtitle,
        chart: headroom(view, l, true, (0.0, 0.0)),
    })
}
