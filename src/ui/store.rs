//! Plans in this browser's storage: one key a plan, one for its undo list, one for what was typed into it and could not
//! be read, one that names the current plan.

use leptos::prelude::window;
use web_sys::Storage;

use super::history::History;
use super::saved::{self, ReadProblem};
use super::state::BadEntries;
use crate::domain::scenario::Scenario;

const PLAN: &str = "headroom.plan.";
const UNDO: &str = "headroom.undo.";
const TYPED: &str = "headroom.typed.";
const ASIDE: &str = "headroom.aside.";
const CURRENT: &str = "headroom.current";

/// A line of the menu of plans.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanLine {
    /// Its number in storage.
    pub id: u32,
    /// Its name; untrusted.
    pub name: String,
    /// Milliseconds since 1970 at the last change.
    pub changed_ms: f64,
}

/// Why something could not be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreProblem {
    /// The browser gives this page no storage.
    Closed,
    /// There is no room.
    Full,
    /// Another tab changed the plan since this one read or wrote it.
    OtherTab,
}

/// Plans that could not be read; their text was put aside, nothing is thrown away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unreadable {
    /// How many were damaged.
    pub damaged: u32,
    /// How many a newer version of this page wrote.
    pub newer: u32,
}

/// A plan that was taken out, to be put back.
#[derive(Clone, Debug, PartialEq)]
pub struct Removed {
    id: u32,
    plan: Option<String>,
    undo: Option<String>,
    typed: Option<String>,
}

/// The storage of this origin, if there is one.
#[must_use]
pub fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

fn get(key: &str) -> Option<String> {
    storage()?.get_item(key).ok().flatten()
}

fn remove_key(key: &str) {
    if let Some(s) = storage() {
        // A key that cannot be removed is overwritten by the next change.
        let _ = s.remove_item(key);
    }
}

fn keys(prefix: &str) -> Vec<u32> {
    let Some(s) = storage() else { return vec![] };
    let mut ids: Vec<u32> = (0..s.length().unwrap_or(0))
        .filter_map(|i| s.key(i).ok().flatten())
        .filter_map(|k| k.strip_prefix(prefix)?.parse().ok())
        .collect();
    ids.sort_unstable();
    ids
}

/// Writes a text; when there is no room, undo lists go before plans do.
fn set(key: &str, text: &str) -> Result<(), StoreProblem> {
    let s = storage().ok_or(StoreProblem::Closed)?;
    if s.set_item(key, text).is_ok() {
        return Ok(());
    }
    if s.length().unwrap_or(0) == 0 {
        return Err(StoreProblem::Closed);
    }
    for id in keys(UNDO) {
        remove_key(&format!("{UNDO}{id}"));
    }
    s.set_item(key, text).map_err(|_| StoreProblem::Full)
}

/// A small setting; `None` if it was never set.
#[must_use]
pub fn setting(name: &str) -> Option<String> {
    get(&format!("headroom.{name}"))
}

/// Keeps a small setting; without room it holds for this visit.
pub fn keep_setting(name: &str, value: &str) {
    if let Some(s) = storage() {
        let _ = s.set_item(&format!("headroom.{name}"), value);
    }
}

/// Tells one stored text of a plan from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark(u64);

fn mark_of(text: &str) -> Mark {
    Mark(xxhash_rust::xxh3::xxh3_64(text.as_bytes()))
}

/// The mark of a plan as it is stored now; none if it is not.
#[must_use]
pub fn mark(id: u32) -> Option<Mark> {
    get(&format!("{PLAN}{id}")).map(|text| mark_of(&text))
}

/// Whether an event of the storage is about a plan.
#[must_use]
pub fn is_of_plan(event: &web_sys::StorageEvent, id: u32) -> bool {
    event.key().as_deref() == Some(&format!("{PLAN}{id}"))
}

/// Keeps a plan with its undo list; `seen` is the mark at which this tab knows the stored plan. Gives the new mark.
///
/// # Errors
/// When the plan could not be kept; a lost undo list alone is no error.
pub fn save(
    id: u32,
    plan: &Scenario,
    history: &History,
    seen: Option<Mark>,
) -> Result<Mark, StoreProblem> {
    // A plan that another tab deleted is kept again: it is on a screen.
    if mark(id).is_some_and(|now| seen != Some(now)) {
        return Err(StoreProblem::OtherTab);
    }
    let text = saved::write_plan(plan, js_sys::Date::now()).ok_or(StoreProblem::Full)?;
    set(&format!("{PLAN}{id}"), &text)?;
    if let (Some(s), Some(undo)) = (storage(), saved::write_history(history)) {
        let key = format!("{UNDO}{id}");
        if s.set_item(&key, &undo).is_err() {
            // An old list must not be joined to a newer plan.
            remove_key(&key);
        }
    }
    make_current(id);
    Ok(mark_of(&text))
}

