// Displays values of records. Every string is text, never markup.
import { html, useState } from "./vendor/preact.js";
import { Exact, isObject, write } from "./json.js";
import { kindOf, localTime, wordsOf } from "./kinds.js";
import { safeURL } from "./links.js";
import { numberText, textOf, titleOfValue } from "./values.js";
import { hashOfPath, match, resourceOf, targetOf } from "./model.js";
import { useTitle } from "./titles.js";
import { shownBy } from "./shown.js";
import { cut, locale, t } from "./texts.js";

const IN_LIST = 80;
const IN_RECORD = 5000;

const Empty = () => html`<span class="empty" aria-label=${t("app.empty")}>–</span>`;

/** A string, cut where it is longer than there is room. */
function Text({ text, brief }) {
  const [all, setAll] = useState(false);
  const limit = brief ? IN_LIST : IN_RECORD;
  if (text.length <= limit || all) return html`<span class=${brief ? "text" : "text full"}>${text}</span>`;
  const rest = t("app.cut", { count: (text.length - limit).toLocaleString(locale()) });
  if (brief) return html`<span class="text">${cut(text, limit)}</span>`;
  return html`<span class="text full">${cut(text, limit)} <button type="button" class="link" onClick=${() => setAll(true)}>${rest}</button></span>`;
}

/** A link to the record at a path, with its title. */
export function RecordLink({ path }) {
  const title = useTitle(path);
  const found = match(path);
  const text = title ?? (found ? `${found.resource.singular} ${found.ids.join(" ")}` : String(path));
  const hash = title === null ? null : hashOfPath(path);
  if (!hash) return html`<${Text} text=${text} brief=${true} />`;
  return html`<a href=${hash}>${text}</a>`;
}

function Reference({ reference, value, link }) {
  if (reference.inverse) {
    const text = resourceOf(reference.resource)?.plural ?? String(value);
    return link ? html`<a href=${link}>${text}</a>` : html`<span class="text">${text}</span>`;
  }
  const path = targetOf(reference, value);
  return path === null ? html`<${Text} text=${String(value)} brief=${true} />` : html`<${RecordLink} path=${path} />`;
}

function Several({ values, brief, each }) {
  if (values.length === 0) return html`<${Empty} />`;
  const shown = brief ? values.slice(0, 4) : values.slice(0, 500);
  return html`<span class="several">
    ${shown.map((value, i) => html`<span class="chip" key=${i}>${each(value)}</span>`)}
    ${shown.length < values.length && html`<span class="more">+${values.length - shown.length}</span>`}
  </span>`;
}

function Time({ value, kind }) {
  const local = localTime(value, kind);
  return local === null ? html`<${Text} text=${String(value)} brief=${true} />` : html`<time datetime=${value} title=${value}>${local}</time>`;
}

function Link({ value, kind, brief }) {
  const href = safeURL(kind === "email" && /^[^\s<>"?&]+@[^\s<>"?&]+$/.test(value) ? `mailto:${value}` : value);
  if (!href) return html`<${Text} text=${value} brief=${brief} />`;
  return html`<a href=${href} target=${kind === "email" ? undefined : "_blank"} rel="noopener noreferrer"><${Text} text=${value} brief=${true} /></a>`;
}

function Nested({ value, schema, brief }) {
  if (brief) return html`<${Text} text=${write(value)} brief=${true} />`;
  const entries = Object.entries(value);
  if (entries.length === 0) return html`<${Empty} />`;
  return html`<dl class="nested">
    ${entries.map(([name, one]) => html`<div key=${name}><dt>${schema.properties?.[name] ? wordsOf(name) : name}</dt><dd>
      <${Value} value=${one} schema=${schema.properties?.[name] ?? schema.additionalProperties ?? {}} name=${name} />
    </dd></div>`)}
  </dl>`;
}

/**
 * A value of a record. field is that of the model, if there is one, and stands for its schema, name and reference. brief is for
 * a cell of a list; link is the page of a field that lists other records.
 */
export function Value({ value, field = null, schema = field?.schema, name = field?.name ?? "", reference = field?.reference ?? null, brief = false, link }) {
  if (value === null || value === undefined || value === "") return html`<${Empty} />`;
  const special = field?.widget && shownBy(field.widget, value, brief);
  if (special) return special;
  if (reference && Array.isArray(value)) {
    return html`<${Several} values=${value} brief=${brief} each=${(one) => html`<${Reference} reference=${reference} value=${one} />`} />`;
  }
  if (reference) return html`<${Reference} reference=${reference} value=${value} link=${link} />`;
  const { kind, schema: own } = kindOf(typeof schema === "object" ? schema : {}, name);
  if (typeof value === "boolean") return html`<span class=${value ? "flag on" : "flag"}>${t(value ? "app.yes" : "app.no")}</span>`;
  if (field?.currency) return html`<span class="number">${textOf(field, value)}</span>`;
  if (typeof value === "number" || value instanceof Exact) return html`<span class="number">${numberText(value, { isIdentifier: field?.isIdentifier, name, schema: own })}</span>`;
  if (Array.isArray(value)) {
    const items = own.items ?? {};
    if (value.some((one) => isObject(one) || Array.isArray(one))) {
      if (brief) return html`<${Text} text=${write(value)} brief=${true} />`;
      return html`<ol class="items">${value.slice(0, 500).map((one, i) => html`<li key=${i}><${Value} value=${one} schema=${items} /></li>`)}</ol>`;
    }
    return html`<${Several} values=${value} brief=${brief} each=${(one) => (field?.values ? titleOfValue(field, one) : html`<${Value} value=${one} schema=${items} brief=${brief} />`)} />`;
  }
  if (isObject(value)) return html`<${Nested} value=${value} schema=${own} brief=${brief} />`;
  if (kind === "datetime" || kind === "date") return html`<${Time} value=${value} kind=${kind} />`;
  if (kind === "uri" || kind === "email") return html`<${Link} value=${value} kind=${kind} brief=${brief} />`;
  if (kind === "enum") return html`<span class="chip">${titleOfValue(field, value)}</span>`;
  return html`<${Text} text=${String(value)} brief=${brief} />`;
}
