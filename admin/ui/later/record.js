// The page of a record: its form, its buttons, its tabs; and the page of a new record.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { get } from "../api.js";
import { allows, canFind, fill, hashOf, hashOfPath, itemOf, model, parameterOf, pathOf, permissions, titleOf } from "../model.js";
import { forgetTitle, loadedTitle, remember, useTitles } from "../titles.js";
import { go, hashOfSignIn, lastList, leaveFor } from "../router.js";
import { CreateForm, EditForm } from "./edit.js";
import { Actions } from "../actions.js";
import { Remove } from "./remove.js";
import { Tab } from "./tabs.js";
import { undoDelete } from "./undo.js";
import { enterAs, isRegistration } from "../signin.js";
import { Alert, Dialog, Loading, say, sayError } from "../dialog.js";
import { Details } from "./details.js";
import { inside, t } from "../texts.js";

function Crumbs({ resource, title }) {
  return html`<nav class="crumbs" aria-label=${t("app.back")}><ol>
    <li>${canFind(resource) ? html`<a href=${lastList(resource.name)}>${resource.plural}</a>` : html`<span>${resource.plural}</span>`}</li><li aria-current="page"><bdi>${title}</bdi></li></ol></nav>`;
}

/** The page of a new record. The query sets fields. */
export function NewPage({ resource, query, onSigned }) {
  const [isAccount] = useState(() => isRegistration(resource));
  const title = isAccount ? t("sign.register") : t("record.new", { singular: inside(resource.singular) });
  if (!resource.create) return html`<${Crumbs} resource=${resource} title=${title} /><h1>${title}</h1><p class="nothing">${t("app.unknown")}</p>`;
  const [made, setMade] = useState(null);
  const isRead = resource.fields.some((field) => field.readable && !field.shownOnce); // otherwise the caller may read nothing of it
  const once = isRead ? resource.fields.filter((field) => field.shownOnce) : [];
  const leave = ({ body, location }) => {
    const path = location ?? pathOf(resource, body);
    loadedTitle(resource, body).then((title) => say(t("record.created", { title })));
    go((path && hashOfPath(path)) ?? hashOf(resource));
  };
  const done = async (response, values) => {
    if (isAccount && (await enterAs(resource, values, () => onSigned("#/")))) return;
    if (once.some((field) => response.body?.[field.name])) setMade(response);
    else leave(response);
  };
  return html`<${Crumbs} resource=${resource} title=${title} /><header class="head"><h1>${title}</h1></header>
    <div class="panel"><${CreateForm} resource=${resource} operation=${resource.create} path=${resource.path} preset=${Object.fromEntries(new URLSearchParams(query))}
      onDone=${done} onCancel=${() => go(lastList(resource.name))} /></div>
    ${made && html`<${Dialog} title=${title} onClose=${() => leave(made)}><p>${t("record.once")}</p><${Details} fields=${once} record=${made.body} />
      <div class="actions"><button type="button" class="primary" onClick=${() => leave(made)}>${t("app.close")}</button></div></${Dialog}>`}`;
}

/** Buttons for tabs, with the keys of the ARIA Authoring Practices. */
function Tabs({ names, current, onChange }) {
  const list = useRef(null);
  const key = (event) => {
    const to = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: names.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + names.length) % names.length;
    onChange(next);
    list.current.children[next].focus();
  };
  return html`<div role="tablist" class="tabs" aria-label=${t("record.tabs")} ref=${list} onKeyDown=${key}>
    ${names.map((name, i) => html`<button type="button" role="tab" key=${i} id=${`tab-${i}`} aria-selected=${i === current ? "true" : "false"} aria-controls=${`panel-${i}`}
      tabindex=${i === current ? "0" : "-1"} onClick=${() => onChange(i)}>${name}</button>`)}</div>`;
}

/** Without permissions the record is shown, and nothing can be done to it. */
function unknown(error) {
  sayError(error);
  return new Map();
}

/** Returns a record, also one in the trash if the caller may see it. */
async function find(resource, path) {
  try {
    return await get(path);
  } catch (error) {
    const trash = parameterOf(resource.get, "deleted");
    if (error.status !== 404 || !trash) throw error;
    return { ...(await get(`${path}?${trash.name}=only`)), isDeleted: true };
  }
}

/** Loads a record, and what the caller may do to it. Returns them, what loads them again, and what takes a new version of the record. */
function useRecord(resource, path) {
  const [state, setState] = useState({ status: "loading" });
  const load = async () => {
    try {
      const [{ body, etag, isDeleted }, allowed] = await Promise.all([find(resource, path), permissions([path]).catch(unknown)]);
      remember(resource, [body]);
      setState({ status: "ready", record: body, etag, isDeleted, allowed: allowed === null ? null : (allowed.get(path) ?? { operations: [], locked: [] }) });
    } catch (error) {
      setState({ status: error });
      return error;
    }
  };
  useEffect(() => {
    load();
  }, [path]);
  const renew = (next) => {
    remember(resource, [next.record]);
    setState((now) => ({ ...now, ...next }));
    permissions([path]).then((all) => all && setState((now) => ({ ...now, allowed: all.get(path) ?? now.allowed })), () => {});
  };
  return [state, load, renew];
}

/** Links of inverse fields: to the tab that lists the records. */
function linksOf(resource, hash) {
  const links = {};
  resource.fields.filter((field) => field.reference?.inverse).forEach((field) => {
    const at = resource.tabs.findIndex((tab) => tab.resource === field.reference.resource && tab.kind !== "membership");
    if (at >= 0) links[field.name] = `${hash}?tab=${at + 1}`;
  });
  return links;
}

