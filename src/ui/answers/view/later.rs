//! What it would do to launch later.

use super::View;
use super::cards::{Card, cells};
use super::table::{Row, Table};
use crate::engine::projection::{Chance, LaunchMove, LaunchMoves, MovedChance};
use crate::engine::statistics::{Z, chance};
use crate::text::outputs::Later as Words;
use crate::text::{format, say};

/// Most limits, and most budgets, that have a column.
const MOST: usize = 3;

/// Which limits or budgets have a column: those in most danger as planned, in entry order. One that nothing endangers,
/// moved or not, has none.
fn columns<'a>(chances: &[Chance], moved: impl Fn(usize) -> Vec<&'a MovedChance>) -> Vec<usize> {
    let endangered =
        |at: &usize| chances[*at].count > 0 || moved(*at).iter().any(|m| m.chance.count > 0);
    let mut order: Vec<usize> = (0..chances.len()).filter(endangered).collect();
    order.sort_by_key(|at| std::cmp::Reverse(chances[*at].count));
    order.truncate(MOST);
    order.sort_unstable();
    order
}

/// Change of a chance, and half the width of its 95 % interval: of pairs, the same futures twice.
fn change(moved: &MovedChance) -> (f64, f64) {
    let n = f64::from(moved.chance.of.max(1));
    let (gone, new) = (f64::from(moved.gone), f64::from(moved.new));
    let change = (new - gone) / n;
    let spread = (gone + new - (new - gone) * (new - gone) / n).max(0.0);
    (change, Z * spread.sqrt() / n)
}

/// A chance of all futures with a change on top that was found in fewer: of pairs, so that the luck of those few is
/// not in it.
fn shifted(all: &Chance, moved: &MovedChance) -> Chance {
    let share = (all.share() + change(moved).0).clamp(0.0, 1.0);
    chance((share * f64::from(all.of)).round() as u32, all.of)
}

fn with_error(all: &Chance) -> String {
    format!("{} {}", format::chance(all), format::chance_error(all))
}

fn chance_cell(all: &Chance, moved: &MovedChance) -> String {
    let (change, error) = change(moved);
    if change.abs() <= error {
        return say(&Words::Same {
            chance: format::chance(all),
        });
    }
    say(&Words::Changed {
        chance: format::chance(&shifted(all, moved)),
        change: format::points_signed(change),
        error: format::count((100.0 * error).ceil()),
    })
}

/// The move that lowers a risk most by more than its error: its place, the chance as planned, the name of the risk.
fn best<'a>(
    view: &View<'a>,
    launches: &'a LaunchMoves,
) -> Option<(&'a LaunchMove, Chance, Chance, String)> {
    let mut found: Option<(f64, &LaunchMove, Chance, Chance, String)> = None;
    for m in &launches.moves {
        let limits = m.breach.iter().zip(&view.projection.limits);
        let limits = limits.map(|(moved, limit)| {
            let pool = view.limit(limit);
            (moved, &limit.any_breach, say(&Words::RunsOut { pool }))
        });
        let budgets = m.over.iter().zip(&view.projection.budgets);
        let budgets = budgets.map(|(moved, outcome)| {
            let budget = view.budget(outcome);
            (moved, &outcome.over, say(&Words::Over { budget }))
        });
        for (moved, planned, what) in limits.chain(budgets) {
            let (change, error) = change(moved);
            if change + error < 0.0 && found.as_ref().is_none_or(|f| change < f.0) {
                found = Some((change, m, *planned, shifted(planned, moved), what));
            }
        }
    }
    found.map(|(_, m, planned, moved, what)| (m, planned, moved, what))
}

/// Money that can be paid; what is less than a hundredth is rounding.
fn worth(amount: f64) -> f64 {
    if amount.abs() < 0.01 { 0.0 } else { amount }
}

/// Whether a move changes no chance and no cost.
fn changes_nothing(m: &LaunchMove) -> bool {
    let same = |c: &MovedChance| c.gone == 0 && c.new == 0;
    m.breach.iter().all(same) && m.over.iter().all(same) && worth(m.cost_change) == 0.0
}

/// A launch whose moves change nothing has one row, of the longest.
fn has_row(moves: &[LaunchMove], m: &LaunchMove) -> bool {
    let mut own = moves.iter().filter(|x| x.feature == m.feature);
    !own.clone().all(changes_nothing) || own.all(|x| x.weeks <= m.weeks)
}

/// Each launch moved by some weeks.
#[must_use]
pub fn later(view: &View<'_>) -> Option<Card<()>> {
    let p = view.projection;
    let launches = p.launches.as_ref()?;
    let title = say(
        &best(view, launches).map_or(Words::TitleNone, |(m, before, after, what)| Words::Title {
            feature: view.name(m.feature),
            weeks: m.weeks,
            what,
            before: format::chance(&before),
            after: format::chance(&after),
        }),
    );
    let moves = &launches.moves;
    let limits = columns(&launches.breach, |at| {
        moves.iter().filter_map(|m| m.breach.get(at)).collect()
    });
    let budgets = columns(&launches.over, |at| {
        moves.iter().filter_map(|m| m.over.get(at)).collect()
    });
    let futures = format::integer(launches.trials.into());
    let all = limits.len() < MOST && budgets.len() < MOST;
    let subtitle = say(&if all {
        Words::Sub { futures }
    } else {
        Words::SubCut { futures }
    });
    let mut head = vec![say(&Words::Launch)];
    head.extend(limits.iter().filter_map(|at| {
        let pool = view.limit(p.limits.get(*at)?);
        Some(say(&Words::RunsOut { pool }))
    }));
    head.extend(budgets.iter().filter_map(|at| {
        let budget = view.budget(p.budgets.get(*at)?);
        Some(say(&Words::Over { budget }))
    }));
    head.push(say(&Words::Cost));
    let breach = |at: &usize| &p.limits[*at].any_breach;
    let over = |at: &usize| &p.budgets[*at].over;
    let planned = limits.iter().map(breach).chain(budgets.iter().map(over));
    let cost = &p.total.effective.horizon;
    let first = Row {
        name: say(&Words::AsPlanned),
        cells: cells(planned.map(with_error).chain([say(&Words::Money {
            amount: view.money(cost.mean),
            error: view.money(cost.mean_error),
        })])),
        total: true,
    };
    let row = |m: &LaunchMove| {
        let chances = limits
            .iter()
            .map(|at| chance_cell(breach(at), &m.breach[*at]));
        let chances = chances.chain(budgets.iter().map(|at| chance_cell(over(at), &m.over[*at])));
        let (change, error) = (worth(m.cost_change), worth(m.cost_change_error));
        let cost = say(&if change == 0.0 && error == 0.0 {
            Words::SameMoney
        } else if change.abs() <= error {
            Words::SameMoneyWithin {
                error: view.money(error),
            }
        } else {
            Words::Money {
                amount: format::money_signed(change, view.currency()),
                error: view.money(error),
            }
        });
        let (feature, weeks) = (view.name(m.feature), m.weeks);
        let nothing = moves.iter().filter(|x| x.feature == m.feature);
        Row {
            name: say(&if nothing.clone().all(changes_nothing) {
                Words::MoveAny { feature, weeks }
            } else {
                Words::Move { feature, weeks }
            }),
            cells: cells(chances.chain([cost])),
            total: false,
        }
    };
    Some(Card {
        table: Table {
            caption: format!("{title}. {subtitle}"),
            head,
            rows: std::iter::once(first)
                .chain(moves.iter().filter(|m| has_row(moves, m)).map(row))
                .collect(),
        },
        title,
        subtitle,
        chart: (),
    })
}
