//! Runs: batches of trials in any split, answers to questions about them, and a whole projection in one call.

pub use super::laws::Cache;
use super::{
    collector::Collector,
    columns::Batch,
    inquiry::Inquiry,
    laws::Laws,
    plan::{Plan, compile},
    projection::Projection,
    trial::{Player, Rows, Workspace},
};
use crate::domain::{
    field::FieldPath,
    problem::{Problem, ProblemKind},
    scenario::Scenario,
};

/// Trials between two reports of progress.
const STEP: u32 = 50;

/// Runs a whole scenario in this thread, causes included, with its own number of trials and its own seed replaced.
/// `progress` gets the trials that are done and how many there are, and then the same for each question of the
/// [`Inquiry`].
///
/// # Errors
/// The problems of the scenario; a number that is too large to compute with counts as one.
pub fn run_all(
    scenario: &Scenario,
    trials: u32,
    seed: u64,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<Projection, Vec<Problem>> {
    let mut plan = compile(scenario)?;
    plan.trials = trials;
    plan.seed = seed;
    let mut simulator = Simulator::new(&plan, &mut Cache::default());
    let mut collector = Collector::new(&plan);
    for (first, count) in steps(0, trials) {
        let batch = simulator.simulate(first, count);
        collector.add(&batch).map_err(|_| {
            vec![Problem {
                path: FieldPath::plain("settings", "trials"),
                kind: ProblemKind::NotFinite,
            }]
        })?;
        progress(first + count, trials);
    }
    let mut inquiry = Inquiry::new(&plan, collector.projection());
    while let Some((question, items)) = inquiry.question().map(|(q, items)| (q.clone(), items)) {
        for (first, count) in steps(0, items) {
            inquiry.add(&plan, &simulator.answer(&question, first, count));
            progress(first + count, items);
        }
    }
    Ok(inquiry.finish(&plan))
}

/// A range of trials in steps.
fn steps(first: u32, end: u32) -> impl Iterator<Item = (u32, u32)> {
    (first..end)
        .step_by(STEP as usize)
        .map(move |at| (at, STEP.min(end - at)))
}

/// Plays the trials of a plan. A trial's numbers depend on the plan and its own number only.
#[derive(Debug)]
pub struct Simulator {
    plan: Plan,
    laws: Laws,
    workspace: Workspace,
}

impl Simulator {
    /// For a plan; tables come from the cache where an edit did not change them.
    #[must_use]
    pub fn new(plan: &Plan, cache: &mut Cache) -> Self {
        Self {
            laws: Laws::new(plan, cache),
            plan: plan.clone(),
            workspace: Workspace::default(),
        }
    }

    /// The plan.
    #[must_use]
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Plays consecutive trials.
    #[must_use]
    pub fn simulate(&mut self, first: u32, count: u32) -> Batch {
        let layout = &self.plan.layout;
        let (money, physical, inputs) =
            (layout.money_width(), layout.physical_width(), layout.inputs);
        let trials = count as usize;
        let mut batch = Batch {
            first_trial: first,
            trials: count,
            money: vec![0.0; trials * money],
            physical: vec![0.0; trials * physical],
            inputs: vec![0.0; trials * inputs],
        };
        let player = Player {
            plan: &self.plan,
            laws: &self.laws,
        };
        for i in 0..trials {
            player.play(
                first + i as u32,
                &mut self.workspace,
                &mut Rows {
                    money: &mut batch.money[i * money..(i + 1) * money],
                    physical: &mut batch.physical[i * physical..(i + 1) * physical],
                    inputs: &mut batch.inputs[i * inputs..(i + 1) * inputs],
                },
            );
        }
        batch
    }
}

mod answers;
#[cfg(test)]
mod tests;
