//! From a scenario to its plan: calendar expanded, entries fitted, ids turned into indices.

mod each;
mod flows;

use flows::{lanes, misrouted, with_lanes};
use jiff::{ToSpan, civil::Date};

use super::{
    Input, Plan, PlanBudget, PlanFeature, PlanLaunch, PlanLimit, PlanModel, PlanPool, PlanPoolKind,
    PlanRunaways, PlanWindow, RequestLaw, Together,
};
use crate::{
    domain::{
        calendar::{Grid, fiscal, tz_database_version},
        digest::scenario_digest,
        distribution::Distribution,
        field::{FieldPath, FieldSpec, spec},
        flows::factors,
        problem::{Problem, ProblemKind},
        quantity::Quantity,
        scenario::{
            Budget, BudgetPeriod, Feature, Id, Launch, Pool, PoolKind, Scenario, SeasonalWindow,
            Touches,
        },
    },
    engine::{
        billing::Billing,
        columns::Layout,
        launches::WEEKS,
        projection::{EntryOrder, LimitKind, PeriodInfo, in_order_of_creation},
    },
};

/// Turns a scenario into plain data.
///
/// # Errors
/// Every problem of the scenario.
pub fn compile(scenario: &Scenario) -> Result<Plan, Vec<Problem>> {
    let problems = scenario.problems();
    if !problems.is_empty() {
        return Err(problems);
    }
    let entered = scenario;
    let scenario = &in_order_of_creation(entered);
    let grid = Grid::new(&scenario.settings).map_err(|p| vec![p])?;
    let zone = &scenario.settings.time_zone;
    let clock = grid.local_hour_of_week(zone).map_err(|kind| {
        let path = FieldPath::plain("settings", "time_zone");
        vec![Problem { path, kind }]
    })?;
    let (together, rows) = Together::new(&scenario.dependence.correlations);
    let mut fits = Fits {
        problems: Vec::new(),
        columns: Vec::new(),
        rows,
    };
    let mut routing = Vec::new();
    let features: Vec<PlanFeature> = scenario
        .features
        .iter()
        .map(|f| {
            let made = feature(scenario, f, &grid, &mut fits);
            routing.extend(misrouted(f, &mut fits));
            made
        })
        .collect();
    let windows: Vec<PlanWindow> = scenario
        .seasons
        .iter()
        .flat_map(|s| occurrences(s, &grid, &mut fits))
        .collect();
    let mut features = with_windows(scenario, lanes(scenario, features, &routing), &windows);
    if !fits.problems.is_empty() {
        return Err(fits.problems);
    }
    let models: Vec<PlanModel> = scenario
        .models
        .iter()
        .map(|m| PlanModel {
            id: m.id,
            ttft_seconds: m.ttft_seconds,
            sequence_tokens_per_second: m.sequence_tokens_per_second,
            context_window_tokens: m.context_window_tokens,
            price: m.price,
            serving: m.serving,
        })
        .collect();
    each::price(scenario, &models, &mut features);
    let limits = scenario.pools.iter().map(|p| limits_of(p).len()).sum();
    let layout = Layout {
        months: grid.months.len(),
        features: scenario.features.len() + 2 * with_lanes(scenario).count(),
        lanes: with_lanes(scenario).count(),
        pools: scenario.pools.len(),
        limits,
        commitments: scenario.commitments.len(),
        inputs: fits.columns.len(),
    };
    let billing = Billing::new(scenario, layout, &grid.month_start, &|day| {
        grid.hour_of(day)
    });
    let (pools, limits) = pools(scenario, &features, &grid, &billing);
    Ok(Plan {
        scenario_digest: scenario_digest(entered),
        time_zone_database: tz_database_version(),
        currency: scenario.settings.currency.clone(),
        seed: scenario.settings.seed,
        trials: scenario.settings.trials,
        layout,
        quarters: grid.quarters(),
        years: grid.years(),
        features,
        models,
        pools,
        limits,
        commitments: scenario.commitments.iter().map(|c| c.id).collect(),
        windows,
        budgets: scenario
            .budgets
            .iter()
            .map(|b| budget(b, &grid, scenario.settings.fiscal_year_start_month))
            .collect(),
        inputs: fits.columns,
        together,
        shock: scenario.dependence.demand_shock,
        billing,
        month_start: grid.month_start,
        months: grid.months,
        clock,
        entered: EntryOrder::of(entered),
    })
}

/// A day some days later; the last day there is stays.
fn days(day: Date, by: i64) -> Date {
    day.checked_add(jiff::Span::new().days(by)).unwrap_or(day)
}

