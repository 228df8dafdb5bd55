//! JSON schemas of what is written, generated from the types.

use schemars::{JsonSchema, Schema, schema_for};

use crate::domain::scenario::Scenario;
use crate::engine::projection::Projection;

/// The schema of a scenario file.
#[must_use]
pub fn scenario_schema() -> String {
    written::<Scenario>()
}

/// The schema of a projection.
#[must_use]
pub fn projection_schema() -> String {
    written::<Projection>()
}

fn written<T: JsonSchema>() -> String {
    let schema: Schema = schema_for!(T);
    super::pretty(&schema)
}
