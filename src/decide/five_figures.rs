//! The five figures below the first line.

use super::{acceptable_in_budget, acceptable_in_pool, badness, first_largest, main_year, total};
use crate::domain::calendar::PeriodInfo;
use crate::domain::scenario::{BudgetCost, Id, Scenario};
use crate::engine::projection::{
    BudgetOutcome, Chance, Driver, LimitKind, Outcome, Projection, Summary,
};

/// The five figures; none where the plan has nothing to show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FiveFigures {
    /// What the year costs.
    pub spend: Option<YearFigure>,
    /// How often the budget is overspent, and by how much then.
    pub over: Option<OverFigure>,
    /// The month in which a pool is most likely to run out.
    pub worst: Option<WorstFigure>,
    /// What the year pays for and does not use; none without contracts.
    pub unused: Option<YearFigure>,
    /// The input that moves the year's cost most.
    pub driver: Option<DriverFigure>,
}

/// Money in a fiscal year.
#[derive(Clone, Debug, PartialEq)]
pub struct YearFigure {
    /// The year.
    pub period: PeriodInfo,
    /// Index into [`Projection::years`].
    pub year: usize,
    /// Which cost; what is not used is always effective.
    pub cost: BudgetCost,
    /// Distribution.
    pub money: Summary,
}

/// A budget.
#[derive(Clone, Debug, PartialEq)]
pub struct OverFigure {
    /// The budget.
    pub budget: Id,
    /// Index into [`Projection::budgets`].
    pub outcome: usize,
    /// The period.
    pub period: PeriodInfo,
    /// Amount.
    pub amount: f64,
    /// Chance of spending more.
    pub chance: Chance,
    /// By how much on average in the futures that do; none if none does.
    pub excess_if_over: Option<f64>,
}

/// A limit in a month.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstFigure {
    /// The pool.
    pub pool: Id,
    /// Index into [`Projection::limits`].
    pub limit: usize,
    /// What is limited.
    pub kind: LimitKind,
    /// Month of the horizon.
    pub month: usize,
    /// Lowest headroom of the month.
    pub headroom: Summary,
    /// Chance of running out in it.
    pub chance: Chance,
}

/// An input and how it moves the year's effective cost.
#[derive(Clone, Debug, PartialEq)]
pub struct DriverFigure {
    /// The year.
    pub period: PeriodInfo,
    /// Input, movement in its lowest and highest fifth, rank correlation.
    pub driver: Driver,
}

/// The five figures of a projection of this scenario; `cost` is the cost that the screen shows.
#[must_use]
pub fn five_figures(scenario: &Scenario, projection: &Projection, cost: BudgetCost) -> FiveFigures {
    if projection.trials == 0 {
        return FiveFigures::default();
    }
    let year = main_year(projection);
    let in_year = |cost: BudgetCost, years: &[Summary]| {
        let year = year?;
        Some(YearFigure {
            period: projection.years.get(year)?.clone(),
            year,
            cost,
            money: years.get(year)?.clone(),
        })
    };
    FiveFigures {
        spend: in_year(cost, &total(&projection.total, cost).years),
        over: year_budget(scenario, projection, year),
        worst: worst_month(scenario, projection),
        unused: if projection.commitments.is_empty() {
            None
        } else {
            in_year(BudgetCost::Effective, &projection.unused.years)
        },
        driver: year.and_then(|year| {
            let driver = projection.drivers.iter().find(|d| {
                d.outcome == Outcome::YearEffectiveCost(year as u32) && !d.within_noise
            })?;
            Some(DriverFigure {
                period: projection.years.get(year)?.clone(),
                driver: driver.clone(),
            })
        }),
    }
}

/// The budget in most danger: of the year itself if it has one, else in the year, else anywhere.
fn year_budget(
    scenario: &Scenario,
    projection: &Projection,
    year: Option<usize>,
) -> Option<OverFigure> {
    let period = year.and_then(|y| projection.years.get(y));
    let danger = |b: &BudgetOutcome| badness(&b.over, acceptable_in_budget(scenario, b.id));
    let worst = |fits: &dyn Fn(&BudgetOutcome) -> bool| {
        let fitting = projection
            .budgets
            .iter()
            .enumerate()
            .filter(|(_, b)| fits(b));
        first_largest(fitting, |(_, b)| danger(b))
    };
    let (at, budget) = worst(&|b| Some(&b.period) == period)
        .or_else(|| worst(&|b| Some(b.period.fiscal_year) == period.map(|p| p.fiscal_year)))
        .or_else(|| worst(&|_| true))?;
    Some(OverFigure {
        budget: budget.id,
        outcome: at,
        period: budget.period.clone(),
        amount: budget.amount,
        chance: budget.over,
        excess_if_over: budget.excess_if_over,
    })
}

