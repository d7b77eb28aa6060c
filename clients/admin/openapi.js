// Adapts an OpenAPI document of Trove to the admin's parser, which expects paths without a prefix and finds references
// by the names of fields.
import { parseOpenApi3Documentation } from "@api-platform/api-doc-parser";

export const parseOpenApi = (docs) => async (entrypoint, options) => {
  const document = await (await fetch(`${docs}?version=3.0`, { headers: options.headers() })).json();
  const prefix = new URL(entrypoint).pathname;
  const resolve = (schema) => (schema?.$ref ? document.components.schemas[schema.$ref.split("/").pop()] : schema);
  const json = (message) => message?.content?.["application/json"]?.schema;
  const properties = {};

  document.servers = [{ url: entrypoint }];
  document.paths = Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [path.slice(prefix.length), item]));
  for (const [path, { get }] of Object.entries(document.paths)) {
    if (!get || !/^\/\w+\/{\w+}$/.test(path)) continue;
    const collection = path.slice(0, path.lastIndexOf("/"));
    const schema = json(get.responses["200"]);
    const record = resolve(schema.allOf?.[0] ?? schema); // the other part describes expansions
    const made = resolve(json(document.paths[collection]?.post?.requestBody));
    properties[collection.slice(1)] = { ...made?.properties, ...record.properties };
    get.responses["200"].content["application/json"].schema = { ...record, required: made?.required };
  }

  const url = URL.createObjectURL(new Blob([JSON.stringify(document)]));
  const parsed = await parseOpenApi3Documentation(url);
  for (const resource of parsed.api.resources) {
    for (const field of resource.fields) {
      const schema = properties[resource.name]?.[field.name];
      const [, target] = /^\^(.*)\/[^/]*$/.exec((schema?.items ?? schema)?.pattern ?? "") ?? [];
      field.reference = parsed.api.resources.find((r) => target === `${prefix}/${r.name}`) ?? null;
      field.maxCardinality = schema?.type === "array" ? null : 1;
    }
  }
  return parsed;
};
