//! The checks, section by section, in the order of the editor.

use std::collections::BTreeSet;

use jiff::civil::Date;

use super::{Entity, Problem, ProblemKind, date_in_range};
use crate::domain::calendar::{Grid, LONGEST_HORIZON, zone};
use crate::domain::distribution::Distribution;
use crate::domain::field::{FieldPath, spec};
use crate::domain::money;
use crate::domain::quantity::Quantity;
use crate::domain::scenario::{
    Budget, Commitment, CommitmentKind, DateRange, Feature, Id, Launch, Model, Pool, PoolKind,
    SCENARIO_FORMAT, Scenario, SeasonalWindow, Touches, WeeklyProfile, WeeklyShape,
};

/// Most characters of a name.
pub const LONGEST_NAME: usize = 200;
/// Most characters of a note's text.
pub const LONGEST_NOTE: usize = 4_000;
/// Most entities of one kind.
pub const MOST_ENTITIES: usize = 200;
/// Most notes, and most date ranges of one season.
pub const MOST_ROWS: usize = 2_000;
/// Most calls of 999 in 1,000 requests.
pub const MOST_CALLS: f64 = 1_000.0;
/// Largest monthly growth of 999 in 1,000 futures.
pub const FASTEST_GROWTH: f64 = 3.0;
/// Most requests per day of one feature at any time, by mean growth.
pub const MOST_REQUESTS: f64 = 1e12;
/// Largest price, rate or amount of money.
const MOST_MONEY: f64 = 1e13;

impl Scenario {
    /// Everything that has to change before the scenario can be run, in the order of the editor; empty: it can be run.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let mut checks = Checks {
            scenario: self,
            out: Vec::new(),
        };
        checks.settings();
        checks.identities();
        for feature in &self.features {
            checks.feature(feature);
        }
        for model in &self.models {
            checks.model(model);
        }
        for pool in &self.pools {
            checks.pool(pool);
        }
        for commitment in &self.commitments {
            checks.commitment(commitment);
        }
        for season in &self.seasons {
            checks.season(season);
        }
        for budget in &self.budgets {
            checks.budget(budget);
        }
        checks.quantities();
        checks.notes();
        checks.out
    }
}

struct Checks<'a> {
    scenario: &'a Scenario,
    out: Vec<Problem>,
}

