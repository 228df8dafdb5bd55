//! The engine against the brute force on ten random small scenarios: means by a test at a familywise 1 %, 95 %
//! quantiles by overlapping intervals. `-- --nocapture` prints the table of docs/model.md.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use headroom::domain::scenario::Scenario;
use headroom::engine::columns::{
    Batch, CommitmentMoney, FeaturePhysical, Layout, LimitPhysical, PoolMoney, PoolPhysical,
    TotalMoney,
};
use headroom::engine::plan::compile;
use headroom::engine::run::{Cache, Simulator};

use crate::brute::scenarios::small;
use crate::brute::stats::{
    critical, mean_and_batch_error, mean_and_error, quantile_interval, standardised_difference,
};
use crate::brute::{Column, Effort, SCENARIOS, What, simulate};

/// Trials of the engine; the brute force plays fewer, so the engine's own luck hardly counts.
const ENGINE_TRIALS: u32 = 4_000;

/// Batches of the brute force. Minutes that are played to find needs are shared inside a batch only, so that the luck of
/// those minutes is part of the measured error.
const BATCHES: usize = 20;

const EFFORT: Effort = Effort {
    trials: 20,
    shared_minutes: 24_000,
    own_minutes: 16_000,
    rounded_minutes: 6_000,
};

/// From this ratio of variances on (1 in 1,000 by chance) the trials of a batch share some luck.
const SHARED_LUCK: f64 = 2.4;

/// All batches of a scenario, one after the other; they are played side by side.
fn brute_force(scenario: &Scenario, seed: u64) -> Vec<Column> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Vec<Column>)>> = Mutex::default();
    let play = || {
        loop {
            let batch = next.fetch_add(1, Ordering::Relaxed);
            if batch >= BATCHES {
                break;
            }
            let columns = simulate(scenario, EFFORT, seed * 1_000 + batch as u64);
            done.lock().expect("no panic").push((batch, columns));
        }
    };
    std::thread::scope(|threads| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            threads.spawn(play);
        }
    });
    let mut done = done.into_inner().expect("no panic");
    done.sort_by_key(|(batch, _)| *batch);
    let mut batches = done.into_iter().map(|(_, columns)| columns);
    let mut all = batches.next().expect("a batch");
    for columns in batches {
        for (column, more) in all.iter_mut().zip(columns) {
            column.values.extend(more.values);
        }
    }
    all
}

struct Engine {
    layout: Layout,
    batch: Batch,
}

impl Engine {
    fn run(scenario: &Scenario) -> Self {
        let plan = compile(scenario).expect("a valid scenario");
        let mut cache = Cache::default();
        let batch = Simulator::new(&plan, &mut cache).simulate(0, ENGINE_TRIALS);
        Self {
            layout: plan.layout,
            batch,
        }
    }

    fn values(&self, what: What, month: usize) -> Vec<f64> {
        let l = &self.layout;
        let money = |at: usize| -> Vec<f64> {
            let rows = self.batch.money.chunks(l.money_width());
            rows.map(|row| row[at + month]).collect()
        };
        let physical = |at: usize| -> Vec<f64> {
            let rows = self.batch.physical.chunks(l.physical_width());
            rows.map(|row| f64::from(row[at + month])).collect()
        };
        let feature = |f, which| physical(l.feature_physical(f, which));
        let pool = |p, which| physical(l.pool_physical(p, which));
        match what {
            What::Requests(f) => feature(f, FeaturePhysical::Requests),
            What::Calls(f) => feature(f, FeaturePhysical::Calls),
            What::Uncached(f) => feature(f, FeaturePhysical::UncachedInput),
            What::Cached(f) => feature(f, FeaturePhysical::CachedRead),
            What::Output(f) => feature(f, FeaturePhysical::Output),
            What::Tools(f) => feature(f, FeaturePhysical::ToolCalls),
            What::Stopped(f) => feature(f, FeaturePhysical::StoppedRequests),
            What::Softened(f) => feature(f, FeaturePhysical::SoftenedRequests),
            What::CutOff(f) => feature(f, FeaturePhysical::CutOffCost),
            What::Runaways(f) => feature(f, FeaturePhysical::Runaways),
            What::RunawayTokens(f) => feature(f, FeaturePhysical::RunawayTokens),
            What::RunawayCost(f) => feature(f, FeaturePhysical::RunawayCost),
            What::BusyGpuHours(p) => pool(p, PoolPhysical::BusyGpuHours),
            What::NeededGpuHours(p) => pool(p, PoolPhysical::NeededGpuHours),
            What::BurstGpuHours(p) => pool(p, PoolPhysical::BurstGpuHours),
            What::UsageList(p) => money(l.pool_money(p, PoolMoney::UsageList)),
            What::BurstCost(p) => money(l.pool_money(p, PoolMoney::Burst)),
            What::Headroom(limit) => physical(l.limit_physical(limit, LimitPhysical::Headroom)),
            What::Unused(c) => money(l.commitment_money(c, CommitmentMoney::Unused)),
            What::Effective => money(l.total_money(TotalMoney::Effective)),
            What::Billed => money(l.total_money(TotalMoney::Billed)),
        }
    }
}

/// One month of one outcome, from both.
struct Comparison {
    seed: u64,
    what: What,
    month: usize,
    brute: Vec<f64>,
    engine: Vec<f64>,
}

