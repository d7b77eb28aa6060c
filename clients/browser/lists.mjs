// Uses lists in Chromium in ways that are rarer than those of tables.mjs: columns by dragging, messages that are read slowly,
// filters of a tab and of an enumeration, and thousands of records that match. Usage: lists.mjs HOARD RENTAL FOLDER
import { start } from "./watch.mjs";

const [hoard, rental, folder] = process.argv.slice(2);
const { check, open, inspect, perform } = await start(hoard);
const MANY = 3000;
const button = (page, name) => page.getByRole("button", { name, exact: true });
const shows = (page, text) => page.getByText(text).first().waitFor();
const visit = (page, hash, base = hoard) => page.goto(`${base}/admin#/${hash}`);
const quiet = async (page) => {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))); // the page has taken notice of its URL
  await page.locator("section.records[aria-busy=false] tbody tr").first().waitFor();
};

/** Makes the list of treasures long enough. Returns its length. */
async function fill() {
  const call = (method, path, body) => fetch(`${hoard}/api/dragon_treasures${path}`, { method, body, headers: { Authorization: "Bearer demo-root", "Content-Type": "application/json" } });
  const total = Number((await call("GET", "?itemsPerPage=1")).headers.get("X-Total-Count"));
  const all = Array.from({ length: Math.max(0, MANY - total) }, (_, i) => ({ name: `Bead ${i}`, value: i, isPublished: true }));
  for (let i = 0; i < all.length; i += 1000) await call("POST", "/import", JSON.stringify(all.slice(i, i + 1000)));
  return Math.max(total, MANY);
}

async function signIn(page, base, password) {
  await visit(page, "~sign-in", base);
  const form = page.getByRole("form", { name: "Sign in" }).filter({ has: page.getByLabel("Email") });
  await form.getByLabel("Email").fill("root@example.com");
  await form.locator("input[type=password]").fill(password);
  await button(form, "Sign in").click();
  await shows(page, "You are signed in.");
  await button(page, "Dismiss").click();
}

/** Moves a column by dragging it. */
async function dragging(page) {
  await visit(page, "DragonTreasure");
  await quiet(page);
  const heads = async () => (await page.locator("thead th:not(.select)").allTextContents()).map((text) => text.replace(/[^\w ]/g, "").trim());
  const [first, second, third] = await heads();
  await button(page, "Columns").click();
  const columns = page.getByRole("group", { name: "Columns" }).getByRole("listitem");
  await columns.nth(2).dragTo(columns.nth(0));
  await page.keyboard.press("Escape");
  check((await heads()).slice(0, 3).join() === [third, first, second].join(), `dragging ${third} to the left makes the columns ${await heads()}`);
  await button(page, "Columns").click();
  await columns.nth(0).dragTo(columns.nth(2));
  await page.keyboard.press("Escape");
  check((await heads()).slice(0, 3).join() === [first, second, third].join(), `dragging ${third} back makes the columns ${await heads()}`);
}

/** A message stays while it is pointed at, or has the focus. */
async function messages(page) {
  await visit(page, "DragonTreasure?name=crown");
  await quiet(page);
  await page.clock.install();
  const message = page.locator(".message");
  const say = async () => {
    await Promise.all([page.waitForEvent("download"), button(page, "Export CSV").click()]);
    await message.waitFor();
  };
  const later = async () => {
    await page.clock.runFor(15000);
    return message.count();
  };
  await say();
  await message.hover();
  check((await later()) === 1, "a message goes while it is pointed at");
  await page.mouse.move(5, 5);
  check((await later()) === 0, "a message stays after the pointer has left");
  await say();
  await button(message, "Dismiss").focus();
  check((await later()) === 1, "a message goes while it has the focus");
  await message.hover();
  await page.mouse.move(5, 5);
  check((await later()) === 1, "a message goes while it has the focus, because the pointer has left");
  await page.getByRole("searchbox").focus();
  check((await later()) === 0, "a message stays after the focus has left");
  await page.clock.resume();
  await page.reload(); // with the clock of the machine
}

