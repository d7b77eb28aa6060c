// Tries the admin out with the API of admin/warehouse_test.go in Chromium: identifiers of all kinds, cursors, required
// preconditions, lists of violations, and sign-in by tokens. Usage: warehouse.mjs ADMIN FOLDER
import { start } from "./watch.mjs";

const [admin, folder] = process.argv.slice(2);
const origin = new URL(admin).origin;
const { check, open, inspect, perform } = await start(origin);
const visit = (page, hash) => page.goto(`${admin}#/${hash}`);
const button = (scope, name) => scope.getByRole("button", { name, exact: true });
const input = (scope, name) => scope.getByRole("textbox", { name });
const heading = (page, name) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
const read = async (path) => {
  const response = await fetch(origin + path, { headers: { Authorization: "Bearer secret" } });
  return response.ok ? response.json() : response.status;
};

async function choose(page, label, typed) {
  const box = page.getByRole("combobox", { name: label });
  await box.fill(typed);
  await page.getByRole("option", { name: typed }).first().click();
}

/** Signs in with an operation that returns a token in its body. */
async function token(page) {
  await page.goto(admin);
  const form = page.getByRole("form", { name: "Sign in" });
  for (const password of ["wrong", "demo"]) {
    await input(form, "Name").fill("root");
    await form.locator("input[type=password]").fill(password);
    await button(form, "Sign in").click();
    await page.getByText(password === "wrong" ? "These credentials are not valid." : "You are signed in.").waitFor();
  }
  await page.reload(); // the token lasts as long as the tab
  await page.getByRole("navigation", { name: "Resources" }).getByRole("link", { name: "Boxes" }).waitFor();
}

/** A history with several pages, and a change in the middle of a long text. */
async function history(page) {
  const headers = { Authorization: "Bearer secret", "Content-Type": "application/json" };
  for (let i = 1; i <= 35; i++) await fetch(`${origin}/racks/north;1`, { method: "PATCH", headers, body: `{"label":"First ${i}"}` });
  await visit(page, "Rack/north/1?tab=1");
  await page.getByRole("tab", { name: "History" }).click();
  const entries = page.locator(".timeline > li");
  const first = (text) => entries.first().getByText(text, { exact: true }).waitFor();
  await first("First 35");
  check((await entries.count()) === 30, `a page of the history has ${await entries.count()} entries`);
  await button(page, "Next").click();
  await first("First 5");
  check((await entries.count()) === 5, `the last page of the history has ${await entries.count()} entries`);
  check(await entries.first().evaluate((one) => one.getBoundingClientRect().top >= 0), "another page of a history does not begin at the top");
  await button(page, "Previous").click();
  await first("First 35");
  const words = (count, word) => Array.from({ length: count }, (_, i) => `${word}${i}`).join(" ");
  const from = `${words(900, "a")} before ${words(900, "z")}`;
  const body = JSON.stringify([{ operation: "patchRack", by: null, at: "2026-01-01T00:00:00Z", changes: { label: { from, to: from.replace("before", "after") } } }]);
  await page.route(/racks.*history/, (route) => route.fulfill({ contentType: "application/json", body }));
  await page.reload();
  await page.locator(".timeline del").waitFor();
  check((await page.locator(".timeline del").innerText()) === "before" && (await page.locator(".timeline ins").innerText()) === "after", `a change of one word of 1,800 is ${await page.locator(".timeline dd").innerText()}`);
  await page.unroute(/racks.*history/);
  await fetch(`${origin}/racks/north;1`, { method: "PATCH", headers, body: '{"label":"First"}' });
}

