// The dialog of an operation: a question, a form if it has a body, and its result.
import { html, useState } from "../vendor/preact.js";
import { Summary, errorsOf, errorsOfInputs, none } from "../errors.js";
import { conditions, send } from "../api.js";
import { isObject } from "../json.js";
import { begin, fieldsOfInput, kindOf, wordsOf } from "../kinds.js";
import { fieldOf, resolve } from "../model.js";
import { Value } from "../show.js";
import { Dialog, say } from "../dialog.js";
import { Details } from "./details.js";
import { Field, Fields, Form } from "./form.js";
import { t } from "../texts.js";

/** The one field of a body that is not an object. */
function rootOf(operation, resource) {
  const own = { name: "body", required: true, description: "", reference: null };
  if (!operation.inputIsList) return { ...own, title: t("form.value"), schema: operation.input };
  return { ...own, title: resource.plural, singular: resource.singular, schema: { type: "array", items: operation.input } };
}

/** The inputs of an operation's body, of any kind. */
function Body({ operation, resource, value, setValue }) {
  const { kind } = kindOf(operation.input);
  if (kind === "object" && !operation.inputIsList) return html`<${Fields} fields=${fieldsOfInput(operation, resource)} value=${value} onChange=${setValue} />`;
  return html`<${Field} field=${rootOf(operation, resource)} value=${value} path=${[]} onChange=${setValue} />`;
}

/** Whether an operation changes the record on the page and returns no more than the page shows. */
function isShown(operation, resource) {
  const names = Object.keys(resolve(operation.output ?? {}).properties ?? {});
  const shown = new Set(resource.fields.filter((field) => field.readable && !field.shownOnce).map((field) => field.name));
  return operation.item && operation.ifMatch && resource.identifier.every((name) => names.includes(name)) && names.every((name) => shown.has(name));
}

/** Returns what an operation has returned that the page does not show otherwise, null if there is nothing. */
const resultOf = (operation, resource, { body }) => (body === undefined || body === "" || isShown(operation, resource) ? null : body);

/** What an operation has returned, with the titles of its fields. */
function Result({ operation, resource, result, onClose }) {
  const schema = resolve(operation.output ?? {});
  const fields = isObject(result) ? Object.keys(result).map((name) => fieldOf(resource, name) ?? { name, title: wordsOf(name), schema: schema.properties?.[name] ?? {} }) : null;
  return html`<div class="result" tabindex="0" role="region" aria-label=${t("action.result")}>
      ${fields ? html`<${Details} fields=${fields} record=${result} />` : html`<${Value} value=${result} schema=${operation.output ?? {}} />`}</div>
    <div class="actions"><button type="button" class="primary" onClick=${onClose}>${t("app.close")}</button></div>`;
}

/** The question before an operation, with a form if it has a body, and its result. */
export function ActionDialog({ operation, resource, path, title, etag, onClose, onDone, onStale }) {
  const hasFields = operation.input && kindOf(operation.input).kind === "object" && !operation.inputIsList;
  const [value, setValue] = useState(() => (hasFields ? begin(fieldsOfInput(operation, resource)) : operation.inputIsList ? [] : undefined));
  const [fields, root] = operation.input ? (hasFields ? [fieldsOfInput(operation, resource)] : [[], rootOf(operation, resource)]) : [[]];
  const [errors, setErrors] = useState(none);
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState(null);
  const run = async (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (busy) return; // Ctrl+S presses no button
    const invalid = errorsOfInputs(event.currentTarget, fields, root);
    if (invalid.size > 0) return setErrors(invalid);
    setBusy(true);
    try {
      const response = await send(operation.method, path, { body: operation.input ? value : undefined, type: operation.contentType, headers: conditions(operation, etag) });
      onDone?.(response);
      const next = resultOf(operation, resource, response);
      if (next !== null) return setResult(next);
      say(t("action.done", { title: operation.title }));
      onClose();
    } catch (error) {
      if (error.status === 412 && onStale) return onClose(onStale());
      setErrors(errorsOf(error, fields, root));
      setBusy(false);
    }
  };
  return html`<${Dialog} title=${operation.title} onClose=${onClose} wide=${Boolean(operation.input)}>
    ${result !== null
      ? html`<${Result} operation=${operation} resource=${resource} result=${result} onClose=${onClose} />`
      : html`<form onSubmit=${run} noValidate><${Form.Provider} value=${{ id: "action", errors, exists: false, setErrors }}>
        ${title && html`<p>${title}</p>`}
        ${operation.description && operation.description !== operation.title && html`<p class="lead">${operation.description}</p>`}
        <${Summary} form="action" errors=${errors} />
        ${operation.input && html`<${Body} operation=${operation} resource=${resource} value=${value} setValue=${setValue} />`}
        ${operation.destructive && html`<p>${t("delete.forever")}</p>`}
        <div class="actions"><button class=${operation.danger ? "danger filled" : "primary"} disabled=${busy}>${busy ? t("action.running") : operation.title}</button>
          <button type="button" onClick=${onClose}>${t("action.keep")}</button></div></${Form.Provider}></form>`}
  </${Dialog}>`;
}
