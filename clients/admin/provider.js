// A data provider for Trove: it asks for JSON-LD, signed in, and sends of a record what has been entered, as a patch.
import { fetchHydra, hydraDataProvider } from "@api-platform/admin";

export function provider(entrypoint, parse, headers) {
  const shown = {}; // records by their addresses, as they were read
  const httpClient = async (url, { method, body, ...options } = {}) => {
    url.searchParams.delete("order[id]"); // what it sends before anybody chooses an order
    url.search = url.search.replace(/%5B\d+%5D=/g, "="); // tags[0] is tags
    url.search = url.search.replace(/([?&]id=)[^&]*%2F/g, "$1"); // identifiers, which it calls by their URLs
    const isEntered = ([name, value]) => !/^(@|id$|originId$)/.test(name) && JSON.stringify(value) !== JSON.stringify(shown[url]?.[name] ?? null);
    body &&= JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).filter(isEntered)));
    const answer = await fetchHydra(url, { ...options, body, headers, method: method === "PUT" ? "PATCH" : method });
    if (!url.search) shown[url] = answer.json;
    return answer;
  };
  return hydraDataProvider({ entrypoint, httpClient, apiDocumentationParser: (url) => parse(url, { headers }), mercure: false });
}