/** The filters of the list in a tab are there again after going back. */
async function tabs(page) {
  await visit(page, "User/2?tab=1");
  await page.getByRole("tab", { name: "Dragon treasures" }).click();
  await quiet(page);
  const before = await page.locator("tbody tr").count();
  await button(page, "Add filter").click();
  const form = page.getByRole("form", { name: "Add filter" });
  await form.getByLabel("Field").selectOption({ label: "Value" });
  await form.getByLabel("Value from").fill("500");
  await button(form, "Apply").click();
  const chip = page.getByRole("list", { name: "Filters" }).getByText("at least 500");
  await chip.waitFor();
  await quiet(page);
  const rows = await page.locator("tbody tr").count();
  check(rows > 0 && rows < before, `the filter of a tab shows ${rows} of ${before}`);
  await page.locator("td.title a").first().click();
  await page.waitForURL(/DragonTreasure\/\d+/);
  await page.getByRole("tab", { name: "Details" }).waitFor();
  await page.goBack();
  await chip.waitFor({ timeout: 4000 }).catch(() => check(false, "the filters of a tab are lost by going back"));
  await quiet(page);
  check((await page.locator("tbody tr").count()) === rows, "a tab shows other records after going back");
  await page.goForward();
  await page.waitForURL(/DragonTreasure\/\d+/);
}

/** Selects all of several thousand records. */
async function thousands(page, total) {
  await visit(page, "DragonTreasure?sort=name");
  await quiet(page);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  const from = Date.now();
  await page.getByRole("button", { name: /^Select all [\d,]+ that match/ }).click();
  await shows(page, `${total.toLocaleString("en")} selected`);
  const selected = Date.now();
  await button(page, "Set a field").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: `Set a field: ${total.toLocaleString("en")} records` }).waitFor();
  await button(dialog, "Save").waitFor();
  console.log(`${total} records are selected after ${selected - from} ms, and can be changed after ${Date.now() - selected} ms more`);
  check(Date.now() - from < 15000, `${total} records can be changed after ${Date.now() - from} ms`);
  await page.keyboard.press("Escape");
  await button(page, "Clear selection").click();
}

/** A list that is too long to be counted, or that is estimated. */
async function uncounted(page) {
  const lists = /\/api\/dragon_treasures\?/;
  const says = async (name, value, head, range, next) => {
    await page.route(lists, async (route) => {
      const response = await route.fetch();
      const { "x-total-count": total, link, ...headers } = response.headers();
      if (!total) return route.fulfill({ response });
      await route.fulfill({ response, headers: { ...headers, [name]: value, link: link.replace(/, <[^>]*>; rel="last"/, "") } });
    });
    await visit(page, "DragonTreasure?sort=name&itemsPerPage=10");
    await page.reload();
    await quiet(page);
    await shows(page, head);
    await shows(page, range);
    check((await button(page, "Last").count()) === 0, `${head} have a last page`);
    await button(page, "Next").click();
    await shows(page, next);
    await page.unroute(lists);
  };
  await says("X-Total-More-Than", "10000", "10,000+ records", "1–10 of 10,000+", "11–20 of 10,000+");
  await says("X-Total-Estimate", "12345678", "about 12,345,678 records", "1–10 of about 12,345,678", "11–20 of about 12,345,678");
  await says("X-Total-More-Than", "5", "5+ records", "1–10 of 10+", "11–20 of 20+"); // a page behind what is counted
}

/** Several values of an enumeration. */
async function values(page) {
  await signIn(page, rental, "correct horse battery");
  await visit(page, "Booking", rental);
  await quiet(page);
  await button(page, "Add filter").click();
  const form = page.getByRole("form", { name: "Add filter" });
  await form.getByLabel("Field").selectOption({ label: "Status" });
  await form.getByLabel("requested").check();
  await form.getByLabel("back").check();
  await inspect(page, "a filter by several values");
  await button(form, "Apply").click();
  const chip = page.getByRole("list", { name: "Filters" }).getByRole("listitem");
  await chip.filter({ hasText: "Status: requested or back" }).waitFor();
  check(/status=requested&status=returned/.test(page.url()), `two values of an enumeration lead to ${page.url()}`);
  await quiet(page);
  const shown = await page.locator("td[data-label=Status]").allInnerTexts();
  check(shown.length > 1 && shown.every((text) => ["requested", "back"].includes(text.trim())), `the filter shows ${shown}`);
  await chip.getByRole("button", { name: "requested or back" }).click();
  const edit = page.getByRole("form", { name: "Change filter" });
  check(await edit.getByLabel("back").isChecked(), "the form of a filter lacks its values");
  await edit.getByLabel("requested").uncheck();
  await button(edit, "Apply").click();
  await chip.filter({ hasText: /Status: back\W*$/ }).waitFor();
}

await perform(folder, async () => {
  const total = await fill();
  const page = await open("lists", { width: 1440, height: 900, foreign: rental });
  await signIn(page, hoard, "demo-root");
  await dragging(page);
  await messages(page);
  await tabs(page);
  await thousands(page, total);
  await uncounted(page);
  await values(page);
  return "lists do what is rare, too";
});
