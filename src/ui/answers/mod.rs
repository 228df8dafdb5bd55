//! The right side: what the futures say.

use leptos::prelude::*;

/// All answers.
#[component]
pub fn Answers() -> impl IntoView {
    view! { <div class="answers-body" data-testid="answers"></div> }
}
