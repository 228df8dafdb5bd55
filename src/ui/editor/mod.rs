//! The plan: everything that a person enters.

use std::collections::BTreeSet;

use leptos::prelude::*;

use super::entities::Section;
use super::state::use_app;

mod budget;
mod by_hour;
mod cap_line;
mod catalog;
mod chain;
pub mod choices;
mod contract;
pub mod entry;
mod feature;
mod frames;
mod gateway;
pub mod hint;
mod lanes;
mod model;
pub mod note;
mod options;
pub mod panel;
mod picture;
mod pool;
pub mod read;
pub mod rows;
mod runbar;
mod season;
pub mod settings;
pub mod spark;
mod strip;
mod together;
mod week_grid;
mod weekly;

pub use frames::add_entity;

/// The plan with its run bar.
#[component]
pub fn PlanPane() -> impl IntoView {
    let app = use_app();
    provide_context(frames::OpenSections(RwSignal::new(BTreeSet::from([
        Section::Features,
    ]))));
    let parts = |section: Section| match section {
        Section::Features => feature::PARTS,
        Section::Commitments => contract::PARTS,
        Section::Pools => pool::PARTS,
        Section::Models => model::PARTS,
        Section::Seasons => season::PARTS,
        Section::Budgets => budget::PARTS,
    };
    // Another plan is another form: nothing of the old one stays half drawn.
    let plan_number = Memo::new(move |_| app.opened.get());
    view! {
        <div class="plan-scroll" id="plan-scroll">
            {move || {
                plan_number.track();
                view! {
                    <settings::Settings/>
                    {Section::ALL.map(|s| view! { <frames::SectionFrame section=s parts=parts(s)/> }).collect_view()}
                }
            }}
        </div>
        <runbar::RunBar/>
        <panel::Panel/>
    }
}

/// The text box of a field that can be changed alone, without its form.
#[must_use]
pub fn entry_of(path: &crate::domain::field::FieldPath) -> Option<entry::Entry> {
    let (section, id, name) = path.parts();
    let id = id?;
    match (section, name) {
        ("features", "launch") => Some(feature::launch_entry(id)),
        ("commitments", "gpus") => Some(contract::gpus_entry(id)),
        ("commitments", "amount_per_hour") => Some(contract::amount_entry(id)),
        _ => None,
    }
}
