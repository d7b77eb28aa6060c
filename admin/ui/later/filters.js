// The form of one condition of a list: a field, how it is compared, and one or more values.
import { html, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { valuesOf } from "../conditions.js";
import { canFind, referenceTo, resourceOf, targetOf } from "../model.js";
import { Combobox } from "./reference.js";
import { localOf, utcOf } from "../times.js";
import { useTitle } from "../titles.js";
import { plainNumber, typedNumber } from "../values.js";
import { t } from "../texts.js";

/** A value that is chosen already. */
function Chosen({ text, onRemove }) {
  return html`<span class="chip" dir="auto">${text} <button type="button" class="icon" aria-label=${t("form.remove", { item: text })} onClick=${onRemove}><span aria-hidden="true">×</span></button></span>`;
}

function ChosenReference({ reference, value, onRemove }) {
  const title = useTitle(targetOf(reference, value));
  return html`<${Chosen} text=${title ?? value} onRemove=${onRemove} />`;
}

function References({ id, label, reference, isMany, values, onChange }) {
  const resource = resourceOf(reference.resource);
  const add = (record) => {
    const value = String(referenceTo(reference, resource, record));
    onChange(isMany ? [...values.filter((one) => one !== value), value] : [value]);
  };
  return html`${values.length > 0 && html`<span class="chips">${values.map((one) => html`<${ChosenReference} key=${one} reference=${reference} value=${one} onRemove=${() => onChange(values.filter((other) => other !== one))} />`)}</span>`}
    <${Combobox} id=${id} resource=${resource} label=${label} onChoose=${add} />`;
}

function Choices({ id, label, choices, isMany, values, onChange }) {
  const toggle = (value, isOn) => onChange(isMany ? choices.map(([one]) => one).filter((one) => (one === value ? isOn : values.includes(one))) : [value]);
  return html`<fieldset class="choices"><legend class="hidden">${label}</legend>${choices.map(([value, text], i) => html`<label key=${value}>
    <input type=${isMany ? "checkbox" : "radio"} name=${id} id=${i === 0 ? id : undefined} checked=${values.includes(value)} onChange=${(event) => toggle(value, event.target.checked)} /> ${text}</label>`)}</fieldset>`;
}

function Input({ id, label, kind, value, onChange }) {
  if (kind === "datetime") {
    return html`<input id=${id} aria-label=${label} type="datetime-local" step="any" value=${localOf(value)} onInput=${(event) => onChange(utcOf(event.target.value, value))} />`;
  }
  const mode = { integer: "numeric", number: "decimal" }[kind];
  return html`<input id=${id} aria-label=${label} type=${kind === "date" ? "date" : "text"} inputmode=${mode} autocomplete="off" dir="auto" value=${kind === "number" ? typedNumber(value) : value}
    onInput=${(event) => onChange(kind === "number" ? plainNumber(event.target.value) : event.target.value)} />`;
}

/** Several typed values: those before the last are chips, the last one is in the input. */
function Texts({ id, label, kind, isMany, values, onChange }) {
  const chosen = values.slice(0, -1);
  const last = values.at(-1) ?? "";
  return html`${chosen.length > 0 && html`<span class="chips">${chosen.map((one, i) => html`<${Chosen} key=${i} text=${one} onRemove=${() => onChange(values.toSpliced(i, 1))} />`)}</span>`}
    <span class="joined"><${Input} key=${chosen.length} id=${id} label=${label} kind=${kind} value=${last} onChange=${(value) => onChange([...chosen, value])} />
    ${isMany && html`<button type="button" title=${t("filter.orTitle")} disabled=${!last} onClick=${() => onChange([...values, ""])}>${t("filter.or")}</button>`}</span>`;
}

function Values({ row, option, values, onChange }) {
  const { kind, choices, reference } = valuesOf(row, option);
  const shared = { id: "filter-value", label: t("filter.value", { field: row.title }), isMany: option.parameter.many, values, onChange };
  if (option.operator === "range") {
    const input = (i, label) => html`<div class="field"><label for=${`filter-value-${i}`}>${label}</label><${Input} id=${`filter-value-${i}`} label=${`${row.title} ${label}`} kind=${kind} value=${values[i] ?? ""}
      onChange=${(value) => onChange(i === 0 ? [value, values[1] ?? ""] : [values[0] ?? "", value])} /></div>`;
    return html`${input(0, t("filter.from"))}${input(1, t("filter.to"))}`;
  }
  if (choices) return html`<${Choices} ...${shared} choices=${choices} />`;
  if (reference && canFind(resourceOf(reference.resource))) return html`<${References} ...${shared} reference=${reference} />`;
  return html`<${Texts} ...${shared} kind=${kind} />`;
}

/** The form that adds a condition, or changes one. onDone gets the condition. */
export function ConditionForm({ rows, condition, onDone, onClose }) {
  const first = useRef(null);
  useLayoutEffect(() => first.current.focus(), []); // the panel may be open already
  const [row, setRow] = useState(condition?.row ?? rows[0]);
  const [option, setOption] = useState(condition?.option ?? rows[0].options[0]);
  const [values, setValues] = useState(condition?.values ?? []);
  const offered = row.options.filter((one) => !one.isHidden || one === option);
  const choose = (event) => {
    const next = rows[Number(event.target.value)];
    setRow(next);
    setOption(next.options[0]);
    setValues([]);
  };
  const compare = (event) => {
    const next = offered[Number(event.target.value)];
    if (next.names.length !== option.names.length || valuesOf(row, next).kind !== valuesOf(row, option).kind) setValues([]);
    setOption(next);
  };
  const submit = (event) => {
    event.preventDefault();
    event.stopPropagation();
    const filled = option.operator === "range" ? values : values.map((one) => one.trim()).filter(Boolean);
    if (filled.some(Boolean)) onDone({ row, option, values: filled });
  };
  return html`<form class="condition-form" aria-label=${t(condition ? "filter.change" : "filter.add")} onSubmit=${submit}>
    <div class="field"><label for="filter-field">${t("filter.field")}</label><select id="filter-field" ref=${first} onChange=${choose}>
      ${rows.map((one, i) => html`<option key=${one.name} value=${String(i)} selected=${one === row}>${one.title}</option>`)}</select></div>
    ${(offered.length > 1 || option.operator !== "equal") && html`<div class="field"><label for="filter-operator">${t("filter.operator")}</label><select id="filter-operator" onChange=${compare}>
      ${offered.map((one, i) => html`<option key=${one.operator} value=${String(i)} selected=${one === option}>${one.label}</option>`)}</select></div>`}
    <${Values} key=${`${row.name} ${option.operator}`} row=${row} option=${option} values=${values} onChange=${setValues} />
    <div class="actions"><button class="primary">${t("list.apply")}</button><button type="button" onClick=${onClose}>${t("app.cancel")}</button></div></form>`;
}