/// Fits entries and hands out columns.
struct Fits {
    problems: Vec<Problem>,
    columns: Vec<FieldPath>,
    /// Inputs that move together.
    rows: Vec<FieldPath>,
}

impl Fits {
    fn fit(&mut self, path: &FieldPath, field: &FieldSpec, q: &Quantity) -> Option<Distribution> {
        match Distribution::fit(q, field.domain) {
            Ok(fit) => Some(fit.distribution),
            Err(problem) => {
                self.problems.push(Problem {
                    path: path.clone(),
                    kind: ProblemKind::Quantity(problem),
                });
                None
            }
        }
    }

    /// A distribution; in the case of a problem any, since no plan comes of it.
    fn varies(&mut self, id: Id, name: &str, q: &Quantity) -> Distribution {
        self.one("features", id, name, q)
            .map_or_else(certain, |x| x.1)
    }

    fn uncertain(&mut self, id: Id, name: &str, q: &Quantity) -> Input {
        let fit = self.one("features", id, name, q);
        let path = FieldPath::of("features", id, name);
        self.input(fit, path)
    }

    fn one(
        &mut self,
        section: &str,
        id: Id,
        name: &str,
        q: &Quantity,
    ) -> Option<(&'static FieldSpec, Distribution)> {
        let field = spec(section, name)?;
        let fit = self.fit(&FieldPath::of(section, id, name), field, q)?;
        Some((field, fit))
    }

    /// Row of an input in the table of what moves together. A column of a window has its occurrence behind a `#`.
    fn row_of(&self, column: &FieldPath) -> Option<u32> {
        let name = column.as_str().split('#').next();
        let row = self.rows.iter().position(|r| Some(r.as_str()) == name);
        row.map(|r| r as u32)
    }

    fn input(&mut self, fit: Option<(&FieldSpec, Distribution)>, column: FieldPath) -> Input {
        let Some((field, distribution)) = fit else {
            return Input {
                distribution: certain(),
                fixed: Some(1.0),
                column: None,
                purpose: 0,
                row: None,
            };
        };
        let fixed = distribution.fixed();
        let row = self.row_of(&column);
        let column = fixed.is_none().then(|| {
            self.columns.push(column);
            (self.columns.len() - 1) as u32
        });
        Input {
            distribution,
            fixed,
            column,
            purpose: field.purpose,
            row,
        }
    }
}

/// The number 1, where there is a problem anyway.
fn certain() -> Distribution {
    match Distribution::fit(&Quantity::one(), crate::domain::quantity::Domain::Any) {
        Ok(fit) => fit.distribution,
        Err(_) => unreachable!("1 is a number"),
    }
}

fn index_of(mut ids: impl Iterator<Item = Id>, id: Id) -> u32 {
    ids.position(|x| x == id).unwrap_or(0) as u32
}

