//! A whole run on several threads. Trials are independent, so how they are shared out changes no bit.

use std::num::NonZero;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use headroom::domain::scenario::Scenario;
use headroom::engine::collector::Collector;
use headroom::engine::inquiry::Inquiry;
use headroom::engine::plan::{Plan, compile};
use headroom::engine::projection::Projection;
use headroom::engine::run::{Cache, Simulator};
use headroom::text::cli::Cli as Words;

use super::failure::Failure;

/// Trials that a thread takes at a time: enough that taking them costs nothing, few enough that all end together.
const BATCH: u32 = 25;

/// Cores of this machine.
pub fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Simulates every trial, and then finds out what all of them together tell.
pub fn project(
    scenario: &Scenario,
    threads: usize,
    progress: &dyn Fn(u32),
) -> Result<Projection, Failure> {
    let plan = compile(scenario).map_err(|problems| Failure::Plan {
        plan: Box::new(scenario.clone()),
        problems,
    })?;
    let mut simulators = simulators(&plan, threads);
    let mut collector = Collector::new(&plan);
    let mut refused = false;
    on_all(
        &mut simulators,
        plan.trials,
        &|simulator, first, count| simulator.simulate(first, count),
        &mut |batch| {
            refused |= collector.add(&batch).is_err();
            progress(collector.trials_in());
        },
    );
    if refused {
        return Err(Failure::Output(Words::NotANumberCameOut));
    }
    let mut inquiry = Inquiry::new(&plan, collector.projection());
    while let Some((question, items)) = inquiry.question().map(|(q, items)| (q.clone(), items)) {
        on_all(
            &mut simulators,
            items,
            &|simulator, first, count| simulator.answer(&question, first, count),
            &mut |answer| {
                inquiry.add(&plan, &answer);
            },
        );
    }
    Ok(inquiry.finish(&plan))
}

fn simulators(plan: &Plan, count: usize) -> Vec<Simulator> {
    thread::scope(|scope| {
        let building: Vec<_> = (0..count.max(1))
            .map(|_| scope.spawn(|| Simulator::new(plan, &mut Cache::default())))
            .collect();
        // A thread that panicked has said so on standard error; the others go on without it.
        building.into_iter().filter_map(|b| b.join().ok()).collect()
    })
}

/// Shares trials (or what else a question is about) out and takes the results in the order in which they come.
fn on_all<T: Send>(
    simulators: &mut [Simulator],
    trials: u32,
    work: &(dyn Fn(&mut Simulator, u32, u32) -> T + Sync),
    take: &mut dyn FnMut(T),
) {
    let next = AtomicU32::new(0);
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        for simulator in simulators {
            let sender = sender.clone();
            let next = &next;
            scope.spawn(move || {
                loop {
                    let first = next.fetch_add(BATCH, Ordering::Relaxed);
                    if first >= trials {
                        break;
                    }
                    let result = work(simulator, first, BATCH.min(trials - first));
                    if sender.send(result).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        receiver.iter().for_each(take);
    });
}
