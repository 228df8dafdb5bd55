//! What it would do to launch later: each planned launch moved by some weeks, others as planned, on the same draws.
//!
//! A moved launch is the plan with another planned day and nothing else, so every number is that of a run of the moved
//! plan (tested bit by bit). Months before the launch are not played again: nothing in them can change.
//! Source: docs/model.md, "If a launch moves".

use serde::{Deserialize, Serialize};

use super::{
    collector::Outline,
    columns::{Layout, LimitPhysical, TotalMoney},
    plan::Plan,
    projection::Chance,
    statistics::{chance, mean_and_error},
};
use crate::domain::scenario::{BudgetCost, Id};

/// Trials that are looked at, at most and (if there are so many) at least: the first ones of the run.
const TRIALS: (u32, u32) = (50, 300);
/// Plays, as planned and moved, that are worth it: half as many as the run has trials, and in small runs this many.
const PLAYS: u32 = 1_200;
/// Weeks by which a launch is moved.
pub const WEEKS: [u32; 3] = [2, 4, 8];

/// A chance with a launch moved, against the chance as planned in the same trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct MovedChance {
    /// With the launch moved.
    pub chance: Chance,
    /// Trials in which it happens as planned and no longer.
    pub gone: u32,
    /// Trials in which it happens only with the launch moved.
    pub new: u32,
}

/// One launch moved by some weeks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct LaunchMove {
    /// The feature.
    pub feature: Id,
    /// Weeks later.
    pub weeks: u32,
    /// Chance of any breach over the horizon, by limit.
    pub breach: Vec<MovedChance>,
    /// Chance to exceed, by budget and period.
    pub over: Vec<MovedChance>,
    /// Mean effective cost over the horizon.
    pub effective_cost: f64,
    /// Mean of effective cost moved minus as planned, trial by trial.
    pub cost_change: f64,
    /// Half width of its 95 % interval.
    pub cost_change_error: f64,
}

/// All launches moved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct LaunchMoves {
    /// Trials that were looked at, the first of the run.
    pub trials: u32,
    /// Chance of any breach as planned in these trials, by limit.
    pub breach: Vec<Chance>,
    /// Chance to exceed as planned, by budget and period.
    pub over: Vec<Chance>,
    /// Mean effective cost over the horizon as planned.
    pub effective_cost: f64,
    /// By feature and weeks.
    pub moves: Vec<LaunchMove>,
}

/// Features with a launch inside the horizon (indices), each with each number of weeks (index into [`WEEKS`]).
#[must_use]
pub fn moves(plan: &Plan) -> Vec<(usize, usize)> {
    let end = i64::from(plan.hours());
    let planned = |f: &usize| {
        let launch = plan.features[*f].launch.as_ref();
        launch.is_some_and(|l| l.hour < end)
    };
    let features = (0..plan.layout.entered()).filter(planned);
    features
        .flat_map(|f| (0..WEEKS.len()).map(move |w| (f, w)))
        .collect()
}

/// Trials that are looked at in a run of some trials: fewer where many launches move.
#[must_use]
pub fn launch_trials(plan: &Plan, trials: u32) -> u32 {
    let plays = PLAYS.max(trials / 2);
    let each = 1 + moves(plan).len() as u32;
    (plays / each).clamp(TRIALS.0, TRIALS.1).min(trials)
}

/// Numbers of one way of playing a trial: cost, then a 1 or 0 per limit and per budget.
#[must_use]
pub(super) fn width(outline: &Outline) -> usize {
    1 + outline.limits.len() + outline.budgets.len()
}

/// Reads a played trial.
pub(super) fn read(outline: &Outline, money: &[f64], physical: &[f32], out: &mut Vec<f64>) {
    let layout = &outline.layout;
    let effective = layout.total_money(TotalMoney::Effective);
    out.push(money[effective..effective + layout.months].iter().sum());
    for limit in 0..outline.limits.len() {
        let first = layout.limit_physical(limit, LimitPhysical::BreachHours);
        let any = physical[first..first + layout.months]
            .iter()
            .any(|h| *h > 0.0);
        out.push(f64::from(u8::from(any)));
    }
    for budget in &outline.budgets {
        let first = layout.total_money(match budget.cost {
            BudgetCost::Effective => TotalMoney::Effective,
            BudgetCost::Billed => TotalMoney::Billed,
        }) + budget.period.first_month as usize;
        let mut spend = budget.before;
        for x in &money[first..first + budget.period.months as usize] {
            spend += x;
        }
        out.push(f64::from(u8::from(spend > budget.amount)));
    }
}

/// Copies the months before `end` of every column.
pub(super) fn copy_months<T: Copy>(layout: &Layout, end: usize, from: &[T], to: &mut [T]) {
    let months = layout.months.max(1);
    for (from, to) in from.chunks(months).zip(to.chunks_mut(months)) {
        to[..end].copy_from_slice(&from[..end]);
    }
}

impl LaunchMoves {
    /// From rows of one trial each: as planned, then move by move.
    #[must_use]
    pub fn of(plan: &Plan, rows: &[f64]) -> Self {
        let outline = Outline::from(plan);
        let (moves, wide) = (moves(plan), width(&outline));
        let row = wide * (1 + moves.len());
        let trials = rows.len() / row.max(1);
        let column = |at: usize| rows.iter().skip(at).step_by(row.max(1)).copied();
        let count = |at: usize| column(at).filter(|x| *x > 0.0).count() as u32;
        let of = trials as u32;
        let limits = 1..1 + outline.limits.len();
        let budgets = limits.end..wide;
        let planned: Vec<f64> = column(0).collect();
        let found = moves.iter().enumerate().map(|(at, (f, weeks))| {
            let first = wide * (at + 1);
            let moved = |k: usize| {
                let both = column(k).zip(column(first + k));
                let (mut gone, mut new) = (0, 0);
                for (planned, moved) in both {
                    gone += u32::from(planned > moved);
                    new += u32::from(moved > planned);
                }
                MovedChance {
                    chance: chance(count(first + k), of),
                    gone,
                    new,
                }
            };
            let cost: Vec<f64> = column(first).collect();
            let change: Vec<f64> = cost.iter().zip(&planned).map(|(a, b)| a - b).collect();
            let (cost_change, cost_change_error) = mean_and_error(&change);
            LaunchMove {
                feature: plan.features[*f].id,
                weeks: WEEKS[*weeks],
                breach: limits.clone().map(moved).collect(),
                over: budgets.clone().map(moved).collect(),
                effective_cost: mean_and_error(&cost).0,
                cost_change,
                cost_change_error,
            }
        });
        Self {
            trials: of,
            breach: limits.clone().map(|k| chance(count(k), of)).collect(),
            over: budgets.clone().map(|k| chance(count(k), of)).collect(),
            effective_cost: mean_and_error(&planned).0,
            moves: found.collect(),
        }
    }
}
