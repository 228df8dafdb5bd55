//! The menu of plans: open, rename, copy, delete, begin.

use leptos::prelude::*;

use super::Modal;
use crate::text::{format, say, ui::Ui};
use crate::ui::fresh;
use crate::ui::icons::{Icon, icon};
use crate::ui::state::{Dialog, Origin, use_app};
use crate::ui::store;

/// The menu.
#[component]
pub fn Plans() -> impl IntoView {
    let app = use_app();
    // Storage is no signal: every action reads it again.
    let version = RwSignal::new(0u32);
    let lines = Memo::new(move |_| {
        version.track();
        app.origin.track();
        store::list()
    });
    let again = move || version.update(|v| *v = v.wrapping_add(1));
    let current = move |id: u32| app.origin.get() == Origin::Saved(id);
    let name_now = move |ev: leptos::ev::Event| {
        let name = event_target_value(&ev).trim().to_owned();
        app.commit(&Ui::Renamed, |p| p.name = name);
        again();
    };
    let copy = move |_| {
        let mut plan = (*app.plan.get_untracked()).clone();
        plan.name = say(&Ui::CopyOf { name: plan.name });
        app.open_new(plan);
        app.say(&Ui::PlanCopied);
    };
    let delete = move |id: u32, name: String| {
        let removed = store::remove(id);
        if app.origin.get_untracked() == Origin::Saved(id) {
            // the screen goes on with the next plan
            let next = store::list().first().map(|p| p.id);
            if !next.is_some_and(|next| app.open_saved(next)) {
                crate::ui::arrive::open_default(app);
            }
            app.dialog.set(Some(Dialog::Plans));
        }
        app.toast_with(say(&Ui::PlanDeleted { name }), Some(removed));
        again();
    };
    let named = |name: &str| {
        if name.trim().is_empty() {
            say(&Ui::Unnamed)
        } else {
            name.to_owned()
        }
    };
    view! {
        <Modal title=say(&Ui::PlanMenu) name="plans">
            <div class="dialog-body">
                <label class="plan-rename">
                    <span class="muted small">{say(&Ui::NameOfPlan)}</span>
                    <span class="value"><input class="entry" type="text" maxlength="200" autocomplete="off" data-testid="plan-rename"
                        prop:value=move || app.plan.with(|p| p.name.clone()) on:change=name_now/></span>
                </label>
                <ul class="plan-list" data-testid="plan-list">
                    {move || lines.get().into_iter().map(|line| {
                        let (id, name) = (line.id, named(&line.name));
                        let day = jiff::Timestamp::from_millisecond(line.changed_ms as i64).ok()
                            .map(|t| format::date(jiff::tz::Offset::UTC.to_datetime(t).date())).unwrap_or_default();
                        let gone = name.clone();
                        view! {
                            <li class:current=move || current(id)>
                                <button class="plan-open" type="button" data-testid=format!("plan-{id}") aria-current=move || current(id).then_some("true")
                                    on:click=move |_| { app.open_saved(id); }>
                                    <span class="name">{name.clone()}</span>
                                    <span class="muted small">{if current(id) { say(&Ui::OpenNow) } else { day }}</span>
                                </button>
                                <button class="button ghost square compact" type="button" data-testid=format!("plan-delete-{id}")
                                    aria-label=say(&Ui::DeletePlan { name }) on:click=move |_| delete(id, gone.clone())>{icon(Icon::Trash)}</button>
                            </li>
                        }
                    }).collect_view()}
                </ul>
                {move || lines.with(Vec::is_empty).then(|| view! { <p class="muted">{say(&Ui::NoPlansYet)}</p> })}
            </div>
            <footer class="dialog-foot">
                <button class="button" type="button" data-testid="plan-copy" on:click=copy>{icon(Icon::Copy)}{say(&Ui::DuplicatePlan)}</button>
                <button class="button" type="button" data-testid="plan-empty" on:click=move |_| { app.open_new(named_empty()); }>{icon(Icon::Plus)}{say(&Ui::EmptyPlan)}</button>
                <span class="grow"></span>
                <button class="button" type="button" data-testid="gallery-open" on:click=move |_| app.dialog.set(Some(Dialog::Gallery))>{say(&Ui::Stories)}</button>
            </footer>
        </Modal>
    }
}

/// An empty plan with a name.
pub fn named_empty() -> crate::domain::scenario::Scenario {
    crate::domain::scenario::Scenario {
        name: say(&Ui::NewPlan),
        ..fresh::empty_plan()
    }
}
