//! What the page and its workers say to each other.
//!
//! A message is a small postcard *head* and, where it carries columns, a plan or a projection, a *body* of bytes that
//! the page hands on without reading. Every range and length is checked when a message is read: garbage gives a
//! [`WireError`], never a panic.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::engine::{
    collector::CollectError,
    columns::Batch,
    inquiry::{Answer, Question},
    plan::Plan,
    projection::Projection,
};

/// Page and worker belong together if theirs are equal.
pub const BUILD_ID: &str = match option_env!("HEADROOM_BUILD_ID") {
    Some(id) => id,
    None => env!("CARGO_PKG_VERSION"),
};

/// Most trials of one message.
const MOST_TRIALS: u32 = 1_000_000;

/// Number of a run: results of a run that was overtaken are told by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunId(pub u32);

/// Consecutive trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Number of the first, from 0.
    pub first: u32,
    /// How many, at least 1.
    pub count: u32,
}

impl Span {
    /// Number after the last.
    #[must_use]
    pub const fn end(self) -> u32 {
        self.first.saturating_add(self.count)
    }

    fn checked(self) -> Result<(), WireError> {
        let fits = self.count > 0 && self.count <= MOST_TRIALS;
        if fits && self.first.checked_add(self.count).is_some() {
            Ok(())
        } else {
            Err(WireError::Range)
        }
    }
}

/// From the page to a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// To a trial worker: simulate this plan from now on. Body: the plan.
    Plan(RunId),
    /// Simulate these trials of the plan.
    Simulate(RunId, Span),
    /// To a trial worker: the question of a stage of the inquiry. Body: the question.
    Question(RunId, u32),
    /// Answer the question of this stage for these items.
    Answer(RunId, u32, Span),
    /// To the collector: collect trials of this plan from now on. Body: the plan.
    Collect(RunId),
    /// To the collector: trials. Body: the batch.
    Add(RunId),
    /// To the collector: answers. Body: the batch of answers.
    AddAnswer(RunId, u32),
    /// To the collector: make a projection of what is in.
    Project(RunId),
    /// Drop all work.
    Rest(RunId),
    /// Break, to prove that the runner mends it. Only a worker built with the feature `faults` obeys.
    Fault(RunId, Fault),
}

impl Request {
    /// The run that it belongs to.
    #[must_use]
    pub const fn run(&self) -> RunId {
        match self {
            Self::Plan(run)
            | Self::Simulate(run, _)
            | Self::Question(run, _)
            | Self::Answer(run, ..)
            | Self::Collect(run)
            | Self::Add(run)
            | Self::AddAnswer(run, _)
            | Self::Project(run)
            | Self::Rest(run)
            | Self::Fault(run, _) => *run,
        }
    }
}

/// A way to break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fault {
    /// Loop for ever.
    Loop,
    /// Trap.
    Trap,
}

/// From a worker to the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Response {
    /// It listens: earlier messages would be lost.
    Ready {
        /// [`BUILD_ID`] of the worker.
        build: String,
    },
    /// Trials are done. Body: the batch, for the collector.
    Trials {
        /// The run.
        run: RunId,
        /// The trials.
        span: Span,
        /// How long they took, in milliseconds.
        milliseconds: f32,
    },
    /// Items have answered. Body: the answers, for the collector.
    Answers {
        /// The run.
        run: RunId,
        /// The stage of the question.
        stage: u32,
        /// The items.
        span: Span,
        /// How long they took, in milliseconds.
        milliseconds: f32,
    },
    /// A projection is made. Body: the projection.
    Projection {
        /// The run.
        run: RunId,
        /// Trials in it.
        trials: u32,
        /// Whether nothing is left to find out.
        last: bool,
    },
    /// All trials are in, and this is to be asked. Body: the question, for the trial workers.
    Ask {
        /// The run.
        run: RunId,
        /// Stage of the question, from 1.
        stage: u32,
        /// How many items are to answer, trials or features.
        items: u32,
    },
    /// The worker lives but has nothing to show yet.
    Alive,
    /// A message was not understood or contradicts an earlier one.
    Refused {
        /// The run.
        run: RunId,
        /// Why.
        why: Refusal,
    },
}

/// Why a message was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// A value of a trial is infinite or not a number: the plan has numbers too large to compute with.
    NotFinite,
    /// There is no memory for so many trials of so large a plan.
    Memory,
    /// It was not understood or contradicts an earlier one; in words, for a report of the fault.
    Contradiction(String),
}

