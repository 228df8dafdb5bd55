//! Answers to questions about trials that are played again, and about features.

use super::Simulator;
use crate::engine::{
    cause::{CauseBatch, CauseQuestion, Counts, Removal},
    collector::Outline,
    columns::{Batch, Layout},
    heat::WEEK,
    inquiry::{Answer, Question},
    launches::{copy_months, moves, read},
    requests::each::each,
    trial::{Player, Rows},
};

/// A trial's rows.
struct Played {
    money: Vec<f64>,
    physical: Vec<f32>,
    inputs: Vec<f32>,
}

impl Played {
    fn new(layout: &Layout) -> Self {
        Self {
            money: vec![0.0; layout.money_width()],
            physical: vec![0.0; layout.physical_width()],
            inputs: vec![0.0; layout.inputs],
        }
    }
}

impl Simulator {
    /// Answers a question for consecutive items.
    #[must_use]
    pub fn answer(&mut self, question: &Question, first: u32, count: u32) -> Answer {
        let mut rows = Batch {
            first_trial: first,
            trials: count,
            ..Batch::default()
        };
        match question {
            Question::Causes(causes) => return Answer::Causes(self.causes(first, count, causes)),
            Question::Requests => {
                for feature in first..first + count {
                    let sizes = each(&self.plan, &self.laws, feature as usize);
                    rows.money.extend(sizes);
                }
            }
            Question::Heat(limit) => rows.physical = self.heat(first, count, *limit),
            Question::Launches => rows.money = self.launches(first, count),
        }
        Answer::Rows(rows)
    }

    /// Shares of what is committed under a limit by month and hour of the week, trial by trial.
    fn heat(&mut self, first: u32, count: u32, limit: u32) -> Vec<f32> {
        let width = self.plan.layout.months * WEEK;
        let mut shares = vec![0.0; count as usize * width];
        let player = Player {
            plan: &self.plan,
            laws: &self.laws,
        };
        for (trial, row) in (first..).zip(shares.chunks_mut(width.max(1))) {
            player.open_for_causes(trial, &mut self.workspace);
            for (month, row) in row.chunks_mut(WEEK).enumerate() {
                player.heat(limit, month, &mut self.workspace, row);
            }
        }
        shares
    }

    /// Each trial as planned and then with each launch moved.
    fn launches(&mut self, first: u32, count: u32) -> Vec<f64> {
        let outline = Outline::from(&self.plan);
        let layout = outline.layout;
        let moves = moves(&self.plan);
        let (mut planned, mut moved) = (Played::new(&layout), Played::new(&layout));
        let mut out = Vec::new();
        for trial in first..first + count {
            self.play_from(0, trial, &mut planned);
            read(&outline, &planned.money, &planned.physical, &mut out);
            let months: Vec<usize> = moves
                .iter()
                .map(|(f, _)| self.workspace.launch_month(&self.plan, *f))
                .collect();
            for ((f, weeks), month) in moves.iter().zip(months) {
                let on_time = self.launch_on(*f, |l| l.moved[*weeks]);
                self.play_from(month, trial, &mut moved);
                self.launch_on(*f, |_| on_time);
                copy_months(&layout, month, &planned.money, &mut moved.money);
                copy_months(&layout, month, &planned.physical, &mut moved.physical);
                read(&outline, &moved.money, &moved.physical, &mut out);
            }
        }
        out
    }

    /// Gives a feature another day of launch; says which it had.
    fn launch_on(
        &mut self,
        f: usize,
        day: impl Fn(&crate::engine::plan::PlanLaunch) -> i64,
    ) -> i64 {
        let mut before = 0;
        let flows: Vec<usize> = self.plan.flows(f).collect();
        for flow in flows {
            if let Some(launch) = &mut self.plan.features[flow].launch {
                let hour = day(launch);
                before = std::mem::replace(&mut launch.hour, hour);
            }
        }
        before
    }

    fn play_from(&mut self, month: usize, trial: u32, to: &mut Played) {
        let player = Player {
            plan: &self.plan,
            laws: &self.laws,
        };
        let mut rows = Rows {
            money: &mut to.money,
            physical: &mut to.physical,
            inputs: &mut to.inputs,
        };
        player.play_from(month, trial, &mut self.workspace, &mut rows);
    }

    /// Breaches in the asked months of consecutive trials, with nothing and with each suspect removed.
    #[must_use]
    pub fn causes(&mut self, first: u32, count: u32, question: &CauseQuestion) -> CauseBatch {
        let player = Player {
            plan: &self.plan,
            laws: &self.laws,
        };
        let mut counts = vec![Counts::default(); question.width()];
        let nothing = Removal::default();
        for trial in first..first + count {
            player.open_for_causes(trial, &mut self.workspace);
            let mut rest = counts.as_mut_slice();
            for item in &question.items {
                let (own, next) = rest.split_at_mut(1 + item.removals.len());
                rest = next;
                let mut hours = |removal| {
                    player.breach_hours(item.limit, item.month, removal, &mut self.workspace)
                };
                let all = hours(&nothing);
                own[0].add_trial(all);
                for (count, removal) in own[1..].iter_mut().zip(&item.removals) {
                    // without a feature no more breaches (tested); a window may also have held demand down
                    if all > 0 || !removal.seasons.is_empty() {
                        count.add_trial(hours(removal));
                    }
                }
            }
        }
        CauseBatch {
            first_trial: first,
            trials: count,
            counts,
        }
    }
}
