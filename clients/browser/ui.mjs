// Opens a page that shows a document in Chromium, and checks that it shows a text, requests nothing from other hosts, and
// keeps its policy. Usage: ui.mjs PAGE TEXT SCREENSHOT
import { chromium } from "playwright-core";

const [url, text, screenshot] = process.argv.slice(2);
const origin = new URL(url).origin;
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const complaints = [];
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
  page.on("console", (m) => m.type() === "error" && complaints.push(`console: ${m.text()}`));
  page.on("pageerror", (e) => complaints.push(`page: ${e.message}`));
  page.on("request", (r) => {
    if (!r.url().startsWith(origin) && !/^(?:data|blob):/.test(r.url())) complaints.push(`request to ${r.url()}`);
  });
  await page.addInitScript(() => {
    globalThis.violations = [];
    document.addEventListener("securitypolicyviolation", (e) => globalThis.violations.push(`${e.violatedDirective} ${e.blockedURI}`));
  });
  const start = performance.now();
  await page.goto(url, { waitUntil: "commit" });
  await page.locator(`text=${text} >> visible=true`).first().waitFor();
  console.log(`${text} is shown after ${((performance.now() - start) / 1000).toFixed(1)} s`);
  await page.mouse.wheel(0, 3000);
  await page.waitForLoadState("networkidle");
  complaints.push(...(await page.evaluate(() => globalThis.violations)).filter((v) => v !== "script-src eval").map((v) => `CSP: ${v}`)); // Scalar tries eval, and works without
  await page.screenshot({ path: screenshot });
} finally {
  await browser.close();
}
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exit(1);