impl From<WireError> for Refusal {
    fn from(error: WireError) -> Self {
        Self::Contradiction(error.to_string())
    }
}

impl From<CollectError> for Refusal {
    fn from(error: CollectError) -> Self {
        match error {
            CollectError::NotFinite(_) => Self::NotFinite,
            CollectError::Memory => Self::Memory,
            other => Self::Contradiction(other.to_string()),
        }
    }
}

/// Why bytes are not a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WireError {
    /// They are not the bytes of such a message.
    #[error("not a message of this program")]
    Bytes,
    /// A range of trials is empty, too long or beyond the last number.
    #[error("a range of trials is not valid")]
    Range,
    /// A number is not finite or negative.
    #[error("a duration is not valid")]
    Duration,
    /// The message comes without the body that belongs to it, or its length contradicts the head.
    #[error("a message and its body do not fit")]
    Body,
}

/// Bytes of anything that goes over the wire whole.
///
/// # Errors
///
/// None for the types of this project: postcard fails only on sequences of unknown length.
pub fn to_bytes<T: Serialize>(value: &T) -> Result<Vec<u8>, WireError> {
    postcard::to_allocvec(value).map_err(|_| WireError::Bytes)
}

fn whole<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, WireError> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        _ => Err(WireError::Bytes),
    }
}

/// Reads the head of a message to a worker.
///
/// # Errors
///
/// The bytes are not such a head, or a range in it is not valid.
pub fn request(bytes: &[u8]) -> Result<Request, WireError> {
    let request: Request = whole(bytes)?;
    if let Request::Simulate(_, span) | Request::Answer(_, _, span) = &request {
        span.checked()?;
    }
    Ok(request)
}

/// Reads the head of a message to the page.
///
/// # Errors
///
/// The bytes are not such a head, or a number in it is not valid.
pub fn response(bytes: &[u8]) -> Result<Response, WireError> {
    let response: Response = whole(bytes)?;
    if let Response::Trials {
        span, milliseconds, ..
    }
    | Response::Answers {
        span, milliseconds, ..
    } = &response
    {
        span.checked()?;
        if !milliseconds.is_finite() || *milliseconds < 0.0 {
            return Err(WireError::Duration);
        }
    }
    Ok(response)
}

/// Reads a plan.
///
/// # Errors
///
/// The bytes are not a plan.
pub fn plan(bytes: &[u8]) -> Result<Plan, WireError> {
    whole(bytes)
}

/// Reads a projection.
///
/// # Errors
///
/// The bytes are not a projection.
pub fn projection(bytes: &[u8]) -> Result<Projection, WireError> {
    whole(bytes)
}

/// Reads a question.
///
/// # Errors
///
/// The bytes are not a question.
pub fn question(bytes: &[u8]) -> Result<Question, WireError> {
    whole(bytes)
}

/// Bytes of an answer: what it answers, and the counts or rows.
///
/// # Errors
///
/// As [`to_bytes`].
pub fn answer_to_bytes(answer: &Answer) -> Result<Vec<u8>, WireError> {
    let (kind, mut bytes) = match answer {
        Answer::Causes(counts) => (CAUSES, to_bytes(counts)?),
        Answer::Rows(rows) => (ROWS, batch_to_bytes(rows)),
    };
    bytes.push(kind);
    Ok(bytes)
}

/// Last byte of an answer about causes, and of rows.
const CAUSES: u8 = 0;
const ROWS: u8 = 1;

/// Reads an answer.
///
/// # Errors
///
/// The bytes are not an answer, or for a range that is not valid.
pub fn answer(bytes: &[u8]) -> Result<Answer, WireError> {
    match bytes {
        [counts @ .., CAUSES] => {
            let answer = Answer::Causes(whole(counts)?);
            let (first, count) = answer.span();
            span_of(first, count)?;
            Ok(answer)
        }
        [rows @ .., ROWS] => Ok(Answer::Rows(batch(rows)?)),
        _ => Err(WireError::Bytes),
    }
}

fn span_of(first: u32, count: u32) -> Result<(), WireError> {
    Span { first, count }.checked()
}

