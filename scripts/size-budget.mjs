// size-budget.mjs FOLDER: prints what a visitor loads, compressed as hosts do (brotli), and fails if a part outgrows its
// budget.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const BUDGETS = [
  { what: "page (wasm)", file: /^app-.*_bg\.wasm$/, kilobytes: 1000 },
  { what: "simulation worker (wasm)", file: /^worker-.*_bg\.wasm$/, kilobytes: 150 },
  { what: "collector (wasm)", file: /^collector-.*_bg\.wasm$/, kilobytes: 100 },
];

const folder = process.argv[2];
const files = readdirSync(folder);
let failed = false;
for (const { what, file: pattern, kilobytes } of BUDGETS) {
  const names = files.filter((name) => pattern.test(name));
  if (names.length !== 1) throw new Error(`${folder}: expected one ${what}, found ${names.length}`);
  const file = readFileSync(join(folder, names[0]));
  const bytes = brotliCompressSync(file).length;
  const gzip = gzipSync(file, { level: 9 }).length;
  const over = bytes > kilobytes * 1000;
  failed ||= over;
  console.log(`${what}: ${(bytes / 1000).toFixed(0)} kB compressed (gzip ${(gzip / 1000).toFixed(0)} kB), budget ${kilobytes} kB${over ? ": too large" : ""}`);
}
process.exitCode = failed ? 1 : 0;
