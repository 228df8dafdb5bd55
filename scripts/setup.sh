#!/usr/bin/env bash
# Installs what is missing and skips what is there. `setup.sh browser` also installs what the browser tests need.
# Nothing is downloaded except through rustup, cargo, npm and apt. Tools are shared between clones: see HEADROOM_TOOLS.
. "$(dirname "$0")/lib.sh"

have cargo && have rustup || fail "Rust is missing: install rustup from https://rustup.rs and run this again."
have node && have npm || fail "Node.js is missing (20 or newer, with npm): install it and run this again."
[ "$(node -p 'Number(process.versions.node.split(".")[0])')" -ge 20 ] || fail "Node.js $(node --version) is too old: 20 or newer is needed."
[ -n "$WASM_BINDGEN_VERSION" ] || fail "Cargo.lock names no wasm-bindgen."

toolchain=$(sed -n 's/^channel *= *"\(.*\)"/\1/p' rust-toolchain.toml)
if ! rustup toolchain list | grep -q "^$toolchain-"; then
	say "Rust $toolchain (about 1 minute)"
	rustup toolchain install "$toolchain" --profile minimal --component rustfmt --component clippy --no-self-update
fi
missing=()
for component in rustfmt clippy; do
	rustup component list --toolchain "$toolchain" --installed | grep -q "^$component" || missing+=("$component")
done
if [ ${#missing[@]} -gt 0 ]; then
	say "Rust components: ${missing[*]}"
	rustup component add --toolchain "$toolchain" "${missing[@]}"
fi
if ! rustup target list --toolchain "$toolchain" --installed | grep -qx wasm32-unknown-unknown; then
	say "the WebAssembly target of Rust $toolchain (a few seconds)"
	rustup target add --toolchain "$toolchain" wasm32-unknown-unknown
fi

# Installs a cargo tool into its own versioned folder; half an installation is never taken for a whole one.
install_cargo_tool() {
	local folder=$1 binary=$2
	shift 2
	[ -x "$TOOLS/$folder/bin/$binary" ] && return
	local fresh="$TOOLS/.$folder.$$"
	mkdir -p "$TOOLS"
	# The debug profile builds four times as fast, and the tools are fast enough with it. The build folder is shared,
	# so that an installation that was interrupted goes on where it stopped.
	CARGO_PROFILE_DEV_DEBUG=0 CARGO_TARGET_DIR="$TOOLS/.build" \
		cargo install --quiet --debug --root "$fresh" "$@"
	rm -rf "${TOOLS:?}/$folder"
	mv "$fresh" "$TOOLS/$folder"
	rm -rf "$TOOLS/.build"
}
if [ ! -x "$TOOLS/trunk-$TRUNK_VERSION/bin/trunk" ]; then
	say "Trunk $TRUNK_VERSION, which bundles the page (2 to 3 minutes, once per machine)"
	install_cargo_tool "trunk-$TRUNK_VERSION" trunk trunk --locked --no-default-features --features rustls --version "$TRUNK_VERSION"
fi
if [ ! -x "$TOOLS/wasm-bindgen-$WASM_BINDGEN_VERSION/bin/wasm-bindgen" ]; then
	say "wasm-bindgen $WASM_BINDGEN_VERSION, as in Cargo.lock (about 1 minute, once per machine)"
	# Without --locked: the lock file of 0.2.130 names a crate version that is not served any more.
	install_cargo_tool "wasm-bindgen-$WASM_BINDGEN_VERSION" wasm-bindgen wasm-bindgen-cli --version "$WASM_BINDGEN_VERSION"
fi
if [ ! -x "$TOOLS/binaryen-$BINARYEN_VERSION/node_modules/.bin/wasm-opt" ]; then
	say "wasm-opt $BINARYEN_VERSION (a few seconds)"
	fresh="$TOOLS/.binaryen.$$"
	mkdir -p "$fresh"
	cp scripts/wasm-opt/package.json scripts/wasm-opt/package-lock.json "$fresh/"
	(cd "$fresh" && npm ci --no-audit --no-fund --loglevel=error)
	rm -rf "$TOOLS/binaryen-$BINARYEN_VERSION"
	mv "$fresh" "$TOOLS/binaryen-$BINARYEN_VERSION"
fi

[ "${1:-}" = browser ] || exit 0

packages=()
have chromium || packages+=(chromium)
have chromedriver || packages+=(chromium-driver)
if [ ${#packages[@]} -gt 0 ]; then
	have apt-get || fail "install ${packages[*]} (this machine has no apt-get) and run this again."
	as_root=()
	if [ "$(id -u)" != 0 ]; then
		have sudo && sudo -n true 2>/dev/null || fail "as root, run: apt-get install ${packages[*]} — then run this again."
		as_root=(sudo -n)
	fi
	say "${packages[*]} for the browser tests (1 to 2 minutes)"
	"${as_root[@]}" apt-get update -qq </dev/null
	"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" </dev/null >/dev/null
fi
if ! cmp -s tests/e2e/package-lock.json tests/e2e/node_modules/.headroom-lock; then
	say "playwright-core, which drives the browser (a few seconds)"
	(cd tests/e2e && npm ci --no-audit --no-fund --loglevel=error)
	cp tests/e2e/package-lock.json tests/e2e/node_modules/.headroom-lock
fi
