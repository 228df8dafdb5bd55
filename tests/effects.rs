//! Every field of a plan does something: each leaf of a plan that has everything is changed to other valid values, and
//! what the trials store (money and physical quantities, not the drawn inputs) must change, or, for what is judged
//! after the trials, the projection. Fields without any effect are named here with the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use headroom::domain::scenario::Scenario;
use headroom::engine::plan::compile;
use headroom::engine::run::{Cache, Simulator, run_all};
use serde_json::{Value, json};

/// Fields that no number depends on, and why.
const NO_EFFECT: &[(&str, &str)] = &[
    ("format", "the version of the file"),
    ("name", "what the plan is called"),
    ("notes", "where inputs come from"),
    ("features/[]/name", "what it is called"),
    ("models/[]/name", "what it is called"),
    ("pools/[]/name", "what it is called"),
    ("commitments/[]/name", "what it is called"),
    ("seasons/[]/name", "what it is called"),
    ("budgets/[]/name", "what it is called"),
    ("models/[]/id", "only who refers to it counts"),
    ("pools/[]/id", "only who refers to it counts"),
    ("commitments/[]/id", "only who refers to it counts"),
    ("budgets/[]/id", "only who refers to it counts"),
    (
        "pools/[]/acceptable_chance",
        "judges the answers: what is at risk, fine, or to be watched",
    ),
    (
        "budgets/[]/acceptable_chance",
        "judges the answers: what is at risk, fine, or to be watched",
    ),
];

/// Fields that the trials do not depend on, but the projection of the trials does.
const AFTER_THE_TRIALS: &[&str] = &[
    "settings/currency",
    "settings/fiscal_year_start_month",
    "settings/trials",
    "budgets/[]/period",
    "budgets/[]/only",
    "budgets/[]/amount",
    "budgets/[]/cost",
    "budgets/[]/spent_before",
];

const TRIALS: u32 = 100;

fn plan() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/effects.json");
    let text = std::fs::read_to_string(path).expect("the plan");
    serde_json::from_str(&text).expect("JSON")
}

fn scenario(value: &Value) -> Option<Scenario> {
    let scenario: Scenario = serde_json::from_value(value.clone()).ok()?;
    scenario.problems().is_empty().then_some(scenario)
}

/// Digest of what the trials store besides their inputs; identities of windows and features move draws and so count.
fn stored(scenario: &Scenario, cache: &mut Cache) -> u128 {
    let plan = compile(scenario).expect("a valid plan");
    let batch = Simulator::new(&plan, cache).simulate(0, TRIALS);
    let mut bytes: Vec<u8> = Vec::new();
    bytes.extend(batch.money.iter().flat_map(|x| x.to_bits().to_le_bytes()));
    bytes.extend(
        batch
            .physical
            .iter()
            .flat_map(|x| x.to_bits().to_le_bytes()),
    );
    xxhash_rust::xxh3::xxh3_128(&bytes)
}

/// The projection without the digest of the plan itself.
fn projected(scenario: &Scenario) -> Value {
    let settings = &scenario.settings;
    let projection = run_all(scenario, settings.trials, settings.seed, &mut |_, _| ());
    let mut value = serde_json::to_value(projection.expect("a run")).expect("JSON");
    value["scenario_digest"] = Value::Null;
    value
}

/// Pointers of all leaves, of long lists the first few.
fn leaves(value: &Value, at: &str, out: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, inner)| {
            leaves(inner, &format!("{at}/{}", key.replace('/', "~1")), out)
        }),
        Value::Array(items) => items
            .iter()
            .take(9)
            .enumerate()
            .for_each(|(i, inner)| leaves(inner, &format!("{at}/{i}"), out)),
        _ => out.push(at.to_owned()),
    }
}

/// The field that a pointer is of: numbers of lists left out.
fn field(pointer: &str) -> String {
    let parts = pointer.split('/').skip(1);
    let part = |p: &str| {
        if p.parse::<u32>().is_ok() {
            "[]".to_owned()
        } else {
            p.to_owned()
        }
    };
    parts.map(part).collect::<Vec<_>>().join("/")
}

/// The groups of which one leaf must have an effect: the field, and the number of the shape that it is entered by.
fn groups(pointer: &str) -> Vec<String> {
    let name = field(pointer);
    match name.split_once("/shape/") {
        Some((of, inner)) if !of.ends_with("weekly_profile") => {
            let inner = inner.rsplit("part/").next().unwrap_or(inner);
            vec![of.to_owned(), format!("shape/{inner}")]
        }
        _ => vec![name],
    }
}

