//! The checks, section by section, in the order of the editor.

use std::collections::{BTreeMap, BTreeSet};

use super::{Problem, ProblemKind, date_in_range};
use crate::domain::calendar::{LONGEST_HORIZON, zone};
use crate::domain::distribution::Distribution;
use crate::domain::field::FieldPath;
use crate::domain::money;
use crate::domain::quantity::{Domain, Quantity};
use crate::domain::range;
use crate::domain::scenario::{Id, SCENARIO_FORMAT, Scenario};

/// Most characters of a name.
pub const LONGEST_NAME: usize = 200;
/// Most characters of a note's text.
pub const LONGEST_NOTE: usize = 4_000;
/// Most entities of one kind.
pub const MOST_ENTITIES: usize = 200;
/// Most notes, and most date ranges of one season.
pub const MOST_ROWS: usize = 2_000;
/// Most calls of 999 in 1,000 requests.
pub const MOST_CALLS: f64 = 1_000.0;
/// Largest monthly growth of 999 in 1,000 futures.
pub const FASTEST_GROWTH: f64 = 3.0;
/// Most requests per day of one feature at any time, by mean growth.
pub const MOST_REQUESTS: f64 = 1e12;
impl Scenario {
    /// Everything that has to change before the scenario can be run, in the order of the editor; empty: it can be run.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let mut checks = Checks {
            scenario: self,
            out: Vec::new(),
        };
        checks.settings();
        checks.identities();
        for feature in &self.features {
            checks.feature(feature);
        }
        for model in &self.models {
            checks.model(model);
        }
        for pool in &self.pools {
            checks.pool(pool);
        }
        for commitment in &self.commitments {
            checks.commitment(commitment);
        }
        for season in &self.seasons {
            checks.season(season);
        }
        for budget in &self.budgets {
            checks.budget(budget);
        }
        checks.quantities();
        checks.dependence();
        checks.notes();
        checks.out
    }
}

pub(super) struct Checks<'a> {
    pub(super) scenario: &'a Scenario,
    out: Vec<Problem>,
}

/// What is wrong with a value so close to 0 that only a slip of the pen can have meant it.
fn dust(value: f64, low: f64) -> Option<ProblemKind> {
    (value > 0.0 && value < range::LEAST).then_some(ProblemKind::TooSmall {
        value,
        least: range::LEAST,
        or_zero: low == 0.0,
    })
}