fn feature(scenario: &Scenario, f: &Feature, grid: &Grid, fits: &mut Fits) -> PlanFeature {
    // columns are handed out in the order of Scenario::quantities
    let requests_per_day = fits.uncertain(f.id, "requests_per_day", &f.requests_per_day);
    let growth = fits.uncertain(f.id, "growth_per_month", &f.growth_per_month);
    let launch = match &f.launch {
        Launch::Live => None,
        Launch::Planned {
            date,
            slip_days,
            ramp_days,
        } => Some(PlanLaunch {
            hour: grid.hour_of(*date),
            moved: WEEKS.map(|weeks| grid.hour_of(days(*date, 7 * i64::from(weeks)))),
            slip_days: fits.uncertain(f.id, "slip_days", slip_days),
            ramp_days: fits.uncertain(f.id, "ramp_days", ramp_days),
        }),
    };
    let input_level = fits.uncertain(f.id, "input_tokens_level", &f.input_tokens.level);
    let prefix = fits.uncertain(f.id, "prefix_tokens", &f.prefix_tokens);
    let output_level = fits.uncertain(f.id, "output_tokens_level", &f.output_tokens.level);
    let retry_probability = fits.uncertain(f.id, "retry_probability", &f.retry_probability);
    let drift = fits.uncertain(f.id, "token_drift_per_month", &f.token_drift_per_month);
    let load_sensitivity = fits.uncertain(f.id, "load_sensitivity", &f.by_hour.load_sensitivity);
    let week = |w: &[f64]| factors(w).unwrap_or_default().to_vec();
    let runaways = f.runaways.as_ref().map(|r| PlanRunaways {
        per_million: fits.uncertain(
            f.id,
            "runaways_per_million_requests",
            &r.per_million_requests,
        ),
        tokens_per_hour: fits.uncertain(f.id, "runaway_tokens_per_hour", &r.tokens_per_hour),
        hours: fits.varies(f.id, "runaway_hours_until_found", &r.hours_until_found),
    });
    let request = RequestLaw {
        calls: fits.varies(f.id, "calls_per_request", &f.calls_per_request),
        input: fits.varies(f.id, "input_tokens", &f.input_tokens.each),
        context_growth: fits.varies(f.id, "context_growth_tokens", &f.context_growth_tokens),
        cached_share: fits.varies(f.id, "cached_share", &f.cached_share),
        output: fits.varies(f.id, "output_tokens", &f.output_tokens.each),
        tools: fits.varies(f.id, "tool_calls_per_request", &f.tools.calls_per_request),
        tool_seconds: fits.varies(f.id, "tool_seconds", &f.tools.seconds),
        typical_prefix: prefix.distribution.mean(),
    };
    let zone = f
        .weekly_profile
        .time_zone
        .as_ref()
        .unwrap_or(&scenario.settings.time_zone);
    let local_hours = grid.local_hour_of_week(zone).unwrap_or_else(|kind| {
        fits.problems.push(Problem {
            path: FieldPath::of("features", f.id, "weekly_profile"),
            kind,
        });
        Vec::new()
    });
    PlanFeature {
        id: f.id,
        pool: index_of(scenario.pools.iter().map(|p| p.id), f.pool),
        model: index_of(scenario.models.iter().map(|m| m.id), f.model),
        launch,
        retire: f.retire.map_or(i64::MAX, |day| grid.hour_of(day)),
        requests_per_day,
        growth,
        weights: f.weekly_profile.shape.weights(),
        local_hours,
        request_key: request.key(),
        request,
        input_level,
        output_level,
        prefix,
        retry_probability,
        max_retries: f.max_retries,
        drift,
        noise: f.noise,
        cached_left: week(&f.by_hour.cached_share_left),
        retry_factor: week(&f.by_hour.retry_factor),
        dearest: Vec::new(),
        load_sensitivity,
        rows: Vec::new(),
        flow: None,
        lanes: Vec::new(),
        caps: f.caps,
        caps_key: digest(&f.caps.parts()),
        runaways,
        windows: Vec::new(),
    }
}

impl RequestLaw {
    /// Digest of all that presampled sums depend on.
    fn key(&self) -> u64 {
        digest(self)
    }
}

/// Digest of plain numbers and enums, for which postcard cannot fail.
fn digest(data: &impl serde::Serialize) -> u64 {
    xxhash_rust::xxh3::xxh3_64(&postcard::to_stdvec(data).unwrap_or_default())
}

/// All occurrences of a window that touch the horizon, in time.
fn occurrences(s: &SeasonalWindow, grid: &Grid, fits: &mut Fits) -> Vec<PlanWindow> {
    let fit = fits.one("seasons", s.id, "multiplier", &s.multiplier);
    let mut found: Vec<(Date, Date)> = Vec::new();
    for range in &s.dates {
        let year = range.first.year();
        // a ramp may reach over the horizon's edge
        let until = grid.end().year().saturating_add(1);
        let again = if s.yearly { (until - year).max(0) } else { 0 };
        for years in 0..=again {
            if let (Some(first), Some(last)) = (moved(range.first, years), moved(range.last, years))
            {
                found.push((first, last));
            }
        }
    }
    found.sort_unstable();
    let mut windows = Vec::new();
    let (mut year, mut in_year) = (0, 0);
    for (first, last) in found {
        // the year keys the stream: neither the horizon nor other years move a draw
        in_year = if first.year() == year { in_year + 1 } else { 0 };
        year = first.year();
        let block = u32::from(year.unsigned_abs()) * 1_024 + in_year;
        let end = days(last, 1);
        let ramp_in = grid.hour_of(days(first, -i64::from(s.ramp_in_days)));
        let ramp_out = grid.hour_of(days(end, i64::from(s.ramp_out_days)));
        if ramp_out <= 0 || ramp_in >= i64::from(grid.hours) {
            continue;
        }
        let number = windows.len() + 1;
        let column = FieldPath::of("seasons", s.id, &format!("multiplier#{number}"));
        windows.push(PlanWindow {
            season: s.id,
            block,
            ramp_in,
            first: grid.hour_of(first),
            end: grid.hour_of(end),
            ramp_out,
            multiplier: fits.input(fit.clone(), column),
        });
    }
    windows
}

/// The same day in another year; 29 February becomes the 28th.
fn moved(day: Date, years: i16) -> Option<Date> {
    day.checked_add(years.years()).ok()
}

