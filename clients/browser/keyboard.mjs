// Works with examples/rental in Chromium by keys alone: filters, columns, views, creating, deleting, undo, and the steps of a
// workflow. Each element that gets the focus shows it. Usage: keyboard.mjs BASE FOLDER
import { start } from "./watch.mjs";

const [base, folder] = process.argv.slice(2);
const { check, open, perform } = await start(base);
const shows = (page, text) => page.getByText(text).first().waitFor();
const headed = (page, name) => page.getByRole("heading", { level: 1, name }).waitFor();

/** What has the focus: its role, its name, and whether one sees that it has it. */
const focused = (page) => page.evaluate(() => {
  const one = document.activeElement;
  const text = (node) => node?.textContent.trim().replace(/\s+/g, " ") ?? "";
  const name = one.getAttribute("aria-label") ?? (one.labels?.length > 0 ? text(one.labels[0]) : text(one));
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
  return { role: one.getAttribute("role") ?? one.localName, name, isSeen: one === document.body || (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none" };
});

/** Presses Tab until an element with a name has the focus. */
async function to(page, name, key = "Tab") {
  const seen = [];
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press(key);
    const now = await focused(page);
    check(now.isSeen, `nobody sees that ${now.role} ${now.name.slice(0, 40)} has the focus`);
    if (name.test(now.name)) return;
    seen.push(now.name.slice(0, 24));
  }
  throw new Error(`Tab does not lead to ${name}: ${seen.join(" | ")}`);
}

const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};

async function signIn(page, name) {
  await page.goto(`${base}/admin#/~sign-in`);
  await page.getByRole("form", { name: "Sign in" }).first().waitFor();
  await to(page, /^Email/);
  await page.keyboard.type(`${name}@example.com`);
  await to(page, /^Password/);
  await page.keyboard.type("correct horse battery");
  await press(page, "Enter");
  await shows(page, "You are signed in.");
}

/** Goes to a list by the palette. */
async function go(page, typed, heading) {
  await press(page, "Control+k");
  await page.keyboard.type(typed);
  await page.getByRole("option", { name: heading }).first().waitFor();
  await press(page, "Enter");
  await headed(page, heading);
  await page.locator("section.records[aria-busy=false] tbody tr").first().waitFor();
}

/** Adds a filter, hides a column, and saves a view. */
async function lists(page) {
  await go(page, "items", /^Items/);
  await to(page, /^Add filter/);
  await press(page, "Enter");
  await page.locator("form select:focus").waitFor();
  await page.keyboard.type("Name"); // chooses the field
  await to(page, /Value/i);
  await page.keyboard.type("Canoe");
  await press(page, "Enter");
  await page.getByRole("list", { name: "Filters" }).getByText(/Canoe/).waitFor();
  await page.getByRole("link", { name: "Tent", exact: true }).waitFor({ state: "detached" });
  await to(page, /^Columns$/);
  await press(page, "Enter");
  await to(page, /^Price/);
  await press(page, "Space");
  await page.getByRole("columnheader", { name: "Price" }).waitFor({ state: "detached" });
  check(/^Price/.test((await focused(page)).name), `a column that was hidden loses the focus to ${(await focused(page)).role}`);
  await to(page, /Location up/i, "Shift+Tab");
  await press(page, "Enter"); // it is the first one, and cannot go further
  check(/^Location/.test((await focused(page)).name), `a column that was moved loses the focus to ${(await focused(page)).role}`);
  await press(page, "Escape");
  check(/^Columns/.test((await focused(page)).name), `after Escape the focus is on ${(await focused(page)).name}`);
  await to(page, /^Views/, "Shift+Tab");
  await press(page, "Enter");
  await to(page, /^Name/);
  await page.keyboard.type("Boats to paddle");
  await press(page, "Enter");
  await page.getByRole("button", { name: /Boats to paddle/ }).waitFor();
}

/** Creates an item, deletes it, and takes that back. */
async function records(page) {
  await press(page, "Escape", "n");
  await headed(page, "New item");
  await to(page, /^Location/);
  await page.keyboard.type("Lake");
  await page.getByRole("option", { name: "Lake" }).first().waitFor();
  await press(page, "Enter"); // the only one that matches
  await to(page, /^Number/);
  await page.keyboard.type("9");
  await to(page, /^Name/);
  await page.keyboard.type("Paddle");
  await press(page, "Control+s");
  await headed(page, "Paddle");
  await page.locator("form.record").waitFor();
  await to(page, /^Delete$/);
  await press(page, "Enter");
  const dialog = page.getByRole("dialog", { name: /Delete/ });
  await dialog.getByRole("button", { name: /^Delete/ }).waitFor();
  await to(page, /^Delete/);
  await press(page, "Enter");
  await headed(page, /^Items/);
  await shows(page, "Paddle was deleted.");
  await press(page, "u");
  await headed(page, "Paddle"); // it is there again
}

/** Takes a step of a booking, as staff. */
async function steps(page) {
  await go(page, "bookings", /^Bookings/);
  await press(page, "j");
  for (let i = 0; i < 10 && !/requested/.test(await page.evaluate(() => document.activeElement.closest("tr")?.innerText ?? "")); i++) await press(page, "j");
  await press(page, "Enter");
  await page.getByRole("button", { name: /^Approve/ }).waitFor();
  await to(page, /^Approve/);
  await press(page, "Enter");
  await page.getByRole("dialog").waitFor();
  if ((await focused(page)).role !== "button") await to(page, /^Approve/);
  await press(page, "Enter");
  await page.getByRole("button", { name: "Hand over" }).waitFor();
  check((await page.getByRole("button", { name: /^Approve/ }).count()) === 0, "a booking can be approved twice");
}

await perform(folder, async () => {
  const page = await open("keys alone", { width: 1280, height: 900 });
  await signIn(page, "root");
  await lists(page);
  await records(page);
  await steps(page);
  return "all work can be done by keys";
});