/// Bytes of a batch: five lengths and the columns, all little-endian. Columns are most of what crosses the wire, and
/// this is one copy, where a general encoding looks at every value.
#[must_use]
pub fn batch_to_bytes(batch: &Batch) -> Vec<u8> {
    let lengths = [
        batch.first_trial,
        batch.trials,
        batch.money.len() as u32,
        batch.physical.len() as u32,
        batch.inputs.len() as u32,
    ];
    let mut bytes = Vec::with_capacity(
        20 + 8 * batch.money.len() + 4 * (batch.physical.len() + batch.inputs.len()),
    );
    bytes.extend(lengths.iter().flat_map(|n| n.to_le_bytes()));
    bytes.extend(batch.money.iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend(batch.physical.iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend(batch.inputs.iter().flat_map(|x| x.to_le_bytes()));
    bytes
}

/// Reads a batch. Whether its values may be shown is for the collector to say.
///
/// # Errors
///
/// The lengths contradict each other, or the range of trials is not valid.
pub fn batch(bytes: &[u8]) -> Result<Batch, WireError> {
    let (head, columns) = bytes.split_at_checked(20).ok_or(WireError::Body)?;
    let mut numbers = head
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let mut next = || numbers.next().unwrap_or_default();
    let (first_trial, trials) = (next(), next());
    let [money, physical, inputs] = [next(), next(), next()].map(u64::from);
    span_of(first_trial, trials)?;
    if columns.len() as u64 != 8 * money + 4 * (physical + inputs) {
        return Err(WireError::Body);
    }
    // The lengths add up to that of a slice, so each fits into memory.
    let (money, rest) = columns.split_at(8 * money as usize);
    let (physical, inputs) = rest.split_at(4 * physical as usize);
    let singles = |bytes: &[u8]| {
        let parts = bytes.chunks_exact(4);
        parts
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect()
    };
    let doubles = money.chunks_exact(8);
    Ok(Batch {
        first_trial,
        trials,
        money: doubles
            .map(|b| f64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]))
            .collect(),
        physical: singles(physical),
        inputs: singles(inputs),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn some_batch() -> Batch {
        Batch {
            first_trial: 7,
            trials: 2,
            money: vec![1.5, -0.0, 3.25, f64::MAX],
            physical: vec![0.5, 1.0, 2.0, 3.0, 4.0, 5.0],
            inputs: vec![f32::MIN_POSITIVE, 9.0],
        }
    }

    #[test]
    fn a_batch_arrives_bit_by_bit() {
        let sent = some_batch();
        let got = batch(&batch_to_bytes(&sent)).expect("a batch");
        assert_eq!(got, sent);
        assert_eq!(got.money[1].to_bits(), (-0.0_f64).to_bits());
    }

    #[test]
    fn a_batch_that_is_cut_or_grown_is_refused() {
        let bytes = batch_to_bytes(&some_batch());
        for length in 0..bytes.len() {
            assert!(batch(&bytes[..length]).is_err(), "{length}");
        }
        assert_eq!(batch(&[&bytes[..], &[0]].concat()), Err(WireError::Body));
        let mut huge = bytes.clone();
        huge[8..20].fill(0xff);
        assert_eq!(batch(&huge), Err(WireError::Body));
        let mut no_trials = bytes;
        no_trials[4..8].fill(0);
        assert_eq!(batch(&no_trials), Err(WireError::Range));
    }

    #[test]
    fn heads_are_checked() {
        let run = RunId(3);
        for (first, count, good) in [
            (0, 10, true),
            (0, 0, false),
            (u32::MAX, 1, false),
            (0, u32::MAX, false),
        ] {
            let head = to_bytes(&Request::Simulate(run, Span { first, count })).expect("bytes");
            assert_eq!(request(&head).is_ok(), good, "{first} {count}");
        }
        for (milliseconds, good) in [(1.0, true), (-1.0, false), (f32::NAN, false)] {
            let head = to_bytes(&Response::Trials {
                run,
                span: Span { first: 0, count: 1 },
                milliseconds,
            })
            .expect("bytes");
            assert_eq!(response(&head).is_ok(), good, "{milliseconds}");
        }
        let mut longer = to_bytes(&Request::Rest(RunId(1))).expect("bytes");
        longer.push(0);
        assert_eq!(request(&longer), Err(WireError::Bytes));
    }

    proptest! {
        #[test]
        fn garbage_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let _ = (request(&bytes), response(&bytes), plan(&bytes), projection(&bytes));
            let _ = (question(&bytes), answer(&bytes), batch(&bytes));
        }

        #[test]
        fn a_flipped_bit_never_panics(bit in 0_usize..(8 * 92)) {
            let mut bytes = batch_to_bytes(&some_batch());
            if let Some(byte) = bytes.get_mut(bit / 8) {
                *byte ^= 1 << (bit % 8);
            }
            let _ = batch(&bytes);
        }
    }
}
