//! Run, stop, continue; how many futures; whether a change runs by itself.

use leptos::{ev, prelude::*};

use super::{hint, read};
use crate::domain::field::FieldPath;
use crate::text::{editor::Editor, fields, format, hints::About, say};
use crate::ui::icons::{Icon, icon};
use crate::ui::running;
use crate::ui::state::{RunStatus, use_app};

/// Futures to choose from.
const CHOICES: [u32; 3] = [1_000, 10_000, 50_000];

/// Ids of the bar's controls.
const FUTURES: &str = "run-futures";
const AUTO: &str = "run-auto";

fn trials_path() -> FieldPath {
    FieldPath::plain("settings", "trials")
}

/// The bar at the foot of the plan.
#[component]
pub fn RunBar() -> impl IntoView {
    let app = use_app();
    let status = Memo::new(move |_| app.run.with(|r| r.status.clone()));
    let trials = Memo::new(move |_| app.plan.with(|p| p.settings.trials));
    let wrong = Memo::new(move |_| read::first_to_fix(app));
    let choose = move |ev: ev::Event| {
        if let Ok(n) = event_target_value(&ev).parse() {
            app.commit(&Editor::ChangedFutures, |p| p.settings.trials = n);
        }
    };
    let options = move || {
        let now = trials.get();
        let mut all: Vec<u32> = CHOICES.to_vec();
        if !all.contains(&now) {
            all.push(now);
            all.sort_unstable();
        }
        all.into_iter()
            .map(|n| {
                // half width of the 95 % interval of a chance of one half, in points
                let points = format::decimal(98.0 / f64::from(n.max(1)).sqrt(), 1);
                let words = say(&Editor::FuturesChoice {
                    count: format::integer(f64::from(n)),
                });
                view! { <option value=n.to_string() selected=n == now title=say(&Editor::FuturesGive { points })>{words}</option> }
            })
            .collect_view()
    };
    view! {
        {hint::field(&trials_path(), FUTURES)}
        {hint::about(AUTO, &About::AutoRun)}
        <div class="run-bar">
            {move || match status.get() {
                RunStatus::Running => view! {
                    <button class="button" type="button" data-testid="stop" on:click=move |_| running::stop(app)>{icon(Icon::Stop)}{say(&Editor::Stop)}</button>
                }.into_any(),
                // the same plan again would end where going on ends
                RunStatus::Stopped => view! {
                    <button class="button primary" type="button" data-testid="continue" on:click=move |_| running::resume(app)>{icon(Icon::Play)}{say(&Editor::Continue)}</button>
                }.into_any(),
                _ => view! {
                    <button class="button primary" type="button" data-testid="run" title=say(&Editor::RunKey) on:click=move |_| running::start(app)>{icon(Icon::Play)}{say(&Editor::Run)}</button>
                }.into_any(),
            }}
            {move || match wrong.get() {
                Some((count, first)) => view! {
                    <button class="link risk" type="button" data-testid="to-fix" title=app.plan.with(|p| fields::label_of(p, &first))
                        on:click=move |_| app.select_field(first.clone())>{say(&Editor::ToFix { count })}</button>
                    {app.run.with(|r| r.projection.is_some()).then(|| view! { <span class="small muted run-note">{say(&Editor::AnswersOfLastValid)}</span> })}
                }.into_any(),
                None => view! {
                    <select class="choice plain" data-testid="futures" aria-describedby=format!("{FUTURES}{}", hint::END) aria-label=fields::label(&trials_path()) on:change=choose>{options}</select>
                    <span class="grow"></span>
                    <label class="tick"><input type="checkbox" data-testid="auto-run" aria-describedby=format!("{AUTO}{}", hint::END) prop:checked=move || app.auto_run.get()
                        on:change=move |ev| running::set_auto(app, event_target_checked(&ev))/><span>{say(&Editor::AutoRun)}</span></label>
                }.into_any(),
            }}
        </div>
    }
}
