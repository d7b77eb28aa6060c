// Asks a running examples/hoard -demo for JSON-LD as its clients do: everything that it answers is
// expanded by the JSON-LD processor without a warning, contexts and all being fetched from it, and
// its Hydra documentation is parsed into the same resources as its OpenAPI document.
import assert, { report } from "../checks.mjs";
import http from "node:http";
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
// Reviews are below treasures alone.
assert.equal((await send("POST", `${treasures[0]}/reviews`, { "@type": "Review", rating: 4 })).status, 201);

// An item is read, changed and sent back whole.
const item = (await send("GET", treasures[0])).body;
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

// Both documentations say the same. The parser reads of a schema only properties that stand in it, and
// looks for collections at the paths of servers: so it is handed the OpenAPI document in such a form, with what
// an answer is put together of in one object, and the prefix as the server. Nothing in it is another.
const document = await (await fetch(`${base}/api/docs.json`)).json();
const resolved = (schema) => schema?.$ref ? resolved(schema.$ref.slice(2).split("/").reduce((at, name) => at[name], document)) : schema;
const whole = (schema) => {
  const { allOf = [], ...own } = resolved(schema);
  return allOf.map(whole).concat(own).reduce((all, part) => ({
    ...all, ...part, properties: { ...all.properties, ...part.properties }, required: [...(all.required ?? []), ...(part.required ?? [])],
  }), {});
};
for (const item of Object.values(document.paths)) {
  for (const { responses, requestBody } of Object.values(item)) {
    for (const { content } of [responses["200"] ?? {}, responses["201"] ?? {}, requestBody ?? {}]) {
      const media = content?.["application/json"];
      if (media?.schema && !resolved(media.schema).items) {
        media.schema = whole(media.schema);
        delete media.schema.properties._embedded; // which is beside the members in JSON alone
      }
    }
  }
}
const readable = {
  ...document, servers: [{ url: `${base}/api` }],
  paths: Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [path.slice("/api".length), item])),
};
// What only the answer to a creation shows, such as a secret, is a member, too.
for (const [path, item] of Object.entries(readable.paths)) {
  const get = readable.paths[Object.keys(readable.paths).find((other) => other.startsWith(`${path}/{`) && other.endsWith("}"))]?.get;
  const [shown, made] = [get?.responses["200"], item.post?.responses["201"]].map((of) => of?.content?.["application/json"].schema);
  if (shown && made) shown.properties = { ...made.properties, ...shown.properties };
}
const server = http.createServer((_, response) => response.setHeader("Content-Type", "application/json").end(JSON.stringify(readable)));
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const linked = (await parseHydraDocumentation(`${base}/api`, { headers: { Authorization: "Bearer demo-root" } })).api;
const plain = (await parseOpenApi3Documentation(`http://127.0.0.1:${server.address().port}/docs.json`)).api;
server.close();

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
// OpenAPI says by a pattern what a text is the address of, where the parser guesses by the names of members. It calls
// resources as their paths are: API tokens ApiToken.
const titles = new Map(linked.resources.map((r) => [r.title.toLowerCase(), r.title]));
const collections = new Map(linked.resources.map((r) => [r.url.slice(base.length), r.title]));
const schemaOf = (r, name) => {
  const item = Object.entries(readable.paths).find(([path]) => `${base}/api${path}`.replace(/\/{[^{}]+}$/, "") === r.url && path.endsWith("}"))[1];
  const schemas = [item.get?.responses["200"], item.put?.requestBody, item.patch?.requestBody].map((of) => of?.content["application/json"].schema);
  return schemas.map((schema) => schema?.properties[name]).find(Boolean);
};
const referredTo = (r, field) => {
  if (field.range !== null) return field.reference?.title;
  const of = resolved(schemaOf(r, field.name));
  const { pattern, format } = resolved(of?.items) ?? of ?? {};
  return format === "iri-reference" ? collections.get(pattern?.match(/^\^([a-z_/]+)\/\(.*\)\$$/)?.[1]) : undefined;
};
// Hydra says what a new record needs, which is for the body of the Post to say; but not of secrets, which changes may omit.
const isRequired = (r, field) => {
  if (field.range !== null) return field.required;
  if (!r.readableFields.some((g) => g.name === field.name)) return false;
  const body = readable.paths[r.url.slice(`${base}/api`.length)].post?.requestBody?.content["application/json"].schema;
  return body?.required?.includes(field.name) ?? false;
};
const describe = (api) => Object.fromEntries(api.resources.map((r) => [titles.get(r.title.toLowerCase()), {
  url: r.url,
  fields: Object.fromEntries(r.fields.map((f) => [f.name, {
    type: typeOf(f), reference: referredTo(r, f), required: isRequired(r, f),
    readable: r.readableFields.some((g) => g.name === f.name), writable: r.writableFields.some((g) => g.name === f.name),
  }])),
  operations: r.operations.map((o) => `${o.method} ${o.type}`).sort(),
}]));
const [said, expected] = [describe(linked), describe(plain)];
for (const title of Object.keys(expected)) {
  for (const name of Object.keys(expected[title].fields)) {
    assert.deepEqual(said[title]?.fields[name], expected[title].fields[name], `${title}.${name}`);
  }
  // OpenAPI adds who sees a member, and what it must be.
  const texts = (api) => Object.fromEntries(api.resources.find((r) => r.title.toLowerCase() === title.toLowerCase()).fields.map((f) => [f.name, f.description]));
  const [short, long] = [texts(linked), texts(plain)];
  for (const name of Object.keys(long)) assert.ok(long[name].startsWith(short[name]), `${title}.${name}: ${short[name]} / ${long[name]}`);
}
assert.deepEqual(said, expected);
assert.deepEqual(linked.resources.map((r) => r.title), ["User", "DragonTreasure", "Tag", "APIToken", "Notification", "Quest"]);
const references = (name) => Object.fromEntries(Object.entries(describe(linked)[name].fields).filter(([, f]) => f.reference).map(([n, f]) => [n, f.reference]));
assert.deepEqual(references("DragonTreasure"), { owner: "User", tags: "Tag" });

const resource = linked.resources.find((r) => r.title === "DragonTreasure");
await resource.getParameters();
assert.ok(resource.parameters.some((p) => p.variable === "order[name]"));
report(`api-doc-parser: ${fetched.size} contexts, ${linked.resources.length} resources, ${members} fields on pages`);
