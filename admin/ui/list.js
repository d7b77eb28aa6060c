// Lists of records: search, filters, sort order, pages, columns, selection.
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor/preact.js";
import { fieldOf, hashOf, hashOfPath, isOpened, isWhole, itemOf, model, parameterOf, variablesOf, withoutPage } from "./model.js";
import { go, hashOfSignIn } from "./router.js";
import { filterRows, isFiltered, readConditions, writeConditions, wrongOf } from "./conditions.js";
import { lazy, loaded } from "./lazy.js";
import { Chips } from "./chips.js";
import { Popover } from "./popover.js";
import { Views } from "./views.js";
import { Table } from "./table.js";
import { Columns } from "./columns.js";
import { Pager } from "./pager.js";
import { usePage } from "./pages.js";
import { BulkBar } from "./bulk.js";
import { keepLook, lookOf, sent, withOwn } from "./preferences.js";
import { Actions } from "./actions.js";
import { Alert, Loading, say, sayError } from "./dialog.js";
import { count, inside, recordsText, t } from "./texts.js";

const ConditionForm = lazy(() => import("./later/filters.js"), "ConditionForm");
const nothing = new Map();

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

function Empty({ resource, operation, query, onClear, inTrash }) {
  const isNarrow = isFiltered(operation, query);
  const canBegin = !inTrash && operation === resource.list && resource.create && resource.path;
  return html`<div class="nothing"><p>${t(isNarrow ? "list.none" : inTrash ? "list.emptyTrash" : "list.empty", { plural: inside(resource.plural) })}</p>
    ${isNarrow ? html`<button type="button" onClick=${onClear}>${t("list.clear")}</button>` : canBegin && html`<a class="button primary" href=${`${hashOf(resource)}/new`}>${t("list.begin")}</a>`}</div>`;
}

/** A button that switches to the records that are deleted, and back. */
function Trash({ operation, query, setQuery }) {
  const parameter = parameterOf(operation, "deleted");
  if (!parameter) return null;
  const isOn = new URLSearchParams(query).get(parameter.name) === "only";
  const turn = () => {
    const next = withoutPage(query, operation);
    if (isOn) next.delete(parameter.name);
    else next.set(parameter.name, "only");
    setQuery(next.toString());
  };
  return html`<button type="button" aria-pressed=${isOn ? "true" : "false"} onClick=${turn}>${t("list.trash")}</button>`;
}

function Export({ resource, operation, path, query, columns }) {
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const { exportCSV } = await loaded(() => import("./later/export.js"));
      say(t("list.exported", { count: count("count", await exportCSV(resource, operation, path, query, columns)) }));
    } catch (error) {
      sayError(error, resource);
    }
    setBusy(false);
  };
  return html`<button type="button" disabled=${isBusy} onClick=${download}>${t(isBusy ? "list.exporting" : "list.export")}</button>`;
}

/** Returns the query that is sent: without the page's own parameters, and with the page size that was chosen last. */
function requestOf(operation, query, size) {
  const next = sent(query);
  const perPage = parameterOf(operation, "itemsPerPage");
  if (perPage && size && !next.has(perPage.name)) next.set(perPage.name, String(Math.min(size, Number(perPage.schema?.maximum ?? size))));
  return next.toString();
}

/** How a list is shown, and what changes that: in this browser, and in the query if that says it, too. */
function useLook({ resource, scope, without, query, setQuery }) {
  const [version, setVersion] = useState(0);
  const look = useMemo(() => lookOf(resource, scope, without, query), [resource, scope, query, version]);
  const change = (part) => {
    if (part.columns?.length === 0) return;
    keepLook(resource, scope, part);
    const own = new URLSearchParams(query);
    for (const [name, value] of Object.entries(part)) if (own.has(`.${name}`)) own.set(`.${name}`, String(value));
    if (own.toString() !== new URLSearchParams(query).toString()) setQuery(own.toString());
    setVersion(version + 1);
  };
  return [look, change];
}

/** The conditions of a list, and what changes them. */
function useConditions({ resource, operation, query, request, setQuery, state }) {
  const rows = useMemo(() => filterRows(resource, operation), [resource, operation]);
  const conditions = readConditions(rows, operation, request);
  const wrong = wrongOf(state, operation, conditions);
  const setConditions = (next) => setQuery(writeConditions(rows, operation, query, next));
  const remove = (names, from = query) => {
    const next = new URLSearchParams(from);
    for (const name of names) next.delete(name);
    setQuery(next.toString());
  };
  const clear = () => remove([parameterOf(operation, "q")?.name ?? "", ...wrong.others.map(({ name }) => name)], writeConditions(rows, operation, query, { mode: "all", list: [], tree: null }));
  return { rows, conditions, wrong, setConditions, clear, removeParameter: (name) => remove([name]) };
}

/** The selected records by their paths, and what changes them. They last as long as the filters, which are those of the rows that are shown. */
function useSelected(filters, isLoading) {
  const [{ of, map }, set] = useState({ of: null, map: nothing });
  const shown = useRef(filters);
  if (!isLoading) shown.current = filters; // until then the rows are those of the filters before
  return [of === filters ? map : nothing, (next) => set({ of: shown.current, map: next })];
}

