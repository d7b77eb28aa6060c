// Walks through the admin in German, and complains about texts in English and about numbers and dates in another form. It opens
// the API of TestTheGalleryIsServedInGerman. Usage: german.mjs ADMIN FOLDER
import { readFileSync } from "node:fs";
import { start } from "./watch.mjs";

const [admin, folder] = process.argv.slice(2);
const api = new URL("/api", admin).href;
const { check, complain, open, inspect, perform } = await start(new URL(admin).origin);
const visit = (page, hash) => page.goto(`${admin}#/${hash}`);
const button = (scope, name) => scope.getByRole("button", { name, exact: true });

const german = ["pages", "rules"].map((name) => JSON.parse(readFileSync(new URL(`../../admin/german/${name}.json`, import.meta.url), "utf8"))).reduce((all, one) => ({ ...all, ...one }), {});
const english = ["texts", "rules"].flatMap((name) => {
  const text = readFileSync(new URL(`../../admin/ui/${name}.js`, import.meta.url), "utf8");
  return [...text.matchAll(/^ {2}"([\w.]+)": (?:"(.*)"|'(.*)'),$/gm)].map(([, key, a, b]) => [key, (a ?? b).replaceAll('\\"', '"')]);
});
// A text is English if it is one of the table, or has the words of one around its values. Some are German, too.
const same = new Set(Object.values(german));
const quoted = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const patterns = english
  .filter(([, text]) => !same.has(text) && text.replace(/\{\w+\}/g, "").trim().length >= 4)
  .map(([key, text]) => [key, new RegExp(`^${quoted(text).replace(/\\\{\w+\\\}/g, ".+")}$`, "s")]);

let seen = 0;

/** Complains about English in what a page shows or says. */
async function read(page, view) {
  const texts = await page.evaluate(() => {
    const found = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node.parentElement.checkVisibility()) found.add(node.data.trim());
    for (const element of document.querySelectorAll("[aria-label], [placeholder], [title]")) {
      if (element.checkVisibility()) for (const name of ["aria-label", "placeholder", "title"]) found.add(element.getAttribute(name)?.trim());
    }
    return [...found, document.title].filter(Boolean);
  });
  seen += texts.length;
  for (const text of texts) {
    const key = patterns.find(([, pattern]) => pattern.test(text))?.[0];
    if (key) complain(`${view}: “${text.slice(0, 80)}” is English: ${key}`);
  }
  await inspect(page, view);
}

async function signIn(page) {
  await visit(page, "~sign-in");
  await page.getByRole("textbox", { name: german["sign.user"] }).waitFor();
  await read(page, "the sign-in");
  await page.getByRole("textbox", { name: german["sign.user"] }).fill("root");
  await page.locator("input[type=password]").first().fill("wrong");
  await page.locator("form.sign").first().getByRole("button", { name: german["sign.in"] }).click();
  await page.getByText(german["sign.wrong"]).waitFor();
  await read(page, "a failed sign-in");
  await page.locator("input[type=password]").first().fill("secret");
  await page.locator("form.sign").first().getByRole("button", { name: german["sign.in"] }).click();
  await page.getByText(german["sign.done"]).waitFor();
}

async function lists(page) {
  await page.getByText("1.234,56 €").first().waitFor();
  await page.getByRole("region", { name: "Stücke nach Zustand" }).getByText("zerbrochen").waitFor();
  await page.getByRole("region", { name: "Stücke pro Monat" }).getByText("Jan. 2026").first().waitFor();
  await page.getByRole("region", { name: "Neueste Stücke" }).waitFor();
  await page.waitForLoadState("networkidle");
  await read(page, "the dashboard");
  await page.screenshot({ path: `${folder}/german-dashboard.png`, fullPage: true });
  await visit(page, "Piece");
  await page.getByText("1.234,5", { exact: true }).waitFor();
  await page.getByText("31.12.2030", { exact: true }).waitFor();
  await page.getByText("neu", { exact: true }).first().waitFor();
  await read(page, "a list");
  for (const name of [german["list.columns"], german["list.filters"]]) {
    const opener = page.getByRole("button", { name }).first();
    if ((await opener.count()) > 0) await opener.click();
    await read(page, `a list: ${name}`);
    await page.keyboard.press("Escape");
  }
  await page.locator("tbody input[type=checkbox]").first().check();
  await read(page, "selected records");
  await page.screenshot({ path: `${folder}/german-list.png`, fullPage: true });
  await visit(page, "Piece?title=nichts");
  await page.locator(".nothing").first().waitFor();
  await read(page, "an empty list");
  await visit(page, "Nothing");
  await page.getByText(german["app.unknown"]).waitFor();
  await read(page, "an unknown page");
}

