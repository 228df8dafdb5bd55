// The shipped workers, really hung and really broken: a line for the person, and the same digests as ever. The server
// adds a few lines to the worker's script, which obey two words; the WebAssembly is the shipped one.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { app, digests, final, profile } from "./support/app.mjs";

const OBEY = `
addEventListener("message", ({ data }) => {
  if (data === "loop") for (;;) {}
  if (data === "throw") throw new Error("broken by the test");
});
`;

/** Opens the default plan; `disturb` gets the page while the run goes on. */
async function run(disturb) {
  const site = await app("/", (name) => (name.endsWith("_loader.js") ? OBEY : ""));
  const user = await profile();
  const { page } = user;
  await page.addInitScript(() => {
    window.workersOfTheTest = [];
    window.Worker = class extends Worker {
      constructor(...all) {
        super(...all);
        window.workersOfTheTest.push(this);
      }
    };
  });
  try {
    await page.goto(site.url);
    await disturb?.(page);
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

for (const [name, word] of [["in an infinite loop", "loop"], ["with an uncaught error", "throw"]]) {
  // The page starts the collector first.
  for (const [role, at] of [["the collector", 0], ["a trial worker", 1]]) {
    test(`${role} ${name} is replaced`, { timeout: 600_000 }, async () => {
      const found = await run(async (page) => {
        await page.locator('[data-testid="status"][data-run="running"]').waitFor();
        // Figures: the first trials are in, so all workers listen.
        await page.getByTestId("verdict").filter({ hasText: /\d/ }).waitFor();
        await page.evaluate(([at, word]) => window.workersOfTheTest[at].postMessage(word), [at, word]);
        await page.getByTestId("status-restarted").waitFor({ timeout: 60_000 });
      });
      assert.deepEqual(found, expected);
    });
  }
}
