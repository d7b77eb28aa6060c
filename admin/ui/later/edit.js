// Forms that create and change records. Only what changed is sent, with the version that it is based on.
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { conditions, get, send } from "../api.js";
import { exact, isNumber, patch, same } from "../json.js";
import { Summary, errorsOf, errorsOfInputs, none } from "../errors.js";
import { Fields, Form } from "./form.js";
import { inOrder } from "./groups.js";
import { Conflict } from "./conflict.js";
import { undoEdit } from "./undo.js";
import { pageOf, protect } from "../router.js";
import { pathFor } from "../model.js";
import { begin, fieldsOfInput, kindOf } from "../kinds.js";
import { Dialog, say } from "../dialog.js";
import { t } from "../texts.js";

const guards = []; // of the forms on the page, one in a dialog above another

/** Lets the form on top ask before the page is left. */
const protectTop = () => protect(guards.at(-1) ?? null, (from, to) => pageOf(from) === pageOf(to));

/** Asks before a page with changes is left. Returns the question, and a function that ends it. */
function useGuard(isDirty) {
  const [isAsking, setAsking] = useState(false);
  const question = useRef(() => {});
  const answer = (leaves) => {
    setAsking(false);
    question.current(leaves);
  };
  const release = useRef(() => {});
  useLayoutEffect(() => {
    if (!isDirty) return;
    const ask = () => new Promise((resolve) => {
      question.current = resolve;
      setAsking(true);
    });
    guards.push(ask);
    protectTop();
    release.current = () => {
      if (guards.includes(ask)) guards.splice(guards.indexOf(ask), 1);
      protectTop();
      answer(false); // it has been saved meanwhile
    };
    return release.current;
  }, [isDirty]);
  const dialog = isAsking && html`<${Dialog} title=${t("form.leave")} onClose=${() => answer(false)}><p>${t("form.leaveText")}</p>
    <div class="actions"><button type="button" class="danger filled" onClick=${() => answer(true)}>${t("form.discard")}</button>
      <button type="button" onClick=${() => answer(false)}>${t("form.stay")}</button></div></${Dialog}>`;
  return [dialog, () => release.current()];
}

/** Sets a value of a form from text in the URL, if its kind has a text. */
function preset(fields, texts) {
  const set = fields.filter((field) => Object.hasOwn(texts, field.name) && !["object", "map", "json"].includes(kindOf(field.schema).kind));
  return Object.fromEntries(set.map((field) => {
    const { kind, schema } = kindOf(field.schema);
    const isNumeric = ["integer", "number"].includes(field.reference?.many ? kindOf(schema.items ?? {}).kind : kind);
    const text = texts[field.name];
    const value = isNumeric && isNumber(text) ? exact(text) : kind === "boolean" ? text === "true" : text;
    return [field.name, field.reference?.many ? [value] : value];
  }));
}

/**
 * A form for a new record. preset are texts of fields, as in a URL; given are values that the page knows, which cannot be
 * changed. onDone gets the response.
 */
export function CreateForm({ resource, operation, path, preset: texts = {}, given = {}, onDone, onCancel, id = "new" }) {
  const fields = useMemo(() => inOrder(fieldsOfInput(operation, resource).filter((field) => !field.reference?.inverse || kindOf(field.schema).kind === "list"), resource.groups), [operation, resource]);
  const known = fields.filter((field) => Object.hasOwn(given, field.name)).map((field) => field.name);
  const initial = useMemo(() => ({ ...begin(fields), ...preset(fields, texts), ...Object.fromEntries(known.map((name) => [name, given[name]])) }), [fields]);
  const [value, setValue] = useState(initial);
  const [errors, setErrors] = useState(none);
  const [busy, setBusy] = useState(false);
  const key = useRef(null);
  const [guard, release] = useGuard(!same(value, initial));
  const submit = async (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (busy) return;
    const invalid = errorsOfInputs(event.currentTarget, fields);
    if (invalid.size > 0) return setErrors(invalid);
    setBusy(true);
    key.current ??= conditions(operation); // the same for a request that is repeated
    try {
      const response = await send(operation.method, path, { body: value, type: operation.contentType, headers: key.current });
      release();
      onDone(response, value);
    } catch (error) {
      if (error.status !== 0) key.current = null;
      setErrors(errorsOf(error, fields));
      setBusy(false);
    }
  };
  return html`<form class="record" onSubmit=${submit} noValidate><${Form.Provider} value=${{ id, errors, exists: false, setErrors }}>
    <${Summary} form=${id} errors=${errors} />
    <${Fields} fields=${fields} groups=${resource.groups} value=${value} onChange=${setValue} given=${known} />
    <div class="actions sticky"><button class="primary" disabled=${busy}>${t(busy ? "record.saving" : "record.create")}</button>
      ${onCancel && html`<button type="button" onClick=${onCancel}>${t("app.cancel")}</button>`}</div></${Form.Provider}></form>${guard}`;
}

const valuesOf = (fields, record) => Object.fromEntries(fields.map((field) => [field.name, field.writeOnly ? undefined : record[field.name]]));

