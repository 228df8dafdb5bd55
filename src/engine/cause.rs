//! Who causes the breaches of a limit: every suspect (a feature, a seasonal window) is removed on the same draws.
//!
//! [`Causes`] asks, the simulator answers, [`Causes::finish`] says what may be said:
//!
//! 1. for each limit and month that matters, how many trials breach, and for how many hours, without each suspect;
//! 2. where no suspect alone takes away more than half, the same without the two largest together.
//!
//! Answers are counts in whole numbers, so they add up to the same in any order. Source: docs/model.md, "Cause".

use serde::{Deserialize, Serialize};

use super::plan::Plan;
use super::projection::{Cause, CauseVerdict, LimitOutcome, Projection, Suspect};
use crate::domain::scenario::Id;

/// Breach chance in % from which a month matters.
const MATTERS_PERCENT: u64 = 1;
/// Breach chance in % from which hours take the place of the chance.
const NEARLY_EVERY_PERCENT: u64 = 99;

/// What is taken out of the plan: features send nothing, windows multiply by 1 in all their occurrences.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removal {
    /// Indices into [`Plan::features`], ascending.
    pub features: Vec<u32>,
    /// Seasonal windows.
    pub seasons: Vec<Id>,
}

/// A limit in a month, and what to remove there, one removal at a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CauseItem {
    /// Index into [`Plan::limits`].
    pub limit: u32,
    /// Month of the horizon.
    pub month: u32,
    /// What to remove.
    pub removals: Vec<Removal>,
}

/// What the simulator is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CauseQuestion {
    /// Limits and months in ascending order.
    pub items: Vec<CauseItem>,
}

impl CauseQuestion {
    /// Counts in an answer: for each item one with everything in place, then one per removal.
    #[must_use]
    pub fn width(&self) -> usize {
        self.items.iter().map(|i| 1 + i.removals.len()).sum()
    }
}

/// Breaches of a limit in a month, over some trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Trials with an hour below 0.
    pub trials: u32,
    /// Hours below 0 in all trials.
    pub hours: u64,
}

impl Counts {
    /// Adds one trial's hours below 0.
    pub fn add_trial(&mut self, hours: u32) {
        self.trials += u32::from(hours > 0);
        self.hours += u64::from(hours);
    }
}

/// The simulator's answer for consecutive trials.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CauseBatch {
    /// Number of the first trial.
    pub first_trial: u32,
    /// Trials.
    pub trials: u32,
    /// [`CauseQuestion::width`] counts: item after item, each with everything in place and then removal by removal.
    pub counts: Vec<Counts>,
}

/// A suspect and how to remove it.
#[derive(Clone, Debug)]
struct Candidate {
    id: Id,
    removal: Removal,
}

/// What is known of one limit and month.
#[derive(Clone, Debug)]
struct Inquiry {
    limit: u32,
    month: u32,
    candidates: Vec<Candidate>,
    base: Counts,
    without: Vec<Counts>,
    /// The two largest and what is left without both.
    together: Option<(usize, usize, Counts)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Alone,
    Together,
    Done,
}

/// The search for causes: ask [`Causes::question`], hand in the answers of all trials with [`Causes::add`], and again
/// until there is no question left.
#[derive(Clone, Debug)]
pub struct Causes {
    inquiries: Vec<Inquiry>,
    question: CauseQuestion,
    /// Inquiries that the items of the question belong to.
    asked: Vec<usize>,
    answer: Vec<Counts>,
    /// Trials that have answered the question.
    ranges: Vec<(u32, u32)>,
    trials: u32,
    stage: Stage,
}

