// What can be done to several records: the bar over a list with a selection.
import { html, useEffect, useRef, useState } from "./vendor/preact.js";
import { pathOf, permissions } from "./model.js";
import { allPages } from "./pages.js";
import { lazy } from "./lazy.js";
import { sayError } from "./dialog.js";
import { locale, t } from "./texts.js";

const BulkDialog = lazy(() => import("./later/bulk.js"), "BulkDialog");

const ASKED = 200; // records whose permissions decide what is offered

/** Returns what may be done to some record of a resource. */
function actionsOf(resource) {
  const custom = resource.custom.filter((one) => one.item && !one.input && one.method !== "GET");
  return [
    resource.update && resource.fields.some((field) => field.update) && { kind: "set", operation: resource.update, title: t("bulk.set") },
    ...custom.map((operation) => ({ kind: "run", operation, title: operation.title, danger: operation.danger })),
    resource.remove && { kind: "delete", operation: resource.remove, title: t("bulk.delete"), danger: true },
  ].filter(Boolean);
}

/**
 * Returns the ids of the operations that some of the selected records allow, of many by a sample: undefined until that is known,
 * null if the server does not say. forget is called after the records have changed.
 */
function useAllowed(resource, selected) {
  const [ids, setIds] = useState(undefined);
  const known = useRef(new Map());
  useEffect(() => {
    if (selected.size === 0) return setIds(undefined);
    if (!resource.get) return setIds(null); // nothing is known of single records
    const step = Math.ceil(selected.size / ASKED);
    const paths = [...selected.keys()].filter((_, i) => i % step === 0);
    let isLast = true;
    permissions(paths.filter((path) => !known.current.has(path))).then(
      (found) => {
        for (const [path, one] of found ?? []) known.current.set(path, one.operations);
        if (isLast) setIds(found && new Set(paths.flatMap((path) => known.current.get(path) ?? [])));
      },
      () => isLast && setIds(null),
    );
    return () => { isLast = false; };
  }, [selected]);
  return [ids, () => known.current.clear()];
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
      if (error.name !== "AbortError") sayError(error, resource);
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
  const [allowed, forget] = useAllowed(resource, selected);
  if (selected.size === 0 && !action) return null;
  const close = (hasChanged, failed) => {
    setAction(null);
    if (!hasChanged) return;
    forget();
    setSelected(failed);
    onDone();
  };
  const actions = allowed === undefined ? [] : actionsOf(resource).filter((one) => allowed === null || allowed.has(one.operation.id));
  const isWholePage = page.records.length > 0 && page.records.every((record) => selected.has(pathOf(resource, record)));
  const hasMore = isWholePage && (page.total === null ? Boolean(page.links.next) && selected.size === page.records.length : page.total > selected.size);
  return html`<div class="bulk" role="region" aria-label=${t("bulk.actions")}>
    <span role="status">${hasMore && selected.size === page.records.length ? t("bulk.page", { count: selected.size.toLocaleString(locale()) }) : t("list.selected", { count: selected.size.toLocaleString(locale()) })}</span>
    ${hasMore && html`<${Matching} resource=${resource} total=${page.total} setSelected=${setSelected} load=${(signal) => allPages(operation, path, query, signal)} />`}
    ${actions.map((one) => html`<button type="button" key=${one.operation.id + one.kind} class=${one.danger ? "danger" : undefined} onClick=${() => setAction(one)}>${one.title}</button>`)}
    ${allowed?.size >= 0 && actions.length === 0 && html`<span>${t("bulk.nothing")}</span>`}
    <button type="button" class="quiet" onClick=${() => setSelected(new Map())}>${t("list.unselect")}</button>
    ${action && html`<${BulkDialog} resource=${resource} action=${action} selected=${selected} onClose=${close} onUndone=${onDone} />`}</div>`;
}
