// Opens the documentation of a service in Chromium, tries operations out, and asserts that
// nothing is amiss. Usage: docs.mjs PAGE ROUTES SCREENSHOT OPERATION:STATUS,…
// Among the operations, @SCHEME=SECRET or @SCHEME=NAME/SECRET signs in, and @SCHEME= out.
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { start } from "./watch.mjs";

const [docs, routes, screenshot, tried] = process.argv.slice(2);
const origin = new URL(docs).origin;
const expected = readFileSync(routes, "utf8").trim().split("\n").slice(1).map((line) => line.split(/\s+/).slice(0, 2).join(" "));

const { check, complain, open, perform } = await start(origin, /Could not find component: JsonSchema_/); // Swagger UI warns of formats
await perform(dirname(screenshot), async () => {
  const page = await open("docs", { width: 1300, height: 1800 });
  page.on("requestfailed", (r) => complain(`failed: ${r.url()}`));
  await page.goto(docs);
  await page.waitForSelector(".opblock");
  const shown = await page.$$eval(".opblock", (blocks) =>
    blocks.map((b) => `${b.querySelector(".opblock-summary-method").textContent} ${b.querySelector(".opblock-summary-path").textContent}`),
  );
  check(shown.toSorted().join("\n") === expected.toSorted().join("\n"), `operations shown: ${shown}; served: ${expected}`);
  const { info, paths } = await (await fetch(`${docs}.json`)).json();
  check((await page.textContent("h1")).includes(info.title), "the title is missing");
  // The dialog leads only to operations that sign in, so not to those that require it.
  const closed = (name) => {
    const [method, path] = name.replace("Go to ", "").split(" ");
    return paths[path][method.toLowerCase()].security?.length > 0;
  };
  if (await page.locator(".auth-wrapper > .btn.authorize").count()) {
    await page.locator(".auth-wrapper > .btn.authorize").click();
    const dialog = page.getByRole("dialog", { name: "Sign in" });
    await dialog.waitFor();
    for (const name of (await dialog.locator(".go").allTextContents()).filter(closed)) complain(`sign-in: ${name}`);
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
    check(got === status, `${id} returns ${got}, want ${status}`);
  }
  await page.screenshot({ path: screenshot, fullPage: true });
  return `${expected.length} operations are shown, and those tried out return what is documented`;
});
