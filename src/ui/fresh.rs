//! New plans and new entities: the values that a person starts from.

use jiff::civil::date;

use super::entities::{is_cluster, month_start};
use crate::domain::gateway::{CapKind, Runaways, SoftAction, SoftLimit};
use crate::domain::quantity::{HighPercentile, Quantity, Shape};
use crate::domain::scenario::{
    Budget, BudgetCost, BudgetPeriod, Burst, Commitment, CommitmentKind, DateRange, Feature, Id,
    Lanes, Launch, Model, Noise, Pool, PoolKind, PriceCard, SCENARIO_FORMAT, Scenario,
    SeasonalWindow, ServingProfile, Settings, SpendBasis, Touches, WeeklyProfile,
};

/// A plan without anything in it.
#[must_use]
pub fn empty_plan() -> Scenario {
    Scenario {
        format: SCENARIO_FORMAT,
        name: String::new(),
        settings: Settings {
            start: date(2027, 1, 1),
            horizon_months: 18,
            time_zone: "UTC".into(),
            currency: "USD".into(),
            fiscal_year_start_month: 1,
            seed: 42,
            trials: 10_000,
        },
        features: vec![],
        models: vec![],
        pools: vec![],
        commitments: vec![],
        seasons: vec![],
        budgets: vec![],
        dependence: Default::default(),
        notes: Default::default(),
    }
}

/// No pool or model: shown as a field that still has to be filled.
pub const NOWHERE: Id = Id(0);

/// A feature that launches after the first quarter, in the plan's first pool.
#[must_use]
pub fn feature(plan: &Scenario, id: Id, name: String) -> Feature {
    let start = plan.settings.start;
    Feature {
        id,
        name,
        pool: plan.pools.first().map_or(NOWHERE, |p| p.id),
        model: plan.models.first().map_or(NOWHERE, |m| m.id),
        launch: Launch::Planned {
            date: month_start(plan, 3).unwrap_or(start),
            slip_days: Shape::Between {
                p10: 0.0,
                p90: 30.0,
            }
            .into(),
            ramp_days: Quantity::fixed(60.0),
        },
        retire: None,
        requests_per_day: Shape::Between {
            p10: 5_000.0,
            p90: 20_000.0,
        }
        .into(),
        growth_per_month: Quantity::fixed(0.0),
        weekly_profile: WeeklyProfile::default(),
        calls_per_request: Quantity::fixed(1.0),
        input_tokens: Quantity::fixed(2_000.0).into(),
        context_growth_tokens: Quantity::fixed(0.0),
        prefix_tokens: Quantity::fixed(0.0),
        cached_share: Quantity::fixed(0.0),
        output_tokens: Quantity::fixed(300.0).into(),
        retry_probability: Quantity::fixed(0.0),
        max_retries: 0,
        token_drift_per_month: Quantity::fixed(0.0),
        tools: Default::default(),
        caps: Default::default(),
        runaways: None,
        noise: Noise::default(),
        by_hour: Default::default(),
        lanes: None,
    }
}

/// Twelve months of eight GPUs in the first cluster; without a cluster, an hourly spend commitment.
#[must_use]
pub fn commitment(plan: &Scenario, id: Id, name: String) -> Commitment {
    let cluster = plan
        .pools
        .iter()
        .map(|p| p.id)
        .find(|p| is_cluster(plan, *p));
    Commitment {
        id,
        name,
        start: plan.settings.start,
        term_months: 12,
        kind: match cluster {
            Some(pool) => reserved(pool),
            None => spend_commitment(),
        },
    }
}

/// GPUs by the hour.
#[must_use]
pub const fn reserved(pool: Id) -> CommitmentKind {
    CommitmentKind::ReservedCapacity {
        pool,
        gpus: 8,
        rate_per_gpu_hour: 2.5,
        upfront_share: 0.0,
    }
}

/// Spend by the hour.
#[must_use]
pub const fn spend_commitment() -> CommitmentKind {
    CommitmentKind::SpendCommitment {
        amount_per_hour: 10.0,
        discount: 0.2,
        basis: SpendBasis::Discounted,
    }
}

/// A pool that may run out in one month of ten.
#[must_use]
pub const fn pool(id: Id, name: String, kind: PoolKind) -> Pool {
    Pool {
        id,
        name,
        acceptable_chance: 0.1,
        kind,
    }
}

/// A cluster that bursts: what is needed beyond its contracts costs something from the first answer on.
#[must_use]
pub const fn gpu_cluster() -> PoolKind {
    PoolKind::GpuCluster {
        target_utilisation: 0.7,
        on_demand_rate_per_gpu_hour: 4.0,
        burst: Some(Burst {
            max_gpus: 64,
            rate_per_gpu_hour: 4.0,
        }),
    }
}

/// A key without limits.
#[must_use]
pub const fn pay_as_you_go() -> PoolKind {
    PoolKind::PayAsYouGo {
        tokens_per_minute: None,
        requests_per_minute: None,
        cached_reads_count: false,
    }
}

/// Starting prices.
#[must_use]
pub const fn price() -> PriceCard {
    PriceCard {
        uncached_input: 2.5,
        cached_read: 0.25,
        output: 10.0,
    }
}

