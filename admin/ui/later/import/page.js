// The page that imports a CSV file: choose it, say which column is which field, check it, and create its records.
import { html, useEffect, useMemo, useRef, useState } from "../../vendor/preact.js";
import { hashOf, match, parametersOf } from "../../model.js";
import { Alert, say } from "../../dialog.js";
import { forgetTitle } from "../../titles.js";
import { count, inside, listed, locale, t } from "../../texts.js";
import { MOST_BYTES, decode, parse } from "./csv.js";
import { usual } from "./convert.js";
import { guess, missing, targets } from "./mapping.js";
import { Plan } from "./plan.js";
import { Findings, download } from "./findings.js";
import { isWrong, parts, post, recordsOf, submit } from "./rows.js";

const MOST_SHOWN = 50; // records that a link to a list can name

function Source({ onText }) {
  const [over, setOver] = useState(false);
  const [text, setText] = useState("");
  const read = async (file) => {
    if (!file) return;
    if (file.size > MOST_BYTES) return say(t("import.large", { count: MOST_BYTES >> 20 }), "bad");
    const bytes = await file.arrayBuffer().catch(() => null); // another program may have moved or locked it
    if (bytes === null) return say(t("form.unreadable"), "bad");
    onText(file.name, decode(bytes));
  };
  const drop = (event) => {
    event.preventDefault();
    setOver(false);
    read(event.dataTransfer.files[0]);
  };
  const paste = (event) => {
    event.preventDefault();
    if (text.trim()) onText("", text);
  };
  return html`<section class=${`panel source ${over ? "over" : ""}`} onDragOver=${(event) => { event.preventDefault(); setOver(true); }} onDragLeave=${() => setOver(false)} onDrop=${drop}>
    <div class="field"><label for="import-file">${t("import.file")}</label>
      <input type="file" id="import-file" accept=".csv,.tsv,.txt,text/csv" aria-describedby="import-drop" onChange=${(event) => read(event.target.files[0])} />
      <p class="help" id="import-drop">${t("import.drop")}</p></div>
    <form class="field" onSubmit=${paste}><label for="import-text">${t("import.paste")}</label>
      <textarea id="import-text" class="code" rows="5" spellcheck="false" value=${text} onInput=${(event) => setText(event.target.value)}></textarea>
      <p><button disabled=${!text.trim()}>${t("import.use")}</button></p></form>
  </section>`;
}

/** Returns the hash of a list with the records at some paths, as far as a filter can name them. */
function hashOfRecords(resource, locations) {
  const filter = resource.list && parametersOf(resource.list, "filter").find((one) => one.field === resource.identifier[0] && one.operator === "equal");
  if (!filter?.many || resource.identifier.length !== 1 || locations.length === 0 || locations.length > MOST_SHOWN) return hashOf(resource);
  return hashOf(resource, new URLSearchParams(locations.map((path) => [filter.name, match(path)?.ids.at(-1) ?? ""])).toString());
}

function Done({ resource, records, onAgain }) {
  const saved = records.filter((one) => one.status < 300);
  return html`<section class="panel stack" role="status"><h2>${t("import.done", { count: count("count", saved.length) })}</h2>
    <div class="actions"><a class="button primary" href=${hashOfRecords(resource, saved.map((one) => one.location).filter(Boolean))}>${t(saved.length > MOST_SHOWN ? "import.list" : "import.show")}</a>
      <button type="button" onClick=${onAgain}>${t("import.other")}</button></div></section>`;
}

/** Runs the steps of an import one at a time. run gets a signal, and a function for the progress. */
function useRun() {
  const [state, setState] = useState({ progress: null, failure: null });
  const controller = useRef(null);
  useEffect(() => () => controller.current?.abort(), []);
  const start = async (total, run) => {
    controller.current = new AbortController();
    setState({ progress: { done: 0, total }, failure: null });
    try {
      await run(controller.current.signal, (done, isWaiting = false) => setState({ progress: { done, total, isWaiting }, failure: null }));
      setState({ progress: null, failure: null });
      return true;
    } catch (error) {
      setState({ progress: null, failure: error.name === "AbortError" ? new Error(t("import.cancelled")) : error });
      return false;
    }
  };
  return [state, start, () => controller.current?.abort()];
}

