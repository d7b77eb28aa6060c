// Which columns a list has, in which order, and how high its rows are.
import { html, useLayoutEffect, useRef, useState } from "./vendor/preact.js";
import { columnsOf, usualColumns } from "./preferences.js";
import { Popover } from "./popover.js";
import { t } from "./texts.js";

const moved = (list, from, to) => list.toSpliced(from, 1).toSpliced(to, 0, list[from]);

/** A column that can be shown, hidden and moved, by keys or by dragging. */
function Column({ field, at, last, onToggle, onMove, drag }) {
  const isShown = at >= 0;
  const move = (to, text) => html`<button type="button" class="icon" aria-label=${text} title=${text} disabled=${to < 0 || to > last} onClick=${() => onMove(at, to)}>
    <span aria-hidden="true">${to < at ? "↑" : "↓"}</span></button>`;
  const start = (event) => {
    event.dataTransfer.setData("text/plain", field.title); // or Firefox drags nothing
    drag.current = at;
  };
  const over = (event) => drag.current !== null && isShown && event.preventDefault();
  const drop = (event) => {
    event.preventDefault();
    onMove(drag.current, at);
  };
  return html`<li draggable=${isShown} onDragStart=${start} onDragEnd=${() => { drag.current = null; }} onDragOver=${over} onDrop=${drop}>
    <label><input type="checkbox" checked=${isShown} disabled=${isShown && last === 0} onChange=${(event) => onToggle(field.name, event.target.checked)} /> ${field.title}</label>
    ${isShown && html`<span>${move(at - 1, t("form.up", { item: field.title }))}${move(at + 1, t("form.down", { item: field.title }))}</span>`}</li>`;
}

/** Keeps the focus in the row that has it when rows of a list change their places. Returns a reference to the list. */
function useKeptFocus() {
  const list = useRef(null);
  const had = document.activeElement;
  useLayoutEffect(() => {
    if (!list.current?.contains(had)) return;
    const next = had.disabled ? had.closest("li").querySelector("input") : had;
    if (document.activeElement !== next) next.focus();
  });
  return list;
}

/** A button that opens the choice of columns and density. onChange gets what changed. */
export function Columns({ resource, without, look, onChange }) {
  const [isOpen, setOpen] = useState(false);
  const drag = useRef(null);
  const list = useKeptFocus();
  const { columns, density } = look;
  const fields = columnsOf(resource);
  const shown = columns.map((name) => fields.find((field) => field.name === name));
  const rest = fields.filter((field) => !columns.includes(field.name));
  const toggle = (name, isOn) => onChange({ columns: isOn ? [...columns, name] : columns.filter((one) => one !== name) });
  const radio = (value) => html`<label><input type="radio" name="density" checked=${density === value} onChange=${() => onChange({ density: value })} /> ${t(`list.${value}`)}</label>`;
  return html`<${Popover} text=${t("list.columns")} isOpen=${isOpen} setOpen=${setOpen} name="columns">
    <fieldset><legend class="hidden">${t("list.columns")}</legend><ul ref=${list}>
      ${[...shown, ...rest].map((field) => html`<${Column} key=${field.name} field=${field} at=${columns.indexOf(field.name)} last=${columns.length - 1} drag=${drag}
        onToggle=${toggle} onMove=${(from, to) => onChange({ columns: moved(columns, from, to) })} />`)}</ul></fieldset>
    <fieldset class="row"><legend>${t("list.rows")}</legend>${radio("compact")}${radio("comfortable")}</fieldset>
    <button type="button" class="link" onClick=${() => onChange({ columns: usualColumns(resource, without) })}>${t("list.reset")}</button></${Popover}>`;
}
