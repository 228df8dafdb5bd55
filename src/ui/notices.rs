//! Lines above the page, and the line that goes away by itself.

use leptos::prelude::*;

use super::dialogs::StoryStrip;
use super::icons::{Icon, icon};
use super::state::{App, Dialog, Notice, use_app};
use super::store::{self, StoreProblem};
use crate::text::{say, share::Share, ui::Ui};

fn words(notice: &Notice) -> String {
    match notice {
        Notice::Link => say(&Ui::PlanFromLink),
        Notice::BadLink(problem) => say(&Ui::LinkNotOpened {
            why: say(&Share::from(problem)),
        }),
        Notice::Storage(StoreProblem::Closed) => say(&Ui::StorageClosed),
        Notice::Storage(StoreProblem::Full) => say(&Ui::StorageFull),
        Notice::Unreadable(u) => {
            let damaged = (u.damaged > 0).then(|| say(&Ui::PlansDamaged { count: u.damaged }));
            let newer = (u.newer > 0).then(|| say(&Ui::PlansNewer { count: u.newer }));
            damaged
                .into_iter()
                .chain(newer)
                .collect::<Vec<_>>()
                .join(" ")
        }
        Notice::BadFile(why) => say(&Ui::FileNotOpened { why: why.clone() }),
        Notice::OtherTab | Notice::Storage(StoreProblem::OtherTab) => say(&Ui::OtherTab),
    }
}

const fn testid(notice: &Notice) -> &'static str {
    match notice {
        Notice::Link => "notice-link",
        Notice::BadLink(_) => "notice-bad-link",
        Notice::Storage(_) => "notice-storage",
        Notice::Unreadable(_) => "notice-unreadable",
        Notice::BadFile(_) => "notice-bad-file",
        Notice::OtherTab => "notice-other-tab",
    }
}

fn action(app: App, notice: &Notice) -> AnyView {
    match notice {
        Notice::Link => view! {
            <button class="button compact" type="button" data-testid="keep-copy" on:click=move |_| app.keep_copy()>{say(&Ui::KeepCopy)}</button>
        }
        .into_any(),
        Notice::OtherTab => view! {
            <button class="button compact" type="button" data-testid="other-take" on:click=move |_| app.take_other()>{say(&Ui::OtherTabTake)}</button>
            <button class="button compact" type="button" data-testid="other-keep" on:click=move |_| app.keep_beside()>{say(&Ui::OtherTabKeep)}</button>
        }
        .into_any(),
        Notice::Storage(_) => view! {
            <button class="button compact" type="button" on:click=move |_| app.open_dialog(Dialog::Export)>{say(&Ui::SaveToFile)}</button>
        }
        .into_any(),
        _ => ().into_any(),
    }
}

/// Lines that stand until they are put away.
#[component]
pub fn Notices() -> impl IntoView {
    let app = use_app();
    view! {
        <div class="notices">
            {move || app.notices.get().into_iter().map(|notice| {
                let calm = notice == Notice::Link;
                let gone = notice.clone();
                view! {
                    <div class="notice" class:calm=calm role=if calm { "status" } else { "alert" } data-testid=testid(&notice)>
                        {icon(if calm { Icon::Share } else { Icon::Warning })}
                        <span class="notice-words">{words(&notice)}</span>
                        {action(app, &notice)}
                        {(!calm && notice != Notice::OtherTab).then(|| view! {
                            <button class="button ghost square compact" type="button" aria-label=say(&Ui::Close) data-testid="notice-close"
                                on:click=move |_| app.put_away(|n| *n == gone)>{icon(Icon::Cross)}</button>
                        })}
                    </div>
                }
            }).collect_view()}
            <StoryStrip/>
        </div>
    }
}

/// What happened, for a few seconds, with the way back.
#[component]
pub fn Toasts() -> impl IntoView {
    let app = use_app();
    view! {
        <div class="toast-place" role="status" aria-live="polite">
            {move || app.toast.get().map(|toast| {
                let back = toast.removed.map(|removed| view! {
                    <button class="link" type="button" data-testid="toast-undo" on:click=move |_| {
                        match store::restore(&removed) {
                            Ok(_) => {
                                app.origin.notify();
                                app.say(&Ui::PlanRestored);
                            }
                            Err(problem) => app.notify(Notice::Storage(problem)),
                        }
                    }>{say(&Ui::Undo)}</button>
                });
                view! { <div class="toast" data-testid="toast"><span>{toast.text}</span>{back}</div> }
            })}
        </div>
    }
}
