//! What one request costs: in the week, in the hours in which it costs most, and in either lane.

use super::View;
use super::cards::{Card, cells};
use super::table::{Row, Table};
use crate::domain::scenario::{Feature, Id, PoolKind};
use crate::engine::projection::{DearestHours, FeatureOutcome, LaneOutcome, RequestQuantity};
use crate::text::answers::Chart;
use crate::text::outputs::{Outputs, PerRequest as Words, Sizes};
use crate::text::{format, say};
use crate::ui::week::day_name;

/// A feature's requests.
struct Found<'a> {
    id: Id,
    in_gpu_seconds: bool,
    week: RequestQuantity,
    dearest: Option<&'a DearestHours>,
    lanes: Vec<Lane>,
}

/// Requests that run in one lane.
struct Lane {
    name: String,
    /// Their share of all requests.
    share: f64,
    cost: RequestQuantity,
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

/// Features whose requests cost something.
fn found<'a>(view: &'a View<'_>) -> Vec<Found<'a>> {
    let outcomes = view.projection.features.iter();
    let found = outcomes.filter_map(|outcome| {
        let mut features = view.scenario.features.iter();
        let feature = features.find(|f| f.id == outcome.id)?;
        let week = outcome.each?.cost;
        let split = view
            .projection
            .lanes
            .iter()
            .find(|l| l.long.id == feature.id);
        (week.mean > 0.0).then(|| Found {
            id: outcome.id,
            in_gpu_seconds: feature.cost_in_gpu_seconds(&view.scenario.pools),
            week,
            dearest: outcome.dearest.as_ref(),
            lanes: split.map_or_else(Vec::new, |split| lanes(view, outcome, split)),
        })
    });
    found.collect()
}

/// The lanes to which requests are sent.
fn lanes(view: &View<'_>, all: &FeatureOutcome, split: &LaneOutcome) -> Vec<Lane> {
    let requests = all.requests.horizon.mean;
    let long = if requests > 0.0 {
        (split.long.requests.horizon.mean / requests).min(1.0)
    } else {
        0.0
    };
    let feature = || view.name(all.id);
    let lanes = [
        (
            Outputs::ShortLane { feature: feature() },
            1.0 - long,
            split.short_each,
        ),
        (
            Outputs::LongLane { feature: feature() },
            long,
            split.long.each,
        ),
    ];
    let found = lanes.into_iter().filter_map(|(name, share, each)| {
        let cost = each.filter(|each| each.read.mean > 0.0)?.cost;
        let name = say(&name);
        Some(Lane { name, share, cost })
    });
    found.collect()
}

/// How GPU time is priced where a feature's other lane is paid by use.
fn priced_gpus(view: &View<'_>) -> Option<String> {
    let pools = &view.scenario.pools;
    let mixed = |f: &&Feature| f.lanes.is_some() && !f.cost_in_gpu_seconds(pools);
    let mut features = view.scenario.features.iter().filter(mixed);
    features.find_map(|f| {
        let used = [Some(f.pool), f.lanes.as_ref().map(|l| l.pool)];
        let pool = pools.iter().find(|p| {
            used.contains(&Some(p.id)) && matches!(p.kind, PoolKind::GpuCluster { .. })
        })?;
        let PoolKind::GpuCluster {
            on_demand_rate_per_gpu_hour: rate,
            ..
        } = pool.kind
        else {
            return None;
        };
        Some(say(&Words::PricedGpus {
            pool: view.name(pool.id),
            rate: view.money(rate),
        }))
    })
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
        if f.in_gpu_seconds {
            say(&Words::GpuSeconds {
                amount: format::count_short(x),
            })
        } else {
            view.money(x)
        }
    };
    // three digits, as the amounts have
    let times = |x: f64| {
        format::factor(if x >= 10.0 {
            (x * 10.0).round() / 10.0
        } else {
            x
        })
    };
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
    let priced = found.iter().any(|f| !f.lanes.is_empty());
    let subtitle = match priced.then(|| priced_gpus(view)).flatten() {
        Some(priced) => format!("{subtitle}. {priced}"),
        None => subtitle,
    };
    // where rows are about some of a feature's requests
    let by_share = by_hours || priced;
    let row = |f: &Found, name: String, share: f64, q: &RequestQuantity, total: bool| {
        let [p50, p90, p95, p99, _] = q.p;
        let tail = if one_in == 100 { p99 } else { p95 };
        let money = [q.mean, p50, p90, p95, p99].map(|x| amount(f, x));
        Row {
            name,
            cells: cells(
                by_share
                    .then(|| format::percent(share))
                    .into_iter()
                    .chain(money)
                    .chain([times(tail / f.week.mean)]),
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
        let lanes = f.lanes.iter();
        let lanes = lanes.map(|l| row(f, l.name.clone(), l.share, &l.cost, false));
        let rows = [Some(week), dearest].into_iter().flatten();
        rows.chain(lanes).collect::<Vec<_>>()
    });
    let table = Table {
        caption: format!("{title}. {subtitle}"),
        head: [
            Some(say(&Sizes::Feature)),
            by_share.then(|| say(&Words::Share)),
            Some(say(&Sizes::Mean)),
            Some(say(&Chart::P50)),
            Some(say(&Chart::P90)),
            Some(say(&Chart::P95)),
            Some(say(&Sizes::P99)),
            Some(say(&Words::Times {
                which: if one_in == 100 {
                    say(&Sizes::P99)
                } else {
                    say(&Chart::P95)
                },
            })),
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
    use crate::domain::scenario::BudgetCost;
    use crate::ui::answers::view::fixture;

    #[test]
    fn a_feature_with_lanes_has_a_line_for_all_and_one_for_each() {
        let (scenario, mut projection) = fixture::story(100);
        let part = projection.features[0].clone();
        projection.lanes = vec![LaneOutcome {
            short_each: part.each,
            long: part.clone(),
            misrouted: part,
        }];
        let long = &mut projection.lanes[0].long;
        long.requests.horizon.mean *= 0.25;
        let view = View {
            scenario: &scenario,
            projection: &projection,
            cost: BudgetCost::Effective,
        };
        let table = per_request(&view).expect("costs").table;
        let rows = &table.rows[..3];
        assert!(!rows[0].name.contains("lane"), "{}", rows[0].name);
        assert!(rows[1].name.ends_with("lane for short requests"));
        assert!(rows[2].name.ends_with("lane for long requests"));
        let shares = [0, 1, 2].map(|at| {
            rows[at].cells[0]
                .text
                .replace(|c: char| c.is_whitespace(), " ")
        });
        assert_eq!(shares, ["100 %", "75 %", "25 %"]);
    }

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
