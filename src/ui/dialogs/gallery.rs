//! Stories to start from, an empty plan, a link or a file.

use leptos::{ev, prelude::*};
use wasm_bindgen::JsCast;

use super::{Modal, plans};
use crate::stories::{self, Story};
use crate::text::{say, ui::Ui};
use crate::ui::arrive;
use crate::ui::files;
use crate::ui::icons::{Icon, icon};
use crate::ui::state::{Dialog, Origin, use_app};
use crate::ui::store;

/// The gallery.
#[component]
pub fn Gallery() -> impl IntoView {
    let app = use_app();
    let asks = RwSignal::new(false);
    let link = RwSignal::new(String::new());
    let open_link = move |ev: ev::SubmitEvent| {
        ev.prevent_default();
        let text = link.get_untracked();
        let fragment = text
            .split_once('#')
            .map_or(text.as_str(), |(_, f)| f)
            .trim()
            .to_owned();
        if arrive::open_link(app, &fragment) {
            app.close_dialog();
        } else {
            app.dialog.set(None);
        }
    };
    let choose_file = move |ev: ev::Event| {
        let input = event_target::<web_sys::HtmlInputElement>(&ev);
        if let Some(file) = input.files().and_then(|f| f.get(0)) {
            files::open_file(app, file);
        }
    };
    let pick = move |_| {
        let input = document()
            .get_element_by_id("open-file")
            .and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok());
        if let Some(input) = input {
            input.click();
        }
    };
    view! {
        <Modal title=say(&Ui::GalleryTitle) name="gallery">
            <div class="dialog-body">
                <div class="gallery-hero">
                    <p>{say(&Ui::GalleryLead)}</p>
                    <div class="gallery-actions">
                        <button class="button" type="button" data-testid="open-link" on:click=move |_| asks.update(|a| *a = !*a) aria-expanded=move || asks.get().to_string()>{icon(Icon::Share)}{say(&Ui::OpenLink)}</button>
                        <button class="button" type="button" data-testid="open-file-button" on:click=pick>{icon(Icon::Import)}{say(&Ui::OpenFile)}</button>
                        <button class="button primary" type="button" data-testid="empty-plan" on:click=move |_| app.open_new(plans::named_empty())>{icon(Icon::Plus)}{say(&Ui::EmptyPlan)}</button>
                        <input class="unseen" id="open-file" data-testid="open-file" type="file" accept=".json,application/json" tabindex="-1" aria-label=say(&Ui::OpenFile) on:change=choose_file/>
                    </div>
                </div>
                {move || asks.get().then(|| view! {
                    <form class="link-form" on:submit=open_link>
                        <label class="unseen" for="link-box">{say(&Ui::PasteLink)}</label>
                        <span class="value big"><input class="entry" id="link-box" data-testid="link-box" type="text" autocomplete="off" spellcheck="false"
                            placeholder=say(&Ui::PasteLink) prop:value=move || link.get() on:input=move |ev| link.set(event_target_value(&ev))/></span>
                        <button class="button primary" type="submit" data-testid="link-go">{say(&Ui::Open)}</button>
                    </form>
                })}
                <p class="gallery-or muted">{say(&Ui::OrStory)}</p>
                <div class="stories">
                    {stories::all().iter().map(|story| view! { <StoryCard story=story/> }).collect_view()}
                </div>
            </div>
            <footer class="dialog-foot"><span class="lock">{icon(Icon::Lock)}<span class="small muted">{say(&Ui::StaysHere)}</span></span></footer>
        </Modal>
    }
}

#[component]
fn StoryCard(story: &'static Story) -> impl IntoView {
    let app = use_app();
    view! {
        <button class="story" type="button" data-testid=format!("story-{}", story.name) on:click=move |_| app.open_story(story)>
            <h2>{say(&story.title)}</h2>
            {story.claim.iter().map(|c| view! { <p>{say(c)}</p> }).collect_view()}
            {super::picture::picture(story)}
            <span class="story-foot">
                <span>{say(&Ui::ThingsToTry)}</span>
                {story.notes.first().map(|n| view! { <b>{say(&n.text)}</b> })}
            </span>
        </button>
    }
}

/// The line over the answers while a story is on the screen: what it claims, and the way to the others.
#[component]
pub fn StoryStrip() -> impl IntoView {
    let app = use_app();
    // a phone has room for its first lines only
    let whole = RwSignal::new(false);
    let hidden = RwSignal::new(store::setting("story-strip").as_deref() == Some("off"));
    view! {
        {move || {
            let Origin::Story(name) = app.origin.get() else { return None };
            let story = stories::find(name)?;
            if hidden.get() { return None; }
            Some(view! {
                <aside class="story-strip" data-testid="story-strip">
                    <div class="story-words" class:whole=whole>
                        <b>{say(&Ui::ThisIsAStory { title: say(&story.title) })}</b>
                        <span>{story.claim.iter().map(say).collect::<Vec<_>>().join(" ")}</span>
                    </div>
                    <button class="button compact on-phone" type="button" data-testid="strip-whole" aria-expanded=move || whole.get().to_string() on:click=move |_| whole.update(|w| *w = !*w)>
                        {move || say(if whole.get() { &Ui::ReadLess } else { &Ui::ReadAll })}</button>
                    <button class="button compact" type="button" data-testid="strip-gallery" on:click=move |_| app.open_dialog(Dialog::Gallery)>{say(&Ui::OtherStories)}</button>
                    <button class="button compact" type="button" data-testid="strip-empty" on:click=move |_| app.open_new(plans::named_empty())>{say(&Ui::EmptyPlan)}</button>
                    <button class="button ghost square compact" type="button" data-testid="strip-hide" aria-label=say(&Ui::HideLine)
                        on:click=move |_| { hidden.set(true); store::keep_setting("story-strip", "off"); }>{icon(Icon::Cross)}</button>
                </aside>
            })
        }}
    }
}
