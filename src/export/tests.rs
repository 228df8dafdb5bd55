//! The plan table over made-up trials of a small plan, so that it does not change with the engine's numbers.

use std::collections::BTreeMap;

use super::*;
use crate::domain::calendar::Grid;
use crate::domain::field::FieldPath;
use crate::domain::quantity::Quantity;
use crate::domain::scenario::{
    Budget, BudgetCost, BudgetPeriod, Commitment, CommitmentKind, Id, Pool, PoolKind,
};
use crate::engine::collector::{BudgetOutline, Collector, LimitOutline, Outline};
use crate::engine::columns::{
    Batch, CommitmentMoney, FeaturePhysical, Layout, LimitPhysical, PoolMoney, TotalMoney,
};
use crate::engine::projection::LimitKind;

const TRIALS: u32 = 500;

/// Four months over the turn of a fiscal year, two features of one name, a cluster and a key, two contracts.
pub(super) fn plan() -> Scenario {
    let mut plan = crate::stories::find("eighteen-month-contract")
        .expect("a story")
        .scenario();
    plan.name = "=Plan \"A\", draft".to_owned();
    plan.settings.horizon_months = 4;
    plan.settings.start = "2026-12-01".parse().expect("a day");
    plan.settings.fiscal_year_start_month = 2;
    plan.settings.trials = TRIALS;
    plan.features.truncate(2);
    let [a, b] = plan.features.as_mut_slice() else {
        panic!("two features")
    };
    (a.id, b.id) = (Id(1), Id(2));
    (a.pool, b.pool) = (Id(3), Id(4));
    a.name = "Chat".to_owned();
    b.name = "Chat".to_owned();
    b.requests_per_day = Quantity::fixed(0.25);
    let key = PoolKind::PayAsYouGo {
        tokens_per_minute: Some(2e6),
        requests_per_minute: None,
        cached_reads_count: false,
    };
    plan.pools.truncate(1);
    plan.pools[0].id = Id(3);
    plan.pools.push(Pool {
        id: Id(4),
        name: "@key".to_owned(),
        acceptable_chance: 0.05,
        kind: key,
    });
    let day = plan.settings.start;
    let contract = |id, name: &str, kind| Commitment {
        id: Id(id),
        name: name.to_owned(),
        start: day,
        term_months: 12,
        kind,
    };
    plan.commitments = vec![
        contract(
            5,
            "Base",
            CommitmentKind::ReservedCapacity {
                pool: Id(3),
                gpus: 8,
                rate_per_gpu_hour: 2.0,
                upfront_share: 0.0,
            },
        ),
        contract(
            6,
            "-10 % API",
            CommitmentKind::SpendCommitment {
                amount_per_hour: 1.0,
                discount: 0.1,
                basis: Default::default(),
            },
        ),
    ];
    plan.budgets = vec![Budget {
        id: Id(7),
        name: "Year".to_owned(),
        period: BudgetPeriod::Year,
        only: None,
        amount: 20_000.0,
        cost: BudgetCost::Effective,
        spent_before: 0.0,
        acceptable_chance: 0.1,
    }];
    plan.seasons.clear();
    plan.notes.clear();
    plan
}

fn outline(plan: &Scenario) -> Outline {
    let grid = Grid::new(&plan.settings).expect("a grid");
    let months = grid.months.len();
    Outline {
        layout: Layout {
            months,
            features: 2,
            lanes: 0,
            pools: 2,
            limits: 2,
            commitments: 2,
            inputs: 1,
        },
        gateways: Vec::new(),
        scenario_digest: "0123456789abcdef0123456789abcdef".to_owned(),
        time_zone_database: "2026z".to_owned(),
        seed: plan.settings.seed,
        trials: TRIALS,
        currency: plan.settings.currency.clone(),
        months: grid.months.clone(),
        quarters: grid.quarters(),
        years: grid.years(),
        features: vec![Id(1), Id(2)],
        pools: vec![Id(3), Id(4)],
        limits: vec![
            LimitOutline {
                pool: Id(3),
                kind: LimitKind::Gpus,
                committed: vec![8.0; months],
            },
            LimitOutline {
                pool: Id(4),
                kind: LimitKind::TokensPerMinute,
                committed: vec![2e6; months],
            },
        ],
        commitments: vec![Id(5), Id(6)],
        budgets: grid
            .years()
            .into_iter()
            .map(|period| BudgetOutline {
                id: Id(7),
                cost: BudgetCost::Effective,
                period,
                amount: 20_000.0,
                before: 0.0,
            })
            .collect(),
        inputs: vec![FieldPath::of("features", Id(1), "requests_per_day")],
    }
}

