//! Links: random scenarios survive, realistic ones are short, old ones open for ever.

mod common;

use std::collections::BTreeSet;

use common::scenarios::{ANY, Dice, SMALL, random, strategy};
use headroom::domain::scenario::Scenario;
use headroom::share::{SHARE_VERSION, ShareProblem, decode, encode};
use proptest::prelude::*;
use serde_json::Value;

fn file(name: &str) -> String {
    let path = format!("{}/tests/data/share/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn plan(name: &str) -> Scenario {
    serde_json::from_str(&file(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn digest(scenario: &Scenario) -> String {
    headroom::domain::digest::scenario_digest(scenario)
}

/// To the bit: JSON writes the shortest decimal of every number, -0.0 included.
fn json(scenario: &Scenario) -> String {
    serde_json::to_string(scenario).expect("JSON")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_scenarios_come_back_to_the_bit(scenario in strategy(ANY)) {
        let link = encode(&scenario).expect("fits");
        prop_assert!(link.is_ascii());
        let back = decode(&link).expect("opens");
        prop_assert_eq!(json(&back), json(&scenario));
        prop_assert_eq!(digest(&back), digest(&scenario));
        prop_assert_eq!(encode(&back), Ok(link));
    }

    #[test]
    fn files_come_back_to_the_bit(scenario in strategy(ANY)) {
        let file = headroom::export::scenario_json(&scenario);
        let back = headroom::import::scenario_json(&file).expect("opens");
        prop_assert_eq!(digest(&back), digest(&scenario));
        prop_assert_eq!(headroom::export::scenario_json(&back), file);
    }

    #[test]
    fn any_text_is_opened_or_refused(text in "\\PC*") {
        let _ = decode(&text);
        let _ = decode(&format!("#p=1.{text}"));
        let _ = decode(&format!("https://planner.example/#p=1.{text}"));
    }
}

#[test]
fn a_realistic_plan_fits_in_2000_characters() {
    for (name, most) in [("realistic.json", 1_400), ("rich.json", 1_800)] {
        let plan = plan(name);
        let counts = [
            plan.features.len(),
            plan.commitments.len(),
            plan.seasons.len(),
            plan.pools.len(),
            plan.models.len(),
        ];
        assert_eq!(counts, [12, 4, 3, 3, 3]);
        let link = encode(&plan).expect("fits");
        assert!(link.len() < most, "{name}: {} characters", link.len());
        assert_eq!(json(&decode(&link).expect("opens")), json(&plan));
    }
}

/// Lines of `FILE.json LINK`, one file of lines per version. Lines are added, never changed: each was in the world.
#[test]
fn links_of_every_version_open_for_ever() {
    let mut count = 0;
    for version in 1..=SHARE_VERSION {
        for line in file(&format!("v{version}.txt")).lines() {
            let (name, link) = line.split_once(' ').expect("name and link");
            let opened = decode(link).unwrap_or_else(|e| panic!("{name}: {e:?}"));
            assert_eq!(json(&opened), json(&plan(name)), "{name}");
            count += 1;
        }
    }
    assert!(count >= 4);
}

/// A link whose checksums are right but whose body is anything at all: the reader of the body must stand on its own.
#[test]
fn forged_bodies_never_panic() {
    let link = encode(&plan("rich.json")).expect("fits");
    let body = unbase64(link.strip_prefix("p=1.").expect("version 1"))[8..].to_vec();
    let mut dice = Dice(7);
    let mut opened = 0;
    for round in 0..20_000 {
        let mut forged = body.clone();
        for _ in 0..=dice.below(4) {
            let at = dice.below(forged.len() as u64) as usize;
            match dice.below(3) {
                0 => forged[at] = dice.below(256) as u8,
                1 => forged.truncate(at.max(1)),
                _ => forged.insert(at, dice.below(256) as u8),
            }
        }
        if round % 2 == 0 {
            // The stored form takes the bytes to the walk without deflate in between.
            forged[0] = 0;
        }
        match decode(&seal(&forged)) {
            Ok(_) | Err(ShareProblem::Invalid { .. }) => opened += 1,
            Err(problem) => assert_ne!(problem, ShareProblem::CutOff),
        }
    }
    assert!(
        opened < 2_000,
        "a check of the form catches most: {opened} opened"
    );
}

#[test]
fn every_cut_and_every_changed_letter_is_told_apart() {
    let link = encode(&plan("realistic.json")).expect("fits");
    for end in 2..link.len() {
        assert_eq!(decode(&link[..end]), Err(ShareProblem::CutOff), "{end}");
    }
    let mut dice = Dice(3);
    for _ in 0..2_000 {
        let at = 4 + dice.below(link.len() as u64 - 4) as usize;
        let mut bytes = link.clone().into_bytes();
        bytes[at] = b"ABCDEFwxyz0189-_"[dice.below(16) as usize];
        let altered = String::from_utf8(bytes).expect("ASCII");
        if altered != link {
            assert_eq!(decode(&altered), Err(ShareProblem::Altered), "{at}");
        }
    }
}

#[test]
fn a_newer_version_is_named() {
    let newer = SHARE_VERSION + 1;
    let link = seal_as(newer, b"whatever a later version writes");
    let expected = ShareProblem::NewerVersion {
        found: newer,
        supported: SHARE_VERSION,
    };
    assert_eq!(decode(&link), Err(expected));
}

/// Writes the plans that belong to the lines of `v1.txt`; run by hand when a line is added.
#[test]
#[ignore = "prints lines for tests/data/share/v1.txt"]
fn print_links() {
    for name in [
        "realistic.json",
        "rich.json",
        "smallest.json",
        "everything.json",
    ] {
        println!("{name} {}", encode(&plan(name)).expect("fits"));
    }
}

/// Names of fields and words that a scenario can have, from its JSON schema.
fn vocabulary() -> BTreeSet<String> {
    fn collect(schema: &Value, names: &mut BTreeSet<String>) {
        match schema {
            Value::Object(map) => {
                if let Some(Value::Object(fields)) = map.get("properties") {
                    names.extend(fields.keys().cloned());
                }
                if let Some(Value::String(word)) = map.get("const") {
                    names.insert(word.clone());
                }
                if let Some(Value::Array(words)) = map.get("enum") {
                    names.extend(words.iter().filter_map(Value::as_str).map(str::to_owned));
                }
                map.values().for_each(|inner| collect(inner, names));
            }
            Value::Array(items) => items.iter().for_each(|inner| collect(inner, names)),
            _ => {}
        }
    }
    let schema = serde_json::from_str(&headroom::export::scenario_schema()).expect("JSON");
    let mut names = BTreeSet::new();
    collect(&schema, &mut names);
    names
}

/// Of these, the ones that a plan does not use.
fn unused(plan: &Scenario) -> BTreeSet<String> {
    fn collect(value: &Value, names: &mut BTreeSet<String>) {
        match value {
            Value::Object(map) => map.iter().for_each(|(name, inner)| {
                names.insert(name.clone());
                collect(inner, names);
            }),
            Value::Array(items) => items.iter().for_each(|inner| collect(inner, names)),
            Value::String(word) => {
                names.insert(word.clone());
            }
            _ => {}
        }
    }
    let mut used = BTreeSet::new();
    collect(&serde_json::to_value(plan).expect("JSON"), &mut used);
    vocabulary().difference(&used).cloned().collect()
}

/// A field that is added to a scenario needs a new version of links, and this plan needs it too.
#[test]
fn one_of_the_links_has_everything_that_a_plan_can_have() {
    assert_eq!(unused(&plan("everything.json")), BTreeSet::new());
}

#[test]
#[ignore = "prints tests/data/share/everything.json: the shortest of many plans that have everything"]
fn print_everything() {
    let plans = (0..30_000).map(|seed| random(seed, ANY));
    let complete = plans.filter(|plan| unused(plan).is_empty());
    let shortest = complete.min_by_key(|plan| json(plan).len()).expect("one");
    println!("{}", headroom::export::scenario_json(&shortest));
}

fn seal(body: &[u8]) -> String {
    seal_as(1, body)
}

/// The envelope as docs/share-format.md describes it, written a second time.
fn seal_as(version: u32, body: &[u8]) -> String {
    let sum = |bytes: &[u8]| {
        xxhash_rust::xxh3::xxh3_64_with_seed(bytes, u64::from(version)).to_le_bytes()
    };
    let length = (body.len() as u32).to_le_bytes();
    let mut bytes = length[..3].to_vec();
    bytes.push(sum(&length[..3])[0]);
    bytes.extend_from_slice(&sum(body)[..4]);
    bytes.extend_from_slice(body);
    format!("p={version}.{}", base64(&bytes))
}

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn base64(bytes: &[u8]) -> String {
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let word =
            three.iter().fold(0u32, |w, b| w << 8 | u32::from(*b)) << (8 * (3 - three.len()));
        for i in 0..=three.len() {
            out.push(LETTERS[(word >> (18 - 6 * i) & 63) as usize] as char);
        }
    }
    out
}

fn unbase64(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    for four in text.as_bytes().chunks(4) {
        let word = four.iter().fold(0u32, |w, c| {
            w << 6 | LETTERS.iter().position(|l| l == c).expect("a letter") as u32
        }) << (6 * (4 - four.len()));
        out.extend_from_slice(&word.to_be_bytes()[1..four.len()]);
    }
    out
}

#[test]
fn random_scenarios_are_valid() {
    for seed in 0..300 {
        for limits in [ANY, SMALL] {
            let problems = random(seed, limits).problems();
            assert!(problems.is_empty(), "{seed}: {problems:?}");
        }
    }
}
