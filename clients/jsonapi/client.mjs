// Uses format/jsonapi/testdata/server by kitsu, a client of JSON:API.
import assert from "node:assert/strict";
import Kitsu from "kitsu";

const base = process.argv[2];
if (!base) throw new Error("usage: client.mjs BASE");
const api = new Kitsu({ baseURL: `${base}/api`, camelCaseTypes: false, pluralize: false, resourceCase: "none" });

const { data: ann } = await api.create("users", { name: "Ann" });
const { data: bob } = await api.create("users", { name: "Bob", boss: { data: { type: "users", id: ann.id } } });
assert.equal(bob.type, "users");
await api.create("tags", { id: "a/b", color: "red" });
for (let i = 1; i <= 25; i++) {
  const { data: made } = await api.create("dragon_treasures", {
    name: `Coin ${i}`, worth: i,
    owner: { data: { type: "users", id: i % 2 ? ann.id : bob.id } },
    tags: { data: [{ type: "tags", id: "a/b" }] },
  });
  assert.equal(made.id, String(i));
}

const walked = [];
for (let number = 1, next = "some"; next; number++) {
  const page = await api.get("dragon_treasures", {
    params: { include: "owner.boss,tags", sort: "-worth", page: { number, size: 10 }, filter: { worth: { gte: 3 } } },
  });
  assert.equal(page.meta.totalItems, 23);
  for (const treasure of page.data) {
    walked.push(treasure.worth);
    assert.equal(treasure.owner.data.name, treasure.worth % 2 ? "Ann" : "Bob");
    assert.equal(treasure.tags.data[0].color, "red");
  }
  next = page.links.next;
}
assert.deepEqual(walked, Array.from({ length: 23 }, (_, i) => 25 - i));

const { data: ofBob } = await api.get("dragon_treasures", { params: { filter: { owner: bob.id }, fields: { dragon_treasures: "name" } } });
assert.equal(ofBob.length, 12);
assert.equal(ofBob[0].worth, undefined);

await api.patch("dragon_treasures", { id: "1", name: "Penny", owner: { data: { type: "users", id: bob.id } }, tags: { data: [] } });
const { data: penny } = await api.get("dragon_treasures/1", { params: { include: "owner.boss" } });
assert.equal(penny.name, "Penny");
assert.equal(penny.owner.data.name, "Bob");
assert.equal(penny.owner.data.boss.data.name, "Ann");
assert.deepEqual(penny.tags.data, []);

await assert.rejects(api.create("dragon_treasures", { name: "x", worth: -1, owner: { data: { type: "users", id: "9" } } }), (refused) => {
  assert.deepEqual(refused.errors.map((e) => e.source.pointer).sort(), ["/data/attributes/name", "/data/attributes/worth", "/data/relationships/owner"]);
  return refused.errors.every((e) => e.status === "400");
});
await assert.rejects(api.get("dragon_treasures", { params: { filter: { wood: 1 } } }), (refused) => refused.errors[0].source.parameter === "filter[wood]");

await api.delete("dragon_treasures", "1");
await assert.rejects(api.get("dragon_treasures/1"), (refused) => refused.errors[0].status === "404");
console.log("kitsu: creates, lists, includes, filters, changes, deletes, refusals");
