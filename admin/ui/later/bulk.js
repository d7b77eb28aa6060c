// Changes, runs or deletes many records: several requests at a time, or one for all where the API has an operation for that.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { conditions, send, sendCurrent } from "../api.js";
import { allows, pathFor, permissions, resolve, titleOf } from "../model.js";
import { forgetTitle } from "../titles.js";
import { Field, Form } from "./form.js";
import { errorsOf, errorsOfInputs, none, wordsOf } from "../errors.js";
import { initial } from "../kinds.js";
import { Alert, Dialog, Loading, say } from "../dialog.js";
import { restoreOf, undoDeletes } from "./undo.js";
import { count, locale, t } from "../texts.js";

const AT_ONCE = 4; // requests
const PER_BATCH = 500; // records in one request
const SHOWN = 200; // results

const pause = (seconds, signal) => new Promise((done) => {
  const timer = setTimeout(done, seconds * 1000);
  signal.addEventListener("abort", () => { clearTimeout(timer); done(); }, { once: true });
});

/** Sends a request, again after a while if the server is too busy for it. */
async function patiently(request, signal, onWait) {
  for (let i = 0; ; i++) {
    try {
      return await request();
    } catch (error) {
      if (![429, 503].includes(error.status) || i === 20 || signal.aborted) throw error;
      onWait(true);
      await pause(Math.min(error.retry ?? 2 ** i, 60), signal);
      onWait(false);
      if (signal.aborted) throw error;
    }
  }
}

