//! What is said about one month.

use super::{View, unit};
use crate::domain::distribution::Distribution;
use crate::domain::quantity::Domain;
use crate::engine::projection::{CauseVerdict, LimitKind, Summary};
use crate::text::answers::{Chart, Month as Words};
use crate::text::{format, say};

/// The read-out of a month.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MonthSays {
    /// `September 2027`.
    pub title: String,
    /// `720 h`.
    pub hours: String,
    /// Name, p5, p50, p95.
    pub rows: Vec<(String, [String; 3])>,
    /// The chance to run out, its error, and whether it ever happens.
    pub chance: Option<(String, String, bool)>,
    /// Further lines: hours short, cause, what is committed, seasons.
    pub lines: Vec<String>,
}

fn row(name: String, s: &Summary, write: impl Fn(f64) -> String) -> (String, [String; 3]) {
    (name, [s.p5(), s.p50(), s.p95()].map(write))
}

/// The read-out of a month under a limit.
#[must_use]
pub fn month(view: &View<'_>, index: usize, limit: usize) -> Option<MonthSays> {
    let p = view.projection;
    let info = p.months.get(index)?;
    let mut says = MonthSays {
        title: format::month_year(info.year, info.month),
        hours: say(&Words::Hours {
            hours: format::integer(f64::from(info.hours)),
        }),
        ..MonthSays::default()
    };
    let money = |x: f64| view.money(x);
    if let Some(s) = view.spend().months.get(index) {
        says.rows.push(row(say(&Words::Spend), s, money));
    }
    if let Some(s) = view.to_date().get(index) {
        says.rows.push(row(say(&Words::ToDate), s, money));
    }
    if let Some(l) = p.limits.get(limit) {
        let unit = unit(l.limit);
        if let Some(s) = l.headroom.get(index) {
            let name = say(&Words::Lowest { unit: unit.clone() });
            says.rows.push(row(name, s, format::count_signed));
        }
        if let Some(chance) = l.breach.get(index) {
            let ever = chance.count > 0;
            let words = say(&if ever {
                Words::RunsOut {
                    chance: format::chance(chance),
                }
            } else {
                Words::Safe
            });
            says.chance = Some((words, format::chance_error(chance), ever));
        }
        if let Some(hours) = l.breach_hours.get(index).filter(|h| **h > 0.0) {
            says.lines.push(say(&Words::HoursShort {
                hours: if *hours < 0.05 {
                    "<0.1".into()
                } else {
                    format::decimal(*hours, 1)
                },
            }));
        }
        says.lines.extend(cause(view, index, limit));
        let committed = l.committed.get(index).copied().unwrap_or(0.0);
        let amount = format!("{}{}{unit}", format::count_short(committed), format::THIN);
        says.lines.push(say(&match l.limit {
            LimitKind::Gpus => Words::Committed { amount },
            _ => Words::Limit { amount },
        }));
    }
    says.lines.extend(seasons(view, index));
    Some(says)
}

fn cause(view: &View<'_>, month: usize, limit: usize) -> Option<String> {
    let found = view
        .projection
        .causes
        .iter()
        .find(|c| (c.month as usize, c.limit as usize) == (month, limit))?;
    if found.verdict == CauseVerdict::Nobody {
        return None;
    }
    let first = found.suspects.first()?;
    Some(say(&Words::Mostly {
        cause: view.name(first.id),
        share: format::percent(first.share),
    }))
}

fn seasons(view: &View<'_>, month: usize) -> Vec<String> {
    let Some(info) = view.projection.months.get(month) else {
        return vec![];
    };
    super::plan_rows::seasons_in(view, info.year, info.month)
        .into_iter()
        .map(|season| {
            let fit = Distribution::fit(&season.multiplier, Domain::Positive).ok();
            let factor = fit.map_or_else(String::new, |f| {
                let d = &f.distribution;
                match d.fixed() {
                    Some(x) => format::factor(x),
                    None => format!(
                        "{}\u{2013}{}",
                        format::factor(d.quantile(0.05)),
                        format::factor(d.quantile(0.95)).trim_start_matches('\u{d7}')
                    ),
                }
            });
            say(&Words::Season {
                name: season.name.clone(),
                factor,
            })
        })
        .collect()
}

/// The read-out in one line, for a live region.
#[must_use]
pub fn spoken(says: &MonthSays) -> String {
    let spend = says
        .rows
        .first()
        .map_or_else(String::new, |r| r.1[1].clone());
    let mut rest: Vec<&str> = Vec::new();
    if let Some((words, ..)) = &says.chance {
        rest.push(words);
    }
    rest.extend(says.lines.iter().map(String::as_str));
    say(&Words::Says {
        month: says.title.clone(),
        spend,
        rest: rest.join(". "),
    })
}

/// Heads of the three columns.
#[must_use]
pub fn heads() -> [String; 3] {
    [Chart::P5, Chart::P50, Chart::P95].map(|w| say(&w))
}
