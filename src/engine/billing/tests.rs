use jiff::{ToSpan, civil::date};
use proptest::prelude::*;

use super::*;
use crate::domain::scenario::{Burst, Commitment, Pool, SCENARIO_FORMAT, Settings};

/// 2028-01-01 for `months`, UTC: 31, 29, 31, 30 … days.
fn scenario(months: u32, pools: Vec<Pool>, commitments: Vec<Commitment>) -> Scenario {
    Scenario {
        format: SCENARIO_FORMAT,
        name: String::new(),
        settings: Settings {
            start: date(2028, 1, 1),
            horizon_months: months,
            time_zone: "UTC".into(),
            currency: "USD".into(),
            fiscal_year_start_month: 1,
            seed: 1,
            trials: 100,
        },
        features: vec![],
        models: vec![],
        pools,
        commitments,
        seasons: vec![],
        budgets: vec![],
        dependence: Default::default(),
        notes: std::collections::BTreeMap::new(),
    }
}

fn hour_of(day: Date) -> i64 {
    i64::from((day - date(2028, 1, 1)).get_days()) * 24
}

fn billing(scenario: &Scenario, features: usize) -> Billing {
    let months = scenario.settings.horizon_months;
    let layout = Layout {
        months: months as usize,
        features,
        lanes: 0,
        pools: scenario.pools.len(),
        limits: 0,
        commitments: scenario.commitments.len(),
        inputs: 0,
    };
    let month_start: Vec<u32> = (0..=months)
        .map(|m| hour_of(date(2028, 1, 1).saturating_add(i64::from(m).months())) as u32)
        .collect();
    Billing::new(scenario, layout, &month_start, &hour_of)
}

fn cluster(burst: Option<Burst>) -> Pool {
    Pool {
        id: Id(1),
        name: String::new(),
        acceptable_chance: 0.1,
        kind: PoolKind::GpuCluster {
            target_utilisation: 0.7,
            on_demand_rate_per_gpu_hour: 4.0,
            burst,
        },
    }
}

fn reserved(
    id: u32,
    start: Date,
    term_months: u32,
    gpus: u32,
    rate: f64,
    upfront_share: f64,
) -> Commitment {
    Commitment {
        id: Id(id),
        name: String::new(),
        start,
        term_months,
        kind: CommitmentKind::ReservedCapacity {
            pool: Id(1),
            gpus,
            rate_per_gpu_hour: rate,
            upfront_share,
        },
    }
}

fn spend(
    id: u32,
    start: Date,
    term_months: u32,
    amount_per_hour: f64,
    discount: f64,
) -> Commitment {
    Commitment {
        id: Id(id),
        name: String::new(),
        start,
        term_months,
        kind: CommitmentKind::SpendCommitment {
            amount_per_hour,
            discount,
            basis: SpendBasis::Discounted,
        },
    }
}

/// Totals of a month: effective, billed, list, contracted.
fn totals(billing: &Billing, row: &[f64], month: usize) -> [f64; 4] {
    [
        TotalMoney::Effective,
        TotalMoney::Billed,
        TotalMoney::List,
        TotalMoney::Contracted,
    ]
    .map(|t| row[billing.layout.total_money(t) + month])
}

/// Used, unused, billed of a contract in a month.
fn contract(billing: &Billing, row: &[f64], entry: usize, month: usize) -> [f64; 3] {
    [
        CommitmentMoney::Used,
        CommitmentMoney::Unused,
        CommitmentMoney::Billed,
    ]
    .map(|c| row[billing.layout.commitment_money(entry, c) + month])
}

