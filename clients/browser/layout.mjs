// Looks at what the config of examples/rental declares, in Chromium: the dashboard, composed titles, groups, and titles of values.
// Usage: layout.mjs BASE FOLDER
import { start } from "./watch.mjs";

const [base, folder] = process.argv.slice(2);
const admin = `${base}/admin`;
const { check, open, inspect, perform } = await start(base);
const button = (page, name) => page.getByRole("button", { name, exact: true });
const visit = (page, hash) => page.goto(`${admin}#/${hash}`);
const headed = (page, name) => page.getByRole("heading", { level: 1, name }).waitFor();
const panel = (page, name) => page.getByRole("region", { name, exact: true });

async function signIn(page, name) {
  await visit(page, "~sign-in");
  const form = page.getByRole("form", { name: "Sign in" }).filter({ has: page.getByLabel("Email") });
  await form.getByLabel("Email").fill(`${name}@example.com`);
  await form.locator("input[type=password]").fill("correct horse battery");
  await button(form, "Sign in").click();
  await page.getByText("You are signed in.").waitFor();
  await button(page, "Dismiss").click();
}

/** The figures are those of the caller, and lead to the records. */
async function dashboard() {
  const page = await open("root");
  await page.addInitScript(() => {
    globalThis.shift = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((one) => one.hadRecentInput || (globalThis.shift += one.value))).observe({ type: "layout-shift", buffered: true });
  });
  await signIn(page, "root");
  await page.reload();
  await panel(page, "Requests").getByText("1", { exact: true }).waitFor();
  await panel(page, "Open invoices").getByText("0", { exact: true }).waitFor();
  await panel(page, "Booked per month").getByText(/€/).first().waitFor();
  await panel(page, "Newest bookings").getByRole("link", { name: /^Tent, / }).waitFor();
  check((await page.evaluate(() => globalThis.shift)) <= 0.02, `the dashboard moves by ${await page.evaluate(() => globalThis.shift)}`);
  await inspect(page, "the dashboard");
  const bars = panel(page, "Bookings by status").getByRole("listitem");
  const texts = await bars.allInnerTexts();
  check(texts.map((text) => text.split(/\s+\d/)[0]).join() === "requested,approved,out now,back,cancelled" && /cancelled\s+0/.test(texts[4]), `the bars are ${texts.map((text) => text.replace(/\s+/g, " "))}`);
  const cut = await page.locator(".bars .label, .newest .label").evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).display !== "inline").map((one) => one.textContent));
  check(cut.length === 0, `texts of the dashboard are cut: ${cut}`);
  const newest = panel(page, "Newest bookings").getByRole("listitem").filter({ hasText: "Tent, " });
  const values = newest.locator(":scope > span");
  check((await values.allInnerTexts()).join().endsWith(",requested") && (await values.count()) === 2, `a new booking shows ${await newest.innerText()}`);
  check((await bars.allInnerTexts()).some((text) => /back\s+1/.test(text)), "a bar does not have the title of its value");
  await bars.filter({ hasText: "back" }).getByRole("link").click();
  await page.getByRole("link", { name: /^Canoe, / }).waitFor();
  check(page.url().endsWith("#/Booking?status=returned") && (await page.getByRole("link", { name: /^Tent, / }).count()) === 0, `a bar leads to ${page.url()}`);
  await page.goBack();
  await panel(page, "Booked per month").locator("li a").last().click();
  await headed(page, /^Bookings/);
  check(/from%5Bgte%5D=\d{4}-\d\d-01&from%5Blt%5D=\d{4}-\d\d-01/.test(page.url()), `a month leads to ${page.url()}`);
  await page.context().close();
  const ann = await open("anonymous");
  await visit(ann, "");
  await ann.getByRole("link", { name: "Items" }).first().waitFor();
  check((await panel(ann, "Requests").count()) === 0, "anonymous callers get a panel");
  await ann.context().close();
}

/** Titles are composed of fields and of other records, which are loaded together. */
async function titles() {
  const page = await open("titles");
  await signIn(page, "root");
  await visit(page, "Booking");
  await headed(page, /^Bookings/);
  const requests = [];
  page.on("request", (one) => requests.push(new URL(one.url()).pathname));
  await page.reload();
  await page.getByRole("link", { name: /^Sailing boat, / }).waitFor();
  await page.getByRole("link", { name: /^Canoe, / }).waitFor();
  check(requests.filter((path) => path.startsWith("/api/items")).length === 1, `the items are loaded by ${requests.filter((path) => path.startsWith("/api/items"))}`);
  await page.getByRole("link", { name: /^Tent, / }).click();
  await headed(page, /^Tent, /);
  await page.waitForFunction(() => document.title.startsWith("Tent, "));
  check((await page.getByRole("navigation", { name: "Back to the list" }).innerText()).includes("Tent, "), "the breadcrumb has another title");
  await button(page, "Cancel booking").waitFor();
  check((await button(page, "Cancel").count()) === 0, "the operation has its own name");
  await inspect(page, "a record with a composed title");
  const columns = await page.evaluate(async () => (await (await fetch("/admin/model")).json()).resources.find((one) => one.name === "Invoice").columns);
  check(!columns.includes("id"), `a list with composed titles has the columns ${columns}`);
  await page.context().close();
}

