// Dialogs, and messages that screen readers announce.
import { html, useEffect, useRef, useState } from "./vendor/preact.js";
import { t } from "./texts.js";

let number = 0;

/** A modal dialog. Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, onClose, children, wide = false }) {
  const element = useRef(null);
  const [id] = useState(() => `dialog-${++number}`);
  useEffect(() => {
    const before = document.activeElement;
    element.current.showModal();
    return () => {
      element.current?.close();
      if (before?.isConnected) before.focus();
    };
  }, []);
  const cancel = (event) => {
    event.preventDefault();
    if (event.target === element.current) onClose();
  };
  return html`<dialog ref=${element} class=${wide ? "wide" : ""} aria-labelledby=${id} onCancel=${cancel}>
    <header><h2 id=${id} tabindex="-1">${title}</h2>
      <button type="button" class="icon" aria-label=${t("app.close")} onClick=${onClose}><span aria-hidden="true">×</span></button></header>
    <div class="body">${children}</div>
  </dialog>`;
}

const early = []; // messages from before there is a place for them
let add = (message) => early.push(message);

/** Announces a message: kind is "good" or "bad". Bad ones stay until they are dismissed. */
export const say = (text, kind = "good") => add({ text, kind, id: ++number });

/** Where messages are shown. */
export function Messages() {
  const [all, set] = useState([]);
  const drop = (id) => set((now) => now.filter((one) => one.id !== id));
  add = (message) => {
    set((now) => [...now.slice(-2), message]);
    if (message.kind === "good") setTimeout(() => drop(message.id), 6000);
  };
  useEffect(() => early.splice(0).forEach(add), []);
  return html`<div class="messages" role="status" aria-live="polite">
    ${all.map((one) => html`<div key=${one.id} class=${`message ${one.kind}`}><span>${one.text}</span>
      <button type="button" class="icon" aria-label=${t("app.dismiss")} onClick=${() => drop(one.id)}><span aria-hidden="true">×</span></button></div>`)}
  </div>`;
}

/** An error on the page. */
export const Alert = ({ error, children }) => html`<div class="alert" role="alert"><p>${error.message ?? String(error)}</p>${children}</div>`;

/** What is shown while something is loaded. */
export const Loading = () => html`<p class="loading" role="status"><span class="spinner" aria-hidden="true"></span>${t("app.loading")}</p>`;
