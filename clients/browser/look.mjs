// Checks what the home page, the documentation and the admin of examples/hoard have in common in Chromium: the header, the
// theme, the icon, how little they move while they load, and how they print. Usage: look.mjs ORIGIN FOLDER
import { start } from "./watch.mjs";

const [origin, folder] = process.argv.slice(2);
const { check, open, inspect, perform } = await start(origin);
const pages = { home: ["/api", "#programs"], documentation: ["/api/docs", ".opblock"], admin: ["/admin", ".card .total"] };
const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const light = "rgb(247, 248, 250)";
const dark = "rgb(16, 18, 22)";

async function visit(page, name) {
  const [path, ready] = pages[name];
  await page.goto(origin + path);
  await page.locator(ready).first().waitFor();
}

/** The header leads from each page to the others, and the theme that is chosen on one is that of all. */
async function theme() {
  const page = await open("theme");
  await page.addInitScript(() => { // the colors of the page before it is shown
    globalThis.grounds = [];
    const note = () => document.body && globalThis.grounds.push(getComputedStyle(document.body).backgroundColor);
    new PerformanceObserver(note).observe({ type: "paint", buffered: true });
    const frame = () => {
      note();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const flash = async (name, want) => {
    const seen = new Set(await page.evaluate(() => globalThis.grounds));
    check([...seen].join() === want, `${name}: the page was ${[...seen]}, want ${want} all the time`);
  };
  await visit(page, "home");
  const toggle = (label) => page.getByRole("banner").getByRole("button", { name: label });
  await flash("home", light);
  await toggle("Theme: system").click();
  await toggle("Theme: light").click();
  await toggle("Theme: dark").waitFor();
  check((await ground(page)) === dark, "the switch does not change the colors");
  for (const [from, to] of [["home", "Documentation"], ["documentation", "Admin"], ["admin", "Home"]]) {
    const place = page.getByRole("navigation", { name: "Pages" });
    check((await place.locator("[aria-current=page]").innerText()).toLowerCase() === from, `${from}: the header marks another page`);
    check((await page.locator("link[rel=icon]").getAttribute("href")).includes("/icon.svg"), `${from}: another icon`);
    await place.getByRole("link", { name: to }).click();
    await page.locator(pages[to.toLowerCase()][1]).first().waitFor();
    await toggle("Theme: dark").waitFor();
    await flash(to, dark);
  }
  const other = await page.context().newPage();
  await visit(other, "admin");
  await other.getByRole("button", { name: "Theme: dark" }).click();
  await toggle("Theme: system").waitFor(); // in the first tab
  check((await ground(page)) === light, "another tab has another theme");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForFunction((want) => getComputedStyle(document.body).backgroundColor === want, dark);
  check((await page.evaluate(() => JSON.stringify(localStorage))) === "{}", "the theme of the system is stored");
  await page.context().close();
}

/** How far the parts of a page move while it loads (Cumulative Layout Shift). */
async function shifts() {
  for (const name of Object.keys(pages)) {
    for (const width of [390, 1440]) {
      const page = await open(`${name}, ${width} px`, { width });
      await page.addInitScript(() => {
        globalThis.shift = 0;
        new PerformanceObserver((list) => {
          for (const one of list.getEntries()) globalThis.shift += one.value;
        }).observe({ type: "layout-shift", buffered: true });
      });
      await visit(page, name);
      await page.waitForLoadState("networkidle");
      const shift = await page.evaluate(() => globalThis.shift);
      check(shift <= 0.02, `${name}: its parts move by ${shift.toFixed(3)} in a window of ${width} px, more than 0.02`);
      await page.context().close();
    }
  }
}

/** Axe in each theme and width. */
async function looks() {
  for (const width of [390, 1024, 1440]) {
    for (const isDark of [false, true]) {
      for (const name of Object.keys(pages)) {
        const view = `${name}-${width}-${isDark ? "dark" : "light"}`;
        const page = await open(view, { width, dark: isDark });
        await visit(page, name);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        check(wide <= 0, `${view}: ${wide} px wider than the window`);
        await inspect(page, view);
        await page.screenshot({ path: `${folder}/look-${view}.png` });
        await page.context().close();
      }
    }
  }
}

/** On paper there is no header and no button, and text is black on white. */
async function print() {
  const views = { ...pages, list: ["/admin#/DragonTreasure", "td"], record: ["/admin#/DragonTreasure/1", ".details"] };
  for (const [name, [path, ready]] of Object.entries(views)) {
    const page = await open(`print ${name}`, { dark: true, width: 718 }); // as wide as A4
    await page.goto(origin + path);
    await page.locator(ready).first().waitFor();
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    const found = await page.evaluate(() => ({
      controls: [...document.querySelectorAll("body > header, #app > header, nav, button, .button, input, select, textarea")].filter((one) => one.checkVisibility() && !one.matches(".sort, [aria-expanded], .opblock-summary *")).map((one) => one.outerHTML.slice(0, 80)),
      ground: getComputedStyle(document.body).backgroundColor,
      gray: [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility() && one.textContent.trim() && Math.max(...getComputedStyle(one).color.match(/[\d.]+/g).slice(0, 3)) > 140).map((one) => `${one.className} ${getComputedStyle(one).color}`).slice(0, 3),
      dark: [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility() && one.textContent.trim() && /^rgb\(/.test(getComputedStyle(one).backgroundColor) && getComputedStyle(one).backgroundColor !== "rgb(255, 255, 255)").map((one) => `${one.className} ${getComputedStyle(one).backgroundColor}`).slice(0, 3),
      wide: document.documentElement.scrollWidth - innerWidth,
      cut: [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility() && getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth + 2 && one.clientWidth > 40).map((one) => one.className).slice(0, 3),
    }));
    check(found.controls.length === 0, `${name} prints ${found.controls.slice(0, 3).join(", ")}`);
    check(found.ground === "rgb(255, 255, 255)", `${name} prints on ${found.ground}`);
    check(found.gray.length === 0, `${name} prints text in light colors: ${found.gray}`);
    check(found.dark.length === 0, `${name} prints text on ${found.dark}`);
    check(found.wide <= 0 && (name !== "list" || (await page.locator("thead").first().evaluate((one) => getComputedStyle(one).display)) === "table-header-group"), `${name} does not fit on paper`);
    check(found.cut.length === 0, `${name} cuts ${found.cut} on paper`);
    await page.screenshot({ path: `${folder}/print-${name}.png` });
    await page.context().close();
  }
}

await perform(folder, async () => {
  await theme();
  await shifts();
  await looks();
  await print();
  return "the home page, the documentation and the admin look alike";
});