impl Causes {
    /// For the limits and months of a projection that matter: a breach chance of at least 1 %, or else the month with
    /// the largest, if there is any.
    #[must_use]
    pub fn new(plan: &Plan, projection: &Projection) -> Self {
        let mut inquiries = Vec::new();
        for (limit, outcome) in (0..).zip(&projection.limits) {
            for month in months_that_matter(outcome) {
                inquiries.push(Inquiry {
                    limit,
                    month,
                    candidates: candidates(plan, projection, limit, month),
                    base: Counts::default(),
                    without: Vec::new(),
                    together: None,
                });
            }
        }
        let asked: Vec<usize> = (0..inquiries.len()).collect();
        let items = inquiries
            .iter()
            .map(|inquiry| CauseItem {
                limit: inquiry.limit,
                month: inquiry.month,
                removals: inquiry
                    .candidates
                    .iter()
                    .map(|c| c.removal.clone())
                    .collect(),
            })
            .collect();
        let mut causes = Self {
            inquiries,
            question: CauseQuestion::default(),
            asked: Vec::new(),
            answer: Vec::new(),
            ranges: Vec::new(),
            trials: projection.trials,
            stage: Stage::Alone,
        };
        causes.ask(CauseQuestion { items }, asked);
        causes
    }

    /// What to ask the simulator about every trial; none when everything is known.
    #[must_use]
    pub fn question(&self) -> Option<&CauseQuestion> {
        (self.stage != Stage::Done).then_some(&self.question)
    }

    /// Takes an answer to the present question. Answers may come in any order and any batches; one that overlaps what
    /// is in, or answers another question, is left out. Returns whether it was taken.
    pub fn add(&mut self, batch: &CauseBatch) -> bool {
        let end = batch.first_trial.saturating_add(batch.trials);
        let overlaps = self
            .ranges
            .iter()
            .any(|r| r.0 < end && batch.first_trial < r.1);
        if self.stage == Stage::Done
            || overlaps
            || batch.trials == 0
            || end > self.trials
            || batch.counts.len() != self.answer.len()
        {
            return false;
        }
        for (sum, count) in self.answer.iter_mut().zip(&batch.counts) {
            sum.trials += count.trials;
            sum.hours += count.hours;
        }
        self.ranges.push((batch.first_trial, end));
        if self.ranges.iter().map(|r| r.1 - r.0).sum::<u32>() == self.trials {
            self.advance();
        }
        true
    }

    /// Trials that have not answered the present question yet, as ranges.
    #[must_use]
    pub fn missing(&self) -> Vec<(u32, u32)> {
        let mut ranges = self.ranges.clone();
        ranges.sort_unstable();
        ranges.push((self.trials, self.trials));
        let mut from = 0;
        let mut missing = Vec::new();
        for (a, b) in ranges {
            if from < a {
                missing.push((from, a));
            }
            from = b;
        }
        missing
    }

    /// The causes, by limit and month.
    #[must_use]
    pub fn finish(self) -> Vec<Cause> {
        self.inquiries
            .into_iter()
            .filter(|i| i.base.trials > 0)
            .map(|i| i.cause(self.trials))
            .collect()
    }

    fn ask(&mut self, question: CauseQuestion, asked: Vec<usize>) {
        self.answer = vec![Counts::default(); question.width()];
        self.ranges.clear();
        if question.items.is_empty() || self.trials == 0 {
            self.stage = Stage::Done;
        }
        self.question = question;
        self.asked = asked;
    }

    /// Reads the complete answer and asks what follows from it.
    fn advance(&mut self) {
        let mut counts = self.answer.iter().copied();
        for (item, at) in self.question.items.iter().zip(&self.asked) {
            let inquiry = &mut self.inquiries[*at];
            let base = counts.next().unwrap_or_default();
            let without: Vec<Counts> = counts.by_ref().take(item.removals.len()).collect();
            match (self.stage, &mut inquiry.together) {
                (Stage::Together, Some((_, _, both))) => {
                    *both = without.first().copied().unwrap_or_default()
                }
                _ => {
                    inquiry.base = base;
                    inquiry.without = without;
                }
            }
        }
        if self.stage == Stage::Together {
            self.stage = Stage::Done;
            return;
        }
        self.stage = Stage::Together;
        let mut items = Vec::new();
        let mut asked = Vec::new();
        for (at, inquiry) in self.inquiries.iter_mut().enumerate() {
            if let Some((first, second)) = inquiry.two_to_try(self.trials) {
                inquiry.together = Some((first, second, inquiry.base));
                items.push(CauseItem {
                    limit: inquiry.limit,
                    month: inquiry.month,
                    removals: vec![union(
                        &inquiry.candidates[first].removal,
                        &inquiry.candidates[second].removal,
                    )],
                });
                asked.push(at);
            }
        }
        self.ask(CauseQuestion { items }, asked);
    }
}

