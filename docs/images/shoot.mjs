// Takes a picture of a page with Debian's Chromium: shoot.mjs URL FILE WIDTH [OPERATION]. With the id of an operation, it
// is one of the schema of its body. docs/images/make runs it.
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../../clients/package.json", import.meta.url))("playwright-core");
const [url, file, width, operation] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
try {
  const page = await browser.newPage({ viewport: { width: Number(width), height: 200 }, bypassCSP: true });
  await page.goto(url, { waitUntil: "networkidle" });
  await page.addStyleTag({ content: ".models, section:has(> h4 .models-control) { display: none !important } .swagger-ui .info { margin: 20px 0 }" });
  if (!operation) {
    await page.screenshot({ path: file, fullPage: true });
  } else {
    const block = page.locator(`[id$="-${operation}"]`);
    await block.locator(".opblock-summary").click();
    await block.getByText("Schema", { exact: true }).first().click();
    const schema = block.locator(".json-schema-2020-12").first();
    await schema.waitFor();
    // A pattern of spaces does not print well.
    await schema.evaluate((e) => e.querySelectorAll(".json-schema-2020-12__constraint").forEach((c) => c.textContent.startsWith("matches") && c.remove()));
    await block.locator(".model-box").first().screenshot({ path: file });
  }
} finally {
  await browser.close();
}
