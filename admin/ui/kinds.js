// Which kind of input and display a schema has.
import { model, resolve, resourceOf } from "./model.js";
import { localOf, momentsOf, offsetOf } from "./times.js";
import { fieldText, isEnglish, locale, t } from "./texts.js";

const typesOf = (schema) => [schema.type ?? []].flat();
const LONG = /(^|_|[a-z])(description|text|body|comment|notes?|content|bio|message|summary|remarks?)$/i;
const SECRET = /password|passphrase|secret$/i;

/** Splits null from a schema: {schema, nullable}. */
export function base(schema) {
  schema = resolve(schema);
  let nullable = typesOf(schema).includes("null");
  for (const word of ["anyOf", "oneOf"]) {
    const either = schema[word]?.map(resolve);
    const others = either?.filter((one) => one.type !== "null");
    if (either && others.length === 1 && others.length < either.length) {
      const { [word]: _, ...own } = schema;
      schema = { ...others[0], ...own };
      nullable = true;
    }
  }
  if (schema.allOf?.length === 1 && !schema.type) {
    const { allOf, ...own } = schema;
    const inner = base(allOf[0]);
    return { schema: { ...inner.schema, ...own }, nullable: nullable || inner.nullable };
  }
  return { schema, nullable };
}

const FORMATS = {
  date: "date",
  "date-time": "datetime",
  time: "time",
  uuid: "uuid",
  email: "email",
  uri: "uri",
  "uri-reference": "uri",
  url: "uri",
  byte: "bytes",
  binary: "bytes",
  password: "password",
};

function textKind(schema, name) {
  if (schema.contentEncoding === "base64") return "bytes";
  if (schema.writeOnly || SECRET.test(name)) return "password";
  if (FORMATS[schema.format]) return FORMATS[schema.format];
  if (schema.format && schema.format !== "iri-reference") return "text";
  if (schema.maxLength > 255 || (schema.maxLength === undefined && LONG.test(name))) return "long";
  return "text";
}

/**
 * Returns what a schema describes: {kind, nullable, schema}. Kinds: boolean, integer, number, text, long, enum, date,
 * datetime, time, uuid, email, uri, bytes, password, object, list, set (of an enum), map, json.
 */
export function kindOf(declared, name = "") {
  const { schema, nullable } = base(declared);
  const all = typesOf(schema).filter((one) => one !== "null");
  const types = all.includes("array") && schema.items ? ["array"] : all; // a nested list may also be its path
  const of = (kind) => ({ kind, nullable, schema });
  if (schema.enum && types[0] !== "boolean") return of("enum");
  if (types.length !== 1) return of(schema.properties ? "object" : "json");
  switch (types[0]) {
    case "boolean":
    case "integer":
    case "number":
      return of(types[0]);
    case "string":
      return of(textKind(schema, name));
    case "array": {
      const items = schema.items && kindOf(schema.items, name);
      if (!items) return of("json");
      return of(items.kind === "enum" && items.schema.enum.length <= 12 ? "set" : "list");
    }
    case "object":
      if (schema.properties && Object.keys(schema.properties).length) return of("object");
      return of(schema.additionalProperties && typeof schema.additionalProperties === "object" ? "map" : "json");
    default:
      return of("json");
  }
}

/** Returns the value that a new input has: its default, or what an empty one of its kind holds. */
export function initial(declared, required, name = "") {
  const { kind, nullable, schema } = kindOf(declared, name);
  if (schema.default !== undefined) return schema.default;
  if (nullable) return required ? null : undefined;
  if (kind === "boolean") return false;
  if (kind === "object" && required) return emptyObject(schema);
  if (!required) return undefined;
  if (kind === "list" || kind === "set") return [];
  if (kind === "map") return {};
  return ["text", "long", "email", "uri", "password"].includes(kind) ? "" : undefined;
}

/** Returns a new object of a schema. */
export function emptyObject(schema) {
  const required = new Set(schema.required ?? []);
  const entries = Object.entries(schema.properties ?? {}).filter(([, one]) => !resolve(one).readOnly);
  return Object.fromEntries(entries.map(([name, one]) => [name, initial(one, required.has(name), name)]));
}

