// Imports CSV files with the admin of examples/rental in Chromium: errors by line, all rows or none, only the good ones, hostile
// files, and a thousand rows. With examples/hoard, references by title, and records that cannot be checked. Usage: import.mjs HOARD BASE FOLDER
import { readFileSync } from "node:fs";
import { start } from "./watch.mjs";

const [hoard, base, folder] = process.argv.slice(2);
const admin = `${base}/admin`;
const { check, complain, open, inspect, perform } = await start(base);
const button = (page, name) => page.getByRole("button", { name, exact: true });
const shows = (page, text) => page.getByText(text).first().waitFor();

async function signIn(page, name, at = admin, password = "correct horse battery") {
  await page.goto(`${at}#/~sign-in`);
  const form = page.getByRole("form", { name: "Sign in" }).filter({ has: page.getByLabel("Email") });
  await form.getByLabel("Email").fill(`${name}@example.com`);
  await form.locator("input[type=password]").fill(password);
  await button(form, "Sign in").click();
  await shows(page, "You are signed in.");
  await button(page, "Dismiss").click();
}

/** Opens the import of a resource, and gives it a file. */
async function begin(page, name, text, file = "items.csv", ready = "First records", at = admin) {
  await page.goto(`${at}#/${name}`);
  await page.getByRole("link", { name: "Import", exact: true }).click();
  await page.getByLabel("CSV file", { exact: true }).setInputFiles({ name: file, mimeType: "text/csv", buffer: Buffer.from(text) });
  await shows(page, ready);
}

const total = (page, query = "") => page.evaluate(async (path) => Number((await fetch(path)).headers.get("X-Total-Count")), `${base}/api/items?itemsPerPage=1${query}`);

/** The cells of the table of errors. */
const findings = async (page) => (await page.locator("table.findings tbody tr").allInnerTexts()).map((text) => text.split("\t").map((one) => one.trim()));

// Lines 3 and 7 are wrong; that of line 5 spans two lines.
const mixed = `\ufeffName;LOCATION;number;Price\nCanoe 2;Lake;31;1800\nKayak;Nowhere;32;1800\nRaft;lake;33;2000\n"Pedal\nboat";Lake;34;500\nSurfboard;Lake;0;x\nRowing boat;Harbour;35;700\n`;

async function columns(page) {
  await begin(page, "Item", mixed);
  for (const [column, field] of Object.entries({ Name: "name", LOCATION: "location", number: "number", Price: "price" })) {
    const chosen = await page.getByLabel(column, { exact: true }).inputValue();
    check(chosen === field, `the column ${column} is guessed to be ${chosen}`);
  }
  await inspect(page, "the columns of a file");
  await page.getByLabel("LOCATION", { exact: true }).selectOption("");
  await shows(page, "The file does not set these required fields: Location.");
  await page.getByLabel("Set another field in all rows").selectOption("location");
  await page.getByRole("textbox", { name: "Location" }).fill("Harbour");
  check((await page.getByRole("region", { name: "First records" }).locator("tbody tr").first().innerText()).includes("Harbour"), "the first record lacks the value of all rows");
  await button(page, "Remove Location").click();
  await page.getByLabel("LOCATION", { exact: true }).selectOption("location");
}

async function errors(page) {
  const before = await total(page);
  await button(page, "Check the file").click();
  await shows(page, "2 rows have errors.");
  const found = await findings(page);
  check(found.length === 3, `there are ${found.length} errors`);
  check(found.some(([line, column, value, error]) => line === "3" && column === "LOCATION" && value === "Nowhere" && /not among the locations/.test(error)), `the error of line 3 is missing: ${JSON.stringify(found)}`);
  check(found.filter(([line]) => line === "7").length === 2, `the errors of line 7 are missing: ${JSON.stringify(found)}`);
  check((await total(page)) === before, "a check saves something");
  check((await page.getByRole("button", { name: /or none/ }).count()) === 0, "a file with errors can be imported as a whole");
  await inspect(page, "errors by line");
  await page.screenshot({ path: `${folder}/import-errors.png`, fullPage: true });
  const downloading = page.waitForEvent("download");
  await button(page, "Download the rejected rows").click();
  const rejected = readFileSync(await (await downloading).path(), "utf8");
  check(rejected.split("\r\n").length === 4 && /Kayak;Nowhere;32;1800;/.test(rejected) && /Surfboard;Lake;0;x;/.test(rejected), `the rejected rows are ${rejected}`);
  await button(page, "Import only the 4 rows without errors").click();
  await shows(page, "Imported: 4 records.");
  check((await page.locator("table.mapping").count()) === 0, "the columns of a saved file can be changed");
  check((await findings(page)).length === 3, "the rejected rows are gone");
  await inspect(page, "what was imported");
  check((await total(page)) === before + 4, "the good rows are not saved");
  await page.getByRole("link", { name: "Show the records" }).click();
  await page.getByRole("link", { name: "Raft" }).waitFor();
  check((await page.locator("tbody tr").count()) === 4, "the list does not show what was imported");
  check((await page.evaluate(async (path) => (await (await fetch(path)).json()).some((one) => one.name === "Pedal\nboat"), `${base}/api/items?itemsPerPage=100`)), "a name on two lines is another one");
}

