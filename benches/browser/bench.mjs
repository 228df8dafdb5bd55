// Measures the shipped worker and the shipped page in Chromium against peers, all in one run, and prints ratios.
// bench.mjs FOLDER: the folder has NAME.plan (benches/r1.rs) and native.jsonl (what it printed) and peers.txt (what the
// peers outside of the browser printed).
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT, app, enter, final, profile } from "../../tests/e2e/support/app.mjs";

const folder = process.argv[2];
const plan = (name) => readFileSync(join(folder, `${name}.plan`));
const native = Object.fromEntries(
  readFileSync(join(folder, "native.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line)).map((x) => [x.workload, x]),
);
const peers = readFileSync(join(folder, "peers.txt"), "utf8");
const nanosecondsOf = (name) => Number(peers.match(new RegExp(`^${name}.*?([0-9.]+) ns`, "m"))?.[1]);
const CELLS = { r1: 8_760 * 10, r1_plus: 8_760 * 10 };

/** Files of the measurement beside those of the page, on the same origin. */
async function beside(context) {
  const files = readdirSync(join(ROOT, "dist"));
  const find = (pattern) => `./${files.find((name) => pattern.test(name))}`;
  const starter = (role) => readFileSync(join(ROOT, "benches/browser/worker.js"), "utf8")
    .replace("WORKER", JSON.stringify(find(new RegExp(`^${role}-[^_]*\\.js$`))))
    .replace("WASM", JSON.stringify(find(new RegExp(`^${role}-.*_bg\\.wasm$`))));
  const script = { contentType: "text/javascript" };
  await context.route("**/bench.html", (route) => route.fulfill({
    contentType: "text/html", body: '<!doctype html><script type="module" src="./bench-harness.js"></script>',
  }));
  await context.route("**/bench-harness.js", (route) => route.fulfill({ ...script, path: join(ROOT, "benches/browser/harness.js") }));
  for (const role of ["worker", "collector"]) {
    await context.route(`**/bench-${role}.js`, (route) => route.fulfill({ ...script, body: starter(role) }));
  }
  await context.route("**/r1.mjs", (route) => route.fulfill({ ...script, path: join(ROOT, "benches/peers/r1.mjs") }));
}

/** Calls a function of the harness with a plan's bytes. */
const measured = (page, what, bytes, ...rest) => page.evaluate(
  async ([what, bytes, rest]) => {
    const buffer = bytes && Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0)).buffer;
    return window.bench[what](...(buffer ? [buffer] : []), ...rest);
  },
  [what, bytes?.toString("base64"), rest],
);

const rows = [];
const say = (what, value, note = "") => {
  rows.push([what, value, note]);
  console.log(`${what.padEnd(62)} ${value.padStart(12)}  ${note}`);
};
const fixed = (x, digits = 2) => (Number.isFinite(x) ? x.toFixed(digits) : "not run");

/** The page itself, in a fresh profile: from the key that commits an edit to what stands on the screen. */
async function inPage(name, address, edits) {
  const user = await profile();
  try {
    const { page } = user;
    await page.goto(address);
    await final(page);
    await page.evaluate(() => {
      const status = document.querySelector('[data-testid="status"]');
      window.seen = [];
      new MutationObserver(() => window.seen.push([performance.now(), Number(status.dataset.futures)]))
        .observe(status, { attributes: true, attributeFilter: ["data-futures"] });
      // the last key before the futures change is the one that commits
      addEventListener("keydown", (event) => { if (event.key === "Enter") window.pressed = performance.now(); }, true);
    });
    for (const [what, entity, field, values, target, fold] of edits) {
      const times = [];
      await page.getByTestId(`entity-${entity.replace("/", "-")}`).click();
      if (fold) await page.getByTestId(fold).click();
      for (const value of values) {
        await page.evaluate(() => { window.seen.length = 0; });
        await enter(page, field, value);
        await page.locator('[data-testid="status"][data-run="running"]').waitFor();
        await final(page);
        times.push(await page.evaluate(() => {
          const fans = window.seen.filter(([at]) => at >= window.pressed);
          const reached = (futures) => fans.find(([, trials]) => trials >= futures)?.[0] - window.pressed;
          return { first: reached(1), thousand: reached(1_000), all: reached(10_000) };
        }));
      }
      const of = (key) => times.map((t) => t[key]).sort((a, b) => a - b)[times.length >> 1];
      const text = ["first", "thousand", "all"].map((key) => fixed(of(key), 0)).join(" / ");
      say(`${name}, edit of ${what}: first fan / 1,000 / 10,000, ms`, text, target);
      await page.keyboard.press("Escape");
    }
    user.clean();
  } finally {
    await user.close();
  }
}

