//! The first line: at most three typed statements, worst first, and one word of status.

use super::{
    Level, acceptable_in_budget, acceptable_in_pool, badness, budget_of, ends_early, first_largest,
    free_cluster, main_year, total,
};
use crate::domain::calendar::PeriodInfo;
use crate::domain::gateway::CapKind;
use crate::domain::scenario::{BudgetCost, BudgetPeriod, Id, Scenario};
use crate::engine::projection::{BudgetOutcome, Cause, Chance, LimitKind, Projection, Summary};

/// The state of a plan in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every chance is below what is acceptable.
    OnPlan,
    /// One is not, but below 2.5 times that.
    Watch,
    /// One is beyond.
    AtRisk,
    /// The Monte Carlo error still spans one of these thresholds.
    FirstLook,
}

/// One statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// A budget may be overspent more often than is acceptable.
    Over(BudgetPart),
    /// A pool may run out more often than is acceptable.
    RunsOut {
        /// The pool.
        pool: Id,
        /// Index into [`Projection::limits`].
        limit: usize,
        /// What is limited.
        kind: LimitKind,
        /// First month whose chance is within the error of the largest.
        first_month: usize,
        /// Last month of that run.
        last_month: usize,
        /// Month with the largest chance.
        month: usize,
        /// That chance.
        chance: Chance,
        /// Because of whom; none until it is computed.
        cause: Option<Cause>,
    },
    /// No budget is overspent more often than is acceptable; this is the one that comes closest to it.
    Fine(BudgetPart),
    /// There is no budget: what the plan costs.
    Costs {
        /// The fiscal year.
        period: PeriodInfo,
        /// Which cost.
        cost: BudgetCost,
        /// p5, median, p95 and more.
        spend: Box<Summary>,
    },
    /// Runaway requests of a feature burn until somebody finds them: no cap bounds what one costs.
    Unbounded {
        /// The feature whose runaways cost most.
        feature: Id,
    },
    /// Features run on a cluster that nothing is paid for: no contract, no burst.
    Free {
        /// The first such cluster.
        pool: Id,
    },
    /// There is nothing in the plan that costs anything.
    Empty,
}

/// A budget in one of its periods.
#[derive(Clone, Debug, PartialEq)]
pub struct BudgetPart {
    /// The budget.
    pub budget: Id,
    /// Index into [`Projection::budgets`].
    pub outcome: usize,
    /// Length of its periods.
    pub span: BudgetPeriod,
    /// The period.
    pub period: PeriodInfo,
    /// Amount.
    pub amount: f64,
    /// Chance of spending more.
    pub chance: Chance,
}

/// What the first line says.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// None if there is nothing to judge: no budget, no limit, or no trials.
    pub status: Option<Status>,
    /// One to three statements.
    pub parts: Vec<Part>,
}

/// Most statements.
const MOST: usize = 3;

/// The verdict on a projection of this scenario; `cost` is the cost that the screen shows.
#[must_use]
pub fn verdict(scenario: &Scenario, projection: &Projection, cost: BudgetCost) -> Verdict {
    if projection.trials == 0 || (scenario.features.is_empty() && scenario.commitments.is_empty()) {
        return Verdict {
            status: None,
            parts: vec![Part::Empty],
        };
    }
    let over = overspent(scenario, projection);
    let out = running_out(scenario, projection);
    let nothing_over = over.is_empty();
    let mut parts = worst_first(over, out);
    if nothing_over && parts.len() < MOST {
        parts.extend(closest_budget(scenario, projection).or_else(|| costs(projection, cost)));
    }
    if parts.len() < MOST {
        parts.extend(unbounded(scenario, projection));
    }
    if parts.len() < MOST {
        parts.extend(free_cluster(scenario).map(|pool| Part::Free { pool }));
    }
    Verdict {
        status: status(scenario, projection),
        parts,
    }
}

/// A statement and how bad it is.
struct Weighed {
    part: Part,
    level: Level,
    badness: f64,
}

/// Three at most: the worst of both kinds, then what else is worst. Money comes first where levels are equal.
fn worst_first(mut over: Vec<Weighed>, mut out: Vec<Weighed>) -> Vec<Part> {
    let worse =
        |a: &Weighed, b: &Weighed| b.level.cmp(&a.level).then(b.badness.total_cmp(&a.badness));
    over.sort_by(worse);
    out.sort_by(worse);
    let rest_over = over.split_off(over.len().min(1));
    let rest_out = out.split_off(out.len().min(1));
    let mut rest: Vec<Weighed> = rest_over.into_iter().chain(rest_out).collect();
    rest.sort_by(worse);
    let mut chosen: Vec<Weighed> = over.into_iter().chain(out).chain(rest).take(MOST).collect();
    chosen.sort_by(|a, b| {
        let money = |w: &Weighed| matches!(w.part, Part::Over(_));
        b.level
            .cmp(&a.level)
            .then(money(b).cmp(&money(a)))
            .then(b.badness.total_cmp(&a.badness))
    });
    chosen.into_iter().map(|w| w.part).collect()
}