/** Amounts of money are formatted, also beyond 2^53, and forms edit the integer itself. */
async function money() {
  const page = await open("money");
  await signIn(page, "root");
  await visit(page, "Item");
  await page.getByRole("main").getByRole("link", { name: "Tent" }).click();
  const price = page.getByLabel("Price");
  check((await price.inputValue()) === "1500", `the form edits ${await price.inputValue()}`);
  await page.getByText("= €15.00", { exact: true }).waitFor();
  await price.fill("1599");
  await page.getByText("= €15.99", { exact: true }).waitFor();
  await inspect(page, "a form with an amount");
  await price.fill("15.");
  check((await page.getByText("= ").count()) === 0, "what is no number has an amount");
  await price.fill("1599");
  await button(page, "Save").click();
  await page.getByRole("status").filter({ hasText: /saved/i }).first().waitFor();
  const saved = await page.evaluate(async () => (await (await fetch("/api/items/3")).json()).price);
  check(saved === 1599, `the price is saved as ${saved}`);
  const reader = await open("an amount");
  await visit(reader, "Item/1");
  await reader.locator("dd").filter({ hasText: /^€25\.00$/ }).waitFor();
  await reader.context().close();
  const texts = await page.evaluate(async () => {
    const loaded = (name) => import(performance.getEntriesByType("resource").find((one) => one.name.endsWith(name)).name);
    const [{ moneyText }, { parse }] = await Promise.all([loaded("/values.js"), loaded("/json.js")]);
    const [integer, decimal] = [{ type: "integer" }, { type: "string", format: "decimal" }];
    return [[parse("9007199254740993"), "EUR", integer], [-5, "EUR", integer], [1500, "JPY", integer], ["1200.5", "EUR", decimal], ["1.005", "EUR", decimal], [5, "EUR", { type: "number" }], ["x", "EUR", decimal]]
      .map(([value, currency, schema]) => moneyText(value, { currency, schema })).join(" ");
  });
  check(texts === "€90,071,992,547,409.93 -€0.05 ¥1,500 €1,200.50 €1.005 €5.00 x", `amounts: ${texts}`);
  await page.context().close();
}

