// The conditions of a list: read from a query and written to one, as parameters or as a tree with "any".
import { fieldOf, parametersOf, resourceOf, withoutPage } from "./model.js";
import { base, kindOf, wordsOf } from "./kinds.js";
import { exact, isNumber, isObject, parse, write } from "./json.js";
import { sentenceOf } from "./sentences.js";
import { titleOfValue } from "./values.js";
import { isEnglish, t } from "./texts.js";

/** Finds the field that a parameter is about, through references: owner.username. */
export function fieldAt(resource, name) {
  const own = fieldOf(resource, name);
  if (own) return own;
  const [first, ...rest] = name.split(".");
  const field = rest.length > 0 && fieldOf(resource, first);
  if (!field) return null;
  const inner = field.reference ? fieldAt(resourceOf(field.reference.resource), rest.join(".")) : null;
  return inner && { ...inner, title: `${field.title}: ${inner.title}` };
}

const LABELS = ["equal", "notEqual", "equalFold", "less", "lessEqual", "greater", "greaterEqual", "contains", "hasPrefix", "hasSuffix", "hasWordPrefix", "exists", "between"];

/** Returns what a field can be compared with. Those that are hidden are not offered, because the range does what they do. */
function optionsOf(parameters) {
  const by = new Map(parameters.map((one) => [one.operator, one]));
  const [from, to] = [by.get("greaterEqual"), by.get("lessEqual")];
  const isRange = Boolean(from && to);
  const options = isRange ? [{ operator: "range", label: t("filter.between"), names: [from.name, to.name], parameter: from }] : [];
  for (const [operator, parameter] of by) {
    if (isRange && ["greaterEqual", "lessEqual"].includes(operator)) continue;
    const label = LABELS.includes(operator) ? t(`filter.${operator}`) : operator;
    const option = { operator, label, names: [parameter.name], parameter, isHidden: isRange && ["greater", "less", "between"].includes(operator) };
    if (operator === "equal") options.unshift(option);
    else options.push(option);
  }
  return options;
}

/** Returns the fields that a list can be filtered by: {name, field, title, options, names}. */
export function filterRows(resource, operation) {
  const byField = new Map();
  for (const one of parametersOf(operation, "filter")) byField.set(one.field, [...(byField.get(one.field) ?? []), one]);
  return [...byField].map(([name, parameters]) => {
    const field = fieldAt(resource, name);
    return { name, field, title: field?.title ?? wordsOf(name), options: optionsOf(parameters), names: parameters.map((one) => one.name) };
  });
}

/** Returns the word that a tree has for a parameter, "" for none: gte of value[gte]. */
const wordOf = ({ name, operator }) => (operator === "exists" ? "exists" : (/\[(\w+)\]$/.exec(name)?.[1] ?? ""));

/** Returns a value of a parameter with the type that it has in JSON. */
function typed(text, parameter) {
  const { schema } = base(parameter.schema ?? {});
  const { type } = base(schema.items ?? schema).schema;
  if (type === "boolean") return text === "true";
  return (type === "integer" || type === "number") && isNumber(text) ? exact(text) : text;
}

function nodeOf({ row, option, values }) {
  const { parameter } = option;
  if (option.operator === "range") {
    const bounds = Object.entries({ gte: values[0], lte: values[1] }).filter(([, value]) => value);
    return { [row.name]: Object.fromEntries(bounds.map(([word, value]) => [word, typed(value, parameter)])) };
  }
  const all = option.operator === "between" ? values[0].split("..") : values;
  const list = all.map((value) => typed(value, parameter));
  const value = list.length === 1 ? list[0] : list;
  const word = wordOf(parameter);
  return { [row.name]: word ? { [word]: value } : value };
}

/** Returns the condition that a node of a tree is, null if it is none that the page can show. */
function conditionOf(rows, node) {
  const [[name, value] = [], ...rest] = isObject(node) ? Object.entries(node) : [];
  const row = rows.find((one) => one.name === name);
  if (!row || rest.length > 0) return null;
  const words = isObject(value) ? Object.keys(value) : [""];
  const range = row.options.find((one) => one.operator === "range");
  if (range && isObject(value) && words.length > 0 && words.every((one) => ["gte", "lte"].includes(one))) {
    return { row, option: range, values: ["gte", "lte"].map((word) => (word in value ? String(value[word]) : "")) };
  }
  const option = words.length === 1 && row.options.find((one) => one.names.length === 1 && wordOf(one.parameter) === words[0]);
  const values = [isObject(value) ? value[words[0]] : value].flat();
  if (!option || values.some((one) => one === null || isObject(one))) return null;
  return { row, option, values: option.operator === "between" ? [values.join("..")] : values.map(String) };
}

