// Inputs for text that machines read: JSON, and code.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { Unparsed, typed, write } from "../json.js";
import { shared } from "./inputs.js";
import { t } from "../texts.js";

/** Indents lines with the Tab key. After Escape, Tab leaves the input, as everywhere else. */
function useTab() {
  const leaves = useRef(false);
  return (event) => {
    const { target, key, shiftKey } = event;
    if (key === "Escape") {
      if (!leaves.current) event.preventDefault(); // or it would close a dialog
      leaves.current = true;
    } else if (key === "Tab" && !shiftKey && !leaves.current) {
      event.preventDefault();
      target.setRangeText("  ", target.selectionStart, target.selectionEnd, "end");
      target.dispatchEvent(new Event("input", { bubbles: true }));
    } else if (key !== "Tab" && key !== "Shift") {
      leaves.current = false;
    }
  };
}

function Editor(p) {
  const key = useTab();
  const [isIn, setIsIn] = useState(false);
  return html`<span class="stack"><textarea rows=${p.rows} class="code" spellcheck=${false} autocomplete="off" ref=${p.element} value=${p.text} onInput=${(event) => p.onText(event.target.value)}
    onKeyDown=${key} onFocus=${() => setIsIn(true)} onBlur=${() => setIsIn(false)} ...${shared(p)}></textarea>
    ${isIn && html`<span class="help">${t("form.tab")}</span>`}</span>`;
}

/** Code, as text. */
export const CodeInput = (p) => html`<${Editor} ...${p} rows="6" text=${p.value ?? ""} onText=${p.onChange} />`;

/** Returns what is wrong with a value that is not JSON yet. */
export const mistakeIn = (value) => (value instanceof Unparsed ? t("form.json", { line: value.line }) : "");

const textOf = (value) => (value instanceof Unparsed ? value.text : value === undefined ? "" : write(value, "  "));

/** Any JSON value, as text. While it is not JSON, the value is Unparsed, so that a form knows of the change. */
export function JsonInput(p) {
  const [text, setText] = useState(() => textOf(p.value));
  const element = useRef(null);
  const last = useRef(p.value);
  useLayoutEffect(() => {
    if (p.value === last.current) return; // it was typed here
    last.current = p.value;
    setText(textOf(p.value));
  }, [p.value]);
  useEffect(() => element.current.setCustomValidity(mistakeIn(p.value)), [p.value]);
  const change = (next) => {
    setText(next);
    last.current = next.trim() === "" ? p.unset : typed(next);
    p.onChange(last.current);
  };
  return html`<${Editor} ...${p} rows="4" element=${element} text=${text} onText=${change} />`;
}
