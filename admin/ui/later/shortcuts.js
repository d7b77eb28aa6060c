// The list of keys, and the switch that turns single letters off.
import { html, useState } from "../vendor/preact.js";
import { areLettersOn, turnLetters } from "../keys.js";
import { Dialog } from "../dialog.js";
import { t } from "../texts.js";

const control = /Mac|iP(ad|hone)/.test(navigator.platform) ? "⌘" : t("keys.control");
const ALWAYS = [[[control, "K"], "palette"], [[control, "S"], "save"], [["Esc"], "leave"], [["↑", "↓"], "rows"], [["Enter"], "open"]];
const LETTERS = [[["/"], "search"], [["n"], "new"], [["e"], "edit"], [["j", "k"], "rows"], [["x"], "select"], [["u"], "undo"], [["?"], "help"]];

/** The dialog with all keys. */
export default function Shortcuts({ onClose }) {
  const [isOn, setOn] = useState(areLettersOn());
  const turn = (event) => {
    turnLetters(event.target.checked);
    setOn(event.target.checked);
  };
  const line = ([keys, name]) => html`<div key=${name + keys}><dt>${keys.map((key) => html`<kbd key=${key}>${key}</kbd> `)}</dt><dd>${t(`keys.${name}`)}</dd></div>`;
  return html`<${Dialog} title=${t("keys.title")} onClose=${onClose}>
    <dl class="keys">${ALWAYS.map(line)}${isOn && LETTERS.map(line)}</dl>
    <label class="row"><input type="checkbox" checked=${isOn} onChange=${turn} /> ${t("keys.letters")}</label></${Dialog}>`;
}
