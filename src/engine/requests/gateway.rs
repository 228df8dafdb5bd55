//! One request at the gateway, call by call: where caps stop it, what a soft limit does, how long it lasts.
//!
//! A cap is not linear: a request at twice the level does not spend twice. So requests under caps are played at some
//! levels ([`super::levels`]), with the same draws at each. Source: docs/model.md, "Caps".

use super::{Components, component, sample::Drawn};
use crate::{
    domain::gateway::{CapKind, Caps, SoftAction},
    engine::plan::{PlanFeature, PlanModel},
};

/// What decides where a request is cut, besides its own draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gateway {
    /// The caps.
    pub caps: Caps,
    /// Seconds to the first written token of a call.
    pub ttft_seconds: f64,
    /// Written tokens per second of one call.
    pub tokens_per_second: f64,
    /// Most repeats of one call.
    pub max_retries: u32,
}

/// Factors of a request, as they stand in a trial at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Of the input of the first call: level × drift.
    pub input: f64,
    /// Of the output: level × drift.
    pub output: f64,
    /// Of the growth per call: drift.
    pub growth: f64,
    /// Chance that a call must be repeated.
    pub retry: f64,
}

/// A request as it was drawn, at level 1.
#[derive(Clone, Copy, Debug)]
pub struct Made<'a> {
    /// What is drawn once.
    pub drawn: Drawn,
    /// Output of each call; a repeat writes what another call of the request writes.
    pub outputs: &'a [f64],
    /// A uniform per call, which says how often its format is wrong; none: never.
    pub luck: &'a [f64],
    /// Seconds of each tool call.
    pub tool_seconds: &'a [f64],
}

/// A request as it went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// What it spent, and what was cut off.
    pub components: Components,
    /// How long it lasted.
    pub seconds: f64,
    /// How much of that in tools.
    pub tool_seconds: f64,
}

/// What is left of a request after a soft limit.
#[derive(Clone, Copy, PartialEq)]
enum Left {
    All,
    OneCall,
    Nothing,
}

/// Tool calls after each call: spread evenly over the gaps between calls; after the only call if there is but one.
#[must_use]
pub fn tools_after(call: u32, calls: u32, tools: u32) -> u32 {
    let gaps = u64::from(calls.max(2) - 1);
    let (call, tools) = (u64::from(call), u64::from(tools));
    if call >= gaps {
        return 0;
    }
    ((call + 1) * tools / gaps - call * tools / gaps) as u32
}

impl Gateway {
    /// Of a feature; none without caps.
    #[must_use]
    pub fn of(f: &PlanFeature, model: &PlanModel) -> Option<Self> {
        (!f.caps.is_default()).then_some(Self {
            caps: f.caps,
            ttft_seconds: model.ttft_seconds,
            tokens_per_second: model.sequence_tokens_per_second,
            max_retries: f.max_retries,
        })
    }

