//! One run as the page sees it: what is left to hand out, what is in, what was shown.

use std::collections::VecDeque;
use std::rc::Rc;

use super::PROGRESS_MILLISECONDS;
use crate::runner::RunEvent;
use crate::runner::protocol::{RunId, Span};

/// Trials at which a projection is made, besides all of them. Between the first two nothing new would stay on the screen
/// for long, and what a projection costs is taken from the trials.
const STEPS: [u32; 8] = [100, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 75_000];
/// The look that later trials wait for: it is soon there if neither they nor its drawing have to share the cores with it.
const QUICK_LOOK: u32 = 1_000;
/// After so many milliseconds one is made between the steps, if there are twice as many trials.
const STEP_MILLISECONDS: f64 = 600.0;

/// Bytes that several workers get.
pub type Shared = Rc<[u8]>;

/// What a run is busy with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Simulating trials.
    Trials,
    /// Asking a question about trials or features.
    Answers {
        /// Number of the question.
        stage: u32,
        /// The question.
        question: Shared,
    },
    /// Everything is found out.
    Over,
}

/// One run.
#[derive(Debug)]
pub struct Run {
    pub id: RunId,
    pub plan: Shared,
    pub phase: Phase,
    pub stopped: bool,
    pub said_stopped: bool,
    /// Trials that the collector has.
    pub done: u32,
    /// Trials of the finest projection that was shown.
    pub shown: u32,
    /// Trials at which a projection was last asked for.
    pub asked: u32,
    /// When it was.
    pub asked_at: f64,
    /// Whether the collector owes a projection.
    pub waiting: bool,
    pub restarts: u32,
    trials: u32,
    /// Trials (or answers) that nobody was given.
    queue: VecDeque<Span>,
    /// Items that the present question is about, and answers that came.
    items: u32,
    answered: u32,
    /// When counting began, and the trials that were in then.
    since: (f64, u32),
    told: f64,
}

impl Run {
    pub fn new(id: RunId, plan: Shared, trials: u32, now: f64) -> Self {
        let mut run = Self {
            id,
            plan,
            phase: Phase::Trials,
            stopped: false,
            said_stopped: false,
            done: 0,
            shown: 0,
            asked: 0,
            asked_at: now,
            waiting: false,
            restarts: 0,
            trials,
            queue: VecDeque::new(),
            items: 0,
            answered: 0,
            since: (now, 0),
            told: now,
        };
        run.fill(trials);
        run
    }

    /// The same run from the start; what was shown and how often it broke stays known.
    pub fn again(&self, id: RunId, now: f64) -> Self {
        let mut run = Self::new(id, self.plan.clone(), self.trials, now);
        run.shown = self.shown;
        run.restarts = self.restarts;
        run.stopped = self.stopped;
        run.said_stopped = self.said_stopped;
        run
    }

    fn fill(&mut self, trials: u32) {
        self.queue.clear();
        if trials > 0 {
            self.queue.push_back(Span {
                first: 0,
                count: trials,
            });
        }
    }

    /// Takes up to `size` consecutive trials that are open out of the queue.
    pub fn take(&mut self, size: u32) -> Option<Span> {
        let size = size.max(1).min(self.open());
        let front = self.queue.front_mut().filter(|_| size > 0)?;
        let span = Span {
            first: front.first,
            count: front.count.min(size),
        };
        front.first += span.count;
        front.count -= span.count;
        if front.count == 0 {
            self.queue.pop_front();
        }
        Some(span)
    }

    /// What a broken worker had is next.
    pub fn give_back(&mut self, shares: VecDeque<Span>) {
        for span in shares.into_iter().rev() {
            self.queue.push_front(span);
        }
    }

    /// Trials in the queue.
    fn left(&self) -> u32 {
        self.queue.iter().map(|span| span.count).sum()
    }

    /// Trials of the queue that may be handed out now: none beyond the quick look until that is shown.
    pub fn open(&self) -> u32 {
        let waits = self.phase == Phase::Trials && self.shown < QUICK_LOOK;
        let beyond = if waits {
            self.trials.saturating_sub(QUICK_LOOK)
        } else {
            0
        };
        self.left().saturating_sub(beyond)
    }

    /// Whether the first projection is still to be made.
    pub fn is_early(&self) -> bool {
        self.phase == Phase::Trials && self.trials - self.left() < STEPS[0]
    }

    /// So many results went to the collector.
    pub fn took(&mut self, count: u32, now: f64) {
        match self.phase {
            Phase::Trials => {
                if self.done == 0 {
                    self.since = (now, count);
                }
                self.done += count;
            }
            Phase::Answers { .. } => self.answered += count,
            Phase::Over => {}
        }
    }

    /// The collector asks a question about so many items.
    pub fn ask(&mut self, question: Shared, stage: u32, items: u32) {
        self.phase = Phase::Answers { stage, question };
        self.answered = 0;
        self.items = items;
        self.fill(items);
    }

    pub fn resume(&mut self, now: f64) {
        self.stopped = false;
        self.said_stopped = false;
        self.since = (now, self.done);
    }

    /// Whether nothing is under way.
    pub fn is_at_rest(&self) -> bool {
        self.phase == Phase::Over || self.said_stopped
    }

    /// Whether the collector has something to answer.
    pub fn collector_owes(&self) -> bool {
        let answered = matches!(self.phase, Phase::Answers { .. }) && self.answered == self.items;
        let all_in = self.phase == Phase::Trials && self.done == self.trials;
        self.waiting || answered || all_in
    }

    /// Whether it is time for a projection; `idle`: no worker is at work.
    pub fn wants_projection(&self, idle: bool, now: f64) -> bool {
        if self.waiting || self.phase != Phase::Trials || self.done == self.asked {
            return false;
        }
        let step = STEPS.iter().any(|s| self.asked < *s && *s <= self.done);
        let long_ago = now - self.asked_at >= STEP_MILLISECONDS;
        let between = long_ago && self.asked > 0 && self.done / 2 >= self.asked;
        step || between || self.done == self.trials || (self.stopped && idle)
    }

    /// Whether it has just come to rest after [`super::Dispatcher::stop`].
    pub fn has_come_to_a_stop(&self, idle: bool) -> bool {
        self.stopped && idle && !self.waiting && !self.said_stopped && self.phase != Phase::Over
    }

    /// A report of progress, if it is time for one.
    pub fn progress(&mut self, now: f64) -> Option<RunEvent> {
        let all = self.done == self.trials;
        if self.phase != Phase::Trials || (!all && now - self.told < PROGRESS_MILLISECONDS) {
            return None;
        }
        self.told = now;
        let (began, before) = self.since;
        let seconds = (now - began) / 1_000.0;
        let since = f64::from(self.done - before);
        let seconds_left = (self.done >= STEPS[0].min(self.trials) && since > 0.0)
            .then(|| seconds * f64::from(self.trials - self.done) / since);
        Some(RunEvent::Progress {
            done: self.done,
            of: self.trials,
            seconds_left,
        })
    }
}
