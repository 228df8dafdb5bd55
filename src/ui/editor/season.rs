//! The form of a seasonal window.

use leptos::{ev, prelude::*};

use super::choices::{below, check, problem_line};
use super::frames::{Line, Parts};
use super::rows::{Number, inline, inline_messages, quantity_row, row};
use super::{catalog, hint, options, read};
use crate::domain::field::{FieldPath, Unit, spec};
use crate::domain::scenario::{DateRange, Id, SeasonalWindow, Touches};
use crate::text::{editor::Editor, fields, format, say};
use crate::ui::entities::{season, season_mut};
use crate::ui::field_id;
use crate::ui::fresh;
use crate::ui::icons::{Icon, icon};
use crate::ui::state::App;

/// The section's parts.
pub const PARTS: Parts = Parts {
    summary: |app| options::names(app, |p| p.seasons.iter().map(|x| x.name.clone()).collect()),
    figures: |_| String::new(),
    line,
    form,
};

fn dates_text(s: &SeasonalWindow) -> String {
    match s.dates.as_slice() {
        [] => String::new(),
        [DateRange { first, last }] if s.yearly => say(&Editor::YearlyDates {
            first: format::date_short(*first),
            last: format::date_short(*last),
        }),
        [DateRange { first, last }] => say(&Editor::DatesFromTo {
            first: format::date(*first),
            last: format::date(*last),
        }),
        more => say(&Editor::SeveralDates {
            count: u32::try_from(more.len()).unwrap_or(u32::MAX),
        }),
    }
}

fn line(app: App, id: Id) -> Line {
    app.plan.with(|p| {
        let Some(s) = season(p, id) else {
            return Line {
                state: String::new(),
                figure: String::new(),
            };
        };
        let figure = spec("seasons", "multiplier")
            .map_or_else(String::new, |spec| read::quantity_text(&s.multiplier, spec));
        Line {
            state: dates_text(s),
            figure,
        }
    })
}

fn form(app: App, id: Id) -> AnyView {
    let at = move |field: &str| FieldPath::of("seasons", id, field);
    let ramp =
        move |field: &str, get: fn(&SeasonalWindow) -> u32, set: fn(&mut SeasonalWindow, u32)| {
            let entry = Number::whole(
                at(field),
                Unit::Days,
                move |p| season(p, id).map(get),
                move |p, v| {
                    if let Some(s) = season_mut(p, id) {
                        set(s, v);
                    }
                },
            )
            .entry();
            row(app, entry, None)
        };
    view! {
        {dates(app, id)}
        {problem_line(&at("dates"))}
        {check(app, at("yearly"), Editor::YearlyTick, move |p| season(p, id).map(|s| s.yearly),
            move |p, on| if let Some(s) = season_mut(p, id) { s.yearly = on; })}
        {quantity_row(app, at("multiplier"))}
        {ramp("ramp_in_days", |s| s.ramp_in_days, |s, v| s.ramp_in_days = v)}
        {ramp("ramp_out_days", |s| s.ramp_out_days, |s, v| s.ramp_out_days = v)}
        {touches(app, id)}
        {catalog::season_picker(app, id)}
    }
    .into_any()
}

/// First and last day of each window.
fn dates(app: App, id: Id) -> AnyView {
    let count = Memo::new(move |_| {
        app.plan
            .with(|p| season(p, id).map_or(0, |s| s.dates.len()))
    });
    let change = move |edit: &dyn Fn(&mut SeasonalWindow)| {
        let what = app
            .plan
            .with_untracked(|p| fields::label_of(p, &FieldPath::of("seasons", id, "dates")));
        app.commit(&Editor::Changed { what }, |p| {
            if let Some(s) = season_mut(p, id) {
                edit(s);
            }
        });
    };
    let add = move |_| {
        let new = app
            .plan
            .with_untracked(|p| fresh::season(p, id, String::new()).dates);
        change(&|s| {
            let next = s.dates.last().and_then(|d| {
                let day = d.last.tomorrow().ok()?;
                let length = d.first.until(d.last).ok()?;
                Some(DateRange {
                    first: day,
                    last: day.checked_add(length).ok()?,
                })
            });
            s.dates
                .extend(next.map_or_else(|| new.clone(), |d| vec![d]));
        });
    };
    view! {
        <div class="field wide">
            <span class="label-like">{say(&fields::Field::SeasonDates)}</span>
            <div class="stack">
                {move || (0..count.get()).map(|i| {
                    let (first, last) = (end(id, i, true), end(id, i, false));
                    let remove = move |_| change(&|s| { if i < s.dates.len() { s.dates.remove(i); } });
                    view! {
                        <div class="range">
                            {inline(first.clone())}<span class="muted">{say(&Editor::RangeTo)}</span>{inline(last.clone())}
                            {move || (count.get() > 1).then(|| view! {
                                <button class="button ghost square compact" type="button" aria-label=say(&Editor::RemoveDates) on:click=remove>{icon(Icon::Cross)}</button>
                            })}
                        </div>
                        {inline_messages(vec![first, last])}
                    }
                }).collect_view()}
                <button class="add-more" type="button" data-testid=format!("add-dates-{}", id.0) on:click=add>{icon(Icon::Plus)}{say(&Editor::AddDates)}</button>
            </div>
        </div>
    }
    .into_any()
}

