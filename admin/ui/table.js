// The table of a list: it scrolls in its own box, and its head and first column stay. On narrow screens each record is a card.
import { html, useLayoutEffect, useRef } from "./vendor/preact.js";
import { fieldOf, hashOfPath, parameterOf, pathOf, resourceOf, titleOf, withoutPage } from "./model.js";
import { fieldAt } from "./conditions.js";
import { Value } from "./show.js";
import { kindOf } from "./kinds.js";
import { t } from "./texts.js";

/** Returns the name by which a list is sorted by a column: its own, or that of a field of its reference; undefined for none. */
function sortName(resource, operation, field) {
  const parameter = parameterOf(operation, "sort");
  const allowed = parameter?.schema?.items?.enum ?? parameter?.schema?.enum ?? [];
  if (allowed.includes(field.name)) return field.name;
  const title = field.reference && `${field.name}.${resourceOf(field.reference.resource)?.title}`;
  return allowed.includes(title) ? title : allowed.find((name) => name.startsWith(`${field.name}.`));
}

const isNumber = (field) => !field.reference && (field.currency || ["integer", "number"].includes(kindOf(field.schema, field.name).kind));

/** The width that the config gives to a column, in characters. */
const widthOf = (field) => (field.width > 0 ? { minWidth: `${field.width}ch`, maxWidth: `${field.width}ch` } : undefined);

function Head({ resource, operation, name, query, setQuery, look }) {
  const field = fieldOf(resource, name);
  const by = sortName(resource, operation, field);
  const shared = { role: "columnheader", scope: "col", class: [isNumber(field) && "number", look].filter(Boolean).join(" ") || undefined, style: widthOf(field) };
  if (by === undefined) return html`<th ...${shared}>${field.title}</th>`;
  const parameter = parameterOf(operation, "sort").name;
  const [first] = (new URLSearchParams(query).get(parameter) ?? "").split(",");
  const direction = { [by]: "ascending", [`-${by}`]: "descending" }[first] ?? "none";
  const sort = () => {
    const next = withoutPage(query, operation);
    if (direction === "descending") next.delete(parameter);
    else next.set(parameter, direction === "none" ? by : `-${by}`);
    setQuery(next.toString());
  };
  const mark = { ascending: "↑", descending: "↓", none: "↕" }[direction];
  const title = t("list.sortBy", { field: fieldAt(resource, by)?.title ?? field.title });
  return html`<th ...${shared} aria-sort=${direction}><button type="button" class=${`sort ${direction}`} title=${title} onClick=${sort}>${field.title} <span aria-hidden="true">${mark}</span></button></th>`;
}

/** Shows the whole text of a cell that is cut, where the pointer is. */
function reveal(event) {
  const cell = event.currentTarget;
  const isCut = [cell, ...cell.querySelectorAll("*")].some((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0);
  if (isCut && !cell.title) cell.title = cell.textContent;
}

function Cell({ resource, record, name, path, isTitle, look }) {
  const field = fieldOf(resource, name);
  const hash = isTitle && path ? hashOfPath(path) : null;
  const value = record[name];
  const isText = typeof value === "string";
  const isBlank = value === null || value === undefined || (isText && value.trim() === "");
  const text = hash && isBlank ? titleOf(resource, record) : null;
  const content = text ?? html`<${Value} value=${value} field=${field} reference=${hash ? null : field.reference} brief=${true} />`;
  const whole = isText && value.length > 20 && !field.reference ? value.slice(0, 2000) : undefined;
  return html`<td role="cell" dir="auto" data-label=${field.title} title=${whole} onPointerEnter=${reveal} style=${widthOf(field)}
    class=${[isNumber(field) && "number", isTitle && "title", look].filter(Boolean).join(" ") || undefined}>${hash ? html`<a href=${hash}>${content}</a>` : content}</td>`;
}

/** Makes a box as high as there is room for it below its top, so that its head stays in sight. */
function useRoom(box) {
  const fit = () => {
    const top = box.current.getBoundingClientRect().top + window.scrollY;
    box.current.style.setProperty("--room", `${Math.max(Math.round(window.innerHeight - top - 76), Math.round(window.innerHeight * 0.6))}px`);
  };
  useLayoutEffect(fit);
  useLayoutEffect(() => {
    window.addEventListener("resize", fit);
    return () => window.removeEventListener("resize", fit);
  }, []);
}

/** Reports whether a click on a row is for something in it: a control, or a selection of text. */
const isForOther = (event) => event.defaultPrevented || event.target.closest("a, button, input, label, select, textarea, summary, .select") || !window.getSelection().isCollapsed;

/** Opens the record of a row that is clicked anywhere, in another tab if the keys or the button say so. */
function opener(hash) {
  if (!hash) return undefined;
  return (event) => {
    if (isForOther(event) || event.shiftKey || event.altKey || event.button > 1) return;
    event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.button === 1) window.open(hash, "_blank", "noopener");
    else location.hash = hash;
  };
}

