//! The form of a pool: a GPU cluster or a key.

use leptos::prelude::*;

use super::choices::check;
use super::frames::{Line, Parts};
use super::rows::{Number, row};
use super::{catalog, hint, options};
use crate::domain::field::{FieldPath, Unit};
use crate::domain::scenario::{Burst, CommitmentKind, Id, PoolKind, Scenario};
use crate::text::{editor::Editor, fields, format, hints::About, say};
use crate::ui::entities::{pool, pool_mut};
use crate::ui::fresh;
use crate::ui::state::App;

/// The section's parts.
pub const PARTS: Parts = Parts {
    summary: |app| options::names(app, |p| p.pools.iter().map(|x| x.name.clone()).collect()),
    figures: |_| String::new(),
    line,
    form,
};

fn users(p: &Scenario, id: Id) -> u32 {
    u32::try_from(p.features.iter().filter(|f| f.pool == id).count()).unwrap_or(u32::MAX)
}

fn line(app: App, id: Id) -> Line {
    let state = app.plan.with(|p| match pool(p, id).map(|x| &x.kind) {
        Some(PoolKind::GpuCluster { .. }) => say(&Editor::ClusterLine {
            features: users(p, id),
        }),
        Some(PoolKind::PayAsYouGo { .. }) => say(&Editor::KeyLine {
            features: users(p, id),
        }),
        None => String::new(),
    });
    let figure = app.plan.with(|p| {
        let gpus = committed(p, id).last().map(|(_, g)| *g)?;
        matches!(pool(p, id)?.kind, PoolKind::GpuCluster { .. })
            .then(|| say(&Editor::GpuCount { count: gpus }))
    });
    Line {
        state,
        figure: figure.unwrap_or_default(),
    }
}

/// Days on which the committed GPUs of a cluster change, with the number from then on.
fn committed(p: &Scenario, id: Id) -> Vec<(jiff::civil::Date, u32)> {
    let mut steps = Vec::new();
    for c in &p.commitments {
        if let CommitmentKind::ReservedCapacity { pool, gpus, .. } = c.kind
            && pool == id
        {
            steps.push((c.start, i64::from(gpus)));
            steps.push((
                crate::domain::calendar::term_end(c.start, c.term_months),
                -i64::from(gpus),
            ));
        }
    }
    steps.sort_unstable();
    let mut total = 0;
    let mut out: Vec<(jiff::civil::Date, u32)> = Vec::new();
    for (day, change) in steps {
        total += change;
        let now = u32::try_from(total.max(0)).unwrap_or(u32::MAX);
        match out.last_mut() {
            Some((last, gpus)) if *last == day => *gpus = now,
            _ => out.push((day, now)),
        }
    }
    // the end of the last contract is not what the cluster "has"
    while out.len() > 1 && out.last().is_some_and(|(_, g)| *g == 0) {
        out.pop();
    }
    out
}

fn is_cluster(app: App, id: Id) -> Memo<bool> {
    Memo::new(move |_| app.plan.with(|p| crate::ui::entities::is_cluster(p, id)))
}

fn kind_id(id: Id) -> String {
    format!("pool-{}-kind", id.0)
}

fn form(app: App, id: Id) -> AnyView {
    let cluster = is_cluster(app, id);
    let kind_button = move |for_cluster: bool, words: Editor| {
        let choose = move |_| {
            let what = app
                .plan
                .with_untracked(|p| fields::entity_name(p, id).unwrap_or_default().to_owned());
            app.commit(&Editor::Changed { what }, |p| {
                if let Some(x) = pool_mut(p, id)
                    && matches!(x.kind, PoolKind::GpuCluster { .. }) != for_cluster
                {
                    x.kind = if for_cluster {
                        fresh::gpu_cluster()
                    } else {
                        fresh::pay_as_you_go()
                    };
                }
            });
        };
        view! {
            <button type="button" aria-describedby=format!("{}{}", kind_id(id), hint::END) aria-pressed=move || (cluster.get() == for_cluster).to_string() on:click=choose>{say(&words)}</button>
        }
    };
    let acceptable = Number::new(
        FieldPath::of("pools", id, "acceptable_chance"),
        Unit::Share,
        move |p| pool(p, id).map(|x| x.acceptable_chance),
        move |p, v| {
            if let Some(x) = pool_mut(p, id) {
                x.acceptable_chance = v;
            }
        },
    )
    .entry();
    view! {
        <div class="segments" role="group" aria-label=say(&Editor::KindOfPool)>
            {kind_button(true, Editor::KindCluster)}
            {kind_button(false, Editor::KindKey)}
        </div>
        {hint::about(&kind_id(id), &About::KindOfPool)}
        {move || if cluster.get() { cluster_form(app, id) } else { key_form(app, id) }}
        {row(app, acceptable, Some(say(&Editor::ChanceAMonth)))}
    }
    .into_any()
}

