// Does the whole work of an admin with examples/hoard in Chromium, as anonymous caller, as user and as admin, and
// asserts that nothing is amiss. Usage: admin.mjs ADMIN FOLDER
import { readFileSync } from "node:fs";
import { start } from "./watch.mjs";

const [admin, folder] = process.argv.slice(2);
const api = new URL("/api", admin).href;
const { check, open, inspect, perform } = await start(new URL(admin).origin);
const bearer = (name) => ({ Authorization: `Bearer demo-${name}` });
const call = async (method, path, name, body) => {
  const response = await fetch(api + path, { method, headers: { ...bearer(name), "Content-Type": "application/json" }, body: body && JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
};
const button = (page, name, exact = true) => page.getByRole("button", { name, exact });
const text = (page, name) => page.getByRole("textbox", { name });
const visit = (page, hash) => page.goto(`${admin}#/${hash}`);
const shows = (page, text) => page.getByText(text).first().waitFor();

async function signIn(page, name, password = `demo-${name}`) {
  await visit(page, "~sign-in");
  const form = page.getByRole("form", { name: "Sign in" });
  await form.getByLabel("Email").fill(`${name}@example.com`);
  await form.locator("input[type=password]").fill(password);
  await form.getByRole("button", { name: "Sign in" }).click();
}

/** Chooses a record in a combobox by typing and keys alone. */
async function choose(page, label, typed) {
  const box = page.getByRole("combobox", { name: label });
  await box.focus();
  await page.keyboard.type(typed);
  await page.getByRole("option", { name: typed }).first().waitFor();
  if ((await box.getAttribute("aria-activedescendant")) === null) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
}

async function anonymous() {
  const page = await open("anonymous");
  const before = Date.now();
  await page.goto(admin);
  await page.getByRole("heading", { level: 1 }).waitFor();
  const seconds = (Date.now() - before) / 1000;
  await page.waitForLoadState("networkidle");
  const sizes = await page.evaluate(() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .filter((one) => new URL(one.name).pathname.startsWith("/admin")).map((one) => [one.name, one.encodedBodySize]));
  const files = sizes.filter(([name]) => !name.endsWith("/model") && !name.includes("/later/")); // of the first view
  const bytes = files.reduce((sum, [, size]) => sum + size, 0);
  const model = sizes.find(([name]) => name.endsWith("/model"))[1];
  await inspect(page, "overview");
  await page.getByRole("navigation", { name: "Resources" }).getByRole("link", { name: "Dragon treasures" }).click();
  await shows(page, "48 records");
  check((await button(page, "Delete").count()) === 0 && (await page.getByRole("checkbox").count()) === 0, "anonymous callers get buttons for changes");
  await page.getByRole("link", { name: "Amber amulet" }).click();
  await page.getByRole("heading", { name: "Amber amulet" }).waitFor();
  check((await page.locator("form.record").count()) === 0, "anonymous callers get a form");
  await inspect(page, "a record that cannot be changed");
  await visit(page, "DragonTreasure/5");
  await shows(page, "does not exist, or you cannot see it");
  await visit(page, "User/new"); // anyone can register
  await shows(page, "No two users have the same.");
  check((await page.getByText(/must be unique/i).count()) === 0, "the help of a field is an error");
  await button(page, "Create").click();
  await page.getByRole("alert").waitFor();
  await page.locator("[role=alert]:focus").waitFor(); // the summary of errors takes the focus
  await page.getByRole("alert").getByRole("button", { name: /Username/ }).click();
  check(await page.getByLabel("Username").evaluate((one) => one === document.activeElement && one.getAttribute("aria-invalid") === "true"), "a link of the summary does not lead to its field");
  await inspect(page, "errors of a form");
  await page.context().close();
  return `${files.length} files of ${(bytes / 1000).toFixed(0)} kB, the model ${(model / 1000).toFixed(0)} kB; first use after ${seconds.toFixed(2)} s`;
}

async function find(page) {
  await visit(page, "DragonTreasure");
  await page.getByRole("searchbox").fill("amulet");
  await page.keyboard.press("Enter");
  await shows(page, /^\d+ records$/);
  await page.getByRole("link", { name: "Humming amulet" }).waitFor();
  const filters = page.getByRole("form", { name: "Add filter" });
  const filter = async (field, fill) => {
    await button(page, "Add filter").click();
    await filters.getByLabel("Field").selectOption({ label: field });
    await fill();
    await button(filters, "Apply").click();
  };
  await filter("Is published", () => filters.getByLabel("Yes").check());
  await filter("Value", () => filters.getByLabel("Value from").fill("500"));
  await filter("Owner", async () => {
    await choose(page, "Owner: value", "ann");
    await inspect(page, "filters");
  });
  await page.waitForURL(/value%5Bgte%5D=500.*owner=/);
  await shows(page, "5 records");
  await page.getByRole("columnheader", { name: "Value" }).getByRole("button").click();
  await page.waitForURL(/sort=value/);
  const values = async () => (await page.locator("td[data-label=Value]").allTextContents()).map((text) => Number(text.replace(/\D/g, "")));
  let sorted = [];
  const isSorted = () => sorted.length === 5 && sorted.join() === sorted.toSorted((a, b) => a - b).join();
  for (let i = 0; i < 50 && !isSorted(); i++) {
    await page.waitForTimeout(50);
    sorted = await values();
  }
  check(isSorted(), `sorted by value: ${sorted}`);
  await button(page, "Clear filters").click();
  await shows(page, "54 records");
  await page.getByLabel("Per page").selectOption("10");
  await shows(page, "1–10 of 54");
  await button(page, "Next").click();
  await shows(page, "11–20 of 54");
  await button(page, "Columns").click();
  await page.getByRole("group", { name: "Columns" }).getByRole("checkbox", { name: "Cool factor" }).check();
  await page.keyboard.press("Escape");
  await page.reload();
  await page.getByRole("columnheader", { name: "Cool factor" }).waitFor();
  await visit(page, "DragonTreasure?name=nothing+has+this+name");
  await shows(page, "No dragon treasures match.");
  await inspect(page, "an empty list");
}

async function create(page) {
  await visit(page, "DragonTreasure/new");
  await text(page, "Value").fill("9007199254740993"); // JavaScript would make it …992
  await button(page, "Create").click();
  await shows(page, "Name must not be blank");
  await text(page, "Name").fill("=HYPERLINK(\"x\")");
  await text(page, "Description").fill("<img src=x onerror=alert(1)> javascript:alert(1)");
  await choose(page, "Add to Tags", "shiny");
  await choose(page, "Add to Tags", "sharp");
  await button(page, "Create").click();
  await page.getByRole("heading", { name: "=HYPERLINK" }).waitFor();
  const id = /DragonTreasure\/(\d+)/.exec(page.url())[1];
  const { text: json } = await call("GET", `/dragon_treasures/${id}`, "ann");
  check(json.includes('"value":9007199254740993,') && json.includes('"tags":["/api/tags/4","/api/tags/3"]'), `created: ${json}`);
  check((await text(page, "Value").inputValue()) === "9007199254740993", "a large integer is shown inexactly");
  return id;
}

async function edit(page, id) {
  await visit(page, `DragonTreasure/${id}`);
  await text(page, "Cool factor").fill("7");
  await text(page, "Description").fill("My description.");
  await call("PATCH", `/dragon_treasures/${id}`, "ann", { description: "Their description.", value: 5 });
  await button(page, "Save").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Their description.").waitFor();
  await inspect(page, "a conflict");
  await page.screenshot({ path: `${folder}/conflict.png` });
  await dialog.getByRole("radio", { name: "Description: Current value" }).check();
  await button(dialog, "Save the chosen values").click();
  await shows(page, "Saved.");
  const { text: json } = await call("GET", `/dragon_treasures/${id}`, "ann");
  check(/"description":"Their description.","value":5,"coolFactor":7/.test(json), `after a conflict: ${json}`);
  await text(page, "Cool factor").fill("seven");
  await button(page, "Save").click();
  await shows(page, "Cool factor must be a whole number");
  await page.getByRole("button", { name: "Clear Cool factor" }).click();
  await button(page, "Save").click();
  await page.getByRole("button", { name: "Save", disabled: true }).waitFor(); // it is saved
  check((await page.getByRole("button", { name: "Clear Cool factor" }).count()) === 0, "an empty field can be cleared");
  check((await call("GET", `/dragon_treasures/${id}`, "ann")).text.includes('"coolFactor":null'), "a cleared field is not null");
  await text(page, "Name").fill("Not saved"); // unsaved changes are kept until the user says otherwise
  await page.getByRole("link", { name: "Tags" }).first().click();
  await button(page.getByRole("dialog"), "Keep editing").click();
  check((await text(page, "Name").inputValue()) === "Not saved", "leaving a form loses its changes");
  await page.getByRole("link", { name: "Tags" }).first().click();
  await button(page.getByRole("dialog"), "Discard changes").click();
  await page.getByRole("heading", { level: 1, name: "Tags" }).waitFor();
}

async function tabs(page, id) {
  await visit(page, `DragonTreasure/${id}`);
  await page.getByRole("tab", { name: "Reviews" }).click();
  await button(page, "New review").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Rating").fill("9");
  await button(dialog, "Create").click();
  await dialog.getByText("Rating must be at most 5").first().waitFor();
  await inspect(page, "a form in a dialog");
  await dialog.getByLabel("Rating").fill("4");
  await dialog.getByLabel("Comment").fill("Shiny.");
  await button(dialog, "Create").click();
  await page.getByRole("link", { name: "Shiny." }).waitFor();
  await inspect(page, "a list in a tab");
  await page.getByRole("tab", { name: "Tags" }).click();
  await page.getByRole("button", { name: "Remove sharp" }).click();
  await page.getByRole("button", { name: "Remove sharp" }).waitFor({ state: "detached" });
  await choose(page, "Add", "edible");
  await page.getByRole("button", { name: "Remove edible" }).waitFor();
  check((await call("GET", `/dragon_treasures/${id}`, "ann")).text.includes('"tags":["/api/tags/4","/api/tags/2"]'), "memberships are wrong");
  await inspect(page, "a membership");
}

async function denied(page) {
  await visit(page, "DragonTreasure/2"); // of bob
  await page.getByRole("heading", { name: "Amber chalice" }).waitFor();
  check((await page.locator("form.record").count()) + (await button(page, "Delete").count()) === 0, "ann gets buttons for a treasure of bob");
  await visit(page, "DragonTreasure?sort=plunderedAt");
  await page.getByRole("checkbox", { name: "Select Amber amulet" }).check();
  await page.getByRole("checkbox", { name: "Select Amber chalice" }).check();
  await button(page, "Delete").click();
  await shows(page, "1 of 2 allow this.");
  await inspect(page, "a bulk action");
  await button(page.getByRole("dialog"), "Go back").click();
}

async function signedOut(page, id) {
  await visit(page, `DragonTreasure/${id}`);
  await text(page, "Name").fill("Kept during sign-in");
  await page.context().clearCookies();
  await button(page, "Save").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill("ann@example.com");
  await dialog.locator("input[type=password]").first().fill("demo-ann");
  await inspect(page, "signing in again");
  await dialog.getByRole("form", { name: "Sign in" }).getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Kept during sign-in" }).waitFor();
  check((await call("GET", `/dragon_treasures/${id}`, "ann")).text.includes("Kept during sign-in"), "signing in again loses a form");
}

async function remove(page, id) {
  await visit(page, `DragonTreasure/${id}`);
  await button(page, "Delete").click();
  await shows(page, "1 review will be deleted, too");
  await inspect(page, "the dialog of a delete");
  await button(page.getByRole("dialog"), "Delete").click();
  await page.getByRole("heading", { level: 1, name: "Dragon treasures" }).waitFor();
  check((await call("GET", `/dragon_treasures/${id}`, "ann")).status === 404, "the treasure is still there");
}

async function user() {
  const page = await open("ann");
  await page.context().addCookies([{ name: "__Host-session", secure: true, value: "of a database that was deleted", url: admin.replace("http:", "https:") }]);
  await visit(page, "DragonTreasure");
  await shows(page, "48 records"); // as for anonymous callers
  await visit(page, "~sign-in");
  await inspect(page, "sign-in");
  await signIn(page, "ann", "wrong");
  await shows(page, "These credentials are not valid.");
  await signIn(page, "ann");
  await shows(page, "You are signed in.");
  await find(page);
  const id = await create(page);
  await edit(page, id);
  await tabs(page, id);
  await denied(page);
  await signedOut(page, id);
  await remove(page, id);
  await visit(page, "APIToken/new");
  await page.getByLabel("treasure:edit").check();
  await button(page, "Create").click();
  await shows(page, "This is shown only once.");
  await button(page.getByRole("dialog"), "Close", false).last().click();
  await page.locator(".account > button").click();
  await button(page, "Sign out").click();
  await shows(page, "You are signed out.");
  await page.getByRole("link", { name: "Sign in" }).waitFor();
  await page.context().close();
}

async function bulk(page) {
  await visit(page, "DragonTreasure?name=Rusty");
  await shows(page, "6 records");
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await shows(page, "6 selected");
  await button(page, "Set a field").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Field").selectOption({ label: "Cool factor" });
  await text(dialog, "Cool factor").fill("11");
  await button(dialog, "Save").click();
  await shows(page, "6 failed.");
  await inspect(page, "results of a bulk action");
  await button(dialog, "Close", false).last().click();
  await button(page, "Set a field").click();
  await dialog.getByLabel("Field").selectOption({ label: "Cool factor" });
  await text(dialog, "Cool factor").fill("9");
  await button(dialog, "Save").click();
  await shows(page, "6 succeeded.");
  const { text: json } = await call("GET", "/dragon_treasures?name=Rusty&coolFactor=9", "root");
  check(JSON.parse(json).length === 6, "a bulk change has not changed all");
  await page.getByRole("checkbox", { name: "Select Rusty amulet" }).check();
  await page.getByRole("checkbox", { name: "Select Rusty crown" }).check();
  await button(page, "Delete").click();
  await button(dialog, "Delete").click();
  await shows(page, "2 succeeded.");
  await shows(page, "4 records");
}

async function exports(page) {
  await call("POST", "/dragon_treasures", "root", { name: "=1+1", isPublished: true });
  await visit(page, "DragonTreasure");
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Export CSV").click()]);
  const csv = readFileSync(await download.path(), "utf8");
  check(csv.trim().split("\n").length === 60 && csv.includes("\n'=1+1,"), `export: ${csv.trim().split("\n").length} lines, ${/.*1\+1.*/.exec(csv)}`);
}

async function root() {
  const page = await open("root");
  await visit(page, "~sign-in");
  await page.getByText("Sign in with token").click();
  await text(page, "Token").fill("demo-root");
  await page.getByRole("form", { name: "Token" }).getByRole("button", { name: "Sign in" }).click();
  await shows(page, "You are signed in.");
  await visit(page, "DragonTreasure");
  await button(page, "Create several treasures, all or none").click();
  const dialog = page.getByRole("dialog");
  for (const i of [1, 2]) {
    await dialog.getByRole("button", { name: "Add to dragon treasures" }).click();
    await dialog.getByRole("group", { name: `Dragon treasure ${i}` }).getByLabel("Name", { exact: false }).fill(i === 2 ? "" : "Imported");
  }
  await dialog.locator(".actions button").first().click();
  await shows(page, "Dragon treasure 2: Name must not be blank");
  await inspect(page, "a custom operation");
  await dialog.getByRole("group", { name: "Dragon treasure 2" }).getByLabel("Name").fill("Imported, too");
  await dialog.locator(".actions button").first().click();
  await dialog.getByRole("region", { name: "Result" }).waitFor();
  await inspect(page, "the result of a custom operation");
  await button(dialog, "Close", false).last().click();
  check(JSON.parse((await call("GET", "/dragon_treasures?name=Imported", "root")).text).length === 2, "the custom operation did nothing");
  for (const { id } of JSON.parse((await call("GET", "/dragon_treasures?name=Imported", "root")).text)) await call("DELETE", `/dragon_treasures/${id}`, "root");
  await bulk(page);
  await exports(page);
  await visit(page, "User/2");
  await button(page, "Delete").click();
  await dialog.getByRole("link", { name: /^\d+ dragon treasures refer to it$/ }).waitFor();
  check(await button(dialog, "Delete").isDisabled(), "a delete is offered that others prevent");
  await inspect(page, "a delete that is denied");
  await button(dialog, "Cancel").click();
  await page.context().close();
}

/** Views on a narrow screen and in the dark, and how far the keyboard gets. */
async function looks() {
  for (const [name, options] of Object.entries({ light: {}, dark: { dark: true }, narrow: { width: 390, height: 844 }, "narrow-dark": { width: 390, height: 844, dark: true } })) {
    const page = await open(name, options);
    await visit(page, "~sign-in");
    await page.screenshot({ path: `${folder}/${name}-sign-in.png` });
    await signIn(page, "root");
    await button(page, "Dismiss").click();
    for (const [view, ready, shot] of [["", ".card .total", "overview"], ["DragonTreasure?sort=-value", "td", "list"], ["DragonTreasure/1", "form.record", "record"], ["User/new", "form.record", "form"]]) {
      await visit(page, view);
      await page.locator(ready).first().waitFor();
      await page.waitForLoadState("networkidle");
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(wide <= 0, `${name}: ${shot} is ${wide}px wider than the screen`);
      await inspect(page, `${name}: ${shot}`);
      await page.screenshot({ path: `${folder}/${name}-${shot}.png` });
    }
    const picture = { light: ["DragonTreasure?itemsPerPage=10&sort=-value", "td[data-label=Owner] a", "admin-list"], dark: ["DragonTreasure/1", ".references a", "admin-form"] }[name];
    if (picture) { // docs/images has them
      await page.setViewportSize({ width: 1180, height: options.dark ? 1040 : 780 });
      await visit(page, picture[0]);
      await page.locator(picture[1]).first().waitFor();
      await page.waitForLoadState("networkidle");
      await page.screenshot({ path: `${folder}/${picture[2]}.png` });
    }
    await page.context().close();
  }
  const page = await open("keyboard");
  await page.goto(admin);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Tab");
  check((await page.evaluate(() => document.activeElement.textContent)) === "Skip to content", "the first Tab does not reach the skip link");
  await page.keyboard.press("Enter");
  check((await page.evaluate(() => document.activeElement.id)) === "main", "the skip link does not lead to the content");
  await page.context().close();
}

await perform(folder, async () => {
  const cost = await anonymous();
  await user();
  await root();
  await looks();
  console.log(cost);
  return "the admin works for anonymous callers, users and admins";
});
