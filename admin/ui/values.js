// Values of records as texts, in the language of the page.
import { Exact } from "./json.js";
import { kindOf, localTime } from "./kinds.js";
import { locale, t } from "./texts.js";

const formats = new Map();

/** Returns a number format, which is slow to make. */
function formatOf(options) {
  const key = `${locale()} ${JSON.stringify(options)}`;
  if (!formats.has(key)) formats.set(key, new Intl.NumberFormat(locale(), options));
  return formats.get(key);
}

/** Returns the sign before the fraction of a number, as people type it. */
export const decimalMark = () => formatOf({}).formatToParts(1.5).find((one) => one.type === "decimal").value;

const swapped = (text, from, to) => text.replace(new RegExp(`^(-?\\d+)\\${from}(\\d+)$`), `$1${to}$2`);

/** Returns the text of a number as people type it. */
export const typedNumber = (text) => swapped(text, ".", decimalMark());

/** Returns the text of a number that people have typed as JSON has it. */
export const plainNumber = (text) => swapped(text, decimalMark(), ".");

/** Reports whether the numbers of a field are no quantities, but identifiers or years. */
const isLabel = ({ isIdentifier, name = "", schema = {} }) => isIdentifier || /(^id|Id|ID|_id|year)$/.test(name) || name.endsWith("Year") || (schema.minimum >= 1000 && schema.maximum <= 9999);

/** Writes a number with all its digits, which are grouped in quantities. */
export function numberText(value, field) {
  const text = value instanceof Exact ? value.text : String(value);
  if ((field && isLabel(field)) || !/^-?\d{1,30}(\.\d{1,20})?$/.test(text)) return text;
  return formatOf({ maximumFractionDigits: 20, minimumFractionDigits: text.split(".")[1]?.length ?? 0, useGrouping: "always" }).format(text);
}

/** Writes an amount of money with all its digits, and what is no number as it is. Integers are in the smallest unit of the currency. */
export function moneyText(value, { currency, schema }) {
  const text = value instanceof Exact ? value.text : String(value);
  const [, sign, whole, rest = ""] = /^(-?)(\d{1,30})(?:\.(\d{1,20}))?$/.exec(text) ?? [];
  if (whole === undefined) return text;
  const digits = formatOf({ style: "currency", currency }).resolvedOptions().maximumFractionDigits;
  const isSmall = rest === "" && (schema ? kindOf(schema).kind === "integer" : typeof value !== "string");
  const all = whole.padStart(digits + 1, "0");
  const amount = isSmall ? `${sign}${all.slice(0, all.length - digits)}.${all.slice(all.length - digits)}` : text;
  return formatOf({ style: "currency", currency, minimumFractionDigits: digits, maximumFractionDigits: Math.max(digits, rest.length) }).format(amount);
}

/** Returns the title of a value of an enumeration: that of the config, else the value. */
export const titleOfValue = (field, value) => field?.values?.[String(value)] ?? String(value);

const isScalar = (value) => typeof value !== "object" || value instanceof Exact;

/** Returns a value of a field as a short text, as lists show it; "" for none. */
export function textOf(field, value) {
  if (value === null || value === undefined || value === "") return "";
  if (field?.values?.[String(value)] !== undefined) return titleOfValue(field, value);
  if (typeof value === "boolean") return t(value ? "app.yes" : "app.no");
  if (field?.currency && isScalar(value)) return moneyText(value, field);
  if (typeof value === "number" || value instanceof Exact) return numberText(value, field);
  if (Array.isArray(value)) return value.map((one) => textOf(field, one)).join(", ");
  if (typeof value === "object") return "";
  const { kind } = kindOf(field?.schema ?? {}, field?.name);
  return (["date", "datetime"].includes(kind) && localTime(value, kind)) || String(value);
}
