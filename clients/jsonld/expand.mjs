// Has the JSON-LD processor expand answers that a test has written to a file, by their addresses: those of an API
// with a member of each kind, some of which are called as prefixes and classes are. Nothing may be lost of them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import jsonld from "jsonld";

const base = "http://example.com";
const apis = JSON.parse(readFileSync(process.argv[2], "utf8"));
const hydra = (name) => `http://www.w3.org/ns/hydra/core#${name}`;
const own = (name) => `${base}/api/docs.jsonld#${name}`;

// What is answered to "POST /api/books 3" is at the second word of it.
async function expandAll(answers) {
  const documentLoader = async (url) => {
    const document = answers[url.slice(base.length)];
    assert.ok(document, `${url} was not answered`);
    return { contextUrl: null, documentUrl: url, document };
  };
  const expanded = {};
  for (const [request, answer] of Object.entries(answers)) {
    const path = request.split(" ")[1] ?? request;
    if (path.startsWith("/api/contexts/")) continue;
    assert.ok(answer["@context"], `${request} is no JSON-LD`);
    try {
      expanded[request] = await jsonld.expand(answer, { base: base + path, documentLoader, safe: true });
    } catch (error) {
      throw new Error(`${request}: ${error.message} ${JSON.stringify(error.details)}`);
    }
  }
  return expanded;
}

// What nodes are called, or are of which there are properties: names of properties and of classes, and identifiers.
const namesOf = (value, into = { used: new Set(), ids: new Set() }) => {
  for (const [name, member] of Object.entries(value ?? {})) {
    if (name === "@value") continue;
    if (!Array.isArray(value)) into.used.add(name);
    if (name === "@type") [member].flat().forEach((type) => into.used.add(type));
    if (name === "@id") into.ids.add(member);
    if (typeof member === "object") namesOf(member, into);
  }
  return into;
};

// All that Hydra core has of what an API may say.
const core = ("Collection PartialCollectionView IriTemplate IriTemplateMapping BasicRepresentation Error ApiDocumentation Class SupportedProperty Link Operation " +
  "member totalItems view first last next previous search template mapping variable required property variableRepresentation statusCode title description entrypoint " +
  "supportedClass supportedProperty supportedOperation method expects returns readable writeable").split(" ").map(hydra);

const all = [];
for (const answers of apis) {
  const expanded = await expandAll(answers);
  all.push(expanded);
  const documented = namesOf(expanded["/api/docs.jsonld"]).ids;
  for (const [request, nodes] of Object.entries(expanded)) {
    const { used, ids } = namesOf(nodes);
    for (const name of [...used, ...ids]) {
      assert.match(name, /^(@|_:|https?:)/, `${request}: ${name}`);
      if (name.startsWith(hydra("")) && name !== hydra("apiDocumentation")) assert.ok(core.includes(name), `${request}: Hydra has no ${name}`);
    }
    // What is no record has its properties in a context of its own.
    if (typeof answers[request]["@context"] === "object") continue;
    for (const name of [...used, ...ids]) if (name.startsWith(own(""))) assert.ok(documented.has(name), `${request}: ${name} is not in the documentation`);
  }
}
const [expanded, refused] = all;
const [page] = expanded["/api/exhibits?expand=case,cases,keeper,halls,stage"];
assert.deepEqual(page["@type"], [hydra("Collection")]);
const [exhibit] = page[hydra("member")];
assert.equal(exhibit[own("Exhibit/hydra")][0]["@value"], "h");
const [keeper] = exhibit[own("Exhibit/keeper")];
assert.deepEqual(keeper["@type"], [own("Keeper")]);
assert.deepEqual(keeper[own("Keeper/Hall")], [{ "@id": `${base}/api/halls/a%2Fb%2Ejson` }]);
assert.deepEqual(exhibit[own("Exhibit/halls")][0]["@type"], [own("Hall")]);
const [one] = expanded["/api/keepers/2?expand=Boss,Hall"];
assert.deepEqual(one[own("Keeper/Hall")][0]["@type"], [own("Hall")]);
assert.equal(one[own("Keeper/Hall")][0][own("Hall/floor")][0]["@value"], 1);
const [told] = Object.entries(refused).find(([request]) => request.startsWith("POST /api/secrets 3"))[1];
assert.deepEqual(told["@type"], [own("ConstraintViolation")]);
assert.equal(told[hydra("statusCode")][0]["@value"], 422);
assert.equal(told[own("ConstraintViolation/violations")][0][own("propertyPath")][0]["@value"], "text");
console.log(`jsonld: ${all.reduce((sum, of) => sum + Object.keys(of).length, 0)} responses expanded without a warning`);
