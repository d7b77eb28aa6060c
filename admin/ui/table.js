// The table of a list. On narrow screens each record is a card.
import { html } from "./vendor/preact.js";
import { fieldOf, hashOfPath, parameterOf, pathOf, titleOf, withoutPage } from "./model.js";
import { Value } from "./show.js";
import { kindOf } from "./kinds.js";
import { t } from "./texts.js";

/** Returns how a list is sorted by a field: "ascending", "descending" or "none"; undefined if it cannot be. */
function sorted(operation, query, name) {
  const parameter = parameterOf(operation, "sort");
  const allowed = parameter?.schema?.items?.enum ?? parameter?.schema?.enum;
  if (!allowed?.includes(name)) return undefined;
  const [first] = (new URLSearchParams(query).get(parameter.name) ?? "").split(",");
  if (first === name) return "ascending";
  return first === `-${name}` ? "descending" : "none";
}

const isNumber = (field) => !field.reference && ["integer", "number"].includes(kindOf(field.schema, field.name).kind);

function Head({ resource, operation, name, query, setQuery }) {
  const field = fieldOf(resource, name);
  const direction = sorted(operation, query, name);
  const look = isNumber(field) ? "number" : undefined;
  const style = field.width ? { width: `${field.width}ch`, minWidth: `${field.width}ch` } : undefined;
  if (direction === undefined) return html`<th role="columnheader" scope="col" class=${look} style=${style}>${field.title}</th>`;
  const sort = () => {
    const next = withoutPage(query, operation);
    const parameter = parameterOf(operation, "sort").name;
    if (direction === "descending") next.delete(parameter);
    else next.set(parameter, direction === "none" ? name : `-${name}`);
    setQuery(next.toString());
  };
  const mark = { ascending: "↑", descending: "↓", none: "↕" }[direction];
  return html`<th role="columnheader" scope="col" class=${look} style=${style} aria-sort=${direction}><button type="button" class=${`sort ${direction}`} onClick=${sort}>${field.title} <span aria-hidden="true">${mark}</span></button></th>`;
}

function Cell({ resource, record, name, path, isTitle }) {
  const field = fieldOf(resource, name);
  const hash = isTitle && path ? hashOfPath(path) : null;
  const value = record[name];
  const isBlank = value === null || value === undefined || value === "" || (typeof value === "string" && value.trim() === "");
  const shown = hash && isBlank ? titleOf(resource, record) : null;
  const content = shown ?? html`<${Value} value=${value} field=${field} reference=${hash ? null : field.reference} brief=${true} />`;
  return html`<td role="cell" data-label=${field.title} class=${[isNumber(field) && "number", isTitle && "title"].filter(Boolean).join(" ") || undefined}>${hash ? html`<a href=${hash}>${content}</a>` : content}</td>`;
}

/** The records of a page. selected is a map of path to record, null if records cannot be selected. */
export function Table({ resource, operation, columns, records, query, setQuery, selected, setSelected, row }) {
  const selectable = selected && (resource.remove || resource.update || resource.custom.some((one) => one.item && !one.input));
  const paths = records.map((record) => pathOf(resource, record));
  const names = columns.filter((name) => fieldOf(resource, name));
  const title = names.includes(resource.title) ? resource.title : resource.composed ? undefined : names.find((name) => !fieldOf(resource, name).reference);
  const lacks = title === undefined; // no column leads to the record
  const toggle = (path, record, on) => {
    const next = new Map(selected);
    if (on) next.set(path, record);
    else next.delete(path);
    setSelected(next);
  };
  const all = paths.every((path) => path === null || selected?.has(path));
  const toggleAll = (event) => setSelected(event.target.checked ? new Map(records.map((one, i) => [paths[i], one]).filter(([path]) => path)) : new Map());
  return html`<div class="scroll" data-scrolls tabindex="0" role="region" aria-label=${t("list.scroll", { plural: resource.plural })}><table role="table">
    <thead role="rowgroup"><tr role="row">
      ${selectable && html`<th role="columnheader" scope="col" class="select"><input type="checkbox" aria-label=${t("list.selectAll")} checked=${all} onChange=${toggleAll} /></th>`}
      ${lacks && html`<th role="columnheader" scope="col">${resource.singular}</th>`}
      ${names.map((name) => html`<${Head} key=${name} resource=${resource} operation=${operation} name=${name} query=${query} setQuery=${setQuery} />`)}
      ${row && html`<th role="columnheader" scope="col"><span class="hidden">${t("action.more")}</span></th>`}
    </tr></thead>
    <tbody role="rowgroup">${records.map((record, i) => html`<tr role="row" key=${paths[i] ?? i} class=${selected?.has(paths[i]) ? "chosen" : undefined}>
      ${selectable && html`<td role="cell" class="select">${paths[i] && html`<input type="checkbox" aria-label=${t("list.selectOne", { title: titleOf(resource, record) })}
        checked=${selected.has(paths[i])} onChange=${(event) => toggle(paths[i], record, event.target.checked)} />`}</td>`}
      ${lacks && html`<td role="cell" class="title">${hashOfPath(paths[i]) ? html`<a href=${hashOfPath(paths[i])}>${titleOf(resource, record)}</a>` : titleOf(resource, record)}</td>`}
      ${names.map((name) => html`<${Cell} key=${name} resource=${resource} record=${record} name=${name} path=${paths[i]} isTitle=${name === title} />`)}
      ${row && html`<td role="cell" class="tools">${row(record, paths[i])}</td>`}
    </tr>`)}</tbody></table></div>`;
}
