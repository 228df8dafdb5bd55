//! Hours that differ in more than demand: the cached share and repeats by hour of week, and tokens under load.
//!
//! Everything that is summed or planned by hour is a polynomial of second degree in the factor of tokens and in what is
//! left of the cached share, times a power of the attempts. So it is worked out at three points of each per month, and
//! read in every hour. Source: docs/model.md, "Hours that differ".

use super::{Player, Workspace};
use crate::engine::{
    demand::{FeatureDraw, Moment, Month},
    plan::PlanPoolKind,
    projection::LimitKind,
    requests::{Measure, attempts},
};

/// Hours for which drift counts as constant.
const DRIFT_HOURS: usize = 128;

/// What a feature's requests are like in every hour of a month; empty where hours differ by drift only.
#[derive(Debug, Default)]
pub(super) struct Hourly {
    /// Attempts of a call by hour of week in this trial.
    week: Vec<f64>,
    tokens: Vec<f64>,
    attempts: Vec<f64>,
    cached: Vec<f64>,
    /// Lowest and highest of `tokens` and of `cached`.
    ends: [(f64, f64); 2],
}

/// A polynomial of second degree in tokens and in the cached share, both from 0 to 1 between their ends.
pub(super) struct Surface([[f64; 3]; 3]);

impl Hourly {
    /// Empties all for another trial.
    pub(super) fn clear(&mut self) {
        self.week.clear();
        self.tokens.clear();
    }

    /// Whether hours differ by more than drift.
    pub(super) fn is_on(&self) -> bool {
        !self.tokens.is_empty()
    }

    /// Requests of the busiest hour, and what they are like in it: the month's mean where hours are alike.
    pub(super) fn busiest(&self, rates: &[f64], month: Moment) -> (f64, Moment) {
        let most = rates.iter().fold(0.0, |a: f64, r| a.max(*r));
        let mut moment = month;
        let mut work = 0.0;
        let hours = self.tokens.iter().zip(&self.attempts).zip(&self.cached);
        for (((tokens, attempts), cached), rate) in hours.zip(rates) {
            // of hours with as many requests the one whose requests do most
            if *rate == most && tokens * attempts > work {
                work = tokens * attempts;
                moment = Moment {
                    tokens: *tokens,
                    attempts: *attempts,
                    cached: *cached,
                };
            }
        }
        (most, moment)
    }

    /// Puts values through functions of the moment; attempts are those of the trial.
    pub(super) fn surfaces<const N: usize>(
        &self,
        draw: &FeatureDraw,
        of: impl Fn(&Moment) -> [f64; N],
    ) -> [Surface; N] {
        let place = |end: (f64, f64), i: usize| end.0 + (end.1 - end.0) * i as f64 * 0.5;
        let number = |end: (f64, f64)| if end.1 > end.0 { 3 } else { 1 };
        let mut out: [[[f64; 3]; 3]; N] = [[[0.0; 3]; 3]; N];
        let [tokens, cached] = self.ends;
        for i in 0..number(tokens) {
            let mut row = [[0.0; 3]; N];
            for j in 0..number(cached) {
                let values = of(&Moment {
                    tokens: place(tokens, i),
                    attempts: draw.attempts,
                    cached: place(cached, j),
                });
                for (row, value) in row.iter_mut().zip(values) {
                    row[j] = value;
                }
            }
            for (out, row) in out.iter_mut().zip(row) {
                out[i] = coefficients(row, number(cached));
            }
        }
        out.map(|k| {
            let mut by_tokens = [[0.0; 3]; 3];
            for j in 0..3 {
                let column = coefficients([k[0][j], k[1][j], k[2][j]], number(tokens));
                for i in 0..3 {
                    by_tokens[i][j] = column[i];
                }
            }
            Surface(by_tokens)
        })
    }

    /// Calls `each` with every hour's number, its attempts as a share of those of the trial, and its place on surfaces.
    pub(super) fn each(&self, draw: &FeatureDraw, mut each: impl FnMut(usize, f64, (f64, f64))) {
        let [tokens, cached] = self.ends;
        let per = |end: (f64, f64)| {
            if end.1 > end.0 {
                1.0 / (end.1 - end.0)
            } else {
                0.0
            }
        };
        let (per_tokens, per_cached) = (per(tokens), per(cached));
        let again = 1.0 / draw.attempts;
        let rows = self.tokens.iter().zip(&self.cached).zip(&self.attempts);
        for (hour, ((t, c), a)) in rows.enumerate() {
            let place = ((t - tokens.0) * per_tokens, (c - cached.0) * per_cached);
            each(hour, a * again, place);
        }
    }
}

