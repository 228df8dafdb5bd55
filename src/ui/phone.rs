//! On a phone: the numbers that move the result most, and the dates and sizes, one at a time.

use leptos::prelude::*;

use super::editor::read;
use super::icons::{Icon, icon};
use super::state::{App, Dialog, Panes, use_app};
use crate::domain::field::{FieldPath, spec};
use crate::domain::scenario::{CommitmentKind, Launch, Scenario};
use crate::engine::projection::Outcome;
use crate::text::{editor::Editor, fields, format, say, ui::Ui};

/// Most inputs of a kind in the list.
const MOST: usize = 7;

/// Inputs that move the first year's spend most, then all others that are uncertain.
fn movers(app: App) -> Vec<FieldPath> {
    let mut out: Vec<FieldPath> = app.run.with(|r| {
        let Some(p) = &r.projection else {
            return vec![];
        };
        p.drivers
            .iter()
            .filter(|d| matches!(d.outcome, Outcome::YearEffectiveCost(0)))
            .map(|d| {
                d.input
                    .as_str()
                    .split('#')
                    .next()
                    .unwrap_or_default()
                    .to_owned()
            })
            .filter_map(|text| app.plan.with(|plan| find(plan, &text)))
            .collect()
    });
    let mut seen = std::collections::BTreeSet::new();
    out.retain(|p| seen.insert(p.clone()));
    if out.is_empty() {
        out = app.plan.with(|p| {
            p.quantities()
                .into_iter()
                .filter(|(path, _, _)| path.parts().2 == "requests_per_day")
                .map(|(path, _, _)| path)
                .collect()
        });
    }
    out.truncate(MOST);
    out
}

fn find(plan: &Scenario, text: &str) -> Option<FieldPath> {
    plan.quantities()
        .into_iter()
        .map(|q| q.0)
        .find(|p| p.as_str() == text)
}

/// Dates and sizes: launches that are planned, contracts.
fn dates_and_sizes(plan: &Scenario) -> Vec<(FieldPath, String)> {
    let launches = plan.features.iter().filter_map(|f| match f.launch {
        Launch::Planned { date, .. } => Some((
            FieldPath::of("features", f.id, "launch"),
            format::date(date),
        )),
        Launch::Live => None,
    });
    let contracts = plan.commitments.iter().map(|c| match c.kind {
        CommitmentKind::ReservedCapacity { gpus, .. } => (
            FieldPath::of("commitments", c.id, "gpus"),
            say(&Editor::GpuCount { count: gpus }),
        ),
        CommitmentKind::SpendCommitment {
            amount_per_hour, ..
        } => (
            FieldPath::of("commitments", c.id, "amount_per_hour"),
            format::money_short(amount_per_hour, &plan.settings.currency),
        ),
    });
    launches.chain(contracts).collect()
}

fn line(app: App, path: FieldPath, value: String) -> AnyView {
    let (section, id, name) = path.parts();
    let field = fields::field(section, name)
        .map(|f| say(&f))
        .unwrap_or_default();
    let of = id
        .and_then(|id| {
            app.plan
                .with(|p| fields::entity_name(p, id).map(str::to_owned))
        })
        .unwrap_or_default();
    let testid = format!("change-{}", path.as_str());
    view! {
        <button class="change-line" type="button" data-testid=testid on:click=move |_| app.open_panel(path.clone())>
            <span class="change-name"><span>{field}</span><span class="small muted">{of}</span></span>
            <span class="change-value">{value}</span>{icon(Icon::Right)}
        </button>
    }
    .into_any()
}

/// The list of numbers.
#[component]
pub fn Change() -> impl IntoView {
    let app = use_app();
    let movers = Memo::new(move |_| movers(app));
    let sizes = Memo::new(move |_| app.plan.with(|p| dates_and_sizes(p)));
    let value = move |path: &FieldPath| {
        let (section, _, name) = path.parts();
        app.plan
            .with(|p| Some(read::quantity_text(p.quantity(path)?, spec(section, name)?)))
            .unwrap_or_default()
    };
    view! {
        <div class="change" data-testid="change">
            <h2>{say(&Ui::ChangeTitle)}</h2>
            <p class="small muted">{say(&Ui::ChangeLead)}</p>
            {move || movers.get().into_iter().map(|p| { let v = value(&p); line(app, p, v) }).collect_view()}
            <h3>{say(&Ui::DatesAndSizes)}</h3>
            {move || sizes.get().into_iter().map(|(p, v)| line(app, p, v)).collect_view()}
        </div>
        <super::editor::panel::Panel/>
    }
}

/// The bar at the foot of a phone.
#[component]
pub fn PhoneBar() -> impl IntoView {
    let app = use_app();
    let changing = move || app.panes.get() == Panes::Plan;
    view! {
        <div class="phone-bar">
            <button class="button" type="button" data-testid="phone-change" on:click=move |_| app.panes.set(if app.panes.get_untracked() == Panes::Plan { Panes::Both } else { Panes::Plan })>
                {move || if changing() { say(&Ui::Answers).into_any() } else { view! { {icon(Icon::Pencil)}{say(&Ui::Change)} }.into_any() }}
            </button>
            <button class="button" type="button" data-testid="phone-share" on:click=move |_| app.open_dialog(Dialog::Share)>{icon(Icon::Share)}{say(&Ui::Share)}</button>
        </div>
    }
}
