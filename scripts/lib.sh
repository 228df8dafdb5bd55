# Shared by the scripts beside it: strict mode, places, versions, and how to say what is going on.
# shellcheck shell=bash
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"

TOOLS=${HEADROOM_TOOLS:-$HOME/.cache/headroom/tools}
TRUNK_VERSION=0.21.14
BINARYEN_VERSION=132
PORT=${PORT:-8080}

# The version of a crate in Cargo.lock.
locked() {
	awk -v name="\"$1\"" '$1 == "name" && $3 == name { found = 1 } found && $1 == "version" { gsub(/"/, "", $3); print $3; exit }' Cargo.lock
}
WASM_BINDGEN_VERSION=$(locked wasm-bindgen)

# cargo may be installed and not yet on the path of this shell.
[ -d "${CARGO_HOME:-$HOME/.cargo}/bin" ] && PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
PATH="$TOOLS/trunk-$TRUNK_VERSION/bin:$TOOLS/wasm-bindgen-$WASM_BINDGEN_VERSION/bin:$TOOLS/binaryen-$BINARYEN_VERSION/node_modules/.bin:$PATH"
export PATH

say() { printf '==> %s\n' "$*" >&2; }
fail() {
	printf 'headroom: %s\n' "$*" >&2
	exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }
