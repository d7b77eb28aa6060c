import { client } from "./generated/hey/client.gen.js";
import {
  createDragonTreasure,
  deleteDragonTreasure,
  getDragonTreasure,
  listDragonTreasures,
  patchDragonTreasure,
  updateDragonTreasure,
} from "./generated/hey/index.js";
import type { DragonTreasure } from "./generated/hey/index.js";

const base = process.argv[2];
if (!base) throw new Error("usage: hey.ts BASE");
let requests = 0;
const counted: typeof fetch = (...request) => (requests++, fetch(...request));
client.setConfig({ baseUrl: base, fetch: counted });
const throwOnError = true;

const listed: DragonTreasure[] = (await listDragonTreasures({ query: { name: ["golden"], sort: ["-value"] }, throwOnError })).data;
if (listed.length !== 2 || listed[0]?.name !== "Golden ratio") throw new Error("the list is wrong");

const made: DragonTreasure = (await createDragonTreasure({ body: { name: "Tin drum", value: 4 }, throwOnError })).data;
const path = { id: made.id };
const read: DragonTreasure = (await getDragonTreasure({ path, throwOnError })).data;
const text: string | null = read.description;
if (read.name !== "Tin drum" || text !== null) throw new Error("another treasure was read");
const updated: DragonTreasure = (await updateDragonTreasure({ path, body: { value: 5, name: "Tin drum" }, throwOnError })).data;
if (updated.value !== 5) throw new Error("the update is lost");
const patched: DragonTreasure = (await patchDragonTreasure({ path, body: { isPublished: true }, throwOnError })).data;
if (!patched.isPublished) throw new Error("the patch is lost");
await deleteDragonTreasure({ path, throwOnError });
const gone = await getDragonTreasure({ path });
if (gone.response?.status !== 404) throw new Error("it was not removed");
console.log(`@hey-api/openapi-ts: ${requests} requests: list, create, get, update, patch, delete, an error`);
