//! The verdict in words whose parts lead somewhere.

use super::View;
use crate::decide::{Part, Verdict};
use crate::domain::scenario::Id;
use crate::engine::projection::{Cause, CauseVerdict, Chance};
use crate::text::answers::Verdict as Words;
use crate::text::{Message, Piece, format, pieces, say};

/// Where a part of the sentence leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// A month under a limit.
    Month(usize, usize),
    /// An entity of the plan.
    Entity(Id),
    /// A budget, in the exceedance curve.
    Budget(Id),
    /// The form of a new feature.
    NewFeature,
    /// The form of a new pool.
    NewPool,
}

/// A run of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Run {
    /// Plain words.
    Plain(String),
    /// Words that matter.
    Strong(String),
    /// Words that lead somewhere.
    Link(String, Link),
    /// A Monte Carlo error.
    Error(String),
}

impl Run {
    /// The words alone.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Plain(t) | Self::Strong(t) | Self::Link(t, _) | Self::Error(t) => t,
        }
    }
}

/// All sentences as runs, a space between two.
#[must_use]
pub fn runs(view: &View<'_>, verdict: &Verdict) -> Vec<Run> {
    let mut out = Vec::new();
    for part in &verdict.parts {
        if !out.is_empty() {
            out.push(Run::Plain(" ".into()));
        }
        out.extend(sentence(view, part));
    }
    out
}

/// The runs as text.
#[must_use]
pub fn text(runs: &[Run]) -> String {
    runs.iter().map(Run::text).collect()
}

/// Fills a message, each part by `run`.
fn fill<M: Message>(message: &M, run: impl Fn(&str, String) -> Vec<Run>) -> Vec<Run> {
    pieces(message)
        .into_iter()
        .flat_map(|piece| match piece {
            Piece::Text(text) => vec![Run::Plain(text)],
            Piece::Part(_, text) if text.is_empty() => vec![],
            Piece::Part(name, text) => run(name, text),
        })
        .collect()
}

fn error(chance: &Chance) -> String {
    format!("({})", format::chance_error(chance))
}

/// A part that is replaced by runs; the words only mark the place.
const NESTED: &str = "\u{b7}";

fn sentence(view: &View<'_>, part: &Part) -> Vec<Run> {
    match part {
        Part::Over(b) | Part::Fine(b) => {
            let period = view.of_cost(b.budget, view.budget_period(b.span, &b.period));
            let amount = format::money_short(b.amount, view.currency());
            let over = matches!(part, Part::Over(_));
            let message = if over {
                Words::Over {
                    chance: format::chance(&b.chance),
                    error: error(&b.chance),
                    period,
                    amount,
                }
            } else {
                Words::Fine {
                    period,
                    amount,
                    chance: format::percent(1.0 - b.chance.share()),
                    error: error(&b.chance),
                }
            };
            let budget = b.budget;
            fill(&message, |name, text| {
                vec![match name {
                    "chance" => Run::Link(text, Link::Budget(budget)),
                    "error" => Run::Error(text),
                    "amount" => Run::Link(text, Link::Entity(budget)),
                    _ => Run::Plain(text),
                }]
            })
        }
        Part::RunsOut {
            pool,
            limit,
            first_month,
            last_month,
            month,
            chance,
            cause,
            ..
        } => {
            let message = Words::RunsOut {
                pool: view.name(*pool),
                when: NESTED.into(),
                chance: format::chance(chance),
                error: error(chance),
                because: NESTED.into(),
            };
            let link = Link::Month(*month, *limit);
            fill(&message, |name, text| match name {
                "pool" => vec![Run::Link(text, Link::Entity(*pool))],
                "when" => when(view, *first_month, *last_month, *limit),
                "chance" => vec![Run::Link(text, link)],
                "because" => cause.as_ref().map_or_else(Vec::new, |c| because(view, c)),
                _ => vec![Run::Error(text)],
            })
        }
        Part::Costs { period, spend, .. } => {
            let message = Words::Costs {
                period: view.period(period),
                middle: view.money(spend.p50()),
                low: view.money(spend.p5()),
                high: view.money(spend.p95()),
            };
            fill(&message, |name, text| {
                vec![if name == "period" {
                    Run::Plain(text)
                } else {
                    Run::Strong(text)
                }]
            })
        }
        Part::Unbounded { feature } => {
            let message = Words::Unbounded {
                feature: view.name(*feature),
            };
            fill(&message, |_, text| {
                vec![Run::Link(text, Link::Entity(*feature))]
            })
        }
        Part::Free { pool } => {
            let message = Words::Free {
                pool: view.name(*pool),
            };
            fill(&message, |_, text| {
                vec![Run::Link(text, Link::Entity(*pool))]
            })
        }
        Part::Empty => empty(),
    }
}

/// What to do first.
#[must_use]
pub fn empty() -> Vec<Run> {
    let message = Words::Empty {
        feature: say(&Words::EmptyFeature),
        pool: say(&Words::EmptyPool),
    };
    fill(&message, |name, text| {
        let link = if name == "feature" {
            Link::NewFeature
        } else {
            Link::NewPool
        };
        vec![Run::Link(text, link)]
    })
}

fn when(view: &View<'_>, first: usize, last: usize, limit: usize) -> Vec<Run> {
    let link = |month: usize| {
        move |_: &str, text: String| vec![Run::Link(text, Link::Month(month, limit))]
    };
    if first == last {
        let month = view.month(first);
        return fill(&Words::InMonth { month }, link(first));
    }
    let message = Words::FromTo {
        first: view.month(first),
        last: view.month(last),
    };
    fill(&message, |name, text| {
        let month = if name == "first" { first } else { last };
        vec![Run::Link(text, Link::Month(month, limit))]
    })
}

/// Who is named. Nobody is blamed without a majority of the chance.
fn because(view: &View<'_>, cause: &Cause) -> Vec<Run> {
    let link = |id: Id| Run::Link(view.name(id), Link::Entity(id));
    match &cause.verdict {
        CauseVerdict::Mostly(id) => {
            let message = Words::Mostly {
                cause: view.name(*id),
            };
            fill(&message, |_, _| vec![link(*id)])
        }
        CauseVerdict::Several(ids) => {
            let message = Words::Because {
                causes: NESTED.into(),
            };
            fill(&message, |_, _| list(ids, &link))
        }
        CauseVerdict::Together(a, b) => {
            let message = Words::Together {
                first: view.name(*a),
                second: view.name(*b),
            };
            fill(&message, |name, _| {
                vec![link(if name == "first" { *a } else { *b })]
            })
        }
        CauseVerdict::Nobody => vec![],
    }
}

/// `A, B and C`.
fn list(ids: &[Id], link: &impl Fn(Id) -> Run) -> Vec<Run> {
    let Some((last, before)) = ids.split_last() else {
        return vec![];
    };
    if before.is_empty() {
        return vec![link(*last)];
    }
    let message = Words::And {
        first: NESTED.into(),
        last: NESTED.into(),
    };
    fill(&message, |name, _| {
        if name == "last" {
            return vec![link(*last)];
        }
        let mut out = Vec::new();
        for (index, id) in before.iter().enumerate() {
            if index > 0 {
                out.push(Run::Plain(", ".into()));
            }
            out.push(link(*id));
        }
        out
    })
}
