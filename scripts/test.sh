#!/usr/bin/env bash
# Every check and every test: lints, native, WebAssembly in headless Chromium, the built app in Chromium.
. "$(dirname "$0")/lib.sh"
scripts/setup.sh browser
scripts/check.sh
scripts/test-wasm.sh
scripts/dist.sh
say "the built app in Chromium (2 to 4 minutes)"
node --test --test-reporter=spec --test-concurrency=1 tests/e2e/
say "everything passed"
