// How this browser shows the lists of a resource: columns, density, page size, and views that people have saved.
// A query may say it, too: parameters that begin with a dot are the page's own, and never sent.
import { base, model } from "./model.js";
import { browser } from "./storage.js";

const keyOf = (what, resource, scope = "") => `trove-admin:${base}:${what}:${resource.name}${scope}`;

/** Returns what is kept under a key, and the usual value for none or another kind: other versions and programs may have kept it. */
function read(key, usual) {
  const kept = browser.read(key);
  return kept instanceof Object && Array.isArray(kept) === Array.isArray(usual) ? kept : usual;
}

const shows = (field) => field?.readable && !field.reference?.inverse && !field.shownOnce;

/** Returns the fields that can be columns of a list. */
export const columnsOf = (resource) => resource.fields.filter(shows);

/** Returns the columns that a list has by default. without is what all records have in common. */
export const usualColumns = (resource, without) => resource.columns.filter((name) => name !== without && shows(resource.fields.find((field) => field.name === name)));

/** Returns how a list is shown: {columns, density, size}. size is null if nobody has chosen it. */
export function lookOf(resource, scope, without, query) {
  const now = new URLSearchParams(query);
  const kept = read(keyOf("list", resource, scope), {});
  const wanted = now.get(".columns")?.split(",") ?? kept.columns;
  const known = Array.isArray(wanted) ? wanted.filter((name) => columnsOf(resource).some((field) => field.name === name)) : [];
  const density = now.get(".density") ?? kept.density;
  const columns = known.length > 0 ? [...new Set(known)] : usualColumns(resource, without);
  return { columns, density: density === "comfortable" ? "comfortable" : "compact", size: kept.size > 0 && Number.isInteger(kept.size) ? kept.size : null };
}

/** Keeps a part of how a list is shown. */
export const keepLook = (resource, scope, part) => browser.keep(keyOf("list", resource, scope), { ...read(keyOf("list", resource, scope), {}), ...part });

// Several people may use one browser: views have names and queries, which belong to one person.
const own = () => `:${model.who?.name ?? ""}`;

/** Returns the views of a resource that the caller has saved: {name, query}. */
export const viewsOf = (resource) => read(keyOf("views", resource, own()), []).filter((one) => typeof one?.name === "string" && typeof one?.query === "string");

/** Keeps the views of a resource. */
export const keepViews = (resource, views) => browser.keep(keyOf("views", resource, own()), views);

/** Returns the part of a query that the API gets. */
export function sent(query) {
  const next = new URLSearchParams(query);
  for (const name of [...next.keys()]) if (name.startsWith(".")) next.delete(name);
  return next;
}

/** Returns a query of the API with the page's own parameters of another one. */
export function withOwn(query, other) {
  const next = new URLSearchParams(query);
  for (const [name, value] of new URLSearchParams(other)) if (name.startsWith(".")) next.set(name, value);
  return next.toString();
}
