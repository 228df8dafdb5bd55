//! From columns to a [`Projection`], in steps of one outcome each.

pub(super) mod gateway;
mod outcomes;

use super::blank::{empty_projection, empty_series};
use super::{Collector, Outline};
use crate::domain::scenario::BudgetCost;
use crate::engine::columns::{
    CommitmentMoney, FeaturePhysical, LimitPhysical, PoolMoney, PoolPhysical, TotalMoney,
};
use crate::engine::projection::{LaneOutcome, Outcome, PeriodInfo, Projection, Series};
use crate::engine::sensitivity::Sensitivity;
use crate::engine::statistics::{self, Summarizer};

/// One outcome of the projection.
#[derive(Clone, Copy, Debug)]
enum Job {
    Total(TotalMoney),
    ToDate(BudgetCost),
    Unused,
    OnDemand,
    FeatureCost(usize),
    UnitCost(usize),
    Feature(usize, FeaturePhysical),
    Gateway(usize, FeaturePhysical),
    PoolMoney(usize, PoolMoney),
    Pool(usize, PoolPhysical),
    Limit(usize),
    Commitment(usize, CommitmentMoney),
    Utilisation(usize),
    Budget(usize),
    Input(usize),
    Outcome(Outcome),
}

/// Columns that are added up by month.
#[derive(Clone, Copy, Debug)]
enum Source {
    Money(usize),
    /// Taken away; what is then below a ten-thousandth of a cent is 0.
    LessMoney(usize),
    Physical(usize),
}

/// A projection that is being built from the trials that were in when it was begun.
#[derive(Debug)]
pub struct Building {
    projection: Projection,
    jobs: Vec<Job>,
    next: usize,
    /// Features as entered; behind them are those of lanes.
    entered: usize,
    ranges: Vec<(u32, u32)>,
    summarizer: Summarizer,
    sensitivity: Sensitivity,
    /// One value per trial.
    values: Vec<f64>,
    /// A sum of months per trial: quarter, year, horizon.
    sums: [Vec<f64>; 3],
}

fn jobs(outline: &Outline) -> Vec<Job> {
    let mut jobs: Vec<Job> = [
        TotalMoney::Effective,
        TotalMoney::Billed,
        TotalMoney::List,
        TotalMoney::Contracted,
    ]
    .map(Job::Total)
    .to_vec();
    jobs.extend([
        Job::ToDate(BudgetCost::Effective),
        Job::ToDate(BudgetCost::Billed),
        Job::Unused,
        Job::OnDemand,
    ]);
    for feature in 0..outline.features.len() {
        jobs.extend(
            [
                FeaturePhysical::Requests,
                FeaturePhysical::Calls,
                FeaturePhysical::UncachedInput,
                FeaturePhysical::CachedRead,
                FeaturePhysical::Output,
                FeaturePhysical::BusyGpuHours,
            ]
            .map(|which| Job::Feature(feature, which)),
        );
        jobs.extend([Job::FeatureCost(feature), Job::UnitCost(feature)]); // after its requests
        jobs.extend(gateway::jobs(outline, feature));
    }
    for pool in 0..outline.pools.len() {
        jobs.extend(
            [PoolMoney::UsageList, PoolMoney::Burst].map(|which| Job::PoolMoney(pool, which)),
        );
        jobs.extend(
            [
                PoolPhysical::BusyGpuHours,
                PoolPhysical::NeededGpuHours,
                PoolPhysical::BurstGpuHours,
            ]
            .map(|which| Job::Pool(pool, which)),
        );
    }
    jobs.extend((0..outline.limits.len()).map(Job::Limit));
    for commitment in 0..outline.commitments.len() {
        jobs.extend(
            [
                CommitmentMoney::Used,
                CommitmentMoney::Unused,
                CommitmentMoney::Billed,
            ]
            .map(|which| Job::Commitment(commitment, which)),
        );
        jobs.push(Job::Utilisation(commitment));
    }
    jobs.extend((0..outline.budgets.len()).map(Job::Budget));
    jobs.extend((0..outline.inputs.len()).map(Job::Input)); // before the outcomes
    jobs.extend(outcomes::outcomes(outline).into_iter().map(Job::Outcome));
    jobs
}

