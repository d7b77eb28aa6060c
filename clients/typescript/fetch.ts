import createClient from "openapi-fetch";
import type { paths, components } from "./generated/api.d.ts";

type Treasure = components["schemas"]["DragonTreasure"];

const base = process.argv[2];
if (!base) throw new Error("usage: fetch.ts BASE");
let requests = 0;
const counted = (request: Request) => (requests++, fetch(request));
const client = createClient<paths, "application/json" | "application/problem+json">({ baseUrl: base, fetch: counted });

function must<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(what);
  return value;
}

const listed = await client.GET("/api/dragon_treasures", {
  params: { query: { "value[gte]": 1000, sort: ["-value"], itemsPerPage: 2 } },
});
const first: Treasure = must(listed.data?.[0], "no treasure is listed");
const value: number = first.value;
if (value < 1000 || listed.response.headers.get("X-Total-Count") === null) throw new Error("the list is wrong");

const created = await client.POST("/api/dragon_treasures", { body: { name: "Copper kettle", value: 12, isPublished: true } });
const kettle: Treasure = must(created.data, "nothing was created");
const id: number = kettle.id;
const at = { params: { path: { id } } };

const got = await client.GET("/api/dragon_treasures/{id}", at);
const name: string = must(got.data, "nothing was read").name;
if (name !== "Copper kettle") throw new Error("another treasure was read");
const updated = await client.PUT("/api/dragon_treasures/{id}", { ...at, body: { name: "Copper kettle", value: 13 } });
if (must(updated.data, "nothing was updated").value !== 13) throw new Error("the update is lost");
const patched = await client.PATCH("/api/dragon_treasures/{id}", {
  ...at,
  body: { coolFactor: 3 },
  headers: { "Content-Type": "application/merge-patch+json" },
});
const cool: number | null = must(patched.data, "nothing was patched").coolFactor;
if (cool !== 3) throw new Error("the patch is lost");
const removed = await client.DELETE("/api/dragon_treasures/{id}", at);
if (removed.response.status !== 204) throw new Error("it was not removed");

const refused = await client.POST("/api/programmers", { body: { nickname: " ", avatarNumber: 1, tagLine: "x" } });
if (refused.response.status !== 400 || refused.error === undefined) throw new Error("a blank nickname is taken");
console.log(`openapi-typescript: ${requests} requests: list, create, get, update, patch, delete, an error`);
