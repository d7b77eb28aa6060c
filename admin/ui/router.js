// Pages by the hash of the URL, and a guard for forms with changes.
import { useEffect, useState } from "./vendor/preact.js";

let guard = null; // what a form asks before its page is left
let shown = location.hash;
const listeners = new Set();

const emit = () => listeners.forEach((listen) => listen(shown));

window.addEventListener("hashchange", async () => {
  const wanted = location.hash;
  if (wanted === shown) return;
  if (guard && !guard.stays(shown, wanted)) {
    history.replaceState(null, "", shown || "#/");
    if (!(await guard.leave())) return;
    guard = null;
    history.pushState(null, "", wanted);
  }
  shown = wanted;
  emit();
});

window.addEventListener("beforeunload", (event) => {
  if (guard) event.preventDefault();
});

/** Goes to another page. */
export function go(hash, replaced = false) {
  if (replaced) {
    history.replaceState(null, "", hash);
    shown = hash;
    emit();
  } else {
    location.hash = hash;
  }
}

/** Has leave, a function that returns a promise of whether to leave, called before the page changes; null ends that. */
export function protect(leave, stays = () => false) {
  guard = leave && { leave, stays };
}

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
  return { name: decoded[0] ?? "", isNew: raw[1] === "new", ids: decoded.slice(1), query };
}

/** Returns the same text for all hashes of a page, with any query. */
export function pageOf(hash) {
  const { name, ids } = parts(hash);
  return JSON.stringify([name, ids]);
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
