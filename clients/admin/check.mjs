// Serves the admin, starts examples/hoard for it, and uses both in Chromium, by Hydra and by OpenAPI: lists, sorts,
// filters, creates, edits and deletes treasures, and looks at what the service then has.
// Usage: check.mjs HOARD FOLDER, where the folder has the built admin, and gets screenshots.
import assert, { report } from "../checks.mjs";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [program, folder] = process.argv.slice(2);
const files = { "/": ["index.html", "text/html"], "/main.js": ["main.js", "text/javascript"] };
const pages = createServer((request, response) => {
  const [name, type] = files[new URL(request.url, "http://localhost").pathname] ?? [];
  response.writeHead(name ? 200 : 404, { "Content-Type": type ?? "text/plain" });
  response.end(name && readFileSync(join(folder, name)));
});
await new Promise((listening) => pages.listen(0, "127.0.0.1", listening));
const origin = `http://127.0.0.1:${pages.address().port}`;

const service = spawn(program, ["-demo", "-db", join(folder, "hoard.db"), "-addr", "127.0.0.1:0", "-origins", origin], { stdio: ["ignore", "pipe", "inherit"] });
const base = await new Promise((resolve, reject) => {
  service.stdout.on("data", (text) => resolve(/http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0]));
  service.on("exit", (status) => reject(new Error(`the service ended with ${status}`)));
});

// ask reads what the service has, as the admin may.
async function ask(path) {
  const response = await fetch(base + path, { headers: { Authorization: "Bearer demo-root" } });
  return { status: response.status, total: Number(response.headers.get("X-Total-Count")), body: response.ok && (await response.json()) };
}

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

