// Inputs for values that are not made of others.
import { html, useState } from "../vendor/preact.js";
import { Exact, exact, isNumber, isObject, write } from "../json.js";
import { JsonInput } from "./code.js";
import { say } from "../dialog.js";
import { jsonOf, localOf, momentsOf, offsetOf, utcOf } from "../times.js";
import { locale, t } from "../texts.js";
import { plainNumber, titleOfValue, typedNumber } from "../values.js";

const shown = (value) => (value === null || value === undefined ? "" : value instanceof Exact || typeof value !== "object" ? String(value) : write(value));

/** Attributes that all inputs of a field share: its id, label and texts. */
export const shared = (p) => ({
  id: p.id,
  "data-path": JSON.stringify(p.path),
  "aria-describedby": p.describedBy || undefined,
  "aria-invalid": p.error ? "true" : undefined,
  "aria-required": p.required ? "true" : undefined,
  disabled: p.disabled,
  dir: p.kind === "text" || p.kind === "long" ? "auto" : undefined,
});

const zone = () => {
  const offset = new Intl.DateTimeFormat("en", { timeZoneName: "longOffset" }).formatToParts(new Date()).find((one) => one.type === "timeZoneName")?.value;
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return offset && offset !== name ? `${name} (${offset})` : name;
};

function DateTime(p) {
  const parseable = p.value === null || p.value === undefined || p.value === "" || localOf(p.value) !== "";
  const change = (event) => {
    if (event.target.validity.badInput) return;
    const text = event.target.value;
    p.onChange(text === "" ? p.unset : utcOf(text, p.value));
  };
  if (!parseable) return html`<${TextInput} ...${p} />`;
  const moments = momentsOf(localOf(p.value));
  return html`<span class="stack"><span class="joined"><input type="datetime-local" step="any" value=${localOf(p.value)} onInput=${change} ...${shared(p)} />
    ${moments.length > 1 && html`<select aria-label=${t("form.offset", { field: p.label })} disabled=${p.disabled} onChange=${(event) => p.onChange(jsonOf(moments[Number(event.target.value)]))}>
      ${moments.map((one, i) => html`<option key=${i} value=${String(i)} selected=${offsetOf(one) === offsetOf(p.value)}>UTC${offsetOf(one)}</option>`)}</select>`}</span>
    <span class="help">${t("form.zone", { zone: zone() })}</span></span>`;
}

const isTime = (text) => /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?$/.test(text);
const isDate = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);

function DateInput(p) {
  if (p.value && !(p.kind === "date" ? isDate : isTime)(String(p.value))) return html`<${TextInput} ...${p} />`;
  const change = (event) => event.target.validity.badInput || p.onChange(event.target.value === "" ? p.unset : event.target.value);
  return html`<input type=${p.kind} step=${p.kind === "time" ? "any" : undefined} value=${p.value ?? ""} onInput=${change} ...${shared(p)} />`;
}

const MODES = { integer: "numeric", number: "decimal", decimal: "decimal", email: "email", uri: "url" };

function TextInput(p) {
  const kind = p.kind === "text" && p.schema?.format === "decimal" ? "decimal" : p.kind; // a decimal number is a string in JSON
  const isNumeric = ["integer", "number", "decimal"].includes(kind);
  const own = shown(p.value);
  const change = (event) => {
    const text = event.target.value;
    if (!isNumeric) return p.onChange(text);
    const number = plainNumber(text.trim());
    if (number === "") p.onChange(p.unset);
    else p.onChange(kind === "decimal" ? number : isNumber(number) ? exact(number) : text);
  };
  return html`<input type=${p.kind === "email" && p.autocomplete ? "email" : "text"} inputmode=${MODES[kind]} class=${isNumeric ? "numeric" : undefined} value=${isNumeric ? typedNumber(own) : own} onInput=${change}
    autocomplete=${p.autocomplete ?? "off"} spellcheck=${kind === "text" ? undefined : false} placeholder=${p.placeholder} ...${shared(p)} />`;
}

