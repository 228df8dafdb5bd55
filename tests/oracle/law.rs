//! The law of one minute at a constant rate, found by playing many minutes.
//!
//! A tape holds minutes of one feature at the highest rate that is of interest. Every request on it carries the rate
//! from which on it exists (thinning), so one tape answers for all rates at or below that one, with the same luck.

use std::collections::HashMap;

use rand::RngExt;

use super::Rng;
use super::demand::{FeatureDraw, FeatureLaw, Minutes, poisson};
use super::requests::{At, request};

/// Minutes that are played before the first that counts: longer than any request.
const WARM_UP_MINUTES: usize = 60;

/// What the minutes of a pool are asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Load {
    /// Replica-seconds of the minute, and calls in flight at its start.
    Cluster,
    /// Tokens that count towards a limit, and calls, both of the minute.
    Key { cached_reads_count: bool },
}

/// Thresholds of one minute with amounts.
type Steps = Vec<(f64, f64)>;

/// Minutes of one feature, those without anything left out: sorted thresholds with the running sums up to them.
struct Sums {
    /// Minute, and where its steps begin; the last one is where all end.
    begins: Vec<(usize, usize)>,
    steps: Steps,
}

impl Sums {
    fn new(minutes: Vec<Steps>) -> Self {
        let (mut begins, mut steps) = (Vec::new(), Vec::new());
        let number = minutes.len();
        for (minute, mut of) in minutes.into_iter().enumerate() {
            if of.is_empty() {
                continue;
            }
            begins.push((minute, steps.len()));
            of.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut sum = 0.0;
            steps.extend(of.into_iter().map(|(from, amount)| {
                sum += amount;
                (from, sum)
            }));
        }
        begins.push((number, steps.len()));
        Self { begins, steps }
    }

    /// Loads of the minutes that have any at a rate.
    fn at(&self, rate: f64) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.begins.windows(2).filter_map(move |pair| {
            let steps = &self.steps[pair[0].1..pair[1].1];
            let known = steps.partition_point(|step| step.0 <= rate);
            (known > 0).then(|| (pair[0].0, steps[known - 1].1))
        })
    }
}

/// Minutes of one feature.
struct Tape {
    highest_rate: f64,
    first: Sums,
    second: Sums,
}

impl Tape {
    fn play(
        law: &FeatureLaw,
        draw: &FeatureDraw,
        moment: At,
        highest_rate: f64,
        minutes: usize,
        load: Load,
        rng: &mut Rng,
    ) -> Self {
        let mut first = vec![Steps::new(); minutes];
        let mut second = vec![Steps::new(); minutes];
        let mut chain = Minutes::new(law.burstiness, law.burst_persistence, rng);
        let mut attempts = Vec::new();
        for minute in 0..WARM_UP_MINUTES + minutes {
            let arrivals = poisson(highest_rate * chain.next(rng), rng);
            for _ in 0..arrivals {
                let exists_from = highest_rate * rng.random::<f64>();
                let arrival = 60.0 * (minute as f64 + rng.random::<f64>());
                request(law, draw, moment, rng, &mut attempts);
                for attempt in &attempts {
                    let start = (arrival + attempt.start) / 60.0 - WARM_UP_MINUTES as f64;
                    let end = start + attempt.seconds / 60.0;
                    let put = |lists: &mut Vec<Steps>, minute: f64, amount: f64| {
                        if minute >= 0.0 && minute < minutes as f64 {
                            lists[minute as usize].push((exists_from, amount));
                        }
                    };
                    match load {
                        Load::Cluster => {
                            put(&mut first, start, attempt.work(law));
                            let mut instant = start.ceil();
                            while instant < end {
                                put(&mut second, instant, 1.0);
                                instant += 1.0;
                            }
                        }
                        Load::Key { cached_reads_count } => {
                            let cached = if cached_reads_count {
                                attempt.cached
                            } else {
                                0.0
                            };
                            put(
                                &mut first,
                                start,
                                attempt.uncached + attempt.output + cached,
                            );
                            put(&mut second, start, 1.0);
                        }
                    }
                }
            }
        }
        Self {
            highest_rate,
            first: Sums::new(first),
            second: Sums::new(second),
        }
    }
}

