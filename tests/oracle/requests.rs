//! One request, call by call.

use headroom::domain::gateway::{CapKind, SoftAction};
use headroom::domain::quantity::Domain;
use headroom::domain::scenario::PoolKind;
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

/// A request that never ends by itself.
pub struct Runaway {
    pub start: f64,
    end: f64,
    tokens_per_hour: f64,
}

impl Runaway {
    /// Only caps of tokens and of seconds are played.
    pub fn draw(law: &FeatureLaw, draw: &FeatureDraw, start: f64, rng: &mut Rng) -> Self {
        let [_, _, found] = law.runaways.as_ref().expect("runaways");
        let tokens_per_hour = draw.runaway.1;
        let mut hours = found.draw(Domain::Positive, rng);
        if let Some(tokens) = law.caps.tokens {
            hours = hours.min(tokens / tokens_per_hour);
        }
        if let Some(seconds) = law.caps.seconds {
            hours = hours.min(seconds / 3_600.0);
        }
        Self {
            start,
            end: start + hours,
            tokens_per_hour,
        }
    }

    pub fn burned_in(&self, hour: usize) -> f64 {
        let hour = hour as f64;
        self.tokens_per_hour * ((hour + 1.0).min(self.end) - hour.max(self.start)).max(0.0)
    }
}

impl FeatureLaw {
    /// Uncached, cached and written tokens in money: at list price, on a cluster GPU-hours at the on-demand rate.
    pub fn worth(&self, [uncached, cached, output]: [f64; 3], pool: &PoolKind) -> f64 {
        if let PoolKind::GpuCluster {
            on_demand_rate_per_gpu_hour: rate,
            ..
        } = pool
        {
            let s = self.model.serving.as_ref().expect("a profile");
            let seconds =
                uncached / s.prefill_tokens_per_second + output / s.decode_tokens_per_second;
            return seconds / 3_600.0 * f64::from(s.gpus_per_replica) * rate;
        }
        self.model.price.as_ref().map_or(0.0, |p| {
            (uncached * p.uncached_input + cached * p.cached_read + output * p.output) / 1e6
        })
    }
}

/// How a request ended.
#[derive(Clone, Debug, Default)]
pub struct Ended {
    pub stopped: bool,
    pub softened: bool,
    pub tools: f64,
    pub seconds: f64,
    /// Start and end of every tool call.
    pub tool_times: Vec<(f64, f64)>,
    /// Uncached, cached and written tokens that were planned and not spent.
    pub cut: [f64; 3],
}

/// What a request would do if nobody stopped it.
enum Step {
    Call {
        call: u32,
        input: f64,
        share: f64,
        /// What is read again: the prefix before the first call, then the call before.
        again: f64,
        output: f64,
        /// Failed attempts of this call up to this one; 0 if it went well.
        errors: u32,
    },
    Tool(f64),
}

fn whole(law: &FeatureLaw, draw: &FeatureDraw, at: At, rng: &mut Rng) -> Vec<Step> {
    let calls = law.calls.draw(Domain::IntegerFromOne, rng) as u32;
    let first_input = law.input.draw(Domain::Positive, rng) * draw.input_level * at.tokens;
    let growth = law.context_growth.draw(Domain::NonNegative, rng) * at.tokens;
    let share = law.cached_share.draw(Domain::Share, rng) * at.cached;
    let tools = law.tools.draw(Domain::IntegerFromZero, rng) as u32;
    let mut steps = Vec::new();
    let mut again = draw.prefix.min(first_input);
    // tools are dealt to the gaps between calls, the k-th into the first gap that is due
    let gaps = if calls > 1 { calls - 1 } else { 1 };
    let mut dealt = 0;
    for call in 0..calls {
        let input = first_input + f64::from(call) * growth;
        let mut errors = 0;
        loop {
            let output = law.output.draw(Domain::Positive, rng) * draw.output_level * at.tokens;
            let failed = rng.random::<f64>() < (draw.retry * at.retries).min(1.0);
            errors = if failed { errors + 1 } else { 0 };
            steps.push(Step::Call {
                call,
                input,
                share,
                again,
                output,
                errors,
            });
            if !failed || errors > law.max_retries {
                break;
            }
        }
        again = input;
        // after the c-th of g gaps, c/g of the tools are done
        while call < gaps && (dealt + 1) * gaps <= (call + 1) * tools {
            steps.push(Step::Tool(law.tool_seconds.draw(Domain::NonNegative, rng)));
            dealt += 1;
        }
    }
    steps
}

