// Uses lists as people do all day, in Chromium: with 5,000 records of examples/hoard, and the workflow of examples/rental.
// Usage: tables.mjs HOARD RENTAL FOLDER
import { readFileSync } from "node:fs";
import { start } from "./watch.mjs";

const [hoard, rental, folder] = process.argv.slice(2);
const admin = `${hoard}/admin`;
const { check, complain, open, inspect, perform } = await start(hoard);
const button = (page, name) => page.getByRole("button", { name, exact: true });
const visit = (page, hash) => page.goto(`${admin}#/${hash}`);
const shows = (page, text) => page.getByText(text).first().waitFor();
const quiet = async (page) => {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))); // the page has taken notice of its URL
  await page.locator("section.records[aria-busy=false] tbody tr").first().waitFor();
};
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

/** Looks of a table: heights, scrolling, numbers, alignment, and what clicks do. */
async function table(page) {
  const long = "Zzz. A description that is far too long for a column of a table with others";
  const made = [];
  for (const one of [{ name: "Small number", value: 12 }, { name: "Big number", value: "9007199254740993" }, { name: "\u05d0\u05d5\u05e6\u05e8 \u05d2\u05d3\u05d5\u05dc", value: 1234567 }]) {
    const body = `{"name":${JSON.stringify(one.name)},"value":${one.value},"isPublished":true,"description":"${long}"}`;
    const response = await fetch(`${hoard}/api/dragon_treasures`, { method: "POST", headers: { Authorization: "Bearer demo-root", "Content-Type": "application/json" }, body });
    made.push((await response.json()).id);
  }
  await visit(page, "DragonTreasure?description=Zzz.&sort=name&.columns=name,value,description");
  await quiet(page);
  check((await page.locator("tbody tr").evaluateAll((rows) => rows.every((row) => row.getBoundingClientRect().height <= 36))), "compact rows are higher than 36 px");
  const values = await page.locator("td[data-label=Value]").allTextContents();
  check(values.includes("9,007,199,254,740,993") && values.includes("1,234,567"), `numbers: ${values}`);
  check((await page.locator("td[data-label=Value]").first().evaluate((one) => getComputedStyle(one).textAlign)) === "right", "numbers are not on the right");
  check((await page.locator("td.title", { hasText: "\u05d0" }).evaluate((one) => getComputedStyle(one).direction)) === "rtl", "Hebrew is not written from right to left");
  for (const id of made) await call("DELETE", `/dragon_treasures/${id}`);

  await page.setViewportSize({ width: 1024, height: 600 });
  await visit(page, `DragonTreasure?.columns=${["name", "value", "description", "shortDescription", "coolFactor", "isPublished", "owner", "plunderedAt", "tags", "id"].join()}`);
  await quiet(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  const box = page.locator("[data-scrolls]");
  const place = (selector) => page.locator(selector).first().evaluate((one) => { const { left, top } = one.getBoundingClientRect(); return `${Math.round(left)},${Math.round(top)}`; });
  const whole = "Fills itself with mead at dusk, and nobody has found out from where.";
  const cut = page.locator("td[data-label=Description]", { hasText: "Fills itself" }).first();
  check((await cut.getAttribute("title")) === whole && (await cut.evaluate((one) => one.firstElementChild.getBoundingClientRect().width > one.clientWidth && getComputedStyle(one).textOverflow === "ellipsis")), "a long text is not cut with its whole text in the title");
  const before = [await place("thead th.fixed"), (await place("td.fixed")).split(",")[0]];
  await box.evaluate((one) => one.scrollTo(400, 300));
  const isScrolled = await box.evaluate((one) => one.scrollLeft > 0 && one.scrollTop > 0);
  check(wide <= 0 && isScrolled, "a wide table does not scroll in its own box");
  check([await place("thead th.fixed"), (await place("td.fixed")).split(",")[0]].join() === before.join(), "the head or the first column does not stay");
  await page.screenshot({ path: `${folder}/table-scrolled.png` });
  await page.setViewportSize({ width: 1440, height: 900 });

  await visit(page, "DragonTreasure?sort=name&name=coin");
  await quiet(page);
  const first = page.locator("tbody tr").first();
  const top = () => first.evaluate((one) => one.getBoundingClientRect().top);
  const was = await top();
  await first.getByRole("checkbox").check();
  await shows(page, "1 selected");
  check((await top()) === was, `the first tick moves rows by ${(await top()) - was} px`);
  await inspect(page, "a selection");
  await button(page, "Clear selection").click();
  const [tab] = await Promise.all([page.context().waitForEvent("page"), first.locator("td[data-label=Value]").click({ modifiers: ["Control"] })]);
  check(/DragonTreasure\/\d+$/.test(tab.url()), `Ctrl and a click open ${tab.url()}`);
  await tab.close();
  const [other] = await Promise.all([page.context().waitForEvent("page"), first.locator("td[data-label=Value]").click({ button: "middle" })]);
  await other.close();
  const published = first.locator("td[data-label='Is published']");
  const { x, y, width, height } = await published.boundingBox();
  await page.mouse.move(x + 4, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
  await page.mouse.up();
  check(!/DragonTreasure\/\d/.test(page.url()) && (await page.evaluate(() => getSelection().toString().length)) > 0, "a selection of text opens the record");
  await page.evaluate(() => getSelection().removeAllRanges());
  await published.click({ position: { x: width - 5, y: height / 2 } });
  await page.getByRole("tab", { name: "Details" }).waitFor();
  await page.goBack();
  await quiet(page);
  await page.locator("td[data-label=Owner] a").first().click();
  await page.waitForURL(/#\/User\/\d+/);
  await page.goBack();
  await quiet(page);

  await button(page, "Columns").click();
  await page.getByRole("radio", { name: "Comfortable" }).check();
  await page.keyboard.press("Escape");
  await page.reload();
  await quiet(page);
  check((await first.evaluate((one) => one.getBoundingClientRect().height)) > 40, "comfortable rows are forgotten");
  await button(page, "Columns").click();
  await page.getByRole("radio", { name: "Compact" }).check();
  const group = page.getByRole("group", { name: "Columns" });
  await group.getByRole("button", { name: "Move Owner up" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await inspect(page, "the choice of columns");
  await page.keyboard.press("Escape");
  const heads = async () => (await page.locator("thead th:not(.select)").allTextContents()).map((text) => text.replace(/[^\w ]/g, "").trim()).join();
  check((await heads()) === "Name,Owner,Value,Is published,Plundered at", `the columns are ${await heads()}`);
  await page.reload();
  await quiet(page);
  check((await heads()).startsWith("Name,Owner,Value"), "the order of columns is forgotten");
  const { body: [cheap] } = await call("GET", "/dragon_treasures?sort=owner.username&itemsPerPage=1");
  const owner = page.getByRole("columnheader", { name: "Owner" });
  check((await owner.getByRole("button").getAttribute("title")) === "Sort by Owner: Username", "the sort of a reference has another title");
  await visit(page, "DragonTreasure");
  await quiet(page);
  await owner.getByRole("button").click();
  await page.waitForURL(/sort=owner.username/);
  await page.locator("td.title", { hasText: cheap.name }).waitFor();
  check((await owner.getAttribute("aria-sort")) === "ascending", "a sort by a reference is not shown");
}

/** Turns pages, and keeps their size. */
async function pages(page) {
  await visit(page, "DragonTreasure?sort=value");
  await quiet(page);
  check(await button(page, "First").isDisabled(), "First is enabled on page 1");
  await page.getByLabel("Per page").selectOption("50");
  await shows(page, "1–50 of 5,000");
  const box = page.locator("[data-scrolls]");
  await box.evaluate((one) => one.scrollTo(0, 400));
  await button(page, "Next").click();
  await shows(page, "51–100 of 5,000");
  check((await box.evaluate((one) => one.scrollTop)) === 0, "Next does not begin at the top");
  await button(page, "Last").click();
  await shows(page, "4,951–5,000 of 5,000");
  await quiet(page);
  check((await button(page, "Last").isDisabled()) && (await button(page, "First").isEnabled()), "Last is enabled on the last page");
  await visit(page, "");
  const from = Date.now();
  await visit(page, "DragonTreasure");
  await shows(page, "1–50 of 5,000"); // the size is remembered
  check(Date.now() - from < 1500, `5,000 records are shown after ${Date.now() - from} ms`);
  check((await page.evaluate(() => document.querySelectorAll("*").length)) < 2500, "the page has too many elements");
  await page.getByLabel("Per page").selectOption("30");
  await shows(page, "1–30 of 5,000");
}

/** Adds, changes and removes conditions. */
async function filters(page) {
  await visit(page, "DragonTreasure");
  await quiet(page);
  const form = page.getByRole("form", { name: /filter/ });
  const chips = page.getByRole("list", { name: "Filters" }).getByRole("listitem");
  const total = (text) => page.getByRole("status").filter({ hasText: text }).first().waitFor();
  const add = async (field, fill) => {
    await button(page, "Add filter").click();
    await form.getByLabel("Field").selectOption({ label: field });
    await fill();
    await button(form, "Apply").click();
  };
  await add("Name", async () => {
    await form.getByLabel("Name: value").fill("amulet");
    await button(form, "or").click();
    await form.getByLabel("Name: value").fill("crown");
    await inspect(page, "the form of a condition");
  });
  await chips.filter({ hasText: "Name contains amulet or crown" }).waitFor();
  const both = (await call("GET", "/dragon_treasures?name=amulet&name=crown&itemsPerPage=1")).total;
  await total(`${both} records`);
  await add("Owner", async () => {
    for (const name of ["ann", "bob"]) {
      await form.getByRole("combobox", { name: "Owner: value" }).fill(name);
      await page.getByRole("option", { name }).first().click();
      await form.getByText(name).first().waitFor();
    }
  });
  await chips.filter({ hasText: "Owner: ann or bob" }).waitFor();
  const [all, any] = [(await call("GET", "/dragon_treasures?name=amulet&name=crown&owner=/api/users/1&owner=/api/users/2&itemsPerPage=1")).total,
    (await call("GET", `/dragon_treasures?itemsPerPage=1&filter=${encodeURIComponent('{"any":[{"name":["amulet","crown"]},{"owner":["/api/users/1","/api/users/2"]}]}')}`)).total];
  check(all < any, "the conditions of this check do not differ");
  await total(`${all} records`);
  await page.getByLabel("Match").selectOption("any");
  await total(`${any} records`);
  check((await chips.count()) === 2, "a tree of conditions has no chips");
  await inspect(page, "chips");
  await page.screenshot({ path: `${folder}/chips.png` });
  await chips.filter({ hasText: "Name contains" }).getByRole("button", { name: "Remove filter" }).click();
  await chips.filter({ hasText: "Name contains" }).waitFor({ state: "detached" });
  check(await chips.first().getByRole("button", { name: "Remove filter" }).evaluate((one) => one === document.activeElement), "the focus is not on the chip after the one that was removed");
  await chips.getByRole("button", { name: "ann or bob" }).click();
  await form.getByRole("button", { name: "Remove bob" }).click();
  await button(form, "Apply").click();
  await chips.filter({ hasText: /Owner: ann$|Owner: ann\W*$/ }).waitFor();
  await button(page, "Clear filters").click();
  await total("5,000 records");
  await visit(page, `DragonTreasure?filter=${encodeURIComponent('{"any":[{"name":"coin"},{"not":{"value":{"gte":9}}}]}')}`);
  await chips.filter({ hasText: "Combined conditions" }).waitFor();
  await chips.getByRole("button", { name: "Remove filter" }).click();
  await chips.waitFor({ state: "detached" });
  check(await button(page, "Add filter").evaluate((one) => one === document.activeElement), "the focus is lost with the last chip");
  await total("5,000 records");
  await visit(page, "DragonTreasure?coolFactor=abc");
  await page.getByRole("alert").filter({ hasText: /^Cool factor must be/ }).waitFor();
  check((await page.locator(".condition.wrong").count()) === 1 && (await page.getByRole("alert").count()) === 1, "a wrong value is not at its condition");
  await inspect(page, "a wrong value of a filter");
  await chips.getByRole("button", { name: "abc" }).click();
  await form.getByLabel("Cool factor: value").fill("3");
  await button(form, "Apply").click();
  await quiet(page);
  check((await page.locator(".condition.wrong").count()) === 0, "a value that was corrected is still wrong");
}

/** Saves views, changes, shares and deletes them. */
async function views(page) {
  await visit(page, "DragonTreasure?name=crown&sort=-value");
  await quiet(page);
  await button(page, "Views").click();
  await page.getByLabel("Name of the view").fill("Crowns");
  await button(page, "Save view").click();
  await button(page, "View: Crowns").waitFor();
  const shared = page.url();
  check(/name=crown/.test(shared) && /sort=-value/.test(shared) && /\.columns=/.test(shared) && /itemsPerPage=30/.test(shared), `the URL of a view is ${shared}`);
  await visit(page, "DragonTreasure");
  await shows(page, "5,000 records");
  await button(page, "Views").click();
  await page.getByRole("list", { name: "Views" }).getByRole("link", { name: "Crowns" }).click();
  await shows(page, /Name contains/);
  await button(page, "Clear filters").click();
  await shows(page, "5,000 records");
  await button(page, "View: Crowns").click();
  await page.getByText("changed", { exact: true }).waitFor();
  await inspect(page, "views");
  await page.screenshot({ path: `${folder}/views.png` });
  await page.getByLabel("Name of the view").fill("All by value");
  await button(page, "Update view").click();
  await button(page, "View: All by value").click();
  check((await page.getByRole("list", { name: "Views" }).getByRole("link").allTextContents()).join() === "All records,All by value", "a view is not renamed");
  await button(page, "Delete view").click();
  await button(page, "Views").waitFor();
  const stranger = await open("stranger", { width: 1440 });
  const requests = [];
  stranger.on("request", (request) => requests.push(request.url()));
  await stranger.goto(shared);
  await quiet(stranger);
  check((await stranger.locator("thead th").allTextContents()).some((text) => text.startsWith("Owner")) && !requests.some((url) => url.includes("/api/") && /columns|density|view/.test(url)), "a shared view is not shown, or its columns are sent");
  await stranger.context().close();
}

/** Opens lists with what other programs keep in this browser, and with wrong parameters. */
async function garbage() {
  for (const kept of ["7", '[7,null,{"name":1}]', '{"columns":[{}],"size":1000000}']) {
    const page = await open(`garbage ${kept}`, { width: 1440 });
    await page.addInitScript((text) => {
      for (const what of ["list", "views"]) for (const who of ["", ":"]) localStorage.setItem(`trove-admin:/admin:${what}:DragonTreasure${who}`, text);
      sessionStorage.setItem("trove-admin:/admin:places", text);
    }, kept);
    await visit(page, "DragonTreasure?.columns=name,name,nothing&.density=odd&.view=none&.odd=1");
    await page.locator("td.title a").first().waitFor({ timeout: 5000 }).catch(() => complain(`the list is not shown with ${kept}`));
    check((await page.locator("thead th").allTextContents()).filter((text) => text.startsWith("Name")).length === 1, `a column is shown twice with ${kept}`);
    await page.reload();
    await page.locator("td.title a").first().click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.goBack();
    await page.locator("td.title a").first().waitFor({ timeout: 5000 }).catch(() => complain(`nothing is shown after going back with ${kept}`));
    await page.context().close();
  }
}

/** Selects, changes and deletes many records. */
async function bulk(page) {
  const dialog = page.getByRole("dialog");
  const set = async (field, value) => {
    await button(page, "Set a field").click();
    await dialog.getByLabel("Field").selectOption({ label: field });
    await dialog.getByRole("textbox", { name: field }).fill(value);
    await button(dialog, "Save").click();
  };
  await visit(page, "DragonTreasure?name=Coin&sort=name");
  await quiet(page);
  await page.getByRole("checkbox", { name: "Select Coin 0002" }).check();
  await page.getByRole("checkbox", { name: "Select Coin 0007" }).click({ modifiers: ["Shift"] });
  await shows(page, "6 selected");
  await button(page, "Next").click();
  await page.getByRole("checkbox", { name: "Select Coin 0031" }).click({ modifiers: ["Shift"] });
  await shows(page, "7 selected"); // a selection lasts over pages, but no range does
  await button(page, "Clear selection").click();
  await visit(page, "DragonTreasure?name=Coin+00");
  await quiet(page);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await shows(page, "All 30 on this page are selected.");
  await page.getByRole("button", { name: /^Select all 100 that match/ }).click();
  await shows(page, "100 selected");
  let sent = 0;
  let open = 0;
  let most = 0;
  await page.route("**/api/dragon_treasures/*", async (route) => {
    if (route.request().method() !== "PATCH") return route.continue();
    sent++;
    most = Math.max(most, ++open);
    if (sent === 5) await route.fulfill({ status: 429, headers: { "Retry-After": "1" }, contentType: "application/problem+json", body: "{}" });
    else await route.continue();
    open--;
  });
  await set("Cool factor", "5");
  await page.getByRole("progressbar").waitFor();
  await button(dialog, "Cancel").click();
  await shows(page, "The rest was cancelled.");
  const { total } = await call("GET", "/dragon_treasures?name=Coin+00&coolFactor=5&itemsPerPage=1");
  check(total > 0 && total < 100, `${total} of 100 are changed after a cancel`);
  await button(dialog, "Save").click();
  await shows(page, /^\d+ succeeded\.$/);
  await dialog.waitFor({ state: "detached" });
  check((await call("GET", "/dragon_treasures?name=Coin+00&coolFactor=5&itemsPerPage=1")).total === 100, "not all records are changed");
  check(most > 1 && most <= 4, `${most} requests at a time`);
  await page.unroute("**/api/dragon_treasures/*");

  const { body: [rusty] } = await call("GET", "/dragon_treasures?name=Rusty&sort=name");
  await visit(page, "DragonTreasure?name=Rusty&sort=name");
  await quiet(page);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.route("**/api/dragon_treasures/*", (route) => {
    const isRefused = route.request().method() === "PATCH" && route.request().url().endsWith(`/${rusty.id}`);
    return isRefused ? route.fulfill({ status: 422, contentType: "application/problem+json", body: JSON.stringify({ type: "validation_error", title: "Wrong", status: 422, errors: { coolFactor: "coolFactor must be at most 3" } }) }) : route.continue();
  });
  await set("Cool factor", "4");
  await shows(page, "1 failed.");
  await dialog.getByRole("list").getByText(rusty.name).waitFor();
  await dialog.getByRole("list").getByText(/^Cool factor must be at most 3/).waitFor();
  check((await dialog.getByRole("textbox", { name: "Cool factor" }).inputValue()) === "4", "the value of a bulk change is lost");
  await inspect(page, "failures of a bulk change");
  await page.screenshot({ path: `${folder}/bulk-failed.png` });
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await shows(page, "1 selected"); // what failed is still selected
  await page.unroute("**/api/dragon_treasures/*");
  await set("Cool factor", "3");
  await shows(page, "1 succeeded.");
  check((await call("GET", `/dragon_treasures/${rusty.id}`)).body.coolFactor === 3, "what failed is not repeated");
}

/** Changes many records with one request, where the API has an operation for that. */
async function together() {
  const page = await open("together", { width: 1440, height: 900 });
  const many = { id: "changeTreasures", method: "POST", path: "/api/dragon_treasures/change", contentType: "application/json", title: "Change treasures", inputIsList: true, effect: "change", types: [], parameters: [], input: { type: "object", required: ["id"], properties: { id: {}, coolFactor: {} } } };
  await page.route("**/admin/model", async (route) => {
    const response = await route.fetch();
    const model = await response.json();
    model.resources.find((one) => one.name === "DragonTreasure").custom.push(many);
    await route.fulfill({ response, json: model });
  });
  const bodies = [];
  await page.route("**/api/dragon_treasures/change", (route) => {
    bodies.push(route.request().postDataJSON());
    return bodies.length === 1 ? route.fulfill({ status: 422, contentType: "application/problem+json", body: JSON.stringify({ title: "Wrong", status: 422, errors: { "[1].coolFactor": "coolFactor must be at most 3" } }) }) : route.fulfill({ status: 204 });
  });
  const { total } = await call("GET", "/dragon_treasures?name=Rusty&itemsPerPage=1");
  await signIn(page);
  await visit(page, "DragonTreasure?name=Rusty&sort=name");
  await quiet(page);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await button(page, "Set a field").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Field").selectOption({ label: "Cool factor" });
  await dialog.getByRole("textbox", { name: "Cool factor" }).fill("2");
  await button(dialog, "Save").click();
  await shows(page, `${total} failed.`);
  await dialog.getByText(/^Cool factor must be at most 3/).first().waitFor();
  check((await dialog.getByText("Not changed, because other records failed.").count()) === total - 1, "records of a batch that failed have no reason");
  await button(dialog, "Save").click();
  await dialog.waitFor({ state: "detached" });
  check(bodies.length === 2 && bodies[0].length === total && bodies[1].every((one) => one.id > 0 && one.coolFactor === 2), `bodies: ${JSON.stringify(bodies)}`);
  await page.context().close();
}

/** Exports the visible columns of what matches. */
async function exports(page) {
  await visit(page, "DragonTreasure?name=crown&sort=-value&.columns=value,name,tags");
  await quiet(page);
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Export CSV").click()]);
  const lines = readFileSync(await download.path(), "utf8").trim().split("\r\n"); // trim takes the byte order mark away
  const { total, body } = await call("GET", "/dragon_treasures?name=crown&sort=-value&itemsPerPage=1");
  check(lines[0] === "value,name,tags" && lines.length === total + 1 && lines[1].startsWith(`${body[0].value},${body[0].name},`), `the export has ${lines.length} lines: ${lines.slice(0, 2)}`);
}

/** The list of a resource with a default filter, ranges of dates on all screens, and cards on narrow ones. */
async function defaults(page) {
  await page.goto(`${rental}/admin#/~sign-in`);
  const form = page.getByRole("form", { name: "Sign in" }).filter({ has: page.getByLabel("Email") });
  await form.getByLabel("Email").fill("root@example.com");
  await form.locator("input[type=password]").fill("correct horse battery");
  await button(form, "Sign in").click();
  await shows(page, "You are signed in.");
  await page.goto(`${rental}/admin#/Invoice`);
  await shows(page, /Status:/);
  check(page.url().endsWith("#/Invoice"), `a default filter is at ${page.url()}`);
  await page.getByRole("button", { name: "Remove filter" }).first().click();
  await page.getByRole("button", { name: "Remove filter" }).waitFor({ state: "detached" });
  await page.reload();
  await page.locator("section.records[aria-busy=false]").locator("tbody tr, .nothing").first().waitFor();
  check((await page.getByRole("button", { name: "Remove filter" }).count()) === 0, "a default filter cannot be removed");
  for (const [width, height] of [[390, 844], [1024, 700], [1440, 900]]) {
    await page.setViewportSize({ width, height });
    await page.goto(`${rental}/admin#/Booking`);
    await quiet(page);
    await button(page, "Add filter").click();
    const filter = page.getByRole("form", { name: "Add filter" });
    await filter.getByLabel("Field").selectOption({ label: "From" });
    for (const end of ["from", "to"]) {
      const { x, y, width: own, height: high } = await filter.getByLabel(`From ${end}`).boundingBox();
      check(x >= 0 && y >= 0 && x + own <= width && y + high <= height, `at ${width} px a date of a filter is at ${x}, ${y}`);
    }
    await filter.getByLabel("From from").fill("2020-01-01");
    await inspect(page, `a range of dates at ${width} px`);
    await page.screenshot({ path: `${folder}/dates-${width}.png` });
    await button(filter, "Apply").click();
    await shows(page, /From: at least/);
    check((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, `the list is wider than ${width} px`);
    await page.screenshot({ path: `${folder}/list-${width}.png` });
    await page.locator("tbody").getByRole("checkbox").first().check();
    await shows(page, "1 selected");
    await button(page, "Clear selection").click();
  }
}

await perform(folder, async () => {
  await fill();
  const page = await open("root", { width: 1440, height: 900, foreign: rental });
  await signIn(page);
  for (const step of [table, pages, filters, views, garbage, back, bulk, together, exports, defaults]) await step(page);
  return "lists find, keep and change thousands of records";
});