async function whole(page) {
  const before = await total(page);
  const rows = Array.from({ length: 1000 }, (_, i) => `Boat ${i},Lake,${1000 + i},${i}`);
  await begin(page, "Item", ["name,location,number,price", ...rows].join("\n"));
  await button(page, "Check the file").click();
  await shows(page, "1,000 rows are ready to import.");
  check((await total(page)) === before, "a check of 1,000 rows saves something");
  const began = Date.now();
  await button(page, "Import all 1,000, or none").click();
  await shows(page, "Imported: 1,000 records.");
  console.log(`1,000 rows: ${Date.now() - began} ms`);
  check((await total(page)) === before + 1000, "the rows are not saved");
  await begin(page, "Item", ["name,location,number,price", ...rows.slice(0, 2), "Once,Lake,5001,1", "Twice,Lake,5001,1", "More,Lake,5002,1,5"].join("\n"));
  await button(page, "Check the file").click();
  await shows(page, "4 rows have errors.");
  check((await findings(page)).map(([line, column]) => line + column).join() === "2location, number,3location, number,5location, number,6", "duplicates of saved rows, or of each other, are not found");
}

/** Lets the responses to some requests get lost, which the server has done what it was asked to. */
const breakable = (page) => page.evaluate(() => {
  const real = fetch;
  globalThis.fetch = async (path, init) => {
    const response = await real(path, init);
    if (!globalThis.lost?.test(`${init.method} ${path}`)) return response;
    globalThis.lost = null;
    throw new TypeError("lost");
  };
});

/** Connections that break, several parts with a cancel in the middle, and a server that is busy. */
async function interrupted(page) {
  const rows = (from, count) => ["name,location,number,price", ...Array.from({ length: count }, (_, i) => `Late ${from + i},Lake,${from + i},1`)].join("\n");
  const before = await total(page);
  await breakable(page);
  await begin(page, "Item", rows(6000, 3));
  await button(page, "Check the file").click();
  await shows(page, "3 rows are ready to import.");
  await page.evaluate(() => { globalThis.lost = /mode=all/; });
  await button(page, "Import all 3, or none").click();
  await shows(page, "They may be saved or not.");
  check((await total(page)) === before + 3, "the rows are not saved");
  check((await page.getByText("Nothing is saved yet").count()) + (await page.getByRole("button", { name: /^Import / }).count()) === 0, "rows that may be saved can be imported once more");
  await inspect(page, "an import without a response");
  await button(page, "Check the file").click();
  await shows(page, "3 rows have errors.");

  await page.route("**/admin/model", async (route) => {
    const response = await route.fetch();
    const model = await response.json();
    model.resources.find((one) => one.name === "Item").import.lines = 2;
    await route.fulfill({ response, json: model });
  });
  await page.reload();
  await begin(page, "Item", rows(6100, 6));
  await button(page, "Check the file").click();
  await shows(page, "The file is imported in parts of up to 2 rows.");
  let sent = 0;
  await page.route("**/import/createItem?mode=good", (route) => (++sent === 2 ? null : route.continue())); // the second one hangs
  await button(page, "Import only the 6 rows without errors").click();
  await page.getByText("2 of 6").waitFor();
  await button(page, "Cancel").click();
  await shows(page, "Cancelled. What was saved before remains.");
  await shows(page, "Imported: 2 records.");
  const found = (await findings(page)).map((cells) => cells.at(-1));
  check(found.join() === [..."23"].map(() => "Not confirmed by the server: it may be saved").concat(["Not sent", "Not sent"]).join(), `after a cancel: ${found}`);
  check((await total(page)) === before + 5, "a cancel saves more, or less, than the first part");
  await page.unroute("**/admin/model");
  await page.unroute("**/import/createItem?mode=good");
  await page.reload();

  const busy = (route) => route.fulfill({ status: 429, headers: { "Retry-After": "1" }, contentType: "application/problem+json", body: '{"status":429}' });
  await page.route("**/import/createItem?mode=check", busy);
  await begin(page, "Item", rows(6200, 2));
  await button(page, "Check the file").click();
  await shows(page, "The server is busy. Try again in 1 second.");
  await page.route("**/api/items", busy, { times: 1 });
  await button(page, "Import the rows without errors").click();
  await shows(page, "This continues in a moment.");
  await shows(page, "Imported: 2 records.");
  await page.unroute("**/import/createItem?mode=check");
}

