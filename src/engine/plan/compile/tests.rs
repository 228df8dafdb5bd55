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
