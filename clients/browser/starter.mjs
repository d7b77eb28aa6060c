// Creates an account in the admin of a new project in Chromium, and the first note. Usage: starter.mjs BASE FOLDER
import { start } from "./watch.mjs";

const [base, folder] = process.argv.slice(2);
const { open, inspect, perform } = await start(base);
const button = (page, name) => page.getByRole("button", { name, exact: true });
await perform(folder, async () => {
  const page = await open("starter");
  await page.goto(`${base}/admin`);
  await page.getByRole("link", { name: "Create account" }).click();
  await page.getByRole("heading", { level: 1, name: "Create account" }).waitFor();
  await page.getByLabel("Username").fill("ann");
  await page.locator("input[type=password]").fill("correct horse battery");
  await inspect(page, "a registration");
  await button(page, "Create").click();
  await page.locator(".account").getByText("ann").waitFor(); // the session has begun
  await page.getByRole("navigation", { name: "Resources" }).getByRole("link", { name: "Notes" }).click();
  await page.getByText("No notes yet.").waitFor();
  await inspect(page, "the empty list of a new account");
  await page.getByRole("link", { name: "Create the first one" }).click();
  await page.getByLabel("Title").fill("Milk");
  await button(page, "Create").click();
  await page.getByRole("heading", { level: 1, name: "Milk" }).waitFor();
  const other = await open("demo");
  await other.goto(`${base}/admin`);
  await other.getByLabel("Username").fill("demo");
  await other.locator("input[type=password]").fill("correct horse battery");
  await button(other, "Sign in").click();
  await other.locator(".account").getByText("demo").waitFor();
  await other.goto(`${base}/admin#/Note`);
  await other.getByRole("link", { name: "Groceries" }).waitFor();
  return "a new project begins with an account";
});
