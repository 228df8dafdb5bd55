#!/usr/bin/env bash
# Takes docs/screenshot.png of the built app with its default plan.
. "$(dirname "$0")/lib.sh"
scripts/setup.sh browser
scripts/dist.sh
node tests/e2e/support/screenshot.mjs
