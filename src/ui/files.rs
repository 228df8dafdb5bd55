//! Files in and out of the page: all of it stays in the tab.

use js_sys::{Array, Uint8Array};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::state::{App, Notice};
use crate::import;
use crate::text::say;

/// Hands bytes to the browser as a download.
pub fn download(name: &str, kind: &str, bytes: &[u8]) -> bool {
    let parts = Array::of1(&Uint8Array::from(bytes));
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(kind);
    let Ok(blob) = web_sys::Blob::new_with_u8_array_sequence_and_options(&parts, &options) else {
        return false;
    };
    download_blob(name, &blob)
}

/// Hands a file to the browser as a download.
pub fn download_blob(name: &str, blob: &web_sys::Blob) -> bool {
    let Ok(url) = web_sys::Url::create_object_url_with_blob(blob) else {
        return false;
    };
    let link = document()
        .create_element("a")
        .ok()
        .and_then(|a| a.dyn_into::<web_sys::HtmlAnchorElement>().ok());
    if let Some(link) = &link {
        link.set_href(&url);
        link.set_download(name);
        link.click();
    }
    // The browser has its own copy after the click; a second is ample for slow ones.
    set_timeout(
        move || {
            let _ = web_sys::Url::revoke_object_url(&url);
        },
        std::time::Duration::from_secs(1),
    );
    link.is_some()
}

/// A file name out of an untrusted plan name: letters, digits and dashes, never empty.
#[must_use]
pub fn file_name(plan: &str, ending: &str) -> String {
    let mut stem = String::new();
    for c in plan.chars().take(60) {
        if c.is_alphanumeric() {
            stem.push(c);
        } else if !stem.ends_with('-') && !stem.is_empty() {
            stem.push('-');
        }
    }
    let stem = stem.trim_end_matches('-');
    format!("{}.{ending}", if stem.is_empty() { "plan" } else { stem })
}

/// Opens the plan in a text: of a JSON file.
pub fn open_json(app: App, text: &str) -> bool {
    match import::scenario_json(text) {
        Ok(plan) => {
            let name = plan.name.clone();
            app.open_new(plan);
            app.say(&crate::text::ui::Ui::FileOpened { name });
            true
        }
        Err(problems) => {
            let words: Vec<String> = problems
                .iter()
                .take(5)
                .map(|p| say(&crate::text::import::Import::from(p)))
                .collect();
            app.put_away(|n| matches!(n, Notice::BadFile(_)));
            app.notify(Notice::BadFile(words.join(" ")));
            app.close_dialog();
            false
        }
    }
}

/// Reads a chosen file and opens its plan.
pub fn open_file(app: App, file: web_sys::File) {
    if file.size() > import::MAX_BYTES as f64 {
        let too_large = import::ImportProblem::TooLarge;
        app.notify(Notice::BadFile(say(&crate::text::import::Import::from(
            &too_large,
        ))));
        app.close_dialog();
        return;
    }
    leptos::task::spawn_local(async move {
        let text = wasm_bindgen_futures::JsFuture::from(file.text()).await;
        match text.ok().and_then(|t| t.as_string()) {
            Some(text) => {
                open_json(app, &text);
            }
            None => app.say(&crate::text::ui::Ui::FileNotRead),
        }
    });
}

/// Copies a text; calls back with whether that worked.
pub fn copy(text: String, done: impl FnOnce(bool) + 'static) {
    let promise = window().navigator().clipboard().write_text(&text);
    leptos::task::spawn_local(async move {
        done(wasm_bindgen_futures::JsFuture::from(promise).await.is_ok());
    });
}
