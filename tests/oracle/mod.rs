//! A second, independent implementation of the model: minute by minute, request by request, call by call.
//!
//! It reads the scenario types and nothing else of the crate: own calendar, own samplers, own draws, own bills, own
//! statistics. It is slow, and it takes only what small scenarios need: UTC, dated windows, flat or custom weeks.
//!
//! Conventions: the rate is constant inside an hour and taken at its middle; minutes follow the beta-gamma chain, which
//! is not reset at the hour; a call counts in the minute of its start (minute loads) and in the hour of its request
//! (totals); calls of a request follow each other without a pause, repeats follow the failed call and write anew.

pub mod bill;
pub mod by_hour;
pub mod calendar;
pub mod demand;
pub mod law;
pub mod requests;
pub mod scenarios;
pub mod shapes;
pub mod stats;

use headroom::domain::scenario::{PoolKind, Scenario};
use rand::{RngExt, SeedableRng};

use bill::{Bills, HourUse};
use calendar::Calendar;
use demand::{FeatureDraw, FeatureLaw, Minutes, Occurrence, Shock, hourly_rates, poisson};
use law::{Load, MinuteLaw};
use requests::{At, Runaway, request};

/// Seeds of the small scenarios that the engine is held against.
pub const SCENARIOS: std::ops::RangeInclusive<u64> = 1..=10;

/// Seeds of the small scenarios with caps.
pub const CAPPED: std::ops::RangeInclusive<u64> = 11..=14;

/// The generator of the brute force.
pub type Rng = rand::rngs::Xoshiro256PlusPlus;

/// What a column holds; indices are entry order (limits: in pool order, tokens before calls).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum What {
    Requests(usize),
    Calls(usize),
    Uncached(usize),
    Cached(usize),
    Output(usize),
    Tools(usize),
    Stopped(usize),
    Softened(usize),
    CutOff(usize),
    Runaways(usize),
    RunawayTokens(usize),
    RunawayCost(usize),
    BusyGpuHours(usize),
    NeededGpuHours(usize),
    BurstGpuHours(usize),
    UsageList(usize),
    BurstCost(usize),
    Headroom(usize),
    Unused(usize),
    Effective,
    Billed,
}

/// One outcome of one month in every trial.
pub struct Column {
    pub what: What,
    pub month: usize,
    pub values: Vec<f64>,
}

/// How much is played.
#[derive(Clone, Copy)]
pub struct Effort {
    pub trials: usize,
    /// Minutes per law that all trials share.
    pub shared_minutes: usize,
    /// Minutes per law where each trial has its own.
    pub own_minutes: usize,
    /// Most minutes of a law that are used where every hour of a month is asked for.
    pub rounded_minutes: usize,
}

/// Features whose minutes are looked at together: those of one model in a cluster, or all of a key.
struct Group {
    pool: usize,
    features: Vec<usize>,
    load: Load,
    shared: bool,
    /// One law per month.
    laws: Vec<Option<MinuteLaw>>,
}

/// Plays the futures of a scenario.
pub fn simulate(scenario: &Scenario, effort: Effort, seed: u64) -> Vec<Column> {
    assert_eq!(scenario.settings.time_zone, "UTC");
    let calendar = Calendar::new(scenario.settings.start, scenario.settings.horizon_months);
    let features: Vec<FeatureLaw> = scenario
        .features
        .iter()
        .map(|f| FeatureLaw::new(scenario, f, &calendar))
        .collect();
    let bills = Bills::new(scenario, &calendar);
    let mut groups = groups(scenario, &features, calendar.month_start.len() - 1);
    let mut uses = by_hour::Uses::default();
    let mut table = Table::new(scenario, calendar.month_start.len() - 1);
    for trial in 0..effort.trials {
        let mut rng = Rng::seed_from_u64(seed ^ (trial as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        table.open_trial();
        play(
            scenario,
            &calendar,
            &features,
            &bills,
            &mut groups,
            &mut uses,
            effort,
            &mut table,
            &mut rng,
        );
    }
    table.columns
}

fn groups(scenario: &Scenario, features: &[FeatureLaw], months: usize) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, feature) in features.iter().enumerate() {
        let load = match &scenario.pools[feature.pool].kind {
            PoolKind::GpuCluster { .. } => Load::Cluster,
            PoolKind::PayAsYouGo {
                cached_reads_count, ..
            } => Load::Key {
                cached_reads_count: *cached_reads_count,
            },
        };
        let same = |g: &Group| {
            g.pool == feature.pool
                && (load != Load::Cluster || features[g.features[0]].model.id == feature.model.id)
        };
        match groups.iter_mut().find(|g| same(g)) {
            Some(group) => {
                group.features.push(index);
                group.shared &= feature.same_requests_in_all_trials();
            }
            None => groups.push(Group {
                pool: feature.pool,
                features: vec![index],
                load,
                shared: feature.same_requests_in_all_trials(),
                laws: (0..months).map(|_| None).collect(),
            }),
        }
    }
    groups
}

