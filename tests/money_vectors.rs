//! The worked cases of tests/data/vectors/money.json, as they are.

use headroom::domain::calendar::{Grid, term_end};
use headroom::domain::money;
use headroom::domain::scenario::{
    Commitment, CommitmentKind, Id, Pool, PoolKind, SCENARIO_FORMAT, Scenario, Settings, SpendBasis,
};
use headroom::engine::billing::{Billing, Charge, MoneyRow, SpendContract, allocate};
use headroom::engine::columns::{CommitmentMoney, Layout, PoolMoney, TotalMoney};
use headroom::engine::plan::compile;
use headroom::engine::run::{Cache, Simulator};
use headroom::engine::statistics;
use jiff::civil::Date;
use serde_json::Value;

/// Cases of things that a scenario cannot say yet: provisioned units, long-context prices, volume tiers, period
/// commitments, fiscal weeks.
const LATER: [&str; 5] = ["ptu", "call", "tiers", "period", "fiscal"];

fn cases() -> Vec<Value> {
    serde_json::from_str(include_str!("data/vectors/money.json")).expect("the file of cases")
}

/// A number, also one written as text.
fn number(v: &Value) -> f64 {
    v.as_f64()
        .or_else(|| v.as_str()?.parse().ok())
        .unwrap_or_else(|| panic!("{v} is no number"))
}

fn numbers(v: &Value) -> Vec<f64> {
    v.as_array().expect("a list").iter().map(number).collect()
}

fn day(v: &Value) -> Date {
    let text = v.as_str().expect("a date");
    let text = if text.len() == 7 {
        format!("{text}-01")
    } else {
        text.to_owned()
    };
    text.parse().expect("a date")
}

fn close(found: f64, expected: f64, what: &str) {
    assert!(
        (found - expected).abs() <= 1e-9 * (1.0 + expected.abs()),
        "{what}: {found}, expected {expected}"
    );
}

fn scenario(
    start: Date,
    months: u32,
    zone: &Value,
    pools: Vec<Pool>,
    commitments: Vec<Commitment>,
) -> (Scenario, Grid) {
    let scenario = Scenario {
        format: SCENARIO_FORMAT,
        name: String::new(),
        settings: Settings {
            start,
            horizon_months: months,
            time_zone: zone.as_str().unwrap_or("UTC").to_owned(),
            currency: "USD".to_owned(),
            fiscal_year_start_month: 1,
            seed: 1,
            trials: 100,
        },
        features: Vec::new(),
        models: Vec::new(),
        pools,
        commitments,
        seasons: Vec::new(),
        budgets: Vec::new(),
        dependence: Default::default(),
        notes: std::collections::BTreeMap::new(),
    };
    let grid = Grid::new(&scenario.settings).expect("a grid");
    (scenario, grid)
}

fn billing(scenario: &Scenario, grid: &Grid, features: usize) -> Billing {
    let layout = Layout {
        months: grid.months.len(),
        features,
        lanes: 0,
        pools: scenario.pools.len(),
        limits: 0,
        commitments: scenario.commitments.len(),
        inputs: 0,
    };
    Billing::new(scenario, layout, &grid.month_start, &|day| {
        grid.hour_of(day)
    })
}

fn contracts(v: &Value) -> Vec<SpendContract> {
    (0..)
        .zip(v.as_array().expect("commitments"))
        .map(|(entry, c)| {
            let basis = if c["basis"] == "list" {
                SpendBasis::List
            } else {
                SpendBasis::Discounted
            };
            SpendContract::new(entry, 0, 1, number(&c["C"]), number(&c["d"]), basis)
        })
        .collect()
}

