// Finds the records that texts in a file name: by their identifier, their path or their title.
import { get } from "../../api.js";
import { canFind, itemOf, match, parameterOf, parametersOf, pathOf, referenceTo, titleOf } from "../../model.js";
import { Exact, exact, isNumber } from "../../json.js";
import { inside, t } from "../../texts.js";

const MOST_RECORDS = 1000; // more are looked up by the texts
const MOST_TEXTS = 500; // to search for, one after the other
const PER_REQUEST = 30;

const idOf = (resource, record) => {
  const id = record[resource.identifier[0]];
  return id instanceof Exact ? id.text : String(id);
};

/** Loads records of a list, at most as many as are needed to know that there are more. */
async function load(resource, query, most = MOST_RECORDS) {
  const perPage = parameterOf(resource.list, "itemsPerPage");
  if (perPage) query.set(perPage.name, String(perPage.schema?.maximum ?? 100));
  const found = [];
  for (let next = `${resource.path}?${query}`; next && found.length <= most;) {
    const { body, links } = await get(next);
    found.push(...body);
    next = body.length > 0 ? links.next : null;
  }
  return found;
}

const equal = (resource, name) => parametersOf(resource.list, "filter").find((one) => one.field === name && one.operator === "equal");

/** Loads the records that texts name by a filter of a field. */
async function loadBy(resource, name, texts) {
  const filter = equal(resource, name);
  const found = [];
  if (!filter) return found;
  for (let i = 0; i < texts.length; i += filter.many ? PER_REQUEST : 1) {
    const part = texts.slice(i, i + (filter.many ? PER_REQUEST : 1));
    found.push(...(await load(resource, new URLSearchParams(part.map((text) => [filter.name, text])))));
  }
  return found;
}

/** Loads the records that some texts may name. */
async function candidates(resource, texts) {
  const all = await load(resource, new URLSearchParams());
  if (all.length <= MOST_RECORDS) return all;
  const isInteger = [resource.fields.find((one) => one.name === resource.identifier[0])?.schema?.type].flat().includes("integer");
  const found = await loadBy(resource, resource.identifier[0], isInteger ? texts.filter((text) => /^\d{1,19}$/.test(text)) : texts);
  if (equal(resource, resource.title)) return [...found, ...(await loadBy(resource, resource.title, texts))];
  const search = parameterOf(resource.list, "q") ?? parametersOf(resource.list, "filter").find((one) => one.field === resource.title);
  if (!search) return found;
  for (const text of texts.slice(0, MOST_TEXTS)) found.push(...(await load(resource, new URLSearchParams([[search.name, text]]), PER_REQUEST)));
  return found;
}

/** The records of a resource by what names them. */
class Index {
  constructor(resource, records) {
    this.resource = resource;
    this.byID = new Map();
    this.byTitle = new Map();
    this.byFolded = new Map();
    for (const record of records) {
      const id = resource.identifier.length === 1 ? idOf(resource, record) : pathOf(resource, record);
      if (this.byID.has(id)) continue;
      this.byID.set(id, record);
      const title = titleOf(resource, record);
      for (const [map, key] of [[this.byTitle, title], [this.byFolded, title.toLowerCase()]]) map.set(key, [...(map.get(key) ?? []), record]);
    }
  }

  /** Returns the records that a text names. */
  find(text) {
    const named = this.byTitle.get(text) ?? this.byFolded.get(text.toLowerCase()) ?? [];
    const own = this.byID.get(text);
    return own && !named.includes(own) ? [own, ...named] : named;
  }
}

/** What a text is without a list to find it in: a path, or an identifier. */
function asWritten(reference, resource, text) {
  if (reference.identifiers) {
    const id = match(text)?.ids.at(-1) ?? text;
    return isNumber(id) ? exact(id) : id;
  }
  return text.startsWith("/") || !resource?.item ? text : itemOf(resource, text.split(";"));
}

/** Loads what texts name: wanted has them by the names of resources. Returns a function that makes the value of a reference. */
export async function find(wanted, resourceOf) {
  const indices = new Map();
  for (const [name, texts] of wanted) {
    const resource = resourceOf(name);
    const open = [...texts].filter((text) => !match(text));
    if (canFind(resource) && open.length > 0) indices.set(name, new Index(resource, await candidates(resource, open)));
  }
  return (reference, text) => {
    const resource = resourceOf(reference.resource);
    const index = indices.get(reference.resource);
    if (match(text) || !index) return asWritten(reference, resource, text);
    const found = index.find(text);
    if (found.length === 1) return referenceTo(reference, resource, found[0]);
    const key = found.length > 1 ? "import.ambiguous" : "import.notFound";
    return { error: t(key, { text, plural: inside(resource.plural) }) };
  };
}
