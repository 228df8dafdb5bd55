//! What a chart of months says under the pointer.

use leptos::prelude::*;

use crate::chart::frame::time::TimeAxis;
use crate::chart::scene::Area;
use crate::ui::answers::view::table::Table;

/// A month under the pointer of a chart with months, and what is said about it.
#[component]
pub(super) fn MonthNote(
    /// Months, the plot, and the width of the picture.
    #[prop(into)]
    place: Signal<Option<(TimeAxis, Area, f64)>>,
    /// What is said about a month.
    says: impl Fn(usize) -> Option<String> + Send + Sync + 'static,
    /// Key for tests and scripts.
    key: &'static str,
) -> impl IntoView {
    let month = RwSignal::new(None::<usize>);
    let moved = move |ev: web_sys::PointerEvent| {
        let x = f64::from(ev.offset_x());
        let now = place.with_untracked(|p| p.as_ref().and_then(|(axis, ..)| axis.month_at(x)));
        if month.get_untracked() != now {
            month.set(now);
        }
    };
    let note = move || {
        let month = month.get()?;
        let place = place.read();
        let (axis, plot, width) = place.as_ref()?;
        if month >= axis.months() {
            return None;
        }
        let words = says(month)?;
        let (from, to) = axis.month(month);
        let right = from > f64::midpoint(plot.left, plot.right);
        let px = |v: f64| format!("{v:.1}px");
        let left = (!right).then(|| px(to + 6.0));
        let right = right.then(|| px(width - from + 6.0));
        Some(view! {
            <div class="month-frame" style:left=px(from) style:width=px(to - from) style:top=px(plot.top) style:height=px(plot.height())></div>
            <div class="hover-note lines" data-testid=format!("{key}-hover") style:top=px(plot.top + 4.0) style:left=left style:right=right>{words}</div>
        })
    };
    view! {
        <div class="hover-layer" on:pointermove=moved on:pointerleave=move |_| month.set(None)></div>
        {note}
    }
}

/// A row of a table in lines: month, then each heading with its value.
pub(super) fn row_in_lines(table: Option<Table>, row: usize) -> Option<String> {
    let table = table?;
    let row = table.rows.get(row)?;
    let values = table.head.iter().skip(1).zip(&row.cells);
    let lines = values.map(|(head, cell)| format!("{head}: {}", cell.text));
    Some(
        std::iter::once(row.name.clone())
            .chain(lines)
            .collect::<Vec<_>>()
            .join("\n"),
    )
}
