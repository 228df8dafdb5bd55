//! The parts of a feature's form about one request at the gateway: tools, caps, runaways.

use leptos::prelude::*;

use super::choices::{Options, check, choice};
use super::read;
use super::rows::{Number, fold_at, quantity_row, row};
use crate::domain::field::{FieldPath, Unit};
use crate::domain::gateway::{CapKind, Caps, SoftAction, SoftLimit};
use crate::domain::scenario::{Id, Scenario};
use crate::text::{editor::Editor, fields, format, say};
use crate::ui::entities::{feature, feature_mut};
use crate::ui::fresh;
use crate::ui::icons::{Icon, icon};
use crate::ui::state::App;

/// Tools, among the rows of one request.
pub fn tools(app: App, id: Id) -> AnyView {
    let q = |field: &str| quantity_row(app, FieldPath::of("features", id, field));
    view! { {q("tool_calls_per_request")}{q("tool_seconds")} }.into_any()
}

/// Where one request is stopped.
pub fn caps(app: App, id: Id) -> AnyView {
    let set = app
        .plan
        .with_untracked(|p| has(p, id, |c| *c != Caps::default()));
    fold_at(
        set,
        say(&Editor::GroupCaps),
        move || summary(app, id),
        "fold-caps",
        move || rows(app, id),
    )
}

/// Requests that never end by themselves.
pub fn runaways(app: App, id: Id) -> AnyView {
    let there = move |p: &Scenario| feature(p, id).is_some_and(|f| f.runaways.is_some());
    let any = Memo::new(move |_| app.plan.with(|p| there(p)));
    let q = move |field: &str| quantity_row(app, FieldPath::of("features", id, field));
    fold_at(
        app.plan.with_untracked(|p| there(p)),
        say(&Editor::GroupRunaways),
        move || {
            say(if any.get() {
                &Editor::RunawaysSet
            } else {
                &Editor::NoneSet
            })
        },
        "fold-runaways",
        move || {
            view! {
                {check(app, FieldPath::of("features", id, "runaways"), Editor::RunawaysTick,
                    move |p| feature(p, id).map(|f| f.runaways.is_some()),
                    move |p, on| if let Some(f) = feature_mut(p, id) { f.runaways = on.then(fresh::runaways); })}
                {move || any.get().then(|| view! {
                    {q("runaways_per_million_requests")}
                    {q("runaway_tokens_per_hour")}
                    {q("runaway_hours_until_found")}
                })}
            }
            .into_any()
        },
    )
}

fn has(p: &Scenario, id: Id, test: impl Fn(&Caps) -> bool) -> bool {
    feature(p, id).is_some_and(|f| test(&f.caps))
}

/// `100 k tokens, 20 calls`; without a cap of tokens, that nothing bounds what a request costs.
fn summary(app: App, id: Id) -> String {
    let caps = app
        .plan
        .with(|p| feature(p, id).map(|f| f.caps))
        .unwrap_or_default();
    let mut parts: Vec<String> = CAPS
        .iter()
        .filter_map(|cap| (cap.get)(&caps).map(|x| say(&(cap.words)(format::count_short(x)))))
        .collect();
    if caps.tokens.is_none() {
        parts.push(say(&Editor::Unbounded));
    }
    parts.join(", ")
}

/// One cap of the form.
struct Cap {
    field: &'static str,
    kind: Option<CapKind>,
    unit: Unit,
    whole: bool,
    words: fn(String) -> Editor,
    get: fn(&Caps) -> Option<f64>,
    set: fn(&mut Caps, Option<f64>),
}

const CAPS: [Cap; 5] = [
    Cap {
        field: "cap_tokens",
        kind: Some(CapKind::Tokens),
        unit: Unit::Tokens,
        whole: false,
        words: |amount| Editor::CapTokens { amount },
        get: |c| c.tokens,
        set: |c, x| c.tokens = x,
    },
    Cap {
        field: "cap_calls",
        kind: Some(CapKind::Calls),
        unit: Unit::Calls,
        whole: true,
        words: |amount| Editor::CapCalls { amount },
        get: |c| c.calls.map(f64::from),
        set: |c, x| c.calls = x.map(|x| x as u32),
    },
    Cap {
        field: "cap_tool_calls",
        kind: Some(CapKind::ToolCalls),
        unit: Unit::ToolCalls,
        whole: true,
        words: |amount| Editor::CapToolCalls { amount },
        get: |c| c.tool_calls.map(f64::from),
        set: |c, x| c.tool_calls = x.map(|x| x as u32),
    },
    Cap {
        field: "cap_seconds",
        kind: Some(CapKind::Seconds),
        unit: Unit::Seconds,
        whole: false,
        words: |amount| Editor::CapSeconds { amount },
        get: |c| c.seconds,
        set: |c, x| c.seconds = x,
    },
    Cap {
        field: "cap_identical_errors",
        kind: None,
        unit: Unit::One,
        whole: true,
        words: |amount| Editor::CapErrors { amount },
        get: |c| c.identical_errors.map(f64::from),
        set: |c, x| c.identical_errors = x.map(|x| x as u32),
    },
];

