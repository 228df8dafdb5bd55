//! The trial worker: plays the trials that the page gives it.
#![forbid(unsafe_code)]

use headroom::runner::{
    browser::scope,
    trial::{Local, TrialDesk},
};
use wasm_bindgen::{JsValue, UnwrapThrowExt};

fn main() {
    console_error_panic_hook::set_once();
    // Nothing can be done without a worker's surroundings: the page sees the error and says so.
    scope::serve(TrialDesk::new(Local::default()))
        .map_err(|error| JsValue::from(&error))
        .unwrap_throw();
}
