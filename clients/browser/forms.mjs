// Fills in forms of the API of admin/forms_test.go in Chromium: pickers of many records, words of errors, widgets and groups.
// Usage: forms.mjs ADMIN FOLDER
import { start } from "./watch.mjs";

const [admin, folder] = process.argv.slice(2);
const { check, complain, open, inspect, perform } = await start(new URL(admin).origin, / 503 /); // one search is meant to fail
const visit = (page, hash) => page.goto(`${admin}#/${hash}`);
const button = (scope, name) => scope.getByRole("button", { name, exact: true });
const input = (scope, name) => scope.getByRole("textbox", { name });
const box = (scope, name) => scope.getByRole("combobox", { name });
const option = (page, name) => page.getByRole("option", { name });
const headed = (page, name) => page.getByRole("heading", { level: 1, name }).waitFor();
const read = async (path) => (await fetch(new URL(`/api${path}`, admin))).json();

/** Waits until an input has a value. */
const holds = (page, id, value) => page.waitForFunction(([of, wanted]) => document.getElementById(of)?.value === wanted, [id, value]);

/** Finds records in resources that can be searched in different ways. */
async function pickers(page) {
  await visit(page, "Part/new");
  const supplier = box(page, "Supplier");
  await supplier.click();
  await page.getByText("First 100 of 5,003. Type to find others.").first().waitFor();
  await inspect(page, "a picker of many records");
  await page.screenshot({ path: `${folder}/picker.png` });
  await supplier.fill("Supplier 4321");
  await option(page, /^Supplier 4321 /).waitFor();
  await page.keyboard.press("Enter");
  check((await supplier.inputValue()) === "Supplier 4321", "a record in the middle is not chosen");
  await supplier.fill("nowhere");
  await option(page, "No suppliers match “nowhere”.").waitFor();
  await supplier.fill("77"); // also the identifier
  await option(page, /^Supplier 77 /).waitFor();
  await page.keyboard.press("Escape");
  const owner = box(page, "Owner");
  await owner.click();
  await page.getByText("First 100. Type the whole username to find others.").first().waitFor();
  await owner.fill("person49"); // a part of it: the service is not asked, so nothing says that there is none
  await option(page, "None of the first people match “person49”.").waitFor();
  await page.getByText("Type the whole username to find others.").first().waitFor();
  await owner.fill("person49999");
  await option(page, /person49999/).waitFor();
  await owner.fill("49017");
  await option(page, /person49017/).click();
  check((await owner.inputValue()) === "person49017", "a record is not found by its identifier");
  const cupboard = box(page, "Cupboard");
  await cupboard.fill("Shelf");
  await page.getByText("Type an identifier to find others.").first().waitFor();
  await cupboard.fill("290");
  await option(page, /Cupboard 290/).waitFor();
  await page.keyboard.press("Escape");
  const shades = box(page, "Add to Shades"); // all of them are known
  await shades.fill("cor");
  await option(page, /Coral/).waitFor();
  check((await page.locator(".options [role=option]").count()) === 2, "a small list is not narrowed");
  await shades.fill("pink");
  await option(page, "No shades match “pink”.").waitFor();
  await page.keyboard.press("Escape");
}

/** What comes late, out of order, or not at all. */
async function slow(page) {
  const supplier = box(page, "Supplier");
  await page.route("**/api/suppliers?*Supplier+1&*", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 900));
    await route.continue().catch(() => {});
  });
  await supplier.fill("Supplier 1");
  await page.waitForTimeout(300); // it has been sent
  await supplier.fill("Supplier 2222");
  await option(page, /^Supplier 2222 /).waitFor();
  await page.waitForTimeout(900); // the other one would have come
  check((await option(page, /^Supplier 2222 /).count()) === 1 && (await option(page, /^Supplier 1/).count()) === 0, "an older search replaces a newer one");
  await supplier.fill("Supplier 3333");
  await page.keyboard.press("Enter"); // before there are options
  await holds(page, "new.supplier", "Supplier 3333");
  await page.route("**/api/suppliers?*broken*", (route) => route.fulfill({ status: 503, contentType: "application/problem+json", body: '{"detail":"Out of order."}' }).catch(() => {}));
  await supplier.fill("broken");
  await page.getByText("Out of order.").first().waitFor();
  check((await page.getByText("No suppliers match").count()) === 0, "a search that failed says that nothing matches");
  await page.keyboard.press("Escape");
}

