//! What the time stack shows, from a plan and its projection.

use super::plan_rows::{contract, seasons, track};
use super::table::{Cell, Row, Table};
use super::{View, unit};
use crate::chart::frame::fan::Band;
use crate::chart::frame::stack::{
    Bracket, HeadroomRow, SpendRow, SpendShape, StackInput, YearEnd, YearSpend,
};
use crate::domain::scenario::{BudgetPeriod, Id};
use crate::engine::projection::{BudgetOutcome, LimitKind, LimitOutcome};
use crate::text::answers::Chart as Words;
use crate::text::{format, say};

/// What a person chose to see.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Choice {
    /// Index of the limit.
    pub limit: usize,
    /// Spend of each month instead of the year to date.
    pub per_month: bool,
    /// Need against committed instead of headroom.
    pub needed: bool,
    /// The month whose name is strong.
    pub month: Option<usize>,
    /// The entity that is picked.
    pub entity: Option<Id>,
}

/// How far axes reached so far in this run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reach {
    /// Money.
    pub spend: f64,
    /// Lowest and highest headroom or need.
    pub headroom: (f64, f64),
}

/// p95, median, p5.
#[must_use]
pub fn percentiles() -> [String; 3] {
    [Words::P95, Words::Median, Words::P5].map(|w| say(&w))
}

/// The input of the time stack.
#[must_use]
pub fn stack(view: &View<'_>, choice: &Choice, reach: &Reach) -> StackInput {
    let p = view.projection;
    StackInput {
        start: view.scenario.settings.start,
        months: view.months_short(),
        calendar: p.months.iter().map(|m| m.month).collect(),
        years: p
            .years
            .iter()
            .map(|y| Bracket {
                name: format::fiscal_year(y.fiscal_year),
                first: y.first_month as usize,
                months: y.months as usize,
            })
            .collect(),
        seasons: seasons(view),
        spend: SpendRow {
            title: say(&Words::Spend),
            subtitle: say(if choice.per_month {
                &Words::SpendPerMonth
            } else {
                &Words::SpendToDate
            }),
            currency: p.currency.clone(),
            shape: if choice.per_month {
                per_month(view)
            } else {
                SpendShape::ToDate(years(view))
            },
            at_least: reach.spend,
            percentiles: percentiles(),
        },
        headroom: p
            .limits
            .get(choice.limit)
            .map(|l| headroom(view, l, choice.needed, reach.headroom)),
        contracts: view
            .scenario
            .commitments
            .iter()
            .map(|c| contract(view, c))
            .collect(),
        used_word: say(&Words::Used),
        features: view
            .scenario
            .features
            .iter()
            .map(|f| track(view, f))
            .collect(),
        strong_month: choice.month,
        selected: choice.entity,
    }
}

/// Fiscal years of spend to date.
#[must_use]
pub fn years(view: &View<'_>) -> Vec<YearSpend> {
    let p = view.projection;
    p.years
        .iter()
        .enumerate()
        .map(|(index, year)| {
            let first = year.first_month as usize;
            let months = first..(first + year.months as usize).min(view.to_date().len());
            let mut budgets = year_budgets(view, index).into_iter();
            let budget = budgets.next();
            YearSpend {
                first,
                bands: view.to_date()[months.start.min(months.end)..months.end]
                    .iter()
                    .map(Band::from)
                    .collect(),
                ends: year_end(view, index, budget.as_ref().map(|b| b.left)),
                budget: budget.map(|b| (b.left, b.label)),
                others: budgets.map(|b| (b.left, b.label)).collect(),
            }
        })
        .collect()
}

/// A budget of a fiscal year.
#[derive(Clone, Debug)]
pub struct YearBudget<'a> {
    /// What is left of it for the year.
    pub left: f64,
    /// Its label.
    pub label: String,
    /// What becomes of it.
    pub outcome: &'a BudgetOutcome,
}

/// The budget of a fiscal year that is nearest to being overspent.
#[must_use]
pub fn year_budget<'a>(view: &View<'a>, year: usize) -> Option<YearBudget<'a>> {
    year_budgets(view, year).into_iter().next()
}