impl Comparison {
    fn new(seed: u64, column: Column, engine: &Engine) -> Self {
        Self {
            seed,
            what: column.what,
            month: column.month,
            engine: engine.values(column.what, column.month),
            brute: column.values,
        }
    }

    /// A size to measure differences by: headroom is small against what it is the difference of.
    fn scale(&self) -> f64 {
        let spread = |v: &[f64]| v.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        mean_and_error(&self.brute)
            .0
            .abs()
            .max(0.1 * spread(&self.brute))
            .max(1e-300)
    }

    fn name(&self) -> String {
        format!(
            "scenario {}, {:?}, month {}",
            self.seed, self.what, self.month
        )
    }

    /// Name of the kind of outcome, without its index.
    fn kind(&self) -> String {
        let name = format!("{:?}", self.what);
        name.split('(').next().unwrap_or_default().to_owned()
    }
}

/// Values without what the trials of a batch have in common; the little of their own that goes with it is given back.
/// They stay inside what was seen: some outcomes have ends.
fn centred(values: &[f64]) -> Vec<f64> {
    let mean = mean_and_error(values).0;
    let size = values.len() / BATCHES;
    let give_back = (size as f64 / (size as f64 - 1.0)).sqrt();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    values
        .chunks(size)
        .flat_map(|batch| {
            let of_batch = mean_and_error(batch).0;
            batch
                .iter()
                .map(move |x| (mean + (x - of_batch) * give_back).clamp(least, most))
        })
        .collect()
}

#[derive(Default)]
struct Row {
    comparisons: usize,
    largest_z: f64,
    mean_differences: Vec<f64>,
    p95_differences: Vec<f64>,
    apart: usize,
}

#[test]
fn the_engine_agrees_with_the_brute_force() {
    agree(SCENARIOS.map(|seed| (seed, small(seed))), 1e-6);
}

/// Holds the engine against the brute force on some scenarios.
///
/// Quantiles may lie apart by `slack` of the scale: f32 columns differ in the seventh digit, and loads that a cap cuts
/// are all alike, so that an interval of ranks may be a point.
pub fn agree(scenarios: impl Iterator<Item = (u64, Scenario)>, slack: f64) {
    let mut all = Vec::new();
    for (seed, scenario) in scenarios {
        let engine = Engine::run(&scenario);
        let columns = brute_force(&scenario, seed);
        all.extend(
            columns
                .into_iter()
                .map(|c| Comparison::new(seed, c, &engine)),
        );
    }
    // What is 0 in every future of both is no test.
    all.retain(|c| c.brute.iter().chain(&c.engine).any(|x| *x != 0.0));
    let critical = critical(0.01, all.len(), BATCHES as f64 - 1.0);
    // Each of the two intervals leaves half of a familywise 1 % outside.
    let tail = 0.01 / 4.0 / all.len() as f64;

    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut complaints = Vec::new();
    for c in &all {
        let row = rows.entry(c.kind()).or_default();
        let (brute, error) = mean_and_batch_error(&c.brute, BATCHES);
        let (engine, engine_error) = mean_and_error(&c.engine);
        let z = standardised_difference((engine, engine_error), (brute, error));
        row.comparisons += 1;
        row.largest_z = row.largest_z.max(z.abs());
        row.mean_differences.push((engine - brute) / c.scale());
        if z.abs() > critical {
            complaints.push(format!(
                "{}: mean {engine:.6e}, brute force {brute:.6e} ± {error:.1e}, z {z:.1} beyond {critical:.2}",
                c.name()
            ));
        }
        let ours = quantile_interval(&c.engine, 0.95, tail);
        // Luck that a batch shares moves all of its trials alike: it is taken out, and widens the interval.
        let shared = error.powi(2) - mean_and_error(&c.brute).1.powi(2);
        let theirs = if error.powi(2) > SHARED_LUCK * mean_and_error(&c.brute).1.powi(2) {
            let (low, value, high) = quantile_interval(&centred(&c.brute), 0.95, tail);
            let wider = critical * shared.sqrt();
            (low - wider, value, high + wider)
        } else {
            quantile_interval(&c.brute, 0.95, tail)
        };
        row.p95_differences.push((ours.1 - theirs.1) / c.scale());
        let slack = slack * c.scale();
        if ours.0 > theirs.2 + slack || theirs.0 > ours.2 + slack {
            row.apart += 1;
            complaints.push(format!(
                "{}: p95 {ours:?}, brute force {theirs:?}",
                c.name()
            ));
        }
    }
    println!(
        "| outcome | comparisons | largest abs z (critical {critical:.2}) | means: average, largest difference | p95: average, largest difference | p95 intervals apart |"
    );
    println!("| --- | --- | --- | --- | --- | --- |");
    for (kind, row) in &rows {
        let average = |v: &[f64]| 100.0 * v.iter().sum::<f64>() / v.len() as f64;
        let largest = |v: &[f64]| 100.0 * v.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        println!(
            "| {kind} | {} | {:.1} | {:+.2} %, {:.2} % | {:+.2} %, {:.2} % | {} |",
            row.comparisons,
            row.largest_z,
            average(&row.mean_differences),
            largest(&row.mean_differences),
            average(&row.p95_differences),
            largest(&row.p95_differences),
            row.apart
        );
    }
    assert!(
        complaints.is_empty(),
        "{} of {} comparisons fail:\n{}",
        complaints.len(),
        all.len(),
        complaints.join("\n")
    );
}
