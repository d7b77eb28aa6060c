// The model of the API as this caller sees it, and how records relate to paths.
import { get } from "./api.js";
import { cut, inside, replace, t } from "./texts.js";
import { composedTitle } from "./titles.js";
import { Exact, isObject } from "./json.js";

/** The path of the admin, without a slash at its end. */
export const base = document.getElementById("app")?.dataset.path ?? "/admin";

export let model = null;
let patterns = [];

/** Returns the names of the variables of a template. */
export const variablesOf = (template) => [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

/** Returns a description for people: rules that the document of the API states for programs are facts about the records. */
const helpOf = (description, plural) => description.replace("Must be unique.", () => t("form.unique", { plural: inside(plural) })).replace("Must equal the identifier in the path.", () => t("form.fixed"));

/** Makes a model that has been loaded the one of the page. */
export function adopt(body) {
  model = body;
  replace(body.texts ?? {});
  for (const { fields, identifier, plural } of body.resources) {
    for (const field of fields) {
      field.isIdentifier = identifier.includes(field.name);
      field.description = helpOf(field.description, plural);
      if (field.values) Object.setPrototypeOf(field.values, null); // a value may be "constructor"
    }
  }
  patterns = body.resources
    .filter((one) => one.item)
    .map((resource) => ({
      resource,
      names: variablesOf(resource.item),
      pattern: new RegExp(`^${resource.item.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "([^/?#]+)")}$`),
    }));
}

/** Reports whether people open records of a resource by identifiers, because no list has them. */
export const isOpened = (one) => Boolean(one.get && !one.list) && variablesOf(one.item).length === one.identifier.length;

/** Finds a resource by its name. */
export const resourceOf = (name) => model.resources.find((one) => one.name === name) ?? null;

/** Finds a field of a resource. */
export const fieldOf = (resource, name) => resource?.fields.find((one) => one.name === name) ?? null;

/** Follows a $ref to the schemas of the model. */
export function resolve(schema) {
  for (let i = 0; schema?.$ref && i < 20; i++) {
    const target = model.schemas?.[schema.$ref.split("/").pop()];
    if (!target) return {};
    const { $ref: _, ...own } = schema;
    schema = { ...target, ...own };
  }
  return schema ?? {};
}

const decode = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Finds which record a path names: its resource and the values in the path; null if it names none that is known. */
export function match(path) {
  if (typeof path !== "string") return null;
  for (const { resource, pattern, names } of patterns) {
    const found = pattern.exec(path);
    if (found) return { resource, ids: found.slice(1).map(decode), names };
  }
  return null;
}

/** Returns a path of a record as the admin itself writes it: others may encode the same identifiers in another way. */
export function canonical(path) {
  const found = match(path);
  return found ? itemOf(found.resource, found.ids) : path;
}

/** Returns the path that an operation has for the record at a path. */
export function pathFor(operation, path) {
  const found = match(path);
  const isAlike = operation.path.match(/\{\w+\}/g)?.length === found?.ids.length;
  return isAlike ? fill(operation.path, found.ids, operation.suffixes) : path;
}

/** Percent-encodes exactly what the API does in a segment of a path, because references must be written as it writes them. */
function escape(value) {
  if (/^\.\.?$/.test(value)) return String(value).replaceAll(".", "%2E");
  const more = encodeURIComponent(value).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  return more.replace(/%(24|26|2B|3A|3D|40)/g, decodeURIComponent);
}

/** Returns a composite identifier as the value of one variable. */
const joined = (ids) => ids.map(escape).join(";");

/** Fills a template's variables with values in their order. suffixes are those of formats, which no identifier at the end may seem to have. */
export function fill(template, values, suffixes) {
  let i = 0;
  const path = template.replace(/\{\w+\}/g, () => escape(values[i++] ?? ""));
  return suffixes?.some((one) => path.endsWith(one)) ? path.replace(/\.(?=[^.]*$)/, "%2E") : path;
}

/** Returns the path of the record with some identifiers. */
export const itemOf = (resource, ids) => fill(resource.item, ids, resource.suffixes);

/** Returns the part of a reference that identifies its target, or the value itself. */
export function keyOf(value) {
  const found = match(value);
  if (!found) return value instanceof Exact ? value.text : String(value);
  const { length } = found.resource.identifier;
  return length > 1 ? joined(found.ids.slice(-length)) : found.ids.at(-1);
}

/** Finds a variable of a path in the references of a record: parts of a composite identifier of its parent. */
function fromReferences(resource, record, name) {
  for (const field of resource.fields) {
    const found = field.reference && !field.reference.inverse ? match(record[field.name]) : null;
    const at = found?.names.indexOf(name) ?? -1;
    if (at >= 0) return found.ids[at];
  }
  return undefined;
}

/** Returns the path of a list below a record. */
export function pathBelow(tab, ids) {
  const isJoined = ids.length > 1 && variablesOf(tab.list.path).length === 1;
  return isJoined ? fill(tab.list.path, [joined(ids)]) : fill(tab.path, ids);
}

/** Returns the path of one element of a list of references. */
export function pathOfElement(operation, ids, value) {
  const keys = match(value)?.ids ?? [];
  const isSplit = variablesOf(operation.path).length === ids.length + keys.length;
  return fill(operation.path, [...ids, ...(isSplit ? keys : [keyOf(value)])], operation.suffixes);
}

/** Returns the path of a record, null if it lacks something for it. */
export function pathOf(resource, record) {
  if (!resource?.item || !isObject(record)) return null;
  const names = variablesOf(resource.item);
  const values = names.map((name) => record[name] ?? fromReferences(resource, record, name));
  if (values.some((one) => one === undefined || one === null || isObject(one))) return null;
  return itemOf(resource, values.map(keyOf));
}

/** Returns the path of a reference's target. */
export function targetOf(reference, value) {
  if (value === null || value === undefined || value === "") return null;
  if (!reference.identifiers) return typeof value === "string" ? value : null;
  const target = resourceOf(reference.resource);
  return target?.item && !/\{.*\{/.test(target.item) ? itemOf(target, [String(value)]) : null;
}

/** Returns the value that refers to a record. */
export const referenceTo = (reference, resource, record) => (reference.identifiers ? record[resource.identifier[0]] : pathOf(resource, record));

/** Returns the hash of a page of the admin: of a resource, or of a record by its path. */
export const hashOf = (resource, query = "") => `#/${encodeURIComponent(resource.name)}${query ? `?${query}` : ""}`;

/** Returns the hash of the page of a record, null if it has none. */
export function hashOfPath(path) {
  const found = match(path);
  if (!found?.resource.get) return null;
  const ids = found.ids.map((id) => (["new", "import"].includes(id) ? `%${id.charCodeAt(0).toString(16).toUpperCase()}${id.slice(1)}` : encodeURIComponent(id)));
  return `${hashOf(found.resource)}/${ids.join("/")}`;
}

/** Returns the title of a record. Parts of it may be missing until they are loaded: see useTitles. */
export function titleOf(resource, record) {
  const composed = resource.composed ? composedTitle(resource, record) : "";
  if (composed) return cut(composed, 80);
  const own = resource.title && record?.[resource.title];
  if (typeof own === "string" && own.trim() !== "") return cut(own, 80);
  if (own !== undefined && own !== null && String(own).trim() !== "" && !isObject(own) && !Array.isArray(own)) return String(own);
  const ids = resource.identifier.map((name) => record?.[name]).filter((one) => one !== undefined && one !== null);
  return `${resource.singular} ${ids.map(keyOf).join(" ")}`.trim();
}

/** Returns the parameters of a kind that an operation has. */
export const parametersOf = (operation, kind) => (operation?.parameters ?? []).filter((one) => one.kind === kind);

/** Returns the one parameter of a kind, undefined if there is none. */
export const parameterOf = (operation, kind) => parametersOf(operation, kind)[0];

/** Returns a list's query without the position in the list. */
export function withoutPage(query, operation) {
  const next = new URLSearchParams(query);
  for (const kind of ["page", "cursor", "offset"]) for (const one of parametersOf(operation, kind)) next.delete(one.name);
  return next;
}

/** Reports whether an operation needs no record, neither its own nor one above it. */
export const isWhole = (operation) => !operation.item && !operation.path.includes("{");

/** Reports whether the caller can list all records of a resource, and so find one by typing. */
export const canFind = (resource) => Boolean(resource?.list && resource.path && !resource.path.includes("{"));

const PER_REQUEST = 50;

/**
 * Returns what the caller may do to records, by path: {operations, locked}. Records that are missing are left out.
 * Null if the server does not say: then the model alone counts.
 */
export async function permissions(paths) {
  const known = new Map();
  let at = 0;
  const load = async () => {
    while (at < paths.length) {
      const query = new URLSearchParams(paths.slice(at, (at += PER_REQUEST)).map((path) => ["path", path]));
      const { body } = await get(`${base}/permissions?${query}`);
      for (const [path, allowed] of Object.entries(body)) known.set(path, allowed);
    }
  };
  try {
    await Promise.all([load(), load(), load(), load()]); // each takes the next paths
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
  return known;
}

/** Reports whether permissions of a record include an operation. */
export const allows = (allowed, operation) => Boolean(operation) && (!allowed || allowed.operations.includes(operation.id));
