// References to other records, chosen by typing: the combobox pattern of the ARIA Authoring Practices.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { get } from "../api.js";
import { canFind, canonical, fieldOf, keyOf, pathOf, referenceTo, resourceOf, targetOf, titleOf } from "../model.js";
import { finder, waysOf } from "./search.js";
import { remember, useTitle } from "../titles.js";
import { CreateForm } from "./edit.js";
import { Dialog } from "../dialog.js";
import { RecordLink } from "../show.js";
import { wordsOf } from "../errors.js";
import { count, inside, locale, t } from "../texts.js";

/** A note below the options: how many there are, and what to type so that the service finds the others. */
function noteOf(resource, found) {
  if (found.error) return found.error;
  if (found.isSure && !found.isCut) return "";
  const { by, parameters } = waysOf(resource);
  const shown = found.records.length.toLocaleString(locale());
  const cut = found.isCut && t(found.total === null ? "find.first" : "find.firstOf", { shown, total: found.total?.toLocaleString(locale()) });
  const fields = parameters.map((one) => inside(fieldOf(resource, one.field)?.title ?? one.field)).join(" / ");
  return [cut, t(found.isSure ? "find.more" : by === "whole" ? "find.whole" : "find.identifier", { fields })].filter(Boolean).join(" ");
}

