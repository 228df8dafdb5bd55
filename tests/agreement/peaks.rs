//! Requests and tool calls at once, and provisioning ceilings, against requests that are played one by one and looked at
//! every minute.

use headroom::domain::gateway::{Caps, Tools};
use headroom::domain::quantity::{Quantity, Shape};
use headroom::domain::scenario::Scenario;
use headroom::engine::columns::FeaturePhysical;
use headroom::engine::plan::compile;
use headroom::engine::run::{Cache, Simulator};
use rand::{RngExt, SeedableRng};

use crate::brute::Rng;
use crate::brute::calendar::Calendar;
use crate::brute::demand::{FeatureDraw, FeatureLaw, Minutes, poisson};
use crate::brute::requests::{At, request};
use crate::closed_forms::plain;

const CAP: f64 = 40_000.0;
const MINUTES: usize = 60_000;
const WARM_UP: usize = 120;

/// Agents with tools under a cap of tokens.
fn agents(per_minute: f64, burstiness: f64, persistence: f64) -> Scenario {
    let between = |p10, p90| -> Quantity { Shape::Between { p10, p90 }.into() };
    let mut s = plain();
    s.models[0].context_window_tokens = Some(30_000.0);
    let f = &mut s.features[0];
    f.requests_per_day = Quantity::fixed(per_minute * 1_440.0);
    f.calls_per_request = between(2.0, 9.0);
    f.input_tokens.each = between(800.0, 4_000.0);
    f.context_growth_tokens = Quantity::fixed(300.0);
    f.output_tokens.each = between(50.0, 500.0);
    f.tools = Tools {
        calls_per_request: between(1.0, 8.0),
        seconds: between(1.0, 20.0),
    };
    f.caps = Caps {
        tokens: Some(CAP),
        ..Caps::default()
    };
    f.noise.burstiness = burstiness;
    f.noise.burst_persistence = persistence;
    s
}

fn quantile(values: &mut [f64], p: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(values.len() as f64 * p).ceil() as usize - 1]
}

/// Requests at once, tool calls at once, tokens a minute that caps allow.
fn played(s: &Scenario, per_minute: f64) -> [f64; 3] {
    let calendar = Calendar::new(s.settings.start, 1);
    let law = FeatureLaw::new(s, &s.features[0], &calendar);
    let mut rng = Rng::seed_from_u64(4);
    let draw = FeatureDraw::new(&law, &mut rng);
    let mut chain = Minutes::new(law.burstiness, law.burst_persistence, &mut rng);
    let mut attempts = Vec::new();
    let number = WARM_UP + MINUTES;
    let mut at_once = [vec![0.0; number], vec![0.0; number]];
    // one moment in every minute, anywhere in it
    let moment = |minute: usize| minute as f64 + (minute as f64 * 0.618_033_988_75).fract();
    let (mut starts, mut seconds) = (vec![0.0; number], Vec::new());
    for (minute, starts) in starts.iter_mut().enumerate() {
        for _ in 0..poisson(per_minute * chain.next(&mut rng), &mut rng) {
            *starts += 1.0;
            let begin = minute as f64 + rng.random::<f64>();
            let ended = request(&law, &draw, At::drift(1.0), &mut rng, &mut attempts);
            seconds.push(ended.seconds);
            let mut put = |which: usize, from: f64, to: f64| {
                let (from, to) = (begin + from / 60.0, begin + to / 60.0);
                let later = at_once[which].iter_mut().enumerate().skip(from as usize);
                for (minute, count) in later.take_while(|(minute, _)| moment(*minute) < to) {
                    *count += f64::from(u8::from(moment(minute) >= from));
                }
            };
            put(0, 0.0, ended.seconds);
            for (from, to) in &ended.tool_times {
                put(1, *from, *to);
            }
        }
    }
    let longest = (quantile(&mut seconds, 0.999) / 60.0).ceil() as usize;
    let windows = starts[WARM_UP..].windows(longest);
    let mut windows: Vec<f64> = windows.map(|w| w.iter().sum::<f64>()).collect();
    let [mut requests, mut tools] = at_once.map(|row| row[WARM_UP..].to_vec());
    [
        quantile(&mut requests, 0.95),
        quantile(&mut tools, 0.95),
        CAP * quantile(&mut windows, 0.99) / longest as f64,
    ]
}

#[test]
fn peaks_and_ceilings_are_those_of_requests_played_one_by_one() {
    let mut bad = Vec::new();
    for (per_minute, burstiness, persistence, tolerance) in [
        (0.5, 0.0, 0.0, 0.03),
        (4.0, 0.25, 0.3, 0.03),
        (4.0, 1.04, 0.5, 0.03),
        (40.0, 0.0, 0.0, 0.03),
        // bursts that last about as long as a request: known to be planned 9 % too low
        (40.0, 0.5, 0.16, 0.1),
    ] {
        let s = agents(per_minute, burstiness, persistence);
        assert!(s.problems().is_empty(), "{:?}", s.problems());
        let plan = compile(&s).expect("valid");
        let layout = plan.layout;
        let batch = Simulator::new(&plan, &mut Cache::default()).simulate(0, 1);
        let at = |which| f64::from(batch.physical[layout.feature_physical(0, which)]);
        let [requests, tools, tokens] = played(&s, per_minute);
        let name = format!("{per_minute} a minute, bursts {burstiness}");
        for (what, ours, theirs, whole) in [
            ("requests", at(FeaturePhysical::PeakRequests), requests, 1.0),
            ("tool calls", at(FeaturePhysical::PeakToolCalls), tools, 1.0),
            (
                "tokens a minute",
                at(FeaturePhysical::CeilingTokensPerMinute),
                tokens,
                CAP / 4.0,
            ),
        ] {
            println!("{name}, {what}: {ours}, played {theirs}");
            if (ours - theirs).abs() > whole + tolerance * theirs {
                bad.push(format!("{name}, {what}: {ours}, played {theirs}"));
            }
        }
        // the window is smaller than the cap
        let in_memory = at(FeaturePhysical::CeilingTokensInMemory);
        assert_eq!(in_memory, 30_000.0 * at(FeaturePhysical::PeakRequests));
    }
    assert!(bad.is_empty(), "{bad:#?}");
}
