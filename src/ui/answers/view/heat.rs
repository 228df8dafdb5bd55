//! When in the week a limit is short.

use super::View;
use super::cards::{Card, cells};
use super::table::{Row, Table};
use crate::chart::frame::heat::{HeatInput, percent};
use crate::text::outputs::Heat as Words;
use crate::text::{format, say};
use crate::ui::week::day_name;

/// The month that is shown if nobody chose one: the likeliest to run out, as in the first line, or the one with the
/// fullest hour where none does.
#[must_use]
pub fn worst_month(view: &View<'_>, limit: usize) -> Option<usize> {
    let fullest = view.projection.heat.get(limit)?.fullest_month();
    let breaches = view.projection.limits.get(limit)?.breach.iter().enumerate();
    let (month, worst) = breaches.rev().max_by_key(|(_, chance)| chance.count)?;
    if worst.count > 0 {
        Some(month)
    } else {
        fullest
    }
}

fn clock(hour: usize) -> String {
    format!("{:02}:00", hour % 24)
}

fn share(x: f32) -> String {
    format!("{}\u{202f}%", percent(x.into()))
}

/// What is said of an hour of the week.
#[must_use]
pub fn says(view: &View<'_>, limit: usize, month: usize, hour: usize) -> Option<String> {
    let found = view.projection.heat.get(limit)?.months.get(month)?;
    Some(say(&Words::Says {
        day: day_name(hour / 24),
        hour: clock(hour),
        high: share(*found.p95.get(hour)?),
        middle: share(*found.p50.get(hour)?),
    }))
}

/// The hours of the week of a month under a limit.
#[must_use]
pub fn heat(view: &View<'_>, limit: usize, month: usize) -> Option<Card<HeatInput>> {
    let map = view.projection.heat.get(limit)?;
    let found = map.months.get(month)?;
    let outcome = view.projection.limits.get(limit)?;
    let over = found.p95.iter().filter(|x| **x >= 1.0).count();
    let hours = found.p95.iter().enumerate().rev();
    let (fullest, most) = hours.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    let pool = view.limit(outcome);
    let title = say(&if over > 0 {
        let hours = over as u32;
        Words::TitleOver { pool, hours }
    } else {
        Words::TitleFull { pool }
    });
    let subtitle = say(&Words::Sub {
        day: day_name(fullest / 24),
        hour: clock(fullest),
        share: share(*most),
        month: view.month(month),
        zone: view.scenario.settings.time_zone.replace('_', " "),
        futures: format::integer(map.trials.into()),
        chance: outcome
            .breach
            .get(month)
            .map_or_else(|| format::NONE.into(), format::chance),
    });
    let days: Vec<String> = (0..7).map(day_name).collect();
    let table = Table {
        caption: format!("{title}. {subtitle}"),
        head: std::iter::once(say(&Words::Day))
            .chain((0..24).map(clock))
            .collect(),
        rows: days
            .iter()
            .zip(found.p95.chunks(24))
            .map(|(day, hours)| Row {
                name: day.clone(),
                cells: cells(hours.iter().map(|x| share(*x))),
                total: false,
            })
            .collect(),
    };
    let under = say(&Words::Under {
        percent: share(0.6),
    });
    let step = |n: &str| n.to_owned();
    Some(Card {
        title,
        subtitle,
        chart: HeatInput {
            shares: found.p95.iter().map(|x| f64::from(*x)).collect(),
            days,
            steps: [
                under,
                step("60"),
                step("70"),
                step("80"),
                step("90"),
                say(&Words::Over),
            ],
            numbered: say(&Words::OverNumbered),
        },
        table,
    })
}
