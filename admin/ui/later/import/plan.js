// Chooses the field of each column, the values that all rows share, and how texts are read. It shows the first records.
import { html } from "../../vendor/preact.js";
import { Value } from "../../show.js";
import { t } from "../../texts.js";
import { recordOf } from "./rows.js";
import { DELIMITERS } from "./csv.js";

const SHOWN = 5;
const ORDERS = ["dmy", "mdy", "ymd"];

const Choice = ({ id, label, value, options, onChange }) => html`<div class="field"><label for=${id}>${label}</label>
  <select id=${id} value=${value} onChange=${(event) => onChange(event.target.value)}>
    ${options.map(([key, text]) => html`<option key=${key} value=${key} selected=${key === value}>${text}</option>`)}</select></div>`;

function Options({ options, onChange, delimiter, onDelimiter }) {
  const names = Object.fromEntries(DELIMITERS.map((one, i) => [one, t(`import.${["comma", "semicolon", "tab", "pipe"][i]}`)]));
  const set = (name, value) => onChange({ ...options, [name]: value });
  return html`<details><summary>${t("import.reading")}</summary><div class="reading">
    <${Choice} id="import-delimiter" label=${t("import.delimiter")} value=${delimiter} options=${Object.entries(names)} onChange=${onDelimiter} />
    <${Choice} id="import-decimal" label=${t("import.decimal")} value=${options.comma ? "," : "."} options=${[[".", "1,234.5"], [",", "1.234,5"]]} onChange=${(one) => set("comma", one === ",")} />
    <${Choice} id="import-order" label=${t("import.dates")} value=${options.order} options=${ORDERS.map((one) => [one, t(`import.${one}`)])} onChange=${(one) => set("order", one)} />
    <${Choice} id="import-separator" label=${t("import.lists")} value=${options.separator} options=${["|", ";", ",", "\n"].map((one) => [one, one === "\n" ? t("import.newline") : names[one]])} onChange=${(one) => set("separator", one)} />
    <${Choice} id="import-nulls" label=${t("import.empties")} value=${String(options.nulls)} options=${[["false", t("import.omit")], ["true", t("import.null")]]} onChange=${(one) => set("nulls", one === "true")} />
  </div></details>`;
}

/** The values that all rows share. */
function Constants({ fields, mapping, constants, onChange }) {
  const free = fields.filter((field) => !mapping.includes(field.name) && !constants.some((one) => one.name === field.name));
  const set = (i, text) => onChange(constants.map((one, at) => (at === i ? { ...one, text } : one)));
  return html`${constants.map(({ name, text }, i) => {
    const title = fields.find((one) => one.name === name)?.title ?? name;
    return html`<tr key=${name}><td class="quiet">${t("import.constant")}</td><td><input aria-label=${title} value=${text} onInput=${(event) => set(i, event.target.value)} /></td>
      <td><span class="row">${title} <button type="button" class="icon" aria-label=${t("form.remove", { item: title })} onClick=${() => onChange(constants.filter((_, at) => at !== i))}><span aria-hidden="true">×</span></button></span></td></tr>`;
  })}
    ${free.length > 0 && html`<tr><td colspan="2"></td><td><select aria-label=${t("import.addConstant")} value="" onChange=${(event) => { onChange([...constants, { name: event.target.value, text: "" }]); event.target.value = ""; }}>
      <option value="">${t("import.addConstant")}</option>${free.map((field) => html`<option key=${field.name} value=${field.name}>${field.title}</option>`)}</select></td></tr>`}`;
}

function Preview({ fields, table, plan }) {
  const chosen = fields.filter((field) => plan.mapping.includes(field.name) || plan.constants.some((one) => one.name === field.name));
  if (chosen.length === 0) return null;
  const records = table.rows.slice(0, SHOWN).map((row) => recordOf(row, fields, plan, (_, text) => text));
  return html`<section><h2>${t("import.preview")}</h2><div class="scroll" tabindex="0" role="region" aria-label=${t("import.preview")}><table>
    <thead><tr><th scope="col">${t("import.line")}</th>${chosen.map((field) => html`<th key=${field.name} scope="col">${field.title}</th>`)}</tr></thead>
    <tbody>${records.map(({ row, body }) => html`<tr key=${row.line}><td>${row.line}</td>${chosen.map((field) => html`<td key=${field.name}>
      ${body[field.name] === undefined ? "" : html`<${Value} value=${body[field.name]} schema=${field.schema} name=${field.name} />`}</td>`)}</tr>`)}</tbody></table></div></section>`;
}

/** Shows the plan of an import: {mapping: the field of each column, constants: [{name, text}], options}. */
export function Plan({ fields, table, plan, onChange, delimiter, onDelimiter }) {
  const { mapping, constants, options } = plan;
  const choose = (at, name) => onChange({ ...plan, constants: constants.filter((one) => one.name !== name), mapping: mapping.map((one, i) => (i === at ? name : one === name ? "" : one)) });
  const first = table.rows[0].cells;
  return html`<section class="stack"><h2>${t("import.columns")}</h2>
    <div class="scroll"><table class="mapping"><thead><tr><th scope="col">${t("import.column")}</th><th scope="col">${t("import.example")}</th><th scope="col">${t("import.field")}</th></tr></thead>
      <tbody>${table.header.map((column, i) => html`<tr key=${i}><td><label for=${`import-${i}`}>${column || `${t("import.column")} ${i + 1}`}</label></td><td class="quiet">${(first[i] ?? "").slice(0, 60)}</td>
        <td><select id=${`import-${i}`} value=${mapping[i]} onChange=${(event) => choose(i, event.target.value)}>
          <option value="" selected=${mapping[i] === ""}>${t("import.ignore")}</option>
          ${fields.map((field) => html`<option key=${field.name} value=${field.name} selected=${field.name === mapping[i]}>${field.title}${field.required ? " *" : ""}</option>`)}</select></td></tr>`)}
        <${Constants} fields=${fields} mapping=${mapping} constants=${constants} onChange=${(next) => onChange({ ...plan, constants: next })} /></tbody></table></div>
    <${Options} options=${options} onChange=${(next) => onChange({ ...plan, options: next })} delimiter=${delimiter} onDelimiter=${onDelimiter} /></section>
    <${Preview} fields=${fields} table=${table} plan=${plan} />`;
}
