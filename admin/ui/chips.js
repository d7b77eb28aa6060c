// The conditions of a list as chips, which can be changed and removed, and what the API says of wrong ones.
import { html, useLayoutEffect, useRef } from "./vendor/preact.js";
import { valuesOf } from "./conditions.js";
import { targetOf } from "./model.js";
import { localTime } from "./kinds.js";
import { useTitle } from "./titles.js";
import { numberText } from "./values.js";
import { t } from "./texts.js";

const or = (texts) => texts.join(` ${t("filter.or")} `);

/** The title of a reference, or its value while that is unknown. */
function Title({ reference, value }) {
  return useTitle(targetOf(reference, value)) ?? value;
}

/** Returns the values of a condition as people read them: texts, or elements that load titles. */
function shownValues({ row, option, values }) {
  const { kind, choices, reference, schema } = valuesOf(row, option);
  const text = (value) => {
    if (choices) return choices.find(([one]) => one === value)?.[1] ?? value;
    if (kind === "integer" || kind === "number") return numberText(value, { isIdentifier: row.field?.isIdentifier, name: row.name, schema });
    return (["date", "datetime"].includes(kind) && localTime(value, kind)) || value;
  };
  if (option.operator === "range") {
    const [from, to] = values.map((one) => one && text(one));
    if (from && to) return `${from} – ${to}`;
    return from ? `${t("filter.greaterEqual")} ${from}` : `${t("filter.lessEqual")} ${to}`;
  }
  if (reference) return values.map((one, i) => html`${i > 0 && ` ${t("filter.or")} `}<${Title} key=${one} reference=${reference} value=${one} />`);
  return or(values.map(text));
}

function Chip({ children, isWrong, onChange, onRemove }) {
  const remove = html`<button type="button" class="icon" aria-label=${t("filter.remove")} title=${t("filter.remove")} onClick=${onRemove}><span aria-hidden="true">×</span></button>`;
  return html`<li class=${isWrong ? "condition wrong" : "condition"}>${onChange ? html`<button type="button" class="link" title=${t("filter.change")} onClick=${onChange}>${children}</button>` : html`<span>${children}</span>`}${remove}</li>`;
}

/** Returns a handler of clicks: after a removal, the focus goes to the next chip, or to the button that adds one. */
function useNext(count) {
  const removed = useRef(null);
  useLayoutEffect(() => {
    if (removed.current === null || count >= removed.current.count) return;
    const { area, at } = removed.current;
    removed.current = null;
    const rest = [...area.querySelectorAll(".condition .icon")];
    (rest[Math.min(at, rest.length - 1)] ?? area.querySelector(".toolbar .popover > button"))?.focus();
  }, [count]);
  return (event) => {
    const area = event.currentTarget.closest(".records");
    const at = [...area.querySelectorAll(".condition .icon")].indexOf(event.target.closest(".icon"));
    const isKept = !event.target.closest("button") || (at < 0 && event.target.closest(".condition"));
    removed.current = isKept ? null : { area, at: Math.max(at, 0), count };
  };
}

/** The chips of a list. conditions are those of readConditions, wrong is what the API says of them. */
export function Chips({ operation, conditions, wrong, setConditions, onEdit, onClear, onRemoveParameter }) {
  const { mode, list, tree } = conditions;
  const unknown = wrong.others.filter((one) => !one.isTree);
  const count = list.length + unknown.length + (tree === null ? 0 : 1);
  const onClick = useNext(count);
  if (count === 0 && wrong.others.length === 0) return null;
  const messages = [...wrong.byCondition.values(), ...wrong.others.map((one) => one.message)];
  const label = ({ row, option }) => (["equal", "range"].includes(option.operator) ? `${row.title}: ` : `${row.title} ${option.label} `);
  return html`<div class="conditions" onClickCapture=${onClick}>
    ${list.length > 1 && operation.tree && tree === null && html`<label class="match">${t("filter.match")} <select onChange=${(event) => setConditions({ mode: event.target.value, list, tree })}>
      <option value="all" selected=${mode === "all"}>${t("filter.all")}</option><option value="any" selected=${mode === "any"}>${t("filter.anyOf")}</option></select></label>`}
    <ul aria-label=${t("list.filters")}>
      ${list.map((one, i) => html`<${Chip} key=${`${one.row.name} ${one.option.operator} ${i}`} isWrong=${wrong.byCondition.has(i)} onChange=${() => onEdit(i)}
        onRemove=${() => setConditions({ mode, list: list.toSpliced(i, 1), tree })}><span dir="auto">${label(one)}<strong>${shownValues(one)}</strong></span></${Chip}>`)}
      ${tree !== null && html`<${Chip} isWrong=${wrong.others.some((one) => one.isTree)} onRemove=${() => setConditions({ mode: "all", list, tree: null })}><span title=${tree}>${t("filter.tree")}</span></${Chip}>`}
      ${unknown.map(({ name }) => html`<${Chip} key=${name} isWrong=${true} onRemove=${() => onRemoveParameter(name)}>${name}</${Chip}>`)}
    </ul>
    <button type="button" class="link" onClick=${onClear}>${t("list.clear")}</button>
    ${messages.length > 0 && html`<p class="error" role="alert">${messages.join(". ")}</p>`}</div>`;
}