/** Lists, opens, creates, changes and deletes records with composite identifiers. */
async function composite(page) {
  await visit(page, "Rack");
  await page.getByRole("cell", { name: "a;b/c" }).waitFor(); // identifiers that clients choose are columns
  await inspect(page, "a list of records with composite identifiers");
  await page.getByRole("link", { name: "Odd" }).click();
  await heading(page, "Odd");
  await input(page, "Label").fill("Odder");
  await button(page, "Save").click();
  await heading(page, "Odder");
  check((await read("/racks/a%3Bb%2Fc;2")).label === "Odder", "a record with a composite identifier is not changed");
  await page.getByRole("tab", { name: "History" }).click();
  const change = page.getByRole("tabpanel", { name: "History" });
  await change.getByText("Changed").waitFor();
  check(/Label\s*Odd\s*→\s*Odder/.test(await change.innerText()), `the history of a record is ${await change.innerText()}`);
  await inspect(page, "the history of a record");
  await page.getByRole("tab", { name: "Boxes" }).click();
  await page.getByRole("link", { name: "100%", exact: true }).waitFor();
  await page.getByRole("tab", { name: "Bolts" }).click(); // below the record
  await button(page, "New bolt").click();
  await choose(page.getByRole("dialog"), "Box", "a(b)+c@d!");
  await button(page.getByRole("dialog"), "Create").click();
  await page.getByRole("link", { name: "a(b)+c@d!", exact: true }).waitFor();
  await button(page, "Delete").click();
  await page.getByRole("dialog").getByRole("link", { name: "Some boxes refer to it" }).waitFor(); // their list has no total
  check(await button(page.getByRole("dialog"), "Delete").isDisabled(), "a delete is offered that others prevent");
  await page.keyboard.press("Escape");

  await visit(page, "Rack/new");
  await input(page, "Room").fill("ü/%2F;#? .");
  await input(page, "Place").fill("-7");
  await input(page, "Label").fill("Top");
  await button(page, "Create").click();
  await heading(page, "Top");
  await page.reload();
  await heading(page, "Top");
  await button(page, "Delete").click();
  await button(page.getByRole("dialog"), "Delete").click();
  await page.getByText("was deleted").waitFor();
  check((await read("/racks")).length === 4, "a record with a composite identifier is not deleted");
}

/** Opens records with unusual identifiers from a list that has only cursors, and turns its pages. */
async function cursors(page) {
  await visit(page, "Box");
  await page.getByRole("link", { name: "B00", exact: true }).waitFor();
  check((await page.getByText(/ of \d/).count()) === 0, "a list without a total shows one");
  const codes = () => page.locator("td.title a").allTextContents();
  const first = await codes();
  const turn = async (name, query) => {
    await button(page, name).click();
    await page.waitForURL(query);
    await page.locator("section.records[aria-busy=false]").waitFor();
  };
  await turn("Next", /cursor=/);
  await page.getByRole("link", { name: "B13", exact: true }).waitFor();
  await turn("Next", /cursor=/);
  await page.getByRole("link", { name: "B28", exact: true }).waitFor();
  await turn("Previous", /cursor=/);
  await page.getByRole("link", { name: "B13", exact: true }).waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "B28", exact: true }).waitFor();
  await turn("First", (url) => !url.href.includes("cursor"));
  await page.getByRole("link", { name: "B00", exact: true }).waitFor();
  check((await codes()).join() === first.join(), "the first page is another one");
  await page.getByRole("columnheader", { name: "Count" }).getByRole("button").click();
  await page.waitForURL(/sort=count/);
  await page.getByRole("columnheader", { name: "Count" }).getByRole("button").click();
  await page.waitForURL(/sort=-count/);
  for (const code of ["a/b", "100%", "%2F", "a.b..c", "Größe é", "x;y", "q?x=1&y#z", "a+b c", "~sign-in", "a.json", "a(b)+c@d!"]) {
    await page.getByRole("link", { name: code, exact: true }).click();
    await heading(page, code);
    await page.goBack();
  }
  await visit(page, "Label"); // references whose titles are loaded with one request
  for (const code of ["a/b", "a+b c", "Größe é"]) await page.getByRole("link", { name: code, exact: true }).waitFor();
  await visit(page, "Box/..");
  await page.getByText('its identifier is "." or ".."').waitFor();
}

