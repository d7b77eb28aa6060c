// The filters that a list declares, one row a field, with the right input for each.
import { html, useLayoutEffect, useRef, useState } from "./vendor/preact.js";
import { canFind, fieldOf, parameterOf, parametersOf, referenceTo, resourceOf, targetOf, withoutPage } from "./model.js";
import { base, kindOf, wordsOf } from "./kinds.js";
import { Combobox } from "./reference.js";
import { localOf, utcOf } from "./times.js";
import { useTitle } from "./titles.js";
import { t } from "./texts.js";
import { titleOfValue } from "./values.js";

/** Finds the field that a filter is about, through references: owner.username. */
function fieldAt(resource, name) {
  const own = fieldOf(resource, name);
  if (own) return own;
  const [first, ...rest] = name.split(".");
  const field = rest.length > 0 && fieldOf(resource, first);
  if (!field) return null;
  const inner = field.reference ? fieldAt(resourceOf(field.reference.resource), rest.join(".")) : null;
  return inner && { ...inner, title: `${field.title}: ${inner.title}` };
}

const LABELS = ["equal", "notEqual", "equalFold", "less", "lessEqual", "greater", "greaterEqual", "contains", "hasPrefix", "hasSuffix", "hasWordPrefix", "exists", "between"];
const TEXT = ["contains", "hasPrefix", "hasSuffix", "hasWordPrefix", "between"]; // their values are parts of values

function optionsOf(parameters) {
  const by = new Map(parameters.map((one) => [one.operator, one]));
  const options = [];
  const [from, to] = [by.get("greaterEqual"), by.get("lessEqual")];
  if (from && to) {
    options.push({ operator: "range", label: t("filter.between"), names: [from.name, to.name], parameter: from });
    for (const name of ["greaterEqual", "lessEqual", "greater", "less", "between"]) by.delete(name);
  }
  for (const [operator, parameter] of by) {
    const label = LABELS.includes(operator) ? t(`filter.${operator}`) : operator;
    const option = { operator, label, names: [parameter.name], parameter };
    if (operator === "equal") options.unshift(option);
    else options.push(option);
  }
  return options;
}

/** Returns the rows of a list's filters: {field, title, options, names}. */
export function filterRows(resource, operation) {
  const byField = new Map();
  for (const one of parametersOf(operation, "filter")) byField.set(one.field, [...(byField.get(one.field) ?? []), one]);
  return [...byField].map(([name, parameters]) => {
    const field = fieldAt(resource, name);
    const title = field?.title ?? wordsOf(name);
    return { name, field, title, options: optionsOf(parameters), names: parameters.map((one) => one.name) };
  });
}

/** Reports whether a query filters a list, by its filters or also by its search. */
export function isFiltered(operation, query, withoutSearch = false) {
  const now = new URLSearchParams(query);
  return (operation?.parameters ?? []).some((one) => (one.kind === "filter" || (one.kind === "q" && !withoutSearch)) && now.get(one.name));
}

function ReferenceFilter({ id, label, field, value, onChange }) {
  const resource = resourceOf(field.reference.resource);
  const path = targetOf(field.reference, value || null);
  const title = useTitle(path);
  return html`<span class="joined"><${Combobox} id=${id} resource=${resource} label=${label} title=${path === null ? "" : (title ?? value)} onClear=${() => onChange("")}
    onChoose=${(record) => onChange(String(referenceTo(field.reference, resource, record)))} />
    ${value && html`<button type="button" class="quiet" aria-label=${t("form.clear", { field: label })} onClick=${() => onChange("")}>×</button>`}</span>`;
}

function Select({ id, label, values, value, onChange }) {
  return html`<select id=${id} aria-label=${label} value=${value} onChange=${(event) => onChange(event.target.value)}>
    <option value="" selected=${value === ""}>${t("filter.any")}</option>
    ${values.map(([one, text]) => html`<option key=${one} value=${one} selected=${one === value}>${text}</option>`)}</select>`;
}

