// Requests to the API, with the credentials of the caller, and its errors as values.
import { parse, write } from "./json.js";
import { credentials } from "./credentials.js";
import { count, t } from "./texts.js";

/** An error response, or none at all: status is 0 then. */
export class Failure extends Error {
  constructor(status, problem, retry) {
    super(messageOf(status, problem, retry));
    Object.assign(this, { status, problem, retry });
  }

  /** The errors of fields, by their dotted name or JSON pointer. */
  get fields() {
    const { errors, violations, field, detail } = this.problem ?? {};
    if (Array.isArray(violations)) return byPointer(violations);
    if (errors && typeof errors === "object") return Object.fromEntries(Object.entries(errors).map(([name, text]) => [name, String(text)]));
    if (typeof field === "string") return { [field]: String(detail ?? this.message) };
    return {};
  }
}

/** Messages by their pointers: several of one value are one text. */
function byPointer(violations) {
  const all = new Map();
  for (const { pointer = "", message } of violations) all.set(String(pointer), [all.get(String(pointer)), message].filter(Boolean).join("; "));
  return Object.fromEntries(all);
}

function messageOf(status, problem, retry) {
  if (status === 0) return t("error.network");
  if (retry !== null && retry !== undefined) return t("error.later", { time: duration(retry) });
  if (typeof problem?.detail === "string") return problem.detail;
  if (typeof problem?.title === "string" && problem.type !== "about:blank") return problem.title;
  return status === 403 ? t("error.forbidden") : t("error.status", { status });
}

const duration = (seconds) => (seconds < 90 ? count("time.second", seconds) : count("time.minute", Math.ceil(seconds / 60)));

/** Seconds of a Retry-After header, null without it. */
function retryAfter(response) {
  const value = response.headers.get("Retry-After");
  if (value === null || ![429, 503].includes(response.status)) return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isFinite(seconds) ? Math.max(1, seconds) : null;
}

const AMOUNTS = { "X-Total-Count": "amount.exact", "X-Total-More-Than": "amount.more", "X-Total-Estimate": "amount.about" };

/** Returns what a response says about the number of records on all pages: {form, number}, null for nothing. form is the key of a text. */
function amountIn(headers) {
  const name = Object.keys(AMOUNTS).find((one) => headers.has(one));
  return name ? { form: AMOUNTS[name], number: Number(headers.get(name)) } : null;
}

/** Links of a Link header (RFC 8288), by relation. */
function linksOf(header) {
  const links = {};
  for (const [, target, parameters] of (header ?? "").matchAll(/<([^>]*)>([^<]*)/g)) {
    const rel = /;\s*rel="?([^";,]+)"?/.exec(parameters)?.[1];
    if (rel) links[rel] = target;
  }
  return links;
}

// What happens if a response is 401: resolves to whether the caller has signed in, so the request is sent again.
let reauthenticate = async () => false;

/** Sets what asks the caller to sign in when credentials are missing or have ended. */
export function onUnauthorized(ask) {
  reauthenticate = ask;
}

// The header field by which responses show for which caller they are: requests have a key, and responses a tag that only this
// page can compare. Its first part is of the person, the second of what the model says of them.
const CALLER = "Admin-Caller";
const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join("");
let tag = null;
let otherCaller = async () => {};

/** Sets the tag of the caller that the page is for. */
export function expectCaller(next) {
  tag = next;
}

/** Returns the tag of the caller that the page is for. */
export const expected = () => tag;

/** Returns the part of a tag that is the same for one person. */
export const personOf = (one) => one?.split(".")[0] ?? null;

/** Sets what deals with a response for another caller. Responses wait until it has done so. */
export function onOtherCaller(check) {
  otherCaller = check;
}

/** Reports whether a path is on this server. */
const isLocal = (path) => typeof path === "string" && /^\/(?![/\\])/.test(path) && !/[\u0000-\u0020]/.test(path);

