//! The frame of a card: finding, what is drawn, table, fill.

use leptos::context::Provider;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;

use super::glyphs;
use super::menu::{self, TakeOut};
use super::twin::TableView;
use super::view::table::Table;
use crate::domain::scenario::Id;
use crate::text::answers::{Card as CardWords, Chart as Words};
use crate::text::say;
use crate::ui::editor::add_entity;
use crate::ui::entities::Section;
use crate::ui::state::{App, RunStatus, use_app};

/// What a card can show at the moment.
#[derive(Clone, Copy)]
pub struct CardState {
    /// Whether its table is shown.
    pub table: RwSignal<bool>,
    /// Whether it fills the answers.
    pub filled: RwSignal<bool>,
}

impl CardState {
    /// Neither table nor filled.
    #[must_use]
    pub fn new() -> Self {
        Self {
            table: RwSignal::new(false),
            filled: RwSignal::new(false),
        }
    }

    /// Height of a chart that may be taller where it fills the window.
    #[must_use]
    pub fn height(&self, usual: f64) -> f64 {
        if self.filled.get() {
            let window = window().inner_height().ok().and_then(|h| h.as_f64());
            (window.unwrap_or(700.0) - 220.0).max(usual)
        } else {
            usual
        }
    }
}

impl Default for CardState {
    fn default() -> Self {
        Self::new()
    }
}

/// Whether a key is typed into a field.
fn typing(ev: &ev::KeyboardEvent) -> bool {
    ev.target()
        .and_then(|t| t.dyn_into::<web_sys::Element>().ok())
        .is_some_and(|e| matches!(e.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT"))
}

/// Why there is no answer yet, in words: a run has only begun, or fields are to be fixed first. `late`: the answer is
/// looked for after the last future.
pub fn not_yet(app: App, late: bool) -> Memo<Option<String>> {
    Memo::new(move |_| {
        let unfinished = || {
            app.run
                .with(|r| matches!(r.status, RunStatus::Running | RunStatus::Stopped))
        };
        let running = match app.run.with(|r| r.projection.is_some()) {
            true if late && unfinished() => return Some(say(&CardWords::AfterLast)),
            true => return None,
            false => app.run.with(|r| r.status == RunStatus::Running),
        };
        if running {
            Some(say(&CardWords::Waiting))
        } else {
            (!app.problems.read().is_empty()).then(|| say(&CardWords::ToFixFirst))
        }
    })
}

/// A card. Without a title it asks for what is missing.
#[component]
pub fn Card(
    /// Key for tests and scripts.
    key: &'static str,
    /// Finding and what is drawn; none: the input is missing.
    #[prop(into)]
    words: Signal<Option<(String, String)>>,
    /// Title and sentence while the input is missing.
    missing: (String, String),
    /// The chart as a table.
    #[prop(into)]
    table: Signal<Option<Table>>,
    /// State shared with the chart.
    state: CardState,
    /// Section of the plan in which the missing input is added.
    #[prop(optional)]
    add: Option<Section>,
    /// Whether the finding is looked for after the last future.
    #[prop(optional)]
    late: bool,
    /// What is there and lacks the input, where that is so: asked for instead of adding something.
    #[prop(optional, into)]
    lacking: Option<Signal<Option<(String, Id)>>>,
    /// Switches beside the tools.
    #[prop(optional, into)]
    switches: Option<ViewFn>,
    /// The chart.
    children: ChildrenFn,
) -> impl IntoView {
    let CardState {
        table: shown,
        filled,
    } = state;
    let keys = move |ev: ev::KeyboardEvent| {
        if typing(&ev) || ev.ctrl_key() || ev.meta_key() || ev.alt_key() {
            return;
        }
        match ev.key().as_str() {
            "t" | "T" => shown.update(|t| *t = !*t),
            "f" | "F" => filled.update(|f| *f = !*f),
            "Escape" if filled.get_untracked() => filled.set(false),
            _ => return,
        }
        ev.prevent_default();
        ev.stop_propagation();
    };
    let picture = menu::picture();
    let there = Memo::new(move |_| words.read().is_some());
    let title = {
        let missing = missing.0;
        move || words.get().map_or_else(|| missing.clone(), |w| w.0)
    };
    let app = use_app();
    let not_yet = not_yet(app, late);
    let subtitle = {
        let missing = missing.1;
        move || match (words.get(), not_yet.get(), add) {
            (Some((_, words)), ..) | (None, Some(words), _) => words.into_any(),
            (None, None, None) => missing.clone().into_any(),
            (None, None, Some(section)) => {
                let (words, there) = match lacking.and_then(|l| l.get()) {
                    Some((words, id)) => (words, Some(id)),
                    None => (missing.clone(), None),
                };
                view! {
                    <button class="link plain" on:click=move |_| match there {
                        Some(id) => app.select_entity(Some(id)),
                        None => add_entity(app, section),
                    }>{words}</button>
                }
                .into_any()
            }
        }
    };
    let heading = format!("card-title-{key}");
    let labelled = heading.clone();
    let fill_words = move || {
        say(if filled.get() {
            &Words::Unfill
        } else {
            &Words::Fill
        })
    };
    view! {
        <section class="card" class:filled=move || filled.get() data-testid=format!("card-{key}")
            aria-labelledby=labelled on:keydown=keys>
            <header class="card-head">
                <h3 id=heading>{title}</h3>
                <div class="card-tools" class:blank=move || !there.get()>
                    {switches.map(|s| s.run())}
                    <button class="button ghost square compact" data-testid=format!("table-{key}-toggle") title=say(&Words::Table) aria-label=say(&Words::Table)
                        aria-pressed=move || shown.get().to_string() on:click=move |_| shown.update(|t| *t = !*t)>{glyphs::table()}</button>
                    <button class="button ghost square compact" data-testid=format!("fill-{key}") title=fill_words aria-label=fill_words
                        aria-pressed=move || filled.get().to_string() on:click=move |_| filled.update(|f| *f = !*f)>{glyphs::fill()}</button>
                    <TakeOut key=key table=table picture=picture/>
                </div>
                <p class="card-sub">{subtitle}</p>
            </header>
            {move || there.get().then(|| {
                let children = children.clone();
                view! { <Provider value=picture>{children()}</Provider> }
            })}
            <TableView table=table key=format!("twin-{key}") hidden=Signal::derive(move || !shown.get())/>
        </section>
    }
}
