// Uses lists as people do all day, in Chromium: with 5,000 records of examples/hoard, and the workflow of examples/rental.
// Usage: tables.mjs HOARD RENTAL FOLDER
import { start } from "./watch.mjs";

const [hoard, rental, folder] = process.argv.slice(2);
const admin = `${hoard}/admin`;
const { browser, complaints, complain, open, inspect } = await start(hoard);
const check = (holds, text) => holds || complain(text);
const button = (page, name) => page.getByRole("button", { name, exact: true });
const visit = (page, hash) => page.goto(`${admin}#/${hash}`);
const shows = (page, text) => page.getByText(text).first().waitFor();
const quiet = (page) => page.locator("section.records[aria-busy=false] tbody tr").first().waitFor();
const call = async (method, path, body, name = "root") => {
  const headers = { Authorization: `Bearer demo-${name}`, "Content-Type": "application/json" };
  const response = await fetch(`${hoard}/api${path}`, { method, headers, body: body && JSON.stringify(body) });
  return { status: response.status, total: Number(response.headers.get("X-Total-Count")), body: await response.json().catch(() => null) };
};

/** Makes the list of treasures 5,000 records long. */
async function fill() {
  const { total } = await call("GET", "/dragon_treasures?itemsPerPage=1");
  const all = Array.from({ length: 5000 - total }, (_, i) => ({ name: `Coin ${String(i).padStart(4, "0")}`, value: 1000 + i, isPublished: true, description: `Number ${i}.` }));
  for (let i = 0; i < all.length; i += 1000) {
    const { status } = await call("POST", "/dragon_treasures/import", all.slice(i, i + 1000));
    check(status < 300, `the import returns ${status}`);
  }
}

async function signIn(page, name = "root") {
  await visit(page, "~sign-in");
  const form = page.getByRole("form", { name: "Sign in" }).filter({ has: page.getByLabel("Email") });
  await form.getByLabel("Email").fill(`${name}@example.com`);
  await form.locator("input[type=password]").fill(`demo-${name}`);
  await form.getByRole("button", { name: "Sign in" }).click();
  await shows(page, "You are signed in.");
  await button(page, "Dismiss").click();
}

/** Goes back from forms with changes, lists and deleted records. */
async function back(page) {
  await visit(page, "DragonTreasure?itemsPerPage=50&sort=name&page=2");
  await quiet(page);
  const box = page.locator("[data-scrolls]");
  const links = page.locator("td.title a");
  await links.nth(20).scrollIntoViewIfNeeded();
  const place = async () => JSON.stringify([await page.evaluate(() => window.scrollY), await box.evaluate((one) => one.scrollTop)]);
  await page.waitForTimeout(50);
  const before = await place();
  const list = page.url();
  await links.nth(20).click();
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("Changed");
  await button(page, "Undo changes").waitFor();
  await page.goBack();
  await button(page.getByRole("dialog"), "Keep editing").click();
  check((await name.inputValue()) === "Changed", "the form loses its changes");
  await button(page, "Undo changes").click();
  await page.goBack();
  await quiet(page);
  check(page.url() === list, `back from a guarded form leads to ${page.url()}`);
  for (let i = 0; i < 40 && (await place()) !== before; i++) await page.waitForTimeout(50);
  check((await place()) === before, `back restores ${await place()} instead of ${before}`);
  await page.goForward(); // what was left is still there
  await name.fill("Changed again");
  await button(page, "Undo changes").waitFor();
  await page.goBack();
  await button(page.getByRole("dialog"), "Discard changes").click();
  await quiet(page);
  check(page.url() === list, "discarding leads elsewhere");
  await page.goForward();
  await name.waitFor();
  await page.getByRole("navigation", { name: "Back to the list" }).getByRole("link").click();
  await quiet(page);
  check(page.url() === list, `the breadcrumb leads to ${page.url()}`);
  const { body } = await call("POST", "/dragon_treasures", { name: "AA to delete", isPublished: true });
  await visit(page, "DragonTreasure?sort=name&name=to+delete");
  await page.getByRole("link", { name: "AA to delete" }).click();
  await button(page, "Delete").click();
  await button(page.getByRole("dialog"), "Delete").click();
  await page.waitForURL(/name=to\+delete/);
  await shows(page, "No dragon treasures match.");
  check((await call("GET", `/dragon_treasures/${body.id}`)).status === 404, "the record is not deleted");
  await page.goForward().catch(() => {});
  await page.waitForURL(/name=to\+delete/);
  await page.goBack();
  await page.waitForTimeout(100);
  check(!page.url().includes(`DragonTreasure/${body.id}`), "back opens a record that was deleted");
}

const steps = { back };
try {
  const began = Date.now();
  await fill();
  console.log(`filled in ${((Date.now() - began) / 1000).toFixed(1)} s`);
  const page = await open("root", { width: 1440, height: 900, foreign: rental });
  await signIn(page);
  for (const [name, step] of Object.entries(steps)) {
    if (process.env.ONLY && !process.env.ONLY.split(",").includes(name)) continue;
    const from = Date.now();
    await step(page);
    console.log(`${name}: ${((Date.now() - from) / 1000).toFixed(1)} s`);
  }
} catch (error) {
  complain(error.stack);
  for (const context of browser.contexts()) for (const page of context.pages()) await page.screenshot({ path: `${folder}/failed-tables.png` });
} finally {
  await browser.close();
}
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exit(1);
console.log("lists find, keep and change thousands of records");
