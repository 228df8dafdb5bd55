//! When in the week a limit is short: the needed share of what is committed, by month and hour of the week.
//!
//! Of each trial and month, an hour of the week (Monday 0 h is 0, on the scenario's clock) counts with the *highest* of
//! its four or five occurrences: 100 % at p95 says that in one of twenty futures this hour breaches at least once in the
//! month. Source: docs/model.md, "Hours of the week".

use serde::{Deserialize, Serialize};

use super::plan::Plan;

/// Trials that are looked at: the first ones of the run.
pub const HEAT_TRIALS: u32 = 300;
/// Hours of a week.
pub const WEEK: usize = 168;
/// Largest share that is told: 1,000 %. Also stands where nothing is committed and something is needed.
pub const MOST_SHARE: f32 = 10.0;

/// The need of a limit's month by hour of the week, as shares of what is committed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct HeatMonth {
    /// Median, from Monday 0 h; 10 and more is 10.
    pub p50: Vec<f32>,
    /// 95th percentile.
    pub p95: Vec<f32>,
}

/// The hours of the week under one limit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct HeatMap {
    /// Index into [`super::projection::Projection::limits`].
    pub limit: u32,
    /// Trials that were looked at, the first of the run.
    pub trials: u32,
    /// By month of the horizon.
    pub months: Vec<HeatMonth>,
}

impl HeatMap {
    /// The month with the fullest hour at p95, the first of equals; none without months.
    #[must_use]
    pub fn fullest_month(&self) -> Option<usize> {
        let most = |m: &HeatMonth| m.p95.iter().fold(0.0_f32, |a, b| a.max(*b));
        let months = self.months.iter().enumerate().rev();
        months
            .max_by(|(_, a), (_, b)| most(a).total_cmp(&most(b)))
            .map(|(at, _)| at)
    }

    /// From rows of `months` × 168 shares, one per trial.
    #[must_use]
    pub fn of(limit: u32, months: usize, rows: &[f32]) -> Self {
        let width = months * WEEK;
        let trials = rows.len() / width.max(1);
        let mut column = Vec::with_capacity(trials);
        let mut out = vec![HeatMonth::default(); months];
        for (at, month) in out.iter_mut().enumerate() {
            for hour in 0..WEEK {
                column.clear();
                column.extend(
                    rows.iter()
                        .skip(at * WEEK + hour)
                        .step_by(width.max(1))
                        .copied(),
                );
                column.sort_unstable_by(f32::total_cmp);
                let quantile = |permille| {
                    let index = super::statistics::quantile_index(trials, permille);
                    column.get(index).copied().unwrap_or(0.0)
                };
                month.p50.push(quantile(500));
                month.p95.push(quantile(950));
            }
        }
        Self {
            limit,
            trials: trials as u32,
            months: out,
        }
    }
}

/// Needed share of what is committed, 0 to [`MOST_SHARE`].
#[must_use]
pub fn share(committed: f64, needed: f64) -> f32 {
    if needed <= 0.0 {
        0.0
    } else if committed * f64::from(MOST_SHARE) <= needed {
        MOST_SHARE
    } else {
        (needed / committed) as f32
    }
}

/// Hour of the week of each hour of a month on the scenario's clock.
pub(super) fn hours_of_week(plan: &Plan, first: u32, hours: usize) -> impl Iterator<Item = usize> {
    let run = |hour: u32| {
        let at = plan.clock.partition_point(|r| r.0 <= hour);
        let (from, then) = at
            .checked_sub(1)
            .and_then(|i| plan.clock.get(i))
            .copied()
            .unwrap_or((0, 0));
        (u32::from(then) + (hour - from)) as usize % WEEK
    };
    (first..first + hours as u32).map(run)
}
