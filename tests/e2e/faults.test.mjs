// The shipped workers, really hung and really broken: a line for the person, and the same digests as ever.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { app, digests, final, profile } from "./support/app.mjs";

const FAULTS = {
  "an infinite loop": () => setTimeout(() => { for (;;) {} }),
  "an uncaught error": () => setTimeout(() => { throw new Error("broken by the test"); }),
};

/** Opens the default plan; `disturb` gets the page and its workers while the run goes on. */
async function run(disturb) {
  const site = await app();
  const user = await profile();
  const { page } = user;
  const workers = [];
  page.on("worker", (worker) => workers.push(worker));
  try {
    await page.goto(site.url);
    await disturb?.(page, workers);
    await final(page);
    user.clean([/broken by the test/]);
    return await digests(page);
  } finally {
    await user.close();
    await site.close();
  }
}

let expected;
before(async () => {
  expected = await run();
}, { timeout: 300_000 });

for (const [name, fault] of Object.entries(FAULTS)) {
  for (const role of ["the collector", "a trial worker"]) {
    test(`${role} in ${name} is replaced`, { timeout: 600_000 }, async () => {
      const found = await run(async (page, workers) => {
        await page.locator('[data-testid="status"][data-run="running"]').waitFor();
        await page.getByTestId("verdict").filter({ hasText: /./ }).waitFor();
        assert.ok(workers.length >= 2, "trial workers and a collector, which is the first");
        const at = role === "the collector" ? 0 : 1;
        await workers[at].evaluate(fault).catch(() => {});
        await page.getByTestId("status-restarted").waitFor({ timeout: 60_000 });
      });
      assert.deepEqual(found, expected);
    });
  }
}
