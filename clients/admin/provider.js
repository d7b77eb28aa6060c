// A data provider for Trove: it requests JSON-LD with credentials, and sends only what the user changed, as a patch.
import { fetchHydra, hydraDataProvider } from "@api-platform/admin";

export function provider(entrypoint, parse, headers) {
  const shown = {}; // records by URL, as they were read
  const httpClient = async (url, { method, body, ...options } = {}) => {
    url.searchParams.delete("order[id]"); // the default sort order of the admin
    url.search = url.search.replace(/%5B\d+%5D=/g, "="); // tags[0] becomes tags
    url.search = url.search.replace(/([?&]id=)[^&]*%2F/g, "$1"); // the admin sends URLs as identifiers
    const isChanged = ([name, value]) => !/^(@|id$|originId$)/.test(name) && JSON.stringify(value) !== JSON.stringify(shown[url]?.[name] ?? null);
    body &&= JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).filter(isChanged)));
    const response = await fetchHydra(url, { ...options, body, headers, method: method === "PUT" ? "PATCH" : method });
    if (!url.search) shown[url] = response.json;
    return response;
  };
  return hydraDataProvider({ entrypoint, httpClient, apiDocumentationParser: (url) => parse(url, { headers }), mercure: false });
}