/** Creates the record that is missing, in a dialog. */
async function inPlace(page) {
  const supplier = box(page, "Supplier");
  await input(page, "Name").fill("With a new supplier");
  await supplier.fill("Acme of Oslo");
  await option(page, "New supplier…").waitFor();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  check((await input(dialog, "Name").inputValue()) === "Acme of Oslo", "what was typed is not the name of the new record");
  await inspect(page, "a record that is created in place");
  await button(dialog, "Create").click();
  await dialog.waitFor({ state: "detached" });
  await holds(page, "new.supplier", "Acme of Oslo");
  check((await read("/suppliers?q=Acme")).length === 1, "the new record is not there");
  await page.getByLabel("State").selectOption("worn");
}

/** What is wrong, in the words of the page, and until it is edited. */
async function errors(page) {
  await visit(page, "Part");
  await button(page.getByRole("dialog"), "Discard changes").click();
  await headed(page, /^Parts/);
  await visit(page, "Part/new");
  await page.locator("form.record").waitFor();
  const state = page.getByLabel("State");
  check((await state.locator("option").first().isDisabled()) && (await state.locator("option").allTextContents()).join() === "Choose…,Brand new,worn,broken", `the choices are ${await state.locator("option").allTextContents()}`);
  await input(page, "Cool factor").fill("seven");
  await page.locator("input[type=text]").and(page.getByLabel("Tint", { exact: true })).fill("reddish");
  await button(page, "Add to lines").click();
  await button(page, "Add to lines").click();
  await input(page.getByRole("group", { name: "Line 1" }), "Text").fill("Bolts");
  await input(page.getByRole("group", { name: "Line 1" }), "Quantity").fill("2");
  await input(page.getByRole("group", { name: "Line 2" }), "Text").fill("Nuts");
  await input(page.getByRole("group", { name: "Line 2" }), "Quantity").fill("0");
  await button(page, "Create").click();
  const alert = page.getByRole("alert");
  await alert.getByText("Cool factor must be a whole number", { exact: true }).waitFor();
  const all = await alert.getByRole("listitem").allTextContents();
  const wanted = ["Name must not be blank", "State is required", "Cool factor must be a whole number", "Choose an existing supplier", "Tint must be a colour such as #ff8800", "Line 2: Quantity must be at least 1"];
  check(all.map((one) => one.trim()).join(" | ") === wanted.join(" | "), `the errors are ${all.join(" | ")}`);
  await inspect(page, "errors in the words of the page");
  await page.screenshot({ path: `${folder}/errors.png`, fullPage: true });
  await alert.getByRole("button", { name: "Cool factor must be a whole number" }).click();
  check(await input(page, "Cool factor").evaluate((one) => one === document.activeElement), "an entry of the summary does not lead to its input");
  await page.keyboard.type("7");
  await alert.getByText("Cool factor must be a whole number").waitFor({ state: "detached" });
  check((await input(page, "Cool factor").getAttribute("aria-invalid")) === null, "an error stays at a field that was edited");
  check(await input(page, "Cool factor").evaluate((one) => one === document.activeElement), "an edit loses the focus");
  await visit(page, "Part/2");
  await button(page.getByRole("dialog"), "Discard changes").click();
  await headed(page, "Part 2");
  await input(page, "Name").fill("Twice");
  await button(page, "Save").click();
  await page.getByRole("alert").getByText("There is such a part in that time.").waitFor();
  check((await page.getByRole("alert").getByRole("listitem").count()) === 0, "an error of the whole record is a list");
  await button(page, "Undo changes").click();
}