fn cluster_form(app: App, id: Id) -> AnyView {
    let at = move |field: &str| FieldPath::of("pools", id, field);
    let target = Number::new(
        at("target_utilisation"),
        Unit::Share,
        move |p| match pool(p, id)?.kind {
            PoolKind::GpuCluster {
                target_utilisation, ..
            } => Some(target_utilisation),
            PoolKind::PayAsYouGo { .. } => None,
        },
        move |p, v| {
            if let Some(PoolKind::GpuCluster {
                target_utilisation, ..
            }) = pool_mut(p, id).map(|x| &mut x.kind)
            {
                *target_utilisation = v;
            }
        },
    )
    .entry();
    let on_demand = Number::new(
        at("on_demand_rate_per_gpu_hour"),
        Unit::MoneyPerGpuHour,
        move |p| match pool(p, id)?.kind {
            PoolKind::GpuCluster {
                on_demand_rate_per_gpu_hour,
                ..
            } => Some(on_demand_rate_per_gpu_hour),
            PoolKind::PayAsYouGo { .. } => None,
        },
        move |p, v| {
            if let Some(PoolKind::GpuCluster {
                on_demand_rate_per_gpu_hour,
                ..
            }) = pool_mut(p, id).map(|x| &mut x.kind)
            {
                *on_demand_rate_per_gpu_hour = v;
            }
        },
    )
    .entry();
    let bursts = Memo::new(move |_| app.plan.with(|p| burst(p, id).is_some()));
    let gpus = move || {
        app.plan.with(|p| {
            let steps = committed(p, id);
            if steps.is_empty() {
                return say(&Editor::NoContractYet);
            }
            steps
                .iter()
                .map(|(day, gpus)| {
                    say(&Editor::GpusFrom {
                        count: *gpus,
                        date: format::date(*day),
                    })
                })
                .collect::<Vec<_>>()
                .join(", ")
        })
    };
    view! {
        <div class="field wide">
            <span class="label-like">{say(&Editor::CommittedGpus)}</span>
            <div class="value plain"><span class="shown">{gpus}</span></div>
            <p class="hint shown">{say(&About::CommittedGpus)}</p>
        </div>
        {row(app, target, None)}
        {row(app, on_demand, Some(say(&Editor::PerGpuHour)))}
        {catalog::on_demand_picker(app, id)}
        {check(app, at("burst"), Editor::BurstTick, move |p| Some(burst(p, id).is_some()), move |p, on| {
            if let Some(PoolKind::GpuCluster { burst, on_demand_rate_per_gpu_hour, .. }) = pool_mut(p, id).map(|x| &mut x.kind) {
                let rate_per_gpu_hour = *on_demand_rate_per_gpu_hour;
                *burst = on.then_some(Burst { max_gpus: 16, rate_per_gpu_hour });
            }
        })}
        {move || bursts.get().then(|| burst_rows(app, id))}
    }
    .into_any()
}

fn burst(p: &Scenario, id: Id) -> Option<Burst> {
    match pool(p, id)?.kind {
        PoolKind::GpuCluster { burst, .. } => burst,
        PoolKind::PayAsYouGo { .. } => None,
    }
}

fn burst_mut(p: &mut Scenario, id: Id) -> Option<&mut Burst> {
    match &mut pool_mut(p, id)?.kind {
        PoolKind::GpuCluster { burst, .. } => burst.as_mut(),
        PoolKind::PayAsYouGo { .. } => None,
    }
}

fn burst_rows(app: App, id: Id) -> AnyView {
    let at = move |field: &str| FieldPath::of("pools", id, field);
    let most = Number::whole(
        at("max_gpus"),
        Unit::Gpus,
        move |p| burst(p, id).map(|b| b.max_gpus),
        move |p, v| {
            if let Some(b) = burst_mut(p, id) {
                b.max_gpus = v;
            }
        },
    )
    .entry();
    let rate = Number::new(
        at("rate_per_gpu_hour"),
        Unit::MoneyPerGpuHour,
        move |p| burst(p, id).map(|b| b.rate_per_gpu_hour),
        move |p, v| {
            if let Some(b) = burst_mut(p, id) {
                b.rate_per_gpu_hour = v;
            }
        },
    )
    .entry();
    view! {
        {row(app, most, Some(say(&Editor::UnitGpus)))}
        {row(app, rate, Some(say(&Editor::PerGpuHour)))}
    }
    .into_any()
}

fn key_form(app: App, id: Id) -> AnyView {
    let at = move |field: &str| FieldPath::of("pools", id, field);
    let tokens = Number::open(
        at("tokens_per_minute"),
        Unit::TokensPerMinute,
        Editor::NoLimit,
        move |p| match pool(p, id)?.kind {
            PoolKind::PayAsYouGo {
                tokens_per_minute, ..
            } => Some(tokens_per_minute),
            PoolKind::GpuCluster { .. } => None,
        },
        move |p, v| {
            if let Some(PoolKind::PayAsYouGo {
                tokens_per_minute, ..
            }) = pool_mut(p, id).map(|x| &mut x.kind)
            {
                *tokens_per_minute = v;
            }
        },
    )
    .entry();
    let calls = Number::open(
        at("requests_per_minute"),
        Unit::RequestsPerMinute,
        Editor::NoLimit,
        move |p| match pool(p, id)?.kind {
            PoolKind::PayAsYouGo {
                requests_per_minute,
                ..
            } => Some(requests_per_minute),
            PoolKind::GpuCluster { .. } => None,
        },
        move |p, v| {
            if let Some(PoolKind::PayAsYouGo {
                requests_per_minute,
                ..
            }) = pool_mut(p, id).map(|x| &mut x.kind)
            {
                *requests_per_minute = v;
            }
        },
    )
    .entry();
    view! {
        {row(app, tokens, None)}
        {row(app, calls, None)}
        {check(app, at("cached_reads_count"), Editor::CachedReadsTick,
            move |p| match pool(p, id)?.kind {
                PoolKind::PayAsYouGo { cached_reads_count, .. } => Some(cached_reads_count),
                PoolKind::GpuCluster { .. } => None,
            },
            move |p, on| if let Some(PoolKind::PayAsYouGo { cached_reads_count, .. }) = pool_mut(p, id).map(|x| &mut x.kind) {
                *cached_reads_count = on;
            })}
        {catalog::limits_picker(app, id)}
    }
    .into_any()
}
