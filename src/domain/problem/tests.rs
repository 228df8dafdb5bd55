use super::*;
use crate::domain::quantity::{Quantity, Shape};
use crate::domain::scenario::*;
use jiff::civil::date;
use std::collections::BTreeMap;

/// A small plan without problems: a feature on a cluster, one on a key, contracts, a season, a budget.
pub(crate) fn plan() -> Scenario {
    let feature = |id, pool, model, launch| Feature {
        id: Id(id),
        name: format!("Feature {id}"),
        pool: Id(pool),
        model: Id(model),
        launch,
        retire: None,
        requests_per_day: Shape::Between { p10: 1e3, p90: 5e3 }.into(),
        growth_per_month: Quantity::fixed(0.02),
        weekly_profile: WeeklyProfile::default(),
        calls_per_request: Quantity::fixed(2.0),
        input_tokens: Quantity::fixed(1e3).into(),
        context_growth_tokens: Quantity::fixed(0.0),
        prefix_tokens: Quantity::fixed(0.0),
        cached_share: Quantity::fixed(0.5),
        output_tokens: Quantity::fixed(200.0).into(),
        retry_probability: Quantity::fixed(0.0),
        max_retries: 2,
        token_drift_per_month: Quantity::fixed(0.0),
        tools: Default::default(),
        caps: Default::default(),
        runaways: None,
        noise: Noise::default(),
        by_hour: Default::default(),
        lanes: None,
    };
    let planned = Launch::Planned {
        date: date(2027, 3, 1),
        slip_days: Shape::Between {
            p10: 0.0,
            p90: 45.0,
        }
        .into(),
        ramp_days: Quantity::fixed(60.0),
    };
    Scenario {
        format: SCENARIO_FORMAT,
        name: "Plan".into(),
        settings: Settings {
            start: date(2027, 1, 1),
            horizon_months: 12,
            time_zone: "Europe/Berlin".into(),
            currency: "EUR".into(),
            fiscal_year_start_month: 1,
            seed: 7,
            trials: 1_000,
        },
        features: vec![
            feature(1, 10, 20, Launch::Live),
            feature(2, 11, 21, planned),
        ],
        models: vec![
            Model {
                id: Id(20),
                name: "Own".into(),
                ttft_seconds: 0.5,
                sequence_tokens_per_second: 50.0,
                context_window_tokens: None,
                price: None,
                serving: Some(ServingProfile {
                    gpus_per_replica: 2,
                    prefill_tokens_per_second: 6_796.0,
                    decode_tokens_per_second: 12_624.0,
                    concurrent_sequences: 27,
                    minimum_replicas: 1,
                }),
            },
            Model {
                id: Id(21),
                name: "Bought".into(),
                ttft_seconds: 0.5,
                sequence_tokens_per_second: 50.0,
                context_window_tokens: None,
                price: Some(PriceCard {
                    uncached_input: 2.0,
                    cached_read: 0.1,
                    output: 10.0,
                }),
                serving: None,
            },
        ],
        pools: vec![
            Pool {
                id: Id(10),
                name: "Cluster".into(),
                acceptable_chance: 0.1,
                kind: PoolKind::GpuCluster {
                    target_utilisation: 0.7,
                    on_demand_rate_per_gpu_hour: 6.88,
                    burst: Some(Burst {
                        max_gpus: 8,
                        rate_per_gpu_hour: 6.88,
                    }),
                },
            },
            Pool {
                id: Id(11),
                name: "Key".into(),
                acceptable_chance: 0.1,
                kind: PoolKind::PayAsYouGo {
                    tokens_per_minute: Some(2e6),
                    requests_per_minute: None,
                    cached_reads_count: false,
                },
            },
        ],
        commitments: vec![
            Commitment {
                id: Id(30),
                name: "Reserved".into(),
                start: date(2026, 11, 15),
                term_months: 18,
                kind: CommitmentKind::ReservedCapacity {
                    pool: Id(10),
                    gpus: 16,
                    rate_per_gpu_hour: 3.8,
                    upfront_share: 0.2,
                },
            },
            Commitment {
                id: Id(31),
                name: "Spend".into(),
                start: date(2027, 1, 1),
                term_months: 12,
                kind: CommitmentKind::SpendCommitment {
                    amount_per_hour: 5.0,
                    discount: 0.3,
                    basis: SpendBasis::Discounted,
                },
            },
        ],
        seasons: vec![SeasonalWindow {
            id: Id(40),
            name: "Year's end".into(),
            dates: vec![DateRange {
                first: date(2027, 12, 20),
                last: date(2028, 1, 5),
            }],
            yearly: true,
            multiplier: Shape::Between { p10: 0.6, p90: 0.9 }.into(),
            ramp_in_days: 3,
            ramp_out_days: 3,
            touches: Touches::Only(vec![Id(1)]),
        }],
        budgets: vec![Budget {
            id: Id(50),
            name: "Year".into(),
            period: BudgetPeriod::Year,
            only: Some(date(2027, 6, 1)),
            amount: 1e6,
            cost: BudgetCost::Effective,
            spent_before: 0.0,
            acceptable_chance: 0.1,
        }],
        dependence: Default::default(),
        notes: BTreeMap::from([(
            FieldPath::of("features", Id(1), "requests_per_day"),
            Note {
                text: "from the warehouse\nin May".into(),
                ..Note::default()
            },
        )]),
    }
}

