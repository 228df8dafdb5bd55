#!/usr/bin/env bash
# Builds the app and serves it until Ctrl-C.
. "$(dirname "$0")/lib.sh"
scripts/dist.sh
# A process group of its own: Ctrl-C ends the server in good order, and make sees it end well instead of being
# interrupted itself.
set -m
node scripts/serve.mjs dist "$PORT" &
server=$!
trap 'kill -TERM "$server" 2>/dev/null' INT TERM HUP
if [ -t 0 ]; then
	fg >/dev/null || exit
else
	# A trapped signal interrupts `wait`; the server's own end is what counts.
	while kill -0 "$server" 2>/dev/null; do wait "$server" || status=$?; done
	exit "${status:-0}"
fi
