// A button that opens a small panel below it. Escape and a click elsewhere close the panel.
import { html, useLayoutEffect, useRef } from "./vendor/preact.js";

/** isOpen and setOpen are of the parent, which may also open the panel itself. name is the class of the panel. A click in it keeps the focus there, so that Escape is heard. */
export function Popover({ text, isOpen, setOpen, name = "", children }) {
  const element = useRef(null);
  useLayoutEffect(() => {
    if (!isOpen) return;
    const outside = (event) => element.current?.contains(event.target) || setOpen(false);
    const [button, panel] = element.current.children;
    panel.querySelector("select, input, a, button")?.focus();
    document.addEventListener("pointerdown", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      if (document.activeElement === document.body) button.focus(); // the panel had the focus, and is gone
    };
  }, [isOpen]);
  const key = (event) => {
    if (event.key !== "Escape" || !isOpen) return;
    event.stopPropagation();
    setOpen(false);
    element.current.querySelector("button").focus();
  };
  return html`<span class="popover" ref=${element} onKeyDown=${key}>
    <button type="button" aria-expanded=${isOpen ? "true" : "false"} onClick=${() => setOpen(!isOpen)}>${text}</button>
    ${isOpen && html`<div class=${`panel ${name}`} tabindex="-1">${children}</div>`}</span>`;
}
