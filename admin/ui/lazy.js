// Components whose modules are loaded after the first view.
import { html, useEffect, useState } from "./vendor/preact.js";
import { Failure } from "./api.js";
import { Alert, Loading } from "./dialog.js";
import { t } from "./texts.js";

const all = []; // functions that load modules

/** Loads a module. An error says that the server cannot be reached. */
export const loaded = (load) => load().catch(() => { throw new Failure(0, null, null); });

/**
 * Returns a component that is an export of a module. It is loaded when it is first shown, or before that by loadAll, unless it is
 * rare.
 */
export function lazy(load, name, isRare = false) {
  let made = null;
  const get = async () => { made ??= (await loaded(load))[name]; };
  if (!isRare) all.push(get);
  return function Lazy(props) {
    const [state, setState] = useState("loading");
    const begin = () => {
      setState("loading");
      get().then(() => setState("ready"), setState);
    };
    useEffect(() => { if (!made) begin(); }, []);
    if (made) return html`<${made} ...${props} />`;
    return state instanceof Error ? html`<${Alert} error=${state}><button type="button" onClick=${begin}>${t("app.again")}</button></${Alert}>` : html`<${Loading} />`;
  };
}

/** Loads all modules when the page has probably shown its first view, and is idle. What fails is loaded when it is shown. */
export function loadAll() {
  const load = () => all.forEach((get) => get().catch(() => {}));
  setTimeout(() => (globalThis.requestIdleCallback ?? setTimeout)(load), 1000); // Safari has no requestIdleCallback
}
