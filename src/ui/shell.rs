//! The frame: top bar, the plan on the left, the answers on the right; both scroll alone.

use leptos::prelude::*;
use wasm_bindgen::prelude::*;

use super::answers::Answers;
use super::arrive;
use super::editor::PlanPane;
use super::fresh;
use super::state::{App, Panes, Theme, Width};
use super::topbar::TopBar;
use crate::text::{say, ui::Ui};

const THEME_KEY: &str = "headroom.theme";

/// The whole page.
#[component]
pub fn Shell() -> impl IntoView {
    let app = App::new(fresh::empty_plan());
    provide_context(app);
    start_theme(app);
    start_width(app);
    arrive::start(app);
    let panes = move || match (app.width.get(), app.panes.get()) {
        (_, Panes::Plan) => "plan",
        (Width::Wide, Panes::Both) => "both",
        (_, _) => "answers",
    };
    view! {
        <div class="page" data-panes=panes>
            <TopBar/>
            <main class="columns">
                <aside class="plan-pane" aria-label=say(&Ui::Plan)><PlanPane/></aside>
                <section class="answers-pane" id="answers" aria-label=say(&Ui::Answers)><Answers/></section>
            </main>
        </div>
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
