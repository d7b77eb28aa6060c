// The fields of a record.
import { html } from "../vendor/preact.js";
import { Value } from "../show.js";
import { Groups, isWide } from "./groups.js";

/** Fields of a record with their values. links are the pages of fields that list other records. */
export function Details({ fields, record, groups, links = {} }) {
  return html`<div class="details"><${Groups} fields=${fields} groups=${groups} as="dl" each=${(field) => html`<div key=${field.name} class=${isWide(field) ? "wide" : undefined}>
    <dt>${field.title}</dt>
    <dd><${Value} value=${record[field.name]} field=${field} link=${links[field.name]} /></dd>
  </div>`} /></div>`;
}
