// Sign-in by the schemes of the API.
import { html, useState } from "./vendor/preact.js";
import { Failure, conditions, ignoreCookies, send } from "./api.js";
import { basic, forget, keep } from "./credentials.js";
import { Summary, errorsOf, none } from "./errors.js";
import { Fields, Form, begin as valuesOf, fieldsOfInput } from "./form.js";
import { load } from "./caller.js";
import { model } from "./model.js";
import { forgetTitle } from "./titles.js";
import { begin } from "./oauth.js";
import { say } from "./dialog.js";
import { inside, t } from "./texts.js";

/** Finds a value in JSON by its pointer (RFC 6901). */
const at = (value, pointer) => pointer.split("/").slice(1).reduce((inner, name) => inner?.[name.replace(/~1/g, "/").replace(/~0/g, "~")], value);

/** Loads the model with the new credentials. Invalid ones are forgotten. */
async function enter(onDone) {
  ignoreCookies(false);
  try {
    await load();
  } catch (error) {
    forget();
    throw error;
  }
  forgetTitle();
  if (!model.signedIn) {
    forget();
    throw new Failure(401, null, null);
  }
  say(t("sign.done"));
  onDone();
}

/** A form with its own state of sending and errors. */
function SignForm({ id, title, fields, onSend, onDone, label }) {
  const [value, setValue] = useState(() => valuesOf(fields));
  const [errors, setErrors] = useState(none);
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (busy) return;
    setBusy(true);
    try {
      await onSend(value);
      await enter(onDone);
    } catch (error) {
      setErrors(errorsOf(error.status === 401 ? new Error(t("sign.wrong")) : error, fields));
    }
    setBusy(false);
  };
  return html`<form class="sign" onSubmit=${submit} noValidate aria-label=${title ?? label}>
    <${Form.Provider} value=${{ id, errors, exists: false, setErrors }}>
      <${Summary} form=${id} errors=${errors} title=${errors.message} />
      ${title && html`<h3>${title}</h3>`}
      <${Fields} fields=${fields} value=${value} onChange=${setValue} />
      <div class="actions"><button class="primary" disabled=${busy}>${t("sign.in")}</button></div>
    </${Form.Provider}>
  </form>`;
}

const text = { type: "string" };
const field = (name, title, schema = text, more = {}) => ({ name, title, description: "", schema, required: true, reference: null, ...more });
const secret = { type: "string", writeOnly: true };

/** Begins a session with the body of the form to sign in. */
async function begins(operation, body) {
  const response = await send(operation.method, operation.path, { body, type: operation.contentType, quiet: true, credentials: false, headers: conditions(operation) });
  const token = model.tokenFrom?.operation === operation.id ? at(response.body, model.tokenFrom.pointer) : null;
  if (typeof token === "string") keep("Authorization", `Bearer ${token}`, 0);
  else forget();
}

/** Returns the names of the fields with which people who create a record of a resource could sign in; null if it is no registration. */
function namesOf(resource) {
  const form = model.signedIn ? null : model.signIn.find((one) => one.kind === "form");
  if (!form || !resource.create?.input) return null;
  const names = fieldsOfInput(form.operation).map((one) => one.name);
  const taken = fieldsOfInput(resource.create, resource).map((one) => one.name);
  return names.some((name) => /password|secret/i.test(name)) && names.every((name) => taken.includes(name)) ? names : null;
}

/** Reports whether to create a record of a resource is to register: its values are those of the form to sign in. */
export const isRegistration = (resource) => namesOf(resource) !== null;

/** Signs in with the values of a registration. Reports whether that has succeeded: an account may have to be confirmed first. */
export async function enterAs(resource, values, onDone) {
  const names = namesOf(resource);
  if (!names) return false;
  try {
    await begins(model.signIn.find((one) => one.kind === "form").operation, Object.fromEntries(names.map((name) => [name, values[name]])));
    await enter(onDone);
    return true;
  } catch {
    return false;
  }
}

function Session({ scheme, onDone }) {
  const { operation } = scheme;
  const fields = fieldsOfInput(operation).map((one) => {
    const isSecret = /password|secret/i.test(one.name);
    const schema = /mail/i.test(one.name) ? { ...one.schema, format: "email" } : one.schema;
    return { ...one, schema, autocomplete: isSecret ? "current-password" : /mail|user|login|name/i.test(one.name) ? "username" : "off" };
  });
  const sign = (body) => begins(operation, body);
  return html`<${SignForm} id="sign-session" fields=${fields} onSend=${sign} onDone=${onDone} label=${operation.title} />`;
}

function Token({ scheme, onDone, number }) {
  const label = scheme.of === "apikey" ? t("sign.key") : t("sign.token");
  const fields = [field("token", label, secret, { description: t("sign.kept"), autocomplete: "off" })];
  const sign = async ({ token }) => keep(scheme.header, scheme.word ? `${scheme.word} ${token.trim()}` : token.trim(), 0);
  return html`<${SignForm} id=${`sign-token-${number}`} fields=${fields} onSend=${sign} onDone=${onDone} label=${label} />`;
}

function Basic({ onDone }) {
  const fields = [field("name", t("sign.user"), text, { autocomplete: "username" }), field("password", t("sign.password"), secret, { autocomplete: "current-password" })];
  const sign = async ({ name, password }) => keep("Authorization", basic(name, password), 0);
  return html`<${SignForm} id="sign-basic" fields=${fields} onSend=${sign} onDone=${onDone} label=${t("sign.in")} />`;
}

function Provider({ scheme }) {
  const leave = async () => {
    try {
      await begin(scheme);
    } catch {
      say(t("sign.expired"), "bad");
    }
  };
  return html`<button type="button" class="primary" onClick=${leave}>${t("sign.with", { title: scheme.title })}</button>`;
}

function Way({ scheme, number, onDone }) {
  if (scheme.kind === "form") return html`<${Session} scheme=${scheme} onDone=${onDone} />`;
  if (scheme.kind === "basic") return html`<${Basic} onDone=${onDone} />`;
  if (scheme.kind === "token") return html`<${Token} scheme=${scheme} number=${number} onDone=${onDone} />`;
  return html`<${Provider} scheme=${scheme} />`;
}

const titleOf = (scheme) => ({ token: scheme.of === "apikey" ? t("sign.key") : scheme.title || t("sign.token"), basic: t("sign.password"), form: t("sign.password") })[scheme.kind] ?? scheme.title;

/** All ways to sign in: the first one open, the others folded. */
export function SignIn({ onDone }) {
  const [first, ...others] = model.signIn;
  if (!first) return null;
  return html`<div class="ways"><${Way} scheme=${first} number=${0} onDone=${onDone} />
    ${others.length > 0 && html`<div class="others">${others.map((scheme, i) =>
      scheme.kind === "oidc" || scheme.kind === "oauth2"
        ? html`<${Way} key=${i} scheme=${scheme} number=${i + 1} onDone=${onDone} />`
        : html`<details key=${i}><summary>${t("sign.with", { title: inside(titleOf(scheme)) })}</summary><${Way} scheme=${scheme} number=${i + 1} onDone=${onDone} /></details>`)}</div>`}
  </div>`;
}

/** Ends the session, and forgets the token. */
export async function signOut() {
  if (model.signOut) {
    const body = model.signOut.input ? {} : undefined;
    await send(model.signOut.method, model.signOut.path, { body, type: model.signOut.contentType, quiet: true }).catch((error) => {
      if (error.status !== 401) throw error;
    });
  }
  forget();
  forgetTitle();
  await load();
}