/** JSON that is not finished: a change, and an error at its field. */
async function json(page) {
  const extra = input(page, "Extra");
  await extra.fill('{"a": 1,\n"b": }');
  check((await page.getByText("This is not valid JSON").count()) === 0, "JSON is wrong before it is finished");
  await input(page, "Name").focus();
  await page.getByText("This is not valid JSON: see line 2.").waitFor();
  await button(page, "Save").click();
  await page.getByRole("alert").getByText("Extra: This is not valid JSON: see line 2.").waitFor();
  await page.getByRole("link", { name: "Suppliers" }).first().click();
  await button(page.getByRole("dialog"), "Keep editing").click();
  check((await extra.inputValue()) === '{"a": 1,\n"b": }', "unfinished JSON is lost");
  await extra.fill('{"a": 12345678901234567890}');
  await button(page, "Save").click();
  await page.getByRole("button", { name: "Save", disabled: true }).waitFor();
  await page.getByText("Saved.").first().waitFor();
  check((await (await fetch(new URL("/api/parts/2", admin))).text()).includes("12345678901234567890"), "a number in JSON lost digits");
  await extra.focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Tab");
  check(await extra.evaluate((one) => one === document.activeElement && one.value.endsWith("  ")), "Tab does not indent");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  check(await extra.evaluate((one) => one !== document.activeElement), "Escape and Tab do not leave an editor");
}

/** A new record from a tab of another one. */
async function children(page) {
  for (const [name, label, value] of [["Comments", "Text", "Fine"], ["Orders", "Count", "3"]]) {
    await page.getByRole("tab", { name }).click();
    await button(page, name === "Comments" ? "New comment" : "New order").click();
    const dialog = page.getByRole("dialog");
    check((await dialog.getByRole("combobox").count()) === 0, `${name}: it asks for the record of the tab`);
    await dialog.locator(".locked").getByRole("link", { name: "Part 2" }).waitFor();
    await input(dialog, label).fill(value);
    await button(dialog, "Create").click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("tabpanel").getByText(value, { exact: true }).first().waitFor();
  }
  check((await read("/parts/2/comments")).length === 1 && (await read("/orders?part=/api/parts/2")).length === 1, "the new records do not refer to that of the tab");
}

/** What prevents a delete. */
async function restricted(page) {
  await visit(page, "Supplier/1");
  await button(page, "Delete").click();
  const dialog = page.getByRole("dialog");
  const link = dialog.getByRole("link", { name: "1,674 parts refer to it" });
  await link.waitFor();
  check(await button(dialog, "Delete").isDisabled(), "a delete is offered that others prevent");
  await inspect(page, "a delete that others prevent");
  await link.click();
  await headed(page, /^Parts/);
  await page.waitForURL(/supplier=/);
}

