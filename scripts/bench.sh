#!/usr/bin/env bash
# Measures the engine's hot path natively.
. "$(dirname "$0")/lib.sh"
scripts/setup.sh
say "benches (3 to 5 minutes)"
cargo bench --locked "$@"