/// The text box of an end of a window.
fn end(id: Id, at: usize, first: bool) -> super::entry::Entry {
    let path = FieldPath::of(
        "seasons",
        id,
        &format!("dates/{at}/{}", if first { "first" } else { "last" }),
    );
    super::rows::day(
        path,
        None,
        move |p| {
            let range = season(p, id)?.dates.get(at)?;
            Some(Some(if first { range.first } else { range.last }))
        },
        move |p, day| {
            if let (Some(range), Some(day)) =
                (season_mut(p, id).and_then(|s| s.dates.get_mut(at)), day)
            {
                if first {
                    // the window moves with its first day
                    let length = range.first.until(range.last).ok();
                    range.first = day;
                    if range.last < day
                        && let Some(last) = length.and_then(|l| day.checked_add(l).ok())
                    {
                        range.last = last;
                    }
                } else {
                    range.last = day;
                }
            }
        },
    )
}

/// Which features it touches.
fn touches(app: App, id: Id) -> AnyView {
    let path = FieldPath::of("seasons", id, "touches");
    let features = Memo::new(move |_| {
        app.plan.with(|p| {
            p.features
                .iter()
                .map(|f| (f.id, f.name.clone()))
                .collect::<Vec<_>>()
        })
    });
    let touched = Memo::new(move |_| {
        app.plan
            .with(|p| season(p, id).map(|s| s.touches.clone()).unwrap_or_default())
    });
    let change = {
        let path = path.clone();
        move |new: Touches| {
            let what = app.plan.with_untracked(|p| fields::label_of(p, &path));
            app.commit(&Editor::Changed { what }, |p| {
                if let Some(s) = season_mut(p, id) {
                    s.touches = new;
                }
            });
        }
    };
    let all = {
        let change = change.clone();
        move |ev: ev::Event| {
            change(if event_target_checked(&ev) {
                Touches::All
            } else {
                Touches::Only(features.get_untracked().iter().map(|f| f.0).collect())
            });
        }
    };
    let one = move |feature: Id, on: bool| {
        let mut ids = match touched.get_untracked() {
            Touches::All => features.get_untracked().iter().map(|f| f.0).collect(),
            Touches::Only(ids) => ids,
        };
        ids.retain(|x| *x != feature);
        if on {
            ids.push(feature);
            ids.sort_unstable();
        }
        change(Touches::Only(ids));
    };
    let describe = hint::described_by(&field_id(&path));
    let described = describe.clone();
    view! {
        <div class="field wide">
            <span class="label-like">{say(&fields::Field::SeasonTouches)}</span>
            <div class="stack ticks">
                <label class="tick"><input type="checkbox" data-testid=format!("field-seasons/{}/touches", id.0) aria-describedby=describe.clone()
                    prop:checked=move || touched.get() == Touches::All on:change=all/><span>{say(&Editor::TouchesAll)}</span></label>
                {move || matches!(touched.get(), Touches::Only(_)).then(|| features.get().into_iter().map(|(f, name)| {
                    let one = one.clone();
                    let on = move || matches!(touched.get(), Touches::Only(ids) if ids.contains(&f));
                    view! {
                        <label class="tick"><input type="checkbox" aria-describedby=described.clone() prop:checked=on on:change=move |ev| one(f, event_target_checked(&ev))/><span>{name}</span></label>
                    }
                }).collect_view())}
            </div>
            {below(&path)}
        </div>
    }
    .into_any()
}