/// A starting serving profile.
#[must_use]
pub const fn serving() -> ServingProfile {
    ServingProfile {
        gpus_per_replica: 4,
        prefill_tokens_per_second: 20_000.0,
        decode_tokens_per_second: 2_500.0,
        concurrent_sequences: 64,
        minimum_replicas: 1,
    }
}

/// Starting runaways: rare, and found over a weekend.
#[must_use]
pub fn runaways() -> Runaways {
    Runaways {
        per_million_requests: Shape::Between { p10: 0.1, p90: 2.0 }.into(),
        tokens_per_hour: Shape::Between {
            p10: 1_000_000.0,
            p90: 5_000_000.0,
        }
        .into(),
        hours_until_found: Shape::FewAreLarge {
            p50: 20.0,
            percentile: HighPercentile::P95,
            high: 260.0,
        }
        .into(),
    }
}

/// A starting soft limit.
#[must_use]
pub const fn soft_limit() -> SoftLimit {
    SoftLimit {
        of: CapKind::Tokens,
        at: 0.8,
        then: SoftAction::OneMoreCall,
    }
}

/// Lanes to begin with: nothing sent wrong, a threshold that a person can read, and long requests in another pool, else
/// with another model, that can take them. Where there is none they stay where the others are.
#[must_use]
pub fn lanes(plan: &Scenario, feature: Id) -> Option<Lanes> {
    let f = plan.features.iter().find(|f| f.id == feature)?;
    let runs = |pool: &Pool, model: &Model| match pool.kind {
        PoolKind::GpuCluster { .. } => model.serving.is_some(),
        PoolKind::PayAsYouGo { .. } => model.price.is_some(),
    };
    let own = (f.pool, f.model);
    let mut places: Vec<(Id, Id)> = plan
        .pools
        .iter()
        .flat_map(|pool| plan.models.iter().map(move |model| (pool, model)))
        .filter(|(pool, model)| runs(pool, model))
        .map(|(pool, model)| (pool.id, model.id))
        .filter(|place| *place != own)
        .collect();
    places.sort_by_key(|(pool, model)| (*pool == f.pool, *model != f.model));
    let (pool, model) = places.first().copied().unwrap_or(own);
    Some(Lanes {
        threshold_tokens: 4_000.0,
        pool,
        model,
        misrouted_short: Quantity::fixed(0.0),
        misrouted_long: Quantity::fixed(0.0),
        triage_cost_per_request: 0.0,
    })
}

/// A model that can run anywhere.
#[must_use]
pub const fn model(id: Id, name: String) -> Model {
    Model {
        id,
        name,
        ttft_seconds: 0.5,
        sequence_tokens_per_second: 50.0,
        context_window_tokens: None,
        price: Some(price()),
        serving: Some(serving()),
    }
}

/// Two weeks in the second quarter that lift all demand a little.
#[must_use]
pub fn season(plan: &Scenario, id: Id, name: String) -> SeasonalWindow {
    let first = month_start(plan, 4).unwrap_or(plan.settings.start);
    let last = first.checked_add(jiff::ToSpan::days(13)).unwrap_or(first);
    SeasonalWindow {
        id,
        name,
        dates: vec![DateRange { first, last }],
        yearly: true,
        multiplier: Shape::Between { p10: 1.1, p90: 1.4 }.into(),
        ramp_in_days: 0,
        ramp_out_days: 0,
        touches: Touches::All,
    }
}

/// A yearly budget.
#[must_use]
pub const fn budget(id: Id, name: String) -> Budget {
    Budget {
        id,
        name,
        period: BudgetPeriod::Year,
        only: None,
        amount: 1_000_000.0,
        cost: BudgetCost::Effective,
        spent_before: 0.0,
        acceptable_chance: 0.1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::entities::{Section, add};

    #[test]
    fn long_requests_begin_elsewhere_where_there_is_an_elsewhere() {
        let mut plan = empty_plan();
        plan.name = "P".into();
        let own_pool = add(&mut plan, Section::Pools, "Pool");
        let own_model = add(&mut plan, Section::Models, "Model");
        let f = add(&mut plan, Section::Features, "Feature");
        let place = |plan: &Scenario| lanes(plan, f).map(|l| (l.pool, l.model));
        assert_eq!(place(&plan), Some((own_pool, own_model)), "nowhere else");
        let other_model = add(&mut plan, Section::Models, "Model");
        assert_eq!(place(&plan), Some((own_pool, other_model)), "another model");
        let key = add(&mut plan, Section::Pools, "Key");
        plan.pools[1].kind = pay_as_you_go();
        assert_eq!(place(&plan), Some((key, own_model)), "another pool first");
        plan.models[0].price = None;
        assert_eq!(
            place(&plan),
            Some((key, other_model)),
            "a model that runs there"
        );
        plan.features[0].lanes = lanes(&plan, f);
        assert_eq!(plan.problems(), [], "what is proposed can be run");
        assert_eq!(lanes(&plan, key), None, "no feature, no lanes");
    }
}
