// Turns the pages of a list.
import { html } from "./vendor/preact.js";
import { parameterOf, withoutPage } from "./model.js";
import { amountText, locale, t } from "./texts.js";

/** The query of another page of the list, from a link of the response. */
const queryOf = (link) => link.split("?").slice(1).join("?");

function PerPage({ operation, query, setQuery, onSize }) {
  const parameter = parameterOf(operation, "itemsPerPage");
  if (!parameter) return null;
  const { maximum = 100, default: usual = 30 } = parameter.schema ?? {};
  const current = Number(new URLSearchParams(query).get(parameter.name) ?? usual);
  const sizes = [...new Set([10, 30, 50, 100, Number(usual), current])].filter((size) => size <= Number(maximum) && size > 0).toSorted((a, b) => a - b);
  const change = (event) => {
    const next = withoutPage(query, operation);
    next.set(parameter.name, event.target.value);
    onSize(Number(event.target.value));
    setQuery(next.toString());
  };
  return html`<label class="perpage">${t("list.perPage")} <select value=${String(current)} onChange=${change}>
    ${sizes.map((size) => html`<option key=${size} value=${String(size)} selected=${size === current}>${size}</option>`)}</select></label>`;
}

/** The position of the records that are shown, and buttons for other pages. query is that of the request. */
export function Pager({ operation, query, setQuery, page, onSize }) {
  const size = parameterOf(operation, "itemsPerPage");
  const now = new URLSearchParams(queryOf(page.of));
  const of = (kind) => now.get(parameterOf(operation, kind)?.name);
  const perPage = Number(now.get(size?.name) ?? size?.schema?.default ?? 0);
  const from = (Number(of("page") ?? 1) - 1) * perPage + 1;
  const isCounted = perPage > 0 && page.amount && page.records.length > 0 && !of("cursor") && !of("offset");
  const local = (number) => number.toLocaleString(locale());
  const to = from + page.records.length - 1;
  const amount = page.amount?.number < to ? { form: page.links.next ? "amount.more" : "amount.exact", number: to } : page.amount; // pages behind those that are counted
  const range = isCounted ? t("list.range", { from: local(from), to: local(to), total: amountText(amount) }) : "";
  const isFirst = !of("cursor") && Number(of("offset") ?? 0) === 0 && Number(of("page") ?? 1) === 1;
  const link = (rel, text, isDisabled = false) => html`<button type="button" class="small" disabled=${isDisabled || !page.links[rel]} onClick=${() => setQuery(queryOf(page.links[rel]))}>${text}</button>`;
  const { first, prev, next, last } = page.links;
  if (page.records.length === 0 && !prev) return null;
  return html`<div class="pager"><span class="range">${range}</span>
    <${PerPage} operation=${operation} query=${query} setQuery=${setQuery} onSize=${onSize} />
    ${(next || prev) && html`<nav aria-label=${t("list.pages")} class="row">${first && link("first", t("list.first"), isFirst)}${link("prev", t("list.previous"))}${link("next", t("list.next"))}${last && link("last", t("list.last"), !next)}</nav>`}</div>`;
}
