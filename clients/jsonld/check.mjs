// Asks a running examples/library for JSON-LD as its clients do: everything that it answers is
// expanded by the JSON-LD processor without a warning, contexts and all being fetched from it, and
// its Hydra documentation is parsed into the same resources as its OpenAPI document.
import assert from "node:assert/strict";
import jsonld from "jsonld";
import { parseHydraDocumentation, parseOpenApi3Documentation } from "@api-platform/api-doc-parser";

const base = process.argv[2];
const mediaType = "application/ld+json";

async function send(method, path, body, type = mediaType) {
  const response = await fetch(base + path, {
    method,
    headers: { Accept: mediaType, ...(body && { "Content-Type": type }) },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  return { response, status: response.status, body: text && JSON.parse(text) };
}

// Everything is fetched from the service alone, once.
const fetched = new Map();
async function documentLoader(url) {
  assert.ok(url.startsWith(base), `${url} is not of the service`);
  if (!fetched.has(url)) {
    const { status, body } = await send("GET", url.slice(base.length));
    assert.equal(status, 200, url);
    fetched.set(url, body);
  }
  return { contextUrl: null, documentUrl: url, document: fetched.get(url) };
}

// safe makes an error of whatever would be lost.
async function expand(path, document) {
  const warn = console.warn;
  console.warn = (...args) => assert.fail(`a warning: ${args.join(" ")}`);
  try {
    return await jsonld.expand(document, { base: base + path, documentLoader, safe: true });
  } catch (error) {
    throw new Error(`${path}: ${error.message} ${JSON.stringify(error.details)}`);
  } finally {
    console.warn = warn;
  }
}

const hydra = (name) => `http://www.w3.org/ns/hydra/core#${name}`;
const own = (name) => `${base}/api/docs.jsonld#${name}`;

async function create(path, body) {
  const made = await send("POST", path, body);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.equal(made.response.headers.get("Content-Location"), made.body["@id"]);
  return made.body["@id"];
}

const author = await create("/api/authors", { "@type": "Author", name: "Ursula K. Le Guin", born: 1929 });
const subject = await create("/api/subjects", { "@context": "/api/contexts/Subject", name: "dragons & more" });
const books = [];
for (const title of ["A Wizard of Earthsea", "Tehanu", "The Dispossessed", "Rocannon's World", "Lavinia"]) {
  books.push(await create("/api/books", {
    title, year: 1968, author, subjects: [subject], shelf: { room: "north", row: 1 }, notes: ["b", "a", "b"],
  }));
}

// An item is read, changed and sent back whole.
const item = (await send("GET", books[0])).body;
assert.equal((await send("PUT", books[0], { ...item, lent: true })).status, 200);
assert.equal((await send("PUT", books[0], { ...item, "@id": books[1] })).status, 400);
assert.equal((await send("PUT", books[0], { ...item, "@type": "Author" })).status, 400);

// Every answer expands, and what it says is what it means.
for (const path of [
  "/api", "/api/docs.jsonld", books[0], author, subject, "/api/books", "/api/authors", "/api/subjects",
  "/api/books?page=2&sort=-title", "/api/books?title=e&expand=author,subjects", `${books[0]}?expand=author,subjects`, `${author}/books`,
  "/api/books/99", "/api/books?colour=1",
]) {
  await expand(path, (await send("GET", path)).body);
}
const refused = await send("POST", "/api/books", { title: "", year: "x", colour: 1 });
assert.equal(refused.status, 400);
const [told] = await expand("/api/books", refused.body);
assert.deepEqual(told["@type"], [own("ConstraintViolation")]);
const violations = Object.entries(told).find(([name]) => name.includes("violations"))[1];
assert.ok(violations.length >= 3 && violations.every((v) => v[own("propertyPath")] && v[own("message")]));
assert.ok(told[hydra("description")][0]["@value"].includes("title must not be blank"));

const [node] = await expand(books[0], (await send("GET", books[0])).body);
assert.equal(node["@id"], base + books[0]);
assert.deepEqual(node["@type"], [own("Book")]);
assert.deepEqual(node[own("Book/author")], [{ "@id": base + author }]);
assert.deepEqual(node[own("Book/notes")], [{ "@list": [{ "@value": "b" }, { "@value": "a" }, { "@value": "b" }] }]);
assert.equal(node[own("Book/shelf")][0][own("Book.shelf/room")][0]["@value"], "north");
assert.equal(node[own("Book/addedAt")][0]["@type"], "http://www.w3.org/2001/XMLSchema#dateTime");

// All pages are reached by their views.
let members = 0;
for (let next = "/api/books"; next; ) {
  const [page] = await expand(next, (await send("GET", next)).body);
  assert.equal(page[hydra("totalItems")][0]["@value"], books.length);
  members += page[hydra("member")].length;
  next = page[hydra("view")][0][hydra("next")]?.[0]["@id"].slice(base.length);
}
assert.equal(members, books.length);

// A frame finds the books of an author, with the author in them.
const found = await send("GET", "/api/books?expand=author");
const framed = await jsonld.frame(found.body, {
  "@context": "/api/contexts/Book", "@type": "Book", author: { "@type": "Author" },
}, { base: `${base}/api/books`, documentLoader, safe: true });
assert.equal(framed["@graph"].length, 2);
assert.equal(framed["@graph"][0].author.name, "Ursula K. Le Guin");

// Both documentations say the same.
const options = { headers: {} };
const linked = (await parseHydraDocumentation(`${base}/api`, options)).api;
const plain = (await parseOpenApi3Documentation(`${base}/api/docs.json`)).api;

// The same types have two names: lists have no element type in XSD, references no format there, and
// JSON Schema has a list of types where null is one.
const names = { double: "number", float: "number", uriReference: "string", iriReference: "string" };
const typeOf = (field) => {
  const range = field.range ?? "";
  const type = [field.type].flat().filter((name) => name !== "null")[0];
  if (range.endsWith("#List") || (field.reference && field.maxCardinality === null && range)) return "array";
  if (range.startsWith(own("")) && !field.reference) return "object";
  return names[type] ?? type;
};
// OpenAPI has no references: the parser guesses them by names. It looks for collections beside the
// prefix, so that operations are compared that are on items; and where an answer may have embedded
// records it reads the body of a Put alone, which says no type of what is read-only.
const describe = (api) => Object.fromEntries(api.resources.map((r) => [r.title, {
  fields: Object.fromEntries(r.fields.map((f) => [f.name, {
    type: r.title === "Book" && !r.writableFields.some((g) => g.name === f.name) ? "" : typeOf(f),
    reference: f.name === "books" ? "" : f.reference?.title,
    readable: r.readableFields.some((g) => g.name === f.name), writable: r.writableFields.some((g) => g.name === f.name),
  }])),
  operations: r.operations.map((o) => `${o.method} ${o.type}`).filter((o) => !/list|create/.test(o)).sort(),
}]));
assert.deepEqual(describe(linked), describe(plain));
assert.deepEqual(Object.keys(describe(linked)), ["Book", "Author", "Subject"]);
assert.equal(describe(linked).Book.fields.author.reference, "Author");
assert.equal(describe(linked).Book.fields.subjects.reference, "Subject");

const resource = linked.resources.find((r) => r.title === "Book");
await resource.getParameters();
assert.ok(resource.parameters.some((p) => p.variable === "order[title]"));
console.log(`JSON-LD: ${fetched.size} contexts, ${linked.resources.length} resources, ${members} members on pages`);