fn budget_part(scenario: &Scenario, outcome: usize, budget: &BudgetOutcome) -> BudgetPart {
    BudgetPart {
        budget: budget.id,
        outcome,
        span: budget_of(scenario, budget.id).map_or(BudgetPeriod::Year, |b| b.period),
        period: budget.period.clone(),
        amount: budget.amount,
        chance: budget.over,
    }
}

/// Each budget that is overspent too often, in its worst period.
fn overspent(scenario: &Scenario, projection: &Projection) -> Vec<Weighed> {
    scenario
        .budgets
        .iter()
        .filter_map(|budget| {
            let periods = projection
                .budgets
                .iter()
                .enumerate()
                .filter(|(_, b)| b.id == budget.id);
            let (at, outcome) = first_largest(periods, |(_, b)| b.over.share())?;
            let level = Level::of(outcome.over.share(), budget.acceptable_chance);
            (level > Level::Fine).then(|| Weighed {
                part: Part::Over(budget_part(scenario, at, outcome)),
                level,
                badness: badness(&outcome.over, budget.acceptable_chance),
            })
        })
        .collect()
}

/// Each pool that runs out too often, under its worst limit.
fn running_out(scenario: &Scenario, projection: &Projection) -> Vec<Weighed> {
    scenario
        .pools
        .iter()
        .filter_map(|pool| {
            let months = projection
                .limits
                .iter()
                .enumerate()
                .filter(|(_, l)| l.pool == pool.id)
                .flat_map(|(at, l)| {
                    l.breach
                        .iter()
                        .enumerate()
                        .map(move |(month, c)| (at, month, c))
                });
            let (limit, month, chance) = first_largest(months, |(_, _, c)| c.share())?;
            let level = Level::of(chance.share(), pool.acceptable_chance);
            if level == Level::Fine {
                return None;
            }
            let outcome = &projection.limits[limit];
            // as bad as the worst month, as far as these trials can tell
            let alike = |c: &Chance| {
                c.share() >= chance.low
                    && Level::of(c.share(), pool.acceptable_chance) > Level::Fine
            };
            let before = outcome.breach[..month]
                .iter()
                .rev()
                .take_while(|c| alike(c))
                .count();
            let after = outcome.breach[month + 1..]
                .iter()
                .take_while(|c| alike(c))
                .count();
            Some(Weighed {
                part: Part::RunsOut {
                    pool: pool.id,
                    limit,
                    kind: outcome.limit,
                    first_month: month - before,
                    last_month: month + after,
                    month,
                    chance: *chance,
                    cause: projection
                        .causes
                        .iter()
                        .find(|c| (c.limit as usize, c.month as usize) == (limit, month))
                        .cloned(),
                },
                level,
                badness: badness(chance, pool.acceptable_chance),
            })
        })
        .collect()
}

/// The budget that comes closest to being overspent, among the periods that the horizon does not cut off.
fn closest_budget(scenario: &Scenario, projection: &Projection) -> Option<Part> {
    let whole = projection
        .budgets
        .iter()
        .enumerate()
        .filter(|(_, b)| !ends_early(&b.period, &projection.months));
    let closeness = |b: &BudgetOutcome| badness(&b.over, acceptable_in_budget(scenario, b.id));
    let (at, outcome) = first_largest(whole, |(_, b)| closeness(b))?;
    Some(Part::Fine(budget_part(scenario, at, outcome)))
}

/// The feature with runaways and without a cap that stops them whose runaways cost most.
fn unbounded(scenario: &Scenario, projection: &Projection) -> Option<Part> {
    let uncapped = projection.features.iter().filter_map(|f| {
        let entered = scenario.features.iter().find(|e| e.id == f.id)?;
        let runaways = f.gateway.runaways.as_ref()?;
        let cost = runaways.list_cost.horizon.mean;
        let caps = [CapKind::Tokens, CapKind::Calls, CapKind::Seconds];
        let stopped = caps.iter().any(|cap| entered.caps.amount(*cap).is_some());
        (!stopped && cost > 0.0).then_some((f.id, cost))
    });
    let (feature, _) = first_largest(uncapped, |(_, cost)| *cost)?;
    Some(Part::Unbounded { feature })
}

