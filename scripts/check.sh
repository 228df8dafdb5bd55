#!/usr/bin/env bash
# What needs no browser: lints, docs, native tests.
. "$(dirname "$0")/lib.sh"
scripts/setup.sh
scripts/lint.sh
say "native tests (2 to 4 minutes the first time)"
cargo test --locked --no-fail-fast