pub(super) fn projection(plan: &Scenario) -> Projection {
    let outline = outline(plan);
    let layout = outline.layout;
    let mut batch = Batch {
        trials: TRIALS,
        ..Batch::default()
    };
    for trial in 0..TRIALS {
        // Mixed, so that no order of trials is an order of values, and with thirds of cents.
        let mixed = |salt: u32| f64::from((trial * 7919 + salt * 104_729) % 1009) / 3.0;
        let mut money = vec![0.0; layout.money_width()];
        let mut physical = vec![0.0_f32; layout.physical_width()];
        for m in 0..layout.months {
            let salt = m as u32 * 10;
            let unused = [mixed(salt), mixed(salt + 1)];
            let used = [3_000.0 + mixed(salt + 2), 700.0 + mixed(salt + 3)];
            let on_demand = mixed(salt + 4);
            let spend = used.iter().sum::<f64>() + on_demand;
            money[layout.feature_money(0) + m] = spend * 0.75;
            money[layout.feature_money(1) + m] = spend * 0.25;
            let effective = spend + unused.iter().sum::<f64>();
            for (which, factor) in [
                (TotalMoney::Effective, 1.0),
                (TotalMoney::Billed, 1.1),
                (TotalMoney::List, 1.3),
                (TotalMoney::Contracted, 1.2),
            ] {
                money[layout.total_money(which) + m] = effective * factor;
            }
            for c in 0..2 {
                money[layout.commitment_money(c, CommitmentMoney::Used) + m] = used[c];
                money[layout.commitment_money(c, CommitmentMoney::Unused) + m] = unused[c];
                money[layout.commitment_money(c, CommitmentMoney::Billed) + m] =
                    used[c] + unused[c];
            }
            money[layout.pool_money(0, PoolMoney::Burst) + m] = on_demand / 2.0;
            money[layout.pool_money(1, PoolMoney::UsageList) + m] = used[1] * 1.1;
            physical[layout.feature_physical(0, FeaturePhysical::Requests) + m] =
                1e6 + mixed(salt) as f32;
            physical[layout.feature_physical(1, FeaturePhysical::Requests) + m] =
                (trial % 9) as f32;
            physical[layout.feature_physical(0, FeaturePhysical::Output) + m] =
                1.5e9 + 1e6 * mixed(salt) as f32;
            physical[layout.limit_physical(0, LimitPhysical::Headroom) + m] =
                3.0 - (trial % 5) as f32;
            physical[layout.limit_physical(0, LimitPhysical::Needed) + m] =
                5.0 + (trial % 5) as f32;
            physical[layout.limit_physical(0, LimitPhysical::BreachHours) + m] =
                (trial % 5 / 4) as f32;
        }
        batch.money.extend(money);
        batch.physical.extend(physical);
        batch.inputs.push(trial as f32);
    }
    let mut collector = Collector::of(outline);
    collector.add(&batch).expect("trials");
    collector.projection()
}

type Row = BTreeMap<String, String>;

pub(super) fn rows(bytes: &[u8]) -> Vec<Row> {
    let mut reader = csv::Reader::from_reader(bytes);
    reader
        .deserialize()
        .map(|row| row.expect("a row"))
        .collect()
}

fn data() -> Vec<u8> {
    let plan = plan();
    plan_csv(&plan, &projection(&plan), Profile::Data)
}

/// Of a mean, in cents.
fn cents(row: &Row) -> i64 {
    row["mean"].replace('.', "").parse().expect("cents")
}

#[test]
fn the_table_of_a_small_plan() {
    let text = String::from_utf8(data()).expect("UTF-8");
    let some = |line: &&str| line.contains(",2026-12-01,") || line.contains("x_Period");
    insta::assert_snapshot!(text.lines().filter(some).collect::<Vec<_>>().join("\n"));
}

#[test]
fn the_columns_are_the_ones_of_the_finance_template() {
    let text = String::from_utf8(data()).expect("UTF-8");
    let header = text.lines().next().expect("a header");
    assert!(header.starts_with(
        "scenario_id,scenario_version,period_start,period_end,fiscal_year,fiscal_period,row_type,feature,contract_id,\
         contract_role,account_code,cost_center,metric,unit,currency,p05,p25,p50,p75,p95,mean,budget,prob_over_budget,x_"
    ));
}