    /// Plays a request. `each` is told the second in which each call starts, and what the call did.
    pub fn play(
        &self,
        made: &Made,
        level: &Level,
        prefix: f64,
        each: &mut dyn FnMut(f64, &Components),
    ) -> Outcome {
        let caps = &self.caps;
        let most = |kind| caps.amount(kind).unwrap_or(f64::INFINITY);
        let (most_tokens, most_calls) = (most(CapKind::Tokens), most(CapKind::Calls));
        let (most_tools, most_seconds) = (most(CapKind::ToolCalls), most(CapKind::Seconds));
        let most_errors = caps.identical_errors.unwrap_or(u32::MAX);
        let soft_at = caps.soft.map_or(f64::INFINITY, |s| s.at * most(s.of));
        let drawn = &made.drawn;
        let (first, growth) = (drawn.input * level.input, drawn.growth * level.growth);

        let mut out = Outcome::default();
        let (mut tokens, mut tools, mut tool_calls) = (0.0, made.tool_seconds.iter(), 0.0);
        let (mut stopped, mut softened, mut left, mut factor) = (false, false, Left::All, 1.0);
        // what would have been re-read, and what was read
        let (mut before, mut read) = (prefix, prefix);
        for call in 0..drawn.calls {
            let whole_input = first + f64::from(call) * growth;
            let whole_cached = drawn.cached_share * before.min(whole_input);
            before = whole_input;
            let input = |factor: f64| whole_input * factor;
            let failures = made
                .luck
                .get(call as usize)
                .map_or(0, |u| failures(*u, level.retry, self.max_retries));
            let re_read = read;
            for attempt in 0..=failures.min(self.max_retries) {
                let at = (call + 61 * attempt) as usize % made.outputs.len().max(1);
                let whole_output = made.outputs.get(at).map_or(0.0, |o| o * level.output);
                if let Some(soft) = &caps.soft
                    && !stopped
                    && !softened
                {
                    let used = match soft.of {
                        CapKind::Tokens => tokens,
                        CapKind::Calls => out.components[component::CALLS],
                        CapKind::ToolCalls => tool_calls,
                        CapKind::Seconds => out.seconds,
                    };
                    if used >= soft_at {
                        softened = true;
                        match soft.then {
                            SoftAction::Stop => left = Left::Nothing,
                            SoftAction::OneMoreCall => left = Left::OneCall,
                            SoftAction::Degrade { token_factor } => factor = token_factor,
                        }
                    }
                }
                let input = input(factor);
                stopped |= left == Left::Nothing
                    || out.components[component::CALLS] >= most_calls
                    || out.seconds >= most_seconds
                    || tokens + input >= most_tokens;
                let cut = &mut out.components;
                cut[component::CUT_UNCACHED] += whole_input - whole_cached;
                cut[component::CUT_CACHED] += whole_cached;
                cut[component::CUT_OUTPUT] += whole_output;
                if stopped {
                    continue;
                }
                if left == Left::OneCall {
                    left = Left::Nothing;
                }
                let room = most_tokens - tokens - input;
                let mut output = whole_output * factor;
                if output > room {
                    output = room;
                    stopped = true;
                }
                let mut seconds = self.ttft_seconds + output / self.tokens_per_second;
                if out.seconds + seconds > most_seconds {
                    seconds = most_seconds - out.seconds;
                    let written = (seconds - self.ttft_seconds) * self.tokens_per_second;
                    output = output.min(written.max(0.0));
                    stopped = true;
                }
                let cached = drawn.cached_share * re_read.min(input);
                let mut now = [0.0; component::COUNT];
                now[component::CALLS] = 1.0;
                now[component::INPUT] = input;
                now[if call == 0 {
                    component::CACHED_PREFIX
                } else {
                    component::CACHED_INPUT
                }] = cached;
                now[component::OUTPUT] = output;
                each(out.seconds, &now);
                for (sum, x) in out.components[..component::MEASURED].iter_mut().zip(&now) {
                    *sum += x;
                }
                let cut = &mut out.components;
                cut[component::CUT_UNCACHED] -= input - cached;
                cut[component::CUT_CACHED] -= cached;
                cut[component::CUT_OUTPUT] -= output;
                tokens += input + output;
                out.seconds += seconds;
                read = input;
                stopped |= attempt < failures && attempt + 1 >= most_errors;
            }
            for _ in 0..tools_after(call, drawn.calls, drawn.tools) {
                stopped |= tool_calls >= most_tools || out.seconds >= most_seconds;
                if stopped || left == Left::Nothing {
                    break;
                }
                tool_calls += 1.0;
                let mut seconds = tools.next().copied().unwrap_or(0.0);
                if out.seconds + seconds > most_seconds {
                    seconds = most_seconds - out.seconds;
                    stopped = true;
                }
                out.seconds += seconds;
                out.tool_seconds += seconds;
            }
        }
        let x = &mut out.components;
        x[component::TOOLS] = tool_calls;
        x[component::STOPPED] = f64::from(u8::from(stopped));
        x[component::SOFTENED] = f64::from(u8::from(softened));
        // differences of sums: what is left of rounding is nothing
        let least = 1e-9 * tokens;
        for cut in &mut x[component::CUT_UNCACHED..] {
            if *cut < least {
                *cut = 0.0;
            }
        }
        out
    }
}

/// Attempts of a call that fail, at most one more than its repeats: P(at least k) = q^k.
fn failures(luck: f64, retry: f64, max_retries: u32) -> u32 {
    let (mut count, mut chance) = (0, retry);
    while count <= max_retries && luck < chance {
        count += 1;
        chance *= retry;
    }
    count
}

#[cfg(test)]
mod tests;
