// What is wrong with the rows of a file, by line and column, on the page and as a file.
import { html } from "../../vendor/preact.js";
import { locale, t } from "../../texts.js";
import { save } from "../export.js";
import { errorsIn } from "./rows.js";

const SHOWN = 200;

/** The errors as a table. records are those with errors. */
export function Findings({ table, fields, mapping, records }) {
  const all = records.flatMap((record) => errorsIn(record, fields).map((error) => ({ ...error, row: record.row })));
  const columnOf = (name) => table.header[mapping.indexOf(name)] ?? fields.find((one) => one.name === name)?.title ?? name;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${t("import.findings")}><table class="findings">
    <thead><tr>${["line", "column", "value", "error"].map((one) => html`<th key=${one} scope="col">${t(`import.${one}`)}</th>`)}</tr></thead>
    <tbody>${all.slice(0, SHOWN).map(({ row, names, text }, i) => html`<tr key=${i}><td>${row.line}</td><td>${names.map(columnOf).join(", ")}</td>
      <td class="quiet">${names.map((name) => (row.cells[mapping.indexOf(name)] ?? "").slice(0, 80)).join(", ")}</td><td>${text}</td></tr>`)}</tbody></table></div>
    ${all.length > SHOWN && html`<p class="help">${t("import.more", { count: (all.length - SHOWN).toLocaleString(locale()) })}</p>`}`;
}

/** Downloads the rows with errors, as they are in the file, with what is wrong. */
export function download(name, table, fields, records) {
  const rows = records.map((record) => [...table.header.map((_, i) => record.row.cells[i] ?? ""), errorsIn(record, fields).map((one) => one.text).join("; ")]);
  save(`${name.replace(/\.\w+$/, "")}-${t("import.suffix")}.csv`, [[...table.header, t("import.error")], ...rows], table.delimiter);
}
