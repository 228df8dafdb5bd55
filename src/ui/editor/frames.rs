//! Frames of the plan: sections that fold to a line, entities that fold to a row.

use std::collections::BTreeSet;

use leptos::{ev, prelude::*};

use super::read;
use super::rows::{inline, words};
use crate::domain::field::FieldPath;
use crate::domain::scenario::{Id, Scenario};
use crate::text::{editor::Editor, say};
use crate::ui::entities::{self, Section};
use crate::ui::focus_soon;
use crate::ui::icons::{Icon, icon};
use crate::ui::state::{App, use_app};

/// Which sections are unfolded.
#[derive(Clone, Copy)]
pub struct OpenSections(pub RwSignal<BTreeSet<Section>>);

/// What a section is called.
#[must_use]
pub fn title(section: Section) -> Editor {
    match section {
        Section::Features => Editor::Features,
        Section::Commitments => Editor::Contracts,
        Section::Pools => Editor::Pools,
        Section::Models => Editor::Models,
        Section::Seasons => Editor::Seasons,
        Section::Budgets => Editor::Budgets,
    }
}

/// What a new entity of a section is called.
#[must_use]
pub fn new_name(section: Section) -> Editor {
    match section {
        Section::Features => Editor::NewFeature,
        Section::Commitments => Editor::NewContract,
        Section::Pools => Editor::NewPool,
        Section::Models => Editor::NewModel,
        Section::Seasons => Editor::NewSeason,
        Section::Budgets => Editor::NewBudget,
    }
}

/// What a row says about its entity, besides the name.
pub struct Line {
    /// Its state, in words.
    pub state: String,
    /// Its figure, right.
    pub figure: String,
}

/// The parts of a section that differ from section to section.
#[derive(Clone, Copy)]
pub struct Parts {
    /// What a closed section says about its content.
    pub summary: fn(App) -> String,
    /// What stands over the figures.
    pub figures: fn(App) -> String,
    /// What a row says.
    pub line: fn(App, Id) -> Line,
    /// The form of an open entity.
    pub form: fn(App, Id) -> AnyView,
}

/// A section.
#[component]
pub fn SectionFrame(
    /// Which.
    section: Section,
    /// Its parts.
    parts: Parts,
) -> impl IntoView {
    let app = use_app();
    let OpenSections(open_sections) = expect_context();
    let ids = Memo::new(move |_| app.plan.with(|p| section.ids(p)));
    let open = Memo::new(move |_| {
        open_sections.with(|o| o.contains(&section))
            || app
                .selection
                .with(|s| s.entity.is_some_and(|e| ids.with(|ids| ids.contains(&e))))
    });
    let wrong = Memo::new(move |_| read::problems_in(app, |path| path.parts().0 == section.key()));
    let toggle = move |_| {
        if open.get_untracked() {
            open_sections.update(|o| {
                o.remove(&section);
            });
            let inside = app.selection.with_untracked(|s| {
                s.entity
                    .is_some_and(|e| ids.with_untracked(|ids| ids.contains(&e)))
            });
            if inside {
                app.select_entity(None);
            }
        } else {
            open_sections.update(|o| {
                o.insert(section);
            });
        }
    };
    let add = move |_| add_entity(app, section);
    let key = section.key();
    let body = format!("section-body-{key}");
    view! {
        <section class="plan-section" data-testid=format!("section-{key}")>
            <div class="section-head">
                <h2>
                    <button class="section-toggle" type="button" aria-expanded=move || open.get().to_string() aria-controls=body.clone()
                        data-testid=format!("toggle-{key}") on:click=toggle>
                        {move || icon(if open.get() { Icon::Down } else { Icon::Right })}
                        <span class="section-title">{say(&title(section))}</span>
                        <span class="section-count">{move || ids.with(|i| if i.is_empty() { say(&Editor::NoneYet) } else { i.len().to_string() })}</span>
                        {move || (!open.get()).then(|| view! { <span class="section-summary">{(parts.summary)(app)}</span> })}
                    </button>
                </h2>
                {move || (wrong.get() > 0).then(|| view! { <span class="section-wrong risk">{say(&Editor::ToFix { count: wrong.get() })}</span> })}
                <button class="button ghost square" type="button" data-testid=format!("add-{key}") on:click=add
                    aria-label=say(&new_name(section)) title=say(&new_name(section))>{icon(Icon::Plus)}</button>
            </div>
            <div class="section-body" id=body>
                {move || open.get().then(|| view! {
                    {move || (!ids.with(Vec::is_empty)).then(|| (parts.figures)(app)).filter(|f| !f.is_empty())
                        .map(|f| view! { <div class="figures-head">{f}</div> })}
                    <For each=move || ids.get() key=|id| *id children=move |id| view! { <EntityFrame section=section id=id parts=parts/> }/>
                    {(section == Section::Seasons).then(|| super::catalog::calendar_picker(app))}
                    {move || ids.with(Vec::is_empty).then(|| view! {
                        <button class="add-first" type="button" on:click=add>{icon(Icon::Plus)}{say(&new_name(section))}</button>
                    })}
                })}
            </div>
        </section>
    }
}

/// Adds an entity and opens it with its name under the caret.
pub fn add_entity(app: App, section: Section) {
    let name = say(&new_name(section));
    let mut new = None;
    app.commit(&Editor::Added { what: name.clone() }, |p| {
        new = Some(entities::add(p, section, &name))
    });
    if let Some(id) = new {
        app.select_entity(Some(id));
        focus_soon(crate::ui::field_id(&FieldPath::of(
            section.key(),
            id,
            "name",
        )));
    }
}

