// Every control of the plan is explained: a sentence that a screen reader is given with the control, and that is seen
// while the control has the focus.
import assert from "node:assert/strict";
import { test } from "node:test";
import { app, enter, profile } from "./support/app.mjs";

const CONTROLS = "input, select, textarea, [role='grid']";

async function opened(width, body) {
  const site = await app();
  const user = await profile({ width });
  try {
    await user.page.goto(site.url);
    if (width < 1280 && width >= 640) await user.page.getByTestId("pane-plan").click();
    await body(user.page);
    user.clean();
  } finally {
    await user.close();
    await site.close();
  }
}

/** The focused control: its number among those of the part of the page, its name, and what explains it. */
const focused = (page, part) =>
  page.evaluate(
    ([part, controls]) => {
      const control = document.activeElement;
      const frame = document.querySelector(part);
      if (!frame.contains(control)) return { outside: true };
      const ids = (control.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
      const sentences = ids.map((id) => document.getElementById(id)).filter((e) => e?.textContent.trim());
      const seen = (e) => {
        const { left, top, width, height } = e.getBoundingClientRect();
        const at = document.elementFromPoint(left + Math.min(width, 40) / 2, top + height / 2);
        return width > 0 && height > 0 && e.contains(at);
      };
      return {
        number: [...frame.querySelectorAll(controls)].indexOf(control),
        name: control.getAttribute("aria-label") || control.labels?.[0]?.textContent || control.id,
        // a button explains itself by its words; where it names a sentence, that is seen as well
        control: control.matches(controls) || ids.length > 0,
        sentence: sentences.at(-1)?.textContent.trim() ?? "",
        seen: sentences.length > 0 && seen(sentences.at(-1)),
        before: document.getElementById(ids[0]) === sentences[0] || sentences.length < 2,
      };
    },
    [part, CONTROLS],
  );

/** Goes through a part of the page with the Tab key; every control in it must be met, and explained. */
async function walk(page, part) {
  const frame = page.locator(part);
  const count = await frame.locator(CONTROLS).count();
  await frame.locator("button, input, select").first().focus();
  const met = new Set();
  for (let step = 0; step < 400; step += 1) {
    // two frames: the sentence is shown, and brought into view
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))));
    const at = await focused(page, part);
    if (at.outside || (at.number >= 0 && met.has(at.number))) break;
    if (at.control) {
      assert.ok(at.sentence.length > 15, `“${at.name}” is explained: “${at.sentence}”`);
      assert.ok(at.seen, `what explains “${at.name}” is seen: “${at.sentence}”`);
      assert.ok(at.before, `an error of “${at.name}” comes first`);
    }
    if (at.number >= 0) met.add(at.number);
    await page.keyboard.press("Tab");
  }
  assert.equal(met.size, count, `every control of ${part} can be reached`);
  assert.equal(await frame.locator("label[title]").count(), 0, "no second sentence that only a mouse finds");
  return count;
}

/** Unfolds what is folded in a part of the page. */
async function unfold(page, part) {
  const folded = page.locator(`${part} .fold > [aria-expanded="false"]`);
  while (await folded.count()) await folded.first().click();
}

const form = (section, id) => `[data-testid="entity-${section}-${id}"] .form`;

for (const width of [1440, 820]) {
  test(`every control of the plan is explained, ${width} wide`, { timeout: 240_000 }, () =>
    opened(width, async (page) => {
      await page.getByTestId("toggle-settings").click();
      await unfold(page, ".settings-form");
      await page.getByTestId("demand-shock").check();
      assert.ok((await walk(page, ".settings-form")) >= 12);

      const feature = form("features", 6);
      await page.getByTestId("entity-features-6").click();
      await page.getByTestId("field-features/6/pool").waitFor();
      await unfold(page, feature);
      const choose = (field, value) => page.getByTestId(`field-features/6/${field}`).selectOption(value);
      await choose("lanes", "two");
      await choose("cached_share_left", "by_hour");
      await choose("retry_factor", "by_hour");
      await choose("weekly_profile", "custom");
      await page.getByTestId("field-features/6/runaways").check();
      await enter(page, "features/6/cap_tokens", "400k");
      await choose("soft_of", { label: "Tokens" });
      await choose("soft_then", "degrade");
      await enter(page, "features/6/requests_per_day", "nonsense");
      assert.ok((await walk(page, feature)) >= 45);
      await page.getByTestId("undo").click();

      for (const [section, kinds] of [["pools", 2], ["commitments", 2], ["models", 1], ["seasons", 1], ["budgets", 1]]) {
        const at = page.getByTestId(`section-${section}`);
        if ((await at.locator(".entity").count()) === 0) await page.getByTestId(`toggle-${section}`).click();
        await at.locator(".entity-row").first().click();
        const open = `[data-testid="section-${section}"] .form`;
        for (let kind = 0; kind < kinds; kind += 1) {
          const segments = page.locator(`${open} .segments button`);
          if (kinds > 1) await segments.nth(kind).click();
          for (const tick of await page.locator(`${open} input[type="checkbox"]`).all()) await tick.setChecked(section !== "seasons");
          assert.ok((await walk(page, open)) >= 4, section);
        }
      }
    }));
}

