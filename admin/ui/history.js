// The changes of a record, the newest first.
import { html, useEffect, useState } from "./vendor/preact.js";
import { get } from "./api.js";
import { fieldOf, fill, parameterOf } from "./model.js";
import { Value } from "./show.js";
import { Alert, Loading } from "./dialog.js";
import { t } from "./texts.js";

function Change({ resource, name, change }) {
  const field = fieldOf(resource, name);
  const value = (one) => html`<${Value} value=${one} field=${field} schema=${field?.schema ?? {}} name=${name} />`;
  return html`<div><dt>${field?.title ?? name}</dt><dd class="row">${change.from !== null && html`${value(change.from)}<span aria-label=${t("history.to")}>→</span>`}${value(change.to)}</dd></div>`;
}

/** A page of the changes, with links to others. */
export function History({ resource, ids }) {
  const operation = resource.history;
  const trash = parameterOf(operation, "deleted"); // the record may be there
  const [path, setPath] = useState(fill(operation.path, ids, operation.suffixes) + (trash ? `?${trash.name}=with` : ""));
  const [page, setPage] = useState(null);
  const [error, setError] = useState(null);
  useEffect(() => {
    const abort = new AbortController();
    get(path, { signal: abort.signal }).then(setPage, (failure) => failure.name === "AbortError" || setError(failure));
    return () => abort.abort();
  }, [path]);
  if (error) return html`<${Alert} error=${error} />`;
  if (!page) return html`<${Loading} />`;
  const link = (to, text) => html`<button type="button" disabled=${!to} onClick=${() => setPath(to)}>${text}</button>`;
  const { next, prev } = page.links;
  return html`<div class="panel">${page.body.length === 0 && html`<p class="nothing">${t("history.empty")}</p>`}
    ${page.body.map((entry, i) => html`<section key=${i}><h2><${Value} value=${entry.at} schema=${{ type: "string", format: "date-time" }} /> ${entry.by ?? (entry.operation ? "" : t("history.nobody"))} ${entry.operation && html`<code>${entry.operation}</code>`}</h2>
      <dl class="details">${Object.entries(entry.changes).map(([name, change]) => html`<${Change} key=${name} resource=${resource} name=${name} change=${change} />`)}</dl></section>`)}
    ${(next || prev) && html`<nav aria-label=${t("list.pages")} class="row">${link(prev, t("list.previous"))}${link(next, t("list.next"))}</nav>`}</div>`;
}