/// Keeps what was typed into a plan and could not be read.
pub fn keep_typed(id: u32, typed: &BadEntries) {
    let key = format!("{TYPED}{id}");
    match serde_json::to_string(typed) {
        // without room it holds for this visit
        Ok(text) if !typed.is_empty() => drop(set(&key, &text)),
        _ => remove_key(&key),
    }
}

/// What was typed into a plan and could not be read; nothing where the plan has no such entity any more.
#[must_use]
pub fn typed(id: u32, plan: &Scenario) -> BadEntries {
    let text = get(&format!("{TYPED}{id}")).unwrap_or_default();
    let mut typed: BadEntries = serde_json::from_str(&text).unwrap_or_default();
    typed.retain(|path, _| path.parts().1.is_none_or(|id| plan.has(id)));
    typed
}

/// Remembers which plan is open.
pub fn make_current(id: u32) {
    // Without room the next visit opens the plan that was open before.
    let _ = set(CURRENT, &id.to_string());
}

/// A number that no plan has.
#[must_use]
pub fn free_id() -> u32 {
    keys(PLAN).last().map_or(1, |id| id.saturating_add(1))
}

/// The plan with a number and its undo list.
///
/// # Errors
/// When the stored text is no plan (of this version).
pub fn load(id: u32) -> Option<Result<(Scenario, History), ReadProblem>> {
    let text = get(&format!("{PLAN}{id}"))?;
    Some(saved::read_plan(&text).map(|plan| {
        let history = get(&format!("{UNDO}{id}"))
            .map(|t| saved::read_history(&t))
            .unwrap_or_default();
        (plan.scenario, history)
    }))
}

/// The number of the plan that was open last, if it is still there.
#[must_use]
pub fn current() -> Option<u32> {
    get(CURRENT)?.parse().ok()
}

/// All readable plans, the one changed last first.
#[must_use]
pub fn list() -> Vec<PlanLine> {
    let mut lines: Vec<_> = keys(PLAN)
        .into_iter()
        .filter_map(|id| {
            let plan = saved::read_plan(&get(&format!("{PLAN}{id}"))?).ok()?;
            Some(PlanLine {
                id,
                name: plan.scenario.name,
                changed_ms: plan.changed_ms,
            })
        })
        .collect();
    lines.sort_by(|a, b| b.changed_ms.total_cmp(&a.changed_ms));
    lines
}

/// Puts the text of plans that cannot be read aside, under keys of their own, so that nothing overwrites it.
pub fn put_aside() -> Unreadable {
    let mut out = Unreadable::default();
    for id in keys(PLAN) {
        let key = format!("{PLAN}{id}");
        let Some(text) = get(&key) else { continue };
        match saved::read_plan(&text) {
            Ok(_) => continue,
            Err(ReadProblem::Newer) => {
                // Left where it is: the newer page will read it again.
                out.newer += 1;
                continue;
            }
            Err(ReadProblem::Damaged) => out.damaged += 1,
        }
        let stamp = js_sys::Date::now();
        if let Some(s) = storage()
            && s.set_item(&format!("{ASIDE}{id}.{stamp}"), &text).is_ok()
        {
            remove_key(&key);
            remove_key(&format!("{UNDO}{id}"));
        }
    }
    out
}

/// Takes a plan out.
#[must_use]
pub fn remove(id: u32) -> Removed {
    let [plan, undo, typed] = [PLAN, UNDO, TYPED].map(|kind| format!("{kind}{id}"));
    let removed = Removed {
        id,
        plan: get(&plan),
        undo: get(&undo),
        typed: get(&typed),
    };
    for key in [plan, undo, typed] {
        remove_key(&key);
    }
    removed
}

/// Puts it back.
///
/// # Errors
/// When there is no room any more.
pub fn restore(removed: &Removed) -> Result<u32, StoreProblem> {
    let id = if get(&format!("{PLAN}{}", removed.id)).is_some() {
        free_id()
    } else {
        removed.id
    };
    if let Some(text) = &removed.plan {
        set(&format!("{PLAN}{id}"), text)?;
    }
    for (kind, text) in [(UNDO, &removed.undo), (TYPED, &removed.typed)] {
        if let Some(text) = text {
            // The plan counts; what belongs to it may be lost.
            let _ = set(&format!("{kind}{id}"), text);
        }
    }
    Ok(id)
}