/** Returns the body that makes one version of a record another: a merge patch, or all fields for a Put that replaces. */
function bodyOf(operation, fields, before, after) {
  if (!operation.merges) return Object.fromEntries(fields.map((field) => [field.name, after[field.name]]));
  const changed = fields.filter((field) => !same(before[field.name], after[field.name]));
  return Object.fromEntries(changed.map(({ name }) => [name, after[name] === undefined ? null : patch(before[name], after[name])]));
}

/** The version of a record with which a form began, the values in the form, and their errors. */
function useValues(fields, record, etag) {
  const [base, setBase] = useState({ record, etag });
  const [value, setValue] = useState(() => valuesOf(fields, record));
  const [errors, setErrors] = useState(none);
  const isDirty = !same(value, valuesOf(fields, base.record));
  const reset = (next) => {
    setBase(next);
    setValue(valuesOf(fields, next.record));
    setErrors(none);
  };
  useEffect(() => {
    if (record === base.record && etag === base.etag) return;
    if (!isDirty || same(valuesOf(fields, record), value)) reset({ record, etag });
  }, [record, etag]);
  return { base, setBase, value, setValue, errors, setErrors, isDirty, reset };
}

/** Sends the changes from one version of a record to wanted values, null if there are none. Returns the response. */
async function sendChanges({ operation, path, fields, from, wanted, onReload }) {
  const body = bodyOf(operation, fields, valuesOf(fields, from.record), wanted);
  if (Object.keys(body).length === 0) return null;
  const response = await send(operation.method, pathFor(operation, path), { body, type: operation.contentType, headers: conditions(operation, from.etag) });
  const isSecret = fields.some((field) => field.writeOnly && field.name in body);
  const back = response.body && !isSecret ? bodyOf(operation, fields.filter((field) => field.name in body), valuesOf(fields, response.body), valuesOf(fields, from.record)) : null;
  say(t("record.saved"), { action: back && undoEdit(operation, path, back, response.etag, onReload) });
  return response;
}

/** The form of an existing record. onSaved gets its new version. */
export function EditForm({ resource, path, record, etag, locked, onSaved, onReload }) {
  const operation = resource.update;
  const fields = useMemo(() => inOrder(resource.fields.filter((field) => field.update && !field.reference?.inverse), resource.groups), [resource]);
  const required = useMemo(() => fields.map((field) => ({ ...field, required: field.required && !field.writeOnly })), [fields]);
  const open = fields.filter((field) => !locked.includes(field.name));
  const { base, setBase, value, setValue, errors, setErrors, isDirty, reset } = useValues(fields, record, etag);
  const [busy, setBusy] = useState(false);
  const [conflict, setConflict] = useState(null);
  const [guard] = useGuard(isDirty);
  const collide = async (wanted) => {
    const { body, etag: tag } = await get(path);
    const now = valuesOf(fields, body);
    if (!open.every(({ name }) => same(now[name], wanted[name]))) return setConflict({ record: body, etag: tag });
    reset({ record: body, etag: tag }); // the response to the same change was lost
    onSaved({ record: body, etag: tag });
    say(t("record.saved"));
  };
  const save = async (from, wanted) => {
    setBusy(true);
    try {
      const response = await sendChanges({ operation, path, fields: open, from, wanted, onReload });
      setErrors(none);
      if (!response) {
        say(t("record.nothing"));
        reset(from);
      } else if (!response.body || !response.etag) {
        setBase({ record: { ...from.record, ...wanted }, etag: null });
        onReload();
      } else {
        const next = valuesOf(fields, response.body);
        setBase({ record: response.body, etag: response.etag });
        setValue((now) => Object.fromEntries(fields.map(({ name }) => [name, same(now[name], wanted[name]) ? next[name] : now[name]]))); // typed meanwhile
        onSaved({ record: response.body, etag: response.etag });
      }
    } catch (error) {
      if (error.status === 412) await collide(wanted).catch((failed) => setErrors(errorsOf(failed.status === 404 ? new Error(t("conflict.gone")) : failed)));
      else setErrors(errorsOf(error, fields));
    }
    setBusy(false);
  };
  const submit = (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (busy) return;
    const invalid = errorsOfInputs(event.currentTarget, fields);
    if (invalid.size > 0) return setErrors(invalid);
    save(base, value);
  };
  const resolve = (chosen) => {
    const next = conflict;
    setConflict(null);
    setBase(next);
    setValue({ ...value, ...chosen });
    save(next, { ...value, ...chosen });
  };
  return html`<form class="record" onSubmit=${submit} noValidate><${Form.Provider} value=${{ id: "edit", errors, exists: true, setErrors }}>
    <${Summary} form="edit" errors=${errors} />
    <${Fields} fields=${required} groups=${resource.groups} value=${value} onChange=${setValue} locked=${locked} />
    <div class="actions sticky"><button class="primary" disabled=${busy || !isDirty}>${t(busy ? "record.saving" : "record.save")}</button>
      ${isDirty && html`<button type="button" disabled=${busy} onClick=${() => reset(base)}>${t("record.undo")}</button>`}</div></${Form.Provider}></form>
    ${conflict && html`<${Conflict} fields=${open} before=${base.record} mine=${value} theirs=${conflict.record} onChoose=${resolve} onClose=${() => setConflict(null)} />`}
    ${guard}`;
}
