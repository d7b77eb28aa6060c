// Works with the pages of examples/hoard -demo in Chromium as people do: finds, creates, edits with an error and in a
// conflict, deletes, signs in and out. Once without scripts, and once in each look with axe on each view.
// Usage: html.mjs ORIGIN FOLDER
import { start } from "./watch.mjs";

const [origin, folder] = process.argv.slice(2);
const { browser, complaints, complain, open, inspect } = await start(origin);
const check = (holds, text) => holds || complain(text);

/** Does all the work of a person. Look is that of the pages, and scripts reports whether the browser runs any. */
async function work(name, { width, dark, scripts }) {
  const page = await open(name, { width, dark, scripts });
  const see = async (view) => {
    await page.screenshot({ path: `${folder}/html-${name}-${view}.png`, fullPage: true });
    if (!scripts) return;
    check((await page.locator("script").count()) === 0, `${name} ${view}: has a script`);
    check(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${name} ${view}: is wider than the window`);
    await inspect(page, `${name} ${view}`);
  };
  const at = (path) => check(page.url() === origin + path, `${name}: is at ${page.url()}, want ${path}`);
  const unfold = (title) => page.locator("summary", { hasText: title }).click();
  const field = (label) => page.locator("form[method=post]").getByLabel(label, { exact: true });
  const button = (title) => page.getByRole("button", { name: title, exact: true });

  // Find.
  await page.goto(`${origin}/api/dragon_treasures`);
  await see("table");
  await page.getByRole("link", { name: "Show titles of references" }).click();
  await page.getByRole("link", { name: "ann", exact: true }).first().waitFor();
  await page.goBack();
  check((await button("Sign out").count()) === 0, `${name}: an anonymous caller can sign out`);
  await unfold("Filters");
  await page.getByLabel("Value from", { exact: true }).fill("10");
  await button("Filter").click();
  check(page.url().includes("value%5Bgte%5D=10"), `${name}: the filter leads to ${page.url()}`);
  await page.getByRole("link", { name: "Value", exact: true }).click();
  await page.locator("th[aria-sort='ascending']").waitFor();
  await see("filtered");

  // Sign in, back to the page.
  await page.goto(`${origin}/api/api_tokens`);
  await see("sign-in");
  await field("Email").fill("ann@example.com");
  await field("Password").fill("wrong");
  await button("Sign in").click();
  await page.getByText("Invalid credentials.").first().waitFor();
  check((await field("Email").inputValue()) === "ann@example.com", `${name}: the name is lost`);
  await field("Password").fill("demo-ann");
  await button("Sign in").click();
  await button("Sign out").waitFor();
  at("/api/api_tokens");

  // Create, first with errors.
  await page.goto(`${origin}/api/dragon_treasures`);
  await unfold("New dragon treasure");
  await see("new");
  const title = `Orb of ${name}`;
  await field("Name").fill("x");
  await field("Value").fill("many");
  await button("Create").click();
  await page.getByText("value must be an integer").first().waitFor();
  check((await field("Value").inputValue()) === "many", `${name}: what was typed is lost`);
  await see("invalid");
  await field("Name").fill(title);
  await field("Value").fill("12");
  await field("Cool factor").fill("3");
  await button("Create").click();
  await page.getByRole("heading", { name: title }).waitFor();
  check(/\/api\/dragon_treasures\/\d+#saved$/.test(page.url()), `${name}: creating leads to ${page.url()}`);
  check(await page.getByText("Saved.", { exact: true }).isVisible(), `${name}: the page does not say that it is saved`);
  const path = new URL(page.url()).pathname;
  await see("record");

  // Edit in a conflict.
  await unfold("Edit dragon treasure");
  await field("Description").fill("Mine.");
  const other = await page.context().request.patch(origin + path, { data: { description: "Theirs.", value: 13 }, headers: { Origin: origin } });
  check(other.ok(), `${name}: another change returns ${other.status()}`);
  await button("Save").click();
  await page.getByText("Saved meanwhile: Theirs.").waitFor();
  check((await field("Value").inputValue()) === "13", `${name}: what was not changed is not merged`);
  await see("conflict");
  await button("Save").click();
  at(`${path}#saved`);
  const saved = await (await page.context().request.get(origin + path)).json();
  check(saved.description === "Mine." && saved.value === 13, `${name}: saved is ${JSON.stringify(saved)}`);

  // A hostile value is text.
  await unfold("Edit dragon treasure");
  await field("Description").fill(`</textarea><script>globalThis.complain("a script runs")</script><img src="//evil.example/x" onerror="complain(1)">`);
  await button("Save").click();
  at(`${path}#saved`);
  check((await page.locator("script, main img").count()) === 0, `${name}: a value has become an element`);

  // Add to a list, and remove from it.
  await page.goto(`${origin}/api/users/1`);
  await unfold("Edit follows");
  await field("User").fill("99");
  await button("Add").click();
  await page.getByText("The user does not exist.").first().waitFor();
  check((await field("User").inputValue()) === "99", `${name}: the user that was typed is lost`);
  await field("User").fill("/api/users/2");
  await button("Add").click();
  at("/api/users/1#saved");
  await unfold("Edit follows");
  await see("list");
  await page.getByRole("button", { name: "Remove /api/users/2" }).click();
  at("/api/users/1#saved");
  check((await page.getByRole("link", { name: "/api/users/2" }).count()) === 0, `${name}: the user is still in the list`);
  await page.goto(origin + path);

  // Delete, after a confirmation.
  await unfold("Delete dragon treasure");
  await see("delete");
  await button("Delete").click();
  at("/api/dragon_treasures#deleted");
  check(await page.getByText("Deleted.", { exact: true }).isVisible(), `${name}: the page does not say that it is deleted`);
  const gone = await page.goto(origin + path);
  check(gone.status() === 404, `${name}: the deleted record returns ${gone.status()}`);
  await see("missing");

  // Sign out.
  await button("Sign out").click();
  at("/api");
  const denied = await page.goto(`${origin}/api/api_tokens`);
  check(denied.status() === 401, `${name}: signed out, the page returns ${denied.status()}`);
  await page.context().close();
}

try {
  await work("plain", { width: 1280, dark: false, scripts: false });
  await work("light-1280", { width: 1280, dark: false, scripts: true });
  await work("dark-1280", { width: 1280, dark: true, scripts: true });
  await work("light-390", { width: 390, dark: false, scripts: true });
  await work("dark-390", { width: 390, dark: true, scripts: true });
} catch (e) {
  complain(e.message.split("\n").slice(0, 12).join("\n"));
} finally {
  await browser.close();
}
for (const complaint of new Set(complaints)) console.error(complaint);
if (complaints.length > 0) process.exit(1);
console.log("The pages work without scripts");