/// The text box of an entity's name.
fn name_entry(section: Section, id: Id) -> super::entry::Entry {
    words(
        FieldPath::of(section.key(), id, "name"),
        move |p: &Scenario| entities::section_of(p, id).map(|_| entities::name_of(p, id)),
        move |p, name| entities::rename(p, id, &name),
    )
}

#[component]
fn EntityFrame(section: Section, id: Id, parts: Parts) -> impl IntoView {
    let app = use_app();
    let open = Memo::new(move |_| app.selection.with(|s| s.entity == Some(id)));
    let name = Memo::new(move |_| {
        let name = app.plan.with(|p| entities::name_of(p, id));
        if name.trim().is_empty() {
            say(&Editor::Unnamed)
        } else {
            name
        }
    });
    let colour = Memo::new(move |_| {
        let place = app
            .plan
            .with(|p| section.ids(p).iter().position(|i| *i == id))
            .unwrap_or_default();
        match section {
            Section::Features if place < 6 => format!("swatch f-{}", place + 1),
            Section::Features => "swatch f-other".to_owned(),
            _ => "swatch plain".to_owned(),
        }
    });
    let line = move || (parts.line)(app, id);
    let wrong = Memo::new(move |_| read::problems_in(app, |path| path.parts().1 == Some(id)) > 0);
    let twin = Memo::new(move |_| app.plan.with(|p| entities::has_twin(p, id)));
    let prefix = section.key();
    let head = format!("entity-{}", id.0);
    let copy = move |_| {
        let what = name.get_untracked();
        let mut new = None;
        app.commit(&Editor::Copied { what }, |p| {
            new = entities::duplicate(p, id)
        });
        if let Some(new) = new {
            app.select_entity(Some(new));
            focus_soon(crate::ui::field_id(&FieldPath::of(prefix, new, "name")));
        }
    };
    let shift = move |by: isize| {
        let what = name.get_untracked();
        app.commit(&Editor::Moved { what }, |p| entities::move_by(p, id, by));
    };
    let delete = move |_| {
        let what = name.get_untracked();
        app.forget_typed(id);
        app.select_entity(None);
        app.commit(&Editor::Deleted { what: what.clone() }, |p| {
            entities::delete(p, id)
        });
        app.say(&Editor::DeletedUndo { what });
    };
    let on_key = move |ev: ev::KeyboardEvent| {
        if ev.alt_key() && matches!(ev.key().as_str(), "ArrowUp" | "ArrowDown") {
            ev.prevent_default();
            shift(if ev.key() == "ArrowUp" { -1 } else { 1 });
            focus_soon(format!("entity-{}", id.0));
        }
    };
    let first = Memo::new(move |_| app.plan.with(|p| section.ids(p).first() == Some(&id)));
    let last = Memo::new(move |_| app.plan.with(|p| section.ids(p).last() == Some(&id)));
    view! {
        <div class="entity" class:open=move || open.get() class:wrong=move || wrong.get() data-testid=format!("entity-{prefix}-{}", id.0)
            on:keydown=on_key>
            {move || if open.get() {
                view! {
                    <div class=move || format!("form edge-{}", colour.get().replace("swatch ", ""))>
                        <div class="entity-head">
                            <button class="entity-close" type="button" aria-expanded="true" id=head.clone()
                                aria-label=move || say(&Editor::Close { what: name.get() }) on:click=move |_| app.select_entity(None)>
                                <span class=move || colour.get()></span>
                            </button>
                            <span class="entity-title">{inline(name_entry(section, id))}</span>
                            <span class="state">{move || line().state}</span>
                            <span class="median">{move || line().figure}</span>
                        </div>
                        {super::rows::inline_messages(vec![name_entry(section, id)])}
                        {move || twin.get().then(|| view! {
                            <div class="message warn" role="status" data-testid=format!("same-name-{}", id.0)>{icon(Icon::Warning)}<span>{say(&Editor::SameName)}</span></div>
                        })}
                        {(parts.form)(app, id)}
                        <div class="entity-tools">
                            <button class="button compact ghost" type="button" data-testid=format!("duplicate-{}", id.0) on:click=copy>{icon(Icon::Copy)}{say(&Editor::Duplicate)}</button>
                            <button class="button compact ghost" type="button" data-testid=format!("up-{}", id.0) title=say(&Editor::MoveUpKey)
                                disabled=move || first.get() on:click=move |_| shift(-1)>{icon(Icon::Up)}{say(&Editor::MoveUp)}</button>
                            <button class="button compact ghost" type="button" data-testid=format!("down-{}", id.0) title=say(&Editor::MoveDownKey)
                                disabled=move || last.get() on:click=move |_| shift(1)>{icon(Icon::Down)}{say(&Editor::MoveDown)}</button>
                            <span class="grow"></span>
                            <button class="button compact ghost" type="button" data-testid=format!("delete-{}", id.0) on:click=delete>{icon(Icon::Trash)}{say(&Editor::Delete)}</button>
                        </div>
                    </div>
                }.into_any()
            } else {
                view! {
                    <button class="entity-row" type="button" aria-expanded="false" id=head.clone() on:click=move |_| app.select_entity(Some(id))>
                        <span class=move || colour.get()></span>
                        <span class="name">{move || name.get()}</span>
                        <span class="state">{move || if wrong.get() { say(&Editor::NeedsFix) } else { line().state }}</span>
                        <span class="median">{move || line().figure}</span>
                    </button>
                }.into_any()
            }}
        </div>
    }
}
