//! One request, call by call.

use headroom::domain::quantity::Domain;
use rand::RngExt;

use super::Rng;
use super::demand::{FeatureDraw, FeatureLaw};

/// One call as it was sent: the first try or a repeat.
#[derive(Clone, Copy, Debug)]
pub struct Attempt {
    /// Seconds after the request.
    pub start: f64,
    /// How long it lasts, in seconds.
    pub seconds: f64,
    pub uncached: f64,
    pub cached: f64,
    pub output: f64,
}

impl Attempt {
    /// Replica-seconds.
    pub fn work(&self, law: &FeatureLaw) -> f64 {
        law.model.serving.as_ref().map_or(0.0, |s| {
            self.uncached / s.prefill_tokens_per_second + self.output / s.decode_tokens_per_second
        })
    }

    /// Money at list price.
    pub fn list_cost(&self, law: &FeatureLaw) -> f64 {
        law.model.price.as_ref().map_or(0.0, |p| {
            (self.uncached * p.uncached_input
                + self.cached * p.cached_read
                + self.output * p.output)
                / 1e6
        })
    }
}

/// What an hour does to requests.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// Factor of tokens: drift, and growth under load.
    pub tokens: f64,
    /// Factor of the chance of a repeat.
    pub retries: f64,
    /// What is left of the cached share.
    pub cached: f64,
}

impl At {
    /// Nothing but drift.
    pub fn drift(tokens: f64) -> Self {
        Self {
            tokens,
            retries: 1.0,
            cached: 1.0,
        }
    }
}

/// Draws a request: its calls follow each other, a repeat follows its failed call.
pub fn request(
    law: &FeatureLaw,
    draw: &FeatureDraw,
    at: At,
    rng: &mut Rng,
    attempts: &mut Vec<Attempt>,
) {
    attempts.clear();
    let calls = law.calls.draw(Domain::IntegerFromOne, rng) as u32;
    let first_input = law.input.draw(Domain::Positive, rng) * draw.input_level * at.tokens;
    let growth = law.context_growth.draw(Domain::NonNegative, rng) * at.tokens;
    let share = law.cached_share.draw(Domain::Share, rng) * at.cached;
    let retry = (draw.retry * at.retries).min(1.0);
    let mut start = 0.0;
    let mut reread = draw.prefix.min(first_input);
    for call in 0..calls {
        let input = first_input + f64::from(call) * growth;
        let cached = share * reread;
        reread = input;
        for repeat in 0..=law.max_retries {
            let output = law.output.draw(Domain::Positive, rng) * draw.output_level * at.tokens;
            let seconds = law.model.ttft_seconds + output / law.model.sequence_tokens_per_second;
            attempts.push(Attempt {
                start,
                seconds,
                uncached: input - cached,
                cached,
                output,
            });
            start += seconds;
            if repeat == law.max_retries || rng.random::<f64>() >= retry {
                break;
            }
        }
    }
}
