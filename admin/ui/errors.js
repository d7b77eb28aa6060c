// Errors of forms: what they say, where they belong, whichever way the API names the fields, and a summary of all.
import { html, useEffect, useRef } from "./vendor/preact.js";
import { locate, sentenceOf, sentenceOfRecord } from "./sentences.js";
import { t } from "./texts.js";

/** Splits the name of a field in an error: a JSON pointer (RFC 6901), or names with dots and [index]. */
function pathOfError(name) {
  if (name.startsWith("/")) {
    return name.slice(1).split("/").map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"));
  }
  return name.split(/\.|\[(\d+)\]/).filter((part) => part !== undefined && part !== "");
}

const keyOf = (path) => JSON.stringify(path.map(String));
const isIn = (path, outer) => outer.every((part, i) => String(part) === path[i]);

const before = (a, b) => {
  const at = a.findIndex((one, i) => one !== b[i]);
  return at < 0 ? a.length - b.length : a[at] - (b[at] ?? -1);
};

/** Errors of a form. Each of all has the path of its field, its text there, and that in the summary. */
class Errors {
  constructor(all, message = "", about = [], cause = {}) {
    Object.assign(this, { all, message, about, cause }); // about: the fields that the message is about
    this.byPath = new Map(all.map((one) => [keyOf(one.path), one.text]));
  }

  /** The error of the field at a path. whole: also errors of what is inside of it. */
  at(path, whole = false) {
    const own = this.byPath.get(keyOf(path));
    if (!whole) return own;
    const inner = this.all.filter((one) => one.path.length > path.length && isIn(one.path, path));
    return [own, ...inner.map((one) => one.text)].filter(Boolean).join(" ") || undefined;
  }

  /** These errors without that of the field at a path, which has been edited. whole: also without those inside of it. */
  without(path, whole = false) {
    const rest = this.all.filter((one) => !(isIn(one.path, path) && (whole || one.path.length === path.length)));
    const isAbout = path.length === 1 && this.about.includes(path[0]);
    if (rest.length === this.all.length && !isAbout) return this;
    return new Errors(rest, isAbout || rest.length === 0 ? "" : this.message, this.about, this.cause);
  }

  get size() {
    return this.all.length;
  }
}

export const none = new Errors([]);

/** Returns errors of paths with their texts, in the order of the form. */
function made(list, fields, root, message, about) {
  const all = new Map();
  for (const { path, text, isWhole } of list) {
    const { titles, order, beside } = locate(path, fields, root);
    const title = titles.at(-1) ?? root?.title ?? "";
    const own = isWhole ? text : sentenceOf(text, String(path.findLast((part) => !/^\d+$/.test(part)) ?? ""), title, beside);
    const above = titles.slice(0, isWhole ? undefined : -1).join(" › ");
    const known = all.get(keyOf(path));
    const both = known ? `${known.text}; ${own}` : own;
    all.set(keyOf(path), { path, order, text: both, summary: above ? `${above}: ${both}` : both });
  }
  return new Errors([...all.values()].toSorted((a, b) => before(a.order, b.order)), message, about);
}

/** Lists the errors of fields that a response has, in any of its shapes. */
function listed({ errors, violations, field, detail } = {}, message = "") {
  if (Array.isArray(violations)) return violations.map((one) => ({ path: pathOfError(String(one.pointer ?? "")), text: String(one.message) }));
  if (errors && typeof errors === "object") return Object.entries(errors).map(([name, text]) => ({ path: pathOfError(name), text: String(text) }));
  return typeof field === "string" && !field.includes(",") ? [{ path: pathOfError(field), text: String(detail ?? message) }] : [];
}

/** Returns what a form shows of a request that failed. fields are those of the form; root is the only one if its body is not an object. */
export function errorsOf(error, fields = [], root = null) {
  const { field = "", fields: about = field.split(",") } = error.problem ?? {};
  const all = listed(error.problem ?? undefined, error.message);
  return made(all, fields, root, sentenceOfRecord(error, fields), Array.isArray(about) ? about : []);
}

/** Returns what an error says, in words of the page. */
export function wordsOf(error, resource) {
  const errors = errorsOf(error, resource?.fields ?? []);
  return errors.size > 0 ? errors.all.map((one) => one.summary).join("; ") : errors.message;
}

/** The id of the input for a path in a form. */
export const idOf = (form, path) => `${form}.${path.map((part) => encodeURIComponent(part)).join(".")}`;

/** Moves the focus to the input for a path, or to the nearest one around it. */
function focusOn(form, path) {
  for (let length = path.length; length > 0; length--) {
    const id = idOf(form, path.slice(0, length));
    const element = document.getElementById(id) ?? document.querySelector(`[data-field="${CSS.escape(id)}"]`);
    if (!element) continue;
    const input = element.matches("input, textarea, select, button") ? element : (element.querySelector("input, textarea, select, button") ?? element);
    input.closest("details")?.setAttribute("open", "");
    input.focus();
    input.scrollIntoView({ block: "center" });
    return true;
  }
  return false;
}

/** Lists all errors on top of a form, with links to the fields. It takes the focus whenever there are new ones. */
export function Summary({ form, errors }) {
  const element = useRef(null);
  useEffect(() => {
    if (errors.size > 0 || errors.message) element.current?.focus();
  }, [errors.cause]);
  if (errors.size === 0 && !errors.message) return null;
  return html`<div class="alert" role="alert" tabindex="-1" ref=${element}>
    <p>${errors.size > 0 ? t("form.errors") : errors.message}</p>
    ${errors.size > 0 && html`<ul>${errors.all.map((one) => html`<li key=${keyOf(one.path)}>
      <button type="button" class="link" onClick=${() => focusOn(form, one.path)}>${one.summary}</button></li>`)}</ul>`}
  </div>`;
}

/** Returns the errors that the browser itself has found in a form, such as half a date. */
export function errorsOfInputs(element, fields = [], root = null) {
  const found = [];
  for (const input of element.querySelectorAll("input, textarea, select")) {
    if (input.dataset.path && (input.validity.customError || input.validity.badInput)) {
      found.push({ path: JSON.parse(input.dataset.path).map(String), text: input.validationMessage, isWhole: true });
    }
  }
  return made(found, fields, root);
}
