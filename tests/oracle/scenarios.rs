//! Random small scenarios that the brute force can play: a few requests per minute, one to three months, UTC.

use headroom::domain::gateway::{CapKind, Caps, Runaways, SoftAction, SoftLimit, Tools};
use headroom::domain::quantity::{
    HighPercentile, MixPart, Quantity, Shape, Varying, WeightedValue,
};
use headroom::domain::scenario::{
    Burst, Commitment, CommitmentKind, DateRange, DemandShock, Dependence, Feature, Id, Launch,
    Model, Noise, Pool, PoolKind, PriceCard, Scenario, SeasonalWindow, ServingProfile, Settings,
    SpendBasis, Touches, WeeklyProfile, WeeklyShape,
};
use jiff::civil::{Date, date};
use rand::{RngExt, SeedableRng};

use super::Rng;

struct Dice(Rng);

impl Dice {
    fn between(&mut self, a: f64, b: f64) -> f64 {
        // three digits keep failures readable
        ((a + (b - a) * self.0.random::<f64>()) * 1_000.0).round() / 1_000.0
    }

    fn about(&mut self, a: f64, b: f64) -> f64 {
        let x = a * (b / a).powf(self.0.random::<f64>());
        if x > 20.0 {
            x.round()
        } else {
            (x * 100.0).round() / 100.0
        }
    }

    fn one_of<const N: usize>(&mut self, choices: [f64; N]) -> f64 {
        choices[self.0.random_range(0..N)]
    }

    fn chance(&mut self, p: f64) -> bool {
        self.0.random::<f64>() < p
    }

    /// Half of the time uncertain around a value, half of the time the value.
    fn around(&mut self, x: f64) -> Quantity {
        if self.chance(0.5) {
            let (p10, p90) = (x * 0.8, x * 1.25);
            Shape::Between { p10, p90 }.into()
        } else {
            Quantity::fixed(x)
        }
    }

    /// Tokens that vary around a size, in one of many shapes; `level`: perhaps with a typical level.
    fn tokens(&mut self, size: f64, level: bool) -> Varying {
        let each: Quantity = match self.0.random_range(0..9) {
            0 => Quantity::fixed(size),
            1 => Shape::Between {
                p10: 0.4 * size,
                p90: 1.8 * size,
            }
            .into(),
            2 => Shape::FewAreLarge {
                p50: 0.7 * size,
                percentile: HighPercentile::P99,
                high: 6.0 * size,
            }
            .into(),
            3 => Quantity {
                shape: Shape::Quantiles(
                    [0.02, 0.1, 0.3, 0.7, 1.2, 2.2, 3.0, 5.0, 9.0].map(|x| (x * size).round()),
                ),
                mean: Some((1.05 * size).round()),
            },
            4 => Shape::Uniform {
                min: 0.2 * size,
                max: 1.8 * size,
            }
            .into(),
            5 => Shape::Mix(vec![
                MixPart {
                    weight: 95.0,
                    part: Shape::Fixed(0.6 * size),
                },
                MixPart {
                    weight: 5.0,
                    part: Shape::Between {
                        p10: 4.0 * size,
                        p90: 12.0 * size,
                    },
                },
            ])
            .into(),
            6 => Shape::Gamma {
                shape: 1.5,
                scale: size / 1.5,
            }
            .into(),
            7 => Shape::BetweenProbably {
                p10: 0.5 * size,
                mode: 0.9 * size,
                p90: 1.7 * size,
            }
            .into(),
            _ => Shape::Triangular {
                min: 0.1 * size,
                mode: 0.6 * size,
                max: 2.3 * size,
            }
            .into(),
        };
        let level = if self.chance(0.3) && level {
            Shape::Between {
                p10: 0.85,
                p90: 1.2,
            }
            .into()
        } else {
            Quantity::one()
        };
        Varying { each, level }
    }

