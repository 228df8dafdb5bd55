//! Claims about single requests: each against the engine, and the same with the input that it is about changed.

use headroom::domain::quantity::Quantity;
use headroom::domain::scenario::Scenario;
use headroom::engine::projection::{BudgetOutcome, Projection, RequestSizes};
use headroom::engine::run_all;
use headroom::stories::find;

const TRIALS: u32 = 600;

fn scenario(name: &str) -> Scenario {
    find(name).expect("a story").scenario()
}

fn project(scenario: &Scenario) -> Projection {
    let seed = scenario.settings.seed;
    run_all(scenario, TRIALS, seed, &mut |_, _| {}).expect("a valid scenario")
}

fn sizes(p: &Projection, feature: usize) -> RequestSizes {
    p.features[feature].each.expect("single requests")
}

/// Holds as said, and not once the input is changed.
fn holds_only_as_said(
    said: &Scenario,
    changed: &Scenario,
    claim: impl Fn(&Projection) -> Result<(), String>,
) {
    assert_eq!(claim(&project(said)), Ok(()));
    assert!(
        claim(&project(changed)).is_err(),
        "the claim survives the change of its input"
    );
}

fn holds(so: bool, found: impl std::fmt::Debug) -> Result<(), String> {
    if so {
        Ok(())
    } else {
        Err(format!("{found:?}"))
    }
}

fn near(x: f64, wanted: f64, part: f64) -> bool {
    (x / wanted - 1.0).abs() < part
}

/// How many times the budget is spent, on average.
fn times(b: &BudgetOutcome) -> f64 {
    b.spend.mean / b.amount
}

fn one_population() -> Scenario {
    let mut changed = scenario("two-populations");
    changed.features[0].output_tokens = Quantity::fixed(5_000.0).into();
    changed
}

#[test]
fn few_requests_write_most_tokens() {
    holds_only_as_said(&scenario("two-populations"), &one_population(), |p| {
        let each = sizes(p, 0);
        let written = each.written;
        // output is what costs: 3,000 tokens read cost $0.006, the mean output $0.4475
        let share = each.costliest_share * 0.4535 / 0.4475;
        holds(
            near(written.p[0], 5_000.0, 1e-3)
                && near(written.mean, 44_750.0, 1e-3)
                && near(written.p[3], 800_000.0, 1e-3)
                && (share - 0.894).abs() < 0.002,
            each,
        )
    });
}

#[test]
fn only_the_budget_from_the_mean_is_near() {
    holds_only_as_said(&scenario("two-populations"), &one_population(), |p| {
        let [median, mean, p99] = [0, 1, 2].map(|b| &p.budgets[b]);
        let so = median.over.count == median.over.of
            && (7.5..8.5).contains(&times(median))
            && near(times(mean), 1.0, 0.03)
            && (0.2..0.8).contains(&mean.over.share())
            && p99.over.count == 0
            && (16.5..18.5).contains(&(1.0 / times(p99)));
        holds(so, p.budgets.iter().map(times).collect::<Vec<_>>())
    });
}

fn no_growth() -> Scenario {
    let mut changed = scenario("creeping-context");
    for f in &mut changed.features {
        f.context_growth_tokens = Quantity::fixed(0.0);
    }
    changed
}

#[test]
fn twice_the_turns_read_four_times_the_tokens() {
    holds_only_as_said(&scenario("creeping-context"), &no_growth(), |p| {
        let (ten, twenty) = (sizes(p, 0).read, sizes(p, 1).read);
        let so = near(ten.mean, 100_000.0, 1e-9)
            && near(twenty.mean, 400_000.0, 1e-9)
            && ten.p == [ten.mean; 5]
            && near(twenty.mean / ten.mean, 4.0, 1e-9);
        holds(so, (ten, twenty))
    });
}

#[test]
fn a_budget_by_the_turn_is_exceeded() {
    // without growth the same rule of thumb holds: 20 turns cost twice 10
    let mut flat = no_growth();
    let ten_turns = 500.0 * 365.0 * (10.0 * 1_000.0 * 2e-6 + 10.0 * 400.0 * 10e-6);
    flat.budgets[0].amount = 1.1 * 3.0 * ten_turns;
    holds_only_as_said(&scenario("creeping-context"), &flat, |p| {
        let over = p.budgets[0].over;
        holds(over.low > 0.95, over)
    });
}
