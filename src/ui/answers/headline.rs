//! The first lines: how the run stands, the verdict, the five figures.

use leptos::prelude::*;

use super::card::not_yet;
use super::glyphs;
use super::results::{Results, look, use_results};
use super::view::figures::{Figure, Goal, figures};
use super::view::sentence::{self, Link, Run};
use crate::decide::{self, Status};
use crate::domain::field::FieldPath;
use crate::text::answers::{Card, Status as Words};
use crate::text::{fields, format, say};
use crate::ui::entities::Section;
use crate::ui::running;
use crate::ui::state::{App, RunStatus, RunView, use_app};

/// Fields that a person must look at, the first of them, and its name.
#[derive(Clone, Debug, PartialEq)]
struct ToFix {
    count: u32,
    first: FieldPath,
    name: String,
}

fn to_fix(app: App) -> Memo<Option<ToFix>> {
    let empty = is_empty(app);
    Memo::new(move |_| {
        // an empty plan has nothing to fix yet
        if empty.get() {
            return None;
        }
        let plan = app.plan.get();
        let mut paths: Vec<FieldPath> = app.bad_entries.with(|b| b.keys().cloned().collect());
        for problem in app.problems.get() {
            if !paths.contains(&problem.path) {
                paths.push(problem.path);
            }
        }
        let first = paths.first()?.clone();
        Some(ToFix {
            count: u32::try_from(paths.len()).unwrap_or(u32::MAX),
            name: fields::label_of(&plan, &first),
            first,
        })
    })
}

/// Whether there is nothing in the plan that could be simulated.
pub fn is_empty(app: App) -> Memo<bool> {
    Memo::new(move |_| {
        app.plan
            .with(|p| p.features.is_empty() && p.commitments.is_empty())
    })
}

/// Word, shape, futures, seed, progress, and what can be done.
#[component]
pub fn StatusLine() -> impl IntoView {
    let app = use_app();
    let results = use_results();
    let fix = to_fix(app);
    let empty = is_empty(app);
    let verdict = Memo::new(move |_| {
        look(results.now, |v| {
            decide::verdict(v.scenario, v.projection, v.cost).status
        })
    });
    let word = move || match (verdict.get(), app.run.with(|r| r.status.clone())) {
        _ if empty.get() => plain(say(&Words::Nothing)),
        (_, RunStatus::Stale { changes }) => {
            marked(glyphs::clock(), say(&Words::Stale { changes }))
        }
        (_, RunStatus::Failed(why)) => {
            let words = format!("{}: {why}", say(&Words::Failed));
            marked(glyphs::warning(), words)
        }
        (None, _) if fix.read().is_some() => plain(say(&Words::NotRun)),
        (None, _) => marked(glyphs::status(Status::FirstLook), say(&Words::FirstLook)),
        (Some(None), _) => plain(say(&Words::NoStatus)),
        (Some(Some(status)), _) => marked(glyphs::status(status), say(&status_word(status))),
    };
    view! {
        <div
            class="status-line"
            data-testid="status"
            data-run=move || app.run.with(|r| run_word(&r.status))
            data-futures=move || app.run.with(|r| r.projection.as_ref().map_or(0, |p| p.trials))
        >
            {word}
            <Progress/>
            {move || fix.get().map(|fix| view! {
                <span class="to-fix">{glyphs::warning()}<b>{say(&Words::ToFix { fields: fix.count })}</b></span>
                <button class="link plain muted" data-testid="status-to-fix" on:click=move |_| app.select_field(fix.first.clone())>{fix.name.clone()}</button>
            })}
            {move || app.run.with(|r| r.restarted.clone()).map(|line| view! { <span data-testid="status-restarted">{line}</span> })}
            <span class="grow"></span>
            <Action/>
        </div>
    }
}

/// How a run stands, for whoever drives the page by program.
const fn run_word(status: &RunStatus) -> &'static str {
    match status {
        RunStatus::Idle => "idle",
        RunStatus::Running => "running",
        RunStatus::Stopped => "stopped",
        RunStatus::Done => "done",
        RunStatus::Stale { .. } => "stale",
        RunStatus::Failed(_) => "failed",
    }
}

fn plain(words: String) -> AnyView {
    view! { <span class="status-word" data-testid="status-word">{words}</span> }.into_any()
}

fn marked(shape: AnyView, words: String) -> AnyView {
    view! { <span class="status-word">{shape}<span data-testid="status-word">{words}</span></span> }
        .into_any()
}

const fn status_word(status: Status) -> Words {
    match status {
        Status::OnPlan => Words::OnPlan,
        Status::Watch => Words::Watch,
        Status::AtRisk => Words::AtRisk,
        Status::FirstLook => Words::FirstLook,
    }
}