    fn calls(&mut self) -> (Quantity, f64) {
        match self.0.random_range(0..5) {
            0 | 1 => (Quantity::fixed(1.0), 1.0),
            2 => {
                let values = [(1.0, 0.5), (4.0, 0.3), (9.0, 0.2)];
                let part = |(value, weight)| WeightedValue { value, weight };
                (Shape::Discrete(values.map(part).to_vec()).into(), 3.5)
            }
            3 => (Shape::Between { p10: 3.0, p90: 8.0 }.into(), 5.2),
            _ => (Shape::Uniform { min: 1.0, max: 6.0 }.into(), 3.5),
        }
    }
}

/// A small scenario with tools, caps, soft limits and runaways.
pub fn capped(seed: u64) -> Scenario {
    let mut s = small(seed);
    let mut dice = Dice(Rng::seed_from_u64(seed + 1_000));
    for (index, f) in s.features.iter_mut().enumerate() {
        let free = f.input_tokens.level.is_one() && f.output_tokens.level.is_one();
        f.calls_per_request = Shape::Between { p10: 2.0, p90: 9.0 }.into();
        if dice.chance(0.7) {
            f.tools = Tools {
                calls_per_request: Shape::Between { p10: 1.0, p90: 8.0 }.into(),
                seconds: Shape::Between {
                    p10: 1.0,
                    p90: 20.0,
                }
                .into(),
            };
        }
        // what differs from trial to trial has minutes of its own, whose luck hides small differences
        f.prefix_tokens = Quantity::fixed(400.0);
        if !matches!(f.retry_probability.shape, Shape::Fixed(_)) {
            f.retry_probability = Quantity::fixed(0.1);
        }
        // near what a request wants to spend
        let about = 6.0 * dice.about(1_000.0, 4_000.0);
        f.caps = Caps {
            tokens: Some(about.round()),
            calls: dice.chance(0.3).then_some(8),
            tool_calls: dice.chance(0.3).then_some(6),
            seconds: dice.chance(0.3).then_some(120.0),
            identical_errors: dice.chance(0.3).then_some(2),
            soft: None,
        };
        if dice.chance(0.5) {
            f.caps.soft = Some(SoftLimit {
                of: CapKind::Tokens,
                at: 0.5,
                then: match dice.0.random_range(0..3) {
                    0 => SoftAction::Stop,
                    1 => SoftAction::OneMoreCall,
                    _ => SoftAction::Degrade { token_factor: 0.6 },
                },
            });
        }
        if index == 0 && free {
            f.runaways = Some(Runaways {
                per_million_requests: Quantity::fixed(3_000.0),
                tokens_per_hour: Quantity::fixed(5_000.0),
                hours_until_found: Shape::Between { p10: 0.5, p90: 2.0 }.into(),
            });
        }
    }
    s
}