/** What the API says in English, and what the browser says. */
async function failures(page) {
  const say = (status, detail) => (route) => route.fulfill({ status, contentType: "application/problem+json", body: JSON.stringify({ status, detail }) });
  const failed = async (pattern, answer, key, act) => {
    await page.route(pattern, answer);
    await act();
    await page.getByText(german[key].replace(/ ?\{\w+\}.*/, "")).first().waitFor({ timeout: 3000 }).catch(async () => complain(`${key} is not shown, but ${await page.locator(".alert, .message.bad").allInnerTexts()}`));
    await page.unroute(pattern);
  };
  await failed("**/api/pieces?*", say(403, "You do not have permission to list pieces."), "error.forbidden", () => visit(page, "Piece?sort=title"));
  await visit(page, "Piece?sort=nothing&none=1");
  await page.getByText(german["filter.unusable"]).first().waitFor();
  check((await page.getByText("Unknown parameter").count()) === 0, "a parameter that does not exist has an English text");
  await visit(page, "Piece?sort=-title");
  await page.locator("tbody tr").first().waitFor();
  await failed("**/later/export.js", (route) => route.fulfill({ status: 404 }), "error.network", () => button(page, german["list.export"]).click());
  await button(page, german["app.dismiss"]).first().click();
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, german["list.export"]).click()]);
  const csv = readFileSync(await download.path(), "utf8");
  check(csv.startsWith("\ufefftitle;count;ratio;") && /;12345;1234,5;/.test(csv), `an export is ${csv.slice(0, 200)}`);
  await button(page, german["app.dismiss"]).first().click();
  await failed("**/api/pieces*", say(409, "The change conflicts with another record."), "error.conflict", () => button(page, german["list.export"]).click());
  await button(page, german["app.dismiss"]).first().click();
  await visit(page, "Piece/zahl");
  await page.getByRole("textbox", { name: "Titel" }).fill("Zahl");
  await failed("**/api/pieces/zahl", say(409, "The piece is not in a state that allows this operation."), "bulk.unmet", () => button(page, german["record.save"]).click());
  await button(page, german["record.undo"]).click();
}

async function records(page) {
  await visit(page, "Piece/new");
  await page.getByRole("heading", { level: 1, name: "Stück anlegen" }).waitFor();
  await read(page, "a new record");
  await page.getByRole("textbox", { name: "Stadt" }).waitFor();
  check((await page.getByText("City", { exact: true }).count()) === 0, "a nested field has its English name");
  check((await page.getByText("Must be unique.").count()) === 0, "a generated sentence is English");
  await page.getByRole("textbox", { name: "Kennung" }).fill("neu");
  await page.getByRole("textbox", { name: "Verhältnis" }).fill("viel");
  await page.getByRole("textbox", { name: "E-Mail" }).fill("keine");
  await button(page, german["record.create"]).click();
  await page.locator(".error").first().waitFor();
  await read(page, "errors");
  await page.screenshot({ path: `${folder}/german-errors.png`, fullPage: true });
  await visit(page, "Piece");
  await page.getByRole("dialog").waitFor();
  await read(page, "a form with changes is left");
  await button(page, german["form.discard"]).click();
  await page.getByText("1.234,5", { exact: true }).waitFor();
  await visit(page, "Piece/zahl");
  await page.locator("form.record").waitFor();
  await read(page, "a record");
  await page.getByRole("textbox", { name: "Titel" }).fill("Zahlen");
  const ratio = page.getByRole("textbox", { name: "Verhältnis" });
  check((await ratio.inputValue()) === "1234,5", `a number is ${await ratio.inputValue()} in its input`);
  await ratio.fill("12,75");
  const [request] = await Promise.all([page.waitForRequest((one) => one.method() === "PATCH"), button(page, german["record.save"]).click()]);
  check(request.postData().includes('"ratio":12.75'), `a number with a comma is sent as ${request.postData()}`);
  await page.getByText(german["record.saved"]).waitFor();
  await read(page, "a saved record");
  for (const name of ["Umziehen", german["record.delete"]]) {
    await button(page, name).first().click();
    await page.getByRole("dialog").waitFor();
    await read(page, `the dialog ${name}`);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  await visit(page, "Maker/1");
  await page.getByRole("tab").last().click();
  await page.locator("table").waitFor();
  await read(page, "a tab");
}

await perform(folder, async () => {
  const number = await fetch(`${api}/pieces`, {
    method: "POST", headers: { Authorization: `Basic ${btoa("root:secret")}`, "Content-Type": "application/json" },
    body: JSON.stringify({ code: "zahl", title: "Aachen", story: "", count: 12345, huge: 1, ratio: 1234.5, floor: null, shown: true, fragile: null, state: "broken", day: "2030-12-31", found: "2026-02-01T00:00:00Z", returned: null, place: { city: "Ulm" }, second: null, secret: "x", price: 123456, maker: 1 }),
  });
  check(number.status === 201, `a record is not created: ${number.status} ${number.ok ? "" : await number.text()}`);
  const page = await open("german");
  await signIn(page);
  check((await page.evaluate(() => document.documentElement.lang)) === "de", "the page has another language");
  await lists(page);
  await failures(page);
  await records(page);
  check(seen > 500, `only ${seen} texts were read`);
  return `the admin is German: ${seen} texts`;
});
