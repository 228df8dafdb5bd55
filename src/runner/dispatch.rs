//! What the page does during a run: shares trials out to the workers, hands their results to the collector, watches
//! that everybody answers, and has a broken worker's share run again.
//!
//! A plain state machine: messages and the time go in, [`Action`]s come out. Results never depend on who simulated what.

use std::collections::VecDeque;
use std::rc::Rc;

use super::protocol::{self, BUILD_ID, Refusal, Request, Response, RunId, Span};
use super::{RestartReason, RunEvent};
use crate::text::runner::Failure;

mod run;

use run::{Phase, Run, Shared};

/// Trials of a share whose cost nobody knows yet: small, for an early first look.
const FIRST_SHARE: u32 = 10;
/// Most trials of a share until the first projection can be made.
const EARLY_SHARE: u32 = 20;
/// How long a share should take, in milliseconds.
const SHARE_MILLISECONDS: f64 = 75.0;
/// Most trials of a share.
const MOST_OF_A_SHARE: u32 = 2_000;
/// Shares that a worker has at a time: it works on one while the answer to the other is on its way.
const SHARES_AT_A_TIME: usize = 2;
/// Silence after which a worker that owes an answer is taken for dead, in milliseconds; doubled after each time.
const SILENCE_MILLISECONDS: f64 = 5_000.0;
/// How long a worker may take to start, in milliseconds.
const START_MILLISECONDS: f64 = 20_000.0;
/// A longer time between two looks means that the page itself slept, in milliseconds.
const SLEPT_MILLISECONDS: f64 = 3_000.0;
/// Restarts in one run after which it is given up.
const MOST_RESTARTS: u32 = 5;
/// Restarts in a row of a worker that never got ready.
const MOST_FALSE_STARTS: u32 = 2;
/// Least time between two reports of progress, in milliseconds.
const PROGRESS_MILLISECONDS: f64 = 100.0;

/// Who is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// A trial worker by number.
    Worker(usize),
    /// The collector.
    Collector,
}

/// Bytes that belong to a message: of the page, or passed on as they came.
#[derive(Clone, Debug)]
pub enum Body<B> {
    /// The same for several workers.
    Shared(Rc<[u8]>),
    /// From a worker to another.
    Passed(B),
}

/// A body as the page's surroundings hold it.
pub trait Payload {
    /// A copy of its bytes.
    fn bytes(&self) -> Vec<u8>;
}

impl Payload for Vec<u8> {
    fn bytes(&self) -> Vec<u8> {
        self.clone()
    }
}

/// What the surroundings are to do, in this order.
#[derive(Clone, Debug)]
pub enum Action<B> {
    /// Send a message.
    Post {
        /// To whom.
        to: Seat,
        /// What.
        request: Request,
        /// What belongs to it.
        body: Option<Body<B>>,
    },
    /// End this worker, whatever it is doing, and start a new one in its place.
    Restart(Seat),
    /// Tell the listener.
    Tell(RunEvent),
}

/// One worker as the page sees it.
#[derive(Debug, Default)]
struct Slot {
    ready: bool,
    /// When it was last heard, or given something to answer after it owed nothing.
    heard: f64,
    false_starts: u32,
    plan: Option<RunId>,
    question: Option<(RunId, u32)>,
    /// What it was given and has not answered.
    shares: VecDeque<Span>,
    /// Milliseconds per trial.
    pace: Option<f64>,
}

impl Slot {
    fn reset(&mut self, now: f64) {
        *self = Self {
            heard: now,
            false_starts: self.false_starts,
            ..Self::default()
        };
    }
}

/// The page's side of all runs.
#[derive(Debug)]
pub struct Dispatcher<B> {
    workers: Vec<Slot>,
    collector: Slot,
    run: Option<Run>,
    last_run: u32,
    looked: f64,
    /// Trials of every share, for tests that runs do not depend on it.
    fixed_share: Option<u32>,
    /// The workers are of another build or do not start: nothing can be run.
    broken: Option<Failure>,
    actions: Vec<Action<B>>,
}

impl<B: Payload> Dispatcher<B> {
    /// For so many trial workers (at least one) and a collector, all of them starting now.
    #[must_use]
    pub fn new(workers: usize, now: f64) -> Self {
        let slot = || Slot {
            heard: now,
            ..Slot::default()
        };
        Self {
            workers: (0..workers.max(1)).map(|_| slot()).collect(),
            collector: slot(),
            run: None,
            last_run: 0,
            looked: now,
            fixed_share: None,
            broken: None,
            actions: Vec::new(),
        }
    }

