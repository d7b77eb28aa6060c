// The forms to sign in by the schemes of the API.
import { html, useState } from "../vendor/preact.js";
import { basic, keep } from "../credentials.js";
import { Summary, errorsOf, none } from "../errors.js";
import { begin as valuesOf, fieldsOfInput } from "../kinds.js";
import { model } from "../model.js";
import { begin } from "../oauth.js";
import { say } from "../dialog.js";
import { begins, enter } from "../signin.js";
import { Fields, Form } from "./form.js";
import { inside, t } from "../texts.js";

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
      <${Summary} form=${id} errors=${errors} />
      ${title && html`<h3>${title}</h3>`}
      <${Fields} fields=${fields} value=${value} onChange=${setValue} />
      <div class="actions"><button class="primary" disabled=${busy}>${t("sign.in")}</button></div>
    </${Form.Provider}>
  </form>`;
}

const text = { type: "string" };
const field = (name, title, schema = text, more = {}) => ({ name, title, description: "", schema, required: true, reference: null, ...more });
const secret = { type: "string", writeOnly: true };

function Session({ scheme, onDone }) {
  const { operation } = scheme;
  const fields = fieldsOfInput(operation).map((one) => {
    const isSecret = /password|secret/i.test(one.name);
    const schema = /mail/i.test(one.name) ? { ...one.schema, format: "email" } : one.schema;
    return { ...one, schema, autocomplete: isSecret ? "current-password" : /mail|user|login|name/i.test(one.name) ? "username" : "off" };
  });
  const sign = (body) => begins(scheme, body);
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