/// Futures, seed and how up to date they are.
#[component]
fn Progress() -> impl IntoView {
    let app = use_app();
    let results = use_results();
    let empty = is_empty(app);
    let seed = Memo::new(move |_| results.now.with(|f| f.as_ref().map(|f| f.projection.seed)));
    // A plan with problems is not run: the answers stay those of an older plan until it is mended.
    let held_up = Memo::new(move |_| !app.problems.read().is_empty());
    let words = Memo::new(move |_| -> Vec<String> {
        if empty.get() {
            return vec![];
        }
        let mut words = app.run.with(|run| {
            let count = |n: u32| format::integer(f64::from(n));
            let (done, of) = (count(run.done), count(run.of));
            match &run.status {
                RunStatus::Idle => vec![],
                RunStatus::Running => {
                    let mut words = vec![say(&Words::FuturesOf { done, of })];
                    let newest = run.plan.as_ref().is_some_and(|plan| {
                        app.plan.with(|now| !std::sync::Arc::ptr_eq(plan, now))
                    });
                    words.push(match run.seconds_left {
                        _ if held_up.get() => say(&Words::BeforeFix),
                        _ if newest => say(&Words::Newest),
                        _ if run.done >= run.of && run.of > 0 => say(&Words::Searching),
                        Some(s) if s >= 90.0 => say(&Words::MinutesLeft {
                            minutes: (s / 60.0).round().min(999.0) as u32,
                        }),
                        Some(s) => say(&Words::SecondsLeft {
                            seconds: s.ceil().clamp(1.0, 90.0) as u32,
                        }),
                        None => say(&Words::Starting),
                    });
                    words
                }
                RunStatus::Stopped => {
                    let mut words = vec![say(&Words::StoppedAt { done, of })];
                    words.extend(held_up.get().then(|| say(&Words::BeforeFix)));
                    words
                }
                RunStatus::Done => {
                    let futures = match few(run) {
                        Some(all) => Words::FuturesOnPhone {
                            done,
                            all: count(all),
                        },
                        None => Words::Futures { count: done },
                    };
                    let state = if held_up.get() {
                        Words::BeforeFix
                    } else {
                        Words::UpToDate
                    };
                    vec![say(&futures), say(&state)]
                }
                RunStatus::Stale { .. } | RunStatus::Failed(_) => vec![],
            }
        });
        if let Some(seed) = seed.get().filter(|_| !words.is_empty()) {
            let at = words.len().min(1);
            words.insert(
                at,
                say(&Words::Seed {
                    seed: seed.to_string(),
                }),
            );
        }
        words
    });
    move || {
        words
            .get()
            .into_iter()
            .enumerate()
            .map(|(i, w)| {
                let key = ["status-futures", "status-seed", "status-state"];
                view! { <span data-testid=key.get(i).copied()>{w}</span> }
            })
            .collect_view()
    }
}

/// Futures of the plan, if the run that is done had fewer: a phone runs fewer by itself.
fn few(run: &RunView) -> Option<u32> {
    let all = run.plan.as_ref()?.settings.trials;
    (run.status == RunStatus::Done && run.done < all).then_some(all)
}

/// Stop, Continue or Run; else what ranges mean.
#[component]
fn Action() -> impl IntoView {
    let app = use_app();
    let empty = is_empty(app);
    let state = Memo::new(move |_| {
        app.run
            .with(|r| (std::mem::discriminant(&r.status), few(r).is_some()))
    });
    move || {
        let (_, few) = state.get();
        let status = app.run.with_untracked(|r| r.status.clone());
        let button = |words: Words, key: &'static str, act: fn(App)| {
            view! { <button class="link plain" data-testid=key on:click=move |_| act(app)>{say(&words)}</button> }
                .into_any()
        };
        match status {
            RunStatus::Running => button(Words::StopHere, "run-stop", running::stop),
            RunStatus::Stopped => button(Words::Continue, "run-continue", running::resume),
            RunStatus::Stale { .. } => button(Words::Run, "run-again", running::start),
            _ if empty.get() => ().into_any(),
            RunStatus::Done if few => button(Words::RunAll, "run-all", running::start_all),
            _ => view! { <span class="ranges-note">{say(&Words::Ranges)}</span> }.into_any(),
        }
    }
}

