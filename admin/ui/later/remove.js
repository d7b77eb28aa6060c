// Deletes a record, after a dialog that lists what happens to records that refer to it. Those that prevent it are links.
import { html, useEffect, useState } from "../vendor/preact.js";
import { conditions, get, send } from "../api.js";
import { hashOf, hashOfPath, parameterOf, parametersOf, pathBelow, pathFor, resourceOf, titleOf } from "../model.js";
import { Alert, Dialog } from "../dialog.js";
import { restoreOf } from "./undo.js";
import { count, inside, t } from "../texts.js";

/** Returns where the records are listed that refer to one by a field: {url, hash}, null if no list has them. */
function listOf(take, resource, path, ids) {
  const target = resourceOf(take.resource);
  const filter = parametersOf(target?.list, "filter").find((one) => one.field === take.field && one.operator === "equal");
  const at = resource.tabs.findIndex((tab) => tab.kind === "subresource" && tab.resource === take.resource && tab.list);
  const isFiltered = filter && !target.list.path.includes("{");
  if (!isFiltered && at < 0) return null;
  const list = isFiltered ? target.list : resource.tabs[at].list;
  const perPage = parameterOf(list, "itemsPerPage");
  const query = new URLSearchParams();
  if (isFiltered) query.set(filter.name, target.fields.find((one) => one.name === take.field)?.reference?.identifiers ? ids.at(-1) : path);
  const hash = isFiltered ? hashOf(target, query.toString()) : `${hashOfPath(path)}?tab=${at + 1}`;
  if (perPage) query.set(perPage.name, "1");
  return { url: `${isFiltered ? list.path : pathBelow(resource.tabs[at], ids)}?${query}`, hash };
}

/** Counts the records that refer to one, by each of its takes: undefined while it is loaded, null if the number is unknown, true if there are some. */
function useTakes(resource, path, ids) {
  const [found, setFound] = useState(() => resource.takes.map(() => undefined));
  useEffect(() => {
    resource.takes.forEach((take, i) => {
      const set = (number) => setFound((now) => now.with(i, number));
      const list = listOf(take, resource, path, ids);
      if (!list) return set(null);
      get(list.url, { quiet: true }).then(({ total, body }) => set(total ?? (Array.isArray(body) && body.length > 0)), () => set(null));
    });
  }, []);
  return found;
}

const EFFECTS = {
  delete: (number, values) => count("delete.delete", number, values),
  clear: (number, values) => count("delete.clear", number, values),
  restrict: (number, values) => count("delete.restrict", number, values),
};

function Take({ take, found, hash, onClose }) {
  if (found === undefined || found === false || found === 0) return null;
  const target = resourceOf(take.resource);
  const number = typeof found === "number" ? found : 2;
  const some = typeof found === "number" ? {} : { count: t(found ? "delete.some" : "delete.unknown") };
  const text = EFFECTS[take.effect](number, { name: inside((number === 1 ? target?.singular : target?.plural) ?? take.resource), ...some });
  return html`<li class=${take.effect}>${hash ? html`<a href=${hash} onClick=${onClose}>${text}</a>` : text}</li>`;
}

/** The dialog that deletes a record. */
export function Remove({ resource, record, path, ids, etag, onClose, onDone, onStale }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(null);
  const found = useTakes(resource, path, ids);
  const holds = resource.takes.map((take, i) => take.effect === "restrict" && found[i]);
  const isPrevented = holds.some(Boolean);
  const isHeld = isPrevented || holds.includes(undefined); // it is not known yet
  const remove = async () => {
    setBusy(true);
    try {
      await send(resource.remove.method, pathFor(resource.remove, path), { headers: conditions(resource.remove, etag) });
      onDone();
    } catch (failure) {
      setBusy(false);
      if (failure.status === 412) onStale();
      else setError(failure);
    }
  };
  return html`<${Dialog} title=${t("delete.title", { title: titleOf(resource, record) })} onClose=${onClose}>
    ${!isPrevented && html`<p>${t(restoreOf(resource) ? "delete.trash" : "delete.forever")}</p>`}
    ${resource.takes.length > 0 && html`<ul class="takes" aria-label=${t("delete.takes")} aria-live="polite">${resource.takes.map((take, i) => (isPrevented && take.effect !== "restrict" ? null : html`<${Take} key=${i} take=${take} found=${found[i]} hash=${listOf(take, resource, path, ids)?.hash} onClose=${onClose} />`))}</ul>`}
    ${isPrevented && html`<p>${t("delete.first")}</p>`}
    ${error && html`<${Alert} error=${error} resource=${resource} />`}
    <div class="actions"><button type="button" class="danger filled" disabled=${busy || isHeld} onClick=${remove}>${t("delete.confirm")}</button>
      <button type="button" onClick=${onClose}>${t("app.cancel")}</button></div></${Dialog}>`;
}
