// The palette: everything that can be opened or done, found by typing.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { canFind, hashOf, hashOfPath, model, pathOf } from "../model.js";
import { finder, waysOf } from "./search.js";
import { loadedTitle } from "../titles.js";
import { go, hashOfSignIn } from "../router.js";
import { Dialog } from "../dialog.js";
import { count, inside, t } from "../texts.js";

const DELAY = 200; // milliseconds after the last key
const RESOURCES = 6; // that are searched
const EACH = 4; // records of a resource

/** Returns what can be done on the page: the buttons and links of its head. */
function actionsOfPage() {
  const buttons = [...document.querySelectorAll("main .head :is(button, a.button)")].filter((one) => !one.disabled && one.textContent.trim() !== "");
  return buttons.map((one) => ({ group: "actions", title: one.textContent.trim(), run: () => one.click() }));
}

/** Returns the pages of the admin and the service. */
function places(resources, onHelp, onSignOut) {
  const open = (url) => () => location.assign(url);
  const theme = document.querySelector("theme-switch :is(button, select)");
  return [
    ...resources.map((one) => ({ group: "resources", title: one.plural, run: () => go(hashOf(one)) })),
    ...resources.filter((one) => one.create && one.path).map((one) => ({ group: "resources", title: t("list.new", { singular: inside(one.singular) }), run: () => go(`${hashOf(one)}/new`) })),
    { group: "pages", title: t("app.home"), run: () => go("#/") },
    model.home && { group: "pages", title: t("app.api"), run: open(model.home) },
    model.docs && { group: "pages", title: t("app.docs"), run: open(model.docs) },
    theme && { group: "pages", title: t("keys.theme"), run: () => theme.click() },
    { group: "pages", title: t("keys.title"), run: onHelp },
    model.signedIn ? { group: "pages", title: t("sign.out"), run: onSignOut } : model.signIn.length > 0 && { group: "pages", title: t("sign.in"), run: () => go(hashOfSignIn(location.hash)) },
  ].filter(Boolean);
}

/** Searches records in the resources whose records can be found by a part of a text. */
async function search(resources, typed, signal) {
  const able = resources.filter((one) => canFind(one) && ["search", "part"].includes(waysOf(one).by)).slice(0, RESOURCES);
  const found = await Promise.allSettled(able.map(async (resource) => {
    const { records } = await finder(resource)(typed, signal);
    return Promise.all(records.slice(0, EACH).map(async (record) => ({ resource, title: await loadedTitle(resource, record), hash: hashOfPath(pathOf(resource, record)) })));
  }));
  return found.flatMap((one) => one.value ?? []).filter((one) => one.hash).map(({ resource, title, hash }) => ({ group: "records", title, note: resource.singular, run: () => go(hash) }));
}

const fits = (item, words) => words.every((word) => item.title.toLocaleLowerCase().includes(word));
const GROUPS = ["actions", "records", "resources", "pages"];

function Options({ items, active, onChoose, onPoint }) {
  return html`<div id="palette-list" role="listbox" aria-label=${t("keys.palette")} class="palette-list">
    ${GROUPS.map((group) => {
      const own = items.map((item, i) => ({ item, i })).filter(({ item }) => item.group === group);
      return own.length > 0 && html`<div role="group" key=${group} aria-labelledby=${`palette-${group}`}><div id=${`palette-${group}`} class="quiet" role="presentation">${t(`keys.${group}`)}</div>
        ${own.map(({ item, i }) => html`<div role="option" key=${i} id=${`palette-option-${i}`} aria-selected=${i === active ? "true" : "false"} onMouseMove=${() => onPoint(i)} onClick=${() => onChoose(item)}>
          <span dir="auto">${item.title}</span>${item.note && html` <span class="quiet">${item.note}</span>`}</div>`)}</div>`;
    })}</div>`;
}

/** The dialog with the palette. */
export default function Palette({ typed = "", resources, onHelp, onSignOut, onClose }) {
  const [fixed] = useState(() => [...actionsOfPage(), ...places(resources, onHelp, onSignOut)]);
  const [text, setText] = useState(typed);
  const [records, setRecords] = useState([]);
  const [active, setActive] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const input = useRef(null);
  useLayoutEffect(() => input.current.focus(), []);
  useEffect(() => {
    const wanted = text.trim();
    setRecords([]);
    setBusy(wanted.length > 1);
    if (wanted.length < 2) return;
    const abort = new AbortController();
    const timer = setTimeout(() => search(resources, wanted, abort.signal).then((found) => {
      if (abort.signal.aborted) return;
      setRecords(found);
      setBusy(false);
    }), DELAY);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  const words = text.trim().toLocaleLowerCase().split(/\s+/);
  const items = GROUPS.flatMap((group) => [...fixed.filter((one) => fits(one, words)), ...records].filter((one) => one.group === group));
  const current = Math.min(active, items.length - 1);
  useEffect(() => document.getElementById(`palette-option-${current}`)?.scrollIntoView({ block: "nearest" }), [current]);
  const choose = (item) => {
    onClose();
    setTimeout(item.run); // after the focus has returned
  };
  const key = (event) => {
    const to = { ArrowDown: current + 1, ArrowUp: current - 1 + items.length, Home: text === "" ? 0 : undefined, End: text === "" ? items.length - 1 : undefined }[event.key];
    if (to !== undefined && items.length > 0) setActive(to % items.length);
    else if (event.key === "Enter" && items[current]) choose(items[current]);
    else return;
    event.preventDefault();
  };
  return html`<${Dialog} title=${t("keys.palette")} name="palette" onClose=${onClose}>
    <input ref=${input} type="text" role="combobox" aria-label=${t("keys.type")} placeholder=${t("keys.type")} aria-expanded="true" aria-controls="palette-list" aria-autocomplete="list"
      aria-activedescendant=${items.length > 0 ? `palette-option-${current}` : undefined} autocomplete="off" spellcheck="false" value=${text} onKeyDown=${key}
      onInput=${(event) => { setText(event.target.value); setActive(0); }} />
    ${items.length > 0 ? html`<${Options} items=${items} active=${current} onChoose=${choose} onPoint=${setActive} />` : html`<p class="nothing">${t(isBusy ? "app.loading" : "form.noMatch")}</p>`}
    <span class="hidden" role="status">${isBusy ? t("app.loading") : count("count", records.length)}</span></${Dialog}>`;
}
