//! Files to take away: the plan as a table, the plan as it was entered.

use std::sync::Arc;

use leptos::prelude::*;

use super::Modal;
use crate::export::{self, Profile};
use crate::text::{format, say, ui::Ui};
use crate::ui::files;
use crate::ui::icons::{Icon, icon};
use crate::ui::state::{RunStatus, use_app};
use crate::ui::store;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Table,
    Json,
}

/// Rows of the file that are shown.
const PREVIEW_ROWS: usize = 6;

/// The dialog.
#[component]
pub fn Export() -> impl IntoView {
    let app = use_app();
    let kind = RwSignal::new(Kind::Table);
    let profile = RwSignal::new(if store::setting("profile").as_deref() == Some("data") {
        Profile::Data
    } else {
        Profile::Excel
    });
    let run = Memo::new(move |_| {
        app.run
            .with(|r| r.projection.clone().zip(r.plan.clone()).map(Shown))
    });
    let stale = move || {
        app.run.with(|r| {
            r.plan
                .as_ref()
                .is_some_and(|p| !Arc::ptr_eq(p, &app.plan.get()))
        })
    };
    let running = move || app.run.with(|r| r.status == RunStatus::Running);
    let opened = RwSignal::new(false);
    set_timeout(
        move || {
            let _ = opened.try_set(true);
        },
        std::time::Duration::ZERO,
    );
    // the first rows, as they will be in the file
    let preview = Memo::new(move |_| {
        // the dialog stands before its preview is made
        if !opened.get() {
            return None;
        }
        run.with(|r| {
            let Shown((projection, plan)) = r.as_ref()?;
            let (bytes, count) = export::plan_preview(plan, projection, PREVIEW_ROWS);
            let mut reader = csv::ReaderBuilder::new()
                .flexible(true)
                .from_reader(bytes.as_slice());
            let head: Vec<String> = reader.headers().ok()?.iter().map(str::to_owned).collect();
            let rows: Vec<Vec<String>> = reader
                .records()
                .filter_map(Result::ok)
                .map(|r| r.iter().map(str::to_owned).collect())
                .collect();
            Some((head, rows, count))
        })
    });
    let name = move || app.plan.with(|p| p.name.clone());
    let save_table = move |_| {
        let done = run.with_untracked(|r| {
            r.as_ref().is_some_and(|Shown((projection, plan))| {
                let bytes = export::plan_csv(plan, projection, profile.get_untracked());
                files::download(
                    &files::file_name(&plan.name, "csv"),
                    "text/csv;charset=utf-8",
                    &bytes,
                )
            })
        });
        if !done {
            app.say(&Ui::NothingToExport);
        }
    };
    let save_json = move |_| {
        let plan = app.plan.get_untracked();
        let text = export::scenario_json(&plan);
        files::download(
            &files::file_name(&plan.name, "json"),
            "application/json",
            text.as_bytes(),
        );
    };
    let option = move |k: Kind, testid: &'static str, title: Ui, words: Ui| {
        view! {
            <label class="file-kind" class:chosen=move || kind.get() == k>
                <input type="radio" name="export-kind" data-testid=testid prop:checked=move || kind.get() == k on:change=move |_| kind.set(k)/>
                <span><b>{say(&title)}</b><span class="small muted">{say(&words)}</span></span>
            </label>
        }
    };
    let choose = move |ev| {
        let data = event_target_value(&ev) == "data";
        profile.set(if data { Profile::Data } else { Profile::Excel });
        store::keep_setting("profile", if data { "data" } else { "excel" });
    };
    view! {
        <Modal title=say(&Ui::Export) name="export">
            <div class="dialog-body export-body">
                <div class="file-kinds">
                    {option(Kind::Table, "export-kind-csv", Ui::PlanTable, Ui::PlanTableWords)}
                    {option(Kind::Json, "export-kind-json", Ui::PlanJson, Ui::PlanJsonWords)}
                </div>
                <div class="export-how">
                    {move || if kind.get() == Kind::Table {
                        view! {
                            <label class="panel-line"><span>{say(&Ui::For)}</span>
                                <span class="value select"><select class="choice" data-testid="export-profile" on:change=choose>
                                    <option value="excel" selected=move || profile.get() == Profile::Excel>{say(&Ui::ProfileExcel)}</option>
                                    <option value="data" selected=move || profile.get() == Profile::Data>{say(&Ui::ProfileData)}</option>
                                </select></span></label>
                            {move || match preview.get() {
                                Some((head, rows, count)) => view! {
                                    <p class="small muted">{say(&Ui::PreviewOf { rows: format::integer(count as f64) })}</p>
                                    <div class="preview"><table>
                                        <thead><tr>{head.iter().map(|h| view! { <th scope="col">{h.clone()}</th> }).collect_view()}</tr></thead>
                                        <tbody>{rows.iter().map(|r| view! { <tr>{r.iter().map(|c| view! { <td>{c.clone()}</td> }).collect_view()}</tr> }).collect_view()}</tbody>
                                    </table></div>
                                }.into_any(),
                                None => opened.get().then(|| view! { <p class="muted">{say(&Ui::NothingToExport)}</p> }).into_any(),
                            }}
                            <p class="message small muted">{icon(Icon::Info)}<span>{say(&Ui::DoNotAdd)}</span></p>
                            {move || running().then(|| view! { <p class="small warn">{say(&Ui::StillRunning)}</p> })}
                            {move || stale().then(|| view! { <p class="small warn" data-testid="export-stale">{say(&Ui::ExportIsOld)}</p> })}
                        }.into_any()
                    } else {
                        view! {
                            <pre class="preview code">{move || app.plan.with(|p| export::scenario_json(p).lines().take(14).collect::<Vec<_>>().join("\n"))}</pre>
                            <p class="message small muted">{icon(Icon::Info)}<span>{say(&Ui::JsonOpensAgain)}</span></p>
                        }.into_any()
                    }}
                </div>
            </div>
            <footer class="dialog-foot">
                <span class="small muted">{move || {
                    let file = files::file_name(&name(), if kind.get() == Kind::Table { "csv" } else { "json" });
                    say(&Ui::MadeHere { file })
                }}</span>
                <span class="grow"></span>
                {move || if kind.get() == Kind::Table {
                    view! { <button class="button primary" type="button" data-testid="export-csv" disabled=move || run.with(Option::is_none) on:click=save_table>{icon(Icon::Export)}{say(&Ui::Download)}</button> }.into_any()
                } else {
                    view! { <button class="button primary" type="button" data-testid="export-json" on:click=save_json>{icon(Icon::Export)}{say(&Ui::Download)}</button> }.into_any()
                }}
            </footer>
        </Modal>
    }
}

/// Answers with their plan; the same if they are the same answers.
#[derive(Clone)]
struct Shown(
    (
        Arc<crate::engine::projection::Projection>,
        Arc<crate::domain::scenario::Scenario>,
    ),
);

impl PartialEq for Shown {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0.0, &other.0.0) && Arc::ptr_eq(&self.0.1, &other.0.1)
    }
}