/** The records of a list operation, with everything that finds them. tools are more buttons. The query is also that of the page. */
export function Records({ resource, operation, path, query, setQuery, tools, scope = "", without, onAmount, reloadRef }) {
  const [look, setLook] = useLook({ resource, scope, without, query, setQuery });
  const request = requestOf(operation, query, look.size);
  const [page, reload] = usePage(resource, path, request);
  const matching = withoutPage(request, operation).toString();
  const [selected, setSelected] = useSelected(matching, page.state === "loading");
  const [editing, setEditing] = useState(null); // the condition in the form: its index, or -1 for a new one
  const area = useRef(null);
  const { rows, conditions, wrong, setConditions, clear, removeParameter } = useConditions({ resource, operation, query, request, setQuery, state: page.state });
  useEffect(() => {
    if (page.state !== "loading") onAmount?.(page.state === "ready" ? page.amount : null);
  }, [page]);
  if (reloadRef) reloadRef.current = reload;
  useLayoutEffect(() => area.current?.querySelector("[data-scrolls]")?.scrollTo({ top: 0 }), [request]); // other records begin at the top
  const turn = (next) => {
    setQuery(withOwn(next, query));
    if (area.current?.getBoundingClientRect().top < 0) area.current.scrollIntoView({ block: "start" });
  };
  const apply = (condition) => {
    const { list } = conditions;
    setConditions({ ...conditions, list: editing >= 0 ? list.with(editing, condition) : [...list, condition] });
    setEditing(null);
  };
  const isWrong = wrong.byCondition.size + wrong.others.length > 0;
  const isError = page.state instanceof Error;
  const inTrash = new URLSearchParams(request).get(parameterOf(operation, "deleted")?.name) === "only";
  const columns = inTrash && resource.deleted ? [...look.columns.filter((name) => name !== resource.deleted), resource.deleted] : look.columns; // when they were deleted
  const shared = { resource, operation, path, query, setQuery };
  return html`<section class="records" ref=${area} aria-busy=${page.state === "loading" ? "true" : "false"}>
    <div class=${selected.size > 0 ? "listbar covered" : "listbar"}><div class="toolbar">
      <${Search} ...${shared} />
      ${rows.length > 0 && html`<${Popover} text=${t("filter.add")} name="condition-panel" isOpen=${editing !== null} setOpen=${(isOn) => setEditing(isOn ? -1 : null)}>
        <${ConditionForm} key=${editing} rows=${rows} condition=${conditions.list[editing]} onDone=${apply} onClose=${() => setEditing(null)} /></${Popover}>`}
      <${Trash} ...${shared} />
      <span class="gap"></span>
      ${scope === "" && html`<${Views} ...${shared} look=${look} />`}
      <${Columns} resource=${resource} without=${without} look=${look} onChange=${setLook} />
      <${Export} ...${shared} query=${matching} columns=${columns} />
      ${tools}
    </div>
    <${BulkBar} ...${shared} query=${matching} page=${page} selected=${selected} setSelected=${setSelected} onDone=${reload} /></div>
    <${Chips} operation=${operation} conditions=${conditions} wrong=${wrong} setConditions=${setConditions} onEdit=${setEditing} onClear=${clear} onRemoveParameter=${removeParameter} />
    ${isError && !isWrong && html`<${Alert} error=${page.state} resource=${resource}><button type="button" onClick=${reload}>${t("app.again")}</button></${Alert}>`}
    ${page.state === "loading" && page.records.length === 0 && html`<${Loading} />`}
    ${page.state === "ready" && page.records.length === 0 && html`<${Empty} resource=${resource} operation=${operation} query=${request} onClear=${clear} inTrash=${inTrash} />`}
    ${page.records.length > 0 && html`<${Table} ...${shared} look=${{ ...look, columns }} records=${page.records} selected=${selected} setSelected=${setSelected} />`}
    ${!isError && html`<${Pager} operation=${operation} query=${request} setQuery=${turn} page=${page} onSize=${(size) => setLook({ size })} />`}
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

/** The page of a resource. Without a query it has that of the model, which .all takes away. */
export function ListPage({ resource, query: asked }) {
  const query = asked || resource.query;
  const [amount, setAmount] = useState(null);
  const reload = useRef(null);
  const operations = resource.custom.filter(isWhole);
  const head = html`<header class="head"><div><h1>${resource.plural}${amount && html` <small class="total" role="status">${recordsText(amount)}</small>`}</h1>
    ${resource.help && html`<p class="lead">${resource.help}</p>`}</div>
    <span class="row"><${Actions} operations=${operations} resource=${resource} onDone=${() => reload.current?.()} />
    ${resource.create && resource.list && resource.path && html`<a class="button" href=${`${hashOf(resource)}/import`}>${t("import.open")}</a>`}
    ${resource.create && resource.path && html`<a class="button primary" href=${`${hashOf(resource)}/new`}>${t("list.new", { singular: inside(resource.singular) })}</a>`}</span></header>`;
  const isLocked = !isOpened(resource) && !model.signedIn && model.signIn.length > 0;
  if (!resource.list) return html`${head}${isOpened(resource) && html`<${Open} resource=${resource} />`}${isLocked && html`<p><a class="button" href=${hashOfSignIn(location.hash)}>${t("sign.in")}</a></p>`}`;
  return html`${head}<${Records} resource=${resource} operation=${resource.list} path=${resource.path} query=${query} scope=""
    setQuery=${(next) => go(hashOf(resource, next || (resource.query ? ".all=" : "")))} onAmount=${setAmount} reloadRef=${reload} />`;
}
