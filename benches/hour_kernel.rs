//! Nanoseconds per trial × feature × hour, everything that a trial does included, and the time to build tables.
//!
//! `cargo bench --bench hour_kernel`. Throughput is in elements of trial × feature × hour: 1 / (elements per second) is
//! the figure of docs/performance.md.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use headroom::{
    domain::{
        quantity::{Quantity, Shape},
        scenario::{
            Commitment, CommitmentKind, Feature, Id, Launch, PoolKind, Scenario, SpendBasis,
            WeeklyShape,
        },
    },
    engine::{
        plan::{Plan, compile},
        run::{Cache, Simulator},
    },
    stories,
};

const FEATURES: u32 = 10;

/// Ten features for a year on one pool of the default story.
fn scenario(cluster: bool, noise: bool, commitment: bool) -> Scenario {
    let mut s = stories::find("eighteen-month-contract")
        .expect("a story")
        .scenario();
    s.settings.horizon_months = 12;
    s.budgets.clear();
    s.commitments.clear();
    let pool = s
        .pools
        .iter()
        .find(|p| matches!(p.kind, PoolKind::GpuCluster { .. }) == cluster)
        .expect("a pool of each kind")
        .id;
    let model = s
        .features
        .iter()
        .find(|f| f.pool == pool)
        .map_or(s.models[0].id, |f| f.model);
    let template = s.features[0].clone();
    s.features = (0..FEATURES)
        .map(|i| {
            let mut f: Feature = template.clone();
            f.id = Id(1_000 + i);
            f.name = format!("feature {i}");
            f.pool = pool;
            f.model = model;
            f.launch = Launch::Live;
            f.retire = None;
            f.weekly_profile.shape = WeeklyShape::OfficeHours;
            f.requests_per_day = Quantity::from(Shape::Between {
                p10: 2_000.0 * f64::from(i + 1),
                p90: 4_000.0 * f64::from(i + 1),
            });
            if noise {
                f.noise.hour_cv = 0.2;
                f.noise.burstiness = 0.25;
            } else {
                f.noise.hour_cv = 0.0;
                f.noise.burstiness = 0.0;
            }
            f
        })
        .collect();
    for season in &mut s.seasons {
        season.touches = Default::default();
    }
    if commitment {
        s.commitments.push(Commitment {
            id: Id(2_000),
            name: "spend".into(),
            start: s.settings.start,
            term_months: 12,
            kind: CommitmentKind::SpendCommitment {
                amount_per_hour: 10.0,
                discount: 0.3,
                basis: SpendBasis::Discounted,
            },
        });
    }
    s
}

fn plan(cluster: bool, noise: bool, commitment: bool) -> Plan {
    compile(&scenario(cluster, noise, commitment)).expect("a valid scenario")
}

fn trials(c: &mut Criterion) {
    let mut group = c.benchmark_group("trial_feature_hour");
    for (name, cluster, noise, commitment) in [
        ("cluster, no noise", true, false, false),
        ("cluster", true, true, false),
        ("key", false, true, false),
        ("key, hourly commitment", false, true, true),
    ] {
        let plan = plan(cluster, noise, commitment);
        let mut simulator = Simulator::new(&plan, &mut Cache::default());
        group.throughput(Throughput::Elements(
            u64::from(FEATURES) * u64::from(plan.hours()),
        ));
        let mut trial = 0;
        group.bench_function(name, |b| {
            b.iter(|| {
                trial += 1;
                black_box(simulator.simulate(trial, 1))
            });
        });
    }
    group.finish();
}

fn tables(c: &mut Criterion) {
    let mut group = c.benchmark_group("build");
    group.sample_size(10);
    let plan = plan(true, true, true);
    group.bench_function("cold cache, all features alike", |b| {
        b.iter(|| black_box(Simulator::new(&plan, &mut Cache::default())));
    });
    let mut warm = Cache::default();
    drop(Simulator::new(&plan, &mut warm));
    group.bench_function("warm cache", |b| {
        b.iter(|| black_box(Simulator::new(&plan, &mut warm)));
    });
    group.finish();
}

criterion_group!(benches, trials, tables);
criterion_main!(benches);
