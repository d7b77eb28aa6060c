// Titles of records that others refer to, loaded with one request for each resource.
import { useEffect, useState } from "./vendor/preact.js";
import { get } from "./api.js";
import { canFind, canonical, match, parameterOf, pathOf, titleOf } from "./model.js";

const PER_REQUEST = 30;
const known = new Map(); // path → title; null: it does not exist or cannot be seen
const waiting = new Map(); // path → listeners
let queue = new Map(); // resource → paths

function settle(path, title) {
  known.set(path, title);
  const listeners = waiting.get(path) ?? [];
  waiting.delete(path);
  for (const listen of listeners) listen(title);
}

async function loadOne(resource, path) {
  try {
    const { body } = await get(path, { quiet: true });
    settle(path, titleOf(resource, body));
  } catch {
    settle(path, null);
  }
}

/** Loads titles by the filter of the identifier. */
async function loadMany(resource, paths) {
  const name = resource.identifier[0];
  const query = new URLSearchParams(paths.map((path) => [name, match(path).ids.at(-1)]));
  const perPage = parameterOf(resource.list, "itemsPerPage");
  if (perPage) query.set(perPage.name, String(PER_REQUEST));
  try {
    const { body } = await get(`${resource.path}?${query}`, { quiet: true });
    for (const record of body) {
      const path = pathOf(resource, record);
      if (path) settle(path, titleOf(resource, record));
    }
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
  if (!found) return listen(null);
  if (!waiting.has(path)) {
    waiting.set(path, new Set());
    if (queue.size === 0) setTimeout(flush);
    queue.set(found.resource, [...(queue.get(found.resource) ?? []), path]);
  }
  waiting.get(path).add(listen);
}

/** Remembers the titles of records that have been loaded for another reason. */
export function remember(resource, records) {
  for (const record of records) {
    const path = pathOf(resource, record);
    if (path) settle(path, titleOf(resource, record));
  }
}

/** Forgets a title, or all of them. */
export const forgetTitle = (path) => (path ? known.delete(canonical(path)) : known.clear());

/** The title of the record at a path: undefined while it is loaded, null if there is none. */
export function useTitle(named) {
  const path = named && canonical(named);
  const [title, set] = useState(known.get(path));
  useEffect(() => {
    if (path === null || path === undefined) return;
    set(known.get(path));
    if (known.has(path)) return;
    want(path, set);
    return () => waiting.get(path)?.delete(set);
  }, [path]);
  return title;
}