/** Creates and changes records whose operations require If-Match. */
async function preconditions(page) {
  await visit(page, "Box/new");
  await input(page, "Code").fill("new/ü%2F");
  await choose(page, "Rack", "Odder");
  await choose(page, "Add to Spares", "South");
  for (const i of [0, 1]) {
    await button(page, "Add to words").click();
    await page.locator(`[id="new.words.${i}"]`).fill(i === 0 ? "good" : "far too long");
  }
  await button(page, "Add to parts").click();
  await button(page, "Create").click();
  const alert = page.getByRole("alert");
  await alert.getByText("Word 2").waitFor();
  await alert.getByText("Part 1: City").waitFor();
  check((await page.locator('[id="new.words.1"]').getAttribute("aria-invalid")) === "true", "the violation of an element is not at it");
  await inspect(page, "violations with pointers");
  await alert.getByRole("button", { name: /Part 1: City/ }).click();
  await page.keyboard.type("Rome");
  await page.locator('[id="new.words.1"]').fill("short");
  await button(page, "Create").click();
  await heading(page, "new/ü%2F");
  const path = "/boxes/new%2F%C3%BC%252F";
  const made = await read(path);
  check(made.rack === "/racks/a%3Bb%2Fc;2" && made.spares?.[0] === "/racks/S%C3%BCd%2050%25;1" && made.words?.[1] === "short", `created: ${JSON.stringify(made)}`);

  await page.getByRole("group", { name: /^Words/ }).getByRole("textbox").first().fill("better");
  await button(page, "Save").click();
  await page.getByRole("button", { name: "Save", disabled: true }).waitFor();
  check((await read(path)).words[0] === "better", "a change that requires If-Match is not made");
  await button(page, "Close").click(); // its path is not below that of the record
  await page.getByRole("dialog").locator(".actions button").first().click();
  await page.getByText("Close: done.").waitFor(); // it returns what the page shows
  check((await read(path)).closed === true, "a custom operation that requires If-Match did not run");
  await button(page, "Count").click();
  await input(page.getByRole("dialog"), "Count").fill("-1");
  await page.getByRole("dialog").locator(".actions button").first().click();
  await page.getByRole("dialog").getByText("Count must be positive; Count must be even").first().waitFor(); // both of one field
  await input(page.getByRole("dialog"), "Count").fill("3");
  await page.getByRole("dialog").locator(".actions button").first().click();
  await page.getByText("Count: done.").waitFor();
  await page.getByRole("tab", { name: "Spares" }).click(); // single elements, with composite identifiers
  await button(page, "Remove South").click();
  await page.getByText("No racks yet.").waitFor();
  await choose(page, "Add", "Odder"); // its identifier has semicolons and slashes
  await button(page, "Remove Odder").click();
  await page.getByText("No racks yet.").waitFor();
  await choose(page, "Add", "First");
  await button(page, "Remove First").waitFor();
  check((await read(path)).spares.join() === "/racks/north;1", `members: ${JSON.stringify((await read(path)).spares)}`);
  await page.getByRole("tab", { name: "Labels" }).click();
  await button(page, "New label").click();
  await input(page.getByRole("dialog"), "Text").fill("Heavy");
  await button(page.getByRole("dialog"), "Create").click();
  await page.getByRole("cell", { name: "Heavy", exact: true }).waitFor();
  await button(page, "Delete").click();
  await button(page.getByRole("dialog"), "Delete").click();
  await page.getByText("was deleted").waitFor();
  check((await read(path)) === 404, "a record that requires If-Match is not deleted");

  await visit(page, "Box?sort=-count");
  const bulk = async (name) => {
    for (const code of ["a/b", "a+b c"]) await page.getByRole("checkbox", { name: `Select ${code}`, exact: true }).check();
    await button(page.getByRole("region", { name: "Selected records" }), name).click();
    await page.getByRole("dialog").locator(".actions button").first().click();
    await page.getByText("2 succeeded.").waitFor();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.locator("section.records[aria-busy=false]").waitFor();
  };
  await bulk("Close");
  check((await read("/boxes/a+b%20c")).closed === true, "a custom operation did not run for all");
  await page.getByText("2 succeeded.").waitFor({ state: "hidden" });
  await bulk("Delete");
  check((await read("/boxes/a%2Fb")) === 404, "records that require If-Match are not deleted together");
}

