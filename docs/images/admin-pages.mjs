// Takes pictures of the admin of examples/rental, light and dark: admin-pages.mjs ORIGIN FOLDER. docs/images/make runs it.
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../../clients/package.json", import.meta.url))("playwright-core");
const [origin, folder] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });

/** Takes pictures as root: the file, the hash of the page, and what it shows when it is ready. */
async function pictures(colorScheme, views) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 760 }, colorScheme });
  const signedIn = await page.context().request.post(`${origin}/api/login`, { data: { email: "root@example.com", password: "correct horse battery" }, headers: { Origin: origin } });
  if (!signedIn.ok()) throw new Error(`root cannot sign in: ${signedIn.status()}`);
  for (const [file, hash, ready] of views) {
    await page.goto(`${origin}/admin#/${hash}`);
    await page.locator(ready).first().waitFor();
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: `${folder}/${file}.png` });
  }
  await page.close();
}

try {
  await pictures("light", [["admin-overview", "", "h1"], ["admin-bookings", "Booking", "td"], ["admin-invoice", "Invoice/new", "form.record"]]);
  await pictures("dark", [["admin-overview-dark", "", "h1"], ["admin-booking-dark", "Booking/3", "form.record, .details"]]);
} finally {
  await browser.close();
}
