// Plans in this browser: two tabs, a damaged link, a tab that is closed in the middle of typing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { app, enter, profile } from "./support/app.mjs";

const LAUNCH = "features/6/launch";
const launch = (page) => page.getByTestId(`field-${LAUNCH}`);

/** Opens the form of the assistant and leaves the run alone. */
async function form(page) {
  await page.getByTestId("entity-features-6").click();
  await launch(page).waitFor();
}

test("two tabs with one plan do not overwrite each other", { timeout: 120_000 }, async () => {
  const site = await app();
  const user = await profile();
  try {
    const first = user.page;
    await first.goto(site.url);
    await form(first);
    await enter(first, LAUNCH, "2027-09-01");
    const second = await user.context.newPage();
    await second.goto(site.url);
    await form(second);
    assert.equal(await launch(second).inputValue(), "1 Sep 2027", "the second tab opens the plan that the first one kept");

    await enter(second, LAUNCH, "2027-10-01");
    await first.getByTestId("notice-other-tab").waitFor();
    await enter(first, LAUNCH, "2027-11-01");
    const kept = () => second.evaluate(() => localStorage.getItem("headroom.plan.1"));
    assert.match(await kept(), /2027-10-01/, "what the second tab kept stays");
    await first.getByTestId("other-keep").click();
    await first.getByTestId("notice-other-tab").waitFor({ state: "detached" });
    assert.match(await kept(), /2027-10-01/);
    assert.match(await second.evaluate(() => localStorage.getItem("headroom.plan.2")), /2027-11-01/);

    // the other way out, back on the shared plan
    await first.reload();
    await first.getByTestId("plan-menu").click();
    await first.getByTestId("plan-1").click();
    await form(first);
    await enter(second, LAUNCH, "2027-12-01");
    await first.getByTestId("other-take").click();
    await form(first);
    assert.equal(await launch(first).inputValue(), "1 Dec 2027");
    user.clean();
  } finally {
    await user.close();
    await site.close();
  }
});

test("a damaged link is said on the first visit too", { timeout: 60_000 }, async () => {
  const site = await app();
  const user = await profile();
  try {
    await user.page.goto(`${site.url}#p=1.eNrtWllv20gS`);
    await user.page.getByTestId("notice-bad-link").waitFor();
    assert.equal(new URL(user.page.url()).hash, "", "the address does not keep what cannot be opened");
    await user.page.reload();
    await user.page.getByTestId("entity-features-6").waitFor();
    assert.equal(await user.page.getByTestId("notice-bad-link").count(), 0);
    user.clean();
  } finally {
    await user.close();
    await site.close();
  }
});

test("a phone runs 2,000 futures and says so", { timeout: 240_000 }, async () => {
  const site = await app();
  const user = await profile({ width: 390, height: 844 });
  try {
    await user.page.goto(site.url);
    await user.page.locator('[data-testid="status"][data-run="done"]').waitFor({ timeout: 200_000 });
    assert.match(await user.page.getByTestId("status-futures").innerText(), /^2,000 futures on a phone, the plan asks for 10,000$/);
    await user.page.getByTestId("run-all").click();
    await user.page.getByTestId("status-futures").filter({ hasText: "of 10,000" }).waitFor();
    user.clean();
  } finally {
    await user.close();
    await site.close();
  }
});