/** The input for the value of one parameter. */
function FilterInput({ id, label, row, parameter, value, onChange }) {
  const declared = base(parameter.schema ?? {}).schema;
  const isText = TEXT.includes(parameter.operator);
  const own = kindOf(declared.type === "array" ? (declared.items ?? {}) : declared, row.name);
  const { kind, schema } = parameter.operator !== "exists" && row.field && !row.field.reference && !isText && own.kind !== "boolean" ? kindOf(row.field.schema, row.name) : own;
  const yesNo = [["true", t("app.yes")], ["false", t("app.no")]];
  if (kind === "boolean") return html`<${Select} id=${id} label=${label} values=${yesNo} value=${value} onChange=${onChange} />`;
  if (row.field?.reference && !row.field.reference.inverse && parameter.operator !== "exists" && canFind(resourceOf(row.field.reference.resource))) {
    return html`<${ReferenceFilter} id=${id} label=${label} field=${row.field} value=${value} onChange=${onChange} />`;
  }
  const choices = schema.enum ?? (kind === "set" || kind === "list" ? kindOf(schema.items ?? {}).schema.enum : undefined);
  if (choices && !isText) {
    return html`<${Select} id=${id} label=${label} values=${choices.filter((one) => one !== null).map((one) => [String(one), titleOfValue(row.field, one)])} value=${value} onChange=${onChange} />`;
  }
  if (kind === "datetime") {
    return html`<input id=${id} aria-label=${label} type="datetime-local" step="any" value=${localOf(value)} onInput=${(event) => onChange(utcOf(event.target.value, value))} />`;
  }
  const mode = { integer: "numeric", number: "decimal" }[kind];
  return html`<input id=${id} aria-label=${label} type=${kind === "date" && !isText ? "date" : "text"} inputmode=${mode} autocomplete="off" value=${value} onInput=${(event) => onChange(event.target.value)} />`;
}

function Row({ row, draft, onChange, number }) {
  const used = row.options.findIndex((one) => one.names.some((name) => draft[name]?.[0]));
  const [at, setAt] = useState(Math.max(0, used));
  const option = row.options[at] ?? row.options[0];
  const choose = (event) => {
    const next = row.options[Number(event.target.value)];
    const cleared = Object.fromEntries(row.names.map((name) => [name, []]));
    if (option.names.length === next.names.length) next.names.forEach((name, i) => { cleared[name] = draft[option.names[i]] ?? []; });
    onChange(cleared);
    setAt(Number(event.target.value));
  };
  const id = `filter-${number}`;
  const input = (name, i, label, parameter) => html`<${FilterInput} id=${i === 0 ? id : `${id}-${i}`} label=${label} row=${row} parameter=${parameter}
    value=${draft[name]?.[0] ?? ""} onChange=${(value) => onChange({ [name]: value === "" ? [] : [value] })} />`;
  return html`<div class="filter"><label for=${id}>${row.title}</label><span class="inputs">
    ${row.options.length > 1 && html`<select class="operator" aria-label=${t("filter.operator", { field: row.title })} onChange=${choose}>
      ${row.options.map((one, i) => html`<option key=${one.operator} value=${String(i)} selected=${i === at}>${one.label}</option>`)}</select>`}
    ${option.names.length === 2
      ? html`${input(option.names[0], 0, `${row.title} ${t("filter.from")}`, option.parameter)}<span aria-hidden="true">–</span>${input(option.names[1], 1, `${row.title} ${t("filter.to")}`, option.parameter)}`
      : input(option.names[0], 0, `${row.title} ${option.label}`, option.parameter)}</span></div>`;
}

const read = (rows, query) => {
  const now = new URLSearchParams(query);
  return Object.fromEntries(rows.flatMap((row) => row.names).map((name) => [name, now.getAll(name)]));
};

/** The form of a list's filters. */
export function Filters({ resource, operation, rows, query, setQuery }) {
  const [draft, setDraft] = useState(() => read(rows, query));
  const last = useRef(query);
  useLayoutEffect(() => {
    if (last.current !== query) setDraft(read(rows, query));
    last.current = query;
  }, [query]);
  const use = (values) => {
    const next = withoutPage(query, operation);
    for (const [name, list] of Object.entries(values)) {
      next.delete(name);
      for (const value of list) if (value !== "") next.append(name, value);
    }
    setQuery(next.toString());
  };
  const submit = (event) => {
    event.preventDefault();
    use(draft);
  };
  const clear = () => {
    const none = Object.fromEntries(Object.keys(draft).map((name) => [name, []]));
    const search = parameterOf(operation, "q");
    use(search ? { ...none, [search.name]: [] } : none);
  };
  return html`<form class="filters panel" onSubmit=${submit} aria-label=${`${t("list.filters")}: ${resource.plural}`}>
    <div class="rows">${rows.map((row, i) => html`<${Row} key=${row.name} number=${i} row=${row} draft=${draft} onChange=${(part) => setDraft({ ...draft, ...part })} />`)}</div>
    <div class="actions"><button class="primary">${t("list.apply")}</button><button type="button" onClick=${clear}>${t("list.clear")}</button></div></form>`;
}