/** When and by whom a record was deleted. */
function Trashed(p) {
  const [Content, set] = useState(null);
  useEffect(() => { import("./history.js").then((module) => set(() => module.Trashed), () => {}); }, []);
  return Content ? html`<${Content} ...${p} />` : t("record.trash");
}

/** Why a record is not shown, and what people can do about it. */
function Failed({ resource, ids, error, onAgain }) {
  const shown = error.status === 404 ? new Error(t("record.missing")) : error;
  return html`<${Crumbs} resource=${resource} title=${ids.join(" ")} /><h1>${resource.singular}</h1><${Alert} error=${shown} resource=${resource}><span class="row">
    ${!model.signedIn && model.signIn.length > 0 && html`<a class="button primary" href=${hashOfSignIn(location.hash)}>${t("sign.in")}</a>`}
    <button type="button" onClick=${onAgain}>${t("app.again")}</button></span></${Alert}>`;
}

/** The fields of a record: those that the caller may change in a form, and the others. */
function Sides({ resource, path, hash, state, onSaved, onReload }) {
  const { record, etag, isDeleted, allowed } = state;
  const mayUpdate = allows(allowed, resource.update);
  const rest = resource.fields.filter((field) => field.readable && !field.shownOnce && !(mayUpdate && field.update) && (isDeleted || field.name !== resource.deleted));
  return html`<div class="sides">
    ${mayUpdate && html`<div class="panel"><${EditForm} resource=${resource} path=${path} record=${record} etag=${etag} locked=${allowed?.locked ?? []} onSaved=${onSaved} onReload=${onReload} /></div>`}
    ${rest.length > 0 && html`<section class="panel info" aria-label=${t("record.other")}>${!mayUpdate && resource.update && html`<p class="help">${t("record.readonly")}</p>`}
      <${Details} fields=${rest} groups=${resource.groups} record=${record} links=${linksOf(resource, hash)} /></section>`}</div>`;
}

/** The page of one record. */
export function RecordPage({ resource, ids, query }) {
  const path = itemOf(resource, ids);
  const [state, reload, renew] = useRecord(resource, path);
  const [removing, setRemoving] = useState(false);
  const hash = hashOfPath(path) ?? hashOf(resource);
  const tab = Number(new URLSearchParams(query).get("tab")) || 0;
  const { status, record, etag, isDeleted, allowed } = state;
  const titles = useTitles();
  useEffect(() => {
    if (record) document.title = `${titleOf(resource, record)} · ${resource.plural}`;
  }, [record, titles]);
  if (status === "loading") return html`<${Loading} />`;
  if (status !== "ready") return html`<${Failed} resource=${resource} ids=${ids} error=${status} onAgain=${reload} />`;
  const title = titleOf(resource, record);
  const custom = resource.custom.filter((one) => one.item && allows(allowed, one));
  const mayHistory = allows(allowed, resource.history);
  const tabs = mayHistory ? [...resource.tabs, { kind: "history", title: t("record.history"), resource: resource.name }] : resource.tabs;
  const names = [t("record.details"), ...tabs.map((one) => one.title)];
  const current = tab in names ? tab : 0;
  const panel = (i) => ({ role: names.length > 1 ? "tabpanel" : undefined, id: `panel-${i}`, "aria-labelledby": names.length > 1 ? `tab-${i}` : undefined, hidden: current !== i });
  const leave = () => {
    forgetTitle(path);
    leaveFor(lastList(resource.name));
  };
  const stale = () => {
    setRemoving(false);
    say(t("conflict.changed"), "bad");
    reload();
  };
  const ran = async () => (await reload())?.status === 404 && leave(); // a purged record is gone
  const removed = () => {
    say(t("record.deleted", { title }), { action: undoDelete(resource, path, title, () => go(hash)) });
    leave();
  };
  return html`<${Crumbs} resource=${resource} title=${title} />
    <header class="head"><h1 dir="auto">${title}</h1><span class="row">
      <${Actions} operations=${custom} resource=${resource} title=${title} etag=${etag} path=${(one) => fill(one.path, ids, one.suffixes)} onDone=${ran} onStale=${stale} />
      ${allows(allowed, resource.remove) && html`<button type="button" class="danger" onClick=${() => setRemoving(true)}>${t("record.delete")}</button>`}</span></header>
    ${isDeleted && html`<p class="help" role="status"><${Trashed} resource=${resource} record=${record} ids=${ids} mayRead=${mayHistory} /></p>`}
    ${names.length > 1 && html`<${Tabs} names=${names} current=${current} onChange=${(at) => go(at ? `${hash}?tab=${at}` : hash, true)} />`}
    <div ...${panel(0)}><${Sides} resource=${resource} path=${path} hash=${hash} state=${state} onSaved=${renew} onReload=${reload} /></div>
    ${tabs.map((one, i) => html`<div key=${i} ...${panel(i + 1)}>
      ${current === i + 1 && html`<${Tab} tab=${one} resource=${resource} record=${record} path=${path} ids=${ids} allowed=${allowed} onChange=${reload} />`}</div>`)}
    ${removing && html`<${Remove} resource=${resource} record=${record} path=${path} ids=${ids} etag=${etag} onClose=${() => setRemoving(false)} onStale=${stale} onDone=${removed} />`}`;
}