/// Draws a request and sends it through the gateway: its calls and tools follow each other, a repeat follows its failed
/// call.
pub fn request(
    law: &FeatureLaw,
    draw: &FeatureDraw,
    at: At,
    rng: &mut Rng,
    attempts: &mut Vec<Attempt>,
) -> Ended {
    attempts.clear();
    let steps = whole(law, draw, at, rng);
    let caps = &law.caps;
    let mut ended = Ended::default();
    let (mut time, mut tokens, mut tools, mut factor) = (0.0, 0.0, 0u32, 1.0);
    let mut allowed: Option<usize> = None;
    // what the call before read, which the next one reads again
    let (mut last_call, mut read_before, mut last_read) = (0, draw.prefix, draw.prefix);
    for step in &steps {
        match *step {
            Step::Call {
                call,
                input,
                share,
                again,
                output,
                errors,
            } => {
                if call != last_call {
                    (last_call, read_before) = (call, last_read);
                }
                let planned = [input - share * again, share * again, output];
                let mut done = [0.0; 3];
                if let Some(soft) = caps.soft.filter(|_| !ended.softened && !ended.stopped) {
                    let (used, most) = match soft.of {
                        CapKind::Tokens => (tokens, caps.tokens),
                        CapKind::Calls => (attempts.len() as f64, caps.calls.map(f64::from)),
                        CapKind::ToolCalls => (f64::from(tools), caps.tool_calls.map(f64::from)),
                        CapKind::Seconds => (time, caps.seconds),
                    };
                    if most.is_some_and(|most| used >= soft.at * most) {
                        ended.softened = true;
                        match soft.then {
                            SoftAction::Stop => allowed = Some(attempts.len()),
                            SoftAction::OneMoreCall => allowed = Some(attempts.len() + 1),
                            SoftAction::Degrade { token_factor } => factor = token_factor,
                        }
                    }
                }
                let reads = input * factor;
                if allowed.is_some_and(|n| attempts.len() >= n)
                    || caps.calls.is_some_and(|n| attempts.len() >= n as usize)
                    || caps.seconds.is_some_and(|s| time >= s)
                    || caps.tokens.is_some_and(|t| tokens + reads >= t)
                {
                    ended.stopped = true;
                }
                if !ended.stopped {
                    let again_now = read_before.min(reads);
                    let mut writes = output * factor;
                    if let Some(most) = caps.tokens
                        && tokens + reads + writes > most
                    {
                        writes = most - tokens - reads;
                        ended.stopped = true;
                    }
                    let speed = law.model.sequence_tokens_per_second;
                    let mut seconds = law.model.ttft_seconds + writes / speed;
                    if let Some(most) = caps.seconds
                        && time + seconds > most
                    {
                        seconds = most - time;
                        writes = writes.min(((seconds - law.model.ttft_seconds) * speed).max(0.0));
                        ended.stopped = true;
                    }
                    done = [reads - share * again_now, share * again_now, writes];
                    attempts.push(Attempt {
                        start: time,
                        seconds,
                        uncached: done[0],
                        cached: done[1],
                        output: done[2],
                    });
                    time += seconds;
                    tokens += reads + writes;
                    last_read = reads;
                    if caps.identical_errors.is_some_and(|e| errors >= e) {
                        ended.stopped = true;
                    }
                }
                for (cut, (planned, done)) in ended.cut.iter_mut().zip(planned.iter().zip(done)) {
                    *cut += planned - done;
                }
            }
            Step::Tool(seconds) => {
                if ended.stopped {
                    continue;
                }
                if caps.tool_calls.is_some_and(|n| tools >= n)
                    || caps.seconds.is_some_and(|s| time >= s)
                {
                    ended.stopped = true;
                } else if allowed.is_none_or(|n| attempts.len() < n) {
                    tools += 1;
                    let start = time;
                    time += seconds;
                    if let Some(most) = caps.seconds.filter(|most| time > *most) {
                        time = most;
                        ended.stopped = true;
                    }
                    ended.tool_times.push((start, time));
                }
            }
        }
    }
    ended.tools = f64::from(tools);
    ended.seconds = time;
    ended
}
