// Makes values of texts in a file, as the schemas of fields want them. A text that is no such value stays a text: the API says what is wrong.
import { base, kindOf } from "../../kinds.js";
import { exact, isNumber, parse } from "../../json.js";
import { utcOf } from "../../times.js";
import { decimalMark } from "../../values.js";
import { locale, t } from "../../texts.js";

/** The order of day, month and year in a language: "dmy", "mdy" or "ymd". */
function orderOf(language) {
  const parts = new Intl.DateTimeFormat(language, { year: "numeric", month: "2-digit", day: "2-digit" }).formatToParts(0);
  return parts.filter(({ type }) => ["day", "month", "year"].includes(type)).map(({ type }) => type[0]).join("");
}

const isNumeric = ({ schema, name }) => ["integer", "number"].includes(kindOf(schema, name).kind) || base(schema).schema.format === "decimal";

/** Reports whether the numbers of rows have a comma before their fractions. Those that could be read both ways do not count. */
function isComma(rows, mapping, fields) {
  const columns = mapping.flatMap((name, i) => (fields.some((field) => field.name === name && isNumeric(field)) ? [i] : []));
  const cells = rows.flatMap(({ cells: all }) => columns.map((i) => (all[i] ?? "").trim()));
  const number = (pattern) => cells.filter((cell) => pattern.test(cell)).length;
  const more = number(/^[+-]?(\d+|\d{1,3}(\.\d{3})+),(\d{1,2}|\d{4,})$/) - number(/^[+-]?(\d+|\d{1,3}(,\d{3})+)\.(\d{1,2}|\d{4,})$/);
  return more === 0 ? decimalMark() === "," : more > 0;
}

/** The options of a file before people choose others. */
export const usual = ({ rows }, mapping, fields) => ({ comma: isComma(rows, mapping, fields), order: orderOf(locale()), separator: "|", nulls: false });

/** Writes a number as JSON has it, null for what is no number. */
function numberOf(text, { comma }) {
  const groups = comma ? /^[+-]?\d{1,3}([. \u00a0\u202f']\d{3})+(,\d+)?$/ : /^[+-]?\d{1,3}([, \u00a0\u202f']\d{3})+(\.\d+)?$/;
  let plain = groups.test(text) ? text.replace(comma ? /[. \u00a0\u202f']/g : /[, \u00a0\u202f']/g, "") : text;
  if (comma) plain = plain.replace(",", ".");
  const [, sign, digits, rest] = /^([+-]?)0*(\d+)((?:\.\d+)?(?:[eE][+-]?\d+)?)$/.exec(plain) ?? [];
  const made = digits === undefined ? "" : `${sign === "-" ? "-" : ""}${digits}${rest}`;
  return isNumber(made) ? made : null;
}

const TRUE = ["true", "yes", "y", "1", "on", "x", "ja", "wahr"];
const FALSE = ["false", "no", "n", "0", "off", "nein", "falsch"];

function booleanOf(text) {
  const word = text.toLowerCase();
  if (TRUE.includes(word) || word === t("app.yes").toLowerCase()) return true;
  if (FALSE.includes(word) || word === t("app.no").toLowerCase()) return false;
  return text;
}

/** Writes a date as ISO 8601 does: it may be in the order of the file's locale. */
function dateOf(text, { order }) {
  const [, ...found] = /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})$/.exec(text) ?? [];
  if (found.length === 0 || /^\d{4}-/.test(text)) return text;
  const at = (part) => found[/^\d{4}$/.test(found[0]) ? "ymd".indexOf(part) : order.indexOf(part)];
  const [year, month, day] = ["y", "m", "d"].map(at);
  return /^\d{4}$/.test(year) ? `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}` : text;
}

/** Writes a time as ISO 8601 does. One without an offset is in the time zone of the browser. */
function timeOf(text, options) {
  if (/T.*(Z|[+-]\d\d:?\d\d)$/i.test(text)) return text;
  const [, date, time = "00:00"] = /^(\S+?)(?:,?[T\s]+(\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?))?$/.exec(text) ?? [];
  const local = `${dateOf(date ?? "", options)}T${/^\d:/.test(time) ? "0" : ""}${time}`;
  const made = utcOf(local);
  return made === local ? text : made; // a text that is no time
}

/** Finds a value of an enum by the value or its title. */
function enumOf(text, schema, titles) {
  const all = schema.enum.filter((one) => one !== null);
  const same = (a) => String(a).toLowerCase() === text.toLowerCase();
  const titled = Object.keys(titles ?? {}).find((key) => same(titles[key]));
  return all.find((one) => String(one) === text) ?? all.find((one) => String(one) === titled) ?? all.find(same) ?? text;
}

function jsonOf(text) {
  try {
    return parse(text);
  } catch {
    return text;
  }
}

/** Makes the value of a text: an {error} for a reference that finds no record, or several. references finds them by their texts. */
export function convert(text, field, options, references) {
  const { kind, nullable, schema } = kindOf(field.schema, field.name);
  const trimmed = text.trim();
  if (trimmed === "") return options.nulls && nullable ? null : undefined;
  if (kind === "list" || kind === "set") {
    if (trimmed.startsWith("[")) return jsonOf(trimmed);
    const element = { ...field, schema: base(schema.items ?? {}).schema, reference: field.reference && { ...field.reference, many: false } };
    const all = elementsOf(trimmed, options).map((one) => convert(one, element, options, references));
    return all.find((one) => one?.error) ?? all;
  }
  if (field.reference) return references(field.reference, trimmed);
  switch (kind) {
    case "integer":
    case "number": {
      const number = numberOf(trimmed, options);
      return number === null ? text : exact(number);
    }
    case "boolean":
      return booleanOf(trimmed);
    case "date":
      return dateOf(trimmed, options);
    case "datetime":
      return timeOf(trimmed, options);
    case "enum":
      return enumOf(trimmed, schema, field.values);
    case "object":
    case "map":
    case "json":
      return jsonOf(trimmed);
    default:
      if (schema.format === "decimal") return numberOf(trimmed, options) ?? text;
      return ["uuid", "email", "uri"].includes(kind) ? trimmed : text;
  }
}

/** Splits a list. */
export const elementsOf = (text, { separator }) => text.split(separator).map((one) => one.trim()).filter(Boolean);