function Options({ id, resource, found, typed, active, onChoose, onCreate }) {
  const note = noteOf(resource, found);
  useEffect(() => {
    if (active >= 0) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const choose = (what) => (event) => {
    event.preventDefault();
    what();
  };
  const none = t(found.isSure ? "find.none" : "find.unknown", { plural: inside(resource.plural), text: typed });
  return html`<div class="options">
    <ul id=${`${id}-list`} role="listbox" aria-label=${resource.plural}>
      ${found.records.map((record, i) => html`<li key=${i} id=${`${id}-${i}`} role="option" aria-selected=${i === active ? "true" : "false"}
        onMouseDown=${choose(() => onChoose(record))}>
        <span dir="auto">${titleOf(resource, record)}</span> <small>${resource.identifier.map((name) => keyOf(record[name] ?? "")).join(" ")}</small></li>`)}
      ${found.records.length === 0 && !found.error && html`<li role="option" aria-disabled="true" aria-selected="false" class="empty">${none}</li>`}
      ${onCreate && html`<li key="new" id=${`${id}-${found.records.length}`} role="option" class="new" aria-selected=${active === found.records.length ? "true" : "false"}
        onMouseDown=${choose(onCreate)}>${t("find.new", { singular: inside(resource.singular) })}</li>`}
    </ul>
    ${note && html`<p class=${found.error ? "error" : "note"}>${note}</p>`}</div>`;
}

/** Creates a record in a dialog. onDone gets it. */
function Creation({ id, resource, typed, onDone, onClose }) {
  const title = t("list.new", { singular: inside(resource.singular) });
  const isOpen = resource.fields.some((field) => field.name === resource.title && field.create);
  const done = async ({ body, location }) => {
    const record = body && pathOf(resource, body) ? body : location && (await get(location)).body;
    if (record) remember(resource, [record]);
    onDone(record);
  };
  return html`<${Dialog} title=${title} wide=${true} onClose=${onClose}><${CreateForm} id=${`${id}-new`} resource=${resource} operation=${resource.create} path=${resource.path}
    preset=${isOpen && typed ? { [resource.title]: typed } : {}} onCancel=${onClose} onDone=${done} /></${Dialog}>`;
}

const idle = () => ({ find: null, abort: null, isBusy: false, isWanted: false }); // isWanted: Enter came before the records

/** What a combobox finds: found is null while it is closed, and active is the option that Enter chooses. onWanted gets a record that Enter chose before. */
function useFinder(resource, onWanted) {
  const [found, setFound] = useState(null);
  const [active, setActive] = useState(-1);
  const state = useRef(idle());
  const close = () => {
    state.current.abort?.abort();
    state.current = idle();
    setFound(null);
    setActive(-1);
  };
  useEffect(() => () => state.current.abort?.abort(), []);
  const find = (typed, delay = 200) => {
    const current = state.current;
    current.abort?.abort();
    current.find ??= finder(resource);
    const controller = new AbortController();
    Object.assign(current, { abort: controller, isBusy: true, isWanted: false });
    setActive(-1); // what is shown is of another text
    setTimeout(async () => {
      if (controller.signal.aborted) return;
      const result = await current.find(typed.trim(), controller.signal).catch((failure) => ({ records: [], isSure: true, error: wordsOf(failure, resource) }));
      if (controller.signal.aborted) return;
      current.isBusy = false;
      if (current.isWanted && result.records.length > 0) return onWanted(result.records[0]);
      setFound({ ...result, typed: typed.trim() });
      setActive(typed && result.records.length ? 0 : -1);
    }, delay);
  };
  const waits = () => (state.current.isWanted = state.current.isBusy);
  return { found, active, setActive, find, close, waits };
}

/**
 * A combobox that finds one record of a resource. onChoose gets the record; onClear is called when it is emptied. create also
 * offers to create one, for those who may.
 */
export function Combobox({ id, resource, title = "", describedBy, error, required, disabled, label, onChoose, onClear, path, create = false }) {
  const [text, setText] = useState(null); // null: nothing is being typed
  const [creating, setCreating] = useState(null); // what was typed before
  const input = useRef(null);
  const choose = (record) => {
    onChoose(record);
    shut();
  };
  const { found, active, setActive, find, close, waits } = useFinder(resource, choose);
  const mayCreate = create && Boolean(resource.create) && canFind(resource);
  const last = (found?.records.length ?? 0) - (mayCreate ? 0 : 1);
  const shut = () => {
    close();
    setText(null);
  };
  const leave = () => {
    if (creating !== null) return;
    if (text !== null && text.trim() === "" && onClear) onClear();
    shut();
  };
  const begin = () => {
    setCreating((text ?? "").trim());
    shut();
  };
  const enter = () => {
    if (waits()) return;
    if (active >= 0 && active === found?.records.length) begin();
    else if (found?.records[active]) choose(found.records[active]);
  };
  const key = (event) => {
    const move = { ArrowDown: active >= last ? 0 : active + 1, ArrowUp: active <= 0 ? last : active - 1 }[event.key];
    if (move !== undefined) {
      event.preventDefault();
      if (found === null) find(text ?? "", 0);
      else if (last >= 0) setActive(move);
    } else if (event.key === "Enter" && (found !== null || text !== null)) {
      event.preventDefault();
      enter();
    } else if (event.key === "Escape" && (found !== null || text !== null)) {
      event.preventDefault();
      event.stopPropagation();
      shut();
    }
  };
  const isOpen = found !== null;
  return html`<span class="combobox">
    <input ref=${input} id=${id} type="text" role="combobox" autocomplete="off" spellcheck=${false} disabled=${disabled}
      aria-expanded=${isOpen ? "true" : "false"} aria-controls=${isOpen ? `${id}-list` : undefined} aria-autocomplete="list" aria-label=${label}
      aria-activedescendant=${active >= 0 && isOpen ? `${id}-${active}` : undefined} aria-describedby=${describedBy || undefined}
      aria-invalid=${error ? "true" : undefined} aria-required=${required ? "true" : undefined} data-path=${path && JSON.stringify(path)}
      placeholder=${t("form.choose", { plural: inside(resource.plural) })} value=${text ?? title}
      onClick=${() => !isOpen && find(text ?? "", 0)} onKeyDown=${key} onBlur=${leave}
      onInput=${(event) => { setText(event.target.value); find(event.target.value); }} />
    ${isOpen && html`<${Options} id=${id} resource=${resource} found=${found} typed=${found.typed} active=${active} onChoose=${choose} onCreate=${mayCreate ? begin : null} />`}
    <span class="hidden" role="status">${isOpen ? [count("count", found.records.length), noteOf(resource, found)].filter(Boolean).join(". ") : ""}</span>
    ${creating !== null && html`<${Creation} id=${id} resource=${resource} typed=${creating} onClose=${() => { setCreating(null); input.current?.focus(); }}
      onDone=${(record) => { setCreating(null); if (record) onChoose(record); input.current?.focus(); }} />`}
  </span>`;
}

/** The input of a reference to one record: {id, reference, value, onChange}, as in a form. create offers to create one. */
export function ReferenceInput(p) {
  const resource = resourceOf(p.reference.resource);
  const path = targetOf(p.reference, p.value);
  const title = useTitle(path);
  const clear = p.nullable || !p.required ? () => p.onChange(p.unset) : null;
  return html`<span class="joined">
    <${Combobox} id=${p.id} path=${p.path} resource=${resource} title=${path === null ? "" : (title ?? String(p.value))} create=${p.create} describedBy=${p.describedBy}
      error=${p.error} required=${p.required} disabled=${p.disabled} onClear=${clear}
      onChoose=${(record) => p.onChange(referenceTo(p.reference, resource, record))} />
    ${path !== null && clear && html`<button type="button" class="quiet" disabled=${p.disabled} aria-label=${t("form.clear", { field: p.label })} onClick=${clear}>×</button>`}
  </span>`;
}

/** The input of references to several records, as that of one. */
export function ReferencesInput(p) {
  const resource = resourceOf(p.reference.resource);
  const values = Array.isArray(p.value) ? p.value : [];
  const add = (record) => {
    const value = referenceTo(p.reference, resource, record);
    if (!values.some((one) => canonical(String(one)) === canonical(String(value)))) p.onChange([...values, value]);
  };
  const remove = (i) => {
    p.onChange(values.filter((_, at) => at !== i));
    document.getElementById(p.id)?.focus();
  };
  return html`<span class="references">
    ${values.length > 0 && html`<ul class="chips">${values.map((value, i) => html`<li key=${String(value)}>
      <${Chosen} reference=${p.reference} value=${value} disabled=${p.disabled} onRemove=${() => remove(i)} /></li>`)}</ul>`}
    <${Combobox} id=${p.id} path=${p.path} resource=${resource} create=${p.create} describedBy=${p.describedBy} error=${p.error} disabled=${p.disabled}
      label=${t("form.add", { field: p.label })} onChoose=${add} />
  </span>`;
}

function Chosen({ reference, value, disabled, onRemove }) {
  const path = targetOf(reference, value);
  const title = useTitle(path);
  return html`<span class="chip">${path === null ? String(value) : html`<${RecordLink} path=${path} />`}
    <button type="button" class="icon" disabled=${disabled} aria-label=${t("form.remove", { item: title ?? String(value) })} onClick=${onRemove}><span aria-hidden="true">×</span></button></span>`;
}

