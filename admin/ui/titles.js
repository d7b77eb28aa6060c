// Titles of records: of those that pages show, and of those that others refer to, loaded with one request for each resource.
import { useEffect, useState } from "./vendor/preact.js";
import { get } from "./api.js";
import { canFind, canonical, fieldOf, match, parameterOf, pathOf, targetOf, titleOf } from "./model.js";
import { textOf } from "./values.js";

const PER_REQUEST = 30;
const DEEPEST = 4; // titles of records may have titles of others in them, in a circle too
const known = new Map(); // path → {resource, record}; null: it does not exist or cannot be seen
const waiting = new Map(); // path → listeners
let queue = new Map(); // resource → paths

function settle(path, entry) {
  known.set(path, entry);
  const listeners = waiting.get(path) ?? [];
  waiting.delete(path);
  for (const listen of listeners) listen();
}

async function loadOne(resource, path) {
  try {
    const { body } = await get(path, { quiet: true });
    settle(path, { resource, record: body });
  } catch {
    settle(path, null);
  }
}

/** Loads records by the filter of the identifier. */
async function loadMany(resource, paths) {
  const name = resource.identifier[0];
  const query = new URLSearchParams(paths.map((path) => [name, match(path).ids.at(-1)]));
  const perPage = parameterOf(resource.list, "itemsPerPage");
  if (perPage) query.set(perPage.name, String(PER_REQUEST));
  try {
    const { body } = await get(`${resource.path}?${query}`, { quiet: true });
    remember(resource, body);
  } catch {
    // the titles are missing, nothing else
  }
  for (const path of paths) if (waiting.has(path)) settle(path, null);
}

function flush() {
  const all = queue;
  queue = new Map();
  for (const [resource, paths] of all) {
    if (!resource.get) {
      for (const path of paths) settle(path, null);
    } else if (paths.length === 1 || !canFind(resource) || resource.identifier.length !== 1) {
      for (const path of paths) loadOne(resource, path);
    } else {
      for (let i = 0; i < paths.length; i += PER_REQUEST) loadMany(resource, paths.slice(i, i + PER_REQUEST));
    }
  }
}

function want(path, listen) {
  const found = match(path);
  if (!found) return settle(path, null);
  if (!waiting.has(path)) {
    waiting.set(path, new Set());
    if (queue.size === 0) setTimeout(flush);
    queue.set(found.resource, [...(queue.get(found.resource) ?? []), path]);
  }
  waiting.get(path).add(listen);
}

/** Remembers records that have been loaded for another reason, for their titles. */
export function remember(resource, records) {
  for (const record of records) {
    const path = pathOf(resource, record);
    if (path) settle(path, { resource, record });
  }
}

/** Forgets a record, or all of them. */
export const forgetTitle = (path) => (path ? known.delete(canonical(path)) : known.clear());

let depth = 0;

/** Returns the title of the record at a path: undefined while it is loaded, null if there is none. */
function titleAt(path) {
  const entry = known.get(path);
  if (!entry || depth >= DEEPEST) return entry && null;
  depth++;
  try {
    return titleOf(entry.resource, entry.record);
  } finally {
    depth--;
  }
}

/** The title of the record at a path: undefined while it is loaded, null if there is none. */
export function useTitle(named) {
  const path = named && canonical(named);
  const [, turn] = useState(0);
  useEffect(() => {
    if (path === null || path === undefined || known.has(path)) return;
    const listen = () => turn((now) => now + 1);
    want(path, listen);
    return () => waiting.get(path)?.delete(listen);
  }, [path]);
  return titleAt(path);
}

// Composed titles have parts of other records. The whole page is shown again when these have been loaded.
const pages = new Set();
let isTurning = false;

function turn() {
  if (isTurning) return;
  isTurning = true;
  setTimeout(() => {
    isTurning = false;
    for (const show of pages) show((now) => now + 1);
  });
}

/** Shows a component again when parts of titles have been loaded. */
export function useTitles() {
  const [version, show] = useState(0);
  useEffect(() => {
    pages.add(show);
    return () => pages.delete(show);
  }, []);
  return version;
}

/** Returns one part of a composed title. */
function partOf(resource, record, { text, field: name, of }) {
  if (text) return text;
  const field = fieldOf(resource, name);
  const path = field?.reference && !field.reference.many ? targetOf(field.reference, record?.[name]) : null;
  if (path === null) return of ? "" : textOf(field, record?.[name]);
  const at = canonical(path);
  if (!known.has(at)) want(at, turn);
  const entry = known.get(at);
  if (entry === undefined) return "…";
  if (!of) return titleAt(at) ?? "";
  return entry ? textOf(fieldOf(entry.resource, of), entry.record[of]) : "";
}

/** Returns the title that the config composes of fields, "" if all of them are empty. */
export function composedTitle(resource, record) {
  const parts = resource.composed.map((part) => ({ ...part, value: partOf(resource, record, part) }));
  return parts.some((one) => !one.text && one.value) ? parts.map((one) => one.value).join("").replace(/^[\s,;:–-]+|[\s,;:–-]+$/gu, "") : "";
}

/** Returns the title of a record when all of its parts have been loaded. */
export async function loadedTitle(resource, record) {
  if (!record) return resource.singular;
  for (let i = 0; i < DEEPEST; i++) {
    const title = titleOf(resource, record);
    const left = [...waiting.keys()];
    if (!resource.composed || left.length === 0) return title;
    await Promise.race([Promise.all(left.map((path) => new Promise((done) => waiting.get(path).add(done)))), new Promise((done) => setTimeout(done, 2000))]);
  }
  return titleOf(resource, record);
}