#[allow(clippy::too_many_arguments)] // one trial sees everything
fn play(
    scenario: &Scenario,
    calendar: &Calendar,
    features: &[FeatureLaw],
    bills: &Bills,
    groups: &mut [Group],
    use_of_pool: &mut by_hour::Uses,
    effort: Effort,
    table: &mut Table,
    rng: &mut Rng,
) {
    let hours = calendar.hours();
    let occurrences = Occurrence::draw_all(scenario, calendar, rng);
    let shock = Shock::draw(scenario, calendar, rng);
    let draws: Vec<FeatureDraw> = features.iter().map(|f| FeatureDraw::new(f, rng)).collect();
    let rates: Vec<Vec<f64>> = features
        .iter()
        .zip(&draws)
        .map(|(law, draw)| hourly_rates(law, draw, &occurrences, &shock, calendar, rng))
        .collect();

    let full: Vec<Vec<f64>> = (0..scenario.pools.len())
        .map(|pool| use_of_pool.utilisation(pool, scenario, calendar, features, &draws, &rates))
        .collect();
    let mut use_of_hour = vec![HourUse::new(scenario.pools.len()); hours];
    let mut attempts = Vec::new();
    for (index, (law, draw)) in features.iter().zip(&draws).enumerate() {
        let mut chain = Minutes::new(law.burstiness, law.burst_persistence, rng);
        let mut runaways: Vec<Runaway> = Vec::new();
        let mut by_kind = vec![[0.0; 3]; calendar.month_start.len()];
        for hour in 0..hours {
            let rate = rates[index][hour] / 60.0;
            if rate == 0.0 {
                continue;
            }
            let month = calendar.month_of(hour);
            let mut at = law.at(
                calendar.hour_of_week(hour),
                (1.0 + draw.drift).powf(calendar.months_at(hour as f64 + 0.5)),
            );
            at.tokens *= 1.0 + draw.load_sensitivity * full[law.pool][hour];
            let mut sums = [0.0; 9];
            let (mut busy, mut list) = (0.0, 0.0);
            for minute in 0..60 {
                for _ in 0..poisson(rate * chain.next(rng), rng) {
                    let ended = request(law, draw, at, rng, &mut attempts);
                    sums[0] += 1.0;
                    sums[1] += attempts.len() as f64;
                    sums[5] += ended.tools;
                    sums[6] += f64::from(u8::from(ended.stopped));
                    sums[7] += f64::from(u8::from(ended.softened));
                    sums[8] += law.worth(ended.cut, &scenario.pools[law.pool].kind);
                    if rng.random::<f64>() < draw.runaway.0 {
                        let start = hour as f64 + f64::from(minute) / 60.0;
                        runaways.push(Runaway::draw(law, draw, start, rng));
                    }
                    for a in &attempts {
                        sums[2] += a.uncached;
                        sums[3] += a.cached;
                        sums[4] += a.output;
                        busy += a.work(law);
                        list += a.list_cost(law);
                    }
                }
            }
            let whats = [
                What::Requests(index),
                What::Calls(index),
                What::Uncached(index),
                What::Cached(index),
                What::Output(index),
                What::Tools(index),
                What::Stopped(index),
                What::Softened(index),
                What::CutOff(index),
            ];
            for (what, sum) in whats.into_iter().zip(sums) {
                table.add(what, month, sum);
            }
            for (all, of_hour) in by_kind[month].iter_mut().zip(&sums[2..5]) {
                *all += of_hour;
            }
            match &scenario.pools[law.pool].kind {
                PoolKind::GpuCluster { .. } => {
                    let gpus = law.model.serving.as_ref().map_or(0, |s| s.gpus_per_replica);
                    use_of_hour[hour].busy_gpu_hours[law.pool] += busy * f64::from(gpus) / 3600.0;
                }
                PoolKind::PayAsYouGo { .. } => use_of_hour[hour].list[law.pool] += list,
            }
        }
        for runaway in runaways {
            table.add(
                What::Runaways(index),
                calendar.month_of(runaway.start as usize),
                1.0,
            );
            for hour in runaway.start as usize..hours {
                let burned = runaway.burned_in(hour);
                if burned <= 0.0 {
                    break;
                }
                let month = calendar.month_of(hour);
                table.add(What::RunawayTokens(index), month, burned);
                // its tokens are of the kinds of the month's requests
                let worth = law.worth(by_kind[month], &scenario.pools[law.pool].kind);
                let all: f64 = by_kind[month].iter().sum();
                table.add(What::RunawayCost(index), month, burned * worth / all);
            }
        }
    }
    for group in groups {
        // their minutes differ from hour to hour: they are played where they are asked for
        if group.features.iter().any(|f| features[*f].by_hour()) {
            continue;
        }
        loads(
            group,
            scenario,
            calendar,
            features,
            &draws,
            &rates,
            effort,
            &mut use_of_hour,
            rng,
        );
    }
    for (hour, used) in use_of_hour.iter().enumerate() {
        bills.hour(scenario, hour, used, calendar.month_of(hour), table);
    }
}

