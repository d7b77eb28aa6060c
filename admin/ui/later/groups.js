// Groups of fields, as the config declares them, in forms and in the details of records.
import { html } from "../vendor/preact.js";
import { kindOf } from "../kinds.js";

const LONG = ["long", "json", "object", "list", "map", "bytes"];
const TALL = ["markdown", "code", "json", "image", "text"];

/** Divides fields into groups: {title, columns, fields}. Fields in no group follow in one without a title, whose columns are 0. */
function divide(fields, groups) {
  const named = new Set(groups.flatMap((one) => one.fields));
  const known = (names) => names.map((name) => fields.find((field) => field.name === name)).filter(Boolean);
  const all = [...groups.map((one) => ({ ...one, fields: known(one.fields) })), { title: "", columns: 0, fields: fields.filter((field) => !named.has(field.name)) }];
  return all.filter((one) => one.fields.length > 0);
}

/** Returns fields in the order of their groups. */
export const inOrder = (fields, groups = []) => divide(fields, groups).flatMap((one) => one.fields);

/** Reports whether a field needs the whole width of a form. */
export function isWide(field) {
  const { kind } = kindOf(field.schema ?? {}, field.name);
  return LONG.includes(kind) && (!field.reference || field.reference.many || field.reference.inverse) || TALL.includes(field.widget);
}

/** Fields in their groups. each makes what is shown of a field; as is the element around the fields of a group. */
export function Groups({ fields, groups = [], each, as: Tag = "div" }) {
  return divide(fields, groups).map((one, i) => html`<div class="group" key=${one.title || i} role=${one.title ? "group" : undefined} aria-label=${one.title || undefined}>
    ${one.title && html`<h2>${one.title}</h2>`}
    <${Tag} class=${`fields ${one.columns === 1 ? "single" : ""}`}>${one.fields.map(each)}</${Tag}></div>`);
}
