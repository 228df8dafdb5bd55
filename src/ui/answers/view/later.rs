//! What it would do to launch later.

use super::View;
use super::cards::{Card, cells};
use super::table::{Row, Table};
use crate::engine::projection::{Chance, LaunchMove, LaunchMoves, MovedChance};
use crate::engine::statistics::Z;
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

fn chance_cell(moved: &MovedChance) -> String {
    let chance = format::chance(&moved.chance);
    let (change, error) = change(moved);
    if moved.gone == 0 && moved.new == 0 {
        return say(&Words::Same { chance });
    }
    say(&Words::Changed {
        chance,
        change: format::points_signed(change),
        error: format::count((100.0 * error).ceil()),
    })
}

/// The move that lowers a risk most by more than its error: its place, the chance as planned, the name of the risk.
fn best<'a>(
    view: &View<'_>,
    launches: &'a LaunchMoves,
) -> Option<(&'a LaunchMove, Chance, Chance, String)> {
    let mut found: Option<(f64, &LaunchMove, Chance, Chance, String)> = None;
    for m in &launches.moves {
        let limits = m.breach.iter().zip(&launches.breach).enumerate();
        let limits = limits.filter_map(|(at, (moved, planned))| {
            let pool = view.limit(view.projection.limits.get(at)?);
            Some((moved, planned, say(&Words::RunsOut { pool })))
        });
        let budgets = m.over.iter().zip(&launches.over).enumerate();
        let budgets = budgets.filter_map(|(at, (moved, planned))| {
            let budget = view.budget(view.projection.budgets.get(at)?);
            Some((moved, planned, say(&Words::Over { budget })))
        });
        for (moved, planned, what) in limits.chain(budgets) {
            let (change, error) = change(moved);
            if change + error < 0.0 && found.as_ref().is_none_or(|f| change < f.0) {
                found = Some((change, m, *planned, moved.chance, what));
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
    let planned = limits.iter().map(|at| &launches.breach[*at]);
    let planned = planned.chain(budgets.iter().map(|at| &launches.over[*at]));
    let first = Row {
        name: say(&Words::AsPlanned),
        cells: cells(
            planned
                .map(format::chance)
                .chain([view.money(launches.effective_cost)]),
        ),
        total: true,
    };
    let row = |m: &LaunchMove| {
        let chances = limits.iter().map(|at| chance_cell(&m.breach[*at]));
        let chances = chances.chain(budgets.iter().map(|at| chance_cell(&m.over[*at])));
        let (change, error) = (worth(m.cost_change), worth(m.cost_change_error));
        let cost = say(&if change == 0.0 && error == 0.0 {
            Words::SameMoney
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