/// The month with the largest chance of running out against what is acceptable; if none ever runs out, the one whose
/// headroom comes closest to nothing, as a share of what is committed.
fn worst_month(scenario: &Scenario, projection: &Projection) -> Option<WorstFigure> {
    let months = || {
        projection.limits.iter().enumerate().flat_map(|(limit, l)| {
            (0..l.breach.len().min(l.headroom.len())).map(move |month| (limit, month))
        })
    };
    let breach = |limit: usize, month: usize| &projection.limits[limit].breach[month];
    let ever = months().any(|(limit, month)| breach(limit, month).count > 0);
    let (limit, month) = first_largest(months(), |(limit, month)| {
        let l = &projection.limits[*limit];
        if ever {
            return badness(breach(*limit, *month), acceptable_in_pool(scenario, l.pool));
        }
        let committed = l.committed.get(*month).copied().unwrap_or(0.0);
        -l.headroom[*month].p5() / committed.max(1e-9)
    })?;
    let l = &projection.limits[limit];
    Some(WorstFigure {
        pool: l.pool,
        limit,
        kind: l.limit,
        month,
        headroom: l.headroom[month].clone(),
        chance: l.breach[month],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::testing::{chance, projection, scenario};
    use crate::domain::field::FieldPath;

    const EFFECTIVE: BudgetCost = BudgetCost::Effective;

    #[test]
    fn all_five() {
        let (plan, mut p) = (scenario(), projection());
        p.total.effective.years[0].p[3] = 4e6;
        p.total.billed.years[0].p[3] = 5e6;
        p.unused.years[0].p[3] = 9e5;
        p.budgets[0].over = chance(3100);
        p.budgets[0].excess_if_over = Some(3.77e5);
        p.limits[0].breach[8] = chance(6200);
        p.limits[0].headroom[8].p[3] = -4.0;
        let driver = |id, outcome| Driver {
            input: FieldPath::of("features", Id(id), "requests_per_day"),
            outcome,
            low_fifth: -1.0,
            high_fifth: 1.0,
            rank_correlation: 0.5,
            within_noise: false,
        };
        p.drivers = vec![
            driver(2, Outcome::YearEffectiveCost(1)),
            driver(1, Outcome::YearEffectiveCost(0)),
            driver(2, Outcome::YearEffectiveCost(0)),
        ];
        let f = five_figures(&plan, &p, BudgetCost::Billed);
        let spend = f.spend.expect("spend");
        assert_eq!((spend.period.fiscal_year, spend.money.p50()), (2027, 5e6));
        let over = f.over.expect("budget");
        assert_eq!(
            (over.chance.count, over.excess_if_over),
            (3100, Some(3.77e5))
        );
        let worst = f.worst.expect("limit");
        assert_eq!((worst.month, worst.headroom.p50()), (8, -4.0));
        assert_eq!(f.unused.expect("contracts").money.p50(), 9e5);
        assert_eq!(
            f.driver.expect("driver").driver.input.as_str(),
            "features/1/requests_per_day"
        );
        let effective = five_figures(&plan, &p, EFFECTIVE).spend.expect("spend");
        assert_eq!(effective.money.p50(), 4e6);
    }

    #[test]
    fn nothing_to_show_is_none() {
        let (mut plan, mut p) = (scenario(), projection());
        p.trials = 0;
        assert_eq!(five_figures(&plan, &p, EFFECTIVE), FiveFigures::default());
        p.trials = 100;
        plan.budgets.clear();
        plan.pools.clear();
        plan.commitments.clear();
        p.budgets.clear();
        p.limits.clear();
        p.commitments.clear();
        p.drivers.clear();
        let f = five_figures(&plan, &p, EFFECTIVE);
        assert!(f.spend.is_some());
        assert_eq!(
            (f.over, f.worst, f.unused, f.driver),
            (None, None, None, None)
        );
    }

    #[test]
    fn without_breaches_the_tightest_month_is_worst() {
        let (plan, mut p) = (scenario(), projection());
        for (month, headroom) in p.limits[0].headroom.iter_mut().enumerate() {
            headroom.p[0] = 30.0 - month as f64;
        }
        p.limits[0].committed[3] = 40.0; // 27 of 40 is tighter than 13 of 96? no: 0.675 against 0.135
        assert_eq!(
            five_figures(&plan, &p, EFFECTIVE)
                .worst
                .expect("limit")
                .month,
            17
        );
        p.limits[0].headroom[3].p[0] = 2.0;
        assert_eq!(
            five_figures(&plan, &p, EFFECTIVE)
                .worst
                .expect("limit")
                .month,
            3
        );
    }

    #[test]
    fn the_budget_of_the_year_comes_before_a_worse_one_elsewhere() {
        let (plan, mut p) = (scenario(), projection());
        let mut other = p.budgets[0].clone();
        other.period = p.years[1].clone();
        other.over = chance(9000);
        p.budgets.insert(0, other);
        let over = five_figures(&plan, &p, EFFECTIVE).over.expect("budget");
        assert_eq!((over.outcome, over.period.fiscal_year), (1, 2027));
        p.budgets.pop();
        let over = five_figures(&plan, &p, EFFECTIVE).over.expect("budget");
        assert_eq!(over.period.fiscal_year, 2028);
    }
}
