// Does the work of a rental business with the admin of examples/rental in Chromium: the trash, a workflow, dates, and an invoice
// with its lines. Usage: rental.mjs BASE FOLDER
import { readFileSync } from "node:fs";
import { start } from "./watch.mjs";

const [base, folder] = process.argv.slice(2);
const admin = `${base}/admin`;
const { check, open, inspect, perform } = await start(base);
const button = (page, name) => page.getByRole("button", { name, exact: true });
const date = (page, name) => page.locator("input[type=date]").and(page.getByLabel(name));
const visit = (page, hash) => page.goto(`${admin}#/${hash}`);
const shows = (page, text) => page.getByText(text).first().waitFor();
const headed = (page, name) => page.getByRole("heading", { level: 1, name }).waitFor();

async function signIn(page, name) {
  await visit(page, "~sign-in");
  const form = page.getByRole("form", { name: "Sign in" }).filter({ has: page.getByLabel("Email") });
  await form.getByLabel("Email").fill(`${name}@example.com`);
  await form.locator("input[type=password]").fill("correct horse battery");
  await button(form, "Sign in").click();
  await shows(page, "You are signed in.");
  await button(page, "Dismiss").click();
}

/** Runs an operation of a record, which has no form. */
async function run(page, name) {
  await button(page, name).click();
  await button(page.getByRole("dialog"), name).click();
}

/** Chooses a record in a combobox by typing. */
async function choose(within, page, label, typed) {
  await within.getByRole("combobox", { name: label }).fill(typed);
  await page.getByRole("option", { name: typed }).first().click();
}

/** Selects records in several states. */
async function several(page, bar) {
  await visit(page, "Item?deleted=with");
  await page.getByRole("link", { name: "Kayak" }).waitFor();
  await page.getByRole("link", { name: "Sailing boat" }).waitFor();
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await button(bar, "Restore").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/^1 of \d+ allow this/).waitFor();
  const title = await dialog.getByRole("heading").innerText();
  await page.route("**/restore", (route) => route.fulfill({ status: 409, contentType: "application/problem+json", body: '{"status":409,"detail":"The change conflicts with another record."}' }));
  await button(dialog, "Restore").click();
  await dialog.getByText("1 failed.").waitFor();
  check((await dialog.getByText("Not in a state that allows this").count()) > 1 && (await dialog.getByText("Not permitted").count()) === 0, `the results are ${await dialog.getByRole("list").innerText()}`);
  check((await dialog.getByRole("heading").innerText()) === title, `the heading ${title} becomes ${await dialog.getByRole("heading").innerText()}`);
  await page.unroute("**/restore");
  await dialog.getByRole("button", { name: "Close" }).last().click();
}

/** Deletes an item, finds it in the trash, and restores and purges it. */
async function trash() {
  const anyone = await open("anonymous");
  await visit(anyone, "Item");
  await anyone.getByRole("link", { name: "Canoe" }).waitFor();
  check((await button(anyone, "Trash").count()) === 0, "anonymous callers get the trash");
  await anyone.context().close();
  const page = await open("root");
  await signIn(page, "root");
  await visit(page, "Item");
  await page.getByRole("link", { name: "Sailing boat" }).waitFor();
  await button(page, "Trash").click();
  await shows(page, "The trash is empty.");
  await inspect(page, "an empty trash");
  await button(page, "Trash").click();
  await visit(page, "Item/new");
  await choose(page, page, "Location", "Lake");
  await page.getByLabel("Number").fill("7");
  await page.getByLabel("Name").fill("Kayak");
  await page.getByLabel("Price").fill("1800");
  await button(page, "Create").click();
  await headed(page, "Kayak");
  check((await button(page, "Restore").count()) + (await button(page, "Purge").count()) === 0, "a living item can be restored or purged");
  await button(page, "Delete").click();
  await button(page.getByRole("dialog"), "Delete").click();
  await headed(page, /^Items/);
  await page.getByRole("link", { name: "Sailing boat" }).waitFor();
  check((await page.getByRole("link", { name: "Kayak" }).count()) === 0, "a deleted item is in the list");
  await button(page, "Trash").click();
  await page.getByRole("link", { name: "Kayak" }).waitFor();
  check((await button(page, "Trash").getAttribute("aria-pressed")) === "true", "the button does not say that this is the trash");
  check((await page.getByRole("link", { name: "Sailing boat" }).count()) === 0, "a living item is in the trash");
  await inspect(page, "the trash");
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Export CSV").click()]);
  const [head, row] = readFileSync(await download.path(), "utf8").split("\r\n");
  check(/,deleted$/.test(head) && /,\d{4}-\d\d-\d\dT/.test(row), `the export of the trash is ${head}: ${row}`);
  const bar = page.getByRole("region", { name: "Selected records" });
  await page.getByRole("checkbox", { name: "Select Kayak" }).check();
  await button(bar, "Restore").waitFor();
  check((await button(bar, "Purge").count()) === 1 && (await button(bar, "Delete").count()) + (await button(bar, "Set a field").count()) === 0, `an item in the trash offers ${await bar.innerText()}`);
  await button(page, "Clear selection").click();
  await button(page, "Trash").click();
  await page.getByRole("link", { name: "Sailing boat" }).waitFor();
  await page.getByRole("checkbox", { name: "Select Sailing boat" }).check();
  await button(bar, "Delete").waitFor();
  check((await button(bar, "Restore").count()) + (await button(bar, "Purge").count()) === 0, `a living item offers ${await bar.innerText()}`);
  await several(page, bar);
  await visit(page, "Item?deleted=only");
  await page.screenshot({ path: `${folder}/trash.png` });
  await page.getByRole("link", { name: "Kayak" }).click();
  await shows(page, /this record (is in|was moved to|to) the trash/i);
  check((await button(page, "Delete").count()) === 0, "an item in the trash can be deleted");
  await inspect(page, "a record in the trash");
  await run(page, "Restore");
  await button(page, "Delete").waitFor();
  check((await page.getByText(/this record (is in|was moved to|to) the trash/i).count()) === 0, "a restored item is in the trash");
  await button(page, "Delete").click();
  await button(page.getByRole("dialog"), "Delete").click();
  await headed(page, /^Items/);
  await visit(page, "Item?deleted=only");
  await page.getByRole("link", { name: "Kayak" }).click();
  await button(page, "Purge").click();
  await inspect(page, "the dialog of a purge");
  await page.getByRole("dialog").locator(".actions button").first().click();
  await headed(page, /^Items/);
  await visit(page, "Item?deleted=with");
  await page.getByRole("link", { name: "Sailing boat" }).waitFor();
  check((await page.getByRole("link", { name: "Kayak" }).count()) === 0, "a purged item is still there");
  await page.context().close();
}