/// Needed capacity of a group's hours.
#[allow(clippy::too_many_arguments)] // one trial sees everything
fn loads(
    group: &mut Group,
    scenario: &Scenario,
    calendar: &Calendar,
    features: &[FeatureLaw],
    draws: &[FeatureDraw],
    rates: &[Vec<f64>],
    effort: Effort,
    use_of_hour: &mut [HourUse],
    rng: &mut Rng,
) {
    let months = calendar.month_start.len() - 1;
    for month in 0..months {
        let span = calendar.month_start[month]..calendar.month_start[month + 1];
        let highest: Vec<f64> = group
            .features
            .iter()
            .map(|f| {
                rates[*f][span.clone()]
                    .iter()
                    .fold(0.0, |a: f64, b| a.max(*b))
                    / 60.0
            })
            .collect();
        // Laws that all trials share do not depend on the month either.
        let slot = if group.shared { 0 } else { month };
        let keep = group.shared
            && group.laws[slot]
                .as_ref()
                .is_some_and(|l| l.covers(&highest));
        if !keep {
            let middle = calendar.months_at(0.5 * (span.start + span.end) as f64);
            let minutes = if group.shared {
                effort.shared_minutes
            } else {
                effort.own_minutes
            };
            // A shared tape is made long enough for most trials to come.
            let before = group.laws[slot].as_ref().map(MinuteLaw::highest_rates);
            let tape_rate = |part: usize, rate: f64| match &before {
                _ if !group.shared => rate,
                None => 2.0 * rate,
                Some(before) => before[part].max(2.0 * rate),
            };
            let parts: Vec<_> = group
                .features
                .iter()
                .zip(&highest)
                .enumerate()
                .map(|(part, (f, rate))| {
                    let drift = At::drift((1.0 + draws[*f].drift).powf(middle));
                    (&features[*f], &draws[*f], drift, tape_rate(part, *rate))
                })
                .collect();
            group.laws[slot] = Some(MinuteLaw::new(
                &parts,
                group.load,
                minutes,
                effort.rounded_minutes,
                rng,
            ));
        }
        let Some(law) = &mut group.laws[slot] else {
            continue;
        };
        let now = |hour: usize| -> Vec<f64> {
            let rate = |f: &usize| rates[*f][hour] / 60.0;
            group.features.iter().map(rate).collect()
        };
        let is_live = |hour: usize| {
            let live = |f: &usize| draws[*f].is_live(hour as f64 + 0.5);
            group.features.iter().any(live)
        };
        let live: Vec<usize> = span.filter(|hour| is_live(*hour)).collect();
        let candidates = candidates(&live, &now, law);
        match &scenario.pools[group.pool].kind {
            PoolKind::GpuCluster {
                target_utilisation, ..
            } => {
                let serving = features[group.features[0]].model.serving;
                let serving = serving.expect("a profile");
                let gpus = |p95: [f64; 2]| {
                    let by_work = (p95[0] / 60.0 / target_utilisation).ceil();
                    let by_calls = (p95[1] / f64::from(serving.concurrent_sequences)).ceil();
                    let least = f64::from(serving.minimum_replicas);
                    by_work.max(by_calls).max(least) * f64::from(serving.gpus_per_replica)
                };
                for hour in live {
                    use_of_hour[hour].needed[group.pool] += gpus(law.p95_rounded(&now(hour)));
                }
                for hour in candidates {
                    use_of_hour[hour].highest[group.pool] = Some([gpus(law.p95(&now(hour))), 0.0]);
                }
            }
            PoolKind::PayAsYouGo { .. } => {
                for hour in candidates {
                    use_of_hour[hour].highest[group.pool] = Some(law.p95(&now(hour)));
                }
            }
        }
    }
}