fn rows(app: App, id: Id) -> AnyView {
    let caps = CAPS
        .iter()
        .map(|cap| {
            let (get, set) = (cap.get, cap.set);
            let number = Number::open(
                FieldPath::of("features", id, cap.field),
                cap.unit,
                Editor::NoLimit,
                move |p| feature(p, id).map(|f| get(&f.caps)),
                move |p, x| {
                    if let Some(f) = feature_mut(p, id) {
                        set(&mut f.caps, x);
                        f.caps.drop_idle_soft();
                    }
                },
            );
            let number = if cap.whole { number.in_whole() } else { number };
            row(app, number.entry(), read::unit_words(cap.unit))
        })
        .collect_view();
    let soft = Memo::new(move |_| {
        app.plan
            .with(|p| feature(p, id).and_then(|f| f.caps.soft))
            .map(|s| matches!(s.then, SoftAction::Degrade { .. }))
    });
    let unbounded = Memo::new(move |_| app.plan.with(|p| has(p, id, |c| c.tokens.is_none())));
    let warning = move || {
        unbounded.get().then(|| {
            let words = say(&Editor::Unbounded);
            view! { <div class="message warn" data-testid="unbounded">{icon(Icon::Warning)}<span>{words}</span></div> }
        })
    };
    view! {
        {warning}
        {caps}
        {choice(app, FieldPath::of("features", id, "soft_of"), move |p| kinds(p, id),
            move |p| feature(p, id).map(|f| word_of(f.caps.soft.map(|s| s.of))),
            move |p, v| if let Some(f) = feature_mut(p, id) { set_kind(&mut f.caps, v); })}
        {move || soft.get().map(|degrades| soft_rows(app, id, degrades))}
    }
    .into_any()
}

const NONE: &str = "none";

/// The value of an option.
fn word_of(kind: Option<CapKind>) -> String {
    let at = CAPS.iter().position(|c| c.kind.is_some() && c.kind == kind);
    at.map_or_else(|| NONE.to_owned(), |at| at.to_string())
}

/// No soft limit, or one before a cap that is set; the one that is chosen stays.
fn kinds(p: &Scenario, id: Id) -> Options {
    let caps = feature(p, id).map(|f| f.caps).unwrap_or_default();
    let chosen = caps.soft.map(|s| s.of);
    let mut options = vec![(NONE.to_owned(), say(&Editor::SoftNone))];
    for (at, cap) in CAPS.iter().enumerate() {
        let Some(kind) = cap.kind else { continue };
        if caps.amount(kind).is_some() || chosen == Some(kind) {
            let path = FieldPath::of("features", id, cap.field);
            options.push((at.to_string(), fields::label(&path)));
        }
    }
    options
}

fn set_kind(caps: &mut Caps, value: &str) {
    let kind = value.parse().ok().and_then(|at: usize| CAPS.get(at)?.kind);
    caps.soft = kind.map(|of| SoftLimit {
        of,
        ..caps.soft.unwrap_or_else(fresh::soft_limit)
    });
}

fn soft_rows(app: App, id: Id, degrades: bool) -> AnyView {
    let at = move |field: &str| FieldPath::of("features", id, field);
    let share = Number::new(
        at("soft_at"),
        Unit::Share,
        move |p| feature(p, id)?.caps.soft.map(|s| s.at),
        move |p, x| {
            if let Some(s) = feature_mut(p, id).and_then(|f| f.caps.soft.as_mut()) {
                s.at = x;
            }
        },
    );
    let factor = Number::new(
        at("soft_token_factor"),
        Unit::Factor,
        move |p| match feature(p, id)?.caps.soft?.then {
            SoftAction::Degrade { token_factor } => Some(token_factor),
            _ => None,
        },
        move |p, x| {
            if let Some(SoftAction::Degrade { token_factor }) =
                feature_mut(p, id).and_then(|f| f.caps.soft.as_mut().map(|s| &mut s.then))
            {
                *token_factor = x;
            }
        },
    );
    let actions = |_: &Scenario| -> Options {
        [
            ("stop", Editor::SoftStop),
            ("one", Editor::SoftOneMore),
            ("degrade", Editor::SoftDegrade),
        ]
        .map(|(value, words)| (value.to_owned(), say(&words)))
        .into()
    };
    let get = move |p: &Scenario| {
        let then = feature(p, id)?.caps.soft?.then;
        let word = match then {
            SoftAction::Stop => "stop",
            SoftAction::OneMoreCall => "one",
            SoftAction::Degrade { .. } => "degrade",
        };
        Some(word.to_owned())
    };
    let set = move |p: &mut Scenario, value: &str| {
        if let Some(s) = feature_mut(p, id).and_then(|f| f.caps.soft.as_mut()) {
            s.then = match value {
                "one" => SoftAction::OneMoreCall,
                "degrade" => SoftAction::Degrade { token_factor: 0.5 },
                _ => SoftAction::Stop,
            };
        }
    };
    view! {
        {row(app, share.entry(), None)}
        {choice(app, at("soft_then"), actions, get, set)}
        {degrades.then(|| row(app, factor.entry(), None))}
    }
    .into_any()
}
