// Opens the home page of examples/hoard in Chromium, as anonymous caller, as user and as admin, light and dark, wide and
// narrow, and asserts that nothing is amiss. Scripts are off: the page needs them only for the theme. Usage: home.mjs ORIGIN FOLDER
import { start } from "./watch.mjs";

const [origin, folder] = process.argv.slice(2);
const { check, open, inspect, perform } = await start(origin);

const looks = [
  { width: 1280, dark: false },
  { width: 1280, dark: true },
  { width: 390, dark: false },
  { width: 390, dark: true },
];
// What each caller sees, and what they do not.
const callers = {
  anonymous: { sees: ["Dragon treasures", "Create an account", "Read the documentation", "Open the admin", "Sign in", "Documentation", "Admin", "Agents (MCP)", "application/ld+json"], lacks: ["Notifications", "Signed in"] },
  ann: { sees: ["Dragon treasures", "Notifications"], lacks: ["Authorization: Bearer", "Create an account"] },
  root: { sees: ["Dragon treasures", "Notifications", "Delete a user"], lacks: ["Authorization: Bearer"] },
};

/** Opens a page of a caller, who has signed in for a session. */
async function openAs(name, look) {
  const page = await open(`${name}, ${look.width} px, ${look.dark ? "dark" : "light"}`, look);
  if (name !== "anonymous") {
    const response = await page.context().request.post(`${origin}/api/login`, { data: { email: `${name}@example.com`, password: `demo-${name}` }, headers: { Origin: origin } });
    check(response.ok(), `${name} cannot sign in: ${response.status()}`);
  }
  return page;
}

/** Checks that each link of a page leads somewhere. */
async function follow(page, name) {
  const links = await page.$$eval("a[href]", (all) => [...new Set(all.map((one) => one.href.split("#")[0]))]);
  for (const link of links) {
    const { status } = await page.context().request.get(link).then((r) => ({ status: r.status() }));
    check(status < 400, `${name}: the link to ${link} returns ${status}`);
  }
  return links.length;
}

/** Checks what the keyboard reaches: first the link that skips the header, then the others with a visible focus. */
async function walk(page, name) {
  await page.keyboard.press("Tab");
  const first = await page.evaluate(() => document.activeElement.textContent);
  check(first === "Skip to the content", `${name}: the first stop of the keyboard is ${first}`);
  await page.keyboard.press("Tab");
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  check(outline === "solid", `${name}: the focus is not visible`);
}

let links = 0;
await perform(folder, async () => {
  for (const [name, { sees, lacks }] of Object.entries(callers)) {
    for (const look of looks) {
      const view = `${name}-${look.width}-${look.dark ? "dark" : "light"}`;
      const page = await openAs(name, look);
      await page.goto(`${origin}/`);
      check(page.url() === `${origin}/api`, `${view}: / leads to ${page.url()}`);
      const text = await page.locator("body").innerText();
      for (const part of sees) check(text.includes(part), `${view}: ${part} is missing`);
      for (const part of lacks) check(!text.includes(part), `${view}: shows ${part}`);
      check(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${view}: is wider than the window`);
      await inspect(page, view);
      await page.screenshot({ path: `${folder}/home-${view}.png`, fullPage: true });
      await walk(page, view);
      if (look.width === 1280 && !look.dark) links += await follow(page, view);
      await page.context().close();
    }
  }
  const page = await open("an ended session");
  await page.context().addCookies([{ name: "__Host-session", secure: true, value: "ended", url: origin.replace("http:", "https:") }]);
  const response = await page.goto(`${origin}/api`);
  check(response.status() === 401 && (await page.getByRole("status").innerText()).includes("expired"), `an ended session gets ${response.status()}`);
  await inspect(page, "an ended session");
  await page.context().close();
  return `The home page shows each of ${Object.keys(callers).length} callers what they may do; ${links} links lead somewhere, and axe finds nothing`;
});
