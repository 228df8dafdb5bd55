//! The plan as a link: made at once, checked before it can be copied.

use std::sync::Arc;

use leptos::prelude::*;

use super::Modal;
use crate::domain::digest::scenario_digest;
use crate::domain::scenario::Scenario;
use crate::share;
use crate::text::{format, say, share::Share as ShareWords, ui::Ui};
use crate::ui::files;
use crate::ui::icons::{Icon, icon};
use crate::ui::state::{App, RunStatus, use_app};

/// Lengths at which some programs begin to cut links.
const MARKS: [u32; 3] = [2_000, 8_000, 32_000];

/// The part of the address before `#`.
fn base() -> String {
    let location = window().location();
    let href = location.href().unwrap_or_default();
    href.split('#').next().unwrap_or_default().to_owned()
}

/// Where a length stands on the meter, 0 to 100: the marks are equally far apart.
fn place(length: u32) -> f64 {
    let length = f64::from(length);
    let (mut from, mut at) = (0.0, 0.0);
    for mark in MARKS {
        let mark = f64::from(mark);
        if length <= mark {
            return at + (length - from) / (mark - from) * 30.0;
        }
        (from, at) = (mark, at + 30.0);
    }
    (at + (length - from) / 96_000.0 * 10.0).min(100.0)
}

/// The dialog.
#[component]
pub fn Share() -> impl IntoView {
    let app = use_app();
    let plan = app.plan.get_untracked();
    let short = share::shortened(&plan).map(|s| (Arc::new(s.plan), s.p50_change));
    let shorten = RwSignal::new(false);
    let switch = short.clone().map(|(short, change)| {
        let length = |plan: &Scenario| share::encode(plan).map_or(0, |l| l.len());
        let saved = length(&plan).saturating_sub(length(&short));
        let words = Ui::ShortSamples {
            saved: format::integer(saved as f64),
            change: format::percent(change),
        };
        view! {
            <label class="tick"><input type="checkbox" data-testid="share-shorten" prop:checked=move || shorten.get()
                on:change=move |ev| shorten.set(event_target_checked(&ev))/><span>{say(&words)}</span></label>
        }
    });
    let shown = move || match &short {
        Some((short, _)) if shorten.get() => short.clone(),
        _ => plan.clone(),
    };
    view! {
        <Modal title=say(&Ui::ShareTitle) name="share">
            {switch}
            {move || content(app, &shown())}
        </Modal>
    }
}

