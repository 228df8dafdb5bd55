//! The checks of one entity each.

use jiff::civil::Date;

use super::check::{Checks, MOST_ROWS};
use super::{Entity, ProblemKind, date_in_range};
use crate::domain::calendar::{Grid, zone};
use crate::domain::field::FieldPath;
use crate::domain::flows::{Lanes, MOST_RETRY_FACTOR};
use crate::domain::gateway::{Caps, SoftAction};
use crate::domain::range;
use crate::domain::scenario::{
    Budget, Commitment, CommitmentKind, DateRange, Feature, Id, Launch, Model, Pool, PoolKind,
    SeasonalWindow, Touches, WeeklyProfile, WeeklyShape,
};
use crate::domain::weekly::HOURS;

impl Checks<'_> {
    pub(super) fn feature(&mut self, f: &Feature) {
        let at = |field| FieldPath::of("features", f.id, field);
        self.place(f.id, ("pool", f.pool), ("model", f.model));
        if let Some(lanes) = &f.lanes {
            self.lanes(f.id, lanes);
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
        self.factors(at("cached_share_left"), &f.by_hour.cached_share_left, 1.0);
        self.factors(
            at("retry_factor"),
            &f.by_hour.retry_factor,
            MOST_RETRY_FACTOR,
        );
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
        self.within(at("noise/shock_loading"), f.noise.shock_loading, 0.0, 1.0);
        self.caps(f.id, &f.caps);
    }

    fn caps(&mut self, id: Id, caps: &Caps) {
        let at = |field| FieldPath::of("features", id, field);
        for (field, amount, least, most) in [
            ("cap_calls", caps.calls.map(f64::from), 1.0, 1e6),
            ("cap_tool_calls", caps.tool_calls.map(f64::from), 0.0, 1e6),
            (
                "cap_identical_errors",
                caps.identical_errors.map(f64::from),
                1.0,
                100.0,
            ),
        ] {
            if let Some(amount) = amount {
                self.within(at(field), amount, least, most);
            }
        }
        for (field, amount, most) in [
            ("cap_tokens", caps.tokens, range::MOST_TOKENS),
            ("cap_seconds", caps.seconds, range::MOST_SECONDS),
        ] {
            if let Some(amount) = amount {
                self.positive(at(field), amount, 0.001, most);
            }
        }
        if let Some(soft) = &caps.soft {
            if caps.amount(soft.of).is_none() {
                self.push(at("soft_of"), ProblemKind::NoCap);
            }
            self.positive(at("soft_at"), soft.at, 0.001, 1.0);
            if let SoftAction::Degrade { token_factor } = soft.then {
                self.positive(at("soft_token_factor"), token_factor, 0.001, 1.0);
            }
        }
    }

    fn weekly_profile(&mut self, id: Id, profile: &WeeklyProfile) {
        let at = |field| FieldPath::of("features", id, field);
        if let Some(name) = &profile.time_zone {
            self.result(at("time_zone"), zone(name).map(drop));
        }
        let weight = |w: f64| w == 0.0 || (1e-12..=1e12).contains(&w);
        if let WeeklyShape::Custom(weights) = &profile.shape {
            let kind = if weights.len() != 168 {
                Some(ProblemKind::WeightCount {
                    count: weights.len(),
                })
            } else if let Some(hour) = weights.iter().position(|w| !weight(*w)) {
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

    /// A pool, and a model that can run there, each with the name of its field.
    fn place(&mut self, id: Id, at_pool: (&str, Id), at_model: (&str, Id)) {
        let at = |field| FieldPath::of("features", id, field);
        let scenario = self.scenario;
        let pool = scenario.pools.iter().find(|p| p.id == at_pool.1);
        let model = scenario.models.iter().find(|m| m.id == at_model.1);
        if pool.is_none() {
            self.push(
                at(at_pool.0),
                ProblemKind::Missing {
                    entity: Entity::Pool,
                    id: at_pool.1,
                },
            );
        }
        if model.is_none() {
            self.push(
                at(at_model.0),
                ProblemKind::Missing {
                    entity: Entity::Model,
                    id: at_model.1,
                },
            );
        }
        if let (Some(pool), Some(model)) = (pool, model) {
            let names = (model.name.clone(), pool.name.clone());
            match pool.kind {
                PoolKind::PayAsYouGo { .. } if model.price.is_none() => self.push(
                    at(at_model.0),
                    ProblemKind::NoPrice {
                        model: names.0,
                        pool: names.1,
                    },
                ),
                PoolKind::GpuCluster { .. } if model.serving.is_none() => self.push(
                    at(at_model.0),
                    ProblemKind::NoServingProfile {
                        model: names.0,
                        pool: names.1,
                    },
                ),
                _ => {}
            }
        }
    }

    fn lanes(&mut self, id: Id, lanes: &Lanes) {
        let at = |field| FieldPath::of("features", id, field);
        self.place(id, ("lane_pool", lanes.pool), ("lane_model", lanes.model));
        self.positive(at("threshold_tokens"), lanes.threshold_tokens, 0.001, 1e9);
        self.within(
            at("triage_cost_per_request"),
            lanes.triage_cost_per_request,
            0.0,
            range::MOST_RATE,
        );
    }

    /// A week of factors, or none.
    fn factors(&mut self, path: FieldPath, week: &[f64], most: f64) {
        if week.is_empty() {
            return;
        }
        if week.len() != HOURS {
            self.push(path, ProblemKind::WeightCount { count: week.len() });
        } else if let Some(hour) = week.iter().position(|x| !(0.0..=most).contains(x)) {
            let value = week[hour];
            self.push(path, ProblemKind::BadFactor { hour, value, most });
        }
    }

    pub(super) fn model(&mut self, m: &Model) {
        let at = |field| FieldPath::of("models", m.id, field);
        self.within(at("ttft_seconds"), m.ttft_seconds, 0.0, 86_400.0);
        self.positive(
            at("sequence_tokens_per_second"),
            m.sequence_tokens_per_second,
            0.001,
            range::MOST_SPEED,
        );
        if let Some(window) = m.context_window_tokens {
            self.positive(at("context_window_tokens"), window, 1.0, range::MOST_TOKENS);
        }
        if let Some(price) = &m.price {
            self.within(
                at("price/uncached_input"),
                price.uncached_input,
                0.0,
                range::MOST_RATE,
            );
            self.within(
                at("price/cached_read"),
                price.cached_read,
                0.0,
                range::MOST_RATE,
            );
            self.within(at("price/output"), price.output, 0.0, range::MOST_RATE);
        }
        if let Some(s) = &m.serving {
            self.within(
                at("serving/gpus_per_replica"),
                f64::from(s.gpus_per_replica),
                1.0,
                4_096.0,
            );
            self.positive(
                at("serving/prefill_tokens_per_second"),
                s.prefill_tokens_per_second,
                0.001,
                range::MOST_SPEED,
            );
            self.positive(
                at("serving/decode_tokens_per_second"),
                s.decode_tokens_per_second,
                0.001,
                range::MOST_SPEED,
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

    pub(super) fn pool(&mut self, p: &Pool) {
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
                    range::MOST_RATE,
                );
                if let Some(burst) = burst {
                    self.within(
                        at("burst/max_gpus"),
                        f64::from(burst.max_gpus),
                        1.0,
                        range::MOST_GPUS,
                    );
                    self.within(
                        at("burst/rate_per_gpu_hour"),
                        burst.rate_per_gpu_hour,
                        0.0,
                        range::MOST_RATE,
                    );
                }
            }
            PoolKind::PayAsYouGo {
                tokens_per_minute,
                requests_per_minute,
                ..
            } => {
                if let Some(limit) = tokens_per_minute {
                    self.positive(at("tokens_per_minute"), *limit, 1.0, range::MOST_TOKENS);
                }
                if let Some(limit) = requests_per_minute {
                    self.positive(at("requests_per_minute"), *limit, 0.001, range::MOST_SPEED);
                }
            }
        }
    }

    pub(super) fn commitment(&mut self, c: &Commitment) {
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
                self.within(at("gpus"), f64::from(*gpus), 1.0, range::MOST_GPUS);
                self.within(
                    at("rate_per_gpu_hour"),
                    *rate_per_gpu_hour,
                    0.0,
                    range::MOST_RATE,
                );
                self.within(at("upfront_share"), *upfront_share, 0.0, 1.0);
            }
            CommitmentKind::SpendCommitment {
                amount_per_hour,
                discount,
                ..
            } => {
                self.positive(
                    at("amount_per_hour"),
                    *amount_per_hour,
                    range::LEAST,
                    range::MOST_PER_HOUR,
                );
                self.below(at("discount"), *discount, 0.0, 1.0);
            }
        }
    }

    pub(super) fn season(&mut self, s: &SeasonalWindow) {
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

    pub(super) fn budget(&mut self, b: &Budget) {
        let at = |field| FieldPath::of("budgets", b.id, field);
        self.positive(at("amount"), b.amount, 0.001, range::MOST_BUDGET);
        self.within(at("spent_before"), b.spent_before, 0.0, range::MOST_BUDGET);
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