function conditionsOfTree(rows, text) {
  try {
    const { any, ...rest } = parse(text);
    if (!Array.isArray(any) || any.length === 0 || Object.keys(rest).length > 0) return null;
    const all = any.map((node) => conditionOf(rows, node));
    return all.includes(null) ? null : all;
  } catch {
    return null;
  }
}

/**
 * Returns the conditions of a query: {mode, list, tree}. mode is "all" or "any"; each of the list has its row, its option and
 * its values; tree is a tree of conditions that is too complex to be shown, else null.
 */
export function readConditions(rows, operation, query) {
  const now = new URLSearchParams(query);
  const list = [];
  for (const row of rows) {
    for (const option of row.options) {
      const values = option.names.length === 2 ? option.names.map((name) => now.get(name) ?? "") : now.getAll(option.names[0]).filter(Boolean);
      if (values.some(Boolean)) list.push({ row, option, values });
    }
  }
  const text = operation.tree ? now.get(operation.tree) : null;
  if (!text) return { mode: "all", list, tree: null };
  const any = list.length === 0 ? conditionsOfTree(rows, text) : null;
  return any ? { mode: "any", list: any, tree: null } : { mode: "all", list, tree: text };
}

/** Returns a query with other conditions, at its first page. */
export function writeConditions(rows, operation, query, { mode, list, tree }) {
  const next = withoutPage(query, operation);
  for (const name of rows.flatMap((row) => row.names)) next.delete(name);
  if (operation.tree) next.delete(operation.tree);
  if (mode === "any" && list.length > 0) {
    next.set(operation.tree, write({ any: list.map(nodeOf) }));
    return next.toString();
  }
  for (const { option, values } of list) {
    const isMany = option.names.length === 1 && option.parameter.many;
    values.forEach((value, i) => {
      const name = option.names[isMany ? 0 : i] ?? option.names[0];
      if (isMany && !next.getAll(name).includes(value)) next.append(name, value);
      else if (!isMany && value) next.set(name, value);
    });
  }
  if (tree) next.set(operation.tree, tree);
  return next.toString();
}

/** Reports whether a query filters a list, by conditions or by its search. */
export function isFiltered(operation, query) {
  const now = new URLSearchParams(query);
  const has = (name) => now.getAll(name).some(Boolean);
  return (operation?.parameters ?? []).some((one) => (one.kind === "filter" || one.kind === "q") && has(one.name)) || Boolean(operation?.tree && has(operation.tree));
}

/**
 * Sorts what an API says of wrong parameters: byCondition has the message of a condition by its index, others are of other
 * parameters: {name, message}. The names of fields are replaced by their titles.
 */
export function wrongOf(error, operation, { mode, list, tree }) {
  const byCondition = new Map();
  const others = [];
  for (const { name, message, pointer = "" } of (error?.status === 400 && error.problem?.parameters) || []) {
    let at = list.findIndex((one) => mode === "all" && one.option.names.includes(name));
    if (name === operation.tree && mode === "any") at = Number(/^\/any\/(\d+)/.exec(pointer)?.[1] ?? -1);
    const row = list[at]?.row;
    const [subject = ""] = /^[\w.-]+(\[\w+\])*(?=\s)/.exec(message) ?? [];
    const title = row && (subject === name || subject.startsWith(row.name)) ? row.title : subject;
    const text = subject ? sentenceOf(message, subject, title, []) : message;
    if (row) byCondition.set(at, [byCondition.get(at), text].filter(Boolean).join(". "));
    else others.push({ name, message: isEnglish() ? text : t("filter.unusable"), isTree: name === operation.tree && tree !== null });
  }
  return { byCondition, others };
}

const TEXT = ["contains", "hasPrefix", "hasSuffix", "hasWordPrefix", "between"]; // their values are parts of values

/** Returns what the values of a condition are: {kind, choices, reference}. */
export function valuesOf({ field, name }, { operator, parameter }) {
  const declared = base(parameter.schema ?? {}).schema;
  const own = kindOf(declared.type === "array" ? (declared.items ?? {}) : declared, name);
  if (operator === "exists" || own.kind === "boolean") return { kind: "boolean", choices: [["true", t("app.yes")], ["false", t("app.no")]] };
  if (TEXT.includes(operator)) return { kind: "text" };
  const reference = field?.reference && !field.reference.inverse ? field.reference : null;
  if (reference) return { kind: "reference", reference };
  const { kind, schema } = field ? kindOf(field.schema, name) : own;
  const all = schema.enum ?? (kind === "set" || kind === "list" ? kindOf(schema.items ?? {}).schema.enum : undefined);
  const choices = all?.filter((one) => one !== null).map((one) => [String(one), titleOfValue(field, one)]);
  return { kind, choices, schema };
}