    /// Gives every worker shares of this many trials.
    #[must_use]
    pub fn with_shares_of(mut self, trials: u32) -> Self {
        self.fixed_share = Some(trials.max(1));
        self
    }

    /// Whether a run goes on.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.run.as_ref().is_some_and(|run| !run.is_at_rest())
    }

    /// What is to be done now, in order. To be called after every other call.
    pub fn actions(&mut self) -> Vec<Action<B>> {
        std::mem::take(&mut self.actions)
    }

    /// Starts a run of a plan; one that goes on is dropped with its results.
    pub fn start(&mut self, plan: Rc<[u8]>, trials: u32, now: f64) {
        if let Some(failure) = &self.broken {
            self.actions.push(Action::Tell(failure.event()));
            return;
        }
        self.last_run = self.last_run.wrapping_add(1);
        let run = Run::new(RunId(self.last_run), plan, trials, now);
        self.begin(run);
        self.go_on(now);
    }

    /// Stops handing out trials; what is under way is still counted, and shown.
    pub fn stop(&mut self, now: f64) {
        if let Some(run) = self.run.as_mut().filter(|run| run.phase != Phase::Over) {
            run.stopped = true;
            self.go_on(now);
        }
    }

    /// Goes on with a run that was stopped.
    pub fn resume(&mut self, now: f64) {
        if let Some(run) = self.run.as_mut().filter(|run| run.stopped) {
            run.resume(now);
            self.go_on(now);
        }
    }

    /// A message came.
    pub fn heard(&mut self, from: Seat, response: Response, body: Option<B>, now: f64) {
        let Some(slot) = self.slot(from) else {
            return;
        };
        slot.heard = now;
        match response {
            Response::Ready { build } if build == BUILD_ID => {
                slot.ready = true;
                slot.false_starts = 0;
                if from == Seat::Collector {
                    self.open_collection();
                }
            }
            Response::Ready { .. } => return self.give_up(Failure::OtherBuild),
            Response::Trials {
                run,
                span,
                milliseconds,
            } => {
                let request = Request::Add(run);
                return self.results(from, run, span, milliseconds, request, body, now);
            }
            Response::Answers {
                run,
                stage,
                span,
                milliseconds,
            } => {
                let request = Request::AddAnswer(run, stage);
                return self.results(from, run, span, milliseconds, request, body, now);
            }
            Response::Projection { run, trials, last } => {
                let Some(body) = body else {
                    return self.broke(from, RestartReason::Crashed, now);
                };
                self.projection(run, trials, last, &body, now);
            }
            Response::Ask { run, stage, items } => {
                let Some(body) = body else {
                    return self.broke(from, RestartReason::Crashed, now);
                };
                if let Some(run) = self.run.as_mut().filter(|r| r.id == run) {
                    run.ask(Shared::from(body.bytes()), stage, items);
                }
            }
            Response::Alive => {}
            Response::Refused { run, why } => {
                if self.run.as_ref().is_some_and(|r| r.id == run) {
                    return self.fail(&match why {
                        Refusal::NotFinite => Failure::NotFinite,
                        Refusal::Memory => Failure::Memory,
                        Refusal::Contradiction(detail) => Failure::Contradiction { detail },
                    });
                }
            }
        }
        self.go_on(now);
    }

    /// A worker broke: it is started again, and its share goes to whoever is free.
    pub fn broke(&mut self, seat: Seat, why: RestartReason, now: f64) {
        let Some(slot) = self.slot(seat) else {
            return;
        };
        let started = slot.ready;
        let shares = std::mem::take(&mut slot.shares);
        if !started {
            slot.false_starts += 1;
            if slot.false_starts > MOST_FALSE_STARTS {
                return self.give_up(Failure::NoStart);
            }
        }
        slot.reset(now);
        self.actions.push(Action::Restart(seat));
        let Some(run) = self.run.as_mut().filter(|run| run.phase != Phase::Over) else {
            return;
        };
        if started && !run.is_at_rest() {
            run.restarts += 1;
            if run.restarts > MOST_RESTARTS {
                let restarts = run.restarts;
                return self.fail(&Failure::TooManyRestarts { restarts });
            }
            self.actions.push(Action::Tell(RunEvent::Restarted { why }));
        }
        match seat {
            Seat::Worker(_) => run.give_back(shares),
            Seat::Collector => {
                // All that it held is lost: the same trials again, under a number that keeps late results out.
                self.last_run = self.last_run.wrapping_add(1);
                let again = run.again(RunId(self.last_run), now);
                self.begin(again);
            }
        }
        self.go_on(now);
    }

    /// Looks at the clock: to be called about once a second while a run goes on or workers start.
    pub fn look(&mut self, now: f64) {
        let slept = now - self.looked > SLEPT_MILLISECONDS;
        self.looked = now;
        let seats = (0..self.workers.len()).map(Seat::Worker);
        let seats: Vec<Seat> = seats.chain([Seat::Collector]).collect();
        if slept {
            // Their messages are still waiting to be read: nobody is to be blamed for that.
            for seat in seats {
                if let Some(slot) = self.slot(seat) {
                    slot.heard = now;
                }
            }
            return;
        }
        let collector_owes = self.run.as_ref().is_some_and(Run::collector_owes);
        let doublings = self.run.as_ref().map_or(0, |run| run.restarts);
        let silence = SILENCE_MILLISECONDS * f64::from(1_u32 << doublings.min(4));
        for seat in seats {
            let Some(slot) = self.slot(seat) else {
                continue;
            };
            let (ready, quiet) = (slot.ready, now - slot.heard);
            let owes = !slot.shares.is_empty() || (seat == Seat::Collector && collector_owes);
            if (!ready && quiet > START_MILLISECONDS) || (ready && owes && quiet > silence) {
                self.broke(seat, RestartReason::NoAnswer, now);
            }
            if self.broken.is_some() {
                return;
            }
        }
    }

    fn slot(&mut self, seat: Seat) -> Option<&mut Slot> {
        match seat {
            Seat::Worker(at) => self.workers.get_mut(at),
            Seat::Collector => Some(&mut self.collector),
        }
    }

    fn begin(&mut self, run: Run) {
        for slot in &mut self.workers {
            slot.shares.clear();
            slot.pace = None;
        }
        self.run = Some(run);
        self.open_collection();
    }

    fn open_collection(&mut self) {
        let Some(run) = self.run.as_ref().filter(|_| self.collector.ready) else {
            return;
        };
        if self.collector.plan != Some(run.id) {
            self.collector.plan = Some(run.id);
            self.actions.push(Action::Post {
                to: Seat::Collector,
                request: Request::Collect(run.id),
                body: Some(Body::Shared(run.plan.clone())),
            });
        }
    }

    /// Trials or answers came from a worker.
    #[allow(clippy::too_many_arguments)] // the parts of one message
    fn results(
        &mut self,
        from: Seat,
        of: RunId,
        span: Span,
        milliseconds: f32,
        request: Request,
        body: Option<B>,
        now: f64,
    ) {
        let Some(run) = self.run.as_mut().filter(|run| run.id == of) else {
            return; // of a run that was overtaken
        };
        let slot = match from {
            Seat::Worker(at) => self.workers.get_mut(at),
            Seat::Collector => None,
        };
        let taken = slot.is_some_and(|slot| {
            let Some(share) = slot.shares.front_mut() else {
                return false;
            };
            if share.first != span.first || share.count < span.count {
                return false;
            }
            share.first += span.count;
            share.count -= span.count;
            if share.count == 0 {
                slot.shares.pop_front();
            }
            slot.pace = Some(f64::from(milliseconds) / f64::from(span.count));
            true
        });
        let (true, Some(body)) = (taken, body) else {
            // Not what it was asked for: nothing of such a worker can be trusted.
            return self.broke(from, RestartReason::Crashed, now);
        };
        if !run.collector_owes() {
            self.collector.heard = now;
        }
        run.took(span.count, now);
        self.actions.push(Action::Post {
            to: Seat::Collector,
            request,
            body: Some(Body::Passed(body)),
        });
        if let Some(progress) = run.progress(now) {
            self.actions.push(Action::Tell(progress));
        }
        self.go_on(now);
    }

    fn projection(&mut self, of: RunId, trials: u32, last: bool, body: &B, now: f64) {
        let Some(run) = self.run.as_mut().filter(|run| run.id == of) else {
            return;
        };
        run.waiting = false;
        if last {
            run.phase = Phase::Over;
        }
        // After a restart of the collector coarser ones than what is shown come again.
        if trials < run.shown {
            return;
        }
        run.shown = trials;
        match protocol::projection(&body.bytes()) {
            Ok(projection) => {
                let projection = Box::new(projection);
                self.actions
                    .push(Action::Tell(RunEvent::Projection(projection)));
                if last {
                    self.actions.push(Action::Tell(RunEvent::Done));
                }
            }
            Err(_) => self.broke(Seat::Collector, RestartReason::Crashed, now),
        }
    }

    /// Hands out what is to be done.
    fn go_on(&mut self, now: f64) {
        let Some(run) = self.run.as_mut() else {
            return;
        };
        if !self.collector.ready || run.phase == Phase::Over {
            return;
        }
        if !run.stopped {
            for round in 1..=SHARES_AT_A_TIME {
                for at in 0..self.workers.len() {
                    self.hand_out(at, round, now);
                }
            }
        }
        let idle = self.workers.iter().all(|slot| slot.shares.is_empty());
        let Some(run) = self.run.as_mut() else {
            return;
        };
        if run.wants_projection(idle, now) {
            run.waiting = true;
            run.asked = run.done;
            run.asked_at = now;
            self.collector.heard = now;
            let request = Request::Project(run.id);
            self.actions.push(Action::Post {
                to: Seat::Collector,
                request,
                body: None,
            });
        }
        if run.has_come_to_a_stop(idle) {
            run.said_stopped = true;
            let done = run.done;
            self.actions.push(Action::Tell(RunEvent::Stopped { done }));
        }
    }

    /// Gives a worker another share if it has fewer than `round`.
    fn hand_out(&mut self, at: usize, round: usize, now: f64) {
        let workers = self.workers.len() as u32;
        let (Some(run), Some(slot)) = (self.run.as_mut(), self.workers.get_mut(at)) else {
            return;
        };
        if !slot.ready || slot.shares.len() >= round {
            return;
        }
        let size = self.fixed_share.unwrap_or_else(|| {
            let by_time = slot.pace.map_or(FIRST_SHARE, |pace| {
                let trials = SHARE_MILLISECONDS / pace.max(1e-3);
                (trials as u32).clamp(1, MOST_OF_A_SHARE)
            });
            // Towards the end, and the quick look, shares shrink, so that all workers get there at about the same time.
            let fair = run.open().div_ceil(2 * workers).max(FIRST_SHARE);
            let early = if run.is_early() {
                EARLY_SHARE
            } else {
                MOST_OF_A_SHARE
            };
            by_time.min(fair).min(early)
        });
        let Some(span) = run.take(size) else {
            return;
        };
        if slot.shares.is_empty() {
            slot.heard = now;
        }
        slot.shares.push_back(span);
        let to = Seat::Worker(at);
        if slot.plan != Some(run.id) {
            slot.plan = Some(run.id);
            let body = Some(Body::Shared(run.plan.clone()));
            let request = Request::Plan(run.id);
            self.actions.push(Action::Post { to, request, body });
        }
        let request = match &run.phase {
            Phase::Answers { stage, question } => {
                if slot.question != Some((run.id, *stage)) {
                    slot.question = Some((run.id, *stage));
                    slot.pace = None;
                    let body = Some(Body::Shared(question.clone()));
                    let request = Request::Question(run.id, *stage);
                    self.actions.push(Action::Post { to, request, body });
                }
                Request::Answer(run.id, *stage, span)
            }
            Phase::Trials | Phase::Over => Request::Simulate(run.id, span),
        };
        self.actions.push(Action::Post {
            to,
            request,
            body: None,
        });
    }

    /// Ends the run for good.
    fn fail(&mut self, failure: &Failure) {
        let run = self.run.take().map_or(RunId(self.last_run), |run| run.id);
        for slot in &mut self.workers {
            slot.shares.clear();
            slot.plan = None;
        }
        self.collector.plan = None;
        let ready = (0..self.workers.len()).filter(|at| self.workers[*at].ready);
        let mut seats: Vec<Seat> = ready.map(Seat::Worker).collect();
        seats.extend(self.collector.ready.then_some(Seat::Collector));
        self.actions
            .extend(seats.into_iter().map(|to| Action::Post {
                to,
                request: Request::Rest(run),
                body: None,
            }));
        self.actions.push(Action::Tell(failure.event()));
    }

    /// Nothing can be run any more.
    fn give_up(&mut self, failure: Failure) {
        if self.broken.is_none() {
            self.fail(&failure);
            self.broken = Some(failure);
        }
    }
}