async function use(by) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  page.setDefaultTimeout(60_000);
  const complaints = [];
  page.on("pageerror", (e) => complaints.push(`page: ${e.message}`));
  page.on("console", (m) => m.type() === "error" && complaints.push(`console: ${m.text()}`));
  page.on("requestfailed", (r) => r.failure().errorText !== "net::ERR_ABORTED" && complaints.push(`failed: ${r.method()} ${r.url()}`));
  page.on("request", (r) => [origin, base, "null"].includes(new URL(r.url()).origin) || r.url().startsWith("blob:") || complaints.push(`request to ${r.url()}`));
  page.on("response", (r) => r.status() >= 400 && complaints.push(`${r.status()} ${r.request().method()} ${r.url()} ${r.request().postData() ?? ""}`));
  const show = (view, list = "dragon_treasures") => page.goto(`${origin}/?api=${encodeURIComponent(`${base}/api`)}&by=${by}#/${list}${view}`);
  const shoot = (name) => page.screenshot({ path: join(folder, `${by}-${name}.png`) });
  const rows = page.locator("table tbody tr");
  const choose = async (member, name) => {
    await page.getByLabel(member, { exact: false }).first().click();
    await page.getByRole("option", { name, exact: true }).click();
    await page.getByRole("listbox").waitFor({ state: "detached" });
  };
  const saved = async (button) => {
    const answered = page.waitForResponse((r) => ["POST", "PUT", "PATCH", "DELETE"].includes(r.request().method()));
    await button.click();
    return (await answered).status();
  };
  try {
    await show("");
    await page.locator("input[name=username]").fill("root");
    await page.locator("input[name=password]").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Unknown token.").waitFor();
    complaints.length = 0; // the refusal
    await page.locator("input[name=password]").fill("demo-root");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator("input[name=password]").waitFor({ state: "detached" });

    await show("");
    const all = await ask("/api/dragon_treasures");
    await rows.filter({ hasText: all.body[0].name }).filter({ hasText: "ann" }).first().waitFor();
    await page.getByText(new RegExp(`of ${all.total}$`)).waitFor();
    assert.equal(await rows.count(), 10);
    await shoot("list");

    for (const order of ["value", "-value"]) {
      await page.locator("th").getByText("Value", { exact: true }).click();
      const [, second] = (await ask(`/api/dragon_treasures?sort=${order}&itemsPerPage=2`)).body;
      await rows.nth(1).filter({ hasText: second.name }).waitFor();
    }
    await shoot("sorted");

    await page.getByRole("button", { name: "Add filter" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Name", exact: true }).click();
    await page.locator("input[name=name]").fill("amulet");
    const found = await ask("/api/dragon_treasures?name=amulet");
    assert.ok(found.total > 0 && found.total < all.total);
    await page.getByText(new RegExp(`of ${found.total}$`)).waitFor();
    const texts = await rows.allTextContents();
    assert.ok(texts.length > 0 && texts.every((text) => /amulet/i.test(text)), texts.join("\n"));
    await shoot("filter");

    await show("/create");
    const name = `Lamp of ${by}`;
    await page.locator("input[name=name]").fill("x");
    assert.equal(await saved(page.getByRole("button", { name: "Save" })), 400);
    await page.locator("p", { hasText: "name must be at least 2 characters long" }).waitFor(); // at its input
    await shoot("refused");
    complaints.length = 0;
    await page.locator("input[name=name]").fill(name);
    await page.locator("input[name=value]").fill("12");
    await page.getByLabel("Tags").click();
    await page.getByRole("option", { name: "cursed", exact: true }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("listbox").waitFor({ state: "detached" });
    await choose("Owner", "bob");
    await shoot("create");
    assert.equal(await saved(page.getByRole("button", { name: "Save" })), 201);
    const made = (await ask(`/api/dragon_treasures?name=${encodeURIComponent(name)}`)).body;
    const [cursed] = (await ask("/api/tags?name=cursed")).body;
    assert.deepEqual(made.map((t) => [t.name, t.value, t.owner, t.tags]), [[name, 12, "/api/users/2", [`/api/tags/${cursed.id}`]]]);

    const path = `/api/dragon_treasures/${made[0].id}`;
    await show(`/${encodeURIComponent(path)}`);
    await page.locator("input[name=value]").fill("13");
    await choose("Owner", "ann");
    await shoot("edit");
    assert.equal(await saved(page.getByRole("button", { name: "Save" })), 200);
    assert.deepEqual((await ask(path)).body, { ...made[0], value: 13, owner: "/api/users/1" });
    await rows.first().waitFor(); // the admin returns to the list, which would leave the next page again

    await show(`/${encodeURIComponent(path)}`);
    await page.getByRole("button", { name: "Delete" }).click();
    assert.equal(await saved(page.getByRole("button", { name: "Confirm" })), 204);
    assert.equal((await ask(path)).status, 404);
    await page.getByRole("button", { name: "Remove this filter" }).click();
    await page.getByText(new RegExp(`of ${all.total}$`)).waitFor();
    await shoot("deleted");

    // A change may omit the password, which a new user must have.
    await show(`/${encodeURIComponent("/api/users/2")}`, "users");
    // The form is there before its record, which would overwrite what is typed meanwhile.
    await page.waitForFunction(() => document.querySelector("input[name=email]")?.value);
    await page.locator("input[name=email]").fill(`bob@${by}.example`);
    await shoot("user");
    assert.equal(await saved(page.getByRole("button", { name: "Save" })), 200);
    assert.equal((await ask("/api/users/2")).body.email, `bob@${by}.example`);

    for (const [list, text] of [["users", "bob"], ["tags", "cursed"], ["quests", "moon"]]) {
      await show("", list);
      await rows.filter({ hasText: text }).first().waitFor();
    }
    assert.deepEqual(complaints, []);
    console.log(`${by}: ${all.total} treasures are listed, ${found.total} found, and one is created, edited and deleted; a user is edited`);
  } catch (error) {
    await shoot("failed");
    console.error(complaints.join("\n"));
    throw error;
  } finally {
    await page.close();
  }
}

try {
  await use("hydra");
  await use("openapi");
  report("API Platform Admin: by Hydra and by OpenAPI");
} finally {
  service.removeAllListeners("exit");
  service.kill(); // first, because closing a browser can fail
  pages.close();
  await browser.close();
}
