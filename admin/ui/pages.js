// The pages of a list: one on the screen, or all of them for what is done to every record that matches.
import { useLayoutEffect, useState } from "./vendor/preact.js";
import { get } from "./api.js";
import { parameterOf } from "./model.js";
import { remember } from "./titles.js";

const MOST = 5000; // pages

/** Loads a page of a list whenever its query changes, or reload is called. */
export function usePage(resource, path, query) {
  const of = query ? `${path}?${query}` : path;
  const [page, setPage] = useState({ of, state: "loading", records: [], links: {}, amount: null, total: null });
  const [version, setVersion] = useState(0);
  useLayoutEffect(() => {
    const controller = new AbortController();
    setPage((now) => ({ ...now, state: "loading" }));
    get(of, { signal: controller.signal }).then(
      ({ body, links, amount, total }) => {
        if (controller.signal.aborted) return;
        const records = Array.isArray(body) ? body : [];
        if (path === resource.path) remember(resource, records);
        setPage({ of, state: "ready", records, links: { ...links, prev: links.prev ?? links.previous }, amount, total });
      },
      (error) => error.name === "AbortError" || setPage({ of, state: error, records: [], links: {}, amount: null, total: null }),
    );
    return () => controller.abort();
  }, [of, version]);
  return [page.of === of ? page : { ...page, state: "loading" }, () => setVersion((now) => now + 1)];
}

/** Yields the records of all pages of a list, as many at a time as the API allows. */
export async function* allPages(operation, path, query, signal) {
  const all = new URLSearchParams(query);
  const perPage = parameterOf(operation, "itemsPerPage");
  if (perPage) all.set(perPage.name, String(perPage.schema?.maximum ?? 100));
  let next = `${path}?${all}`;
  for (let i = 0; next && i < MOST; i++) {
    const { body, links } = await get(next, { signal });
    yield body;
    next = body.length > 0 ? links.next : null;
  }
}