/// One hour of spend commitments through the same code as a month.
fn spend_hour(contracts: Vec<SpendContract>, list: f64) -> (Billing, Vec<f64>, f64, f64) {
    let (scenario, grid) = scenario(
        jiff::civil::date(2027, 1, 1),
        1,
        &Value::Null,
        Vec::new(),
        Vec::new(),
    );
    let mut billing = billing(&scenario, &grid, 0);
    billing.layout.commitments = contracts.len();
    billing.spend = contracts;
    billing.spend.sort_by(|a, b| a.keep.total_cmp(&b.keep));
    let mut row = vec![0.0; billing.layout.money_width()];
    let (mut rest, mut cost) = ([0.0], [0.0]);
    billing.spend_month(
        0,
        &[list],
        &mut rest,
        &mut cost,
        &mut MoneyRow::new(billing.layout, &mut row),
    );
    (billing, row, rest[0], cost[0])
}

fn check(case: &Value) {
    let (id, op) = (
        case["id"].as_str().expect("id"),
        case["op"].as_str().expect("op"),
    );
    let (input, expected) = (&case["input"], &case["expected"]);
    match op {
        "month_hours" => {
            let (_, grid) = scenario(
                day(&input["month"]),
                1,
                &input["zone"],
                Vec::new(),
                Vec::new(),
            );
            close(f64::from(grid.hours), number(expected), id);
            close(f64::from(grid.months[0].hours), number(expected), id);
        }
        "day_hours" => {
            let first = day(&input["day"]);
            let (_, grid) = scenario(
                first.first_of_month(),
                1,
                &input["zone"],
                Vec::new(),
                Vec::new(),
            );
            close(grid.day_hours(first) as f64, number(expected), id);
        }
        "term" => {
            let start = day(&input["start"]);
            let end = term_end(start, number(&input["months"]) as u32);
            let (_, grid) = scenario(
                start.first_of_month(),
                1,
                &input["zone"],
                Vec::new(),
                Vec::new(),
            );
            let hours = grid.hour_of(end) - grid.hour_of(start);
            let found = serde_json::json!([[start.to_string(), end.to_string(), hours]]);
            assert_eq!(&found, expected, "{id}");
        }
        "reserved_month" => reserved_month(id, input, expected),
        "spend_hour" => {
            let meter = &input["meters"][0];
            let list = number(&meter["list"]);
            let (billing, row, rest, cost) = spend_hour(contracts(&input["commitments"]), list);
            for (at, c) in input["commitments"]
                .as_array()
                .expect("list")
                .iter()
                .enumerate()
            {
                let name = c["id"].as_str().expect("id");
                let of = |which| row[billing.layout.commitment_money(at, which)];
                close(
                    of(CommitmentMoney::Used),
                    number(&expected["used"][name]),
                    id,
                );
                close(
                    of(CommitmentMoney::Unused),
                    number(&expected["unused"][name]),
                    id,
                );
            }
            close(
                rest,
                number(&expected["rest"][meter["id"].as_str().expect("id")]),
                id,
            );
            let total = row[billing.layout.total_money(TotalMoney::Effective)];
            close(total, number(&expected["total"]), id);
            let unused: f64 = (0..billing.layout.commitments)
                .map(|at| row[billing.layout.commitment_money(at, CommitmentMoney::Unused)])
                .sum();
            close(cost * list + unused, total, id);
        }
        "spend_hours" => {
            let contract = SpendContract::new(
                0,
                0,
                2,
                number(&input["C"]),
                number(&input["d"]),
                SpendBasis::Discounted,
            );
            let mut sum = 0.0;
            for (at, list) in numbers(&input["lists"]).into_iter().enumerate() {
                let (billing, row, ..) = spend_hour(vec![contract.clone()], list);
                let total = row[billing.layout.total_money(TotalMoney::Effective)];
                let unused = row[billing.layout.commitment_money(0, CommitmentMoney::Unused)];
                close(unused, number(&expected["unused"][at]), id);
                close(total, number(&expected["totals"][at]), id);
                sum += total;
            }
            close(sum, number(&expected["sum"]), id);
        }
        "focus_hour" => {
            let contract = SpendContract::new(
                0,
                0,
                1,
                number(&input["C"]),
                number(&input["d"]),
                SpendBasis::Discounted,
            );
            let served = contract.serve(number(&input["list"]));
            let rows = [
                Charge::Purchase(contract.fee),
                Charge::Used {
                    effective: served.used,
                    list: served.covered,
                },
                Charge::Unused(served.unused),
            ];
            for (charge, row) in rows.iter().zip(expected.as_array().expect("rows")) {
                let costs = charge.costs();
                for (found, at) in [costs.billed, costs.effective, costs.list, costs.contracted]
                    .into_iter()
                    .zip(2..)
                {
                    close(found, number(&row[at]), id);
                }
            }
        }
        "bill" => bill(id, input, expected),
        "round" => {
            for (value, text) in input["values"]
                .as_array()
                .expect("values")
                .iter()
                .zip(expected.as_array().expect("texts"))
            {
                let currency = value[0].as_str().expect("currency");
                assert_eq!(
                    Value::from(money::to_decimal_string(number(&value[1]), currency)),
                    *text,
                    "{id}"
                );
            }
        }
        "largest_remainder" => {
            let currency = input["currency"].as_str().expect("currency");
            let (total, rows) = money::largest_remainder(&numbers(&input["rows"]), currency);
            assert_eq!(
                serde_json::json!({"total": total, "rows": rows}),
                *expected,
                "{id}"
            );
        }
        "quantile" => {
            let mut values = numbers(&input["values"]);
            values.sort_by(f64::total_cmp);
            let found: Vec<f64> = numbers(&input["permille"])
                .iter()
                .map(|p| statistics::quantile(&values, *p as u32))
                .collect();
            assert_eq!(found, numbers(expected), "{id}");
        }
        "order_interval" => {
            let permille = (number(&input["p"]) * 1000.0).round() as u32;
            let (low, high) = statistics::order_interval(number(&input["n"]) as usize, permille);
            assert_eq!(serde_json::json!([low, high]), *expected, "{id}");
        }
        "wilson" => {
            let (low, high) =
                statistics::wilson(number(&input["k"]) as u32, number(&input["n"]) as u32);
            for (found, expected) in [low, high].into_iter().zip(numbers(expected)) {
                assert!(
                    (found - expected).abs() < 5e-8,
                    "{id}: {found}, expected {expected}"
                );
            }
        }
        "cvar95" => {
            let mut values = numbers(&input["values"]);
            values.sort_by(f64::total_cmp);
            close(statistics::cvar95(&values), number(expected), id);
        }
        "closed_form" => closed_form(id, input, expected),
        other => panic!("nobody knows how to check {other}"),
    }
}

