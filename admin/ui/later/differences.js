// Differences of two values, so that people see what changed in a text, a list or an object.
import { html } from "../vendor/preact.js";
import { isObject, same, write } from "../json.js";
import { wordsOf } from "../kinds.js";
import { Value } from "../show.js";
import { t } from "../texts.js";

const MOST = 600; // words of a text that are compared one by one, between those that are the same at its beginning and its end
const LONG = 40; // characters of a text that is compared by words

/** Returns the parts of two lists of words: [kind, text], where kind is "same", "old" or "new". */
function compare(before, after) {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) lengths[i][j] = before[i] === after[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
  }
  const parts = [];
  const add = (kind, word) => (parts.at(-1)?.[0] === kind ? parts.at(-1)[1].push(word) : parts.push([kind, [word]]));
  for (let i = 0, j = 0; i < before.length || j < after.length;) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      add("same", before[i++]);
      j++;
    } else if (i < before.length && (j === after.length || lengths[i + 1][j] >= lengths[i][j + 1])) add("old", before[i++]);
    else add("new", after[j++]);
  }
  return parts.map(([kind, words]) => [kind, words.join("")]);
}

/** Returns how many elements two lists have in common at their beginning, and behind that at their end. */
function common(before, after) {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return [head, tail];
}

const wordsIn = (text) => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

/** Leaves out the middle of long texts that are the same. */
const cut = (text) => (text.length > 120 ? `${text.slice(0, 50)} … ${text.slice(-50)}` : text);

function TextDifference({ from, to }) {
  const [before, after] = [wordsIn(from), wordsIn(to)];
  const [head, tail] = common(before, after);
  const [old, now] = [before, after].map((words) => words.slice(head, words.length - tail));
  const middle = Math.max(old.length, now.length) > MOST ? [["old", cut(old.join(""))], ["new", cut(now.join(""))]] : compare(old, now);
  const parts = [["same", before.slice(0, head).join("")], ...middle, ["same", before.slice(before.length - tail).join("")]];
  return html`<span class="text full">${parts.map(([kind, text], i) => (kind === "same" ? cut(text) : kind === "old" ? html`<del key=${i}>${text}</del>` : html`<ins key=${i}>${text}</ins>`))}</span>`;
}

/** The elements that a list has lost and got. */
function ListDifference({ from, to, show }) {
  const lacks = (list) => (one) => !list.some((other) => same(one, other));
  const line = (Mark, text) => (one) => html`<${Mark} key=${write(one)}><span class="hidden">${text}: </span>${show([one])}</${Mark}>`;
  const [lost, got] = [from.filter(lacks(to)), to.filter(lacks(from))];
  if (lost.length + got.length === 0) return html`${show(from)} <span aria-label=${t("history.to")}>→</span> ${show(to)}`;
  return html`<span class="several">${lost.map(line("del", t("history.removed")))}${got.map(line("ins", t("history.added")))}</span>`;
}

/** A change of a value. field is that of the model, null if it does not know the field. */
export function Difference({ field, name, schema, from, to }) {
  const show = (value) => html`<${Value} value=${value} field=${field} schema=${field?.schema ?? schema ?? {}} name=${name} />`;
  if (from === null || from === undefined || from === "") return html`<ins>${show(to)}</ins>`;
  if (to === null || to === undefined || to === "") return html`<del>${show(from)}</del>`;
  if (Array.isArray(from) && Array.isArray(to)) return html`<${ListDifference} from=${from} to=${to} show=${show} />`;
  if (isObject(from) && isObject(to)) {
    const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].filter((one) => !same(from[one], to[one]));
    const inner = field?.schema ?? schema ?? {};
    return html`<dl class="nested">${names.map((one) => html`<div key=${one}><dt>${inner.properties?.[one] ? wordsOf(one) : one}</dt><dd><${Difference} field=${null} name=${one} schema=${inner.properties?.[one]} from=${from[one]} to=${to[one]} /></dd></div>`)}</dl>`;
  }
  if (typeof from === "string" && typeof to === "string" && !field?.reference && Math.max(from.length, to.length) > LONG) return html`<${TextDifference} from=${from} to=${to} />`;
  return html`<del>${show(from)}</del> <span aria-label=${t("history.to")}>→</span> <ins>${show(to)}</ins>`;
}
