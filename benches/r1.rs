//! The reference workloads natively, and their plans as bytes for the same measurement in a browser.
//!
//! `cargo bench --bench r1 [-- --plans FOLDER]` prints a line of JSON per workload: nanoseconds per trial × feature ×
//! hour of one thread (median of the rounds), the milliseconds in which its tables are built, and those in which the
//! tables of one feature are built again when its input tokens are edited, feature by feature. The folder also gets R1 at
//! 10,000 trials as the fragment of a link, for the page to open.

use std::{fs, hint::black_box, path::PathBuf, time::Instant};

use headroom::{
    domain::{
        quantity::Shape,
        scenario::{Id, Scenario},
    },
    engine::{
        plan::{Plan, compile},
        run::{Cache, Simulator},
    },
    import, share,
};

/// Trials of one round, and rounds.
const TRIALS: u32 = 40;
const ROUNDS: u32 = 9;

fn read(name: &str) -> Scenario {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("benches/scenarios")
        .join(name);
    let text = fs::read_to_string(path).expect("a committed scenario");
    import::scenario_json(&text).expect("a valid scenario")
}

/// Three years and twice the features: what memory is judged by.
fn large(mut s: Scenario) -> Scenario {
    s.settings.horizon_months = 36;
    s.settings.trials = 10_000;
    let again: Vec<_> = s
        .features
        .iter()
        .map(|f| {
            let mut f = f.clone();
            f.id = Id(f.id.0 + 1_000);
            f.name.push_str(" again");
            f
        })
        .collect();
    s.features.extend(again);
    s
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Milliseconds to build a feature's tables again after an edit of its input tokens: the least of some.
fn edited(scenario: &Scenario, feature: usize, cache: &mut Cache) -> f64 {
    let edit = |by: f64| {
        let mut s = scenario.clone();
        if let Shape::Lognormal { mu, .. } = &mut s.features[feature].input_tokens.each.shape {
            *mu += by;
        }
        let plan = compile(&s).expect("a valid scenario");
        let started = Instant::now();
        black_box(Simulator::new(&plan, cache));
        started.elapsed().as_secs_f64() * 1e3
    };
    [0.01, 0.02, 0.03, 0.04, 0.05]
        .map(edit)
        .into_iter()
        .fold(f64::INFINITY, f64::min)
}

fn measure(name: &str, scenario: &Scenario, plan: &Plan) {
    let started = Instant::now();
    let mut cache = Cache::default();
    let mut simulator = Simulator::new(plan, &mut cache);
    let tables = started.elapsed().as_secs_f64() * 1e3;
    let cells = f64::from(TRIALS) * plan.features.len() as f64 * f64::from(plan.hours());
    let rounds = (0..=ROUNDS).map(|round| {
        let started = Instant::now();
        black_box(simulator.simulate(round * TRIALS, TRIALS));
        started.elapsed().as_secs_f64() * 1e9 / cells
    });
    // the first round warms up
    let nanoseconds = median(rounds.skip(1).collect());
    let edits: Vec<String> = (0..scenario.features.len())
        .map(|f| format!("{:.1}", edited(scenario, f, &mut cache)))
        .collect();
    let edits = edits.join(",");
    println!(
        r#"{{"workload":"{name}","nanoseconds":{nanoseconds:.3},"tables_ms":{tables:.1},"edit_ms":[{edits}]}}"#
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let folder = arguments
        .iter()
        .position(|a| a == "--plans")
        .and_then(|at| arguments.get(at + 1));
    let r1 = read("r1.json");
    let workloads = [
        ("r1", r1.clone()),
        ("r1_plus", read("r1_plus.json")),
        ("large", large(r1)),
    ];
    if let Some(folder) = folder {
        let mut linked = read("r1.json");
        linked.settings.trials = 10_000;
        let fragment = share::encode(&linked).expect("a plan that fits into a link");
        fs::write(PathBuf::from(folder).join("r1.link"), fragment).expect("a folder to write into");
    }
    for (name, scenario) in workloads {
        let plan = compile(&scenario).expect("a valid scenario");
        if let Some(folder) = folder {
            let bytes = headroom::runner::protocol::to_bytes(&plan).expect("a plan");
            fs::write(PathBuf::from(folder).join(format!("{name}.plan")), bytes)
                .expect("a folder to write into");
        }
        if name != "large" {
            measure(name, &scenario, &plan);
        }
    }
}
