//! The simulation worker: the same program is a trial worker or the collector, as the page's messages say.
#![forbid(unsafe_code)]

use headroom::runner::{browser::scope, trial::Local};
use wasm_bindgen::{JsValue, UnwrapThrowExt};

fn main() {
    console_error_panic_hook::set_once();
    // Nothing can be done without a worker's surroundings: the page sees the error and says so.
    scope::serve(Local::default())
        .map_err(|error| JsValue::from(&error))
        .unwrap_throw();
}
