#!/usr/bin/env bash
# Builds the app and serves it until Ctrl-C.
. "$(dirname "$0")/lib.sh"
scripts/dist.sh
# A process group of its own: Ctrl-C ends the server in good order, and make sees it end well instead of being
# interrupted itself.
set -m
node scripts/serve.mjs dist "$PORT" &
server=$!
if [ -t 0 ]; then
	fg >/dev/null
else
	# No terminal hands out signals here: pass them on. They also interrupt `wait`, so wait until the server is gone.
	trap 'kill -TERM "$server" 2>/dev/null || true' INT TERM HUP
	until wait "$server" || ! kill -0 "$server" 2>/dev/null; do :; done
	wait "$server"
fi
