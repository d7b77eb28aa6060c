// Which column of a file sets which field of a record.
import { fieldsOfInput, kindOf, wordsOf } from "../../kinds.js";

/** Returns the fields that a new record can have from a file. */
export function targets(resource) {
  const fields = fieldsOfInput(resource.create, resource).filter((field) => !field.reference?.inverse);
  return fields.map((field) => ({ ...field, values: resource.fields.find((one) => one.name === field.name)?.values }));
}

// Umlauts are alike with a letter or without: Größe, Groesse and Grosse.
const fold = (text) => text.toLowerCase().replace(/ß/g, "ss").normalize("NFKD").replace(/[^\p{L}\p{N}]+/gu, "");
const plain = (text) => fold(text).replace(/([aou])e/g, "$1");

/** Returns the name of the field for each column by its title or its name, "" for none. Each field has one column. */
export function guess(header, fields) {
  const taken = new Set();
  const chosen = header.map(() => "");
  for (const same of [(a, b) => a === b, (a, b) => fold(a) === fold(b), (a, b) => plain(a) === plain(b)]) {
    header.forEach((column, i) => {
      const found = column !== "" && chosen[i] === "" && fields.find((one) => !taken.has(one.name) && [one.name, one.title, wordsOf(one.name)].some((text) => same(text, column)));
      if (!found) return;
      chosen[i] = found.name;
      taken.add(found.name);
    });
  }
  return chosen;
}

/** Returns the required fields that neither a column nor a constant sets. */
export const missing = (fields, mapping, constants) => fields.filter((one) => one.required && kindOf(one.schema).schema.default === undefined && !mapping.includes(one.name) && !constants.some(({ name }) => name === one.name));