function Password(p) {
  const [open, setOpen] = useState(false);
  return html`<span class="joined">
    <input type=${open ? "text" : "password"} autocomplete=${p.autocomplete ?? "new-password"} value=${p.value ?? ""} placeholder=${p.placeholder}
      onInput=${(event) => p.onChange(event.target.value === "" && !p.required ? p.unset : event.target.value)} ...${shared(p)} />
    <button type="button" class="quiet" aria-pressed=${open} aria-label=${`${t(open ? "form.hide" : "form.show")}: ${p.label}`} onClick=${() => setOpen(!open)}>${t(open ? "form.hide" : "form.show")}</button>
  </span>`;
}

const Long = (p) => html`<textarea rows="3" value=${shown(p.value)} placeholder=${p.placeholder} onInput=${(event) => p.onChange(event.target.value)} ...${shared(p)}></textarea>`;

function Choice(p) {
  const values = (p.kind === "boolean" ? [true, false] : p.schema.enum).filter((one) => one !== null);
  const known = p.value === null || p.value === undefined || values.some((one) => String(one) === String(p.value));
  const all = known ? values : [p.value, ...values];
  const text = (one) => (one === true ? t("app.yes") : one === false ? t("app.no") : titleOfValue(p, one));
  const change = (event) => p.onChange(event.target.value === "" ? p.unset : all[Number(event.target.value)]);
  const at = all.findIndex((one) => p.value !== null && p.value !== undefined && String(one) === String(p.value));
  const unset = p.nullable ? t("form.unset") : p.required ? t("form.pick") : t("form.unset");
  return html`<select onChange=${change} value=${at < 0 ? "" : String(at)} ...${shared(p)}>
    ${(p.nullable || at < 0) && html`<option value="" selected=${at < 0} disabled=${!p.nullable}>${unset}</option>`}
    ${all.map((one, i) => html`<option key=${i} value=${String(i)} selected=${i === at}>${text(one)}</option>`)}
  </select>`;
}

const Switch = (p) => html`<input type="checkbox" checked=${p.value === true} onChange=${(event) => p.onChange(event.target.checked)} ...${shared(p)} />`;

function Bytes(p) {
  const text = shown(p.value);
  const read = async (event) => {
    const file = event.target.files[0];
    if (!file) return;
    const found = await file.arrayBuffer().catch(() => null);
    if (found === null) return say(t("form.unreadable"), "bad");
    const bytes = new Uint8Array(found);
    let binary = "";
    for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
    p.onChange(btoa(binary));
  };
  const size = Math.floor((text.replace(/=+$/, "").length * 3) / 4);
  return html`<span class="stack"><textarea rows="2" class="code" spellcheck=${false} value=${text} onInput=${(event) => p.onChange(event.target.value)} ...${shared(p)}></textarea>
    <span class="row"><input type="file" aria-label=${`${t("form.file")}: ${p.label}`} disabled=${p.disabled} onChange=${read} />
    <span class="help">${t("form.bytes", { count: size.toLocaleString(locale()) })}</span></span></span>`;
}

/** Several values of an enum, as checkboxes. */
export function Choices(p) {
  const chosen = Array.isArray(p.value) ? p.value : [];
  const values = p.schema.items ? p.options : [];
  const toggle = (one, on) => p.onChange(on ? [...chosen, one] : chosen.filter((other) => String(other) !== String(one)));
  return html`<span class="choices">${values.map((one, i) => html`<label key=${i}>
    <input type="checkbox" id=${i === 0 ? p.id : undefined} disabled=${p.disabled} checked=${chosen.some((other) => String(other) === String(one))}
      onChange=${(event) => toggle(one, event.target.checked)} /> ${titleOfValue(p, one)}</label>`)}</span>`;
}

const INPUTS = { datetime: DateTime, date: DateInput, time: DateInput, password: Password, long: Long, enum: Choice, bytes: Bytes, json: JsonInput };

/** The input for a kind of value. unset is what it holds when it is emptied. */
export function Input(p) {
  if (p.kind === "boolean" && !p.nullable && !isObject(p.value)) return html`<${Switch} ...${p} />`;
  if (p.kind === "boolean") return html`<${Choice} ...${p} />`;
  if (p.kind === "text" && typeof p.value === "string" && (p.value.includes("\n") || p.value.length > 200)) return html`<${Long} ...${p} />`;
  return html`<${INPUTS[p.kind] ?? TextInput} ...${p} />`;
}