fn reserved_month(id: &str, input: &Value, expected: &Value) {
    let start = day(&input["start"]);
    let months = number(&input["months"]) as u32;
    let pool = Pool {
        id: Id(1),
        name: String::new(),
        acceptable_chance: 0.1,
        kind: PoolKind::GpuCluster {
            target_utilisation: 1.0,
            on_demand_rate_per_gpu_hour: 20.0,
            burst: None,
        },
    };
    let commitment = Commitment {
        id: Id(2),
        name: String::new(),
        start,
        term_months: months,
        kind: CommitmentKind::ReservedCapacity {
            pool: Id(1),
            gpus: number(&input["qty"]) as u32,
            rate_per_gpu_hour: number(&input["rate"]),
            upfront_share: number(&input["upfront"]),
        },
    };
    let (scenario, grid) = scenario(start, months, &input["zone"], vec![pool], vec![commitment]);
    let billing = billing(&scenario, &grid, 0);
    let mut row = vec![0.0; billing.layout.money_width()];
    let mut money = MoneyRow::new(billing.layout, &mut row);
    billing.start_trial(&mut money);
    for month in 0..grid.months.len() {
        // half of the hours are worked in: what is effective does not depend on use
        let hours = grid.months[month].hours as usize;
        let work: Vec<f64> = (0..hours).map(|h| (h % 2) as f64).collect();
        let mut cost = vec![0.0; hours];
        billing.cluster_month(
            &billing.clusters[0],
            month,
            &work,
            &work,
            &mut cost,
            &mut money,
        );
    }
    for shown in input["show"].as_array().expect("months") {
        let month = grid.month_of_day(day(shown)).expect("inside");
        let at = |which| row[billing.layout.commitment_money(0, which) + month];
        let both = numbers(&expected[shown.as_str().expect("a month")]);
        close(at(CommitmentMoney::Billed), both[0], id);
        close(
            at(CommitmentMoney::Used) + at(CommitmentMoney::Unused),
            both[1],
            id,
        );
        let total = |which| row[billing.layout.total_money(which) + month];
        close(total(TotalMoney::Billed), both[0], id);
        close(total(TotalMoney::Effective), both[1], id);
    }
}