impl Checks<'_> {
    fn push(&mut self, path: FieldPath, kind: ProblemKind) {
        self.out.push(Problem { path, kind });
    }

    fn result(&mut self, path: FieldPath, result: Result<(), ProblemKind>) {
        if let Err(kind) = result {
            self.push(path, kind);
        }
    }

    /// low <= value <= high.
    fn within(&mut self, path: FieldPath, value: f64, low: f64, high: f64) {
        if !value.is_finite() {
            self.push(path, ProblemKind::NotFinite);
        } else if value < low || value > high {
            self.push(path, ProblemKind::OutOfRange { value, low, high });
        }
    }

    /// low < value <= high.
    fn above(&mut self, path: FieldPath, value: f64, low: f64, high: f64) {
        if !value.is_finite() {
            self.push(path, ProblemKind::NotFinite);
        } else if value <= low || value > high {
            self.push(path, ProblemKind::NotAbove { value, low, high });
        }
    }

    /// low <= value < high.
    fn below(&mut self, path: FieldPath, value: f64, low: f64, high: f64) {
        if !value.is_finite() {
            self.push(path, ProblemKind::NotFinite);
        } else if value < low || value >= high {
            self.push(path, ProblemKind::NotBelow { value, low, high });
        }
    }

    fn count(&mut self, path: FieldPath, count: usize, most: usize) {
        if count > most {
            self.push(path, ProblemKind::TooMany { count, most });
        }
    }

    fn name(&mut self, path: FieldPath, text: &str) {
        if text.trim().is_empty() {
            self.push(path, ProblemKind::EmptyText);
            return;
        }
        self.result(path, text_problem(text, LONGEST_NAME, false));
    }

    fn settings(&mut self) {
        let scenario = self.scenario;
        let at = |field| FieldPath::plain("settings", field);
        if scenario.format != SCENARIO_FORMAT {
            self.push(
                FieldPath::plain("scenario", "format"),
                ProblemKind::UnknownFormat {
                    found: scenario.format,
                    known: SCENARIO_FORMAT,
                },
            );
        }
        self.name(FieldPath::plain("settings", "name"), &scenario.name);
        let s = &scenario.settings;
        if s.start.day() == 1 {
            self.result(at("start"), date_in_range(s.start));
        } else {
            self.push(at("start"), ProblemKind::NotFirstOfMonth { date: s.start });
        }
        let months = f64::from(s.horizon_months);
        self.within(
            at("horizon_months"),
            months,
            1.0,
            f64::from(LONGEST_HORIZON),
        );
        self.result(at("time_zone"), zone(&s.time_zone).map(drop));
        if money::currency(&s.currency).is_none() {
            self.push(
                at("currency"),
                ProblemKind::UnknownCurrency {
                    code: s.currency.clone(),
                },
            );
        }
        let month = f64::from(s.fiscal_year_start_month);
        self.within(at("fiscal_year_start_month"), month, 1.0, 12.0);
        self.within(at("trials"), f64::from(s.trials), 100.0, 100_000.0);
    }

    fn identities(&mut self) {
        let s = self.scenario;
        let ids: [(&str, Vec<(Id, &str)>); 6] = [
            (
                "features",
                s.features.iter().map(|x| (x.id, x.name.as_str())).collect(),
            ),
            (
                "models",
                s.models.iter().map(|x| (x.id, x.name.as_str())).collect(),
            ),
            (
                "pools",
                s.pools.iter().map(|x| (x.id, x.name.as_str())).collect(),
            ),
            (
                "commitments",
                s.commitments
                    .iter()
                    .map(|x| (x.id, x.name.as_str()))
                    .collect(),
            ),
            (
                "seasons",
                s.seasons.iter().map(|x| (x.id, x.name.as_str())).collect(),
            ),
            (
                "budgets",
                s.budgets.iter().map(|x| (x.id, x.name.as_str())).collect(),
            ),
        ];
        let mut seen = BTreeSet::new();
        for (section, entities) in ids {
            self.count(
                FieldPath::plain("scenario", section),
                entities.len(),
                MOST_ENTITIES,
            );
            for (id, name) in entities {
                if !seen.insert(id) {
                    self.push(
                        FieldPath::of(section, id, "id"),
                        ProblemKind::DuplicateId { id },
                    );
                }
                self.name(FieldPath::of(section, id, "name"), name);
            }
        }
    }

    fn feature(&mut self, f: &Feature) {
        let at = |field| FieldPath::of("features", f.id, field);
        let scenario = self.scenario;
        let pool = scenario.pools.iter().find(|p| p.id == f.pool);
        let model = scenario.models.iter().find(|m| m.id == f.model);
        if pool.is_none() {
            self.push(
                at("pool"),
                ProblemKind::Missing {
                    entity: Entity::Pool,
                    id: f.pool,
                },
            );
        }
        if model.is_none() {
            self.push(
                at("model"),
                ProblemKind::Missing {
                    entity: Entity::Model,
                    id: f.model,
                },
            );
        }
        if let (Some(pool), Some(model)) = (pool, model) {
            let names = (model.name.clone(), pool.name.clone());
            match pool.kind {
                PoolKind::PayAsYouGo { .. } if model.price.is_none() => self.push(
                    at("model"),
                    ProblemKind::NoPrice {
                        model: names.0,
                        pool: names.1,
                    },
                ),
                PoolKind::GpuCluster { .. } if model.serving.is_none() => self.push(
                    at("model"),
                    ProblemKind::NoServingProfile {
                        model: names.0,
                        pool: names.1,
                    },
                ),
                _ => {}
            }
        }
        if let Launch::Planned { date, .. } = f.launch {
            self.result(at("launch"), date_in_range(date));
        }
        if let Some(retire) = f.retire {
            self.result(at("retire"), date_in_range(retire));
            if let Launch::Planned { date: launch, .. } = f.launch
                && retire <= launch
            {
                self.push(
                    at("retire"),
                    ProblemKind::RetiresBeforeLaunch { launch, retire },
                );
            }
        }
        self.weekly_profile(f.id, &f.weekly_profile);
        self.within(at("max_retries"), f64::from(f.max_retries), 0.0, 20.0);
        self.within(at("noise/hour_cv"), f.noise.hour_cv, 0.0, 3.0);
        self.within(
            at("noise/hour_persistence"),
            f.noise.hour_persistence,
            0.0,
            0.99,
        );
        self.within(at("noise/burstiness"), f.noise.burstiness, 0.0, 10.0);
        self.within(
            at("noise/burst_persistence"),
            f.noise.burst_persistence,
            0.0,
            0.99,
        );
    }

    fn weekly_profile(&mut self, id: Id, profile: &WeeklyProfile) {
        let at = |field| FieldPath::of("features", id, field);
        if let Some(name) = &profile.time_zone {
            self.result(at("weekly_profile/time_zone"), zone(name).map(drop));
        }
        if let WeeklyShape::Custom(weights) = &profile.shape {
            let kind = if weights.len() != 168 {
                Some(ProblemKind::WeightCount {
                    count: weights.len(),
                })
            } else if let Some(hour) = weights.iter().position(|w| !(0.0..=1e15).contains(w)) {
                Some(ProblemKind::BadWeight {
                    hour,
                    value: weights[hour],
                })
            } else if weights.iter().sum::<f64>() <= 1e-15 {
                Some(ProblemKind::NoWeight)
            } else {
                None
            };
            if let Some(kind) = kind {
                self.push(at("weekly_profile"), kind);
            }
        }
    }

    fn model(&mut self, m: &Model) {
        let at = |field| FieldPath::of("models", m.id, field);
        self.within(at("ttft_seconds"), m.ttft_seconds, 0.0, 86_400.0);
        self.above(
            at("sequence_tokens_per_second"),
            m.sequence_tokens_per_second,
            0.0,
            1e9,
        );
        if let Some(price) = &m.price {
            self.within(
                at("price/uncached_input"),
                price.uncached_input,
                0.0,
                MOST_MONEY,
            );
            self.within(at("price/cached_read"), price.cached_read, 0.0, MOST_MONEY);
            self.within(at("price/output"), price.output, 0.0, MOST_MONEY);
        }
        if let Some(s) = &m.serving {
            self.within(
                at("serving/gpus_per_replica"),
                f64::from(s.gpus_per_replica),
                1.0,
                4_096.0,
            );
            self.above(
                at("serving/prefill_tokens_per_second"),
                s.prefill_tokens_per_second,
                0.0,
                1e9,
            );
            self.above(
                at("serving/decode_tokens_per_second"),
                s.decode_tokens_per_second,
                0.0,
                1e9,
            );
            self.within(
                at("serving/concurrent_sequences"),
                f64::from(s.concurrent_sequences),
                1.0,
                1e6,
            );
            self.within(
                at("serving/minimum_replicas"),
                f64::from(s.minimum_replicas),
                0.0,
                1e5,
            );
        }
    }

    fn pool(&mut self, p: &Pool) {
        let at = |field| FieldPath::of("pools", p.id, field);
        self.within(at("acceptable_chance"), p.acceptable_chance, 0.0, 1.0);
        match &p.kind {
            PoolKind::GpuCluster {
                target_utilisation,
                on_demand_rate_per_gpu_hour,
                burst,
            } => {
                self.within(at("target_utilisation"), *target_utilisation, 0.01, 1.0);
                self.within(
                    at("on_demand_rate_per_gpu_hour"),
                    *on_demand_rate_per_gpu_hour,
                    0.0,
                    MOST_MONEY,
                );
                if let Some(burst) = burst {
                    self.within(at("burst/max_gpus"), f64::from(burst.max_gpus), 1.0, 1e6);
                    self.within(
                        at("burst/rate_per_gpu_hour"),
                        burst.rate_per_gpu_hour,
                        0.0,
                        MOST_MONEY,
                    );
                }
            }
            PoolKind::PayAsYouGo {
                tokens_per_minute,
                requests_per_minute,
                ..
            } => {
                if let Some(limit) = tokens_per_minute {
                    self.above(at("tokens_per_minute"), *limit, 0.0, 1e15);
                }
                if let Some(limit) = requests_per_minute {
                    self.above(at("requests_per_minute"), *limit, 0.0, 1e15);
                }
            }
        }
    }

    fn commitment(&mut self, c: &Commitment) {
        let at = |field| FieldPath::of("commitments", c.id, field);
        self.result(at("start"), date_in_range(c.start));
        self.within(at("term_months"), f64::from(c.term_months), 1.0, 120.0);
        match &c.kind {
            CommitmentKind::ReservedCapacity {
                pool,
                gpus,
                rate_per_gpu_hour,
                upfront_share,
            } => {
                match self.scenario.pools.iter().find(|p| p.id == *pool) {
                    None => self.push(
                        at("pool"),
                        ProblemKind::Missing {
                            entity: Entity::Pool,
                            id: *pool,
                        },
                    ),
                    Some(found) if !matches!(found.kind, PoolKind::GpuCluster { .. }) => self.push(
                        at("pool"),
                        ProblemKind::NotACluster {
                            pool: found.name.clone(),
                        },
                    ),
                    Some(_) => {}
                }
                self.within(at("gpus"), f64::from(*gpus), 1.0, 1e6);
                self.within(at("rate_per_gpu_hour"), *rate_per_gpu_hour, 0.0, MOST_MONEY);
                self.within(at("upfront_share"), *upfront_share, 0.0, 1.0);
            }
            CommitmentKind::SpendCommitment {
                amount_per_hour,
                discount,
                ..
            } => {
                self.above(at("amount_per_hour"), *amount_per_hour, 0.0, MOST_MONEY);
                self.below(at("discount"), *discount, 0.0, 1.0);
            }
        }
    }

    fn season(&mut self, s: &SeasonalWindow) {
        let at = |field| FieldPath::of("seasons", s.id, field);
        if s.dates.is_empty() {
            self.push(at("dates"), ProblemKind::NoDates);
        }
        self.count(at("dates"), s.dates.len(), MOST_ROWS);
        let mut ranges: Vec<DateRange> = Vec::new();
        for range in &s.dates {
            self.result(
                at("dates"),
                date_in_range(range.first).and(date_in_range(range.last)),
            );
            if range.last < range.first {
                self.push(
                    at("dates"),
                    ProblemKind::EndsBeforeStart {
                        first: range.first,
                        last: range.last,
                    },
                );
            } else {
                ranges.push(*range);
            }
        }
        ranges.sort_by_key(|r| r.first);
        for pair in ranges.windows(2) {
            if pair[1].first <= pair[0].last {
                self.push(
                    at("dates"),
                    ProblemKind::DatesOverlap {
                        first: pair[1].first,
                        last: pair[0].last,
                    },
                );
            }
        }
        if s.yearly {
            for range in &ranges {
                let days = range.first.duration_until(range.last).as_hours() / 24 + 1;
                if days > 365 {
                    self.push(at("dates"), ProblemKind::LongerThanYear { days });
                }
            }
        }
        self.within(at("ramp_in_days"), f64::from(s.ramp_in_days), 0.0, 366.0);
        self.within(at("ramp_out_days"), f64::from(s.ramp_out_days), 0.0, 366.0);
        if let Touches::Only(ids) = &s.touches {
            if ids.is_empty() {
                self.push(at("touches"), ProblemKind::NoFeatures);
            }
            for id in ids {
                if !self.scenario.features.iter().any(|f| f.id == *id) {
                    self.push(
                        at("touches"),
                        ProblemKind::Missing {
                            entity: Entity::Feature,
                            id: *id,
                        },
                    );
                }
            }
        }
    }

    fn budget(&mut self, b: &Budget) {
        let at = |field| FieldPath::of("budgets", b.id, field);
        self.above(at("amount"), b.amount, 0.0, MOST_MONEY * 1e3);
        self.within(at("spent_before"), b.spent_before, 0.0, MOST_MONEY * 1e3);
        self.within(at("acceptable_chance"), b.acceptable_chance, 0.0, 1.0);
        if let Some(day) = b.only
            && let Ok(grid) = Grid::new(&self.scenario.settings)
            && !touched(&grid, b, day)
        {
            self.push(
                at("only"),
                ProblemKind::OutsideHorizon {
                    date: day,
                    first: grid.start(),
                    last: grid.date_of(i64::from(grid.hours) - 1),
                },
            );
        }
    }

    fn quantities(&mut self) {
        for (path, spec, quantity) in self.scenario.quantities() {
            let checked = Distribution::check(quantity, spec.domain).map(drop);
            let ok = checked.is_ok();
            self.result(path.clone(), checked.map_err(ProblemKind::Quantity));
            if !ok {
                continue;
            }
            match spec.name {
                "calls_per_request" => {
                    let calls = quantile(quantity, spec.name, 0.999);
                    if calls > MOST_CALLS {
                        self.push(
                            path,
                            ProblemKind::TooManyCalls {
                                calls,
                                most: MOST_CALLS,
                            },
                        );
                    }
                }
                "growth_per_month" | "token_drift_per_month" => {
                    let rate = quantile(quantity, spec.name, 0.999);
                    if rate > FASTEST_GROWTH {
                        self.push(
                            path,
                            ProblemKind::GrowsTooFast {
                                rate,
                                most: FASTEST_GROWTH,
                            },
                        );
                    }
                }
                _ => {}
            }
        }
        self.demand();
    }

    /// Requests per day at the end of the horizon, by the means of its factors.
    fn demand(&mut self) {
        let months = self.scenario.settings.horizon_months.min(LONGEST_HORIZON);
        for f in &self.scenario.features {
            let mean = |quantity: &Quantity, name: &str| {
                let domain = spec("features", name)?.domain;
                Distribution::fit(quantity, domain)
                    .ok()
                    .map(|fit| fit.distribution.mean())
            };
            let (Some(base), Some(growth)) = (
                mean(&f.requests_per_day, "requests_per_day"),
                mean(&f.growth_per_month, "growth_per_month"),
            ) else {
                continue;
            };
            let mut requests_per_day = base;
            for _ in 0..months {
                requests_per_day *= 1.0 + growth.max(0.0);
            }
            if requests_per_day > MOST_REQUESTS {
                self.push(
                    FieldPath::of("features", f.id, "requests_per_day"),
                    ProblemKind::TooMuchDemand {
                        requests_per_day,
                        most: MOST_REQUESTS,
                    },
                );
            }
        }
    }

    fn notes(&mut self) {
        let notes = &self.scenario.notes;
        self.count(
            FieldPath::plain("scenario", "notes"),
            notes.len(),
            MOST_ROWS,
        );
        for (path, note) in notes {
            let checked = text_problem(path.as_str(), LONGEST_NAME, false)
                .and(text_problem(&note.text, LONGEST_NOTE, true))
                .and(text_problem(&note.source, LONGEST_NOTE, false))
                .and(text_problem(&note.owner, LONGEST_NAME, false))
                .and(note.date.map_or(Ok(()), date_in_range));
            self.result(path.clone(), checked);
        }
    }
}