/** Files that are made to do harm. */
async function hostile(page) {
  await begin(page, "Item", `name\tlocation\tnumber\tprice\t<img src=x onerror=alert(1)>\n=cmd|'/c calc'!A1\t＝1+Nowhere\t-1\t1\t"<script>alert(1)</script>"\n`, "<b>.tsv");
  await button(page, "Check the file").click();
  await shows(page, "1 row has errors.");
  const downloading = page.waitForEvent("download");
  await button(page, "Download the rejected rows").click();
  const rejected = readFileSync(await (await downloading).path(), "utf8");
  check(rejected.includes("'=cmd|") && rejected.includes("'＝1+Nowhere") && /\t-1\t/.test(rejected), `a spreadsheet calculates the rejected rows: ${rejected}`);
  await begin(page, "Item", `${"a,".repeat(300)}\n${"1,".repeat(300)}\n`, "wide.csv", "Choose another file");
  await inspect(page, "a file with many columns");
  await page.goto(`${admin}#/Item/import`);
  await button(page, "Choose another file").click();
  await page.getByLabel("CSV file", { exact: true }).setInputFiles({ name: "x.csv", mimeType: "text/csv", buffer: Buffer.from('a,b\n"1,2\n3,4\n') });
  await shows(page, "The quotation mark in line 2 has no end.");
  await button(page, "Choose another file").click();
  await page.getByLabel("CSV file", { exact: true }).setInputFiles({ name: "x.csv", mimeType: "text/csv", buffer: Buffer.from([0, 1, 2, 255, 254]) });
  await shows(page, "The file has no rows");
  await button(page, "Choose another file").click();
  await page.evaluate(() => { File.prototype.arrayBuffer = () => Promise.reject(new DOMException("locked", "NotReadableError")); });
  await page.getByLabel("CSV file", { exact: true }).setInputFiles({ name: "x.csv", mimeType: "text/csv", buffer: Buffer.from("name\nx\n") });
  await shows(page, "The file cannot be read.");
  await page.reload();
}