impl Building {
    pub(super) fn new(collector: &Collector) -> Self {
        let n = collector.trials_in() as usize;
        Self {
            projection: empty_projection(collector),
            jobs: if n == 0 {
                Vec::new()
            } else {
                jobs(&collector.outline)
            },
            next: 0,
            entered: collector.outline.layout.entered(),
            ranges: collector.ranges.clone(),
            summarizer: Summarizer::new(n),
            sensitivity: Sensitivity::default(),
            values: vec![0.0; n],
            sums: std::array::from_fn(|_| vec![0.0; n]),
        }
    }

    /// Steps that are left.
    #[must_use]
    pub fn steps_left(&self) -> usize {
        self.jobs.len() - self.next
    }

    /// Does one step; false when nothing is left to do. The collector is the one that it was begun from.
    pub fn step(&mut self, collector: &Collector) -> bool {
        let Some(job) = self.jobs.get(self.next) else {
            return false;
        };
        self.run(*job, collector);
        self.next += 1;
        true
    }

    /// The projection; complete when no steps are left.
    #[must_use]
    pub fn finish(self) -> Projection {
        let mut projection = self.projection;
        let mut lanes = projection.features.split_off(self.entered).into_iter();
        while let (Some(long), Some(misrouted)) = (lanes.next(), lanes.next()) {
            projection.lanes.push(LaneOutcome {
                short_each: None,
                long,
                misrouted,
            });
        }
        projection.drivers = self.sensitivity.drivers();
        projection
    }

    fn run(&mut self, job: Job, from: &Collector) {
        let layout = &from.outline.layout;
        match job {
            Job::Total(which) => {
                let series = self.series(from, &[Source::Money(layout.total_money(which))]);
                let total = &mut self.projection.total;
                *match which {
                    TotalMoney::Effective => &mut total.effective,
                    TotalMoney::Billed => &mut total.billed,
                    TotalMoney::List => &mut total.list,
                    TotalMoney::Contracted => &mut total.contracted,
                } = series;
            }
            Job::ToDate(cost) => self.sum_to_date(from, cost),
            Job::Unused => {
                let sources: Vec<Source> = (0..layout.commitments)
                    .map(|c| Source::Money(layout.commitment_money(c, CommitmentMoney::Unused)))
                    .collect();
                self.projection.unused = self.series(from, &sources);
            }
            Job::OnDemand => {
                let total = Source::Money(layout.total_money(TotalMoney::Effective));
                let mut sources = vec![total];
                for commitment in 0..layout.commitments {
                    sources.extend(
                        [CommitmentMoney::Used, CommitmentMoney::Unused].map(|which| {
                            Source::LessMoney(layout.commitment_money(commitment, which))
                        }),
                    );
                }
                self.projection.on_demand = self.series(from, &sources);
            }
            Job::FeatureCost(feature) => {
                let series = self.series(from, &[Source::Money(layout.feature_money(feature))]);
                self.projection.features[feature].effective_cost = series;
            }
            Job::UnitCost(feature) => self.unit_cost(from, feature),
            Job::Feature(feature, which) => {
                let series = self.series(
                    from,
                    &[Source::Physical(layout.feature_physical(feature, which))],
                );
                let out = &mut self.projection.features[feature];
                *match which {
                    FeaturePhysical::Requests => &mut out.requests,
                    FeaturePhysical::Calls => &mut out.calls,
                    FeaturePhysical::UncachedInput => &mut out.uncached_input_tokens,
                    FeaturePhysical::CachedRead => &mut out.cached_read_tokens,
                    FeaturePhysical::Output => &mut out.output_tokens,
                    _ => &mut out.busy_gpu_hours,
                } = series;
            }
            Job::PoolMoney(pool, which) => {
                let series = self.series(from, &[Source::Money(layout.pool_money(pool, which))]);
                let out = &mut self.projection.pools[pool];
                *match which {
                    PoolMoney::UsageList => &mut out.usage_list_cost,
                    PoolMoney::Burst => &mut out.burst_cost,
                } = series;
            }
            Job::Pool(pool, which) => {
                let series =
                    self.series(from, &[Source::Physical(layout.pool_physical(pool, which))]);
                let out = &mut self.projection.pools[pool];
                *match which {
                    PoolPhysical::BusyGpuHours => &mut out.busy_gpu_hours,
                    PoolPhysical::NeededGpuHours => &mut out.needed_gpu_hours,
                    PoolPhysical::BurstGpuHours => &mut out.burst_gpu_hours,
                } = series;
            }
            Job::Gateway(feature, which) => self.gateway(from, feature, which),
            Job::Limit(limit) => self.limit(from, limit),
            Job::Commitment(commitment, which) => {
                let series = self.series(
                    from,
                    &[Source::Money(layout.commitment_money(commitment, which))],
                );
                let out = &mut self.projection.commitments[commitment];
                *match which {
                    CommitmentMoney::Used => &mut out.used,
                    CommitmentMoney::Unused => &mut out.unused,
                    CommitmentMoney::Billed => &mut out.billed,
                } = series;
            }
            Job::Utilisation(commitment) => {
                let months = 0..layout.months;
                let [used, both, _] = &mut self.sums;
                used.fill(0.0);
                for month in months.clone() {
                    let column = layout.commitment_money(commitment, CommitmentMoney::Used) + month;
                    from.money.add_to(column, &self.ranges, used);
                }
                both.copy_from_slice(used);
                for month in months {
                    let column =
                        layout.commitment_money(commitment, CommitmentMoney::Unused) + month;
                    from.money.add_to(column, &self.ranges, both);
                }
                for ((out, used), both) in self.values.iter_mut().zip(used).zip(both) {
                    *out = if *both > 0.0 { *used / *both } else { 0.0 };
                }
                self.projection.commitments[commitment].utilisation =
                    self.summarizer.summary(&self.values);
            }
            Job::Budget(budget) => self.budget(from, budget),
            Job::Input(input) => {
                if !from.inputs.is_same(input) {
                    self.values.fill(0.0);
                    from.inputs.add_to(input, &self.ranges, &mut self.values);
                    self.sensitivity
                        .add_input(&from.outline.inputs[input], &self.values);
                }
            }
            Job::Outcome(outcome) => self.outcome(from, outcome),
        }
    }

