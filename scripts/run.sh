#!/usr/bin/env bash
# Builds the app and serves it until Ctrl-C.
. "$(dirname "$0")/lib.sh"
# A terminal's Ctrl-C reaches everybody. A signal sent to make alone does not: make passes SIGTERM on, but answers SIGINT
# and SIGHUP by waiting for us, and tells nobody. What tells is that it stops catching them (bits 1 and 2 of SigCgt), or
# is gone.
make=$PPID
caught_by_make() {
	local status
	status=$(sed -n 's/^State:[[:space:]]*Z.*/gone/p; s/^SigCgt:[[:space:]]*/0x/p' "/proc/$make/status" 2>/dev/null) || status=
	case $status in 0x*) echo $((status & 3)) ;; *) echo 0 ;; esac
}
caught=0
[ -z "${MAKELEVEL:-}" ] || caught=$(caught_by_make)

scripts/dist.sh
[ "$caught" = 0 ] || [ "$(caught_by_make)" = "$caught" ] || exit 130
# A process group of its own: Ctrl-C ends the server in good order, and make sees it end well instead of being
# interrupted itself.
set -m
node scripts/serve.mjs dist "$PORT" &
server=$!
if [ "$caught" != 0 ]; then
	(
		while [ "$(caught_by_make)" = "$caught" ]; do sleep 0.3; done
		kill -TERM "$server" 2>/dev/null
	) &
	watcher=$!
	trap 'kill -TERM -- "-$watcher" 2>/dev/null || true' EXIT
fi
if [ -t 0 ]; then
	fg %1 >/dev/null
else
	# No terminal hands out signals here: pass them on. They also interrupt `wait`, so wait until the server is gone.
	trap 'kill -TERM "$server" 2>/dev/null || true' INT TERM HUP
	until wait "$server" || ! kill -0 "$server" 2>/dev/null; do :; done
	wait "$server"
fi
