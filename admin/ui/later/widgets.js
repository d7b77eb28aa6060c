// Widgets that the config declares for fields: how their values are edited.
import { html, useState } from "../vendor/preact.js";
import { CodeInput, JsonInput } from "./code.js";
import { shared } from "./inputs.js";
import { safeSource } from "../links.js";
import { Markdown } from "../shown.js";
import { t } from "../texts.js";

function MarkdownInput(p) {
  const [isPreview, setIsPreview] = useState(false);
  const text = typeof p.value === "string" ? p.value : "";
  const button = (preview, key) => html`<button type="button" class="small" aria-pressed=${isPreview === preview ? "true" : "false"} onClick=${() => setIsPreview(preview)}>${t(key)}</button>`;
  return html`<span class="stack"><span class="row">${button(false, "form.write")}${button(true, "form.preview")}</span>
    ${isPreview
      ? html`<div class="preview" id=${p.id} tabindex="0" role="region" aria-label=${`${t("form.preview")}: ${p.label}`}><${Markdown} text=${text} /></div>`
      : html`<textarea rows="6" value=${text} placeholder=${p.placeholder} onInput=${(event) => p.onChange(event.target.value)} ...${shared(p)}></textarea>`}</span>`;
}

function ColorInput(p) {
  const text = p.value ?? "";
  const picked = /^#[\da-f]{6}$/i.test(text) ? text : "#000000";
  return html`<span class="joined color"><input type="text" spellcheck=${false} autocomplete="off" value=${text} placeholder=${p.placeholder ?? "#3366cc"} onInput=${(event) => p.onChange(event.target.value === "" && !p.required ? (p.unset ?? "") : event.target.value)} ...${shared(p)} />
    <input type="color" aria-label=${`${t("form.color")}: ${p.label}`} disabled=${p.disabled} value=${picked} onInput=${(event) => p.onChange(event.target.value)} /></span>`;
}

const asData = (file) => new Promise((done, fail) => {
  const reader = new FileReader();
  reader.onload = () => done(reader.result);
  reader.onerror = () => fail(reader.error);
  reader.readAsDataURL(file);
});

function ImageInput(p) {
  const text = p.value ?? "";
  const source = safeSource(text);
  const read = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    const url = await asData(file);
    p.onChange(p.kind === "bytes" ? url.slice(url.indexOf(",") + 1) : url);
  };
  return html`<span class="stack image">${source && html`<img src=${source} alt="" />`}
    <input type="text" spellcheck=${false} autocomplete="off" value=${text} placeholder=${p.placeholder ?? "https://…"} onInput=${(event) => p.onChange(event.target.value)} ...${shared(p)} />
    ${p.kind !== "uri" && html`<input type="file" accept="image/*" aria-label=${`${t("form.file")}: ${p.label}`} disabled=${p.disabled} onChange=${read} />`}</span>`;
}

const Lines = (p) => html`<textarea rows="4" value=${p.value ?? ""} placeholder=${p.placeholder} onInput=${(event) => p.onChange(event.target.value)} ...${shared(p)}></textarea>`;

/** The inputs of widgets. A date has that of its kind. */
export const WIDGETS = { text: Lines, markdown: MarkdownInput, code: CodeInput, color: ColorInput, image: ImageInput, json: JsonInput };