fn kinds(change: impl FnOnce(&mut Scenario)) -> Vec<(String, ProblemKind)> {
    let mut plan = plan();
    change(&mut plan);
    plan.problems()
        .into_iter()
        .map(|p| (p.path.as_str().to_owned(), p.kind))
        .collect()
}

#[test]
fn a_plan_can_be_without_problems() {
    assert_eq!(kinds(|_| {}), []);
}

/// One change, the field that must be named, and a check of the reason.
pub(crate) type Case = (&'static str, fn(&mut Scenario), fn(&ProblemKind) -> bool);

pub(crate) const CASES: &[Case] = &[
    (
        "scenario/format",
        |s| s.format = 99,
        |k| matches!(k, ProblemKind::UnknownFormat { found: 99, .. }),
    ),
    (
        "scenario/name",
        |s| s.name = " ".into(),
        |k| *k == ProblemKind::EmptyText,
    ),
    (
        "scenario/name",
        |s| s.name = "x".repeat(201),
        |k| {
            matches!(
                k,
                ProblemKind::LongText {
                    characters: 201,
                    most: 200
                }
            )
        },
    ),
    (
        "features/1/name",
        |s| s.features[0].name = "a\u{202e}b".into(),
        |k| *k == ProblemKind::ControlCharacter,
    ),
    (
        "settings/start",
        |s| s.settings.start = date(2027, 1, 2),
        |k| matches!(k, ProblemKind::NotFirstOfMonth { .. }),
    ),
    (
        "settings/start",
        |s| s.settings.start = date(1990, 1, 1),
        |k| matches!(k, ProblemKind::DateOutOfRange { .. }),
    ),
    (
        "settings/horizon_months",
        |s| s.settings.horizon_months = 61,
        |k| {
            matches!(
                k,
                ProblemKind::OutOfRange {
                    value: 61.0,
                    low: 1.0,
                    high: 60.0
                }
            )
        },
    ),
    (
        "settings/horizon_months",
        |s| s.settings.horizon_months = 0,
        |k| matches!(k, ProblemKind::OutOfRange { .. }),
    ),
    (
        "settings/time_zone",
        |s| s.settings.time_zone = "Berlin".into(),
        |k| matches!(k, ProblemKind::UnknownZone { .. }),
    ),
    (
        "settings/currency",
        |s| s.settings.currency = "EURO".into(),
        |k| matches!(k, ProblemKind::UnknownCurrency { .. }),
    ),
    (
        "settings/fiscal_year_start_month",
        |s| s.settings.fiscal_year_start_month = 0,
        |k| matches!(k, ProblemKind::OutOfRange { .. }),
    ),
    (
        "settings/trials",
        |s| s.settings.trials = 99,
        |k| {
            matches!(
                k,
                ProblemKind::OutOfRange {
                    low: 100.0,
                    high: 100_000.0,
                    ..
                }
            )
        },
    ),
    (
        "pools/1/id",
        |s| s.pools[0].id = Id(1),
        |k| *k == ProblemKind::DuplicateId { id: Id(1) },
    ),
    (
        "features/1/pool",
        |s| s.features[0].pool = Id(99),
        |k| {
            matches!(
                k,
                ProblemKind::Missing {
                    entity: Entity::Pool,
                    ..
                }
            )
        },
    ),
    (
        "features/1/pool",
        |s| s.features[0].pool = Id(20),
        |k| {
            matches!(
                k,
                ProblemKind::Missing {
                    entity: Entity::Pool,
                    ..
                }
            )
        },
    ),
    (
        "features/1/model",
        |s| s.features[0].model = Id(99),
        |k| {
            matches!(
                k,
                ProblemKind::Missing {
                    entity: Entity::Model,
                    ..
                }
            )
        },
    ),
    (
        "features/1/model",
        |s| s.features[0].model = Id(21),
        |k| matches!(k, ProblemKind::NoServingProfile { .. }),
    ),
    (
        "features/2/model",
        |s| s.features[1].model = Id(20),
        |k| matches!(k, ProblemKind::NoPrice { .. }),
    ),
    (
        "features/2/retire",
        |s| s.features[1].retire = Some(date(2027, 3, 1)),
        |k| matches!(k, ProblemKind::RetiresBeforeLaunch { .. }),
    ),
    (
        "features/2/launch",
        |s| {
            if let Launch::Planned { date: d, .. } = &mut s.features[1].launch {
                *d = date(3000, 1, 1)
            }
        },
        |k| matches!(k, ProblemKind::DateOutOfRange { .. }),
    ),
    (
        "features/2/slip_days",
        |s| {
            if let Launch::Planned { slip_days, .. } = &mut s.features[1].launch {
                *slip_days = Quantity::fixed(-1.0)
            }
        },
        |k| matches!(k, ProblemKind::Quantity(_)),
    ),
    (
        "features/1/time_zone",
        |s| s.features[0].weekly_profile.time_zone = Some("X".into()),
        |k| matches!(k, ProblemKind::UnknownZone { .. }),
    ),
    (
        "features/1/weekly_profile",
        |s| s.features[0].weekly_profile.shape = WeeklyShape::Custom(vec![1.0; 167]),
        |k| matches!(k, ProblemKind::WeightCount { count: 167 }),
    ),
    (
        "features/1/weekly_profile",
        |s| {
            let mut w = vec![1.0; 168];
            w[3] = -1.0;
            s.features[0].weekly_profile.shape = WeeklyShape::Custom(w)
        },
        |k| matches!(k, ProblemKind::BadWeight { hour: 3, .. }),
    ),
    (
        "features/1/weekly_profile",
        |s| s.features[0].weekly_profile.shape = WeeklyShape::Custom(vec![0.0; 168]),
        |k| *k == ProblemKind::NoWeight,
    ),
    (
        "features/1/noise/hour_cv",
        |s| s.features[0].noise.hour_cv = f64::NAN,
        |k| *k == ProblemKind::NotFinite,
    ),
    (
        "features/1/noise/hour_persistence",
        |s| s.features[0].noise.hour_persistence = 1.0,
        |k| matches!(k, ProblemKind::OutOfRange { .. }),
    ),
    (
        "features/1/noise/burstiness",
        |s| s.features[0].noise.burstiness = -0.1,
        |k| matches!(k, ProblemKind::OutOfRange { .. }),
    ),
    (
        "features/1/max_retries",
        |s| s.features[0].max_retries = 21,
        |k| matches!(k, ProblemKind::OutOfRange { .. }),
    ),
    (
        "features/1/requests_per_day",
        |s| s.features[0].requests_per_day = Quantity::fixed(0.0),
        |k| matches!(k, ProblemKind::Quantity(_)),
    ),
    (
        "features/1/requests_per_day",
        |s| s.features[0].requests_per_day = Quantity::fixed(1e13),
        |k| matches!(k, ProblemKind::Quantity(QuantityProblem::TooLarge { .. })),
    ),
    (
        "features/1/requests_per_day",
        |s| {
            s.features[0].requests_per_day = Quantity::fixed(1e12);
            s.features[0].growth_per_month = Quantity::fixed(0.5);
        },
        |k| matches!(k, ProblemKind::TooMuchDemand { .. }),
    ),
    (
        "features/1/input_tokens",
        |s| s.features[0].input_tokens = Quantity::fixed(1e-320).into(),
        |k| matches!(k, ProblemKind::Quantity(QuantityProblem::TooSmall { .. })),
    ),
    (
        "features/2/slip_days",
        |s| {
            let Launch::Planned { slip_days, .. } = &mut s.features[1].launch else {
                return;
            };
            *slip_days = Shape::Normal { mean: 7e3, sd: 2e3 }.into();
        },
        |k| {
            matches!(
                k,
                ProblemKind::Quantity(QuantityProblem::ReachesTooFar { .. })
            )
        },
    ),
    (
        "pools/10/acceptable_chance",
        |s| s.pools[0].acceptable_chance = 1e-320,
        |k| matches!(k, ProblemKind::TooSmall { or_zero: true, .. }),
    ),
    (
        "features/1/calls_per_request",
        |s| {
            s.features[0].calls_per_request = Shape::Between {
                p10: 10.0,
                p90: 2e3,
            }
            .into()
        },
        |k| matches!(k, ProblemKind::TooManyCalls { .. }),
    ),
    (
        "features/1/growth_per_month",
        |s| s.features[0].growth_per_month = Quantity::fixed(3.5),
        |k| matches!(k, ProblemKind::GrowsTooFast { .. }),
    ),
    (
        "features/1/cached_share",
        |s| s.features[0].cached_share = Quantity::fixed(1.1),
        |k| matches!(k, ProblemKind::Quantity(_)),
    ),
    (
        "features/1/input_tokens_level",
        |s| s.features[0].input_tokens.level = Quantity::fixed(0.0),
        |k| matches!(k, ProblemKind::Quantity(_)),
    ),
    (
        "models/20/sequence_tokens_per_second",
        |s| s.models[0].sequence_tokens_per_second = 0.0,
        |k| matches!(k, ProblemKind::NotAbove { .. }),
    ),
    (
        "models/20/ttft_seconds",
        |s| s.models[0].ttft_seconds = f64::INFINITY,
        |k| *k == ProblemKind::NotFinite,
    ),
    (
        "models/21/price/output",
        |s| {
            if let Some(p) = &mut s.models[1].price {
                p.output = -1.0
            }
        },
        |k| matches!(k, ProblemKind::OutOfRange { .. }),
    ),
    (
        "models/20/serving/gpus_per_replica",
        |s| {
            if let Some(p) = &mut s.models[0].serving {
                p.gpus_per_replica = 0
            }
        },
        |k| matches!(k, ProblemKind::OutOfRange { .. }),
    ),
    (
        "models/20/serving/prefill_tokens_per_second",
        |s| {
            if let Some(p) = &mut s.models[0].serving {
                p.prefill_tokens_per_second = 0.0
            }
        },
        |k| matches!(k, ProblemKind::NotAbove { .. }),
    ),
    (
        "pools/10/target_utilisation",
        |s| {
            if let PoolKind::GpuCluster {
                target_utilisation, ..
            } = &mut s.pools[0].kind
            {
                *target_utilisation = 0.0
            }
        },
        |k| matches!(k, ProblemKind::OutOfRange { .. }),
    ),
    (
        "pools/10/burst/max_gpus",
        |s| {
            if let PoolKind::GpuCluster { burst: Some(b), .. } = &mut s.pools[0].kind {
                b.max_gpus = 0
            }
        },
        |k| matches!(k, ProblemKind::OutOfRange { .. }),
    ),
    (
        "pools/11/tokens_per_minute",
        |s| {
            if let PoolKind::PayAsYouGo {
                tokens_per_minute, ..
            } = &mut s.pools[1].kind
            {
                *tokens_per_minute = Some(0.0)
            }
        },
        |k| matches!(k, ProblemKind::NotAbove { .. }),
    ),
    (
        "pools/10/acceptable_chance",
        |s| s.pools[0].acceptable_chance = 1.5,
        |k| matches!(k, ProblemKind::OutOfRange { .. }),
    ),
    (
        "commitments/30/term_months",
        |s| s.commitments[0].term_months = 0,
        |k| matches!(k, ProblemKind::OutOfRange { .. }),
    ),
    (
        "commitments/30/pool",
        |s| {
            if let CommitmentKind::ReservedCapacity { pool, .. } = &mut s.commitments[0].kind {
                *pool = Id(11)
            }
        },
        |k| matches!(k, ProblemKind::NotACluster { .. }),
    ),
    (
        "commitments/30/pool",
        |s| {
            if let CommitmentKind::ReservedCapacity { pool, .. } = &mut s.commitments[0].kind {
                *pool = Id(1)
            }
        },
        |k| matches!(k, ProblemKind::Missing { .. }),
    ),
    (
        "commitments/30/upfront_share",
        |s| {
            if let CommitmentKind::ReservedCapacity { upfront_share, .. } =
                &mut s.commitments[0].kind
            {
                *upfront_share = 1.01
            }
        },
        |k| matches!(k, ProblemKind::OutOfRange { .. }),
    ),
    (
        "commitments/31/discount",
        |s| {
            if let CommitmentKind::SpendCommitment { discount, .. } = &mut s.commitments[1].kind {
                *discount = 1.0
            }
        },
        |k| matches!(k, ProblemKind::NotBelow { .. }),
    ),
    (
        "commitments/31/amount_per_hour",
        |s| {
            if let CommitmentKind::SpendCommitment {
                amount_per_hour, ..
            } = &mut s.commitments[1].kind
            {
                *amount_per_hour = 0.0
            }
        },
        |k| matches!(k, ProblemKind::NotAbove { .. }),
    ),
    (
        "seasons/40/dates",
        |s| s.seasons[0].dates.clear(),
        |k| *k == ProblemKind::NoDates,
    ),
    (
        "seasons/40/dates",
        |s| s.seasons[0].dates[0].last = date(2027, 12, 1),
        |k| matches!(k, ProblemKind::EndsBeforeStart { .. }),
    ),
    (
        "seasons/40/dates",
        |s| {
            s.seasons[0].dates.push(DateRange {
                first: date(2028, 1, 5),
                last: date(2028, 1, 9),
            })
        },
        |k| matches!(k, ProblemKind::DatesOverlap { .. }),
    ),
    (
        "seasons/40/dates",
        |s| s.seasons[0].dates[0].last = date(2029, 1, 5),
        |k| matches!(k, ProblemKind::LongerThanYear { .. }),
    ),
    (
        "seasons/40/touches",
        |s| s.seasons[0].touches = Touches::Only(vec![]),
        |k| *k == ProblemKind::NoFeatures,
    ),
    (
        "seasons/40/touches",
        |s| s.seasons[0].touches = Touches::Only(vec![Id(10)]),
        |k| {
            matches!(
                k,
                ProblemKind::Missing {
                    entity: Entity::Feature,
                    ..
                }
            )
        },
    ),
    (
        "seasons/40/multiplier",
        |s| s.seasons[0].multiplier = Quantity::fixed(-2.0),
        |k| matches!(k, ProblemKind::Quantity(_)),
    ),
    (
        "seasons/40/ramp_in_days",
        |s| s.seasons[0].ramp_in_days = 400,
        |k| matches!(k, ProblemKind::OutOfRange { .. }),
    ),
    (
        "budgets/50/amount",
        |s| s.budgets[0].amount = 0.0,
        |k| matches!(k, ProblemKind::NotAbove { .. }),
    ),
    (
        "budgets/50/spent_before",
        |s| s.budgets[0].spent_before = -1.0,
        |k| matches!(k, ProblemKind::OutOfRange { .. }),
    ),
    (
        "budgets/50/only",
        |s| s.budgets[0].only = Some(date(2028, 1, 1)),
        |k| matches!(k, ProblemKind::OutsideHorizon { .. }),
    ),
    (
        "features/1/requests_per_day",
        |s| {
            for note in s.notes.values_mut() {
                note.owner = "x\u{7}".into()
            }
        },
        |k| *k == ProblemKind::ControlCharacter,
    ),
];

#[test]
fn every_field_says_what_is_wrong_with_it() {
    for (path, change, expected) in CASES {
        let found = kinds(change);
        assert!(
            found.iter().any(|(p, kind)| p == path && expected(kind)),
            "{path}: {found:?}"
        );
    }
}

#[test]
fn a_budget_before_the_horizon_counts_if_its_period_reaches_in() {
    let found = kinds(|s| {
        s.settings.fiscal_year_start_month = 7;
        s.budgets[0].only = Some(date(2026, 8, 1));
    });
    assert_eq!(found, []);
}
