// Checks how the documentation page of examples/hoard -demo looks and works in Chromium, and prints its heights and times.
// Usage: page.mjs BASE FOLDER-FOR-SCREENSHOTS
import assert from "node:assert/strict";
import { start } from "./watch.mjs";

const [base, folder] = process.argv.slice(2);
const docs = `${base}/api/docs`;
const { complain, open, inspect, perform } = await start(base, /Could not find component: JsonSchema_/); // Swagger UI warns of formats
const maxHeight = 2200; // of an open operation in a window of 1280 px

const block = (page, id) => page.locator(`.opblock[id$="-${id}"]`);
const control = (page, id) => block(page, id).locator(".opblock-summary-control");
const lock = (page, id) => block(page, id).locator(".lock");
const shown = (page) => page.$$eval(".opblock", (blocks) => blocks.map((b) => b.id.split("-").at(-1)));

async function load(page) {
  await page.goto(docs);
  await page.locator(".opblock").first().waitFor();
}

async function unfold(page, id) {
  await control(page, id).click();
  await block(page, id).locator(".responses-table").first().waitFor();
}

// check runs a part of the checks; a failure is a complaint, so that all parts run.
async function check(what, part) {
  try {
    await part();
  } catch (e) {
    complain(`${what}: ${e.message.split("\n").slice(0, 12).join("\n")}`);
  }
}