/** What texts in a file become. */
async function conversions(page) {
  const wrong = await page.evaluate(async () => {
    const files = document.querySelector("script[type=module]").src.replace(/[^/]*$/, "");
    const { convert } = await import(`${files}later/import/convert.js`);
    const { write } = await import(`${files}json.js`);
    const { decode, parse } = await import(`${files}later/import/csv.js`);
    const { guess } = await import(`${files}later/import/mapping.js`);
    const us = { comma: false, order: "mdy", separator: ";", nulls: false };
    const de = { comma: true, order: "dmy", separator: "|", nulls: true };
    const integer = { type: "integer" };
    const number = { type: "number" };
    const decimal = { type: "string", format: "decimal" };
    const boolean = { type: "boolean" };
    const date = { type: "string", format: "date" };
    const time = { type: "string", format: "date-time" };
    const status = { type: "string", enum: ["open", "done"] };
    const list = { type: "array", items: integer };
    const cases = [
      [integer, us, "9007199254740993", "9007199254740993"], [integer, us, "1,234,567", "1234567"], [integer, de, "1.234.567", "1234567"], [integer, us, "-007", "-7"], [integer, us, "x1", '"x1"'],
      [integer, us, "9223372036854775808", "9223372036854775808"], [number, de, "1.234,50", "1234.50"], [number, us, "1e3", "1e3"], [number, de, "0,1", "0.1"], [number, us, "1,2,3", '"1,2,3"'],
      [decimal, de, "12.345,10", '"12345.10"'], [decimal, us, "n/a", '"n/a"'], [boolean, us, "Yes", "true"], [boolean, de, "nein", "false"], [boolean, us, "0", "false"], [boolean, us, "maybe", '"maybe"'],
      [date, us, "2031-02-03", '"2031-02-03"'], [date, us, "2/3/2031", '"2031-02-03"'], [date, de, "3.2.2031", '"2031-02-03"'], [date, de, "2031/2/3", '"2031-02-03"'], [date, de, "3.2.31", '"3.2.31"'],
      [time, us, "2031-02-03T04:05:06Z", '"2031-02-03T04:05:06Z"'], [time, de, "03.02.2031 4:05", `"${new Date(2031, 1, 3, 4, 5).toISOString().replace(".000", "")}"`], [time, us, "soon", '"soon"'],
      [status, us, "Finished", '"done"'], [status, us, "OPEN", '"open"'], [status, us, "else", '"else"'], [list, us, "1; 2;", "[1,2]"], [list, us, "[1,2]", "[1,2]"],
      [{ type: ["integer", "null"] }, de, " ", "null"], [{ type: ["integer", "null"] }, us, "", undefined], [{ type: "string" }, us, " kept ", '" kept "'], [{}, us, '{"a":1}', '{"a":1}'],
    ];
    const wrong = [];
    for (const [schema, options, text, want] of cases) {
      const made = convert(text, { name: "f", schema, values: { done: "Finished" } }, options, () => ({}));
      const got = made === undefined ? undefined : write(made);
      if (got !== want && !(want?.startsWith('"2031') && got?.replace(".000", "") === want)) wrong.push(`${JSON.stringify(schema)} ${text}: ${got}, want ${want}`);
    }
    const latin = decode(new Uint8Array([71, 114, 246, 223, 101]).buffer);
    if (latin !== "Größe") wrong.push(`Windows-1252 is read as ${latin}`);
    if (decode(new Uint8Array([0xff, 0xfe, 65, 0, 44, 0, 66, 0]).buffer) !== "A,B") wrong.push("UTF-16 is not read");
    const fields = [{ name: "size", title: "Größe" }, { name: "coolFactor", title: "Cool factor" }, { name: "e-mail", title: "Mail" }];
    const found = guess(["GROESSE", "cool_factor", "E-Mail", "other"], fields).join();
    if (found !== "size,coolFactor,e-mail,") wrong.push(`the columns are guessed to be ${found}`);
    const { rows, delimiter } = parse('a\tb\r\n"x\r\n""y"""\t1\r\n\r\n2\t3\r\n');
    if (delimiter !== "\t" || JSON.stringify(rows) !== JSON.stringify([{ line: 2, cells: ['x\n"y"', "1"] }, { line: 5, cells: ["2", "3"] }])) wrong.push(`rows are read as ${JSON.stringify(rows)}`);
    const { original } = await import(`${files}later/export.js`);
    for (const [text, want] of [["'=1+1", "=1+1"], ["''=1+1", "'=1+1"], ["'+49 30 123", "+49 30 123"], ["'n", "'n"], ["=1", "=1"], ["-1,5", "-1,5"], ["'-1,5", "-1,5"], ["'\t1", "\t1"], ["'", "'"]]) {
      if (original(text) !== want) wrong.push(`the cell ${text} is read as ${original(text)}`);
    }
    const delimiters = { "Price, net, gross;Name\n1,5;Boat\n2,75;Raft": ";", "a;b\n1,5;2,5\n1,5;2": ";", "a,b\n1;2,3\n4,5": ",", "a\tb;c\n1\t2": "\t", '"a;b;c",d\n"x",1': ",", "name\nx": ",", "": "," };
    for (const [file, want] of Object.entries(delimiters)) if (parse(file).delimiter !== want) wrong.push(`${file} has the delimiter ${parse(file).delimiter}`);
    const { usual } = await import(`${files}later/import/convert.js`);
    const comma = (...cells) => usual({ rows: cells.map((cell) => ({ cells: [cell, "1,5"] })) }, ["price", ""], [{ name: "price", schema: number }]).comma;
    if (!comma("1,50", "2") || !comma("1.234,50") || comma("1.50") || comma("1,234.5") || comma("1,234") || comma("2")) wrong.push("the sign before the fractions of a file is another one");
    const declared = parse("sep=,\na;b,c\n1,2\n");
    if (declared.header.join() !== "a;b,c" || declared.rows[0].line !== 3) wrong.push(`a declared delimiter: ${JSON.stringify(declared)}`);
    return wrong;
  });
  wrong.forEach(complain);
}

/** Those who may not create items get no import, and the page of another one is that of a record. */
async function others() {
  const page = await open("ann");
  await signIn(page, "ann");
  await page.goto(`${admin}#/Location`);
  await page.getByRole("link", { name: "Lake" }).waitFor();
  check((await page.getByRole("link", { name: "Import", exact: true }).count()) === 0, "a customer can import locations");
  const status = await page.evaluate(async (path) => (await fetch(path, { method: "POST", headers: { "Content-Type": "application/x-ndjson" }, body: '{"name":"Sea"}' })).json(), `${admin}/import/createLocation?mode=good`);
  check(status.lines?.[0]?.status === 403, `a customer imports a location: ${JSON.stringify(status)}`);
  await page.context().close();
}

