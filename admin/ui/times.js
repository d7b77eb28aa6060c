// Moments as people read and type them: in the time zone of their browser, in which one hour a year exists twice.

const two = (number, length = 2) => String(number).padStart(length, "0");

/** Writes a moment as JSON has it. */
export const jsonOf = (moment) => moment.toISOString().replace(/\.000Z$/, "Z");

/** Writes a time as datetime-local has it, "" if it is not one. */
export function localOf(value) {
  const date = new Date(value);
  if (!value || Number.isNaN(date.getTime()) || date.getFullYear() > 9999 || date.getFullYear() < 1) return "";
  const seconds = date.getSeconds() || date.getMilliseconds() ? `:${two(date.getSeconds())}` : "";
  const fraction = date.getMilliseconds() ? `.${two(date.getMilliseconds(), 3)}` : "";
  return `${two(date.getFullYear(), 4)}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}${seconds}${fraction}`;
}

/** Returns the offset from UTC at a moment, such as +02:00. */
export function offsetOf(moment) {
  const minutes = -new Date(moment).getTimezoneOffset();
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
}

const MINUTE = 60_000;

/** Returns the moments that have a local time, the earlier first: two where clocks went back, by an hour or half of one. */
export function momentsOf(local) {
  const moment = new Date(local);
  if (local === "" || Number.isNaN(moment.getTime())) return [];
  const text = localOf(moment);
  return [-60, -30, 0, 30, 60].map((minutes) => new Date(moment.getTime() + minutes * MINUTE)).filter((one) => localOf(one) === text);
}

/** Writes a local time as UTC. Of two moments it is that with the offset of the value before, else the earlier one. */
export function utcOf(local, before = null) {
  const moments = momentsOf(local);
  if (moments.length === 0) return local;
  return jsonOf(moments.find((one) => before && offsetOf(one) === offsetOf(before)) ?? moments[0]);
}
