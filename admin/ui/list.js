// Lists of records: search, filters, order, pages, columns, selection.
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor/preact.js";
import { get } from "./api.js";
import { fieldOf, hashOf, hashOfPath, isOpened, isWhole, itemOf, parameterOf, variablesOf, withoutPage } from "./model.js";
import { go } from "./router.js";
import { remember } from "./titles.js";
import { Filters, filterRows, isFiltered } from "./filters.js";
import { Table } from "./table.js";
import { Columns, chosenColumns } from "./columns.js";
import { BulkBar } from "./bulk.js";
import { exportCSV } from "./export.js";
import { Actions } from "./actions.js";
import { Alert, Loading, say } from "./dialog.js";
import { count, inside, locale, t } from "./texts.js";

const none = new Map();

/** The query of another page of the list, from a link of the response. */
const queryOf = (link) => link.split("?").slice(1).join("?");

function Search({ resource, operation, query, setQuery }) {
  const parameter = parameterOf(operation, "q");
  const current = new URLSearchParams(query).get(parameter?.name) ?? "";
  const [text, setText] = useState(current);
  const last = useRef(current);
  useLayoutEffect(() => {
    if (last.current !== current) setText(current);
    last.current = current;
  }, [current]);
  if (!parameter) return null;
  const submit = (event) => {
    event.preventDefault();
    const next = withoutPage(query, operation);
    if (text.trim()) next.set(parameter.name, text.trim());
    else next.delete(parameter.name);
    setQuery(next.toString());
  };
  return html`<form class="search" role="search" onSubmit=${submit}>
    <input type="search" aria-label=${t("list.searchIn", { plural: inside(resource.plural) })} placeholder=${t("list.searchIn", { plural: inside(resource.plural) })} value=${text}
      onInput=${(event) => setText(event.target.value)} onSearch=${(event) => event.target.value === "" && current && submit(event)} />
    <button>${t("list.search")}</button></form>`;
}

function PerPage({ operation, query, setQuery }) {
  const parameter = parameterOf(operation, "itemsPerPage");
  if (!parameter) return null;
  const { maximum = 100, default: usual = 30 } = parameter.schema ?? {};
  const current = Number(new URLSearchParams(query).get(parameter.name) ?? usual);
  const sizes = [...new Set([10, 30, 50, 100, Number(usual), current])].filter((size) => size <= Number(maximum) && size > 0).toSorted((a, b) => a - b);
  const change = (event) => {
    const next = withoutPage(query, operation);
    next.set(parameter.name, event.target.value);
    setQuery(next.toString());
  };
  return html`<label class="perpage">${t("list.perPage")} <select value=${String(current)} onChange=${change}>
    ${sizes.map((size) => html`<option key=${size} value=${String(size)} selected=${size === current}>${size}</option>`)}</select></label>`;
}

function Pager({ operation, query, setQuery, page }) {
  const pageName = parameterOf(operation, "page")?.name ?? "page";
  const size = parameterOf(operation, "itemsPerPage");
  const now = new URLSearchParams(query);
  const perPage = Number(now.get(size?.name) ?? size?.schema?.default ?? 0);
  const number = Number(now.get(pageName) ?? 1);
  const from = (number - 1) * perPage + 1;
  const isCounted = perPage > 0 && page.total !== null && page.records.length > 0 && !["cursor", "offset"].some((kind) => now.get(parameterOf(operation, kind)?.name));
  const range = isCounted ? t("list.range", { from, to: from + page.records.length - 1, total: page.total.toLocaleString(locale()) }) : "";
  const link = (rel, text) => html`<button type="button" disabled=${!page.links[rel]} onClick=${() => setQuery(queryOf(page.links[rel]))}>${text}</button>`;
  const isPaged = page.links.next || page.links.prev;
  return html`<div class="pager"><span class="range">${range}</span>
    <${PerPage} operation=${operation} query=${query} setQuery=${setQuery} />
    ${isPaged && html`<nav aria-label=${t("list.pages")} class="row">${link("first", t("list.first"))}${link("prev", t("list.previous"))}${link("next", t("list.next"))}</nav>`}</div>`;
}

/** Loads a page of a list whenever its query changes, or reload is called. */
function usePage(resource, path, query) {
  const [page, setPage] = useState({ state: "loading", records: [], links: {}, total: null });
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setPage((now) => ({ ...now, state: "loading" }));
    get(query ? `${path}?${query}` : path, { signal: controller.signal }).then(
      ({ body, links, total }) => {
        if (controller.signal.aborted) return;
        const records = Array.isArray(body) ? body : [];
        if (path === resource.path) remember(resource, records);
        setPage({ state: "ready", records, links: { ...links, prev: links.prev ?? links.previous }, total });
      },
      (error) => error.name === "AbortError" || setPage({ state: error, records: [], links: {}, total: null }),
    );
    return () => controller.abort();
  }, [path, query, version]);
  return [page, () => setVersion((now) => now + 1)];
}

function Empty({ resource, operation, query, setQuery, inTrash }) {
  const isNarrow = isFiltered(operation, query);
  return html`<div class="nothing"><p>${t(isNarrow ? "list.none" : inTrash ? "list.emptyTrash" : "list.empty", { plural: inside(resource.plural) })}</p>
    ${isNarrow && html`<button type="button" onClick=${() => setQuery("")}>${t("list.clear")}</button>`}</div>`;
}

