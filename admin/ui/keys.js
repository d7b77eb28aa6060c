// Keys for people who use the page all day. Single letters work outside of inputs and dialogs alone, and can be turned off.
import { html, useEffect, useRef, useState } from "./vendor/preact.js";
import { hashOf } from "./model.js";
import { browser } from "./storage.js";
import { go, lastList } from "./router.js";
import { loaded } from "./lazy.js";
import { sayError } from "./dialog.js";

const KEY = "trove-admin:keys";

/** Reports whether single letters do something. */
export const areLettersOn = () => browser.read(KEY) !== "off";

/** Turns single letters on or off in this browser. */
export const turnLetters = (on) => (on ? browser.forget(KEY) : browser.keep(KEY, "off"));

const find = (selector) => document.querySelector(`main ${selector}`);
const isTyping = (element) => element.isContentEditable || /^(select|textarea)$/i.test(element.tagName) || (element.tagName === "INPUT" && !/^(checkbox|radio|button|file)$/.test(element.type));

/** Moves the focus to the link of another row of the list. Reports whether there is one. */
function move(by) {
  const rows = [...document.querySelectorAll("main tbody tr")].filter((row) => row.querySelector("a, input"));
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by))];
  (row?.querySelector("td.title a") ?? row?.querySelector("a, input"))?.focus();
  row?.scrollIntoView({ block: "nearest" });
  return Boolean(row);
}

/** Sends the form that is open: that of a dialog, else that of the page. */
function save() {
  const dialogs = [...document.querySelectorAll("dialog[open]")];
  const form = dialogs.length > 0 ? dialogs.at(-1).querySelector("form") : find("form.record");
  form?.requestSubmit();
  return Boolean(form);
}

/** What the single letters do. Each reports whether it has done something. */
const letters = {
  "/": () => focus(find("input[type=search]")),
  n: ({ resource }) => Boolean(resource?.create && resource.path) && (go(`${hashOf(resource)}/new`), true),
  e: () => focus(find("form.record :is(input, select, textarea):not(:disabled)")),
  j: () => move(1),
  k: () => move(-1),
  x: () => press(document.activeElement.closest("tbody tr")?.querySelector("td.select input")),
  u: () => press([...document.querySelectorAll(".message button.small")].at(-1)),
};

function focus(element) {
  element?.focus();
  return Boolean(element);
}

function press(element) {
  element?.click();
  return Boolean(element);
}

/** Leaves an input, or the page of a record for its list. */
function leave({ resource, isRecord }) {
  if (isTyping(document.activeElement)) document.activeElement.blur();
  else if (isRecord) go(lastList(resource.name));
  else return false;
  return true;
}

/** Listens to keys, and shows the palette and the list of keys. resources are those of the navigation. */
export function Keys({ resource, isRecord, resources, onSignOut }) {
  const [shown, setShown] = useState(null); // {Content, typed}
  const early = useRef(null); // what is typed while a module is loaded
  const show = (load) => {
    early.current = "";
    const done = (next) => {
      setShown(next && { ...next, typed: early.current });
      early.current = null;
    };
    loaded(load).then(({ default: Content }) => done({ Content }), (error) => { done(null); sayError(error); });
  };
  const palette = () => show(() => import("./later/palette.js"));
  const help = () => show(() => import("./later/shortcuts.js"));
  useEffect(() => {
    const press = (event) => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return;
      if (early.current !== null) {
        if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) early.current += event.key;
        return event.preventDefault();
      }
      const isModal = document.querySelector("dialog[open]") !== null;
      const at = { resource, isRecord };
      let isDone = false;
      if (event.ctrlKey || event.metaKey) {
        if (event.shiftKey) return;
        if (event.key === "k" && !isModal) isDone = palette() === undefined;
        else if (event.key === "s") isDone = save();
      } else if (isModal) return;
      else if (event.key === "Escape") isDone = leave(at);
      else if (isTyping(event.target)) return;
      else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        const isInList = event.target === document.body || event.target.id === "main" || event.target.closest("tbody td.title") !== null;
        isDone = isInList && document.querySelector("main tbody tr") !== null && move(event.key === "ArrowDown" ? 1 : -1);
      } else if (!areLettersOn()) return;
      else if (event.key === "?") isDone = help() === undefined;
      else isDone = Object.hasOwn(letters, event.key) && letters[event.key](at);
      if (isDone) event.preventDefault();
    };
    document.addEventListener("keydown", press);
    document.addEventListener("admin-palette", palette);
    return () => {
      document.removeEventListener("keydown", press);
      document.removeEventListener("admin-palette", palette);
    };
  }, [resource, isRecord]);
  return shown && html`<${shown.Content} typed=${shown.typed} resources=${resources} onHelp=${help} onSignOut=${onSignOut} onClose=${() => setShown(null)} />`;
}
