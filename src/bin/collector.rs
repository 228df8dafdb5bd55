//! The collector: makes projections of the trials of all workers. Nothing in it is hot: it is built for size.
#![forbid(unsafe_code)]

use headroom::runner::{browser::scope, collect::CollectDesk};
use wasm_bindgen::{JsValue, UnwrapThrowExt};

fn main() {
    console_error_panic_hook::set_once();
    // Nothing can be done without a worker's surroundings: the page sees the error and says so.
    scope::serve(CollectDesk::default())
        .map_err(|error| JsValue::from(&error))
        .unwrap_throw();
}