/// How the engine uses it: one trial of one month, two features on a key and one on a cluster.
#[test]
fn a_month_of_a_trial() {
    let key = Pool {
        id: Id(2),
        name: String::new(),
        acceptable_chance: 0.1,
        kind: PoolKind::PayAsYouGo {
            tokens_per_minute: None,
            requests_per_minute: None,
            cached_reads_count: false,
        },
    };
    let plan = scenario(
        1,
        vec![
            cluster(Some(Burst {
                max_gpus: 2,
                rate_per_gpu_hour: 5.0,
            })),
            key,
        ],
        vec![
            reserved(3, date(2028, 1, 1), 12, 8, 2.0, 0.0),
            spend(4, date(2027, 7, 1), 12, 7.0, 0.3),
        ],
    );
    let billing = billing(&plan, 3);
    let hours = 744;
    let mut row = vec![0.0; billing.layout.money_width()];
    let mut money = MoneyRow::new(billing.layout, &mut row);
    billing.start_trial(&mut money);

    // feature 0 spends 10 an hour at list, feature 1 spends 6
    let (a, b) = (vec![10.0; hours], vec![6.0; hours]);
    let list: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    let (mut rest, mut cost) = (vec![0.0; hours], vec![0.0; hours]);
    billing.spend_month(0, &list, &mut rest, &mut cost, &mut money);
    money.add_feature(0, 0, allocate(&a, &cost));
    money.add_feature(1, 0, allocate(&b, &cost));

    // feature 2 works 4 GPU-hours an hour, for which 11 GPUs are needed: 8 reserved, 2 added, 1 missing
    let (needed, work) = (vec![11.0_f32; hours], vec![4.0_f32; hours]);
    let at_cluster = billing.cluster(0).expect("a cluster");
    let month = billing.cluster_month(at_cluster, 0, &needed, &work, &mut cost, &mut money);
    money.add_feature(2, 0, allocate(&work, &cost));

    let h = hours as f64;
    assert_eq!(rest[0], 6.0);
    assert_eq!(month.burst_gpu_hours, 2.0 * h);
    let feature = |f: usize| row[billing.layout.feature_money(f)];
    assert!((feature(0) - 8.125 * h).abs() < 1e-9);
    assert!((feature(1) - 4.875 * h).abs() < 1e-9);
    assert!((feature(2) - (16.0 + 10.0) * h).abs() < 1e-9);
    assert_eq!(contract(&billing, &row, 0, 0), [16.0 * h, 0.0, 16.0 * h]);
    assert_eq!(contract(&billing, &row, 1, 0), [7.0 * h, 0.0, 7.0 * h]);
    assert_eq!(
        row[billing.layout.pool_money(0, PoolMoney::Burst)],
        10.0 * h
    );
    // list: 16 by use, 8 GPUs at 4 on demand, burst at what it costs
    assert_eq!(
        totals(&billing, &row, 0),
        [39.0 * h, 39.0 * h, 58.0 * h, 58.0 * h]
    );
}

#[test]
fn an_hour_without_work_uses_nothing() {
    let plan = scenario(
        1,
        vec![cluster(None)],
        vec![reserved(3, date(2028, 1, 1), 12, 8, 2.0, 0.0)],
    );
    let billing = billing(&plan, 0);
    let mut row = vec![0.0; billing.layout.money_width()];
    let mut money = MoneyRow::new(billing.layout, &mut row);
    billing.start_trial(&mut money);
    // a minimum replica runs, but nobody sends a request
    let mut work = vec![0.0; 744];
    work[7] = 0.5;
    let mut cost = vec![f64::NAN; 744];
    billing.cluster_month(
        &billing.clusters[0],
        0,
        &vec![4.0; 744],
        &work,
        &mut cost,
        &mut money,
    );
    assert_eq!(cost[6], 0.0);
    assert_eq!(cost[7], 4.0 * 2.0 / 0.5);
    assert_eq!(
        contract(&billing, &row, 0, 0),
        [8.0, 744.0 * 16.0 - 8.0, 744.0 * 16.0]
    );
}

#[test]
fn the_cheaper_reservation_is_used_first() {
    let plan = scenario(
        1,
        vec![cluster(None)],
        vec![
            reserved(3, date(2028, 1, 1), 12, 8, 3.0, 0.0),
            reserved(4, date(2028, 1, 11), 12, 8, 2.0, 0.0),
        ],
    );
    let billing = billing(&plan, 0);
    assert_eq!(billing.clusters[0].committed(239), 8.0);
    assert_eq!(billing.clusters[0].committed(240), 16.0);
    assert_eq!(billing.clusters[0].committed(744), 0.0);
    assert_eq!(billing.clusters[0].lowest_committed(0, 744), 8.0);
    assert_eq!(billing.clusters[0].lowest_committed(240, 744), 16.0);
    let mut row = vec![0.0; billing.layout.money_width()];
    let mut money = MoneyRow::new(billing.layout, &mut row);
    billing.start_trial(&mut money);
    let mut cost = vec![0.0; 744];
    billing.cluster_month(
        &billing.clusters[0],
        0,
        &vec![10.0; 744],
        &vec![1.0; 744],
        &mut cost,
        &mut money,
    );
    assert_eq!(cost[0], 24.0);
    assert_eq!(cost[240], 16.0 + 6.0);
    assert_eq!(
        contract(&billing, &row, 0, 0)[0],
        24.0 * 240.0 + 6.0 * 504.0
    );
    assert_eq!(
        contract(&billing, &row, 1, 0),
        [16.0 * 504.0, 0.0, 16.0 * 504.0]
    );
}

