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

/** Writes a number with all its digits. Integers of four digits are not grouped: they may be years. */
export function numberText(value) {
  const text = value instanceof Exact ? value.text : String(value);
  if (!/^-?\d{1,30}(\.\d{1,20})?$/.test(text)) return text;
  return formatOf({ maximumFractionDigits: 20, minimumFractionDigits: text.split(".")[1]?.length ?? 0, useGrouping: text.includes(".") ? "always" : "min2" }).format(text);
}

/** Writes an amount of money. Integers are in the smallest unit of the currency. */
export function moneyText(value, currency) {
  const format = formatOf({ style: "currency", currency });
  const digits = format.resolvedOptions().maximumFractionDigits;
  const isWhole = typeof value === "number" ? Number.isInteger(value) : value instanceof Exact && /^-?\d+$/.test(value.text);
  return format.format(isWhole ? Number(value instanceof Exact ? value.text : value) / 10 ** digits : String(value instanceof Exact ? value.text : value));
}

/** Returns the title of a value of an enumeration: that of the config, else the value. */
export const titleOfValue = (field, value) => field?.values?.[String(value)] ?? String(value);

/** Returns a value of a field as a short text, as lists show it; "" for none. */
export function textOf(field, value) {
  if (value === null || value === undefined || value === "") return "";
  if (field?.values?.[String(value)] !== undefined) return titleOfValue(field, value);
  if (typeof value === "boolean") return t(value ? "app.yes" : "app.no");
  if (typeof value === "number" || value instanceof Exact) return numberText(value);
  if (Array.isArray(value)) return value.map((one) => textOf(field, one)).join(", ");
  if (typeof value === "object") return "";
  const { kind } = kindOf(field?.schema ?? {}, field?.name);
  return (["date", "datetime"].includes(kind) && localTime(value, kind)) || String(value);
}
