//! What comes out, against computations that share nothing with the engine's: sensitivity, heat maps, moved launches,
//! requests.
#![allow(missing_docs)]

#[path = "outputs/heat.rs"]
mod heat;
#[path = "outputs/launches.rs"]
mod launches;
#[path = "outputs/requests.rs"]
mod requests;
#[path = "outputs/sensitivity.rs"]
mod sensitivity;
