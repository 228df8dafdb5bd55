//! Version 1 of the share format. Frozen: links of this version are in the world. A later version is a sibling of this
//! folder, reads its own links and leaves the ones of this version to it; [`super::migrate`] lifts what comes out.

use serde_json::Value;

mod codec;
mod schema;
mod squeeze;
mod wire;

pub use wire::Malformed;

/// Most bytes of a plan before squeezing.
const MAX_BODY: usize = 1 << 20;

/// A scenario of JSON format 1 as the body of a link.
pub fn write(scenario: &Value) -> Result<Vec<u8>, Malformed> {
    let plain = codec::write(&schema::SCENARIO, scenario)?;
    if plain.len() > MAX_BODY {
        return Err(Malformed);
    }
    Ok(squeeze::squeeze(&plain))
}

/// The scenario, in JSON format 1, of the body of a link.
pub fn read(body: &[u8]) -> Result<Value, Malformed> {
    let plain = squeeze::unsqueeze(body, MAX_BODY)?;
    codec::read(&schema::SCENARIO, &plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            let _ = read(&bytes);
            let _ = codec::read(&schema::SCENARIO, &bytes);
        }
    }
}