#[test]
fn means_add_up_to_the_cent() {
    let rows = rows(&data());
    let pick = |row_type: &str, span: &str, metric: &str| -> Vec<&Row> {
        rows.iter()
            .filter(|r| r["row_type"] == row_type && r["x_Period"] == span && r["metric"] == metric)
            .collect()
    };
    for metric in [
        "effective_cost",
        "billed_cost",
        "list_cost",
        "contracted_cost",
    ] {
        let horizon = cents(pick("Total", "horizon", metric)[0]);
        assert!(horizon > 0);
        for span in ["month", "quarter", "year"] {
            let sum: i64 = pick("Total", span, metric).into_iter().map(cents).sum();
            assert_eq!(sum, horizon, "{metric} {span}");
        }
    }
    for span in ["month", "quarter", "year", "horizon"] {
        for total in pick("Total", span, "effective_cost") {
            for row_type in ["Forecast", "Contract"] {
                let parts: i64 = pick(row_type, span, "effective_cost")
                    .into_iter()
                    .filter(|r| r["period_start"] == total["period_start"])
                    .map(cents)
                    .sum();
                assert_eq!(
                    parts,
                    cents(total),
                    "{row_type} {} {span}",
                    total["period_start"]
                );
            }
        }
    }
}

#[test]
fn totals_are_rows_from_joint_draws() {
    let plan = plan();
    let projection = projection(&plan);
    let rows = rows(&plan_csv(&plan, &projection, Profile::Data));
    let of = |span: &str, column: &str| -> Vec<f64> {
        rows.iter()
            .filter(|r| {
                r["row_type"] == "Total" && r["metric"] == "effective_cost" && r["x_Period"] == span
            })
            .map(|r| r[column].parse().expect("a number"))
            .collect()
    };
    let [p95] = of("horizon", "p95")[..] else {
        panic!("one horizon")
    };
    assert!((p95 - projection.total.effective.horizon.p95()).abs() <= 0.005);
    assert!(
        p95 < of("month", "p95").iter().sum::<f64>(),
        "percentiles do not add"
    );
    assert!(of("horizon", "p05")[0] > of("month", "p05").iter().sum::<f64>());
}

#[test]
fn budget_rows_have_amount_and_chance() {
    let rows = rows(&data());
    let budgets: Vec<&Row> = rows.iter().filter(|r| r["row_type"] == "Budget").collect();
    let years: Vec<&str> = budgets.iter().map(|r| r["fiscal_year"].as_str()).collect();
    assert_eq!(years, ["FY2027", "FY2028"]);
    for row in budgets {
        assert_eq!(row["budget"], "20000.00");
        assert_eq!(row["x_Budget"], "Year");
        let chance: f64 = row["prob_over_budget"].parse().expect("a share");
        assert!((0.0..=1.0).contains(&chance));
        assert!(
            row["x_Cvar95"].parse::<f64>().expect("money") >= row["p95"].parse().expect("money")
        );
    }
    assert!(
        rows.iter()
            .all(|r| (r["row_type"] == "Budget") != r["budget"].is_empty())
    );
}

