#!/usr/bin/env bash
# Format, lints of every build that exists, and documentation; warnings are errors.
. "$(dirname "$0")/lib.sh"
WASM=(--target wasm32-unknown-unknown --no-default-features)
say "format"
cargo fmt --check
say "lints: native, then page and worker (2 to 4 minutes the first time)"
cargo clippy --locked --quiet --all-targets -- -D warnings
cargo clippy --locked --quiet "${WASM[@]}" --features app --lib --bin app -- -D warnings
cargo clippy --locked --quiet "${WASM[@]}" --features worker,faults --lib --bin worker --bin collector -- -D warnings
say "documentation"
RUSTDOCFLAGS='-D warnings' cargo doc --locked --quiet --no-deps --lib
RUSTDOCFLAGS='-D warnings' cargo doc --locked --quiet --no-deps --lib "${WASM[@]}" --features app
