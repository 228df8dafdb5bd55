//! The frame: top bar, the plan on the left, the answers on the right; both scroll alone.

use leptos::prelude::*;
use wasm_bindgen::prelude::*;

use super::answers::Answers;
use super::arrive;
use super::dialogs::Dialogs;
use super::editor::{PlanPane, hint, note};
use super::fresh;
use super::icons::{Icon, icon};
use super::notices::{Notices, Toasts};
use super::phone::{Change, PhoneBar};
use super::state::{App, Dialog, Origin, Panes, RunStatus, Theme, Width, use_app};
use super::topbar::TopBar;
use super::{focus_soon, later, running};
use crate::text::{say, ui::Ui};

const THEME_KEY: &str = "headroom.theme";

/// The whole page.
#[component]
pub fn Shell() -> impl IntoView {
    let app = App::new(fresh::empty_plan());
    provide_context(app);
    start_theme(app);
    start_width(app);
    running::set_up(app);
    // Each in a task of its own: the first plan, then the editor, then the answers.
    set_timeout(move || arrive::start(app), std::time::Duration::ZERO);
    start_keys(app);
    hint::follow_focus();
    start_guard(app);
    app.follow_other_tabs();
    app.keep_typed();
    let panes = move || match (app.width.get(), app.panes.get()) {
        (_, Panes::Plan) => "plan",
        (Width::Wide, Panes::Both) => "both",
        (_, _) => "answers",
    };
    let width = move || match app.width.get() {
        Width::Phone => "phone",
        Width::Tablet => "tablet",
        Width::Wide => "wide",
    };
    let phone = Memo::new(move |_| app.width.get() == Width::Phone);
    let tablet = Memo::new(move |_| app.width.get() == Width::Tablet);
    view! {
        <div class="page" data-panes=panes data-width=width>
            <TopBar/>
            <Notices/>
            {move || tablet.get().then(|| view! { <PaneSwitch/> })}

            <main class="columns">
                <aside class="plan-pane" aria-label=say(&Ui::Plan)>
                    {later(move || (move || if phone.get() { view! { <Change/> }.into_any() } else { view! { <PlanPane/> }.into_any() }).into_any())}
                </aside>
                {move || (app.width.get() == Width::Wide && app.panes.get() == Panes::Answers).then(|| view! {
                    <button class="rail" type="button" data-testid="show-plan" aria-label=say(&Ui::ShowPlan) title=format!("{} ([)", say(&Ui::ShowPlan))
                        on:click=move |_| app.panes.set(Panes::Both)>{icon(Icon::Pencil)}</button>
                })}
                <section class="answers-pane" id="answers" aria-label=say(&Ui::Answers) on:scroll=move |_| follow_section(app)>{later(|| view! { <Answers/> }.into_any())}</section>
            </main>
            {move || phone.get().then(|| view! { <PhoneBar/> })}
            <Dialogs/>
            <Toasts/>
        </div>
    }
}

/// Plan or answers, where there is room for one.
#[component]
fn PaneSwitch() -> impl IntoView {
    let app = use_app();
    let plan = move || app.panes.get() == Panes::Plan;
    view! {
        <div class="pane-switch"><div class="segments" role="group">
            <button type="button" data-testid="pane-plan" aria-pressed=move || plan().to_string() on:click=move |_| app.panes.set(Panes::Plan)>{say(&Ui::Plan)}</button>
            <button type="button" data-testid="pane-answers" aria-pressed=move || (!plan()).to_string() on:click=move |_| app.panes.set(Panes::Answers)>{say(&Ui::Answers)}</button>
        </div></div>
    }
}

/// Whether keys go into a text.
fn typing(ev: &web_sys::KeyboardEvent) -> bool {
    let element = ev
        .target()
        .and_then(|t| t.dyn_into::<web_sys::Element>().ok());
    element.is_some_and(|e| {
        matches!(e.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT")
            || e.closest("[role='grid']").ok().flatten().is_some()
    })
}

/// Takes what is being typed as if the box were left.
fn keep_typing() {
    if let Some(active) = document()
        .active_element()
        .and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok())
    {
        let _ = active.blur();
        let _ = active.focus();
    }
}

/// Keeps what is being typed, and asks before a changed plan that is kept nowhere goes with its tab.
fn start_guard(app: App) {
    let handle = window_event_listener(leptos::ev::beforeunload, move |ev| {
        keep_typing();
        if app.origin.try_get_untracked() == Some(Origin::Link { edited: true })
            || app.unkept.try_get_value() == Some(true)
        {
            ev.prevent_default();
        }
    });
    on_cleanup(move || handle.remove());
}

