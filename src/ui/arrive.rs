//! What the page opens with: the plan of the address, else the person's own, else the default story.

use leptos::prelude::*;
use wasm_bindgen::prelude::*;

use super::history::History;
use super::plans::clear_fragment;
use super::state::{App, Notice, Origin};
use super::store::{self, StoreProblem};
use crate::domain::scenario::Scenario;
use crate::share;
use crate::stories;

/// Opens the first plan and follows the address.
pub fn start(app: App) {
    let unreadable = store::put_aside();
    if unreadable != store::Unreadable::default() {
        app.notify(Notice::Unreadable(unreadable));
    }
    if store::storage().is_none() {
        app.notify(Notice::Storage(StoreProblem::Closed));
    }
    match address() {
        None => open_own(app),
        Some(fragment) => match share::decode(&fragment) {
            Ok(plan) => open_shared(app, plan),
            Err(problem) => {
                // said after the person's own plan is there: opening one puts older lines away
                open_own(app);
                app.notify(Notice::BadLink(problem));
                clear_fragment();
            }
        },
    }
    let on_hash = Closure::<dyn Fn()>::new(move || {
        if let Some(fragment) = address() {
            open_link(app, &fragment);
        }
    });
    // Without this event a link that is pasted into the address opens after a reload.
    let _ =
        window().add_event_listener_with_callback("hashchange", on_hash.as_ref().unchecked_ref());
    on_hash.forget();
}

/// The person's newest plan, or the default story.
fn open_own(app: App) {
    let newest = || store::list().first().map(|p| p.id);
    let opened = store::current().filter(|id| app.open_saved(*id)).is_some()
        || newest().is_some_and(|id| app.open_saved(id));
    if !opened {
        open_default(app);
    }
}

/// Opens the story that a first visit opens.
pub fn open_default(app: App) {
    if let Some(story) = stories::find(stories::DEFAULT) {
        app.open(
            story.scenario(),
            History::default(),
            Origin::Story(story.name),
        );
    }
}

/// The plan in the address, if there is one.
fn address() -> Option<String> {
    let hash = window().location().hash().unwrap_or_default();
    let fragment = hash.trim_start_matches('#');
    (!fragment.is_empty()).then(|| fragment.to_owned())
}

fn open_shared(app: App, plan: Scenario) {
    app.open(plan, History::default(), Origin::Link { edited: false });
    app.notify(Notice::Link);
}

/// Opens a link or the part of it after `#`. What cannot be read is said, and the plan on the screen stays.
pub fn open_link(app: App, link: &str) -> bool {
    match share::decode(link) {
        Ok(plan) => {
            open_shared(app, plan);
            true
        }
        Err(problem) => {
            app.put_away(|n| matches!(n, Notice::BadLink(_)));
            app.notify(Notice::BadLink(problem));
            // the address names what is on the screen, and that is still the plan from before
            clear_fragment();
            false
        }
    }
}
