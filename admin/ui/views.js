// Views of a list that people save in this browser under a name: filters, sort, columns, density and page size.
// The whole view is in the URL, so others can be sent it.
import { html, useState } from "./vendor/preact.js";
import { hashOf, parameterOf, withoutPage } from "./model.js";
import { keepViews, viewsOf } from "./preferences.js";
import { Popover } from "./popover.js";
import { say } from "./dialog.js";
import { t } from "./texts.js";

/** Returns the query that shows a list as it is now to everyone. */
function whole(operation, query, look) {
  const next = withoutPage(query, operation);
  const perPage = parameterOf(operation, "itemsPerPage");
  const size = look.size ?? perPage?.schema?.default;
  if (perPage && size && !next.has(perPage.name)) next.set(perPage.name, String(size));
  next.set(".columns", look.columns.join());
  next.set(".density", look.density);
  next.delete(".view");
  next.sort();
  return next.toString();
}

const named = (query, name) => `${query}&${new URLSearchParams({ ".view": name })}`;

/** A button that opens the views of a resource. */
export function Views({ resource, operation, query, look }) {
  const [isOpen, setOpen] = useState(false);
  const [all, setAll] = useState(() => viewsOf(resource));
  const current = new URLSearchParams(query).get(".view");
  const view = all.find((one) => one.name === current);
  const [name, setName] = useState("");
  const now = whole(operation, query, look);
  const open = (isOn) => {
    setName(view?.name ?? "");
    setOpen(isOn);
  };
  const keep = (views) => {
    keepViews(resource, views);
    setAll(views);
    setOpen(false);
  };
  const show = (next) => { location.hash = hashOf(resource, next); };
  const save = (replaced) => {
    const wanted = name.trim();
    if (!wanted) return;
    const others = all.filter((one) => one.name !== wanted);
    const at = others.indexOf(replaced);
    keep(at >= 0 ? others.with(at, { name: wanted, query: now }) : replaced ? all.map((one) => (one === replaced ? { name: wanted, query: now } : one)) : [...others, { name: wanted, query: now }]);
    show(named(now, wanted));
    say(t("view.saved", { name: wanted }));
  };
  const submit = (event) => {
    event.preventDefault();
    event.stopPropagation();
    save(view);
  };
  const remove = () => {
    keep(all.filter((one) => one !== view));
    show(now);
    say(t("view.deleted", { name: view.name }));
  };
  const share = async () => {
    show(current ? named(now, current) : now);
    const url = new URL(`#/${encodeURIComponent(resource.name)}?${current ? named(now, current) : now}`, location.href).href;
    await navigator.clipboard?.writeText(url).then(() => say(t("view.copied")), () => say(t("view.inURL")));
    if (!navigator.clipboard) say(t("view.inURL"));
    setOpen(false);
  };
  const link = (to, text, isCurrent) => html`<li><a href=${to} aria-current=${isCurrent ? "true" : undefined} onClick=${() => setOpen(false)}><span dir="auto">${text}</span>${isCurrent && view && view.query !== now && html` <small>${t("view.changed")}</small>`}</a></li>`;
  return html`<${Popover} text=${view ? t("view.current", { name: view.name }) : t("view.title")} isOpen=${isOpen} setOpen=${open} name="views">
    <ul aria-label=${t("view.title")}>${link(hashOf(resource), t(resource.query ? "view.usual" : "view.all"), false)}
      ${all.map((one) => link(hashOf(resource, named(one.query, one.name)), one.name, one === view))}</ul>
    <form onSubmit=${submit}><div class="field"><label for="view-name">${t("view.name")}</label><input id="view-name" value=${name} maxlength="60" required dir="auto" onInput=${(event) => setName(event.target.value)} /></div>
      <div class="actions">${view
        ? html`<button class="primary">${t("view.update")}</button><button type="button" onClick=${() => save(null)} disabled=${name.trim() === view.name}>${t("view.saveNew")}</button><button type="button" class="danger" onClick=${remove}>${t("view.delete")}</button>`
        : html`<button class="primary">${t("view.save")}</button>`}
        <button type="button" onClick=${share}>${t("view.copy")}</button></div></form></${Popover}>`;
}
