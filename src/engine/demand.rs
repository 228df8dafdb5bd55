//! Requests: how many are expected in every hour of a month, and how many there are.
//!
//! Rate of an hour = B A(t) (1 + g)^t P(hour of week) Π W(t) S(t) H(t) / 24. The loops over hours hold only + − × ÷ and
//! comparisons; growth, ramps and adoption are geometric rows. Source: docs/model.md, "Demand".

pub mod count;
mod lanes;
pub mod noise;
pub mod shock;

use super::{
    plan::{Input, Plan, PlanFeature, PlanWindow},
    requests::attempts,
    rng::{StreamKey, purpose},
};
use crate::domain::scenario::Id;

/// What a trial knows of a feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeatureDraw {
    /// Requests per hour at full adoption, before growth; of a flow, its part.
    pub requests_per_hour: f64,
    /// Share of its feature's requests that is in this flow.
    pub share: f64,
    /// ln(1 + g) per month.
    pub log_growth: f64,
    /// Hour of the launch; minus infinity if live.
    pub launch: f64,
    /// Steepness of the logistic per hour; 0: at once.
    pub steepness: f64,
    /// Level of the input.
    pub input_level: f64,
    /// Level of the output.
    pub output_level: f64,
    /// Prefix tokens.
    pub prefix: f64,
    /// Chance that a call must be repeated.
    pub retry: f64,
    /// Mean number of times that a call is made.
    pub attempts: f64,
    /// ln(1 + drift) per month.
    pub log_drift: f64,
    /// Growth of tokens when the pool is full.
    pub load_sensitivity: f64,
    /// Runaway requests per request, and the tokens that each burns in an hour.
    pub runaway: (f64, f64),
}

/// What requests are like at some time of a trial.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// Factor of tokens: drift, and growth under load.
    pub tokens: f64,
    /// Mean number of times that a call is made.
    pub attempts: f64,
    /// What is left of the cached share.
    pub cached: f64,
}

impl Moment {
    /// Where all hours are alike but for drift.
    #[must_use]
    pub const fn of(draw: &FeatureDraw, tokens: f64) -> Self {
        Self {
            tokens,
            attempts: draw.attempts,
            cached: 1.0,
        }
    }
}

/// ln 99: the logistic is at 1 % this many units before its middle.
const LN_99: f64 = 4.595_119_850_134_59;

impl Input {
    /// Its value in a trial.
    #[must_use]
    pub fn draw(&self, plan: &Plan, trial: u32, entity: Id, block: u32) -> f64 {
        self.fixed.unwrap_or_else(|| {
            let seed = plan.seed;
            let u = match self.row {
                Some(row) => plan.together.uniform(seed, trial, row, block),
                None => StreamKey {
                    seed,
                    trial,
                    entity: entity.0,
                    purpose: self.purpose,
                    block,
                }
                .uniform(),
            };
            self.distribution.quantile(u)
        })
    }
}

/// Draws a feature's uncertain quantities; those that are not certain go to their columns.
#[must_use]
pub fn draw_feature(plan: &Plan, f: &PlanFeature, trial: u32, inputs: &mut [f32]) -> FeatureDraw {
    let mut draw = |input: &Input| {
        let value = input.draw(plan, trial, f.id, 0);
        store(input, value, inputs);
        value
    };
    let share = f.flow.as_ref().map_or(1.0, |flow| {
        let [short, long] = flow.misrouted.each_ref().map(&mut draw);
        flow.share([short, long])
    });
    let requests_per_hour = share * (draw(&f.requests_per_day) / 24.0);
    let log_growth = libm::log1p(draw(&f.growth));
    let (launch, steepness) = f.launch.as_ref().map_or((f64::NEG_INFINITY, 0.0), |l| {
        let launch = l.hour as f64 + 24.0 * draw(&l.slip_days);
        let ramp = draw(&l.ramp_days);
        let steepness = if ramp > 0.0 {
            2.0 * LN_99 / (24.0 * ramp)
        } else {
            0.0
        };
        (launch, steepness)
    });
    let retry = draw(&f.retry_probability);
    FeatureDraw {
        requests_per_hour,
        share,
        log_growth,
        launch,
        steepness,
        input_level: draw(&f.input_level),
        prefix: draw(&f.prefix),
        output_level: draw(&f.output_level),
        retry,
        attempts: attempts(retry, f.max_retries),
        log_drift: libm::log1p(draw(&f.drift)),
        load_sensitivity: draw(&f.load_sensitivity),
        runaway: f.runaways.as_ref().map_or((0.0, 0.0), |r| {
            (draw(&r.per_million) * 1e-6, draw(&r.tokens_per_hour))
        }),
    }
}

/// Draws the multiplier of an occurrence of a window.
#[must_use]
pub fn draw_window(plan: &Plan, w: &PlanWindow, trial: u32, inputs: &mut [f32]) -> f64 {
    let value = w.multiplier.draw(plan, trial, w.season, w.block);
    store(&w.multiplier, value, inputs);
    value
}

