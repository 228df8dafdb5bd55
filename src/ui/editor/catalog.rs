//! Starting values from the catalog, each with its date and how sure it is.

use leptos::prelude::*;

use crate::domain::scenario::Id;
use crate::ui::state::App;

/// A contract's rate.
pub fn rate_picker(app: App, id: Id) -> AnyView {
    let _ = (app, id);
    ().into_any()
}
/// A cluster's on-demand rate.
pub fn on_demand_picker(app: App, id: Id) -> AnyView {
    let _ = (app, id);
    ().into_any()
}
/// A key's limits.
pub fn limits_picker(app: App, id: Id) -> AnyView {
    let _ = (app, id);
    ().into_any()
}
/// A model's prices.
pub fn price_picker(app: App, id: Id) -> AnyView {
    let _ = (app, id);
    ().into_any()
}
/// A model's serving profile.
pub fn serving_picker(app: App, id: Id) -> AnyView {
    let _ = (app, id);
    ().into_any()
}
/// A season's dates.
pub fn season_picker(app: App, id: Id) -> AnyView {
    let _ = (app, id);
    ().into_any()
}
/// The first words of a long text.
pub fn short(text: &str) -> String {
    text.to_owned()
}
