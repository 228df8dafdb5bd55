//! What the collector does: it takes trials of all workers, makes projections of them in small steps, and once all are
//! in leads the inquiry about them.

use super::protocol::{self, Refusal, Request, Response, RunId, WireError};
use super::trial::Message;
use crate::engine::{
    collector::{Building, Collector},
    inquiry::{Answer, Inquiry, Question},
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
    /// What is found out about the final projection, and the number of the present question, from 1.
    inquiry: Option<(Inquiry, u32)>,
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
                    inquiry: None,
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
                    let answer = protocol::answer(bytes()?)?;
                    return Ok(job.answered(stage, &answer));
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
    /// A projection is made; the first of all trials starts the inquiry.
    fn projected(&mut self, projection: Projection) -> Vec<Message> {
        let all = projection.trials == projection.trials_wanted;
        if !all || self.inquiry.is_some() {
            return vec![self.show(&projection, false)];
        }
        self.inquiry = Some((Inquiry::new(&self.plan, projection), 0));
        self.go_on()
    }

    fn show(&self, projection: &Projection, last: bool) -> Message {
        let head = Response::Projection {
            run: self.run,
            trials: projection.trials,
            last,
        };
        match protocol::to_bytes(&*projection.in_entry_order(&self.plan.entered)) {
            Ok(bytes) => Message::response(&head, Some(bytes)),
            Err(why) => Message::refused(self.run, why),
        }
    }

    /// Takes an answer; the last to a question leads to the next one.
    fn answered(&mut self, stage: u32, answer: &Answer) -> Vec<Message> {
        let present = self.inquiry.as_mut().filter(|(_, now)| *now == stage);
        let last = present.is_some_and(|(inquiry, _)| inquiry.add(&self.plan, answer));
        if last { self.go_on() } else { Vec::new() }
    }

    /// Asks the next question, and shows what is known where that is new: first of all, after the causes, at the end.
    fn go_on(&mut self) -> Vec<Message> {
        let Some((_, stage)) = self.inquiry.as_mut() else {
            return Vec::new();
        };
        *stage += 1;
        let Some((inquiry, stage)) = &self.inquiry else {
            return Vec::new();
        };
        let Some((question, items)) = inquiry.question() else {
            return vec![self.show(inquiry.projection(), true)];
        };
        let head = Response::Ask {
            run: self.run,
            stage: *stage,
            items,
        };
        let asked = match protocol::to_bytes(question) {
            Ok(bytes) => Message::response(&head, Some(bytes)),
            Err(why) => Message::refused(self.run, why),
        };
        let shown = *stage == 1 || matches!(question, Question::Requests);
        let shown = shown.then(|| self.show(inquiry.projection(), false));
        shown.into_iter().chain([asked]).collect()
    }
}