#[test]
fn a_contract_that_began_before_keeps_its_amortisation() {
    let plan = scenario(
        2,
        vec![cluster(None)],
        vec![
            reserved(3, date(2027, 2, 15), 12, 1, 10.0, 0.4), // ends on 15 February 2028
            reserved(4, date(2028, 2, 1), 24, 1, 10.0, 1.0), // all upfront, runs beyond the horizon
            reserved(5, date(2028, 3, 1), 12, 1, 10.0, 1.0), // begins after the horizon
        ],
    );
    let billing = billing(&plan, 0);
    assert_eq!(
        billing.invoices[..2],
        [0.6 * 10.0 * 744.0, 0.6 * 10.0 * 336.0]
    );
    let hours = f64::from(hour_of(date(2030, 2, 1)) as u32 - 744);
    assert_eq!(billing.invoices[2..], [0.0, 10.0 * hours, 0.0, 0.0]);
    let mut row = vec![0.0; billing.layout.money_width()];
    let mut money = MoneyRow::new(billing.layout, &mut row);
    billing.start_trial(&mut money);
    for (month, hours) in [744, 696].into_iter().enumerate() {
        let (idle, mut cost) = (vec![0.0; hours], vec![0.0; hours]);
        billing.cluster_month(
            &billing.clusters[0],
            month,
            &idle,
            &idle,
            &mut cost,
            &mut money,
        );
    }
    assert_eq!(contract(&billing, &row, 0, 0)[1], 7440.0);
    assert_eq!(contract(&billing, &row, 0, 1)[1], 3360.0);
    assert_eq!(contract(&billing, &row, 1, 1)[1], 6960.0);
    assert_eq!(contract(&billing, &row, 2, 1), [0.0; 3]);
}

proptest! {
    /// Over its whole life a contract's used and unused parts are what it billed, and nothing is negative.
    #[test]
    fn effective_is_billed_over_a_life(
        term in 1_u32..6, day in 0_i64..28, gpus in 1_u32..20, rate in 0.1..9.0_f64, upfront in 0.0..=1.0_f64,
        amount in 0.0..50.0_f64, discount in 0.0..0.9_f64,
        use_of in prop::collection::vec((0.0..60.0_f64, 0.0..30.0_f64), 6 * 31 * 24),
    ) {
        let start = date(2028, 1, 1).saturating_add(day.days());
        let plan = scenario(6, vec![cluster(None)], vec![
            reserved(3, start, term, gpus, rate, upfront),
            spend(4, start, term, amount, discount),
        ]);
        let billing = billing(&plan, 0);
        let mut row = vec![0.0; billing.layout.money_width()];
        let mut money = MoneyRow::new(billing.layout, &mut row);
        billing.start_trial(&mut money);
        for month in 0..6 {
            let hours = billing.month_start[month] as usize..billing.month_start[month + 1] as usize;
            let list: Vec<f64> = use_of[hours.clone()].iter().map(|u| u.0).collect();
            let needed: Vec<f64> = use_of[hours.clone()].iter().map(|u| u.1.trunc()).collect();
            let (mut rest, mut cost) = (vec![0.0; hours.len()], vec![0.0; hours.len()]);
            billing.spend_month(month, &list, &mut rest, &mut cost, &mut money);
            for ((rest, cost), list) in rest.iter().zip(&cost).zip(&list) {
                prop_assert!(*rest >= 0.0 && rest <= list && *cost >= 0.0 && *cost <= 1.0 + 1e-12);
            }
            billing.cluster_month(&billing.clusters[0], month, &needed, &needed, &mut cost, &mut money);
        }
        prop_assert!(row.iter().all(|x| *x >= 0.0));
        for entry in 0..2 {
            let (mut effective, mut billed) = (0.0, 0.0);
            for month in 0..6 {
                let [used, unused, invoice] = contract(&billing, &row, entry, month);
                effective += used + unused;
                billed += invoice;
            }
            prop_assert!((effective - billed).abs() <= 1e-9 * (1.0 + billed), "{effective} {billed}");
        }
    }
}