/** What can be done with the rows: check them, and create their records. */
function Steps({ resource, fields, table, plan, name, isDone, setDone, onAgain }) {
  const [records, setRecords] = useState(null); // those that are checked
  const [{ progress, failure }, start, cancel] = useRun();
  const total = table.rows.length;
  const isPlain = !resource.import || failure?.status === 429; // a limit counts each row
  const prepare = () => recordsOf(table.rows, fields, plan);
  const check = () => start(total, async (signal, onProgress) => {
    setRecords(null);
    const made = await prepare();
    if (!signal.aborted) await submit(resource, made, "check", signal, onProgress);
    setRecords(made);
  });
  const all = () => start(total, async (signal, onProgress) => {
    setRecords(null); // a failure may leave them saved
    const made = await prepare();
    const saved = !made.some(isWrong) && (await submit(resource, made, "all", signal, onProgress));
    setRecords(made);
    setDone(saved);
  });
  const some = async () => {
    let good = [];
    let made = [];
    const isWhole = await start(total, async (signal, onProgress) => {
      made = await prepare();
      good = made.filter((one) => !isWrong(one));
      await (isPlain ? post(resource, good, signal, onProgress) : submit(resource, good, "good", signal, onProgress));
    });
    const isSaved = good.some((one) => one.status < 300);
    if (!isWhole && !isSaved) return good.some((one) => one.isInDoubt) && setRecords(null);
    for (const record of good) if (record.status === undefined) record.wrong[""] = t(record.isInDoubt ? "import.unconfirmed" : "import.unsent");
    setRecords(made);
    setDone(isSaved);
  };
  useEffect(() => {
    if (isDone) forgetTitle();
  }, [isDone]);
  const wrong = records?.filter(isWrong) ?? [];
  const good = records ? records.length - wrong.length : 0;
  const isWhole = useMemo(() => records && resource.import && parts(records, resource.import).length === 1, [records]);
  return html`${isDone && html`<${Done} resource=${resource} records=${records} onAgain=${onAgain} />`}
    ${failure && html`<${Alert} error=${failure} resource=${resource}>${failure.isInDoubt && resource.list && html`<a class="button" href=${hashOf(resource)}>${t("import.list")}</a>`}</${Alert}>`}
    ${progress && html`<p class="row" role="status"><progress max=${progress.total} value=${progress.done} aria-label=${t("import.running")}></progress>
      ${t("bulk.progress", { done: progress.done.toLocaleString(locale()), total: progress.total.toLocaleString(locale()) })} ${progress.isWaiting && t("bulk.waiting")} <button type="button" class="small" onClick=${cancel}>${t("app.cancel")}</button></p>`}
    ${records && !progress && html`<section class="stack"><p class="outcome" role="status">${[!isDone && good > 0 && count("import.good", good), wrong.length > 0 && count("import.bad", wrong.length)].filter(Boolean).join(" ")}</p>
      ${wrong.length > 0 && html`<${Findings} table=${table} fields=${fields} mapping=${plan.mapping} records=${wrong} />`}</section>`}
    ${isPlain && !records && html`<p class="help">${t("import.unchecked")}</p>`}
    <div class="actions">${!isDone && html`
      ${isPlain && html`<button type="button" class="primary" disabled=${progress} onClick=${some}>${t("import.plain")}</button>`}
      ${isWhole && wrong.length === 0 && html`<button type="button" class="primary" disabled=${progress} onClick=${all}>${t("import.all", { count: good.toLocaleString(locale()) })}</button>`}
      ${records && good > 0 && resource.import && (wrong.length > 0 || !isWhole) && html`<button type="button" class="primary" disabled=${progress} onClick=${some}>${count("import.some", good)}</button>`}
      ${resource.import && html`<button type="button" class=${records ? "" : "primary"} disabled=${progress} onClick=${check}>${t(records ? "import.again" : "import.check")}</button>`}`}
      ${wrong.length > 0 && html`<button type="button" disabled=${progress} onClick=${() => download(name || resource.plural, table, fields, wrong)}>${t("import.rejected")}</button>`}</div>
    ${records && resource.import && !isWhole && !isDone && html`<p class="help">${t("import.parts", { count: resource.import.lines.toLocaleString(locale()) })}</p>`}`;
}

/** Everything about one file. */
function File({ resource, name, text, onAgain }) {
  const fields = useMemo(() => targets(resource), [resource]);
  const [delimiter, setDelimiter] = useState("");
  const table = useMemo(() => parse(text, delimiter), [text, delimiter]);
  const [plan, setPlan] = useState(null);
  const [isDone, setDone] = useState(false); // then the plan cannot change any more
  useEffect(() => {
    const mapping = guess(table.header, fields);
    setPlan((now) => ({ mapping, constants: now?.constants ?? [], options: now?.options ?? usual(table, mapping, fields) }));
  }, [table, fields]);
  const head = html`<p class="row"><strong>${name || t("import.pasted")}</strong> <span class="total">${count("import.rows", table.rows.length)}</span>
    <button type="button" class="small" onClick=${onAgain}>${t("import.other")}</button></p>`;
  if (!plan || plan.mapping.length !== table.header.length) return head;
  if (table.broken !== null) return html`${head}<${Alert} error=${new Error(t("import.broken", { line: table.broken }))} />`;
  if (table.rows.length === 0) return html`${head}<${Alert} error=${new Error(t("import.empty"))} />`;
  const absent = missing(fields, plan.mapping, plan.constants);
  const isEmpty = plan.mapping.every((one) => one === "") && plan.constants.length === 0;
  return html`${head}
    ${!isDone && html`<${Plan} fields=${fields} table=${table} plan=${plan} onChange=${setPlan} delimiter=${table.delimiter} onDelimiter=${setDelimiter} />`}
    ${absent.length > 0 && !isDone && html`<p class="help">${t("import.missing", { fields: listed(absent.map((one) => one.title)) })}</p>`}
    ${!isEmpty && html`<${Steps} key=${JSON.stringify([plan, table.delimiter])} resource=${resource} fields=${fields} table=${table} plan=${plan} name=${name} isDone=${isDone} setDone=${setDone} onAgain=${onAgain} />`}`;
}

/** The page. */
export default function ImportPage({ resource }) {
  const [source, setSource] = useState(null);
  return html`<nav class="crumbs" aria-label=${t("app.back")}><ol><li><a href=${hashOf(resource)}>${resource.plural}</a></li></ol></nav>
    <header class="head"><div><h1>${t("import.title", { plural: inside(resource.plural) })}</h1></div></header>
    <div class="import stack">${source ? html`<${File} resource=${resource} ...${source} onAgain=${() => setSource(null)} />`
      : html`<${Source} onText=${(name, text) => setSource({ name, text })} />`}</div>`;
}
