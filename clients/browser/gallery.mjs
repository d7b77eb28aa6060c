// Tries the admin out with the API of admin/browser_test.go in Chromium: every kind of field, hostile values, and ways
// to sign in. Usage: gallery.mjs ADMIN FOLDER
import { readFileSync } from "node:fs";
import { start } from "./watch.mjs";

const [admin, folder] = process.argv.slice(2);
const api = new URL("/api", admin).href;
const { check, complain, open, inspect, perform } = await start(new URL(admin).origin);
const visit = (page, hash) => page.goto(`${admin}#/${hash}`);
const button = (scope, name) => scope.getByRole("button", { name, exact: true });
const input = (scope, name) => scope.getByRole("textbox", { name });
const read = async (path) => (await fetch(api + path, { headers: { Authorization: `Basic ${btoa("root:secret")}` } })).text();

async function signIn(page, name) {
  await visit(page, "~sign-in");
  await input(page, "User name").fill(name);
  await page.locator("input[type=password]").first().fill("secret");
  await page.locator("form.sign").first().getByRole("button", { name: "Sign in" }).click();
  await page.getByText("You are signed in.").waitFor();
}

async function hostile(page) {
  await visit(page, "Piece?itemsPerPage=100");
  await page.getByRole("link", { name: "Piece 7", exact: true }).waitFor();
  await page.locator("td", { hasText: "<script>" }).first().waitFor();
  await button(page, "Columns").click(); // all of them
  for (const box of await page.getByRole("group", { name: "Columns" }).getByRole("checkbox").all()) if (await box.isEnabled()) await box.check();
  await page.keyboard.press("Escape");
  await page.locator("td[data-label=Page]", { hasText: "javascript:" }).waitFor();
  const bad = await page.locator("td a").evaluateAll((links) => links.map((one) => one.href).filter((href) => !/^(https?|mailto):/.test(href)));
  check(bad.length === 0 && (await page.locator("td img, td script").count()) === 0, `values are links or markup: ${bad}`);
  await inspect(page, "hostile values in a list");
  await page.getByRole("link", { name: "<script>" }).first().click();
  await page.locator("form.record").waitFor();
  check((await input(page, "Story").inputValue()).includes("<script>complain"), "a hostile text is not what was stored");
  check((await input(page, "Huge").inputValue()) === "9223372036854775807", `huge: ${await input(page, "Huge").inputValue()}`);
  check((await input(page, "Extra").inputValue()).includes("12345678901234567890.10"), "a decimal in JSON is changed");
  check((await input(page, "Page").inputValue()) === "javascript:complain('link')", "the field of a URL is changed");
  check((await page.locator("a[href^='javascript:'], a[href^='data:'], img[src=x]").count()) === 0, "a value is a link or markup");
  await inspect(page, "a record with hostile values");
  await page.screenshot({ path: `${folder}/hostile.png`, fullPage: true });
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === "PATCH"),
    (async () => {
      await input(page, "Price").fill("12");
      await button(page, "Keep").click(); // a text that the service replaces
    })(),
  ]);
  check(request.postData() === '{"price":12}', `more than the change is sent: ${request.postData()}`);
  check((await request.headerValue("if-match")) !== null, "a change has no If-Match");
  await page.getByRole("button", { name: "Keep", disabled: true }).waitFor();
  await visit(page, "Piece/%6Eew");
  await page.getByRole("heading", { name: "The one with the id new" }).waitFor();
  await visit(page, "Piece/long");
  await page.getByRole("heading", { name: "Long" }).waitFor();
}

