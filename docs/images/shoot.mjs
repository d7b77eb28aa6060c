// Takes a picture of a page with Debian's Chromium: shoot.mjs URL FILE WIDTH. docs/images/make runs it.
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../../clients/package.json", import.meta.url))("playwright-core");
const [url, file, width] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
try {
  const page = await browser.newPage({ viewport: { width: Number(width), height: 200 }, bypassCSP: true });
  await page.goto(url, { waitUntil: "networkidle" });
  await page.addStyleTag({ content: ".models, section:has(> h4 .models-control) { display: none !important } .swagger-ui .info { margin: 20px 0 }" });
  await page.screenshot({ path: file, fullPage: true });
} finally {
  await browser.close();
}
