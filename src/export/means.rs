//! Means of money in whole minor units that add up: the horizon is rounded, its years share it out by largest
//! remainder, each year's quarters share that, each quarter's months share that, and the parts of a month share the
//! month. Longer periods of a part are the sums of its months.

use crate::domain::calendar::PeriodInfo;
use crate::domain::money::{share_out, to_minor};
use crate::engine::projection::{Projection, Series};

use super::period::Period;

/// Means in minor units.
#[derive(Clone, Debug, PartialEq)]
pub struct Means {
    /// Whole plan.
    pub effective: Period<i128>,
    /// Whole plan.
    pub billed: Period<i128>,
    /// Whole plan.
    pub list: Period<i128>,
    /// Whole plan.
    pub contracted: Period<i128>,
    /// Effective cost by feature.
    pub features: Vec<Period<i128>>,
    /// Unused effective cost by contract; with the features it is the whole plan.
    pub unused: Vec<Period<i128>>,
    /// Used effective cost by contract.
    pub used: Vec<Period<i128>>,
    /// Effective cost that no contract covers; with used and unused it is the whole plan.
    pub on_demand: Period<i128>,
}

impl Means {
    /// Of a projection.
    pub fn of(projection: &Projection) -> Self {
        let total = |series| whole(projection, series);
        let effective = total(&projection.total.effective);
        let features = projection.features.iter().map(|f| &f.effective_cost);
        let unused = projection.commitments.iter().map(|c| &c.unused);
        let used = projection.commitments.iter().map(|c| &c.used);
        let by_feature: Vec<&Series> = features.clone().chain(unused).collect();
        let mut by_feature = parts(projection, &effective.months, &by_feature);
        let unused = by_feature.split_off(features.len());
        let covered: Vec<i128> = effective
            .months
            .iter()
            .enumerate()
            .map(|(m, total)| total - unused.iter().filter_map(|u| u.months.get(m)).sum::<i128>())
            .collect();
        let by_contract: Vec<&Series> = used.chain([&projection.on_demand]).collect();
        let mut used = parts(projection, &covered, &by_contract);
        Self {
            billed: total(&projection.total.billed),
            list: total(&projection.total.list),
            contracted: total(&projection.total.contracted),
            effective,
            features: by_feature,
            unused,
            on_demand: used.pop().unwrap_or_default(),
            used,
        }
    }
}

/// The part of `all` that lies in a period.
fn inside<'a, T>(all: &'a [T], period: &PeriodInfo) -> &'a [T] {
    let first = period.first_month as usize;
    all.get(first..first + period.months as usize)
        .unwrap_or_default()
}

fn whole(projection: &Projection, series: &Series) -> Period<i128> {
    let currency = &projection.currency;
    let horizon = to_minor(series.horizon.mean, currency).unwrap_or(0);
    let means = |summaries: &[crate::engine::projection::Summary]| -> Vec<f64> {
        summaries.iter().map(|s| s.mean).collect()
    };
    let years = share_out(&means(&series.years), horizon, currency);
    let mut quarters = Vec::new();
    let mut months = Vec::new();
    for (year, total) in projection.years.iter().zip(&years) {
        let own: Vec<f64> = projection
            .quarters
            .iter()
            .zip(&series.quarters)
            .filter(|(q, _)| q.fiscal_year == year.fiscal_year)
            .map(|(_, s)| s.mean)
            .collect();
        quarters.extend(share_out(&own, *total, currency));
    }
    for (quarter, total) in projection.quarters.iter().zip(&quarters) {
        months.extend(share_out(
            &means(inside(&series.months, quarter)),
            *total,
            currency,
        ));
    }
    Period {
        months,
        quarters,
        years,
        horizon,
    }
}

/// Parts of months whose totals are given.
fn parts(projection: &Projection, totals: &[i128], series: &[&Series]) -> Vec<Period<i128>> {
    let mut out = vec![Period::default(); series.len()];
    for (month, total) in totals.iter().enumerate() {
        let means: Vec<f64> = series
            .iter()
            .map(|s| s.months.get(month).map_or(0.0, |m| m.mean))
            .collect();
        for (part, minor) in out
            .iter_mut()
            .zip(share_out(&means, *total, &projection.currency))
        {
            part.months.push(minor);
        }
    }
    for part in &mut out {
        let sum = |period: &PeriodInfo| inside(&part.months, period).iter().sum();
        part.quarters = projection.quarters.iter().map(sum).collect();
        part.years = projection.years.iter().map(sum).collect();
        part.horizon = part.months.iter().sum();
    }
    out
}