/// The link of a plan, and what is in it.
fn content(app: App, plan: &Arc<Scenario>) -> AnyView {
    let plan = plan.clone();
    // a shortened plan was never run
    let was_run = Arc::ptr_eq(&plan, &app.plan.get_untracked());
    let digest = scenario_digest(&plan);
    let made = share::encode(&plan);
    // what a reader will get, before anyone gets it
    let same = made.as_ref().is_ok_and(|fragment| {
        share::decode(fragment).is_ok_and(|back| scenario_digest(&back) == digest)
    });
    let url = made
        .as_ref()
        .map(|fragment| format!("{}#{fragment}", base()))
        .ok();
    let length = url
        .as_ref()
        .map_or(0, |u| u32::try_from(u.len()).unwrap_or(u32::MAX));
    let copied = RwSignal::new(None::<bool>);
    let link = url.clone().unwrap_or_default();
    let copy = move |_| {
        files::copy(link.clone(), move |ok| {
            let _ = copied.try_set(Some(ok));
        })
    };
    let problem = match &made {
        Err(problem) => Some(say(&ShareWords::from(problem))),
        Ok(_) if !same => Some(say(&Ui::LinkDiffers)),
        Ok(_) => None,
    };
    let good = problem.is_none();
    let reach = match length {
        0..=2_000 => Ui::LinkAnywhere,
        2_001..=8_000 => Ui::LinkMost,
        8_001..=32_000 => Ui::LinkBrowsers,
        _ => Ui::LinkTooLong,
    };
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let inside = [
        Ui::InFeatures {
            features: count(plan.features.len()),
            contracts: count(plan.commitments.len()),
        },
        Ui::InPools {
            pools: count(plan.pools.len()),
            models: count(plan.models.len()),
        },
        Ui::InSeasons {
            seasons: count(plan.seasons.len()),
            budgets: count(plan.budgets.len()),
        },
        Ui::InSeed {
            seed: plan.settings.seed.to_string(),
            trials: format::integer(f64::from(plan.settings.trials)),
        },
        Ui::InNames,
    ];
    let outside = [Ui::NotResults, Ui::NotOthers, Ui::NotUndo];
    let result = move || {
        app.run.with(|r| {
            let p = r.projection.as_ref()?;
            // of all futures of the plan: a phone may have run fewer
            (was_run && r.status == RunStatus::Done && p.trials == r.plan.as_ref()?.settings.trials)
                .then(|| p.result_digest.clone())
                .flatten()
        })
    };
    let stale = move || {
        app.run.with(|r| {
            r.plan
                .as_ref()
                .is_some_and(|p| !std::sync::Arc::ptr_eq(p, &app.plan.get()))
        })
    };
    view! {
            <div class="dialog-body">
                <div class="url-box">
                    <label class="unseen" for="share-url">{say(&Ui::Link)}</label>
                    <input id="share-url" data-testid="share-url" type="text" readonly=true prop:value=url.clone().unwrap_or_default()
                        on:focus=move |ev| { event_target::<web_sys::HtmlInputElement>(&ev).select(); }/>
                    <button class="button primary compact" type="button" data-testid="share-copy" disabled=!good on:click=copy>{icon(Icon::Copy)}{say(&Ui::CopyLink)}</button>
                </div>
                <p class="copied small" role="status" data-testid="share-copied">{move || copied.get().map(|ok| say(if ok { &Ui::Copied } else { &Ui::NotCopied }))}</p>
                {problem.map(|p| view! { <p class="message risk" role="alert" data-testid="share-problem">{icon(Icon::Warning)}<span>{p}</span></p> })}
                {good.then(|| view! {
                    <p><b data-testid="share-length">{say(&Ui::Characters { count: format::integer(f64::from(length)) })}</b>" "<span class="small muted">{say(&reach)}</span></p>
                    <div class="meter" aria-hidden="true">
                        <i style:width=format!("{:.1}%", place(length))></i>
                        {[30, 60, 90].map(|x| view! { <b style:left=format!("{x}%")></b> })}
                    </div>
                    <div class="meter-words small muted" aria-hidden="true">
                        <span>{say(&Ui::MarkChat)}</span><span>{say(&Ui::MarkMost)}</span><span>{say(&Ui::MarkBrowsers)}</span>
                    </div>
                })}
                <div class="two">
                    <div><h3>{say(&Ui::InTheLink)}</h3><ul>{inside.map(|m| view! { <li>{icon(Icon::Check)}<span>{say(&m)}</span></li> }).collect_view()}</ul></div>
                    <div><h3>{say(&Ui::NotInTheLink)}</h3><ul>{outside.map(|m| view! { <li>{icon(Icon::Cross)}<span>{say(&m)}</span></li> }).collect_view()}</ul></div>
                </div>
                <dl class="digests">
                    <dt>{say(&Ui::PlanDigest)}</dt><dd data-testid="scenario-digest">{digest}</dd>
                    <dt>{say(&Ui::ResultDigest)}</dt><dd data-testid="result-digest">{move || result().unwrap_or_else(|| say(&Ui::AfterTheRun))}</dd>
                </dl>
                {move || stale().then(|| view! { <p class="small warn" data-testid="share-stale">{say(&Ui::LinkCarriesNew)}</p> })}
            </div>
            <footer class="dialog-foot">
                <span class="lock">{icon(Icon::Lock)}<span class="small muted">{say(&Ui::AfterHash)}</span></span>
                <span class="grow"></span>
                {good.then(|| view! { <span class="small ok same" data-testid="share-same">{icon(Icon::Check)}{say(&Ui::OpensSame)}</span> })}
            </footer>
    }
    .into_any()
}