impl Checks<'_> {
    pub(super) fn push(&mut self, path: FieldPath, kind: ProblemKind) {
        self.out.push(Problem { path, kind });
    }

    pub(super) fn result(&mut self, path: FieldPath, result: Result<(), ProblemKind>) {
        if let Err(kind) = result {
            self.push(path, kind);
        }
    }

    /// low <= value <= high, and no speck of dust beside 0.
    pub(super) fn within(&mut self, path: FieldPath, value: f64, low: f64, high: f64) {
        if !value.is_finite() {
            self.push(path, ProblemKind::NotFinite);
        } else if let Some(kind) = dust(value, low) {
            self.push(path, kind);
        } else if value < low || value > high {
            self.push(path, ProblemKind::OutOfRange { value, low, high });
        }
    }

    /// 0 < value, and least <= value <= high.
    pub(super) fn positive(&mut self, path: FieldPath, value: f64, least: f64, high: f64) {
        let kind = if !value.is_finite() {
            ProblemKind::NotFinite
        } else if value <= 0.0 || value > high {
            let low = 0.0;
            ProblemKind::NotAbove { value, low, high }
        } else if value < least {
            let or_zero = false;
            ProblemKind::TooSmall {
                value,
                least,
                or_zero,
            }
        } else {
            return;
        };
        self.push(path, kind);
    }

    /// low <= value < high.
    pub(super) fn below(&mut self, path: FieldPath, value: f64, low: f64, high: f64) {
        if !value.is_finite() {
            self.push(path, ProblemKind::NotFinite);
        } else if let Some(kind) = dust(value, low) {
            self.push(path, kind);
        } else if value < low || value >= high {
            self.push(path, ProblemKind::NotBelow { value, low, high });
        }
    }

    pub(super) fn count(&mut self, path: FieldPath, count: usize, most: usize) {
        if count > most {
            self.push(path, ProblemKind::TooMany { count, most });
        }
    }

    fn name(&mut self, path: FieldPath, text: &str) {
        if text.trim().is_empty() {
            self.push(path, ProblemKind::EmptyText);
            return;
        }
        self.result(path, text_problem(text, LONGEST_NAME, false));
    }

    fn settings(&mut self) {
        let scenario = self.scenario;
        let at = |field| FieldPath::plain("settings", field);
        if scenario.format != SCENARIO_FORMAT {
            self.push(
                FieldPath::plain("scenario", "format"),
                ProblemKind::UnknownFormat {
                    found: scenario.format,
                    known: SCENARIO_FORMAT,
                },
            );
        }
        self.name(FieldPath::plain("scenario", "name"), &scenario.name);
        let s = &scenario.settings;
        if s.start.day() == 1 {
            self.result(at("start"), date_in_range(s.start));
        } else {
            self.push(at("start"), ProblemKind::NotFirstOfMonth { date: s.start });
        }
        let months = f64::from(s.horizon_months);
        self.within(
            at("horizon_months"),
            months,
            1.0,
            f64::from(LONGEST_HORIZON),
        );
        self.result(at("time_zone"), zone(&s.time_zone).map(drop));
        if money::currency(&s.currency).is_none() {
            self.push(
                at("currency"),
                ProblemKind::UnknownCurrency {
                    code: s.currency.clone(),
                },
            );
        }
        let month = f64::from(s.fiscal_year_start_month);
        self.within(at("fiscal_year_start_month"), month, 1.0, 12.0);
        self.within(at("trials"), f64::from(s.trials), 100.0, 100_000.0);
    }

    fn identities(&mut self) {
        let s = self.scenario;
        let ids: [(&str, Vec<(Id, &str)>); 6] = [
            (
                "features",
                s.features.iter().map(|x| (x.id, x.name.as_str())).collect(),
            ),
            (
                "models",
                s.models.iter().map(|x| (x.id, x.name.as_str())).collect(),
            ),
            (
                "pools",
                s.pools.iter().map(|x| (x.id, x.name.as_str())).collect(),
            ),
            (
                "commitments",
                s.commitments
                    .iter()
                    .map(|x| (x.id, x.name.as_str()))
                    .collect(),
            ),
            (
                "seasons",
                s.seasons.iter().map(|x| (x.id, x.name.as_str())).collect(),
            ),
            (
                "budgets",
                s.budgets.iter().map(|x| (x.id, x.name.as_str())).collect(),
            ),
        ];
        let mut seen = BTreeSet::new();
        for (section, entities) in ids {
            self.count(
                FieldPath::plain("scenario", section),
                entities.len(),
                MOST_ENTITIES,
            );
            for (id, name) in entities {
                if !seen.insert(id) {
                    self.push(
                        FieldPath::of(section, id, "id"),
                        ProblemKind::DuplicateId { id },
                    );
                }
                self.name(FieldPath::of(section, id, "name"), name);
            }
        }
    }

    fn quantities(&mut self) {
        // Requests per day of each feature, by the means of its factors.
        let mut demand: BTreeMap<Id, (Option<f64>, Option<f64>)> = BTreeMap::new();
        for (path, spec, quantity) in self.scenario.quantities() {
            let outline = match range::check(quantity, spec) {
                Ok(outline) => outline,
                Err(problem) => {
                    self.push(path, ProblemKind::Quantity(problem));
                    continue;
                }
            };
            let id = path.parts().1.unwrap_or(Id(0));
            match spec.name {
                "requests_per_day" => demand.entry(id).or_default().0 = Some(outline.mean()),
                "calls_per_request" if outline.above(MOST_CALLS) > 0.001 => self.push(
                    path,
                    ProblemKind::TooManyCalls {
                        calls: quantile(quantity, spec.domain, 0.999),
                        most: MOST_CALLS,
                    },
                ),
                "tool_calls_per_request" if outline.above(MOST_CALLS) > 0.001 => self.push(
                    path,
                    ProblemKind::TooManyCalls {
                        calls: quantile(quantity, spec.domain, 0.999),
                        most: MOST_CALLS,
                    },
                ),
                "growth_per_month" | "token_drift_per_month" => {
                    if spec.name == "growth_per_month" {
                        demand.entry(id).or_default().1 = Some(outline.mean());
                    }
                    if outline.above(FASTEST_GROWTH) > 0.001 {
                        self.push(
                            path,
                            ProblemKind::GrowsTooFast {
                                rate: quantile(quantity, spec.domain, 0.999),
                                most: FASTEST_GROWTH,
                            },
                        );
                    }
                }
                _ => {}
            }
        }
        let months = self.scenario.settings.horizon_months.min(LONGEST_HORIZON);
        for (id, factors) in demand {
            let (Some(mut requests_per_day), Some(growth)) = factors else {
                continue;
            };
            for _ in 0..months {
                requests_per_day *= 1.0 + growth.max(0.0);
            }
            if requests_per_day > MOST_REQUESTS {
                self.push(
                    FieldPath::of("features", id, "requests_per_day"),
                    ProblemKind::TooMuchDemand {
                        requests_per_day,
                        most: MOST_REQUESTS,
                    },
                );
            }
        }
    }

    fn notes(&mut self) {
        let notes = &self.scenario.notes;
        self.count(
            FieldPath::plain("scenario", "notes"),
            notes.len(),
            MOST_ROWS,
        );
        for (path, note) in notes {
            let checked = text_problem(path.as_str(), LONGEST_NAME, false)
                .and(text_problem(&note.text, LONGEST_NOTE, true))
                .and(text_problem(&note.source, LONGEST_NOTE, false))
                .and(text_problem(&note.owner, LONGEST_NAME, false))
                .and(note.date.map_or(Ok(()), date_in_range));
            self.result(path.clone(), checked);
        }
    }
}

fn quantile(quantity: &Quantity, domain: Domain, u: f64) -> f64 {
    Distribution::fit(quantity, domain).map_or(0.0, |fit| fit.distribution.quantile(u))
}

/// A text that is too long, or that has characters that could hide what it says.
fn text_problem(text: &str, most: usize, lines: bool) -> Result<(), ProblemKind> {
    let characters = text.chars().count();
    if characters > most {
        return Err(ProblemKind::LongText { characters, most });
    }
    let hides = |c: char| {
        c.is_control() && !(lines && (c == '\n' || c == '\t'))
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if text.chars().any(hides) {
        return Err(ProblemKind::ControlCharacter);
    }
    Ok(())
}
