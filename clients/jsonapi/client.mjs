// Uses a running examples/hoard -demo by kitsu, a client of JSON:API, as ann.
import assert, { report } from "../checks.mjs";
import Kitsu from "kitsu";

const base = process.argv[2];
if (!base) throw new Error("usage: client.mjs BASE");
const options = { baseURL: `${base}/api`, camelCaseTypes: false, pluralize: false, resourceCase: "none" };
const api = new Kitsu({ ...options, headers: { Authorization: "Bearer demo-ann" } });
const refs = (type, ...ids) => ({ data: ids.map((id) => ({ type, id: String(id) })) });
const ref = (type, id) => ({ data: { type, id: String(id) } });

const { data: tag } = await api.create("tags", { name: "heavy" });
assert.equal(tag.type, "tags");
const made = [];
for (let i = 1; i <= 35; i++) {
  const { data } = await api.create("dragon_treasures", {
    name: `Coin ${i}`, value: 1000 + i, isPublished: i % 2 === 0, tags: refs("tags", tag.id),
  });
  made.push(data.id);
}

const walked = [];
for (let number = 1, next = "some"; next; number++) {
  const page = await api.get("dragon_treasures", {
    params: { include: "owner,tags", sort: "-value", page: { number }, filter: { tags: tag.id, value: { gte: 1003 } } },
  });
  assert.equal(page.meta.totalItems, 33);
  for (const treasure of page.data) {
    walked.push(treasure.value);
    assert.equal(treasure.owner.data.username, "ann");
    assert.equal(treasure.tags.data[0].name, "heavy");
  }
  next = page.links.next;
}
assert.deepEqual(walked, Array.from({ length: 33 }, (_, i) => 1035 - i));

// A draft is its owner's alone.
const others = await new Kitsu(options).get("dragon_treasures", { params: { filter: { tags: tag.id } } });
assert.equal(others.meta.totalItems, 17);

const { data: ofBob } = await api.get("dragon_treasures", { params: { filter: { owner: "2", "owner.username": "bob" } } });
assert.ok(ofBob.length > 0);

const [id] = made;
await api.patch("dragon_treasures", { id, name: "Penny", tags: refs("tags") });
const { data: penny } = await api.get(`dragon_treasures/${id}`, { params: { include: "owner" } });
assert.equal(penny.name, "Penny");
assert.equal(penny.owner.data.username, "ann");
assert.deepEqual(penny.tags.data, []);

// A patch replaces a list of references.
const { data: shiny } = await api.create("tags", { name: "very shiny" });
const tagsOf = async () => (await api.get(`dragon_treasures/${id}`)).data.tags.data.map((one) => one.id).sort();
await api.patch("dragon_treasures", { id, isPublished: true, tags: refs("tags", tag.id, shiny.id) });
assert.deepEqual(await tagsOf(), [tag.id, shiny.id].sort());
await api.patch("dragon_treasures", { id, tags: refs("tags", shiny.id) });
assert.deepEqual(await tagsOf(), [shiny.id]);
await assert.rejects(api.patch("dragon_treasures", { id, tags: refs("tags", tag.id, "999") }),
  (refused) => refused.errors[0].status === "400" && refused.errors[0].source.pointer === "/data/relationships/tags/data/1");
await assert.rejects(api.patch("dragon_treasures", { id: "2", tags: refs("tags", tag.id) }), (refused) => refused.errors[0].status === "403");

await assert.rejects(api.create("dragon_treasures", { name: "x", value: -1, tags: refs("tags", 999) }), (refused) => {
  assert.deepEqual(refused.errors.map((e) => e.source.pointer).sort(), ["/data/attributes/name", "/data/attributes/value", "/data/relationships/tags/data/0"]);
  return refused.errors.every((e) => e.status === "400");
});
await assert.rejects(api.get("dragon_treasures", { params: { filter: { wood: 1 } } }), (refused) => refused.errors[0].source.parameter === "filter[wood]");
await assert.rejects(api.patch("dragon_treasures", { id: "2", name: "Mine" }), (refused) => refused.errors[0].status === "403");
await assert.rejects(new Kitsu(options).create("dragon_treasures", { name: "Coin" }), (refused) => refused.errors[0].status === "401");

for (const id of made) await api.delete("dragon_treasures", id);
await assert.rejects(api.get(`dragon_treasures/${id}`), (refused) => refused.errors[0].status === "404");
report("Kitsu: reads pages, includes, filters, creates, changes, relates, deletes");
