// Tabs of a record: lists of records below it or that refer to it, memberships, and its changes.
import { html, useRef, useState } from "../vendor/preact.js";
import { sendCurrent } from "../api.js";
import { allows, canFind, fieldOf, hashOf, parametersOf, pathBelow, pathOf, pathOfElement, referenceTo, resourceOf, targetOf } from "../model.js";
import { Records } from "../list.js";
import { lazy } from "../lazy.js";
import { Combobox } from "./reference.js";
import { RecordLink } from "../show.js";
import { CreateForm } from "./edit.js";
import { useEntry } from "../router.js";
import { useTitle } from "../titles.js";
import { Alert, Dialog, say } from "../dialog.js";
import { inside, t } from "../texts.js";

const History = lazy(() => import("./history.js"), "History");

/** A button that creates a record of a tab in a dialog. The new record refers to the record on the page. */
function Create({ tab, operation, path, resource, parent, record, onDone }) {
  const [isOpen, setIsOpen] = useState(false);
  const text = t("list.new", { singular: inside(resource.singular) });
  const reference = fieldOf(resource, tab.field)?.reference;
  const own = reference && referenceTo(reference, parent, record);
  const done = () => {
    setIsOpen(false);
    say(t("record.saved"));
    onDone();
  };
  return html`<button type="button" class="primary" onClick=${() => setIsOpen(true)}>${text}</button>
    ${isOpen && html`<${Dialog} title=${text} wide=${true} onClose=${() => setIsOpen(false)}><${CreateForm} id="below" resource=${resource} operation=${operation} path=${path}
      given=${reference && !reference.many ? { [tab.field]: own } : {}} preset=${reference?.many ? { [tab.field]: String(own) } : {}} onCancel=${() => setIsOpen(false)} onDone=${done} /></${Dialog}>`}`;
}

function Subresource({ tab, ids, record, resource: parent }) {
  const [query, setQuery] = useEntry("list", "");
  const reload = useRef(null);
  const resource = resourceOf(tab.resource);
  const path = pathBelow(tab, ids);
  const tools = tab.create && html`<${Create} tab=${tab} operation=${tab.create} path=${path} resource=${resource} parent=${parent} record=${record} onDone=${() => reload.current?.()} />`;
  return html`${tab.list && html`<${Records} resource=${resource} operation=${tab.list} path=${path} query=${query} setQuery=${setQuery} tools=${tools} scope=${`@${tab.path}`} without=${tab.field} reloadRef=${reload} />`}
    ${!tab.list && tools}`;
}

/** Records of another resource that refer to this one. */
function Inverse({ tab, path, ids, record, resource: parent }) {
  const [query, setQuery] = useEntry("list", "");
  const reload = useRef(null);
  const resource = resourceOf(tab.resource);
  const filter = parametersOf(tab.list, "filter").find((one) => one.field === tab.field && one.operator === "equal");
  const field = fieldOf(resource, tab.field);
  if (!filter) return null;
  const merged = new URLSearchParams(query);
  merged.set(filter.name, field?.reference?.identifiers ? ids.at(-1) : path);
  const change = (next) => {
    const own = new URLSearchParams(next);
    own.delete(filter.name);
    setQuery(own.toString());
  };
  const tools = html`<a class="button" href=${hashOf(resource, new URLSearchParams({ [filter.name]: merged.get(filter.name) }))}>${t("tab.all")}</a>
    ${resource.create && html`<${Create} tab=${tab} operation=${resource.create} path=${resource.path} resource=${resource} parent=${parent} record=${record} onDone=${() => reload.current?.()} />`}`;
  const operation = { ...tab.list, parameters: tab.list.parameters.filter((one) => one.kind !== "filter" || one.field !== tab.field) };
  return html`<${Records} resource=${resource} operation=${operation} path=${tab.list.path} query=${merged.toString()} setQuery=${change} tools=${tools} scope=${`@${tab.field}`} without=${field?.reference?.many ? undefined : tab.field} reloadRef=${reload} />`;
}

function Member({ reference, value, onRemove, busy }) {
  const path = targetOf(reference, value);
  const title = useTitle(path);
  return html`<li><span><${RecordLink} path=${path} /></span>
    ${onRemove && html`<button type="button" disabled=${busy} aria-label=${t("form.remove", { item: title ?? String(value) })} onClick=${() => onRemove(title ?? String(value))}>${t("tab.remove")}</button>`}</li>`;
}

/** The records in a list of references: each is added and removed by a request of its own. */
function Membership({ tab, resource, record, path, ids, allowed, onChange }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(null);
  const target = resourceOf(tab.resource);
  const field = fieldOf(resource, tab.field);
  const reference = field?.reference ?? { resource: tab.resource, many: true, identifiers: false };
  const values = record[tab.field];
  const change = async (operation, value, text) => {
    setBusy(true);
    setError(null);
    try {
      await sendCurrent(operation.method, pathOfElement(operation, ids, value), path);
      say(text);
      await onChange();
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  const mayAdd = tab.add && allows(allowed, tab.add) && target && canFind(target);
  const mayRemove = tab.remove && allows(allowed, tab.remove);
  return html`<div class="panel members">${error && html`<${Alert} error=${error} resource=${resource} />`}
    ${Array.isArray(values) && (values.length > 0
      ? html`<ul>${values.map((value) => html`<${Member} key=${String(value)} reference=${reference} value=${value} busy=${busy}
          onRemove=${mayRemove && ((title) => change(tab.remove, value, t("tab.removed", { title })))} />`)}</ul>`
      : html`<p class="nothing">${t("list.empty", { plural: inside(target?.plural ?? tab.title) })}</p>`)}
    ${mayAdd && html`<div class="field"><label for="add-member">${t("tab.add")}</label><${Combobox} id="add-member" resource=${target} disabled=${busy}
      onChoose=${(one) => change(tab.add, pathOf(target, one), t("tab.added", { title: tab.title }))} /></div>`}</div>`;
}

const KINDS = { subresource: Subresource, inverse: Inverse, membership: Membership, history: History };

/** The content of a tab. */
export function Tab(p) {
  const Content = KINDS[p.tab.kind];
  return Content && resourceOf(p.tab.resource) ? html`<${Content} ...${p} />` : null;
}
