//! The built-in stories: valid, sourced, and each claim true of the engine and false once its input is changed.

#[path = "stories/data.rs"]
mod data;

#[path = "stories/catalog.rs"]
mod catalog;

#[path = "stories/claims.rs"]
mod claims;

#[path = "stories/peak.rs"]
mod peak;

#[path = "stories/outputs.rs"]
mod outputs;

#[test]
fn stories_have_no_problems() {
    for story in headroom::stories::all() {
        let problems = story.scenario().problems();
        assert!(problems.is_empty(), "{}: {problems:?}", story.name);
    }
}