/// The small scenario of a seed.
pub fn small(seed: u64) -> Scenario {
    let mut dice = Dice(Rng::seed_from_u64(seed));
    let starts: [Date; 4] = [
        date(2027, 2, 1),
        date(2027, 6, 1),
        date(2028, 2, 1),
        date(2026, 11, 1),
    ];
    let start = starts[dice.0.random_range(0..starts.len())];
    let months = [1, 1, 1, 2, 2, 3][dice.0.random_range(0..6)];
    let (cluster, key) = (seed % 3 != 1, seed % 3 != 2);
    let mut pools = Vec::new();
    if cluster {
        pools.push(Pool {
            id: Id(10),
            name: "cluster".into(),
            acceptable_chance: 0.1,
            kind: PoolKind::GpuCluster {
                target_utilisation: dice.one_of([0.6, 0.75, 0.9]),
                on_demand_rate_per_gpu_hour: 7.0,
                burst: dice.chance(0.7).then_some(Burst {
                    max_gpus: 12,
                    rate_per_gpu_hour: 7.5,
                }),
            },
        });
    }
    if key {
        pools.push(Pool {
            id: Id(11),
            name: "key".into(),
            acceptable_chance: 0.1,
            kind: PoolKind::PayAsYouGo {
                tokens_per_minute: Some(dice.about(5_000.0, 50_000.0).round()),
                requests_per_minute: dice.chance(0.5).then_some(20.0),
                cached_reads_count: dice.chance(0.5),
            },
        });
    }

    let count = 1 + dice.0.random_range(0..3usize);
    let mut features = Vec::new();
    let mut models = Vec::new();
    let mut list_per_hour = 0.0;
    let mut tokens_per_second = 0.0;
    for index in 0..count {
        let pool = pools[index % pools.len()].id;
        let on_cluster = pool == Id(10);
        // Needed GPUs are found hour by hour: where features share a cluster, the law of a request is the same in all
        // trials, so that all trials can share the minutes that are played to find it.
        let free = !on_cluster || count <= pools.len();
        let per_day = dice.about(20.0, 400.0);
        let (calls, mean_calls) = dice.calls();
        let (input, output) = (dice.about(300.0, 3_000.0), dice.about(40.0, 400.0));
        // the first two features of a pool share a model
        let model = Id(if on_cluster { 20 } else { 21 });
        if !models.iter().any(|m: &Model| m.id == model) {
            models.push(Model {
                id: model,
                name: "model".into(),
                ttft_seconds: dice.between(0.2, 2.0),
                sequence_tokens_per_second: dice.about(10.0, 80.0),
                context_window_tokens: None,
                price: Some(PriceCard {
                    uncached_input: 3.0,
                    cached_read: 0.3,
                    output: 15.0,
                }),
                serving: on_cluster.then_some(ServingProfile {
                    gpus_per_replica: dice.one_of([1.0, 1.0, 2.0]) as u32,
                    prefill_tokens_per_second: 1.0, // set below
                    decode_tokens_per_second: dice.between(0.2, 1.0),
                    concurrent_sequences: dice.one_of([1.0, 4.0, 32.0]) as u32,
                    minimum_replicas: dice.one_of([0.0, 1.0]) as u32,
                }),
            });
        }
        if on_cluster {
            tokens_per_second += per_day * mean_calls * (input + output) / 86_400.0;
        } else {
            list_per_hour += per_day / 24.0 * mean_calls * (input * 3.0 + output * 15.0) / 1e6;
        }
        let planned = dice.chance(0.4);
        features.push(Feature {
            id: Id(1 + index as u32),
            name: format!("feature {index}"),
            pool,
            model,
            launch: if planned {
                Launch::Planned {
                    date: start
                        .checked_add(jiff::Span::new().days(8))
                        .unwrap_or(start),
                    slip_days: if dice.chance(0.7) {
                        Shape::Between { p10: 0.0, p90: 6.0 }.into()
                    } else {
                        Quantity::fixed(0.0)
                    },
                    ramp_days: match dice.0.random_range(0..3) {
                        0 => Quantity::fixed(0.0),
                        1 => Quantity::fixed(12.0),
                        _ => Shape::Between {
                            p10: 6.0,
                            p90: 14.0,
                        }
                        .into(),
                    },
                }
            } else {
                Launch::Live
            },
            retire: (dice.chance(0.2) && !planned).then(|| {
                start
                    .checked_add(jiff::Span::new().days(20))
                    .unwrap_or(start)
            }),
            requests_per_day: dice.around(per_day),
            growth_per_month: match dice.0.random_range(0..3) {
                0 => Quantity::fixed(0.0),
                1 => Quantity::fixed(0.08),
                _ => Shape::Between {
                    p10: -0.04,
                    p90: 0.1,
                }
                .into(),
            },
            weekly_profile: WeeklyProfile {
                time_zone: None,
                shape: if dice.chance(0.4) {
                    WeeklyShape::Flat
                } else {
                    WeeklyShape::Custom((0..168).map(|_| dice.between(0.3, 2.0)).collect())
                },
            },
            calls_per_request: calls,
            input_tokens: dice.tokens(input, free),
            context_growth_tokens: match dice.0.random_range(0..3) {
                0 => Quantity::fixed(0.0),
                1 => Quantity::fixed(200.0),
                _ => Shape::Between {
                    p10: 0.0,
                    p90: 500.0,
                }
                .into(),
            },
            prefix_tokens: match dice.0.random_range(0..3) {
                0 => Quantity::fixed(0.0),
                1 => Quantity::fixed((0.6 * input).round()),
                _ if !free => Quantity::fixed((0.3 * input).round()),
                _ => Shape::Between {
                    p10: 0.3 * input,
                    p90: 0.9 * input,
                }
                .into(),
            },
            cached_share: match dice.0.random_range(0..3) {
                0 => Quantity::fixed(0.0),
                1 => Quantity::fixed(0.8),
                _ => Shape::Between { p10: 0.4, p90: 0.9 }.into(),
            },
            output_tokens: dice.tokens(output, free),
            retry_probability: match dice.0.random_range(0..4) {
                0 => Quantity::fixed(0.15),
                1 if free => Shape::Between {
                    p10: 0.02,
                    p90: 0.2,
                }
                .into(),
                _ => Quantity::fixed(0.0),
            },
            max_retries: dice.0.random_range(0..4),
            token_drift_per_month: if dice.chance(0.2) && free {
                Quantity::fixed(0.03)
            } else {
                Quantity::fixed(0.0)
            },
            noise: Noise {
                hour_cv: dice.one_of([0.0, 0.2, 0.5]),
                hour_persistence: dice.one_of([0.0, 0.5, 0.8]),
                burstiness: dice.one_of([0.0, 0.25, 1.04]),
                burst_persistence: dice.one_of([0.0, 0.16, 0.5]),
                shock_loading: if index == 0 { 1.0 } else { 0.5 },
            },
            by_hour: Default::default(),
            lanes: None,
            tools: Default::default(),
            caps: Default::default(),
            runaways: None,
        });
    }

    // about one and a half replicas of work at the mean rate
    for profile in models.iter_mut().filter_map(|m| m.serving.as_mut()) {
        profile.prefill_tokens_per_second *= tokens_per_second / 1.5;
        profile.decode_tokens_per_second *= tokens_per_second / 1.5;
    }

    let mut commitments = Vec::new();
    if cluster {
        commitments.push(Commitment {
            id: Id(40),
            name: "reserved".into(),
            start: if dice.chance(0.5) {
                date(2026, 10, 15)
            } else {
                start
            },
            term_months: 12,
            kind: CommitmentKind::ReservedCapacity {
                pool: Id(10),
                gpus: dice.0.random_range(4..20),
                rate_per_gpu_hour: 3.0,
                upfront_share: dice.one_of([0.0, 0.3, 1.0]),
            },
        });
    }
    if key && list_per_hour > 0.0 {
        for (id, discount, basis) in [
            (41, 0.2, SpendBasis::Discounted),
            (42, 0.35, SpendBasis::List),
        ] {
            if dice.chance(0.7) {
                commitments.push(Commitment {
                    id: Id(id),
                    name: "spend".into(),
                    start,
                    term_months: if id == 41 { 1 } else { 12 },
                    kind: CommitmentKind::SpendCommitment {
                        amount_per_hour: list_per_hour * dice.between(0.2, 0.7),
                        discount,
                        basis,
                    },
                });
            }
        }
    }
    let seasons = if dice.chance(0.5) {
        let day = |n: i64| {
            start
                .checked_add(jiff::Span::new().days(n))
                .unwrap_or(start)
        };
        vec![SeasonalWindow {
            id: Id(30),
            name: "window".into(),
            dates: vec![DateRange {
                first: day(11),
                last: day(15),
            }],
            yearly: false,
            multiplier: dice.around(1.7),
            ramp_in_days: 2,
            ramp_out_days: dice.0.random_range(0..4),
            touches: Touches::All,
        }]
    } else {
        Vec::new()
    };
    Scenario {
        format: 1,
        name: format!("small {seed}"),
        settings: Settings {
            start,
            horizon_months: months,
            time_zone: "UTC".into(),
            currency: "USD".into(),
            fiscal_year_start_month: 1,
            seed,
            trials: 5_000,
        },
        features,
        models,
        pools,
        commitments,
        seasons,
        budgets: Vec::new(),
        // two of them with a demand shock
        dependence: Dependence {
            demand_shock: matches!(seed, 4 | 7).then_some(DemandShock {
                deviation: 0.3,
                weekly_persistence: 0.6,
            }),
            ..Default::default()
        },
        notes: Default::default(),
    }
}
