// Inputs for lists and maps.
import { html, useContext, useEffect, useRef, useState } from "../vendor/preact.js";
import { Field, Form } from "./form.js";
import { idOf } from "../errors.js";
import { elementTitle, initial, kindOf } from "../kinds.js";
import { isObject } from "../json.js";
import { inside, t } from "../texts.js";

const elementOf = (schema, reference = null) => ({ schema: schema.items ?? {}, required: true, isElement: true, description: "", reference });

function moved(values, from, to) {
  const copy = [...values];
  copy.splice(to, 0, ...copy.splice(from, 1));
  return copy;
}

/** A list whose elements can be added, removed and moved. */
export function ListInput(p) {
  const form = useContext(Form);
  const values = Array.isArray(p.value) ? p.value : [];
  const keys = useRef({ next: 0, all: [] });
  while (keys.current.all.length < values.length) keys.current.all.push(keys.current.next++);
  keys.current.all.length = values.length;
  const change = (next, keysToo) => {
    form.setErrors?.((now) => now.without(p.path, true)); // they name elements by their position
    keys.current.all = keysToo(keys.current.all);
    p.onChange(next);
  };
  const focusLater = (id) => setTimeout(() => document.getElementById(id)?.focus());
  const isFull = p.schema.maxItems !== undefined && values.length >= p.schema.maxItems;
  const add = () => {
    change([...values, initial(p.schema.items ?? {}, true) ?? (kindOf(p.schema.items ?? {}).nullable ? null : "")], (all) => all);
    focusLater(idOf(form.id, [...p.path, values.length]));
  };
  const move = (i, to, button) => {
    change(moved(values, i, to), (all) => moved(all, i, to));
    focusLater(`${p.id}-${button}-${to}`);
  };
  const remove = (i) => {
    change(values.filter((_, at) => at !== i), (all) => all.filter((_, at) => at !== i));
    focusLater(`${p.id}-add`);
  };
  return html`<div class="inner">
    ${values.length > 0 && html`<ol class="elements">${values.map((value, i) => {
      const item = elementTitle({ title: p.label, singular: p.singular, reference: p.reference }, i);
      return html`<li key=${keys.current.all[i]}>
        <${Field} field=${{ ...elementOf(p.schema, p.reference?.inverse ? p.reference : null), name: "", title: item }} value=${value} path=${[...p.path, i]}
          onChange=${(one) => p.onChange(values.map((other, at) => (at === i ? one : other)))} />
        <span class="tools">
          ${values.length > 1 && html`<button type="button" class="quiet small" id=${`${p.id}-up-${i}`} disabled=${i === 0} aria-label=${t("form.up", { item })} onClick=${() => move(i, i - 1, "up")}>↑</button>
          <button type="button" class="quiet small" id=${`${p.id}-down-${i}`} disabled=${i === values.length - 1} aria-label=${t("form.down", { item })} onClick=${() => move(i, i + 1, "down")}>↓</button>`}
          <button type="button" class="quiet small" aria-label=${t("form.remove", { item })} onClick=${() => remove(i)}>×</button>
        </span></li>`;
    })}</ol>`}
    <button type="button" class="small" id=${`${p.id}-add`} disabled=${isFull} onClick=${add}>${t("form.add", { field: inside(p.label) })}</button>
  </div>`;
}

/** An object with names that the caller chooses, as rows. */
export function MapInput(p) {
  const form = useContext(Form);
  const [rows, setRows] = useState(() => Object.entries(isObject(p.value) ? p.value : {}).map(([name, value], key) => ({ key, name, value })));
  const last = useRef(p.value);
  const own = useRef(new WeakSet()); // the effect may run after further changes
  const next = useRef(rows.length);
  useEffect(() => {
    if (p.value === last.current || own.current.has(p.value)) return;
    last.current = p.value;
    setRows(Object.entries(isObject(p.value) ? p.value : {}).map(([name, value]) => ({ key: next.current++, name, value })));
  }, [p.value]);
  const change = (all) => {
    setRows(all);
    last.current = Object.fromEntries(all.map((row) => [row.name, row.value]));
    own.current.add(last.current);
    p.onChange(last.current);
  };
  const edit = (key, part) => change(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const values = p.schema.additionalProperties === true ? {} : p.schema.additionalProperties;
  const isTwice = (row) => rows.some((other) => other.key !== row.key && other.name === row.name);
  const pathOf = (row) => [...p.path, isTwice(row) ? `${row.name}\u0000${row.key}` : row.name]; // ids are unique
  const add = () => {
    const key = next.current++;
    change([...rows, { key, name: "", value: initial(values, true) ?? "" }]);
    setTimeout(() => document.getElementById(`${p.id}-name-${key}`)?.focus());
  };
  return html`<div class="inner" key=${idOf(form.id, p.path)}>
    ${rows.length > 0 && html`<ul class="elements entries">${rows.map((row, i) => html`<li key=${row.key}>
      <${Name} id=${`${p.id}-name-${row.key}`} path=${pathOf(row)} label=${t("form.item", { field: t("form.key"), number: i + 1 })} name=${row.name}
        twice=${isTwice(row)} onChange=${(name) => edit(row.key, { name })} />
      <${Field} field=${{ ...elementOf({ items: values }), name: "", title: t("form.item", { field: t("form.value"), number: i + 1 }) }} value=${row.value}
        path=${pathOf(row)} onChange=${(value) => edit(row.key, { value })} />
      <span class="tools"><button type="button" class="quiet small" aria-label=${t("form.remove", { item: row.name })} onClick=${() => change(rows.filter((one) => one.key !== row.key))}>×</button></span>
    </li>`)}</ul>`}
    <button type="button" class="small" id=${`${p.id}-add`} onClick=${add}>${t("form.addEntry")}</button>
  </div>`;
}

function Name({ id, label, name, twice, onChange, path }) {
  const input = useRef(null);
  useEffect(() => input.current.setCustomValidity(twice ? t("form.twice") : ""), [twice]);
  return html`<div class="field"><label for=${id}>${label}</label>
    <input ref=${input} id=${id} type="text" autocomplete="off" data-path=${JSON.stringify(path)} value=${name} onInput=${(event) => onChange(event.target.value)} /></div>`;
}
