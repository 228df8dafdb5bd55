// The built app starts, at the root of a host and under a sub-path, and keeps the rules of the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { app, profile } from "./support/app.mjs";

for (const base of ["/", "/some/where/deep/"]) {
  test(`starts under ${base}`, async () => {
    const site = await app(base);
    const user = await profile();
    try {
      await user.page.goto(site.url);
      await user.page.getByTestId("theme").waitFor();
      assert.equal(await user.page.title(), "Headroom");
      user.clean();
    } finally {
      await user.close();
      await site.close();
    }
  });
}

test("a page that asks for another origin or breaks the policy is caught", async () => {
  const site = await app();
  const user = await profile();
  try {
    await user.page.goto(site.url);
    await user.page.evaluate(() => fetch("http://127.0.0.1:9/").catch(() => {}));
    assert.throws(() => user.clean(), /broke a rule/);
    await user.page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.injected = true";
      document.head.append(script);
    });
    assert.equal(await user.page.evaluate(() => window.injected), undefined, "inline script must not run");
  } finally {
    await user.close();
    await site.close();
  }
});

test("a question mark opens the map of keys, but not while somebody types", async () => {
  const site = await app();
  const user = await profile();
  try {
    const { page } = user;
    await page.goto(site.url);
    const map = page.getByTestId("dialog-keys");
    await page.getByTestId("keys-open").waitFor();
    await page.keyboard.press("?");
    await map.waitFor();
    await page.keyboard.press("Escape");
    await map.waitFor({ state: "detached" });
    await page.getByTestId("keys-open").click();
    await map.waitFor();
    await page.getByTestId("dialog-close").click();
    await map.waitFor({ state: "detached" });
    await page.getByTestId("plan-menu").click();
    await page.getByTestId("plan-rename").fill("Why");
    await page.getByTestId("plan-rename").press("End");
    await page.keyboard.type("?");
    assert.equal(await page.getByTestId("plan-rename").inputValue(), "Why?");
    assert.equal(await map.count(), 0);
    user.clean();
  } finally {
    await user.close();
    await site.close();
  }
});