/** References by title and identifier, lists of them, and records whose Post does slow work, so that they cannot be checked. */
async function references() {
  const page = await open("hoard", { foreign: new URL(hoard).origin });
  await signIn(page, "root", `${hoard}/admin`, "demo-root");
  const treasures = "Name;Value;owner;Tags;Is published;Cool factor\nTorc;12;root;cursed|edible;yes;\nBell;x;Nobody;cursed|Unknown;no;11\nDrum;7;;;true;3\n";
  await begin(page, "DragonTreasure", treasures, "treasures.csv", "First records", `${hoard}/admin`);
  await button(page, "Check the file").click();
  await shows(page, "1 row has errors.");
  const found = await findings(page);
  check(["Value", "owner", "Tags", "Cool factor"].every((name) => found.some(([line, column]) => line === "3" && column === name)) && found.length === 4, `the errors of line 3 are ${JSON.stringify(found)}`);
  await button(page, "Import only the 2 rows without errors").click();
  await shows(page, "Imported: 2 records.");
  await page.getByRole("link", { name: "Show the records" }).click();
  await page.getByRole("link", { name: "Drum" }).waitFor();
  const saved = await page.evaluate(async (path) => (await fetch(path)).json(), `${hoard}/api/dragon_treasures?name=Torc`);
  check(saved.length === 1 && saved[0].tags.length === 2 && saved[0].isPublished && saved[0].coolFactor === null, `the treasure is ${JSON.stringify(saved)}`);
  await page.route("**/import/createDragonTreasure?*", (route) => route.fulfill({ status: 429, headers: { "Retry-After": "1" }, contentType: "application/problem+json", body: '{"status":429}' }));
  await begin(page, "DragonTreasure", "name\nOnly one\n", "treasures.csv", "First records", `${hoard}/admin`);
  await button(page, "Check the file").click();
  await shows(page, "The server is busy.");
  await breakable(page);
  await page.evaluate(() => { globalThis.lost = /^POST .*dragon_treasures$/; });
  await button(page, "Import the rows without errors").click();
  await shows(page, "Imported: 1 record.");
  check((await page.evaluate(async (path) => (await (await fetch(path, {})).json()).length, `${hoard}/api/dragon_treasures?name=Only`)) === 1, "a request whose response was lost creates a record twice");
  await begin(page, "User", "email,username,password\nivy@example.com,ivy,correct horse\nivan@example.com,ivan,short\nivo@example.com,ivy,correct horse\n", "users.csv", "First records", `${hoard}/admin`);
  check((await button(page, "Check the file").count()) === 0, "a check is offered whose work nothing undoes");
  await button(page, "Import the rows without errors").click();
  await shows(page, "2 rows have errors.");
  check((await findings(page)).map(([line, column]) => line + column).join() === "3password,4username", "the errors of users are others");
  await shows(page, "Imported: 1 record.");
  await page.context().close();
}

async function looks() {
  for (const [name, options] of Object.entries({ light: { width: 1440 }, dark: { dark: true, width: 1024 }, narrow: { width: 390, height: 844 } })) {
    const page = await open(name, options);
    await signIn(page, "root");
    await page.goto(`${admin}#/Item/import`);
    await page.getByLabel("CSV file", { exact: true }).waitFor();
    await inspect(page, `${name}: an import`);
    await page.screenshot({ path: `${folder}/import-${name}-file.png`, fullPage: true });
    await begin(page, "Item", mixed);
    await page.getByText("How values are read").click();
    await page.getByLabel("Dates").selectOption("dmy");
    await button(page, "Check the file").click();
    await shows(page, "rows have errors.");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    check(wide <= 0, `${name}: the import is ${wide}px wider than the screen`);
    await inspect(page, `${name}: a checked import`);
    await page.screenshot({ path: `${folder}/import-${name}.png`, fullPage: true });
    await page.context().close();
  }
}

await perform(folder, async () => {
  const page = await open("root");
  await signIn(page, "root");
  await columns(page);
  await errors(page);
  await whole(page);
  await interrupted(page);
  await hostile(page);
  await conversions(page);
  await page.context().close();
  await others();
  await references();
  await looks();
  return "files are imported";
});
