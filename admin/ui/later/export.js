// Exports lists as CSV (RFC 4180) that spreadsheets do not take for formulas: the visible columns, in their order, as spreadsheets
// in the language of the page read them.
import { get } from "../api.js";
import { base, kindOf } from "../kinds.js";
import { fieldOf, parameterOf, withoutPage } from "../model.js";
import { allPages } from "../pages.js";
import { Exact, write } from "../json.js";
import { decimalMark, typedNumber } from "../values.js";

const FORMULA = /^'*(\s*[=+\-@＝＋－＠]|[\t\r])/; // some take the wide characters, too
const NUMBER = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i;

/** Returns a cell's text so that a spreadsheet shows it, and calculates nothing. */
const harmless = (text) => (FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text);

/** Returns the text of a cell that an export has made harmless: that of this page, or the API's own CSV. */
export const original = (text) => (text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text);

const quote = (text, delimiter) => (/["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replace(/"/g, '""')}"` : text);

/** Returns the rows of a CSV text, as lists of cells. */
function rowsOf(text) {
  const rows = [[]];
  for (const [, cell, end] of text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n|$)/g)) {
    rows.at(-1).push(original(cell.startsWith('"') ? cell.slice(1, -1).replace(/""/g, '"') : cell));
    if (end !== ",") rows.push([]);
  }
  return rows.filter((row) => row.length > 1 || row[0]);
}

function textOf(value) {
  if (value === null || value === undefined) return "";
  return typeof value === "object" && !(value instanceof Exact) ? write(value) : String(value);
}

/** Downloads rows as a file. Spreadsheets know its encoding by the byte order mark. */
export function save(name, rows, delimiter) {
  const text = rows.map((row) => `${row.map((cell) => quote(harmless(cell), delimiter)).join(delimiter)}\r\n`);
  const url = URL.createObjectURL(new Blob(["\ufeff", ...text], { type: "text/csv;charset=utf-8" }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/** Returns rows of the API's CSV with some columns only. An object has a column for each of its fields. */
function chosen([head, ...rows], columns) {
  const of = (name) => head.flatMap((one, i) => (one === name || one.startsWith(`${name}.`) || one.startsWith(`${name}[`) ? [i] : []));
  const indices = columns.flatMap(of);
  return [head, ...rows].map((row) => indices.map((i) => row[i] ?? ""));
}

/** Reports whether a column has numbers: those of a field, or of one in its objects. */
function isNumeric(resource, column) {
  const [name, ...inner] = column.split(".");
  const schema = inner.reduce((outer, part) => base(outer ?? {}).schema.properties?.[part], fieldOf(resource, name)?.schema);
  const { kind, schema: own } = kindOf(schema ?? {}, column);
  return kind === "number" || own.format === "decimal";
}

/** Writes numbers with the sign of the page before their fractions. */
function localized(resource, [head, ...rows]) {
  const numeric = head.map((column) => isNumeric(resource, column));
  return [head, ...rows.map((row) => row.map((cell, i) => (numeric[i] ? typedNumber(cell) : cell)))];
}

/** Downloads all records that match a query, and returns their number. The API writes the CSV if it can. */
export async function exportCSV(resource, operation, path, query, columns) {
  const all = withoutPage(query, operation);
  const perPage = parameterOf(operation, "itemsPerPage");
  if (perPage) all.delete(perPage.name);
  let rows;
  if (operation.types.includes("text/csv")) {
    const { body } = await get(`${path}?${all}`, { accept: "text/csv", text: true });
    rows = chosen(rowsOf(String(body)), columns);
  } else {
    rows = [columns];
    for await (const records of allPages(operation, path, all)) for (const record of records) rows.push(columns.map((name) => textOf(record[name])));
  }
  save(`${resource.plural.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-")}.csv`, localized(resource, rows), decimalMark() === "," ? ";" : ",");
  return rows.length - 1;
}