/** Quantities are grouped, years and identifiers are not. */
async function numbers() {
  const page = await open("numbers");
  await visit(page, "Item");
  await page.getByRole("link", { name: "Canoe" }).waitFor();
  const prices = await page.locator("td[data-label=Price]").allInnerTexts();
  check(prices.join() === "€25.00,€120.00,€15.00", `prices: ${prices.join(" and ")}`);
  const texts = await page.evaluate(async () => {
    const { numberText } = await import(performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/values.js")).name);
    const fields = [{ name: "price" }, { name: "year" }, { name: "builtYear" }, { name: "size", isIdentifier: true }, { name: "bookId" }, { name: "since", schema: { minimum: 1450, maximum: 2100 } }];
    return fields.map((field) => numberText(2026, field)).join(" ");
  });
  check(texts === "2,026 2026 2026 2026 2026 2026", `numbers: ${texts}`);
  await page.context().close();
}

const phone = { width: 390, height: 844 };
const longName = "maximiliane.katharina.von-hohenstein@departments.example.com"; // 60 characters
const arabic = "قارب شراعي كبير جدا مع محرك وأشرعة إضافية وخيمة كبيرة";
const long = "Inflatable expedition raft with paddles, a pump, a repair kit and helmets for four people";
const box = (locator) => locator.first().boundingBox();

/** Controls that a finger misses: narrower or lower than 24 px. A checkbox or a link of a list has its label or its row. */
const small = (page) => page.evaluate(() => [...document.querySelectorAll("button, select, input, #navigation a, .button")].filter((one) => one.checkVisibility() && !one.closest(".hidden")).flatMap((one) => {
  const around = one.matches("[type=checkbox], [type=radio]") ? parseFloat(getComputedStyle(one, "::after").width) || one.getBoundingClientRect().width : 0;
  const { width, height } = one.getBoundingClientRect();
  return Math.max(around, Math.min(width, height)) < 24 && !one.matches("label *, .choices *") ? [`${one.className} ${one.textContent.trim()} ${width.toFixed()} × ${height.toFixed()}`] : [];
}));

/** On a phone the header is one row and the records begin early, whatever the names are. Lists of rows of buttons scroll. */
async function narrow() {
  const page = await open("phone", phone);
  await signIn(page, "root");
  const send = async (path, data) => {
    const response = await page.context().request.post(`${base}/api/${path}`, { data, headers: { Origin: base } });
    check(response.ok(), `${path}: ${response.status()}`);
    return (await response.json()).id;
  };
  await send("users", { name: longName, email: longName, password: "correct horse battery", admin: true });
  const [left, right] = [await send("items", { name: long, location: "/api/locations/1", number: 51, price: 100 }), await send("items", { name: arabic, location: "/api/locations/1", number: 52, price: 100 })];
  await page.goto("about:blank"); // an admin that is open begins again at "#/" when the caller is another one
  await page.context().clearCookies();
  const response = await page.context().request.post(`${base}/api/login`, { data: { email: longName, password: "correct horse battery" }, headers: { Origin: base } });
  check(response.ok(), `the caller with a long name cannot sign in: ${response.status()}`);
  for (const name of ["Item", "Booking"]) {
    await visit(page, name);
    await page.reload();
    await page.locator("tbody tr").first().waitFor();
    await button(page, "Columns").waitFor();
    const { y } = await box(page.locator("tbody tr"));
    check(y <= 300, `${name}: the first record begins at ${y} px`);
    const { height } = await box(page.getByRole("banner"));
    check(height <= 52, `${name}: the header is ${height} px high`);
    const first = await box(page.locator(".head .primary"));
    const row = await box(page.locator("tbody tr"));
    check(row.x >= 8 && row.x + row.width <= 382, `${name}: a record is ${row.width} px wide`);
    check(first.x >= 0 && first.x + first.width <= 390, `${name}: the main button is out of sight`);
    check((await small(page)).length === 0, `${name}: small controls: ${await small(page)}`);
    await inspect(page, `${name} on a phone`);
  }
  await visit(page, "Item");
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  const bar = await box(page.getByRole("region", { name: "Selected records" }));
  check(bar.y > 500 && bar.y + bar.height <= 844, `the actions for the selection are at ${bar.y} px, ${bar.height} px high`);
  await inspect(page, "a selection on a phone");
  await page.screenshot({ path: `${folder}/phone-selection.png` });
  for (const id of [left, right]) {
    await visit(page, `Item/${id}`);
    await button(page, "Delete").waitFor();
    const crumbs = await box(page.getByRole("navigation", { name: "Back to the list" }));
    check(crumbs.height <= 26, `the way back is ${crumbs.height} px high`);
    const [title, remove] = [await box(page.locator("h1")), await box(button(page, "Delete"))];
    check(remove.y < title.y + title.height, "a long title moves the buttons below itself");
    check((await small(page)).length === 0, `a record: small controls: ${await small(page)}`);
  }
  check((await page.locator("h1").evaluate((one) => getComputedStyle(one).direction)) === "rtl", "a title from right to left is laid out from left to right");
  await inspect(page, "a title from right to left");
  await page.context().close();
}

/** The dashboard in each look. */
async function looks() {
  for (const [name, options] of Object.entries({ light: {}, dark: { dark: true, width: 1440 }, middle: { width: 1024 }, narrow: { width: 390, height: 844 }, "narrow-dark": { width: 390, height: 844, dark: true } })) {
    const page = await open(name, options);
    await signIn(page, "root");
    await visit(page, "");
    await panel(page, "Newest bookings").getByRole("link", { name: /^Tent, / }).waitFor();
    await page.waitForLoadState("networkidle");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    check(wide <= 0, `${name}: the dashboard is ${wide}px wider than the screen`);
    const home = page.locator("header.top, #navigation").getByRole("link", { name: "Documentation" }).filter({ visible: true });
    if (options.width < 800) {
      check((await home.count()) === 0, `${name}: the header has links that the menu has`);
      await page.getByRole("button", { name: "Menu" }).click();
      check((await home.count()) === 1, `${name}: the menu has ${await home.count()} links to the documentation`);
      await page.getByRole("button", { name: "Menu" }).click();
    } else check((await home.count()) === 1, `${name}: ${await home.count()} links lead to the documentation`);
    const widths = await page.locator(".charts > *").evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().width)));
    const rows = await panel(page, "Newest bookings").getByRole("listitem").evaluateAll((all) => all.map((one) => [one.innerText, one.clientHeight]).filter(([text, height]) => text.length < 60 && height > 40));
    check(rows.length === 0, `${name}: short records take more than a line: ${rows}`);
    check(Math.min(...widths) >= 300, `${name}: the charts are ${widths} px wide`);
    await inspect(page, `${name}: the dashboard`);
    await page.screenshot({ path: `${folder}/dashboard-${name}.png`, fullPage: true });
    await page.context().close();
  }
}

await perform(folder, async () => {
  await dashboard();
  await titles();
  await numbers();
  await narrow();
  await money();
  await looks();
  return "the admin shows what its config declares";
});
