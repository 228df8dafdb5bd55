//! The JSON schemas in docs/ are the ones of the types, and the plans that we have obey them in what a schema can say.
//! `HEADROOM_UPDATE=1 cargo test --test schemas` writes them anew.

use serde_json::Value;

fn current(name: &str, schema: &str) {
    let path = format!("{}/docs/{name}.schema.json", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("HEADROOM_UPDATE").is_some() {
        std::fs::write(&path, schema).expect("docs/ can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == schema,
        "{path} is not current: run HEADROOM_UPDATE=1 cargo test --test schemas"
    );
}

#[test]
fn the_schema_of_a_scenario_is_current() {
    current("scenario", &headroom::export::scenario_schema());
}

#[test]
fn the_schema_of_a_projection_is_current() {
    current("projection", &headroom::export::projection_schema());
}

#[test]
fn every_field_of_a_scenario_is_described() {
    let schema: Value = serde_json::from_str(&headroom::export::scenario_schema()).expect("JSON");
    let mut undescribed = Vec::new();
    let definitions = schema["$defs"].as_object().expect("definitions");
    for (name, definition) in definitions
        .iter()
        .chain([(&"Scenario".to_owned(), &schema)])
    {
        for (field, property) in definition["properties"].as_object().into_iter().flatten() {
            if property.get("description").is_none() {
                undescribed.push(format!("{name}.{field}"));
            }
        }
    }
    assert!(undescribed.is_empty(), "{undescribed:?}");
    for field in ["format", "name", "settings"] {
        let required = schema["required"].as_array().expect("required fields");
        assert!(required.contains(&field.into()), "{field}");
    }
}