/// The budgets of a fiscal year, the one that is nearest to being overspent first.
fn year_budgets<'a>(view: &View<'a>, year: usize) -> Vec<YearBudget<'a>> {
    let p = view.projection;
    let Some(period) = p.years.get(year) else {
        return vec![];
    };
    let of_year = p
        .budgets
        .iter()
        .filter(|b| b.period == *period && b.period.quarter.is_none());
    let mut found: Vec<_> = of_year
        .filter_map(|outcome| {
            let budget = view.scenario.budgets.iter().find(|x| x.id == outcome.id)?;
            (budget.cost == view.cost && budget.period == BudgetPeriod::Year)
                .then_some((outcome, budget))
        })
        .collect();
    // of equals the last one entered, as it always was
    found.reverse();
    found.sort_by_key(|(outcome, _)| std::cmp::Reverse(outcome.over.count));
    let left = found.into_iter().map(|(outcome, budget)| {
        // what was spent in a year that began before the horizon
        let spent_before = if period.first_month == 0 && !period.complete {
            budget.spent_before
        } else {
            0.0
        };
        let left = outcome.amount - spent_before;
        let amount = format::money_short(left, view.currency());
        let label = say(&if spent_before > 0.0 {
            Words::BudgetLeft { amount }
        } else {
            Words::Budget { amount }
        });
        YearBudget {
            left,
            label,
            outcome,
        }
    });
    left.collect()
}

const BARS: usize = 24;

fn year_end(view: &View<'_>, year: usize, budget: Option<f64>) -> Option<YearEnd> {
    let sorted = view.year_sorted(year);
    let summary = view.spend().years.get(year)?;
    let pick = |permille: usize| {
        let index = (sorted.len() * permille / 1000).min(sorted.len().saturating_sub(1));
        sorted.get(index).map(|v| f64::from(*v))
    };
    let (from, to) = (pick(2)?, pick(997)?);
    let mut bars = vec![0.0; BARS];
    if to > from {
        for value in sorted
            .iter()
            .map(|v| f64::from(*v))
            .filter(|v| *v >= from && *v < to)
        {
            let bar = ((value - from) / (to - from) * BARS as f64) as usize;
            bars[bar.min(BARS - 1)] += 1.0;
        }
    }
    let most = bars.iter().copied().fold(0.0, f64::max);
    if most > 0.0 {
        for bar in &mut bars {
            *bar /= most;
        }
    } else {
        bars.clear();
    }
    let ends_inside = view.projection.years.get(year).is_some_and(|y| y.complete);
    let above = budget
        .filter(|_| ends_inside)
        .map(|amount| crate::chart::frame::exceedance::share_above(sorted, amount))
        .filter(|share| *share > 0.0)
        .map_or_else(String::new, |share| {
            say(&Words::EndAbove {
                chance: format::percent(share),
            })
        });
    let [high, middle, low] = percentiles();
    let label = |value: f64, name: String| {
        let words = view.money(value);
        let named = say(&Words::Named {
            name,
            value: words.clone(),
        });
        (value, words, named)
    };
    Some(YearEnd {
        from,
        to,
        bars,
        above,
        labels: [
            label(summary.p95(), high),
            label(summary.p50(), middle),
            label(summary.p5(), low),
        ],
    })
}

fn per_month(view: &View<'_>) -> SpendShape {
    let p = view.projection;
    let bands = view.spend().months.iter().map(Band::from).collect();
    let mut budgets = vec![None; p.months.len()];
    for outcome in &p.budgets {
        let Some(budget) = view.scenario.budgets.iter().find(|b| b.id == outcome.id) else {
            continue;
        };
        if budget.period != BudgetPeriod::Month || budget.cost != view.cost {
            continue;
        }
        if let Some(slot) = budgets.get_mut(outcome.period.first_month as usize) {
            let tighter = slot.is_none_or(|a: f64| outcome.amount < a);
            if tighter {
                *slot = Some(outcome.amount);
            }
        }
    }
    let first = budgets.iter().flatten().next().copied();
    let word = first.map_or_else(String::new, |amount| {
        say(&Words::Budget {
            amount: format::money_short(amount, view.currency()),
        })
    });
    SpendShape::PerMonth(bands, budgets, word)
}

/// Headroom or need under a limit.
#[must_use]
pub fn headroom(
    view: &View<'_>,
    limit: &LimitOutcome,
    needed: bool,
    at_least: (f64, f64),
) -> HeadroomRow {
    let pool = view.name(limit.pool);
    let unit = unit(limit.limit);
    let key = limit.limit != LimitKind::Gpus;
    let first = limit.committed.first().copied().unwrap_or(0.0);
    let amount = format::count_short(first);
    HeadroomRow {
        title: say(if needed {
            &Words::Needed
        } else {
            &Words::Headroom
        }),
        subtitle: say(&if needed {
            Words::NeededOf { pool, unit }
        } else {
            Words::HeadroomOf { pool, unit }
        }),
        bands: if needed {
            limit.needed.iter().map(Band::from).collect()
        } else {
            limit.headroom.iter().map(Band::from).collect()
        },
        committed: needed.then(|| limit.committed.clone()),
        limit_label: say(&if key {
            Words::Limit { amount }
        } else {
            Words::Committed { amount }
        }),
        beyond_label: say(if key {
            &Words::BelowZeroKey
        } else {
            &Words::BelowZero
        }),
        at_least,
        percentiles: percentiles(),
        chance_title: say(&Words::RunOut),
        chances: limit
            .breach
            .iter()
            .map(|c| (format::chance_number(c), c.share()))
            .collect(),
    }
}

