// Pages by the hash of the URL: a guard for forms with changes, and a history that leads back to where people were.
import { useEffect, useState } from "./vendor/preact.js";
import { tab } from "./storage.js";

const KEY = `trove-admin:${location.pathname}:places`;
const RESTORE = 3000; // milliseconds in which a page must have become as long as it was

let guard = null; // what a form asks before its page is left
let shown = location.hash;
let places = []; // by the index of an entry of the browser's history: {hash, y, boxes}
const gone = new Map(); // pages of records that were deleted → the hash to show instead
const listeners = new Set();

const emit = () => listeners.forEach((listen) => listen(shown));

// Each entry of the history has its index, so that a guard can go back to the entry that it guards.
let at = history.state?.at ?? 0;
history.scrollRestoration = "manual";
if (history.state?.at === undefined) history.replaceState({ at }, "");
else {
  const kept = tab.read(KEY);
  if (Array.isArray(kept)) places = kept.map((one) => (Array.isArray(one?.boxes) ? one : undefined));
}

/** Keeps where the page is scrolled to, and the elements with data-scrolls. */
function keep() {
  const boxes = [...document.querySelectorAll("[data-scrolls]")].map((one) => [one.scrollLeft, one.scrollTop]);
  places[at] = { hash: shown, y: window.scrollY, boxes };
  tab.keep(KEY, places);
}

/** Scrolls to a place as soon as the page is long enough, unless people scroll themselves. */
function restore(place) {
  const entry = at;
  const until = performance.now() + RESTORE;
  let isOver = false;
  const stop = () => { isOver = true; };
  for (const type of ["wheel", "touchstart", "pointerdown", "keydown"]) window.addEventListener(type, stop, { once: true, passive: true });
  const step = () => {
    if (isOver || at !== entry || performance.now() > until) return;
    window.scrollTo(0, place.y);
    const boxes = [...document.querySelectorAll("[data-scrolls]")];
    place.boxes.forEach(([left, top], i) => boxes[i]?.scrollTo(left, top));
    const isThere = place.boxes.every(([left, top], i) => Math.abs((boxes[i]?.scrollTop ?? -9) - top) < 2 && Math.abs(boxes[i].scrollLeft - left) < 2);
    if (!isThere || Math.abs(window.scrollY - place.y) > 1 || document.querySelector("[aria-busy=true], .loading")) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

/** Shows the page of an entry of the history. */
function turn(hash, to, isNew) {
  keep();
  at = to;
  shown = hash;
  const instead = gone.get(pageOf(hash));
  if (isNew) gone.delete(pageOf(hash));
  else if (instead !== undefined) {
    shown = instead;
    history.replaceState({ at }, "", instead);
  }
  emit();
  if (!isNew && places[to] && instead === undefined) restore(places[to]);
}

let wanted = null; // the entry that people want while a guard asks them
let returned = null; // called when the entry of the page is the current one again, null if it is

async function ask(to) {
  if (returned) return; // it has been asked for this entry: a change of the hash has two events
  const isAsking = wanted !== null;
  wanted = to;
  await new Promise((resolve) => {
    returned = resolve;
    history.go(at - to);
  });
  if (isAsking) return;
  const leaves = await guard.leave();
  const entry = wanted;
  wanted = null;
  if (!leaves) return;
  guard = null;
  history.go(entry - at);
}

/** Takes notice of another entry of the history: one that is new has no index yet. */
function arrive() {
  const isNew = history.state?.at === undefined;
  const to = isNew ? at + 1 : history.state.at;
  if (to === at && location.hash === shown) {
    returned?.();
    returned = null;
    return;
  }
  if (isNew) {
    places.length = Math.min(places.length, to); // those further on exist no more
    history.replaceState({ at: to }, "");
  }
  if (guard && !guard.stays(shown, location.hash)) ask(to);
  else turn(location.hash, to, isNew || !places[to]);
}

window.addEventListener("popstate", arrive); // also between entries with the same hash
window.addEventListener("hashchange", arrive);
window.addEventListener("pagehide", keep);
window.addEventListener("beforeunload", (event) => {
  if (guard) event.preventDefault();
});
if (places[at]?.hash === shown) restore(places[at]);

/** Goes to another page. */
export function go(hash, replaced = false) {
  if (replaced) {
    history.replaceState({ at }, "", hash);
    shown = hash;
    emit();
  } else {
    location.hash = hash;
  }
}

/** Leaves the page of a record that exists no more, for good: going back shows the other page instead. */
export function leaveFor(hash) {
  guard = null; // what is typed there has no record any more
  gone.set(pageOf(shown), hash);
  if (places[at - 1]?.hash === hash) history.back();
  else go(hash, true);
}

/** Returns the hash that the list of a resource had last, with its filters and its page. */
export function lastList(name) {
  for (let i = Math.min(at, places.length) - 1; i >= 0; i--) {
    const { name: of, ids } = parts(places[i]?.hash ?? "");
    if (of === name && ids.length === 0) return places[i].hash;
  }
  return `#/${encodeURIComponent(name)}`;
}

/** Has leave, a function that returns a promise of whether to leave, called before the page changes; null ends that. */
export function protect(leave, stays = () => false) {
  guard = leave && { leave, stays };
}

/** Asks whether unsaved work may be lost, if there is some. */
export const mayLeave = async () => guard === null || guard.leave();

/** Reports whether a form asks before its page is left. */
export const isProtected = () => guard !== null;

/** Splits a hash into its parts. Parts that begin with ~ are pages of the admin itself. */
export function parts(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const raw = path.split("/").filter(Boolean);
  const decoded = raw.map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return { name: decoded[0] ?? "", isNew: raw[1] === "new", isImport: raw[1] === "import", ids: decoded.slice(1), query };
}

/** Returns the same text for all hashes of a page, with any query. */
export function pageOf(hash) {
  const { name, ids } = parts(hash);
  return JSON.stringify([name, ids]);
}

/** Returns the page to sign in, which leads back to a page. */
export const hashOfSignIn = (hash) => (["", "~sign-in"].includes(parts(hash).name) ? "#/~sign-in" : `#/~sign-in?${new URLSearchParams({ back: hash })}`);

/** Returns the page that a page to sign in leads back to. */
export const backOf = (hash) => {
  const back = new URLSearchParams(parts(hash).query).get("back") ?? "";
  return back.startsWith("#/") && parts(back).name !== "~sign-in" ? back : "#/";
};

/** State that belongs to the entry of the history: going back finds it again. */
export function useEntry(name, initial) {
  const [value, set] = useState(history.state?.[name] ?? initial);
  const keepValue = (next) => {
    history.replaceState({ ...history.state, [name]: next }, "");
    set(next);
  };
  return [value, keepValue];
}

/** The current hash, as state of a component. */
export function useHash() {
  const [hash, set] = useState(shown);
  useEffect(() => {
    listeners.add(set);
    set(shown);
    return () => listeners.delete(set);
  }, []);
  return hash;
}
