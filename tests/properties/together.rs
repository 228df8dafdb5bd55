//! Inputs that move together do so by their rank correlation, and nobody else notices.

use headroom::domain::dependence::Correlation;
use headroom::domain::field::FieldPath;
use headroom::domain::quantity::{Quantity, Shape};
use headroom::domain::scenario::{Id, Scenario, Touches};
use headroom::engine::columns::Batch;
use headroom::engine::plan::Plan;

use crate::{run, scenario};

const TRIALS: u32 = 4_000;

/// A plan with three features and two windows, all their demand uncertain.
fn plan() -> Scenario {
    let mut plan = (0..)
        .map(scenario)
        .find(|s| !s.features.is_empty() && !s.seasons.is_empty())
        .expect("some plan");
    plan.settings.horizon_months = 1;
    plan.dependence = Default::default();
    plan.commitments.clear();
    plan.budgets.clear();
    plan.features.truncate(1);
    plan.seasons.truncate(1);
    let start = plan.settings.start;
    let window = &mut plan.seasons[0];
    window.id = Id(600);
    window.yearly = false;
    window.dates.truncate(1);
    window.dates[0].first = start;
    window.dates[0].last = start;
    window.touches = Touches::All;
    window.multiplier = Shape::Between { p10: 0.8, p90: 1.9 }.into();
    let mut second = window.clone();
    second.id = Id(601);
    plan.seasons.push(second);
    let f = &mut plan.features[0];
    f.id = Id(500);
    f.launch = headroom::domain::scenario::Launch::Live;
    f.retire = None;
    f.requests_per_day = Shape::Between {
        p10: 20.0,
        p90: 60.0,
    }
    .into();
    f.growth_per_month = Shape::Uniform {
        min: -0.02,
        max: 0.05,
    }
    .into();
    for id in [501, 502] {
        let mut copy = plan.features[0].clone();
        copy.id = Id(id);
        plan.features.push(copy);
    }
    assert_eq!(plan.problems(), []);
    plan
}

fn demand(id: u32) -> FieldPath {
    FieldPath::of("features", Id(id), "requests_per_day")
}

fn growth(id: u32) -> FieldPath {
    FieldPath::of("features", Id(id), "growth_per_month")
}

fn window(id: u32) -> FieldPath {
    FieldPath::of("seasons", Id(id), "multiplier")
}

fn pair(a: FieldPath, b: FieldPath, rank: f64) -> Correlation {
    Correlation { a, b, rank }
}

/// The drawn values of an input; of a window those of its first occurrence.
fn column((plan, batch): &(Plan, Batch), path: &FieldPath) -> Vec<f32> {
    let at = plan
        .inputs
        .iter()
        .position(|p| p.as_str().split('#').next() == Some(path.as_str()));
    let at = at.expect("an uncertain input");
    batch
        .inputs
        .chunks(plan.layout.inputs)
        .map(|row| row[at])
        .collect()
}

/// Spearman's rank correlation of values without ties.
fn spearman(a: &[f32], b: &[f32]) -> f64 {
    let ranks = |v: &[f32]| {
        let mut order: Vec<usize> = (0..v.len()).collect();
        order.sort_by(|i, j| v[*i].total_cmp(&v[*j]));
        let mut ranks = vec![0.0; v.len()];
        for (rank, i) in order.into_iter().enumerate() {
            ranks[i] = rank as f64;
        }
        ranks
    };
    let n = a.len() as f64;
    let squares: f64 = ranks(a)
        .iter()
        .zip(ranks(b))
        .map(|(x, y)| (x - y) * (x - y))
        .sum();
    1.0 - 6.0 * squares / (n * (n * n - 1.0))
}

#[test]
fn ranks_are_correlated_as_said() {
    let mut together = plan();
    let pairs = vec![
        pair(demand(500), demand(501), 0.6),
        pair(growth(501), demand(501), -0.3),
        pair(window(600), demand(500), 0.4),
        pair(window(600), window(601), 0.5),
    ];
    together.dependence.correlations = pairs.clone();
    let ran = run(&together, TRIALS);
    let independent = pair(growth(501), demand(500), 0.0);
    for pair in pairs.iter().chain([&independent]) {
        let found = spearman(&column(&ran, &pair.a), &column(&ran, &pair.b));
        // four standard errors of n independent pairs
        let most = 4.0 / f64::from(TRIALS).sqrt();
        assert!(
            (found - pair.rank).abs() < most,
            "{pair:?}: {found} off by more than {most}"
        );
    }
}

#[test]
fn marginals_stay_and_nobody_else_notices() {
    let apart = plan();
    let mut together = apart.clone();
    together.dependence.correlations = vec![
        pair(demand(500), demand(501), 0.7),
        pair(window(601), demand(501), 0.5),
    ];
    let (a, b) = (run(&apart, TRIALS), run(&together, TRIALS));
    for path in [
        growth(500),
        growth(501),
        demand(502),
        growth(502),
        window(600),
    ] {
        assert_eq!(column(&a, &path), column(&b, &path), "{path:?}");
    }
    // the one that came first has its own score, to rounding; the others have the same law
    for (x, y) in column(&a, &demand(500))
        .iter()
        .zip(column(&b, &demand(500)))
    {
        assert!((x / y - 1.0).abs() < 1e-5, "{x} {y}");
    }
    for path in [demand(501), window(601)] {
        let mut sorted = [column(&a, &path), column(&b, &path)];
        for values in &mut sorted {
            values.sort_by(f32::total_cmp);
        }
        let half = TRIALS as usize / 2;
        assert!((sorted[0][half] / sorted[1][half] - 1.0).abs() < 0.05);
        assert_ne!(column(&a, &path), column(&b, &path));
    }
    // one more member changes none that came before it, one more feature none at all
    let mut more = together.clone();
    more.dependence
        .correlations
        .push(pair(demand(502), demand(500), 0.3));
    let mut copy = more.features[0].clone();
    copy.id = Id(700);
    more.features.insert(0, copy);
    let c = run(&more, TRIALS);
    for path in [demand(500), demand(501), growth(500), window(600)] {
        assert_eq!(column(&b, &path), column(&c, &path), "{path:?}");
    }
}

#[test]
fn pairs_without_a_meaning_are_refused_and_idle_ones_drop() {
    let mut plan = plan();
    plan.dependence.correlations = vec![
        pair(demand(500), demand(501), 0.9),
        pair(demand(500), demand(502), 0.9),
        pair(demand(501), demand(502), -0.5),
    ];
    let problems = plan.problems();
    let said = headroom::text::problems::line(&plan, &problems[0]);
    assert_eq!(problems.len(), 1);
    assert!(
        said.contains("Use the nearest: \u{2212}0.5 → 0.6"),
        "{said}"
    );
    plan.dependence.correlations[2] = pair(demand(500), demand(501), 0.2);
    plan.dependence
        .correlations
        .push(pair(demand(500), demand(500), 0.2));
    plan.dependence
        .correlations
        .push(pair(demand(500), demand(999), 1.5));
    assert_eq!(plan.problems().len(), 4);
    plan.dependence.correlations.truncate(2);
    plan.dependence.correlations[1].rank = 0.3;
    plan.features[2].requests_per_day = Quantity::fixed(5.0);
    assert_eq!(plan.problems(), []);
    assert_eq!(plan.drop_idle_correlations(), 1);
    assert_eq!(plan.dependence.correlations.len(), 1);
}
