// The dashboard that the config declares: figures, bars, lines, and lists of records. Each leads to the records behind it.
import { html, useEffect, useState } from "../vendor/preact.js";
import { get } from "../api.js";
import { wordsOf } from "../errors.js";
import { kindOf } from "../kinds.js";
import { fieldOf, hashOf, hashOfPath, parameterOf, parametersOf, pathOf, resourceOf, targetOf, titleOf } from "../model.js";
import { remember } from "../titles.js";
import { RecordLink, Value } from "../show.js";
import { moneyText, numberText, textOf } from "../values.js";
import { inside, t } from "../texts.js";
import { labelOf, periodsOf, rangeOf } from "./periods.js";

const BARS = 7;
const PERIODS = 12; // so that each is wide enough for a finger

/** Returns the query of a panel's aggregation. */
function queryOf({ kind, query, group, sum }, operation) {
  const all = new URLSearchParams(query);
  if (group) all.set(parameterOf(operation, "group").name, group);
  if (sum) all.set("sum", sum);
  const sort = { bars: sum ? `-sum.${sum}` : "-count", line: `-${group.split(":")[0]}` }[kind];
  if (sort) all.set(parameterOf(operation, "sort").name, sort);
  const perPage = parameterOf(operation, "itemsPerPage");
  if (perPage && kind !== "number") all.set(perPage.name, String(kind === "bars" ? BARS + 1 : PERIODS));
  return all;
}

/** Returns the page of the records that a panel counts, with more filters; null if their list cannot show them. */
function listOf({ query }, resource, more = []) {
  if (!resource.list || more === null) return null;
  const all = new URLSearchParams(query);
  for (const name of [...all.keys()]) if (!resource.list.parameters.some((one) => one.name === name)) return null;
  for (const [name, value] of more) all.set(name, value);
  return hashOf(resource, all.toString() || (resource.query ? ".all=" : "")); // else the list would have its default filter
}

/** Returns the filter of one value of a field, null if the list has none. */
function filterOf(resource, name, value) {
  const by = (operator) => parametersOf(resource.list, "filter").find((one) => one.field === name && one.operator === operator);
  if (value === null) return by("exists") ? [[by("exists").name, "false"]] : null;
  return by("equal") ? [[by("equal").name, String(value)]] : null;
}

/** Returns the filter of a period, null if the list has none. */
function filterOfPeriod(resource, field, period, unit) {
  const by = (operator) => parametersOf(resource.list, "filter").find((one) => one.field === field.name && one.operator === operator);
  const range = rangeOf(period, unit, field);
  return range && by("greaterEqual") && by("less") ? [[by("greaterEqual").name, range[0]], [by("less").name, range[1]]] : null;
}

const valueOf = (panel, row) => (panel.sum ? (row?.sum?.[panel.sum] ?? 0) : (row?.count ?? 0));

const valueText = (panel, value) => (panel.currency ? moneyText(value, { currency: panel.currency, schema: fieldOf(resourceOf(panel.resource), panel.sum)?.schema }) : numberText(value));

/** Returns the heading of a panel: that of the config, or what it shows. */
function headingOf(panel, resource) {
  if (panel.title) return panel.title;
  if (panel.kind === "newest") return t("dashboard.newest", { plural: inside(resource.plural) });
  const what = panel.sum ? t("dashboard.sum", { field: fieldOf(resource, panel.sum)?.title ?? panel.sum, plural: inside(resource.plural) }) : resource.plural;
  if (!panel.group) return what;
  const [name, unit] = panel.group.split(":");
  return unit ? t("dashboard.over", { what, unit: t(`unit.${unit}`) }) : t("dashboard.by", { what, field: inside(fieldOf(resource, name)?.title ?? name) });
}

const Linked = ({ to, children, ...rest }) => (to ? html`<a href=${to} ...${rest}>${children}</a>` : html`<span ...${rest}>${children}</span>`);

