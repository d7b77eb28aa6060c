// Opens the documentation of a service in Chromium, tries operations out, and asserts that
// nothing is amiss. Usage: docs.mjs PAGE ROUTES SCREENSHOT OPERATION:STATUS,…
// Among the operations, @SCHEME=SECRET or @SCHEME=NAME/SECRET signs in, and @SCHEME= out.
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const [docs, routes, screenshot, tried] = process.argv.slice(2);
const origin = new URL(docs).origin;
const expected = readFileSync(routes, "utf8").trim().split("\n").slice(1).map((line) => line.split(/\s+/).slice(0, 2).join(" "));

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const complaints = [];
try {
  const page = await browser.newPage({ viewport: { width: 1300, height: 1800 } });
  const refused = /the server responded with a status of 40[13] /; // which is what some are tried out for
  page.on("console", (m) => m.type() === "error" && !refused.test(m.text()) && complaints.push(`console: ${m.text()}`));
  page.on("pageerror", (e) => complaints.push(`page: ${e.message}`));
  page.on("request", (r) => {
    if (new URL(r.url()).origin !== origin && !r.url().startsWith("data:")) complaints.push(`request to ${r.url()}`);
  });
  page.on("requestfailed", (r) => complaints.push(`failed: ${r.url()}`));
  await page.addInitScript(() => {
    globalThis.violations = [];
    document.addEventListener("securitypolicyviolation", (e) => globalThis.violations.push(`${e.violatedDirective} ${e.blockedURI}`));
  });
  await page.goto(docs);
  await page.waitForSelector(".opblock");
  const shown = await page.$$eval(".opblock", (blocks) =>
    blocks.map((b) => `${b.querySelector(".opblock-summary-method").textContent} ${b.querySelector(".opblock-summary-path").textContent}`),
  );
  if (shown.toSorted().join("\n") !== expected.toSorted().join("\n")) complaints.push(`operations shown: ${shown}; served: ${expected}`);
  const { info, paths } = await (await fetch(`${docs}.json`)).json();
  if (!(await page.textContent("h1")).includes(info.title)) complaints.push("the title is missing");
  // The dialog leads only to operations that sign in, so not to those that require it.
  const closed = (name) => {
    const [method, path] = name.replace("Go to ", "").split(" ");
    return paths[path][method.toLowerCase()].security?.length > 0;
  };
  if (await page.locator(".auth-wrapper > .btn.authorize").count()) {
    await page.locator(".auth-wrapper > .btn.authorize").click();
    const dialog = page.getByRole("dialog", { name: "Sign in" });
    await dialog.waitFor();
    complaints.push(...(await dialog.locator(".go").allTextContents()).filter(closed).map((name) => `sign-in: ${name}`));
    await dialog.locator(".close-modal").click();
  }
  const sign = async (scheme, secrets) => {
    await page.locator(".auth-wrapper > .btn.authorize").click();
    const dialog = page.getByRole("dialog", { name: "Sign in" });
    const form = dialog.locator(".auth-container").filter({ has: page.locator("h4", { hasText: scheme }) });
    if (secrets === "") {
      await form.getByRole("button", { name: "Logout" }).click();
    } else {
      if (await form.locator("summary").count()) await form.locator("summary").click();
      const inputs = form.locator("input");
      for (const [i, secret] of secrets.split("/").entries()) await inputs.nth(i).fill(secret);
      await form.getByRole("button", { name: "Authorize" }).click();
    }
    await dialog.locator(".close-modal").click();
  };
  for (const [id, status] of tried.split(",").map((one) => one.split(":"))) {
    if (id.startsWith("@")) {
      await sign(...id.slice(1).split("="));
      continue;
    }
    const block = page.locator(`.opblock[id$="-${id}"]`);
    if (!(await block.locator(".opblock-body").count())) await block.locator(".opblock-summary").click();
    await block.locator(".execute").waitFor();
    if (await block.locator(".btn-clear").count()) await block.locator(".btn-clear").click(); // the last answer
    await block.locator(".execute").click();
    const answered = block.locator(".live-responses-table tr.response .response-col_status").first();
    await answered.waitFor();
    const got = (await answered.textContent()).trim().slice(0, 3);
    if (got !== status) complaints.push(`${id} answers ${got}, want ${status}`);
  }
  complaints.push(...(await page.evaluate(() => globalThis.violations)).map((v) => `CSP: ${v}`));
  await page.screenshot({ path: screenshot, fullPage: true });
} finally {
  await browser.close();
}
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exit(1);
console.log(`${expected.length} operations are shown, and those tried out answer as documented`);
