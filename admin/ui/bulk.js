// Actions on several records: each is a request of its own, with a result of its own.
import { html, useEffect, useState } from "./vendor/preact.js";
import { conditions, sendCurrent } from "./api.js";
import { allows, pathFor, permissions, titleOf } from "./model.js";
import { forgetTitle } from "./titles.js";
import { Field, Form } from "./form.js";
import { errorsOf, none, wordsOf } from "./errors.js";
import { initial } from "./kinds.js";
import { Alert, Dialog, Loading, say } from "./dialog.js";
import { count, t } from "./texts.js";

/** Returns what may be done to several records of a resource. */
function actionsOf(resource) {
  const custom = resource.custom.filter((one) => one.item && !one.input && one.method !== "GET");
  return [
    resource.update && resource.fields.some((field) => field.update) && { kind: "set", operation: resource.update, title: t("bulk.set") },
    ...custom.map((operation) => ({ kind: "run", operation, title: operation.title })),
    resource.remove && { kind: "delete", operation: resource.remove, title: t("bulk.delete"), danger: true },
  ].filter(Boolean);
}

/** The bar of actions for the selected records. */
export function BulkBar({ resource, selected, onClear, onDone }) {
  const [action, setAction] = useState(null);
  if (selected.size === 0 && !action) return null;
  const close = (changed) => {
    setAction(null);
    if (changed) {
      onClear();
      onDone();
    }
  };
  return html`<div class="bulk" role="region" aria-label=${t("bulk.actions")}>
    <span role="status">${t("list.selected", { count: selected.size })}</span>
    ${actionsOf(resource).map((one) => html`<button type="button" key=${one.operation.id + one.kind} class=${one.danger ? "danger" : undefined} onClick=${() => setAction(one)}>${one.title}</button>`)}
    <button type="button" class="quiet" onClick=${onClear}>${t("list.unselect")}</button>
    ${action && html`<${BulkDialog} resource=${resource} action=${action} selected=${selected} onClose=${close} />`}</div>`;
}

/** Sends one change. */
const change = (resource, operation, path, body) => sendCurrent(operation.method, pathFor(operation, path), resource.get ? path : null, {
  body, type: operation.contentType, headers: conditions({ ...operation, ifMatch: false }),
});

function Results({ results, selected, resource }) {
  return html`<ul class="results" tabindex="0" aria-label=${t("action.result")}>${results.map(({ path, error, skipped }) => html`<li key=${path} class=${error ? "bad" : skipped ? "skipped" : "good"}>
    <span>${titleOf(resource, selected.get(path))}</span> <span>${error ? wordsOf(error, resource) : skipped ? t("bulk.skipped") : t("bulk.ok")}</span></li>`)}</ul>`;
}

function Choice({ resource, state, setState, errors }) {
  const fields = resource.fields.filter((field) => field.update && !(field.reference?.inverse));
  const field = fields.find((one) => one.name === state.name) ?? fields[0];
  const choose = (event) => {
    const next = fields.find((one) => one.name === event.target.value);
    setState({ name: next.name, value: initial(next.schema, true, next.name) });
  };
  return html`<${Form.Provider} value=${{ id: "bulk", errors, exists: false }}>
    <div class="field"><label for="bulk-field">${t("bulk.field")}</label><select id="bulk-field" onChange=${choose}>
      ${fields.map((one) => html`<option key=${one.name} value=${one.name} selected=${one.name === field.name}>${one.title}</option>`)}</select></div>
    <${Field} key=${field.name} field=${field} value=${state.value} path=${[field.name]} onChange=${(value) => setState({ name: field.name, value })} /></${Form.Provider}>`;
}

function BulkDialog({ resource, action, selected, onClose }) {
  const [allowed, setAllowed] = useState(undefined); // null: the server does not say
  const [failure, setFailure] = useState(null);
  const [results, setResults] = useState([]);
  const [running, setRunning] = useState(false);
  const [done, setDone] = useState(false);
  const first = resource.fields.find((field) => field.update && !field.reference?.inverse);
  const [state, setState] = useState({ name: first?.name, value: first && initial(first.schema, true, first.name) });
  const [errors, setErrors] = useState(none);
  const paths = [...selected.keys()];
  useEffect(() => {
    if (resource.get) permissions(paths).then(setAllowed, setFailure);
    else setAllowed(null); // nothing is known of single records
  }, []);
  const may = (path) => {
    if (allowed === null) return true;
    const one = allowed?.get(path);
    return Boolean(one) && allows(one, action.operation) && !(action.kind === "set" && one.locked?.includes(state.name));
  };
  const able = paths.filter(may);
  const run = async (event) => {
    event.preventDefault();
    event.stopPropagation();
    setRunning(true);
    const all = [];
    for (const path of paths) {
      if (!may(path)) {
        all.push({ path, skipped: true });
        continue;
      }
      try {
        await change(resource, action.operation, path, action.kind === "set" ? { [state.name]: state.value ?? null } : undefined);
        forgetTitle(path);
        all.push({ path });
      } catch (error) {
        if (action.kind === "set") setErrors(errorsOf(error, resource.fields));
        all.push({ path, error });
      }
      setResults([...all]);
    }
    setResults(all);
    setRunning(false);
    setDone(true);
    const failed = all.filter((one) => one.error).length;
    const good = all.filter((one) => !one.error && !one.skipped).length;
    if (failed === 0 && good === all.length) {
      say(t("bulk.done", { count: good }));
      onClose(true);
    }
  };
  const changed = results.some((one) => !one.error && !one.skipped);
  const failed = results.filter((one) => one.error).length;
  return html`<${Dialog} title=${`${action.title}: ${count("count", paths.length)}`} onClose=${() => running || onClose(changed)}>
    ${failure && html`<${Alert} error=${failure} />`}
    ${allowed === undefined && !failure && html`<${Loading} />`}
    ${allowed !== undefined && html`<form onSubmit=${run} noValidate>
      <p role="status">${running ? t("bulk.progress", { done: results.length, total: paths.length })
        : done ? [changed && t("bulk.done", { count: results.filter((one) => !one.error && !one.skipped).length }), failed > 0 && t("bulk.failed", { count: failed })].filter(Boolean).join(" ")
          : able.length === 0 ? t("bulk.none") : able.length < paths.length ? t("bulk.allowed", { count: able.length, total: paths.length }) : action.kind === "delete" ? t("delete.forever") : ""}</p>
      ${running && html`<progress max=${paths.length} value=${results.length} aria-label=${action.title}></progress>`}
      ${action.kind === "set" && !done && html`<${Choice} resource=${resource} state=${state} setState=${setState} errors=${errors} />`}
      ${(done || running) && html`<${Results} results=${results} selected=${selected} resource=${resource} />`}
      <div class="actions">${!done && html`<button class=${action.danger ? "danger filled" : "primary"} disabled=${running || able.length === 0}>${action.kind === "delete" ? t("delete.confirm") : action.kind === "set" ? t("record.save") : t("bulk.run")}</button>`}
        <button type="button" disabled=${running} onClick=${() => onClose(changed)}>${t(done ? "app.close" : "app.cancel")}</button></div></form>`}
  </${Dialog}>`;
}