async function everyKind(page) {
  await visit(page, "Piece/new");
  await input(page, "Code").fill("every/kind");
  await input(page, "Title").fill("Every kind");
  await input(page, "Story").fill("Two\nlines");
  await input(page, "Count").fill("-9223372036854775808");
  await input(page, "Huge").fill("9223372036854775807");
  await input(page, "Ratio").fill("0.1");
  await input(page, "Floor").fill("41");
  await page.getByLabel("Shown").check();
  await page.getByLabel("Fragile").selectOption("No");
  await page.getByLabel("State").selectOption("worn");
  await page.getByLabel("Day").fill("2026-02-28");
  await page.getByLabel("Found").fill("2026-03-29T09:30:15");
  await input(page, "Email").fill("not an email");
  await input(page, "Page").fill("https://example.com/a?b=c");
  await input(page, "Data").fill("AAEC");
  await page.getByLabel("Secret").first().fill("hidden");
  const place = page.getByRole("group", { name: /^Place( \(|$)/ });
  await input(place, "Street").fill("Via Appia");
  await button(page, "Add to second").click();
  await input(page.getByRole("group", { name: /^Second/ }), "City").fill("Naples");
  for (const [i, word] of ["one", "two", "three"].entries()) {
    await button(page, "Add to words").click();
    await page.locator(`[id="new.words.${i}"]:focus`).fill(word);
  }
  await button(page, "Move Word 3 up").click();
  await button(page, "Remove Word 1").click();
  await page.getByRole("group", { name: /^Colors/ }).getByLabel("green").check();
  await button(page, "Add to places").click();
  const labels = page.getByRole("group", { name: /^Labels/ });
  for (const i of [1, 2]) {
    await button(labels, "Add entry").click();
    await input(labels, `Name ${i}`).fill("size");
    await input(labels, `Value ${i}`).fill(`large ${i}`);
  }
  await input(page, "Extra").fill('{"a": 1.50');
  await labels.locator("input:invalid").first().waitFor(); // the page has seen both names
  await button(page, "Create").click();
  await page.getByRole("alert").getByText("This name is used twice.").first().waitFor(); // before anything is sent
  await page.getByText(/This is not valid JSON: see line 1/).first().waitFor();
  await input(labels, "Name 2").fill("shape");
  await input(page, "Extra").fill('{"a": 1.50}');
  await page.getByRole("combobox", { name: "Maker" }).fill("Cleo");
  await page.getByRole("option", { name: "Cleo" }).click();
  await page.getByRole("combobox", { name: "Helpers" }).fill("Ann");
  await page.getByRole("option", { name: "Ann" }).click();
  await input(page, "Stamp").fill("made");
  await inspect(page, "a form with every kind of field");
  await button(page, "Create").click();
  const alert = page.getByRole("alert");
  await alert.getByText(/Floor must be/).waitFor();
  for (const name of ["Email", "Place: City", "Place 1: City"]) check(await alert.getByText(name, { exact: false }).count(), `no error about ${name}`);
  check((await input(place, "City").getAttribute("aria-invalid")) === "true", "the error of a nested field is not at it");
  check((await input(page.getByRole("group", { name: /^Places/ }), "City").getAttribute("aria-invalid")) === "true", "the error of an element is not at it");
  await page.screenshot({ path: `${folder}/kinds.png`, fullPage: true });
  await button(page, "Clear Floor").or(input(page, "Floor")).first().fill("").catch(() => input(page, "Floor").fill(""));
  await input(page, "Email").fill("ann@example.com");
  await input(place, "City").fill("Rome");
  await input(page.getByRole("group", { name: /^Places/ }), "City").fill("Oslo");
  await button(page, "Create").click();
  await page.getByRole("heading", { name: "Every kind" }).waitFor();
  const stored = await read("/pieces/every%2Fkind");
  const local = new Date("2026-03-29T09:30:15").toISOString().replace(".000Z", "Z");
  for (const part of [
    '"code":"every/kind"', '"story":"Two\\nlines"', '"count":-9223372036854775808', '"huge":9223372036854775807', '"ratio":0.1', '"floor":null', '"shown":true', '"fragile":false',
    '"state":"worn"', '"day":"2026-02-28"', `"found":"${local}"`, '"returned":null', '"data":"AAEC"', '"place":{"street":"Via Appia","city":"Rome"}', '"second":{"street":"","city":"Naples"}',
    '"words":["three","two"]', '"colors":["green"]', '"places":[{"street":"","city":"Oslo"}]', '"labels":{"shape":"large 2","size":"large 1"}', '"maker":3', '"helpers":[1]', '"stamp":"made"',
  ]) check(stored.includes(part), `created: ${part} is not in ${stored}`);
  check(/"extra":\{"a": ?1\.50\}/.test(stored), `a decimal in JSON is changed: ${stored}`);
  await button(page, "Clear Second").click();
  await button(labels, "Remove size").click();
  await input(page, "Extra").fill('{"b": {"c": 9007199254740993, "d": 1}}');
  await button(page, "Keep").click();
  await page.getByRole("button", { name: "Keep", disabled: true }).waitFor();
  const changed = await read("/pieces/every%2Fkind");
  check(changed.includes('"second":null') && changed.includes('"labels":{"shape":"large 2"}') && changed.includes('"stamp":"made"'), `changed: ${changed}`);
  check(/"extra":\{"b":\{"c":9007199254740993,"d":1\}\}/.test(changed.replaceAll(" ", "")), `JSON whose object lost a name: ${changed}`);
  await input(page, "Extra").fill('{"b": {"c": 9007199254740993}}');
  await button(page, "Keep").click();
  await page.getByRole("button", { name: "Keep", disabled: true }).waitFor();
  const less = await read("/pieces/every%2Fkind");
  check(less.replaceAll(" ", "").includes('"extra":{"b":{"c":9007199254740993}}'), `JSON whose inner object lost a name: ${less}`);
}

/** Keys go to the input in which people type: it stays the same element with each of them. */
async function typing(page) {
  await visit(page, "Piece/new");
  await page.locator("form.record").waitFor();
  const inputs = page.locator("form.record :is(input[type=text], input[type=password], input[type=url], input[type=email], input:not([type]), textarea):not([role=combobox])");
  const total = await inputs.count();
  check(total > 10, `the form has only ${total} inputs of text`);
  for (let i = 0; i < total; i++) {
    await inputs.nth(i).focus();
    const before = await page.evaluateHandle(() => document.activeElement);
    await page.keyboard.type("12");
    check(await before.evaluate((one) => one === document.activeElement && one.isConnected), `an input loses the focus when people type: ${await before.evaluate((one) => one.outerHTML.slice(0, 120))}`);
  }
  await button(page, "Cancel").click();
  await button(page.getByRole("dialog"), "Discard changes").click();
}

/** The hour that exists twice at the end of daylight saving time. */
async function twoHours(page) {
  const zone = await page.context().newCDPSession(page);
  await zone.send("Emulation.setTimezoneOverride", { timezoneId: "Europe/Berlin" });
  const found = async () => JSON.parse(await read("/pieces/P05")).found;
  const keep = async () => {
    await button(page, "Keep").click();
    await page.getByRole("button", { name: "Keep", disabled: true }).waitFor();
  };
  const headers = { Authorization: `Basic ${btoa("root:secret")}`, "Content-Type": "application/json" };
  await fetch(`${api}/pieces/P05`, { method: "PATCH", headers: { ...headers, "If-Match": "*" }, body: '{"found":"2026-10-25T01:30:00Z"}' });
  await visit(page, "Piece/P05");
  const offset = page.getByLabel("Offset of Found");
  await offset.waitFor();
  check((await offset.locator("option:checked").textContent()) === "UTC+01:00", "the second of two hours is shown as the first");
  await inspect(page, "an hour that exists twice");
  await page.getByLabel("Ratio").fill("2");
  await keep();
  check((await found()) === "2026-10-25T01:30:00Z", `a change of another field moves a time to ${await found()}`);
  await page.getByLabel("Found", { exact: true }).fill("2026-10-25T02:45");
  await keep();
  check((await found()) === "2026-10-25T01:45:00Z", `a change of the minutes moves a time to ${await found()}`);
  await offset.selectOption({ label: "UTC+02:00" });
  await keep();
  check((await found()) === "2026-10-25T00:45:00Z", `the first of two hours is ${await found()}`);
  await page.getByLabel("Found", { exact: true }).fill("2026-10-26T02:45");
  await keep();
  check((await found()) === "2026-10-26T01:45:00Z" && (await offset.count()) === 0, `an hour of the next day is ${await found()}`);
  await zone.send("Emulation.setTimezoneOverride", { timezoneId: "" });
}

async function operations(page) {
  await visit(page, "Piece?sort=-count");
  for (const i of [23, 22]) await page.getByRole("checkbox", { name: `Select Piece ${i}`, exact: true }).check();
  await button(page, "Publish").click();
  await page.getByRole("dialog").locator(".actions button").first().click();
  await page.getByText("2 succeeded.").waitFor();
  check((await read("/pieces/P23")).includes('"shown":true'), "a custom operation did not run for all");
  await page.getByRole("checkbox", { name: "Select Piece 23", exact: true }).check();
  await button(page, "Set a field").click();
  const many = page.getByRole("dialog");
  await many.getByLabel("Field").selectOption({ label: "Extra" });
  await input(many, "Extra").fill('{"a": ');
  let changes = 0;
  page.on("request", (request) => { changes += request.method() === "PATCH" ? 1 : 0; });
  await button(many, "Keep").click();
  await many.getByText(/This is not valid JSON: see line 1/).first().waitFor();
  check(changes === 0, "a value that is no JSON is sent to several records");
  await input(many, "Extra").fill('{"a": 1}');
  await button(many, "Keep").click();
  await page.getByText("1 succeeded.").waitFor();
  check((await read("/pieces/P23")).replaceAll(" ", "").includes('"extra":{"a":1}'), "a corrected value is not saved");
  await visit(page, "Piece/P01");
  await button(page, "Move").click();
  const dialog = page.getByRole("dialog");
  await dialog.locator(".actions button").first().click();
  await dialog.getByText("City must not be blank").first().waitFor();
  await input(dialog, "City").fill("Paris");
  await dialog.getByLabel("Until").fill("2026-12-31");
  await dialog.locator(".actions button").first().click();
  await dialog.getByRole("region", { name: "Result" }).waitFor();
  await dialog.getByText("Paris").waitFor();
  await page.keyboard.press("Escape");
  check(await button(page, "Move").evaluate((one) => one === document.activeElement), "the focus does not return from a dialog");
  await page.route("**/later", (route) => route.fulfill({ status: 429, headers: { "Retry-After": "120" }, contentType: "application/problem+json", body: "{}" }));
  await button(page, "Later").click();
  await button(page.getByRole("dialog"), "Later").click();
  await page.getByText("Try again in 2 minutes.").waitFor();
  await visit(page, "Piece");
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Export CSV").click()]);
  const csv = readFileSync(await download.path(), "utf8").replace("\ufeff", "");
  check(csv.startsWith("title,code,") && csv.includes("Piece 24,P24,") && csv.includes('"{""__proto__""'), `export: ${csv.slice(0, 300)}`);
}

async function related(page) {
  await visit(page, "Maker/1");
  await page.getByRole("tab", { name: "Pieces (maker)" }).click();
  await button(page, "New piece").click();
  const dialog = page.getByRole("dialog");
  await dialog.locator(".locked", { hasText: "Maker" }).getByText("Ann").waitFor(); // the record of the tab
  await button(dialog, "Cancel").click();
  await visit(page, "Maker/1");
  await input(page, "Name").fill("Anna"); // a Put that replaces
  await button(page, "Keep").click();
  await page.getByRole("heading", { name: "Anna" }).waitFor();
  await button(page, "Delete").click();
  await page.getByText("1 piece will lose this reference").waitFor();
  await button(page.getByRole("dialog"), "Cancel").click();
}

async function visitor() {
  const page = await open("visitor");
  await signIn(page, "visitor");
  await visit(page, "Piece/P02");
  await page.getByText("You cannot change this field.").waitFor();
  check((await input(page, "Price").count()) === 0 && (await button(page, "Delete").count()) === 0, "a visitor gets inputs that are denied");
  await inspect(page, "a locked field");
  await page.context().close();
}

/** Signs in with a key, and with an identity provider that is played here. */
async function signIns() {
  const page = await open("keys"); // the browser keeps nothing
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(globalThis, name, { get() { throw new DOMException("off", "SecurityError"); } });
  });
  await visit(page, "~sign-in");
  await page.getByText("Sign in with API key").click();
  const form = page.getByRole("form", { name: "API key" });
  for (const key of ["wrong", "secret"]) {
    await form.locator("input").fill(key);
    await button(form, "Sign in").click();
    await page.getByText(key === "wrong" ? "These credentials are not valid." : "You are signed in.").waitFor();
  }
  await visit(page, "Piece");
  await button(page, "Columns").click();
  await page.getByRole("radio", { name: "Comfortable" }).check();
  await page.keyboard.press("Escape");
  await visit(page, "Maker");
  await page.getByRole("heading", { level: 1, name: "Makers" }).waitFor();
  await visit(page, "Piece");
  await page.locator(".scroll.comfortable").waitFor({ timeout: 3000 }).catch(() => complain("a choice without storage does not last as long as the page"));
  await page.locator(".account > button").click();
  await button(page, "Sign out").click();
  await page.getByText("You are signed out.").waitFor();
  await page.context().close();

  const other = await open("provider", { foreign: "https://id.example.com" });
  let asked;
  await other.route("https://id.example.com/**", async (route) => {
    const url = new URL(route.request().url());
    const json = (value) => route.fulfill({ contentType: "application/json", headers: { "Access-Control-Allow-Origin": "*" }, body: JSON.stringify(value) });
    if (url.pathname.endsWith("openid-configuration")) {
      return json({ issuer: "https://id.example.com", authorization_endpoint: "https://id.example.com/authorize", token_endpoint: "https://id.example.com/token" });
    }
    if (url.pathname === "/authorize") {
      asked = url.searchParams;
      return route.fulfill({ status: 302, headers: { Location: `${asked.get("redirect_uri")}?code=c&state=${asked.get("state")}` } });
    }
    const form = new URLSearchParams(route.request().postData());
    const digest = Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(form.get("code_verifier")))).toString("base64url");
    check(digest === asked.get("code_challenge") && form.get("code") === "c" && form.get("client_id") === "admin", "PKCE is wrong");
    const claims = Buffer.from(JSON.stringify({ nonce: asked.get("nonce") })).toString("base64url");
    return json({ access_token: "secret", token_type: "Bearer", expires_in: 300, id_token: `e30.${claims}.x` });
  });
  await visit(other, "Maker");
  await other.getByRole("button", { name: "Sign in with id" }).click();
  await other.getByRole("heading", { level: 1, name: "Makers" }).waitFor();
  check(!other.url().includes("code="), "the code stays in the URL");
  await other.goto(`${admin}?code=c&state=forged`);
  await other.getByText("The sign-in could not be completed.").waitFor();
  await other.context().close();
}

await perform(folder, async () => {
  const page = await open("gallery");
  await page.goto(admin);
  await page.getByRole("heading", { name: "Sign in to The gallery" }).waitFor();
  await inspect(page, "signing in in several ways");
  await signIn(page, "root");
  await hostile(page);
  await everyKind(page);
  await typing(page);
  await twoHours(page);
  await operations(page);
  await related(page);
  await visitor();
  await signIns();
  return "every kind of field, hostile values and ways to sign in work";
});
