//! Requests that never end by themselves: each burns tokens until somebody finds it or a cap stops it, over months' ends.
//!
//! Source: docs/model.md, "Runaway requests".

use super::{
    demand::{FeatureDraw, Month, count},
    plan::PlanFeature,
    requests::Tokens,
    rng::StreamKey,
};
use crate::domain::gateway::{CapKind, Caps, SoftAction};

/// Most burns of a month that are drawn one by one; of more, each stands for several.
const MOST_BURNS: u64 = 256;

/// A runaway request, or several alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Burn {
    /// First and last hour of the grid.
    start: f64,
    end: f64,
    /// Tokens per hour.
    tokens_per_hour: f64,
}

impl Burn {
    /// Hours of a month in which it burns.
    fn hours(&self, first: f64, end: f64) -> f64 {
        (self.end.min(end) - self.start.max(first)).max(0.0)
    }
}

/// Most hours that caps let a runaway burn.
fn capped_hours(caps: &Caps, tokens_per_hour: f64, tokens_per_call: f64) -> f64 {
    // a soft limit that stops comes before its cap
    let most = |kind| {
        let early = match &caps.soft {
            Some(soft) if soft.of == kind && soft.then == SoftAction::Stop => soft.at,
            _ => 1.0,
        };
        caps.amount(kind).map_or(f64::INFINITY, |a| a * early)
    };
    let tokens = most(CapKind::Tokens).min(most(CapKind::Calls) * tokens_per_call);
    (tokens / tokens_per_hour).min(most(CapKind::Seconds) / 3_600.0)
}

/// Draws the runaways that begin in a month, as its requests (`rates` by hour) do; says how many there are.
pub fn begin(
    feature: &PlanFeature,
    draw: &FeatureDraw,
    mix: &Tokens,
    month: &Month,
    (requests, rates): (u64, &[f64]),
    stream: StreamKey,
    burns: &mut Vec<Burn>,
) -> f64 {
    let first = f64::from(month.first);
    burns.retain(|b| b.end > first);
    let (rate, tokens_per_hour) = draw.runaway;
    let Some(runaways) = &feature.runaways else {
        return 0.0;
    };
    let mut stream = stream.stream();
    let begun = count::draw(rate * requests as f64, 0.0, stream.uniform());
    let drawn = begun.min(MOST_BURNS);
    let per_call = mix.all() / mix.calls.max(1e-300);
    let most = capped_hours(&feature.caps, tokens_per_hour, per_call);
    let all: f64 = rates.iter().sum();
    for _ in 0..drawn {
        let start = first + moment(rates, all * stream.uniform());
        let hours = runaways.hours.quantile(stream.uniform()).min(most);
        burns.push(Burn {
            start,
            end: start + hours,
            tokens_per_hour: tokens_per_hour * (begun as f64 / drawn as f64),
        });
    }
    begun as f64
}

/// Hours into the month until so many requests are expected.
fn moment(rates: &[f64], mut requests: f64) -> f64 {
    for (hour, rate) in rates.iter().enumerate() {
        if requests < *rate {
            return hour as f64 + requests / rate;
        }
        requests -= rate;
    }
    rates.len() as f64
}

/// Tokens that are burned in a month.
#[must_use]
pub fn burned(burns: &[Burn], month: &Month) -> f64 {
    let first = f64::from(month.first);
    let end = first + month.hours as f64;
    burns
        .iter()
        .map(|b| b.hours(first, end) * b.tokens_per_hour)
        .sum()
}

/// Adds what they cost in a month to its hours.
pub fn spread(burns: &[Burn], month: &Month, cost: f64, row: &mut [f64]) {
    if cost <= 0.0 {
        return;
    }
    let per_token = cost / burned(burns, month);
    let first = f64::from(month.first);
    for burn in burns {
        let from = (burn.start - first).max(0.0) as usize;
        for (hour, x) in row.iter_mut().enumerate().skip(from) {
            let hour = first + hour as f64;
            if burn.end <= hour {
                break;
            }
            *x += per_token * burn.tokens_per_hour * burn.hours(hour, hour + 1.0);
        }
    }
}

#[cfg(test)]
mod tests;
