//! A grid of 7 × 24 numbers that is painted with the keyboard or pasted.

use std::sync::Arc;

use leptos::{ev, prelude::*};

use super::hint;
use crate::domain::field::FieldPath;
use crate::domain::scenario::Scenario;
use crate::text::{editor::Editor, fields, say};
use crate::ui::state::App;
use crate::ui::week;

/// Reads the numbers of a week.
type Read = Arc<dyn Fn(&Scenario) -> Option<[f64; week::HOURS]> + Send + Sync>;
/// Writes them.
type Write = Arc<dyn Fn(&mut Scenario, [f64; week::HOURS]) + Send + Sync>;

/// What a grid paints.
#[derive(Clone)]
pub struct Painted {
    /// Its name in tests.
    pub testid: String,
    /// The field.
    pub path: FieldPath,
    /// Its numbers.
    pub get: Read,
    /// Writes them.
    pub set: Write,
    /// A number up or down.
    pub step: fn(f64, bool) -> f64,
    /// What a digit sets.
    pub digit: fn(u8) -> f64,
    /// What deleting sets.
    pub cleared: f64,
    /// A number in words.
    pub words: fn(f64) -> String,
    /// Numbers out of pasted text.
    pub pasted: fn(&str) -> Option<[f64; week::HOURS]>,
    /// What can be pasted.
    pub paste_rule: Editor,
    /// Which keys do what.
    pub keys: Editor,
}

/// The grid.
pub fn grid(app: App, painted: Painted) -> AnyView {
    let Painted {
        testid,
        path,
        get,
        set,
        step,
        digit,
        cleared,
        words,
        pasted,
        paste_rule,
        keys,
    } = painted;
    let label = fields::label(&path);
    let at = RwSignal::new(9usize);
    let weights = Memo::new(move |_| app.plan.with(|p| get(p)).unwrap_or([1.0; week::HOURS]));
    let most = Memo::new(move |_| weights.with(|w| w.iter().copied().fold(0.0, f64::max)));
    let write = move |new: [f64; week::HOURS]| {
        let what = app.plan.with_untracked(|p| fields::label_of(p, &path));
        app.commit(&Editor::Changed { what }, |p| set(p, new));
    };
    let write = Arc::new(write);
    let write_pasted = Arc::clone(&write);
    let paint = move |hour: usize, value: f64| {
        let mut new = weights.get_untracked();
        new[hour] = value;
        write(new);
    };
    let on_key = move |ev: ev::KeyboardEvent| {
        if ev.ctrl_key() || ev.meta_key() || ev.alt_key() {
            return;
        }
        let here = at.get_untracked();
        let value = weights.with_untracked(|w| w[here]);
        let key = ev.key();
        let to = match key.as_str() {
            "ArrowLeft" => Some((here + week::HOURS - 1) % week::HOURS),
            "ArrowRight" => Some((here + 1) % week::HOURS),
            "ArrowUp" => Some((here + week::HOURS - 24) % week::HOURS),
            "ArrowDown" => Some((here + 24) % week::HOURS),
            "Home" => Some(here / 24 * 24),
            "End" => Some(here / 24 * 24 + 23),
            _ => None,
        };
        if let Some(to) = to {
            ev.prevent_default();
            at.set(to);
            if ev.shift_key() {
                paint(to, value);
            }
            return;
        }
        let new = match key.as_str() {
            "+" | "=" => Some(step(value, true)),
            "-" => Some(step(value, false)),
            "Delete" | "Backspace" => Some(cleared),
            typed if typed.len() == 1 => typed.parse::<u8>().ok().map(digit),
            _ => None,
        };
        if let Some(new) = new {
            ev.prevent_default();
            ev.stop_propagation();
            paint(here, new);
        }
    };
    let on_paste = move |ev: ev::ClipboardEvent| {
        let text = ev
            .clipboard_data()
            .and_then(|d| d.get_data("text").ok())
            .unwrap_or_default();
        ev.prevent_default();
        match pasted(&text) {
            Some(new) => write_pasted(new),
            None => app.say(&paste_rule),
        }
    };
    let prefix = StoredValue::new(testid.clone());
    let cell_id = move |hour: usize| prefix.with_value(|p| format!("{p}-{hour}"));
    let keys_id = format!("{testid}{}", hint::END);
    let reading = move || {
        let hour = at.get();
        say(&Editor::WeekCell {
            day: week::day_name(hour / 24),
            hour: format!("{:02}:00", hour % 24),
            weight: words(weights.with(|w| w[hour])),
        })
    };
    view! {
        <div class="week">
            <div class="week-grid" role="grid" tabindex="0" aria-describedby=keys_id.clone() data-testid=testid aria-label=say(&Editor::WeekGridLabel { what: label })
                aria-activedescendant=move || cell_id(at.get()) on:keydown=on_key on:paste=on_paste>
                {(0..7).map(|day| view! {
                    <div class="week-row" role="row">
                        <span class="week-day" role="rowheader">{week::day_name(day)}</span>
                        {(0..24).map(|h| {
                            let hour = day * 24 + h;
                            let level = move || {
                                let most = most.get();
                                // five steps of one hue, like every heat map here
                                if most > 0.0 { (weights.with(|w| w[hour]) / most * 5.0).ceil().clamp(0.0, 5.0) as u8 } else { 0 }
                            };
                            view! {
                                <span role="gridcell" id=cell_id(hour) class=move || format!("week-cell h-{}", level())
                                    class:at=move || at.get() == hour aria-selected=move || (at.get() == hour).to_string()
                                    aria-label=move || words(weights.with(|w| w[hour]))
                                    on:click=move |_| at.set(hour)></span>
                            }
                        }).collect_view()}
                    </div>
                }).collect_view()}
                <div class="week-hours" aria-hidden="true"><span>"0"</span><span>"6"</span><span>"12"</span><span>"18"</span><span>"24"</span></div>
            </div>
            <p class="form-hint" aria-live="polite">{reading}</p>
            <p class="hint shown" id=keys_id>{say(&keys)}</p>
        </div>
    }
    .into_any()
}