/** Makes a title of the name of a field that is not one of a resource: that of the config, or its words. */
export function wordsOf(name) {
  const own = fieldText(name);
  if (own) return own;
  const words = name.replace(/([a-z\d])([A-Z])/g, "$1 $2").replace(/[_.-]+/g, " ").trim();
  return words ? words[0].toUpperCase() + words.slice(1).replace(/ [A-Z][a-z]/g, (word) => word.toLowerCase()) : name;
}

/** Returns what a schema refers to, if its pattern is that of the paths of a resource; null if it does not. */
function referenceOf(schema) {
  const { kind, schema: own } = kindOf(schema);
  const one = kind === "list" ? base(own.items ?? {}).schema : own;
  if (one.format !== "iri-reference" || typeof one.pattern !== "string") return null;
  const target = model.resources.find(({ item }) => item && one.pattern.startsWith(`^${item.split("{")[0]}`) && item.split("{").length === 2);
  return target ? { resource: target.name, many: kind === "list", inverse: false, identifiers: false } : null;
}

/** Returns the fields of an object's schema, in the form that fields of a resource have. */
function fieldsOf(schema) {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {})
    .map(([name, one]) => ({ name, schema: one, resolved: resolve(one) }))
    .filter(({ resolved }) => !resolved.readOnly)
    .map(({ name, schema: one, resolved }) => ({
      name,
      title: wordsOf(name),
      description: resolved.description ?? "",
      schema: one,
      required: required.has(name),
      reference: referenceOf(one),
      writeOnly: Boolean(resolved.writeOnly),
    }));
}

/** Returns the fields of the objects that a field has or lists. Records that are created with another one have the titles of their resource. */
export function fieldsIn(field) {
  const { kind, schema } = kindOf(field.schema ?? {});
  const inner = fieldsOf(kind === "list" ? base(schema.items ?? {}).schema : schema);
  const known = field.reference?.inverse ? resourceOf(field.reference.resource)?.fields : null;
  return inner.map((one) => {
    const { title = one.title, widget, values, currency } = known?.find(({ name }) => name === one.name) ?? {};
    return { ...one, title, widget, values, currency };
  });
}

/** Makes an English title of several things one of a single thing. */
function singular(title) {
  if (!isEnglish() || /(ss|us|is)$/.test(title)) return title;
  return title.replace(/ies$/, "y").replace(/(ss|x|ch|sh)es$/, "$1").replace(/([^s])s$/, "$1");
}

/** Returns the title of an element of a list: "Line 2". */
export function elementTitle(field, index) {
  const resource = field.reference?.inverse ? resourceOf(field.reference.resource) : null;
  return t("form.item", { field: resource?.singular ?? field.singular ?? singular(field.title), number: index + 1 });
}

/** Reports whether a day exists: JavaScript takes February 31 for March 3. */
function isDay(day) {
  const date = new Date(day);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** Returns a time as this browser writes it, null if it is not one. */
export function localTime(value, kind) {
  if (typeof value !== "string" || !isDay(value.slice(0, 10)) || Number.isNaN(Date.parse(value))) return null;
  const date = new Date(value);
  if (kind === "date") return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeZone: "UTC" }).format(date);
  const text = new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(date);
  return momentsOf(localOf(date)).length > 1 ? `${text} (UTC${offsetOf(date)})` : text;
}

/** Returns the values that a form begins with. */
export function begin(fields) {
  return Object.fromEntries(fields.map((field) => [field.name, initial(field.schema, field.required, field.name)]));
}

/** Returns the fields of an operation's body: those of the resource that it takes, or those of its schema. */
export function fieldsOfInput(operation, resource = null) {
  const { schema } = kindOf(operation.input ?? {});
  const required = new Set(schema.required ?? []);
  return fieldsOf(schema).map((field) => {
    const known = resource?.fields.find((one) => one.name === field.name);
    return known ? { ...field, title: known.title, widget: known.widget, values: known.values, currency: known.currency, description: known.reference?.inverse ? "" : known.description, reference: known.reference ?? field.reference, required: required.has(field.name) } : field;
  });
}