/** Does work for all items, some at a time, until it is aborted. */
async function forAll(items, work, signal) {
  let next = 0;
  const worker = async () => {
    while (next < items.length && !signal.aborted) await work(items[next++]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Sends one change. */
const change = (resource, operation, path, body) => sendCurrent(operation.method, pathFor(operation, path), resource.get ? path : null, {
  body, type: operation.contentType, headers: conditions({ ...operation, ifMatch: false }),
});

/** Returns the operation that sets a field of many records with one request, undefined if there is none. */
function manyOf(resource, name) {
  return resource.custom.find((one) => {
    const { properties = {}, required = [] } = resolve(one.input);
    const own = [...resource.identifier, name];
    return one.effect === "change" && own.every((field) => field in properties) && required.every((field) => own.includes(field));
  });
}

/** Returns the errors of a request for many records: by the index of the record in it. */
function errorsOfMany(error) {
  const by = new Map();
  for (const [name, text] of Object.entries(error.fields ?? {})) {
    const [, at, field] = /^(?:\/|\[)?(\d+)\]?[./]?(.*)$/.exec(name) ?? [];
    if (at !== undefined) by.set(Number(at), { message: text, problem: field ? { errors: { [field]: text } } : null });
  }
  return by;
}

/** What failed, with the reason, then the rest. */
function Results({ results, selected, resource }) {
  const failed = results.filter((one) => one.error);
  const all = [...failed, ...results.filter((one) => !one.error)].slice(0, SHOWN);
  return html`<ul class="results" tabindex="0" aria-label=${t("action.result")}>${all.map(({ path, error, skipped }) => html`<li key=${path} class=${error ? "bad" : skipped ? "skipped" : "good"}>
    <span dir="auto">${titleOf(resource, selected.get(path))}</span> <span>${error ? wordsOf(error, resource) : t(skipped ?? "bulk.ok")}</span></li>`)}
    ${results.length > all.length && html`<li class="skipped">${t("bulk.more", { count: (results.length - all.length).toLocaleString(locale()) })}</li>`}</ul>`;
}

function Choice({ resource, state, setState, errors, setErrors, disabled }) {
  const fields = resource.fields.filter((field) => field.update && !(field.reference?.inverse));
  const field = fields.find((one) => one.name === state.name) ?? fields[0];
  const choose = (event) => {
    const next = fields.find((one) => one.name === event.target.value);
    setState({ name: next.name, value: initial(next.schema, true, next.name) });
  };
  return html`<${Form.Provider} value=${{ id: "bulk", errors, exists: false, setErrors }}><fieldset class="choice" disabled=${disabled}>
    <div class="field"><label for="bulk-field">${t("bulk.field")}</label><select id="bulk-field" onChange=${choose}>
      ${fields.map((one) => html`<option key=${one.name} value=${one.name} selected=${one.name === field.name}>${one.title}</option>`)}</select></div>
    <${Field} key=${field.name} field=${field} value=${state.value} path=${[field.name]} onChange=${(value) => setState({ name: field.name, value })} /></fieldset></${Form.Provider}>`;
}

/** Does an action to records, and reports each result. */
async function runAll({ resource, action, paths, selected, state, signal, onResult, onWait }) {
  const body = action.kind === "set" ? { [state.name]: state.value ?? null } : undefined;
  const many = body && manyOf(resource, state.name);
  const one = async (path) => {
    try {
      await patiently(() => change(resource, action.operation, path, body), signal, onWait);
      forgetTitle(path);
      onResult([{ path }]);
    } catch (error) {
      if (!signal.aborted || error.status !== 429) onResult([{ path, error }]);
    }
  };
  if (!many) return forAll(paths, one, signal);
  const batches = Array.from({ length: Math.ceil(paths.length / PER_BATCH) }, (_, i) => paths.slice(i * PER_BATCH, (i + 1) * PER_BATCH));
  for (const batch of batches) {
    if (signal.aborted) return undefined;
    const elements = batch.map((path) => ({ ...Object.fromEntries(resource.identifier.map((name) => [name, selected.get(path)[name]])), ...body }));
    try {
      await patiently(() => send(many.method, many.path, { body: elements, type: many.contentType, headers: conditions(many) }), signal, onWait);
      batch.forEach(forgetTitle);
      onResult(batch.map((path) => ({ path })));
    } catch (error) {
      const by = errorsOfMany(error); // nothing of the batch is changed
      onResult(batch.map((path, i) => ({ path, error: by.get(i) ?? (by.size > 0 ? new Error(t("bulk.together")) : error) })));
    }
  }
}

/** What the dialog says of the records: how many may be changed, how far it is, or how it went. */
function Status({ resource, action, run, able, total }) {
  const { results, isRunning, isDone, isWaiting } = run;
  const good = results.filter((one) => !one.error && !one.skipped).length;
  const failed = results.filter((one) => one.error).length;
  const text = () => {
    if (isRunning) return [t("bulk.progress", { done: results.length.toLocaleString(locale()), total: run.total.toLocaleString(locale()) }), isWaiting && t("bulk.waiting")];
    if (isDone) return [good > 0 && t("bulk.done", { count: good.toLocaleString(locale()) }), failed > 0 && t("bulk.failed", { count: failed.toLocaleString(locale()) }), run.isCancelled && t("bulk.cancelled")];
    if (able === 0) return [t("bulk.none")];
    return [able < total && t("bulk.allowed", { count: able.toLocaleString(locale()), total: total.toLocaleString(locale()) }), action.kind === "delete" && t(restoreOf(resource) ? "delete.trash" : "delete.forever")];
  };
  return html`<p role="status">${text().filter(Boolean).join(" ")}</p>${isRunning && html`<progress max=${run.total} value=${results.length} aria-label=${action.title}></progress>`}`;
}

const idle = { results: [], isRunning: false, isDone: false, isWaiting: false, isCancelled: false, total: 0 };

/** Returns what the caller may do to records: undefined while that is loaded, null if the server does not say; and why it is not known. */
function usePermissions(resource, paths) {
  const [allowed, setAllowed] = useState(undefined);
  const [failure, setFailure] = useState(null);
  useEffect(() => {
    if (resource.get) permissions(paths).then(setAllowed, setFailure);
    else setAllowed(null); // nothing is known of single records
  }, []);
  return [allowed, failure];
}

function Buttons({ action, run, able, onLeave, onStop }) {
  if (run.isRunning) return html`<div class="actions"><button type="button" onClick=${onStop}>${t("app.cancel")}</button></div>`;
  const canRun = able > 0 && (!run.isDone || action.kind === "set" || run.results.some((one) => one.error) || run.isCancelled);
  const confirm = { delete: t("delete.confirm"), set: t("record.save"), run: action.title }[action.kind];
  return html`<div class="actions">${canRun && html`<button class=${action.danger ? "danger filled" : "primary"}>${run.isDone && action.kind !== "set" ? t("app.again") : confirm}</button>`}
    <button type="button" onClick=${onLeave}>${t(run.isDone ? "app.close" : "action.keep")}</button></div>`;
}

/** The dialog of an action. onClose gets whether something has changed, and the records that failed. */
export function BulkDialog({ resource, action, selected, onClose, onUndone }) {
  const [run, setRun] = useState(idle);
  const first = resource.fields.find((field) => field.update && !field.reference?.inverse);
  const [state, setState] = useState({ name: first?.name, value: first && initial(first.schema, true, first.name) });
  const [errors, setErrors] = useState(none);
  const [left, setLeft] = useState(() => [...selected.keys()]); // what is still to be done
  const abort = useRef(null);
  const [allowed, failure] = usePermissions(resource, left);
  useEffect(() => () => abort.current?.abort(), []);
  const obstacleOf = (path) => { // the key of its text
    if (allowed === null) return undefined;
    const one = allowed?.get(path);
    if (!one) return "record.missing";
    if (allows(one, action.operation)) return action.kind === "set" && one.locked.includes(state.name) ? "bulk.skipped" : undefined;
    return one.unmet?.includes(action.operation.id) ? "bulk.unmet" : "bulk.skipped";
  };
  const able = left.filter((path) => !obstacleOf(path));
  const leave = () => onClose(left.length < selected.size, new Map(left.map((path) => [path, selected.get(path)])));
  const start = async (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (run.isRunning || able.length === 0) return; // Ctrl+S presses no button
    const invalid = errorsOfInputs(event.currentTarget, resource.fields);
    if (invalid.size > 0) return setErrors(invalid);
    const controller = new AbortController();
    abort.current = controller;
    const results = left.map((path) => ({ path, skipped: obstacleOf(path) })).filter((one) => one.skipped);
    const now = { ...idle, isRunning: true, total: left.length };
    let shown = 0;
    const show = (part = {}, isLast = false) => {
      if (!isLast && performance.now() - shown < 100) return; // a screen is enough for many results
      shown = performance.now();
      setRun({ ...now, ...part, results: [...results] });
    };
    setErrors(none);
    show();
    await runAll({
      resource, action, paths: able, selected, state, signal: controller.signal,
      onResult: (list) => { results.push(...list); show(); }, onWait: (isWaiting) => show({ isWaiting }, true),
    });
    const done = new Set(results.filter((one) => !one.error && !one.skipped).map((one) => one.path));
    const failed = results.filter((one) => one.error);
    if (action.kind === "set" && failed.length > 0) setErrors(errorsOf(failed[0].error, resource.fields));
    setLeft(left.filter((path) => !done.has(path)));
    show({ isRunning: false, isDone: true, isCancelled: controller.signal.aborted }, true);
    if (done.size === left.length) {
      const undo = action.kind === "delete" ? undoDeletes(resource, [...done], onUndone) : null;
      say(t("bulk.done", { count: done.size.toLocaleString(locale()) }), { action: undo });
      onClose(true, new Map());
    }
  };
  const { isRunning, isDone, results } = run;
  return html`<${Dialog} title=${`${action.title}: ${count("count", selected.size)}`} onClose=${() => isRunning || leave()}>
    ${failure && html`<${Alert} error=${failure} />`}
    ${allowed === undefined && !failure && html`<${Loading} />`}
    ${allowed !== undefined && html`<form onSubmit=${start} noValidate>
      <${Status} resource=${resource} action=${action} run=${run} able=${able.length} total=${left.length} />
      ${action.kind === "set" && html`<${Choice} resource=${resource} state=${state} setState=${setState} errors=${errors} setErrors=${setErrors} disabled=${isRunning} />`}
      ${isDone && html`<${Results} results=${results} selected=${selected} resource=${resource} />`}
      <${Buttons} action=${action} run=${run} able=${able.length} onLeave=${leave} onStop=${() => abort.current.abort()} /></form>`}
  </${Dialog}>`;
}
