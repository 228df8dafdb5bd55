#!/usr/bin/env bash
# The tests that run as WebAssembly in headless Chromium, with real workers.
. "$(dirname "$0")/lib.sh"
FLAGS=(--locked --target wasm32-unknown-unknown --no-default-features --features worker,faults)
say "WebAssembly tests (1 to 2 minutes to build the first time)"
cargo build --quiet "${FLAGS[@]}" --bin worker --bin collector
# The tests start the same workers as the page does; the runner serves them from this folder.
for role in worker collector; do
	wasm-bindgen --target web --no-typescript --out-dir target/wasm-tests "target/wasm32-unknown-unknown/debug/$role.wasm"
	printf "import init from './%s.js';await init();" "$role" >"target/wasm-tests/${role}_loader.js"
done
CHROMEDRIVER=$(command -v chromedriver)
export CHROMEDRIVER
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER=wasm-bindgen-test-runner
export WASM_BINDGEN_TEST_TIMEOUT=600
export WASM_BINDGEN_TEST_WEBDRIVER_JSON=tests/webdriver.json
tests=()
for file in tests/wasm_*.rs; do
	name=$(basename "$file" .rs)
	tests+=(--test "$name")
done
cargo test "${FLAGS[@]}" "${tests[@]}" -- "$@"
