// Asks a running examples/hoard -demo for JSON-LD as its clients do: everything that it answers is
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
    headers: { Accept: mediaType, Authorization: "Bearer demo-ann", ...(body && { "Content-Type": type }) },
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

const tag = await create("/api/tags", { "@type": "Tag", "@context": "/api/contexts/Tag", name: "dragons & more" });
const treasures = [];
for (const name of ["Goblet of tin", "Cup of tin", "Plate of tin", "Spoon of tin"]) {
  treasures.push(await create("/api/dragon_treasures", { name, description: null, value: 3, isPublished: true, tags: [tag] }));
}
// Reviews are below treasures alone, and have no address of their own.
assert.equal((await send("POST", `${treasures[0]}/reviews`, { "@type": "Review", rating: 4 })).status, 201);

// An item is read, changed and sent back whole, but for what is computed.
const { shortDescription: _, isMine: __, ...item } = (await send("GET", treasures[0])).body;
assert.equal((await send("PUT", treasures[0], { ...item, value: 4 })).status, 200);
assert.equal((await send("PUT", treasures[0], { ...item, "@id": treasures[1] })).status, 400);
assert.equal((await send("PUT", treasures[0], { ...item, "@type": "Tag" })).status, 400);

// Every answer expands, and what it says is what it means.
for (const path of [
  "/api", "/api/docs.jsonld", treasures[0], tag, "/api/users/1", "/api/users", "/api/tags", "/api/api_tokens",
  "/api/notifications", "/api/quests", "/api/quests/2026-11-22", "/api/cards", `${treasures[0]}/reviews?expand=author`, "/api/users/1/treasures",
  "/api/dragon_treasures?page=2&sort=-value", "/api/dragon_treasures?name=tin&expand=owner,tags", `${treasures[0]}?expand=owner,tags`,
  "/api/dragon_treasures/9999", "/api/dragon_treasures?colour=1",
]) {
  await expand(path, (await send("GET", path)).body);
}
const refused = await send("POST", "/api/dragon_treasures", { name: "", value: "x", colour: 1 });
assert.equal(refused.status, 400);
const [told] = await expand("/api/dragon_treasures", refused.body);
assert.deepEqual(told["@type"], [own("ConstraintViolation")]);
const violations = Object.entries(told).find(([name]) => name.includes("violations"))[1];
assert.ok(violations.length >= 3 && violations.every((v) => v[own("propertyPath")] && v[own("message")]));
assert.ok(told[hydra("description")][0]["@value"].includes("name must not be blank"));

const [node] = await expand(treasures[0], (await send("GET", treasures[0])).body);
assert.equal(node["@id"], base + treasures[0]);
assert.deepEqual(node["@type"], [own("DragonTreasure")]);
assert.deepEqual(node[own("DragonTreasure/owner")], [{ "@id": `${base}/api/users/1` }]);
assert.deepEqual(node[own("DragonTreasure/tags")].flatMap((of) => of["@list"] ?? of), [{ "@id": base + tag }]);
assert.equal(node[own("DragonTreasure/plunderedAt")][0]["@type"], "http://www.w3.org/2001/XMLSchema#dateTime");
const [quest] = await expand("/api/quests/2026-11-22", (await send("GET", "/api/quests/2026-11-22")).body);
assert.equal(quest[own("Quest/treasures")].flatMap((of) => of["@list"] ?? of)[0][own("Quest.treasures/name")][0]["@value"], "Lava pearl");

// All pages are reached by their views.
let members = 0;
let total;
for (let next = "/api/dragon_treasures"; next; ) {
  const [page] = await expand(next, (await send("GET", next)).body);
  total = page[hydra("totalItems")][0]["@value"];
  members += page[hydra("member")].length;
  next = page[hydra("view")][0][hydra("next")]?.[0]["@id"].slice(base.length);
}
assert.ok(total > 30);
assert.equal(members, total);

// A frame finds the treasures of tin, with the owner in them.
const found = await send("GET", "/api/dragon_treasures?name=tin&expand=owner");
const framed = await jsonld.frame(found.body, {
  "@context": "/api/contexts/DragonTreasure", "@type": "DragonTreasure", owner: { "@type": "User" },
}, { base: `${base}/api/dragon_treasures`, documentLoader, safe: true });
assert.equal(framed["@graph"].length, treasures.length);
assert.ok(framed["@graph"].some((treasure) => treasure.owner.username === "ann"));

// Both documentations say the same.
const options = { headers: {} };
const linked = (await parseHydraDocumentation(`${base}/api`, options)).api;
const plain = (await parseOpenApi3Documentation(`${base}/api/docs.json`)).api;

// The same types have two names: lists have no element type in XSD, formats of texts no name there,
// and JSON Schema has a list of types where null is one.
const names = { double: "number", float: "number", uriReference: "string", iriReference: "string", email: "string", date: "string" };
const typeOf = (field) => {
  const range = field.range ?? "";
  const type = [field.type].flat().filter((name) => name !== "null")[0];
  if (range.endsWith("#List") || (field.reference && field.maxCardinality === null && range)) return "array";
  if (range.startsWith(own("")) && !field.reference) return "object";
  return names[type] ?? type;
};
// OpenAPI has no references: the parser guesses them by the names of members. It calls resources as
// their paths are, and looks for collections beside the prefix, so that operations are compared that
// are on items. Where answers have embedded records, computed members or a view, it reads a body
// alone, which has no type of what is read-only.
const unread = ["DragonTreasure", "Notification", "Quest"];
const bodyAlone = (r, f) => unread.includes(r.title) && !r.writableFields.some((g) => g.name === f.name);
const computed = ["shortDescription", "isMine"];
const describe = (api) => Object.fromEntries(api.resources.filter((r) => !/^apitoken$/i.test(r.title)).map((r) => [r.title, {
  fields: Object.fromEntries(r.fields.filter((f) => !computed.includes(f.name)).map((f) => [f.name, {
    type: bodyAlone(r, f) ? "" : typeOf(f),
    readable: r.readableFields.some((g) => g.name === f.name), writable: r.writableFields.some((g) => g.name === f.name),
  }])),
  operations: r.operations.map((o) => `${o.method} ${o.type}`).filter((o) => !/list|create/.test(o)).sort(),
}]));
assert.deepEqual(describe(linked), describe(plain));
assert.deepEqual(linked.resources.map((r) => r.title), ["User", "DragonTreasure", "Tag", "APIToken", "Notification", "Quest"]);
assert.deepEqual(plain.resources.map((r) => r.title), ["User", "DragonTreasure", "Tag", "ApiToken", "Notification", "Quest"]);
const fieldsOf = (name) => linked.resources.find((r) => r.title === name).fields;
const references = (name) => Object.fromEntries(fieldsOf(name).filter((f) => f.reference).map((f) => [f.name, f.reference.title]));
assert.deepEqual(references("DragonTreasure"), { owner: "User", tags: "Tag" });
assert.deepEqual(references("User"), { follows: "User" });
assert.deepEqual(references("Notification"), { recipient: "User", treasure: "DragonTreasure" });
assert.deepEqual(references("APIToken"), { owner: "User" });
for (const name of computed) assert.ok(fieldsOf("DragonTreasure").some((f) => f.name === name));

const resource = linked.resources.find((r) => r.title === "DragonTreasure");
await resource.getParameters();
assert.ok(resource.parameters.some((p) => p.variable === "order[name]"));
console.log(`JSON-LD: ${fetched.size} contexts, ${linked.resources.length} resources, ${members} members on pages`);
