// Custom operations as buttons. Their dialogs come when they are opened.
import { html, useState } from "./vendor/preact.js";
import { lazy } from "./lazy.js";

const ActionDialog = lazy(() => import("./later/action.js"), "ActionDialog");

/**
 * Buttons of operations. title is that of the record on the page, and path returns the URL that an operation has for it. onDone
 * is called after each, and onStale if the record has changed meanwhile.
 */
export function Actions({ operations, resource, title, path = (operation) => operation.path, etag, onDone, onStale }) {
  const [open, setOpen] = useState(null);
  return html`${operations.map((operation) => html`<button type="button" key=${operation.id} class=${operation.danger ? "danger" : undefined}
      data-action=${operation.id} onClick=${() => setOpen(operation)}>${operation.title}</button>`)}
    ${open && html`<${ActionDialog} key=${open.id} operation=${open} resource=${resource} path=${path(open)} title=${title} etag=${etag}
      onClose=${() => setOpen(null)} onDone=${onDone} onStale=${onStale} />`}`;
}