impl Inquiry {
    fn by_hours(&self, trials: u32) -> bool {
        u64::from(self.base.trials) * 100 >= NEARLY_EVERY_PERCENT * u64::from(trials)
    }

    /// What a removal takes away, and of how much.
    fn taken(&self, without: Counts, trials: u32) -> (u64, u64) {
        let (base, left) = if self.by_hours(trials) {
            (self.base.hours, without.hours)
        } else {
            (u64::from(self.base.trials), u64::from(without.trials))
        };
        (base.saturating_sub(left), base)
    }

    /// Candidates, the largest first; equal ones in order of creation.
    fn ranked(&self, trials: u32) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.without.len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse(self.taken(self.without[*at], trials).0));
        order
    }

    /// The two largest, if none alone is enough and both take away something.
    fn two_to_try(&self, trials: u32) -> Option<(usize, usize)> {
        let ranked = self.ranked(trials);
        let (first, second) = (*ranked.first()?, *ranked.get(1)?);
        let enough = more_than_half(self.taken(self.without[first], trials));
        (self.base.trials > 0 && !enough).then_some((first, second))
    }

    fn cause(&self, trials: u32) -> Cause {
        let ranked = self.ranked(trials);
        let share = |(taken, of): (u64, u64)| {
            if of == 0 {
                0.0
            } else {
                taken as f64 / of as f64
            }
        };
        let suspects = ranked
            .iter()
            .map(|at| Suspect {
                id: self.candidates[*at].id,
                share: share(self.taken(self.without[*at], trials)),
            })
            .collect();
        let enough: Vec<Id> = ranked
            .iter()
            .filter(|at| more_than_half(self.taken(self.without[**at], trials)))
            .map(|at| self.candidates[*at].id)
            .collect();
        let verdict = match (enough.as_slice(), self.together) {
            ([one], _) => CauseVerdict::Mostly(*one),
            ([_, _, ..], _) => CauseVerdict::Several(enough),
            ([], Some((first, second, both))) if more_than_half(self.taken(both, trials)) => {
                CauseVerdict::Together(self.candidates[first].id, self.candidates[second].id)
            }
            ([], _) => CauseVerdict::Nobody,
        };
        Cause {
            limit: self.limit,
            month: self.month,
            by_hours: self.by_hours(trials),
            suspects,
            verdict,
        }
    }
}

const fn more_than_half((taken, of): (u64, u64)) -> bool {
    taken * 2 > of
}

fn union(a: &Removal, b: &Removal) -> Removal {
    let mut features = [a.features.as_slice(), &b.features].concat();
    features.sort_unstable();
    features.dedup();
    Removal {
        features,
        seasons: [a.seasons.as_slice(), &b.seasons].concat(),
    }
}

/// Months with a breach chance of at least 1 %; if there is none, the first of those with the largest chance.
pub(crate) fn months_that_matter(limit: &LimitOutcome) -> Vec<u32> {
    let matter: Vec<u32> = (0..)
        .zip(&limit.breach)
        .filter(|(_, c)| {
            c.count > 0 && u64::from(c.count) * 100 >= MATTERS_PERCENT * u64::from(c.of)
        })
        .map(|(month, _)| month)
        .collect();
    if !matter.is_empty() {
        return matter;
    }
    let largest = limit.breach.iter().map(|c| c.count).max().unwrap_or(0);
    (0..)
        .zip(&limit.breach)
        .find(|(_, c)| largest > 0 && c.count == largest)
        .map(|(month, _)| month)
        .into_iter()
        .collect()
}