fn bill(id: &str, input: &Value, expected: &Value) {
    let plan = &input["scenario"];
    let contracts = plan["spend"].as_array().expect("contracts");
    let commitments = (1..)
        .zip(contracts)
        .map(|(at, c)| Commitment {
            id: Id(at),
            name: String::new(),
            start: day(&c["start"]),
            term_months: number(&c["months"]) as u32,
            kind: CommitmentKind::SpendCommitment {
                amount_per_hour: number(&c["C"]),
                discount: number(&c["d"]),
                basis: SpendBasis::Discounted,
            },
        })
        .collect();
    let features = plan["features"].as_object().expect("features");
    let (scenario, grid) = scenario(
        day(&plan["start"]),
        number(&plan["months"]) as u32,
        &Value::Null,
        Vec::new(),
        commitments,
    );
    let billing = billing(&scenario, &grid, features.len());
    let mut row = vec![0.0; billing.layout.money_width()];
    let mut money = MoneyRow::new(billing.layout, &mut row);
    billing.start_trial(&mut money);
    let hours = grid.hours as usize;
    let rates: Vec<f64> = features.values().map(|f| number(&f["m"])).collect();
    let list = vec![rates.iter().sum(); hours];
    let (mut rest, mut cost) = (vec![0.0; hours], vec![0.0; hours]);
    billing.spend_month(0, &list, &mut rest, &mut cost, &mut money);
    for (feature, rate) in rates.iter().enumerate() {
        money.add_feature(feature, 0, allocate(&vec![*rate; hours], &cost));
    }
    for (which, name) in [
        (TotalMoney::List, "list"),
        (TotalMoney::Contracted, "contracted"),
        (TotalMoney::Effective, "effective"),
        (TotalMoney::Billed, "billed"),
    ] {
        close(
            row[billing.layout.total_money(which)],
            number(&expected[name]),
            id,
        );
    }
    for (at, name) in features.keys().enumerate() {
        close(
            row[billing.layout.feature_money(at)],
            number(&expected["features"][name]),
            id,
        );
    }
    for (at, c) in contracts.iter().enumerate() {
        let name = c["id"].as_str().expect("id");
        let of = |which| row[billing.layout.commitment_money(at, which)];
        close(
            of(CommitmentMoney::Used),
            number(&expected["used"][name]),
            id,
        );
        close(
            of(CommitmentMoney::Unused),
            number(&expected["unused"][name]),
            id,
        );
    }
}

