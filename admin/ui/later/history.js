// The changes of a record, the newest first: what was done, by whom, when, and the values before and after.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { get } from "../api.js";
import { fieldOf, fill, itemOf, model, parameterOf } from "../model.js";
import { localTime, wordsOf } from "../kinds.js";
import { RecordLink, Value } from "../show.js";
import { Difference } from "./differences.js";
import { Alert, Loading } from "../dialog.js";
import { locale, t } from "../texts.js";

const UNITS = [["year", 31_557_600], ["month", 2_629_800], ["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]];

/** Returns how long ago a moment was, such as "3 days ago". */
function ago(time) {
  const seconds = (Date.parse(time) - Date.now()) / 1000;
  const [unit, length] = UNITS.find(([, one]) => Math.abs(seconds) >= one) ?? UNITS.at(-1);
  return new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }).format(Math.round(seconds / length), unit);
}

/** Who made a change: the title of their record where the text names one, such as "user 7". */
function By({ by }) {
  if (by === null || by === undefined) return t("history.nobody");
  if (by === model.who?.by) return model.who.name || by;
  const [, of, id] = /^(.+) (\S+)$/.exec(by) ?? [];
  const resource = of && model.resources.find((one) => one.get && one.identifier.length === 1 && [one.name, one.singular].some((name) => name.toLowerCase() === of.toLowerCase()));
  return resource ? html`<${RecordLink} path=${itemOf(resource, [id])} />` : by;
}

/** Returns what an operation has done, for people. */
function titleOf(resource, { operation, changes }) {
  const trashed = changes[resource.deleted];
  if (trashed) return t(trashed.to === null ? "history.restored" : "history.deleted");
  const custom = resource.custom.find((one) => one.id === operation);
  if (custom) return custom.title;
  const isNew = Object.values(changes).every((one) => one.from === null);
  if (operation === resource.create?.id || (!operation && isNew)) return t("history.created");
  if (operation === resource.remove?.id) return t("history.deleted");
  if (!operation || [resource.update?.id].includes(operation) || /^(update|patch|replace)/.test(operation)) return t("history.changed");
  return wordsOf(operation);
}

function Entry({ resource, entry }) {
  const isNew = Object.values(entry.changes).every((one) => one.from === null);
  const order = (name) => resource.fields.findIndex((one) => one.name === name);
  const changes = Object.entries(entry.changes)
    .filter(([name, { to }]) => name !== resource.deleted && !(isNew && (to === null || to === "" || resource.identifier.includes(name))))
    .toSorted(([a], [b]) => order(a) - order(b));
  const value = (name, { from, to }) => (isNew ? html`<${Value} value=${to} field=${fieldOf(resource, name)} schema=${fieldOf(resource, name)?.schema ?? {}} name=${name} />`
    : html`<${Difference} field=${fieldOf(resource, name)} name=${name} from=${from} to=${to} />`);
  return html`<li><h3>${titleOf(resource, entry)}</h3>
    <p class="quiet"><${By} by=${entry.by} /> · <time datetime=${entry.at} title=${localTime(entry.at, "datetime")}>${ago(entry.at)}</time> · ${localTime(entry.at, "datetime")}</p>
    ${changes.length > 0 && html`<dl class="details">${changes.map(([name, change]) => html`<div key=${name}><dt>${fieldOf(resource, name)?.title ?? wordsOf(name)}</dt>
      <dd>${value(name, change)}</dd></div>`)}</dl>`}</li>`;
}

/** Returns the path of the first page of the changes of a record, which may be in the trash. */
function historyOf(resource, ids) {
  const trash = parameterOf(resource.history, "deleted");
  return fill(resource.history.path, ids, resource.history.suffixes) + (trash ? `?${trash.name}=with` : "");
}

/** A page of the changes, with links to others. */
export function History({ resource, ids, record }) {
  const [path, setPath] = useState(historyOf(resource, ids));
  const [page, setPage] = useState(null);
  const [error, setError] = useState(null);
  const panel = useRef(null);
  useEffect(() => {
    const abort = new AbortController();
    setError(null);
    get(path, { signal: abort.signal }).then((found) => setPage({ ...found, of: path }), (failure) => failure.name === "AbortError" || setError(failure));
    return () => abort.abort();
  }, [path, record]);
  useLayoutEffect(() => { // another page begins at the top
    if (panel.current?.getBoundingClientRect().top < 0) panel.current.scrollIntoView({ block: "start" });
  }, [page?.of]);
  if (error) return html`<${Alert} error=${error} resource=${resource}><button type="button" onClick=${() => setPath(historyOf(resource, ids))}>${t("app.again")}</button></${Alert}>`;
  if (!page) return html`<${Loading} />`;
  const link = (to, text) => html`<button type="button" disabled=${!to} onClick=${() => setPath(to)}>${text}</button>`;
  const { next, prev } = page.links;
  return html`<div class="panel" ref=${panel} aria-busy=${page.of === path ? "false" : "true"}><h2 class="hidden">${t("record.history")}</h2>
    ${page.body.length === 0 ? html`<p class="nothing">${t("history.empty")}</p>` : html`<ol class="timeline">${page.body.map((entry, i) => html`<${Entry} key=${i} resource=${resource} entry=${entry} />`)}</ol>`}
    ${(next || prev) && html`<nav aria-label=${t("list.pages")} class="row">${link(prev, t("list.previous"))}${link(next, t("list.next"))}</nav>`}</div>`;
}

/** When a record was moved to the trash, and by whom where the history says it. */
export function Trashed({ resource, record, ids, mayRead }) {
  const [by, setBy] = useState(undefined);
  const at = record[resource.deleted];
  useEffect(() => {
    if (mayRead) get(historyOf(resource, ids), { quiet: true }).then(({ body }) => setBy(body.find((one) => one.changes[resource.deleted])?.by), () => {});
  }, []);
  if (typeof at !== "string") return t("record.trash");
  const time = html`<time datetime=${at} title=${localTime(at, "datetime")}>${ago(at)}</time>`;
  const parts = t(by === undefined ? "record.trashed" : "record.trashedBy").split(/(\{\w+\})/);
  return parts.map((part) => (part === "{time}" ? time : part === "{name}" ? html`<${By} by=${by} />` : part));
}
