#!/usr/bin/env bash
# Development build with live reload.
. "$(dirname "$0")/lib.sh"
scripts/setup.sh
cargo fetch --locked --quiet
say "first build (about 2 minutes), then http://127.0.0.1:$PORT"
exec trunk serve --offline true --address 127.0.0.1 --port "$PORT"