fn costs(projection: &Projection, cost: BudgetCost) -> Option<Part> {
    let year = main_year(projection)?;
    Some(Part::Costs {
        period: projection.years[year].clone(),
        cost,
        spend: Box::new(total(&projection.total, cost).years.get(year)?.clone()),
    })
}

/// The worst level, if both ends of all intervals agree on it.
fn status(scenario: &Scenario, projection: &Projection) -> Option<Status> {
    let budgets = projection
        .budgets
        .iter()
        .map(|b| (b.over, acceptable_in_budget(scenario, b.id)));
    let months = projection.limits.iter().flat_map(|l| {
        let acceptable = acceptable_in_pool(scenario, l.pool);
        l.breach.iter().map(move |c| (*c, acceptable))
    });
    let worst = budgets
        .chain(months)
        .map(|(chance, acceptable)| {
            let high = if chance.count == 0 && acceptable <= 0.0 {
                0.0 // no number of trials could show that it never happens
            } else {
                chance.high
            };
            (
                Level::of(chance.low, acceptable),
                Level::of(high, acceptable),
            )
        })
        .reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)))?;
    Some(match worst {
        (Level::Fine, Level::Fine) => Status::OnPlan,
        (Level::Watch, Level::Watch) => Status::Watch,
        (Level::AtRisk, Level::AtRisk) => Status::AtRisk,
        _ => Status::FirstLook,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::testing::{chance, projection, scenario};
    use crate::engine::projection::CauseVerdict;

    fn part_names(v: &Verdict) -> Vec<&'static str> {
        v.parts
            .iter()
            .map(|p| match p {
                Part::Over(_) => "over",
                Part::RunsOut { .. } => "runs out",
                Part::Fine(_) => "fine",
                Part::Costs { .. } => "costs",
                Part::Unbounded { .. } => "unbounded",
                Part::Free { .. } => "free",
                Part::Empty => "empty",
            })
            .collect()
    }

    const EFFECTIVE: BudgetCost = BudgetCost::Effective;

    #[test]
    fn nothing_is_empty() {
        let (mut plan, mut p) = (scenario(), projection());
        p.trials = 0;
        assert_eq!(verdict(&plan, &p, EFFECTIVE).parts, [Part::Empty]);
        assert_eq!(verdict(&plan, &p, EFFECTIVE).status, None);
        p.trials = 10_000;
        plan.features.clear();
        plan.commitments.clear();
        assert_eq!(verdict(&plan, &p, EFFECTIVE).parts, [Part::Empty]);
    }

    #[test]
    fn a_safe_plan_is_on_plan_and_says_how_safe() {
        let v = verdict(&scenario(), &projection(), EFFECTIVE);
        assert_eq!(v.status, Some(Status::OnPlan));
        let [Part::Fine(fine)] = v.parts.as_slice() else {
            panic!("{:?}", v.parts);
        };
        assert_eq!((fine.budget, fine.outcome, fine.amount), (Id(31), 0, 4.2e6));
    }

    #[test]
    fn without_a_budget_it_says_what_the_plan_costs() {
        let (mut plan, mut p) = (scenario(), projection());
        plan.budgets.clear();
        p.budgets.clear();
        p.total.billed.years[0].p[3] = 5.0;
        let v = verdict(&plan, &p, BudgetCost::Billed);
        let [
            Part::Costs {
                period,
                cost,
                spend,
            },
        ] = v.parts.as_slice()
        else {
            panic!("{:?}", v.parts);
        };
        assert_eq!(
            (period.fiscal_year, *cost, spend.p50()),
            (2027, BudgetCost::Billed, 5.0)
        );
        // and without a limit there is nothing to judge
        p.limits.clear();
        assert_eq!(verdict(&plan, &p, EFFECTIVE).status, None);
    }

    #[test]
    fn money_comes_before_capacity_where_both_are_at_risk() {
        let (plan, mut p) = (scenario(), projection());
        p.budgets[0].over = chance(3100);
        p.limits[0].breach[8] = chance(6200);
        let v = verdict(&plan, &p, EFFECTIVE);
        assert_eq!(v.status, Some(Status::AtRisk));
        assert_eq!(part_names(&v), ["over", "runs out"]);
        // but what is at risk comes before what is to be watched
        p.budgets[0].over = chance(1500);
        assert_eq!(
            part_names(&verdict(&plan, &p, EFFECTIVE)),
            ["runs out", "over"]
        );
        // and a budget that is fine is said last
        p.budgets[0].over = chance(100);
        assert_eq!(
            part_names(&verdict(&plan, &p, EFFECTIVE)),
            ["runs out", "fine"]
        );
    }

    #[test]
    fn at_most_three_and_both_kinds() {
        let (mut plan, mut p) = (scenario(), projection());
        let (budget, outcome) = (plan.budgets[0].clone(), p.budgets[0].clone());
        plan.budgets.clear();
        p.budgets.clear();
        for at in 0..4 {
            let id = Id(40 + at);
            let (mut b, mut o) = (budget.clone(), outcome.clone());
            b.id = id;
            o.id = id;
            o.over = chance(9000 + at);
            plan.budgets.push(b);
            p.budgets.push(o);
        }
        p.limits[0].breach[2] = chance(3000);
        let v = verdict(&plan, &p, EFFECTIVE);
        assert_eq!(part_names(&v), ["over", "over", "runs out"]);
        let Part::Over(worst) = &v.parts[0] else {
            panic!("{:?}", v.parts);
        };
        assert_eq!(worst.budget, Id(43));
    }

    #[test]
    fn months_within_the_error_are_one_run() {
        let (plan, mut p) = (scenario(), projection());
        for (month, count) in [
            (6, 2000),
            (7, 6110),
            (8, 6200),
            (9, 6150),
            (10, 2500),
            (11, 6200),
        ] {
            p.limits[0].breach[month] = chance(count);
        }
        p.causes.push(Cause {
            limit: 0,
            month: 8,
            by_hours: false,
            suspects: vec![],
            verdict: CauseVerdict::Mostly(Id(1)),
        });
        let v = verdict(&plan, &p, EFFECTIVE);
        let Part::RunsOut {
            pool,
            first_month,
            last_month,
            month,
            cause,
            ..
        } = &v.parts[0]
        else {
            panic!("{:?}", v.parts);
        };
        assert_eq!(
            (*pool, *first_month, *month, *last_month),
            (Id(21), 7, 8, 9)
        );
        assert_eq!(
            cause.as_ref().map(|c| c.verdict.clone()),
            Some(CauseVerdict::Mostly(Id(1)))
        );
    }

    #[test]
    fn thresholds_belong_to_the_budget_and_the_pool() {
        let (mut plan, mut p) = (scenario(), projection());
        p.budgets[0].over = chance(3100);
        plan.budgets[0].acceptable_chance = 0.4;
        assert_eq!(part_names(&verdict(&plan, &p, EFFECTIVE)), ["fine"]);
        assert_eq!(verdict(&plan, &p, EFFECTIVE).status, Some(Status::OnPlan));
        plan.budgets[0].acceptable_chance = 0.2;
        assert_eq!(verdict(&plan, &p, EFFECTIVE).status, Some(Status::Watch));
        plan.budgets[0].acceptable_chance = 0.0;
        assert_eq!(verdict(&plan, &p, EFFECTIVE).status, Some(Status::AtRisk));
        // nothing acceptable and nothing happened
        p.budgets[0].over = chance(0);
        assert_eq!(verdict(&plan, &p, EFFECTIVE).status, Some(Status::OnPlan));
        plan.budgets[0].acceptable_chance = 1.0;
        p.budgets[0].over = chance(10_000);
        assert_eq!(verdict(&plan, &p, EFFECTIVE).status, Some(Status::OnPlan));
    }

    #[test]
    fn a_first_look_while_the_error_spans_a_threshold() {
        let (plan, mut p) = (scenario(), projection());
        p.budgets[0].over = crate::engine::statistics::chance(9, 100);
        assert_eq!(
            verdict(&plan, &p, EFFECTIVE).status,
            Some(Status::FirstLook)
        );
        // unless something else is at risk anyway
        p.limits[0].breach[0] = crate::engine::statistics::chance(90, 100);
        assert_eq!(verdict(&plan, &p, EFFECTIVE).status, Some(Status::AtRisk));
    }

    #[test]
    fn a_period_that_the_horizon_cuts_off_is_never_called_fine() {
        let (plan, mut p) = (scenario(), projection());
        // only the first half of 2028 is in the horizon
        p.budgets[0].period = p.years[1].clone();
        assert_eq!(part_names(&verdict(&plan, &p, EFFECTIVE)), ["costs"]);
        p.budgets[0].over = chance(9000);
        assert_eq!(part_names(&verdict(&plan, &p, EFFECTIVE)), ["over"]);
    }
}
