// Errors of fields: where they belong in a form, whichever way the API names them.
import { html, useEffect, useRef } from "./vendor/preact.js";
import { t } from "./texts.js";

/** Splits the name of a field in an error: a JSON pointer (RFC 6901), or names with dots and [index]. */
function pathOfError(name) {
  if (name.startsWith("/")) {
    return name.slice(1).split("/").map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"));
  }
  return name.split(/\.|\[(\d+)\]/).filter((part) => part !== undefined && part !== "");
}

const keyOf = (path) => JSON.stringify(path.map(String));

/** Errors of a form by the paths of its fields. */
export class Errors {
  constructor(byName = {}, message = "") {
    this.message = message;
    this.all = Object.entries(byName).map(([name, text]) => ({ path: pathOfError(name), text }));
    this.byPath = new Map(this.all.map((one) => [keyOf(one.path), one.text]));
  }

  /** The error of the field at a path. whole: also errors of what is inside of it. */
  at(path, whole = false) {
    const own = this.byPath.get(keyOf(path));
    if (!whole) return own;
    const inner = this.all.filter((one) => one.path.length > path.length && path.every((part, i) => String(part) === one.path[i]));
    return [own, ...inner.map((one) => one.text)].filter(Boolean).join(" ") || undefined;
  }

  get size() {
    return this.all.length;
  }
}

export const none = new Errors();

/** Returns what a form shows of a request that failed. */
export const errorsOf = (error) => new Errors(error.fields, error.message);

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

/** Where a field is that is not at the top: in the second element of a list, for example. */
const whereIs = (path) => (path.length > 1 ? ` (${path.map((part) => (/^\d+$/.test(part) ? Number(part) + 1 : part)).join(" › ")})` : "");

/** Lists all errors on top of a form, with links to the fields. It takes the focus whenever there are new ones. */
export function Summary({ form, errors, title }) {
  const element = useRef(null);
  useEffect(() => {
    if (errors.size > 0 || errors.message) element.current?.focus();
  }, [errors]);
  if (errors.size === 0 && !errors.message) return null;
  return html`<div class="alert" role="alert" tabindex="-1" ref=${element}>
    <p>${errors.size > 0 ? (title ?? t("form.errors")) : errors.message}</p>
    ${errors.size > 0 && html`<ul>${errors.all.map((one, i) => html`<li key=${i}>
      <button type="button" class="link" onClick=${() => focusOn(form, one.path)}>${one.text}${whereIs(one.path)}</button></li>`)}</ul>`}
  </div>`;
}

/** Returns the errors that the browser itself has found, such as half a date, by field. */
export function invalidInputs(element) {
  const found = {};
  for (const input of element.querySelectorAll("input, textarea, select")) {
    if (input.dataset.path && (input.validity.customError || input.validity.badInput)) {
      found[`/${JSON.parse(input.dataset.path).map((part) => String(part).replace(/~/g, "~0").replace(/\//g, "~1")).join("/")}`] = input.validationMessage;
    }
  }
  return found;
}