/// 95 % quantiles of the minutes of some features together.
pub struct MinuteLaw {
    tapes: Vec<Tape>,
    minutes: usize,
    /// Minutes that answer where many hours are asked for.
    few: usize,
    /// Rates are rounded to powers of e^step where many hours are asked for.
    step: f64,
    known: HashMap<Vec<i32>, [f64; 2]>,
    /// Answers at rates as they are: hours without noise are all alike.
    exact: HashMap<Vec<u64>, [f64; 2]>,
}

const NO_RATE: i32 = i32::MIN;

impl MinuteLaw {
    /// Plays the tapes: features with their draws, drift and highest rate per minute.
    pub fn new(
        features: &[(&FeatureLaw, &FeatureDraw, At, f64)],
        load: Load,
        minutes: usize,
        few: usize,
        rng: &mut Rng,
    ) -> Self {
        let step = if features.len() == 1 { 0.02 } else { 0.05 };
        Self {
            tapes: features
                .iter()
                .map(|(law, draw, moment, rate)| {
                    Tape::play(law, draw, *moment, rate * (1.0 + step), minutes, load, rng)
                })
                .collect(),
            minutes,
            few: few.min(minutes),
            step,
            known: HashMap::new(),
            exact: HashMap::new(),
        }
    }

    /// Highest rate per minute of each tape.
    pub fn highest_rates(&self) -> Vec<f64> {
        self.tapes.iter().map(|t| t.highest_rate).collect()
    }

    /// Whether the tapes are long enough for these rates.
    pub fn covers(&self, rates: &[f64]) -> bool {
        let enough = |(tape, rate): (&Tape, &f64)| tape.highest_rate >= rate * (1.0 + self.step);
        self.tapes.iter().zip(rates).all(enough)
    }

    /// 95 % quantiles of the two loads at rates per minute, one for each feature.
    pub fn p95(&mut self, rates: &[f64]) -> [f64; 2] {
        let key: Vec<u64> = rates.iter().map(|r| r.to_bits()).collect();
        if let Some(known) = self.exact.get(&key) {
            return *known;
        }
        let answer = self.p95_of(rates, self.minutes);
        self.exact.insert(key, answer);
        answer
    }

    /// The same at rounded rates from fewer minutes: right on average over many hours.
    pub fn p95_rounded(&mut self, rates: &[f64]) -> [f64; 2] {
        let key: Vec<i32> = rates
            .iter()
            .map(|rate| {
                if *rate > 0.0 {
                    (rate.ln() / self.step).round() as i32
                } else {
                    NO_RATE
                }
            })
            .collect();
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let rounded: Vec<f64> = key
            .iter()
            .map(|k| match *k {
                NO_RATE => 0.0,
                k => (f64::from(k) * self.step).exp(),
            })
            .collect();
        let answer = self.p95_of(&rounded, self.few);
        self.known.insert(key, answer);
        answer
    }

    fn p95_of(&self, rates: &[f64], minutes: usize) -> [f64; 2] {
        let quantile = |which: fn(&Tape) -> &Sums| {
            let mut loads: Vec<f64> = match &self.tapes[..] {
                [tape] => of(which(tape), rates[0], minutes).map(|x| x.1).collect(),
                tapes => {
                    let mut loads = vec![0.0; minutes];
                    for (tape, rate) in tapes.iter().zip(rates) {
                        of(which(tape), *rate, minutes).for_each(|(m, x)| loads[m] += x);
                    }
                    loads
                }
            };
            // minutes without a load come first
            let silent = minutes - loads.len();
            match ((minutes * 95).div_ceil(100) - 1).checked_sub(silent) {
                None => 0.0,
                Some(rank) => *loads.select_nth_unstable_by(rank, f64::total_cmp).1,
            }
        };
        [quantile(|t| &t.first), quantile(|t| &t.second)]
    }
}

/// Loads of the first minutes.
fn of(sums: &Sums, rate: f64, minutes: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
    sums.at(rate)
        .take_while(move |(minute, _)| *minute < minutes)
}
