// The shipped worker, really hung and really broken: a line for the person, and the same digests as ever.
import assert from "node:assert/strict";
import { test } from "node:test";
import { app, digests, final, profile } from "./support/app.mjs";

const FAULTS = {
  "an infinite loop": () => setTimeout(() => { for (;;) {} }),
  "an uncaught error": () => setTimeout(() => { throw new Error("broken by the test"); }),
};

for (const [name, fault] of Object.entries(FAULTS)) {
  test(`a worker in ${name} is replaced`, { timeout: 900_000 }, async () => {
    const site = await app();
    const user = await profile();
    try {
      const { page } = user;
      await page.goto(site.url);
      await final(page);
      const before = await digests(page);

      // A fresh page, so that nothing is answered from memory.
      await page.reload();
      await page.locator('[data-testid="status"][data-run="running"]').waitFor();
      await page.getByTestId("verdict").filter({ hasText: /./ }).waitFor();
      const workers = page.workers();
      assert.ok(workers.length >= 2, "trial workers and a collector");
      // Which of them it is does not matter: trial worker and collector are mended alike.
      await workers[workers.length - 1].evaluate(fault).catch(() => {});
      await page.getByTestId("status-restarted").waitFor({ timeout: 60_000 });
      await final(page);
      assert.deepEqual(await digests(page), before);
      user.clean([/broken by the test/]);
    } finally {
      await user.close();
      await site.close();
    }
  });
}
