// What every browser test needs: the built app behind a static server, a browser, and a page that fails the test when
// it breaks the content security policy, asks for anything beyond its own origin, or writes an error to the console.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../../../scripts/static-server.mjs";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";
const ARGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
];

/** Serves dist/ under a path; `url` is the page's address. `added` as in the static server. */
export async function app(base = "/", added = undefined) {
  const server = await serve(join(ROOT, "dist"), { base, added });
  return {
    url: `http://127.0.0.1:${server.address().port}${base}`,
    close: () => new Promise((done) => {
      server.close(done);
      server.closeAllConnections();
    }),
  };
}

/**
 * A browser with an empty profile of its own. `page` is watched: call `clean()` at the end of a test; it fails on all
 * that a page must not do. `expected` are patterns of console errors that the test itself provokes.
 */
export async function profile({ width = 1440, height = 1000, ...options } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "headroom-e2e-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: BROWSER,
    headless: true,
    args: ARGS,
    viewport: { width, height },
    permissions: ["clipboard-read", "clipboard-write"],
    locale: "en-US",
    ...options,
  });
  const page = context.pages()[0] ?? (await context.newPage());
  const faults = [];
  let origin;
  page.on("console", (message) => {
    if (message.type() === "error" || /Content Security Policy|integrity/i.test(message.text())) {
      faults.push(`console ${message.type()}: ${message.text()}`);
    }
  });
  page.on("pageerror", (error) => faults.push(`uncaught: ${error.message}`));
  page.on("requestfailed", (request) => faults.push(`failed: ${request.url()} ${request.failure()?.errorText}`));
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol === "blob:" || url.protocol === "data:") return;
    origin ??= url.origin;
    if (url.origin !== origin) faults.push(`request to another origin: ${request.url()}`);
  });
  return {
    page,
    context,
    clean(expected = []) {
      const unexpected = faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)));
      assert.deepEqual(unexpected, [], "the page broke a rule");
    },
    async close() {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until all futures of the plan on the screen are in and their causes are known. */
export async function final(page, timeout = 240_000) {
  const ended = page.locator('[data-testid="status"]:is([data-run="done"], [data-run="failed"])');
  await ended.waitFor({ timeout });
  assert.equal(await ended.getAttribute("data-run"), "done", await ended.innerText());
}

/** Both digests, from the share dialog, which is closed again. */
export async function digests(page) {
  await page.getByTestId("share-open").click();
  const [scenario, result] = await Promise.all(
    ["scenario-digest", "result-digest"].map((id) => page.getByTestId(id).innerText()),
  );
  await page.getByTestId("dialog-close").click();
  for (const digest of [scenario, result]) assert.match(digest, /^[0-9a-f]{32}$/);
  return { scenario, result };
}

/** Types a field's new value as a person does. */
export async function enter(page, field, value) {
  const box = page.getByTestId(`field-${field}`);
  await box.fill(value);
  await box.press("Enter");
}
