// Does odd things with the API of admin/odd_test.go in Chromium: names and values that every object of JavaScript has, lost
// responses, pages of a network in the place of responses, and requests that are slower than people. Usage: odd.mjs ADMIN FOLDER
import { start } from "./watch.mjs";

const [admin, folder] = process.argv.slice(2);
const api = new URL("/api", admin).href;
const lostResponse = /net::ERR_(FAILED|INTERNET_DISCONNECTED)/;
const { check, open, perform } = await start(new URL(admin).origin, lostResponse);
const button = (scope, name) => scope.getByRole("button", { name, exact: true });
const input = (page, name) => page.getByRole("textbox", { name });
const shows = (page, text) => page.getByText(text).first().waitFor();
const headed = (page, name) => page.getByRole("heading", { level: 1, name }).waitFor();
const read = async (path) => (await fetch(api + path)).json();

/** Loads a page of the admin as if its URL had been opened. */
async function visit(page, hash) {
  await page.goto("about:blank");
  await page.goto(`${admin}#/${hash}`);
}

/** Lets the next request of a method pass, holds it up, or has its response replaced by what handle does. */
async function once(page, method, path, handle) {
  let isFirst = true;
  await page.route(`**/api${path}`, async (route) => {
    if (!isFirst || route.request().method() !== method) return route.continue();
    isFirst = false;
    return handle(route);
  });
}

async function names(page) {
  await page.goto(admin);
  for (const label of ["constructor", "__proto__", "as usual"]) await page.locator(".dashboard").getByText(label).first().waitFor();
  await visit(page, "Oddity");
  for (const label of ["constructor", "__proto__", "as usual"]) await page.locator("td[data-label=Kind]", { hasText: label }).first().waitFor();
  await page.locator("td[data-label=Day]", { hasText: "2026-02-31" }).waitFor(); // no other day
  await page.getByRole("link", { name: "Oddity 3" }).waitFor(); // its name is a space
  await visit(page, "Oddity/3");
  await headed(page, "Oddity 3");
  await visit(page, "Oddity/new");
  for (const name of ["Constructor", "Proto"]) check((await input(page, name).inputValue()) === "", `a new record begins with a ${name}`);
  await input(page, "Constructor").fill("a");
  await input(page, "Proto").fill("b");
  await input(page, "Name").fill("Three");
  await button(page, "Create").click();
  await headed(page, "Three");
  const made = JSON.stringify((await read("/oddities")).at(-1));
  check(made.includes('"constructor":"a","__proto__":"b","toString":"usual"'), `created: ${made}`);
  await visit(page, "Oddity/1?tab=-1");
  await page.locator("form.record").waitFor();
  await visit(page, "Oddity/new?name=%F0%9F%98%80".padEnd(2000, "x"));
  await button(page, "Create").click();
  await headed(page, /^😀x/);
  await input(page, "Name").fill("\u202Eevil");
  await button(page, "Save").click();
  await button(page, "Delete").click();
  await page.getByRole("dialog", { name: "Delete \u2068\u202Eevil\u2069?" }).waitFor(); // the question is not turned around
  await page.keyboard.press("Escape");
  check((await input(page, "Name").getAttribute("dir")) === "auto", "the direction of a text is not that of its input");
  const cut = `${"x".repeat(79)}😀`.padEnd(10000, "x"); // the limit of a title is inside of a character
  await input(page, "Name").fill(cut);
  await button(page, "Save").click();
  await headed(page, `${"x".repeat(79)}…`);
}

