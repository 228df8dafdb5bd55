//! The keys that do something, by the place where they do it.

use leptos::prelude::*;

use super::Modal;
use crate::text::keys::Keys as Words;
use crate::text::say;

/// What stands between two keys.
#[derive(Clone, Copy)]
enum Join {
    /// Pressed together.
    With,
    /// Either does it.
    Or,
}

/// Keys, and what they do.
struct Line {
    keys: &'static [&'static str],
    join: Join,
    does: Words,
}

const fn together(keys: &'static [&'static str], does: Words) -> Line {
    let join = Join::With;
    Line { keys, join, does }
}

const fn either(keys: &'static [&'static str], does: Words) -> Line {
    let join = Join::Or;
    Line { keys, join, does }
}

const GROUPS: [(Words, &[Line]); 5] = [
    (
        Words::Everywhere,
        &[
            together(&["Ctrl", "Enter"], Words::Run),
            either(&["Esc"], Words::Stop),
            together(&["Ctrl", "Z"], Words::Undo),
            together(&["Ctrl", "Shift", "Z"], Words::Redo),
            either(&["["], Words::HidePlan),
            either(&["]"], Words::HideAnswers),
            either(&["?"], Words::ThisMap),
        ],
    ),
    (
        Words::InPlan,
        &[
            either(&["Enter"], Words::Keep),
            either(&["Esc"], Words::Restore),
            either(&["\u{2191}", "\u{2193}"], Words::Nudge),
            together(&["Shift", "F2"], Words::OpenNote),
            together(&["Alt", "\u{2191} \u{2193}"], Words::MoveEntity),
        ],
    ),
    (
        Words::InWeek,
        &[
            either(
                &["\u{2190}", "\u{2192}", "\u{2191}", "\u{2193}"],
                Words::WeekMove,
            ),
            together(
                &["Shift", "\u{2190} \u{2192} \u{2191} \u{2193}"],
                Words::WeekPaint,
            ),
            either(&["0 \u{2026} 9", "+", "\u{2212}"], Words::WeekSet),
        ],
    ),
    (
        Words::InTime,
        &[
            either(&["\u{2190}", "\u{2192}"], Words::Month),
            either(&["Home", "End"], Words::Ends),
            either(&["Esc"], Words::LetGo),
        ],
    ),
    (
        Words::InCards,
        &[
            either(&["T"], Words::Table),
            either(&["F"], Words::Fill),
            either(
                &["\u{2190}", "\u{2192}", "\u{2191}", "\u{2193}"],
                Words::Hour,
            ),
        ],
    ),
];

/// The map of keys.
#[component]
pub fn KeyMap() -> impl IntoView {
    view! {
        <Modal title=say(&Words::Title) name="keys">
            <div class="dialog-body key-map" tabindex="0">
                {GROUPS.iter().map(|(place, lines)| view! {
                    <section>
                        <h2>{say(place)}</h2>
                        <dl>{lines.iter().map(line).collect_view()}</dl>
                    </section>
                }).collect_view()}
            </div>
            <footer class="dialog-foot"><span class="small muted">{say(&Words::Note)}</span></footer>
        </Modal>
    }
}

fn line(line: &Line) -> impl IntoView + use<> {
    let join = match line.join {
        Join::With => "+",
        Join::Or => "/",
    };
    let keys = line.keys.iter().enumerate().map(|(at, key)| {
        view! { {(at > 0).then(|| view! { <span class="muted">{join}</span> })}<kbd>{*key}</kbd> }
    });
    view! { <div><dt>{keys.collect_view()}</dt><dd>{say(&line.does)}</dd></div> }
}
