// Checks with examples/rental in Chromium that the admin notices who uses it, and what it offers them at each moment: the end of
// a session, another person, actions, undo, history, trash and keys. Usage: session.mjs BASE FOLDER
import { start } from "./watch.mjs";

const [base, folder] = process.argv.slice(2);
const admin = `${base}/admin`;
const { check, open, inspect, perform } = await start(base);
const button = (page, name) => page.getByRole("button", { name, exact: true });
const visit = (page, hash) => page.goto(`${admin}#/${hash}`);
const shows = (page, text) => page.getByText(text).first().waitFor();
const headed = (page, name) => page.getByRole("heading", { level: 1, name }).waitFor();
const account = (page) => page.locator(".account > button");

/** Fills in the form to sign in that is open. */
async function fill(within, name) {
  const form = within.locator("form.sign").first();
  await form.getByLabel("Email").fill(`${name}@example.com`);
  await form.locator("input[type=password]").fill("correct horse battery");
  await button(form, "Sign in").click();
}

async function signIn(page, name) {
  await visit(page, "~sign-in");
  await fill(page, name);
  await shows(page, "You are signed in.");
  await button(page, "Dismiss").last().click();
}

/** The end of a session is noticed with the next response, and the work stays. */
async function lost() {
  const page = await open("lost");
  await signIn(page, "root");
  await visit(page, "Booking");
  await page.locator("tbody tr").first().waitFor();
  await page.context().clearCookies();
  await page.getByRole("link", { name: "Items", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("You are no longer signed in").waitFor();
  check((await page.locator("tbody tr").count()) === 0, "the list of an anonymous caller is shown as that of the person");
  await inspect(page, "a lost session");
  await fill(dialog, "root");
  await page.getByRole("link", { name: "Sailing boat" }).waitFor();
  await button(page, "Trash").waitFor(); // the list is that of the person again
  check((await account(page).textContent()).includes("Root"), "the header does not name the caller");

  await visit(page, "Item/new"); // the work in a form stays
  await page.getByLabel("Name").fill("Half done");
  await page.context().clearCookies();
  await button(page, "Create").click();
  await dialog.getByText("You are no longer signed in").waitFor();
  await fill(dialog, "root");
  await dialog.waitFor({ state: "detached" });
  check((await page.getByLabel("Name").inputValue()) === "Half done", "the work is lost with the session");

  await visit(page, "Location");
  await button(page, "Discard changes").click();
  await page.getByRole("link", { name: "Harbour" }).waitFor();
  await page.context().clearCookies();
  await page.getByRole("link", { name: "Items", exact: true }).click();
  await dialog.waitFor();
  await button(dialog, "Close").click(); // the page goes on as that of an anonymous caller
  await page.getByRole("link", { name: "Sign in" }).first().waitFor();
  check((await account(page).count()) === 0, "a page without a caller still names one");
  await page.context().close();
}

/** Nothing of a person stays when another one signs in, in this tab or another one. */
async function other() {
  const page = await open("other");
  await signIn(page, "root");
  await visit(page, "Location");
  await page.getByRole("link", { name: "Harbour" }).waitFor();
  await page.locator("section.records[aria-busy=false]").waitFor();
  await account(page).click();
  await button(page, "Sign out").waitFor();
  await inspect(page, "the menu of the caller");
  await page.keyboard.press("Escape");
  await visit(page, "Item/1");
  await button(page, "Delete").waitFor();
  const tab = await page.context().newPage();
  await tab.goto(`${admin}#/Location`);
  await account(tab).click();
  await button(tab, "Sign out").click();
  await shows(tab, "You are signed out.");
  await page.getByRole("dialog").getByText("You are no longer signed in").waitFor(); // without a request of its own
  await signIn(tab, "ann");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.locator(".account").getByText("Ann").waitFor();
  check((await button(page, "Delete").count()) === 0, "the buttons of the person before stay");
  check(!page.url().includes("Item"), "the page of the person before stays");
  await visit(page, "Item/1");
  await headed(page, /./);
  check((await button(page, "Delete").count()) === 0, "a customer gets the buttons of an admin");
  await page.context().close();
}

/** People who are not signed in come back to the page that they opened. */
async function links() {
  const page = await open("links");
  await visit(page, "Booking/1");
  await page.getByRole("main").getByRole("link", { name: "Sign in" }).or(page.getByRole("form", { name: "Sign in" })).first().waitFor();
  if (await page.getByRole("main").getByRole("link", { name: "Sign in" }).count()) await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  const email = page.getByLabel("Email").first();
  check((await email.getAttribute("type")) === "email" && (await email.getAttribute("autocomplete")) === "username", "the field for an e-mail address is another one");
  await inspect(page, "a page to sign in");
  await fill(page, "root");
  await page.locator("form.record, .info").first().waitFor();
  check(page.url().endsWith("#/Booking/1"), `a sign-in leads to ${page.url()}`);
  await page.context().close();
}

const credentials = `Basic ${Buffer.from("root@example.com:correct horse battery").toString("base64")}`;
const call = async (method, path, body) => {
  const response = await fetch(`${base}/api${path}`, { method, headers: { Authorization: credentials, "Content-Type": method === "PATCH" ? "application/merge-patch+json" : "application/json" }, body: body && JSON.stringify(body) });
  return { status: response.status, body: await response.json().catch(() => null) };
};

/** A page whose user gets other permissions has other buttons. */
async function roles() {
  const page = await open("roles");
  await signIn(page, "ann");
  await visit(page, "Item/1");
  await headed(page, /./);
  check((await button(page, "Delete").count()) === 0, "a customer may delete an item");
  const { body } = await call("GET", "/users?itemsPerPage=50");
  const ann = body.find((one) => one.email === "ann@example.com").id;
  await call("PATCH", `/users/${ann}`, { admin: true });
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange"))); // people come back to the tab
  await button(page, "Delete").waitFor();
  await call("PATCH", `/users/${ann}`, { admin: false });
  await page.context().close();
}

/** Actions follow the state of the record, say what they do, and those that lose something ask. */
async function actions(page) {
  const { body: booking } = await call("POST", "/bookings", { item: "/api/items/1", from: "2032-03-01", to: "2032-03-03" });
  await visit(page, `Booking/${booking.id}`);
  await button(page, "Approve").click();
  await button(page.getByRole("dialog"), "Approve").click();
  await shows(page, "Approve: done.");
  await button(page, "Hand over").waitFor();
  check((await button(page, "Approve").count()) === 0 && (await page.getByRole("dialog").count()) === 0, "an action stays, or shows its result");
  check((await page.getByText("approved").count()) > 0, "the record is not loaded after an action");
  check((await button(page, "Hand over").getAttribute("class")) !== "danger" && (await button(page, "Cancel booking").getAttribute("class")) === "danger", "danger is another color");
  await button(page, "Cancel booking").click();
  const dialog = page.getByRole("dialog");
  check((await dialog.locator(".actions button").allTextContents()).join() === "Cancel booking,Go back", `the dialog has ${await dialog.locator(".actions button").allTextContents()}`);
  await inspect(page, "the question before an action");
  await page.screenshot({ path: `${folder}/question.png` });
  await button(dialog, "Go back").click();
  await dialog.waitFor({ state: "detached" });
  check((await call("GET", `/bookings/${booking.id}`)).body.status === "approved", "a question that is left runs the action");
  await button(page, "Cancel booking").click();
  await button(dialog, "Cancel booking").click();
  await shows(page, "Cancel booking: done.");
  await button(page, "Cancel booking").waitFor({ state: "detached" });
  check((await button(page, "Hand over").count()) === 0, "a cancelled booking can be handed over");
  return booking.id;
}

/** The timeline of a record. */
async function history(page, id) {
  await page.getByRole("tab", { name: "History" }).click();
  const entries = page.locator(".timeline > li");
  await entries.first().waitFor();
  check((await entries.locator("h3").allTextContents()).join() === "Cancel booking,Approve,Created", `the history has ${await entries.locator("h3").allTextContents()}`);
  check(/Status.*approved.*cancelled/.test(await entries.first().textContent()), "a change has no values");
  check((await entries.first().textContent()).includes("Root"), "a change has no title of the person");
  await call("PATCH", `/bookings/${id}`, {});
  await inspect(page, "a timeline");
  await page.screenshot({ path: `${folder}/timeline.png`, fullPage: true });
}

/** A delete and an edit can be undone from their message. */
async function undo(page) {
  const made = (await call("POST", "/items", { location: "/api/locations/1", number: 70, name: "Raft", price: 10 })).body;
  await visit(page, `Item/${made.id}`);
  await page.getByLabel("Name").fill("Big raft");
  await button(page, "Save").click();
  await button(page, "Undo").waitFor();
  await inspect(page, "a message with a button");
  await button(page, "Undo").click();
  await shows(page, "The change was undone.");
  check((await call("GET", `/items/${made.id}`)).body.name === "Raft", "an edit is not undone");
  await page.getByRole("heading", { level: 1, name: "Raft", exact: true }).waitFor();
  await page.getByLabel("Name").fill("Old raft");
  await button(page, "Save").click();
  await button(page, "Undo").waitFor();
  await call("PATCH", `/items/${made.id}`, { price: 11 });
  await button(page, "Undo").click();
  await shows(page, "so the change was not undone");
  check((await call("GET", `/items/${made.id}`)).body.price === 11, "an undo loses the change of another person");
  await button(page, "Dismiss").last().click();
  await visit(page, "Item");
  await page.getByRole("link", { name: "Old raft" }).click();
  await button(page, "Delete").click();
  await shows(page.getByRole("dialog"), "It moves to the trash");
  await button(page.getByRole("dialog"), "Delete").click();
  await button(page, "Undo").click();
  await shows(page, "Old raft was restored.");
  await headed(page, "Old raft");
  check((await call("GET", `/items/${made.id}`)).status === 200, "a delete is not undone");
  return made.id;
}

/** The trash shows when records were deleted, in the trash alone, and restores and purges them together. */
async function trash(page, id) {
  await visit(page, "Item");
  await page.locator("tbody tr").first().waitFor();
  check((await page.getByRole("columnheader", { name: "Deleted" }).count()) === 0, "a list shows when records were deleted");
  await call("DELETE", `/items/${id}`);
  await visit(page, "Item?deleted=only");
  await page.getByRole("columnheader", { name: "Deleted" }).waitFor();
  await page.locator("section.records[aria-busy=false]").waitFor();
  await inspect(page, "the trash with times");
  await page.screenshot({ path: `${folder}/trash-times.png` });
  await page.getByRole("link", { name: "Old raft" }).click();
  await shows(page, "This record was moved to the trash");
  await page.goBack();
  await page.getByRole("checkbox", { name: "Select Old raft" }).check();
  await button(page.getByRole("region", { name: "Selected records" }), "Restore").click();
  await button(page.getByRole("dialog"), "Restore").click();
  await shows(page, "1 succeeded.");
  check((await call("GET", `/items/${id}`)).status === 200, "records are not restored together");
  const bar = page.getByRole("region", { name: "Selected records" });
  await visit(page, "Item?.all=");
  await page.getByRole("checkbox", { name: "Select Old raft" }).check();
  await button(bar, "Delete").click();
  await button(page.getByRole("dialog"), "Delete").click();
  await button(page, "Undo").click();
  await shows(page, "The records were restored.");
  await page.getByRole("link", { name: "Old raft" }).waitFor();
  await call("DELETE", `/items/${id}`);
  await visit(page, "Item?deleted=only");
  await page.getByRole("checkbox", { name: "Select Old raft" }).check();
  check((await button(bar, "Purge").getAttribute("class")) === "danger", "a purge of several has no color of danger");
  await button(bar, "Purge").click();
  await button(page.getByRole("dialog"), "Purge").click();
  await shows(page, "1 succeeded.");
  check((await call("GET", `/items/${id}?deleted=with`)).status === 404, "records are not purged together");
}

/** Keys alone find, open, edit and save. */
async function keys(page) {
  await visit(page, "Item");
  await page.locator("tbody tr").first().waitFor();
  await page.locator("section.records[aria-busy=false]").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await inspect(page, "the keys");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("/");
  check(await page.getByRole("searchbox").evaluate((one) => one === document.activeElement), "/ does not lead to the search");
  await page.keyboard.type("n?j");
  check((await page.getByRole("searchbox").inputValue()) === "n?j", "keys work within an input");
  await page.getByRole("searchbox").fill("");
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("ArrowDown");
  check(await page.locator("tbody tr").nth(1).evaluate((row) => row.contains(document.activeElement)), "arrows do not move in the list");
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await headed(page, "Canoe");
  await page.locator("form.record").waitFor();
  await page.keyboard.press("e");
  check(await page.locator("form.record").evaluate((form) => form.contains(document.activeElement)), "e does not lead into the form");
  await page.getByLabel("Name").fill("Canoe 2");
  await page.keyboard.press("Control+s");
  await button(page, "Undo").waitFor();
  await page.keyboard.press("Escape"); // leaves the input
  await page.keyboard.press("u");
  await shows(page, "The change was undone.");
  await page.keyboard.press("Escape"); // leaves the record
  await headed(page, /^Items/);
  await page.keyboard.press("n");
  await headed(page, "New item");
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Find and do" });
  await palette.getByRole("option", { name: "Bookings" }).waitFor();
  await page.keyboard.type("sailing");
  await palette.getByRole("option", { name: /Sailing boat/ }).waitFor();
  await inspect(page, "the palette");
  await page.screenshot({ path: `${folder}/palette.png` });
  await page.keyboard.press("Enter");
  await headed(page, "Sailing boat");
  await page.locator("form.record").waitFor();
  await page.keyboard.press("Control+k");
  await palette.getByRole("option", { name: "Delete" }).waitFor();
  await page.keyboard.type("dele");
  await palette.getByRole("option", { name: "Bookings" }).waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: /^Delete/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("documentation"); // what is typed before it is open counts
  await palette.getByRole("option", { name: "Bookings" }).waitFor({ state: "detached" });
  await palette.getByRole("option", { name: "Documentation" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/docs/);
}

async function work() {
  const page = await open("work");
  await signIn(page, "root");
  await history(page, await actions(page));
  await trash(page, await undo(page));
  await keys(page);
  await page.context().close();
}

/** The form to sign in shows the name. The fields of a change of the password hide what people type. */
async function password() {
  const page = await open("password");
  await visit(page, "~sign-in");
  check((await page.getByLabel("Email").first().getAttribute("type")) === "email", "the input of a name to sign in is not an input of an e-mail address");
  await signIn(page, "ann");
  await visit(page, "Session");
  await button(page, "Change your password").click();
  const fields = page.getByRole("dialog").locator("input");
  await fields.first().waitFor();
  const all = await fields.evaluateAll((list) => list.map((one) => `${one.type} ${one.autocomplete}`).join());
  check(all === "password current-password,password new-password", `the inputs of a change of the password: ${all}`);
  await page.context().close();
}

await perform(folder, async () => {
  await password();
  await work();
  await roles();
  await lost();
  await other();
  await links();
  return "the admin knows who uses it";
});
