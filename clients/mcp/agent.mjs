// Uses mcp/testdata/server as agents do, by the official TypeScript SDK: it holds structured
// content to the schemas of the tools.
import assert, { report } from "../checks.mjs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const base = process.argv[2];
if (!base) throw new Error("usage: agent.mjs BASE");

async function connect(token) {
  const client = new Client({ name: "trove-clients-mcp", version: "1.0.0" });
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit: { headers } }));
  return client;
}

const names = async (client) => (await client.listTools()).tools.map((tool) => tool.name).sort();
const call = async (client, name, args) => await client.callTool({ name, arguments: args });
const does = async (client, name, args) => {
  const result = await call(client, name, args);
  assert.ok(!result.isError, `${name}: ${result.content?.[0]?.text}`);
  return result.structuredContent;
};

const nobody = await connect();
const librarian = await connect("librarian");
assert.equal(nobody.getServerVersion()?.name, "Library");
assert.deepEqual(await names(nobody), ["getAuthor", "getBook", "listAuthors", "listBooks"]);
assert.deepEqual(await names(librarian), [
  "createAuthor", "createBook", "deleteAuthor", "deleteBook", "discountBook", "getAuthor", "getBook",
  "listAuthors", "listBooks", "patchAuthor", "patchBook", "updateAuthor", "updateBook",
]);
const { tools } = await librarian.listTools();
assert.equal(tools.find((tool) => tool.name === "deleteBook").annotations.destructiveHint, true);
assert.equal(tools.find((tool) => tool.name === "listBooks").annotations.readOnlyHint, true);

const author = await does(librarian, "createAuthor", { name: "Herbert" });
const made = [];
for (let i = 0; i < 45; i++) {
  const book = await does(librarian, "createBook", {
    title: `Dune ${i}`, year: 1965 + i, price: i % 2 ? i : null, tags: ["sand"], author: i % 3 ? `/api/authors/${author.id}` : null,
  });
  made.push(book.id);
}

const walked = [];
for (let args = { year_gte: 1970, sort: ["-year"], expand: ["author"], itemsPerPage: 7 }; ; ) {
  const page = await does(nobody, "listBooks", args);
  walked.push(...page.items.map((book) => book.year));
  if (!page.nextCursor) break;
  args = { cursor: page.nextCursor };
}
assert.deepEqual(walked, Array.from({ length: 40 }, (_, i) => 2009 - i));

const id = made[1];
assert.equal((await does(librarian, "patchBook", { id, year: 1999 })).year, 1999);
assert.equal((await does(librarian, "updateBook", { id, title: "Dune", year: 1965, price: 10 })).title, "Dune");
assert.equal((await does(librarian, "discountBook", { id, percent: 50 })).price, 5);
assert.deepEqual(Object.keys(await does(nobody, "getBook", { id, fields: ["title"] })).sort(), ["id", "title"]);

const refused = await call(librarian, "createBook", { title: " ", year: 3000, pages: 1 });
assert.equal(refused.isError, true);
for (const member of ["title", "year", "pages"]) assert.ok(refused.content[0].text.includes(member), member);

const read = await nobody.readResource({ uri: `/api/books/${id}` });
assert.equal(JSON.parse(read.contents[0].text).title, "Dune");
const { resourceTemplates } = await nobody.listResourceTemplates();
assert.deepEqual(resourceTemplates.map((template) => template.uriTemplate).sort(), ["/api/authors/{id}", "/api/books/{id}"]);

assert.ok(!(await call(librarian, "deleteBook", { id })).isError);
assert.ok((await call(nobody, "getBook", { id })).isError);
await assert.rejects(nobody.readResource({ uri: `/api/books/${id}` }));

await assert.rejects(call(nobody, "createBook", { title: "Dune", year: 1965 }), /401|Authentication required/);
await assert.rejects(connect("stranger"), /401|credentials/);
await nobody.close();
await librarian.close();
report("MCP TypeScript SDK: tools of each caller, calls, pages, errors, resources, challenges");
