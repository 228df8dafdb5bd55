//! What a trial worker does: it takes a plan, is given trials, and does them in steps that are short enough for the
//! worker to hear the next message soon.

use std::collections::VecDeque;

use super::protocol::{self, Refusal, Request, Response, RunId, Span, WireError};
use crate::engine::{
    columns::Batch,
    inquiry::{Answer, Question},
    plan::Plan,
    run::{Cache, Simulator},
};

/// How long a step should take.
const STEP_MILLISECONDS: f64 = 50.0;
/// Trials of the first step, whose cost nobody knows yet.
const FIRST_STEP: u32 = 4;
/// Most trials of a step: a guard against a clock that stands still.
const MOST_OF_A_STEP: u32 = 2_000;

/// A message: head and body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Bytes of the [`Request`] or [`Response`].
    pub head: Vec<u8>,
    /// What belongs to it.
    pub body: Option<Vec<u8>>,
}

impl Message {
    /// A message to the page. Heads of this project always have bytes.
    #[must_use]
    pub fn response(response: &Response, body: Option<Vec<u8>>) -> Self {
        Self {
            head: protocol::to_bytes(response).unwrap_or_default(),
            body,
        }
    }

    pub(super) fn refused(run: RunId, why: impl Into<Refusal>) -> Self {
        Self::response(
            &Response::Refused {
                run,
                why: why.into(),
            },
            None,
        )
    }
}

/// What a trial worker needs of the engine; what it keeps between plans is in the implementor.
pub trait Engine {
    /// A plan made ready.
    type Simulator;
    /// Makes a plan ready.
    fn simulator(&mut self, plan: Plan) -> Self::Simulator;
    /// Runs trials.
    fn simulate(simulator: &mut Self::Simulator, span: Span) -> Batch;
    /// Answers a question for items.
    fn answer(simulator: &mut Self::Simulator, question: &Question, span: Span) -> Answer;
}

/// The engine of this crate, with the tables that outlive a plan.
#[derive(Default)]
pub struct Local {
    cache: Cache,
}

impl Engine for Local {
    type Simulator = Simulator;
    fn simulator(&mut self, plan: Plan) -> Simulator {
        Simulator::new(&plan, &mut self.cache)
    }
    fn simulate(simulator: &mut Simulator, span: Span) -> Batch {
        simulator.simulate(span.first, span.count)
    }
    fn answer(simulator: &mut Simulator, question: &Question, span: Span) -> Answer {
        simulator.answer(question, span.first, span.count)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    Trials,
    Answers { stage: u32 },
}

struct Job<S> {
    run: RunId,
    simulator: Option<S>,
    /// The plan, until the simulator is made of it.
    plan: Option<Plan>,
    question: Option<(u32, Question)>,
    shares: VecDeque<(Work, Span)>,
    /// Milliseconds per trial of the work at hand, once measured.
    pace: Option<(Work, f64)>,
}

/// A trial worker's state.
pub struct TrialDesk<E: Engine> {
    engine: E,
    job: Option<Job<E::Simulator>>,
}

impl<E: Engine> TrialDesk<E> {
    /// Idle.
    pub const fn new(engine: E) -> Self {
        Self { engine, job: None }
    }

    /// Takes a message; work is only noted down. What is not understood is answered at once.
    pub fn take(&mut self, request: Request, body: Option<&[u8]>) -> Option<Message> {
        let run = request.run();
        let refused = |why| Message::refused(run, why);
        self.note(request, body).err().map(refused)
    }

    fn note(&mut self, request: Request, body: Option<&[u8]>) -> Result<(), WireError> {
        match request {
            Request::Plan(run) => {
                let plan = protocol::plan(body.ok_or(WireError::Body)?)?;
                self.job = Some(Job {
                    run,
                    simulator: None,
                    plan: Some(plan),
                    question: None,
                    shares: VecDeque::new(),
                    pace: None,
                });
            }
            Request::Simulate(run, span) => {
                if let Some(job) = self.job.as_mut().filter(|job| job.run == run) {
                    job.shares.push_back((Work::Trials, span));
                }
            }
            Request::Question(run, stage) => {
                let question = protocol::question(body.ok_or(WireError::Body)?)?;
                if let Some(job) = self.job.as_mut().filter(|job| job.run == run) {
                    job.question = Some((stage, question));
                }
            }
            Request::Answer(run, stage, span) => {
                if let Some(job) = self.job.as_mut().filter(|job| job.run == run) {
                    job.shares.push_back((Work::Answers { stage }, span));
                }
            }
            Request::Rest(_) => self.job = None,
            Request::Collect(_)
            | Request::Add(_)
            | Request::AddAnswer(..)
            | Request::Project(_)
            | Request::Fault(..) => return Err(WireError::Bytes),
        }
        Ok(())
    }

    /// Whether there is anything to do.
    #[must_use]
    pub fn has_work(&self) -> bool {
        self.job
            .as_ref()
            .is_some_and(|job| job.plan.is_some() || !job.shares.is_empty())
    }

    /// Does one step. `clock` tells milliseconds.
    pub fn step(&mut self, clock: &dyn Fn() -> f64) -> Option<Message> {
        let job = self.job.as_mut()?;
        if let Some(plan) = job.plan.take() {
            job.simulator = Some(self.engine.simulator(plan));
            return Some(Message::response(&Response::Alive, None));
        }
        let simulator = job.simulator.as_mut()?;
        let (work, share) = job.shares.pop_front()?;
        let steady = job.pace.filter(|(of, _)| *of == work).map(|(_, pace)| pace);
        let first = match work {
            Work::Trials => FIRST_STEP,
            Work::Answers { .. } => 1, // an item of a question may play a trial many times
        };
        let most = steady.map_or(first, |pace| {
            let trials = STEP_MILLISECONDS / pace.max(1e-3);
            (trials as u32).clamp(1, MOST_OF_A_STEP)
        });
        let span = Span {
            first: share.first,
            count: share.count.min(most),
        };
        if span.count < share.count {
            let rest = Span {
                first: span.end(),
                count: share.count - span.count,
            };
            job.shares.push_front((work, rest));
        }
        let began = clock();
        let body = match work {
            Work::Trials => protocol::batch_to_bytes(&E::simulate(simulator, span)),
            Work::Answers { stage } => {
                let Some((_, question)) = job.question.as_ref().filter(|q| q.0 == stage) else {
                    return Some(Message::refused(job.run, WireError::Body));
                };
                match protocol::answer_to_bytes(&E::answer(simulator, question, span)) {
                    Ok(bytes) => bytes,
                    Err(why) => return Some(Message::refused(job.run, why)),
                }
            }
        };
        let took = (clock() - began).max(0.0);
        // The first step of a plan warms caches and compilers: what counts is the newest measure.
        job.pace = Some((work, took / f64::from(span.count)));
        let milliseconds = took as f32;
        let run = job.run;
        let response = match work {
            Work::Trials => Response::Trials {
                run,
                span,
                milliseconds,
            },
            Work::Answers { stage } => Response::Answers {
                run,
                stage,
                span,
                milliseconds,
            },
        };
        Some(Message::response(&response, Some(body)))
    }
}
