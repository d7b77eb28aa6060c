// References to other records, chosen by typing: the combobox pattern of the ARIA Authoring Practices.
import { html, useEffect, useRef, useState } from "./vendor/preact.js";
import { get } from "./api.js";
import { canonical, keyOf, parameterOf, parametersOf, referenceTo, resourceOf, targetOf, titleOf } from "./model.js";
import { loadedTitle, remember, useTitle } from "./titles.js";
import { RecordLink } from "./show.js";
import { count, inside, t } from "./texts.js";

const SHOWN = 10;

/** Returns the parameter that finds records by what is typed: the search, or a filter of the title. */
function searchOf(resource) {
  const list = resource.list;
  const search = parameterOf(list, "q");
  if (search) return search;
  const rank = { contains: 1, hasWordPrefix: 2, hasPrefix: 3, equalFold: 4, equal: 5 };
  return parametersOf(list, "filter")
    .filter((one) => one.field === resource.title && rank[one.operator])
    .toSorted((a, b) => rank[a.operator] - rank[b.operator])[0];
}

async function search(resource, typed, signal) {
  const query = new URLSearchParams();
  const by = searchOf(resource);
  const exactly = by?.kind === "filter" && by.operator.startsWith("equal");
  if (typed && by && !exactly) query.set(by.name, typed);
  const perPage = parameterOf(resource.list, "itemsPerPage");
  if (perPage) query.set(perPage.name, String(typed && (!by || exactly) ? 100 : SHOWN));
  const { body } = await get(`${resource.path}?${query}`, { signal });
  remember(resource, body);
  const wanted = typed.toLocaleLowerCase();
  if (by && !exactly) return body.slice(0, SHOWN);
  const titles = await Promise.all(body.map((one) => loadedTitle(resource, one)));
  const isNamed = (one) => resource.identifier.some((name) => keyOf(one[name] ?? "") === typed);
  const found = body.filter((one, i) => titles[i].toLocaleLowerCase().includes(wanted) || isNamed(one));
  return found.slice(0, SHOWN);
}

function Options({ id, resource, options, active, onChoose }) {
  return html`<ul id=${`${id}-list`} role="listbox" class="options" aria-label=${resource.plural}>
    ${options.map((record, i) => html`<li key=${i} id=${`${id}-${i}`} role="option" aria-selected=${i === active ? "true" : "false"}
      onMouseDown=${(event) => { event.preventDefault(); onChoose(record); }}>
      <span>${titleOf(resource, record)}</span> <small>${resource.identifier.map((name) => keyOf(record[name] ?? "")).join(" ")}</small></li>`)}
    ${options.length === 0 && html`<li role="option" aria-disabled="true" aria-selected="false" class="empty">${t("form.noMatch")}</li>`}
  </ul>`;
}

/** A combobox that finds one record of a resource. onChoose gets the record; onClear is called when it is emptied. */
export function Combobox({ id, resource, title = "", describedBy, error, required, disabled, label, onChoose, onClear, path }) {
  const [text, setText] = useState(null); // null: nothing is being typed
  const [options, setOptions] = useState(null); // null: closed
  const [active, setActive] = useState(-1);
  const abort = useRef(null);
  const input = useRef(null);
  const close = () => {
    abort.current?.abort();
    setOptions(null);
    setActive(-1);
    setText(null);
  };
  useEffect(() => () => abort.current?.abort(), []);
  const find = (typed, delay = 200) => {
    abort.current?.abort();
    const controller = new AbortController();
    abort.current = controller;
    setTimeout(async () => {
      if (controller.signal.aborted) return;
      try {
        const found = await search(resource, typed.trim(), controller.signal);
        if (!controller.signal.aborted) {
          setOptions(found);
          setActive(typed && found.length ? 0 : -1);
        }
      } catch (failure) {
        if (failure.name !== "AbortError") setOptions([]);
      }
    }, delay);
  };
  const choose = (record) => {
    onChoose(record);
    close();
  };
  const leave = () => {
    if (text !== null && text.trim() === "" && onClear) onClear();
    close();
  };
  const key = (event) => {
    const last = (options?.length ?? 0) - 1;
    const move = { ArrowDown: active >= last ? 0 : active + 1, ArrowUp: active <= 0 ? last : active - 1 }[event.key];
    if (move !== undefined) {
      event.preventDefault();
      if (options === null) find(text ?? "", 0);
      else setActive(move);
    } else if (event.key === "Enter" && options !== null) {
      event.preventDefault();
      if (options[active]) choose(options[active]);
    } else if (event.key === "Escape" && options !== null) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };
  return html`<span class="combobox">
    <input ref=${input} id=${id} type="text" role="combobox" autocomplete="off" spellcheck="false" disabled=${disabled}
      aria-expanded=${options !== null ? "true" : "false"} aria-controls=${options !== null ? `${id}-list` : undefined} aria-autocomplete="list" aria-label=${label}
      aria-activedescendant=${active >= 0 && options ? `${id}-${active}` : undefined} aria-describedby=${describedBy || undefined}
      aria-invalid=${error ? "true" : undefined} aria-required=${required ? "true" : undefined} data-path=${path && JSON.stringify(path)}
      placeholder=${t("form.choose", { plural: inside(resource.plural) })} value=${text ?? title}
      onClick=${() => options === null && find(text ?? "", 0)} onKeyDown=${key} onBlur=${leave}
      onInput=${(event) => { setText(event.target.value); find(event.target.value); }} />
    ${options !== null && html`<${Options} id=${id} resource=${resource} options=${options} active=${active} onChoose=${choose} />`}
    <span class="hidden" role="status">${options === null ? "" : count("count", options.length)}</span>
  </span>`;
}

/** The input of a reference to one record. */
export function ReferenceInput(p) {
  const resource = resourceOf(p.reference.resource);
  const path = targetOf(p.reference, p.value);
  const title = useTitle(path);
  const clear = p.nullable || !p.required ? () => p.onChange(p.unset) : null;
  return html`<span class="joined">
    <${Combobox} id=${p.id} path=${p.path} resource=${resource} title=${path === null ? "" : (title ?? String(p.value))} describedBy=${p.describedBy}
      error=${p.error} required=${p.required} disabled=${p.disabled} onClear=${clear}
      onChoose=${(record) => p.onChange(referenceTo(p.reference, resource, record))} />
    ${path !== null && clear && html`<button type="button" class="quiet" disabled=${p.disabled} aria-label=${t("form.clear", { field: p.label })} onClick=${clear}>×</button>`}
  </span>`;
}

/** The input of references to several records. */
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
    <${Combobox} id=${p.id} path=${p.path} resource=${resource} describedBy=${p.describedBy} error=${p.error} disabled=${p.disabled}
      label=${t("form.add", { field: p.label })} onChoose=${add} />
  </span>`;
}

function Chosen({ reference, value, disabled, onRemove }) {
  const path = targetOf(reference, value);
  const title = useTitle(path);
  return html`<span class="chip">${path === null ? String(value) : html`<${RecordLink} path=${path} />`}
    <button type="button" class="icon" disabled=${disabled} aria-label=${t("form.remove", { item: title ?? String(value) })} onClick=${onRemove}><span aria-hidden="true">×</span></button></span>`;
}

