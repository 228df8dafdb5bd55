#!/usr/bin/env bash
# Builds dist/ in release mode: static files with relative addresses, for any host and any sub-path.
. "$(dirname "$0")/lib.sh"
scripts/setup.sh
say "release build (2 to 4 minutes the first time, seconds if nothing changed)"
# Trunk passes --offline on to cargo when it is told to fetch no tools.
cargo fetch --locked --quiet
HEADROOM_BUILD_ID=$(scripts/build-id.sh)
export HEADROOM_BUILD_ID
trunk build --release --offline true --locked true --log error
node scripts/size-budget.mjs dist
