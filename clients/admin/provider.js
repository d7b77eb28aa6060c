// A data provider for Trove: it asks for JSON-LD, signed in, and sends what the API knows, nothing else.
import { fetchHydra, hydraDataProvider } from "@api-platform/admin";

export function provider(entrypoint, parse, headers) {
  let resources = [];
  const apiDocumentationParser = async (url) => {
    const parsed = await parse(url, { headers });
    resources = parsed.api.resources;
    return parsed;
  };
  const httpClient = async (url, options = {}) => {
    const { method = "GET", body } = options;
    const resource = resources.find((r) => `${url.pathname}/`.startsWith(`${new URL(r.url, url).pathname}/`));
    if (url.search) {
      if (!resource.parameters.length) await resource.getParameters();
      const known = ["page", "itemsPerPage", ...resource.parameters.map((p) => p.variable)];
      const query = [...url.searchParams].map(([name, value]) => [name.replace(/\[\d+\]$/, ""), value]); // tags[0] is tags
      url.search = new URLSearchParams(query.filter(([name]) => known.includes(name)));
    }
    if (body) { // a null is sent where it clears something
      const readable = (name) => resource.readableFields.some((f) => f.name === name);
      const kept = ([name, value]) => resource.writableFields.some((f) => f.name === name)
        && (value !== null || (method !== "POST" && readable(name)));
      options.body = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).filter(kept)));
    }
    return fetchHydra(url, { ...options, headers });
  };
  return hydraDataProvider({ entrypoint, httpClient, apiDocumentationParser, mercure: false });
}
