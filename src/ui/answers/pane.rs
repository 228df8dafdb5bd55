//! All answers, in their order.

use leptos::context::Provider;
use leptos::prelude::*;

use super::cards::{
    Budgets, Capacity, Costs, Drivers, Exceedance, Gateways, Heat, Launches, Monthly, RequestCosts,
    Requests, Tokens, Usage,
};
use super::headline::{Figures, ProgressLine, StatusLine, VerdictLine};
use super::phone::PhoneCharts;
use super::results::Results;
use super::time_stack::TimeStack;
use crate::chart::canvas::ChartTheme;
use crate::ui::later;
use crate::ui::state::{RunStatus, Width, use_app};

/// Scrolls the answers to one of their sections.
pub fn scroll_to(section: &str) {
    crate::ui::shell::scroll_to_section(section);
}

/// All answers.
#[component]
pub fn Answers() -> impl IntoView {
    let app = use_app();
    provide_context(ChartTheme::new(move || app.theme.track()));
    let results = Results::follow(app);
    provide_context(results);
    let stale = Memo::new(move |_| {
        app.run
            .with(|r| matches!(r.status, RunStatus::Stale { .. }))
    });
    let phone = Memo::new(move |_| app.width.get() == Width::Phone);
    view! {
        <div class="answers-body" class:stale=move || stale.get() data-testid="answers">
            <ProgressLine/>
            <div class="answers-top" id="section-overview">
                <StatusLine/>
                <div class="answers-stale">
                    <VerdictLine/>
                    <Figures/>
                    <Provider value=results.in_turn(results.stack)>
                        {later(move || (move || if phone.get() { view! { <PhoneCharts/> }.into_any() } else { view! { <TimeStack/> }.into_any() }).into_any())}
                    </Provider>
                </div>
            </div>
            <div class="cards answers-stale">
                <div class="card-row" id="section-spend"><Exceedance/><Drivers/></div>
                <Budgets/>
                <Provider value=results.in_turn(results.lower)>
                    <div class="card-row" id="section-capacity"><Capacity/><Heat/></div>
                    <Launches/>
                    <div class="card-row" id="section-features"><Usage/><Costs/></div>
                    <RequestCosts/>
                    <Requests/>
                    <Tokens/>
                    <Gateways/>
                    <div id="section-table"><Monthly/></div>
                </Provider>
            </div>
        </div>
    }
}
