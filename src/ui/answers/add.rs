//! From an answer that lacks an input to the form of that input.

use crate::ui::entities::Section;
use crate::ui::state::App;

/// Adds an entity to a section and opens its form.
pub fn entity(app: App, section: Section) {
    let _ = (app, section);
}
