//! What is found out once all trials are in: who causes breaches, what single requests are like, when in the week
//! capacity is short, what moving a launch would do.
//!
//! An [`Inquiry`] asks one [`Question`] after the other about a number of items (trials or features), takes the answers
//! in any order and batches, and writes what they say into the projection. An item's answer depends on the plan and the
//! item's own number only, so the result is the same for any number of workers.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::{
    cause::{CauseBatch, CauseQuestion, Causes},
    columns::Batch,
    heat::{HEAT_TRIALS, HeatMap},
    launches::{LaunchMoves, launch_trials, moves},
    plan::Plan,
    projection::Projection,
    requests::each::{DEAREST_ROUND, DearestHours, LANE_ROUND, RequestSizes, WEEK_ROUND, rounds},
};

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Question {
    /// Of trials: breaches with and without suspects.
    Causes(CauseQuestion),
    /// Of features, and of their dearest hours: what a request reads, writes and costs.
    Requests,
    /// Of trials: the need under a limit by month and hour of the week.
    Heat(u32),
    /// Of trials: breaches, overspending and cost with launches moved.
    Launches,
}

/// An answer for consecutive items.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// To [`Question::Causes`].
    Causes(CauseBatch),
    /// To all others: a row of numbers per item.
    Rows(Batch),
}

impl Answer {
    /// First item and how many.
    #[must_use]
    pub const fn span(&self) -> (u32, u32) {
        match self {
            Self::Causes(batch) => (batch.first_trial, batch.trials),
            Self::Rows(batch) => (batch.first_trial, batch.trials),
        }
    }
}

/// Rows of all items of a question.
#[derive(Debug, Default)]
struct Rows {
    wide: Vec<f64>,
    narrow: Vec<f32>,
}

/// All questions about a projection, one after the other.
#[derive(Debug)]
pub struct Inquiry {
    projection: Projection,
    causes: Option<Causes>,
    later: VecDeque<Question>,
    question: Option<Question>,
    /// Items that the question is about.
    items: u32,
    /// Ranges of items that have answered.
    answered: Vec<(u32, u32)>,
    rows: Rows,
}

impl Inquiry {
    /// About the projection of all trials of a plan.
    #[must_use]
    pub fn new(plan: &Plan, projection: Projection) -> Self {
        let mut later = VecDeque::new();
        if projection.trials > 0 {
            if !plan.features.is_empty() {
                later.push_back(Question::Requests);
            }
            later.extend((0..plan.limits.len() as u32).map(Question::Heat));
            if !moves(plan).is_empty() {
                later.push_back(Question::Launches);
            }
        }
        let mut inquiry = Self {
            causes: Some(Causes::new(plan, &projection)),
            projection,
            later,
            question: None,
            items: 0,
            answered: Vec::new(),
            rows: Rows::default(),
        };
        inquiry.ask(plan);
        inquiry
    }

    /// The present question and how many items it is about; none when everything is known.
    #[must_use]
    pub fn question(&self) -> Option<(&Question, u32)> {
        self.question.as_ref().map(|q| (q, self.items))
    }

    /// What is known by now.
    #[must_use]
    pub const fn projection(&self) -> &Projection {
        &self.projection
    }

    /// What is known at the end.
    #[must_use]
    pub fn finish(self, plan: &Plan) -> Projection {
        self.projection.in_entry_order(&plan.entered).into_owned()
    }

    /// Takes an answer to the present question; true if it was the last, so that the next question stands. One that
    /// overlaps what is in, or answers another question, is left out.
    pub fn add(&mut self, plan: &Plan, answer: &Answer) -> bool {
        let (first, count) = answer.span();
        let end = first.saturating_add(count);
        let overlaps = self.answered.iter().any(|r| r.0 < end && first < r.1);
        if overlaps || count == 0 || end > self.items || !self.put(answer, first, count) {
            return false;
        }
        self.answered.push((first, end));
        if self.answered.iter().map(|r| r.1 - r.0).sum::<u32>() < self.items {
            return false;
        }
        self.conclude(plan);
        self.ask(plan);
        true
    }

    /// Puts an answer where it belongs; false if it is none to this question.
    fn put(&mut self, answer: &Answer, first: u32, count: u32) -> bool {
        match (&self.question, answer, &mut self.causes) {
            (Some(Question::Causes(_)), Answer::Causes(batch), Some(causes)) => causes.add(batch),
            (Some(Question::Causes(_)) | None, ..) | (_, Answer::Causes(_), _) => false,
            (_, Answer::Rows(batch), _) => {
                let items = self.items as usize;
                insert(&mut self.rows.wide, &batch.money, items, first, count)
                    && insert(&mut self.rows.narrow, &batch.physical, items, first, count)
            }
        }
    }

    /// Reads the complete answer.
    fn conclude(&mut self, plan: &Plan) {
        let rows = std::mem::take(&mut self.rows);
        let p = &mut self.projection;
        match self.question.take() {
            Some(Question::Requests) => {
                let width = rows.wide.len() / self.items.max(1) as usize;
                let sizes: Vec<_> = rows.wide.chunks(width.max(1)).collect();
                let entered = p.features.len();
                for (at, (feature, f)) in p.features.iter_mut().zip(&plan.features).enumerate() {
                    let read = |round: usize| RequestSizes::read(sizes.get(round * entered + at)?);
                    feature.each = read(WEEK_ROUND);
                    feature.dearest = read(DEAREST_ROUND).and_then(|s| DearestHours::of(f, s));
                    let lanes = p.lanes.iter_mut().find(|l| l.long.id == f.id);
                    if let Some(lanes) = lanes {
                        lanes.short_each = read(LANE_ROUND);
                        lanes.long.each = read(LANE_ROUND + 1);
                    }
                }
            }
            Some(Question::Heat(limit)) => {
                p.heat
                    .push(HeatMap::of(limit, plan.layout.months, &rows.narrow));
            }
            Some(Question::Launches) => p.launches = Some(LaunchMoves::of(plan, &rows.wide)),
            Some(Question::Causes(_)) | None => {}
        }
    }

    /// Goes on to the next question.
    fn ask(&mut self, plan: &Plan) {
        self.answered.clear();
        if let Some(causes) = self.causes.take() {
            if let Some(question) = causes.question() {
                self.items = self.projection.trials;
                self.question = Some(Question::Causes(question.clone()));
                self.causes = Some(causes);
                return;
            }
            self.projection.causes = causes.finish();
        }
        self.question = self.later.pop_front();
        let trials = self.projection.trials;
        self.items = match self.question {
            Some(Question::Requests) => (plan.layout.entered() * rounds(plan)) as u32,
            Some(Question::Heat(_)) => trials.min(HEAT_TRIALS),
            Some(Question::Launches) => launch_trials(plan, trials),
            Some(Question::Causes(_)) => trials,
            None => 0,
        };
    }
}

/// Puts rows of some items among those of all; false if they do not have whole rows, or another width than others.
fn insert<T: Copy + Default>(
    all: &mut Vec<T>,
    rows: &[T],
    items: usize,
    first: u32,
    count: u32,
) -> bool {
    let width = rows.len() / count as usize;
    if all.is_empty() {
        all.resize(items * width, T::default());
    }
    let at = first as usize * width;
    let fits = rows.len() == width * count as usize && all.len() == items * width;
    if let (true, Some(place)) = (fits, all.get_mut(at..at + rows.len())) {
        place.copy_from_slice(rows);
        return true;
    }
    false
}