fn start_keys(app: App) {
    let handle = window_event_listener(leptos::ev::keydown, move |ev| {
        let command = ev.ctrl_key() || ev.meta_key();
        let key = ev.key();
        match key.as_str() {
            "Enter" if command => {
                ev.prevent_default();
                keep_typing();
                running::start(app);
            }
            "z" | "Z"
                if command
                    && app
                        .drafts
                        .with_untracked(std::collections::BTreeMap::is_empty)
                    && app.dialog.get_untracked().is_none() =>
            {
                ev.prevent_default();
                if ev.shift_key() {
                    app.redo()
                } else {
                    app.undo()
                }
            }
            "y" if command
                && app
                    .drafts
                    .with_untracked(std::collections::BTreeMap::is_empty) =>
            {
                ev.prevent_default();
                app.redo();
            }
            "F2" if ev.shift_key() && note::open_focused(app) => ev.prevent_default(),
            "[" if !command && !typing(&ev) => {
                let next = if app.panes.get_untracked() == Panes::Answers {
                    Panes::Both
                } else {
                    Panes::Answers
                };
                app.panes.set(next);
            }
            "]" if !command && !typing(&ev) => {
                let next = if app.panes.get_untracked() == Panes::Plan {
                    Panes::Both
                } else {
                    Panes::Plan
                };
                app.panes.set(next);
            }
            "?" if !command
                && !typing(&ev)
                && app.dialog.get_untracked().is_none()
                && app.panel.get_untracked().is_none() =>
            {
                ev.prevent_default();
                app.open_dialog(Dialog::Keys);
            }
            "Escape" if app.dialog.get_untracked().is_none() && !ev.default_prevented() => {
                if app.run.with_untracked(|r| r.status == RunStatus::Running) {
                    running::stop(app);
                } else {
                    let entity = app.selection.with_untracked(|s| s.entity);
                    if let Some(id) = entity {
                        focus_soon(format!("entity-{}", id.0));
                    }
                    app.selection.set(super::state::Selection::default());
                }
            }
            _ => {}
        }
    });
    on_cleanup(move || handle.remove());
}

/// The section whose head is at the top of the answers, or has just left it.
fn follow_section(app: App) {
    let line = 140.0;
    let now = super::topbar::SECTIONS
        .iter()
        .rfind(|(id, _)| {
            let element = document().get_element_by_id(&format!("section-{id}"));
            element.is_some_and(|e| e.get_bounding_client_rect().top() < line)
        })
        .map_or("overview", |(id, _)| id);
    if app.section.get_untracked() != now {
        app.section.set(now);
    }
}

/// Scrolls the answers to one of their sections: the element with the id `section-…`.
pub fn scroll_to_section(id: &str) {
    if let Some(element) = document().get_element_by_id(&format!("section-{id}")) {
        element.scroll_into_view();
    }
}

fn matches(query: &str) -> Option<web_sys::MediaQueryList> {
    window().match_media(query).ok().flatten()
}

fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}

/// Calls back whenever a media query changes; for the life of the page.
fn on_change(list: &web_sys::MediaQueryList, f: impl Fn() + 'static) {
    let callback = Closure::<dyn Fn()>::new(f);
    // A listener is refused only by browsers without event targets; the first reading then stands.
    let _ = list.add_event_listener_with_callback("change", callback.as_ref().unchecked_ref());
    callback.forget();
}

fn start_theme(app: App) {
    let chosen = || {
        storage()
            .and_then(|s| s.get_item(THEME_KEY).ok().flatten())
            .filter(|t| t == "dark" || t == "light")
    };
    let Some(system) = matches("(prefers-color-scheme: dark)") else {
        return;
    };
    let list = system.clone();
    let apply = move || {
        let choice = chosen();
        if let (Some(choice), Some(root)) = (&choice, document().document_element()) {
            let _ = root.set_attribute("data-theme", choice);
        }
        let dark = choice.map_or(list.matches(), |c| c == "dark");
        let _ = app
            .theme
            .try_set(if dark { Theme::Dark } else { Theme::Light });
    };
    apply();
    on_change(&system, apply);
}

/// Changes the colours and remembers the choice.
pub fn switch_theme(app: App) {
    let (next, word) = match app.theme.get_untracked() {
        Theme::Light => (Theme::Dark, "dark"),
        Theme::Dark => (Theme::Light, "light"),
    };
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("data-theme", word);
    }
    if let Some(storage) = storage() {
        // Without room the choice holds for this visit.
        let _ = storage.set_item(THEME_KEY, word);
    }
    app.theme.set(next);
}

fn start_width(app: App) {
    let (Some(wide), Some(tablet)) = (
        matches("(min-width: 1280px)"),
        matches("(min-width: 640px)"),
    ) else {
        return;
    };
    let (w, t) = (wide.clone(), tablet.clone());
    let apply = move || {
        let width = if w.matches() {
            Width::Wide
        } else if t.matches() {
            Width::Tablet
        } else {
            Width::Phone
        };
        let _ = app.width.try_set(width);
    };
    apply();
    on_change(&wide, apply.clone());
    on_change(&tablet, apply);
}