/** Returns the rows of bars: those of a short enumeration in its order, also without records; else the first ones of the API. */
function barsOf(panel, field, rows) {
  const { kind, schema } = kindOf(field?.schema ?? {}, panel.group);
  const values = kind === "enum" ? schema.enum.filter((one) => one !== null) : [];
  if (values.length === 0 || values.length > BARS) return rows.slice(0, BARS);
  const by = new Map(rows.map((row) => [row.group[panel.group], row]));
  const isAll = ![...new URLSearchParams(panel.query).keys()].some((name) => name.split("[")[0] === panel.group);
  const empty = (value) => (isAll ? { group: { [panel.group]: value } } : null);
  const others = rows.filter((row) => !values.includes(row.group[panel.group])); // such as null
  return [...values.map((value) => by.get(value) ?? empty(value)).filter(Boolean), ...others];
}

function Bars({ panel, resource, rows }) {
  const field = fieldOf(resource, panel.group);
  const bars = barsOf(panel, field, rows);
  const most = Math.max(...bars.map((row) => Number(valueOf(panel, row))), 0);
  return html`<ul class="bars" style=${{ maxHeight: `${bars.length * 2.6}rem` }}>${bars.map((row) => {
    const value = row.group[panel.group];
    const path = field?.reference && value !== null ? targetOf(field.reference, value) : null;
    const to = listOf(panel, resource, filterOf(resource, panel.group, value));
    const share = most > 0 ? Math.max(0, Number(valueOf(panel, row)) / most) : 0;
    return html`<li key=${String(value)}>
      <span class="label" dir="auto">${path ? html`<${RecordLink} path=${path} />` : value === null ? t("app.empty") : textOf(field, value)}</span>
      <span class="track" aria-hidden="true">${share > 0 && html`<span style=${{ width: `${share * 100}%` }}></span>`}</span>
      <${Linked} to=${to} class="value">${valueText(panel, valueOf(panel, row))}</${Linked}></li>`;
  })}</ul>${rows.length > bars.length && html`<p class="help">${t("dashboard.more", { count: BARS })}</p>`}`;
}

/** A line over time. Each period is a link with a text, so the drawing itself is hidden from screen readers. */
function Line({ panel, resource, rows }) {
  const [name, unit] = panel.group.split(":");
  const field = fieldOf(resource, name);
  const by = new Map(rows.map((row) => [row.group[name], row]));
  const periods = periodsOf([...by.keys()].filter((one) => one !== null), unit, PERIODS);
  const values = periods.map((period) => Number(valueOf(panel, by.get(period))));
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const height = (value) => (most > least ? (value - least) / (most - least) : 0) * 92 + 2;
  const at = (i) => ((i + 0.5) / periods.length) * 100;
  const line = values.map((value, i) => `${i ? "L" : "M"}${at(i).toFixed(2)} ${(100 - height(value)).toFixed(2)}`).join("");
  const isShort = periods.length <= 5;
  const shown = isShort ? periods.keys() : [0, Math.floor((periods.length - 1) / 2), periods.length - 1];
  return html`<div class="drawing">
    <p class="scale" aria-hidden="true">${valueText(panel, most)}</p>
    <div class="plot">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <path class="area" d=${`${line}L${at(periods.length - 1)} 100L${at(0)} 100Z`} /><path class="stroke" d=${line} vector-effect="non-scaling-stroke" /></svg>
      <ol>${periods.map((period, i) => {
        const text = t("dashboard.value", { label: labelOf(period, unit), value: valueText(panel, valueOf(panel, by.get(period))) });
        const to = listOf(panel, resource, filterOfPeriod(resource, field, period, unit));
        return html`<li key=${period}><${Linked} to=${to} title=${text}><span class="hidden">${text}</span><span class="dot" style=${{ bottom: `${height(values[i])}%` }}></span></${Linked}></li>`;
      })}</ol></div>
    <p class=${isShort ? "axis each" : "axis"} aria-hidden="true">${[...shown].map((i) => html`<span key=${i}>${labelOf(periods[i], unit)}</span>`)}</p></div>`;
}

const TELLING = ["enum", "date", "datetime", "number", "integer", "boolean", "reference", "text", "email"]; // the first ones say most in a few characters

