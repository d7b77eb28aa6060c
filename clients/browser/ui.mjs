// Opens a page that shows a document in Chromium, and checks that it shows a text, requests nothing from other hosts, and
// keeps its policy. Usage: ui.mjs PAGE TEXT SCREENSHOT
import { dirname } from "node:path";
import { start } from "./watch.mjs";

const [url, text, screenshot] = process.argv.slice(2);
const { open, perform } = await start(new URL(url).origin, /CSP: script-src eval|console: (document validation errors|\[Object\])/); // of Scalar, which tries eval and works without
await perform(dirname(screenshot), async () => {
  const page = await open("page", { height: 1000 });
  const began = performance.now();
  await page.goto(url, { waitUntil: "commit" });
  await page.locator(`text=${text} >> visible=true`).first().waitFor();
  const shown = `${text} is shown after ${((performance.now() - began) / 1000).toFixed(1)} s`;
  await page.mouse.wheel(0, 3000);
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: screenshot });
  return shown;
});