const site = await app();
const user = await profile();
await beside(user.context);
try {
  const { page } = user;
  page.on("pageerror", (error) => { throw error; }); // else what waits for an answer would wait for ever
  await page.goto(`${site.url}bench.html`);
  for (let i = 0; !(await page.evaluate(() => Boolean(window.bench))); i++) {
    if (i > 100) throw new Error("the harness did not load");
    await page.waitForTimeout(50);
  }
  const javascript = await measured(page, "peer", undefined, 60);
  const numpy = nanosecondsOf("numpy.*float64");
  const r1 = await measured(page, "speed", plan("r1"), CELLS.r1, 400, 5);
  const plus = await measured(page, "speed", plan("r1_plus"), CELLS.r1_plus, 400, 5);
  say("R1: one worker, ns per trial × feature × hour", fixed(r1.one), "");
  say("R1: native, one thread", fixed(native.r1.nanoseconds));
  say("R1: plain JavaScript in the same browser", fixed(javascript));
  say("R1: plain JavaScript in node", fixed(nanosecondsOf("js")));
  say("R1: numpy float64 / float32", `${fixed(numpy)} / ${fixed(nanosecondsOf("numpy.*float32"))}`);
  say("one worker against numpy float64", `${fixed(numpy / r1.one, 1)} ×`, "must 4, stretch 12");
  say("one worker against plain JavaScript", `${fixed(javascript / r1.one, 1)} ×`, "must 10, stretch 40");
  say("Wasm against native", `${fixed(r1.one / native.r1.nanoseconds)} ×`, "must ≤ 1.5, stretch ≤ 1.2");
  say("two workers against one", `${fixed(r1.one / r1.two)} ×`, "must ≥ 1.85, stretch ≥ 1.95");
  say("R1+: one worker, ns", fixed(plus.one), "must ≤ 25, stretch ≤ 10");
  say("R1+: native, ns", fixed(native.r1_plus.nanoseconds));
  const boot = await measured(page, "boot", plan("r1"));
  say("fresh worker: booted / tables built / first 100 trials, ms", `${fixed(boot.booted, 0)} / ${fixed(boot.tables, 0)} / ${fixed(boot.first100, 0)}`);
  const memory = await measured(page, "memory", plan("large"), 10_000);
  const megabytes = (bytes) => fixed(bytes / 1e6, 0);
  say("10,000 trials, 36 months, 20 features: trial worker, MB", megabytes(memory.trials), "must ≤ 300, stretch ≤ 100");
  say("the same: collector, MB", megabytes(memory.collector), "must ≤ 300, stretch ≤ 100");
  say("the same: last projection, ms", fixed(memory.projected, 0));

  await inPage("R1", `${site.url}#${readFileSync(join(folder, "r1.link"), "utf8")}`, [
    ["a date", "features/10", "features/10/launch", ["2027-08-01", "2027-08-15", "2027-09-01"], "must ≤ 150, stretch ≤ 60"],
    ["a token distribution", "features/10", "features/10/input_tokens", ["1k, p99 60k", "1.1k, p99 60k", "1.2k, p99 60k"], "must ≤ 700, stretch ≤ 200"],
    ["a cap", "features/10", "features/10/cap_tokens", ["8k", "9k", "10k"], "must ≤ 700, stretch ≤ 200", "fold-caps"],
  ]);
  await inPage("default story", site.url, [
    ["a date", "features/6", "features/6/launch", ["2027-09-01", "2027-10-01", "2027-11-01"], ""],
    ["a demand", "features/6", "features/6/requests_per_day", ["20k to 40k", "21k to 41k", "22k to 42k"], ""],
    ["a token distribution", "features/6", "features/6/input_tokens", ["1k, p99 12k", "1.1k, p99 12k", "1.2k, p99 12k"], ""],
  ]);
  user.clean([/Content Security Policy/]);
} finally {
  await user.close();
  await site.close();
}
