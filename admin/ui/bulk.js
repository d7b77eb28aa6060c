// What can be done to several records: the bar over a list with a selection.
import { html, useEffect, useRef, useState } from "./vendor/preact.js";
import { pathOf } from "./model.js";
import { allPages } from "./pages.js";
import { say } from "./dialog.js";
import { locale, t } from "./texts.js";

/** Returns what may be done to several records of a resource. */
function actionsOf(resource) {
  const custom = resource.custom.filter((one) => one.item && !one.input && one.method !== "GET");
  return [
    resource.update && resource.fields.some((field) => field.update) && { kind: "set", operation: resource.update, title: t("bulk.set") },
    ...custom.map((operation) => ({ kind: "run", operation, title: operation.title, danger: operation.danger })),
    resource.remove && { kind: "delete", operation: resource.remove, title: t("bulk.delete"), danger: true },
  ].filter(Boolean);
}

/** Selects all records that match, page by page. load is what returns the pages. */
function Matching({ resource, total, load, setSelected }) {
  const [done, setDone] = useState(null); // null: nothing is loaded
  const abort = useRef(null);
  useEffect(() => () => abort.current?.abort(), []);
  const start = async () => {
    const controller = new AbortController();
    abort.current = controller;
    const all = new Map();
    try {
      setDone(0);
      for await (const records of load(controller.signal)) {
        for (const record of records) {
          const path = pathOf(resource, record);
          if (path) all.set(path, record);
        }
        setDone(all.size);
      }
      setSelected(all);
    } catch (error) {
      if (error.name !== "AbortError") say(error.message, "bad");
    }
    setDone(null);
  };
  const text = total === null ? t("bulk.matchAll") : t("bulk.match", { count: total.toLocaleString(locale()) });
  if (done === null) return html`<button type="button" class="link" onClick=${start}>${text}</button>`;
  return html`<progress max=${total ?? undefined} value=${total === null ? undefined : done} aria-label=${text}></progress>
    <button type="button" onClick=${() => abort.current.abort()}>${t("app.cancel")}</button>`;
}

/** The bar of actions for the selected records. It covers the tools of the list, so that no row moves. */
export function BulkBar({ resource, operation, path, query, page, selected, setSelected, onDone }) {
  const [action, setAction] = useState(null);
  const [Dialog, setDialog] = useState(null);
  if (selected.size === 0 && !action) return null;
  const open = async (one) => {
    try {
      const { BulkDialog } = await import("./later/bulk.js");
      setDialog(() => BulkDialog);
      setAction(one);
    } catch {
      say(t("error.network"), "bad");
    }
  };
  const close = (hasChanged, failed) => {
    setAction(null);
    if (!hasChanged) return;
    setSelected(failed);
    onDone();
  };
  const isWholePage = page.records.length > 0 && page.records.every((record) => selected.has(pathOf(resource, record)));
  const hasMore = isWholePage && (page.total === null ? Boolean(page.links.next) && selected.size === page.records.length : page.total > selected.size);
  return html`<div class="bulk" role="region" aria-label=${t("bulk.actions")}>
    <span role="status">${hasMore && selected.size === page.records.length ? t("bulk.page", { count: selected.size.toLocaleString(locale()) }) : t("list.selected", { count: selected.size.toLocaleString(locale()) })}</span>
    ${hasMore && html`<${Matching} resource=${resource} total=${page.total} setSelected=${setSelected} load=${(signal) => allPages(operation, path, query, signal)} />`}
    ${actionsOf(resource).map((one) => html`<button type="button" key=${one.operation.id + one.kind} class=${one.danger ? "danger" : undefined} onClick=${() => open(one)}>${one.title}</button>`)}
    <button type="button" class="quiet" onClick=${() => setSelected(new Map())}>${t("list.unselect")}</button>
    ${action && html`<${Dialog} resource=${resource} action=${action} selected=${selected} onClose=${close} onUndone=${onDone} />`}</div>`;
}
