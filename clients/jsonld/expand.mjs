// Has the JSON-LD processor expand answers that a test has written to a file, by their addresses: those of an API
// with a member of each kind, some of which are called as prefixes and classes are. Nothing may be lost of them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import jsonld from "jsonld";

const base = "http://example.com";
const answers = JSON.parse(readFileSync(process.argv[2], "utf8"));
async function documentLoader(url) {
  const document = answers[url.slice(base.length)];
  assert.ok(document, `${url} was not answered`);
  return { contextUrl: null, documentUrl: url, document };
}

const hydra = (name) => `http://www.w3.org/ns/hydra/core#${name}`;
const own = (name) => `${base}/api/docs.jsonld#${name}`;
const expanded = {};
for (const [path, answer] of Object.entries(answers)) {
  if (!answer["@context"] || path.startsWith("/api/contexts/")) continue;
  try {
    expanded[path] = await jsonld.expand(answer, { base: base + path, documentLoader, safe: true });
  } catch (error) {
    throw new Error(`${path}: ${error.message} ${JSON.stringify(error.details)}`);
  }
}
const properties = (value, into = new Set()) => {
  for (const [name, member] of Object.entries(value ?? {})) {
    if (typeof name === "string" && !Array.isArray(value)) into.add(name);
    if (name !== "@value" && typeof member === "object") properties(member, into);
  }
  return into;
};
for (const [path, nodes] of Object.entries(expanded)) {
  for (const name of properties(nodes)) assert.match(name, /^(@|http:)/, `${path}: ${name}`);
}
const [page] = expanded["/api/exhibits?expand=case,cases,keeper,halls,stage"];
assert.deepEqual(page["@type"], [hydra("Collection")]);
const [exhibit] = page[hydra("member")];
assert.equal(exhibit[own("Exhibit/hydra")][0]["@value"], "h");
const [keeper] = exhibit[own("Exhibit/keeper")];
assert.deepEqual(keeper["@type"], [own("Keeper")]);
assert.deepEqual(keeper[own("Keeper/Hall")], [{ "@id": `${base}/api/halls/a%2Fb.json.json` }]);
assert.deepEqual(exhibit[own("Exhibit/halls")][0]["@type"], [own("Hall")]);
const [one] = expanded["/api/keepers/2?expand=Boss,Hall"];
assert.deepEqual(one[own("Keeper/Hall")][0]["@type"], [own("Hall")]);
assert.equal(one[own("Keeper/Hall")][0][own("Hall/floor")][0]["@value"], 1);
console.log(`JSON-LD: ${Object.keys(expanded).length} answers expanded`);