/// The cheapest covered list cost per hour is where the share of hours above it falls to what is paid.
fn closed_form(id: &str, input: &Value, expected: &Value) {
    let loads = numbers(&input["loads"]);
    let pay = number(&input["pay"]);
    let cost = |covers: f64| -> f64 {
        let contract = SpendContract::new(0, 0, 1, covers * pay, 1.0 - pay, SpendBasis::Discounted);
        loads
            .iter()
            .map(|list| {
                let (billing, row, ..) = spend_hour(vec![contract.clone()], *list);
                row[billing.layout.total_money(TotalMoney::Effective)]
            })
            .sum::<f64>()
            / loads.len() as f64
    };
    let sizes: Vec<f64> = (0..=20).map(|half| f64::from(half) / 2.0).collect();
    let least = sizes.iter().map(|s| cost(*s)).fold(f64::INFINITY, f64::min);
    let best: Vec<f64> = sizes
        .into_iter()
        .filter(|s| cost(*s) < least + 1e-9)
        .collect();
    close(best[0], number(&expected["lo"]), id);
    close(best[best.len() - 1], number(&expected["hi"]), id);
    close(least, 5.05, id);
}

#[test]
fn the_worked_cases() {
    let mut checked = 0;
    for case in cases() {
        if !LATER.contains(&case["op"].as_str().expect("op")) {
            check(&case);
            checked += 1;
        }
    }
    assert_eq!((checked, cases().len()), (21, 27));
}

/// In every trial and month of every story: features and unused parts make up the effective cost, contracts make up
/// the difference between billed and effective, and each contract costs what it costs, used or not.
#[test]
fn rows_of_a_trial_add_up() {
    for story in headroom::stories::all() {
        let plan = compile(&story.scenario()).expect("a valid story");
        let layout = plan.layout;
        let batch = Simulator::new(&plan, &mut Cache::default()).simulate(0, 5);
        for row in batch.money.chunks(layout.money_width()) {
            for month in 0..layout.months {
                let total = |which| row[layout.total_money(which) + month];
                let of = |entry, which| row[layout.commitment_money(entry, which) + month];
                let features: f64 = (0..layout.features)
                    .map(|f| row[layout.feature_money(f) + month])
                    .sum();
                let burst: f64 = (0..layout.pools)
                    .map(|p| row[layout.pool_money(p, PoolMoney::Burst) + month])
                    .sum();
                let (mut used, mut unused, mut billed) = (0.0, 0.0, 0.0);
                for (entry, commitment) in story.scenario().commitments.iter().enumerate() {
                    used += of(entry, CommitmentMoney::Used);
                    unused += of(entry, CommitmentMoney::Unused);
                    billed += of(entry, CommitmentMoney::Billed);
                    if let CommitmentKind::ReservedCapacity {
                        gpus,
                        rate_per_gpu_hour,
                        ..
                    } = commitment.kind
                    {
                        let hours: f64 = plan
                            .billing
                            .clusters
                            .iter()
                            .flat_map(|c| &c.segments)
                            .map(|s| {
                                let first = s.first.max(plan.month_start[month]);
                                let end = s.end.min(plan.month_start[month + 1]);
                                let holds = s.reserved.iter().any(|r| r.entry as usize == entry);
                                if holds {
                                    f64::from(end.saturating_sub(first))
                                } else {
                                    0.0
                                }
                            })
                            .sum();
                        close(
                            of(entry, CommitmentMoney::Used) + of(entry, CommitmentMoney::Unused),
                            f64::from(gpus) * rate_per_gpu_hour * hours,
                            "a reservation costs its rate in every hour",
                        );
                    }
                }
                let effective = total(TotalMoney::Effective);
                let apart = effective - features - unused;
                assert!(
                    apart >= -1e-6 * (1.0 + effective) && apart <= burst + 1e-6 * (1.0 + effective),
                    "{}: {effective} is not {features} + {unused}",
                    story.name
                );
                close(
                    total(TotalMoney::Billed) - billed,
                    effective - used - unused,
                    story.name,
                );
                close(
                    total(TotalMoney::List),
                    total(TotalMoney::Contracted),
                    story.name,
                );
                assert!(
                    row.iter().all(|x| x.is_finite() && *x >= 0.0),
                    "{}",
                    story.name
                );
            }
        }
    }
}