/** Books an item as a customer, and takes the booking through its workflow as the staff. */
async function workflow() {
  const ann = await open("ann");
  await signIn(ann, "ann");
  await visit(ann, "Booking/new");
  await choose(ann, ann, "Item", "Canoe");
  await date(ann, "From").fill("2031-06-01");
  await date(ann, "To").fill("2031-05-01");
  await button(ann, "Create").click();
  await shows(ann, "To must not be before From");
  await inspect(ann, "a wrong period");
  await date(ann, "To").fill("2031-06-04");
  await button(ann, "Create").click();
  await shows(ann, "requested");
  await button(ann, "Cancel booking").waitFor();
  check((await button(ann, "Approve").count()) === 0, "a customer may approve");
  const id = /Booking\/(\d+)/.exec(ann.url())[1];
  await visit(ann, "Booking/new");
  await choose(ann, ann, "Item", "Canoe");
  await date(ann, "From").fill("2031-06-03");
  await date(ann, "To").fill("2031-06-05");
  await button(ann, "Create").click();
  await shows(ann, "The item is booked in that time.");
  await inspect(ann, "a booked item");
  const harry = await open("harry");
  await signIn(harry, "harry");
  await visit(harry, `Booking/${id}`);
  await run(harry, "Approve");
  await button(harry, "Hand over").waitFor();
  check((await button(harry, "Approve").count()) + (await button(harry, "Take back").count()) === 0, "a step is offered that its condition forbids");
  check((await harry.locator("form.record").count()) === 0, "an approved booking can be edited");
  await inspect(harry, "a booking");
  await harry.getByRole("tab", { name: "History" }).click();
  await harry.locator(".timeline").getByText("Harry").waitFor();
  await inspect(harry, "a history");
  await ann.context().close();
  await invoice(harry, id);
  await harry.context().close();
}

/** Creates an invoice with lines in one form, and changes a line in its tab. */
async function invoice(page, booking) {
  await visit(page, "Invoice/new");
  await choose(page, page, "Booking", booking);
  await date(page, "Due").fill("2031-07-01");
  for (const [i, [text, price]] of [["3 days", "2500"], ["Deposit", "-500"]].entries()) {
    await button(page, "Add to lines").click();
    const line = page.getByRole("group", { name: `Line ${i + 1}` });
    await line.getByLabel("Text").fill(i ? text : "");
    await line.getByLabel("Quantity").fill(i ? "1" : "3");
    await line.getByLabel("Price").fill(price);
  }
  await button(page, "Create").click();
  await shows(page, /Line 1: Text must not be blank/);
  await inspect(page, "errors of lines");
  await page.screenshot({ path: `${folder}/lines.png`, fullPage: true });
  await page.getByRole("group", { name: "Line 1" }).getByLabel("Text").fill("3 days");
  await button(page, "Create").click();
  await button(page, "Send").waitFor();
  check((await button(page, "Pay").count()) === 0, "a draft can be paid");
  await page.getByRole("tab", { name: "Lines" }).click();
  await page.getByRole("link", { name: "3 days" }).waitFor();
  check((await page.locator("td[data-label=Amount]").allTextContents()).join().replace(/[^\d−-]/g, "").includes("7500"), "the amount of a line is wrong");
  await inspect(page, "lines");
  await page.getByRole("tab", { name: "Details" }).click();
  await run(page, "Send");
  await button(page, "Pay").waitFor();
  check((await button(page, "Send").count()) === 0, "an invoice can be sent twice");
}

/** Pages in each look. */
async function looks() {
  for (const [name, options] of Object.entries({ light: {}, dark: { dark: true }, narrow: { width: 390, height: 844 }, "narrow-dark": { width: 390, height: 844, dark: true } })) {
    const page = await open(name, options);
    await signIn(page, "root");
    const views = { items: ["Item", "td"], trash: ["Item?deleted=only", ".nothing"], bookings: ["Booking", "td"], booking: ["Booking/3", "form.record"], lines: ["Invoice/1?tab=1", "td"], invoice: ["Invoice/new", "form.record"] };
    for (const [view, [hash, ready]] of Object.entries(views)) {
      await visit(page, hash);
      await page.locator(ready).first().waitFor();
      if (view === "invoice") await button(page, "Add to lines").click();
      await page.waitForLoadState("networkidle");
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(wide <= 0, `${name}: ${view} is ${wide}px wider than the screen`);
      await inspect(page, `${name}: ${view}`);
      await page.screenshot({ path: `${folder}/rental-${name}-${view}.png`, fullPage: true });
    }
    await page.context().close();
  }
}

await perform(folder, async () => {
  await trash();
  await workflow();
  await looks();
  return "the admin serves a rental business";
});
