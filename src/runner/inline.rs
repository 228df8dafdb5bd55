//! The whole runner in one thread: the same dispatcher, desks and bytes as in the browser, without workers. Tests prove
//! the wire and every repair with it; time stands still unless a step takes some.

use std::collections::VecDeque;
use std::rc::Rc;

use super::collect::CollectDesk;
use super::dispatch::{Action, Body, Dispatcher, Seat};
use super::protocol::{self, BUILD_ID, Response};
use super::trial::{Engine, Message, TrialDesk};
use super::{RestartReason, RunEvent};
use crate::engine::plan::Plan;

/// Milliseconds that pass with every step.
const STEP_MILLISECONDS: f64 = 1.0;

/// A worker without a thread.
struct Place<E: Engine> {
    desk: Desk<E>,
    inbox: VecDeque<Message>,
    hangs: bool,
}

enum Desk<E: Engine> {
    Trials(Box<TrialDesk<E>>),
    Collector(Box<CollectDesk>),
}

impl<E: Engine> Place<E> {
    /// Reads what came and does one step.
    fn step(&mut self, now: f64) -> Vec<Message> {
        let mut out = Vec::new();
        let clock = || now;
        while let Some(message) = self.inbox.pop_front() {
            let body = message.body.as_deref();
            let Ok(request) = protocol::request(&message.head) else {
                continue;
            };
            match &mut self.desk {
                Desk::Trials(desk) => out.extend(desk.take(request, body)),
                Desk::Collector(desk) => out.extend(desk.take(request, body)),
            }
        }
        match &mut self.desk {
            Desk::Trials(desk) => out.extend(desk.step(&clock)),
            Desk::Collector(desk) => out.extend(desk.step(&clock, 1.0)),
        }
        out
    }

    fn has_work(&self) -> bool {
        let desk = match &self.desk {
            Desk::Trials(desk) => desk.has_work(),
            Desk::Collector(desk) => desk.has_work(),
        };
        !self.hangs && (desk || !self.inbox.is_empty())
    }
}

/// Runs plans without a browser.
pub struct InlineRunner<E: Engine> {
    dispatcher: Dispatcher<Vec<u8>>,
    workers: Vec<Place<E>>,
    collector: Place<E>,
    engine: Box<dyn Fn() -> E>,
    events: Vec<RunEvent>,
    now: f64,
}

impl<E: Engine> InlineRunner<E> {
    /// With so many trial workers, each with an engine of its own.
    pub fn new(workers: usize, engine: impl Fn() -> E + 'static) -> Self {
        Self::with(Dispatcher::new(workers, 0.0), workers, Box::new(engine))
    }

    /// The same with shares of a given number of trials.
    pub fn with_shares_of(trials: u32, workers: usize, engine: impl Fn() -> E + 'static) -> Self {
        let dispatcher = Dispatcher::new(workers, 0.0).with_shares_of(trials);
        Self::with(dispatcher, workers, Box::new(engine))
    }

    fn with(dispatcher: Dispatcher<Vec<u8>>, workers: usize, engine: Box<dyn Fn() -> E>) -> Self {
        let mut runner = Self {
            dispatcher,
            workers: (0..workers.max(1)).map(|_| trial_place(engine())).collect(),
            collector: collector_place(),
            engine,
            events: Vec::new(),
            now: 0.0,
        };
        for seat in runner.seats() {
            runner.ready(seat);
        }
        runner
    }

    /// Starts a run; one that goes on is dropped.
    pub fn start(&mut self, plan: &Plan) {
        let bytes = protocol::to_bytes(plan).unwrap_or_default();
        self.dispatcher
            .start(Rc::from(bytes), plan.trials, self.now);
        self.act();
    }

    /// Stops the run.
    pub fn stop(&mut self) {
        self.dispatcher.stop(self.now);
        self.act();
    }

    /// Goes on after a stop.
    pub fn resume(&mut self) {
        self.dispatcher.resume(self.now);
        self.act();
    }

    /// A worker does its next step; false if it has nothing to do.
    pub fn step(&mut self, seat: Seat) -> bool {
        self.now += STEP_MILLISECONDS;
        let now = self.now;
        let Some(place) = self.place(seat).filter(|place| place.has_work()) else {
            return false;
        };
        let messages = place.step(now);
        for message in messages {
            if let Ok(response) = protocol::response(&message.head) {
                self.dispatcher.heard(seat, response, message.body, now);
            } else {
                self.dispatcher.broke(seat, RestartReason::Crashed, now);
            }
            self.act();
        }
        true
    }

    /// Lets everybody work until nobody has anything left to do.
    pub fn work(&mut self) {
        let seats = self.seats();
        // everybody has a turn before anybody has the next
        while seats.iter().filter(|seat| self.step(**seat)).count() > 0 {}
    }

    /// What was told since the last call.
    pub fn events(&mut self) -> Vec<RunEvent> {
        std::mem::take(&mut self.events)
    }

    /// A worker breaks.
    pub fn crash(&mut self, seat: Seat) {
        self.dispatcher
            .broke(seat, RestartReason::Crashed, self.now);
        self.act();
    }

    /// A worker does nothing any more, until it is replaced.
    pub fn hang(&mut self, seat: Seat) {
        if let Some(place) = self.place(seat) {
            place.hangs = true;
        }
    }

    /// Time passes, with a look at the workers every second.
    pub fn wait(&mut self, seconds: u32) {
        for _ in 0..seconds {
            self.now += 1_000.0;
            self.dispatcher.look(self.now);
            self.act();
        }
    }

    /// All seats, the collector last.
    #[must_use]
    pub fn seats(&self) -> Vec<Seat> {
        let workers = (0..self.workers.len()).map(Seat::Worker);
        workers.chain([Seat::Collector]).collect()
    }

    fn place(&mut self, seat: Seat) -> Option<&mut Place<E>> {
        match seat {
            Seat::Worker(at) => self.workers.get_mut(at),
            Seat::Collector => Some(&mut self.collector),
        }
    }

    fn ready(&mut self, seat: Seat) {
        let build = BUILD_ID.to_owned();
        self.dispatcher
            .heard(seat, Response::Ready { build }, None, self.now);
        self.act();
    }

    fn act(&mut self) {
        for action in self.dispatcher.actions() {
            match action {
                Action::Post { to, request, body } => {
                    let message = Message {
                        head: protocol::to_bytes(&request).unwrap_or_default(),
                        body: body.map(|body| match body {
                            Body::Shared(bytes) => bytes.to_vec(),
                            Body::Passed(bytes) => bytes,
                        }),
                    };
                    if let Some(place) = self.place(to) {
                        place.inbox.push_back(message);
                    }
                }
                Action::Restart(seat) => {
                    let fresh = match seat {
                        Seat::Worker(_) => trial_place((self.engine)()),
                        Seat::Collector => collector_place(),
                    };
                    if let Some(place) = self.place(seat) {
                        *place = fresh;
                    }
                    self.ready(seat);
                }
                Action::Tell(event) => self.events.push(event),
            }
        }
    }
}

fn trial_place<E: Engine>(engine: E) -> Place<E> {
    Place {
        desk: Desk::Trials(Box::new(TrialDesk::new(engine))),
        inbox: VecDeque::new(),
        hangs: false,
    }
}

fn collector_place<E: Engine>() -> Place<E> {
    Place {
        desk: Desk::Collector(Box::default()),
        inbox: VecDeque::new(),
        hangs: false,
    }
}

#[cfg(test)]
mod tests;
