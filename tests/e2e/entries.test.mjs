// What a person can type and drop in wrong: it is said in words, and goes away with what it was about.
import assert from "node:assert/strict";
import { test } from "node:test";
import { app, enter, profile } from "./support/app.mjs";

async function opened(body) {
  const site = await app();
  const user = await profile();
  try {
    await user.page.goto(site.url);
    await user.page.getByTestId("entity-features-6").click();
    await body(user.page, site);
    user.clean();
  } finally {
    await user.close();
    await site.close();
  }
}

const FIELD = "features/6/requests_per_day";

test("an error goes with its text, and undo takes it back first", () =>
  opened(async (page) => {
    const box = page.getByTestId(`field-${FIELD}`);
    const problem = page.getByTestId(`problem-${FIELD}`);
    const before = await box.inputValue();
    await enter(page, FIELD, "7k");
    const good = await box.inputValue();
    assert.notEqual(good, before);
    await enter(page, FIELD, "95% 5k, 15% 800k");
    assert.match(await problem.innerText(), /add up to 110/);
    await page.getByTestId("undo").click();
    await problem.waitFor({ state: "detached" });
    assert.equal(await box.inputValue(), good, "the change before stays");
    await page.getByTestId("undo").click();
    await page.waitForTimeout(100);
    assert.equal(await box.inputValue(), before);
    assert.ok(await page.getByTestId("undo").isDisabled());
  }));

test("values out of range and means that do not fit are refused with what would be valid", () =>
  opened(async (page) => {
    const problem = page.getByTestId(`problem-${FIELD}`);
    for (const [text, says] of [
      ["1e15", /at most 1,000,000,000,000\./],
      ["1e-320", /too close to 0/],
      ["8 to 12 mean 40", /must be between/],
    ]) {
      await enter(page, FIELD, text);
      await problem.filter({ hasText: says }).waitFor();
    }
  }));

test("answers of an older plan are not called those of the newest change", () =>
  opened(async (page) => {
    await page.getByTestId("toggle-pools").click();
    await page.getByTestId("entity-pools-11").click();
    await page.getByTestId("delete-11").click();
    const status = page.getByTestId("status");
    await status.filter({ hasText: "of the plan before what is to fix" }).waitFor();
    const words = await status.innerText();
    assert.doesNotMatch(words, /newest change|up to date/);
  }));

test("a broken file is explained in the words of the screen", () =>
  opened(async (page) => {
    const drop = async (text) => {
      await page.getByTestId("plan-menu").click();
      await page.getByTestId("gallery-open").click();
      const file = { name: "plan.json", mimeType: "application/json", buffer: Buffer.from(text) };
      await page.getByTestId("open-file").setInputFiles(file);
      const notice = page.getByTestId("notice-bad-file");
      const words = await notice.locator(".notice-words").innerText();
      await notice.getByTestId("notice-close").click();
      return words;
    };
    assert.match(await drop('{\n "format": 1,,'), /broken: what stands at line 2, column 14 cannot be read/);
    const pool = '{"format": 1, "name": "P", "pools": [{"id": 1, "name": "Key", "acceptable_chance": "5 %"}]}';
    assert.match(await drop(pool), /Pool “Key”, .* \(pools\[0\]\.acceptable_chance\) has to be a number, such as 0\.35\./);
  }));

test("a link opens with what a mail program put behind it", () =>
  opened(async (page, site) => {
    await enter(page, FIELD, "7k");
    const box = page.getByTestId(`field-${FIELD}`);
    const good = await box.inputValue();
    await page.getByTestId("share-open").click();
    const url = await page.getByTestId("share-url").inputValue();
    const other = await profile();
    try {
      for (const behind of ["%20", ".", "%0D%0A"]) {
        await other.page.goto("about:blank");
        await other.page.goto(`${url}${behind}`);
        await other.page.getByTestId("notice-link").waitFor();
        await other.page.getByTestId("entity-features-6").click();
        assert.equal(await other.page.getByTestId(`field-${FIELD}`).inputValue(), good);
      }
      other.clean();
    } finally {
      await other.close();
    }
    assert.ok(url.startsWith(site.url));
  }));

test("what is being typed outlives a reload", () =>
  opened(async (page) => {
    const box = page.getByTestId(`field-${FIELD}`);
    await box.fill("7,777");
    await page.reload();
    await page.getByTestId("entity-features-6").click();
    assert.equal(await box.inputValue(), "7777");
  }));
