// Two versions of a record side by side, when another user has changed it meanwhile.
import { html, useState } from "../vendor/preact.js";
import { same } from "../json.js";
import { Dialog } from "../dialog.js";
import { Value } from "../show.js";
import { t } from "../texts.js";

const secret = (field, value) => (field.writeOnly && value !== undefined ? "••••" : value);

/** Chooses between the caller's values and the current ones, field by field. onChoose gets the chosen values. */
export function Conflict({ fields, before, mine, theirs, onChoose, onClose }) {
  const different = fields.filter((field) => !field.writeOnly && !same(mine[field.name], theirs[field.name]));
  const kept = fields.filter((field) => field.writeOnly && mine[field.name] !== undefined);
  const [chosen, setChosen] = useState(() =>
    Object.fromEntries(different.map(({ name }) => [name, same(before[name], mine[name]) ? "theirs" : "mine"])),
  );
  const submit = (event) => {
    event.preventDefault();
    event.stopPropagation();
    onChoose(Object.fromEntries(different.map(({ name }) => [name, (chosen[name] === "mine" ? mine : theirs)[name]])));
  };
  const side = (field, which, value) => html`<td role="cell" class=${chosen[field.name] === which ? "chosen" : ""} data-label=${t(`conflict.${which}`)}><label>
    <input type="radio" name=${`conflict-${field.name}`} checked=${chosen[field.name] === which} aria-label=${`${field.title}: ${t(`conflict.${which}`)}`}
      onChange=${() => setChosen({ ...chosen, [field.name]: which })} />
    <span><${Value} value=${secret(field, value)} field=${field} /></span></label></td>`;
  return html`<${Dialog} title=${t("conflict.title")} wide=${true} onClose=${onClose}><form onSubmit=${submit}>
    <p>${t("conflict.text")}</p>
    <div class="scroll" tabindex="0" role="region" aria-label=${t("conflict.title")}><table role="table" class="conflict">
      <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${t("conflict.field")}</th><th role="columnheader" scope="col">${t("conflict.mine")}</th><th role="columnheader" scope="col">${t("conflict.theirs")}</th></tr></thead>
      <tbody role="rowgroup">${different.map((field) => html`<tr role="row" key=${field.name}><th role="rowheader" scope="row">${field.title}</th>
        ${side(field, "mine", mine[field.name])}${side(field, "theirs", theirs[field.name])}</tr>`)}</tbody></table></div>
    ${kept.length > 0 && html`<p>${t("conflict.merged")}</p>`}
    <div class="actions"><button class="primary">${t("conflict.save")}</button><button type="button" onClick=${onClose}>${t("form.stay")}</button></div></form></${Dialog}>`;
}
