// Uses the tools of examples/hoard -demo by the official TypeScript SDK, which holds structured content to their schemas.
import assert, { report } from "../checks.mjs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const base = process.argv[2];
if (!base) throw new Error("usage: hoard.mjs BASE");

async function connect(token) {
  const client = new Client({ name: "trove-clients-mcp", version: "1.0.0" });
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit: { headers } }));
  const { tools } = await client.listTools(); // so that the client knows their schemas
  return { client, names: tools.map((tool) => tool.name) };
}
const call = async ({ client }, name, args) => await client.callTool({ name, arguments: args });
const does = async (who, name, args) => {
  const result = await call(who, name, args);
  assert.ok(!result.isError, `${name}: ${result.content?.[0]?.text}`);
  return result.structuredContent;
};

const [nobody, ann, bob, root] = await Promise.all([connect(), connect("demo-ann"), connect("demo-bob"), connect("demo-root")]);
for (const { names } of [nobody, ann, bob, root]) {
  assert.ok(!names.some((name) => /login|logout/i.test(name)));
  assert.ok(names.includes("listDragonTreasures"));
}
assert.ok(!nobody.names.includes("createDragonTreasure") && ann.names.includes("createDragonTreasure"));
assert.ok(!ann.names.includes("deleteTag") && root.names.includes("deleteTag"));

const imported = await does(ann, "importDragonTreasure", { body: [{ name: "Ring", isPublished: true }, { name: "Draft" }] });
assert.deepEqual(imported.items.map((t) => [t.name, t.owner, t.isMine]), [["Ring", "/api/users/1", true], ["Draft", "/api/users/1", true]]);
const refused = await call(ann, "importDragonTreasure", { body: [{ name: "Ring" }, { name: "" }] });
assert.ok(refused.isError && refused.content[0].text.includes("[1].name"));

assert.equal((await does(bob, "listNotifications", { isRead: false })).items[0].message, "Ring has been published.");
assert.ok((await call(bob, "getDragonTreasure", { id: imported.items[1].id })).isError);
await does(bob, "unfollowUser", { id: 2, follows: 1 });
await does(bob, "followUser", { id: 2, follows: 1 });
assert.deepEqual((await does(bob, "getUser", { id: 2 })).follows, ["/api/users/1"]);

const seen = [];
for (let args = { itemsPerPage: 7, expand: ["owner", "tags"] }; args; ) {
  const page = await does(nobody, "listDragonTreasures", args);
  seen.push(...page.items);
  args = page.nextCursor && { cursor: page.nextCursor };
}
assert.ok(seen.length > 7 && seen.every((t) => t.isPublished && t._embedded.owner.username));
assert.equal((await does(ann, "patchQuest", { date: "2026-11-22", status: "completed" })).status, "completed");
assert.ok((await call(bob, "patchQuest", { date: "2026-11-22", status: "completed" })).content[0].text.includes('"status":409'));
assert.equal((await does(ann, "createAPIToken", { scopes: ["treasure:edit"] })).token.length > 20, true);
for (const token of (await does(ann, "listAPITokens", {})).items) assert.equal(token.token, undefined);
assert.ok((await nobody.client.readResource({ uri: "/api/dragon_treasures/1" })).contents[0].text.includes("Amber amulet"));

for (const { client } of [nobody, ann, bob, root]) await client.close();
report("MCP TypeScript SDK, examples/hoard: tools of each caller, an import, pages, references, tokens");
