//! Seasons, contracts and launches as the time stack draws them.

use jiff::ToSpan as _;
use jiff::civil::Date;

use super::View;
use crate::chart::frame::stack::{ContractBar, SeasonBand, Track, TrackLaunch};
use crate::domain::calendar::term_end;
use crate::domain::distribution::Distribution;
use crate::domain::quantity::{Domain, Quantity};
use crate::domain::scenario::{
    Commitment, CommitmentKind, Feature, Launch, SeasonalWindow, SpendBasis,
};
use crate::text::answers::Chart as Words;
use crate::text::{format, say};

/// Median of an entry, if it can be fitted.
fn median(quantity: &Quantity, domain: Domain) -> Option<f64> {
    let fit = Distribution::fit(quantity, domain).ok()?;
    Some(fit.distribution.quantile(0.5))
}

/// Every occurrence of a window that touches the horizon.
pub(super) fn seasons(view: &View<'_>) -> Vec<SeasonBand> {
    let start = view.scenario.settings.start;
    let months = i64::from(view.scenario.settings.horizon_months);
    let Ok(end) = start.checked_add(months.months()) else {
        return vec![];
    };
    view.scenario
        .seasons
        .iter()
        .flat_map(|season| {
            let factor = median(&season.multiplier, Domain::Positive)
                .map_or_else(String::new, format::factor);
            occurrences(season, start, end)
                .into_iter()
                .map(move |(first, end)| SeasonBand {
                    id: season.id,
                    name: season.name.clone(),
                    factor: factor.clone(),
                    first,
                    end,
                })
        })
        .collect()
}

fn occurrences(season: &SeasonalWindow, start: Date, end: Date) -> Vec<(Date, Date)> {
    let mut found = Vec::new();
    for range in &season.dates {
        let years = if season.yearly {
            // from the year before the horizon to the year after it
            let base = i64::from(range.first.year());
            (i64::from(start.year()) - 1 - base)..=(i64::from(end.year()) + 1 - base)
        } else {
            0..=0
        };
        for shift in years {
            let moved = |day: Date| day.checked_add(shift.years()).ok();
            let (Some(first), Some(last)) = (moved(range.first), moved(range.last)) else {
                continue;
            };
            let Ok(after) = last.tomorrow() else { continue };
            if first < end && after > start && first < after {
                found.push((first, after));
            }
        }
    }
    found
}

pub(super) fn contract(view: &View<'_>, c: &Commitment) -> ContractBar {
    let months = c.term_months;
    let money = |x: f64| format::money_short(x, view.currency());
    let terms = match &c.kind {
        CommitmentKind::ReservedCapacity {
            gpus,
            rate_per_gpu_hour,
            ..
        } => {
            let gpus = format::integer(f64::from(*gpus));
            vec![
                say(&Words::ContractGpus {
                    gpus: gpus.clone(),
                    months,
                    rate: money(*rate_per_gpu_hour),
                }),
                say(&Words::ContractGpusShort {
                    gpus: gpus.clone(),
                    months,
                }),
                say(&Words::ContractGpusOnly { gpus }),
            ]
        }
        CommitmentKind::SpendCommitment {
            amount_per_hour,
            discount,
            basis,
        } => {
            let paid = match basis {
                SpendBasis::Discounted => *amount_per_hour,
                SpendBasis::List => amount_per_hour * (1.0 - discount),
            };
            vec![
                say(&Words::ContractSpend {
                    amount: money(paid),
                    discount: format::percent(*discount),
                }),
                say(&Words::ContractSpendOnly {
                    amount: money(paid),
                }),
            ]
        }
    };
    let outcome = view.projection.commitments.iter().find(|o| o.id == c.id);
    ContractBar {
        id: c.id,
        name: c.name.clone(),
        first: c.start,
        end: term_end(c.start, months),
        terms,
        used: outcome.map_or_else(String::new, |o| format::percent(o.utilisation.mean)),
    }
}

pub(super) fn track(view: &View<'_>, f: &Feature) -> Track {
    let (launch, label) = match &f.launch {
        Launch::Live => (None, say(&Words::Live)),
        Launch::Planned {
            date,
            slip_days,
            ramp_days,
        } => {
            let slip = Distribution::fit(slip_days, Domain::NonNegative).ok();
            let at = |u: f64| {
                slip.as_ref()
                    .map_or(0.0, |s| s.distribution.quantile(u).max(0.0))
            };
            // nearly p0 and p100: some families have no end
            let ends = (at(0.005), at(0.995));
            let day = format::date_short(*date);
            let (low, high) = (ends.0.round(), ends.1.round());
            let label = if high <= 0.0 {
                day
            } else if low == high {
                say(&Words::SlipFixed {
                    date: day,
                    days: format::integer(high),
                })
            } else {
                say(&Words::Slip {
                    date: day,
                    low: format::integer(low),
                    high: format::integer(high),
                })
            };
            let launch = TrackLaunch {
                date: *date,
                slip: ends,
                middle: at(0.5),
                ramp: median(ramp_days, Domain::NonNegative).unwrap_or(0.0),
            };
            (Some(launch), label)
        }
    };
    Track {
        id: f.id,
        name: f.name.clone(),
        ink: view.ink(f.id),
        launch,
        retire: f.retire,
        label,
    }
}

/// The windows that touch a month.
#[must_use]
pub fn seasons_in<'a>(view: &View<'a>, year: i16, month: u8) -> Vec<&'a SeasonalWindow> {
    let Ok(first) = Date::new(year, i8::try_from(month).unwrap_or(1), 1) else {
        return vec![];
    };
    let after = first.last_of_month().tomorrow().unwrap_or(first);
    view.scenario
        .seasons
        .iter()
        .filter(|s| !occurrences(s, first, after).is_empty())
        .collect()
}