/// Hours of a month that can have its highest need: no other one outdoes them, and at rounded rates they are near it.
fn candidates(live: &[usize], now: &dyn Fn(usize) -> Vec<f64>, law: &mut MinuteLaw) -> Vec<usize> {
    const NEAR: f64 = 0.85;
    let all: Vec<Vec<f64>> = live.iter().map(|hour| now(*hour)).collect();
    let outdone = |mine: &[f64]| {
        all.iter().any(|other| {
            let mut pairs = mine.iter().zip(other);
            let none_less = pairs.clone().all(|(a, b)| a <= b);
            none_less && pairs.any(|(a, b)| a < b)
        })
    };
    let front: Vec<(usize, [f64; 2])> = live
        .iter()
        .zip(&all)
        .filter(|(_, rates)| !outdone(rates))
        .map(|(hour, rates)| (*hour, law.p95_rounded(rates)))
        .collect();
    let top = |which: usize| front.iter().map(|(_, p)| p[which]).fold(0.0, f64::max);
    let tops = [top(0), top(1)];
    front
        .into_iter()
        .filter(|(_, p)| p[0] >= NEAR * tops[0] || p[1] >= NEAR * tops[1])
        .map(|(hour, _)| hour)
        .collect()
}

/// Columns of the trials so far.
pub struct Table {
    columns: Vec<Column>,
    index: std::collections::HashMap<(What, usize), usize>,
    lowest: Vec<bool>,
}

impl Table {
    fn new(scenario: &Scenario, months: usize) -> Self {
        let mut whats = vec![What::Effective, What::Billed];
        for f in 0..scenario.features.len() {
            whats.extend([
                What::Requests(f),
                What::Calls(f),
                What::Uncached(f),
                What::Cached(f),
                What::Output(f),
            ]);
            let feature = &scenario.features[f];
            if feature.tools != Default::default() {
                whats.push(What::Tools(f));
            }
            if feature.caps != Default::default() {
                whats.extend([What::Stopped(f), What::Softened(f), What::CutOff(f)]);
            }
            if feature.runaways.is_some() {
                whats.extend([
                    What::Runaways(f),
                    What::RunawayTokens(f),
                    What::RunawayCost(f),
                ]);
            }
        }
        let mut limits = 0;
        for (p, pool) in scenario.pools.iter().enumerate() {
            match &pool.kind {
                PoolKind::GpuCluster { .. } => {
                    whats.extend([
                        What::BusyGpuHours(p),
                        What::NeededGpuHours(p),
                        What::BurstGpuHours(p),
                        What::BurstCost(p),
                        What::Headroom(limits),
                    ]);
                    limits += 1;
                }
                PoolKind::PayAsYouGo {
                    tokens_per_minute,
                    requests_per_minute,
                    ..
                } => {
                    whats.push(What::UsageList(p));
                    let set = usize::from(tokens_per_minute.is_some())
                        + usize::from(requests_per_minute.is_some());
                    whats.extend((limits..limits + set).map(What::Headroom));
                    limits += set;
                }
            }
        }
        whats.extend((0..scenario.commitments.len()).filter_map(|c| {
            matches!(
                scenario.commitments[c].kind,
                headroom::domain::scenario::CommitmentKind::SpendCommitment { .. }
            )
            .then_some(What::Unused(c))
        }));
        let mut table = Self {
            columns: Vec::new(),
            index: std::collections::HashMap::new(),
            lowest: Vec::new(),
        };
        for what in whats {
            for month in 0..months {
                table.index.insert((what, month), table.columns.len());
                table.lowest.push(matches!(what, What::Headroom(_)));
                table.columns.push(Column {
                    what,
                    month,
                    values: Vec::new(),
                });
            }
        }
        table
    }

    fn open_trial(&mut self) {
        for (column, lowest) in self.columns.iter_mut().zip(&self.lowest) {
            column
                .values
                .push(if *lowest { f64::INFINITY } else { 0.0 });
        }
    }

    /// Adds to this trial's value.
    pub fn add(&mut self, what: What, month: usize, amount: f64) {
        // what a feature does not have has no column
        let column = self.index.get(&(what, month)).copied();
        if let Some(value) = column.and_then(|c| self.columns[c].values.last_mut()) {
            *value += amount;
        }
    }

    /// Lowers this trial's value.
    pub fn lower(&mut self, what: What, month: usize, value: f64) {
        if let Some(lowest) = self.columns[self.index[&(what, month)]].values.last_mut() {
            *lowest = lowest.min(value);
        }
    }
}
