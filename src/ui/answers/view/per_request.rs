//! What one request costs: in the week, and in the hours in which it costs most.

use super::View;
use super::cards::{Card, cells};
use super::table::{Row, Table};
use crate::domain::scenario::{Id, PoolKind};
use crate::engine::projection::{DearestHours, RequestQuantity};
use crate::text::answers::Chart;
use crate::text::outputs::{PerRequest as Words, Sizes};
use crate::text::{format, say};
use crate::ui::week::day_name;

/// A feature's requests.
struct Found<'a> {
    id: Id,
    on_cluster: bool,
    week: RequestQuantity,
    dearest: Option<&'a DearestHours>,
}

impl Found<'_> {
    /// Of how many requests the costliest is told, and what it costs: of the dearest hours, or of the week where all
    /// hours are alike. Where so few are long that the p95 is below the mean, they show in the p99.
    fn tail(&self) -> (u32, f64) {
        let p = self.dearest.map_or(self.week, |d| d.each.cost).p;
        if p[P95] >= self.week.mean {
            (20, p[P95])
        } else {
            (100, p[P99])
        }
    }

    /// How many times the week's mean that is.
    fn times(&self) -> f64 {
        if self.week.mean > 0.0 {
            self.tail().1 / self.week.mean
        } else {
            0.0
        }
    }
}

/// Places of the p95 and the p99 among the percentiles of a request.
const P95: usize = 2;
const P99: usize = 3;

/// Features whose requests have one price. With two lanes a request may run on another model.
fn found<'a>(view: &'a View<'_>) -> Vec<Found<'a>> {
    let outcomes = view.projection.features.iter();
    let found = outcomes.filter_map(|outcome| {
        let mut features = view.scenario.features.iter();
        let feature = features.find(|f| f.id == outcome.id && f.lanes.is_none())?;
        let pool = view.scenario.pools.iter().find(|p| p.id == feature.pool)?;
        let week = outcome.each?.cost;
        (week.mean > 0.0).then_some(Found {
            id: outcome.id,
            on_cluster: matches!(pool.kind, PoolKind::GpuCluster { .. }),
            week,
            dearest: outcome.dearest.as_ref(),
        })
    });
    found.collect()
}

/// What one request of each feature costs.
#[must_use]
pub fn per_request(view: &View<'_>) -> Option<Card<()>> {
    let found = found(view);
    // one whose hours differ comes first; of equals the first
    let rank = |f: &Found| (f.dearest.is_some(), f.times());
    let most = found.iter().rev().max_by(|a, b| {
        let (a, b) = (rank(a), rank(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    })?;
    let amount = |f: &Found, x: f64| {
        if f.on_cluster {
            say(&Words::GpuSeconds {
                amount: format::count_short(x),
            })
        } else {
            view.money(x)
        }
    };
    let times = |x: f64| format::factor(x);
    let (feature, often) = (view.name(most.id), times(most.times()));
    let (one_in, high) = most.tail();
    let title = say(&match most.dearest {
        Some(d) => Words::TitleHours {
            feature,
            hours: hours_of_week(&d.hours),
            one_in,
            high: amount(most, high),
            times: often,
            mean: amount(most, most.week.mean),
        },
        // every percentile is the same
        None if most.week.p[0] >= most.week.p[most.week.p.len() - 1] => Words::TitleAlike {
            feature,
            mean: amount(most, most.week.mean),
        },
        None => Words::Title {
            feature,
            one_in,
            high: amount(most, high),
            times: often,
            mean: amount(most, most.week.mean),
        },
    });
    let by_hours = found.iter().any(|f| f.dearest.is_some());
    let subtitle = say(&if by_hours {
        Words::SubHours
    } else {
        Words::Sub
    });
    let row = |f: &Found, name: String, share: f64, q: &RequestQuantity, total: bool| {
        let [p50, p90, p95, p99, _] = q.p;
        let money = [q.mean, p50, p90, p95, p99].map(|x| amount(f, x));
        Row {
            name,
            cells: cells(
                by_hours
                    .then(|| format::percent(share))
                    .into_iter()
                    .chain(money)
                    .chain([times(p95 / f.week.mean)]),
            ),
            total,
        }
    };
    let rows = found.iter().flat_map(|f| {
        let week = row(f, view.name(f.id), 1.0, &f.week, false);
        let dearest = f.dearest.map(|d| {
            let name = say(&Words::InHours {
                feature: view.name(f.id),
                hours: hours_of_week(&d.hours),
            });
            row(f, name, d.share, &d.each.cost, false)
        });
        [Some(week), dearest].into_iter().flatten()
    });
    let table = Table {
        caption: format!("{title}. {subtitle}"),
        head: [
            Some(say(&Sizes::Feature)),
            by_hours.then(|| say(&Words::Share)),
            Some(say(&Sizes::Mean)),
            Some(say(&Chart::P50)),
            Some(say(&Chart::P90)),
            Some(say(&Chart::P95)),
            Some(say(&Sizes::P99)),
            Some(say(&Words::Times)),
        ]
        .into_iter()
        .flatten()
        .collect(),
        rows: rows.collect(),
    };
    Some(Card {
        title,
        subtitle,
        chart: (),
        table,
    })
}

/// Hours of a day, the end not included.
type Spans = Vec<(u8, u8)>;

/// Spans of a day's hours.
fn spans(hours: &[u8]) -> Spans {
    let mut spans = Spans::new();
    for hour in hours {
        match spans.last_mut() {
            Some(last) if last.1 == *hour => last.1 += 1,
            _ => spans.push((*hour, hour + 1)),
        }
    }
    spans
}

/// Most spans that are told one by one.
const MOST_SPANS: usize = 3;

/// `Mon–Fri 09:00–11:00`; many spans are counted.
fn hours_of_week(hours: &[u8]) -> String {
    let of_day = |day: u8| -> Vec<u8> {
        let own = hours.iter().filter(|h| **h / 24 == day);
        own.map(|h| h % 24).collect()
    };
    let mut days: Vec<(u8, u8, Spans)> = Vec::new();
    for day in 0..7 {
        let spans = spans(&of_day(day));
        if spans.is_empty() {
            continue;
        }
        match days.last_mut() {
            Some(last) if last.1 + 1 == day && last.2 == spans => last.1 = day,
            _ => days.push((day, day, spans)),
        }
    }
    if days.iter().map(|d| d.2.len()).sum::<usize>() > MOST_SPANS {
        return say(&Words::Hours {
            hours: hours.len() as u32,
        });
    }
    let clock = |hour: u8| format!("{hour:02}:00");
    let words = days.iter().map(|(first, last, spans)| {
        let name = |day: u8| day_name(day.into());
        let name = if first == last {
            name(*first)
        } else {
            format!("{}\u{2013}{}", name(*first), name(*last))
        };
        let spans = spans
            .iter()
            .map(|(from, to)| format!("{}\u{2013}{}", clock(*from), clock(*to)));
        format!("{name} {}", spans.collect::<Vec<_>>().join(", "))
    });
    words.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_are_told_as_people_say_them() {
        let weekdays: Vec<u8> = (0..5).flat_map(|d| [24 * d + 9, 24 * d + 10]).collect();
        assert_eq!(hours_of_week(&weekdays), "Mon–Fri 09:00–11:00");
        assert_eq!(hours_of_week(&[33]), "Tue 09:00–10:00");
        assert_eq!(
            hours_of_week(&[33, 167]),
            "Tue 09:00–10:00, Sun 23:00–24:00"
        );
        assert_eq!(hours_of_week(&[1, 3, 5, 7]), "4 hours of the week");
    }
}
