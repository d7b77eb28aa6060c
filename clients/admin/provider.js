// A data provider for Trove: it asks for JSON-LD, signed in, and sends of a record what has been entered, as a patch.
import { fetchHydra, hydraDataProvider } from "@api-platform/admin";

const entered = (data, before = {}) => Object.fromEntries(Object.entries(data).filter(
  ([name, value]) => JSON.stringify(value ?? null) !== JSON.stringify(before[name] ?? null)));

export function provider(entrypoint, parse, headers) {
  const httpClient = (url, options = {}) => {
    url.searchParams.delete("order[id]"); // what it sends before anybody chooses an order
    url.search = url.search.replace(/%5B\d+%5D=/g, "="); // tags[0] is tags
    return fetchHydra(url, { ...options, headers, method: options.method === "PUT" ? "PATCH" : options.method });
  };
  const api = hydraDataProvider({ entrypoint, httpClient, apiDocumentationParser: (url) => parse(url, { headers }), mercure: false });
  const shown = {}; // records in forms
  return {
    ...api,
    getOne: async (resource, params) => ({ data: shown[params.id] = (await api.getOne(resource, params)).data }),
    create: (resource, params) => api.create(resource, { ...params, data: entered(params.data) }),
    update: (resource, params) => api.update(resource, { ...params, data: entered(params.data, shown[params.id]) }),
  };
}
