//! What the collector does: it takes trials of all workers, makes projections of them in small steps, and once all are
//! in leads the search for causes.

use super::protocol::{self, Refusal, Request, Response, RunId, WireError};
use super::trial::Message;
use crate::engine::{
    cause::{CauseBatch, Causes},
    collector::{Building, Collector},
    plan::Plan,
    projection::Projection,
};

struct Job {
    run: RunId,
    plan: Plan,
    collector: Collector,
    building: Option<Building>,
    /// A projection was asked for while another was being built.
    again: bool,
    search: Option<Search>,
}

/// The search for the causes of what the final projection shows.
struct Search {
    projection: Projection,
    causes: Causes,
    /// Number of the present question, from 1.
    stage: u32,
    /// Trials that have answered it.
    answered: u32,
}

/// The collector's state.
#[derive(Default)]
pub struct CollectDesk {
    job: Option<Job>,
}

impl CollectDesk {
    /// Takes a message.
    pub fn take(&mut self, request: Request, body: Option<&[u8]>) -> Vec<Message> {
        let run = request.run();
        match self.note(request, body) {
            Ok(messages) => messages,
            Err(why) => vec![Message::refused(run, why)],
        }
    }

    fn note(&mut self, request: Request, body: Option<&[u8]>) -> Result<Vec<Message>, Refusal> {
        let bytes = || body.ok_or(WireError::Body);
        match request {
            Request::Collect(run) => {
                let plan = protocol::plan(bytes()?)?;
                self.job = Some(Job {
                    run,
                    collector: Collector::new(&plan),
                    plan,
                    building: None,
                    again: false,
                    search: None,
                });
            }
            Request::Add(run) => {
                if let Some(job) = self.of(run) {
                    let batch = protocol::batch(bytes()?)?;
                    job.collector.add(&batch)?;
                }
            }
            Request::AddAnswer(run, stage) => {
                if let Some(job) = self.of(run) {
                    let answers = protocol::answers(bytes()?)?;
                    return Ok(job.answered(stage, &answers).into_iter().collect());
                }
            }
            Request::Project(run) => {
                if let Some(job) = self.of(run) {
                    if job.building.is_some() {
                        job.again = true;
                    } else {
                        job.building = Some(job.collector.begin());
                    }
                }
            }
            Request::Rest(_) => self.job = None,
            Request::Plan(_)
            | Request::Simulate(..)
            | Request::Question(..)
            | Request::Answer(..)
            | Request::Fault(..) => return Err(WireError::Bytes.into()),
        }
        Ok(Vec::new())
    }

    fn of(&mut self, run: RunId) -> Option<&mut Job> {
        self.job.as_mut().filter(|job| job.run == run)
    }

    /// Whether there is anything to do.
    #[must_use]
    pub fn has_work(&self) -> bool {
        self.job.as_ref().is_some_and(|job| job.building.is_some())
    }

    /// Goes on with the projection for about `budget` milliseconds of `clock`.
    pub fn step(&mut self, clock: &dyn Fn() -> f64, budget: f64) -> Vec<Message> {
        let Some(job) = self.job.as_mut() else {
            return Vec::new();
        };
        let Some(mut building) = job.building.take() else {
            return Vec::new();
        };
        let until = clock() + budget;
        while building.step(&job.collector) {
            if clock() >= until {
                job.building = Some(building);
                return Vec::new();
            }
        }
        if std::mem::take(&mut job.again) {
            job.building = Some(job.collector.begin());
        }
        job.projected(building.finish())
    }
}

impl Job {
    /// A projection is made; the first of all trials starts the search for causes.
    fn projected(&mut self, mut projection: Projection) -> Vec<Message> {
        let all = projection.trials == projection.trials_wanted;
        if !all || self.search.is_some() {
            return vec![self.show(&projection, false)];
        }
        let causes = Causes::new(&self.plan, &projection);
        if causes.question().is_none() {
            projection.causes = causes.finish();
            return vec![self.show(&projection, true)];
        }
        let shown = self.show(&projection, false);
        self.search = Some(Search {
            projection,
            causes,
            stage: 1,
            answered: 0,
        });
        std::iter::once(shown).chain(self.ask()).collect()
    }

    fn show(&self, projection: &Projection, last: bool) -> Message {
        let head = Response::Projection {
            run: self.run,
            trials: projection.trials,
            last,
        };
        match protocol::to_bytes(projection) {
            Ok(bytes) => Message::response(&head, Some(bytes)),
            Err(why) => Message::refused(self.run, why),
        }
    }

    fn ask(&self) -> Option<Message> {
        let search = self.search.as_ref()?;
        let head = Response::Ask {
            run: self.run,
            stage: search.stage,
            trials: search.projection.trials,
        };
        match protocol::to_bytes(search.causes.question()?) {
            Ok(bytes) => Some(Message::response(&head, Some(bytes))),
            Err(why) => Some(Message::refused(self.run, why)),
        }
    }

    fn answered(&mut self, stage: u32, answers: &CauseBatch) -> Option<Message> {
        let search = self.search.as_mut().filter(|s| s.stage == stage)?;
        if !search.causes.add(answers) {
            return None;
        }
        search.answered += answers.trials;
        if search.answered < search.projection.trials {
            return None;
        }
        if search.causes.question().is_some() {
            search.stage += 1;
            search.answered = 0;
            return self.ask();
        }
        let mut search = self.search.take()?;
        search.projection.causes = search.causes.finish();
        Some(self.show(&search.projection, true))
    }
}