    /// Reads one month of the sum of some columns into `values`.
    fn read_month(&mut self, from: &Collector, sources: &[Source], month: usize) {
        self.values.fill(0.0);
        for source in sources {
            match source {
                Source::Money(first) => {
                    from.money
                        .add_to(first + month, &self.ranges, &mut self.values)
                }
                Source::LessMoney(first) => {
                    self.values.iter_mut().for_each(|x| *x = -*x);
                    from.money
                        .add_to(first + month, &self.ranges, &mut self.values);
                    for x in &mut self.values {
                        *x = if -*x < 1e-6 { 0.0 } else { -*x };
                    }
                }
                Source::Physical(first) => {
                    from.physical
                        .add_to(first + month, &self.ranges, &mut self.values)
                }
            }
        }
    }

    /// Months, quarters, years and horizon of the sum of some columns.
    fn series(&mut self, from: &Collector, sources: &[Source]) -> Series {
        let outline = &from.outline;
        let mut out = empty_series(outline);
        let (mut quarter, mut year) = (0, 0);
        self.sums.iter_mut().for_each(|s| s.fill(0.0));
        for month in 0..outline.months.len() {
            self.read_month(from, sources, month);
            for sum in &mut self.sums {
                for (s, x) in sum.iter_mut().zip(&self.values) {
                    *s += x;
                }
            }
            out.months[month] = self.summarizer.summary(&self.values);
            let [quarter_sum, year_sum, _] = &mut self.sums;
            for (periods, at, sum, summaries) in [
                (
                    &outline.quarters,
                    &mut quarter,
                    quarter_sum,
                    &mut out.quarters,
                ),
                (&outline.years, &mut year, year_sum, &mut out.years),
            ] {
                if periods.get(*at).is_some_and(|p| ends_with(p, month)) {
                    summaries[*at] = self.summarizer.summary(sum);
                    sum.fill(0.0);
                    *at += 1;
                }
            }
        }
        out.horizon = self.summarizer.summary(&self.sums[2]);
        out
    }

