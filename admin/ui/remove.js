// Deletes a record, after a dialog that lists what happens to records that refer to it.
import { html, useEffect, useState } from "./vendor/preact.js";
import { conditions, get, send } from "./api.js";
import { parameterOf, parametersOf, pathBelow, pathFor, resourceOf, titleOf } from "./model.js";
import { Alert, Dialog } from "./dialog.js";
import { locale, t } from "./texts.js";

/** Returns the URL that lists the records that refer to one by a field, null if there is none. */
function listOf(take, resource, path, ids) {
  const target = resourceOf(take.resource);
  const list = target?.list;
  const filter = parametersOf(list, "filter").find((one) => one.field === take.field && one.operator === "equal");
  const tab = resource.tabs.find((one) => one.kind === "subresource" && one.resource === take.resource && one.list);
  const perPage = parameterOf(filter ? list : tab?.list, "itemsPerPage");
  const query = new URLSearchParams();
  if (perPage) query.set(perPage.name, perPage.schema?.minimum === 0 ? "0" : "1");
  if (filter && !list.path.includes("{")) {
    const identifiers = target?.fields.find((one) => one.name === take.field)?.reference?.identifiers;
    query.set(filter.name, identifiers ? ids.at(-1) : path);
    return `${list.path}?${query}`;
  }
  return tab ? `${pathBelow(tab, ids)}?${query}` : null;
}

function Take({ take, resource, path, ids }) {
  const [found, set] = useState(undefined); // null: unknown
  useEffect(() => {
    const url = listOf(take, resource, path, ids);
    if (url === null) set(null);
    else get(url, { quiet: true }).then(({ total }) => set(total), () => set(null));
  }, []);
  if (found === undefined || found === 0) return null;
  const plural = resourceOf(take.resource)?.plural ?? take.resource;
  const text = t(`delete.${take.effect}`, { count: found === null ? t("delete.some") : found.toLocaleString(locale()), plural });
  return html`<li class=${take.effect}>${text}</li>`;
}

/** The dialog that deletes a record. */
export function Remove({ resource, record, path, ids, etag, onClose, onDone, onStale }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(null);
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
    <p>${t("delete.forever")}</p>
    ${resource.takes.length > 0 && html`<ul class="takes" aria-label=${t("delete.takes")} aria-live="polite">${resource.takes.map((take, i) => html`<${Take} key=${i} take=${take} resource=${resource} path=${path} ids=${ids} />`)}</ul>`}
    ${error && html`<${Alert} error=${error} />`}
    <div class="actions"><button type="button" class="danger filled" disabled=${busy} onClick=${remove}>${t("delete.confirm")}</button>
      <button type="button" onClick=${onClose}>${t("app.cancel")}</button></div></${Dialog}>`;
}
