// Dialogs, and messages that screen readers announce.
import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/preact.js";
import { wordsOf } from "./errors.js";
import { t } from "./texts.js";

let number = 0;

/** A modal dialog. Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, onClose, children, wide = false, name = "" }) {
  const element = useRef(null);
  const [id] = useState(() => `dialog-${++number}`);
  useLayoutEffect(() => {
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
  return html`<dialog ref=${element} class=${wide ? "wide" : name} aria-labelledby=${id} onCancel=${cancel}>
    <header><h2 id=${id} tabindex="-1">${title}</h2>
      <button type="button" class="icon" aria-label=${t("app.close")} onClick=${onClose}><span aria-hidden="true">×</span></button></header>
    <div class="body">${children}</div>
  </dialog>`;
}

const early = []; // messages from before there is a place for them
let add = (message) => early.push(message);

/**
 * Announces a message: kind is "good" or "bad". Bad ones stay until they are dismissed. action is a button of the message,
 * {title, run}; a message with one stays longer.
 */
export const say = (text, options = {}) => {
  const { kind = "good", action = null } = typeof options === "string" ? { kind: options } : options;
  add({ text, kind, action, id: ++number });
};

/** Announces an error, in words of the page. */
export const sayError = (error, resource) => say(wordsOf(error, resource), "bad");

/** Removes all messages, because the caller is another one. */
export const hush = () => add(null);

const SHOWN = 6000;
const SHOWN_WITH_ACTION = 20000;

/** One message. It stays while it is pointed at or has the focus, whose events Preact knows in lower case alone. */
function Message({ message, drop }) {
  const { text, kind, action } = message;
  const [held, setHeld] = useState(0);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (held > 0 || busy || kind !== "good") return;
    const timer = setTimeout(drop, action ? SHOWN_WITH_ACTION : SHOWN);
    return () => clearTimeout(timer);
  }, [held, busy]);
  const hold = (by) => () => setHeld((now) => Math.max(0, now + by));
  const run = async () => {
    setBusy(true);
    await action.run();
    drop();
  };
  return html`<div class=${`message ${kind}`} onMouseEnter=${hold(1)} onMouseLeave=${hold(-1)} onfocusin=${hold(1)} onfocusout=${hold(-1)}><span>${text}</span>
    ${action && html`<button type="button" class="small" disabled=${busy} onClick=${run}>${action.title}</button>`}
    <button type="button" class="icon" aria-label=${t("app.dismiss")} onClick=${drop}><span aria-hidden="true">×</span></button></div>`;
}

/** Where messages are shown. */
export function Messages() {
  const [all, set] = useState([]);
  const drop = (id) => set((now) => now.filter((one) => one.id !== id));
  add = (message) => set((now) => (message === null ? [] : [...now.filter((one) => one.kind === "bad" && one.text !== message.text).slice(-2), message]));
  useEffect(() => early.splice(0).forEach(add), []);
  return html`<div class="messages" role="status" aria-live="polite">
    ${all.map((one) => html`<${Message} key=${one.id} message=${one} drop=${() => drop(one.id)} />`)}
  </div>`;
}

/** An error on the page. resource is what the request was for. */
export const Alert = ({ error, resource, children }) => html`<div class="alert" role="alert"><p>${wordsOf(error, resource)}</p>${children}</div>`;

/** What is shown while something is loaded. */
export const Loading = () => html`<p class="loading" role="status"><span class="spinner" aria-hidden="true"></span>${t("app.loading")}</p>`;
