// Who is signed in, with what is known of their permissions, and the way out.
import { html, useEffect, useRef, useState } from "./vendor/preact.js";
import { model } from "./model.js";
import { t } from "./texts.js";

/** Texts of a kind, such as roles. */
const Several = ({ title, texts }) => texts?.length > 0 && html`<p><span class="quiet">${title}</span> ${texts.map((one) => html`<span class="chip" key=${one}>${one}</span>`)}</p>`;

/** A button with the name of the caller, and a menu. */
export function Account({ onSignOut }) {
  const [open, setOpen] = useState(false);
  const element = useRef(null);
  const button = useRef(null);
  useEffect(() => {
    if (!open) return;
    const leave = (event) => element.current.contains(event.target) || setOpen(false);
    const key = (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      setOpen(false);
      button.current.focus();
    };
    for (const name of ["pointerdown", "focusin"]) document.addEventListener(name, leave);
    document.addEventListener("keydown", key, true);
    return () => {
      for (const name of ["pointerdown", "focusin"]) document.removeEventListener(name, leave);
      document.removeEventListener("keydown", key, true);
    };
  }, [open]);
  const { name = "", roles = [], scopes = null } = model.who ?? {};
  return html`<span class="account" ref=${element}>
    <button type="button" class="quiet" ref=${button} aria-expanded=${open ? "true" : "false"} onClick=${() => setOpen(!open)}>
      <span class="initial" aria-hidden="true">${[...name][0] ?? "•"}</span><span class="name">${name && html`<span class="hidden">${t("sign.account")}: </span>`}${name || t("sign.account")}</span></button>
    ${open && html`<div class="panel">${name && html`<p><strong>${name}</strong></p>`}
      <${Several} title=${t("sign.roles")} texts=${roles} /><${Several} title=${t("sign.scopes")} texts=${scopes} />
      <button type="button" onClick=${onSignOut}>${t("sign.out")}</button></div>`}
  </span>`;
}
