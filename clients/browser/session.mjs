// Checks with examples/rental in Chromium that the admin notices who uses it, and what it offers them at each moment: the end of
// a session, another person, actions, undo, history, trash and keys. Usage: session.mjs BASE FOLDER
import { start } from "./watch.mjs";

const [base, folder] = process.argv.slice(2);
const admin = `${base}/admin`;
const { browser, complaints, complain, open, inspect } = await start(base);
const check = (holds, text) => holds || complain(text);
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

try {
  await lost();
  await other();
  await links();
} catch (error) {
  complain(error.stack);
  for (const context of browser.contexts()) for (const page of context.pages()) await page.screenshot({ path: `${folder}/failed.png` });
} finally {
  await browser.close();
}
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exit(1);
console.log("the admin knows who uses it");
