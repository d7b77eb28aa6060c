// Exports lists as CSV (RFC 4180) that spreadsheets do not take for formulas.
import { get } from "./api.js";
import { parameterOf, withoutPage } from "./model.js";
import { Exact, write } from "./json.js";

const MOST_PAGES = 2000;
const FORMULA = /^[\t\r ]*[=+\-@]/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Returns a cell's text so that a spreadsheet shows it, and calculates nothing. */
const harmless = (text) => (FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text);

const quote = (text) => (/[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);

/** Makes the cells of a CSV text harmless. */
function harmlessCSV(text) {
  return text.replace(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n|$)/g, (all, cell, end) => {
    const plain = cell.startsWith('"') ? cell.slice(1, -1).replace(/""/g, '"') : cell;
    return plain === harmless(plain) ? all : quote(harmless(plain)) + end;
  });
}

function cell(value) {
  if (value === null || value === undefined) return "";
  return quote(harmless(typeof value === "object" && !(value instanceof Exact) ? write(value) : String(value)));
}

function save(name, parts) {
  const url = URL.createObjectURL(new Blob(parts, { type: "text/csv;charset=utf-8" }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

const countRows = (csv) => Math.max(0, (csv.match(/("(?:[^"]|"")*"|[^"\r\n])+(\r?\n|$)/g) ?? []).length - 1);

/** Downloads all records that match a query, and returns their number. The API writes the CSV if it can. */
export async function exportCSV(resource, operation, path, query) {
  const all = withoutPage(query, operation);
  const perPage = parameterOf(operation, "itemsPerPage");
  if (perPage) all.delete(perPage.name);
  const name = `${resource.plural.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-")}.csv`;
  if (operation.types.includes("text/csv")) {
    const { body } = await get(`${path}?${all}`, { accept: "text/csv", text: true });
    save(name, [harmlessCSV(String(body))]);
    return countRows(String(body));
  }
  if (perPage) all.set(perPage.name, String(perPage.schema?.maximum ?? 100));
  const fields = resource.fields.filter((field) => field.readable);
  const lines = [`${fields.map((field) => cell(field.name)).join(",")}\r\n`];
  let next = `${path}?${all}`;
  for (let i = 0; next && i < MOST_PAGES; i++) {
    const { body, links } = await get(next);
    for (const record of body) lines.push(`${fields.map((field) => cell(record[field.name])).join(",")}\r\n`);
    next = body.length > 0 ? links.next : null;
  }
  save(name, lines);
  return lines.length - 1;
}