/** Uses resources without a list, and without an operation that returns one record. */
async function halves(page) {
  await visit(page, "Box/100%25");
  await page.getByRole("textbox", { name: "Motto" }).waitFor(); // nothing lists mottos, so their path is typed
  await visit(page, "");
  await page.getByRole("navigation", { name: "Resources" }).getByRole("link", { name: "Mottos" }).click();
  await page.getByLabel("ID", { exact: true }).fill("1");
  await inspect(page, "a form that opens a record");
  await page.screenshot({ path: `${folder}/open.png` });
  await button(page, "Open by identifier").click();
  await heading(page, "Less is more");
  await visit(page, "Motto/new");
  await input(page, "Text").fill("Third");
  await button(page, "Create").click();
  await heading(page, "Third");
  await button(page, "Delete").click();
  await button(page.getByRole("dialog"), "Delete").click();
  await page.getByText("was deleted").waitFor();
  await inspect(page, "a resource without a list");

  await visit(page, "Trace");
  await page.getByRole("cell", { name: "One", exact: true }).waitFor();
  check((await page.locator("td a").count()) === 0, "a record that cannot be read has a link");
  await page.getByRole("checkbox", { name: "Select Two" }).check();
  await button(page, "Set a field").click();
  await input(page.getByRole("dialog"), "Text").fill("Second");
  await button(page.getByRole("dialog"), "Save").click();
  await page.getByRole("cell", { name: "Second", exact: true }).waitFor();
  await button(page, "Next").click();
  await page.getByRole("cell", { name: "Three", exact: true }).waitFor();
  await button(page, "Previous").click();
  await page.getByRole("checkbox", { name: "Select One" }).check();
  await button(page, "Delete").click();
  await button(page.getByRole("dialog"), "Delete").click();
  await page.getByRole("cell", { name: "One", exact: true }).waitFor({ state: "hidden" });
  check((await read("/traces")).length === 2, "a record that cannot be read is not deleted");
}

/** Creates a record with the records of its list, after an error in one of these. */
async function nested(page) {
  await visit(page, "Parcel/new");
  await input(page, "To").fill("Ann");
  for (const number of [1, 2]) await button(page, "Add to items").click();
  const items = page.getByRole("group", { name: /^Item \d$/ });
  await input(items.nth(0), "Name").fill("Tea");
  await inspect(page, "a form with a nested list");
  await button(page, "Create").click();
  await items.nth(1).getByText(/name must not be blank|name is required/i).first().waitFor();
  await input(items.nth(1), "Name").fill("Cup");
  await button(page, "Create").click();
  await heading(page, "Ann");
  const saved = await read("/items");
  check(saved.length === 2 && saved.every((one) => one.parcel === "/parcels/1") && saved[1].name === "Cup", `the items are ${JSON.stringify(saved)}`);
}

/** Signs in with a provider of OAuth 2.0, which is played here. */
async function provider() {
  const page = await open("provider", { foreign: "https://id.example.com" });
  let asked;
  await page.route("https://id.example.com/**", async (route) => {
    const url = new URL(route.request().url());
    if (url.pathname === "/authorize") {
      asked = url.searchParams;
      return route.fulfill({ status: 302, headers: { Location: `${asked.get("redirect_uri")}?code=c&state=${asked.get("state")}` } });
    }
    const form = new URLSearchParams(route.request().postData());
    const digest = Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(form.get("code_verifier")))).toString("base64url");
    check(digest === asked.get("code_challenge") && asked.get("code_challenge_method") === "S256" && form.get("redirect_uri") === admin, `PKCE is wrong: ${form}`);
    check(asked.get("scope") === "boxes" && asked.get("client_id") === "warehouse" && !asked.has("nonce"), `the request is wrong: ${asked}`);
    return route.fulfill({ contentType: "application/json", headers: { "Access-Control-Allow-Origin": "*" }, body: JSON.stringify({ access_token: "secret", token_type: "bearer", expires_in: 300 }) });
  });
  await visit(page, "Rack/north/1");
  await button(page, "Sign in with id").click();
  await heading(page, "First"); // the page that was wanted
  check(!page.url().includes("code=") && page.url().startsWith(`${admin}#`), `the URL is ${page.url()}`);
  await page.context().close();
}

await perform(folder, async () => {
  const page = await open("warehouse");
  for (const step of [token, history, composite, cursors, preconditions, halves, nested]) await step(page);
  await provider();
  return "identifiers, cursors, preconditions, violations and tokens work";
});
