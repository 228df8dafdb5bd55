//! A Monday hour by hour, with the hours in which less is read from the cache.

use leptos::prelude::*;

use super::{HEIGHT, WIDTH, tick_anchor};
use crate::domain::flows::factors;
use crate::domain::quantity::Shape;
use crate::domain::scenario::{Id, Scenario};
use crate::text::{format, say, ui::Ui};
use crate::ui::entities::feature;
use crate::ui::week;

const TOP: f64 = 18.0;
const FLOOR: f64 = HEIGHT - 18.0;

/// Requests by hour; none without a profile of the cached share.
pub fn picture(plan: &Scenario, id: Id) -> Option<AnyView> {
    let f = feature(plan, id)?;
    let left = factors(&f.by_hour.cached_share_left)?;
    let Shape::Fixed(cached) = f.cached_share.shape else {
        return None;
    };
    let weights = week::weights(&f.weekly_profile.shape);
    let day = &weights[..24];
    let most = day.iter().copied().fold(0.0, f64::max);
    let first = left.iter().position(|x| *x < 1.0).filter(|h| *h < 24)?;
    if most <= 0.0 {
        return None;
    }
    let step = WIDTH / 24.0;
    let bars = day.iter().zip(left).enumerate().map(|(hour, (weight, left))| {
        let tall = weight / most * (FLOOR - TOP);
        let class = if *left < 1.0 { "bar full" } else { "bar" };
        view! { <rect class=class x=format!("{:.1}", hour as f64 * step + 1.0) width=format!("{:.1}", step - 2.0) y=format!("{:.1}", FLOOR - tall) height=format!("{tall:.1}")></rect> }
    });
    let bars = bars.collect_view();
    let label = say(&Ui::CachedNotUsual {
        now: format::percent(cached * left[first]),
        usual: format::percent(cached),
    });
    let hours = left.iter().skip(first).take_while(|x| **x < 1.0).count();
    let beside = format!("{:.1}", (first + hours) as f64 * step + 6.0);
    Some(
        view! {
            <svg class="story-picture" viewBox=format!("0 0 {WIDTH} {HEIGHT}") role="img" aria-label=label.clone()>
                {bars}
                <text class="strong" x=beside y=format!("{:.1}", TOP + 8.0)>{label.clone()}</text>
                <line class="base" x1="0" x2=WIDTH.to_string() y1=FLOOR.to_string() y2=FLOOR.to_string()></line>
                {[0usize, 6, 12, 18].into_iter().map(|hour| {
                    let at = (hour as f64 + 0.5) * step;
                    view! { <text x=format!("{at:.1}") y=(HEIGHT - 4.0).to_string() text-anchor=tick_anchor(at)>{format!("{hour:02}:00")}</text> }
                }).collect_view()}
            </svg>
        }
        .into_any(),
    )
}
