// Markdown as elements of the page. The text may be of anyone, so HTML in it is shown as text, and only safe links can be followed.
import { html } from "../vendor/preact.js";
import { lexer } from "./vendor/marked.js";
import { safeLink, safeSource } from "../links.js";

const all = (tokens = []) => tokens.map((token, i) => html`<${Token} key=${i} token=${token} />`);

/** Texts of the lexer have escaped characters of HTML, which the page would escape again. */
const plain = (text) => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ({ amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" })[name]);

function Link({ token }) {
  const href = safeLink(token.href);
  return href ? html`<a href=${href} rel="noopener noreferrer" target="_blank">${all(token.tokens)}</a>` : html`<span>${all(token.tokens)}</span>`;
}

function Picture({ token }) {
  const source = safeSource(token.href);
  if (source) return html`<img src=${source} alt=${token.text} />`;
  const href = safeLink(token.href);
  return href ? html`<a href=${href} rel="noopener noreferrer" target="_blank">${token.text || token.href}</a>` : html`<span>${token.text}</span>`;
}

function List({ token }) {
  const items = token.items.map((item, i) => html`<li key=${i}>${item.task && html`<input type="checkbox" disabled checked=${item.checked} aria-label=${item.text} /> `}${all(item.tokens.filter((one) => one.type !== "checkbox"))}</li>`);
  return token.ordered ? html`<ol start=${token.start || 1}>${items}</ol>` : html`<ul>${items}</ul>`;
}

function Table({ token }) {
  const cell = (Tag) => (one, i) => html`<${Tag} key=${i}>${all(one.tokens)}</${Tag}>`;
  return html`<div class="scroll" tabindex="0" role="region"><table><thead><tr>${token.header.map(cell("th"))}</tr></thead>
    <tbody>${token.rows.map((row, i) => html`<tr key=${i}>${row.map(cell("td"))}</tr>`)}</tbody></table></div>`;
}

const KINDS = {
  space: () => null,
  hr: () => html`<hr />`,
  br: () => html`<br />`,
  heading: (token) => html`<p class="heading" data-depth=${token.depth}>${all(token.tokens)}</p>`, // the page has headings of its own
  paragraph: (token) => html`<p>${all(token.tokens)}</p>`,
  blockquote: (token) => html`<blockquote>${all(token.tokens)}</blockquote>`,
  code: (token) => html`<pre class="code">${token.text}</pre>`,
  codespan: (token) => html`<code>${plain(token.text)}</code>`,
  strong: (token) => html`<strong>${all(token.tokens)}</strong>`,
  em: (token) => html`<em>${all(token.tokens)}</em>`,
  del: (token) => html`<del>${all(token.tokens)}</del>`,
  list: (token) => html`<${List} token=${token} />`,
  table: (token) => html`<${Table} token=${token} />`,
  link: (token) => html`<${Link} token=${token} />`,
  image: (token) => html`<${Picture} token=${token} />`,
  escape: (token) => plain(token.text),
  text: (token) => (token.tokens ? html`<span>${all(token.tokens)}</span>` : plain(token.text)),
};

function Token({ token }) {
  return KINDS[token.type]?.(token) ?? html`<span>${token.raw}</span>`; // HTML, too
}

const LONG = 20000; // some texts take a second for so many characters, and four times as long for twice as many
const DEEP = 30;

const isDeep = (tokens = [], level = 0) => level > DEEP || tokens.some((one) => isDeep(one.tokens ?? one.items, level + 1));

/** Returns the tokens of a text, null if it is too long, or has too many levels. */
function tokensOf(text) {
  try {
    const tokens = text.length > LONG ? null : lexer(text);
    return isDeep(tokens ?? []) ? null : tokens;
  } catch { // there is no room for so many levels
    return null;
  }
}

/** A text in Markdown. */
export function Markdown({ text }) {
  const tokens = tokensOf(text);
  return html`<div class="markdown">${tokens ? all(tokens) : html`<pre class="code">${text}</pre>`}</div>`;
}