fn store(input: &Input, value: f64, inputs: &mut [f32]) {
    if let Some(slot) = input.column.and_then(|c| inputs.get_mut(c as usize)) {
        *slot = value as f32;
    }
}

/// Weight of every hour of the horizon: the weekly profile read at the feature's local clock.
#[must_use]
pub fn profile(f: &PlanFeature, hours: u32) -> Vec<f64> {
    hours_of_week(f, hours)
        .into_iter()
        .map(|hour| f.weights[usize::from(hour)])
        .collect()
}

/// Hour of week at the feature's local clock, of every hour of the horizon.
#[must_use]
pub fn hours_of_week(f: &PlanFeature, hours: u32) -> Vec<u8> {
    let mut row: Vec<u8> = Vec::with_capacity(hours as usize);
    let mut runs = f.local_hours.iter().peekable();
    while let Some((first, hour_of_week)) = runs.next() {
        let end = runs.peek().map_or(hours, |next| next.0).min(hours);
        for i in 0..end.saturating_sub(*first) {
            row.push(((u32::from(*hour_of_week) + i) % 168) as u8);
        }
    }
    row.resize(hours as usize, 0);
    row
}

/// A month of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Month {
    /// Index in the horizon.
    pub index: usize,
    /// First hour of the grid.
    pub first: u32,
    /// Hours.
    pub hours: usize,
    /// Block of its streams.
    pub block: u32,
}

impl Plan {
    /// A month of the horizon.
    #[must_use]
    pub fn month(&self, index: usize) -> Month {
        let first = self.month_start[index];
        Month {
            index,
            first,
            hours: (self.month_start[index + 1] - first) as usize,
            block: self.month_block(index),
        }
    }
}

/// Whether a feature has any request in the month.
#[must_use]
pub fn is_live(f: &PlanFeature, draw: &FeatureDraw, month: &Month) -> bool {
    let first = i64::from(month.first);
    draw.launch < (first + month.hours as i64) as f64 && f.retire > first
}

/// What the rates of a month depend on besides the feature and its draws.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// The month.
    pub month: Month,
    /// Weights of the month's hours.
    pub profile: &'a [f64],
    /// H of the month's hours; empty if there is none.
    pub noise: &'a [f32],
    /// Multipliers of [`Plan::windows`].
    pub multipliers: &'a [f64],
    /// x of the demand shock by week; empty if there is none.
    pub shock: &'a [f64],
    /// Seasonal windows that are left out.
    pub without: &'a [Id],
}

/// Expected requests of every hour of a month; `row` has the month's hours.
pub fn rates(
    plan: &Plan,
    f: &PlanFeature,
    draw: &FeatureDraw,
    around: &Surroundings,
    row: &mut [f64],
) {
    let Surroundings {
        month,
        profile,
        noise,
        multipliers,
        shock,
        without,
    } = *around;
    geometric_times(
        row,
        profile,
        draw.requests_per_hour * libm::exp(draw.log_growth * month.index as f64),
        libm::exp(draw.log_growth / month.hours as f64),
    );
    if !noise.is_empty() {
        for (r, h) in row.iter_mut().zip(noise) {
            *r *= f64::from(*h);
        }
    }
    for w in &f.windows {
        let window = &plan.windows[*w as usize];
        if !without.contains(&window.season) {
            apply_window(window, multipliers[*w as usize], &month, row);
        }
    }
    if let Some(law) = &plan.shock {
        shock::apply(law, f.noise.shock_loading, shock, &month, row);
    }
    adopt(f, draw, &month, row);
}

/// `row[i] = weights[i] × start × ratio^i`, in four lanes that are independent of each other.
fn geometric_times(row: &mut [f64], weights: &[f64], start: f64, ratio: f64) {
    let two = ratio * ratio;
    let mut lanes = [start, start * ratio, start * two, start * (two * ratio)];
    let step = two * two;
    let (fours, tail) = row.as_chunks_mut::<4>();
    let (weight_fours, weight_tail) = weights.as_chunks::<4>();
    for (r, w) in fours.iter_mut().zip(weight_fours) {
        for lane in 0..4 {
            r[lane] = w[lane] * lanes[lane];
            lanes[lane] *= step;
        }
    }
    for ((r, w), lane) in tail.iter_mut().zip(weight_tail).zip(&lanes) {
        *r = w * lane;
    }
}

/// Part of a month between two hours of the grid.
fn span(month: &Month, from: i64, to: i64) -> std::ops::Range<usize> {
    let at = |hour: i64| (hour - i64::from(month.first)).clamp(0, month.hours as i64) as usize;
    let (from, to) = (at(from), at(to));
    from..to.max(from)
}