/// The stack as a table: by month, spend, year to date, headroom and chance under the limit that is shown.
#[must_use]
pub fn twin(view: &View<'_>, limit: usize) -> Table {
    let p = view.projection;
    let limit = p.limits.get(limit);
    let named = |what: &Words, which: &Words| {
        say(&Words::Named {
            name: say(what),
            value: say(which),
        })
    };
    let three = [Words::P5, Words::P50, Words::P95];
    let mut head = vec![say(&Words::Month)];
    head.extend(three.iter().map(|w| named(&Words::Spend, w)));
    head.extend(three.iter().map(|w| named(&Words::SpendToDate, w)));
    if let Some(limit) = limit {
        head.extend(three.iter().map(|w| named(&Words::Headroom, w)));
        head.push(say(&Words::Committed {
            amount: unit(limit.limit),
        }));
        head.push(say(&Words::RunOutCell));
    }
    let rows = (0..p.months.len()).map(|month| {
        let mut cells: Vec<Cell> = Vec::new();
        for series in [&view.spend().months[..], view.to_date()] {
            if let Some(s) = series.get(month) {
                cells.extend([s.p5(), s.p50(), s.p95()].map(|x| Cell::from(view.money(x))));
            }
        }
        if let Some(limit) = limit {
            if let Some(s) = limit.headroom.get(month) {
                let signed = |x: f64| Cell::from(format::count_signed(x));
                cells.extend([s.p5(), s.p50(), s.p95()].map(signed));
            }
            let committed = limit.committed.get(month).copied().unwrap_or(0.0);
            cells.push(format::count_short(committed).into());
            let chance = limit
                .breach
                .get(month)
                .map_or_else(String::new, format::chance);
            cells.push(Cell::keyed(chance, format!("chance-{month}")));
        }
        let info = &p.months[month];
        Row {
            name: format::month_year(info.year, info.month),
            cells,
            total: false,
        }
    });
    Table {
        caption: say(&Words::StackTwin),
        head,
        rows: rows.collect(),
    }
}

/// One sentence for a reader who does not see the picture.
#[must_use]
pub fn summary(view: &View<'_>, limit: usize) -> String {
    let p = view.projection;
    let year = crate::decide::main_year(p);
    let spend = year
        .and_then(|y| Some((p.years.get(y)?, view.spend().years.get(y)?)))
        .map_or_else(String::new, |(period, s)| {
            say(&Words::StackSpend {
                period: view.period(period),
                middle: view.money(s.p50()),
                low: view.money(s.p5()),
                high: view.money(s.p95()),
            })
        });
    let worst = p.limits.get(limit).and_then(|l| {
        let months = l.breach.iter().enumerate();
        let (month, chance) = months.rev().max_by_key(|(_, c)| c.count)?;
        Some(say(&Words::StackHeadroom {
            pool: view.name(l.pool),
            month: view.month(month),
            chance: format::chance(chance),
        }))
    });
    say(&Words::StackSummary {
        spend,
        headroom: worst.unwrap_or_default(),
    })
}

/// Frames, axes and the zero line of a plan without answers; none if its dates are not valid.
#[must_use]
pub fn empty(scenario: &crate::domain::scenario::Scenario) -> Option<StackInput> {
    let grid = crate::domain::calendar::Grid::new(&scenario.settings).ok()?;
    let years = grid.years();
    let blank = String::new();
    Some(StackInput {
        start: scenario.settings.start,
        months: grid
            .months
            .iter()
            .map(|m| format::month_short(m.month))
            .collect(),
        calendar: grid.months.iter().map(|m| m.month).collect(),
        years: years
            .iter()
            .map(|y| Bracket {
                name: format::fiscal_year(y.fiscal_year),
                first: y.first_month as usize,
                months: y.months as usize,
            })
            .collect(),
        seasons: vec![],
        spend: SpendRow {
            title: say(&Words::Spend),
            subtitle: say(&Words::SpendToDate),
            currency: scenario.settings.currency.clone(),
            shape: SpendShape::ToDate(vec![]),
            at_least: 0.0,
            percentiles: percentiles(),
        },
        headroom: Some(HeadroomRow {
            title: say(&Words::Headroom),
            subtitle: blank.clone(),
            bands: vec![],
            committed: None,
            limit_label: blank.clone(),
            beyond_label: say(&Words::BelowZero),
            at_least: (-1.0, 1.0),
            percentiles: [blank.clone(), blank.clone(), blank.clone()],
            chance_title: say(&Words::RunOut),
            chances: vec![(blank, 0.0); grid.months.len()],
        }),
        contracts: vec![],
        used_word: say(&Words::Used),
        features: vec![],
        strong_month: None,
        selected: None,
    })
}