    /// Cost since the start of the fiscal year, and each year's total in ascending order.
    fn sum_to_date(&mut self, from: &Collector, cost: BudgetCost) {
        let outline = &from.outline;
        let sources = [Source::Money(outline.layout.total_money(total_of(cost)))];
        let mut year = 0;
        self.sums[1].fill(0.0);
        for month in 0..outline.months.len() {
            self.read_month(from, &sources, month);
            let sum = &mut self.sums[1];
            for (s, x) in sum.iter_mut().zip(&mut self.values) {
                *s += *x;
                *x = *s;
            }
            let summary = self.summarizer.summary(&self.values);
            let ends = outline.years.get(year).is_some_and(|p| ends_with(p, month));
            let out = &mut self.projection;
            let (to_date, years) = match cost {
                BudgetCost::Effective => {
                    (&mut out.effective_to_date, &mut out.year_effective_sorted)
                }
                BudgetCost::Billed => (&mut out.billed_to_date, &mut out.year_billed_sorted),
            };
            to_date[month] = summary;
            if ends {
                self.values.sort_unstable_by(f64::total_cmp);
                years[year] = self.values.iter().map(|x| *x as f32).collect();
                sum.fill(0.0);
                year += 1;
            }
        }
    }

    fn limit(&mut self, from: &Collector, limit: usize) {
        let layout = &from.outline.layout;
        let of = self.values.len() as u32;
        let any = &mut self.sums[0];
        any.fill(0.0);
        let out = &mut self.projection.limits[limit];
        let values = &mut self.values;
        let read = |which, month: usize, values: &mut [f64]| {
            values.fill(0.0);
            let column = layout.limit_physical(limit, which) + month;
            from.physical.add_to(column, &self.ranges, values);
        };
        for month in 0..layout.months {
            read(LimitPhysical::Headroom, month, values);
            out.headroom[month] = self.summarizer.summary(values);
            read(LimitPhysical::Needed, month, values);
            out.needed[month] = self.summarizer.summary(values);
            read(LimitPhysical::BreachHours, month, values);
            out.breach_hours[month] = statistics::mean(values);
            let mut count = 0;
            for (any, hours) in any.iter_mut().zip(values.iter()) {
                if *hours > 0.0 {
                    count += 1;
                    *any = 1.0;
                }
            }
            out.breach[month] = statistics::chance(count, of);
        }
        let count = any.iter().filter(|a| **a > 0.0).count() as u32;
        out.any_breach = statistics::chance(count, of);
    }

    /// Reads what is spent of a budget into `values`.
    fn spend(&mut self, from: &Collector, at: usize) {
        let budget = &from.outline.budgets[at];
        let first = from.outline.layout.total_money(total_of(budget.cost));
        let months = budget.period.first_month as usize
            ..(budget.period.first_month + budget.period.months) as usize;
        self.values.fill(budget.before);
        for month in months {
            from.money
                .add_to(first + month, &self.ranges, &mut self.values);
        }
    }

    fn budget(&mut self, from: &Collector, at: usize) {
        let budget = &from.outline.budgets[at];
        self.spend(from, at);
        let (expected_excess, excess_if_over, count) =
            statistics::excess(&self.values, budget.amount);
        let out = &mut self.projection.budgets[at];
        out.expected_excess = expected_excess;
        out.excess_if_over = excess_if_over;
        out.over = statistics::chance(count, self.values.len() as u32);
        out.spend = self.summarizer.summary(&self.values);
        self.values.sort_unstable_by(f64::total_cmp);
        out.cvar95 = statistics::cvar95(&self.values);
    }
}

const fn total_of(cost: BudgetCost) -> TotalMoney {
    match cost {
        BudgetCost::Effective => TotalMoney::Effective,
        BudgetCost::Billed => TotalMoney::Billed,
    }
}

const fn ends_with(period: &PeriodInfo, month: usize) -> bool {
    (period.first_month + period.months) as usize == month + 1
}
