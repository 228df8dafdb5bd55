//! Random valid scenarios: every kind of entity and entry, every optional field with and without.
//!
//! [`random`] is a plain function of a seed, so a scenario that failed is named by one number; [`strategy`] is the same
//! for proptest. Shares nothing with the engine.

use headroom::domain::dependence::{Correlation, DemandShock};
use headroom::domain::field::FieldPath;
use headroom::domain::gateway::{CapKind, Caps, Runaways, SoftAction, SoftLimit, Tools};
use headroom::domain::quantity::{
    Domain, HighPercentile, Kind, MixPart, Quantity, Shape, Varying, WeightedValue,
};
use headroom::domain::scenario::{
    Budget, BudgetCost, BudgetPeriod, Burst, ByHour, Commitment, CommitmentKind, DateRange,
    Feature, Id, Lanes, Launch, Model, Noise, Note, Pool, PoolKind, PriceCard, SCENARIO_FORMAT,
    Scenario, SeasonalWindow, ServingProfile, Settings, SpendBasis, Touches, WeeklyProfile,
    WeeklyShape,
};
use jiff::ToSpan;
use jiff::civil::{Date, date};
use proptest::prelude::*;

/// How large a scenario may get.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most months.
    pub months: u32,
    /// Most features; there is at least one.
    pub features: u64,
    /// Most of every other kind of entity.
    pub others: u64,
    /// Most requests per day of one feature.
    pub requests_per_day: f64,
    /// Trials.
    pub trials: u32,
}

/// Anything that a person might enter.
pub const ANY: Limits = Limits {
    months: 60,
    features: 12,
    others: 5,
    requests_per_day: 1e7,
    trials: 100_000,
};

/// Quick to simulate.
pub const SMALL: Limits = Limits {
    months: 3,
    features: 3,
    others: 2,
    requests_per_day: 5_000.0,
    trials: 200,
};

/// Random valid scenarios within limits, for proptest.
pub fn strategy(limits: Limits) -> impl Strategy<Value = Scenario> {
    any::<u64>().prop_map(move |seed| random(seed, limits))
}

/// The valid scenario of a seed.
pub fn random(seed: u64, limits: Limits) -> Scenario {
    Dice(seed).scenario(limits)
}

