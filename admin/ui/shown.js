// Widgets that the config declares for fields: how their values are shown.
import { html, useEffect, useState } from "./vendor/preact.js";
import { write } from "./json.js";
import { safeSource, safeURL } from "./links.js";

/** Text in Markdown, whose code is loaded when it is first shown. */
export function Markdown({ text }) {
  const [loaded, setLoaded] = useState(null);
  useEffect(() => {
    import("./later/markdown.js").then((code) => setLoaded({ Show: code.Markdown }), () => setLoaded({}));
  }, []);
  return loaded?.Show ? html`<${loaded.Show} text=${text} />` : html`<span class="text full">${text}</span>`;
}

const isColor = (text) => typeof text === "string" && /^(#|rgb|hsl)/i.test(text) && CSS.supports("color", text);
const Swatch = ({ color }) => html`<span class="swatch" aria-hidden="true" style=${{ backgroundColor: color }}></span>`;

/** Shows a value by the widget of its field, null if there is nothing special about it. brief is for a cell of a list. */
export function shownBy(widget, value, brief) {
  if (widget === "color" && isColor(value)) return html`<span class="color"><${Swatch} color=${value} /> ${value}</span>`;
  if (widget === "image" && typeof value === "string") {
    const source = safeSource(value);
    if (source) return html`<img class=${brief ? "thumbnail" : "picture"} src=${source} alt="" loading="lazy" />`;
    const href = safeURL(value); // of another site: the policy of the page blocks it
    return href && html`<a href=${href} target="_blank" rel="noopener noreferrer">${value}</a>`;
  }
  if (brief) return null;
  if (widget === "markdown" && typeof value === "string") return html`<${Markdown} text=${value} />`;
  if (widget === "code" && typeof value === "string") return html`<pre class="code">${value}</pre>`;
  if (widget === "json") return html`<pre class="code">${write(value, "  ")}</pre>`;
  return null;
}
