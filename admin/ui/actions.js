// Custom operations as buttons, with their forms and results.
import { html, useState } from "./vendor/preact.js";
import { conditions, send } from "./api.js";
import { Summary, errorsOf, errorsOfInputs, none } from "./errors.js";
import { Field, Fields, Form, begin, fieldsOfInput } from "./form.js";
import { kindOf } from "./kinds.js";
import { resolve } from "./model.js";
import { Value } from "./show.js";
import { Dialog, say } from "./dialog.js";
import { t } from "./texts.js";

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

function ActionDialog({ operation, resource, path, etag, onClose, onDone }) {
  const isObject = operation.input && kindOf(operation.input).kind === "object" && !operation.inputIsList;
  const [value, setValue] = useState(() => (isObject ? begin(fieldsOfInput(operation, resource)) : operation.inputIsList ? [] : undefined));
  const [fields, root] = operation.input ? (isObject ? [fieldsOfInput(operation, resource)] : [[], rootOf(operation, resource)]) : [[]];
  const [errors, setErrors] = useState(none);
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState(null);
  const run = async (event) => {
    event.preventDefault();
    event.stopPropagation();
    const invalid = errorsOfInputs(event.currentTarget, fields, root);
    if (invalid.size > 0) return setErrors(invalid);
    setBusy(true);
    try {
      const response = await send(operation.method, path, { body: operation.input ? value : undefined, type: operation.contentType, headers: conditions(operation, etag) });
      onDone?.(response);
      if (response.body === undefined || response.body === "" || isShown(operation, resource)) {
        say(`${operation.title}: ${t("action.done")}`);
        onClose();
        return;
      }
      setResult(response.body);
    } catch (error) {
      setErrors(errorsOf(error, fields, root));
    }
    setBusy(false);
  };
  return html`<${Dialog} title=${operation.title} onClose=${onClose} wide=${Boolean(operation.input)}>
    ${result !== null
      ? html`<h3>${t("action.result")}</h3><div class="result" tabindex="0" role="region" aria-label=${t("action.result")}><${Value} value=${result} schema=${operation.output ?? {}} /></div>
        <div class="actions"><button type="button" class="primary" onClick=${onClose}>${t("app.close")}</button></div>`
      : html`<form onSubmit=${run} noValidate><${Form.Provider} value=${{ id: "action", errors, exists: false, setErrors }}>
        ${operation.description && operation.description !== operation.title && html`<p class="lead">${operation.description}</p>`}
        <${Summary} form="action" errors=${errors} title=${errors.message} />
        ${operation.input && html`<${Body} operation=${operation} resource=${resource} value=${value} setValue=${setValue} />`}
        <div class="actions"><button class=${operation.destructive ? "danger filled" : "primary"} disabled=${busy}>${t(busy ? "action.running" : "action.run")}</button>
          <button type="button" onClick=${onClose}>${t("app.cancel")}</button></div></${Form.Provider}></form>`}
  </${Dialog}>`;
}

/** Buttons of operations. path returns the URL that an operation has for the record on the page. */
export function Actions({ operations, resource, path = (operation) => operation.path, etag, onDone }) {
  const [open, setOpen] = useState(null);
  return html`${operations.map((operation) => html`<button type="button" key=${operation.id} class=${operation.destructive ? "danger" : undefined} onClick=${() => setOpen(operation)}>${operation.title}</button>`)}
    ${open && html`<${ActionDialog} operation=${open} resource=${resource} path=${path(open)} etag=${etag} onClose=${() => setOpen(null)} onDone=${onDone} />`}`;
}