/// Features that send requests to the limit's pool in the month, then windows that touch one of them then; both in
/// order of creation.
fn candidates(plan: &Plan, projection: &Projection, limit: u32, month: u32) -> Vec<Candidate> {
    let Some(pool) = plan
        .limits
        .get(limit as usize)
        .and_then(|l| plan.pools.get(l.pool as usize))
    else {
        return Vec::new();
    };
    let sends = |feature: u32| {
        let row = plan.features[feature as usize].rows.first();
        row.and_then(|row| projection.features.get(*row as usize))
            .and_then(|f| f.requests.months.get(month as usize))
            .is_some_and(|s| s.mean > 0.0)
    };
    let features: Vec<u32> = pool
        .features
        .iter()
        .copied()
        .filter(|f| sends(*f))
        .collect();
    let mut candidates: Vec<Candidate> = Vec::new();
    for f in &features {
        let id = plan.features[*f as usize].id;
        // flows of one feature go together
        match candidates.iter_mut().find(|c| c.id == id) {
            Some(known) => known.removal.features.push(*f),
            None => candidates.push(Candidate {
                id,
                removal: Removal {
                    features: vec![*f],
                    seasons: Vec::new(),
                },
            }),
        }
    }
    let (first, end) = (
        i64::from(plan.month_start[month as usize]),
        i64::from(plan.month_start[month as usize + 1]),
    );
    for (at, window) in (0..).zip(&plan.windows) {
        let overlaps = window.ramp_in < end && window.ramp_out > first;
        let touches = features
            .iter()
            .any(|f| plan.features[*f as usize].windows.contains(&at));
        if overlaps && touches && !candidates.iter().any(|c| c.id == window.season) {
            candidates.push(Candidate {
                id: window.season,
                removal: Removal {
                    features: Vec::new(),
                    seasons: vec![window.season],
                },
            });
        }
    }
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An inquiry of 1,000 trials: (id, trials, hours) without each suspect.
    fn inquiry(base: (u32, u64), without: &[(u32, u32, u64)]) -> Causes {
        let counts = |(trials, hours)| Counts { trials, hours };
        let candidates = without
            .iter()
            .map(|w| Candidate {
                id: Id(w.0),
                removal: Removal {
                    features: vec![w.0],
                    seasons: Vec::new(),
                },
            })
            .collect();
        let mut causes = Causes {
            inquiries: vec![Inquiry {
                limit: 0,
                month: 3,
                candidates,
                base: Counts::default(),
                without: Vec::new(),
                together: None,
            }],
            question: CauseQuestion::default(),
            asked: Vec::new(),
            answer: Vec::new(),
            ranges: Vec::new(),
            trials: 1000,
            stage: Stage::Alone,
        };
        let removals = causes.inquiries[0]
            .candidates
            .iter()
            .map(|c| c.removal.clone())
            .collect();
        causes.ask(
            CauseQuestion {
                items: vec![CauseItem {
                    limit: 0,
                    month: 3,
                    removals,
                }],
            },
            vec![0],
        );
        let mut answer = vec![counts(base)];
        answer.extend(without.iter().map(|w| counts((w.1, w.2))));
        // in two batches, the later first; hours and trials split evenly
        let half = |c: &Counts| Counts {
            trials: c.trials / 2,
            hours: c.hours / 2,
        };
        let rest = |c: &Counts| Counts {
            trials: c.trials - c.trials / 2,
            hours: c.hours - c.hours / 2,
        };
        for (first_trial, part) in [
            (500, answer.iter().map(half).collect::<Vec<_>>()),
            (0, answer.iter().map(rest).collect()),
        ] {
            assert!(causes.add(&CauseBatch {
                first_trial,
                trials: 500,
                counts: part,
            }));
        }
        causes
    }

    fn verdict(causes: Causes) -> CauseVerdict {
        assert_eq!(causes.question(), None);
        causes.finish().remove(0).verdict
    }

    fn answer_together(causes: &mut Causes, base: (u32, u64), without: (u32, u64)) {
        let question = causes.question().expect("a second question").clone();
        assert_eq!(question.items[0].removals.len(), 1);
        assert_eq!(causes.missing(), [(0, 1000)]);
        let counts = [base, without]
            .map(|(trials, hours)| Counts { trials, hours })
            .to_vec();
        assert!(causes.add(&CauseBatch {
            first_trial: 0,
            trials: 1000,
            counts,
        }));
    }

    #[test]
    fn one_alone_is_mostly() {
        let causes = inquiry((600, 6000), &[(1, 299, 0), (2, 300, 0)]);
        let cause = causes.clone().finish().remove(0);
        assert_eq!((cause.limit, cause.month, cause.by_hours), (0, 3, false));
        assert_eq!(cause.suspects[0].id, Id(1));
        assert!((cause.suspects[0].share - 301.0 / 600.0).abs() < 1e-15);
        // exactly half is not more than half
        assert_eq!(verdict(causes), CauseVerdict::Mostly(Id(1)));
    }

    #[test]
    fn several_are_listed_largest_first() {
        let causes = inquiry((600, 6000), &[(1, 299, 0), (2, 100, 0), (3, 500, 0)]);
        assert_eq!(verdict(causes), CauseVerdict::Several(vec![Id(2), Id(1)]));
    }

    #[test]
    fn two_are_named_only_if_they_take_more_than_half_together() {
        let mut named = inquiry((600, 6000), &[(1, 590, 0), (2, 400, 0), (3, 450, 0)]);
        let question = named.question().expect("together").clone();
        assert_eq!(question.items[0].removals[0].features, [2, 3]);
        let mut not_named = named.clone();
        answer_together(&mut named, (600, 6000), (299, 0));
        assert_eq!(verdict(named), CauseVerdict::Together(Id(2), Id(3)));
        answer_together(&mut not_named, (600, 6000), (300, 0));
        assert_eq!(verdict(not_named), CauseVerdict::Nobody);
    }

    #[test]
    fn hours_take_the_place_where_nearly_every_trial_breaches() {
        let causes = inquiry((990, 100_000), &[(1, 100, 50_000), (2, 980, 49_999)]);
        let cause = causes.clone().finish().remove(0);
        assert!(cause.by_hours);
        assert_eq!(verdict(causes), CauseVerdict::Mostly(Id(2)));
        // one trial fewer: the chance decides
        let causes = inquiry((989, 100_000), &[(1, 100, 50_000), (2, 980, 49_999)]);
        assert_eq!(verdict(causes), CauseVerdict::Mostly(Id(1)));
    }

    #[test]
    fn nobody_is_blamed_without_suspects_or_breaches() {
        assert_eq!(verdict(inquiry((600, 6000), &[])), CauseVerdict::Nobody);
        assert_eq!(
            verdict(inquiry((600, 6000), &[(1, 580, 0)])),
            CauseVerdict::Nobody
        );
        let none = inquiry((0, 0), &[(1, 0, 0), (2, 0, 0)]);
        assert_eq!(none.question(), None);
        assert_eq!(none.finish(), []);
    }

    #[test]
    fn answers_that_do_not_fit_are_left_out() {
        let mut causes = inquiry((600, 6000), &[(1, 590, 0), (2, 400, 0), (3, 450, 0)]);
        let two = vec![Counts::default(); 2];
        let mut add = |first_trial, trials, counts: &[Counts]| {
            causes.add(&CauseBatch {
                first_trial,
                trials,
                counts: counts.to_vec(),
            })
        };
        assert!(!add(0, 10, &two[..1]), "an answer to another question");
        assert!(!add(995, 10, &two), "trials that nobody asked for");
        assert!(!add(u32::MAX, 10, &two));
        assert!(!add(0, 0, &two));
        assert!(add(10, 10, &two));
        assert!(!add(15, 10, &two), "overlaps");
        assert_eq!(causes.missing(), [(0, 10), (20, 1000)]);
    }
}
