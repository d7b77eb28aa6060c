// Reads and writes JSON without changing numbers: what JavaScript cannot hold exactly is kept as its text.

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** A number as the text that JSON has for it. */
export class Exact {
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

/** Text that is not JSON yet, in a place for a value. line is that of the mistake. */
export class Unparsed {
  constructor(text, line) {
    Object.assign(this, { text, line });
  }
}

const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Returns the place of the first mistake in a text that is not JSON. Messages of browsers do not always have it. */
function mistakeAt(text) {
  let at = 0;
  const take = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return Boolean(found);
  };
  const sign = (one) => take(SPACE) && text[at] === one && ++at > 0;
  const part = (close) => (close === "]" || (take(SPACE) && take(STRING) && sign(":"))) && value();
  const parts = (close) => {
    if (sign(close)) return true;
    do if (!part(close)) return false;
    while (sign(","));
    return sign(close);
  };
  const value = () => take(SPACE) && (sign("{") ? parts("}") : sign("[") ? parts("]") : take(STRING) || take(SCALAR));
  value();
  take(SPACE);
  return at;
}

/** Parses what people type: a value, or what is not JSON yet. */
export function typed(text) {
  try {
    return parse(text);
  } catch {
    return new Unparsed(text, text.slice(0, mistakeAt(text)).split("\n").length);
  }
}

/** Reports whether a text is a JSON number. */
export const isNumber = (text) => NUMBER.test(text);

/** Returns a number of JSON, or its text where JavaScript would change it. */
export const exact = (text) => (String(Number(text)) === text ? Number(text) : new Exact(text));

let sourced = false;
JSON.parse("1", (_, value, context) => {
  sourced = context?.source === "1";
  return value;
});

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const MARK = "\u0000exact";

/** Parses JSON. Numbers that JavaScript would change are Exact. */
export function parse(text) {
  if (sourced) {
    return JSON.parse(text, (_, value, context) => (typeof value === "number" ? exact(context.source) : value));
  }
  const marked = text.replace(TOKEN, (token) =>
    token[0] === '"' || String(Number(token)) === token ? token : `{"\\u0000exact":"${token}"}`,
  );
  return JSON.parse(marked, (_, value) => (value && typeof value === "object" && Object.hasOwn(value, MARK) ? new Exact(value[MARK]) : value));
}

/** Reports whether a value is a JSON object. */
export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Exact) && !(value instanceof Unparsed);

/** Writes JSON. Fields that are undefined are left out. */
export function write(value, indent = "", sorted = false, depth = "\n") {
  const inner = indent && depth + indent;
  const between = indent ? `,${inner}` : ",";
  const wrap = (open, parts, close) => (parts.length ? open + (inner || "") + parts.join(between) + (indent ? depth : "") + close : open + close);
  if (value instanceof Exact) return value.text;
  if (value instanceof Unparsed) return JSON.stringify(`\u0000${value.text}`); // no value is the same
  if (Array.isArray(value)) return wrap("[", value.map((one) => write(one ?? null, indent, sorted, inner)), "]");
  if (!isObject(value)) return JSON.stringify(value ?? null);
  let entries = Object.entries(value).filter(([, one]) => one !== undefined);
  if (sorted) entries = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const parts = entries.map(([name, one]) => `${JSON.stringify(name)}:${indent ? " " : ""}${write(one, indent, sorted, inner)}`);
  return wrap("{", parts, "}");
}

/** Reports whether two JSON values are the same. */
export const same = (a, b) => (a === undefined) === (b === undefined) && write(a, "", true) === write(b, "", true);

/** Returns the merge patch (RFC 7396) that changes one value into another. What an object lost is null. */
export function patch(before, after) {
  if (!isObject(before) || !isObject(after)) return after;
  const entries = [];
  for (const [name, value] of Object.entries(after)) {
    if (value !== undefined && !same(before[name], value)) entries.push([name, Object.hasOwn(before, name) ? patch(before[name], value) : value]);
  }
  for (const name of Object.keys(before)) if (before[name] !== undefined && (!Object.hasOwn(after, name) || after[name] === undefined)) entries.push([name, null]);
  return Object.fromEntries(entries);
}