fn with_windows(
    scenario: &Scenario,
    mut features: Vec<PlanFeature>,
    windows: &[PlanWindow],
) -> Vec<PlanFeature> {
    for f in &mut features {
        f.windows = (0..)
            .zip(windows)
            .filter(|(_, w)| {
                scenario
                    .seasons
                    .iter()
                    .find(|s| s.id == w.season)
                    .is_some_and(|s| match &s.touches {
                        Touches::All => true,
                        Touches::Only(ids) => ids.contains(&f.id),
                    })
            })
            .map(|(i, _)| i)
            .collect();
    }
    features
}

/// Kinds and amounts of a pool's limits, tokens before calls.
fn limits_of(pool: &Pool) -> Vec<(LimitKind, f64)> {
    match &pool.kind {
        PoolKind::GpuCluster { .. } => vec![(LimitKind::Gpus, 0.0)],
        PoolKind::PayAsYouGo {
            tokens_per_minute,
            requests_per_minute,
            ..
        } => [
            (LimitKind::TokensPerMinute, tokens_per_minute),
            (LimitKind::RequestsPerMinute, requests_per_minute),
        ]
        .into_iter()
        .filter_map(|(kind, amount)| amount.map(|a| (kind, a)))
        .collect(),
    }
}

fn pools(
    scenario: &Scenario,
    features: &[PlanFeature],
    grid: &Grid,
    billing: &Billing,
) -> (Vec<PlanPool>, Vec<PlanLimit>) {
    let mut limits: Vec<PlanLimit> = Vec::new();
    let mut pools = Vec::new();
    for (index, pool) in (0u32..).zip(&scenario.pools) {
        let first = limits.len() as u32;
        for (kind, amount) in limits_of(pool) {
            let committed = grid
                .month_start
                .windows(2)
                .map(|m| {
                    billing
                        .cluster(index as usize)
                        .map_or(amount, |c| c.lowest_committed(m[0], m[1]))
                })
                .collect();
            limits.push(PlanLimit {
                pool: index,
                pool_id: pool.id,
                kind,
                amount,
                committed,
            });
        }
        pools.push(PlanPool {
            id: pool.id,
            kind: match &pool.kind {
                PoolKind::GpuCluster {
                    target_utilisation,
                    on_demand_rate_per_gpu_hour,
                    ..
                } => PlanPoolKind::GpuCluster {
                    target_utilisation: *target_utilisation,
                    on_demand_rate: *on_demand_rate_per_gpu_hour,
                },
                PoolKind::PayAsYouGo {
                    cached_reads_count, ..
                } => PlanPoolKind::PayAsYouGo {
                    cached_reads_count: *cached_reads_count,
                },
            },
            limits: (first..limits.len() as u32).collect(),
            features: (0..)
                .zip(features)
                .filter(|(_, f)| f.pool == index)
                .map(|(i, _)| i)
                .collect(),
        });
    }
    (pools, limits)
}

fn budget(b: &Budget, grid: &Grid, fiscal_year_start_month: u32) -> PlanBudget {
    let all: Vec<PeriodInfo> = match b.period {
        BudgetPeriod::Month => (0..)
            .zip(&grid.months)
            .map(|(i, m)| PeriodInfo {
                fiscal_year: m.fiscal_year,
                quarter: Some(m.fiscal_quarter),
                first_month: i,
                months: 1,
                complete: true,
            })
            .collect(),
        BudgetPeriod::Quarter => grid.quarters(),
        BudgetPeriod::Year => grid.years(),
    };
    // the day may lie before the horizon, in the fiscal period in which the horizon begins
    let is_for = |period: &PeriodInfo, day: Date| {
        let (year, month) = (day.year(), day.month().unsigned_abs());
        let (fiscal_year, quarter, _) = fiscal(year, month, fiscal_year_start_month as u8);
        match b.period {
            BudgetPeriod::Month => grid
                .months
                .get(period.first_month as usize)
                .is_some_and(|m| (m.year, m.month) == (year, month)),
            BudgetPeriod::Quarter => {
                (period.fiscal_year, period.quarter) == (fiscal_year, Some(quarter))
            }
            BudgetPeriod::Year => period.fiscal_year == fiscal_year,
        }
    };
    PlanBudget {
        id: b.id,
        amount: b.amount,
        cost: b.cost,
        spent_before: b.spent_before,
        periods: all
            .into_iter()
            .filter(|p| b.only.is_none_or(|day| is_for(p, day)))
            .collect(),
    }
}

#[cfg(test)]
mod tests;