/// Coefficients of the polynomial through values at 0, 1/2 and 1.
fn coefficients(at: [f64; 3], number: usize) -> [f64; 3] {
    if number == 1 {
        return [at[0], 0.0, 0.0];
    }
    let [a, b, c] = at;
    [a, 4.0 * b - 3.0 * a - c, 2.0 * (a + c) - 4.0 * b]
}

impl Surface {
    /// Its value.
    #[inline]
    pub(super) fn at(&self, (t, c): (f64, f64)) -> f64 {
        let row = |k: &[f64; 3]| k[0] + c * (k[1] + c * k[2]);
        row(&self.0[0]) + t * (row(&self.0[1]) + t * row(&self.0[2]))
    }
}

impl Player<'_> {
    /// Works out what the requests of a pool's features are like in every hour of a month, with only some of them there.
    pub(super) fn hours(
        &self,
        pool: usize,
        month: &Month,
        stays: &dyn Fn(usize) -> bool,
        ws: &mut Workspace,
    ) {
        if !self.laws.by_hour[pool] {
            return;
        }
        let features = self.plan.pools[pool].features.iter().map(|f| *f as usize);
        let sharing: Vec<usize> = features
            .filter(|f| stays(*f) && ws.sums[*f].is_some())
            .collect();
        for f in sharing.iter().copied() {
            self.fill_hours(f, month, ws);
        }
        if sharing
            .iter()
            .any(|f| self.plan.features[*f].is_sensitive())
        {
            self.under_load(pool, &sharing, month, ws);
        }
        for f in sharing {
            weigh(&ws.hourly[f], &ws.rates[f], &mut ws.sums[f]);
            if let Some(sums) = &ws.sums[f] {
                ws.nodes[f] = self.laws.features[f].nearest(&ws.draws[f], &sums.moment);
            }
        }
    }

    fn fill_hours(&self, f: usize, month: &Month, ws: &mut Workspace) {
        let (feature, draw) = (&self.plan.features[f], &ws.draws[f]);
        let hourly = &mut ws.hourly[f];
        hourly.tokens.clear();
        if !feature.by_hour() {
            return;
        }
        if hourly.week.is_empty() {
            hourly.week.extend(feature.retry_factor.iter().map(|x| {
                let q = (draw.retry * x).min(1.0);
                attempts(q, feature.max_retries)
            }));
        }
        for (hours, moment) in drift_blocks(draw, month) {
            hourly.tokens.resize(hours.end, moment.tokens);
        }
        hourly.attempts.clear();
        hourly.attempts.resize(month.hours, draw.attempts);
        hourly.cached.clear();
        hourly.cached.resize(month.hours, 1.0);
        let first = month.first as usize;
        let of_week = &self.laws.features[f].hour_of_week;
        for (row, week) in [
            (&mut hourly.attempts, &hourly.week),
            (&mut hourly.cached, &feature.cached_left),
        ] {
            if !week.is_empty() {
                for (x, hour) in row.iter_mut().zip(&of_week[first..]) {
                    *x = week[usize::from(*hour)];
                }
            }
        }
        hourly.ends = [ends(&hourly.tokens), ends(&hourly.cached)];
        // the laws that load is worked out with must not depend on who was removed before
        let begin = hourly.tokens.first().copied().unwrap_or(1.0);
        let (laws, draw) = (&self.laws.features[f], &ws.draws[f]);
        ws.nodes[f] = laws.nearest(draw, &Moment::of(draw, begin));
    }

    /// Tokens grow by a × u: u = Σu₀ / (1 − Σ a·u₀), at most 1, u₀ the share of the pool that a feature's expected work
    /// would take without that.
    fn under_load(&self, pool: usize, sharing: &[usize], month: &Month, ws: &mut Workspace) {
        let Some(mut room) = self.room(pool, month) else {
            return;
        };
        let mut load = vec![(0.0, 0.0); month.hours];
        for f in sharing.iter().copied() {
            let (measure, gpus) = match self.plan.pools[pool].kind {
                PlanPoolKind::GpuCluster { .. } => (
                    self.laws.features[f].work,
                    self.gpus_per_replica(self.plan.features[f].model as usize) / 3_600.0,
                ),
                // the limit of tokens comes first
                PlanPoolKind::PayAsYouGo { .. } => (self.node(f, ws).limited[0].measure, 1.0),
            };
            let a = ws.draws[f].load_sensitivity;
            self.each_mean(f, month, &measure, ws, &mut |hour, mean| {
                let x = ws.rates[f][hour] * mean * gpus;
                load[hour].0 += x;
                load[hour].1 += x * a;
            });
        }
        for (room, (load, pulled)) in room.iter_mut().zip(load) {
            let (committed, free) = (*room, *room - pulled);
            *room = if load <= 0.0 {
                0.0
            } else if free <= 0.0 || committed <= 0.0 {
                1.0
            } else {
                (load / free).min(1.0)
            };
        }
        for f in sharing.iter().copied() {
            let a = ws.draws[f].load_sensitivity;
            let hourly = &mut ws.hourly[f];
            if a > 0.0 && hourly.is_on() {
                for (t, u) in hourly.tokens.iter_mut().zip(&room) {
                    *t *= 1.0 + a * u;
                }
                hourly.ends[0] = ends(&hourly.tokens);
            }
        }
    }

    /// What is committed in every hour: GPU-hours, or tokens. None without a limit.
    fn room(&self, pool: usize, month: &Month) -> Option<Vec<f64>> {
        let mut room = vec![0.0; month.hours];
        if let Some(cluster) = self.plan.billing.cluster(pool) {
            for segment in &cluster.segments {
                let at = |hour: u32| (hour.saturating_sub(month.first) as usize).min(month.hours);
                room[at(segment.first)..at(segment.end)].fill(segment.committed);
            }
            return Some(room);
        }
        let limit = &self.plan.limits[*self.plan.pools[pool].limits.first()? as usize];
        room.fill(limit.amount * 60.0);
        (limit.kind == LimitKind::TokensPerMinute).then_some(room)
    }

    /// Calls `each` with every hour and the mean of a measure per request in it.
    pub(super) fn each_mean(
        &self,
        f: usize,
        month: &Month,
        measure: &Measure,
        ws: &Workspace,
        each: &mut dyn FnMut(usize, f64),
    ) {
        let (laws, draw, hourly) = (&self.laws.features[f], &ws.draws[f], &ws.hourly[f]);
        let mean = |moment: &Moment| {
            let weights = laws.scales(ws.nodes[f], draw, moment).weights(measure);
            self.node(f, ws).mean(&weights)
        };
        if hourly.is_on() {
            let [surface] = hourly.surfaces(draw, |m| [mean(m)]);
            hourly.each(draw, |hour, again, place| {
                each(hour, again * surface.at(place));
            });
            return;
        }
        for (hours, moment) in drift_blocks(draw, month) {
            let mean = mean(&moment);
            hours.for_each(|hour| each(hour, mean));
        }
    }
}

