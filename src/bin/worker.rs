//! The simulation worker: the same program is a trial worker or the collector, as its first message says.
#![forbid(unsafe_code)]

use wasm_bindgen::JsCast;

fn main() {
    console_error_panic_hook::set_once();
    if let Ok(scope) = js_sys::global().dyn_into::<web_sys::DedicatedWorkerGlobalScope>() {
        // A scope that cannot post is being closed: nobody is left to tell.
        let _ = scope.post_message(&"ready".into());
    }
}
