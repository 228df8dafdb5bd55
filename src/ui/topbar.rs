//! The bar that stays: plan, undo, sections of the answers, export, share, colours.

use leptos::prelude::*;

use super::icons::{Icon, icon, mark};
use super::state::{Dialog, Theme, use_app};
use crate::text::{keys::Keys, say, ui::Ui};

/// Sections of the answers: the ids that the navigation scrolls to.
pub const SECTIONS: [(&str, Ui); 5] = [
    ("overview", Ui::NavOverview),
    ("spend", Ui::NavSpend),
    ("capacity", Ui::NavCapacity),
    ("features", Ui::NavFeatures),
    ("table", Ui::NavTable),
];

/// The bar.
#[component]
pub fn TopBar() -> impl IntoView {
    let app = use_app();
    let undo_words = move || {
        app.undo_label()
            .map_or_else(|| say(&Ui::Undo), |what| say(&Ui::UndoOf { what }))
    };
    let redo_words = move || {
        app.redo_label()
            .map_or_else(|| say(&Ui::Redo), |what| say(&Ui::RedoOf { what }))
    };
    let name = move || {
        let name = app.plan.with(|p| p.name.clone());
        if name.trim().is_empty() {
            say(&Ui::Unnamed)
        } else {
            name
        }
    };
    let dark = move || app.theme.get() == Theme::Dark;
    view! {
        <header class="topbar">
            <div class="topbar-plan">
                <span class="brand">{mark()}<span class="brand-name">{say(&Ui::Product)}</span></span>
                <span class="divider"></span>
                <button class="plan-name" data-testid="plan-menu" id="plan-menu" aria-haspopup="dialog" on:click=move |_| app.open_dialog(Dialog::Plans)>
                    <span>{name}</span>{icon(Icon::Down)}
                </button>
                <span class="grow"></span>
                <button class="button ghost square" data-testid="undo" title=undo_words aria-label=undo_words
                    disabled=move || app.undo_label().is_none() on:click=move |_| app.undo()>{icon(Icon::Undo)}</button>
                <button class="button ghost square" data-testid="redo" title=redo_words aria-label=redo_words
                    disabled=move || app.redo_label().is_none() on:click=move |_| app.redo()>{icon(Icon::Redo)}</button>
            </div>
            <div class="topbar-answers">
                <nav class="sections" aria-label=say(&Ui::Answers)>
                    {SECTIONS.iter().map(|(id, words)| {
                        let id = *id;
                        view! {
                            <button class="section-link" type="button" data-testid=format!("nav-{id}") aria-current=move || (app.section.get() == id).then_some("true")
                                on:click=move |_| super::shell::scroll_to_section(id)>{say(words)}</button>
                        }
                    }).collect_view()}
                </nav>
                <span class="grow"></span>
                <button class="button ghost" data-testid="export-open" id="export-open" on:click=move |_| app.open_dialog(Dialog::Export)>{icon(Icon::Export)}<span>{say(&Ui::Export)}</span></button>
                <button class="button" data-testid="share-open" id="share-open" on:click=move |_| app.open_dialog(Dialog::Share)>{icon(Icon::Share)}<span>{say(&Ui::Share)}</span></button>
                <button class="button ghost square for-keys" data-testid="keys-open" id="keys-open" aria-label=say(&Keys::Open) title=say(&Keys::Open)
                    on:click=move |_| app.open_dialog(Dialog::Keys)>"?"</button>
                <button class="button ghost square" data-testid="theme"
                    aria-label=move || say(if dark() { &Ui::ThemeToLight } else { &Ui::ThemeToDark })
                    title=move || say(if dark() { &Ui::ThemeToLight } else { &Ui::ThemeToDark })
                    on:click=move |_| super::shell::switch_theme(app)>
                    {move || icon(if dark() { Icon::Sun } else { Icon::Moon })}
                </button>
            </div>
        </header>
    }
}
