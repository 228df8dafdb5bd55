//! Requests and tool calls that are under way at once in the busiest hour of a month, and the most tokens that requests
//! under a cap can ever use.
//!
//! Source: docs/model.md, "Peak concurrency" and "Provisioning ceiling".

use super::{
    demand::{
        FeatureDraw, Moment,
        count::{self, window_variance},
    },
    laws::FeatureLaws,
    pools::gpu::FlightTerms,
};

/// Quantile of what is in flight.
const IN_FLIGHT: f64 = 0.95;

/// Quantile of request starts that a ceiling is made for.
const STARTS: f64 = 0.99;

/// At once, in the busiest hour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// Requests.
    pub requests: f64,
    /// Tool calls.
    pub tool_calls: f64,
}

/// The most that requests under a cap can use; 0 where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ceiling {
    /// Tokens per minute.
    pub tokens_per_minute: f64,
    /// Tokens of requests under way.
    pub tokens_in_memory: f64,
}

impl Peak {
    /// At a rate of requests per hour.
    #[must_use]
    pub fn new(laws: &FeatureLaws, draw: &FeatureDraw, moment: &Moment, rate: f64) -> Self {
        let times = laws.times(draw, moment);
        let (burst, persistence) = laws.burst();
        let at = |number: f64, seconds: f64, variance: f64| {
            let t = FlightTerms::new(number, seconds, variance, persistence);
            count::draw(rate * t.mean, rate * rate * t.extra, IN_FLIGHT) as f64
        };
        Self {
            requests: at(1.0, times.seconds, burst),
            tool_calls: if times.tools > 0.0 {
                at(
                    times.tools,
                    times.tool_seconds,
                    laws.nodes[0].call_rate_variance,
                )
            } else {
                0.0
            },
        }
    }

    /// Under a cap of tokens per request and a context window.
    #[must_use]
    pub fn ceiling(
        &self,
        laws: &FeatureLaws,
        cap: Option<f64>,
        context_window: Option<f64>,
        rate: f64,
    ) -> Ceiling {
        let in_memory = cap
            .unwrap_or(f64::INFINITY)
            .min(context_window.unwrap_or(f64::INFINITY));
        Ceiling {
            tokens_per_minute: cap.map_or(0.0, |cap| cap * laws.starts_per_minute(rate)),
            tokens_in_memory: if in_memory.is_finite() {
                in_memory * self.requests
            } else {
                0.0
            },
        }
    }
}

impl FeatureLaws {
    /// Request starts per minute that are exceeded in 1 of 100 windows as long as a request, at a rate per hour.
    fn starts_per_minute(&self, rate: f64) -> f64 {
        let longest = self.levels.as_ref().map_or(0.0, |l| l.longest_seconds);
        let minutes = f64::ceil(longest / 60.0).clamp(1.0, 1e6);
        let mean = rate / 60.0;
        let (burst, persistence) = self.burst();
        let extra = mean * mean * burst * window_variance(persistence, minutes);
        count::draw(mean * minutes, extra, STARTS) as f64 / minutes
    }
}

#[cfg(test)]
mod tests;