// Browsers take such segments out of paths, also if they are encoded: the request would be for another path.
const hasDots = (path) => /\/(\.|%2e){1,2}(?=[/?#]|$)/i.test(path.split(/[?#]/)[0]);

let ignoresCookies = false;

/** Leaves cookies out of all requests but sign-ins, after those of the browser were invalid. */
export function ignoreCookies(on) {
  ignoresCookies = on;
}

/**
 * Sends a request. Options: body (a JSON value), lines (a text instead), type (of the body), accept, headers, quiet (a 401 is an error),
 * credentials (false for a sign-in, which ignores a token), text (the body of the response is text), signal, begins (it may be
 * for any caller). A GET whose response is for another caller is sent again when the page knows them.
 */
export async function send(method, path, options = {}) {
  if (!isLocal(path)) throw new Failure(0, null, null);
  if (hasDots(path)) throw new Failure(400, { detail: t("error.dots") }, null);
  const token = options.credentials === false ? {} : credentials();
  const headers = { Accept: options.accept ?? "application/json", [CALLER]: key, ...token, ...options.headers };
  const cookies = (ignoresCookies && options.credentials !== false) || Object.keys(token).length > 0 ? "omit" : "same-origin"; // never two kinds of credentials
  const init = { method, headers, signal: options.signal, credentials: cookies, cache: "no-store", referrerPolicy: "same-origin" };
  if (options.body !== undefined || options.lines !== undefined) {
    init.body = options.lines ?? write(options.body);
    headers["Content-Type"] = options.type || "application/json";
  }
  let response, text;
  try {
    response = await fetch(path, init);
    text = await response.text();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure(0, null, null);
  }
  if (response.status === 401 && !options.quiet && (await reauthenticate())) return send(method, path, options);
  const caller = response.headers.get(CALLER);
  if (!options.begins && caller && tag && caller !== tag) {
    await otherCaller();
    if (method === "GET") return send(method, path, { ...options, begins: true });
  } else if (response.status === 403) {
    otherCaller(); // permissions may have changed
  }
  const isJSON = /[/+]json\b/.test(response.headers.get("Content-Type") ?? "");
  let body = text;
  if (isJSON && text !== "" && !(options.text && response.ok)) {
    try {
      body = parse(text);
    } catch {
      body = undefined;
    }
  }
  const isForeign = !options.accept && (body === undefined || (!isJSON && /^text\/html\b/.test(response.headers.get("Content-Type")))); // such as the page of a network that asks to sign in
  if (response.ok && isForeign) throw new Failure(0, null, null);
  if (!response.ok) throw new Failure(response.status, isJSON ? body : null, retryAfter(response));
  const amount = amountIn(response.headers);
  return {
    status: response.status,
    caller,
    body: text === "" ? undefined : body,
    etag: response.headers.get("ETag"),
    location: response.headers.get("Location"),
    type: response.headers.get("Content-Type") ?? "",
    links: linksOf(response.headers.get("Link")),
    amount,
    total: amount?.form === "amount.exact" ? amount.number : null,
  };
}

/** Sends a change. A server that requires a version gets that of the record at a path, or any version without a path. */
export async function sendCurrent(method, path, record, options = {}) {
  try {
    return await send(method, path, options);
  } catch (error) {
    if (error.status !== 428) throw error;
    const etag = record ? (await send("GET", record)).etag : "*";
    return send(method, path, { ...options, headers: { ...options.headers, "If-Match": etag } });
  }
}

/** Gets a path of the API. */
export const get = (path, options) => send("GET", path, options);

/** Headers of a change: the version that it is based on, and a key so that a repeated request changes nothing twice. */
export function conditions(operation, etag) {
  const headers = {};
  if (operation.ifMatch && etag) headers["If-Match"] = etag;
  if (operation.idempotencyKey) headers["Idempotency-Key"] = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
  return headers;
}