test("a number in its panel is explained, on a phone too", { timeout: 120_000 }, async () => {
  const panel = '[data-testid="panel"]';
  await opened(1440, async (page) => {
    await page.getByTestId("entity-features-6").click();
    await page.getByTestId("badge-features/6/output_tokens").click();
    await page.getByTestId("panel-box").waitFor();
    await walk(page, panel);
  });
  await opened(390, async (page) => {
    await page.getByTestId("phone-change").click();
    await page.getByTestId("change-features/6/launch").click();
    await page.getByTestId("panel-box").waitFor();
    await walk(page, panel);
  });
});

test("a click hits what it was aimed at although a sentence goes and another comes", { timeout: 60_000 }, () =>
  opened(1440, async (page) => {
    await page.getByTestId("toggle-pools").click();
    await page.getByTestId("section-pools").locator(".entity-row").first().click();
    const box = page.locator('[data-testid^="field-pools/"][data-testid$="target_utilisation"]').first();
    await box.click();
    await page.locator(".hint.shown", { hasText: "replica's time" }).waitFor();
    const tick = page.locator('[data-testid^="field-pools/"][type="checkbox"]').first();
    const before = await tick.isChecked();
    const at = await tick.boundingBox();
    await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
    await page.mouse.down();
    await page.waitForTimeout(120);
    await page.mouse.up();
    assert.equal(await tick.isChecked(), !before);
    await page.locator(".hint.shown", { hasText: "added by the hour" }).waitFor();
  }));

test("a note is reached from its field, read with it, and costs no step of the Tab key", { timeout: 60_000 }, () =>
  opened(1440, async (page) => {
    await page.getByTestId("entity-features-6").click();
    const field = page.getByTestId("field-features/6/requests_per_day");
    await field.focus();
    await page.keyboard.press("Shift+F2");
    const at = () => page.evaluate(() => document.activeElement.id);
    await page.getByTestId("panel").waitFor();
    for (let tries = 0; tries < 40 && (await at()) !== "note-text"; tries += 1) await page.waitForTimeout(50);
    assert.equal(await at(), "note-text");
    await page.keyboard.type("from the launch review");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    await page.getByTestId("panel").waitFor({ state: "detached" });
    await field.focus();
    await page.locator(".hint.shown", { hasText: "Note: from the launch review" }).waitFor();
    const stops = await page.locator(".plan-scroll .note-button:not([tabindex='-1'])").count();
    assert.equal(stops, 0, "one step for each field");
  }));

test("a row keeps its place when its sentence comes", { timeout: 120_000 }, () =>
  opened(1440, async (page) => {
    await page.getByTestId("entity-features-6").click();
    await page.getByTestId("field-features/6/pool").waitFor();
    await unfold(page, form("features", 6));
    await page.locator(form("features", 6)).locator(CONTROLS).first().focus();
    // where a field stands when it has the focus, and when its sentence is there
    await page.evaluate(() => {
      window.moved = [];
      window.addEventListener("focusin", (event) => {
        const field = event.target;
        if (!field.matches(".plan-scroll input, .plan-scroll select")) return;
        const at = () => field.getBoundingClientRect().top;
        requestAnimationFrame(() => {
          const first = at();
          requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => window.moved.push(Math.abs(at() - first)))));
        });
      });
    });
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press("Tab");
      await page.waitForTimeout(90);
    }
    const moved = await page.evaluate(() => window.moved);
    assert.ok(moved.length >= 15, `${moved.length} fields`);
    assert.ok(Math.max(...moved) < 2, `a row moved by ${Math.max(...moved)} px`);
  }));

test("a budget without a line says where it has one, and leads there", { timeout: 300_000 }, async () => {
  for (const width of [1440, 820, 390]) {
    await opened(width, async (page) => {
      if (width === 820) await page.getByTestId("pane-answers").click();
      await page.locator('[data-testid="status"][data-run="done"]').waitFor({ timeout: 100_000 });
      assert.equal(await page.getByTestId("unseen-budgets").count(), 0);
      await page.getByTestId("cost-billed").first().click();
      await page.getByTestId("unseen-budgets").filter({ hasText: "effective cost" }).waitFor();
      await page.getByTestId("show-budget").click();
      await page.getByTestId("unseen-budgets").waitFor({ state: "detached" });
      assert.equal(await page.getByTestId("cost-effective").first().getAttribute("aria-pressed"), "true");
    });
  }
});
