// Takes docs/screenshot.png: the default plan, all futures in, at the width of the design.
import { join } from "node:path";
import { ROOT, app, final, profile } from "./app.mjs";

const site = await app();
const user = await profile({ width: 1440, height: 1000 });
try {
  await user.page.goto(site.url);
  await final(user.page);
  await user.page.screenshot({ path: join(ROOT, "docs/screenshot.png") });
} finally {
  await user.close();
  await site.close();
}
