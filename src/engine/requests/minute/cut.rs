//! Requests under caps, cut into minutes.

use super::{MOST_MINUTES, Parts, add};
use crate::engine::{
    requests::{
        Components, component,
        gateway::{Gateway, Level},
        sample::{STRATA, Stratified},
        sums::make::Maker,
    },
    rng::Stream,
};

impl Parts {
    /// Of requests under caps at a level, repeats included.
    #[must_use]
    pub fn cut(of: &Stratified, gateway: Gateway, level: Level) -> Self {
        let mut sampler = of.sampler(3);
        let mut maker = Maker::cut(of.law.typical_prefix, gateway, level);
        let mut phase = Stream::from_hash(0x5851_f42d_4c95_7f2d);
        let mut parts: Vec<Components> = Vec::with_capacity(STRATA);
        let mut by_minute: Vec<Components> = Vec::new();
        let mut calls: Vec<(usize, Components)> = Vec::new();
        for i in 0..STRATA {
            let request = sampler.request();
            let start = 60.0 * (i as f64 + phase.uniform()) / STRATA as f64;
            calls.clear();
            maker.follow(&mut sampler, &request, &mut |second, x| {
                let minute = ((start + second) / 60.0) as usize;
                calls.push((minute.min(MOST_MINUTES - 1), *x));
            });
            for (at, (minute, x)) in calls.iter().enumerate() {
                if by_minute.len() <= *minute {
                    by_minute.resize(minute + 1, [0.0; component::COUNT]);
                }
                add(&mut by_minute[*minute], x);
                let same = at.checked_sub(1).is_some_and(|b| calls[b].0 == *minute);
                match parts.last_mut() {
                    Some(part) if same => add(part, x),
                    _ => parts.push(*x),
                }
            }
        }
        if parts.is_empty() {
            parts.push([0.0; component::COUNT]);
        }
        Self {
            repeats: 1.0,
            per_request: parts.len() as f64 / STRATA as f64,
            parts,
            by_minute,
        }
    }
}