/** Returns what clicks on checkboxes do: select a record, or with Shift all from the last one that was clicked; and select the whole page. */
function useSelection(records, paths, selected, setSelected) {
  const last = useRef(null); // the path of the one that was clicked
  const choose = (from, to, isOn) => {
    const next = new Map(selected);
    for (let i = from; i <= to; i++) {
      if (paths[i] && isOn) next.set(paths[i], records[i]);
      else next.delete(paths[i]);
    }
    setSelected(next);
  };
  const one = (event, at) => {
    const before = event.shiftKey ? paths.indexOf(last.current) : -1;
    last.current = paths[at];
    choose(before < 0 ? at : Math.min(before, at), Math.max(before, at), event.target.checked);
  };
  return [one, (event) => choose(0, paths.length - 1, event.target.checked)];
}

/** Returns the column that leads to the record: that of the title, else the first one that is no reference; undefined if none does. */
function leadingOf(resource, names) {
  const isOwn = !resource.composed || resource.composed.some((one) => one.field === resource.title && !one.of);
  if (isOwn && names.includes(resource.title)) return resource.title;
  return resource.composed ? undefined : names.find((name) => !fieldOf(resource, name).reference);
}

/** The records of a page. selected is a map of path to record. */
export function Table({ resource, operation, look, records, query, setQuery, selected, setSelected }) {
  const box = useRef(null);
  useRoom(box);
  const selectable = resource.remove || resource.update || resource.custom.some((one) => one.item && !one.input);
  const paths = records.map((record) => pathOf(resource, record));
  const [select, selectAll] = useSelection(records, paths, selected, setSelected);
  const names = look.columns.filter((name) => fieldOf(resource, name));
  const title = leadingOf(resource, names);
  const lacks = title === undefined; // then there is a column for that alone
  const some = paths.some((path) => selected.has(path));
  const all = some && paths.every((path) => path === null || selected.has(path));
  const fixed = (i) => (i === 0 && !lacks ? "fixed" : undefined);
  const row = (record, i) => {
    const path = paths[i];
    const hash = path && hashOfPath(path);
    const open = opener(hash);
    return html`<tr role="row" key=${path ?? i} class=${[selected.has(path) && "chosen", hash && "opens"].filter(Boolean).join(" ") || undefined} onClick=${open} onAuxClick=${open}>
      ${selectable && html`<td role="cell" class="select">${path && html`<input type="checkbox" aria-label=${t("list.selectOne", { title: titleOf(resource, record) })}
        checked=${selected.has(path)} onClick=${(event) => select(event, i)} />`}</td>`}
      ${lacks && html`<td role="cell" dir="auto" class="title fixed">${hash ? html`<a href=${hash}>${titleOf(resource, record)}</a>` : titleOf(resource, record)}</td>`}
      ${names.map((name, at) => html`<${Cell} key=${name} resource=${resource} record=${record} name=${name} path=${path} isTitle=${name === title} look=${fixed(at)} />`)}</tr>`;
  };
  return html`<div class=${`scroll ${look.density}${selectable ? " selectable" : ""}`} ref=${box} data-scrolls tabindex="0" role="region" aria-label=${t("list.scroll", { plural: resource.plural })}><table role="table">
    <thead role="rowgroup"><tr role="row">
      ${selectable && html`<th role="columnheader" scope="col" class="select" data-label=${t("list.selectAll")}><input type="checkbox" aria-label=${t("list.selectAll")} checked=${all} indeterminate=${some && !all} onChange=${selectAll} /></th>`}
      ${lacks && html`<th role="columnheader" scope="col" class="fixed">${resource.singular}</th>`}
      ${names.map((name, at) => html`<${Head} key=${name} resource=${resource} operation=${operation} name=${name} query=${query} setQuery=${setQuery} look=${fixed(at)} />`)}
    </tr></thead>
    <tbody role="rowgroup">${records.map(row)}</tbody></table></div>`;
}
