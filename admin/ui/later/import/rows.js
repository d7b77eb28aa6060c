// Makes records of rows, and sends them: to be checked, to be saved together, or one after the other.
import { Failure, conditions, send } from "../../api.js";
import { base, resourceOf } from "../../model.js";
import { kindOf } from "../../kinds.js";
import { write } from "../../json.js";
import { errorsOf } from "../../errors.js";
import { convert, elementsOf } from "./convert.js";
import { find } from "./references.js";
import { t } from "../../texts.js";

const NDJSON = "application/x-ndjson";
const ENVELOPE = 64 << 10; // bytes that the limit of a request has on top of that of a record
const WAITS = 5; // for a server that is busy

/** Returns which text sets each field of a row. */
function textsOf(row, fields, { mapping, constants }) {
  const set = new Map(constants.map(({ name, text }) => [name, text]));
  mapping.forEach((name, i) => name && set.set(name, row.cells[i] ?? ""));
  return fields.filter(({ name }) => set.has(name)).map((field) => [field, set.get(field.name)]);
}

/** Lists what the rows say of references, by the names of resources. */
function wantedIn(rows, fields, plan) {
  const wanted = new Map();
  for (const row of rows) {
    for (const [field, text] of textsOf(row, fields, plan)) {
      if (!field.reference || text.trim() === "") continue;
      const name = field.reference.resource;
      if (!wanted.has(name)) wanted.set(name, new Set());
      const isList = ["list", "set"].includes(kindOf(field.schema, field.name).kind);
      for (const one of isList ? elementsOf(text.trim(), plan.options) : [text.trim()]) wanted.get(name).add(one);
    }
  }
  return wanted;
}

/** Makes the record of a row: {row, body, wrong: errors by field, "" for all of it}. */
export function recordOf(row, fields, plan, references) {
  const record = { row, body: {}, wrong: {} };
  if (row.cells.slice(plan.mapping.length).some((cell) => cell.trim() !== "")) record.wrong[""] = t("import.cells", { count: row.cells.length, columns: plan.mapping.length });
  for (const [field, text] of textsOf(row, fields, plan)) {
    const value = convert(text, field, plan.options, references);
    if (value?.error) record.wrong[field.name] = value.error;
    else record.body[field.name] = value;
  }
  return record;
}

/** Makes the records of rows, after the records that they refer to are found. */
export async function recordsOf(rows, fields, plan) {
  const references = await find(wantedIn(rows, fields, plan), resourceOf);
  return rows.map((row) => recordOf(row, fields, plan, references));
}

export const isWrong = (record) => Object.keys(record.wrong).length > 0 || record.status >= 400;

/** Splits records into parts that one request may have. */
export function parts(records, { lines, bytes }) {
  const encoder = new TextEncoder();
  const all = [];
  let size = Infinity;
  for (const record of records) {
    record.text = write(record.body);
    const own = encoder.encode(record.text).length + 1;
    if (size + own > bytes - ENVELOPE || all.at(-1).length >= lines) {
      all.push([]);
      size = 0;
    }
    all.at(-1).push(record);
    size += own;
  }
  return all;
}

function note(record, { status, location, problem }) {
  Object.assign(record, { status, location, problem, isInDoubt: false });
}

/** Reports whether the server may have done what a request wanted, although there is no response that says so. */
const isInDoubt = (error) => error.name === "AbortError" || [0, 502, 504].includes(error.status);

/** Notes that records may be saved or not, and returns the error that says so. */
function doubt(records, error) {
  for (const record of records) record.isInDoubt = true;
  return error.name === "AbortError" ? error : Object.assign(new Error(t("import.doubt")), { isInDoubt: true });
}

/** Sends records in parts. The mode is check, all or good. Each record gets its status, and its location or problem. Returns whether all parts are saved. */
export async function submit(resource, records, mode, signal, onProgress) {
  let saved = true;
  let done = 0;
  for (const part of parts(records, resource.import)) {
    const lines = part.map((one) => one.text).join("\n");
    const { body } = await send("POST", `${base}/import/${resource.create.id}?mode=${mode}`, { lines, type: NDJSON, signal }).catch((error) => {
      throw mode !== "check" && isInDoubt(error) ? doubt(part, error) : error;
    });
    body.lines.forEach((line, i) => note(part[i], line));
    saved = saved && body.saved;
    onProgress((done += part.length));
  }
  return saved;
}

const pause = (seconds, signal) => new Promise((resolve, reject) => {
  const timer = setTimeout(resolve, seconds * 1000);
  signal.addEventListener("abort", () => { clearTimeout(timer); reject(new DOMException("", "AbortError")); }, { once: true });
});

/** Creates records one after the other. A server that is busy gets time, also one that cannot be reached if it knows what it has done. */
export async function post(resource, records, signal, onProgress) {
  const { create } = resource;
  let done = 0;
  for (const record of records) {
    const headers = conditions(create);
    for (let waits = 0; ; waits++) {
      try {
        const { status, location } = await send(create.method, create.path, { body: record.body, type: create.contentType, headers, signal });
        note(record, { status, location });
        break;
      } catch (error) {
        const canWait = [429, 503].includes(error.status) || (isInDoubt(error) && create.idempotencyKey && !signal.aborted);
        if (canWait && waits < WAITS) {
          record.isInDoubt = isInDoubt(error);
          onProgress(done, true);
          await pause(error.retry ?? 1, signal);
        } else if (isInDoubt(error)) throw doubt([record], error);
        else {
          note(record, { status: error.status, problem: error.problem });
          break;
        }
      }
    }
    onProgress(++done);
  }
}

/** Lists what is wrong with a record: {names: of the fields, text}. */
export function errorsIn(record, fields) {
  const own = Object.entries(record.wrong).map(([name, text]) => ({ names: name ? [name] : [], text }));
  if (!(record.status >= 400)) return own;
  const errors = errorsOf(new Failure(record.status, record.problem ?? null, null), fields);
  const theirs = errors.all.map(({ path, text, summary }) => ({ names: path.slice(0, 1), text: summary ?? text })).filter(({ names }) => !(names[0] in record.wrong));
  if (errors.size === 0) theirs.push({ names: errors.about.filter(Boolean), text: errors.message });
  return [...own, ...theirs];
}
