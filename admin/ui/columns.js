// Which columns a list has. The choice is kept in this browser.
import { html, useEffect, useRef, useState } from "./vendor/preact.js";
import { base } from "./model.js";
import { t } from "./texts.js";

const keyOf = (resource, scope) => `trove-admin:${base}:columns:${resource.name}${scope}`;

/** Returns the columns of a list: those that were chosen, else those of the model. without is what all records have in common. */
export function chosenColumns(resource, scope, without) {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(resource, scope)));
    const known = kept?.filter((name) => resource.fields.some((field) => field.name === name && shows(field)));
    if (known?.length > 0) return known;
  } catch {
    // the usual ones
  }
  return usual(resource).filter((name) => name !== without);
}

const shows = (field) => field?.readable && !field.reference?.inverse && !field.shownOnce;
const usual = (resource) => resource.columns.filter((name) => shows(resource.fields.find((field) => field.name === name)));

/** A button that opens the choice of columns. */
export function Columns({ resource, scope, columns, onChange }) {
  const [open, setOpen] = useState(false);
  const element = useRef(null);
  useEffect(() => {
    if (!open) return;
    const outside = (event) => element.current?.contains(event.target) || setOpen(false);
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [open]);
  const change = (next) => {
    if (next.length === 0) return;
    try {
      localStorage.setItem(keyOf(resource, scope), JSON.stringify(next));
    } catch {
      // it lasts as long as the page
    }
    onChange(next);
  };
  const readable = resource.fields.filter(shows);
  const toggle = (name, on) => change(readable.map((field) => field.name).filter((one) => (one === name ? on : columns.includes(one))));
  const reset = () => {
    try {
      localStorage.removeItem(keyOf(resource, scope));
    } catch {
      // there was nothing
    }
    onChange(usual(resource));
  };
  const key = (event) => {
    if (event.key !== "Escape" || !open) return;
    setOpen(false);
    element.current.querySelector("button").focus();
  };
  return html`<span class="popover" ref=${element} onKeyDown=${key}>
    <button type="button" aria-expanded=${open ? "true" : "false"} onClick=${() => setOpen(!open)}>${t("list.columns")}</button>
    ${open && html`<fieldset class="panel"><legend class="hidden">${t("list.columns")}</legend>
      ${readable.map((field) => html`<label key=${field.name}><input type="checkbox" checked=${columns.includes(field.name)}
        disabled=${columns.length === 1 && columns[0] === field.name} onChange=${(event) => toggle(field.name, event.target.checked)} /> ${field.title}</label>`)}
      <button type="button" class="link" onClick=${reset}>${t("list.reset")}</button></fieldset>`}
  </span>`;
}