/** Groups of fields, and widgets in forms, lists and details. */
async function widgets(page) {
  await visit(page, "Part");
  await page.locator("td .swatch").first().waitFor();
  check((await page.locator("td img.thumbnail").first().evaluate((one) => one.complete && one.naturalWidth > 0)) === true, "a list has no thumbnail");
  await page.locator("td", { hasText: "Brand new" }).first().waitFor();
  await page.screenshot({ path: `${folder}/widgets-list.png` });
  await visit(page, "Part/3");
  await headed(page, "Part 3");
  const groups = await page.locator("form.record .group h2").allTextContents();
  check(groups.join() === "Basics,People", `the groups are ${groups}`);
  const [name, state] = await Promise.all([input(page, "Name").boundingBox(), page.getByLabel("State").boundingBox()]);
  check(Math.abs(name.y - state.y) < 4 && state.x > name.x + name.width, "fields of a group with two columns are not side by side");
  check((await page.locator(".image img").evaluate((one) => one.naturalWidth)) > 0, "an image has no preview");
  await button(page.locator(".field", { hasText: "Notes" }), "Preview").click();
  const preview = page.getByRole("region", { name: "Preview: Notes" });
  await preview.locator("strong").first().waitFor();
  check((await preview.locator("script, img[src^=http], a[href^=javascript]").count()) === 0 && (await preview.getByText("<img src=x onerror=alert(1)>").count()) === 1, "Markdown is markup");
  check((await preview.getByRole("link", { name: "good" }).getAttribute("href")) === "https://example.com/", "a link in Markdown is not one");
  await button(page, "Write").click();
  const notes = await input(page, "Notes").inputValue();
  for (const hostile of [">".repeat(900), ">".repeat(9000), "_a".repeat(30000)]) { // so many levels, or so much time
    await input(page, "Notes").fill(hostile);
    const start = Date.now();
    await button(page, "Preview").click();
    await preview.getByText(hostile.slice(0, 900)).waitFor({ timeout: 3000 }).catch(() => complain("hostile Markdown is not shown as text"));
    check(Date.now() - start < 3000, "hostile Markdown stops the page");
    await button(page, "Write").click();
  }
  await input(page, "Notes").fill(notes);
  await button(page, "Preview").click();
  await preview.locator("strong").first().waitFor();
  await inspect(page, "groups and widgets");
  await page.screenshot({ path: `${folder}/widgets.png`, fullPage: true });
  await page.locator("input[type=text]").and(page.getByLabel("Tint", { exact: true })).fill("#00aa00");
  await input(page, "Cost").fill("123456789012345678.90");
  await input(page, "Script").fill("let c = 3;");
  await button(page, "Save").click();
  await page.getByRole("button", { name: "Save", disabled: true }).waitFor();
  await page.getByText("Saved.").first().waitFor();
  const saved = await read("/parts/3");
  check(saved.tint === "#00aa00" && saved.cost === "123456789012345678.90" && saved.script === "let c = 3;", `saved: ${JSON.stringify(saved)}`);
}

/** A value that another record has, an image from a file, and a record that is created in a tab of its own. */
async function others(page) {
  await visit(page, "Person/new");
  await input(page, "Username").fill("person00001");
  await button(page, "Create").click();
  await page.getByRole("alert").getByText("Username is already in use", { exact: true }).waitFor();
  await input(page, "Username").fill("nobody else");
  check((await page.getByRole("alert").count()) === 0, "an error stays after its field was edited");
  await button(page, "Create").click();
  await headed(page, "nobody else");
  await visit(page, "Part/5");
  const dot = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
  await page.getByLabel("Choose a file: Photo").setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: dot });
  await page.locator(".image img[src^='data:image/png']").waitFor();
  await button(page, "Save").click();
  await page.getByText("Saved.").first().waitFor();
  check((await read("/parts/5")).photo.startsWith("data:image/png;base64,iVBOR"), "an image of a file is not saved");
}

/** The form in each look, which fills the page. */
async function looks() {
  for (const [name, options] of Object.entries({ light: { width: 1440 }, dark: { width: 1024, dark: true }, narrow: { width: 390, height: 844 } })) {
    const page = await open(name, options);
    await visit(page, "Part/4");
    await headed(page, "Part 4");
    await page.locator(".image img").waitFor();
    await page.waitForLoadState("networkidle");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    check(wide <= 0, `${name}: a form is ${wide}px wider than the screen`);
    await inspect(page, `${name}: a form with groups`);
    await page.screenshot({ path: `${folder}/forms-${name}.png`, fullPage: true });
    await page.context().close();
  }
}

await perform(folder, async () => {
  const page = await open("forms");
  for (const step of [pickers, slow, inPlace, errors, json, children, restricted, widgets, others]) await step(page);
  await looks();
  return "pickers, errors, widgets and groups of forms work";
});