/** A response is lost after the server has done its work, and an undo that fails. */
async function lost(page) {
  await visit(page, "Oddity/1");
  await input(page, "Name").fill("Lost");
  await once(page, "PATCH", "/oddities/1", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await button(page, "Save").click();
  await page.getByRole("alert").getByText("The server cannot be reached.").waitFor();
  await button(page, "Save").click();
  await page.getByRole("button", { name: "Save", disabled: true }).waitFor();
  check((await page.getByRole("dialog").count()) === 0, "the person's own change is a conflict");
  await page.unroute("**/api/oddities/1");
  await input(page, "Name").fill("Found");
  await button(page, "Save").click();
  await button(page, "Undo").waitFor();
  await page.context().setOffline(true);
  await button(page, "Undo").click();
  await shows(page, "The server cannot be reached.");
  await page.context().setOffline(false);
  await button(page, "Undo").click();
  await headed(page, "Lost");
}

/** A network that asks people to sign in responds with a page of its own. */
async function portal(page) {
  const html = (route) => route.fulfill({ contentType: "text/html", body: "<h1>Welcome to our network</h1>" });
  await page.route("**/api/oddities*", html);
  await page.route("**/api/oddities/1", (route) => route.fulfill({ contentType: "application/json", body: '{"id":' }));
  for (const hash of ["Oddity", "Oddity/1"]) {
    await visit(page, hash);
    await page.getByRole("alert").getByText("The server cannot be reached.").waitFor();
  }
  await visit(page, "Oddity/new");
  await input(page, "Name").fill("Not there");
  await button(page, "Create").click();
  await page.getByRole("alert").getByText("The server cannot be reached.").waitFor();
  check((await input(page, "Name").inputValue()) === "Not there", "the form of a record that was not created is gone");
  await page.unrouteAll();
  await button(page, "Cancel").click();
  await button(page, "Discard changes").click();
  await headed(page, /^Oddities/);
}

/** People do more while a request takes its time. */
async function impatient(page) {
  const slow = async (route) => {
    await new Promise((done) => setTimeout(done, 1500));
    await route.continue();
  };
  await page.route("**/stamp", slow);
  await visit(page, "Oddity/4");
  await button(page, "Stamp").click();
  await button(page.getByRole("dialog"), "Stamp").dblclick();
  for (let i = 0; i < 3; i++) await page.keyboard.press("Control+s");
  await shows(page, "Stamp: done.");
  await visit(page, "Oddity?name=Four");
  await page.getByRole("checkbox", { name: "Select Four" }).check();
  await button(page, "Stamp").click();
  await button(page.getByRole("dialog"), "Stamp").click();
  for (let i = 0; i < 3; i++) await page.keyboard.press("Control+s");
  await shows(page, "1 succeeded.");
  check((await read("/oddities/4")).stamps === 2, `two actions ran ${(await read("/oddities/4")).stamps} times`);
  await visit(page, "Oddity");
  await page.getByRole("link", { name: "Four" }).click();
  await input(page, "Name").fill("Four and more");
  await once(page, "PATCH", "/oddities/4", slow);
  await button(page, "Save").click();
  await page.goBack();
  await page.getByRole("dialog", { name: "Discard your changes?" }).waitFor();
  await shows(page, "Saved.");
  await page.getByRole("dialog").waitFor({ state: "detached" }); // there is nothing to discard any more
  await input(page, "Name").fill("Four");
  await page.goBack();
  await page.getByRole("dialog", { name: "Discard your changes?" }).waitFor();
  await button(page.getByRole("dialog"), "Discard changes").click();
  await headed(page, /^Oddities/);
}

/** On a phone, Escape closes the navigation, and not the record. */
async function phone() {
  const page = await open("phone", { width: 390, height: 844 });
  await visit(page, "Oddity/2");
  const menu = page.getByRole("button", { name: "Menu" });
  await menu.click();
  await page.keyboard.press("Escape");
  check((await menu.getAttribute("aria-expanded")) === "false", "Escape does not close the navigation");
  check(await menu.evaluate((one) => one === document.activeElement), "the focus does not return to the button of the navigation");
  check(page.url().endsWith("#/Oddity/2"), "Escape leaves the record under the navigation");
  await visit(page, "Oddity?stamps[gte]=1234567");
  await page.getByRole("button", { name: "at least 1,234,567" }).waitFor();
  await page.context().close();
}

/** A link that a person sends to another one who is not signed in. */
async function strangers(page) {
  await visit(page, "Letter?sort=text&.view=Mine");
  await page.locator("main").getByRole("link", { name: "Sign in" }).click();
  const form = page.locator("form.sign").first();
  await form.locator("input").fill("root");
  await button(form, "Sign in").click();
  await headed(page, /^Letters/);
  check(page.url().endsWith("#/Letter?sort=text&.view=Mine"), `the sign-in leads to ${page.url()}`);
  await visit(page, "Letter/1");
  await input(page, "Text").fill("Half a letter");
  const leave = async () => {
    await page.locator(".account > button").click();
    await button(page, "Sign out").click();
  };
  await leave();
  await button(page, "Keep editing").click();
  check((await input(page, "Text").inputValue()) === "Half a letter", "signing out loses unsaved work without a question");
  await leave();
  await button(page, "Discard changes").click();
  await shows(page, "You are signed out.");
}

await perform(folder, async () => {
  const page = await open("odd");
  await names(page);
  await lost(page);
  await portal(page);
  await impatient(page);
  await strangers(page);
  await phone();
  return "odd names, lost responses and impatient people do no harm";
});
