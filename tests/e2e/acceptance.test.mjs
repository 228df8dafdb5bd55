// The planner end to end, as a person uses it: open, wait for all futures, edit, share, open the link elsewhere, export.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { app, digests, enter, final, profile } from "./support/app.mjs";

/** Rows of a CSV file of this project (no field has a line break). */
function rows(text) {
  const [head, ...lines] = text.replace(/^\uFEFF/, "").trimEnd().split("\r\n").map(fields);
  return lines.map((line) => Object.fromEntries(head.map((name, at) => [name, line[at]])));
}

function fields(line) {
  const parts = line.match(/("(?:[^"]|"")*"|[^,]*)(,|$)/g).map((part) => part.replace(/,$/, ""));
  if (!line.endsWith(",")) parts.pop();
  return parts.map((part) => (part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part));
}

/** The number in an amount of money as the screen writes it. */
const amount = (text) => Number(text.replace("\u2212", "-").replace(/[^-0-9.]/g, ""));

test("opens, edits, shares, opens the link in a fresh profile, exports", { timeout: 900_000 }, async () => {
  const site = await app("/plans/");
  const first = await profile();
  const second = await profile();
  try {
    const { page } = first;
    await page.goto(site.url);
    await final(page);
    const verdict = await page.getByTestId("verdict").innerText();
    const opened = await digests(page);
    assert.match(verdict, /\d/, "the verdict names figures");

    // The assistant launches in August 2027; a year later the cluster has another story to tell.
    await page.getByTestId("entity-features-6").click();
    await enter(page, "features/6/launch", "2028-06-01");
    await page.locator('[data-testid="status"][data-run="running"]').waitFor();
    await final(page);
    const changed = await page.getByTestId("verdict").innerText();
    assert.notEqual(changed, verdict, "the verdict follows the edit");
    const edited = await digests(page);
    assert.notEqual(edited.scenario, opened.scenario);
    assert.notEqual(edited.result, opened.result);

    await page.getByTestId("share-open").click();
    await page.getByTestId("share-copy").click();
    await page.getByTestId("share-copied").filter({ hasText: /./ }).waitFor();
    const url = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(url, await page.getByTestId("share-url").inputValue());
    assert.ok(url.startsWith(`${site.url}#`), url);
    await page.getByTestId("dialog-close").click();

    await second.page.goto(url);
    await final(second.page);
    assert.deepEqual(await digests(second.page), edited, "a link gives the same plan and the same futures");
    assert.equal(await second.page.getByTestId("verdict").innerText(), changed);

    // The table on the screen and the file say the same; the parts of the file add up to its total.
    await second.page.getByTestId("export-open").click();
    const [download] = await Promise.all([
      second.page.waitForEvent("download"),
      second.page.getByTestId("export-csv").click(),
    ]);
    const table = rows(readFileSync(await download.path(), "utf8"));
    await second.page.getByTestId("dialog-close").click();
    for (const row of table) {
      assert.equal(row.x_ScenarioDigest, edited.scenario);
      assert.equal(row.x_ResultDigest, edited.result);
    }
    const effective = table.filter((row) => row.metric === "effective_cost" && row.x_Period === "year");
    const years = effective.filter((row) => row.row_type === "Total");
    assert.equal(years.length, 2, "18 months from January touch two fiscal years");
    for (const year of years) {
      for (const [column, name] of [["p05", "p5"], ["p25", "p25"], ["p50", "p50"], ["p75", "p75"], ["p95", "p95"]]) {
        const cell = second.page.getByTestId(`year-${year.fiscal_year.replace("FY", "")}-${name}`);
        assert.equal(amount(await cell.textContent()), Number(year[column]), `${year.fiscal_year} ${name}`);
      }
      const parts = effective.filter((row) => row.row_type === "Forecast" && row.fiscal_year === year.fiscal_year);
      const sum = parts.reduce((cents, row) => cents + Math.round(100 * Number(row.mean)), 0);
      assert.equal(sum, Math.round(100 * Number(year.mean)), `parts of ${year.fiscal_year}`);
    }

    // Undo gives the old answers back at once, and exactly.
    await page.getByTestId("undo").click();
    await final(page);
    assert.deepEqual(await digests(page), opened);

    first.clean();
    second.clean();
  } finally {
    await first.close();
    await second.close();
    await site.close();
  }
});
