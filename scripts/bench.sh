#!/usr/bin/env bash
# Measures the engine: natively, in Chromium as it is shipped, and against peers, all in one run. Prints ratios; nothing
# here passes or fails. Python's numpy is a peer: without it that ratio is not printed.
. "$(dirname "$0")/lib.sh"
scripts/setup.sh browser
scripts/dist.sh
OUT=target/bench
mkdir -p "$OUT"
say "native (the first build takes 2 to 3 minutes)"
cargo bench --locked --quiet --bench r1 -- --plans "$ROOT/$OUT" | tee "$OUT/native.jsonl"
say "peers: plain JavaScript, numpy"
: >"$OUT/peers.txt"
node benches/peers/r1.mjs 100 | tee -a "$OUT/peers.txt"
if ! python3 -c 'import numpy' 2>/dev/null; then
	venv=$TOOLS/numpy
	[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
	"$venv/bin/python" -c 'import numpy' 2>/dev/null || { say "numpy (once per machine)" && "$venv/bin/pip" install --quiet numpy; } || true
	PATH="$venv/bin:$PATH"
fi
if python3 -c 'import numpy' 2>/dev/null; then
	for kind in float64 float32; do
		OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python3 benches/peers/r1_numpy.py 200 42 4 $kind | tee -a "$OUT/peers.txt"
	done
fi
say "Chromium (about 3 minutes)"
node benches/browser/bench.mjs "$OUT" | tee "$OUT/browser.txt"
say "sizes"
node scripts/size-budget.mjs dist
say "parts of the native engine"
[ "${1:-}" = quick ] || cargo bench --locked --quiet --bench hour_kernel