/// Multiplies by the window: W inside, W^fraction on the ramps, read in the middle of the hour.
fn apply_window(w: &PlanWindow, multiplier: f64, month: &Month, row: &mut [f64]) {
    for r in &mut row[span(month, w.first, w.end)] {
        *r *= multiplier;
    }
    let mut ramp = |from: i64, to: i64, up: bool| {
        let part = span(month, from, to);
        if part.is_empty() {
            return;
        }
        let log = libm::log(multiplier) / (to - from) as f64;
        let hour = i64::from(month.first) + part.start as i64;
        let done = (hour - from) as f64 + 0.5;
        let (begin, ratio) = if up {
            (libm::exp(log * done), libm::exp(log))
        } else {
            (
                libm::exp(log * ((to - from) as f64 - done)),
                libm::exp(-log),
            )
        };
        let mut factor = begin;
        for r in &mut row[part] {
            *r *= factor;
            factor *= ratio;
        }
    };
    ramp(w.ramp_in, w.first, true);
    ramp(w.end, w.ramp_out, false);
}

/// Multiplies by adoption: 0 before launch, the logistic read in the middle of the hour, 0 from retirement on. An hour
/// that the launch divides counts with the part after it.
fn adopt(f: &PlanFeature, draw: &FeatureDraw, month: &Month, row: &mut [f64]) {
    let gone = span(month, f.retire, i64::MAX);
    row[gone].fill(0.0);
    let start = f64::from(month.first);
    let end = start + month.hours as f64;
    if draw.launch > start {
        let before = (f64::floor(draw.launch.min(end)) - start) as usize;
        row[..before.min(month.hours)].fill(0.0);
        if let Some(r) = row.get_mut(before) {
            *r *= start + before as f64 + 1.0 - draw.launch;
        }
        logistic(
            draw,
            start + before as f64,
            &mut row[before.min(month.hours)..],
        );
    } else {
        logistic(draw, start, row);
    }
}

/// Multiplies by 1 / (1 + 99 e^(-k t)), t the hours since launch.
fn logistic(draw: &FeatureDraw, first: f64, row: &mut [f64]) {
    if draw.steepness == 0.0 {
        return;
    }
    let since = (first + 0.5 - draw.launch).max(0.0);
    let mut left = 99.0 * libm::exp(-draw.steepness * since);
    let ratio = libm::exp(-draw.steepness);
    for r in row {
        if left < 1e-16 {
            break;
        }
        *r *= 1.0 / (1.0 + left);
        left *= ratio;
    }
}

/// Sums over the hours of a month that its totals are drawn from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MonthSums {
    /// Expected requests.
    pub requests: f64,
    /// Sum of the squares of the expected requests of the hours.
    pub squares: f64,
    /// What its requests are like, weighted by requests.
    pub moment: Moment,
}

/// Sums of a row of rates.
#[must_use]
pub fn month_sums(draw: &FeatureDraw, month: &Month, row: &[f64]) -> MonthSums {
    let (requests, squares) = sum_and_squares(row);
    let begin = libm::exp(draw.log_drift * month.index as f64);
    let drift = if draw.log_drift == 0.0 || requests <= 0.0 {
        begin
    } else {
        let ratio = libm::exp(draw.log_drift / month.hours as f64);
        let (mut factor, mut sum) = (begin, 0.0);
        for r in row {
            sum += r * factor;
            factor *= ratio;
        }
        sum / requests
    };
    MonthSums {
        requests,
        squares,
        moment: Moment::of(draw, drift),
    }
}

fn sum_and_squares(row: &[f64]) -> (f64, f64) {
    let (mut sums, mut squares) = ([0.0; 4], [0.0; 4]);
    let (fours, tail) = row.as_chunks::<4>();
    for r in fours {
        for lane in 0..4 {
            sums[lane] += r[lane];
            squares[lane] += r[lane] * r[lane];
        }
    }
    for (lane, r) in tail.iter().enumerate() {
        sums[lane] += r;
        squares[lane] += r * r;
    }
    (
        (sums[0] + sums[1]) + (sums[2] + sums[3]),
        (squares[0] + squares[1]) + (squares[2] + squares[3]),
    )
}

/// Requests of a month, from its expected rates.
#[must_use]
pub fn month_count(
    plan: &Plan,
    f: &PlanFeature,
    trial: u32,
    month: &Month,
    sums: &MonthSums,
) -> u64 {
    let key = StreamKey {
        seed: plan.seed,
        trial,
        entity: f.id.0,
        purpose: purpose::COUNT,
        block: month.block,
    };
    let burst = f.noise.burstiness
        * f.noise.burstiness
        * count::long_run_variance(f.noise.burst_persistence)
        / 60.0;
    let draw = |sums: &MonthSums| count::draw(sums.requests, sums.squares * burst, key.uniform());
    let Some(flow) = &f.flow else {
        return draw(sums);
    };
    let misrouted = flow.misrouted_in(plan, trial, f.id);
    let purpose = purpose::LANES;
    let mut stream = StreamKey { purpose, ..key }.stream();
    flow.all(sums, misrouted)
        .map_or(0, |all| flow.count(draw(&all), misrouted, &mut stream))
}

#[cfg(test)]
mod tests;
