//! What comes out, against computations that share nothing with the engine's: sensitivity, heat maps, moved launches,
//! requests.
#![allow(missing_docs)]

#[path = "outputs/sensitivity.rs"]
mod sensitivity;
