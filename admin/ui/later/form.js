// Forms from schemas: fields with their labels, help, errors, and inputs for every kind of value.
import { createContext, html, useContext, useState } from "../vendor/preact.js";
import { emptyObject, fieldsIn, kindOf } from "../kinds.js";
import { idOf, none } from "../errors.js";
import { Choices, Input } from "./inputs.js";
import { mistakeIn } from "./code.js";
import { ListInput, MapInput } from "./lists.js";
import { ReferenceInput, ReferencesInput } from "./reference.js";
import { canFind, resourceOf } from "../model.js";
import { Groups, isWide } from "./groups.js";
import { Value } from "../show.js";
import { WIDGETS } from "./widgets.js";
import { textOf } from "../values.js";
import { inside, t } from "../texts.js";

/** What the fields of a form share: its id, its errors and what changes them, and whether a record exists. */
export const Form = createContext({ id: "form", errors: none, exists: false });

const GROUPS = new Set(["object", "list", "set", "map"]);

function Label({ id, field, group }) {
  const mark = field.required && !field.isElement && html` <span class="required" aria-hidden="true">*</span><span class="hidden"> (${t("form.required")})</span>`;
  return group ? html`<legend>${field.title}${mark}</legend>` : html`<label for=${id}>${field.title}${mark}</label>`;
}

/** One field with its label, help and error. path is where its value is in the body. */
export function Field({ field, value, onChange: change, path }) {
  const form = useContext(Form);
  const id = idOf(form.id, path);
  const { kind: declared, nullable, schema } = kindOf(field.schema, field.name);
  const isRepeated = declared === "set" && Array.isArray(value) && new Set(value.map(String)).size < value.length;
  const kind = isRepeated ? "list" : declared;
  const isReference = field.reference && !field.reference.inverse && canFind(resourceOf(field.reference.resource));
  const Widget = isReference ? undefined : WIDGETS[field.widget];
  const group = !isReference && !Widget && GROUPS.has(kind);
  const whole = isReference || Boolean(Widget) || kind === "json" || kind === "set";
  const [isLeft, setIsLeft] = useState(false); // what is being typed is not wrong yet
  const error = form.errors.at(path, whole) ?? ((isLeft && mistakeIn(value)) || undefined);
  const help = [field.description, field.writeOnly && form.exists && kind === "password" && t("form.secret")].filter(Boolean).join(" ");
  const text = field.currency ? textOf(field, value) : "";
  const amount = text === String(value) ? "" : text; // what is no number yet
  const describedBy = [help && `${id}-help`, amount && `${id}-amount`, error && `${id}-error`].filter(Boolean).join(" ");
  const onChange = (next) => {
    form.setErrors?.((now) => now.without(path, whole)); // what was wrong has been edited
    change(next);
  };
  const unset = nullable ? null : undefined;
  const clearable = nullable && value !== null && value !== undefined && !isReference && !["boolean", "enum"].includes(kind);
  const shared = {
    id, path, kind, nullable, schema, error, describedBy, unset, value, onChange,
    required: field.required, label: field.title, singular: field.singular, values: field.values, reference: field.reference, autocomplete: field.autocomplete ?? (kind === "password" && /^(current|old)/i.test(field.name) ? "current-password" : undefined),
    placeholder: value === null && nullable ? t("form.noValue") : undefined,
  };
  const body = Widget ? html`<${Widget} ...${shared} />` : html`<${Body} ...${shared} isReference=${isReference} many=${field.reference?.many} />`;
  const clear = t("form.clear", { field: field.title });
  const after = clearable && html`<button type="button" class=${group ? "small" : "quiet"} title=${clear} aria-label=${clear} onClick=${() => onChange(null)}>${group ? clear : "×"}</button>`;
  const rest = html`${help && html`<p class="help" id=${`${id}-help`}>${help}</p>`}${amount && html`<p class="help" id=${`${id}-amount`}>= ${amount}</p>`}${error && html`<p class="error" id=${`${id}-error`}>${error}</p>`}`;
  const name = `field ${kind}${error ? " wrong" : ""}${isWide(field) ? " wide" : ""}`;
  if (group) {
    return html`<fieldset class=${name} data-field=${id} aria-describedby=${describedBy || undefined}>
      <${Label} id=${id} field=${field} group=${true} />${rest}${body}${after}</fieldset>`;
  }
  const isSwitch = kind === "boolean" && !nullable;
  return html`<div class=${isSwitch ? `${name} switch` : name} data-field=${id} onBlurCapture=${() => setIsLeft(true)}>
    ${isSwitch ? html`<span class="row">${body}<${Label} id=${id} field=${field} /></span>` : html`<${Label} id=${id} field=${field} /><span class="joined">${body}${after}</span>`}
    ${rest}</div>`;
}

function Body(p) {
  if (p.isReference) return p.many ? html`<${ReferencesInput} ...${p} create=${true} />` : html`<${ReferenceInput} ...${p} create=${true} />`;
  switch (p.kind) {
    case "object":
      return p.nullable && !p.value ? html`<${AddObject} ...${p} />` : html`<${ObjectInput} ...${p} />`;
    case "list":
      return html`<${ListInput} ...${p} />`;
    case "map":
      return html`<${MapInput} ...${p} />`;
    case "set":
      return html`<${Choices} ...${p} options=${kindOf(p.schema.items).schema.enum} />`;
    default:
      return html`<${Input} ...${p} />`;
  }
}

const AddObject = (p) => html`<button type="button" id=${p.id} class="small" onClick=${() => p.onChange(emptyObject(p.schema))}>${t("form.add", { field: inside(p.label) })}</button>`;

function ObjectInput(p) {
  const value = p.value ?? {};
  return html`<div class="fields">
    ${fieldsIn({ schema: p.schema, reference: p.reference }).map((field) => html`<${Field} key=${field.name} field=${field} value=${value[field.name]} path=${[...p.path, field.name]}
      onChange=${(one) => p.onChange({ ...value, [field.name]: one })} />`)}
  </div>`;
}

/** Fields of a form. Those whose names are in locked or given are shown, not edited: the caller may not, or the page knows them. */
export function Fields({ fields, value, onChange, locked = [], given = [], path = [], groups = [] }) {
  const each = (field) =>
    locked.includes(field.name) || given.includes(field.name)
      ? html`<${Locked} key=${field.name} field=${field} value=${value[field.name]} help=${locked.includes(field.name) && t("form.locked")} />`
      : html`<${Field} key=${field.name} field=${field} value=${value[field.name]} path=${[...path, field.name]}
          onChange=${(one) => onChange((now) => ({ ...now, [field.name]: one }))} />`;
  return html`<${Groups} fields=${fields} groups=${groups} each=${each} />`;
}

const Locked = ({ field, value, help }) => html`<div class=${isWide(field) ? "field locked wide" : "field locked"}><span class="label">${field.title}</span>
  <div><${Value} value=${value} field=${field} /></div>${help && html`<p class="help">${help}</p>`}</div>`;