/// SplitMix64.
pub struct Dice(pub u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 0 to n - 1.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    /// Whole number, ends included.
    fn whole(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(u64::from(high - low) + 1) as u32
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 0
    }

    fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize].clone()
    }

    /// Mostly what a person would type, seldom all the digits of a computed number.
    fn number(&mut self, low: f64, high: f64) -> f64 {
        let x = low + (high - low) * (self.below(1 << 53) as f64 / (1u64 << 53) as f64);
        if self.below(8) == 0 {
            return x;
        }
        let rounded: f64 = format!("{x:.2e}").parse().expect("a number");
        if (low..=high).contains(&rounded) {
            rounded
        } else {
            x
        }
    }

    /// Small and large ones alike.
    fn scaled(&mut self, low: f64, high: f64) -> f64 {
        let x = self.number(low.ln(), high.ln()).exp();
        let rounded: f64 = format!("{x:.2e}").parse().expect("a number");
        rounded.clamp(low, high)
    }

    /// Strictly rising numbers.
    fn rising<const N: usize>(&mut self, low: f64, high: f64) -> [f64; N] {
        let step = (high - low) / N as f64;
        let mut out = [0.0; N];
        for (i, x) in out.iter_mut().enumerate() {
            *x = low + step * (i as f64 + self.number(0.05, 0.95));
        }
        out
    }

    fn text(&mut self, most: u64) -> String {
        const LETTERS: &[char] = &[
            'a', 'e', 'n', 'r', 's', 't', 'B', 'K', '7', ' ', '-', '=', '"', '\'', '<', '&', ',',
            '\n', 'é', 'ß', '顶', '🚀',
        ];
        let length = 1 + self.below(most);
        let text: String = (0..length).map(|_| self.pick(LETTERS)).collect();
        let text = text.trim().to_owned();
        if text.is_empty() {
            "x".to_owned()
        } else {
            text
        }
    }

    fn name(&mut self) -> String {
        self.text(24).replace('\n', " ")
    }

    fn day(&mut self, start: Date, from: i64, to: i64) -> Date {
        start + (from + self.below((to - from) as u64) as i64).days()
    }

    /// An entry of any form whose values are in the domain, roughly between `low` and `high`.
    pub fn quantity(&mut self, domain: Domain, low: f64, high: f64) -> Quantity {
        let shape = self.shape(domain, low, high, true);
        Quantity::from(shape)
    }

    fn shape(&mut self, domain: Domain, low: f64, high: f64, may_mix: bool) -> Shape {
        let integer = matches!(domain, Domain::IntegerFromOne | Domain::IntegerFromZero);
        let one = |x: f64| if integer { x.round().max(low) } else { x };
        let [a, b, c] = self.rising::<3>(low, high);
        match self.below(if may_mix { 17 } else { 9 }) {
            0..=2 => Shape::Fixed(one(b)),
            3 => Shape::Between { p10: a, p90: c },
            4 => Shape::BetweenProbably {
                p10: a,
                mode: b,
                p90: c,
            },
            5 => Shape::Uniform { min: a, max: c },
            6 => Shape::Pert {
                min: a,
                mode: b,
                max: c,
            },
            7 => Shape::Triangular {
                min: a,
                mode: b,
                max: c,
            },
            8 => Shape::Normal {
                mean: b,
                sd: (c - a) / 4.0,
            },
            9 if domain == Domain::Positive || domain == Domain::NonNegative || integer => {
                Shape::FewAreLarge {
                    p50: a.max(1e-3),
                    percentile: self.pick(&[
                        HighPercentile::P90,
                        HighPercentile::P95,
                        HighPercentile::P99,
                    ]),
                    high: c.max(2e-3),
                }
            }
            10 if domain == Domain::Positive => Shape::Lognormal {
                mu: b.ln(),
                sigma: self.number(0.05, 0.8),
            },
            11 if domain == Domain::Positive || domain == Domain::NonNegative => {
                let shape = self.number(0.5, 9.0);
                Shape::Gamma {
                    shape,
                    scale: b / shape,
                }
            }
            9..=11 => Shape::Beta {
                alpha: self.number(0.5, 5.0),
                beta: self.number(0.5, 5.0),
                min: a,
                max: c,
            },
            12 => Shape::Discrete(
                (0..1 + self.below(5))
                    .map(|_| WeightedValue {
                        value: one(self.number(low, high)),
                        weight: self.number(0.01, 9.0),
                    })
                    .collect(),
            ),
            13 => Shape::Quantiles(self.rising::<9>(low, high)),
            14 => Shape::Sample(
                (0..2 + self.below(6))
                    .map(|_| one(self.number(low, high)))
                    .collect(),
            ),
            15 if domain == Domain::Positive || domain == Domain::NonNegative || integer => {
                Shape::ParetoTail {
                    p50: a.max(1e-3),
                    percentile: self.pick(&[
                        HighPercentile::P90,
                        HighPercentile::P95,
                        HighPercentile::P99,
                    ]),
                    high: c.max(2e-3),
                    alpha: self.number(1.2, 4.0),
                }
            }
            _ => Shape::Mix(
                (0..2 + self.below(3))
                    .map(|_| MixPart {
                        weight: self.number(0.05, 5.0),
                        part: self.shape(domain, low, high, false),
                    })
                    .collect(),
            ),
        }
    }

    fn varying(&mut self, low: f64, high: f64) -> Varying {
        let each = self.quantity(Domain::Positive, low, high);
        let level = if self.flip() {
            Quantity::one()
        } else {
            self.quantity(Domain::Positive, 0.6, 1.6)
        };
        Varying { each, level }
    }

    fn scenario(&mut self, limits: Limits) -> Scenario {
        let start = date(2025 + self.below(4) as i16, 1 + self.below(12) as i8, 1);
        let mut ids = self.ids().into_iter().cycle();
        let mut id = || ids.next().expect("endless");
        let horizon_months = self.whole(1, limits.months);
        let days = i64::from(horizon_months) * 30;
        let models: Vec<Model> = (0..1 + self.below(limits.others))
            .map(|_| self.model(id()))
            .collect();
        let mut pools: Vec<Pool> = (0..1 + self.below(limits.others))
            .map(|_| self.pool(id()))
            .collect();
        // There is always a key that any model can be called with, and a cluster.
        pools[0].kind = PoolKind::PayAsYouGo {
            tokens_per_minute: Some(1e6),
            requests_per_minute: None,
            cached_reads_count: false,
        };
        let features: Vec<Feature> = (0..1 + self.below(limits.features))
            .map(|_| {
                let own = id();
                let model = self.pick(&models).id;
                let pool = self.pick(&pools).id;
                self.feature(own, pool, model, start, days, limits)
            })
            .collect();
        let clusters: Vec<Id> = pools
            .iter()
            .filter(|p| matches!(p.kind, PoolKind::GpuCluster { .. }))
            .map(|p| p.id)
            .collect();
        let commitments = (0..self.below(limits.others + 1))
            .map(|_| self.commitment(id(), &clusters, start, days))
            .collect();
        let feature_ids: Vec<Id> = features.iter().map(|f| f.id).collect();
        let seasons = (0..self.below(limits.others + 1))
            .map(|_| self.season(id(), &feature_ids, start, days))
            .collect();
        let budgets = (0..self.below(limits.others + 1))
            .map(|_| self.budget(id(), start, days))
            .collect();
        let mut scenario = Scenario {
            format: SCENARIO_FORMAT,
            name: self.name(),
            settings: Settings {
                start,
                horizon_months,
                time_zone: self.zone(),
                currency: self.pick(&["USD", "EUR", "JPY", "GBP"]).to_owned(),
                fiscal_year_start_month: self.whole(1, 12),
                seed: if self.flip() {
                    self.below(1000)
                } else {
                    self.next()
                },
                trials: if limits.trials > 1000 {
                    self.whole(100, limits.trials)
                } else {
                    limits.trials
                },
            },
            features,
            models,
            pools,
            commitments,
            seasons,
            budgets,
            dependence: Default::default(),
            notes: std::collections::BTreeMap::new(),
        };
        self.dependence(&mut scenario);
        self.notes(&mut scenario);
        scenario
    }

    /// Sometimes a shock, sometimes some pairs that move together.
    fn dependence(&mut self, scenario: &mut Scenario) {
        if self.flip() {
            scenario.dependence.demand_shock = Some(DemandShock {
                deviation: self.number(0.05, 0.5),
                weekly_persistence: self.number(0.0, 0.9),
            });
        }
        let inputs: Vec<FieldPath> = scenario
            .quantities()
            .into_iter()
            .filter(|(_, spec, _)| spec.kind == Kind::Uncertain)
            .map(|(path, ..)| path)
            .collect();
        let hub = self.pick(&inputs);
        let mut others = inputs;
        others.retain(|path| *path != hub);
        for _ in 0..self.below(4) {
            let Some(other) = others.pop() else { return };
            scenario.dependence.correlations.push(Correlation {
                a: hub.clone(),
                b: other,
                rank: self.number(-0.5, 0.5),
            });
        }
    }

    /// Mostly in order, sometimes as after much deleting and adding.
    fn ids(&mut self) -> Vec<Id> {
        let mut left: Vec<u32> = (1..=400).collect();
        (0..200)
            .map(|_| {
                let at = if self.below(4) == 0 {
                    self.below(left.len() as u64) as usize
                } else {
                    0
                };
                Id(left.remove(at))
            })
            .collect()
    }

    fn zone(&mut self) -> String {
        self.pick(&[
            "UTC",
            "America/New_York",
            "Europe/Berlin",
            "Asia/Kolkata",
            "Australia/Lord_Howe",
        ])
        .to_owned()
    }

    fn feature(
        &mut self,
        id: Id,
        pool: Id,
        model: Id,
        start: Date,
        days: i64,
        limits: Limits,
    ) -> Feature {
        let launch = if self.flip() {
            Launch::Live
        } else {
            Launch::Planned {
                date: self.day(start, -40, days + 40),
                slip_days: self.quantity(Domain::NonNegative, 0.0, 60.0),
                ramp_days: self.quantity(Domain::NonNegative, 0.0, 120.0),
            }
        };
        let retire = (self.below(4) == 0).then(|| self.day(start, days + 41, days + 400));
        let most = self.scaled(1.0, limits.requests_per_day);
        Feature {
            id,
            name: self.name(),
            pool,
            model,
            launch,
            retire,
            requests_per_day: self.quantity(Domain::Positive, most / 4.0, most),
            growth_per_month: self.quantity(Domain::Change, -0.05, 0.08),
            weekly_profile: WeeklyProfile {
                time_zone: self.flip().then(|| self.zone()),
                shape: match self.below(5) {
                    0 => WeeklyShape::OfficeHours,
                    1 => WeeklyShape::Consumer,
                    2 => WeeklyShape::Custom((0..168).map(|_| self.number(0.1, 3.0)).collect()),
                    _ => WeeklyShape::Flat,
                },
            },
            calls_per_request: self.quantity(Domain::IntegerFromOne, 1.0, 12.0),
            input_tokens: self.varying(50.0, 6_000.0),
            context_growth_tokens: self.quantity(Domain::NonNegative, 0.0, 800.0),
            prefix_tokens: self.quantity(Domain::NonNegative, 0.0, 2_000.0),
            cached_share: self.quantity(Domain::Share, 0.0, 1.0),
            output_tokens: self.varying(5.0, 900.0),
            retry_probability: self.quantity(Domain::Share, 0.0, 0.2),
            max_retries: self.whole(0, 5),
            token_drift_per_month: self.quantity(Domain::Change, -0.02, 0.03),
            noise: if self.flip() {
                Noise::default()
            } else {
                Noise {
                    hour_cv: self.number(0.0, 0.6),
                    hour_persistence: self.number(0.0, 0.9),
                    burstiness: self.number(0.0, 1.5),
                    burst_persistence: self.number(0.0, 0.9),
                    shock_loading: self.pick(&[0.0, 0.4, 1.0]),
                }
            },
            by_hour: ByHour {
                cached_share_left: self.factors(0.0, 1.0),
                retry_factor: self.factors(0.0, 4.0),
                load_sensitivity: if self.flip() {
                    self.quantity(Domain::NonNegative, 0.0, 0.6)
                } else {
                    Quantity::fixed(0.0)
                },
            },
            lanes: self.flip().then(|| Lanes {
                threshold_tokens: self.number(50.0, 6_000.0),
                pool,
                model,
                misrouted_short: self.quantity(Domain::Share, 0.0, 0.3),
                misrouted_long: self.quantity(Domain::Share, 0.0, 0.3),
                triage_cost_per_request: self.number(0.0, 0.01),
            }),
            tools: self.tools(),
            caps: self.caps(),
            runaways: self.runaways(),
        }
    }

    /// A week of factors, or none.
    fn factors(&mut self, low: f64, high: f64) -> Vec<f64> {
        let count = if self.flip() { 168 } else { 0 };
        (0..count).map(|_| self.number(low, high)).collect()
    }

    fn tools(&mut self) -> Tools {
        if self.flip() {
            return Tools::default();
        }
        Tools {
            calls_per_request: self.quantity(Domain::IntegerFromZero, 0.0, 12.0),
            seconds: self.quantity(Domain::NonNegative, 0.0, 30.0),
        }
    }

    fn caps(&mut self) -> Caps {
        // tables at several levels take a while
        if self.below(4) > 0 {
            return Caps::default();
        }
        let tokens = self.number(500.0, 60_000.0);
        Caps {
            tokens: Some(tokens),
            calls: self.flip().then(|| self.whole(1, 20)),
            tool_calls: self.flip().then(|| self.whole(0, 12)),
            seconds: self.flip().then(|| self.number(5.0, 600.0)),
            identical_errors: self.flip().then(|| self.whole(1, 4)),
            soft: self.flip().then(|| SoftLimit {
                of: CapKind::Tokens,
                at: self.number(0.3, 1.0),
                then: match self.whole(0, 2) {
                    0 => SoftAction::Stop,
                    1 => SoftAction::OneMoreCall,
                    _ => SoftAction::Degrade {
                        token_factor: self.number(0.1, 1.0),
                    },
                },
            }),
        }
    }

    fn runaways(&mut self) -> Option<Runaways> {
        self.flip().then(|| Runaways {
            per_million_requests: self.quantity(Domain::NonNegative, 0.0, 50.0),
            tokens_per_hour: self.quantity(Domain::Positive, 1e4, 1e7),
            hours_until_found: self.quantity(Domain::Positive, 0.5, 400.0),
        })
    }

    /// With prices and a serving profile, so that it can be called anywhere.
    fn model(&mut self, id: Id) -> Model {
        Model {
            id,
            name: self.name(),
            ttft_seconds: self.number(0.0, 2.0),
            sequence_tokens_per_second: self.number(10.0, 120.0),
            context_window_tokens: self.flip().then(|| self.number(1_000.0, 200_000.0)),
            price: Some(PriceCard {
                uncached_input: self.number(0.1, 15.0),
                cached_read: self.number(0.0, 2.0),
                output: self.number(0.2, 75.0),
            }),
            serving: Some(ServingProfile {
                gpus_per_replica: self.whole(1, 8),
                prefill_tokens_per_second: self.number(1_000.0, 50_000.0),
                decode_tokens_per_second: self.number(500.0, 9_000.0),
                concurrent_sequences: self.whole(1, 256),
                minimum_replicas: self.whole(0, 3),
            }),
        }
    }

    fn pool(&mut self, id: Id) -> Pool {
        Pool {
            id,
            name: self.name(),
            acceptable_chance: self.pick(&[0.0, 0.01, 0.05, 0.1, 0.333]),
            kind: if self.flip() {
                PoolKind::GpuCluster {
                    target_utilisation: self.number(0.3, 1.0),
                    on_demand_rate_per_gpu_hour: self.number(0.5, 12.0),
                    burst: self.flip().then(|| Burst {
                        max_gpus: self.whole(1, 200),
                        rate_per_gpu_hour: self.number(0.5, 12.0),
                    }),
                }
            } else {
                PoolKind::PayAsYouGo {
                    tokens_per_minute: self.flip().then(|| self.scaled(10_000.0, 1e8)),
                    requests_per_minute: self.flip().then(|| self.scaled(10.0, 1e5)),
                    cached_reads_count: self.flip(),
                }
            },
        }
    }

    fn commitment(&mut self, id: Id, clusters: &[Id], start: Date, days: i64) -> Commitment {
        Commitment {
            id,
            name: self.name(),
            start: self.day(start, -200, days),
            term_months: self.whole(1, 48),
            kind: if !clusters.is_empty() && self.flip() {
                CommitmentKind::ReservedCapacity {
                    pool: self.pick(clusters),
                    gpus: self.whole(1, 256),
                    rate_per_gpu_hour: self.number(0.5, 7.0),
                    upfront_share: self.pick(&[0.0, 0.2, 0.5, 1.0]),
                }
            } else {
                CommitmentKind::SpendCommitment {
                    amount_per_hour: self.scaled(0.5, 500.0),
                    discount: self.pick(&[0.0, 0.1, 0.28, 0.45]),
                    basis: self.pick(&[SpendBasis::Discounted, SpendBasis::List]),
                }
            },
        }
    }

    fn season(&mut self, id: Id, features: &[Id], start: Date, days: i64) -> SeasonalWindow {
        let yearly = self.flip();
        let mut first = self.day(start, -60, days);
        let count = if yearly { 1 } else { 1 + self.below(3) };
        let dates = (0..count)
            .map(|_| {
                let last = self.day(first, 0, 30);
                let range = DateRange { first, last };
                first = self.day(last, 60, 120);
                range
            })
            .collect();
        SeasonalWindow {
            id,
            name: self.name(),
            dates,
            yearly,
            multiplier: self.quantity(Domain::Positive, 0.4, 3.0),
            ramp_in_days: self.whole(0, 10),
            ramp_out_days: self.whole(0, 10),
            touches: if self.flip() {
                Touches::All
            } else {
                let mut some: Vec<Id> = features.iter().copied().filter(|_| self.flip()).collect();
                if some.is_empty() {
                    some.push(features[0]);
                }
                Touches::Only(some)
            },
        }
    }

    fn budget(&mut self, id: Id, start: Date, days: i64) -> Budget {
        Budget {
            id,
            name: self.name(),
            period: self.pick(&[
                BudgetPeriod::Month,
                BudgetPeriod::Quarter,
                BudgetPeriod::Year,
            ]),
            // every month has 28 days
            only: (self.below(3) == 0).then(|| self.day(start, 0, days / 30 * 28)),
            amount: self.scaled(100.0, 1e8),
            cost: self.pick(&[BudgetCost::Effective, BudgetCost::Billed]),
            spent_before: if self.flip() {
                0.0
            } else {
                self.scaled(1.0, 1e6)
            },
            acceptable_chance: self.pick(&[0.0, 0.05, 0.2]),
        }
    }

    fn notes(&mut self, scenario: &mut Scenario) {
        let paths: Vec<FieldPath> = scenario
            .quantities()
            .into_iter()
            .map(|(path, ..)| path)
            .collect();
        for _ in 0..self.below(5) {
            let note = Note {
                text: if self.flip() {
                    self.text(80)
                } else {
                    String::new()
                },
                source: if self.flip() {
                    self.name()
                } else {
                    String::new()
                },
                owner: self.name(),
                date: self
                    .flip()
                    .then(|| self.day(scenario.settings.start, -600, 0)),
            };
            scenario.notes.insert(self.pick(&paths), note);
        }
        if self.below(4) == 0 {
            let note = Note {
                text: self.text(40),
                ..Note::default()
            };
            scenario
                .notes
                .insert(FieldPath::plain("settings", "currency"), note);
        }
    }
}
