// Fills in forms of the API of admin/forms_test.go in Chromium: pickers of many records, words of errors, widgets and groups.
// Usage: forms.mjs ADMIN FOLDER
import { start } from "./watch.mjs";

const [admin, folder] = process.argv.slice(2);
const { browser, complaints, complain, open, inspect } = await start(new URL(admin).origin);
const check = (holds, text) => holds || complain(text);
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
  await page.getByText("First 100 of 50,000. Type the whole username to find others.").first().waitFor();
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
  complaints.splice(0, complaints.length, ...complaints.filter((one) => !/ 503 /.test(one))); // this one is meant
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

try {
  const page = await open("forms");
  for (const step of [pickers, slow, inPlace]) await step(page);
} catch (error) {
  complain(error.stack);
  for (const context of browser.contexts()) for (const page of context.pages()) await page.screenshot({ path: `${folder}/failed-forms.png` });
} finally {
  await browser.close();
}
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exit(1);
console.log("pickers, errors, widgets and groups of forms work");
