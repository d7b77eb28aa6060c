// Chromium for checks of pages: it collects what is amiss on them, and runs axe.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Starts Chromium. The result opens pages, and complains of what is wrong on any of them, except what matches expected. */
export async function start(origin, expected = /^$/) {
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  const complaints = new Set();
  const complain = (text) => expected.test(text) || complaints.add(text);
  const check = (holds, text) => holds || complain(text);
  let views = 0;
  process.on("exit", (code) => code || console.log(`axe: ${views} views without a finding`));

  /** Opens a page of a new user of the browser. */
  async function open(name, { width = 1280, height = 860, dark = false, foreign = "", scripts = true } = {}) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: "reduce", acceptDownloads: true, javaScriptEnabled: scripts });
    const page = await context.newPage();
    page.setDefaultTimeout(30000);
    const shown = /the server responded with a status of 4\d\d /; // errors that a page shows to its user
    page.on("console", (m) => ["error", "warning"].includes(m.type()) && !shown.test(m.text()) && complain(`${name}: console: ${m.text()}`));
    page.on("pageerror", (e) => complain(`${name}: script: ${e.stack}`));
    page.on("dialog", (d) => {
      complain(`${name}: a dialog of the browser: ${d.message()}`);
      d.dismiss();
    });
    page.on("request", (r) => {
      if (![origin, foreign].includes(new URL(r.url()).origin) && !/^(data|blob):/.test(r.url())) complain(`${name}: foreign request to ${r.url()}`);
    });
    page.on("response", (r) => r.status() >= 500 && complain(`${name}: ${r.status()} of ${r.url()}`));
    if (!scripts) return page;
    await page.exposeFunction("complain", (text) => complain(`${name}: CSP: ${text}`));
    await page.addInitScript(() => document.addEventListener("securitypolicyviolation", (e) => globalThis.complain(`${e.violatedDirective} ${e.blockedURI}`)));
    return page;
  }

  /** Complains about everything that axe finds on a page. */
  async function inspect(page, view) {
    views++;
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
    for (const { id, help, nodes } of violations) {
      for (const node of nodes.slice(0, 3)) complain(`${view}: axe ${id}: ${help}: ${node.target.join(" ")} ${node.html.slice(0, 160)} ${node.failureSummary.replace(/\s+/g, " ").slice(0, 200)}`);
    }
  }

  /** Does the work of a script, whose result is a text to print. An error is a complaint, with screenshots of all pages. Complaints fail the process. */
  async function perform(folder, body) {
    let result;
    try {
      result = await body();
    } catch (error) {
      complain(error.stack);
      const pages = browser.contexts().flatMap((context) => context.pages());
      for (const [i, page] of pages.entries()) await page.screenshot({ path: `${folder}/failed-${basename(process.argv[1], ".mjs")}-${i}.png` }).catch(() => {});
    } finally {
      await browser.close();
    }
    for (const complaint of complaints) console.error(complaint);
    if (complaints.size > 0) process.exit(1);
    console.log(result);
  }
  return { check, complain, open, inspect, perform };
}