/// A thin line that grows with the run.
#[component]
pub fn ProgressLine() -> impl IntoView {
    let app = use_app();
    let share = Memo::new(move |_| {
        app.run.with(|r| {
            (r.status == RunStatus::Running)
                .then(|| (f64::from(r.done) / f64::from(r.of.max(1)) * 100.0).max(1.0))
        })
    });
    view! {
        <div class="progress-line" aria-hidden="true">
            <div class="progress-done" style:width=move || format!("{}%", share.get().unwrap_or(0.0))></div>
        </div>
    }
}

/// The sentence.
#[component]
pub fn VerdictLine() -> impl IntoView {
    let app = use_app();
    let results = use_results();
    let empty = is_empty(app);
    let not_yet = not_yet(app, false);
    let runs = Memo::new(move |_| {
        if empty.get() {
            return sentence::empty();
        }
        look(results.now, |v| {
            sentence::runs(v, &decide::verdict(v.scenario, v.projection, v.cost))
        })
        .unwrap_or_else(|| {
            let words = not_yet.get().unwrap_or_else(|| say(&Card::Waiting));
            vec![Run::Plain(words)]
        })
    });
    // said once at the end of a run
    let spoken = Memo::new(move |before: Option<&String>| {
        let done = app
            .run
            .with(|r| (r.status == RunStatus::Done).then_some(r.done));
        match done {
            Some(futures) => say(&Words::RunEnd {
                futures: format::integer(f64::from(futures)),
                sentence: sentence::text(&runs.get()),
            }),
            None => before.cloned().unwrap_or_default(),
        }
    });
    view! {
        <p class="verdict" data-testid="verdict">
            {move || runs.get().into_iter().map(|run| run_view(app, results, run)).collect_view()}
        </p>
        <div class="unseen" role="status" data-testid="verdict-spoken">{spoken}</div>
    }
}

fn run_view(app: App, results: Results, run: Run) -> AnyView {
    match run {
        Run::Plain(text) => text.into_any(),
        Run::Strong(text) => view! { <b>{text}</b> }.into_any(),
        Run::Error(text) => view! { <span class="error-points">{text}</span> }.into_any(),
        Run::Link(text, link) => view! {
            <button class="verdict-link" on:click=move |_| follow(app, results, link)>{text}</button>
        }
        .into_any(),
    }
}

fn follow(app: App, results: Results, link: Link) {
    match link {
        Link::Month(month, limit) => show_month(app, results, month, limit),
        Link::Entity(id) => app.select_entity(Some(id)),
        Link::Budget(_) => super::pane::scroll_to("spend"),
        Link::NewFeature => crate::ui::editor::add_entity(app, Section::Features),
        Link::NewPool => crate::ui::editor::add_entity(app, Section::Pools),
    }
}

fn show_month(app: App, results: Results, month: usize, limit: usize) {
    results.limit.set(Some(limit));
    app.select_month(Some(month));
    super::pane::scroll_to("overview");
}

/// The five figures.
#[component]
pub fn Figures() -> impl IntoView {
    let app = use_app();
    let results = use_results();
    let empty = is_empty(app);
    let all = Memo::new(move |_| look(results.now, figures));
    view! {
        <div class="key-figures" class:blank=move || empty.get()>
            {move || all.get().filter(|_| !empty.get()).unwrap_or_default().into_iter().map(|f| figure(app, results, f)).collect_view()}
        </div>
    }
}

fn figure(app: App, results: Results, f: Figure) -> AnyView {
    let go = move || match f.target {
        Some(Goal::Section(id)) => super::pane::scroll_to(id),
        Some(Goal::Month(month, limit)) => show_month(app, results, month, limit),
        Some(Goal::Entity(id)) => app.select_entity(Some(id)),
        None => {}
    };
    let add = match f.key {
        "over" => Some(Section::Budgets),
        "worst" => Some(Section::Pools),
        "unused" => Some(Section::Commitments),
        _ => None,
    };
    let missing = f.missing;
    let below = match add.filter(|_| missing) {
        Some(section) => view! {
            <button class="link plain key-below" on:click=move |_| match f.target {
                Some(_) => go(),
                None => crate::ui::editor::add_entity(app, section),
            }>{f.below}</button>
        }
        .into_any(),
        None => view! { <span class="key-below">{f.below}</span> }.into_any(),
    };
    let key = format!("figure-{}", f.key);
    let inner = view! {
        <span class="key-label">{f.label}</span>
        <span class="key-number"><span class="key-value">{f.value}</span>" "<small>{f.small}</small></span>
    };
    if missing || f.target.is_none() {
        view! { <div class="key-figure" data-testid=key>{inner}{below}</div> }.into_any()
    } else {
        view! { <button class="key-figure" data-testid=key on:click=move |_| go()>{inner}{below}</button> }
            .into_any()
    }
}