#[test]
fn a_preview_is_the_head_of_the_file() {
    let plan = plan();
    let projection = projection(&plan);
    let whole = plan_csv(&plan, &projection, Profile::Data);
    let lines = |bytes: &[u8]| {
        let text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let (head, count) = plan_preview(&plan, &projection, 6);
    assert_eq!(count, lines(&whole).len() - 1);
    assert_eq!(lines(&head), lines(&whole)[..7]);
}

#[test]
fn a_unit_cost_has_the_error_of_its_own_ratio() {
    let plan = plan();
    let projection = projection(&plan);
    let rows = rows(&plan_csv(&plan, &projection, Profile::Data));
    let row = rows
        .iter()
        .find(|r| r["metric"] == "cost_per_1000_requests");
    let row = row.expect("a unit cost");
    let cost = projection.features[0].cost_per_1000_requests[0].as_ref();
    let cost = cost.expect("a unit cost");
    for (column, value) in [
        ("mean", cost.of_means),
        ("x_MeanError", cost.of_means_error),
    ] {
        let written: f64 = row[column].parse().expect("a number");
        assert!(
            (written / value - 1.0).abs() < 1e-6,
            "{column} {written} {value}"
        );
    }
    assert!(cost.of_means_error > 0.0 && cost.of_means_error < cost.of_means);
    // a number without an error of its own shows none
    let chance = rows.iter().find(|r| r["metric"] == "breach_chance");
    assert!(chance.is_some_and(|r| r["x_MeanError"].is_empty()));
}

#[test]
fn what_is_found_later_has_rows_of_its_own() {
    use crate::engine::projection::{
        LaunchMove, LaunchMoves, MovedChance, RequestQuantity, RequestSizes,
    };
    let plan = plan();
    let mut projection = projection(&plan);
    let quantity = RequestQuantity {
        mean: 44_750.0,
        p: [5_000.0, 6_000.0, 7_000.0, 800_000.0, 900_000.0],
    };
    projection.features[0].each = Some(RequestSizes {
        read: quantity,
        written: quantity,
        tools: quantity,
        cost: quantity,
        costliest_share: 0.894,
    });
    let moved = |count| MovedChance {
        chance: crate::engine::statistics::chance(count, 300),
        gone: 0,
        new: 0,
    };
    projection.launches = Some(LaunchMoves {
        moves: vec![LaunchMove {
            feature: Id(1),
            weeks: 4,
            breach: vec![moved(30), moved(0)],
            over: vec![moved(60), moved(90)],
            effective_cost: 1.0,
            cost_change: -1_234.5,
            cost_change_error: 1.0,
        }],
        ..LaunchMoves::default()
    });
    let rows = rows(&plan_csv(&plan, &projection, Profile::Data));
    let read = rows
        .iter()
        .find(|r| r["metric"] == "read_tokens_per_request");
    let read = read.expect("requests");
    let cells = ["mean", "p05", "p50", "x_P90", "p95", "x_P99"].map(|c| read[c].as_str());
    assert_eq!(cells, ["44750", "", "5000", "6000", "7000", "800000"]);
    let one = |metric: &str| -> Vec<&str> {
        let found = rows.iter().filter(|r| r["metric"] == metric);
        found.map(|r| r["mean"].as_str()).collect()
    };
    assert_eq!(one("written_tokens_per_request_p999"), ["900000"]);
    assert_eq!(one("costliest_5_percent_share"), ["0.894"]);
    assert_eq!(one("breach_chance_4_weeks_later"), ["0.1", "0"]);
    assert_eq!(one("prob_over_4_weeks_later"), ["0.2", "0.3"]);
    assert_eq!(one("cost_change_4_weeks_later"), ["-1234.50"]);
}

#[test]
fn both_profiles_say_the_same() {
    let plan = plan();
    let projection = projection(&plan);
    let data = plan_csv(&plan, &projection, Profile::Data);
    let excel = plan_csv(&plan, &projection, Profile::Excel);
    let text = String::from_utf8(excel.clone()).expect("UTF-8");
    assert!(text.starts_with('\u{feff}') && text.ends_with("\r\n"));
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    assert!(
        !String::from_utf8(data.clone())
            .expect("UTF-8")
            .contains('\r')
    );
    let (data, excel) = (rows(&data), rows(&excel[3..]));
    assert_eq!(data.len(), excel.len());
    let mut marked = 0;
    for (a, b) in data.iter().zip(&excel) {
        for (name, value) in a {
            let other = &b[name];
            if let Some(text) = other.strip_prefix('\'') {
                assert!(
                    text.starts_with(['=', '-', '@']) && text == value,
                    "{name}: {other}"
                );
                marked += 1;
            } else {
                assert_eq!(value, other, "{name}");
                assert!(
                    !value.starts_with(['=', '@'])
                        && (!value.starts_with('-') || value.parse::<f64>().is_ok()),
                    "{name}: {value}"
                );
            }
        }
    }
    assert!(
        marked > data.len(),
        "the plan's own name in every row, and the contract's and key's"
    );
    assert!(
        data.iter().any(|r| r["p05"].starts_with('-')),
        "negative numbers stay numbers"
    );
}

#[test]
fn no_cell_is_not_a_number() {
    let text = String::from_utf8(data()).expect("UTF-8").to_lowercase();
    for word in ["nan", "inf,", "-0.00,", ",-0,"] {
        assert!(!text.contains(word), "{word}");
    }
    assert_eq!(
        rows(text.as_bytes())
            .iter()
            .filter(|r| r["feature"] == "chat")
            .count(),
        0,
        "two of one name stay apart"
    );
}

#[test]
fn json_is_stable_and_complete() {
    let plan = plan();
    let projection = projection(&plan);
    let text = projection_json(&projection);
    assert_eq!(
        serde_json::from_str::<Projection>(&text).expect("JSON"),
        projection
    );
    assert_eq!(scenario_json(&plan), scenario_json(&plan.clone()));
    assert!(scenario_json(&plan).ends_with("}\n"));
}
