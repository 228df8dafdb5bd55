use super::*;
use crate::{engine::projection::LimitKind, stories};

fn story() -> Scenario {
    stories::find("eighteen-month-contract")
        .expect("a story")
        .scenario()
}

#[test]
fn stories_compile_and_survive_the_wire() {
    for s in stories::all() {
        let plan = compile(&s.scenario()).expect("a valid story");
        let bytes = postcard::to_stdvec(&plan).expect("plain data");
        let back: Plan = postcard::from_bytes(&bytes).expect("the same type");
        assert_eq!(back, plan, "{}", s.name);
        for (column, path) in plan.inputs.iter().enumerate() {
            let found = plan
                .features
                .iter()
                .flat_map(inputs_of)
                .chain(plan.windows.iter().map(|w| &w.multiplier))
                .filter(|i| i.column == Some(column as u32))
                .count();
            assert_eq!(found, 1, "{path:?}");
        }
    }
}

fn inputs_of(f: &PlanFeature) -> Vec<&Input> {
    let mut all = vec![
        &f.requests_per_day,
        &f.growth,
        &f.input_level,
        &f.output_level,
        &f.prefix,
        &f.retry_probability,
        &f.drift,
    ];
    if let Some(l) = &f.launch {
        all.extend([&l.slip_days, &l.ramp_days]);
    }
    if let Some(r) = &f.runaways {
        all.extend([&r.per_million, &r.tokens_per_hour]);
    }
    all
}

#[test]
fn columns_follow_the_order_of_quantities() {
    let mut scenario = story();
    scenario.seasons.push(SeasonalWindow {
        id: scenario.free_id(),
        name: "peak".into(),
        dates: vec![crate::domain::scenario::DateRange {
            first: scenario.settings.start,
            last: scenario.settings.start,
        }],
        yearly: true,
        multiplier: Quantity::from(crate::domain::quantity::Shape::Between { p10: 1.1, p90: 1.5 }),
        ramp_in_days: 3,
        ramp_out_days: 2,
        touches: Touches::All,
    });
    let plan = compile(&scenario).expect("valid");
    let uncertain: Vec<FieldPath> = scenario
        .quantities()
        .into_iter()
        .filter(|(path, field, q)| {
            field.kind == crate::domain::quantity::Kind::Uncertain
                && path.parts().0 == "features"
                && !matches!(q.shape, crate::domain::quantity::Shape::Fixed(_))
        })
        .map(|x| x.0)
        .collect();
    let columns: Vec<FieldPath> = plan
        .inputs
        .iter()
        .filter(|p| p.parts().0 == "features")
        .cloned()
        .collect();
    assert_eq!(columns, uncertain);
    let season = scenario.seasons.last().map(|s| s.id);
    let windows: Vec<&PlanWindow> = plan
        .windows
        .iter()
        .filter(|w| Some(w.season) == season)
        .collect();
    let years = scenario.settings.horizon_months.div_ceil(12) as usize;
    assert!(
        windows.len() == years || windows.len() == years + 1,
        "{}",
        windows.len()
    );
    assert_eq!(
        (
            windows[0].ramp_in,
            windows[0].first,
            windows[0].end,
            windows[0].ramp_out
        ),
        (-72, 0, 24, 72)
    );
    assert_ne!(windows[0].block, windows[1].block);
    assert!(
        plan.inputs
            .iter()
            .any(|p| p.as_str().ends_with("multiplier#2"))
    );
}

#[test]
fn limits_stand_in_pool_order_with_their_committed_capacity() {
    let plan = compile(&story()).expect("valid");
    for (pool, p) in (0..).zip(&plan.pools) {
        for l in &p.limits {
            assert_eq!(plan.limits[*l as usize].pool, pool);
        }
        assert!(
            p.features
                .iter()
                .all(|f| plan.features[*f as usize].pool == pool)
        );
    }
    let gpus = plan
        .limits
        .iter()
        .find(|l| l.kind == LimitKind::Gpus)
        .expect("a cluster");
    assert_eq!(gpus.committed.len(), plan.months.len());
    assert!(gpus.committed.iter().any(|c| *c > 0.0));
}

#[test]
fn problems_come_back() {
    let mut scenario = story();
    scenario.features[0].requests_per_day = Quantity::fixed(-1.0);
    assert!(compile(&scenario).is_err());
}

#[test]
fn a_budget_for_one_period_may_name_a_day_before_the_horizon() {
    let mut scenario = story();
    scenario.settings.start = jiff::civil::date(2027, 3, 1);
    scenario.settings.horizon_months = 12;
    scenario.settings.fiscal_year_start_month = 2;
    let periods = |period, day| {
        let mut s = scenario.clone();
        s.budgets = vec![Budget {
            id: Id(900),
            name: "FY".to_owned(),
            period,
            only: Some(day),
            amount: 1e6,
            cost: crate::domain::scenario::BudgetCost::Effective,
            spent_before: 5.0,
            acceptable_chance: 0.1,
        }];
        let plan = compile(&s).expect("valid");
        let of = |p: &PeriodInfo| (p.fiscal_year, p.first_month, p.months);
        plan.budgets[0].periods.iter().map(of).collect::<Vec<_>>()
    };
    let day = jiff::civil::date(2027, 2, 10);
    assert_eq!(periods(BudgetPeriod::Year, day), [(2028, 0, 11)]);
    assert_eq!(periods(BudgetPeriod::Quarter, day), [(2028, 0, 2)]);
    let inside = jiff::civil::date(2028, 2, 29);
    assert_eq!(periods(BudgetPeriod::Year, inside), [(2029, 11, 1)]);
    assert_eq!(periods(BudgetPeriod::Month, inside), [(2029, 11, 1)]);
}
