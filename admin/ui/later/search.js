// How records are found by what people type. The service searches, because a page has only the first of many records.
import { get } from "../api.js";
import { fieldOf, parameterOf, parametersOf, pathOf } from "../model.js";
import { kindOf } from "../kinds.js";
import { loadedTitle, remember } from "../titles.js";

const MOST = 100;
const PART = ["contains", "hasWordPrefix", "hasPrefix"];
const WHOLE = ["equalFold", "equal"];

/** Returns the fields that the title of a record has, also those of records that it refers to: item.name. */
function titleFields(resource) {
  const composed = (resource.composed ?? []).filter((one) => one.field && (one.of || !fieldOf(resource, one.field)?.reference));
  return [...new Set([...composed.map((one) => (one.of ? `${one.field}.${one.of}` : one.field)), resource.title])].filter(Boolean);
}

const isText = (resource, name) => ["text", "long", "email"].includes(kindOf(fieldOf(resource, name)?.schema ?? {}, name).kind);

/**
 * Returns how the service finds records of a resource by text: {by, parameters, identifiers}. by is "search" or "part" if a part
 * of a text is enough, "whole" if it is not, and "identifier" if only that finds a record.
 */
export function waysOf(resource) {
  const filters = parametersOf(resource.list, "filter");
  const best = (name, operators) => filters.filter((one) => one.field === name && operators.includes(one.operator))
    .toSorted((a, b) => operators.indexOf(a.operator) - operators.indexOf(b.operator))[0];
  const titles = titleFields(resource);
  const others = resource.fields.map((field) => field.name).filter((name) => !titles.includes(name) && !resource.identifier.includes(name) && isText(resource, name));
  const first = (operators) => {
    const own = titles.map((name) => best(name, operators)).filter(Boolean);
    return own.length > 0 ? own : others.map((name) => best(name, operators)).filter(Boolean).slice(0, 3);
  };
  const identifiers = resource.identifier.map((name) => best(name, WHOLE)).filter(Boolean);
  const search = parameterOf(resource.list, "q");
  const ways = search ? { by: "search", parameters: [search] } : { by: "part", parameters: first(PART) };
  if (ways.parameters.length === 0) Object.assign(ways, { by: "whole", parameters: first(WHOLE) });
  const isNamed = ways.parameters.some((one) => !resource.identifier.includes(one.field));
  return { ...ways, by: isNamed || search ? ways.by : "identifier", identifiers: identifiers.filter((one) => !ways.parameters.includes(one)) };
}

/** Reports whether a text can be the value of a field. */
function fits(resource, name, text) {
  const { kind } = kindOf(fieldOf(resource, name)?.schema ?? {}, name);
  const pattern = { integer: /^-?\d{1,19}$/, number: /^-?\d+(\.\d+)?$/, uuid: /^[\da-f-]{36}$/i, date: /^\d{4}-\d\d-\d\d$/, datetime: /^\d{4}-\d\d-\d\dT/ }[kind];
  return pattern ? pattern.test(text) : kind !== "boolean";
}

async function load(resource, values, signal) {
  const query = new URLSearchParams(values);
  const perPage = parameterOf(resource.list, "itemsPerPage");
  if (perPage) query.set(perPage.name, String(Math.min(MOST, Number(perPage.schema?.maximum ?? MOST))));
  const { body, total, links } = await get(`${resource.path}?${query}`, { signal });
  const records = Array.isArray(body) ? body : [];
  remember(resource, records);
  return { records, total, isCut: total === null ? Boolean(links.next) : total > records.length };
}

/** The first records of a resource, by their title if lists can be sorted by it. */
function first(resource, signal) {
  const sort = parameterOf(resource.list, "sort");
  const allowed = sort?.schema?.items?.enum ?? sort?.schema?.enum ?? [];
  return load(resource, allowed.includes(resource.title) ? { [sort.name]: resource.title } : {}, signal);
}

/** Returns several results as one, without duplicates. */
function joined(resource, results) {
  const all = new Map(results.flatMap((one) => one.records).map((record) => [pathOf(resource, record) ?? record, record]));
  const filled = results.filter((one) => one.records.length > 0);
  return { records: [...all.values()], isCut: results.some((one) => one.isCut), total: filled.length === 1 && filled[0].isCut ? filled[0].total : null };
}

/**
 * Returns a function that finds records: {records, total, isCut, isSure}. total is null if it is unknown; isSure says that
 * the service has no other records that the text may mean.
 */
export function finder(resource) {
  const { by, parameters, identifiers } = waysOf(resource);
  let start = null; // the first records, which are all of them in a small resource
  return async (typed, signal) => {
    const isPart = by === "search" || by === "part";
    if (typed === "") {
      start = await first(resource, signal);
      return { ...start, isSure: isPart || !start.isCut };
    }
    const asked = [...identifiers, ...parameters].filter((one) => one.kind === "q" || fits(resource, one.field, typed));
    if (!isPart) start ??= await first(resource, signal);
    const settled = await Promise.allSettled(asked.map((one) => load(resource, { [one.name]: typed }, signal)));
    const results = settled.filter((one) => one.status === "fulfilled").map((one) => one.value);
    const failed = settled.find((one) => one.status === "rejected" && one.reason.status !== 400)?.reason; // 400: no value can be this text
    if (failed && results.length === 0) throw failed;
    if (isPart) return { ...joined(resource, results), isSure: true };
    const wanted = typed.toLocaleLowerCase();
    const titles = await Promise.all(start.records.map((one) => loadedTitle(resource, one)));
    const among = start.records.filter((_, i) => titles[i].toLocaleLowerCase().includes(wanted));
    return { ...joined(resource, [...results, { records: among, isCut: false }]), isSure: !start.isCut };
  };
}
