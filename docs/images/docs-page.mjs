// Takes pictures of the documentation page of a service, light and dark: docs-page.mjs URL FOLDER. docs/images/make runs it.
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../../clients/package.json", import.meta.url))("playwright-core");
const [url, folder] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });

async function picture(colorScheme, unfolded, prepare) {
  const page = await browser.newPage({ viewport: { width: 1100, height: 680 }, colorScheme });
  await page.goto(url);
  const block = page.locator(`.opblock[id$="-${unfolded}"]`);
  await block.locator(".opblock-summary-control").click();
  await block.locator(".responses-table").waitFor();
  await prepare(page, block);
  await block.evaluate((e) => globalThis.scrollTo(0, e.getBoundingClientRect().top + scrollY - 95));
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${folder}/docs-page-${colorScheme}.png` });
  await page.close();
}

try {
  await picture("light", "listDragonTreasures", async (page, block) => {
    await page.fill("#search", "dragon treasures");
    await block.getByRole("button", { name: /^value/ }).click();
    await page.getByText("operations match").waitFor();
  });
  await picture("dark", "createDragonTreasure", async (page, block) => {
    await page.getByRole("button", { name: "Authorize" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Token").fill("demo-ann");
    await dialog.getByRole("button", { name: "Authorize" }).click();
    await dialog.getByRole("button", { name: "Close" }).click();
    await block.getByRole("button", { name: "Response 400" }).click();
  });
} finally {
  await browser.close();
}