/** Returns the two columns of a list that say most of a record next to its title, the best one last. */
function tellingOf(resource) {
  const titled = resource.composed?.map((part) => part.field) ?? [resource.title];
  const rank = (field) => TELLING.indexOf(field.reference ? "reference" : kindOf(field.schema, field.name).kind);
  const all = resource.columns.map((name) => fieldOf(resource, name)).filter((field) => field && !titled.includes(field.name) && !field.isIdentifier && !field.reference?.many && rank(field) >= 0);
  return all.toSorted((a, b) => rank(a) - rank(b)).slice(0, 2).toReversed();
}

function Newest({ resource, rows }) {
  const columns = tellingOf(resource);
  return html`<ul class="newest">${rows.map((record, i) => {
    const path = pathOf(resource, record);
    return html`<li key=${path ?? i}><${Linked} to=${path && hashOfPath(path)} class="label" dir="auto">${titleOf(resource, record)}</${Linked}>
      ${columns.map((field) => html`<span key=${field.name} dir="auto"><${Value} value=${record[field.name]} field=${field} brief=${true} /></span>`)}</li>`;
  })}</ul>`;
}

const KINDS = { bars: Bars, line: Line, newest: Newest };

/** Loads the rows of a panel. */
function useRows(panel, resource) {
  const [state, set] = useState({ rows: null });
  const [attempt, again] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    const query = new URLSearchParams(panel.query);
    const perPage = parameterOf(resource.list, "itemsPerPage");
    if (perPage) query.set(perPage.name, String(panel.count));
    const path = panel.kind === "newest" ? `${resource.path}?${query}` : `${resource.aggregate.path}?${queryOf(panel, resource.aggregate)}`;
    set({ rows: null });
    get(path, { signal: abort.signal }).then(
      ({ body }) => {
        if (panel.kind === "newest") remember(resource, body);
        set({ rows: panel.kind === "newest" ? body.slice(0, panel.count) : body });
      },
      (error) => error.name === "AbortError" || set({ rows: null, error }),
    );
    return () => abort.abort();
  }, [panel, attempt]);
  return [state, () => again(attempt + 1)];
}

function Panel({ panel }) {
  const resource = resourceOf(panel.resource);
  const [{ rows, error }, again] = useRows(panel, resource);
  const isNumber = panel.kind === "number";
  const to = listOf(panel, resource);
  const heading = headingOf(panel, resource);
  let body = html`<span class="wait"></span>`;
  if (error) body = html`<p class="error" role="alert">${wordsOf(error, resource)}</p><button type="button" class="small" onClick=${again}>${t("app.again")}</button>`;
  else if (isNumber && rows) body = html`<p class="figure">${valueText(panel, valueOf(panel, rows[0]))}</p>`;
  else if (rows?.length === 0) body = html`<p class="nothing">${t("dashboard.none")}</p>`;
  else if (rows) body = html`<${KINDS[panel.kind]} panel=${panel} resource=${resource} rows=${rows} />`;
  const rem = panel.kind === "newest" ? 4.2 + panel.count * 2.3 : null;
  return html`<section class=${`panel ${panel.kind}`} aria-busy=${rows || error ? "false" : "true"} aria-label=${heading} style=${rem ? { minHeight: `${rem}rem` } : undefined}>
    <h2><${Linked} to=${to}>${heading}</${Linked}></h2>${body}</section>`;
}

/** All panels, and what follows them. Numbers that follow each other share a row. */
export function Dashboard({ panels, children }) {
  const runs = [];
  for (const panel of panels) {
    const last = runs.at(-1);
    if (last && (last[0].kind === "number") === (panel.kind === "number")) last.push(panel);
    else runs.push([panel]);
  }
  return html`<div class="dashboard">${runs.map((run, i) => html`<div key=${i} class=${run[0].kind === "number" ? "figures" : "charts"}>
    ${run.map((panel, j) => html`<${Panel} key=${j} panel=${panel} />`)}</div>`)}</div>${children}`;
}
