//! The plan's frame: timeline, zone, currency, fiscal year, seed, futures.

use leptos::prelude::*;

use super::choices::choice;
use super::entry::{Entry, Reading, Step};
use super::rows::{Number, Third, day, row, row_with, words};
use super::{hint, read};
use crate::domain::calendar::{LONGEST_HORIZON, term_last_day, zone_names};
use crate::domain::field::{FieldPath, Unit};
use crate::domain::scenario::Scenario;
use crate::text::{editor::Editor, format, hints::About, say};
use crate::ui::icons::{Icon, icon};
use crate::ui::state::{App, use_app};

/// Id of the list of time zones.
pub const ZONES: &str = "zones";

/// `America/New_York` as `New York`.
#[must_use]
pub fn zone_short(zone: &str) -> String {
    zone.rsplit('/').next().unwrap_or(zone).replace('_', " ")
}

fn summary(p: &Scenario) -> String {
    let s = &p.settings;
    let month = |d: jiff::civil::Date| {
        format!(
            "{} {}",
            format::month_short(d.month().unsigned_abs()),
            d.year()
        )
    };
    // a length that is refused has no last month
    let last = if (1..=LONGEST_HORIZON).contains(&s.horizon_months) {
        month(term_last_day(s.start, s.horizon_months))
    } else {
        "?".to_owned()
    };
    say(&Editor::SettingsSummary {
        first: month(s.start),
        last,
        zone: zone_short(&s.time_zone),
        currency: s.currency.clone(),
        fiscal: format::month_short(
            u8::try_from(s.fiscal_year_start_month.clamp(1, 12)).unwrap_or(1),
        ),
    })
}

/// The line at the head of the plan; it unfolds.
#[component]
pub fn Settings() -> impl IntoView {
    let app = use_app();
    let open = RwSignal::new(false);
    let is_open = Memo::new(move |_| {
        open.get()
            || app.selection.with(|s| {
                s.field
                    .as_ref()
                    .is_some_and(|f| matches!(f.parts().0, "settings" | "scenario" | "dependence"))
            })
    });
    let toggle = move |_| {
        open.set(!is_open.get_untracked());
        app.selection.update(|s| s.field = None);
    };
    let wrong = Memo::new(move |_| {
        read::problems_in(app, |path| {
            matches!(path.parts().0, "settings" | "scenario" | "dependence")
        })
    });
    view! {
        <section class="settings" data-testid="section-settings">
            <h2>
                <button class="settings-toggle" type="button" data-testid="toggle-settings" aria-expanded=move || is_open.get().to_string() on:click=toggle>
                    {icon(Icon::Pencil)}<span>{move || app.plan.with(|p| summary(p))}</span>
                    {move || (wrong.get() > 0).then(|| view! { <span class="section-wrong risk">{say(&Editor::ToFix { count: wrong.get() })}</span> })}
                </button>
            </h2>
            {move || is_open.get().then(|| view! { <div class="settings-form">{form(app)}</div> })}
            <datalist id=ZONES>{zone_names().into_iter().map(|z| view! { <option value=z></option> }).collect_view()}</datalist>
        </section>
    }
}

/// The text box of a month, kept as its first day.
fn start() -> Entry {
    day(
        FieldPath::plain("settings", "start"),
        None,
        |p| Some(Some(p.settings.start)),
        |p, d| {
            if let Some(d) = d {
                p.settings.start = d.first_of_month();
            }
        },
    )
    .step(Step::None)
}

fn seed() -> Entry {
    Entry::new(
        FieldPath::plain("settings", "seed"),
        |p| Some(p.settings.seed.to_string()),
        |text, _| {
            let seed: u64 = text.trim().parse().map_err(|_| super::entry::Rejected {
                message: say(&Editor::SeedRule {
                    most: u64::MAX.to_string(),
                }),
                fixes: vec![],
            })?;
            Ok(Reading {
                echo: None,
                apply: std::sync::Arc::new(move |p| p.settings.seed = seed),
            })
        },
    )
}

/// Another seed.
pub fn roll(app: App) {
    // what a die shows need not be repeatable; it is written into the plan, and from there it is
    let seed = (js_sys::Math::random() * 4_294_967_296.0) as u64;
    app.commit(&Editor::Rolled, |p| p.settings.seed = seed);
}

fn form(app: App) -> AnyView {
    let dice = Third {
        view: view! {
            <button class="badge as-link" type="button" data-testid="dice" aria-describedby="dice-hint" on:click=move |_| roll(app)>
                {icon(Icon::Dice)}{say(&Editor::Roll)}
            </button>
        }
        .into_any(),
        about: hint::about("dice", &About::Roll),
    };
    let name = words(
        FieldPath::plain("scenario", "name"),
        |p| Some(p.name.clone()),
        |p, v| p.name = v,
    );
    let zone = words(
        FieldPath::plain("settings", "time_zone"),
        |p| Some(p.settings.time_zone.clone()),
        |p, v| p.settings.time_zone = v,
    )
    .list(ZONES);
    let currency = words(
        FieldPath::plain("settings", "currency"),
        |p| Some(p.settings.currency.clone()),
        |p, v| p.settings.currency = v.to_uppercase(),
    );
    view! {
        {row(app, name, None)}
        {row(app, start(), None)}
        {row(app, Number::whole(FieldPath::plain("settings", "horizon_months"), Unit::Months,
            |p| Some(p.settings.horizon_months), |p, v| p.settings.horizon_months = v).entry(), Some(say(&Editor::UnitMonths)))}
        {row(app, zone, None)}
        {row(app, currency, None)}
        {choice(app, FieldPath::plain("settings", "fiscal_year_start_month"),
            |_| (1..=12u8).map(|m| (m.to_string(), format::month_long(m))).collect(),
            |p| Some(p.settings.fiscal_year_start_month.to_string()),
            |p, v| if let Ok(m) = v.parse() { p.settings.fiscal_year_start_month = m; })}
        {row_with(app, seed(), None, dice)}
        {row(app, Number::whole(FieldPath::plain("settings", "trials"), Unit::One,
            |p| Some(p.settings.trials), |p, v| p.settings.trials = v).entry(), Some(say(&Editor::TrialsUnit)))}
        {super::together::together(app)}
        <p class="form-hint">{move || app.plan.with(|p| {
            // Wilson half width at one half, the widest: 0.98 / sqrt(n), in points
            let points = 98.0 / f64::from(p.settings.trials.max(1)).sqrt();
            say(&Editor::TrialsGive { trials: format::integer(f64::from(p.settings.trials)), points: format::decimal(points, 1) })
        })}</p>
    }
    .into_any()
}
