// Periods as aggregations name them: 2030, 2030-Q2, 2030-06, 2030-W23, 2030-06-01, and hours as times.
import { kindOf } from "../kinds.js";
import { locale, t } from "../texts.js";

const DAY = 86400000;

/** Returns when a period begins, in UTC. */
function startOf(period, unit) {
  if (unit === "quarter") return new Date(Date.UTC(Number(period.slice(0, 4)), (Number(period.at(-1)) - 1) * 3));
  if (unit === "week") {
    const [year, week] = period.split("-W").map(Number);
    const fourth = new Date(Date.UTC(year, 0, 4)); // it is in the first week
    return new Date(fourth.getTime() + ((week - 1) * 7 - ((fourth.getUTCDay() + 6) % 7)) * DAY);
  }
  return new Date(unit === "hour" ? (/Z|[+-]\d\d:\d\d$/.test(period) ? period : `${period}${period.length > 13 ? "" : ":00"}Z`) : period);
}

/** Returns when the period begins that is some periods later. */
function shifted(start, unit, by) {
  const months = { year: 12, quarter: 3, month: 1 }[unit];
  if (months) return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + months * by));
  return new Date(start.getTime() + { week: 7 * DAY, day: DAY, hour: DAY / 24 }[unit] * by);
}

/** Returns the name of the period that begins at a time. */
function nameOf(start, unit) {
  const text = start.toISOString();
  if (unit === "quarter") return `${text.slice(0, 4)}-Q${Math.floor(start.getUTCMonth() / 3) + 1}`;
  if (unit === "week") {
    const thursday = new Date(start.getTime() + 3 * DAY);
    const first = Date.UTC(thursday.getUTCFullYear(), 0, 1);
    return `${thursday.getUTCFullYear()}-W${String(Math.floor((thursday.getTime() - first) / (7 * DAY)) + 1).padStart(2, "0")}`;
  }
  return text.slice(0, { year: 4, month: 7, day: 10 }[unit]);
}

/** Returns periods in order, with those between them that have no records; at most the last ones of a number. */
export function periodsOf(names, unit, most) {
  const sorted = names.toSorted();
  if (unit === "hour" || sorted.length < 2) return sorted;
  const last = startOf(sorted.at(-1), unit);
  const all = Array.from({ length: most }, (_, i) => nameOf(shifted(last, unit, i + 1 - most), unit));
  return all.filter((name) => name >= sorted[0]);
}

/** Returns the first moment of a period and that after it, as values of a field; null for hours. */
export function rangeOf(period, unit, field) {
  if (unit === "hour") return null;
  const start = startOf(period, unit);
  const text = (at) => (kindOf(field.schema, field.name).kind === "date" ? at.toISOString().slice(0, 10) : at.toISOString());
  return [text(start), text(shifted(start, unit, 1))];
}

/** Returns a period for people. */
export function labelOf(period, unit) {
  const start = startOf(period, unit);
  if (Number.isNaN(start.getTime())) return period;
  if (unit === "quarter") return t("dashboard.quarter", { number: period.at(-1), year: period.slice(0, 4) });
  if (unit === "week") return t("dashboard.week", { number: Number(period.split("-W")[1]), year: period.slice(0, 4) });
  const options = { year: { year: "numeric" }, month: { month: "short", year: "numeric" }, day: { dateStyle: "medium" }, hour: { dateStyle: "short", timeStyle: "short" } }[unit];
  return new Intl.DateTimeFormat(locale(), { ...options, timeZone: "UTC" }).format(start);
}