/** The records of a list operation, with everything that finds them. tools are more buttons; row makes buttons of a record. */
export function Records({ resource, operation, path, query, setQuery, tools, row, scope = "", without, onTotal, reloadRef, bulk = true }) {
  const [page, reload] = usePage(resource, path, query);
  const [columns, setColumns] = useState(() => chosenColumns(resource, scope, without));
  const [selection, setSelection] = useState({ of: null, map: none }); // lasts as long as the records that are shown
  const selected = selection.of === page.records ? selection.map : none;
  const setSelected = (map) => setSelection({ of: page.records, map });
  const [filtering, setFiltering] = useState(() => isFiltered(operation, query, true));
  const [exporting, setExporting] = useState(false);
  const area = useRef(null);
  const rows = useMemo(() => filterRows(resource, operation), [resource, operation]);
  const trash = parameterOf(operation, "deleted");
  const inTrash = trash !== undefined && new URLSearchParams(query).get(trash.name) === "only";
  const active = rows.filter((one) => one.names.some((name) => new URLSearchParams(query).getAll(name).some(Boolean))).length;
  useEffect(() => onTotal?.(page.state === "ready" ? page.total : null), [page]);
  if (reloadRef) reloadRef.current = reload;
  const turn = (next) => {
    setQuery(next);
    area.current?.scrollIntoView({ block: "nearest" });
  };
  const turnTrash = () => {
    const next = withoutPage(query, operation);
    if (inTrash) next.delete(trash.name);
    else next.set(trash.name, "only");
    setQuery(next.toString());
  };
  const download = async () => {
    setExporting(true);
    try {
      say(t("list.exported", { count: count("count", await exportCSV(resource, operation, path, query)) }));
    } catch (error) {
      say(error.message, "bad");
    }
    setExporting(false);
  };
  const isError = page.state instanceof Error;
  return html`<section class="records" ref=${area} aria-busy=${page.state === "loading" ? "true" : "false"}>
    <div class="toolbar">
      <${Search} resource=${resource} operation=${operation} query=${query} setQuery=${setQuery} />
      ${rows.length > 0 && html`<button type="button" aria-expanded=${filtering ? "true" : "false"} onClick=${() => setFiltering(!filtering)}>
        ${active ? t("list.filtersActive", { count: active }) : t("list.filters")}</button>`}
      ${trash && html`<button type="button" aria-pressed=${inTrash ? "true" : "false"} onClick=${turnTrash}>${t("list.trash")}</button>`}
      <span class="gap"></span>
      <${Columns} resource=${resource} scope=${scope} columns=${columns} onChange=${setColumns} />
      <button type="button" disabled=${exporting} onClick=${download}>${t(exporting ? "list.exporting" : "list.export")}</button>
      ${tools}
    </div>
    ${filtering && rows.length > 0 && html`<${Filters} resource=${resource} operation=${operation} rows=${rows} query=${query} setQuery=${setQuery} />`}
    ${bulk && html`<${BulkBar} resource=${resource} selected=${selected} onClear=${() => setSelected(new Map())} onDone=${reload} />`}
    ${isError && html`<${Alert} error=${page.state}><button type="button" onClick=${reload}>${t("app.again")}</button></${Alert}>`}
    ${page.state === "loading" && page.records.length === 0 && html`<${Loading} />`}
    ${page.state === "ready" && page.records.length === 0 && html`<${Empty} resource=${resource} operation=${operation} query=${query} setQuery=${setQuery} inTrash=${inTrash} />`}
    ${page.records.length > 0 && html`<${Table} resource=${resource} operation=${operation} columns=${columns} records=${page.records} query=${query}
      setQuery=${setQuery} selected=${bulk ? selected : null} setSelected=${setSelected} row=${row} />`}
    ${!isError && html`<${Pager} operation=${operation} query=${query} setQuery=${turn} page=${page} />`}
  </section>`;
}

/** Opens a record by its identifier. */
function Open({ resource }) {
  const names = variablesOf(resource.item);
  const submit = (event) => {
    event.preventDefault();
    const entered = new FormData(event.target);
    const ids = names.map((name) => entered.get(name).trim());
    if (!ids.includes("")) go(hashOfPath(itemOf(resource, ids)));
  };
  return html`<form class="panel open" onSubmit=${submit} aria-label=${t("list.open")}>
    ${names.map((name) => html`<div class="field" key=${name}><label for=${`open-${name}`}>${fieldOf(resource, name)?.title ?? name}</label>
      <input id=${`open-${name}`} name=${name} required autocomplete="off" /></div>`)}
    <div class="actions"><button class="primary">${t("list.open")}</button></div></form>`;
}

/** The page of a resource. */
export function ListPage({ resource, query }) {
  const [total, setTotal] = useState(null);
  const reload = useRef(null);
  const operations = resource.custom.filter(isWhole);
  const head = html`<header class="head"><div><h1>${resource.plural}${total !== null && html` <small class="total" role="status">${count("count", total)}</small>`}</h1>
    ${resource.help && html`<p class="lead">${resource.help}</p>`}</div>
    <span class="row"><${Actions} operations=${operations} resource=${resource} onDone=${() => reload.current?.()} />
    ${resource.create && resource.list && resource.path && html`<a class="button" href=${`${hashOf(resource)}/import`}>${t("import.open")}</a>`}
    ${resource.create && resource.path && html`<a class="button primary" href=${`${hashOf(resource)}/new`}>${t("list.new", { singular: inside(resource.singular) })}</a>`}</span></header>`;
  if (!resource.list) return html`${head}${isOpened(resource) && html`<${Open} resource=${resource} />`}`;
  return html`${head}<${Records} resource=${resource} operation=${resource.list} path=${resource.path} query=${query} scope=""
    setQuery=${(next) => go(hashOf(resource, next))} onTotal=${setTotal} reloadRef=${reload} />`;
}