await perform(folder, async () => {
  const page = await open("wide");
  await check("time", async () => {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
    const begin = performance.now();
    await page.goto(docs, { waitUntil: "commit" });
    await control(page, "listUsers").click({ trial: true });
    const first = performance.now();
    const { metrics } = await cdp.send("Performance.getMetrics");
    const busy = metrics.find((m) => m.name === "TaskDuration").value;
    await unfold(page, "createDragonTreasure");
    console.log(`first operation clickable after ${((first - begin) / 1000).toFixed(2)} s (${busy.toFixed(2)} s of the processor), unfolded in ${((performance.now() - first) / 1000).toFixed(2)} s`);
    await control(page, "createDragonTreasure").click();
  });

  await check("structure", async () => {
    assert.equal(await page.getAttribute("html", "lang"), "en");
    assert.deepEqual(await page.locator("h1").allInnerTexts(), ["The hoard 1.0.0"]);
    assert.equal(await page.getByRole("main").count(), 1);
    const links = await page.locator("nav a").evaluateAll((all) => all.map((a) => [a.textContent, a.getAttribute("href")]));
    assert.deepEqual(links, [["Home", "/api"], ["Documentation", "/api/docs"], ["Admin", "/admin"], ["OpenAPI (JSON)", "/api/docs.json"], ["OpenAPI (YAML)", "/api/docs.yaml"], ["Agents (MCP)", "/mcp"]]);
    for (const [, href] of links.filter(([, h]) => h !== "/mcp")) assert.equal((await fetch(base + href)).status, 200, href);
  });

  await check("heights", async () => {
    const heights = [];
    for (const id of await shown(page)) {
      await unfold(page, id);
      assert.equal(await block(page, id).locator("input[type=file]").count(), 0, `${id} asks for a file`);
      heights.push([Math.round((await block(page, id).boundingBox()).height), id]);
      await control(page, id).click();
    }
    heights.sort((a, b) => b[0] - a[0]);
    const post = heights.find(([, id]) => id === "createDragonTreasure")[0];
    console.log(`open operations are ${heights.at(-1)[0]} to ${heights[0][0]} px high (${heights[0][1]}); createDragonTreasure ${post} px`);
    for (const [height, id] of heights) assert.ok(height <= maxHeight, `${id} is ${height} px high, more than ${maxHeight}`);
  });

  await check("search", async () => {
    const all = (await shown(page)).length;
    await page.keyboard.press("/");
    await page.keyboard.type("review delete");
    await page.getByText("1 operation matches").waitFor();
    assert.deepEqual(await shown(page), ["deleteDragonTreasureReview"]);
    await page.fill("#search", "/api/QUESTS");
    await page.getByText("3 operations match").waitFor();
    await page.fill("#search", "rating[gt]");
    await page.getByText("1 operation matches").waitFor();
    assert.deepEqual(await shown(page), ["listDragonTreasureReviews"]);
    await page.fill("#search", "Idempotency-Key");
    await page.getByText("2 operations match").waitFor();
    assert.deepEqual(await shown(page), ["createDragonTreasure", "importDragonTreasure"]);
    await page.fill("#search", "no such thing");
    await page.getByText("No operation matches the search.").waitFor();
    await page.fill("#search", "");
    await page.locator(".opblock").nth(all - 1).waitFor();
  });

  await check("folded parameters", async () => {
    const list = block(page, "listDragonTreasures");
    await unfold(page, "listDragonTreasures");
    const rows = async () => list.locator("table.parameters tbody tr").evaluateAll((all) => all.map((tr) => tr.dataset.paramName ?? `+${tr.querySelector(".fold-name").textContent}`));
    const folded = await rows();
    assert.equal(new Set(folded.map((name) => name.replace(/^\+|\[.*/g, ""))).size, folded.length, `a field has two rows: ${folded}`);
    assert.ok(folded.includes("+value") && folded.includes("+order"), String(folded));
    await list.getByRole("button", { name: /^order/ }).click();
    const texts = await list.locator('tr[data-param-name^="order"] .renderedMarkdown').allInnerTexts();
    const sentences = texts.flatMap((text) => text.split(/(?<=\.)\s+/));
    assert.equal(new Set(sentences).size, sentences.length, `repeated: ${sentences.join(" | ")}`);
    await list.getByRole("button", { name: /^value/ }).click();
    await list.getByLabel("value[gte]").fill("100000");
    await list.getByRole("button", { name: /^value/ }).click();
    await list.getByText("1 set").waitFor();
    await list.getByRole("button", { name: "Execute" }).click();
    await list.locator(".live-responses-table .response-col_status").last().waitFor();
    assert.match(await list.locator(".request-url").innerText(), /value(?:%5B|\[)gte(?:%5D|\])=100000/);
  });

  await check("responses", async () => {
    const get = block(page, "getDragonTreasure");
    await unfold(page, "getDragonTreasure");
    await get.getByRole("button", { name: "Response 404" }).click();
    const example = JSON.parse(await get.locator('tr.unfolded[data-code="404"] pre').innerText());
    assert.deepEqual(example, { type: "about:blank", title: "Not Found", status: 404, detail: "The record does not exist." });
    await unfold(page, "createTag");
    assert.equal(await block(page, "createTag").getByText("Creates a tag.").count(), 0, "the description repeats the summary");
  });
  await inspect(page, "open operations");

  await check("schemas", async () => {
    for (const dark of [false, true]) {
      const view = await open("schemas", { dark, width: 390 });
      await load(view);
      const models = view.locator("section.models");
      await models.getByRole("button", { name: "Schemas" }).click();
      await models.getByRole("button", { name: "Expand all" }).first().click();
      await models.getByText("An owner of treasures.").waitFor();
      await inspect(view, "schemas");
      const { height } = await view.getByRole("banner").boundingBox();
      assert.ok(height <= 92, `the header is ${height} px high, more than two rows`);
      await view.context().close();
    }
    const view = await open("types of parameters", { width: 1024 });
    await load(view);
    await unfold(view, "listDragonTreasures");
    const cut = await block(view, "listDragonTreasures").locator(".parameters-col_name").evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
    assert.deepEqual(cut, [], "texts overlap the next column");
    await view.context().close();
  });

  await check("sign-in", async () => {
    assert.equal(await lock(page, "listUsers").count(), 0, "an open operation has a padlock");
    assert.equal(await lock(page, "loginSession").count(), 0);
    const closed = lock(page, "deleteUser");
    assert.equal(await closed.getAttribute("title"), "Requires sign-in");
    assert.equal(await closed.getAttribute("aria-label"), "Requires sign-in");
    await closed.click();
    const dialog = page.getByRole("dialog", { name: "Sign in" });
    assert.deepEqual(await dialog.locator("h4 code").allInnerTexts(), ["token", "session"]);
    await inspect(page, "sign-in");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Authorize" }).click();
    await page.screenshot({ path: `${folder}/docs-sign-in.png` });
    await dialog.getByRole("button", { name: "Go to POST /api/login" }).click();
    const login = block(page, "loginSession");
    await login.getByLabel("Request body").fill('{"email":"ann@example.com","password":"demo-ann"}');
    await login.getByRole("button", { name: "Execute" }).click();
    await login.locator(".live-responses-table").waitFor();
    assert.equal(await closed.getAttribute("title"), "Signed in");
    await page.getByRole("button", { name: "Signed in" }).first().waitFor();
    await unfold(page, "logoutSession");
    await block(page, "logoutSession").getByRole("button", { name: "Execute" }).click();
    await page.locator('.lock[title="Requires sign-in"]').first().waitFor();
  });

  await check("large integers", async () => {
    const view = await open("large integers");
    const number = "9007199254740993";
    await view.route("**/docs.json", async (route) => {
      const document = await (await route.fetch()).json();
      const sized = { schema: { type: "object", properties: { size: { type: "integer", maximum: 1111, example: 2222 } } } };
      const responses = document.paths["/api/quests/{date}"].get.responses;
      responses[200] = { description: "A quest.", content: { "application/json": sized } };
      document.paths["/api/tags"].post.requestBody.content["application/json"] = sized;
      await route.fulfill({ contentType: "application/json", body: JSON.stringify(document).replaceAll("1111", "9223372036854775807").replaceAll("2222", number) });
    });
    const body = `{"size":${number},"list":[],"most":[-9223372036854775808,{}],"text":"{\\"a\\": [1,2]}","decimal":1.10}`;
    let sent = "";
    await view.route("**/api/tags", (route) => {
      sent = route.request().postData();
      return route.fulfill({ contentType: "application/json", body, status: 201 });
    });
    await load(view);
    const get = block(view, "getQuest");
    await unfold(view, "getQuest");
    await get.locator(".model-example pre", { hasText: number }).waitFor();
    await get.getByRole("tab", { name: "Schema" }).click();
    for (const button of await get.getByRole("button", { name: "Expand all" }).all()) await button.click();
    await get.getByText("≤ 9223372036854775807").waitFor();
    await get.getByText(number).first().waitFor();
    const post = block(view, "createTag");
    await unfold(view, "createTag");
    assert.match(await post.getByLabel("Request body").inputValue(), new RegExp(`"size": ${number}`));
    await post.getByRole("button", { name: "Execute" }).click();
    const shown = post.locator(".live-responses-table .highlight-code pre");
    await shown.first().waitFor();
    const text = await shown.first().innerText();
    assert.ok(text.includes(`"size": ${number}`) && text.includes("-9223372036854775808") && text.includes('"list": []') && text.includes("1.10"), text);
    assert.deepEqual(JSON.parse(text), JSON.parse(body), "the indented JSON has other values");
    assert.ok(sent.includes(number), `the request has the body ${sent}`);
    assert.ok((await post.locator(".curl").innerText()).includes(number), await post.locator(".curl").innerText());
    await view.context().close();
  });

  await check("copy buttons", async () => {
    for (const dark of [false, true]) {
      const view = await open("copy", { dark });
      await load(view);
      await unfold(view, "getTag");
      await block(view, "getTag").getByLabel("id", { exact: true }).fill("1");
      await block(view, "getTag").getByRole("button", { name: "Execute" }).click();
      const copy = block(view, "getTag").getByRole("button", { name: "Copy" }).last();
      await copy.waitFor();
      const [icon, ground] = await copy.evaluate((e) => [getComputedStyle(e, "::before").backgroundColor, getComputedStyle(e.parentElement).backgroundColor]);
      const light = (color) => color.match(/\d+/g).slice(0, 3).map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
      const [a, b] = [light(icon), light(ground)];
      assert.ok((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) >= 4.5, `the icon ${icon} on ${ground}`);
      await view.context().close();
    }
  });

  await check("credentials after a reload", async () => {
    const view = await open("reload");
    await load(view);
    const sign = async (token) => {
      await view.locator(".auth-wrapper > .btn.authorize").click();
      const dialog = view.getByRole("dialog");
      await dialog.getByText("kept in this browser tab only").waitFor();
      if (token) await dialog.getByLabel("Token").fill(token);
      await dialog.getByRole("button", { name: token ? "Authorize" : "Logout" }).first().click();
      await dialog.getByRole("button", { name: "Close" }).click();
    };
    await sign("demo-ann");
    await load(view);
    assert.equal(await lock(view, "deleteUser").getAttribute("title"), "Signed in");
    await unfold(view, "listNotifications");
    const [request] = await Promise.all([view.waitForRequest("**/api/notifications*"), block(view, "listNotifications").getByRole("button", { name: "Execute" }).click()]);
    assert.equal(request.headers().authorization, "Bearer demo-ann");
    assert.equal(await view.evaluate(() => JSON.stringify(localStorage)), "{}", "credentials are in the local storage");
    const other = await view.context().newPage();
    await load(other);
    assert.equal(await lock(other, "deleteUser").getAttribute("title"), "Requires sign-in", "another tab has the credentials");
    await sign("");
    await load(view);
    assert.equal(await lock(view, "deleteUser").getAttribute("title"), "Requires sign-in");
    assert.equal(await view.evaluate(() => sessionStorage.length), 0);
    await view.context().close();
  });

  await check("theme", async () => {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await load(page);
    const light = await ground();
    await page.getByRole("button", { name: "Theme: system" }).click();
    await page.getByRole("button", { name: "Theme: light" }).click();
    const dark = await ground();
    assert.notEqual(light, dark);
    await load(page);
    assert.equal(await ground(), dark, "the choice is forgotten");
    await page.getByRole("button", { name: "Theme: dark" }).click();
    assert.equal(await ground(), light);
  });

  for (const [name, options] of Object.entries({ light: {}, dark: { dark: true }, narrow: { width: 390 }, "narrow-dark": { width: 390, dark: true } })) {
    await check(name, async () => {
      const view = await open(name, options);
      await load(view);
      await inspect(view, name);
      await view.screenshot({ path: `${folder}/docs-${name}.png` });
      for (const id of ["listDragonTreasures", "createDragonTreasure", "patchUser"]) {
        await unfold(view, id);
        for (const fold of await block(view, id).locator(".fold button").all()) await fold.click();
      }
      const { scrollWidth, clientWidth } = await view.evaluate(() => ({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth }));
      assert.ok(scrollWidth <= clientWidth, `the page is ${scrollWidth} px wide in a window of ${clientWidth}`);
      await inspect(view, `${name}, open operations`);
      await view.screenshot({ path: `${folder}/docs-${name}-open.png`, fullPage: true });
      await view.context().close();
    });
  }
  return "the documentation page is in order";
});
