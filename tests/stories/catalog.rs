//! Prices, rates and limits of the stories are those of the catalog, with its source and date beside them.

use headroom::catalog;
use headroom::domain::field::FieldPath;
use headroom::domain::scenario::{Id, PoolKind, Scenario};

/// The note beside a field tells source, date and confidence of a catalog entry.
fn is_noted(s: &Scenario, section: &str, id: Id, field: &str, origin: &catalog::Origin) {
    let path = FieldPath::of(section, id, field);
    let note = s
        .notes
        .get(&path)
        .unwrap_or_else(|| panic!("no note at {}", path.as_str()));
    let wanted = origin.as_note();
    assert_eq!(
        (&note.source, note.date),
        (&wanted.source, wanted.date),
        "{}",
        path.as_str()
    );
    let confidence = format!("Confidence: {:?}.", origin.confidence).to_lowercase();
    assert!(
        note.text.to_lowercase().contains(&confidence),
        "{}: {}",
        path.as_str(),
        note.text
    );
}

#[test]
fn prices_rates_and_limits_come_from_the_catalog() {
    for story in headroom::stories::all() {
        let s = story.scenario();
        for model in &s.models {
            if let Some(card) = model.price {
                let entry = catalog::api_prices().iter().find(|e| e.model == model.name);
                let entry = entry.unwrap_or_else(|| panic!("no price of {}", model.name));
                assert_eq!(card, entry.card(), "{}", model.name);
                assert_eq!(entry.origin.confidence, catalog::Confidence::Primary);
                for field in ["uncached_input", "cached_read", "output"] {
                    is_noted(&s, "models", model.id, field, &entry.origin);
                }
            }
            if let Some(profile) = model.serving {
                let entry = catalog::serving_profiles()
                    .iter()
                    .find(|e| e.model == model.name && e.profile() == profile);
                let entry = entry.unwrap_or_else(|| panic!("no profile of {}", model.name));
                is_noted(
                    &s,
                    "models",
                    model.id,
                    "prefill_tokens_per_second",
                    &entry.origin,
                );
            }
        }
        for pool in &s.pools {
            match &pool.kind {
                PoolKind::GpuCluster {
                    on_demand_rate_per_gpu_hour: rate,
                    burst,
                    ..
                } => {
                    let entry = catalog::gpu_rates()
                        .iter()
                        .find(|e| e.gpu == "H100-SXM" && e.on_demand_per_gpu_hour == *rate);
                    let entry = entry.expect("an on-demand rate of the catalog");
                    assert_eq!(entry.origin.confidence, catalog::Confidence::Primary);
                    is_noted(
                        &s,
                        "pools",
                        pool.id,
                        "on_demand_rate_per_gpu_hour",
                        &entry.origin,
                    );
                    assert!(burst.is_none_or(|b| b.rate_per_gpu_hour == *rate));
                }
                PoolKind::PayAsYouGo {
                    tokens_per_minute,
                    cached_reads_count,
                    ..
                } => {
                    if tokens_per_minute.is_none() {
                        continue; // a story about money has no limit to take from anywhere
                    }
                    let entry = catalog::rate_limits().iter().find(|e| {
                        e.tokens_per_minute == *tokens_per_minute
                            && e.cached_reads_count == *cached_reads_count
                    });
                    let entry = entry.expect("a limit of the catalog");
                    is_noted(&s, "pools", pool.id, "tokens_per_minute", &entry.origin);
                }
            }
        }
    }
}