/// Other values that a leaf may have; most are refused by the plan's own checks.
fn others(leaf: &Value, words: &BTreeSet<String>) -> Vec<Value> {
    match leaf {
        Value::Bool(b) => vec![json!(!b)],
        Value::Number(n) if n.is_u64() => {
            let n = n.as_u64().unwrap_or(0);
            [n + 1, n.saturating_sub(1), n * 2, n / 2, n + 7, n * 10]
                .into_iter()
                .filter(|x| *x != n)
                .map(|x| json!(x))
                .collect()
        }
        Value::Number(n) => {
            let x = n.as_f64().unwrap_or(0.0);
            [
                x * 1.05,
                x * 0.95,
                x * 2.0,
                x * 0.5,
                x + 0.5,
                x * 10.0,
                x - 0.3,
            ]
            .into_iter()
            .filter(|y| *y != x)
            .map(|y| json!(y))
            .collect()
        }
        Value::String(text) => match text.parse::<jiff::civil::Date>() {
            Ok(day) => [1, -1, 9, -9, 31, 365]
                .into_iter()
                .filter_map(|by| day.checked_add(jiff::Span::new().days(by)).ok())
                .map(|d| json!(d.to_string()))
                .collect(),
            Err(_) => words
                .iter()
                .map(String::as_str)
                .chain(["Asia/Tokyo", "EUR", "features/2/growth_per_month", "other"])
                .filter(|w| w != text)
                .map(|w| json!(w))
                .chain([json!({"planned": {
                    "date": "2027-01-20",
                    "slip_days": {"shape": {"fixed": 2.0}},
                    "ramp_days": {"shape": {"fixed": 9.0}},
                }})])
                .collect(),
        },
        _ => vec![],
    }
}

/// Names of fields and words without content, from the schema.
fn vocabulary() -> (BTreeSet<String>, BTreeSet<String>) {
    fn collect(schema: &Value, fields: &mut BTreeSet<String>, words: &mut BTreeSet<String>) {
        match schema {
            Value::Object(map) => {
                if let Some(Value::Object(inner)) = map.get("properties") {
                    fields.extend(inner.keys().cloned());
                }
                words.extend(map.get("const").and_then(Value::as_str).map(str::to_owned));
                if let Some(Value::Array(all)) = map.get("enum") {
                    words.extend(all.iter().filter_map(Value::as_str).map(str::to_owned));
                }
                map.values().for_each(|v| collect(v, fields, words));
            }
            Value::Array(items) => items.iter().for_each(|v| collect(v, fields, words)),
            _ => {}
        }
    }
    let schema = serde_json::from_str(&headroom::export::scenario_schema()).expect("JSON");
    let (mut fields, mut words) = (BTreeSet::new(), BTreeSet::new());
    collect(&schema, &mut fields, &mut words);
    (fields, words)
}

fn has_no_effect(field: &str) -> bool {
    NO_EFFECT
        .iter()
        .any(|(name, _)| field == *name || field.starts_with(&format!("{name}/")))
}

#[test]
fn the_plan_has_every_field() {
    let plan = plan();
    assert!(
        scenario(&plan).is_some(),
        "{:?}",
        serde_json::from_value::<Scenario>(plan.clone()).map(|s| s.problems())
    );
    let mut all = Vec::new();
    leaves(&plan, "", &mut all);
    let used: BTreeSet<&str> = all.iter().flat_map(|l| l.split('/')).collect();
    let (fields, _) = vocabulary();
    let missing: Vec<&String> = fields
        .iter()
        .filter(|f| !used.contains(f.as_str()))
        .collect();
    assert!(
        missing.is_empty(),
        "tests/data/effects.json lacks {missing:?}"
    );
}

#[test]
fn every_field_changes_the_results() {
    let plan = plan();
    let base = scenario(&plan).expect("a valid plan");
    let (before, shown) = (stored(&base, &mut Cache::default()), projected(&base));
    let (_, words) = vocabulary();
    let mut all = Vec::new();
    leaves(&plan, "", &mut all);
    // group -> whether a leaf of it had an effect
    let found: Mutex<BTreeMap<String, bool>> = Mutex::default();
    let next = AtomicUsize::new(0);
    let try_leaves = || {
        let mut cache = Cache::default();
        while let Some(pointer) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            let name = field(pointer);
            let groups = groups(pointer);
            let known = |g: &String| found.lock().expect("whole").get(g) == Some(&true);
            if has_no_effect(&name) || groups.iter().all(known) {
                continue;
            }
            let leaf = plan.pointer(pointer).expect("a leaf").clone();
            let changes = others(&leaf, &words).into_iter().any(|other| {
                let mut changed = plan.clone();
                if let Some(slot) = changed.pointer_mut(pointer) {
                    *slot = other;
                }
                let Some(changed) = scenario(&changed) else {
                    return false;
                };
                if AFTER_THE_TRIALS.contains(&name.as_str()) {
                    projected(&changed) != shown
                } else {
                    stored(&changed, &mut cache) != before
                }
            });
            let mut found = found.lock().expect("whole");
            for group in groups {
                *found.entry(group).or_default() |= changes;
            }
        }
    };
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(try_leaves))));
    let found = found.into_inner().expect("whole");
    let idle: Vec<&String> = found.iter().filter(|(_, f)| !**f).map(|(g, _)| g).collect();
    assert!(idle.is_empty(), "these fields change nothing: {idle:#?}");
    assert!(found.len() > 80, "only {} fields", found.len());
}