/// Whether the period of a budget that contains a day has an hour in the horizon.
fn touched(grid: &Grid, budget: &Budget, day: Date) -> bool {
    use crate::domain::calendar::fiscal;
    use crate::domain::scenario::BudgetPeriod;
    // The fiscal start follows from any month of the grid: its period counts from there.
    let Some(first) = grid.months.first() else {
        return false;
    };
    let start_month = (first.month + 12 - first.fiscal_period) % 12 + 1;
    let month = day.month().unsigned_abs();
    let (year, quarter, period) = fiscal(day.year(), month, start_month);
    grid.months.iter().any(|m| {
        m.fiscal_year == year
            && match budget.period {
                BudgetPeriod::Month => m.fiscal_period == period,
                BudgetPeriod::Quarter => m.fiscal_quarter == quarter,
                BudgetPeriod::Year => true,
            }
    })
}

fn quantile(quantity: &Quantity, field: &str, u: f64) -> f64 {
    let Some(spec) = spec("features", field) else {
        return 0.0;
    };
    Distribution::fit(quantity, spec.domain).map_or(0.0, |fit| fit.distribution.quantile(u))
}

/// A text that is too long, or that has characters that could hide what it says.
fn text_problem(text: &str, most: usize, lines: bool) -> Result<(), ProblemKind> {
    let characters = text.chars().count();
    if characters > most {
        return Err(ProblemKind::LongText { characters, most });
    }
    let hides = |c: char| {
        c.is_control() && !(lines && (c == '\n' || c == '\t'))
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if text.chars().any(hides) {
        return Err(ProblemKind::ControlCharacter);
    }
    Ok(())
}