fn ends(row: &[f64]) -> (f64, f64) {
    let first = row.first().copied().unwrap_or(1.0);
    let widen = |(low, high): (f64, f64), x: &f64| (low.min(*x), high.max(*x));
    row.iter().fold((first, first), widen)
}

/// Means over a month's requests: what totals are made of.
fn weigh(hourly: &Hourly, rates: &[f64], sums: &mut Option<crate::engine::demand::MonthSums>) {
    let (Some(sums), true) = (sums, hourly.is_on()) else {
        return;
    };
    let (mut calls, mut tokens, mut cached) = (0.0, 0.0, 0.0);
    let rows = hourly.tokens.iter().zip(&hourly.cached);
    for ((r, a), (t, c)) in rates.iter().zip(&hourly.attempts).zip(rows) {
        calls += r * a;
        tokens += r * a * t;
        cached += r * a * t * c;
    }
    if sums.requests > 0.0 && tokens > 0.0 {
        sums.moment = Moment {
            tokens: tokens / calls,
            attempts: calls / sums.requests,
            cached: cached / tokens,
        };
    }
}

/// Parts of a month in which drift counts as constant, with what requests are like in their middle.
pub(super) fn drift_blocks(
    draw: &FeatureDraw,
    month: &Month,
) -> impl Iterator<Item = (std::ops::Range<usize>, Moment)> + use<> {
    let (draw, index, hours) = (*draw, month.index as f64, month.hours);
    let log = draw.log_drift;
    let step = if log == 0.0 { hours } else { DRIFT_HOURS };
    (0..hours).step_by(step.max(1)).map(move |first| {
        let end = (first + step).min(hours);
        let middle = index + (first + end) as f64 / (2.0 * hours as f64);
        let drift = if log == 0.0 {
            1.0
        } else {
            libm::exp(log * middle)
        };
        (first..end, Moment::of(&draw, drift))
    })
}
