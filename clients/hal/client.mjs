// Walks through a running examples/hoard -demo by ketting, a client of HAL: by links alone, from the
// entry point on.
import assert, { report } from "../checks.mjs";
import { Client, bearerAuth } from "ketting";

const base = process.argv[2];
if (!base) throw new Error("usage: client.mjs BASE");
const client = new Client(`${base}/api`);
client.use(bearerAuth("demo-ann"));
const type = "application/hal+json";
client.use((request, next) => {
  request.headers.set("Accept", type);
  return next(request);
});

// All pages, by next and, back again, by prev.
let page = await client.follow("dragonTreasure");
const walked = [];
let total, last;
for (let pages = 0; ; pages++) {
  const state = await page.get();
  assert.ok(pages < 20);
  assert.equal(state.headers.get("Content-Type"), type);
  total = state.data.totalItems;
  for (const item of state.links.getMany("item")) walked.push(item.href);
  for (const item of state.getEmbedded()) assert.ok(walked.includes(new URL(item.uri).pathname)); // whole, at once
  last = page;
  if (!state.links.has("next")) break;
  page = await state.follow("next");
}
assert.equal(new Set(walked).size, total);
assert.equal(walked.length, total);
let back = 1;
while ((await last.get()).links.has("prev")) {
  last = await last.follow("prev");
  back++;
}
assert.equal(back, Math.ceil(total / 30));
assert.equal((await (await client.follow("dragonTreasure").follow("last")).get()).links.has("next"), false);

// The template of filters, which a client fills in.
const search = await client.follow("dragonTreasure").follow("search", { name: ["Golden"], sort: "-value", expand: "owner,tags" });
const golden = await search.get();
const found = golden.getEmbedded();
assert.equal(found.length, golden.data.totalItems);
assert.ok(found.length > 1 && found.every((state) => state.data.name.startsWith("Golden")));
assert.deepEqual(found.map((state) => state.data.value), found.map((state) => state.data.value).toSorted((a, b) => b - a));

// From a treasure to its owner, and to all that she has.
const treasure = client.go("/api/dragon_treasures/1");
const owner = await treasure.follow("owner");
assert.equal((await owner.get()).data.username, "ann");
const hers = await (await owner.follow("treasures")).get();
assert.ok(hers.links.has("self") && hers.data.totalItems > 0);
assert.deepEqual((await treasure.followAll("tags")).map((tag) => new URL(tag.uri).pathname), ["/api/tags/1"]);

// Created, changed, sent back whole, deleted.
const made = await (await client.follow("dragonTreasure")).postFollow({ data: { name: "Ring", value: 3 }, headers: { "Content-Type": "application/json" } });
const ring = await made.get();
assert.equal(ring.data.isMine, true);
ring.data.name = "Ring of brass";
// Not by put, which repeats the Content-Length that the treasure had before.
await made.fetchOrThrow({ method: "PUT", headers: { "Content-Type": type }, body: ring.serializeBody() });
assert.equal((await made.refresh()).data.name, "Ring of brass");
assert.equal(new URL((await made.follow("owner")).uri).pathname, "/api/users/1");
await made.delete();
await assert.rejects(made.refresh(), (refused) => refused.status === 404);
await assert.rejects(client.go("/api/dragon_treasures?wood=1").get(), (refused) => refused.status === 400 && refused.body.detail.includes("wood"));
report("Ketting: reads pages, searches, follows links, creates, changes, deletes");
