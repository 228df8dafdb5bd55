//! From a drawn request to its components: linear ones, or what is left of them under caps.

use crate::engine::requests::{
    Components, component,
    gateway::{Gateway, Level, Made},
    sample::{Drawn, Sampler},
};

/// How requests are made.
#[derive(Clone, Debug)]
pub struct Maker {
    /// Prefix tokens.
    prefix: f64,
    /// The gateway and the level at which it sees requests; none: nothing is cut.
    cut: Option<(Gateway, Level)>,
    outputs: Vec<f64>,
    luck: Vec<f64>,
    tool_seconds: Vec<f64>,
}

impl Maker {
    /// Without caps, at level 1.
    #[must_use]
    pub const fn linear(prefix: f64) -> Self {
        Self {
            prefix,
            cut: None,
            outputs: Vec::new(),
            luck: Vec::new(),
            tool_seconds: Vec::new(),
        }
    }

    /// With caps.
    #[must_use]
    pub fn cut(prefix: f64, gateway: Gateway, level: Level) -> Self {
        Self {
            cut: Some((gateway, level)),
            ..Self::linear(prefix)
        }
    }

    /// Whether caps cut requests.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.cut.is_some()
    }

    /// Components of a request, whose calls and tools are drawn here.
    pub fn make(&mut self, sampler: &mut Sampler, drawn: &Drawn) -> Components {
        if self.cut.is_none() {
            let output = sampler.output(drawn.calls);
            return drawn.components(self.prefix, output);
        }
        self.fill(sampler, drawn);
        self.play(drawn, &mut |_, _| {})
    }

    /// Plays a request that is drawn here. `each` is told when each call starts, and what it did.
    pub fn follow(
        &mut self,
        sampler: &mut Sampler,
        drawn: &Drawn,
        each: &mut dyn FnMut(f64, &Components),
    ) {
        self.fill(sampler, drawn);
        self.play(drawn, each);
    }

    /// By how much a request grows when one of its quantities comes from the tail.
    pub fn increment(&mut self, sampler: &mut Sampler, quantity: usize, value: f64) -> Components {
        if self.cut.is_none() && quantity == OUTPUT {
            let mut x = [0.0; component::COUNT];
            x[component::OUTPUT] = value - sampler.value(OUTPUT);
            return x;
        }
        let before = sampler.request();
        let mut after = before;
        if self.cut.is_none() {
            let mut output = 0.0;
            if quantity == CALLS {
                after.calls = sampler.round(value).max(before.calls);
                output = sampler.output(after.calls - before.calls);
            } else {
                replace(&mut after, quantity, value);
            }
            let a = after.components(self.prefix, output);
            let b = before.components(self.prefix, 0.0);
            return std::array::from_fn(|k| a[k] - b[k]);
        }
        self.fill(sampler, &before);
        let b = self.play(&before, &mut |_, _| {});
        match quantity {
            CALLS => {
                after.calls = sampler.round(value).max(before.calls);
                self.extend(sampler, after.calls);
            }
            OUTPUT => {
                if let Some(last) = self.outputs.last_mut() {
                    *last = value;
                }
            }
            _ => replace(&mut after, quantity, value),
        }
        let a = self.play(&after, &mut |_, _| {});
        std::array::from_fn(|k| a[k] - b[k])
    }

    fn fill(&mut self, sampler: &mut Sampler, drawn: &Drawn) {
        self.outputs.clear();
        self.luck.clear();
        self.extend(sampler, drawn.calls);
        self.tool_seconds.clear();
        self.tool_seconds
            .extend((0..drawn.tools).map(|_| sampler.value(TOOL_SECONDS)));
    }

    fn extend(&mut self, sampler: &mut Sampler, calls: u32) {
        let fails = self.cut.is_some_and(|(_, level)| level.retry > 0.0);
        while self.outputs.len() < calls as usize {
            self.outputs.push(sampler.value(OUTPUT));
            if fails {
                self.luck.push(sampler.luck());
            }
        }
    }

    fn play(&self, drawn: &Drawn, each: &mut dyn FnMut(f64, &Components)) -> Components {
        let Some((gateway, level)) = &self.cut else {
            return [0.0; component::COUNT];
        };
        let made = Made {
            drawn: *drawn,
            outputs: &self.outputs,
            luck: &self.luck,
            tool_seconds: &self.tool_seconds,
        };
        gateway.play(&made, level, self.prefix, each).components
    }
}

const CALLS: usize = 0;
const OUTPUT: usize = 4;
const TOOL_SECONDS: usize = 6;

fn replace(drawn: &mut Drawn, quantity: usize, value: f64) {
    if quantity == 1 {
        drawn.input = value;
    } else {
        drawn.growth = value;
    }
}
