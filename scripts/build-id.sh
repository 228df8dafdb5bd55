#!/usr/bin/env bash
# Prints the build id: page and worker are of one build if theirs are equal. It depends on the sources alone, so that
# an unchanged tree is not compiled again.
. "$(dirname "$0")/lib.sh"
find Cargo.toml Cargo.lock rust-toolchain.toml .cargo/config.toml src -type f -print0 | LC_ALL=C sort -z |
	xargs -0 sha256sum | sha256sum | cut -c1-16
