//! What features cost.

use leptos::prelude::*;

use super::{chooser, name_of, pick_entity, scene_of, summary_of, table_of, titles, years};
use crate::chart::canvas::Chart;
use crate::chart::frame::costs::costs;
use crate::text::answers::Card as Words;
use crate::text::say;
use crate::ui::answers::card::{Card, CardState};
use crate::ui::answers::results::{look, use_results};
use crate::ui::answers::view::costs as find;
use crate::ui::entities::Section;

/// Cost by feature.
#[component]
pub fn Costs() -> impl IntoView {
    let results = use_results();
    let state = CardState::new();
    let width = RwSignal::new(0.0);
    let (options, chosen, year) = years(results.cards);
    let card = Memo::new(move |_| look(results.cards, |v| find::costs(v, year.get())).flatten());
    let scene = scene_of(width, move |w| {
        card.read().as_ref().map(|c| costs(&c.chart, w))
    });
    let titles = titles(card);
    let table = table_of(results, state, move |v| {
        find::costs(v, year.get()).map(|c| c.table)
    });
    let pick = pick_entity();
    let switches = move || {
        chooser("costs-year", Words::Year, options, year, move |i| {
            chosen.set(Some(i))
        })
    };
    view! {
        <Card key="costs" words=titles missing=(say(&Words::CostsMissing), say(&Words::CostsNone)) add=Section::Features table=table state=state switches=switches>
            <Chart scene=scene width=width key="costs" name=name_of(titles) summary=summary_of(titles) on_pick=pick/>
        </Card>
    }
}
