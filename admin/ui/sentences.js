// What errors say in the words of the page: with titles of fields instead of their JSON names, and without paths.
import { requests, rules, sentences } from "./rules.js";
import { elementTitle, fieldsIn, kindOf, wordsOf } from "./kinds.js";
import { resourceOf } from "./model.js";
import { count, inside, isEnglish, t } from "./texts.js";

const quoted = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const literal = (text) => text.replace(/\{\w+\}/g, "").length;

const SIZES = {
  character: (number) => count("size.character", number),
  byte: (number) => count("size.byte", number),
  element: (number) => count("size.element", number),
  entr: (number) => count("size.entry", number),
};

let known = null; // what the API says, the longest text first

function patterns() {
  const own = Object.entries(rules).filter(([, text]) => text.startsWith("{field} ")).toSorted(([, a], [, b]) => literal(b) - literal(a));
  const made = own.map(([key, text]) => [key, quoted(text.replace("{field} ", "")).replace(/\\\{(\w+)\\\}/g, "(?<$1>.+)")]);
  known ??= [...sentences, ...made].map(([key, pattern]) => ({ key, pattern: new RegExp(`^${pattern}(?: or null)?$`, "s") }));
  return known;
}

/** Returns where a path leads in a form: the titles on the way, the fields next to its end, and its place in the order of the form. */
export function locate(path, fields, root = null) {
  let field = root;
  let beside = root ? fieldsIn(root) : fields;
  const titles = [];
  const order = [];
  for (const part of path) {
    if (/^\d+$/.test(part) && field && ["list", "set"].includes(kindOf(field.schema ?? {}, field.name).kind)) {
      if (titles.length > 0) titles.pop();
      const title = elementTitle(field, Number(part));
      titles.push(title);
      order.push(Number(part));
      field = { ...field, title, schema: kindOf(field.schema).schema.items };
      continue;
    }
    if (field) beside = fieldsIn(field);
    const at = beside.findIndex((one) => one.name === part);
    field = beside[at] ?? null;
    titles.push(field?.title ?? wordsOf(String(part)));
    order.push(at < 0 ? beside.length : at);
  }
  return { titles, order, beside };
}

/** Replaces names of fields by their titles, where they are the parts of an enumeration. */
function named(text, fields) {
  const titleOf = (name) => fields.find((one) => one.name === name)?.title ?? name;
  return text.split(/( and | or | is )/).map(titleOf).join("");
}

/** Replaces JSON names that are no words, such as coolFactor, by titles. */
function plain(text, fields) {
  return text.replace(/["`]?\b[a-z]+(?:[A-Z]|_[a-z])\w*\b["`]?/g, (word) => {
    const field = fields.find((one) => one.name === word.replace(/["`]/g, ""));
    return field ? inside(field.title) : word;
  });
}

/** Returns the sentence for an error of a field. name is that of the field, title what people read. */
export function sentenceOf(message, name, title, fields) {
  const [, subject = "", rest = message] = new RegExp(`^(${quoted(name)}(?:\\[\\d+\\])*|\\[\\d+\\]) (.*)$`, "s").exec(message) ?? [];
  if (subject === "" && name !== "") return plain(message, fields);
  for (const { key, pattern } of patterns()) {
    const found = pattern.exec(rest);
    if (!found) continue;
    const { fields: others, size, unit, resource, ...values } = found.groups ?? {};
    return t(key, {
      ...values, field: title, fields: others && named(others, fields), size: unit && SIZES[unit](Number(size)),
      singular: resource && inside(resourceOf(resource)?.singular ?? wordsOf(resource)),
    });
  }
  return plain(subject ? `${title} ${named(rest, [])}` : message, fields);
}

/** Returns what an error says that is not about the value of one field. */
export function sentenceOfRecord(error, fields) {
  if (error instanceof Error && error.constructor !== Error && error.status === undefined) return t("error.unexpected"); // of the browser
  const message = error.message ?? String(error);
  const taken = error.problem?.field;
  if (typeof taken === "string" && taken.includes(",")) {
    const titles = taken.split(",").map((name) => fields.find((one) => one.name === name)?.title ?? wordsOf(name));
    return t("error.combination", { fields: titles.join(" · ") });
  }
  const [, holder] = /^The record cannot be deleted because (\w+)\.\w+ references it\.$/.exec(message) ?? [];
  if (holder) return t("error.restrict", { plural: inside(resourceOf(holder)?.plural ?? wordsOf(holder)) });
  if (/^The record cannot be deleted because another record references it\.$/.test(message)) return t("error.restrictOther");
  const [key, pattern] = (!isEnglish() && requests.find(([, one]) => one.test(message))) || [];
  return key ? t(key, pattern.exec(message).groups) : plain(message, fields);
}
